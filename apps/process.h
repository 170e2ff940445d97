/* Other programs, run without a shell and with their output caught.
 * Ownership: the text belongs to the caller. Threads: the main thread. */
#pragma once

#include "ludus/text.h"

#include <stdbool.h>

/* Runs words[0] (found on the PATH) and adds what it prints on stdout and stderr, at most 1 MiB, to
 * `output`. Returns its exit code, -1 when it could not be started, was killed or took longer than
 * `seconds`. With `what` it shows progress: see progress_start. */
int process_run(const char *const *words, double seconds, const char *what, lu_text *output);

/* Compiler of this program with its version, such as "gcc 12.2.0". */
const char *process_compiler(void);

/* The commit of the project's folder; `exact`: with a tag's name where there is one, and "-dirty"
 * when files differ. "unknown" without git. */
void process_commit(bool exact, char *commit, size_t room);
