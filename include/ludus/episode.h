/* An episode's place: a game under settings and reset options, its rules and one environment.
 * Whoever plays, judges, trains or shows a game opens it here: from tables of values, from JSON
 * texts, from a replay (lu_replay holds one) or with the settings of a model file
 * (lu_settings_take).
 * Ownership: an episode owns all it points at until lu_episode_close, but for the game.
 * Threads: one at a time; rules and options may be shared for reading, each thread with an
 * environment of its own. */
#pragma once

#include "ludus/env.h"

LU_C_BEGIN

typedef struct lu_episode {
    const lu_game *game;
    lu_settings *settings;
    lu_settings *option_settings; /* reset options; NULL: none were given */
    /* as lu_settings_json makes them; "" where no options were given */
    char *settings_json, *options_json;
    lu_rules *rules;
    void *options; /* option block of the next reset, or NULL */
    lu_env *env;
} lu_episode;

/* Takes settings (NULL: the defaults) and options (NULL: none are given), also when it fails. On an
 * error nothing is open. The environment waits for its first reset. */
lu_status lu_episode_open(lu_episode *episode, const lu_game *game, lu_settings *settings,
                          lu_settings *options, lu_error *error);
/* The same from a game's id or name and two JSON objects as text; NULL or "" is as above. */
lu_status lu_episode_open_text(lu_episode *episode, const char *game, const char *settings,
                               const char *options, lu_error *error);
void lu_episode_close(lu_episode *episode);
/* Options of the resets that follow (NULL: none); takes them, also when it fails. On an error the
 * old ones stay. */
lu_status lu_episode_set_options(lu_episode *episode, lu_settings *options, lu_error *error);
void lu_episode_reset(lu_episode *episode, uint64_t seed);
/* `actions`: seats x heads. Stepping an ended episode is a programming error. */
void lu_episode_step(lu_episode *episode, const int32_t *actions);

LU_C_END
