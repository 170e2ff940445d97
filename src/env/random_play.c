/* Mindless play and its hash: see random_play.h. This file is part of the WASM build: builds,
 * compilers and machines are compared by what lu_conform_hash gives. */
#include "random_play.h"

#include "ludus/conform.h"
#include "ludus/hash.h"

enum { ENVIRONMENTS = 4 };

static int32_t wild(const lu_head *head, lu_rng *rng) {
    switch (lu_rng_below(rng, 8)) {
    case 0:
        return INT32_MIN;
    case 1:
        return INT32_MAX;
    case 2:
        return -1;
    case 3:
        return head->options;
    case 4:
        return (int32_t)(uint32_t)(lu_rng_u64(rng) >> 32);
    default:
        return (int32_t)lu_rng_below(rng, (uint32_t)head->options);
    }
}

void lu_play_choose(const lu_game *game, const lu_rules *rules, const void *state,
                    const uint8_t *mask, lu_play play, lu_rng *rng, int32_t *actions) {
    size_t options = (size_t)lu_game_mask_length(game);
    for (int seat = 0; seat < game->seats; seat++) {
        int32_t *mine = actions + seat * game->heads;
        if (play == LU_PLAY_WILD || (play == LU_PLAY_MIXED && lu_rng_below(rng, 8) == 0)) {
            for (int h = 0; h < game->heads; h++) {
                mine[h] = wild(&game->head[h], rng);
            }
        } else {
            lu_action_random(game, rules, state, seat, mask + (size_t)seat * options, rng, mine);
        }
    }
}

uint64_t lu_play_digest(const lu_env *env, uint64_t hash) {
    const lu_game *game = env->game;
    size_t seats = (size_t)game->seats;
    const int64_t numbers[] = {env->step.ticks,   env->step.terminated, env->step.truncated,
                               env->step.illegal, env->to_move,         (int64_t)env->step.changed,
                               env->decisions};
    hash = lu_hash(env->state, env->rules->state_bytes, hash);
    hash = lu_hash(env->observation,
                   seats * (size_t)lu_game_observation_length(game) * sizeof(float), hash);
    hash = lu_hash(env->critic, seats * (size_t)lu_game_critic_length(game) * sizeof(float), hash);
    hash = lu_hash(env->mask, seats * (size_t)lu_game_mask_length(game), hash);
    hash = lu_hash(env->terms, seats * (size_t)game->terms * sizeof(double), hash);
    hash = lu_hash(env->reward, seats * sizeof(double), hash);
    hash = lu_hash(env->info, seats * (size_t)game->infos * sizeof(double), hash);
    return lu_hash(numbers, sizeof numbers, hash);
}

uint64_t lu_play_hash(const lu_game *game, const lu_rules *rules, const lu_core *core,
                      uint64_t seed, int64_t steps) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    uint64_t hash = rules->hash;
    for (int index = 0; index < ENVIRONMENTS; index++) {
        lu_env *env = lu_env_new(game, rules);
        lu_rng rng = lu_rng_from(lu_mix(seed, (uint64_t)index, UINT64_MAX));
        uint64_t episode = 0;
        env->core = core;
        lu_env_reset(env, lu_mix(seed, (uint64_t)index, episode), NULL);
        hash = lu_play_digest(env, hash);
        for (int64_t step = 0; step < steps / ENVIRONMENTS; step++) {
            lu_play_choose(game, rules, env->state, env->mask, LU_PLAY_MIXED, &rng, actions);
            lu_env_step(env, actions);
            hash = lu_play_digest(env, hash);
            if (env->over) {
                lu_env_reset(env, lu_mix(seed, (uint64_t)index, ++episode), NULL);
                hash = lu_play_digest(env, hash);
            }
        }
        lu_env_delete(env);
    }
    return hash;
}

uint64_t lu_conform_hash(const lu_game *game, const lu_rules *rules, uint64_t seed, int64_t steps) {
    return lu_play_hash(game, rules, lu_game_core(game), seed, steps);
}
