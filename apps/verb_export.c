/* ludus export: the rows of a run for other programs: as CSV, or as typed JSON lines with a schema
 * that any tool turns into Parquet. Rows that a resume made void are left out. */
#include "output.h"
#include "run_text.h"

#include "ludus/columns.h"
#include "ludus/file.h"
#include "ludus/rows.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus export latest --csv > windows.csv", "a line per window"},
    {"ludus export latest --csv --rows replays --out replays.csv", "a line per replay"},
    {"ludus export latest --parquet-ready --out data",
     "all rows as data/*.ndjson, with their types in data/schema.json"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"csv", LU_BOOL, "false", 0, 0, NULL, "Writes CSV (RFC 4180), one kind of rows.", false},
    {"parquet_ready", LU_BOOL, "false", 0, 0, NULL,
     "Writes a folder: a file of typed JSON lines per kind of rows, and schema.json.", false},
    {"rows", LU_ENUM, "windows", 0, 0, "windows|updates|evaluations|replays",
     "Which rows; unset takes windows for --csv and all for --parquet-ready.", false},
    {"out", LU_TEXT, "", 0, 4096, NULL,
     "File for --csv, unset writes to stdout; folder for --parquet-ready.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "RUN is an id, a folder, `latest` or `best`. Members of objects become columns: terms.pickup,\n"
    "infos.score, seconds.collect. Numbers are written as they stand in the run, nothing is\n"
    "rounded. docs/runs.md shows the line that makes Parquet of it.";

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
    {"wall_seconds", false, "Training time so far, over all sittings."},
    {"written", false, "When the row was written, UTC."},
    {"steps_per_second", false, "Decisions per second."},
    {"episodes", true, "Episodes that ended."},
    {"episode_return", false, "Mean return of these episodes."},
    {"episode_length", false, "Mean length of these episodes, in decisions."},
    {"recent", true, "Episodes that recent_return is about."},
    {"recent_return", false, "Mean return of the last episodes."},
    {"truncated", true, "Cut off by a limit: episodes, or whether the episode was."},
    {"illegal", true, "Actions that were not legal."},
    {"endings", true, "Ends of episodes, of every player."},
    {"seconds", false, "How long the evaluation took."},
    {"metric", false, "What the evaluation judges by."},
    {"seeds.first", true, "First seed that was played."},
    {"seeds.count", true, "Seeds that were played."},
    {"greedy", false, "Whether the best action was taken, not a drawn one."},
    {"value.mean", false, "Mean of the metric."},
    {"value.low", false, "Lower end of its 95 % interval."},
    {"value.high", false, "Upper end of its 95 % interval."},
    {"value.median", false, "Median of the metric."},
    {"values", false, "The metric, seed by seed."},
    {"best", false, "Whether the window was the best so far."},
    {"best_window", true, "The best window so far."},
    {"against_best.mean", false, "Mean difference to the best before, on the same seeds."},
    {"against_best.low", false, "Lower end of its 95 % interval."},
    {"against_best.high", false, "Upper end of its 95 % interval."},
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
        lu_text_addf(text, "Of the report of `ludus eval`: %s.", part);
    } else {
        lu_text_addf(text, "Metric of the algorithm: %s.", name);
    }
}

/* ---- rows ---- */

enum { WINDOWS, UPDATES, EVALUATIONS, REPLAYS, KINDS };
static const char *const names[] = {"windows", "updates", "evaluations", "replays"};
static const lu_rows_kind sources[] = {LU_WINDOWS, LU_UPDATES, LU_EVALS, LU_EVALS};

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
static lu_status read_table(const char *run, int kind, lu_rows *rows, lu_columns *made,
                            lu_error *error) {
    lu_columns_init(made);
    lu_status status = lu_rows_read(run, sources[kind], rows, error);
    for (size_t i = 0; i < rows->count && status == LU_OK; i++) {
        const lu_json_value *row = lu_rows_at(rows, i);
        progress((double)i / (double)rows->count, names[kind]);
        if (kind == REPLAYS) {
            status = add_replays(made, row, error);
        } else {
            lu_columns_row(made);
            status = lu_columns_add(made, row, "replays", error);
        }
        if (interrupted()) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status == LU_OK) {
        lu_columns_settle(made, is_whole);
    }
    return status;
}

/* ---- writing ---- */

static lu_status export_csv(const verb_call *call, const char *run, lu_error *error) {
    const char *out = lu_settings_text_of(call->settings, "out");
    lu_rows rows = {0};
    lu_columns made;
    lu_text text = LU_TEXT_INIT;
    lu_status status =
        read_table(run, lu_settings_enum(call->settings, "rows"), &rows, &made, error);
    progress_end();
    if (status == LU_OK) {
        lu_columns_csv(&made, &text);
        if (*out) {
            status = lu_file_write(out, text.text, text.length, error);
        } else {
            out_write(text.text, text.length);
        }
    }
    if (status == LU_OK && *out) {
        note("wrote %s: %zu rows of %zu columns", out, made.rows, made.columns);
    }
    lu_text_free(&text);
    lu_columns_free(&made);
    lu_rows_free(&rows);
    return status;
}

static void write_schema(const lu_game *game, const char *name, const lu_columns *made,
                         lu_json *json) {
    lu_text sentence = LU_TEXT_INIT;
    lu_json_object(json);
    lu_json_key_string(json, "name", name);
    lu_json_key_string(json, "file", cell("%s.ndjson", name));
    lu_json_key_int(json, "rows", (int64_t)made->rows);
    lu_json_key_array(json, "columns");
    for (size_t i = 0; i < made->columns; i++) {
        const lu_column *c = &made->column[i];
        lu_text_clear(&sentence);
        add_sentence(game, c->name, &sentence);
        lu_json_object(json);
        lu_json_key_string(json, "name", c->name);
        lu_json_key_string(json, "arrow", lu_columns_arrow(c->kind));
        lu_json_key_string(json, "parquet", lu_columns_parquet(c->kind));
        lu_json_key_string(json, "sentence", sentence.text);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    lu_text_free(&sentence);
}

/* One table into the folder; its part of the schema is added. */
static lu_status export_table(const char *run, int kind, const lu_game *game, const char *folder,
                              lu_json *schema, lu_error *error) {
    lu_rows rows = {0};
    lu_columns made;
    lu_text text = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_status status = read_table(run, kind, &rows, &made, error);
    if (status == LU_OK) {
        lu_columns_lines(&made, &text);
        write_schema(game, names[kind], &made, schema);
        lu_text_addf(&path, "%s/%s.ndjson", folder, names[kind]);
        status = lu_file_write(path.text, text.text, text.length, error);
    }
    lu_text_free(&text);
    lu_text_free(&path);
    lu_columns_free(&made);
    lu_rows_free(&rows);
    return status;
}

/* schema.json is written last: with it the folder is whole. */
static lu_status export_folder(const verb_call *call, const lu_run_view *v, lu_error *error) {
    const char *out = lu_settings_text_of(call->settings, "out");
    bool one = lu_settings_origin(call->settings, "rows") != LU_FROM_DEFAULT;
    const lu_game *game = lu_game_find(v->entry.game, NULL);
    lu_json schema = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    if (!*out) {
        return lu_fail(error, LU_USAGE, "--parquet-ready needs --out FOLDER");
    }
    lu_text_addf(&path, "%s/schema.json", out);
    lu_json_object(&schema);
    lu_json_key_int(&schema, "schema", 1);
    lu_json_key_string(&schema, "run_id", v->entry.run_id);
    lu_json_key_string(&schema, "game", v->entry.game);
    lu_json_key_array(&schema, "tables");
    lu_status status = lu_folder_make(out, error);
    for (int kind = 0; kind < KINDS && status == LU_OK; kind++) {
        if (!one || kind == lu_settings_enum(call->settings, "rows")) {
            status = export_table(v->path.text, kind, game, out, &schema, error);
        }
    }
    progress_end();
    lu_json_array_end(&schema);
    lu_json_object_end(&schema);
    lu_json_newline(&schema);
    LU_THEN(status, lu_file_write(path.text, schema.text, schema.length, error));
    if (status == LU_OK) {
        note("wrote %s", path.text);
    }
    lu_json_free(&schema);
    lu_text_free(&path);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    bool csv = lu_settings_bool(call->settings, "csv");
    bool ready = lu_settings_bool(call->settings, "parquet_ready");
    lu_run_view v;
    if (csv == ready) {
        return lu_fail(error, LU_USAGE,
                       csv ? "--csv and --parquet-ready exclude each other"
                           : "`ludus export` needs --csv or --parquet-ready");
    }
    LU_TRY(lu_run_view_open(&v, call->settings, call->argument[0], error));
    progress_start();
    lu_status status = csv ? export_csv(call, v.path.text, error) : export_folder(call, &v, error);
    lu_run_view_close(&v);
    return status;
}

const verb verb_export = {
    .name = "export",
    .usage = "export RUN --csv|--parquet-ready [--rows KIND] [--out FILE|FOLDER]",
    .sentence = "Writes the rows of a run as CSV, or ready for Parquet.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("export", options),
    .tables = tables,
    .least = 1,
    .most = 1,
    .argument = "RUN",
    .run = run,
};
