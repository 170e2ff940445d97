/* The inside of the DQN trainer, shared by its files: what the settings say, the buffer, shards of
 * environments, workers, and the minibatch being learned.
 *
 * Rows. The environments write rows of all seats ("full" rows: environment * seats + seat). The
 * trainer numbers those that learn seat after seat: row = place of the seat * environments +
 * environment. Every row has a ring of its own in the buffer.
 * Ownership and threads: as in dqn.h. */
#pragma once

#include "ludus/dqn.h"
#include "ludus/policy.h"
#include "ludus/threads.h"

#include "sum_tree.h"
#include "trainer.h"

#include <stdatomic.h>

/* ---- buffer (dqn_buffer.c) ---- */

typedef enum dqn_slot { SLOT_EMPTY, SLOT_STEP, SLOT_SIGHT } dqn_slot;

/* Steps that are remembered: per row a ring of slots in the order of time. A slot is a step (what
 * was seen, what was legal, what was done) or the last sight of an episode that was cut off, which
 * stands behind the episode's last step. Hence what a step leads to after n steps is the slot n
 * further, and every observation is stored once.
 * `gain` and `discount` of a step begin as its reward and its discount. When the n steps from it on
 * are known, or its episode has ended, it is ripe: they become the sum of discounted rewards and
 * the product of discounts (0 after a termination), and `ahead` says how many slots further the
 * next sight is. Only ripe steps can be drawn. Steps ripen in order, so that those behind still
 * have their own rewards. */
typedef struct dqn_buffer {
    int rows, slots, steps;            /* steps: n */
    int sight, mask, heads;            /* numbers of an observation, options, heads */
    float *observation;                /* [rows][slots][sight] */
    uint8_t *legal;                    /* [rows][slots][mask], before dependencies */
    uint16_t *actions;                 /* [rows][slots][heads] */
    float *gain, *discount;            /* [rows][slots] */
    uint16_t *ahead;                   /* [rows][slots] */
    uint8_t *kind;                     /* [rows][slots], a dqn_slot */
    int64_t *written, *ripe;           /* [rows]: slots of all time; ripe ones are the first */
    int64_t *tree_written, *tree_ripe; /* [rows]: those that the tree knows of */
    sum_tree tree; /* a leaf per slot: priority^alpha, 0 when it cannot be drawn */
} dqn_buffer;

/* The list of its arrays. */
void dqn_buffer_lay(dqn_buffer *buffer, train_taker *taker);
/* Writes what a row sees into its next slot; rows are independent of each other. */
void dqn_buffer_see(dqn_buffer *buffer, int row, const float *observation, const uint8_t *legal);
/* Completes that slot by what was done there and what came of it; ends: LU_END_* bits of train.h.
 * After a truncation dqn_buffer_see and dqn_buffer_cut must follow. */
void dqn_buffer_act(dqn_buffer *buffer, int row, const int32_t *actions, float reward,
                    float discount, int ends);
/* Makes what was just seen the last sight of a cut-off episode. */
void dqn_buffer_cut(dqn_buffer *buffer, int row);
/* Tells the tree about slots written and ripened since: ripe ones get the weight `top`. */
void dqn_buffer_note(dqn_buffer *buffer, double top);
/* Slots that a row may fill in so many steps, so that none of them overwrites another. */
int dqn_buffer_least(int horizon, int steps);

/* ---- settings (dqn_settings.c) ---- */

/* Coefficients that may change with progress, in the order of the keys in dqn_settings.c. */
typedef enum dqn_coefficient {
    DQN_RATE,
    DQN_EPSILON,
    DQN_GAMMA,
    DQN_PRIORITISE,
    DQN_BETA,
    DQN_TARGET_RATE,
    DQN_MAX_NORM,
    DQN_BETA1,
    DQN_BETA2,
    DQN_EPS,
    DQN_DECAY,
    DQN_REWARD_CLIP,
    DQN_COEFFICIENTS
} dqn_coefficient;

typedef struct dqn_config {
    int environments, horizon, rounds, gradient_steps, minibatch, threads, steps_ahead;
    int target_every;
    int64_t steps, buffer, warmup;
    uint64_t seed;
    const lu_schedule *schedule[DQN_COEFFICIENTS];
    double reward_scale, priority_floor;
    lu_optimiser_kind optimiser;
    bool twice, normalise_observation, bootstrap; /* twice: double targets */
    const char *save_failed;
} dqn_config;

/* Reads dqn.* and refuses games and nets that do not fit. */
lu_status dqn_config_read(const lu_game *game, const lu_settings *settings, dqn_config *config,
                          lu_error *error);

/* ---- the trainer ---- */

/* Sums of a shard over an update, added up in the order of shards. */
typedef struct dqn_sums {
    double episodes, returns, lengths, endings, ticks, truncated, illegal, reward, reward_square;
    double term[LU_MAX_TERMS], info[LU_MAX_INFOS];
    double infer, choose, play; /* seconds */
} dqn_sums;

typedef struct dqn_shard {
    int first, count; /* environments */
    dqn_sums sums;
    lu_status status;
    lu_error error;
} dqn_shard;

/* What a thread needs while it works on a shard or on a piece of a gradient; rows of one block. */
typedef struct dqn_worker {
    atomic_flag busy;
    lu_net_work *net;
    float *q, *other, *dq; /* rows x q_stride */
    float *value, *target, *error, *weight, *best;
    float *next; /* rows x observation */
    uint8_t *legal;
    int32_t *actions;
    const float **observation;
} dqn_worker;

/* What one step of the environments gives, in full rows; sight and mask are those of the next
 * decision. */
typedef struct dqn_scratch {
    int32_t *actions, *ticks;
    float *observation, *reward, *terms, *final_observation;
    uint8_t *mask, *final_mask, *terminated, *truncated, *illegal;
    double *final_info;
    float *finals; /* [horizon][rows]: return of the episode that ended, NAN for none */
} dqn_scratch;

/* Sums of a gradient shard. */
typedef struct dqn_loss {
    double loss, error, q, target;
} dqn_loss;

typedef struct dqn_minibatch {
    int gradients, blocks, chunk;
    size_t *index; /* leaf of each place */
    float *weight, *error;
    dqn_loss sums[TRAIN_GRADIENTS];
    double norm;
} dqn_minibatch;

typedef struct train_recent {
    double at[LU_RECENT_EPISODES];
    int64_t count; /* of all time */
} train_recent;

struct lu_dqn {
    const lu_game *game;
    const lu_rules *rules;
    lu_settings *settings;
    dqn_config config;
    const lu_kernels *k;
    lu_policy policy;
    lu_net *net, *target;
    lu_optimiser optimiser;
    lu_vec *vec;
    lu_pool *pool;
    lu_arena arena;

    int seats, heads, mask, observation;
    size_t q_stride;
    int learners, learner[LU_MAX_SEATS]; /* seats */
    int rows, full;
    int shards, workers;
    dqn_shard *shard;
    dqn_worker *worker;

    dqn_buffer buffer;
    dqn_scratch scratch;
    lu_rng *rng;               /* rows */
    double *returns, *lengths; /* rows: of the running episode */
    dqn_minibatch mini;
    float *gradient; /* shards of gradients x gradient_stride */
    size_t gradient_stride;

    lu_normaliser normaliser;
    train_recent window;
    int64_t updates, updates_total, steps, gradient_steps, target_moves;
    double top;                           /* largest weight of a step so far: what new ones get */
    double coefficient[DQN_COEFFICIENTS]; /* of this update */
    double epsilon;                       /* of this round: 1 while dqn.warmup lasts */
    double shared_work;                   /* least work that is shared: see dqn_run */
    atomic_bool stop;                     /* a shard failed */
};

dqn_worker *dqn_worker_take(lu_dqn *dqn);
void dqn_worker_give(dqn_worker *worker);
/* Runs jobs on all threads, or here when `work`, in floating-point operations that would take as
 * long, is not worth sharing. */
void dqn_run(const lu_dqn *dqn, lu_pool_job *job, void *context, int jobs, double work);

/* ---- dqn_play.c ---- */
void dqn_reset(lu_dqn *dqn);
/* One round: dqn.horizon steps of every environment, into the buffer. */
lu_status dqn_play(lu_dqn *dqn, lu_error *error);

/* ---- dqn_learn.c ---- */
/* Cuts a minibatch into blocks and gradient shards, by its size alone. */
void dqn_minibatch_size(dqn_minibatch *mini, int rows);
/* Draws the places of the next minibatch. */
void dqn_draw(lu_dqn *dqn);
/* One minibatch, once it is drawn. */
lu_status dqn_learn(lu_dqn *dqn, lu_error *error);
/* New weights of the steps that were learned. */
void dqn_prioritise(lu_dqn *dqn);
/* Moves the target net when it is due. */
void dqn_move_target(lu_dqn *dqn);

/* ---- dqn_statistics.c ---- */
/* Adds a minibatch, or the ends of a round. */
void dqn_note_minibatch(const lu_dqn *dqn, lu_dqn_stats *stats);
void dqn_note_round(lu_dqn *dqn);
void dqn_statistics(lu_dqn *dqn, lu_dqn_stats *stats);
