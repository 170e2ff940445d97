/* The index of one run's replays, RUN/replay_index.sqlite: see catalogue.h. It is one file without
 * companions, so that it can be copied and sent; one evaluator writes it, anyone reads it. */
#include "catalogue_internal.h"
#include "run_files.h"

#include "ludus/rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1 };
#define INDEX_FILE "replay_index.sqlite"

static const sql_table *const tables[] = {&replay_index_table, NULL};

/* ---- writing ---- */

static lu_status put_row(sql *db, const char *run_id, const lu_json_value *row, lu_error *error) {
    sqlite3_stmt *gone = sql_prepare(db, "delete from replays where window_id = ?1", error);
    sql_give_int(gone, 1, int_of(row, "window_id", 0));
    lu_status status = sql_do(db, gone, error);
    sqlite3_stmt *writer = status == LU_OK ? sql_writer(db, &replay_index_table, error) : NULL;
    if (!writer) {
        return status == LU_OK ? sql_failed(db, error) : status;
    }
    for (size_t i = 0; i < lu_json_count(lu_json_get(row, "replays")) && status == LU_OK; i++) {
        lu_replay_entry entry;
        if (replay_of(run_id, row, i, &entry)) {
            status = sql_put(db, writer, &replay_index_table, &entry, error);
            lu_replay_entry_free(&entry);
        }
    }
    sqlite3_finalize(writer);
    return status;
}

/* Puts one row, or all rows of evals.jsonl in place of what is there. */
static lu_status write_rows(sql *db, const char *run, const lu_json_value *row, lu_error *error) {
    char *run_id = run_id_of(run);
    lu_rows rows = {0};
    lu_status status = row ? LU_OK : lu_rows_read(run, LU_EVALS, &rows, error);
    LU_THEN(status, sql_run(db, "begin immediate", error));
    if (status == LU_OK) {
        status = row ? put_row(db, run_id, row, error) : sql_run(db, "delete from replays", error);
        for (size_t i = 0; i < rows.count && status == LU_OK; i++) {
            status = put_row(db, run_id, lu_rows_at(&rows, i), error);
        }
        status = sql_end(db, status, error);
    }
    lu_rows_free(&rows);
    free(run_id);
    return status;
}

static lu_status write_index(const char *run, const lu_json_value *row, lu_error *error) {
    sql db = {0};
    lu_text path = LU_TEXT_INIT;
    run_join(&path, run, INDEX_FILE);
    lu_status status = database_place(path.text, error);
    bool fresh = access(path.text, F_OK) != 0;
    LU_THEN(status, sql_open(&db, path.text, SQL_WRITE, false, VERSION, tables, error));
    if (status == LU_OK) { /* a new one gets all rows, also those of before */
        status = write_rows(&db, run, fresh ? NULL : row, error);
    }
    if (status == LU_OK && fresh && row) {
        status = write_rows(&db, run, row, error);
    }
    if (db.handle) {
        sql_close(&db);
    }
    if (status == LU_DAMAGED_FILE && !fresh) {
        sql_move_aside(path.text);
        status = write_index(run, row, error);
    }
    lu_text_free(&path);
    return status;
}

lu_status lu_replay_index_add(const char *run, const lu_json_value *row, lu_error *error) {
    return write_index(run, row, error);
}

lu_status lu_replay_index_rebuild(const char *run, lu_error *error) {
    return write_index(run, NULL, error);
}

/* ---- reading ---- */

/* Asks an open index; the parameters of the text are `given` and `window`. */
static lu_status ask(sql *db, const char *rest, const char *given, int64_t window,
                     lu_replay_list *list, lu_error *error) {
    void *rows;
    lu_text text = LU_TEXT_INIT;
    sql_select(&replay_index_table, &text);
    lu_text_add(&text, rest);
    sqlite3_stmt *statement = sql_prepare(db, text.text, error);
    sql_give_text(statement, 1, given);
    sql_give_int(statement, 2, window);
    lu_text_free(&text);
    lu_status status = sql_all(db, statement, &replay_index_table, &rows, &list->count, error);
    list->entry = rows;
    return status;
}

/* Asks an index in memory, made of the rows. */
static lu_status ask_rows(const char *run, const char *rest, const char *given, int64_t window,
                          lu_replay_list *list, lu_error *error) {
    sql db = {0};
    lu_status status = sql_open(&db, NULL, SQL_MEMORY, false, VERSION, tables, error);
    if (status == LU_OK) {
        status = write_rows(&db, run, NULL, error);
        LU_THEN(status, ask(&db, rest, given, window, list, error));
        sql_close(&db);
    }
    return status;
}

lu_status lu_replay_index_window(const char *run, int64_t window, lu_replay_entry *entry,
                                 lu_error *error) {
    lu_replay_list list = {0};
    window = window == LU_BEST_WINDOW ? run_best_window(run) : window;
    lu_status status = window == -1 ? LU_OK
                                    : ask_rows(run,
                                               " where window_id = case when ?2 < 0 then"
                                               " (select max(window_id) from replays)"
                                               " else ?2 end" BEST_FIRST,
                                               NULL, window, &list, error);
    if (status == LU_OK && list.count == 0) {
        return lu_fail(error, LU_NOT_FOUND, "run %.300s has no replay of this window", run);
    }
    if (status == LU_OK) {
        *entry = list.entry[0];
        free(list.entry);
    }
    return status;
}

lu_status lu_replay_index_list(const char *run, const char *tag, lu_replay_list *list,
                               lu_error *error) {
    static const char rest[] = " where ?1 is null or instr(tags, ' ' || ?1 || ' ') > 0"
                               " order by window_id desc, position";
    sql db = {0};
    lu_text path = LU_TEXT_INIT;
    *list = (lu_replay_list){0};
    lu_status status =
        sql_open(&db, run_join(&path, run, INDEX_FILE), SQL_READ, false, VERSION, tables, error);
    if (status == LU_OK) {
        status = ask(&db, rest, tag, 0, list, error);
        sql_close(&db);
    }
    lu_text_free(&path);
    return status == LU_OK ? LU_OK : ask_rows(run, rest, tag, 0, list, error);
}
