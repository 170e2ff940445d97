/* One environment for people and tools, and bots that sit in a seat: see env.h. It steps through
 * the same core as vec.c and adds what a host wants to show; speed is not its business. */
#include "ludus/env.h"

#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

lu_env *lu_env_new(const lu_game *game, const lu_rules *rules) {
    lu_env *env = lu_alloc_zero(1, sizeof *env);
    size_t seats = (size_t)game->seats;
    env->game = game;
    env->rules = rules;
    env->core = lu_game_core(game);
    env->state = lu_alloc_lines(rules->state_bytes);
    env->before = lu_alloc_lines(rules->state_bytes);
    env->observation =
        lu_alloc_zero(seats * (size_t)lu_game_observation_length(game) + 1, sizeof(float));
    env->critic = lu_alloc_zero(seats * (size_t)lu_game_critic_length(game) + 1, sizeof(float));
    env->mask = lu_alloc_zero(seats * (size_t)lu_game_mask_length(game) + 1, 1);
    env->terms = lu_alloc_zero(seats * (size_t)game->terms + 1, sizeof(double));
    env->reward = lu_alloc_zero(seats, sizeof(double));
    env->returns = lu_alloc_zero(seats, sizeof(double));
    env->info = lu_alloc_zero(seats * (size_t)game->infos + 1, sizeof(double));
    env->actions = lu_alloc_zero(seats * (size_t)game->heads, sizeof(int32_t));
    env->over = true;
    return env;
}

void lu_env_delete(lu_env *env) {
    if (!env) {
        return;
    }
    free(env->state);
    free(env->before);
    free(env->observation);
    free(env->critic);
    free(env->mask);
    free(env->terms);
    free(env->reward);
    free(env->returns);
    free(env->info);
    free(env->actions);
    free(env);
}

void lu_env_refresh(lu_env *env) {
    const lu_game *game = env->game;
    size_t length = (size_t)lu_game_observation_length(game);
    size_t critic = (size_t)lu_game_critic_length(game);
    size_t options = (size_t)lu_game_mask_length(game), infos = (size_t)game->infos;
    for (int seat = 0; seat < game->seats; seat++) {
        env->core->observe(env->rules, env->state, seat, LU_ALL_CHANGED,
                           env->observation + (size_t)seat * length);
        if (env->core->critic) {
            env->core->critic(env->rules, env->state, seat, env->critic + (size_t)seat * critic);
        }
        env->core->mask(env->rules, env->state, seat, env->mask + (size_t)seat * options);
        env->core->info(env->rules, env->state, seat, env->info + (size_t)seat * infos);
    }
    env->to_move = (uint8_t)((1u << game->seats) - 1u);
    if (env->core->to_move) {
        env->to_move = env->core->to_move(env->rules, env->state);
    }
}

void lu_env_reset(lu_env *env, uint64_t seed, const void *options) {
    const lu_game *game = env->game;
    env->core->reset(env->rules, env->state, seed, options);
    memcpy(env->before, env->state, env->rules->state_bytes);
    memset(env->terms, 0, (size_t)(game->seats * game->terms) * sizeof(double));
    memset(env->reward, 0, (size_t)game->seats * sizeof(double));
    memset(env->returns, 0, (size_t)game->seats * sizeof(double));
    memset(env->actions, 0, (size_t)(game->seats * game->heads) * sizeof(int32_t));
    memset(&env->step, 0, sizeof env->step);
    env->seed = seed;
    env->decisions = 0;
    env->ticks = 0;
    env->illegal = 0;
    env->over = false;
    lu_env_refresh(env);
}

void lu_env_skip(lu_env *env, const int32_t *actions) {
    const lu_game *game = env->game;
    LU_ASSERT(!env->over);
    memcpy(env->actions, actions, (size_t)(game->seats * game->heads) * sizeof(int32_t));
    memset(env->terms, 0, (size_t)(game->seats * game->terms) * sizeof(double));
    memset(&env->step, 0, sizeof env->step);
    env->core->step(env->rules, env->state, env->actions, env->terms, &env->step);
    for (int seat = 0; seat < game->seats; seat++) {
        double sum = 0.0;
        for (int t = 0; t < game->terms; t++) {
            sum += env->rules->weight[t] * env->terms[seat * game->terms + t];
        }
        env->reward[seat] = sum;
        env->returns[seat] += sum;
        env->illegal += (env->step.illegal >> seat) & 1;
    }
    env->decisions++;
    env->ticks += env->step.ticks;
    env->over = env->step.terminated || env->step.truncated;
}

void lu_env_step(lu_env *env, const int32_t *actions) {
    memcpy(env->before, env->state, env->rules->state_bytes);
    lu_env_skip(env, actions);
    lu_env_refresh(env);
}

unsigned lu_env_choosers(const lu_env *env) {
    unsigned seats = env->over ? 0u : env->to_move;
    for (int seat = 0; seat < env->game->seats; seat++) {
        seats &= lu_game_drives(env->game, env->rules, seat) ? ~(1u << seat) : ~0u;
    }
    return seats;
}

uint64_t lu_env_hash(const lu_env *env) {
    return lu_hash(env->state, env->rules->state_bytes, 0);
}

double lu_env_info(const lu_env *env, int seat, const char *name) {
    int index = lu_game_info_index(env->game, name);
    LU_ASSERT(index >= 0 && seat >= 0 && seat < env->game->seats);
    return env->info[seat * env->game->infos + index];
}

void lu_info_write(const lu_game *game, const double *info, lu_json *json) {
    lu_json_object(json);
    for (int i = 0; i < game->infos; i++) {
        const lu_info *row = &game->info[i];
        const char *name;
        uint64_t bits;
        lu_json_key(json, row->name);
        switch (row->kind) {
        case LU_INFO_REAL:
            lu_json_real(json, info[i]);
            break;
        case LU_INFO_COUNT:
        case LU_INFO_FLAG:
            lu_json_int(json, (int64_t)info[i]);
            break;
        case LU_INFO_BITS:
            memcpy(&bits, &info[i], sizeof bits);
            lu_json_hex(json, bits);
            break;
        case LU_INFO_NAME:
            name = lu_info_name(row, info[i]);
            lu_json_string(json, name);
            break;
        }
    }
    lu_json_object_end(json);
}

void lu_env_info_write(const lu_env *env, lu_json *json) {
    const lu_game *game = env->game;
    if (game->seats > 1) {
        lu_json_array(json);
    }
    for (int seat = 0; seat < game->seats; seat++) {
        lu_info_write(game, env->info + seat * game->infos, json);
    }
    if (game->seats > 1) {
        lu_json_array_end(json);
    }
}

/* Whether a head is one of several like it, such as a card each to leave or to choose. */
static bool one_of_many(const lu_game *game, int head) {
    const char *const *option = game->head[head].option;
    bool before = head > 0 && game->head[head - 1].option == option;
    bool after = head + 1 < game->heads && game->head[head + 1].option == option;
    return game->head[head].options == 2 && (before || after);
}

/* What one head was told; false when that goes without saying: of many like heads only those are
 * named where the second option was taken. */
static bool head_words(const lu_game *game, int number, int32_t choice, lu_text *text) {
    const lu_head *head = &game->head[number];
    if (choice < 0 || choice >= head->options) {
        lu_text_addf(text, "%d (no such option)", (int)choice);
    } else if (one_of_many(game, number)) {
        lu_text_add(text, choice == 1 ? head->name : "");
        return choice == 1;
    } else {
        lu_text_add(text, head->option[choice]);
    }
    return true;
}

void lu_action_name(const lu_game *game, const int32_t *actions, lu_text *text) {
    bool first = true;
    lu_text word = LU_TEXT_INIT;
    for (int h = 0; h < game->heads; h++) {
        lu_text_clear(&word);
        if (lu_head_needed(game, h, actions) && head_words(game, h, actions[h], &word)) {
            lu_text_add(text, first ? "" : ", ");
            lu_text_add(text, word.text);
            first = false;
        }
    }
    lu_text_free(&word);
}

/* ---- bots ---- */

void lu_seated_bot_init(lu_seated_bot *seated, const lu_bot *bot) {
    seated->bot = bot;
    seated->memory = bot->memory_bytes > 0 ? lu_alloc_zero(1, (size_t)bot->memory_bytes) : NULL;
    seated->rng = lu_rng_from(0);
}

void lu_seated_bot_free(lu_seated_bot *seated) {
    free(seated->memory);
    seated->memory = NULL;
}

void lu_seated_bot_begin(lu_seated_bot *seated, uint64_t seed) {
    if (seated->memory) {
        memset(seated->memory, 0, (size_t)seated->bot->memory_bytes);
    }
    seated->rng = lu_rng_from(lu_mix(seed, 0, 1));
}

void lu_seated_bot_act(lu_seated_bot *seated, const lu_env *env, int seat, int32_t *actions) {
    const lu_game *game = env->game;
    size_t row = (size_t)seat;
    lu_seat_view view = {
        .rules = env->rules,
        .state = env->state,
        .seat = seat,
        .observation = env->observation + row * (size_t)lu_game_observation_length(game),
        .mask = env->mask + row * (size_t)lu_game_mask_length(game),
        .memory = seated->memory,
        .rng = &seated->rng,
    };
    lu_bot_act(game, seated->bot, &view, actions);
}
