/* The catalogue of a folder of runs: keeping it like the folders, and asking it. See catalogue.h.
 * A run is read before the transaction begins, so that others wait only while rows are written; who
 * writes an older state over a newer one also writes the older stamp, and the next sync sees it. */
#include "catalogue_internal.h"
#include "run_files.h"

#include "ludus/file.h"
#include "ludus/rows.h"
#include "ludus/run.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VERSION = 2 };
#define CATALOGUE_FILE "catalogue.sqlite"

/* What the files of a run were like when they were read. */
typedef struct stamp {
    char *run_id, *files;
} stamp;

static const sql_column stamp_columns[] = {
    {"run_id", SQL_TEXT, offsetof(stamp, run_id)},
    {"files", SQL_TEXT, offsetof(stamp, files)},
};
static const sql_table stamps_table = SQL_TABLE("stamps", "run_id", stamp_columns, stamp);

static const sql_table *const tables[] = {
    &runs_table, &windows_table, &evaluations_table, &replays_table, &stamps_table, NULL,
};

/* ---- opening ---- */

lu_status database_place(const char *path, lu_error *error) {
    struct stat about;
    if (lstat(path, &about) != 0 || S_ISREG(about.st_mode)) {
        return LU_OK;
    }
    sql_move_aside(path);
    return lstat(path, &about) != 0
               ? LU_OK
               : lu_fail(error, LU_IO, "%s isn't a regular file: remove it, and it will be rebuilt",
                         path);
}

static lu_status open_writable(lu_catalogue *c, const char *path, lu_error *error) {
    LU_TRY(database_place(path, error));
    return sql_open(&c->db, path, SQL_WRITE, true, VERSION, tables, error);
}

static lu_status open_file(lu_catalogue *c, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    run_join(&path, c->runs, CATALOGUE_FILE);
    lu_status status;
    if (c->mode == LU_CATALOGUE_READ) {
        status = sql_open(&c->db, path.text, SQL_READ, true, VERSION, tables, error);
    } else {
        status = c->mode == LU_CATALOGUE_WRITE ? open_writable(c, path.text, error) : LU_IO;
        if (status == LU_DAMAGED_FILE) {
            sql_move_aside(path.text);
            status = open_writable(c, path.text, error);
        }
        if (status != LU_OK) {
            status = sql_open(&c->db, NULL, SQL_MEMORY, false, VERSION, tables, error);
        }
    }
    lu_text_free(&path);
    return status;
}

lu_catalogue *lu_catalogue_open(const char *runs, lu_catalogue_mode mode, lu_error *error) {
    lu_catalogue *c = lu_alloc_zero(1, sizeof *c);
    c->runs = lu_strdup(runs);
    c->mode = mode;
    if (open_file(c, error) != LU_OK) {
        lu_catalogue_close(c);
        return NULL;
    }
    return c;
}

void lu_catalogue_close(lu_catalogue *c) {
    if (c) {
        sql_close(&c->db);
        free(c->runs);
        free(c);
    }
}

typedef struct watching {
    lu_catalogue_watch *watch;
    void *context;
} watching;

static catalogue_work sync_every;

/* Fills a new database, in place of one that is damaged. */
static lu_status repair(lu_catalogue *c, lu_error *error) {
    char *path = lu_strdup(c->db.path);
    sql_close(&c->db);
    sql_move_aside(path);
    free(path);
    lu_status status = open_file(c, error);
    return status == LU_OK ? sync_every(c, &(watching){NULL, NULL}, error) : status;
}

lu_status catalogue_do(lu_catalogue *c, catalogue_work *todo, void *data, lu_error *error) {
    lu_status status = LU_OK;
    if (!c->db.handle || sql_is_gone(&c->db)) {
        sql_close(&c->db);
        status = open_file(c, error);
        if (c->mode != LU_CATALOGUE_READ) { /* a new one is empty */
            LU_THEN(status, sync_every(c, &(watching){NULL, NULL}, error));
        }
    }
    LU_THEN(status, todo(c, data, error));
    if (status == LU_DAMAGED_FILE && c->mode == LU_CATALOGUE_WRITE && c->db.handle) {
        status = repair(c, error);
        LU_THEN(status, todo(c, data, error));
    }
    return status;
}

/* ---- keeping it like the folders ---- */

/* Size, time and inode of the files that are read; "" when there is no run: no folder with a
 * run.json, or links in their place. */
static char *stamp_of(const char *run) {
    static const char *const files[] = {RUN_FILE, RUN_WINDOWS, RUN_EVALS};
    struct stat about;
    lu_text text = LU_TEXT_INIT, path = LU_TEXT_INIT;
    bool folder = lstat(run, &about) == 0 && S_ISDIR(about.st_mode);
    for (int i = 0; folder && i < 3; i++) {
        if (lstat(run_join(&path, run, files[i]), &about) == 0 && S_ISREG(about.st_mode)) {
            lu_text_addf(&text, "%lld %lld.%09ld %llu;", (long long)about.st_size,
                         (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                         (unsigned long long)about.st_ino);
        } else if (i > 0) {
            lu_text_add(&text, "none;");
        } else {
            break;
        }
    }
    lu_text_free(&path);
    return lu_text_take(&text);
}

/* True when the catalogue has this stamp of the run. */
static lu_status is_fresh(lu_catalogue *c, const stamp *now, bool *fresh, lu_error *error) {
    sqlite3_stmt *statement =
        sql_prepare(&c->db, "select 1 from stamps where run_id = ?1 and files = ?2", error);
    sql_give_text(statement, 1, now->run_id);
    sql_give_text(statement, 2, now->files);
    lu_status status =
        statement ? sql_step(&c->db, statement, fresh, error) : sql_failed(&c->db, error);
    sqlite3_finalize(statement);
    return status;
}

/* What was read of one run. */
typedef struct reading {
    stamp now;
    lu_run_entry entry;
    lu_rows windows, evals;
} reading;

static void read_rows(const char *path, lu_rows_kind kind, lu_rows *rows, lu_run_entry *entry) {
    lu_error problem = {0};
    if (lu_rows_read(path, kind, rows, &problem) != LU_OK) {
        free(entry->problem);
        entry->problem = lu_strdup(problem.text);
    }
}

static void read_run(const char *path, reading *r) {
    lu_error problem = {0};
    lu_json_document *document = run_json(path, RUN_FILE, &problem);
    run_of(r->now.run_id, document ? lu_json_root(document) : NULL, &r->entry);
    if (!document) {
        free(r->entry.status);
        r->entry.status = lu_strdup("damaged");
        r->entry.problem = lu_strdup(problem.text);
    }
    lu_json_close(document);
    read_rows(path, LU_WINDOWS, &r->windows, &r->entry);
    read_rows(path, LU_EVALS, &r->evals, &r->entry);
}

static void reading_free(reading *r) {
    lu_run_entry_free(&r->entry);
    lu_rows_free(&r->windows);
    lu_rows_free(&r->evals);
    sql_row_free(&stamps_table, &r->now);
}

/* Figures of the run's entry that come from its rows. */
static void sum_up(reading *r) {
    lu_run_entry *entry = &r->entry;
    entry->windows = (int64_t)r->windows.count;
    entry->evaluations = (int64_t)r->evals.count;
    for (size_t i = 0; i < r->windows.count; i++) {
        const lu_json_value *row = lu_rows_at(&r->windows, i);
        entry->last_return =
            lu_json_real_or(lu_json_get(row, "episode_return"), entry->last_return);
        entry->wall_seconds =
            lu_json_real_or(lu_json_get(row, "wall_seconds"), entry->wall_seconds);
    }
    if (r->evals.count == 0) {
        return;
    }
    /* the newest evaluation knows which window is the best */
    const lu_json_value *last = lu_rows_at(&r->evals, r->evals.count - 1);
    int64_t best = int_of(last, "best_window", int_of(last, "window_id", -1));
    for (size_t i = 0; i < r->evals.count; i++) {
        const lu_json_value *row = lu_rows_at(&r->evals, i);
        if (int_of(row, "window_id", -1) == best) {
            lu_evaluation_entry judged;
            evaluation_of(entry->run_id, row, &judged);
            entry->best_window = best;
            entry->best = judged.mean;
            entry->best_low = judged.low;
            entry->best_high = judged.high;
            free(entry->metric);
            entry->metric = lu_strdup(judged.metric);
            sql_row_free(&evaluations_table, &judged);
        }
    }
}

static lu_status delete_from(lu_catalogue *c, const char *table, const char *run_id,
                             lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "delete from %s where run_id = ?1", table);
    sqlite3_stmt *statement = sql_prepare(&c->db, text.text, error);
    sql_give_text(statement, 1, run_id);
    lu_text_free(&text);
    return sql_do(&c->db, statement, error);
}

static lu_status count_of(lu_catalogue *c, const char *table, const char *run_id, int64_t *count,
                          lu_error *error) {
    bool more = false;
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "select count(*) from %s where run_id = ?1", table);
    sqlite3_stmt *statement = sql_prepare(&c->db, text.text, error);
    sql_give_text(statement, 1, run_id);
    lu_text_free(&text);
    lu_status status =
        statement ? sql_step(&c->db, statement, &more, error) : sql_failed(&c->db, error);
    *count = more ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

/* Writes the rows of one kind; *count says how many there are to be. */
typedef lu_status put_rows(lu_catalogue *c, const reading *r, sqlite3_stmt *writer, int64_t *count,
                           lu_error *error);

static lu_status put_windows(lu_catalogue *c, const reading *r, sqlite3_stmt *writer,
                             int64_t *count, lu_error *error) {
    lu_status status = LU_OK;
    for (size_t i = 0; i < r->windows.count && status == LU_OK; i++, ++*count) {
        lu_window_entry entry;
        window_of(r->now.run_id, lu_rows_at(&r->windows, i), &entry);
        status = sql_put(&c->db, writer, &windows_table, &entry, error);
        sql_row_free(&windows_table, &entry);
    }
    return status;
}

static lu_status put_evaluations(lu_catalogue *c, const reading *r, sqlite3_stmt *writer,
                                 int64_t *count, lu_error *error) {
    lu_status status = LU_OK;
    for (size_t i = 0; i < r->evals.count && status == LU_OK; i++, ++*count) {
        lu_evaluation_entry entry;
        evaluation_of(r->now.run_id, lu_rows_at(&r->evals, i), &entry);
        status = sql_put(&c->db, writer, &evaluations_table, &entry, error);
        sql_row_free(&evaluations_table, &entry);
    }
    return status;
}

static lu_status put_replays(lu_catalogue *c, const reading *r, sqlite3_stmt *writer,
                             int64_t *count, lu_error *error) {
    lu_status status = LU_OK;
    for (size_t i = 0; i < r->evals.count; i++) {
        const lu_json_value *row = lu_rows_at(&r->evals, i);
        size_t replays = lu_json_count(lu_json_get(row, "replays"));
        for (size_t n = 0; n < replays && status == LU_OK; n++) {
            lu_replay_entry entry;
            if (replay_of(r->now.run_id, row, n, &entry)) {
                status = sql_put(&c->db, writer, &replays_table, &entry, error);
                ++*count;
                lu_replay_entry_free(&entry);
            }
        }
    }
    return status;
}

/* Makes one table hold what was read of the run. As a rule rows were only added, and those that are
 * there stay untouched; when some no longer count, all rows of the run are written again. */
static lu_status update_table(lu_catalogue *c, const reading *r, const sql_table *table,
                              put_rows *put, int64_t *there, lu_error *error) {
    sqlite3_stmt *writer = sql_writer(&c->db, table, error);
    if (!writer) {
        return sql_failed(&c->db, error);
    }
    int64_t wanted = 0;
    lu_status status = put(c, r, writer, &wanted, error);
    LU_THEN(status, count_of(c, table->name, r->now.run_id, there, error));
    if (status == LU_OK && *there != wanted) {
        status = delete_from(c, table->name, r->now.run_id, error);
        wanted = 0;
        LU_THEN(status, put(c, r, writer, &wanted, error));
        if (status == LU_OK) { /* fewer than wanted when ids are there twice */
            status = count_of(c, table->name, r->now.run_id, there, error);
        }
    }
    sqlite3_finalize(writer);
    return status;
}

static lu_status put_one(lu_catalogue *c, const sql_table *table, const void *row,
                         lu_error *error) {
    sqlite3_stmt *writer = sql_writer(&c->db, table, error);
    lu_status status =
        writer ? sql_put(&c->db, writer, table, row, error) : sql_failed(&c->db, error);
    sqlite3_finalize(writer);
    return status;
}

static lu_status write_run(lu_catalogue *c, reading *r, lu_error *error) {
    int64_t there;
    LU_TRY(update_table(c, r, &windows_table, put_windows, &there, error));
    LU_TRY(update_table(c, r, &evaluations_table, put_evaluations, &there, error));
    LU_TRY(update_table(c, r, &replays_table, put_replays, &r->entry.replays, error));
    LU_TRY(put_one(c, &runs_table, &r->entry, error));
    return put_one(c, &stamps_table, &r->now, error);
}

static lu_status forget(lu_catalogue *c, const char *run_id, lu_error *error) {
    lu_status status = sql_run(&c->db, "begin immediate", error);
    if (status != LU_OK) {
        return status;
    }
    for (int t = 0; tables[t] && status == LU_OK; t++) {
        status = delete_from(c, tables[t]->name, run_id, error);
    }
    return sql_end(&c->db, status, error);
}

static lu_status sync_one(lu_catalogue *c, void *data, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    bool fresh = false;
    int64_t known = 0, listed = 0;
    reading r = {.now.run_id = run_id_of(data)};
    run_join(&path, c->runs, r.now.run_id);
    r.now.files = *r.now.run_id == '.' ? lu_strdup("") : stamp_of(path.text);
    lu_status status = is_fresh(c, &r.now, &fresh, error);
    if (status == LU_OK && !*r.now.files) {
        status = count_of(c, stamps_table.name, r.now.run_id, &known, error);
        LU_THEN(status, count_of(c, runs_table.name, r.now.run_id, &listed, error));
        status = status == LU_OK && known + listed > 0 ? forget(c, r.now.run_id, error) : status;
    } else if (status == LU_OK && !fresh) {
        read_run(path.text, &r);
        sum_up(&r);
        status = sql_run(&c->db, "begin immediate", error);
        LU_THEN(status, sql_end(&c->db, write_run(c, &r, error), error));
    }
    reading_free(&r);
    lu_text_free(&path);
    return status;
}

lu_status lu_catalogue_sync(lu_catalogue *c, const char *run, lu_error *error) {
    return catalogue_do(c, sync_one, (void *)run, error);
}

/* Whether a folder may be a run. A link is none. */
static bool may_be_run(const struct dirent *entry) {
    return (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) && run_is_id(entry->d_name);
}

/* Names of the folders that may be runs; the caller frees them. */
static lu_status list_folders(const char *runs, char ***names, size_t *count, lu_error *error) {
    *names = NULL;
    *count = 0;
    DIR *list;
    do {
        list = opendir(runs);
    } while (!list && lu_memory_again(errno));
    if (!list) {
        return errno == ENOENT ? LU_OK
                               : lu_fail(error, LU_IO, "cannot read the runs folder %s: %s", runs,
                                         strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (may_be_run(entry)) {
            if ((*count & (*count - 1)) == 0) {
                *names = lu_realloc(*names, (*count ? 2 * *count : 1) * sizeof **names);
            }
            (*names)[(*count)++] = lu_strdup(entry->d_name);
        }
    }
    closedir(list);
    return LU_OK;
}

/* All runs of the catalogue once more, for those whose folder is gone. */
static lu_status sync_known(lu_catalogue *c, lu_error *error) {
    void *rows;
    size_t count;
    sqlite3_stmt *known = sql_prepare(
        &c->db, "select run_id, '' from stamps union select run_id, '' from runs", error);
    lu_status status = sql_all(&c->db, known, &stamps_table, &rows, &count, error);
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        status = sync_one(c, ((stamp *)rows)[i].run_id, error);
    }
    sql_rows_free(&stamps_table, rows, count);
    return status;
}

static lu_status sync_every(lu_catalogue *c, void *data, lu_error *error) {
    const watching *w = data;
    char **names;
    size_t count;
    lu_status status = list_folders(c->runs, &names, &count, error);
    for (size_t i = 0; i < count && status == LU_OK; i++) {
        if (w->watch && w->watch(w->context, (double)i / (double)count)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        } else {
            status = sync_one(c, names[i], error);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
    return status == LU_OK ? sync_known(c, error) : status;
}

lu_status lu_catalogue_sync_all(lu_catalogue *c, lu_catalogue_watch *watch, void *context,
                                lu_error *error) {
    return catalogue_do(c, sync_every, &(watching){watch, context}, error);
}

static lu_status rebuild(lu_catalogue *c, void *data, lu_error *error) {
    lu_status status = sql_empty(&c->db, VERSION, tables, error);
    return status == LU_OK ? sync_every(c, data, error) : status;
}

lu_status lu_catalogue_rebuild(lu_catalogue *c, lu_catalogue_watch *watch, void *context,
                               lu_error *error) {
    return catalogue_do(c, rebuild, &(watching){watch, context}, error);
}
