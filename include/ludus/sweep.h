/* A sweep searches settings that train well: a space says which settings may vary and how, trials
 * are short trainings with values from it, and what they reached decides what is tried next. The
 * search draws at random at first and then by a tree of Parzen windows: kernel densities of the
 * good trials and of the others, and the candidate with the best ratio of both per expected cost.
 * Trials that fall behind the earlier ones at a rung are given up there. Everything is kept in a
 * folder, sweep.json    what is searched, written once trials.jsonl  a line per trial that ended,
 * only ever appended to and a proposal depends on the seed and on these lines alone: a sweep that
 * was killed goes on as if it had not been. Ownership: a sweep copies its plan's texts and owns its
 * trials and the lock of its folder; space, game and settings must outlive it. Threads: one caller
 * at a time. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

enum { LU_MAX_DIMENSIONS = 32, LU_MAX_RUNGS = 6 };

/* ---- spaces ---- */

typedef struct lu_space lu_space;

/* Reads a space from an .ini, .yml or .json file. Each setting KEY of `settings` that is to vary
 * has KEY.min and KEY.max, and may have KEY.scale (linear, log, or int for whole numbers) and
 * KEY.form, a text in which {} stands for the number: cosine({},0); or else KEY.options, a list of
 * values. All values that may come up are tried on `settings`. NULL on an error. */
lu_space *lu_space_read(const char *path, const lu_settings *settings, lu_error *error);
/* The same from memory: see lu_settings_text. */
lu_space *lu_space_text(const char *kind, const char *name, const char *text, size_t length,
                        const lu_settings *settings, lu_error *error);
void lu_space_delete(lu_space *space);
int lu_space_count(const lu_space *space);
const char *lu_space_key(const lu_space *space, int dimension);
/* How many options a dimension has; 0: it is a range. */
int lu_space_options(const lu_space *space, int dimension);
/* Adds the value that stands at `place`, from 0 up to but not 1, of a dimension. */
void lu_space_value(const lu_space *space, int dimension, double place, lu_text *text);
/* The space as one JSON object, the same for the same space. */
void lu_space_write(const lu_space *space, lu_json *json);

/* ---- trials ---- */

typedef enum lu_trial_state { LU_TRIAL_DONE, LU_TRIAL_PRUNED, LU_TRIAL_FAILED } lu_trial_state;

typedef struct lu_trial {
    int number; /* from 0 */
    uint64_t seed;
    double place[LU_MAX_DIMENSIONS];
    lu_trial_state state;
    int rungs;                 /* reached */
    double rung[LU_MAX_RUNGS]; /* scores there */
    double score;              /* at the end, or where it was given up; larger is better */
    double cost;               /* expected of a whole trial like this one */
    int64_t steps;
    double seconds;
} lu_trial;

typedef enum lu_sweep_cost { LU_COST_SECONDS, LU_COST_STEPS, LU_COST_NONE } lu_sweep_cost;

typedef struct lu_sweep_plan {
    const lu_game *game;
    const char *algorithm;
    const char *metric;   /* "return", or a name of an info field */
    bool minimise;        /* smaller is better */
    const char *settings; /* JSON of those that all trials share */
    uint64_t seed;
    int64_t steps; /* of a trial, where the space does not say */
    int start;     /* trials that are drawn at random */
    bool random;   /* all of them are */
    int rungs;     /* at 1/2, 1/4, ... of a trial; 0: none */
    double keep;   /* share that goes on at a rung: 0.5 keeps what is above the median */
    lu_sweep_cost cost;
    int together; /* trials of a round, which know nothing of each other; 0 is 1 */
} lu_sweep_plan;

/* Trials that trial `number` knows of: those before its round. */
int lu_sweep_known(const lu_sweep_plan *plan, int number);
/* What trial `number` tries, by the trials before its round. The same for the same plan and trials.
 */
void lu_sweep_propose(const lu_space *space, const lu_sweep_plan *plan, const lu_trial *trials,
                      int number, lu_trial *next);
/* Whether a trial with this score at a rung goes on, beside those that were there before. */
bool lu_sweep_goes_on(const lu_sweep_plan *plan, const lu_trial *trials, int count, int rung,
                      double score);
/* Share of a trial's steps after which a rung lies; rungs count from 0, the earliest. */
double lu_sweep_rung_at(const lu_sweep_plan *plan, int rung);
/* Index of the best trial: done ones by score; -1 when none is done. */
int lu_sweep_best(const lu_trial *trials, int count);

/* ---- a folder ---- */

typedef struct lu_sweep lu_sweep;

/* Makes a sweep in a folder, or goes on with the one there. LU_BUSY when another process works on
 * it; LU_OTHER_SPEC, naming what differs, when it is a sweep of something else. A last line that is
 * not whole is dropped. Without a folder (NULL) nothing is kept: for the ranks behind the first. */
lu_sweep *lu_sweep_open(const char *folder, const lu_space *space, const lu_sweep_plan *plan,
                        lu_error *error);
void lu_sweep_close(lu_sweep *sweep);
int lu_sweep_count(const lu_sweep *sweep);
const lu_trial *lu_sweep_trials(const lu_sweep *sweep);
/* Appends a trial that ended; `why` is told for failed ones. On disk when this returns. */
lu_status lu_sweep_add(lu_sweep *sweep, const lu_trial *trial, const char *why, lu_error *error);

/* ---- a trial ---- */

/* Asked after every update, and now and then inside of long ones, with the share of the trial that
 * is done and the score so far (NAN before the first episode ended); true gives up at once. */
typedef bool lu_sweep_watch(void *context, double share, double score);

/* Trains with the values of `trial` on top of `settings` (game, net and algorithm) and fills what
 * it reached. A training that cannot be made, takes more than `memory` bytes (0: any) or fails is a
 * trial that failed: LU_OK, with the sentence in `why`. LU_INTERRUPTED when `watch` said so. */
lu_status lu_sweep_train(const lu_sweep *sweep, const lu_settings *settings, int threads,
                         size_t memory, lu_trial *trial, lu_sweep_watch *watch, void *context,
                         lu_error *why, lu_error *error);

/* Told of each trial that ended, in order; what it returns ends the sweep. */
typedef lu_status lu_sweep_told(void *context, const lu_trial *trial, const char *why,
                                lu_error *error);

/* Rounds of trials until there are `trials`. The trials of a round are cut over the ranks of `comm`
 * (NULL: alone), all of which call this with the same plan and settings; the sweep of rank 0 has
 * the folder. LU_INTERRUPTED when `watch` of rank 0 said so. */
typedef struct lu_sweep_course {
    lu_sweep *sweep;
    const lu_settings *settings;
    int trials, threads;
    size_t memory;
    const lu_comm *comm;
    void *context;
    lu_sweep_watch *watch;
    bool (*begins)(void *context, int number); /* a trial here; false: gives up */
    lu_sweep_told *told;
} lu_sweep_course;
lu_status lu_sweep_go(const lu_sweep_course *course, lu_error *error);

/* ---- a folder that is only read ---- */

/* Best trial of a folder, as texts. */
typedef struct lu_sweep_result {
    lu_trial trial;
    char *game, *algorithm, *metric;
    bool minimise;  /* then scores are the metric with its sign changed */
    char *settings; /* JSON of those that all trials share */
    char *values;   /* JSON of the trial's own */
    int trials, done, pruned, failed;
    int64_t steps;
    double seconds;
} lu_sweep_result;

/* LU_NOT_FOUND when there is no sweep, or no trial of it is done. */
lu_status lu_sweep_read(const char *folder, lu_sweep_result *result, lu_error *error);
void lu_sweep_result_free(lu_sweep_result *result);
/* Writes config/NAME.ini with the settings of the best trial, and gives its path. LU_BAD_VALUE
 * where the file is there already. */
lu_status lu_sweep_write_preset(const lu_sweep_result *result, const char *name, lu_text *path,
                                lu_error *error);

LU_C_END
