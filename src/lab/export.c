/* Exports of a run: see export.h. Here is what every column means; the types are found by
 * columns.c.
 */
#include "ludus/export.h"

#include "ludus/columns.h"
#include "ludus/file.h"
#include "ludus/game_ask.h"
#include "ludus/rows.h"

#include <string.h>

/* ---- what the columns are ---- */

static const struct fact {
    const char *name;
    bool whole;
    const char *sentence;
} facts[] = {
    {"run_id", false, "The run."},
    {"window_id", true, "The window, counted from 0."},
    {"complete", false, "Whether the window is full."},
    {"update", true, "Updates since the start of the training."},
    {"env_steps", true, "Decisions since the start of the training."},
    {"env_steps_start", true, "Decisions before the window."},
    {"updates", true, "Updates in the window."},
    {"ticks", true, "Game time: since the start of the training, or of the episode."},
    {"wall_seconds", false, "Training time so far, over all resumes."},
    {"written", false, "When the row was written, UTC."},
    {"steps_per_second", false, "Decisions per second."},
    {"episodes", true, "Episodes that ended."},
    {"episode_return", false, "Mean return of these episodes."},
    {"episode_length", false, "Mean length of these episodes, in decisions."},
    {"recent", true, "Episodes that recent_return is about."},
    {"recent_return", false, "Mean return of the last episodes."},
    {"truncated", true, "Cut off by a limit: episodes, or whether the episode was."},
    {"illegal", true, "Actions that were not legal."},
    {"endings", true, "Episode ends, of every player."},
    {"seconds", false, "How long the evaluation took."},
    {"metric", false, "The metric that evaluations compare."},
    {"seeds.first", true, "First seed that was played."},
    {"seeds.count", true, "Seeds that were played."},
    {"greedy", false, "Whether the best action was taken instead of a sampled one."},
    {"value.mean", false, "Mean of the metric."},
    {"value.low", false, "Lower end of its 95% interval."},
    {"value.high", false, "Upper end of its 95% interval."},
    {"value.median", false, "Median of the metric."},
    {"values", false, "The metric, seed by seed."},
    {"best", false, "Whether the window was the best so far."},
    {"best_window", true, "The best window so far."},
    {"against_best.mean", false, "Mean difference from the previous best, on the same seeds."},
    {"against_best.low", false, "Lower end of its 95% interval."},
    {"against_best.high", false, "Upper end of its 95% interval."},
    {"replay_id", false, "The replay."},
    {"file", false, "Its file, in the folder of the run."},
    {"bytes", true, "Size of the file."},
    {"seed", true, "Seed of the episode."},
    {"tags", false, "Why the replay was kept."},
    {"return", false, "Return of the episode."},
    {"value", false, "The metric of the evaluation in this episode."},
    {"decisions", true, "Length of the episode, in decisions."},
    {"terminated", false, "Whether the game ended."},
    {"end", false, "Cause of the end."},
};

static const struct fact *fact_of(const char *name) {
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (strcmp(facts[i].name, name) == 0) {
            return &facts[i];
        }
    }
    return NULL;
}

static bool is_whole(const char *name) {
    const struct fact *fact = fact_of(name);
    return fact && fact->whole;
}

/* The rest of a name behind a prefix, or NULL. */
static const char *behind(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

static void add_sentence(const lu_game *game, const char *name, lu_text *text) {
    const struct fact *fact = fact_of(name);
    const char *part;
    if (fact) {
        lu_text_add(text, fact->sentence);
    } else if ((part = behind(name, "terms.")) != NULL) {
        lu_text_addf(text, "Reward term %s, mean per decision.", part);
        for (int i = 0; game && i < game->terms; i++) {
            if (strcmp(game->term[i].name, part) == 0) {
                lu_text_addf(text, " %s", game->term[i].sentence);
            }
        }
    } else if ((part = behind(name, "infos.")) != NULL) {
        int info = game ? lu_game_info_index(game, part) : -1;
        lu_text_addf(text, "Info field %s at the end of episodes.", part);
        if (info >= 0) {
            lu_text_addf(text, " %s", game->info[info].sentence);
        }
    } else if ((part = behind(name, "seconds.")) != NULL) {
        lu_text_addf(text, "Seconds spent on %s.", part);
    } else if ((part = behind(name, "report.")) != NULL) {
        lu_text_addf(text, "From the report of `ludus eval`: %s.", part);
    } else {
        lu_text_addf(text, "Metric of the algorithm: %s.", name);
    }
}

/* ---- rows ---- */

static const struct kind {
    const char *name;
    lu_rows_kind source;
} kinds[] = {
    [LU_EXPORT_WINDOWS] = {"windows", LU_WINDOWS},
    [LU_EXPORT_UPDATES] = {"updates", LU_UPDATES},
    [LU_EXPORT_EVALUATIONS] = {"evaluations", LU_EVALS},
    [LU_EXPORT_REPLAYS] = {"replays", LU_EVALS},
};

static lu_status add_replays(lu_columns *made, const lu_json_value *row, lu_error *error) {
    const lu_json_value *list = lu_json_get(row, "replays");
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_json_count(list) && status == LU_OK; i++) {
        lu_columns_row(made);
        status = lu_columns_add_one(made, row, "run_id", error);
        LU_THEN(status, lu_columns_add_one(made, row, "written", error));
        LU_THEN(status, lu_columns_add(made, lu_json_at(list, i), NULL, error));
    }
    return status;
}

/* Reads one kind of rows; `rows` must outlive the table. */
static lu_status read_table(const lu_export *e, lu_export_kind kind, lu_rows *rows,
                            lu_columns *made, lu_error *error) {
    lu_columns_init(made);
    lu_status status = lu_rows_read(e->run, kinds[kind].source, rows, error);
    for (size_t i = 0; i < rows->count && status == LU_OK; i++) {
        const lu_json_value *row = lu_rows_at(rows, i);
        lu_watch_tell(e->watch, (double)i / (double)rows->count, kinds[kind].name);
        if (kind == LU_EXPORT_REPLAYS) {
            status = add_replays(made, row, error);
        } else {
            lu_columns_row(made);
            status = lu_columns_add(made, row, "replays", error);
        }
        if (lu_watch_stops(e->watch)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status == LU_OK) {
        lu_columns_settle(made, is_whole);
    }
    return status;
}

/* ---- writing ---- */

lu_status lu_export_csv(const lu_export *e, lu_export_kind kind, lu_text *text,
                        lu_export_size *size, lu_error *error) {
    lu_rows rows = {0};
    lu_columns made;
    lu_status status = read_table(e, kind, &rows, &made, error);
    if (status == LU_OK) {
        lu_columns_csv(&made, text);
        *size = (lu_export_size){made.rows, made.columns};
    }
    lu_columns_free(&made);
    lu_rows_free(&rows);
    return status;
}

static void write_schema(const lu_game *game, const char *name, const lu_columns *made,
                         lu_json *json) {
    lu_text text = LU_TEXT_INIT;
    lu_json_object(json);
    lu_json_key_string(json, "name", name);
    lu_text_addf(&text, "%s.ndjson", name);
    lu_json_key_string(json, "file", text.text);
    lu_json_key_int(json, "rows", (int64_t)made->rows);
    lu_json_key_array(json, "columns");
    for (size_t i = 0; i < made->columns; i++) {
        const lu_column *c = &made->column[i];
        lu_text_clear(&text);
        add_sentence(game, c->name, &text);
        lu_json_object(json);
        lu_json_key_string(json, "name", c->name);
        lu_json_key_string(json, "arrow", lu_columns_arrow(c->kind));
        lu_json_key_string(json, "parquet", lu_columns_parquet(c->kind));
        lu_json_key_string(json, "sentence", text.text);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    lu_text_free(&text);
}

/* One table into the folder; its part of the schema is added. */
static lu_status export_table(const lu_export *e, lu_export_kind kind, const lu_game *game,
                              const char *folder, lu_json *schema, lu_error *error) {
    lu_rows rows = {0};
    lu_columns made;
    lu_text text = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_status status = read_table(e, kind, &rows, &made, error);
    if (status == LU_OK) {
        lu_columns_lines(&made, &text);
        write_schema(game, kinds[kind].name, &made, schema);
        lu_text_addf(&path, "%s/%s.ndjson", folder, kinds[kind].name);
        status = lu_file_write(path.text, text.text, text.length, error);
    }
    lu_text_free(&text);
    lu_text_free(&path);
    lu_columns_free(&made);
    lu_rows_free(&rows);
    return status;
}

lu_status lu_export_folder(const lu_export *e, unsigned wanted, const char *folder,
                           lu_error *error) {
    const lu_game *game = lu_game_find(e->game, NULL);
    lu_json schema = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/schema.json", folder);
    lu_json_object(&schema);
    lu_json_key_int(&schema, "schema", 1);
    lu_json_key_string(&schema, "run_id", e->run_id);
    lu_json_key_string(&schema, "game", e->game);
    lu_json_key_array(&schema, "tables");
    lu_status status = lu_folder_make(folder, error);
    for (int kind = 0; kind < LU_EXPORT_KINDS && status == LU_OK; kind++) {
        if (wanted >> kind & 1u) {
            status = export_table(e, (lu_export_kind)kind, game, folder, &schema, error);
        }
    }
    lu_json_array_end(&schema);
    lu_json_object_end(&schema);
    lu_json_newline(&schema);
    /* last: with it the folder is whole */
    LU_THEN(status, lu_file_write(path.text, schema.text, schema.length, error));
    lu_json_free(&schema);
    lu_text_free(&path);
    return status;
}
