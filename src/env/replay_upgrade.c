/* Carrying a replay over: it is read under the earlier specification it names, played with all its
 * hashes compared, and recorded again as this build writes it. What was not only renamed differs in
 * a hash, and is refused. */
#include "ludus/replay.h"

#include <stdlib.h>

static lu_status record_again(lu_replay *replay, char **bytes, size_t *length, lu_error *error) {
    lu_episode *e = &replay->episode;
    lu_thought thoughts[LU_MAX_SEATS];
    size_t row = (size_t)(e->game->seats * e->game->heads);
    lu_episode_reset(e, replay->seed);
    lu_recorder *recorder = lu_recorder_new(e->env, e->settings_json, e->options_json);
    for (int64_t i = 0; i < replay->decisions; i++) {
        lu_env_skip(e->env, replay->actions + (size_t)i * row);
        for (int seat = 0; seat < e->game->seats; seat++) {
            lu_replay_thought(replay, i, seat, &thoughts[seat]);
        }
        lu_recorder_step(recorder, e->env, replay->thoughts ? thoughts : NULL);
    }
    lu_status status = lu_recorder_finish(recorder, e->env, bytes, length, error);
    lu_recorder_delete(recorder);
    return status;
}

lu_status lu_replay_upgrade(const char *name, const void *bytes, size_t length, char **upgraded,
                            size_t *upgraded_length, lu_error *error) {
    lu_error own;
    error = error ? error : &own;
    lu_replay *replay = lu_replay_read(name, bytes, length, error);
    if (!replay) {
        return error->status;
    }
    lu_status status = record_again(replay, upgraded, upgraded_length, error);
    lu_replay_close(replay);
    return status;
}
