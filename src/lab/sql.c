/* SQLite behind a few calls: see sql.h. The file may come from anywhere: it is opened defensively,
 * and whatever is wrong with it is one status, LU_DAMAGED_FILE, after which it is made again. */
#include "sql.h"

#include "ludus/clock.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 5000 };

lu_status sql_failed(const sql *db, lu_error *error) {
    int code = db->handle ? sqlite3_errcode(db->handle) & 0xff : SQLITE_NOMEM;
    const char *why = db->handle ? sqlite3_errmsg(db->handle) : "out of memory";
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return lu_fail(error, LU_BUSY, "%s is being written by others; try again", db->path);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* a statement that does not fit the tables */
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
        return lu_fail(
            error, LU_DAMAGED_FILE,
            "%s is damaged (%.200s): remove it, and it will be rebuilt from the run folders",
            db->path, why);
    default:
        return lu_fail(error, LU_IO, "cannot use %s: %.200s", db->path, why);
    }
}

lu_status sql_run(sql *db, const char *statements, lu_error *error) {
    return sqlite3_exec(db->handle, statements, NULL, NULL, NULL) == SQLITE_OK
               ? LU_OK
               : sql_failed(db, error);
}

lu_status sql_end(sql *db, lu_status status, lu_error *error) {
    LU_THEN(status, sql_run(db, "commit", error));
    if (status != LU_OK && !sqlite3_get_autocommit(db->handle)) {
        sqlite3_exec(db->handle, "rollback", NULL, NULL, NULL);
    }
    return status;
}

/* ---- statements ---- */

sqlite3_stmt *sql_prepare(sql *db, const char *statement, lu_error *error) {
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(db->handle, statement, -1, &made, NULL) != SQLITE_OK) {
        sql_failed(db, error);
    }
    return made;
}

void sql_give_text(sqlite3_stmt *statement, int at, const char *text) {
    if (statement) {
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC); /* a copy might find no memory */
    }
}

void sql_give_int(sqlite3_stmt *statement, int at, int64_t value) {
    if (statement) {
        sqlite3_bind_int64(statement, at, value);
    }
}

lu_status sql_step(sql *db, sqlite3_stmt *statement, bool *more, lu_error *error) {
    int code = sqlite3_step(statement);
    *more = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? LU_OK : sql_failed(db, error);
}

lu_status sql_do(sql *db, sqlite3_stmt *statement, lu_error *error) {
    bool more;
    if (!statement) {
        return sql_failed(db, error);
    }
    lu_status status = sql_step(db, statement, &more, error);
    sqlite3_finalize(statement);
    return status;
}

/* ---- rows ---- */

void sql_select(const sql_table *table, lu_text *text) {
    lu_text_add(text, "select ");
    for (int i = 0; i < table->columns; i++) {
        lu_text_addf(text, "%s%s.\"%s\"", i ? ", " : "", table->name, table->column[i].name);
    }
    lu_text_addf(text, " from %s", table->name);
}

/* False where memory lacks: the column would be NULL. */
static bool give(sqlite3_stmt *statement, int at, sql_kind kind, const void *member) {
    switch (kind) {
    case SQL_TEXT: {
        const char *text = *(char *const *)member;
        sql_give_text(statement, at, text ? text : "");
        break;
    }
    case SQL_INT:
        sqlite3_bind_int64(statement, at, *(const int64_t *)member);
        break;
    case SQL_REAL: {
        double value = *(const double *)member;
        if (isfinite(value)) {
            sqlite3_bind_double(statement, at, value);
        } else {
            sqlite3_bind_null(statement, at);
        }
        break;
    }
    case SQL_BOOL:
        sqlite3_bind_int(statement, at, *(const bool *)member);
        break;
    case SQL_SEED: { /* a whole number, also beyond what an integer of SQLite holds: then a text */
        uint64_t value = *(const uint64_t *)member;
        char text[32];
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        return value <= INT64_MAX
                   ? sqlite3_bind_int64(statement, at, (int64_t)value) == SQLITE_OK
                   : sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
    }
    }
    return true;
}

/* Column names behind a prefix: "a", "b" or excluded."a", excluded."b". */
static void add_names(const sql_table *table, const char *prefix, lu_text *text) {
    for (int i = 0; i < table->columns; i++) {
        lu_text_addf(text, "%s%s\"%s\"", i ? ", " : "", prefix, table->column[i].name);
    }
}

sqlite3_stmt *sql_writer(sql *db, const sql_table *table, lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "insert into %s values (", table->name);
    for (int i = 0; i < table->columns; i++) {
        lu_text_add(&text, i ? ", ?" : "?");
    }
    lu_text_add(&text, ") on conflict do update set (");
    add_names(table, "", &text);
    lu_text_add(&text, ") = (");
    add_names(table, "excluded.", &text);
    lu_text_add(&text, ") where (");
    add_names(table, "", &text);
    lu_text_add(&text, ") is not (");
    add_names(table, "excluded.", &text);
    lu_text_add(&text, ")");
    sqlite3_stmt *writer = sql_prepare(db, text.text, error);
    lu_text_free(&text);
    return writer;
}

lu_status sql_put(sql *db, sqlite3_stmt *writer, const sql_table *table, const void *row,
                  lu_error *error) {
    bool more, given = true;
    for (int i = 0; i < table->columns && given; i++) {
        const sql_column *c = &table->column[i];
        given = give(writer, i + 1, c->kind, (const char *)row + c->offset);
    }
    lu_status status = given ? sql_step(db, writer, &more, error) : sql_failed(db, error);
    sqlite3_reset(writer);
    return status;
}

static char *text_at(sqlite3_stmt *statement, int at) {
    const unsigned char *text = sqlite3_column_text(statement, at);
    return lu_strdup(text ? (const char *)text : "");
}

static void take(sqlite3_stmt *statement, int at, sql_kind kind, void *member) {
    switch (kind) {
    case SQL_TEXT:
        *(char **)member = text_at(statement, at);
        break;
    case SQL_INT:
        *(int64_t *)member = sqlite3_column_int64(statement, at);
        break;
    case SQL_REAL:
        *(double *)member = sqlite3_column_type(statement, at) == SQLITE_NULL
                                ? (double)NAN
                                : sqlite3_column_double(statement, at);
        break;
    case SQL_BOOL:
        *(bool *)member = sqlite3_column_int(statement, at) != 0;
        break;
    case SQL_SEED: {
        const unsigned char *text = sqlite3_column_text(statement, at);
        *(uint64_t *)member = text ? strtoull((const char *)text, NULL, 10) : 0;
        break;
    }
    }
}

/* Fills a struct from the current row of a sql_select. */
static void sql_take(sqlite3_stmt *statement, const sql_table *table, void *row) {
    memset(row, 0, table->bytes);
    for (int i = 0; i < table->columns; i++) {
        take(statement, i, table->column[i].kind, (char *)row + table->column[i].offset);
    }
}

void sql_row_free(const sql_table *table, void *row) {
    for (int i = 0; i < table->columns; i++) {
        if (table->column[i].kind == SQL_TEXT) {
            free(*(char **)((char *)row + table->column[i].offset));
        }
    }
    memset(row, 0, table->bytes);
}

lu_status sql_all(sql *db, sqlite3_stmt *statement, const sql_table *table, void **rows,
                  size_t *count, lu_error *error) {
    size_t room = 0;
    bool more = true;
    *rows = NULL;
    *count = 0;
    if (!statement) {
        return sql_failed(db, error);
    }
    lu_status status = sql_step(db, statement, &more, error);
    while (status == LU_OK && more) {
        if (*count == room) {
            room = room ? 2 * room : 16;
            *rows = lu_realloc(*rows, room * table->bytes);
        }
        sql_take(statement, table, (char *)*rows + (*count)++ * table->bytes);
        status = sql_step(db, statement, &more, error);
    }
    sqlite3_finalize(statement);
    if (status != LU_OK) {
        sql_rows_free(table, *rows, *count);
        *rows = NULL;
        *count = 0;
    }
    return status;
}

void sql_rows_free(const sql_table *table, void *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sql_row_free(table, (char *)rows + i * table->bytes);
    }
    free(rows);
}

/* ---- opening ---- */

static const char *const types[] = {"text", "integer", "real", "integer", ""};

static void add_create(const sql_table *table, lu_text *text) {
    lu_text_addf(text, "drop table if exists %s; create table %s (", table->name, table->name);
    for (int i = 0; i < table->columns; i++) {
        lu_text_addf(text, "\"%s\" %s, ", table->column[i].name, types[table->column[i].kind]);
    }
    lu_text_addf(text, "primary key (%s));", table->key);
}

/* Inside of a transaction. */
static lu_status make_tables(sql *db, int version, const sql_table *const *tables,
                             lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    for (; *tables; tables++) {
        add_create(*tables, &text);
    }
    lu_text_addf(&text, "pragma user_version = %d;", version);
    lu_status status = sql_run(db, text.text, error);
    lu_text_free(&text);
    return status;
}

lu_status sql_empty(sql *db, int version, const sql_table *const *tables, lu_error *error) {
    lu_status status = sql_run(db, "begin immediate", error);
    return status == LU_OK ? sql_end(db, make_tables(db, version, tables, error), error) : status;
}

/* A number that the database says of itself. */
static lu_status ask(sql *db, const char *pragma, int64_t *value, lu_error *error) {
    bool more = false;
    sqlite3_stmt *statement = sql_prepare(db, pragma, error);
    if (!statement) {
        return sql_failed(db, error);
    }
    lu_status status = sql_step(db, statement, &more, error);
    *value = more ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

/* Tables whose columns are not ours make every later statement fail: told at once. */
static lu_status check_tables(sql *db, const sql_table *const *tables, lu_error *error) {
    lu_status status = LU_OK;
    lu_text text = LU_TEXT_INIT;
    for (; *tables && status == LU_OK; tables++) {
        lu_text_clear(&text);
        sql_select(*tables, &text);
        lu_text_add(&text, " limit 0");
        status = sql_do(db, sql_prepare(db, text.text, error), error);
    }
    lu_text_free(&text);
    return status;
}

/* Makes the tables of this version, unless another process has just done so. */
static lu_status renew(sql *db, int version, const sql_table *const *tables, lu_error *error) {
    int64_t found = 0;
    LU_TRY(sql_run(db, "begin immediate", error));
    lu_status status = ask(db, "pragma user_version", &found, error);
    if (status == LU_OK && found != version) {
        status = make_tables(db, version, tables, error);
    }
    return sql_end(db, status, error);
}

static lu_status prepare_tables(sql *db, bool shared, int version, const sql_table *const *tables,
                                lu_error *error) {
    int64_t found = 0;
    /* where the mode cannot be changed now, the old one works as well */
    sqlite3_exec(db->handle, shared ? "pragma journal_mode = wal" : "pragma journal_mode = delete",
                 NULL, NULL, NULL);
    lu_status status = ask(db, "pragma user_version", &found, error);
    if (status == LU_OK && found != version) {
        status =
            db->read_only
                ? lu_fail(error, LU_DAMAGED_FILE,
                          "%s is of another version: `ludus runs reindex` rebuilds it", db->path)
                : renew(db, version, tables, error);
    }
    return status == LU_OK ? check_tables(db, tables, error) : status;
}

static lu_status open_once(sql *opened, const char *path, sql_mode mode, bool shared, int version,
                           const sql_table *const *tables, lu_error *error) {
    sql db = {.path = lu_strdup(mode == SQL_MEMORY ? ":memory:" : path),
              .read_only = mode == SQL_READ};
    int flags = db.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    lu_status status = LU_OK;
    if (db.read_only && access(path, F_OK) != 0 && errno == ENOENT) {
        status = lu_fail(error, LU_NOT_FOUND, "no such file: %s", path);
    } else if (sqlite3_open_v2(db.path, &db.handle, flags, NULL) != SQLITE_OK) {
        status = sql_failed(&db, error);
    } else {
        sqlite3_db_config(db.handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(db.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(db.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
        sqlite3_exec(db.handle, "pragma synchronous = normal; pragma temp_store = memory", NULL,
                     NULL, NULL);
        status = mode == SQL_WRITE && sqlite3_db_readonly(db.handle, "main") == 1
                     ? lu_fail(error, LU_IO, "no permission to write %s", path)
                     : prepare_tables(&db, shared, version, tables, error);
    }
    if (status != LU_OK) {
        sql_close(&db);
    }
    *opened = db;
    return status;
}

/* SQLite answers busy while another process makes the file, changes its mode or has it alone. */
lu_status sql_open(sql *db, const char *path, sql_mode mode, bool shared, int version,
                   const sql_table *const *tables, lu_error *error) {
    lu_status status;
    double until = lu_clock_seconds() + BUSY_MS / 1000.0;
    while ((status = open_once(db, path, mode, shared, version, tables, error)) == LU_BUSY &&
           lu_clock_seconds() < until) {
        usleep(10000);
    }
    if (status == LU_OK) {
        sqlite3_busy_timeout(db->handle, BUSY_MS);
    }
    return status;
}

void sql_close(sql *db) {
    sqlite3_close(db->handle);
    free(db->path);
    *db = (sql){0};
}

bool sql_is_gone(const sql *db) {
    int moved = 0;
    sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

void sql_move_aside(const char *path) {
    lu_text to = LU_TEXT_INIT;
    lu_text_addf(&to, "%s.damaged", path);
    if (rename(path, to.text) != 0) {
        unlink(path);
    }
    static const char *const companions[] = {"-wal", "-shm", "-journal", NULL};
    for (int i = 0; companions[i]; i++) {
        lu_text_clear(&to);
        lu_text_addf(&to, "%s%s", path, companions[i]);
        unlink(to.text);
    }
    lu_text_free(&to);
}
