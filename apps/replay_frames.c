/* Frames of a replay as JSON and text: see replay_frames.h. */
#include "replay_frames.h"

#include "output.h"
#include "screen.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* ---- events ---- */

static void add_mark(replay_marks *marks, size_t *room, int64_t frame, uint64_t bits) {
    if (marks->count == *room) {
        *room = *room ? *room * 2 : 64;
        marks->list = lu_realloc(marks->list, *room * sizeof *marks->list);
    }
    marks->list[marks->count++] = (replay_mark){frame, bits};
}

lu_status replay_marks_find(const lu_replay *r, lu_env *env, replay_marks *marks, lu_error *error) {
    const lu_game *game = r->episode.game;
    size_t row = (size_t)(game->seats * game->heads), room = 0;
    *marks = (replay_marks){0};
    progress_start();
    lu_env_reset(env, r->seed, r->episode.options);
    while (env->decisions < r->decisions && !interrupted()) {
        const int32_t *actions = r->actions + (size_t)env->decisions * row;
        memcpy(env->before, env->state, env->rules->state_bytes);
        lu_env_skip(env, actions);
        uint64_t bits = game->events_of(env->rules, env->before, env->state, actions);
        if (bits) {
            add_mark(marks, &room, env->decisions, bits);
        }
        if (env->decisions % 4096 == 0) {
            progress((double)env->decisions / (double)r->decisions, "looking for events");
        }
    }
    progress_end();
    return interrupted() ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

void replay_marks_free(replay_marks *marks) {
    free(marks->list);
    *marks = (replay_marks){0};
}

/* ---- lines ---- */

lu_status replay_print_lines(lu_replay *r, lu_env *env, int64_t from, const unsigned *parts,
                             lu_error *error) {
    size_t row = (size_t)r->episode.game->seats * (size_t)r->episode.game->heads;
    lu_json line;
    lu_text text;
    lu_json_init(&line);
    lu_text_init(&text);
    lu_replay_seek(r, env, from);
    for (;;) {
        if (parts) {
            lu_replay_write_frame(r, env, *parts, &line);
            out_json(&line);
        } else {
            lu_text_clear(&text);
            lu_text_addf(&text, "%6lld  ", (long long)env->decisions);
            board_step(&text, env, 0);
            lu_text_add_char(&text, '\n');
            out_write(text.text, text.length);
        }
        if (env->decisions >= r->decisions || interrupted()) {
            break;
        }
        lu_env_step(env, r->actions + (size_t)env->decisions * row);
    }
    if (!parts) {
        lu_text_clear(&text);
        lu_text_add_char(&text, '\n');
        board_show(&text, env, 0, 1000);
        board_summary(&text, env, 0);
        out_write(text.text, text.length);
    }
    lu_json_free(&line);
    lu_text_free(&text);
    return interrupted() ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}
