/* The only door to SQLite: databases that are caches, and structs that are rows of them. A table
 * says once which member is which column; creating, writing, reading and freeing follow from it.
 * Statements take bound parameters only. Ownership: the caller closes and frees what it opened.
 * Threads: one per database. */
#pragma once

#include "ludus/error.h"
#include "ludus/json.h"
#include "ludus/text.h"

#include <sqlite3.h>

typedef enum sql_kind { SQL_TEXT, SQL_INT, SQL_REAL, SQL_BOOL, SQL_SEED } sql_kind;

typedef struct sql_column {
    const char *name;
    sql_kind kind; /* char *, int64_t, double (NaN: NULL), bool, uint64_t */
    size_t offset;
} sql_column;

typedef struct sql_table {
    const char *name;
    const char *key; /* columns of the primary key: "run_id, window_id" */
    const sql_column *column;
    int columns;
    size_t bytes; /* of the struct */
} sql_table;

#define SQL_TABLE(name, key, columns, type)                                                        \
    { name, key, columns, (int)(sizeof(columns) / sizeof *(columns)), sizeof(type) }

typedef struct sql {
    sqlite3 *handle;
    char *path; /* ":memory:" for none */
    bool read_only;
} sql;

typedef enum sql_mode { SQL_WRITE, SQL_READ, SQL_MEMORY } sql_mode;

/* Opens a database, with tables of `version`; those of another version are dropped. LU_DAMAGED_FILE
 * when it is no database or none of ours, LU_NOT_FOUND when it is only to be read and missing.
 * `shared`: several processes write (WAL); else it stays one file that can be copied. */
lu_status sql_open(sql *db, const char *path, sql_mode mode, bool shared, int version,
                   const sql_table *const *tables, lu_error *error);
void sql_close(sql *db);
/* True when the file is no longer at its path: it was removed, or moved aside by another process.
 */
bool sql_is_gone(const sql *db);
/* Moves a damaged file to PATH.damaged, in place of an older one. */
void sql_move_aside(const char *path);
/* Drops and makes all tables, in one transaction. */
lu_status sql_empty(sql *db, int version, const sql_table *const *tables, lu_error *error);

/* What the last call on this database ran into, as a status with a sentence. */
lu_status sql_failed(const sql *db, lu_error *error);
/* One or more statements without parameters. */
lu_status sql_run(sql *db, const char *statements, lu_error *error);
/* Ends a transaction that `begin immediate` began: keeps it when `status` is LU_OK. */
lu_status sql_end(sql *db, lu_status status, lu_error *error);

/* A statement; its parameters are filled from 1 on by the sql_give functions, whose texts must
 * outlive it. NULL on an error. */
sqlite3_stmt *sql_prepare(sql *db, const char *statement, lu_error *error);
void sql_give_text(sqlite3_stmt *statement, int at, const char *text); /* NULL: NULL */
void sql_give_int(sqlite3_stmt *statement, int at, int64_t value);
/* Runs a statement that gives no rows, and frees it; takes NULL after a failed sql_prepare. */
lu_status sql_do(sql *db, sqlite3_stmt *statement, lu_error *error);
/* The next row: *more says whether there is one. */
lu_status sql_step(sql *db, sqlite3_stmt *statement, bool *more, lu_error *error);

/* "select COLUMNS from TABLE", for more text behind it. */
void sql_select(const sql_table *table, lu_text *text);
/* A statement that writes rows, each in place of one with the same key; an equal one is left alone.
 * NULL on an error; sqlite3_finalize frees it. */
sqlite3_stmt *sql_writer(sql *db, const sql_table *table, lu_error *error);
/* Writes one row by a sql_writer. */
lu_status sql_put(sql *db, sqlite3_stmt *writer, const sql_table *table, const void *row,
                  lu_error *error);
void sql_row_free(const sql_table *table, void *row);
/* All rows of a statement, which is freed: an array of *count structs that the caller frees. */
lu_status sql_all(sql *db, sqlite3_stmt *statement, const sql_table *table, void **rows,
                  size_t *count, lu_error *error);
void sql_rows_free(const sql_table *table, void *rows, size_t count);
