/* Ways of training behind one table of calls: whoever drives a training (the program, a sweep, a
 * benchmark) names an algorithm and needs to know nothing else of it. The calls are those of
 * train.h and dqn.h, and promise what those promise; figures come as names and numbers.
 * Ownership: as in train.h; names of figures are constants. Threads: one caller at a time per
 * trainer; the table is constant. */
#pragma once

#include "ludus/net.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LU_MAX_FIGURES = 24, LU_MAX_PARTS = 8 };

typedef struct lu_figure {
    const char *name;
    double value;
} lu_figure;

/* Memory that a training will take, by what takes it. */
typedef struct lu_training_need {
    int parts;
    lu_figure part[LU_MAX_PARTS]; /* bytes */
    size_t total;
    const char *lower; /* settings to lower when it will not fit, as words of a sentence */
} lu_training_need;

/* What one update gave. */
typedef struct lu_progress {
    int64_t updates, steps;       /* finished, this one included; steps of environments */
    int64_t ticks;                /* game time in this update */
    int64_t truncated, illegal;   /* in this update: decisions of environments */
    uint32_t silent;              /* bit h: head h had no legal option at any decision */
    double reward, reward_square; /* means per decision, of the square too */
    double seconds, steps_per_second;
    int64_t episodes;                      /* that ended in this update */
    double episode_return, episode_length; /* means over them; 0 when none ended */
    int64_t recent;                        /* episodes behind the next line */
    double recent_return;                  /* mean over the last hundred */
    int64_t endings;                       /* episodes behind `info` */
    double info[LU_MAX_INFOS];             /* mean over ends of episodes */
    double term[LU_MAX_TERMS];             /* mean per decision of every reward term */
    int figures, parts;
    lu_figure figure[LU_MAX_FIGURES]; /* losses and the like, in the algorithm's order */
    lu_figure part[LU_MAX_PARTS];     /* where the seconds went */
} lu_progress;

typedef struct lu_algorithm {
    const char *name, *sentence;
    const char *prefix;    /* of its settings: PREFIX.steps, PREFIX.seed, PREFIX.threads */
    const lu_table *table; /* beside lu_net_table */
    const char *shown[4];  /* figures that tell most, for a line of text; may end with NULL */
    /* Fills rows that nobody set; NULL when there is nothing to do. */
    lu_status (*profile)(lu_settings *settings, lu_error *error);
    lu_status (*memory)(const lu_game *game, const lu_settings *settings, lu_training_need *need,
                        lu_error *error);
    void *(*make)(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                  const void *options, lu_error *error);
    void (*drop)(void *trainer);
    lu_status (*update)(void *trainer, lu_progress *progress, lu_error *error);
    bool (*done)(const void *trainer);
    int64_t (*updates)(const void *trainer);
    int64_t (*updates_total)(const void *trainer);
    int64_t (*steps)(const void *trainer);
    int (*batch)(const void *trainer);
    int (*threads)(const void *trainer);
    lu_net *(*net)(void *trainer);
    const lu_normaliser *(*normaliser)(const void *trainer);        /* NULL: none */
    const lu_normaliser *(*critic_normaliser)(const void *trainer); /* NULL: none */
    /* What values are multiplied by, against the rewards of the game. */
    double (*return_scale)(const void *trainer, const lu_settings *settings);
    uint64_t (*hash)(const void *trainer);
    size_t (*snapshot_bytes)(const void *trainer);
    void (*save)(const void *trainer, void *bytes);
    lu_status (*load)(void *trainer, const void *bytes, size_t length, lu_error *error);
} lu_algorithm;

/* The algorithms; the first is the default. Ends with NULL. */
extern const lu_algorithm *const lu_algorithms[];
/* The table of settings with the one row `algo`, the name of an algorithm. */
extern const lu_table lu_algorithm_table;
/* NULL, with the names in the error, when there is none. */
const lu_algorithm *lu_algorithm_find(const char *name, lu_error *error);
/* Value of a figure by name; 0 when there is none. */
double lu_progress_figure(const lu_progress *progress, const char *name);
/* Members of an open object: everything of a progress, with the names of the game. */
void lu_progress_write(const lu_progress *progress, const lu_game *game, lu_json *json);

#ifdef __cplusplus
}
#endif
