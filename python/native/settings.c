/* The settings of a training, as `ludus train` has them: one object with the tables of game, net,
 * algorithms, run and evaluations, so that a run of this module can be judged and gone on with by
 * the program. */
#include "settings.h"

#include "ludus/dqn.h"
#include "ludus/ppo.h"
#include "ludus/preset.h"
#include "ludus/run.h"
#include "ludus/self_play.h"

#include <string.h>

static const lu_table *const tables[] = {
    &lu_algorithm_table, &lu_ppo_table,       &lu_dqn_table,         &lu_net_table,
    &lu_self_play_table, &lu_run_place_table, &lu_run_table,         &lu_eval_table,
    &lu_band_table,      &lu_env_table,       &lu_train_names_table,
};

/* options of `ludus train`, whose names a game's own settings do not take */
static const char *const taken[] = {"steps", "seed", "threads",     "load",  "load_file", "resume",
                                    "out",   "save", "tensorboard", "serve", NULL};

static const lu_table *no_more(int index) {
    (void)index;
    return NULL;
}

static bool is_taken(const lu_settings *settings, const char *key) {
    for (int i = 0; taken[i]; i++) {
        if (strcmp(taken[i], key) == 0) {
            return true;
        }
    }
    return lu_settings_has(settings, key);
}

/* One row of the game beside the others, under its name or with game. or option. before it. */
static void add_row(lu_settings *settings, const lu_game *game, lu_setting row, bool option) {
    lu_text key = LU_TEXT_INIT, initial = LU_TEXT_INIT;
    const char *prefix = option ? "option." : "game.";
    lu_text_addf(&key, "%s%s", option || is_taken(settings, row.key) ? prefix : "", row.key);
    if (row.type == LU_ALIAS) {
        lu_text_addf(&initial, "%s%s", option || is_taken(settings, row.initial) ? prefix : "",
                     row.initial);
        row.initial = lu_settings_has(settings, initial.text) ? initial.text : row.initial;
    }
    row.key = key.text;
    lu_settings_add_copy(settings, (lu_table){game->name, &row, 1});
    lu_text_free(&key);
    lu_text_free(&initial);
}

lu_settings *native_settings(const lu_game *game, const char *preset, const char *json,
                             lu_error *error) {
    lu_settings *all = lu_settings_new(), *own = lu_game_settings(game);
    lu_settings_read_files(all);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        lu_settings_add(all, *tables[i]);
    }
    for (size_t i = 0; i < lu_settings_rows(own); i++) {
        add_row(all, game, *lu_settings_row(own, i, NULL), false);
    }
    for (int i = 0; i < game->options.table.count; i++) {
        add_row(all, game, game->options.table.rows[i], true);
    }
    lu_settings_delete(own);
    lu_status status = *preset ? lu_preset_read(preset, game, all, no_more, error) : LU_OK;
    LU_THEN(status,
            lu_settings_text(all, "json", "settings", json, strlen(json), LU_FROM_FLAG, error));
    if (status != LU_OK) {
        lu_settings_delete(all);
        return NULL;
    }
    return all;
}

lu_status native_episode(const lu_game *game, const lu_settings *all, lu_episode *episode,
                         lu_error *error) {
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    lu_settings_take_as_is(settings, all, "game.");
    lu_settings_take_as_is(options, all, "option.");
    return lu_episode_open(episode, game, settings, options, error);
}

lu_settings *native_own_settings(const lu_game *game, const lu_algorithm *algorithm,
                                 const lu_settings *all) {
    lu_settings *settings = lu_game_settings(game);
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, *algorithm->table);
    if (game->seats > 1) {
        lu_settings_add(settings, lu_self_play_table);
    }
    lu_settings_take_as_is(settings, all, "game.");
    return settings;
}
