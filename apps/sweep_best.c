/* ludus sweep best: the best trial of a sweep, told and written as a preset. */
#include "sweep_best.h"

#include "output.h"

#include <inttypes.h>
#include <string.h>

void sweep_write_trial(const lu_trial *t, const char *state, bool minimise, lu_json *json) {
    lu_json_key_int(json, "trial", t->number);
    lu_json_key_int(json, "seed", (int64_t)t->seed);
    lu_json_key_string(json, "state", state);
    lu_json_key(json, "score");
    if (t->state == LU_TRIAL_FAILED) {
        lu_json_null(json);
    } else {
        lu_json_real(json, minimise ? -t->score : t->score);
    }
    lu_json_key_int(json, "steps", t->steps);
    lu_json_key_real(json, "seconds", t->seconds);
}

/* ---- what is shown ---- */

static void show_json(const char *folder, const lu_sweep_result *r, const char *preset) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "best");
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "folder", folder);
    lu_json_key_string(&json, "game", r->game);
    lu_json_key_string(&json, "algorithm", r->algorithm);
    lu_json_key_string(&json, "metric", r->metric);
    lu_json_key_int(&json, "trials", r->trials);
    lu_json_key_int(&json, "done", r->done);
    lu_json_key_int(&json, "pruned", r->pruned);
    lu_json_key_int(&json, "failed", r->failed);
    lu_json_key_int(&json, "all_steps", r->steps);
    lu_json_key_real(&json, "all_seconds", r->seconds);
    sweep_write_trial(&r->trial, "done", r->minimise, &json);
    lu_json_key_raw(&json, "settings", r->settings);
    lu_json_key_raw(&json, "values", r->values);
    if (*preset) {
        lu_json_key_string(&json, "preset", preset);
    }
    out_json_end(&json);
}

static void show_text(const char *folder, const lu_sweep_result *r) {
    out_line("%s by %s: %s (%d done, %d pruned, %d failed), %" PRId64 " steps, %.0f s\n", r->game,
             r->algorithm, counted(r->trials, "trial"), r->done, r->pruned, r->failed, r->steps,
             r->seconds);
    out_format("best: trial %d, %s %.6g\n", r->trial.number, r->metric,
               r->minimise ? -r->trial.score : r->trial.score);
    lu_json_document *values = lu_json_read(folder, r->values, strlen(r->values), NULL);
    const lu_json_value *root = values ? lu_json_root(values) : NULL;
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        const char *text = lu_json_text(value, NULL);
        out_format("  %-24s %s\n", key, text ? text : "");
    }
    lu_json_close(values);
}

lu_status sweep_best(const char *folder, const char *preset, bool json, lu_error *error) {
    lu_sweep_result r;
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_sweep_read(folder, &r, error);
    if (status != LU_OK) {
        return status;
    }
    if (*preset) {
        status = lu_sweep_write_preset(&r, preset, &path, error);
    }
    if (status == LU_OK && json) {
        show_json(folder, &r, path.text);
    } else if (status == LU_OK) {
        show_text(folder, &r);
        if (*preset) {
            out_line("wrote %s\n", path.text);
        } else {
            out_line("Next: ludus sweep best %s --write-preset NAME\n", folder);
        }
    }
    lu_text_free(&path);
    lu_sweep_result_free(&r);
    return status;
}
