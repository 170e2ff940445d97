/* A run with all that its folder tells: facts, settings, windows, evaluations, replays.
 * Ownership: a view owns what it read until lu_run_view_close. Threads: one. */
#pragma once

#include "ludus/catalogue.h"
#include "ludus/json.h"
#include "ludus/settings.h"
#include "ludus/text.h"

LU_C_BEGIN

typedef struct lu_run_view {
    lu_text path;
    lu_json_document *facts; /* run.json; NULL when it is damaged */
    lu_run_entry entry;
    lu_window_list windows;
    lu_evaluation_list evaluations;
    lu_replay_list replays; /* newest first */
} lu_run_view;

/* The run that is named by id, folder, `latest` or `best`; the settings must hold run.folder.
 */
lu_status lu_run_view_open(lu_run_view *view, const lu_settings *settings, const char *name,
                           lu_error *error);
void lu_run_view_close(lu_run_view *view);

/* The setting at `index` of run.json: its key, or NULL behind the last; value as text. */
typedef struct lu_run_setting {
    const char *key, *origin, *where;
    lu_text value;
} lu_run_setting;
bool lu_run_setting_at(const lu_run_view *view, size_t index, lu_run_setting *setting);
/* The same by key. */
bool lu_run_setting_of(const lu_run_view *view, const char *key, lu_run_setting *setting);
void lu_run_setting_free(lu_run_setting *setting);

LU_C_END
