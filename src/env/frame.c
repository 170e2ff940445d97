/* Frames as JSON: see frame.h. A table says which members there are, in order; leaves out text for
 * people at a terminal (apps/screen.c) and finding frames (replay.c). */
#include "ludus/frame.h"

#include <string.h>

/* ---- words ---- */

void lu_frame_actions(const lu_env *env, lu_text *text) {
    for (int seat = 0; seat < env->game->seats && env->decisions > 0; seat++) {
        lu_text_add(text, seat ? " | " : "");
        lu_action_name(env->game, env->actions + seat * env->game->heads, text);
    }
}

void lu_frame_story(const lu_env *env, lu_text *text) {
    if (env->decisions > 0 && env->game->story) {
        env->game->story(env->rules, env->before, env->state, env->actions, text);
    } else {
        lu_frame_actions(env, text);
    }
}

uint64_t lu_frame_events(const lu_env *env) {
    return env->decisions > 0 && env->game->events_of
               ? env->game->events_of(env->rules, env->before, env->state, env->actions)
               : 0;
}

static void write_story(const lu_env *env, lu_json *json) {
    lu_text text = LU_TEXT_INIT;
    lu_frame_story(env, &text);
    lu_json_string_n(json, text.text, text.length);
    lu_text_free(&text);
}

void lu_frame_write_events(const lu_env *env, lu_json *json) {
    uint64_t bits = lu_frame_events(env);
    lu_json_array(json);
    for (int e = 0; e < env->game->events; e++) {
        if ((bits >> e) & 1) {
            lu_json_string(json, env->game->event[e].name);
        }
    }
    lu_json_array_end(json);
}

/* ---- the last step ---- */

static void write_t(const lu_env *env, lu_json *json) {
    lu_json_int(json, env->decisions - 1);
}

static void write_action(const lu_env *env, lu_json *json) {
    int count = env->game->seats * env->game->heads;
    if (env->decisions == 0) {
        lu_json_null(json);
    } else if (count == 1) {
        lu_json_int(json, env->actions[0]);
    } else {
        lu_json_array(json);
        for (int i = 0; i < count; i++) {
            lu_json_int(json, env->actions[i]);
        }
        lu_json_array_end(json);
    }
}

static void write_reward(const lu_env *env, int seat, lu_json *json) {
    lu_json_real(json, env->reward[seat]);
}

static void write_reals(const double *values, int count, lu_json *json) {
    lu_json_array(json);
    for (int i = 0; i < count; i++) {
        lu_json_real(json, values[i]);
    }
    lu_json_array_end(json);
}

static void write_rewards(const lu_env *env, lu_json *json) {
    write_reals(env->reward, env->game->seats, json);
}

static void write_returns(const lu_env *env, lu_json *json) {
    write_reals(env->returns, env->game->seats, json);
}

void lu_frame_write_terms(const lu_env *env, int seat, lu_json *json) {
    const lu_game *game = env->game;
    lu_json_object(json);
    for (int t = 0; t < game->terms; t++) {
        lu_json_key_real(json, game->term[t].name, env->terms[seat * game->terms + t]);
    }
    lu_json_object_end(json);
}

static void write_terminated(const lu_env *env, lu_json *json) {
    lu_json_bool(json, env->step.terminated);
}

static void write_truncated(const lu_env *env, lu_json *json) {
    lu_json_bool(json, env->step.truncated);
}

/* ---- now ---- */

static void write_decisions(const lu_env *env, lu_json *json) {
    lu_json_int(json, env->decisions);
}

static void write_ticks(const lu_env *env, lu_json *json) {
    lu_json_int(json, env->ticks);
}

static void write_over(const lu_env *env, lu_json *json) {
    lu_json_bool(json, env->over);
}

static const uint8_t *mask_of(const lu_env *env, int seat) {
    return env->mask + (size_t)seat * (size_t)lu_game_mask_length(env->game);
}

static void write_bits(const uint8_t *mask, int count, bool over, lu_json *json) {
    lu_json_array(json);
    for (int i = 0; i < count; i++) {
        lu_json_int(json, !over && mask[i]);
    }
    lu_json_array_end(json);
}

static void write_mask(const lu_env *env, int seat, lu_json *json) {
    write_bits(mask_of(env, seat), lu_game_mask_length(env->game), false, json);
}

static void write_heads(const lu_env *env, int seat, lu_json *json) {
    const uint8_t *mask = mask_of(env, seat);
    lu_json_array(json);
    for (int h = 0; h < env->game->heads; h++) {
        write_bits(mask, env->game->head[h].options, env->over, json);
        mask += env->game->head[h].options;
    }
    lu_json_array_end(json);
}

static void write_legal(const lu_env *env, int seat, lu_json *json) {
    const uint8_t *mask = mask_of(env, seat);
    lu_json_array(json);
    for (int i = 0; i < lu_game_mask_length(env->game) && !env->over; i++) {
        if (mask[i]) {
            lu_json_int(json, i);
        }
    }
    lu_json_array_end(json);
}

static void write_observation(const lu_env *env, int seat, lu_json *json) {
    int length = lu_game_observation_length(env->game);
    lu_json_array(json);
    for (int i = 0; i < length; i++) {
        lu_json_float(json, env->observation[seat * length + i]);
    }
    lu_json_array_end(json);
}

static void write_sight(const lu_env *env, int seat, lu_json *json) {
    env->game->to_json(env->rules, env->state, seat, json);
}

static void write_info(const lu_env *env, int seat, lu_json *json) {
    lu_info_write(env->game, env->info + seat * env->game->infos, json);
}

static void write_hidden(const lu_env *env, lu_json *json) {
    write_sight(env, -1, json);
}

static void write_state(const lu_env *env, lu_json *json) {
    write_sight(env, env->game->seats > 1 ? -1 : 0, json);
}

static void write_hash(const lu_env *env, lu_json *json) {
    lu_json_hex(json, lu_env_hash(env));
}

static void write_to_move(const lu_env *env, lu_json *json) {
    lu_json_int(json, env->over ? 0 : env->to_move);
}

/* ---- the frame ---- */

/* A member is one value, or one of every seat. */
static const struct {
    unsigned part;
    const char *key;
    void (*whole)(const lu_env *, lu_json *);
    void (*of_seat)(const lu_env *, int, lu_json *);
} members[] = {
    {LU_FRAME_STEP, "t", write_t, NULL},
    {LU_FRAME_STEP, "action", write_action, NULL},
    {LU_FRAME_COUNTS, "decisions", write_decisions, NULL},
    {LU_FRAME_COUNTS, "ticks", write_ticks, NULL},
    {LU_FRAME_COUNTS, "over", write_over, NULL},
    {LU_FRAME_REWARD, "reward", NULL, write_reward},
    {LU_FRAME_REWARDS, "rewards", write_rewards, NULL},
    {LU_FRAME_RETURNS, "returns", write_returns, NULL},
    {LU_FRAME_TERMS, "terms", NULL, lu_frame_write_terms},
    {LU_FRAME_ENDS, "terminated", write_terminated, NULL},
    {LU_FRAME_ENDS, "truncated", write_truncated, NULL},
    {LU_FRAME_WORDS, "story", write_story, NULL},
    {LU_FRAME_WORDS, "events", lu_frame_write_events, NULL},
    {LU_FRAME_MASK, "mask", NULL, write_mask},
    {LU_FRAME_HEADS, "mask", NULL, write_heads},
    {LU_FRAME_OBSERVATION, "obs", NULL, write_observation},
    {LU_FRAME_INFO, "info", NULL, write_info},
    {LU_FRAME_STATE, "state", write_state, NULL},
    {LU_FRAME_HIDDEN, "state", write_hidden, NULL},
    {LU_FRAME_SIGHTS, "state", NULL, write_sight},
    {LU_FRAME_HASH, "hash", write_hash, NULL},
    {LU_FRAME_LEGAL, "legal", NULL, write_legal},
    {LU_FRAME_TO_MOVE, "to_move", write_to_move, NULL},
};

/* Of each seat in `shown` its value, of the others null. */
static void write_seats(const lu_env *env, unsigned shown, lu_json *json,
                        void (*write)(const lu_env *, int, lu_json *)) {
    if (env->game->seats > 1) {
        lu_json_array(json);
    }
    for (int seat = 0; seat < env->game->seats; seat++) {
        if ((shown >> seat) & 1) {
            write(env, seat, json);
        } else {
            lu_json_null(json);
        }
    }
    if (env->game->seats > 1) {
        lu_json_array_end(json);
    }
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
    if (thought->foresees) {
        lu_json_key(json, "win");
        lu_json_float(json, thought->win);
    }
    lu_json_key_array(json, "top");
    for (int i = 0; i < thought->top_count; i++) {
        const char *name = lu_option_name(game, thought->top_action[i]);
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
static void write_thoughts(const lu_game *game, const lu_thought *thoughts, lu_json *json) {
    if (game->seats == 1) {
        write_thought(game, thoughts, json);
        return;
    }
    lu_json_array(json);
    for (int seat = 0; seat < game->seats; seat++) {
        write_thought(game, &thoughts[seat], json);
    }
    lu_json_array_end(json);
}

void lu_frame_write_shown(const lu_env *env, unsigned parts, unsigned shown, lu_json *json) {
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        if (!(parts & members[m].part)) {
            continue;
        }
        lu_json_key(json, members[m].key);
        if (members[m].whole) {
            members[m].whole(env, json);
        } else {
            write_seats(env, shown, json, members[m].of_seat);
        }
    }
}

void lu_frame_write(const lu_env *env, unsigned parts, const lu_thought *thoughts, lu_json *json) {
    lu_frame_write_shown(env, parts, ~0u, json);
    if (thoughts) {
        lu_json_key(json, "thought");
        write_thoughts(env->game, thoughts, json);
    }
}

/* ---- replays ---- */

static void write_texts(const lu_episode *episode, lu_json *json) {
    const char *options = *episode->options_json ? episode->options_json : "{}";
    lu_json_key_raw(json, "settings", episode->settings_json);
    lu_json_key_raw(json, "options", options);
}

void lu_replay_write_header(const lu_replay *replay, const char *file, lu_json *json) {
    const lu_episode *episode = &replay->episode;
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "file", file);
    lu_json_key_string(json, "game", episode->game->id);
    lu_json_key(json, "seed");
    lu_json_uint(json, replay->seed);
    write_texts(episode, json);
    lu_json_key_object(json, "weights");
    for (int t = 0; t < episode->game->terms; t++) {
        lu_json_key_real(json, episode->game->term[t].name, episode->rules->weight[t]);
    }
    lu_json_object_end(json);
    lu_json_key_int(json, "decisions", replay->decisions);
    lu_json_key_bool(json, "ended", replay->ended);
    lu_json_key_bool(json, "thoughts", replay->thoughts);
    lu_json_key_hex(json, "spec", episode->rules->spec);
    lu_json_key_hex(json, "rules", episode->rules->hash);
    lu_json_object_end(json);
}

void lu_replay_write_frame(const lu_replay *replay, const lu_env *env, unsigned parts,
                           lu_json *json) {
    static const unsigned always = LU_FRAME_STEP | LU_FRAME_REWARDS | LU_FRAME_TERMS |
                                   LU_FRAME_ENDS | LU_FRAME_WORDS | LU_FRAME_INFO | LU_FRAME_HASH;
    lu_thought thoughts[LU_MAX_SEATS];
    bool thinks = replay->thoughts && env->decisions > 0;
    for (int seat = 0; thinks && seat < env->game->seats; seat++) {
        lu_replay_thought(replay, env->decisions - 1, seat, &thoughts[seat]);
    }
    lu_json_object(json);
    lu_frame_write(env, always | parts, thinks ? thoughts : NULL, json);
    lu_json_object_end(json);
}
