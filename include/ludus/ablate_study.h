/* A study of a reward: every training of an ablation (ablate.h), each policy judged on the same
 * seeds, and what the figures say about each term of the reward.
 * Ownership: the caller owns the study and what it points at; lu_ablate_free frees what it found.
 * Threads: one calls; `watch` is asked to stop by several. */
#pragma once

#include "ludus/ablate.h"
#include "ludus/match.h"
#include "ludus/stats.h"
#include "ludus/watch.h"

LU_C_BEGIN

enum { LU_ABLATE_FIGURES = 2 }; /* the metric, and whether an episode went well */

typedef struct lu_ablate_row {
    int term;
    double weight;
    lu_effect effect[LU_ABLATE_FIGURES]; /* with the term less without it */
    lu_verdict verdict[LU_ABLATE_FIGURES];
} lu_ablate_row;

typedef struct lu_ablate_report {
    const lu_game *game;
    const char *algorithm, *folder;
    const char *settings; /* JSON of those that all trainings share */
    const char *opponent; /* bot in other seats; NULL where there are none */
    bool greedy, lower;   /* of the metric less is better */
    int64_t steps;        /* of each training */
    uint64_t first_training, first_seed;
    int trainings, episodes; /* seeds of each kind */
    int figures;
    const char *figure[LU_ABLATE_FIGURES];
    int rows;
    lu_ablate_row row[LU_MAX_TERMS];
} lu_ablate_report;

/* "helps", "harms", "no effect shown". */
const char *lu_ablate_reading(lu_verdict verdict);
/* The result: members of an open object. */
void lu_ablate_write(const lu_ablate_report *report, lu_json *json);

/* A training that is judged; `seconds` below 0: its policy was there. */
typedef struct lu_ablate_trained {
    int term; /* or LU_BASELINE */
    const char *name;
    uint64_t seed;
    double seconds, mean[LU_ABLATE_FIGURES];
} lu_ablate_trained;

typedef struct lu_ablate_study {
    const lu_episode *episode; /* all terms: also variants are judged in it */
    lu_ablation *ablation;
    const lu_player *opponent; /* in the other seats */
    int threads;
    const lu_watch *watch;
    void *context;
    void (*trained)(void *context, const lu_ablate_trained *training); /* after each */
    lu_ablate_report report;
    int index[LU_ABLATE_FIGURES];       /* of the figures among those of lu_match_figures */
    double **values[LU_ABLATE_FIGURES]; /* baseline, then a row each: trainings x episodes */
    int done;                           /* trainings judged */
} lu_ablate_study;

/* Rows of the report for the terms that `list` names, with commas between; "" takes all whose
 * weight is not 0. */
lu_status lu_ablate_terms(lu_ablate_study *study, const char *list, lu_error *error);
/* Figures that are told: `metric`, "" for the game's headline, and whether an episode went well.
 * Not the return: a reward without a term has another one. */
lu_status lu_ablate_figures(lu_ablate_study *study, const char *metric, lu_error *error);
/* Trainings in all. */
int lu_ablate_total(const lu_ablate_study *study);
/* Trains and judges all, seed by seed, so that what an early stop leaves behind is comparable; then
 * judges and sorts the rows, what helps most first, and writes result.json. */
lu_status lu_ablate_run(lu_ablate_study *study, lu_error *error);
void lu_ablate_free(lu_ablate_study *study);

LU_C_END
