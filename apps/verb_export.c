/* ludus export: the rows of a run for other programs, as CSV or ready for Parquet (export.h). */
#include "output.h"
#include "run_text.h"

#include "ludus/export.h"
#include "ludus/file.h"
#include "ludus/run.h"

static const verb_example examples[] = {
    {"ludus export latest --csv > windows.csv", "a line per window"},
    {"ludus export latest --csv --rows replays --out replays.csv", "a line per replay"},
    {"ludus export latest --parquet-ready --out data",
     "all rows as data/*.ndjson, with their types in data/schema.json"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"csv", LU_BOOL, "false", 0, 0, NULL, "Writes CSV (RFC 4180) with one kind of row.", false},
    {"parquet_ready", LU_BOOL, "false", 0, 0, NULL,
     "Writes a folder: a file of typed JSON lines per kind of row, and schema.json.", false},
    {"rows", LU_ENUM, "windows", 0, 0, LU_EXPORT_NAMES,
     "Which rows; default: windows for --csv and all for --parquet-ready.", false},
    {"out", LU_TEXT, "", 0, 4096, NULL,
     "File for --csv (default: stdout); folder for --parquet-ready.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "RUN is an id, a folder, `latest` or `best`. Members of objects become columns: "
    "terms.pickup,\ninfos.score, seconds.collect. Numbers are written exactly as in the run, "
    "not\nrounded. docs/runs.md shows how to convert to Parquet in one line.";

static lu_status export_csv(const verb_call *call, const lu_export *from, lu_error *error) {
    const char *out = lu_settings_text_of(call->settings, "out");
    lu_export_size size;
    lu_text text = LU_TEXT_INIT;
    int kind = lu_settings_enum(call->settings, "rows");
    lu_status status = lu_export_csv(from, (lu_export_kind)kind, &text, &size, error);
    progress_end();
    if (status == LU_OK && *out) {
        status = lu_file_write(out, text.text, text.length, error);
    } else if (status == LU_OK) {
        out_write(text.text, text.length);
    }
    if (status == LU_OK && *out) {
        note("wrote %s: %zu rows of %zu columns", out, size.rows, size.columns);
    }
    lu_text_free(&text);
    return status;
}

static lu_status export_folder(const verb_call *call, const lu_export *from, lu_error *error) {
    const char *out = lu_settings_text_of(call->settings, "out");
    bool one = lu_settings_origin(call->settings, "rows") != LU_FROM_DEFAULT;
    unsigned wanted = one ? 1u << lu_settings_enum(call->settings, "rows") : ~0u;
    if (!*out) {
        return lu_fail(error, LU_USAGE, "--parquet-ready needs --out FOLDER");
    }
    lu_status status = lu_export_folder(from, wanted, out, error);
    progress_end();
    if (status == LU_OK) {
        note("wrote %s/schema.json", out);
    }
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    bool csv = lu_settings_bool(call->settings, "csv");
    bool ready = lu_settings_bool(call->settings, "parquet_ready");
    lu_run_view v;
    if (csv == ready) {
        return lu_fail(error, LU_USAGE,
                       csv ? "--csv and --parquet-ready cannot be combined"
                           : "`ludus export` needs --csv or --parquet-ready");
    }
    LU_TRY(lu_run_view_open(&v, call->settings, call->argument[0], error));
    lu_export from = {
        .run = v.path.text, .run_id = v.entry.run_id, .game = v.entry.game, .watch = out_watch()};
    progress_start();
    lu_status status = csv ? export_csv(call, &from, error) : export_folder(call, &from, error);
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
