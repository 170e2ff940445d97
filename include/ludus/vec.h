/* Vector stepping: N environments of one game in one block, stepped together into buffers that
 * belong to the caller. Each game's inner loop is its own, with its rules inlined (loop.h); threads
 * own ranges of environments; while stepping nothing is allocated and no lock is taken. The same
 * bytes come out for any number of threads.
 * Ownership: a lu_vec owns its states and its threads; rules and buffers belong to the caller.
 * Threads: one caller at a time, except that lu_vec_step_range may run on disjoint ranges at once.
 */
#pragma once

#include "ludus/game_ask.h"

LU_C_BEGIN

/* Row = environment x seat: row r = environment * seats + seat. Any pointer may be NULL (that
 * result is not wanted), except actions. */
typedef struct lu_buffers {
    const int32_t *actions; /* rows x heads */
    float *observation;     /* rows x observation length: what the next decision sees */
    float *critic;          /* rows x critic length */
    uint8_t *mask;          /* rows x mask length, of the next decision */
    float *reward;          /* rows */
    float *terms;           /* rows x terms */
    uint8_t *terminated;    /* environments */
    uint8_t *truncated;     /* environments */
    uint8_t *illegal;       /* environments, a bit per seat */
    uint8_t *to_move;       /* environments, a bit per seat */
    int32_t *ticks;         /* environments */
    double *info;           /* rows x infos, of what the next decision sees */
    /* Written only where an episode ended in this step, of its last state: */
    float *final_observation; /* rows x observation length */
    float *final_critic;      /* rows x critic length */
    uint8_t *final_mask;      /* rows x mask length */
    double *final_info;       /* rows x infos */
    uint64_t
        *final_seed; /* environments: seed of the episode that ended, so that it replays alone */
    /* The caller promises that `observation` still holds what the last step wrote, so that only
     * changed groups need writing. */
    bool observation_kept;
} lu_buffers;

/* When an environment whose episode has ended starts the next one. */
typedef enum lu_autoreset {
    LU_SAME_STEP, /* in the step that ended it: what is shown is the new episode's, of the old one
                     only the final buffers tell */
    LU_NEXT_STEP, /* in the step after it, which ignores the action and gives nothing */
    LU_NO_RESET,  /* never by itself: it waits for lu_vec_reset_some. A step leaves it alone, gives
                     nothing and tells its end again */
} lu_autoreset;

typedef enum lu_phase { LU_UNRESET, LU_RUNNING, LU_TERMINATED, LU_TRUNCATED } lu_phase;

/* One environment's place in its own history. */
typedef struct lu_place {
    uint64_t episode;   /* finished episodes */
    uint64_t seed;      /* seed of the running episode */
    uint64_t decisions; /* decisions made in the running episode */
    uint64_t phase;     /* lu_phase: whether it runs, or has ended and waits */
} lu_place;

/* A game's loop fetches the first bytes of the next state ahead, of a large state no more than
 * these unless the game says so (LU_LOOP_HOT). */
#define LU_LOOP_MOST 1024u

/* The work of one call of a game's loop: environments [first, first + count). */
typedef struct lu_loop {
    const lu_rules *rules;
    unsigned char *states; /* of environment 0 */
    size_t stride;         /* bytes from one state to the next */
    lu_place *places;
    uint64_t seed;
    const void *options;
    const lu_buffers *buffers;
    int first, count;
    lu_autoreset autoreset;
    bool reset; /* start an episode instead of stepping: episode 0, ... */
    const int32_t
        *which; /* ... or the next one of these: first and count are places in this list */
    const uint64_t *seeds; /* of these episodes; NULL: their own */
    uint32_t *fetched; /* not NULL: tells the bytes of a state that are fetched ahead, no more */
} lu_loop;

typedef struct lu_vec lu_vec;

/* `options` is the game's option block for every reset (it is copied), or NULL. Environments start
 * unreset. */
lu_vec *lu_vec_new(const lu_game *game, const lu_rules *rules, int environments, uint64_t seed,
                   int threads, const void *options, lu_error *error);
void lu_vec_delete(lu_vec *vec);
/* What so many environments take under these rules. */
size_t lu_vec_bytes(const lu_rules *rules, int environments);

/* Starts episode 0 of every environment with seed mix(seed, index, 0). */
void lu_vec_reset(lu_vec *vec, const lu_buffers *buffers);
/* Starts the next episode of `count` environments, each named once: with these seeds (NULL: their
 * own, as autoreset takes) and this option block (NULL: the one of the vector). Only their rows of
 * the buffers are written. */
void lu_vec_reset_some(lu_vec *vec, const int32_t *which, int count, const uint64_t *seeds,
                       const void *options, const lu_buffers *buffers);
/* The same for one environment, on the calling thread. */
void lu_vec_reset_one(lu_vec *vec, int environment, const lu_buffers *buffers);
/* Several rules of one game whose states have as many bytes, the vector's own first, before the
 * first step; they belong to the caller. An environment plays by one of them, the first until
 * another is chosen, which is to be followed by a reset. */
void lu_vec_take_rules(lu_vec *vec, const lu_rules *const *list, int count);
void lu_vec_choose_rules(lu_vec *vec, int environment, int index);
int lu_vec_rules(const lu_vec *vec, int environment);
const lu_rules *lu_vec_rules_of(const lu_vec *vec, int environment);
/* LU_SAME_STEP until another way is asked for. */
void lu_vec_set_autoreset(lu_vec *vec, lu_autoreset autoreset);
/* One step of every environment; autoreset says what comes after an end. */
void lu_vec_step(lu_vec *vec, const lu_buffers *buffers);
/* The same for environments [first, first + count) on the calling thread. */
void lu_vec_step_range(lu_vec *vec, int first, int count, const lu_buffers *buffers);

int lu_vec_environments(const lu_vec *vec);
int lu_vec_rows(const lu_vec *vec);
int lu_vec_threads(const lu_vec *vec);
void *lu_vec_state(lu_vec *vec, int environment);
const lu_place *lu_vec_place(const lu_vec *vec, int environment);
/* Hash over all states and places. */
uint64_t lu_vec_hash(const lu_vec *vec);

/* A snapshot of everything, for exact resume: bytes, save, load (of the same game, rules, options
 * and count, on the same kind of machine). What is loaded is trusted beyond that: bytes from
 * outside need a check of their own before they come here. */
size_t lu_vec_snapshot_bytes(const lu_vec *vec);
void lu_vec_save(const lu_vec *vec, void *bytes);
lu_status lu_vec_load(lu_vec *vec, const void *bytes, size_t length, lu_error *error);

LU_C_END
