/* Files of an earlier version or specification, carried over in place: `ludus replay upgrade` and
 * `ludus model upgrade` differ in the function that makes the new bytes.
 * Ownership: nothing is kept. Threads: one. */
#pragma once

#include "verb.h"

typedef lu_status upgrade_bytes(const char *name, const void *bytes, size_t length, char **upgraded,
                                size_t *upgraded_length, lu_error *error);

/* Carries one file over and says what became of it; it is replaced at once or not at all. */
lu_status upgrade_file(const verb_call *call, const char *path, size_t limit,
                       upgrade_bytes *upgrade, lu_error *error);
