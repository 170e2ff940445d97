/* Questions to the catalogue: see catalogue.h. Each is a select of one table with a fixed text and
 * bound parameters, in which NULL (or a negative number) stands for "any". */
#include "catalogue_internal.h"

#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 9 };

typedef struct parameter {
    bool number;
    int64_t value;
    const char *text; /* NULL: NULL */
} parameter;

typedef struct query {
    const sql_table *table;
    const char *rest; /* behind the select */
    parameter given[PARAMETERS];
    int parameters;
    void *rows;
    size_t count;
} query;

#define A_TEXT(text)                                                                               \
    { false, 0, (text) }
#define A_NUMBER(value)                                                                            \
    { true, (value), NULL }

static lu_status ask(lu_catalogue *c, void *data, lu_error *error) {
    query *q = data;
    lu_text text = LU_TEXT_INIT;
    sql_select(q->table, &text);
    lu_text_add(&text, q->rest);
    sqlite3_stmt *statement = sql_prepare(&c->db, text.text, error);
    for (int i = 0; i < q->parameters; i++) {
        if (q->given[i].number) {
            sql_give_int(statement, i + 1, q->given[i].value);
        } else {
            sql_give_text(statement, i + 1, q->given[i].text);
        }
    }
    lu_text_free(&text);
    return sql_all(&c->db, statement, q->table, &q->rows, &q->count, error);
}

/* Moves the only row of an answer to `entry`; LU_NOT_FOUND with the sentence when there is none. */
static lu_status only(query *q, lu_status status, void *entry, const char *none, const char *of,
                      lu_error *error) {
    if (status == LU_OK && q->count == 0) {
        return lu_fail(error, LU_NOT_FOUND, "%s %.200s", none, of);
    }
    if (status == LU_OK) {
        memcpy(entry, q->rows, q->table->bytes);
        free(q->rows);
    }
    return status;
}

/* ---- runs ---- */

/* A run that says `running` is only so while somebody holds its lock. */
static void see_crash(const lu_catalogue *c, lu_run_entry *entry) {
    if (strcmp(entry->status, "running") != 0) {
        return;
    }
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", c->runs, entry->run_id);
    if (!lu_run_alive(path.text)) {
        free(entry->status);
        entry->status = lu_strdup("crashed");
    }
    lu_text_free(&path);
}

#define GAME_IS "(game = ?2 or substr(game, 1, length(?2) + 2) = ?2 || '-v')"

lu_status lu_catalogue_runs(lu_catalogue *c, const lu_run_filter *filter, lu_run_list *list,
                            lu_error *error) {
    query q = {&runs_table,
               " where (?1 is null or run_id = ?1) and (?2 is null or " GAME_IS ")"
               " and (?3 is null or status = ?3 or (?3 = 'crashed' and status = 'running'))"
               " and (?4 is null or instr(tags, ' ' || ?4 || ' ') > 0)"
               " and (?5 < 0 or archived = ?5) order by started desc, run_id desc",
               {A_TEXT(filter->run_id), A_TEXT(filter->game), A_TEXT(filter->status),
                A_TEXT(filter->tag), A_NUMBER(filter->archived)},
               5,
               NULL,
               0};
    *list = (lu_run_list){0};
    lu_status status = catalogue_do(c, ask, &q, error);
    lu_run_entry *rows = q.rows;
    size_t kept = 0;
    for (size_t i = 0; i < q.count; i++) {
        bool full = filter->limit > 0 && kept == (size_t)filter->limit;
        if (!full) {
            see_crash(c, &rows[i]);
        }
        if (full || (filter->status && strcmp(rows[i].status, filter->status) != 0)) {
            lu_run_entry_free(&rows[i]);
        } else {
            rows[kept++] = rows[i];
        }
    }
    if (status == LU_OK) {
        *list = (lu_run_list){kept, rows};
    }
    return status;
}

lu_status lu_catalogue_best_run(lu_catalogue *c, const char *game, lu_run_entry *entry,
                                lu_error *error) {
    query q = {&runs_table,
               " where " GAME_IS " and archived = 0 and best is not null and metric ="
               " (select e.metric from evaluations e join runs r on r.run_id = e.run_id"
               " where (r.game = ?2 or substr(r.game, 1, length(?2) + 2) = ?2 || '-v')"
               " and r.archived = 0 order by e.written desc, e.run_id desc, e.window_id desc"
               " limit 1) order by best desc, started desc, run_id desc limit 1",
               {A_TEXT(NULL), A_TEXT(game)},
               2,
               NULL,
               0};
    lu_status status = catalogue_do(c, ask, &q, error);
    status = only(&q, status, entry, "apart from archived ones, there is no evaluated run of", game,
                  error);
    if (status == LU_OK) {
        see_crash(c, entry);
    }
    return status;
}

/* ---- windows and evaluations ---- */

static lu_status ask_windows(lu_catalogue *c, query *q, const char *run_id, int64_t first,
                             int64_t limit, lu_error *error) {
    q->rest = " where run_id = ?1 and window_id >= ?2 order by window_id limit ?3";
    q->given[0] = (parameter)A_TEXT(run_id);
    q->given[1] = (parameter)A_NUMBER(first);
    q->given[2] = (parameter)A_NUMBER(limit > 0 ? limit : -1);
    q->parameters = 3;
    return catalogue_do(c, ask, q, error);
}

lu_status lu_catalogue_windows(lu_catalogue *c, const char *run_id, int64_t first, int64_t limit,
                               lu_window_list *list, lu_error *error) {
    query q = {.table = &windows_table};
    lu_status status = ask_windows(c, &q, run_id, first, limit, error);
    *list = (lu_window_list){q.count, q.rows};
    return status;
}

lu_status lu_catalogue_evaluations(lu_catalogue *c, const char *run_id, int64_t first,
                                   int64_t limit, lu_evaluation_list *list, lu_error *error) {
    query q = {.table = &evaluations_table};
    lu_status status = ask_windows(c, &q, run_id, first, limit, error);
    *list = (lu_evaluation_list){q.count, q.rows};
    return status;
}

/* ---- replays ---- */

lu_status lu_catalogue_replays(lu_catalogue *c, const lu_replay_filter *filter,
                               lu_replay_list *list, lu_error *error) {
    const lu_replay_entry *after = filter->after;
    query q = {&replays_table,
               " where (?1 is null or run_id = ?1)"
               " and (?2 is null or instr(tags, ' ' || ?2 || ' ') > 0)"
               " and (?3 is null or replay_id = ?3) and (?4 < 0 or window_id = ?4)"
               " and (?5 is null or (written, run_id, window_id, position) < (?5, ?6, ?7, ?8))"
               " order by written desc, run_id desc, window_id desc, position desc limit ?9",
               {A_TEXT(filter->run_id), A_TEXT(filter->tag), A_TEXT(filter->replay_id),
                A_NUMBER(filter->window_id), A_TEXT(after ? after->written : NULL),
                A_TEXT(after ? after->run_id : NULL), A_NUMBER(after ? after->window_id : 0),
                A_NUMBER(after ? after->position : 0),
                A_NUMBER(filter->limit > 0 ? filter->limit : -1)},
               9,
               NULL,
               0};
    lu_status status = catalogue_do(c, ask, &q, error);
    *list = (lu_replay_list){q.count, q.rows};
    return status;
}

lu_status lu_catalogue_window_replay(lu_catalogue *c, const char *run_id, int64_t window,
                                     lu_replay_entry *entry, lu_error *error) {
    query q = {&replays_table,
               " where run_id = ?1 and window_id = case"
               " when ?2 = -1 then (select best_window from runs where run_id = ?1)"
               " when ?2 = -2 then (select max(window_id) from replays where run_id = ?1)"
               " else ?2 end" BEST_FIRST,
               {A_TEXT(run_id), A_NUMBER(window)},
               2,
               NULL,
               0};
    lu_status status = catalogue_do(c, ask, &q, error);
    return only(&q, status, entry, "there is no replay of this window of run", run_id, error);
}
