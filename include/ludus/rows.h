/* Rows of metrics of a run (docs/run-folder.md), as every reader is to see them: rows that a resume
 * made void are left out, so is a last line that a crash cut off, and they stand in order.
 * Ownership: rows belong to the caller until lu_rows_free. Threads: no shared state. */
#pragma once

#include "ludus/json.h"

LU_C_BEGIN

typedef enum lu_rows_kind { LU_WINDOWS, LU_UPDATES, LU_EVALS, LU_LEAGUES } lu_rows_kind;

typedef struct lu_rows {
    size_t count;
    lu_json_document **row; /* each an object */
} lu_rows;

/* Rows of a run's folder; a file that is not there has none. LU_BAD_DATA names file and line. */
lu_status lu_rows_read(const char *run, lu_rows_kind kind, lu_rows *rows, lu_error *error);
void lu_rows_free(lu_rows *rows);
/* Opens a file of rows to append to: made when it is not there, and rid of a last line that a crash
 * cut off. -1 on an error. */
int lu_rows_open(const char *run, lu_rows_kind kind, lu_error *error);
/* The same of a file of other rows, by its path. */
int lu_rows_open_file(const char *path, lu_error *error);
/* Appends one JSON document as a line, in one write, so that no reader sees half of it. LU_IO also
 * when the file was removed meanwhile: nobody would ever read the row. */
lu_status lu_rows_append(int file, const char *json, lu_error *error);
/* Makes sure that all rows are on the disk. */
lu_status lu_rows_sync(int file, lu_error *error);
/* The next whole line of a file that grows, behind `*offset` bytes, which move on; the caller frees
 * it. NULL when there is none yet. */
char *lu_rows_next(const char *run, lu_rows_kind kind, int64_t *offset);
/* The root of row `index`. */
const lu_json_value *lu_rows_at(const lu_rows *rows, size_t index);

LU_C_END
