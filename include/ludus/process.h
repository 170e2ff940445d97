/* Other programs, run without a shell and with their output caught.
 * Ownership: the text belongs to the caller. Threads: any. */
#pragma once

#include "ludus/text.h"
#include "ludus/watch.h"

LU_C_BEGIN

/* Runs words[0] (found on the PATH) and adds what it prints on stdout and stderr, at most 1 MiB, to
 * `output`. Returns its exit code, -1 when it could not be started, was killed or took longer than
 * `seconds`, or when `watch` (NULL: nobody), which is told `what`, says to stop. */
int lu_process_run(const char *const *words, double seconds, const lu_watch *watch,
                   const char *what, lu_text *output);

/* Compiler of this program with its version, such as "gcc 12.2.0". */
const char *lu_process_compiler(void);

/* The commit of the project's folder; `exact`: with a tag's name where there is one, and "-dirty"
 * when files differ. "unknown" without git. */
void lu_process_commit(bool exact, char *commit, size_t room);

LU_C_END
