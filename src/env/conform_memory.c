/* Checks of the battery on memory: functions write what they must, nothing more, and allocate
 * nothing. */
#include "conform_internal.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 }; /* bytes in front of and behind a row */

/* A row between two guards, written twice on different grounds. */
typedef struct guarded {
    const char *what;
    size_t bytes;
    unsigned char *ground[2];
} guarded;

static const unsigned char colours[2] = {0x55, 0xAA};

static void guarded_init(guarded *g, const char *what, size_t bytes) {
    g->what = what;
    g->bytes = bytes;
    for (int i = 0; i < 2; i++) {
        /* aligned for any type: the guard is a multiple of every alignment */
        size_t whole = (bytes + 2 * GUARD + 63) / 64 * 64;
        g->ground[i] = aligned_alloc(64, whole);
        if (!g->ground[i]) {
            lu_out_of_memory(whole);
        }
    }
}

static void guarded_free(guarded *g) {
    free(g->ground[0]);
    free(g->ground[1]);
}

static void *guarded_row(guarded *g, int i) {
    memset(g->ground[i], colours[i], g->bytes + 2 * GUARD);
    return g->ground[i] + GUARD;
}

static bool guarded_good(lu_checker *c, const guarded *g) {
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < GUARD; k++) {
            if (g->ground[i][k] != colours[i] || g->ground[i][GUARD + g->bytes + k] != colours[i]) {
                return lu_checker_fail(c, "%s writes outside its row of %zu bytes", g->what,
                                       g->bytes);
            }
        }
    }
    int64_t at = lu_first_difference(g->ground[0] + GUARD, g->ground[1] + GUARD, g->bytes);
    return at < 0 ||
           lu_checker_fail(c, "%s does not write byte %lld of its row", g->what, (long long)at);
}

void lu_check_buffers(lu_checker *c) {
    const lu_game *g = c->game;
    const lu_core *core = c->core;
    enum { OBSERVE, CRITIC, MASK, INFO, STEP, TERMS, STATE, RESET, ROWS };
    guarded rows[ROWS];
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    size_t terms = (size_t)(g->seats * g->terms) * sizeof(double);
    guarded_init(&rows[OBSERVE], "observe", (size_t)lu_game_observation_length(g) * sizeof(float));
    guarded_init(&rows[CRITIC], "critic", (size_t)lu_game_critic_length(g) * sizeof(float));
    guarded_init(&rows[MASK], "mask", (size_t)lu_game_mask_length(g));
    guarded_init(&rows[INFO], "info", (size_t)g->infos * sizeof(double));
    guarded_init(&rows[STEP], "step, to lu_step,", sizeof(lu_step));
    guarded_init(&rows[TERMS], "step, to the terms,", terms);
    guarded_init(&rows[STATE], "step, to the state,", c->rules->state_bytes);
    guarded_init(&rows[RESET], "reset", c->rules->state_bytes);
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 40);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t n = 0; n < c->options->steps / 8 + 1 && !c->failed; n++) {
        int seat = (int)lu_rng_below(&rng, (uint32_t)g->seats);
        lu_checker_act(env, LU_PLAY_MIXED, &rng, actions);
        for (int i = 0; i < 2; i++) {
            core->observe(c->rules, env->state, seat, LU_ALL_CHANGED,
                          guarded_row(&rows[OBSERVE], i));
            core->mask(c->rules, env->state, seat, guarded_row(&rows[MASK], i));
            core->info(c->rules, env->state, seat, guarded_row(&rows[INFO], i));
            void *critic = guarded_row(&rows[CRITIC], i), *step = guarded_row(&rows[STEP], i);
            void *sum = guarded_row(&rows[TERMS], i), *state = guarded_row(&rows[STATE], i);
            void *first = guarded_row(&rows[RESET], i);
            if (core->critic) {
                core->critic(c->rules, env->state, seat, critic);
            } else {
                memset(critic, 0, rows[CRITIC].bytes);
            }
            memset(sum, 0, terms);
            memcpy(state, env->state, c->rules->state_bytes);
            if (env->over) {
                memset(step, 0, sizeof(lu_step));
            } else {
                core->step(c->rules, state, actions, sum, step);
            }
            /* a reset may rely on a state of zeros */
            memset(first, 0, c->rules->state_bytes);
            core->reset(c->rules, first, env->seed, NULL);
        }
        for (int i = 0; i < ROWS && !c->failed; i++) {
            guarded_good(c, &rows[i]);
        }
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
    }
    for (int i = 0; i < ROWS; i++) {
        guarded_free(&rows[i]);
    }
    lu_env_delete(env);
}

/* One decision of every function of the core, on buffers that are there already. */
static void touch_everything(lu_checker *c, lu_env *env, void *copy, lu_rng *rng,
                             const int32_t *actions) {
    const lu_game *g = c->game;
    const lu_core *core = c->core;
    memcpy(copy, env->state, c->rules->state_bytes);
    for (int seat = 0; seat < g->seats; seat++) {
        uint8_t *mask = env->mask + seat * lu_game_mask_length(g);
        int32_t chosen[LU_MAX_HEADS];
        core->observe(c->rules, copy, seat, LU_ALL_CHANGED,
                      env->observation + seat * lu_game_observation_length(g));
        core->mask(c->rules, copy, seat, mask);
        core->info(c->rules, copy, seat, env->info + seat * g->infos);
        if (core->critic) {
            core->critic(c->rules, copy, seat, env->critic + seat * lu_game_critic_length(g));
        }
        lu_action_random(g, c->rules, copy, seat, mask, rng, chosen); /* calls submask */
        core->determinise(c->rules, copy, seat, rng);
    }
    if (core->to_move) {
        (void)core->to_move(c->rules, copy);
    }
    memcpy(copy, env->state, c->rules->state_bytes);
    memset(env->terms, 0, (size_t)(g->seats * g->terms) * sizeof(double));
    core->step(c->rules, copy, actions, env->terms, &env->step);
    core->reset(c->rules, copy, lu_rng_u64(rng), NULL);
}

void lu_check_no_allocation(lu_checker *c) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    if (!lu_alloc_count) {
        lu_checker_skip(c, "this program does not count allocations (target ludus_alloc_count)");
        return;
    }
    lu_bench_rows r;
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 41);
    void *copy = aligned_alloc(64, (c->rules->state_bytes + 63u) / 64u * 64u);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    if (copy && lu_bench_rows_init(&r, c, 4, c->options->seed, 1)) {
        for (int64_t i = 0; i < c->options->steps / 8 + 1 && !c->failed; i++) {
            lu_checker_act(env, LU_PLAY_MIXED, &rng, actions);
            lu_bench_rows_choose(&r, c, LU_PLAY_MIXED, &rng);
            uint64_t before = lu_alloc_count();
            if (!env->over) {
                touch_everything(c, env, copy, &rng, actions);
            }
            lu_vec_step_range(r.vec, 0, 4, &r.buffers);
            uint64_t calls = lu_alloc_count() - before;
            if (calls > 0) {
                lu_checker_fail(c,
                                "%llu calls of malloc, free and their kin in one decision "
                                "(episode seed %llu, decision %lld)",
                                (unsigned long long)calls, (unsigned long long)env->seed,
                                (long long)env->decisions);
            }
            lu_checker_step(env, LU_PLAY_MIXED, &rng);
        }
        lu_bench_rows_free(&r);
    }
    free(copy);
    lu_env_delete(env);
}
