/* The best trial of a sweep as a preset: see ludus/sweep.h. */
#include "ludus/algorithm.h"
#include "ludus/file.h"
#include "ludus/net.h"
#include "ludus/preset.h"
#include "ludus/sweep.h"

#include <stdlib.h>
#include <string.h>

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
        status =
            lu_fail(error, LU_FAILED,
                    "a setting of the best trial cannot be written to an .ini file: %.600s", want);
    }
    free(want);
    free(got);
    lu_settings_delete(back);
    return status;
}

lu_status lu_sweep_write_preset(const lu_sweep_result *r, const char *name, lu_text *path,
                                lu_error *error) {
    lu_status status = lu_preset_check_name(name, error);
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
                       "'write_preset' = '%s': %s already exists; choose another name or remove it",
                       name, path->text);
    }
    lu_settings *settings = best_settings(r, error);
    if (!settings) {
        return error->status;
    }
    lu_text text = LU_TEXT_INIT;
    preset_text(r, settings, &text);
    status = check_preset(r, settings, &text, error);
    LU_THEN(status, lu_file_write(path->text, text.text, text.length, error));
    lu_text_free(&text);
    lu_settings_delete(settings);
    return status;
}
