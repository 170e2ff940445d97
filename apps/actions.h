/* Actions as text: one decision per line, whole numbers separated by spaces, for every seat the
 * choices of its heads. Lines are read one at a time from a stream, so that a file may be endless.
 * Empty lines and lines that start with '#' are skipped. Numbers outside a head's options are
 * passed on: they are illegal actions, which the rules know how to take. Ownership: the stream
 * belongs to the caller. Threads: one per reader. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { ACTION_LINE = 4096 }; /* longest line, bytes */

typedef struct action_reader {
    FILE *stream;
    const char *name; /* for messages */
    int count;        /* numbers per line: seats x heads */
    int64_t line;     /* of the last line read, from 1 */
    char text[ACTION_LINE + 1];
} action_reader;

void action_reader_init(action_reader *reader, FILE *stream, const char *name, int count);
/* Reads the next decision into `values`; *end is true when there is none. LU_BAD_DATA names the
 * file and the line. */
lu_status action_reader_next(action_reader *reader, int32_t *values, bool *end, lu_error *error);
