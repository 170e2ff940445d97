/* Rows of JSON as a flat table: members of objects become columns ("terms.pickup"), each of one
 * type in all rows, and are written as CSV (RFC 4180) or as JSON lines that tools turn into
 * Parquet. Ownership: a table keeps pointers into the rows, which must outlive it. Threads: one. */
#pragma once

#include "ludus/json.h"
#include "ludus/text.h"

typedef enum flat_kind {
    FLAT_EMPTY, /* not settled yet: a column that no row has a value for is never made */
    FLAT_BOOL,
    FLAT_INT,
    FLAT_REAL,
    FLAT_TIME, /* UTC, to the second */
    FLAT_TEXT,
    FLAT_REALS,
    FLAT_TEXTS,
} flat_kind;

typedef struct flat_column {
    char *name;
    flat_kind kind;
} flat_column;

typedef struct flat_cell {
    size_t column;
    const lu_json_value *value;
} flat_cell;

typedef struct flat {
    size_t columns, rows, cells;
    flat_column *column;
    size_t *row; /* where the cells of a row begin */
    flat_cell *cell;
    size_t next; /* column that a next member is likely to be */
} flat;

void flat_init(flat *table);
void flat_free(flat *table);
/* Begins a row; flat_add adds the members of an object to it, without one of them (NULL: all).
 * LU_LIMIT when there are too many columns. */
void flat_row(flat *table);
lu_status flat_add(flat *table, const lu_json_value *object, const char *without, lu_error *error);
/* Adds one member of an object, when it is there. */
lu_status flat_add_one(flat *table, const lu_json_value *object, const char *key, lu_error *error);

/* Finds the type of every column. `whole` says which numbers are whole in all tables, whatever the
 * rows of this one look like. */
void flat_settle(flat *table, bool (*whole)(const char *name));

/* A heading and a line per row. Numbers stand as they were written, lists as JSON. */
void flat_csv(const flat *table, lu_text *text);
/* An object per line, with every column in it: real numbers have a point or an exponent. */
void flat_lines(const flat *table, lu_text *text);
/* Names of a type in Arrow and in Parquet. */
const char *flat_arrow(flat_kind kind);
const char *flat_parquet(flat_kind kind);
