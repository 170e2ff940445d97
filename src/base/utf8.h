/* UTF-8, as far as texts from outside need it: is it valid, and may it be shown in a message.
 * Internal to base. Ownership: the caller owns all buffers. Threads: no shared state. */
#pragma once

#include <stddef.h>

/* Bytes (1 to 4) of the character at the start of text[0, room), or 0 when there is no valid one:
 * overlong forms, surrogates and values above U+10FFFF are invalid. */
size_t lu_utf8_next(const char *text, size_t room);

/* Length of the longest valid prefix. */
size_t lu_utf8_prefix(const char *text, size_t length);

enum { LU_SHOW = 96 };

/* `text` made fit for a message: at most LU_SHOW - 1 bytes, "..." where it was cut, control
 * characters and broken bytes as '?', an empty text as ''. Returns `out`. */
const char *lu_show(char out[LU_SHOW], const char *text);
