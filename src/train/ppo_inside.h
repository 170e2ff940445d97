/* The inside of a trainer, shared by its files: what the settings say, the batch in memory, shards
 * of environments, workers, and the minibatch being learned.
 *
 * Rows. The environments write rows of all seats ("full" rows: environment * seats + seat). The
 * trainer numbers only those that learn ("rows" below, L of them), shard by shard; a lane is a run
 * of rows of one shard whose full rows lie a fixed distance apart. When every seat learns, a shard
 * is one lane and both numbers are the same. Arrays of the batch are time-major, [T][L], and
 * observations [T + 1][full rows]: a step writes what it shows straight into the next slot. Where
 * the net can keep them (lu_net_kept_bytes), a rollout replaces the observations of rows, slot by
 * slot, by what its first layer takes, so that learning need not normalise them again; the last
 * slot, where the next rollout begins, stays raw.
 * Ownership and threads: as in train.h. */
#pragma once

#include "ludus/arena.h"
#include "ludus/policy.h"
#include "ludus/threads.h"
#include "ludus/train.h"

#include "trainer.h"

#include <stdatomic.h>

enum {
    TRAIN_SHARDS = 16,       /* shards of environments that are wanted at least */
    TRAIN_DOZEN = 12,        /* rows that the kernels take at once */
    TRAIN_CHUNK_ROWS = 1024, /* rows of a chunk of segments that are aimed at */
};

/* Bits of train_batch.flags besides LU_END_*. */
enum {
    FLAG_ENDED = LU_END_TERMINATED | LU_END_TRUNCATED,
    FLAG_START = 4, /* an episode starts with this row */
    FLAG_WAITS = 8, /* the seat is not to move: nothing is chosen, only the value learns */
};

/* Coefficients that may change with progress, in the order of the keys in ppo_settings.c. */
typedef enum train_coefficient {
    TRAIN_RATE,
    TRAIN_ENTROPY,
    TRAIN_CLIP,
    TRAIN_VALUE_CLIP,
    TRAIN_VALUE_COST,
    TRAIN_GAMMA,
    TRAIN_LAMBDA,
    TRAIN_MAX_NORM,
    TRAIN_KL_STOP,
    TRAIN_BETA1,
    TRAIN_BETA2,
    TRAIN_EPS,
    TRAIN_DECAY,
    TRAIN_RHO_CLIP,
    TRAIN_C_CLIP,
    TRAIN_REWARD_CLIP,
    TRAIN_COEFFICIENTS
} train_coefficient;

typedef enum train_normalise {
    NORMALISE_NONE,
    NORMALISE_BATCH,
    NORMALISE_MINIBATCH
} train_normalise;

/* The settings of train.*, read once. */
typedef struct train_config {
    int environments, horizon, segment, minibatch, epochs, threads;
    int64_t steps;
    uint64_t seed;
    const lu_schedule *schedule[TRAIN_COEFFICIENTS];
    float head_entropy[LU_MAX_HEADS]; /* factor of the entropy cost */
    double prioritise, prioritise_beta;
    lu_optimiser_kind optimiser;
    train_normalise normalise_advantage;
    bool normalise_observation, normalise_return, bootstrap, recompute;
    const char *save_failed;
} train_config;

lu_status train_config_read(const lu_game *game, const lu_settings *settings, train_config *config,
                            lu_error *error);

typedef struct train_lane {
    int row, rows;    /* first row and how many */
    int full, stride; /* full row of the first, and the distance of the next */
} train_lane;

/* Sums of a shard, added up in the order of shards. */
typedef struct train_sums {
    double episodes, returns, lengths, endings, ticks, truncated, illegal, reward, reward_square;
    double term[LU_MAX_TERMS], info[LU_MAX_INFOS];
    double discounted, discounted_square;            /* of running returns, around their mean */
    double advantage, advantage_square, acting;      /* rows that chose */
    double target, target_square, miss, miss_square; /* miss = target - value */
    double infer, choose, play;                      /* seconds */
} train_sums;

typedef struct train_shard {
    int first, count; /* environments */
    int row, rows;    /* rows, all lanes */
    int lanes;
    train_lane lane[LU_MAX_SEATS];
    train_sums sums;
    double *moments[2]; /* observation, critic: sums and sums of squares around the shift */
    lu_status status;
    int failed_at; /* step */
    int failed_lane;
    lu_error error;
} train_shard;

/* What a thread needs while it works on a shard or on a piece of a gradient. */
typedef struct train_worker {
    atomic_flag busy;
    lu_net_work *net;
    float *logits, *dlogits; /* chunk rows x logits_stride */
    float *value, *dvalue, *log_probability, *old_log_probability, *advantage, *target, *old_value,
        *weight; /* chunk rows */
    uint8_t *legal, *starts;
    int32_t *actions;
    const float **observation, **critic; /* chunk rows */
    float *memory;                       /* a block's or chunk's rows */
    float *last, *last_critic;           /* sights of truncated episodes, one block */
} train_worker;

typedef struct train_batch {
    float *observation, *critic; /* slots of [full rows] */
    size_t slot, critic_slot;    /* floats from slot to slot, whole cache lines */
    uint8_t *legal;              /* [T][L][mask] */
    int32_t *actions;            /* [T][L][heads] */
    float *log_probability, *reward, *final_value, *advantage, *target, *finals; /* [T][L] */
    float *value;                                                                /* [T + 1][L] */
    float *now_log_probability, *now_value; /* of the last pass over a row; recompute only */
    float *ratio;
    int32_t *ticks; /* games that discount by ticks */
    uint8_t *flags; /* [T + 1][L] */
    float *memory;  /* [segments][L][memory floats]: before the first step of each */
} train_batch;

/* What one step of the environments gives, in full rows; the mask is that of the next decision. */
typedef struct train_scratch {
    int32_t *actions, *ticks;
    uint8_t *mask, *terminated, *truncated, *illegal, *to_move;
    float *reward, *terms, *final_observation, *final_critic;
    double *final_info;
} train_scratch;

typedef struct train_range {
    int from, to;
} train_range;

typedef struct train_minibatch {
    int units, first; /* of the order of this epoch */
    int gradients;    /* shards */
    int grain;        /* shards are cut at multiples of so many units */
    uint64_t key;
    uint32_t *index;                    /* unit of each place; largest minibatch */
    float *weight;                      /* of each place; prioritised only */
    double moments[TRAIN_GRADIENTS][3]; /* count, sum, squares of advantages that count */
    float shift, scale;                 /* of advantages */
    float entropy_cost[LU_MAX_HEADS];
    double norm;
    lu_ppo_sums sums[TRAIN_GRADIENTS];
} train_minibatch;

typedef struct train_recent {
    double at[LU_RECENT_EPISODES];
    int64_t count; /* of all time */
} train_recent;

struct lu_train {
    const lu_game *game;
    const lu_rules *rules;
    lu_settings *settings;
    train_config config;
    const lu_kernels *k;
    lu_policy policy;
    lu_net *net;
    lu_optimiser optimiser;
    lu_vec *vec;
    lu_pool *pool;
    lu_arena arena;

    int seats, heads, mask, observation, critic; /* critic: 0 when the net takes none */
    size_t memory;                               /* floats of a row's memory */
    size_t logits_stride;
    size_t kept; /* bytes of an observation in the form that the net keeps; 0: they stay raw */
    int learners, learner[LU_MAX_SEATS]; /* seats */
    int rows, full;                      /* L and environments x seats */
    bool turns, submask, tick_discount;
    bool again; /* advantages are computed anew between epochs */

    int shards, workers;
    train_shard *shard;
    train_worker *worker;
    int *row_env, *row_full;
    uint8_t *row_seat;
    const void **row_state;

    train_batch batch;
    train_scratch scratch;
    lu_rng *rng;        /* rows */
    float *now;         /* rows x memory: the running memory */
    double *returns;    /* rows: of the running episode */
    double *lengths;    /* rows */
    double *discounted; /* rows */
    double *priority;   /* units, running sums */

    /* a unit is what minibatches are made of: a row of the batch, or a segment */
    bool by_segment;
    int unit_steps, units, minibatches, largest;
    int unit_chunk; /* units that go through the net at once */
    train_minibatch mini;
    float *gradient; /* TRAIN_GRADIENTS x gradient_stride */
    size_t gradient_stride;

    lu_normaliser normaliser, critic_normaliser;
    double return_count, return_mean, return_square; /* moments of running returns */
    float return_scale;
    train_recent window;
    int64_t updates, updates_total, steps;
    double coefficient[TRAIN_COEFFICIENTS]; /* of this update */
    double shared_work;                     /* least work that is shared: see train_run */
    atomic_bool stop;                       /* a shard failed */
};

/* Takes a free worker; there are as many as threads, so that one is always free. */
train_worker *train_worker_take(lu_train *train);
void train_worker_give(train_worker *worker);

/* Runs jobs on all threads, or here when `work`, in floating-point operations that would take as
 * long, is not worth sharing. */
void train_run(const lu_train *train, lu_pool_job *job, void *context, int jobs, double work);

/* The slot of a step. */
static inline float *train_slot(const lu_train *train, int t) {
    return train->batch.observation + (size_t)t * train->batch.slot;
}

static inline float *train_critic_slot(const lu_train *train, int t) {
    return train->batch.critic + (size_t)t * train->batch.critic_slot;
}

/* ---- ppo_rollout.c ---- */
void train_reset(lu_train *train);
/* Plays one batch. */
lu_status train_rollout(lu_train *train, lu_error *error);

/* ---- ppo_advantage.c ---- */
/* Folds the moments of the batch into the normalisers (frozen copies stay) and return_scale. */
void train_moments(lu_train *train);
/* Advantages and targets of the whole batch. again: with the values and ratios of the last epoch.
 */
void train_advantages(lu_train *train, bool again);

/* ---- ppo_minibatch.c ---- */
/* Sizes: gradient shards of a minibatch of so many units. */
void train_minibatch_size(const lu_train *train, train_minibatch *mini, int units);
/* Units [from, to) of the minibatch that a gradient shard takes. */
train_range train_gradient_units(const train_minibatch *mini, int gradient);
/* Readies the draws of an epoch. */
void train_epoch_begin(lu_train *train, int epoch);
/* Chooses the units of minibatch `number` and the normalisation of their advantages. */
void train_minibatch_begin(lu_train *train, int number);
/* Units of one block, gathered for the net. */
void train_gather(const lu_train *train, train_worker *worker, int first, int units,
                  lu_net_chunk *chunk, lu_ppo *call);

/* ---- ppo_update.c ---- */
lu_status train_learn(lu_train *train, lu_train_stats *stats, lu_error *error);

/* ---- ppo_statistics.c ---- */
void train_statistics(lu_train *train, lu_train_stats *stats);

/* ---- failure.c ---- */
/* Saves the minibatch, or where a shard of a rollout stopped, and adds to the sentence where.
 * shard NULL: the minibatch. Observations are as the net took them where it keeps them, else raw.
 */
void train_save_failed(const lu_train *train, const train_shard *shard, lu_error *error);
