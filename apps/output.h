/* What the program writes: data to stdout, messages to stderr, colour only where a person looks.
 * Every write is checked: a reader that has gone away ends the program quietly with exit code 0,
 * any other failure with one sentence and exit code 1, so that no caller needs to look at results.
 * Ownership: one process-wide stdout and stderr. Threads: the main thread only. */
#pragma once

#include "ludus/error.h"
#include "ludus/json.h"
#include "ludus/text.h"
#include "ludus/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Makes stdin, stdout and stderr sane, and Ctrl-C a wish that loops ask for (interrupted). */
void out_start(void);
/* Turns colour off whatever the terminal says (--no-color). */
void out_plain(void);
void out_write(const char *bytes, size_t length);
void out_text(const char *text);
void out_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for sentences: lines break before words that end beyond the screen. */
void out_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One JSON document as a line of its own; the writer is cleared. */
void out_json(lu_json *json);
/* The same of an object that ends here, and is freed. */
void out_json_end(lu_json *object);
/* Writes a text and frees it. */
void out_text_end(lu_text *text);
/* From now on a reader that has gone away, or a full disk behind stdout, ends nothing: what is
 * written from there on is dropped. For work that is worth more than its report. */
void out_outlive(void);
/* Passes on what is left; LU_IO where some of it was dropped though there was a reader. */
lu_status out_end(lu_error *error);
/* Passes everything on now: for readers that wait for each line. */
void out_flush(void);

/* A message on stderr: "ludus: SENTENCE". */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_text(const char *sentence);
/* An error as a message, in red where colour is on. */
void note_error(const lu_error *error);

/* ---- colour ---- */

typedef enum style { PLAIN, BOLD, DIM, RED, GREEN, YELLOW, BLUE, CYAN, REVERSE } style;
/* Escape code that starts a style on stdout (PLAIN ends it), or "" where colour is off. */
const char *paint(style style);
bool out_colour(void);
/* True when stdout is a terminal that can move the cursor. */
bool out_terminal(void);

/* ---- progress ---- */

/* Shows "WHAT  42 %" on stderr when it is a terminal and two seconds have passed since
 * progress_start; share below 0 = unknown. */
void progress_start(void);
void progress(double share, const char *what);
/* Clears the line, as whatever is printed does. */
void progress_end(void);

/* Ctrl-C was pressed (or SIGTERM came): leave loops and return LU_INTERRUPTED. A second Ctrl-C ends
 * the program at once. */
bool interrupted(void);
/* Both, for the work of libraries: it stops by Ctrl-C and shows progress. */
const lu_watch *out_watch(void);
/* Called before an end by signal; the terminal module restores the screen there. It must be safe in
 * a signal handler. */
void out_before_end(void (*restore)(void));
/* What a second Ctrl-C says, a whole line that stays as it is; NULL: nothing. */
void out_last_words(const char *words);

/* ---- tables ---- */

/* Columns of the screen: COLUMNS, or the terminal's; 0: no limit, as in a pipe. */
int out_columns(void);

/* Rows of cells, printed with each column as wide as its widest cell, as far as the screen is wide:
 * else columns that may go are left out, then the widest texts are cut, which '>' tells. */
typedef struct table {
    int columns, rows, room;
    /* A letter per column: l text at the left, w the same but wrapped in place of cut (the last
     * column), n the same but never cut, r at the right; capitals where columns may be left
     * out, the last first and neighbours together. */
    const char *align;
    char **cells;
    bool fold; /* a row that equals an earlier one behind its name is told in a line below */
} table;

/* An empty one. */
table table_of(const char *align);
void table_free(table *table);
/* As many texts as there are columns. The first row is the heading. */
void table_row(table *table, ...);
/* Prints to stdout. */
void table_print(const table *table);
/* Text made from a format, valid until sixteen later calls: for cells. */
const char *cell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "1 run", "2 runs"; as long as a cell. */
const char *counted(int64_t count, const char *thing);

/* Adds text wrapped to `width` columns, each line behind the first indented; the first line starts
 * at column `at`. */
void text_wrap(lu_text *text, const char *words, int at, int indent, int width);
/* Adds a line as it is, broken before words that end beyond `width` columns (0: nowhere); what
 * stands between backticks stays in one piece. */
void text_fold(lu_text *text, const char *line, int width);
