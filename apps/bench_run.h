/* Measuring how fast a game steps: decisions per second, reset cost, instructions per decision.
 * Actions are uniform over all options and drawn before the clock starts; observations, masks,
 * rewards and flags are written, and episodes that end start anew inside the step, as in training.
 * Ownership: plain values. Threads: run from the main thread only. */
#pragma once

#include "session.h"

typedef struct bench_rate {
    int threads, rounds;
    double best, worst; /* decisions per second of the rounds */
} bench_rate;

typedef struct bench_result {
    const lu_game *game;
    uint32_t state_bytes; /* under the settings of the episode */
    int environments;
    bench_rate one, all;
    double reset_seconds; /* one environment, best of the rounds */
    double instructions;  /* per decision; 0 when not counted */
    char counter[160];    /* how they were counted, or why not */
} bench_result;

/* Measures for about `seconds` per number of threads, in rounds that alternate between one thread
 * and all, over the same environments. */
lu_status bench_speed(const lu_episode *episode, int environments, int threads, double seconds,
                      int rounds, bench_result *result, lu_error *error);
/* Counts instructions by running this program under callgrind, or perf where there is none: the
 * difference of a run of 2N decisions and one of N, so that start and end cancel. */
void bench_instructions(const lu_episode *episode, bench_result *result);
/* What the counted program does: plays `count` decisions on one thread; returns the hash of all
 * states. */
lu_status bench_count(const lu_episode *episode, int environments, int64_t count, uint64_t *hash,
                      lu_error *error);

/* ---- ludus bench nn (bench_nn.c) ---- */

/* The kernels of networks against the peak of the processor. */
lu_status bench_nn(const verb_call *call, lu_error *error);

/* ---- ludus bench train (bench_train.c) ---- */

/* PPO on prospector against the peak of the processor, and against peers. */
lu_status bench_train(const verb_call *call, lu_error *error);

/* ---- what they share (verb_bench.c) ---- */

/* Members that a figure must carry: date, commit, compiler, processor. */
void bench_machine(lu_json *json);
/* Writes bench/results/NAME-PROCESSOR.json. */
lu_status bench_keep(const char *name, const lu_json *json, lu_error *error);
