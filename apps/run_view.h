/* What verbs about runs share: a run with all that its folder tells, and texts out of files made
 * fit for a terminal. Ownership: a view owns what it read until run_view_close. Threads: one. */
#pragma once

#include "verb.h"

#include "ludus/catalogue.h"
#include "ludus/json.h"
#include "ludus/text.h"

typedef struct run_view {
    lu_text path;
    lu_json_document *facts; /* run.json; NULL when it is damaged */
    lu_run_entry entry;
    lu_window_list windows;
    lu_evaluation_list evaluations;
    lu_replay_list replays; /* newest first */
} run_view;

/* The run that a call names by id, folder, `latest` or `best`; the settings must hold run.folder.
 */
lu_status run_view_open(run_view *view, const verb_call *call, const char *name, lu_error *error);
void run_view_close(run_view *view);

/* The setting at `index` of run.json: its key, or NULL behind the last; value as text. */
typedef struct run_setting {
    const char *key, *origin, *where;
    lu_text value;
} run_setting;
bool run_setting_at(const run_view *view, size_t index, run_setting *setting);
/* The same by key. */
bool run_setting_of(const run_view *view, const char *key, run_setting *setting);
void run_setting_free(run_setting *setting);

/* The entry of a run with what is damaged in it: members of an open object. */
void run_entry_write(const lu_run_entry *entry, lu_json *json);

/* Adds text out of a file: control characters, marks that turn the direction of writing and broken
 * bytes become '?', and what is longer than `most` columns (0: any length) ends with "...". */
void foreign_add(lu_text *text, const char *foreign, int most);
/* The same for a cell of a table, of at most 60 columns, or 250 of ASCII. */
const char *foreign(const char *text, int most);
/* Numbers for people: "-" for NaN; an interval "1 .. 2"; seconds as 1:02:03; bytes as 1.5 MB. */
const char *real_text(double value);
const char *interval_text(double low, double high);
const char *span_text(double seconds);
const char *bytes_text(int64_t bytes);
/* Adds a curve of at most `width` letters, in which equal stretches of the values are averaged; NaN
 * leaves a gap. */
void spark_add(lu_text *text, const double *values, size_t count, int width);
