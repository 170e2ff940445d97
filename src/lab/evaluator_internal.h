/* What the evaluator's two files share: the run that is followed (evaluator.c) and one window of it
 * that is being judged (evaluation.c). */
#pragma once

#include "run_files.h"

#include "ludus/catalogue.h"
#include "ludus/evaluator.h"
#include "ludus/tensorboard.h"

enum { EVAL_BOTS = 2, EVALUATOR_ANCHORS = 16 };

/* What a window is set against: `random` and the strongest bot, played once on the same seeds. */
typedef struct eval_bot {
    const char *name;
    double *values; /* the metric, seed by seed */
    lu_summary value;
} eval_bot;

typedef struct follower {
    const lu_evaluator *asked;
    const char *run, *id;  /* its folder, and the last part of that */
    lu_settings *settings; /* eval.* of the run, and those of its algorithm */
    const lu_algorithm *algorithm;
    int rows, lock; /* evals.jsonl; the evaluator's lock */
    lu_tensorboard *board;
    lu_catalogue *catalogue;
    int64_t judged, judged_steps; /* the last window that was judged, and its steps; -1: none */
    uint64_t *probes;             /* of the models that were judged, window by window; 0: none */
    int64_t known, next;          /* windows that have room there; the first one to look at */
    int64_t best;                 /* window of the best evaluation; -1: none */
    double *best_values;          /* its metric, seed by seed */
    int seeds;                    /* of an evaluation */
    lu_player *opponent;          /* of eval.opponents */
    int opponents;
    lu_text milestones; /* those reached: " NAME:VALUE ", a blank around each */
    eval_bot bot[EVAL_BOTS];
    int bots;
} follower;

/* One window that is being judged. */
typedef struct judging {
    follower *f;
    lu_manifest manifest;
    lu_episode s;
    lu_player agent;
    lu_match m; /* of itself, or against the first opponent */
    lu_evaluation result;
    double *values;     /* the metric, seed by seed */
    double *worth;      /* of the episodes of the match */
    lu_json standings;  /* against each opponent */
    lu_pairing against; /* the best before; of no use for the first one */
    int *order;         /* episodes from the best to the worst */
    lu_text place;      /* folder of the replays while they are written */
    double began;
} judging;

/* Plays a window and judges it: everything but the row. */
lu_status evaluation_play(judging *judging, lu_error *error);
/* The bots that windows are set against, at the first window; what they got is kept. */
lu_status evaluation_bots(judging *judging, lu_error *error);
/* Adds `bots`: what each got, and whether the window is better. */
void evaluation_write_bots(const judging *judging, lu_json *json);
/* Payoff matrix and ratings of the league of the window that was judged: a row of league.jsonl.
 * Pairs that met in the row before are not played again. Nothing where there is no league. */
lu_status evaluation_league(const judging *judging, lu_error *error);
/* The row, with its replays under their names. */
lu_status evaluation_write(judging *judging, lu_json *json, lu_error *error);
