/* The growing text: see text.h. An empty text points at a shared terminator and owns nothing, so
 * that init needs no memory. */
#include "ludus/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#include "ludus/arena.h"
#include "ludus/error.h"

enum { FIRST_ROOM = 64 };

/* room == 0 marks it */
char lu_no_text[1];

void lu_text_init(lu_text *text) {
    *text = LU_TEXT_INIT;
}

void lu_text_free(lu_text *text) {
    if (text->room) {
        free(text->text);
    }
    lu_text_init(text);
}

void lu_text_clear(lu_text *text) {
    text->length = 0;
    if (text->room) {
        text->text[0] = '\0';
    }
}

char *lu_text_take(lu_text *text) {
    char *bytes = text->room ? text->text : lu_strdup("");
    lu_text_init(text);
    return bytes;
}

void lu_text_reserve(lu_text *text, size_t more) {
    size_t need;
    if (!lu_size_add(text->length, more, &need) || !lu_size_add(need, 1, &need)) {
        lu_out_of_memory(SIZE_MAX);
    }
    if (need <= text->room) {
        return;
    }
    size_t room = text->room ? text->room : FIRST_ROOM;
    while (room < need) {
        if (!lu_size_mul(room, 2, &room)) {
            room = need;
        }
    }
    text->text = lu_realloc(text->room ? text->text : NULL, room);
    text->text[text->length] = '\0';
    text->room = room;
}

void lu_text_add_n(lu_text *text, const char *part, size_t bytes) {
    if (bytes == 0) {
        return;
    }
    lu_text_reserve(text, bytes);
    memcpy(text->text + text->length, part, bytes);
    text->length += bytes;
    text->text[text->length] = '\0';
}

void lu_text_add(lu_text *text, const char *part) {
    lu_text_add_n(text, part, strlen(part));
}

void lu_text_add_char(lu_text *text, char letter) {
    lu_text_add_n(text, &letter, 1);
}

void lu_base64(const void *bytes, size_t length, char *letters) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = bytes;
    for (size_t i = 0; i < length; i += 3, letters += 4) {
        size_t have = length - i < 3 ? length - i : 3;
        unsigned group = (unsigned)data[i] << 16 | (have > 1 ? (unsigned)data[i + 1] << 8 : 0) |
                         (have > 2 ? (unsigned)data[i + 2] : 0);
        letters[0] = alphabet[group >> 18];
        letters[1] = alphabet[group >> 12 & 63];
        letters[2] = have > 1 ? alphabet[group >> 6 & 63] : '=';
        letters[3] = have > 2 ? alphabet[group & 63] : '=';
    }
}

void lu_text_fill(lu_text *text, char letter, int count) {
    if (count <= 0) {
        return;
    }
    lu_text_reserve(text, (size_t)count);
    memset(text->text + text->length, letter, (size_t)count);
    text->length += (size_t)count;
    text->text[text->length] = '\0';
}

void lu_text_addv(lu_text *text, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    lu_text_reserve(text, FIRST_ROOM);
    size_t room = text->room - text->length;
    int length = vsnprintf(text->text + text->length, room, format, list);
    LU_ASSERT(length >= 0); /* only a wrong format gets here */
    if (length > 0 && (size_t)length >= room) {
        lu_text_reserve(text, (size_t)length);
        vsnprintf(text->text + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += length > 0 ? (size_t)length : 0;
}

void lu_text_addf(lu_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    lu_text_addv(text, format, list);
    va_end(list);
}

void lu_text_line(lu_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    lu_text_addv(text, format, list);
    va_end(list);
    lu_text_add_char(text, '\n');
}

void lu_text_add_bytes(lu_text *text, double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000.0;
        unit++;
    }
    lu_text_addf(text, unit > 0 && bytes < 99.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

bool lu_text_is_utf8(const char *bytes, size_t length) {
    return lu_utf8_prefix(bytes, length) == length;
}
