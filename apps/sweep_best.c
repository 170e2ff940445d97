/* ludus sweep best: the best trial of a sweep, and the preset file with its settings. */
#include "sweep_best.h"

#include "cli.h"
#include "output.h"

#include "ludus/algorithm.h"
#include "ludus/file.h"
#include "ludus/net.h"

#include <inttypes.h>
#include <stdlib.h>
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

/* ---- the preset ---- */

/* The settings of the best trial: those that all shared, then its own. */
static lu_settings *best_settings(const lu_sweep_result *r, lu_error *error) {
    const lu_game *game = lu_game_find(r->game, error);
    const lu_algorithm *algorithm = game ? lu_algorithm_find(r->algorithm, error) : NULL;
    if (!algorithm) {
        return NULL;
    }
    lu_settings *settings = lu_game_settings(game);
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, *algorithm->table);
    lu_settings_add(settings, lu_algorithm_table);
    lu_settings_set(settings, "algo", r->algorithm, LU_FROM_PRESET, "the sweep", NULL);
    if (lu_settings_text(settings, "json", "the sweep", r->settings, strlen(r->settings),
                         LU_FROM_PRESET, error) != LU_OK ||
        lu_settings_text(settings, "json", "the trial", r->values, strlen(r->values), LU_FROM_FILE,
                         error) != LU_OK) {
        lu_settings_delete(settings);
        return NULL;
    }
    return settings;
}

static void preset_text(const lu_sweep_result *r, const lu_settings *settings, lu_text *text) {
    const lu_game *game = lu_game_find(r->game, NULL);
    lu_text_line(text, "; Best of %d trials of a sweep: %s %.6g after %lld steps.", r->trials,
                 r->metric, r->minimise ? -r->trial.score : r->trial.score,
                 (long long)r->trial.steps);
    lu_text_line(text, ";   ludus train %s --preset NAME", game->name);
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        if (lu_settings_origin(settings, row->key) == LU_FROM_DEFAULT) {
            continue;
        }
        size_t count = row->repeat ? lu_settings_count(settings, row->key) : 1;
        for (size_t n = 0; n < count; n++) {
            lu_text_line(text, "%s = %s", row->key,
                         row->repeat ? lu_settings_nth(settings, row->key, n)
                                     : lu_settings_text_of(settings, row->key));
        }
    }
}

/* A preset must read as what it was made from. */
static lu_status check_preset(const lu_sweep_result *r, const lu_settings *settings,
                              const lu_text *text, lu_error *error) {
    const lu_algorithm *algorithm = lu_algorithm_find(r->algorithm, NULL);
    lu_settings *back = lu_game_settings(lu_game_find(r->game, NULL));
    lu_settings_add(back, lu_net_table);
    lu_settings_add(back, *algorithm->table);
    lu_settings_add(back, lu_algorithm_table);
    lu_status status = lu_settings_text(back, "ini", "the preset", text->text, text->length,
                                        LU_FROM_PRESET, error);
    char *want = lu_settings_json(settings), *got = lu_settings_json(back);
    if (status == LU_OK && strcmp(want, got) != 0) {
        status = lu_fail(error, LU_FAILED,
                         "a setting of the best trial cannot stand in an .ini file: %.600s", want);
    }
    free(want);
    free(got);
    lu_settings_delete(back);
    return status;
}

static lu_status write_preset(const lu_sweep_result *r, const char *name, lu_text *path,
                              lu_error *error) {
    lu_status status = preset_check_name(name, error);
    if (status == LU_OK && !lu_home()) {
        status = lu_fail(error, LU_NOT_FOUND,
                         "preset '%s': no project folder found; set LUDUS_HOME", name);
    }
    if (status != LU_OK) {
        return status;
    }
    lu_text_addf(path, "%s/config/%s.ini", lu_home(), name);
    if (lu_file_exists(path->text)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'write_preset' = '%s': %s is there already; take another name or remove it",
                       name, path->text);
    }
    lu_settings *settings = best_settings(r, error);
    if (!settings) {
        return error->status;
    }
    lu_text text;
    lu_text_init(&text);
    preset_text(r, settings, &text);
    status = check_preset(r, settings, &text, error);
    if (status == LU_OK) {
        status = lu_file_write(path->text, text.text, text.length, error);
    }
    lu_text_free(&text);
    lu_settings_delete(settings);
    return status;
}

/* ---- what is shown ---- */

static void show_json(const char *folder, const lu_sweep_result *r, const char *preset) {
    lu_json json;
    lu_json_init(&json);
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
    lu_json_key(&json, "settings");
    lu_json_raw(&json, r->settings, strlen(r->settings));
    lu_json_key(&json, "values");
    lu_json_raw(&json, r->values, strlen(r->values));
    if (*preset) {
        lu_json_key_string(&json, "preset", preset);
    }
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

static void show_text(const char *folder, const lu_sweep_result *r) {
    out_format("%s by %s: %d trials (%d done, %d pruned, %d failed), %" PRId64 " steps, %.0f s\n",
               r->game, r->algorithm, r->trials, r->done, r->pruned, r->failed, r->steps,
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
    lu_text path;
    lu_status status = lu_sweep_read(folder, &r, error);
    if (status != LU_OK) {
        return status;
    }
    lu_text_init(&path);
    if (*preset) {
        status = write_preset(&r, preset, &path, error);
    }
    if (status == LU_OK && json) {
        show_json(folder, &r, path.text);
    } else if (status == LU_OK) {
        show_text(folder, &r);
        if (*preset) {
            out_format("wrote %s\n", path.text);
        } else {
            out_format("Next: ludus sweep best %s --write-preset NAME\n", folder);
        }
    }
    lu_text_free(&path);
    lu_sweep_result_free(&r);
    return status;
}
