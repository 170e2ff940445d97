/* The inside of the PPO trainer, shared by its files: what is its own of the settings, the batch in
 * memory, shards, workers, and the minibatch being learned.
 *
 * Rows (L of them) are numbered shard by shard. When every seat learns, a shard is one strip and
 * rows are full rows. Arrays of the batch are time-major, [T][L], and observations [T + 1][full
 * rows]: a step writes what it shows straight into the next slot. Where the net can keep them
 * (lu_net_kept_bytes), a rollout replaces the observations of rows, slot by slot, by what its first
 * layer takes, so that learning need not normalise them again; the last slot, where the next
 * rollout begins, stays raw. Ownership and threads: as in train.h. */
#pragma once

#include "trainer.h"

#include "ludus/ppo.h"

enum {
    TRAIN_CHUNK_ROWS = 1024, /* rows of a chunk of segments that are aimed at */
    TRAIN_CACHED = 1 << 18,  /* parameters that stay in the second cache */
};

/* Bits of ppo_batch.flags besides LU_END_*. */
enum {
    FLAG_START = 4, /* an episode starts with this row */
    FLAG_WAITS = 8, /* the seat is not to move: nothing is chosen, only the value learns */
};

/* Coefficients of its own, in the order of the names in ppo_settings.c. */
enum {
    TRAIN_ENTROPY = TRAIN_COMMON,
    TRAIN_CLIP,
    TRAIN_VALUE_CLIP,
    TRAIN_VALUE_COST,
    TRAIN_LAMBDA,
    TRAIN_KL_STOP,
    TRAIN_RHO_CLIP,
    TRAIN_C_CLIP,
    TRAIN_EPS_GREEDY,
    TRAIN_NOVELTY,
    TRAIN_COEFFICIENTS
};

typedef enum ppo_normalise { NORMALISE_NONE, NORMALISE_BATCH, NORMALISE_MINIBATCH } ppo_normalise;

typedef struct ppo_noise ppo_noise;

/* Its own settings, read once. */
typedef struct ppo_config {
    int segment, epochs;
    float head_entropy[LU_MAX_HEADS]; /* factor of the entropy cost */
    double prioritise, prioritise_beta;
    ppo_normalise normalise_advantage;
    bool normalise_return, recompute;
    ppo_noise *noise;
    bool novelty; /* is rewarded at some time */
} ppo_config;

extern const char *const ppo_schedules[]; /* trainer_kind.schedules */
lu_status ppo_config_read(lu_trainer *trainer, lu_error *error);

/* Sums of a shard that are its own, doubles only. */
typedef struct ppo_judged {
    double discounted, discounted_square;            /* of running returns, around their mean */
    double advantage, advantage_square, acting;      /* rows that chose */
    double target, target_square, miss, miss_square; /* miss = target - value */
    double novelty;                                  /* as rewarded */
} ppo_judged;

/* A shard and its rows. */
typedef struct ppo_shard {
    train_shard *base;
    int row, rows; /* rows, all strips */
    ppo_judged judged;
    double *moments[2]; /* observation, critic: sums and sums of squares around the shift */
    lu_turn slices;     /* of the horizon that are played */
    int failed_at;      /* step */
    int failed_strip;
} ppo_shard;

/* What a thread needs while it works on a shard or on a piece of a gradient. */
typedef struct ppo_worker {
    lu_net_work *net;
    float *logits, *dlogits; /* chunk rows x logits_stride */
    float *value, *dvalue, *log_probability, *old_log_probability, *advantage, *target, *old_value,
        *weight; /* chunk rows */
    uint8_t *legal, *starts;
    uint32_t *best; /* rows of a strip: heads that take their best option */
    int32_t *actions;
    const float **observation, **critic; /* chunk rows */
    float *memory;                       /* a block's or chunk's rows */
    float *last, *last_critic;           /* observations of truncated episodes, one block */
} ppo_worker;

typedef struct ppo_batch {
    float *observation, *critic; /* slots of [full rows] */
    size_t slot, critic_slot;    /* floats from slot to slot, whole cache lines */
    uint8_t *legal;              /* [T][L][mask] */
    int32_t *actions;            /* [T][L][heads] */
    float *log_probability, *reward, *final_value, *advantage, *target; /* [T][L] */
    float *value;                                                       /* [T + 1][L] */
    float *now_log_probability, *now_value; /* of the last pass over a row; recompute only */
    float *ratio;
    int32_t *ticks; /* games that discount by ticks */
    uint8_t *flags; /* [T + 1][L] */
    float *memory;  /* [segments][L][memory floats]: before the first step of each */
} ppo_batch;

typedef struct ppo_range {
    int from, to;
} ppo_range;

typedef struct ppo_minibatch {
    int units, first;   /* of the order of this epoch */
    int gradients;      /* shards */
    int grain;          /* shards are cut at multiples of so many units */
    uint32_t *index;    /* unit of each place */
    float *weight;      /* of each place; prioritised only */
    float shift, scale; /* of advantages */
    float entropy_cost[LU_MAX_HEADS];
    double norm;
    lu_ppo_sums sums[TRAIN_GRADIENTS], all;
} ppo_minibatch;

/* Chunks of a shard that are claimed, whose losses are summed, and, from TURN_NET on, what
 * lu_net_backward has added. */
enum { TURN_CLAIMED, TURN_SUMS, TURN_NET };

/* Count, sum and squares of advantages that count. */
typedef struct ppo_spread {
    double count, sum, square;
} ppo_spread;

/* What the minibatches of an update gave. */
typedef struct ppo_learned {
    lu_ppo_sums all, first, last; /* all rows, the very first minibatch, the last epoch */
    double norm;                  /* of gradients before clipping, sum */
    int epochs;
} ppo_learned;

/* The win-rate predictor. */
typedef struct ppo_win {
    bool on;
    int info;                                      /* the flag 'won' */
    float *parameters, *gradient, *first, *second; /* blocks of lu_win_rate_count */
    float *x;                                      /* one row */
    uint8_t *outcome;         /* [T][L]: where an episode ended, in half wins */
    int64_t steps;            /* of its optimiser */
    int filled;               /* rows of the minibatch that is being gathered */
    double seen, loss, right; /* of this update, sums */
} ppo_win;

typedef struct ppo_trainer {
    lu_trainer base;
    ppo_config config;

    int critic;    /* numbers of the critic block; 0 when the net takes none */
    size_t memory; /* floats of a row's memory */
    size_t kept;   /* bytes of an observation in the form that the net keeps; 0: they stay raw */
    bool noisy;    /* observations get noise in this update */
    bool again;    /* advantages are computed anew between epochs */
    bool anew;     /* that is being done */

    ppo_shard *shard;
    ppo_worker *worker;
    const void **row_state; /* rows */

    ppo_win win;
    ppo_batch batch;
    float *final_critic; /* full rows */
    float *now;          /* rows x memory: the running memory */
    double *discounted;  /* rows */
    float *varies;       /* observation: 1 where a number has varied; novelty only */
    double *priority;    /* units, running sums */
    /* the order of an epoch, minibatch by minibatch */
    uint64_t key;
    uint32_t *index;          /* units: unit of each place */
    float *weight;            /* units; prioritised only */
    ppo_spread *place_spread; /* minibatches x gradients */
    ppo_spread *spread;       /* of a head: parts x minibatches */
    int most_minibatches;
    /* of a head, what parts gave: parts x ... */
    double *part_moments; /* part_numbers */
    size_t part_numbers;
    ppo_judged *part_judged;
    lu_ppo_sums *part_sums;

    /* a unit is what minibatches are made of: a row of the batch, or a segment */
    bool by_segment;
    int unit_steps, units, minibatches, largest;
    int unit_chunk; /* units that go through the net at once */
    ppo_minibatch mini;
    bool folds; /* sums of Strassen's products wait in a thread's memory: shards are not divided */
    int turns;  /* of a shard of gradients: TURN_NET and those of the net */
    lu_turn *turn; /* counts of chunks: gradients x turns */
    ppo_learned learned;
    double judging, learning; /* seconds of this update */

    double return_count, return_mean, return_square; /* moments of running returns */
    float return_scale;
} ppo_trainer;

static inline ppo_trainer *ppo_of(lu_trainer *trainer) {
    return (ppo_trainer *)trainer;
}

static inline const ppo_trainer *ppo_of_const(const lu_trainer *trainer) {
    return (const ppo_trainer *)trainer;
}

/* The turns of a shard of gradients. */
static inline lu_turn *ppo_turns(const ppo_trainer *ppo, int shard) {
    return ppo->turn + (size_t)shard * (size_t)ppo->turns;
}

/* What the thread that runs a job works with. */
static inline ppo_worker *ppo_worker_here(ppo_trainer *ppo) {
    return &ppo->worker[lu_pool_self()];
}

/* A part of this process. */
static inline ppo_trainer *ppo_mate(const ppo_trainer *head, int number) {
    return ppo_of(head->base.mate[number]);
}

/* The slot of a step. */
static inline float *ppo_slot(const ppo_trainer *ppo, int t) {
    return ppo->batch.observation + (size_t)t * ppo->batch.slot;
}

static inline float *ppo_critic_slot(const ppo_trainer *ppo, int t) {
    return ppo->batch.critic + (size_t)t * ppo->batch.critic_slot;
}

/* Numbers of generators that are drawn from by counters, beside those of trainer*.c. */
enum { TRAIN_STREAM_GREEDY = 21, TRAIN_STREAM_NOISE, TRAIN_STREAM_WIN };

/* The number of a step among all steps of a training. */
static inline uint64_t ppo_time(const ppo_trainer *ppo, int step) {
    return (uint64_t)ppo->base.updates * (uint64_t)ppo->base.horizon + (uint64_t)step;
}

/* ---- ppo_rollout.c ---- */
void ppo_reset(ppo_trainer *ppo);
/* Starts the next episode of some environments. */
void ppo_reset_some(ppo_trainer *ppo, const int32_t *which, int count);
/* Plays one batch. */
lu_status ppo_rollout(ppo_trainer *ppo, lu_error *error);

/* ---- ppo_noise.c ---- */
/* Noise on observations from a text like "hp,9-11: 0.1; all: linear(0.1,0)"; of later entries that
 * name a number the last counts. NULL on an error, which names train.observation_noise. */
ppo_noise *ppo_noise_new(const lu_game *game, const char *text, lu_error *error);
void ppo_noise_delete(ppo_noise *noise);
/* The deviations of an update; true when there is any. */
bool ppo_noise_begin(ppo_noise *noise, double progress, double update);
/* Adds draws of the generator to one observation. */
void ppo_noise_add(const ppo_noise *noise, lu_rng *rng, float *observation);

/* ---- ppo_win.c ---- */
lu_status ppo_win_read(ppo_trainer *ppo, lu_error *error);
void ppo_win_lay(ppo_trainer *ppo, train_taker *taker); /* all but win.outcome */
void ppo_win_start(ppo_trainer *ppo);
/* How the episode ended for a row, in half wins. */
uint8_t ppo_win_outcome(const ppo_trainer *ppo, int row);
/* Learns from the episodes that ended in the batch. */
void ppo_win_learn(ppo_trainer *ppo);
void ppo_win_tell(const ppo_trainer *ppo, lu_progress *progress);
void ppo_win_walk(walk *w, ppo_trainer *ppo);

/* ---- ppo_advantage.c ---- */
/* Which numbers have varied so far; then the reward of one observation. For train.novelty alone. */
void ppo_novelty_begin(ppo_trainer *ppo);
double ppo_novelty(const ppo_trainer *ppo, const float *observation);
/* Sums of the moments of a part, by shard. */
void ppo_sum_moments(const ppo_trainer *ppo, double *sums);
/* Folds the moments of all parts into the normalisers (frozen copies stay) and return_scale. */
void ppo_moments(ppo_trainer *head);
/* Advantages and targets of the whole batch. anew: with the values and ratios of the last epoch. */
void ppo_advantages(ppo_trainer *head, bool anew);

/* ---- ppo_minibatch.c ---- */
/* Sizes: gradient shards of a minibatch of so many units. */
void ppo_minibatch_size(const ppo_trainer *ppo, ppo_minibatch *mini, int units);
/* Units [from, to) of the minibatch that a gradient shard takes. */
ppo_range ppo_gradient_units(const ppo_minibatch *mini, int gradient);
/* Chooses the units of all minibatches of an epoch. */
void ppo_epoch_begin(ppo_trainer *head, int epoch);
/* Takes up minibatch `number`, with the normalisation of its advantages. */
void ppo_minibatch_begin(ppo_trainer *head, int number);
/* Units of one block, gathered for the net. */
void ppo_gather(const ppo_trainer *ppo, ppo_worker *worker, int first, int units,
                lu_net_chunk *chunk, lu_ppo *call);

/* ---- ppo_update.c ---- */
lu_status ppo_learn(ppo_trainer *ppo, lu_progress *progress, lu_error *error);
/* trainer_kind.tell */
void ppo_tell(lu_trainer *trainer, lu_progress *progress);

/* ---- ppo_snapshot.c ---- */
/* trainer_kind.hash, .hash_part and .walk* */
uint64_t ppo_hash(const lu_trainer *trainer);
uint64_t ppo_hash_part(const lu_trainer *trainer);
void ppo_walk(walk *w, lu_trainer *trainer);
void ppo_walk_part(walk *w, lu_trainer *trainer);
void ppo_walk_weights(walk *w, lu_trainer *trainer);
void ppo_walk_batch(walk *w, lu_trainer *trainer);

/* ---- ppo_failure.c ---- */
/* Saves the minibatch, or what a shard saw where its rollout stopped, and adds to the sentence
 * where. Observations are as the net took them where it keeps them, else raw. */
void ppo_save_minibatch(ppo_trainer *ppo, lu_error *error);
void ppo_save_shard(lu_trainer *trainer, int shard, lu_error *error);
