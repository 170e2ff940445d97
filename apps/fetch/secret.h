/* Tokens and keys: from a file or a variable, never from the command line, never printed.
 * Ownership: the caller frees the text. Threads: any. */
#pragma once

#include "ludus/error.h"

/* The one word of a file, or of the variable where `path` is "" (`variable` NULL: none). Without
 * both *secret is NULL. The sentence of an error never quotes it. */
lu_status secret_read(const char *path, const char *variable, char **secret, lu_error *error);
