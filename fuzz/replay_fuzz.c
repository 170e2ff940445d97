/* Fuzzes the reader of replays with the probe games. This build compares no hashes, so that inputs
 * come past the header. No input may crash it; a refused one gives a sentence; an accepted one can
 * be looked at anywhere, and its actions and thoughts are there. */
#include "ludus/replay.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold; an assert would vanish from optimised builds. */
static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    lu_replay *replay = lu_replay_read("input", data, size, &error);
    if (!replay) {
        require(error.status != LU_OK && error.text[0], "an error without a sentence");
        return 0;
    }
    lu_env *env = lu_env_new(replay->episode.game, replay->episode.rules);
    const int64_t frames[] = {replay->decisions, 0, replay->decisions / 2, 17, 16, 1};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        lu_replay_seek(replay, env, frames[i]);
        require(env->decisions <= replay->decisions, "a frame behind the end");
    }
    int options = lu_game_mask_length(replay->episode.game);
    int seats = replay->episode.game->seats;
    for (int64_t i = 0; i < replay->decisions * seats; i++) {
        lu_thought t;
        lu_replay_thought(replay, i / seats, (int)(i % seats), &t);
        require(t.top_count >= 0 && t.top_count <= LU_THOUGHT_MOST, "too many entries");
        for (int k = 0; k < t.top_count; k++) {
            require(t.top_action[k] >= 0 && t.top_action[k] < options, "no such option");
        }
    }
    lu_env_delete(env);
    lu_replay_close(replay);
    return 0;
}
