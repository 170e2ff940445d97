/* The course of a training: updates, windows with their rows, checkpoints, evaluations that come
 * in, and going on with what was stopped, bit for bit. For whoever trains: `ludus train` keeps a
 * run (run.h), an ablation the state of a training that was stopped, a sweep nothing.
 * Ownership: a training owns its trainer and run; what the plan points at must outlive it.
 * Threads: one caller at a time; the trainer has threads of its own. */
#pragma once

#include "ludus/run.h"

LU_C_BEGIN

/* What is told while a training runs; each may be NULL. A row is one of docs/run-folder.md as text.
 */
typedef struct lu_training_hooks {
    void *context;
    /* After an update, with its row where there is a run; `last`: this sitting ends with it. */
    void (*update)(void *context, const lu_progress *progress, const char *row, bool last);
    /* After a window was closed and is kept. */
    void (*window)(void *context, const lu_window *window, const lu_progress *last,
                   const char *row);
    /* A row of metrics/evals.jsonl that was not there before. */
    void (*evaluation)(void *context, const lu_json_value *row);
    /* Asked before the first update, with NULL, and after each: true ends this sitting. */
    bool (*stop)(void *context, const lu_progress *progress);
    /* After an update of an exploiter (league.main_exploiters): `done` of its turn's updates. */
    void (*exploiter)(void *context, const char *name, const lu_progress *progress, int64_t done,
                      int64_t updates);
    /* Has the batch of the next update played elsewhere, and loads it into the trainer
     * (trainer_halves.h). NULL: the trainer plays. Without opponents only. */
    lu_status (*collect)(void *context, lu_trainer *trainer, lu_error *error);
    /* Told how far an update is, those of exploiters too; where it stops, the update under way is
     * lost. */
    const lu_watch *watch;
} lu_training_hooks;

typedef struct lu_training_plan {
    const lu_game *game;
    const void *options; /* of the game's resets, or NULL */
    const lu_algorithm *algorithm;
    const lu_comm *comm;          /* this is rank 0 of several processes; NULL: alone */
    lu_settings *settings;        /* of game, net and algorithm, with its profile */
    const char *version, *commit; /* of the program that trains */
    lu_training_hooks hooks;
    /* A run: the one at the path `resume`, "" or NULL for a new one in the folder `runs`. The
     * settings go into run.json and hold those of lu_run_table. NULL: no run is kept. */
    const lu_settings *run;
    const char *runs, *resume;
    const char *name;    /* of the folder of a new run; NULL: made of time, commit and game */
    const char *players; /* folder in which runs of opponents are looked for; NULL: `runs` */
    /* Model whose weights a new training begins with: a file, RUN:7; NULL or "": none. */
    const char *from;
    /* Without a run: the file in which a training that is stopped is kept, and from which it goes
     * on; a hash stands behind the state. NULL: none. */
    const char *state;
    bool measured; /* without a run: thrown away again, so that its league may stay empty */
} lu_training_plan;

typedef struct lu_training lu_training;

/* ---- before it ---- */

/* Settings of one sitting of a run, and those that may change from one to the next, as
 * lu_run_settings takes them; both end with NULL. */
extern const char *const lu_training_own_keys[], *const lu_training_open_keys[];
/* The algorithm of the run at `path`, which must be one of `game`; NULL on an error. */
const lu_algorithm *lu_training_algorithm(const char *path, const lu_game *game, lu_error *error);
/* Sets PREFIX.NAME, as PREFIX.seed, of an algorithm to a number, as a flag does. */
lu_status lu_training_set(lu_settings *settings, const lu_algorithm *algorithm, const char *name,
                          uint64_t value, const char *where, lu_error *error);
/* What a training will take; LU_LIMIT when that is more than `memory` bytes (0: any). */
lu_status lu_training_memory(const lu_game *game, const lu_algorithm *algorithm,
                             const lu_settings *settings, size_t memory, lu_training_need *need,
                             lu_error *error);
/* Adds "1.4 GB (net 2 MB, rollout 1.4 GB)". */
void lu_training_need_text(const lu_training_need *need, lu_text *text);

/* Steps a second that a training makes here, measured for about so long with one that is thrown
 * away. */
lu_status lu_training_pace(const lu_training_plan *plan, double seconds, double *pace,
                           lu_error *error);

/* ---- the course ---- */

/* Makes the trainer and its run, or goes on with what is kept. LU_USAGE when a run that is gone on
 * with has done all its steps. NULL on an error. */
lu_training *lu_training_open(const lu_training_plan *plan, lu_error *error);
void lu_training_close(lu_training *training);
/* One update, with all that follows from it: rows, window, checkpoint, hooks. */
lu_status lu_training_update(lu_training *training, lu_error *error);
/* Updates until the training is done or a stop is asked for, by the hook, run.stop_update,
 * run.stop_minutes or run.stop_when. The run's status is told at the end. */
lu_status lu_training_go(lu_training *training, lu_error *error);
/* Tells of evaluations that have come in: looks twice a second at most, unless `now`. Updates of a
 * run do it too. */
void lu_training_hear(lu_training *training, bool now);

/* ---- where it is ---- */

/* The trainer, for the calls of the algorithm that only read. */
lu_trainer *lu_training_trainer(lu_training *training);
bool lu_training_done(const lu_training *training);
/* Share of the updates that are done. */
double lu_training_share(const lu_training *training);
/* Seconds of this sitting. */
double lu_training_seconds(const lu_training *training);
/* The run; NULL without one. */
const lu_run *lu_training_run(const lu_training *training);
/* The window that is open. */
const lu_window *lu_training_window(const lu_training *training);
/* Update of the newest checkpoint; -1 when there is none. */
int64_t lu_training_saved(const lu_training *training);
/* The last window that was evaluated; -1 when there is none. */
int64_t lu_training_judged(const lu_training *training);
/* What a model file is to hold now. It points into the training. */
lu_model_file lu_training_model(lu_training *training);

LU_C_END
