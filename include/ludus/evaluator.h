/* The evaluator of a training: it judges every window of a run that is closed and was not judged
 * yet, in order, and ends when the run has ended and all are judged. It writes replays,
 * metrics/evals.jsonl, the index of replays, TensorBoard's file and the catalogue, and never
 * touches what the training writes. Also what else judges the models of a run by its settings.
 * Ownership: the caller owns what it fills in. Threads: one; `stop` is asked by several. */
#pragma once

#include "ludus/match.h"
#include "ludus/stats.h"

LU_C_BEGIN

/* A window that was judged. */
typedef struct lu_evaluation {
    int64_t window;
    const char *metric;
    lu_summary value;
    bool best;       /* of all so far */
    const char *row; /* JSON: its line in evals.jsonl */
} lu_evaluation;

typedef struct lu_evaluator {
    const char *run; /* its folder */
    void *context;
    bool (*stop)(void *context);
    void (*progress)(void *context, const lu_match *match); /* NULL: not wanted */
    void (*judged)(void *context, const lu_evaluation *evaluation);
    /* Something failed that can be made from the rows at any time. */
    void (*note)(void *context, const char *sentence);
} lu_evaluator;

/* LU_INTERRUPTED when it was stopped, LU_BUSY when the run has an evaluator. */
lu_status lu_evaluator_follow(const lu_evaluator *evaluator, lu_error *error);

/* Adds the folder of the checkpoint that a player was named by (RUN, RUN:7, `best`); nothing where
 * it is a file of its own, or a published model. */
void lu_eval_checkpoint(const lu_player *player, lu_text *folder);
/* A match that gives the figures of the evaluator again: what is taken from the run that the
 * checkpoint lies in. */
typedef struct lu_eval_again {
    const char *checkpoint, *runs; /* its folder; the one in which runs are looked for */
    bool greedy;                   /* how the agent chooses too, not the seeds alone, ... */
    bool opponents;                /* ... and the first of eval.opponents, from every side */
    bool seated, other_game;       /* out: there is an opponent, whom the caller closes; eval.game
                                      stands in the settings of the player's model */
} lu_eval_again;
/* Sets episodes and seatings of a match, and whether `own` takes the best action. */
lu_status lu_eval_plan_again(lu_eval_again *again, lu_match *match, lu_player *own,
                             lu_player *opponent, lu_error *error);
/* What the net of a checkpoint answers after loading must be what it answered in the trainer:
 * LU_CHECK_FAILED otherwise. */
lu_status lu_eval_check(const char *checkpoint, const lu_model_file *file, const lu_rules *rules,
                        lu_error *error);
/* Whether evaluations of this game will find what these settings (eval.*) ask for: the metric, and
 * of eval.opponents players that can change sides. `runs`: folder in which runs are looked for. */
lu_status lu_eval_ready(const lu_episode *episode, const lu_settings *settings, const char *runs,
                        lu_error *error);
/* What evaluations go by: eval.metric or the game's headline; LU_BAD_VALUE when the game has no
 * such figure. */
lu_status lu_eval_metric(const lu_game *game, const lu_settings *settings, const char **name,
                         lu_error *error);

LU_C_END
