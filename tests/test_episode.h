/* An episode for tests: a game by its name, under settings as a JSON object ("": the defaults),
 * and a bot that plays it. Ownership: the caller closes it. Threads: one at a time. */
#pragma once

#include "ludus/episode.h"

#include "test.h"

static inline lu_episode test_episode(const char *game, const char *settings) {
    lu_error error = {0};
    lu_episode episode;
    if (lu_episode_open_text(&episode, game, settings, NULL, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return episode;
}

/* A whole episode of a game for one, played by a bot of the game. */
static inline void test_bot_plays(lu_episode *episode, const char *bot, uint64_t seed) {
    int32_t actions[LU_MAX_HEADS];
    lu_seated_bot seated;
    lu_seated_bot_init(&seated, lu_game_bot(episode->game, bot));
    lu_seated_bot_begin(&seated, seed);
    lu_episode_reset(episode, seed);
    while (!episode->env->over) {
        lu_seated_bot_act(&seated, episode->env, 0, actions);
        lu_episode_step(episode, actions);
    }
    lu_seated_bot_free(&seated);
}
