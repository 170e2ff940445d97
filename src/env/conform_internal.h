/* What the files of the battery share: the run of one check, and small helpers. The checks stand in
 * conform_facts.c (tables), conform_same.c (equal bytes), conform_vector.c (vectors),
 * conform_rules.c (what the rules promise) and conform_people.c (what people and tools see);
 * conform.c holds the table of them. */
#pragma once

#include "ludus/conform.h"
#include "ludus/vec.h"
#include "random_play.h"

/* The run of one check. */
typedef struct lu_checker {
    const lu_game *game;
    const lu_settings *settings; /* the game's own, without other tables */
    const lu_rules *rules;
    const lu_core *core;
    const lu_conform_options *options;
    bool plain; /* all settings have their defaults, so that game->limit.longest holds */
    bool failed, skipped;
    char detail[1200];
} lu_checker;

typedef void lu_check_function(lu_checker *checker);

/* Notes a fault; the first one of a check stays. Returns false, for `return lu_checker_fail(...)`.
 */
bool lu_checker_fail(lu_checker *checker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lu_checker_skip(lu_checker *checker, const char *reason);

/* An environment, and random actions for it. */
lu_env *lu_checker_env(const lu_checker *checker);
lu_rng lu_checker_rng(const lu_checker *checker, uint64_t purpose);
void lu_checker_act(const lu_env *env, lu_play play, lu_rng *rng, int32_t *actions);
/* One step of mindless play; an ended episode is followed by one with the next seed of `rng`. */
void lu_checker_step(lu_env *env, lu_play play, lu_rng *rng);
/* Decisions after which an episode counts as endless. */
int64_t lu_checker_cap(const lu_checker *checker);
/* First byte in which two blocks differ, -1 if none. */
int64_t lu_first_difference(const void *a, const void *b, size_t bytes);

/* All buffers of a lu_vec, with room to spare behind each. */
typedef struct lu_bench_rows {
    lu_vec *vec;
    lu_buffers buffers;
    int32_t *actions;
    uint64_t hash; /* over all buffers of the steps so far */
    lu_autoreset autoreset;
} lu_bench_rows;

bool lu_bench_rows_init(lu_bench_rows *rows, lu_checker *checker, int environments, uint64_t seed,
                        int threads);
void lu_bench_rows_free(lu_bench_rows *rows);
/* Chooses actions by what the buffers hold, steps, and adds the buffers to the hash. */
void lu_bench_rows_choose(lu_bench_rows *rows, const lu_checker *checker, lu_play play,
                          lu_rng *rng);
void lu_bench_rows_step(lu_bench_rows *rows, const lu_checker *checker);

/* Allocations of this thread so far; NULL in programs without the counter (alloc_count.c). */
extern uint64_t lu_alloc_count(void) __attribute__((weak));
/* Bytes that this thread took and has not freed; absent there too. */
extern int64_t lu_alloc_live(void) __attribute__((weak));

lu_check_function lu_check_facts, lu_check_rules, lu_check_options;
lu_check_function lu_check_deterministic, lu_check_index_differs, lu_check_threads, lu_check_levels,
    lu_check_vector_single, lu_check_resets, lu_check_alone, lu_check_partial_observation,
    lu_check_snapshot, lu_check_clean_state, lu_check_buffers, lu_check_no_allocation;
lu_check_function lu_check_mask_agrees, lu_check_some_legal, lu_check_idle_seats, lu_check_bounds,
    lu_check_slots, lu_check_ids, lu_check_ends, lu_check_limit, lu_check_flags, lu_check_ticks,
    lu_check_terms, lu_check_info, lu_check_fuzz, lu_check_determinise;
lu_check_function lu_check_json, lu_check_show, lu_check_events, lu_check_bots, lu_check_golden,
    lu_check_replay;
