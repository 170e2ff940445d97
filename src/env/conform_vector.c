/* Checks of the battery on vectors: they do what single environments do, whenever episodes end and
 * however the next ones begin. */
#include "conform_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    const char *what;
    const void *vector, *single;
    size_t bytes;
} pair;

static bool same(lu_checker *c, const pair *pairs, int count, int index, int64_t step) {
    for (int i = 0; i < count; i++) {
        int64_t at = lu_first_difference(pairs[i].vector, pairs[i].single, pairs[i].bytes);
        if (at >= 0) {
            return lu_checker_fail(c,
                                   "%s of environment %d at step %lld differs between vector and "
                                   "single stepping, from byte %lld on",
                                   pairs[i].what, index, (long long)step, (long long)at);
        }
    }
    return true;
}

/* What the next decision of an environment sees, against its twin. */
static bool compare_observation(lu_checker *c, const lu_bench_rows *r, const lu_env *env, int index,
                                int64_t step) {
    const lu_game *g = c->game;
    const lu_buffers *b = &r->buffers;
    size_t seats = (size_t)g->seats, row = (size_t)index * seats, n = (size_t)index;
    size_t seen = (size_t)lu_game_observation_length(g), critic = (size_t)lu_game_critic_length(g);
    size_t options = (size_t)lu_game_mask_length(g), infos = (size_t)g->infos;
    const pair next[] = {
        {"state", lu_vec_state(r->vec, index), env->state, c->rules->state_bytes},
        {"observation", b->observation + row * seen, env->observation,
         seats * seen * sizeof(float)},
        {"critic block", b->critic + row * critic, env->critic, seats * critic * sizeof(float)},
        {"mask", b->mask + row * options, env->mask, seats * options},
        {"to_move", b->to_move + n, &env->to_move, 1},
        {"info", b->info + row * infos, env->info, seats * infos * sizeof(double)},
        {"place", &lu_vec_place(r->vec, index)->seed, &env->seed, sizeof(uint64_t)},
    };
    return same(c, next, 7, index, step);
}

/* One environment of the vector against its twin, which has just made the same step. */
static bool compare_step(lu_checker *c, const lu_bench_rows *r, lu_env *env, int index,
                         int64_t step) {
    const lu_game *g = c->game;
    const lu_buffers *b = &r->buffers;
    size_t seats = (size_t)g->seats, row = (size_t)index * seats, n = (size_t)index;
    size_t seen = (size_t)lu_game_observation_length(g), critic = (size_t)lu_game_critic_length(g);
    size_t options = (size_t)lu_game_mask_length(g), count = seats * (size_t)g->terms;
    size_t infos = (size_t)g->infos;
    float reward[LU_MAX_SEATS], terms[LU_MAX_SEATS * LU_MAX_TERMS];
    for (size_t i = 0; i < seats; i++) {
        reward[i] = (float)env->reward[i];
    }
    for (size_t i = 0; i < count; i++) {
        terms[i] = (float)env->terms[i];
    }
    const pair first[] = {
        {"reward", b->reward + row, reward, seats * sizeof(float)},
        {"terms", b->terms + row * (size_t)g->terms, terms, count * sizeof(float)},
        {"terminated", b->terminated + n, &env->step.terminated, 1},
        {"truncated", b->truncated + n, &env->step.truncated, 1},
        {"illegal", b->illegal + n, &env->step.illegal, 1},
        {"ticks", b->ticks + n, &env->step.ticks, sizeof(int32_t)},
    };
    const pair last[] = {
        {"final observation", b->final_observation + row * seen, env->observation,
         seats * seen * sizeof(float)},
        {"final critic block", b->final_critic + row * critic, env->critic,
         seats * critic * sizeof(float)},
        {"final mask", b->final_mask + row * options, env->mask, seats * options},
        {"final info", b->final_info + row * infos, env->info, seats * infos * sizeof(double)},
    };
    if (!same(c, first, 6, index, step) || (env->over && !same(c, last, 4, index, step))) {
        return false;
    }
    if (env->over && r->autoreset == LU_SAME_STEP) {
        lu_env_reset(env, lu_mix(c->options->seed, n, lu_vec_place(r->vec, index)->episode), NULL);
    }
    return compare_observation(c, r, env, index, step);
}

enum { TWINS = 5 };

/* A step of the twin of an environment that has ended: it starts its next episode, or nothing
 * happens but that the end is told again. */
static void wait_step(lu_checker *c, const lu_bench_rows *r, lu_env *env, int index) {
    const lu_game *g = c->game;
    if (r->autoreset == LU_NEXT_STEP) {
        uint64_t episode = lu_vec_place(r->vec, index)->episode;
        lu_env_reset(env, lu_mix(c->options->seed, (uint64_t)index, episode), NULL);
        return;
    }
    memset(env->reward, 0, (size_t)g->seats * sizeof *env->reward);
    memset(env->terms, 0, (size_t)(g->seats * g->terms) * sizeof *env->terms);
    env->step.ticks = 0;
    env->step.illegal = 0;
}

/* Resets every environment that waits, now with seeds of their own choice and now with the next
 * ones, and its twin. */
static void reset_waiting(lu_checker *c, const lu_bench_rows *r, lu_env *const *twin, int64_t step,
                          const void *options) {
    int32_t which[TWINS];
    uint64_t seeds[TWINS];
    int count = 0;
    for (int i = TWINS - 1; i >= 0; i--) { /* any order will do */
        if (twin[i]->over) {
            seeds[count] = lu_mix(c->options->seed, (uint64_t)i, (uint64_t)-step);
            which[count++] = i;
        }
    }
    const uint64_t *given = step % 2 ? seeds : NULL;
    lu_vec_reset_some(r->vec, which, count, given, given ? options : NULL, &r->buffers);
    for (int k = 0; k < count && !c->failed; k++) {
        int i = which[k];
        uint64_t episode = lu_vec_place(r->vec, i)->episode;
        lu_env_reset(twin[i], given ? seeds[k] : lu_mix(c->options->seed, (uint64_t)i, episode),
                     given ? options : NULL);
        compare_observation(c, r, twin[i], i, step);
    }
}

/* Steps a vector and its twins side by side. */
static void walk_twins(lu_checker *c, lu_autoreset autoreset, int threads, int64_t steps,
                       const void *options) {
    lu_bench_rows r;
    lu_env *twin[TWINS];
    lu_rng rng = lu_checker_rng(c, 4);
    int row = c->game->seats * c->game->heads;
    if (!lu_bench_rows_init(&r, c, TWINS, c->options->seed, threads)) {
        return;
    }
    r.autoreset = autoreset;
    lu_vec_set_autoreset(r.vec, autoreset);
    for (int i = 0; i < TWINS; i++) {
        twin[i] = lu_checker_env(c);
        lu_env_reset(twin[i], lu_mix(c->options->seed, (uint64_t)i, 0), NULL);
    }
    for (int64_t step = 1; step <= steps && !c->failed; step++) {
        lu_bench_rows_choose(&r, c, LU_PLAY_MIXED, &rng);
        lu_vec_step(r.vec, &r.buffers);
        for (int i = 0; i < TWINS && !c->failed; i++) {
            if (twin[i]->over) {
                wait_step(c, &r, twin[i], i);
            } else {
                lu_env_step(twin[i], r.actions + i * row);
            }
            compare_step(c, &r, twin[i], i, step);
        }
        if (autoreset == LU_NO_RESET && step % 3 == 0 && !c->failed) {
            reset_waiting(c, &r, twin, step, options);
        }
    }
    for (int i = 0; i < TWINS; i++) {
        lu_env_delete(twin[i]);
    }
    lu_bench_rows_free(&r);
}

void lu_check_vector_single(lu_checker *c) {
    walk_twins(c, LU_SAME_STEP, 1, c->options->steps / TWINS, NULL);
}

void lu_check_resets(lu_checker *c) {
    const lu_game *g = c->game;
    int64_t steps = c->options->steps / TWINS / 2;
    void *options = NULL;
    lu_error error;
    if (g->options.bytes > 0) {
        lu_settings *values = lu_settings_new();
        lu_settings_add(values, g->options.table);
        options = lu_alloc_zero(1, g->options.bytes);
        if (g->options.init(c->rules, values, options, &error) != LU_OK) {
            lu_checker_fail(c, "the default options are refused: %s", error.text);
        }
        lu_settings_delete(values);
    }
    for (int threads = 1; threads <= 3 && !c->failed; threads += 2) {
        walk_twins(c, LU_NEXT_STEP, threads, steps / 2, NULL);
        if (!c->failed) {
            walk_twins(c, LU_NO_RESET, threads, steps / 2, options);
        }
    }
    free(options);
}

void lu_check_alone(lu_checker *c) {
    const lu_game *g = c->game;
    enum { MOST = 4096 }; /* decisions of an episode that is looked at */
    size_t row = (size_t)(g->seats * g->heads), seen = (size_t)lu_game_observation_length(g);
    size_t infos = (size_t)(g->seats * g->infos);
    int32_t *actions = lu_alloc(MOST * row * sizeof *actions);
    size_t taken = 0;
    int episodes = 0;
    lu_bench_rows r;
    lu_rng rng = lu_checker_rng(c, 5);
    if (!lu_bench_rows_init(&r, c, 1, c->options->seed, 1)) {
        free(actions);
        return;
    }
    for (int64_t step = 0; step < c->options->steps && !c->failed; step++) {
        lu_bench_rows_choose(&r, c, LU_PLAY_MIXED, &rng);
        if (taken < MOST) {
            memcpy(actions + taken * row, r.actions, row * sizeof *actions);
        }
        taken++;
        lu_vec_step(r.vec, &r.buffers);
        if (!r.buffers.terminated[0] && !r.buffers.truncated[0]) {
            continue;
        }
        lu_env *env = lu_checker_env(c);
        lu_env_reset(env, r.buffers.final_seed[0], NULL);
        for (size_t i = 0; i < taken && i < MOST && !env->over; i++) {
            lu_env_step(env, actions + i * row);
        }
        if (taken <= MOST &&
            ((size_t)env->decisions != taken || !env->over ||
             memcmp(env->info, r.buffers.final_info, infos * sizeof(double)) != 0 ||
             memcmp(env->observation, r.buffers.final_observation,
                    (size_t)g->seats * seen * sizeof(float)) != 0)) {
            lu_checker_fail(c,
                            "episode %d, of %zu decisions, ends otherwise when it is replayed from "
                            "its seed %llu",
                            episodes, taken, (unsigned long long)r.buffers.final_seed[0]);
        }
        lu_env_delete(env);
        taken = 0;
        if (++episodes >= 200) {
            break;
        }
    }
    if (episodes == 0) {
        lu_checker_skip(c, "no episode ended within the steps of this check");
    }
    lu_bench_rows_free(&r);
    free(actions);
}
