/* Texts of others, made fit for a terminal: see foreign.h. */
#include "foreign.h"

#include <stdint.h>

/* Bytes of the UTF-8 character at `c`, with its code; 0 when it is broken. */
static int next_character(const unsigned char *c, uint32_t *code) {
    int length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *code = c[0] & masks[length];
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (c[i] & 0x3f);
    }
    return c[0] > 0xf4 ? 0 : length;
}

/* What drives a terminal, turns the direction of writing or takes no place. */
static bool is_unsafe(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code > 0x10ffff;
}

void foreign_add(lu_text *text, const char *from, int most) {
    int columns = 0;
    for (const unsigned char *c = (const unsigned char *)from; *c; columns++) {
        uint32_t code;
        int length = next_character(c, &code);
        if (most > 0 && columns == most) {
            lu_text_add(text, "...");
            return;
        }
        if (length == 0 || is_unsafe(code)) {
            lu_text_add_char(text, '?');
        } else {
            lu_text_add_n(text, (const char *)c, (size_t)length);
        }
        c += length ? length : 1;
    }
}
