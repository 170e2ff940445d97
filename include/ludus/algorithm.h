/* Ways of training behind one table of calls: whoever drives a training (the program, a sweep, a
 * benchmark) names an algorithm and needs to know nothing else of it. What all trainers do alike
 * are the calls lu_trainer_*; train.h (PPO) and dqn.h have what is their own. Metrics come as names
 * and numbers.
 * Ownership: a trainer owns nets, optimiser, normalisers, environments and its threads; game and
 * rules must outlive it, settings are copied; names of metrics are constants. Threads: one caller
 * at a time per trainer; the table is constant. */
#pragma once

#include "ludus/net.h"
#include "ludus/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lu_trainer lu_trainer;

enum {
    LU_MAX_FIGURES = 64,
    LU_MAX_PARTS = 8,
    LU_RECENT_EPISODES = 100, /* of lu_progress.recent_return */
};

typedef struct lu_figure {
    const char *name;
    double value;
} lu_figure;

/* Memory that a training will take, by what takes it, to the byte. */
typedef struct lu_training_need {
    int parts;
    lu_figure part[LU_MAX_PARTS]; /* bytes */
    size_t total;
    const char *lower; /* settings to lower when it will not fit, as words of a sentence */
} lu_training_need;

/* What one update gave. Counts and means are of rows that learn: one per environment and learning
 * seat. */
typedef struct lu_progress {
    int64_t updates, steps;                /* finished, this one included; steps of environments */
    int64_t ticks;                         /* game time in this update */
    int64_t truncated, illegal;            /* in this update: decisions of environments */
    double reward, reward_square;          /* means per decision, of the square too */
    int64_t episodes;                      /* that ended in this update; one per seat that learns */
    double episode_return, episode_length; /* means over them; 0 when none ended */
    int64_t recent;                        /* episodes behind the next line */
    double recent_return;                  /* mean over the last LU_RECENT_EPISODES */
    int64_t endings;                       /* episodes of environments behind `info` */
    double info[LU_MAX_INFOS];         /* mean over ends of episodes; bits and names mean nothing */
    double term[LU_MAX_TERMS];         /* mean per decision of every reward term, before weights */
    double head_entropy[LU_MAX_HEADS]; /* mean over the decisions in which the head was asked */
    uint32_t silent;                   /* bit h: head h had no legal option at any decision */
    int minibatches;                   /* learned */
    double seconds, steps_per_second;  /* of the whole update */
    double rollout, fastest;           /* seconds of playing, and of the fastest minibatch */
    int figures, parts;
    lu_figure figure[LU_MAX_FIGURES]; /* losses and the like, in the algorithm's order */
    lu_figure part[LU_MAX_PARTS];     /* where the seconds went; of playing as shares of threads */
} lu_progress;

typedef struct lu_algorithm {
    const char *name, *sentence;
    const char *prefix;    /* of its settings: PREFIX.steps, PREFIX.seed, PREFIX.threads */
    const lu_table *table; /* beside lu_net_table and those of the game */
    const char *shown[4];  /* metrics that tell most, for a line of text; may end with NULL */
    /* Fills rows that nobody set; NULL when there is nothing to do. */
    lu_status (*profile)(lu_settings *settings, lu_error *error);
    /* What a trainer will take, before anything of it is allocated. */
    lu_status (*bytes_needed)(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error);
    /* `options`: the game's option block for every reset, or NULL. All seats that the game does not
     * drive itself are played by the one net (self-play where there are several). */
    lu_trainer *(*make)(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                        const void *options, lu_error *error);
    void (*drop)(lu_trainer *trainer);
    lu_status (*update)(lu_trainer *trainer, lu_progress *progress, lu_error *error);
    bool (*done)(const lu_trainer *trainer);
    int64_t (*updates)(const lu_trainer *trainer);
    int64_t (*updates_total)(const lu_trainer *trainer);
    int64_t (*steps)(const lu_trainer *trainer);
    int (*batch)(const lu_trainer *trainer);
    int (*threads)(const lu_trainer *trainer);
    lu_net *(*net)(lu_trainer *trainer);
    const lu_normaliser *(*normaliser)(const lu_trainer *trainer);        /* NULL: none */
    const lu_normaliser *(*critic_normaliser)(const lu_trainer *trainer); /* NULL: none */
    /* What values are multiplied by, against the rewards of the game. */
    double (*return_scale)(const lu_trainer *trainer);
    uint64_t (*hash)(const lu_trainer *trainer);
    size_t (*snapshot_bytes)(const lu_trainer *trainer);
    void (*save)(const lu_trainer *trainer, void *bytes);
    lu_status (*load)(lu_trainer *trainer, const void *bytes, size_t length, lu_error *error);
} lu_algorithm;

/* The algorithms; the first is the default. Ends with NULL. */
extern const lu_algorithm *const lu_algorithms[];
/* The table of settings with the one row `algo`, the name of an algorithm. */
extern const lu_table lu_algorithm_table;
/* NULL, with the names in the error, when there is none. */
const lu_algorithm *lu_algorithm_find(const char *name, lu_error *error);
/* Value of a metric, or seconds of a part, by name; 0 when there is none. */
double lu_progress_figure(const lu_progress *progress, const char *name);
double lu_progress_part(const lu_progress *progress, const char *name);
/* Members of an open object: everything of a progress, with the names of the game. */
void lu_progress_write(const lu_progress *progress, const lu_game *game, lu_json *json);

/* ---- a trainer ---- */

void lu_trainer_delete(lu_trainer *trainer);
/* One batch played and learned; progress may be NULL. LU_DIVERGED when logits or Q values, loss or
 * gradient are NaN or infinite: parameters are those before the failing minibatch, and the batch is
 * saved where PREFIX.save_failed says. LU_BAD_DATA when a game leaves a seat without any legal
 * option. After an error only saving and lu_trainer_delete make sense. Nothing is allocated, except
 * when a batch that failed is saved; the same bits for any number of threads. */
lu_status lu_trainer_update(lu_trainer *trainer, lu_progress *progress, lu_error *error);
/* True when PREFIX.steps are done (at least one update; a batch that does not fit is not begun). */
bool lu_trainer_done(const lu_trainer *trainer);

int64_t lu_trainer_updates(const lu_trainer *trainer);       /* finished */
int64_t lu_trainer_updates_total(const lu_trainer *trainer); /* planned: the end of schedules */
int64_t lu_trainer_steps(const lu_trainer *trainer);
int lu_trainer_batch(const lu_trainer *trainer); /* steps of environments in one update */
int lu_trainer_rows(const lu_trainer *trainer);  /* environments x seats that learn */
int lu_trainer_threads(const lu_trainer *trainer);
lu_net *lu_trainer_net(lu_trainer *trainer);
lu_vec *lu_trainer_vec(lu_trainer *trainer);
/* NULL when observations are not normalised. */
const lu_normaliser *lu_trainer_normaliser(const lu_trainer *trainer);

/* Exact resume: everything that the next update depends on. A trainer of the same game, rules and
 * settings (PREFIX.threads and PREFIX.steps aside) that loads it goes on bit for bit as the saved
 * one would. On an error of loading the trainer is as it was. */
size_t lu_trainer_snapshot_bytes(const lu_trainer *trainer);
void lu_trainer_save(const lu_trainer *trainer, void *bytes);
lu_status lu_trainer_load(lu_trainer *trainer, const void *bytes, size_t length, lu_error *error);

#ifdef __cplusplus
}
#endif
