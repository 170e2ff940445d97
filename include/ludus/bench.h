/* Measuring: how fast a game steps (decisions per second, reset cost, instructions per decision),
 * and the trainer against the peak of the processor and against peers.
 * Ownership: plain values; what names a game or a case points at constants. Threads: one caller. */
#pragma once

#include "ludus/episode.h"
#include "ludus/watch.h"

LU_C_BEGIN

/* ---- a game ---- */

typedef struct lu_bench_rate {
    int threads, rounds;
    double best, worst; /* decisions per second of the rounds */
} lu_bench_rate;

/* What is played and written. Actions stand before the clock starts; rewards and flags are written,
 * and episodes that end start anew inside the step, as in training. */
typedef enum lu_bench_play {
    LU_BENCH_ALL,   /* uniform over all options; observations and masks are written */
    LU_BENCH_LEGAL, /* uniform over legal options, recorded; observations and masks are written */
    LU_BENCH_BARE,  /* the same without observations and masks: what plain simulation costs */
    LU_BENCH_PLAYS,
} lu_bench_play;
/* "all", "legal", "bare". */
const char *lu_bench_play_name(lu_bench_play play);

typedef struct lu_bench_result {
    const lu_game *game;
    lu_bench_play play;
    uint32_t state_bytes; /* under the settings of the episode */
    int environments;
    lu_bench_rate one, all;
    double reset_seconds; /* one environment, best of the rounds */
    double instructions;  /* per decision; 0 when not counted */
    char counter[160];    /* how they were counted, or why not */
} lu_bench_result;

/* Measures for about `seconds` per number of threads, in rounds that alternate between one thread
 * and all, over the same environments. `watch` may be NULL. */
lu_status lu_bench_speed(const lu_episode *episode, int environments, int threads,
                         lu_bench_play play, double seconds, int rounds, const lu_watch *watch,
                         lu_bench_result *result, lu_error *error);
/* Counts instructions by running this program (`bench GAME --count N`) under callgrind, or perf
 * where there is none: the difference of a run of 2N decisions and one of N, so that start and end
 * cancel. */
lu_status lu_bench_instructions(const lu_episode *episode, lu_bench_play play,
                                const lu_watch *watch, lu_bench_result *result, lu_error *error);
/* What the counted program does: plays `count` decisions on one thread; gives the hash of all
 * states. */
lu_status lu_bench_count(const lu_episode *episode, int environments, lu_bench_play play,
                         int64_t count, uint64_t *hash, lu_error *error);
/* An object. */
void lu_bench_write(const lu_bench_result *result, lu_json *json);

/* ---- training (bench_train.c) ---- */

enum { LU_BENCH_PEERS = 6, LU_BENCH_CASES = 8 };

/* A program that runs the same PPO update beside ours (python/anchors/torch_update.py). */
typedef struct lu_bench_peer {
    char name[48];               /* last part of the command */
    char about[96];              /* what it says of itself: version and BLAS */
    double update, minibatch;    /* samples per second */
    double over, over_minibatch; /* ours over its */
} lu_bench_peer;

/* One precision and way of products on one number of threads: the fastest of all rounds. */
typedef struct lu_bench_case {
    const char *precision, *products;
    int threads;
    double peak;              /* GFLOP/s of the processor */
    double update, minibatch; /* samples per second of a whole update, of a minibatch */
    double gflops, over_peak; /* of the fastest minibatch: the peak is that of a short time too */
    double steps, over_bound; /* per second; over what the peak would allow */
    double rollout;           /* steps per second */
    double learn, infer, choose, play, advantages; /* shares of the fastest round */
    double rest;                                   /* all but learning and a net's forward */
    bool many;                                     /* the same on one thread stands before it */
    double update_over_one, rollout_over_one;
    lu_bench_peer peer[LU_BENCH_PEERS];
} lu_bench_case;

typedef struct lu_bench_training {
    const lu_game *game;
    int rounds, count, peers;
    double minibatch_rows;
    double foreign, steal; /* shares of all processors that others had meanwhile */
    lu_bench_case cases[LU_BENCH_CASES];
} lu_bench_training;

/* PPO on an episode's game for `seconds`, at least one round, on one thread and on `threads` (0:
 * all), beside the peers: commands of Pythons with torch, separated by commas, "" for none. */
lu_status lu_bench_train(const lu_episode *episode, int threads, const char *peers, double seconds,
                         const lu_watch *watch, lu_bench_training *result, lu_error *error);
/* Members of an open object. */
void lu_bench_train_write(const lu_bench_training *result, lu_json *json);

LU_C_END
