/* What a reward ablation found: one row per term, best first, as a table and as JSON.
 * Ownership: the caller owns what it fills in. Threads: the main thread. */
#pragma once

#include "ludus/game_ask.h"
#include "ludus/stats.h"

enum { ABLATE_FIGURES = 2 }; /* the metric, and whether an episode went well */

typedef struct ablate_row {
    int term;
    double weight;
    lu_effect effect[ABLATE_FIGURES]; /* with the term less without it */
    lu_verdict verdict[ABLATE_FIGURES];
} ablate_row;

typedef struct ablate_report {
    const lu_game *game;
    const char *algorithm, *folder;
    const char *settings; /* JSON of those that all trainings share */
    const char *opponent; /* bot in other seats; NULL where there are none */
    bool greedy, lower;   /* of the metric less is better */
    int64_t steps;        /* of each training */
    uint64_t first_training, first_seed;
    int trainings, episodes; /* seeds of each kind */
    int figures;
    const char *figure[ABLATE_FIGURES];
    int rows;
    ablate_row row[LU_MAX_TERMS];
} ablate_report;

/* Judges every row by its intervals and sorts them: what helps most comes first. */
void ablate_judge(ablate_report *report);
void ablate_print(const ablate_report *report);
/* Members of an open object. */
void ablate_write(const ablate_report *report, lu_json *json);
