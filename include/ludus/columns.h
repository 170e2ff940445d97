/* Rows of JSON as a flat table: members of objects become columns ("terms.pickup"), each of one
 * type in all rows, and are written as CSV (RFC 4180) or as JSON lines that tools turn into
 * Parquet. Ownership: a table keeps pointers into the rows, which must outlive it. Threads: one. */
#pragma once

#include "ludus/json.h"
#include "ludus/text.h"

LU_C_BEGIN

typedef enum lu_column_kind {
    LU_COLUMN_EMPTY, /* not settled yet: a column that no row has a value for is never made */
    LU_COLUMN_BOOL,
    LU_COLUMN_INT,
    LU_COLUMN_REAL,
    LU_COLUMN_TIME, /* UTC, to the second */
    LU_COLUMN_TEXT,
    LU_COLUMN_REALS,
    LU_COLUMN_TEXTS,
} lu_column_kind;

typedef struct lu_column {
    char *name;
    lu_column_kind kind;
} lu_column;

typedef struct lu_column_cell {
    size_t column;
    const lu_json_value *value;
} lu_column_cell;

typedef struct lu_columns {
    size_t columns, rows, cells;
    lu_column *column;
    size_t *row; /* where the cells of a row begin */
    lu_column_cell *cell;
    size_t next; /* column that a next member is likely to be */
} lu_columns;

void lu_columns_init(lu_columns *table);
void lu_columns_free(lu_columns *table);
/* Begins a row; lu_columns_add adds the members of an object to it, without one of them (NULL:
 * all). LU_LIMIT when there are too many columns. */
void lu_columns_row(lu_columns *table);
lu_status lu_columns_add(lu_columns *table, const lu_json_value *object, const char *without,
                         lu_error *error);
/* Adds one member of an object, when it is there. */
lu_status lu_columns_add_one(lu_columns *table, const lu_json_value *object, const char *key,
                             lu_error *error);

/* Finds the type of every column. `whole` says which numbers are whole in all tables, whatever the
 * rows of this one look like. */
void lu_columns_settle(lu_columns *table, bool (*whole)(const char *name));

/* A heading and a line per row. Numbers stand as they were written, lists as JSON. */
void lu_columns_csv(const lu_columns *table, lu_text *text);
/* An object per line, with every column in it: real numbers have a point or an exponent. */
void lu_columns_lines(const lu_columns *table, lu_text *text);
/* Names of a type in Arrow and in Parquet. */
const char *lu_columns_arrow(lu_column_kind kind);
const char *lu_columns_parquet(lu_column_kind kind);

LU_C_END
