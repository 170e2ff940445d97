/* An episode for tests: a game by its name, under settings as a JSON object ("": the defaults).
 * Ownership: the caller closes it. Threads: one at a time. */
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
