/* Checks of the battery on equal bytes: the same play by other ways must give the same. */
#include "conform_internal.h"

#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- seeds ---- */

/* Plays `steps` mixed decisions and notes the digest after each. */
static void play_digests(lu_checker *c, const lu_rules *rules, int64_t steps, uint64_t *digests) {
    lu_env *env = lu_env_new(c->game, rules);
    lu_rng rng = lu_checker_rng(c, 1);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < steps; i++) {
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
        digests[i] = lu_play_digest(env, 0);
    }
    lu_env_delete(env);
}

void lu_check_deterministic(lu_checker *c) {
    int64_t steps = c->options->steps;
    lu_error error;
    uint64_t *first = lu_alloc((size_t)steps * sizeof *first);
    uint64_t *second = lu_alloc((size_t)steps * sizeof *second);
    /* a second block of rules at another address: a pointer that crept into a state shows */
    lu_rules *rules = lu_rules_new(c->game, c->settings, &error);
    play_digests(c, c->rules, steps, first);
    play_digests(c, rules, steps, second);
    for (int64_t i = 0; i < steps; i++) {
        if (first[i] != second[i]) {
            lu_checker_fail(c, "the same play differs at step %lld (seed %llu)", (long long)i + 1,
                            (unsigned long long)c->options->seed);
            break;
        }
    }
    lu_rules_delete(rules);
    free(first);
    free(second);
}

/* Digest of a short play after a reset with `seed`. */
static uint64_t begin_digest(lu_checker *c, lu_env *env, uint64_t seed) {
    lu_rng rng = lu_checker_rng(c, 2);
    lu_env_reset(env, seed, NULL);
    uint64_t digest = lu_env_hash(env);
    for (int i = 0; i < 8 && !env->over; i++) {
        lu_checker_step(env, LU_PLAY_LEGAL, &rng);
        digest = lu_hash(env->state, c->rules->state_bytes, digest);
    }
    return digest;
}

void lu_check_index_differs(lu_checker *c) {
    enum { SEEDS = 16 };
    static const char *const what[] = {"index", "episode", "seed", "high half of the seed"};
    lu_env *env = lu_checker_env(c);
    uint64_t seed = c->options->seed;
    for (int way = 0; way < 4; way++) {
        int others = 0;
        for (uint64_t i = 0; i < SEEDS; i++) {
            uint64_t a = lu_mix(seed, i, 0), b = way == 0   ? lu_mix(seed, i + 1, 0)
                                                 : way == 1 ? lu_mix(seed, i, 1)
                                                 : way == 2 ? a + 1
                                                            : a ^ ((uint64_t)1 << 63);
            others += begin_digest(c, env, a) != begin_digest(c, env, b);
        }
        if (others == 0) {
            lu_checker_fail(c, "another %s changes nothing in the first steps of %d episodes",
                            what[way], SEEDS);
        }
    }
    lu_env_delete(env);
}

/* ---- threads and levels ---- */

void lu_check_threads(lu_checker *c) {
    enum { ENVIRONMENTS = 23 };
    lu_bench_rows one, many;
    lu_rng rng = lu_checker_rng(c, 3);
    bool good = lu_bench_rows_init(&one, c, ENVIRONMENTS, c->options->seed, 1);
    if (good && lu_bench_rows_init(&many, c, ENVIRONMENTS, c->options->seed, c->options->threads)) {
        for (int64_t i = 0; i < c->options->steps / ENVIRONMENTS + 1 && !c->failed; i++) {
            lu_bench_rows_choose(&one, c, LU_PLAY_MIXED, &rng);
            memcpy(many.actions, one.actions,
                   (size_t)(ENVIRONMENTS * c->game->seats * c->game->heads) * sizeof(int32_t));
            lu_bench_rows_step(&one, c);
            lu_bench_rows_step(&many, c);
            if (one.hash != many.hash || lu_vec_hash(one.vec) != lu_vec_hash(many.vec)) {
                lu_checker_fail(c, "%d threads differ from one at step %lld of %d environments",
                                lu_vec_threads(many.vec), (long long)i + 1, ENVIRONMENTS);
            }
        }
        lu_bench_rows_free(&many);
    }
    if (good) {
        lu_bench_rows_free(&one);
    }
}

void lu_check_levels(lu_checker *c) {
    const lu_core *base = c->game->core[LU_ISA_BASE];
    uint64_t want = lu_play_hash(c->game, c->rules, base, c->options->seed, c->options->steps);
    int compared = 0;
    for (int isa = 1; isa <= (int)lu_cpu_isa(); isa++) {
        const lu_core *core = c->game->core[isa];
        if (!core) {
            continue;
        }
        compared++;
        if (lu_play_hash(c->game, c->rules, core, c->options->seed, c->options->steps) != want) {
            lu_checker_fail(c, "level %s plays differently from level base (seed %llu)",
                            lu_isa_name((lu_isa)isa), (unsigned long long)c->options->seed);
        }
    }
    if (compared == 0) {
        lu_checker_skip(c, "there is one level only on this processor or in this build");
    }
}

/* ---- partial observations ---- */

void lu_check_partial_observation(lu_checker *c) {
    const lu_game *g = c->game;
    size_t length = (size_t)(g->seats * lu_game_observation_length(g));
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 6);
    float *row = lu_alloc_zero(length + 1, sizeof *row);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    memcpy(row, env->observation, length * sizeof *row);
    for (int64_t i = 0; i < c->options->steps && !c->failed; i++) {
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
        uint64_t changed = env->decisions ? env->step.changed : LU_ALL_CHANGED;
        for (int seat = 0; seat < g->seats; seat++) {
            c->core->observe(c->rules, env->state, seat, changed,
                             row + seat * lu_game_observation_length(g));
        }
        int64_t at = lu_first_difference(row, env->observation, length * sizeof *row);
        if (at >= 0) {
            int number = (int)(at / (int64_t)sizeof *row) % lu_game_observation_length(g);
            int group = g->groups - 1;
            while (group > 0 && lu_game_group_offset(g, group) > number) {
                group--;
            }
            lu_checker_fail(c,
                            "group '%s' changed at decision %lld of episode %llu, but its bit is "
                            "not set",
                            g->group[group].name, (long long)env->decisions,
                            (unsigned long long)env->seed);
        }
    }
    free(row);
    lu_env_delete(env);
}

/* ---- snapshots and resets ---- */

static void check_vec_snapshot(lu_checker *c) {
    enum { ENVIRONMENTS = 7, BEFORE = 20, AFTER = 40 };
    lu_bench_rows a, b;
    lu_error error;
    lu_rng rng = lu_checker_rng(c, 7), again;
    if (!lu_bench_rows_init(&a, c, ENVIRONMENTS, c->options->seed, 1)) {
        return;
    }
    if (lu_bench_rows_init(&b, c, ENVIRONMENTS, c->options->seed + 1, 1)) {
        size_t bytes = lu_vec_snapshot_bytes(a.vec);
        void *kept = lu_alloc(bytes);
        for (int i = 0; i < BEFORE; i++) {
            lu_bench_rows_choose(&a, c, LU_PLAY_MIXED, &rng);
            lu_bench_rows_step(&a, c);
        }
        lu_vec_save(a.vec, kept);
        if (lu_vec_load(b.vec, kept, bytes, &error) != LU_OK) {
            lu_checker_fail(c, "a snapshot of the vector is refused: %s", error.text);
        }
        memcpy(b.buffers.mask, a.buffers.mask,
               (size_t)(ENVIRONMENTS * c->game->seats * lu_game_mask_length(c->game)));
        again = rng;
        for (int i = 0; i < AFTER; i++) {
            lu_bench_rows_choose(&a, c, LU_PLAY_MIXED, &rng);
            lu_bench_rows_step(&a, c);
        }
        for (int i = 0; i < AFTER; i++) {
            lu_bench_rows_choose(&b, c, LU_PLAY_MIXED, &again);
            lu_bench_rows_step(&b, c);
        }
        if (lu_vec_hash(a.vec) != lu_vec_hash(b.vec)) {
            lu_checker_fail(c, "a vector loaded from a snapshot continues differently");
        }
        free(kept);
        lu_bench_rows_free(&b);
    }
    lu_bench_rows_free(&a);
}

void lu_check_snapshot(lu_checker *c) {
    enum { BEFORE = 12, AFTER = 30 };
    lu_env *env = lu_checker_env(c), *copy = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 8);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    int64_t rounds = c->options->steps / (BEFORE + 2 * AFTER) + 1;
    for (int64_t i = 0; i < rounds && !c->failed; i++) {
        int before = (int)lu_rng_below(&rng, BEFORE);
        for (int k = 0; k < before; k++) {
            lu_checker_step(env, LU_PLAY_MIXED, &rng);
        }
        /* the original goes on first, then the copy makes the same choices */
        lu_rng again = rng;
        uint64_t digests[AFTER];
        memcpy(copy->state, env->state, c->rules->state_bytes);
        copy->over = env->over;
        copy->decisions = env->decisions;
        copy->seed = env->seed;
        lu_env_refresh(copy);
        for (int k = 0; k < AFTER; k++) {
            lu_checker_step(env, LU_PLAY_MIXED, &rng);
            digests[k] = lu_play_digest(env, 0);
        }
        for (int k = 0; k < AFTER; k++) {
            lu_checker_step(copy, LU_PLAY_MIXED, &again);
            if (lu_play_digest(copy, 0) != digests[k]) {
                lu_checker_fail(c,
                                "a copy of the state continues differently %d steps later (episode "
                                "seed %llu, decision %lld)",
                                k + 1, (unsigned long long)copy->seed, (long long)copy->decisions);
                break;
            }
        }
    }
    lu_env_delete(env);
    lu_env_delete(copy);
    if (!c->failed) {
        check_vec_snapshot(c);
    }
}

void lu_check_clean_state(lu_checker *c) {
    lu_env *used = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 9);
    int64_t left = c->options->steps;
    lu_env_reset(used, lu_rng_u64(&rng), NULL);
    while (left > 0 && !c->failed) {
        int64_t life = 1 + (int64_t)lu_rng_below(&rng, 400);
        for (int64_t k = 0; k < life && !used->over; k++) {
            lu_checker_step(used, LU_PLAY_MIXED, &rng);
        }
        left -= life;
        uint64_t seed = lu_rng_u64(&rng);
        lu_env *fresh = lu_checker_env(c);
        lu_env_reset(fresh, seed, NULL);
        for (int twice = 0; twice < 2 && !c->failed; twice++) {
            lu_env_reset(used, seed, NULL);
            int64_t at = lu_first_difference(used->state, fresh->state, c->rules->state_bytes);
            if (at >= 0) {
                lu_checker_fail(c,
                                "after a reset byte %lld of a used state is %02x, of a fresh one "
                                "%02x (seed %llu)",
                                (long long)at, ((unsigned char *)used->state)[at],
                                ((unsigned char *)fresh->state)[at], (unsigned long long)seed);
            }
        }
        lu_env_delete(fresh);
    }
    lu_env_delete(used);
}
