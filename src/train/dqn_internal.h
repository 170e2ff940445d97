/* The inside of the DQN trainer, shared by its files: what is its own of the settings, the buffer,
 * workers, and the minibatch being learned.
 *
 * Rows are numbered seat after seat where every seat learns. Every row has a ring of its own in the
 * buffer, and seats that do not learn have none.
 * Ownership and threads: as in dqn.h. */
#pragma once

#include "ludus/dqn.h"

#include "sum_tree.h"
#include "trainer.h"

/* ---- buffer (dqn_buffer.c) ---- */

typedef enum dqn_slot { SLOT_EMPTY, SLOT_STEP, SLOT_LAST } dqn_slot;

/* Steps that are remembered: per row a ring of slots in the order of time. A slot is a step (what
 * was seen, what was legal, what was done) or the last observation of an episode that was cut off,
 * which stands behind the episode's last step. Hence what a step leads to after n steps is the slot
 * n further, and every observation is stored once. `gain` and `discount` of a step begin as its
 * reward and its discount. When the n steps from it on are known, or its episode has ended, it is
 * ripe: they become the sum of discounted rewards and the product of discounts (0 after a
 * termination), and `ahead` says how many slots further the next observation is. Only ripe steps
 * can be drawn. Steps ripen in order, so that those behind still have their own rewards. */
typedef struct dqn_buffer {
    int rows, slots, steps;    /* steps: n */
    int observed, mask, heads; /* numbers of an observation, options, heads */
    float *observation;        /* [rows][slots][observed] */
    uint8_t *legal;            /* [rows][slots][mask], before dependencies */
    int forced;        /* as mask, where a submask needs the state, which is not kept; else 0 */
    uint8_t *force;    /* [rows][slots][forced], in force when it was chosen; of a last one all 1 */
    uint16_t *actions; /* [rows][slots][heads] */
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
/* What was in force there when it was chosen; NULL: nothing was. For games with a submask. */
void dqn_buffer_force(dqn_buffer *buffer, int row, const uint8_t *force);
/* Completes that slot by what was done there and what came of it; ends: LU_END_* bits of train.h.
 * After a truncation dqn_buffer_see and dqn_buffer_cut must follow. */
void dqn_buffer_act(dqn_buffer *buffer, int row, const int32_t *actions, float reward,
                    float discount, int ends);
/* Makes what was just seen the last observation of a cut-off episode. */
void dqn_buffer_cut(dqn_buffer *buffer, int row);
/* Tells the tree about slots written and ripened since: ripe ones get the weight `top`. */
void dqn_buffer_note(dqn_buffer *buffer, double top);
/* Slots that a row may fill in so many steps, so that none of them overwrites another. */
int dqn_buffer_least(int horizon, int steps);

/* ---- settings (dqn_settings.c) ---- */

/* Coefficients of its own, in the order of the names in dqn_settings.c. */
enum { DQN_EPSILON = TRAIN_COMMON, DQN_PRIORITISE, DQN_BETA, DQN_TARGET_RATE, DQN_COEFFICIENTS };

/* Its own settings, read once. */
typedef struct dqn_config {
    int rounds, gradient_steps, steps_ahead, target_every;
    int64_t buffer, warmup;
    double reward_scale, priority_floor;
    bool twice; /* double targets */
} dqn_config;

extern const char *const dqn_schedules[]; /* trainer_kind.schedules */
/* Reads dqn.* and refuses games and nets that do not fit. */
lu_status dqn_config_read(lu_trainer *trainer, lu_error *error);

/* ---- the trainer ---- */

/* What a thread needs while it works on a shard or on a piece of a gradient; rows of one block. */
typedef struct dqn_worker {
    lu_net_work *net;
    float *q, *other, *dq; /* rows x logits_stride */
    float *value, *target, *error, *weight, *best;
    float *next; /* rows x observation */
    uint8_t *legal;
    int32_t *actions;
    const float **observation;
    const uint8_t **force; /* of what steps lead to, and what was done there: lu_q_next */
    const uint16_t **done;
} dqn_worker;

/* Sums of a gradient shard, doubles only. */
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

/* What the minibatches of an update gave, and where the seconds went. */
typedef struct dqn_learned {
    dqn_loss sums;
    double norm; /* sum */
    double priorities, learn, move;
} dqn_learned;

typedef struct dqn_trainer {
    lu_trainer base;
    dqn_config config;
    lu_net *target;
    dqn_worker *worker;
    dqn_buffer buffer;
    float *observation;     /* full rows: what the next decision sees */
    uint8_t *final_mask;    /* full rows */
    const void **row_state; /* rows */
    dqn_minibatch mini;
    dqn_learned learned;
    int64_t gradient_steps, target_moves;
    double top;     /* largest weight of a step so far: what new ones get */
    double epsilon; /* of this round: 1 while dqn.warmup lasts */
} dqn_trainer;

static inline dqn_trainer *dqn_of(lu_trainer *trainer) {
    return (dqn_trainer *)trainer;
}

static inline const dqn_trainer *dqn_of_const(const lu_trainer *trainer) {
    return (const dqn_trainer *)trainer;
}

/* What the thread that runs a job works with. */
static inline dqn_worker *dqn_worker_here(dqn_trainer *dqn) {
    return &dqn->worker[lu_pool_self()];
}

/* ---- dqn_play.c ---- */
void dqn_reset(dqn_trainer *dqn);
/* One round: dqn.horizon steps of every environment, into the buffer. */
lu_status dqn_play(dqn_trainer *dqn, lu_error *error);

/* ---- dqn_learn.c ---- */
/* Cuts a minibatch into blocks and gradient shards, by its size alone. */
void dqn_minibatch_size(dqn_minibatch *mini, int rows);
/* Draws the places of the next minibatch. */
void dqn_draw(dqn_trainer *dqn);
/* One minibatch, once it is drawn. */
lu_status dqn_learn(dqn_trainer *dqn, lu_error *error);
/* New weights of the steps that were learned. */
void dqn_prioritise(dqn_trainer *dqn);
/* Moves the target net when it is due. */
void dqn_move_target(dqn_trainer *dqn);

/* ---- dqn_snapshot.c ---- */
/* trainer_kind.hash, .walk and .loaded */
uint64_t dqn_hash(const lu_trainer *trainer);
void dqn_walk(walk *w, lu_trainer *trainer);
void dqn_loaded(lu_trainer *trainer);
