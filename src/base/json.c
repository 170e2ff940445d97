/* The JSON writer: appends to one buffer, commas by one bit per depth, no tree. Misuse (a key
 * outside an object, two values at depth 0 without a newline) asserts; nothing here can fail. */
#include "ludus/json.h"
#include "number.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 60 };

void lu_json_init(lu_json *json) {
    *json = LU_JSON_INIT;
}

void lu_json_free(lu_json *json) {
    free(json->text);
    *json = (lu_json){0};
}

void lu_json_clear(lu_json *json) {
    json->length = 0;
    json->comma = 0;
    json->depth = 0;
    if (json->text) {
        json->text[0] = '\0';
    }
}

/* Room for `bytes` more and the terminator; the buffer doubles, so appending is linear overall. */
static char *reserve(lu_json *json, size_t bytes) {
    size_t need = json->length + bytes + 1;
    if (need <= bytes) {
        lu_out_of_memory(bytes);
    }
    if (need > json->room) {
        size_t room = json->room ? json->room : 256;
        while (room < need) {
            room = room > need / 2 ? need + need / 2 : room * 2;
        }
        json->text = lu_realloc(json->text, room);
        json->room = room;
    }
    return json->text + json->length;
}

static void append(lu_json *json, const char *text, size_t length) {
    char *end = reserve(json, length);
    if (length > 0) { /* memcpy of nothing may not be given NULL */
        memcpy(end, text, length);
    }
    end[length] = '\0';
    json->length += length;
}

/* Before any value: the comma that is due, and the mark that one is due after it. */
static void begin_value(lu_json *json) {
    uint64_t bit = UINT64_C(1) << json->depth;
    if (json->comma & bit) {
        LU_ASSERT(json->depth > 0 && "two values at depth 0 need lu_json_newline between them");
        append(json, ",", 1);
    }
    json->comma |= bit;
}

static void open_level(lu_json *json, const char *bracket) {
    begin_value(json);
    append(json, bracket, 1);
    LU_ASSERT(json->depth < MAX_DEPTH);
    json->depth++;
    json->comma &= ~(UINT64_C(1) << json->depth);
}

static void close_level(lu_json *json, const char *bracket) {
    LU_ASSERT(json->depth > 0);
    json->depth--;
    append(json, bracket, 1);
}

void lu_json_object(lu_json *json) {
    open_level(json, "{");
}

void lu_json_object_end(lu_json *json) {
    close_level(json, "}");
}

void lu_json_array(lu_json *json) {
    open_level(json, "[");
}

void lu_json_array_end(lu_json *json) {
    close_level(json, "]");
}

static void append_escaped(lu_json *json, unsigned char c) {
    static const char hex[] = "0123456789abcdef";
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char *found = c ? strchr(plain, c) : NULL;
    if (found) {
        char pair[2] = {'\\', letter[found - plain]};
        append(json, pair, 2);
    } else {
        char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        append(json, code, 6);
    }
}

static void append_quoted(lu_json *json, const char *text, size_t length) {
    append(json, "\"", 1);
    size_t start = 0, at = 0;
    while (at < length) {
        unsigned char c = (unsigned char)text[at];
        size_t step = c < 0x80 ? 1 : lu_utf8_next(text + at, length - at);
        if (step > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) {
            at += step;
            continue;
        }
        append(json, text + start, at - start);
        if (step == 0) {
            append(json, "\xEF\xBF\xBD", 3); /* U+FFFD for each byte that is not UTF-8 */
        } else {
            append_escaped(json, c);
        }
        start = ++at;
    }
    append(json, text + start, length - start);
    append(json, "\"", 1);
}

void lu_json_key(lu_json *json, const char *key) {
    LU_ASSERT(json->depth > 0);
    begin_value(json);
    append_quoted(json, key, strlen(key));
    append(json, ":", 1);
    json->comma &= ~(UINT64_C(1) << json->depth);
}

void lu_json_string_n(lu_json *json, const char *text, size_t length) {
    begin_value(json);
    append_quoted(json, text, length);
}

void lu_json_string(lu_json *json, const char *text) {
    if (text) {
        lu_json_string_n(json, text, strlen(text));
    } else {
        lu_json_null(json);
    }
}

void lu_json_int(lu_json *json, int64_t value) {
    begin_value(json);
    json->length += lu_print_int(reserve(json, LU_NUMBER), value);
}

void lu_json_uint(lu_json *json, uint64_t value) {
    begin_value(json);
    json->length += lu_print_uint(reserve(json, LU_NUMBER), value);
}

void lu_json_real(lu_json *json, double value) {
    if (!isfinite(value)) {
        lu_json_null(json);
        return;
    }
    begin_value(json);
    json->length += lu_print_real(reserve(json, LU_NUMBER), value);
}

void lu_json_float(lu_json *json, float value) {
    if (!isfinite(value)) {
        lu_json_null(json);
        return;
    }
    begin_value(json);
    json->length += lu_print_float(reserve(json, LU_NUMBER), value);
}

void lu_json_bool(lu_json *json, bool value) {
    begin_value(json);
    append(json, value ? "true" : "false", value ? 4 : 5);
}

void lu_json_null(lu_json *json) {
    begin_value(json);
    append(json, "null", 4);
}

void lu_json_raw(lu_json *json, const char *text, size_t length) {
    begin_value(json);
    append(json, text, length);
}

void lu_json_newline(lu_json *json) {
    LU_ASSERT(json->depth == 0);
    append(json, "\n", 1);
    json->comma = 0;
}

void lu_json_key_object(lu_json *json, const char *key) {
    lu_json_key(json, key);
    lu_json_object(json);
}

void lu_json_key_array(lu_json *json, const char *key) {
    lu_json_key(json, key);
    lu_json_array(json);
}

void lu_json_key_string(lu_json *json, const char *key, const char *text) {
    lu_json_key(json, key);
    lu_json_string(json, text);
}

void lu_json_key_int(lu_json *json, const char *key, int64_t value) {
    lu_json_key(json, key);
    lu_json_int(json, value);
}

void lu_json_key_real(lu_json *json, const char *key, double value) {
    lu_json_key(json, key);
    lu_json_real(json, value);
}

void lu_json_key_bool(lu_json *json, const char *key, bool value) {
    lu_json_key(json, key);
    lu_json_bool(json, value);
}

void lu_json_key_hex(lu_json *json, const char *key, uint64_t value) {
    lu_json_key(json, key);
    lu_json_hex(json, value);
}

void lu_json_key_raw(lu_json *json, const char *key, const char *text) {
    lu_json_key(json, key);
    lu_json_raw(json, text, strlen(text));
}

void lu_json_hex(lu_json *json, uint64_t value) {
    static const char hex[] = "0123456789abcdef";
    char text[18] = {[0] = '"', [17] = '"'};
    for (int i = 16; i >= 1; i--) {
        text[i] = hex[value & 15];
        value >>= 4;
    }
    begin_value(json);
    append(json, text, sizeof text);
}
