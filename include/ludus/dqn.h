/* Training by DQN: Q values of every option, learned from a buffer of past steps. Double targets, a
 * duelling net (net.dueling), returns over several steps, draws by priority, and masks everywhere:
 * an option that is illegal is neither taken nor read in a target. An update is dqn.rounds rounds;
 * in a round every environment plays dqn.horizon steps and then dqn.gradient_steps minibatches are
 * learned. The same bits for any number of threads; nothing is allocated between lu_dqn_new and
 * lu_dqn_delete, except when a batch that failed is saved. The calls are those of train.h.
 * Games: all seats decide at every step, masks are said in full by mask and needs (no submask), the
 * net has no memory; what does not fit is refused in a sentence. With several heads the Q value of
 * an action is the mean over the heads that were asked.
 * Ownership: the trainer owns nets, optimiser, normaliser, environments, buffer and its threads;
 * game and model must outlive it, settings are copied. Threads: one caller at a time. */
#pragma once

#include "ludus/train.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lu_dqn lu_dqn;

/* The table of settings dqn.*. */
extern const lu_table lu_dqn_table;

/* ---- a trainer ---- */

/* What a trainer will take, before anything of it is allocated: every block that grows with the
 * settings, to the byte. */
typedef struct lu_dqn_need {
    size_t buffer;       /* steps that are remembered, and their priorities */
    size_t environments; /* their states */
    size_t learning;     /* parameters, gradient shards, optimiser, work spaces */
    size_t total;
} lu_dqn_need;

/* Settings must hold lu_dqn_table and lu_net_table, here and below. */
lu_status lu_dqn_memory(const lu_game *game, const lu_settings *settings, lu_dqn_need *need,
                        lu_error *error);

/* `options`: the game's option block for every reset, or NULL. All seats that the game does not
 * drive itself are played by the one net. */
lu_dqn *lu_dqn_new(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                   const void *options, lu_error *error);
void lu_dqn_delete(lu_dqn *dqn);

/* ---- statistics of one update ---- */

typedef struct lu_dqn_stats {
    int64_t updates, steps; /* finished, this one included; steps of environments */
    /* means over the rows of all minibatches; 0 while dqn.warmup lasts */
    double loss;     /* Huber, times the weights of priority */
    double td_error; /* |Q - target|, without weights */
    double q;        /* Q of the actions that were taken */
    double target;   /* what it should be */
    double norm;     /* of the gradient before clipping, mean over minibatches */
    int minibatches; /* learned in this update */
    int64_t gradient_steps, target_moves; /* finished, over the whole run */
    int64_t remembered;                   /* steps in the buffer that can be drawn */
    /* values of the schedules in this update */
    double rate, epsilon, beta;
    /* episodes that ended in this update; one per seat that learns */
    int64_t episodes;
    double episode_return, episode_length; /* means; 0 when none ended */
    double recent_return;      /* mean over the last LU_DQN_WINDOW episodes, also of earlier ones */
    int64_t recent;            /* how many there were, at most LU_DQN_WINDOW */
    double reward;             /* mean per decision */
    double reward_square;      /* mean of its square */
    double term[LU_MAX_TERMS]; /* mean per decision of every reward term, before weights */
    int64_t endings;           /* episodes of environments behind the next line */
    double info[LU_MAX_INFOS]; /* mean over ends of episodes (bits and names mean nothing) */
    int64_t ticks;             /* game time of all environments in this update */
    int64_t truncated, illegal; /* decisions of environments */
    /* seconds */
    double seconds;    /* the whole update */
    double rollout;    /* playing; of it, as shares of all threads: */
    double infer;      /* nets */
    double choose;     /* masks and draws */
    double play;       /* environments, and what goes into the buffer */
    double priorities; /* sums for the normaliser, draws from the buffer and new priorities */
    double learn;      /* targets, gradients, optimiser */
    double move;       /* of the target net */
    double steps_per_second;
} lu_dqn_stats;

/* Plays and learns; stats may be NULL. LU_FAILED when Q values, loss or gradient are no numbers:
 * parameters are those before the failing minibatch, and the batch is saved where dqn.save_failed
 * says. LU_BAD_DATA when a game leaves a seat without any legal option. After an error only saving
 * and lu_dqn_delete make sense. */
lu_status lu_dqn_update(lu_dqn *dqn, lu_dqn_stats *stats, lu_error *error);
/* True when dqn.steps are done (at least one update; one that does not fit is not begun). */
bool lu_dqn_done(const lu_dqn *dqn);

int64_t lu_dqn_updates(const lu_dqn *dqn);       /* finished */
int64_t lu_dqn_updates_total(const lu_dqn *dqn); /* planned: the end of every schedule */
int64_t lu_dqn_steps(const lu_dqn *dqn);
int lu_dqn_batch(const lu_dqn *dqn); /* steps of environments in one update */
int lu_dqn_rows(const lu_dqn *dqn);  /* environments x seats that learn */
int lu_dqn_threads(const lu_dqn *dqn);
lu_net *lu_dqn_net(lu_dqn *dqn);    /* kind LU_NET_Q */
lu_net *lu_dqn_target(lu_dqn *dqn); /* the net that targets are read from */
lu_vec *lu_dqn_vec(lu_dqn *dqn);
/* NULL when observations are not normalised. */
const lu_normaliser *lu_dqn_normaliser(const lu_dqn *dqn);
/* Hash of parameters, optimiser, normaliser, generators, buffer and environments. */
uint64_t lu_dqn_hash(const lu_dqn *dqn);

/* ---- exact resume ---- */

/* Everything that the next update depends on, the buffer included. A trainer of the same game,
 * model and settings (dqn.threads and dqn.steps aside) that loads it goes on bit for bit as the
 * saved one would. */
size_t lu_dqn_snapshot_bytes(const lu_dqn *dqn);
void lu_dqn_save(const lu_dqn *dqn, void *bytes);
/* On an error the trainer is as it was. */
lu_status lu_dqn_load(lu_dqn *dqn, const void *bytes, size_t length, lu_error *error);

#ifdef __cplusplus
}
#endif
