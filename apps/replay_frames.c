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

/* ---- JSON ---- */

void replay_write_header(const lu_replay *r, const char *path, lu_json *json) {
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "file", path);
    lu_json_key_string(json, "game", r->episode.game->id);
    lu_json_key(json, "seed");
    lu_json_uint(json, r->seed);
    lu_json_key(json, "settings");
    lu_json_raw(json, r->episode.settings_json, strlen(r->episode.settings_json));
    lu_json_key(json, "options");
    const char *options_text = *r->episode.options_json ? r->episode.options_json : "{}";
    lu_json_raw(json, options_text, strlen(options_text));
    lu_json_key(json, "weights");
    lu_json_object(json);
    for (int t = 0; t < r->episode.game->terms; t++) {
        lu_json_key_real(json, r->episode.game->term[t].name, r->episode.rules->weight[t]);
    }
    lu_json_object_end(json);
    lu_json_key_int(json, "decisions", r->decisions);
    lu_json_key_bool(json, "ended", r->ended);
    lu_json_key_bool(json, "thoughts", r->thoughts);
    lu_json_key(json, "spec");
    lu_json_hex(json, r->episode.rules->spec);
    lu_json_key(json, "model");
    lu_json_hex(json, r->episode.rules->hash);
    lu_json_object_end(json);
}

static void write_thought(const lu_game *game, const lu_thought *thought, lu_json *json) {
    if (!thought->known) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    lu_json_key(json, "value");
    lu_json_float(json, thought->value);
    lu_json_key(json, "entropy");
    lu_json_float(json, thought->entropy);
    lu_json_key(json, "top");
    lu_json_array(json);
    for (int i = 0; i < thought->top_count; i++) {
        const char *name = board_option(game, thought->top_action[i]);
        lu_json_object(json);
        lu_json_key_int(json, "action", thought->top_action[i]);
        if (game->heads > 1) {
            lu_json_key_string(json, "head",
                               game->head[lu_game_option_head(game, thought->top_action[i])].name);
        }
        if (name) {
            lu_json_key_string(json, "name", name);
        }
        lu_json_key(json, "probability");
        lu_json_float(json, thought->top_probability[i]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* The thought of the only seat, or an array with one or null per seat. */
static void write_thoughts(const lu_replay *r, int64_t decision, lu_json *json) {
    const lu_game *game = r->episode.game;
    lu_thought thought;
    if (game->seats > 1) {
        lu_json_array(json);
    }
    for (int seat = 0; seat < game->seats; seat++) {
        lu_replay_thought(r, decision, seat, &thought);
        write_thought(game, &thought, json);
    }
    if (game->seats > 1) {
        lu_json_array_end(json);
    }
}

/* Flat indices of the options that are legal before any dependency; none when the episode is over.
 */
static void write_legal(const lu_env *env, int seat, lu_json *json) {
    int length = lu_game_mask_length(env->game);
    lu_json_array(json);
    for (int i = 0; i < length && !env->over; i++) {
        if (env->mask[seat * length + i]) {
            lu_json_int(json, i);
        }
    }
    lu_json_array_end(json);
}

/* A value of the only seat, or an array with one per seat: as in a trace. */
static void per_seat(const lu_env *env, const char *key, lu_json *json,
                     void (*write)(const lu_env *, int, lu_json *)) {
    lu_json_key(json, key);
    if (env->game->seats == 1) {
        write(env, 0, json);
        return;
    }
    lu_json_array(json);
    for (int seat = 0; seat < env->game->seats; seat++) {
        write(env, seat, json);
    }
    lu_json_array_end(json);
}

static void write_words(const lu_env *env, lu_json *json) {
    lu_text words;
    lu_text_init(&words);
    if (env->decisions > 0) {
        story_of(env, &words);
    }
    lu_json_key_string(json, "story", words.text);
    lu_text_clear(&words);
    events_of(env, &words);
    lu_json_key_string(json, "events", words.text);
    lu_text_free(&words);
}

void replay_write_frame(const lu_replay *r, const lu_env *env, replay_wish wish, lu_json *json) {
    const lu_game *game = r->episode.game;
    lu_json_object(json);
    lu_json_key_int(json, "t", env->decisions - 1); /* -1: the reset, as in a trace */
    step_write_action(env, json);
    lu_json_key(json, "rewards");
    lu_json_array(json);
    for (int seat = 0; seat < game->seats; seat++) {
        lu_json_real(json, env->reward[seat]);
    }
    lu_json_array_end(json);
    per_seat(env, "terms", json, step_write_terms);
    lu_json_key_bool(json, "terminated", env->step.terminated);
    lu_json_key_bool(json, "truncated", env->step.truncated);
    write_words(env, json);
    lu_json_key(json, "info");
    lu_env_info_write(env, json);
    lu_json_key(json, "state");
    game->to_json(r->episode.rules, env->state, wish.hidden || game->seats > 1 ? -1 : 0, json);
    lu_json_key(json, "hash");
    lu_json_hex(json, lu_env_hash(env));
    if (wish.legal) {
        per_seat(env, "legal", json, write_legal);
    }
    if (r->thoughts && env->decisions > 0) {
        lu_json_key(json, "thought");
        write_thoughts(r, env->decisions - 1, json);
    }
    lu_json_object_end(json);
}

/* ---- lines ---- */

lu_status replay_print_lines(lu_replay *r, lu_env *env, int64_t from, const replay_wish *json,
                             lu_error *error) {
    size_t row = (size_t)r->episode.game->seats * (size_t)r->episode.game->heads;
    lu_json line;
    lu_text text;
    lu_json_init(&line);
    lu_text_init(&text);
    lu_replay_seek(r, env, from);
    for (;;) {
        if (json) {
            replay_write_frame(r, env, *json, &line);
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
    if (!json) {
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
