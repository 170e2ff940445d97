/* Reader of inventories: lines of a name and a number in either order, CSV, or a JSON object. A
 * text that begins with a brace is JSON, any other is lines. */
#include "potion_inventory.h"

#include "ludus/json.h"
#include "ludus/settings.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 64, SHOWN = 40 }; /* bytes of a name in plain form; bytes shown in a message */

typedef struct reader {
    const char *name; /* of the file */
    unsigned line;
    bool begun; /* an entry or a header was read: no header may follow */
    int pieces[POTION_ACTIONS];
    lu_error *error;
} reader;

/* Part of a line. */
typedef struct span {
    const char *at, *end;
} span;

/* ---- letters ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* What may stand between name and number. */
static bool is_gap(char c) {
    return is_space(c) || c == ',' || c == ';' || c == ':' || c == '=';
}

/* What may stand around a name: cells of CSV may be in quotes, and no name of the game holds one.
 */
static bool is_edge(char c) {
    return is_gap(c) || c == '"';
}

static bool is_number_letter(char c) {
    return is_digit(c) || c == '.' || c == '-' || c == '+';
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static span trim(span s, bool (*drop)(char)) {
    while (s.at < s.end && drop(*s.at)) {
        s.at++;
    }
    while (s.at < s.end && drop(s.end[-1])) {
        s.end--;
    }
    return s;
}

/* Bytes of an apostrophe as typewriters, keyboards and word processors write it; 0 = none here. */
static size_t apostrophe(span s) {
    static const char *const forms[] = {"'", "`", "\xe2\x80\x99", "\xe2\x80\x98", "\xc2\xb4"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        size_t size = strlen(forms[k]);
        if ((size_t)(s.end - s.at) >= size && memcmp(s.at, forms[k], size) == 0) {
            return size;
        }
    }
    return 0;
}

/* The name in plain form: small letters, one kind of apostrophe, single spaces. False: too long to
 * be one. */
static bool plain_name(span s, char plain[NAME_ROOM]) {
    size_t length = 0;
    while (s.at < s.end && length + 2 < NAME_ROOM) {
        size_t quote = apostrophe(s);
        if (quote > 0) {
            plain[length++] = '\'';
            s.at += quote;
        } else if (is_space(*s.at)) {
            plain[length++] = ' ';
            while (s.at < s.end && is_space(*s.at)) {
                s.at++;
            }
        } else {
            plain[length++] = lower(*s.at++);
        }
    }
    plain[length] = '\0';
    return s.at == s.end && strlen(plain) == length;
}

/* What was read as it may be shown: at most SHOWN bytes, without control letters and never cut
 * inside of a letter. */
static const char *shown(span s, char text[SHOWN + 4]) {
    size_t length = 0;
    for (; s.at < s.end && length < SHOWN; s.at++) {
        unsigned char c = (unsigned char)*s.at;
        text[length++] = c < 32 || c == 127 ? '?' : *s.at;
    }
    if (s.at < s.end) {
        while (length > 0 && ((unsigned char)*s.at & 0xc0) == 0x80) {
            s.at--;
            length--;
        }
        memcpy(text + length, "...", 3);
        length += 3;
    }
    text[length] = '\0';
    return text;
}

/* ---- one entry ---- */

static const char *near_name(span name) {
    char names[POTION_INGREDIENTS][NAME_ROOM], plain[NAME_ROOM];
    const char *list[POTION_INGREDIENTS], *near = NULL;
    for (int i = 0; i < POTION_INGREDIENTS; i++) {
        const char *known = potion_ingredients[i + 1].name;
        plain_name((span){known, known + strlen(known)}, names[i]);
        list[i] = names[i];
    }
    if (plain_name(name, plain)) {
        near = lu_nearest(plain, list, POTION_INGREDIENTS);
    }
    for (int i = 0; i < POTION_INGREDIENTS && near; i++) {
        if (near == names[i]) {
            return potion_ingredients[i + 1].name;
        }
    }
    return NULL;
}

const char *potion_inventory_near(const char *name) {
    return near_name((span){name, name + strlen(name)});
}

static lu_status unknown_name(const reader *r, span name) {
    char text[SHOWN + 4];
    const char *near = near_name(name);
    return lu_fail(r->error, LU_BAD_DATA,
                   near ? "%s:%u: '%s' isn't an ingredient; did you mean '%s'?"
                        : "%s:%u: '%s' isn't an ingredient; write its name as the game shows it",
                   r->name, r->line, shown(name, text), near);
}

static lu_status add_pieces(reader *r, int action, int pieces) {
    r->pieces[action] += pieces;
    if (r->pieces[action] > POTION_PIECES_MAX) {
        return lu_fail(
            r->error, LU_BAD_DATA,
            "%s:%u: more than %d pieces of %s; write fewer: no cauldron takes more than %d",
            r->name, r->line, POTION_PIECES_MAX, potion_ingredients[action].name, POTION_ITEMS_MAX);
    }
    return LU_OK;
}

/* Digits alone; beyond every inventory it stops counting. */
static lu_status read_number(const reader *r, span s, int *value) {
    char text[SHOWN + 4];
    *value = 0;
    for (const char *at = s.at; at < s.end; at++) {
        if (!is_digit(*at)) {
            return lu_fail(r->error, LU_BAD_DATA,
                           "%s:%u: '%s' isn't a number of pieces; write an integer from 0 to %d",
                           r->name, r->line, shown(s, text), POTION_PIECES_MAX);
        }
        *value = *value > POTION_PIECES_MAX ? *value : *value * 10 + (*at - '0');
    }
    return LU_OK;
}

static lu_status add_named(reader *r, span name, span number) {
    char plain[NAME_ROOM];
    int pieces;
    LU_TRY(read_number(r, number, &pieces));
    int action = plain_name(name, plain) ? potion_ingredient_find(plain) : 0;
    return action > 0 ? add_pieces(r, action, pieces) : unknown_name(r, name);
}

/* ---- lines ---- */

/* Takes the number off the line, in front or behind, with the x that may mark it. False: there is
 * none. */
static bool split(span line, span *name, span *number) {
    span front = {line.at, line.at}, back = {line.end, line.end};
    while (front.end < line.end && is_number_letter(*front.end)) {
        front.end++;
    }
    while (back.at > line.at && is_number_letter(back.at[-1])) {
        back.at--;
    }
    if (front.end > front.at) {
        const char *at = front.end;
        while (at < line.end && is_space(*at)) {
            at++;
        }
        bool times = at < line.end && lower(*at) == 'x' && at + 1 < line.end && is_gap(at[1]);
        *number = front;
        *name = (span){times ? at + 1 : front.end, line.end};
    } else if (back.end > back.at) {
        const char *end = back.at;
        while (end > line.at && is_space(end[-1])) {
            end--;
        }
        bool times = end > line.at + 1 && lower(end[-1]) == 'x' && is_gap(end[-2]);
        *number = back;
        *name = (span){line.at, times ? end - 1 : back.at};
    } else {
        return false;
    }
    *name = trim(*name, is_edge);
    return true;
}

static bool is_header(span line) {
    char plain[NAME_ROOM], bare[NAME_ROOM];
    size_t length = 0;
    bool whole = plain_name(line, plain);
    for (const char *at = plain; *at; at++) {
        if (*at != '"' && *at != ' ') {
            bare[length++] = *at == ';' ? ',' : *at;
        }
    }
    bare[length] = '\0';
    return whole && (strcmp(bare, "name,pieces") == 0 || strcmp(bare, "pieces,name") == 0);
}

static lu_status read_line(reader *r, span line) {
    char text[SHOWN + 4];
    span name, number;
    const char *comment = memchr(line.at, '#', (size_t)(line.end - line.at));
    line.end = comment ? comment : line.end;
    line = trim(line, is_space);
    if (line.at == line.end) {
        return LU_OK;
    }
    bool first = !r->begun;
    r->begun = true;
    if (first && is_header(line)) {
        return LU_OK;
    }
    if (!split(trim(line, is_edge), &name, &number)) {
        return lu_fail(r->error, LU_BAD_DATA,
                       "%s:%u: '%s' has no number of pieces; write 'Mandrake Root 4'", r->name,
                       r->line, shown(line, text));
    }
    if (name.at == name.end) {
        return lu_fail(r->error, LU_BAD_DATA,
                       "%s:%u: '%s' has no ingredient; write 'Mandrake Root 4'", r->name, r->line,
                       shown(line, text));
    }
    return add_named(r, name, number);
}

static lu_status read_lines(reader *r, span text) {
    lu_status status = LU_OK;
    while (text.at < text.end && status == LU_OK) {
        const char *end = memchr(text.at, '\n', (size_t)(text.end - text.at));
        span line = {text.at, end ? end : text.end};
        r->line++;
        status = read_line(r, line);
        text.at = end ? end + 1 : text.end;
    }
    return status;
}

/* ---- JSON ---- */

/* The action of a key: a name, or the number of an action. */
static int action_of(span key, const char *text) {
    char plain[NAME_ROOM];
    int64_t number;
    if (lu_parse_i64("action", text, 1, POTION_INGREDIENTS, &number, NULL) == LU_OK) {
        return (int)number;
    }
    return plain_name(key, plain) ? potion_ingredient_find(plain) : 0;
}

static lu_status read_members(reader *r, const lu_json_value *object) {
    lu_status status = LU_OK;
    for (size_t k = 0; k < lu_json_count(object) && status == LU_OK; k++) {
        const char *key;
        int64_t pieces;
        const lu_json_value *value = lu_json_member(object, k, &key);
        span name = {key, key + strlen(key)};
        int action = action_of(name, key);
        r->line = lu_json_line(value);
        if (action == 0) {
            status = unknown_name(r, name);
        } else if (lu_json_get_int(object, key, 0, POTION_PIECES_MAX, &pieces, NULL) != LU_OK) {
            status = lu_fail(r->error, LU_BAD_DATA,
                             "%s:%u: the pieces of %s must be an integer from 0 to %d", r->name,
                             r->line, potion_ingredients[action].name, POTION_PIECES_MAX);
        } else {
            status = add_pieces(r, action, (int)pieces);
        }
    }
    return status;
}

static lu_status read_json(reader *r, span text) {
    lu_json_document *document =
        lu_json_read(r->name, text.at, (size_t)(text.end - text.at), r->error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *object = lu_json_root(document);
    const lu_json_value *inner = lu_json_get(object, "inventory");
    object = inner ? inner : object;
    lu_status status;
    if (lu_json_kind_of(object) == LU_JSON_OBJECT) {
        status = read_members(r, object);
    } else {
        status = lu_fail(r->error, LU_BAD_DATA,
                         "%s:%u: 'inventory' must be an object of pieces by name: "
                         "{\"Mandrake Root\": 4}",
                         r->name, lu_json_line(object));
    }
    lu_json_close(document);
    return status;
}

lu_status potion_inventory_read(const char *name, const char *text, size_t length,
                                uint8_t stock[POTION_ACTIONS], lu_error *error) {
    reader r = {.name = name, .error = error};
    span all = {text, text + length};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        all.at += 3;
    }
    const char *first = all.at;
    while (first < all.end && (is_space(*first) || *first == '\n')) {
        first++;
    }
    bool json = first < all.end && *first == '{';
    lu_status status = json ? read_json(&r, all) : read_lines(&r, all);
    for (int i = 1; i <= POTION_INGREDIENTS && status == LU_OK; i++) {
        stock[i] = (uint8_t)r.pieces[i];
    }
    if (status == LU_OK) {
        stock[POTION_FINISH] = stock[POTION_ACTIONS - 1] = 0;
    }
    return status;
}
