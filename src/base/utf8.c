/* UTF-8 by the table of well-formed byte sequences in the Unicode standard, chapter 3. */
#include "utf8.h"

#include <string.h>

size_t lu_utf8_next(const char *text, size_t room) {
    const unsigned char *byte = (const unsigned char *)text;
    if (room == 0) {
        return 0;
    }
    if (byte[0] < 0x80) {
        return 1;
    }
    size_t length = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4 || room < length) {
        return 0;
    }
    /* the second byte excludes overlong forms, surrogates and what is above U+10FFFF */
    unsigned low = byte[0] == 0xE0 ? 0xA0 : byte[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = byte[0] == 0xED ? 0x9F : byte[0] == 0xF4 ? 0x8F : 0xBF;
    if (byte[1] < low || byte[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t lu_utf8_prefix(const char *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        size_t step = lu_utf8_next(text + at, length - at);
        if (step == 0) {
            break;
        }
        at += step;
    }
    return at;
}

const char *lu_show(char out[LU_SHOW], const char *text) {
    size_t used = 0;
    size_t left = strnlen(text, (size_t)4 * LU_SHOW);
    if (left == 0) {
        memcpy(out, "''", 3);
        return out;
    }
    while (left > 0) {
        size_t step = lu_utf8_next(text, left);
        unsigned char first = (unsigned char)text[0];
        /* C1 controls (U+0080 to U+009F) drive terminals just as C0 controls do */
        int hidden = step == 0 || first < 0x20 || first == 0x7F ||
                     (first == 0xC2 && (unsigned char)text[1] < 0xA0);
        size_t take = step ? step : 1, put = hidden ? 1 : take;
        if (used + put > LU_SHOW - 4) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(out + used, hidden ? "?" : text, put);
        used += put;
        text += take;
        left -= take;
    }
    out[used] = '\0';
    return out;
}
