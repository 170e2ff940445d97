/* The JSON reader: one pass by recursive descent (64 levels at most), values in an arena of growing
 * blocks. Objects of more than a few members get an index sorted by key, which finds duplicates and
 * later members in O(n log n), so that a hostile file cannot ask for quadratic work. Numbers keep
 * their text, because 64-bit seeds do not fit a double. Left out on purpose: comments, trailing
 * commas, NaN, lone surrogates, NUL in keys, numbers beyond the range of a double. */
#include "json_internal.h"
#include "number.h"
#include "utf8.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,
    MAX_BYTES = 1 << 28, /* 256 MiB of text */
    FIRST_BLOCK = 4 << 10,
    LAST_BLOCK = 1 << 20,
    INDEX_FROM = 9, /* members from which on the sorted index pays */
};

typedef struct block {
    struct block *next;
    size_t used, room;
    max_align_t data[];
} block;

struct lu_json_document {
    block *blocks;
    lu_json_value root;
};

typedef struct reader {
    const char *name, *start, *at, *end;
    lu_json_document *document;
    member *stack; /* members of the containers still open, innermost last */
    size_t top, room;
    uint32_t line;
    lu_error *error;
} reader;

static bool read_value(reader *r, int depth, lu_json_value *value);

static void *arena(lu_json_document *document, size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    block *b = document->blocks;
    if (!b || b->room - b->used < bytes) {
        size_t room = b ? b->room * 2 : FIRST_BLOCK;
        room = room > LAST_BLOCK ? LAST_BLOCK : room;
        room = room < bytes ? bytes : room;
        b = lu_alloc(sizeof *b + room);
        *b = (block){.next = document->blocks, .room = room};
        document->blocks = b;
    }
    void *result = (char *)b->data + b->used;
    b->used += bytes;
    return result;
}

/* "name:line:column: what"; the column counts characters and is found only here. */
static bool fail(reader *r, const char *at, const char *what) {
    unsigned long line = 1, column = 1;
    for (const char *c = r->start; c < at; c++) {
        if (*c == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)*c & 0xC0) != 0x80) {
            column++;
        }
    }
    char shown[LU_SHOW];
    lu_fail(r->error, LU_BAD_DATA, "%s:%lu:%lu: %s", lu_show(shown, r->name), line, column, what);
    return false;
}

static void skip_space(reader *r) {
    while (r->at < r->end) {
        char c = *r->at;
        if (c == '\n') {
            r->line++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
        r->at++;
    }
}

/* Takes one character when it is the next one. */
static bool take(reader *r, char c) {
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return true;
    }
    return false;
}

/* ---- strings ---- */

/* Four hex digits at `text`, or -1. */
static int32_t hex4(const char *text, const char *end) {
    int32_t code = 0;
    if (end - text < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        code = code * 16 + digit;
    }
    return code;
}

static size_t put_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(lead[length] | code);
    return length;
}

/* The escape after a backslash at r->at; adds its character to *out. */
static bool read_escape(reader *r, char **out) {
    static const char letter[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    const char *begin = r->at - 1;
    char c = r->at < r->end ? *r->at++ : '\0';
    const char *found = c ? strchr(letter, c) : NULL;
    if (found) {
        *(*out)++ = plain[found - letter];
        return true;
    }
    int32_t code = c == 'u' ? hex4(r->at, r->end) : -1;
    if (code < 0) {
        return fail(r, begin, "unknown escape in a string; write \\n, \\\\, \\u0041 and the like");
    }
    r->at += 4;
    uint32_t wide = (uint32_t)code;
    if (wide >= 0xD800 && wide < 0xE000) {
        bool pair = wide < 0xDC00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u';
        int32_t low = pair ? hex4(r->at + 2, r->end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
            return fail(r, begin, "an unpaired surrogate escape");
        }
        wide = 0x10000 + ((wide - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
        r->at += 6;
    }
    *out += put_utf8(*out, wide);
    return true;
}

/* A string whose opening quote has been taken. */
static bool read_string(reader *r, const char **text, size_t *length) {
    const char *begin = r->at - 1, *quote = r->at;
    while (quote < r->end && *quote != '"') {
        quote += *quote == '\\' && quote + 1 < r->end ? 2 : 1;
    }
    if (quote >= r->end) {
        return fail(r, begin, "an unterminated string");
    }
    /* an escape is never shorter than what it stands for, so the raw length is enough */
    char *out = arena(r->document, (size_t)(quote - r->at) + 1), *put = out;
    while (r->at < quote) {
        unsigned char c = (unsigned char)*r->at;
        if (c == '\\') {
            r->at++;
            if (!read_escape(r, &put)) {
                return false;
            }
            continue;
        }
        size_t step = lu_utf8_next(r->at, (size_t)(quote - r->at));
        if (c < 0x20) {
            return fail(r, r->at, "a control character in a string; write it as \\u00XX");
        }
        if (step == 0) {
            return fail(r, r->at, "a byte that is not UTF-8");
        }
        memcpy(put, r->at, step);
        put += step;
        r->at += step;
    }
    r->at = quote + 1;
    *put = '\0';
    *text = out;
    *length = (size_t)(put - out);
    return true;
}

/* ---- numbers and words ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Bytes of a plain number (-12, 0.5) of at most 15 digits and its value, which one division rounds
 * as strtod does; 0: it is none, and read with care. Observations are long lists of such numbers.
 */
static size_t plain_number(const char *begin, const char *end, double *value) {
    static const double tens[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *first = begin + (*begin == '-'), *at = first;
    uint64_t digits = 0;
    size_t behind = 0;
    for (; at < end && is_digit(*at) && at - first < 16; at++) {
        digits = digits * 10 + (uint64_t)(*at - '0');
    }
    if (at == first || (*first == '0' && at - first > 1)) {
        return 0;
    }
    if (at < end && *at == '.') {
        const char *point = at++;
        for (; at < end && is_digit(*at) && at - first < 17; at++) {
            digits = digits * 10 + (uint64_t)(*at - '0');
        }
        behind = (size_t)(at - point - 1);
        if (behind == 0) {
            return 0;
        }
    }
    bool longer = at - first - (behind > 0) > 15;
    if (longer || at == end || is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E' ||
        *at == '+' || *at == '-') {
        return 0; /* at the end of the text too: what would follow is not known */
    }
    *value = (double)digits / tens[behind];
    *value = *begin == '-' ? -*value : *value;
    return (size_t)(at - begin);
}

static void keep_number(reader *r, lu_json_value *value, size_t span, double real) {
    char *text = arena(r->document, span + 1);
    memcpy(text, r->at, span);
    text[span] = '\0';
    value->kind = LU_JSON_NUMBER;
    value->real = real;
    value->text = text;
    value->count = span;
    r->at += span;
}

static bool read_number(reader *r, lu_json_value *value) {
    double real;
    size_t plain = plain_number(r->at, r->end, &real);
    if (plain > 0) {
        keep_number(r, value, plain, real);
        return true;
    }
    const char *begin = r->at, *digit = begin + (*begin == '-');
    size_t span = lu_number_span(begin, (size_t)(r->end - begin));
    const char *after = begin + span;
    bool leading =
        span > 0 && digit[0] == '0' && digit + 1 < after && digit[1] >= '0' && digit[1] <= '9';
    const char *point = span ? memchr(begin, '.', span) : NULL;
    bool bare = point && (point == digit || point + 1 == after || point[1] < '0' || point[1] > '9');
    bool glued = span > 0 && after < r->end && strchr("+-.eE0123456789", *after) && *after;
    if (span == 0 || leading || bare || glued || *begin == '+') {
        return fail(r, begin, "not a JSON number; write it as -12, 0.5 or 1e-3");
    }
    real = lu_number_value(begin, span);
    if (!isfinite(real)) {
        return fail(r, begin, "a number too large for a double");
    }
    keep_number(r, value, span, real);
    return true;
}

static bool read_word(reader *r, lu_json_value *value) {
    static const struct {
        char word[8];
        size_t length;
        lu_json_kind kind;
    } words[] = {{"null", 4, LU_JSON_NULL}, {"true", 4, LU_JSON_TRUE}, {"false", 5, LU_JSON_FALSE}};
    for (size_t i = 0; i < 3 && r->at < r->end; i++) {
        size_t length = words[i].length;
        if (*r->at == words[i].word[0] && (size_t)(r->end - r->at) >= length &&
            memcmp(r->at, words[i].word, length) == 0) {
            value->kind = words[i].kind;
            r->at += length;
            return true;
        }
    }
    return fail(r, r->at,
                r->at < r->end ? "expected a JSON value"
                               : "the text ends where a value is expected");
}

/* ---- containers ---- */

static void push(reader *r, const member *m) {
    if (r->top == r->room) {
        r->room = r->room ? r->room * 2 : 64;
        r->stack = lu_realloc(r->stack, r->room * sizeof *r->stack);
    }
    r->stack[r->top++] = *m;
}

static bool read_array(reader *r, int depth, lu_json_value *value) {
    size_t base = r->top;
    skip_space(r);
    if (!take(r, ']')) {
        do {
            member m = {0};
            if (!read_value(r, depth, &m.value)) {
                return false;
            }
            push(r, &m);
            skip_space(r);
        } while (take(r, ','));
        if (!take(r, ']')) {
            return fail(r, r->at, "expected ',' or ']' in an array");
        }
    }
    size_t count = r->top - base;
    lu_json_value *items = arena(r->document, count * sizeof *items);
    for (size_t i = 0; i < count; i++) {
        items[i] = r->stack[base + i].value;
    }
    r->top = base;
    value->kind = LU_JSON_ARRAY;
    value->count = count;
    value->items = items;
    return true;
}

int lu_json_compare_members(const void *a, const void *b) {
    const member *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

static bool duplicate(reader *r, const member *m) {
    char shown[LU_SHOW], what[LU_SHOW + 40];
    snprintf(what, sizeof what, "the key %s appears twice", lu_show(shown, m->key));
    return fail(r, r->at, what);
}

/* Refuses equal keys, and makes the index of a large object. */
static bool index_members(reader *r, lu_json_value *value) {
    const member *members = value->members;
    if (value->count < INDEX_FROM) {
        for (size_t i = 1; i < value->count; i++) {
            for (size_t j = 0; j < i; j++) {
                if (strcmp(members[i].key, members[j].key) == 0) {
                    return duplicate(r, &members[i]);
                }
            }
        }
        return true;
    }
    value->sorted = arena(r->document, value->count * sizeof *value->sorted);
    for (size_t i = 0; i < value->count; i++) {
        value->sorted[i] = &members[i];
    }
    qsort(value->sorted, value->count, sizeof *value->sorted, lu_json_compare_members);
    for (size_t i = 1; i < value->count; i++) {
        if (strcmp(value->sorted[i - 1]->key, value->sorted[i]->key) == 0) {
            return duplicate(r, value->sorted[i]);
        }
    }
    return true;
}

static bool read_member(reader *r, int depth, member *m) {
    skip_space(r);
    const char *begin = r->at;
    if (!take(r, '"')) {
        return fail(r, begin, "expected a key in double quotes");
    }
    if (!read_string(r, &m->key, &m->key_length)) {
        return false;
    }
    if (strlen(m->key) != m->key_length) {
        return fail(r, begin, "a key with \\u0000 in it");
    }
    skip_space(r);
    if (!take(r, ':')) {
        return fail(r, r->at, "expected ':' after a key");
    }
    return read_value(r, depth, &m->value);
}

static bool read_object(reader *r, int depth, lu_json_value *value) {
    size_t base = r->top;
    skip_space(r);
    if (!take(r, '}')) {
        do {
            member m = {0};
            if (!read_member(r, depth, &m)) {
                return false;
            }
            push(r, &m);
            skip_space(r);
        } while (take(r, ','));
        if (!take(r, '}')) {
            return fail(r, r->at, "expected ',' or '}' in an object");
        }
    }
    size_t count = r->top - base;
    member *members = arena(r->document, count * sizeof *members);
    if (count > 0) {
        memcpy(members, r->stack + base, count * sizeof *members);
    }
    r->top = base;
    value->kind = LU_JSON_OBJECT;
    value->count = count;
    value->members = members;
    return index_members(r, value);
}

static bool read_value(reader *r, int depth, lu_json_value *value) {
    skip_space(r);
    *value = (lu_json_value){.line = r->line};
    char c = r->at < r->end ? *r->at : '\0';
    if ((c == '[' || c == '{') && depth >= MAX_DEPTH) {
        return fail(r, r->at, "nested deeper than 64 levels");
    }
    switch (c) {
    case '[':
        r->at++;
        return read_array(r, depth + 1, value);
    case '{':
        r->at++;
        return read_object(r, depth + 1, value);
    case '"':
        r->at++;
        value->kind = LU_JSON_STRING;
        return read_string(r, &value->text, &value->count);
    case '-':
    case '+':
    case '.':
        return read_number(r, value);
    default:
        return c >= '0' && c <= '9' ? read_number(r, value) : read_word(r, value);
    }
}

lu_json_document *lu_json_read(const char *name, const char *text, size_t length, lu_error *error) {
    if (length > MAX_BYTES) {
        lu_fail(error, LU_BAD_DATA, "%s: more than 256 MiB of JSON", name);
        return NULL;
    }
    lu_json_document *document = lu_alloc_zero(1, sizeof *document);
    reader r = {.name = name, .start = text, .at = text, .document = document, .line = 1};
    r.end = length ? text + length : text;
    r.error = error;
    bool good = read_value(&r, 0, &document->root);
    if (good) {
        skip_space(&r);
        good = r.at == r.end || fail(&r, r.at, "more text after the end of the value");
    }
    free(r.stack);
    if (!good) {
        lu_json_close(document);
        return NULL;
    }
    return document;
}

void lu_json_close(lu_json_document *document) {
    if (!document) {
        return;
    }
    for (block *b = document->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(document);
}

const lu_json_value *lu_json_root(const lu_json_document *document) {
    return &document->root;
}
