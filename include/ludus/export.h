/* The rows of a run for other programs: a kind of rows as CSV, or all as typed JSON lines with a
 * schema that tools turn into Parquet. Rows that a resume made void are left out (rows.h), and
 * members of objects become columns (columns.h).
 * Ownership: the caller owns what it fills in. Threads: no shared state. */
#pragma once

#include "ludus/error.h"
#include "ludus/text.h"
#include "ludus/watch.h"

LU_C_BEGIN

typedef enum lu_export_kind {
    LU_EXPORT_WINDOWS,
    LU_EXPORT_UPDATES,
    LU_EXPORT_EVALUATIONS,
    LU_EXPORT_REPLAYS,
    LU_EXPORT_KINDS,
} lu_export_kind;

/* Their names, in this order, as the choices of a setting. */
#define LU_EXPORT_NAMES "windows|updates|evaluations|replays"

typedef struct lu_export {
    const char *run; /* its folder */
    const char *run_id,
        *game; /* named in the schema; sentences are those of the game, if it is known */
    const lu_watch *watch; /* NULL: nobody */
} lu_export;

typedef struct lu_export_size {
    size_t rows, columns;
} lu_export_size;

/* Adds a heading and a line per row. */
lu_status lu_export_csv(const lu_export *from, lu_export_kind kind, lu_text *text,
                        lu_export_size *size, lu_error *error);
/* Writes NAME.ndjson for every kind whose bit is set in `wanted`, and last schema.json, with names,
 * types and a sentence for each column. The folder is made. */
lu_status lu_export_folder(const lu_export *from, unsigned wanted, const char *folder,
                           lu_error *error);

LU_C_END
