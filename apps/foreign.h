/* Texts that others wrote, in files and names: shown, they must not drive a terminal.
 * Ownership: the caller owns all texts. Threads: no shared state. */
#pragma once

#include "ludus/text.h"

/* Adds text out of a file: control characters, marks that turn the direction of writing and broken
 * bytes become '?', and what is longer than `most` columns (0: any length) ends with "...". */
void foreign_add(lu_text *text, const char *foreign, int most);
