/* Training by PPO: environments are played in shards that no barrier joins, advantages are GAE with
 * the clips of V-trace, and minibatches of rows (or of whole segments, for nets with memory) are
 * learned in gradient shards whose sums have one order. Hence the same bits for any number of
 * threads. One call of lu_train_update collects one batch and learns from it; nothing is allocated
 * between lu_train_new and lu_train_delete, except when a batch that failed is saved.
 * Ownership: the trainer owns net, optimiser, normalisers, environments and its threads; game and
 * model must outlive it, settings are copied. Threads: one caller at a time; lu_gae_run has no
 * state. */
#pragma once

#include "ludus/net.h"
#include "ludus/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lu_train lu_train;

/* The table of settings train.*; its defaults are those of the profile `fast`. */
extern const lu_table lu_train_table;

/* Gives every row of train.* and net.* that still has its default the value that the profile named
 * by train.profile has for it. `classic`: CleanRL's ppo.py, net included; `fast`: nothing to do.
 * Call it once, after all other sources of settings. */
lu_status lu_train_profile(lu_settings *settings, lu_error *error);

/* ---- a trainer ---- */

/* What a trainer will take, before anything of it is allocated: every block that grows with the
 * settings, to the byte. */
typedef struct lu_train_need {
    size_t rollout;      /* the batch: observations, masks, actions, ... */
    size_t environments; /* their states */
    size_t learning;     /* parameters, gradient shards, optimiser, work spaces */
    size_t total;
} lu_train_need;

/* Settings must hold those of the game, lu_train_table and lu_net_table, here and below. */
lu_status lu_train_memory(const lu_game *game, const lu_settings *settings, lu_train_need *need,
                          lu_error *error);

/* `options`: the game's option block for every reset, or NULL. All seats that the game does not
 * drive itself are played by the one net (self-play where there are several). */
lu_train *lu_train_new(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                       const void *options, lu_error *error);
void lu_train_delete(lu_train *train);

/* ---- statistics of one update ---- */

enum { LU_RECENT_EPISODES = 100 }; /* episodes of `recent_return` */

typedef struct lu_train_stats {
    int64_t updates, steps; /* finished, this one included; steps of environments */
    /* losses: means over the rows of all minibatches, costs not applied */
    double policy_loss, value_loss;
    double entropy;                    /* sum over heads, mean over rows */
    double head_entropy[LU_MAX_HEADS]; /* mean over the rows in which the head was asked */
    uint32_t silent;                   /* bit h: head h was asked in no row */
    double kl, clipped; /* of the last epoch: (ratio - 1) - log ratio; share of rows */
    double first_kl, first_clipped, first_ratio; /* of the very first minibatch: 0, 0, 1 */
    double explained;  /* 1 - var(target - value) / var(target); 0 when targets do not vary */
    double value_bias; /* mean of value - target */
    double advantage_mean, advantage_std; /* before normalising */
    double norm;                          /* of the gradient before clipping, mean */
    int epochs, minibatches;              /* done */
    bool stopped;                         /* by train.kl_stop */
    /* values of the schedules in this update */
    double rate, entropy_cost, clip;
    double return_scale; /* rewards were multiplied by this */
    /* episodes that ended in this batch; one per seat that learns */
    int64_t episodes;
    double episode_return, episode_length; /* means; 0 when none ended */
    double recent_return; /* mean over the last LU_TRAIN_WINDOW episodes, also of earlier batches */
    int64_t recent;       /* how many there were, at most LU_TRAIN_WINDOW */
    double reward;        /* mean per decision */
    double reward_square; /* mean of its square */
    double term[LU_MAX_TERMS];  /* mean per decision of every reward term, before weights */
    int64_t endings;            /* episodes of environments behind the next line */
    double info[LU_MAX_INFOS];  /* mean over ends of episodes (bits and names mean nothing) */
    int64_t ticks;              /* game time of all environments in this update */
    int64_t truncated, illegal; /* decisions of environments */
    /* seconds */
    double seconds;    /* the whole update */
    double rollout;    /* its first part; of it, as shares of all threads: */
    double infer;      /* nets */
    double choose;     /* masks, draws, sums for the normalisers */
    double play;       /* environments and notes */
    double advantages; /* normalisers and GAE */
    double learn;      /* minibatches */
    double fastest;    /* of them, the one that took the least: for measures on a busy machine */
    double steps_per_second;
} lu_train_stats;

/* One batch played and learned; stats may be NULL. LU_FAILED when loss, gradient or logits are no
 * numbers: parameters are those before the failing minibatch, and the batch is saved where
 * train.save_failed says. LU_BAD_DATA when a game leaves a seat without any legal option. After an
 * error only saving and lu_train_delete make sense. */
lu_status lu_train_update(lu_train *train, lu_train_stats *stats, lu_error *error);
/* True when train.steps are done (at least one update; a batch that does not fit is not begun). */
bool lu_train_done(const lu_train *train);

int64_t lu_train_updates(const lu_train *train);       /* finished */
int64_t lu_train_updates_total(const lu_train *train); /* planned: the end of every schedule */
int64_t lu_train_steps(const lu_train *train);
int lu_train_batch(const lu_train *train); /* steps of environments in one update */
int lu_train_rows(const lu_train *train);  /* environments x seats that learn */
int lu_train_threads(const lu_train *train);
lu_net *lu_train_net(lu_train *train);
lu_vec *lu_train_vec(lu_train *train);
/* NULL when that part is not normalised. */
const lu_normaliser *lu_train_normaliser(const lu_train *train);
const lu_normaliser *lu_train_critic_normaliser(const lu_train *train);
/* What rewards are multiplied by now; 1 when returns are not normalised. */
double lu_train_return_scale(const lu_train *train);
/* Hash of parameters, optimiser, normalisers, generators and environments. */
uint64_t lu_train_hash(const lu_train *train);

/* ---- exact resume ---- */

/* Everything that the next update depends on. A trainer of the same game, model and settings
 * (train.threads and train.steps aside) that loads it goes on bit for bit as the saved one would.
 */
size_t lu_train_snapshot_bytes(const lu_train *train);
void lu_train_save(const lu_train *train, void *bytes);
/* On an error the trainer is as it was. */
lu_status lu_train_load(lu_train *train, const void *bytes, size_t length, lu_error *error);

/* ---- advantages ---- */

enum { LU_END_TERMINATED = 1, LU_END_TRUNCATED = 2 };

/* delta_t = rho_t (r_t + g_t W_t - V_t), A_t = delta_t + g_t lambda c_t A_{t+1} while the episode
 * goes on; g = gamma^ticks, rho = min(ratio, rho_clip), c = min(ratio, c_clip); W = 0 after a
 * termination, the value of the last sight after a truncation, else V_{t+1}. target = A + V. With
 * ratios of 1 and clips of at least 1 it is plain GAE. Sums in fp64. */
typedef struct lu_gae {
    int rows, steps;
    size_t stride; /* elements from one step to the next, in every array */
    double gamma, lambda, rho_clip, c_clip;
    double reward_scale, reward_clip; /* r = scale x reward, in +-clip (0 = no clip) */
    const float *reward;
    const float *value;        /* steps + 1 */
    const float *final_value;  /* read where truncated */
    const float *ratio;        /* NULL: 1 */
    const int32_t *ticks;      /* NULL: 1 */
    const uint8_t *ends;       /* LU_END_* bits; others are ignored */
    float *advantage, *target; /* out */
} lu_gae;

void lu_gae_run(const lu_gae *call);

/* The place of `index` in a keyed random order of 0 .. count - 1, without a table: a Feistel
 * network on the bits, walked until the number is in range. About 10 ns. */
uint32_t lu_shuffled(uint64_t key, uint32_t count, uint32_t index);

#ifdef __cplusplus
}
#endif
