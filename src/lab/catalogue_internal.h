/* What the files of the catalogue share: its tables, and rows of JSON turned into entries. */
#pragma once

#include "sql.h"

#include "ludus/catalogue.h"

struct lu_catalogue {
    char *runs;
    lu_catalogue_mode mode;
    sql db; /* without a handle when it could not be opened again */
};

/* Which replay of a window is the best one: the end of a select whose condition names the window.
 */
#define BEST_FIRST " order by instr(tags, ' window_best ') > 0 desc, value desc, position limit 1"

/* Some work on the database. */
typedef lu_status catalogue_work(lu_catalogue *catalogue, void *data, lu_error *error);
/* Does it, on a new database when the file was taken away. When the database turns out to be
 * damaged, it is moved aside and filled again, and the work is done once more. */
lu_status catalogue_do(lu_catalogue *catalogue, catalogue_work *todo, void *data, lu_error *error);

/* Clears the place of a database that is to be written: what is no plain file is moved aside. A
 * link is never followed, since it may lead to a database of another program; LU_IO when one stays.
 */
lu_status database_place(const char *path, lu_error *error);

/* replay_index_table is the table `replays` of one run, with replay_id alone as its key. */
extern const sql_table runs_table, windows_table, evaluations_table, replays_table,
    replay_index_table;

/* Each fills an entry from a row of metrics; what is missing or of a wrong kind is empty, 0 or NaN.
 * The caller frees it with sql_row_free. */
void window_of(const char *run_id, const lu_json_value *row, lu_window_entry *entry);
void evaluation_of(const char *run_id, const lu_json_value *row, lu_evaluation_entry *entry);
/* The replay at `index` of an evaluation's list; false when it has no id. */
bool replay_of(const char *run_id, const lu_json_value *row, size_t index, lu_replay_entry *entry);
/* What run.json says; figures of windows and evaluations are left out. */
void run_of(const char *run_id, const lu_json_value *root, lu_run_entry *entry);
/* One whole number of an object, or `other`. */
int64_t int_of(const lu_json_value *object, const char *key, int64_t other);
/* The name of a run, which is the last part of its path. */
char *run_id_of(const char *path);
