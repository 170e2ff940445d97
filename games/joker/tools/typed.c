/* Lists as a person types them; see typed.h. */
#include "typed.h"

#include <stdlib.h>
#include <string.h>

static size_t trimmed(const char *text, size_t length) {
    while (length > 0 && strchr(" ,", text[length - 1])) {
        length--;
    }
    return length;
}

void joker_typed_cards(lu_json *json, const char *text) {
    lu_json_array(json);
    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        size_t plain = strcspn(at, " ,:");
        size_t length = at[plain] == ':' ? strcspn(at, " ") : plain;
        lu_json_string_n(json, at, trimmed(at, length));
        at += length;
    }
    lu_json_array_end(json);
}

void joker_typed_jokers(lu_json *json, const char *text) {
    lu_json_array(json);
    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strcspn(at, ",");
        while (at[length] && at[length + 1] && at[length + 1] != ' ' && memchr(at, ':', length)) {
            length += 1 + strcspn(at + length + 1, ",");
        }
        lu_json_string_n(json, at, trimmed(at, length));
        at += length;
    }
    lu_json_array_end(json);
}

lu_status joker_typed_levels(lu_json *json, const char *text, lu_error *error) {
    lu_json_object(json);
    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strcspn(at, ","), name = trimmed(at, length), digits = 0;
        while (name > 0 && strchr("0123456789", at[name - 1])) {
            name--;
            digits++;
        }
        char hand[40] = "";
        size_t end = trimmed(at, name);
        if (digits == 0 || digits > 5 || end == name || end == 0 || end >= sizeof hand) {
            return lu_fail(error, LU_BAD_VALUE,
                           "levels: '%.*s' isn't a hand and its level, as in Pair 3", (int)length,
                           at);
        }
        memcpy(hand, at, end);
        lu_json_key_int(json, hand, strtol(at + name, NULL, 10));
        at += length;
    }
    lu_json_object_end(json);
    return LU_OK;
}
