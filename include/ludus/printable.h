/* Names out of hostile files, made fit for a message.
 * Ownership: the caller owns the buffer. Threads: no state. */
#pragma once

#include <stddef.h>

enum { LU_PRINTABLE = 72 };

/* `text` with '?' for everything but printable ASCII (escape codes drive terminals), cut at the
 * size of the buffer. Returns `out`. */
static inline const char *lu_printable(char out[LU_PRINTABLE], const char *text) {
    size_t used = 0;
    for (; text[used] && used < LU_PRINTABLE - 4; used++) {
        out[used] = text[used] >= ' ' && text[used] <= '~' ? text[used] : '?';
    }
    for (size_t dots = 0; text[used] && dots < 3; dots++) {
        out[used + dots] = '.';
        out[used + dots + 1] = '\0';
    }
    if (!text[used]) {
        out[used] = '\0';
    }
    return out;
}
