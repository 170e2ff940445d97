/* Frames of a replay that have events: see ludus/replay_marks.h. */
#include "ludus/replay_marks.h"

#include <stdlib.h>
#include <string.h>

static void add_mark(lu_replay_marks *marks, size_t *room, int64_t frame, uint64_t bits) {
    if (marks->count == *room) {
        *room = *room ? *room * 2 : 64;
        marks->list = lu_realloc(marks->list, *room * sizeof *marks->list);
    }
    marks->list[marks->count++] = (lu_replay_mark){frame, bits};
}

lu_status lu_replay_marks_find(const lu_replay *r, lu_env *env, const lu_watch *watch,
                               lu_replay_marks *marks, lu_error *error) {
    const lu_game *game = r->episode.game;
    size_t row = (size_t)(game->seats * game->heads), room = 0;
    *marks = (lu_replay_marks){0};
    lu_env_reset(env, r->seed, r->episode.options);
    while (env->decisions < r->decisions && !lu_watch_stops(watch)) {
        const int32_t *actions = r->actions + (size_t)env->decisions * row;
        memcpy(env->before, env->state, env->rules->state_bytes);
        lu_env_skip(env, actions);
        uint64_t bits = game->events_of(env->rules, env->before, env->state, actions);
        if (bits) {
            add_mark(marks, &room, env->decisions, bits);
        }
        if (env->decisions % 4096 == 0) {
            lu_watch_tell(watch, (double)env->decisions / (double)r->decisions,
                          "looking for events");
        }
    }
    return lu_watch_stops(watch) ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

void lu_replay_marks_free(lu_replay_marks *marks) {
    free(marks->list);
    *marks = (lu_replay_marks){0};
}
