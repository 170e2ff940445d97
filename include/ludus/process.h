/* Other programs, run without a shell and with their output caught.
 * Ownership: the text belongs to the caller. Threads: any. */
#pragma once

#include "ludus/error.h"
#include "ludus/text.h"
#include "ludus/watch.h"

#include <sys/types.h>

LU_C_BEGIN

/* Runs words[0] (found on the PATH) and adds what it prints on stdout and stderr, at most 1 MiB, to
 * `output`. Returns its exit code, -1 when it could not be started, was killed or took longer than
 * `seconds`, or when `watch` (NULL: nobody), which is told `what`, says to stop. */
int lu_process_run(const char *const *words, double seconds, const lu_watch *watch,
                   const char *what, lu_text *output);

/* A process that lives beside this one and ends with it, however that ends: in a group of its own,
 * so that Ctrl-C is for this one alone, without input, `lower` steps behind in priority. `out` and
 * `err` take what it prints. For the main thread. */
typedef struct lu_process_plan {
    const char *program; /* its path; NULL: this program */
    const char *const *words;
    int out, err, lower;
} lu_process_plan;
lu_status lu_process_start(const lu_process_plan *plan, pid_t *process, lu_error *error);
/* Ends such a process and what it has started, and waits until it has ended. False when it had
 * ended before. */
bool lu_process_end(pid_t process);

/* Compiler of this program with its version, such as "gcc 12.2.0". */
const char *lu_process_compiler(void);

/* The commit that this program was built from; `exact`: with a tag's name where there is one, and
 * "-dirty" when files differed. "unknown" where it was built outside of a repository. */
void lu_process_commit(bool exact, char *commit, size_t room);

LU_C_END
