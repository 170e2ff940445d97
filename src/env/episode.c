/* Opening games: see episode.h. Leaves out who plays in the seats and what a step looks like
 * (frame.c). */
#include "ludus/episode.h"

#include <stdlib.h>
#include <string.h>

lu_status lu_episode_open(lu_episode *e, const lu_game *game, lu_settings *settings,
                          lu_settings *options, lu_error *error) {
    lu_error inner;
    *e = (lu_episode){.game = game, .settings = settings ? settings : lu_game_settings(game)};
    e->settings_json = lu_settings_json(e->settings);
    e->options_json = lu_strdup("");
    e->rules = lu_rules_new(game, e->settings, &inner);
    lu_status status = e->rules ? LU_OK : inner.status;
    if (e->rules) {
        e->env = lu_env_new(game, e->rules);
        status = lu_episode_set_options(e, options, &inner);
    } else {
        lu_settings_delete(options);
    }
    if (status != LU_OK) {
        lu_episode_close(e);
        lu_fail(error, status, "%s", inner.text);
    }
    return status;
}

lu_status lu_episode_set_options(lu_episode *e, lu_settings *options, lu_error *error) {
    const lu_game *game = e->game;
    void *block = NULL;
    if (options && game->options.bytes > 0 && game->options.init) {
        block = lu_alloc_zero(1, game->options.bytes);
        lu_status status = game->options.init(e->rules, options, block, error);
        if (status != LU_OK) {
            lu_settings_delete(options);
            free(block);
            return status;
        }
    }
    lu_settings_delete(e->option_settings);
    free(e->options_json);
    free(e->options);
    e->option_settings = options;
    e->options_json = options ? lu_settings_json(options) : lu_strdup("");
    e->options = block;
    return LU_OK;
}

/* Values of a JSON object; NULL or "" leaves the defaults. */
static lu_status read_text(lu_settings *to, const char *name, const char *text, lu_error *error) {
    size_t length = text ? strlen(text) : 0;
    return length ? lu_settings_text(to, "json", name, text, length, LU_FROM_FILE, error) : LU_OK;
}

lu_status lu_episode_open_text(lu_episode *e, const char *name, const char *settings,
                               const char *options, lu_error *error) {
    lu_error inner;
    *e = (lu_episode){0};
    const lu_game *game = lu_game_find(name, &inner);
    if (!game) {
        return lu_fail(error, inner.status, "%s", inner.text);
    }
    lu_settings *values = lu_game_settings(game);
    lu_settings *wishes = options && *options ? lu_game_options(game) : NULL;
    lu_status status = read_text(values, "settings", settings, error);
    LU_THEN(status, read_text(wishes, "options", options, error));
    if (status != LU_OK) {
        lu_settings_delete(values);
        lu_settings_delete(wishes);
        return status;
    }
    return lu_episode_open(e, game, values, wishes, error);
}

void lu_episode_close(lu_episode *e) {
    lu_env_delete(e->env);
    lu_rules_delete(e->rules);
    lu_settings_delete(e->settings);
    lu_settings_delete(e->option_settings);
    free(e->settings_json);
    free(e->options_json);
    free(e->options);
    *e = (lu_episode){0};
}

void lu_episode_reset(lu_episode *e, uint64_t seed) {
    lu_env_reset(e->env, seed, e->options);
}

void lu_episode_step(lu_episode *e, const int32_t *actions) {
    lu_env_step(e->env, actions);
}
