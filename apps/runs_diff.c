/* ludus runs diff: settings and figures in which two runs differ. */
#include "output.h"
#include "runs.h"
#include "train_display.h"

#include <string.h>

enum { COLUMN = 48 }; /* widest cell */

/* Calls `give` for every setting that differs; a text is NULL where a run does not have it. */
typedef void give_function(void *context, const char *key, const char *a, const char *b);

static void settings_diff(const lu_run_view *a, const lu_run_view *b, give_function *give,
                          void *context) {
    lu_run_setting mine, other;
    for (size_t i = 0; lu_run_setting_at(a, i, &mine); i++) {
        bool both = lu_run_setting_of(b, mine.key, &other);
        bool differs = !both || strcmp(mine.value.text, other.value.text) != 0;
        if (differs && !runs_is_short(a, mine.key)) {
            give(context, mine.key, mine.value.text, both ? other.value.text : NULL);
        }
        if (both) {
            lu_run_setting_free(&other);
        }
        lu_run_setting_free(&mine);
    }
    for (size_t i = 0; lu_run_setting_at(b, i, &other); i++) {
        if (lu_run_setting_of(a, other.key, &mine)) {
            lu_run_setting_free(&mine);
        } else if (!runs_is_short(b, other.key)) {
            give(context, other.key, NULL, other.value.text);
        }
        lu_run_setting_free(&other);
    }
}

/* ---- JSON ---- */

static void write_setting(void *context, const char *key, const char *a, const char *b) {
    lu_json *json = context;
    lu_json_key_object(json, key);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? b : a;
        lu_json_key_string(json, i ? "b" : "a", text);
    }
    lu_json_object_end(json);
}

static void print_json(const lu_run_view *a, const lu_run_view *b) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    for (int i = 0; i < 2; i++) {
        lu_json_key_object(&json, i ? "b" : "a");
        run_entry_write(i ? &b->entry : &a->entry, &json);
        lu_json_object_end(&json);
    }
    lu_json_key_object(&json, "settings");
    settings_diff(a, b, write_setting, &json);
    lu_json_object_end(&json);
    out_json_end(&json);
}

/* ---- text ---- */

static void add_setting(void *context, const char *key, const char *a, const char *b) {
    table_row(context, foreign(key, COLUMN), a ? foreign(a, COLUMN) : "-",
              b ? foreign(b, COLUMN) : "-");
}

static void print_figures(const lu_run_entry *a, const lu_run_entry *b) {
    table t = table_of("lll");
    table_row(&t, "", foreign(a->run_id, COLUMN), foreign(b->run_id, COLUMN));
    table_row(&t, "game", foreign(a->game, COLUMN), foreign(b->game, COLUMN));
    table_row(&t, "algorithm", foreign(a->algorithm, COLUMN), foreign(b->algorithm, COLUMN));
    table_row(&t, "status", foreign(a->status, COLUMN), foreign(b->status, COLUMN));
    table_row(&t, "commit", foreign(a->commit, COLUMN), foreign(b->commit, COLUMN));
    table_row(&t, "seed", foreign(a->seed, COLUMN), foreign(b->seed, COLUMN));
    table_row(&t, "steps", count_text((double)a->env_steps), count_text((double)b->env_steps));
    table_row(&t, "time", span_text(a->wall_seconds), span_text(b->wall_seconds));
    table_row(&t, "windows", cell("%lld", (long long)a->windows),
              cell("%lld", (long long)b->windows));
    table_row(&t, "return", real_text(a->last_return), real_text(b->last_return));
    table_row(&t, "best evaluation", real_text(a->best), real_text(b->best));
    table_row(&t, "95% interval", interval_text(a->best_low, a->best_high),
              interval_text(b->best_low, b->best_high));
    table_row(&t, "of", foreign(a->metric, COLUMN), foreign(b->metric, COLUMN));
    table_print(&t);
    table_free(&t);
}

static void print_text(const lu_run_view *a, const lu_run_view *b) {
    print_figures(&a->entry, &b->entry);
    out_text("\n");
    table t = table_of("lll");
    table_row(&t, "setting", foreign(a->entry.run_id, COLUMN), foreign(b->entry.run_id, COLUMN));
    settings_diff(a, b, add_setting, &t);
    if (t.rows > 1) {
        table_print(&t);
    } else {
        out_text("the settings are equal\n");
    }
    table_free(&t);
}

lu_status runs_diff(verb_call *call, lu_error *error) {
    lu_run_view a, b;
    LU_TRY(lu_run_view_open(&a, call->settings, call->argument[0], error));
    lu_status status = lu_run_view_open(&b, call->settings, call->argument[1], error);
    if (status == LU_OK) {
        if (!call->json && strcmp(a.path.text, b.path.text) == 0) {
            out_format("'%s' and '%s' are the same run: %s\n", call->argument[0], call->argument[1],
                       foreign(a.entry.run_id, 2 * COLUMN));
        } else if (call->json) {
            print_json(&a, &b);
        } else {
            print_text(&a, &b);
        }
        lu_run_view_close(&b);
    }
    lu_run_view_close(&a);
    return status;
}
