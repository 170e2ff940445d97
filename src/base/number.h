/* Numbers as text, the same in every locale: the shortest text that reads back equal, and the value
 * of a checked text. Internal to base; lu_parse_u64 and its kin are declared in ludus/settings.h.
 * Ownership: the caller owns all buffers. Threads: no shared state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LU_NUMBER = 40 }; /* room for any number these functions print */

/* Each returns the length of the text, which is terminated. Values must be finite. */
size_t lu_print_int(char out[LU_NUMBER], int64_t value);
size_t lu_print_uint(char out[LU_NUMBER], uint64_t value);
size_t lu_print_real(char out[LU_NUMBER], double value);
size_t lu_print_float(char out[LU_NUMBER], float value);
/* For people: as lu_print_real, but 1e7 instead of 10000000. Infinities are allowed. */
size_t lu_print_short(char out[LU_NUMBER], double value);

/* Length of the longest prefix that is a decimal number: [+-] digits [. digits] [e [+-] digits]. */
size_t lu_number_span(const char *text, size_t length);
/* The double nearest to such a number (text[0, length) must be one); infinite when too large. */
double lu_number_value(const char *text, size_t length);
