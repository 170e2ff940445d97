/* Progress and Ctrl-C for work that runs in one long call which tells nothing and cannot be asked
 * to stop: a thread shows the progress line, and ends the program with exit code 130 when Ctrl-C
 * comes. Only for work that has no files open for writing. While the ticker goes, the main thread
 * writes nothing. Ownership: one ticker per process. Threads: called by the main thread. */
#pragma once

/* Starts or goes on, with what is being done (copied). */
void ticker_go(const char *what);
/* Holds: clears the line, and the main thread may write again. */
void ticker_hold(void);
