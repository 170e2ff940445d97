/* Policies over heads: from logits and masks to legal actions, and from the actions taken back to
 * gradients of the logits. Heads are chosen one after the other, each under the needs and submasks
 * of the game, and the mask that was in force is handed out: training uses exactly that one. An
 * illegal option has probability 0 and gradient 0; a head that is not asked takes option 0 and
 * counts for nothing. Also the pieces of Q-learning that must respect masks.
 * Ownership: the caller owns every buffer. Threads: no state; calls that write different memory may
 * run at once. */
#pragma once

#include "ludus/game_ask.h"
#include "ludus/net.h"

LU_C_BEGIN

/* What calls ask of a game at every row, looked up once. */
typedef struct lu_policy {
    const lu_game *game;
    const lu_rules *rules; /* may be NULL when the game has no submask */
    const lu_core *core;
    const struct lu_kernels *kernels; /* the fastest this processor runs */
    int heads, logits;
    int offset[LU_MAX_HEADS + 1];
} lu_policy;

lu_policy lu_policy_of(const lu_game *game, const lu_rules *rules);

/* ---- acting ---- */

typedef struct lu_policy_act {
    int rows;
    const float *logits; /* or Q values */
    size_t logits_stride;
    /* of a net in series: called once per head, when the actions of all heads before it stand, to
     * write that head's logits of all rows (at most LU_BLOCK_ROWS); NULL: they are there */
    void (*make_logits)(void *user, int head);
    void *user;
    const uint8_t *mask; /* before dependencies */
    size_t mask_stride;
    /* per row; NULL: submasks are not asked (then the game has none); a row whose state is NULL is
     * not asked for them either */
    const void *const *state;
    const uint8_t *seat;  /* per row; NULL: all 0 */
    lu_rng *rng;          /* per row: one draw for each choice between several options */
    bool greedy;          /* the best option (the first of equal ones) in place of a draw */
    const uint32_t *best; /* per row, bit h: the same for head h alone; NULL: none */
    double epsilon;       /* with this probability a head is uniform over its legal options */
    /* out */
    int32_t *actions;
    size_t actions_stride;
    float *log_probability; /* of the softmax of the logits, summed over heads; NULL: not wanted */
    uint8_t *legal;         /* the mask in force; a head that was not asked is all 0 */
    size_t legal_stride;
} lu_policy_act;

/* Chooses. LU_BAD_DATA when a row has no legal option in any head, LU_DIVERGED when its logits are
 * not numbers; the rows before it are done. */
lu_status lu_policy_choose(const lu_policy *policy, const lu_policy_act *call, lu_error *error);

/* The mask of one head after the earlier choices, as lu_head_legal but without looking up. Returns
 * the number of legal options. */
int lu_policy_legal(const lu_policy *policy, const void *state, int seat, int head,
                    const uint8_t *mask, const int32_t *chosen, uint8_t *legal);

/* Probabilities of all options of one row under the masks in force (from lu_policy_choose), laid
 * out like the logits; a head that was not asked is all 0. */
void lu_policy_probabilities(const lu_policy *policy, const float *logits, const uint8_t *legal,
                             float *probabilities);

/* ---- the loss of PPO ---- */

typedef struct lu_ppo {
    int rows;
    const float *logits;
    size_t logits_stride;
    const float *value;
    const uint8_t *legal; /* from lu_policy_choose */
    size_t legal_stride;
    const int32_t *actions;
    size_t actions_stride;
    const float *old_log_probability, *advantage, *target; /* target: of the value */
    const float *old_value;                                /* read when value_clip > 0 */
    const float *weight;                                   /* per row; NULL: all 1 */
    /* the loss of a row = policy + value_cost * value - sum over heads of entropy_cost * entropy,
     * times weight, times scale (1 / rows of the minibatch) */
    float clip;       /* of the ratio, from 1 */
    float value_clip; /* of the value, from the old value; 0 = off */
    float value_cost;
    const float *entropy_cost; /* per head */
    float scale;
    /* out */
    float *dlogits;
    size_t dlogits_stride;
    float *dvalue;
    float *log_probability; /* under the new logits; NULL: not wanted */
} lu_ppo;

/* Sums over rows, times their weights; divide by `weight`. lu_ppo_run adds to them. */
typedef struct lu_ppo_sums {
    double weight;
    double policy, value; /* losses, without costs */
    double entropy[LU_MAX_HEADS];
    double asked[LU_MAX_HEADS]; /* rows in which the head was asked */
    double kl;                  /* (ratio - 1) - log ratio */
    double clipped;             /* rows with |ratio - 1| > clip */
    double ratio;
} lu_ppo_sums;

void lu_ppo_run(const lu_policy *policy, const lu_ppo *call, lu_ppo_sums *sums);

/* ---- Q-learning ----
 * The Q value of an action of several heads is the mean over the heads that were asked. */

/* Best legal option, the first of equal ones; -1 when none is legal. */
int lu_q_best(const float *q, const uint8_t *legal, int options);

/* Values of the next states for targets: heads are chosen greedily by `select` (the learning net
 * for double Q-learning; NULL: by q itself), head after head under needs and submasks, and read
 * from q. A row without any legal option gets 0. */
typedef struct lu_q_next {
    int rows;
    const float *q, *select;
    size_t stride;
    const uint8_t *mask;
    size_t mask_stride;
    const void *const *state; /* as in lu_policy_act */
    const uint8_t *seat;
    /* In place of states, where a submask would need them: per row the options that were in force
     * when `done` was chosen, an option per head, or NULL where nothing was. They hold for as many
     * heads as choose the same; what follows is under needs alone. NULL: none. */
    const uint8_t *const *force;
    const uint16_t *const *done;
    float *best; /* out */
} lu_q_next;

void lu_q_next_run(const lu_policy *policy, const lu_q_next *call);

/* Huber loss (bend at 1) of Q(action) against targets. */
typedef struct lu_q_loss {
    int rows;
    const float *q;
    size_t stride;
    const uint8_t *legal; /* the mask in force when the action was chosen */
    size_t legal_stride;
    const int32_t *actions;
    size_t actions_stride;
    const float *target;
    const float *weight; /* per row; NULL: all 1 */
    float scale;
    /* out */
    float *dq;     /* rows x stride */
    float *errors; /* Q - target, for priorities; NULL: not wanted */
} lu_q_loss;

/* Returns the sum of weight x loss (without scale). */
double lu_q_loss_run(const lu_policy *policy, const lu_q_loss *call);

LU_C_END
