/* Checks of the battery on equal bytes: the same play by other ways must give the same. */
#include "conform_inside.h"

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

/* ---- the vector loop ---- */

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
    const lu_place *place = lu_vec_place(r->vec, index);
    if (env->over) {
        lu_env_reset(env, lu_mix(c->options->seed, n, place->episode), NULL);
    }
    const pair next[] = {
        {"state", lu_vec_state(r->vec, index), env->state, c->rules->state_bytes},
        {"observation", b->observation + row * seen, env->observation,
         seats * seen * sizeof(float)},
        {"critic block", b->critic + row * critic, env->critic, seats * critic * sizeof(float)},
        {"mask", b->mask + row * options, env->mask, seats * options},
        {"to_move", b->to_move + n, &env->to_move, 1},
        {"info", b->info + row * infos, env->info, seats * infos * sizeof(double)},
        {"place", &place->seed, &env->seed, sizeof(uint64_t)},
    };
    return same(c, next, 7, index, step);
}

void lu_check_vector_single(lu_checker *c) {
    enum { ENVIRONMENTS = 5 };
    lu_bench_rows r;
    lu_env *twin[ENVIRONMENTS];
    lu_rng rng = lu_checker_rng(c, 4);
    int row = c->game->seats * c->game->heads;
    if (!lu_bench_rows_init(&r, c, ENVIRONMENTS, c->options->seed, 1)) {
        return;
    }
    for (int i = 0; i < ENVIRONMENTS; i++) {
        twin[i] = lu_checker_env(c);
        lu_env_reset(twin[i], lu_mix(c->options->seed, (uint64_t)i, 0), NULL);
    }
    for (int64_t step = 1; step <= c->options->steps / ENVIRONMENTS && !c->failed; step++) {
        lu_bench_rows_choose(&r, c, LU_PLAY_MIXED, &rng);
        lu_vec_step(r.vec, &r.buffers);
        for (int i = 0; i < ENVIRONMENTS && !c->failed; i++) {
            lu_env_step(twin[i], r.actions + i * row);
            compare_step(c, &r, twin[i], i, step);
        }
    }
    for (int i = 0; i < ENVIRONMENTS; i++) {
        lu_env_delete(twin[i]);
    }
    lu_bench_rows_free(&r);
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
            lu_checker_fail(c, "a vector loaded from a snapshot goes on differently");
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
                                "a copy of the state goes on differently %d steps later (episode "
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
