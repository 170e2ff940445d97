/* Many episodes of a bot or of a trained agent on all threads (watch_many.c), and the report about
 * them (watch_report.c): ludus watch --seeds A..B, eval, compare, and the evaluator. No mean stands
 * without its interval.
 * Ownership: the caller owns what it fills in; results are freed by many_free. Threads: the main
 * thread calls. */
#pragma once

#include "session.h"

#include "ludus/stats.h"

/* The public seeds of every game, for judging. */
#define MANY_SEEDS "30000..30399"

typedef struct many {
    const lu_episode *session; /* its model and options are shared, its environment is not used */
    const char *name;          /* of who plays, for people */
    const lu_bot *bot, *opponent;
    const lu_model_file *file; /* an agent plays in place of `bot`; NULL: none */
    bool greedy;               /* the agent */
    double temperature;        /* of its draws, as in lu_agent_settings */
    int rolls;                 /* its roll-outs of each seed, of which the best counts; 0 is 1 */
    bool alone;                /* other seats are driven by `opponent`, not by the agent */
    const char *record;        /* folder for a replay of every episode, "" or NULL for none */
    uint64_t first_seed;
    int episodes;
    int threads;
    /* results, one row per episode */
    int played;
    double *returns, *decisions, *ticks, *illegal, *terminated;
    double *info; /* episodes x infos */
    int *roll;    /* which roll-out counts */
} many;

/* Plays all episodes; the results do not depend on the number of threads. */
lu_status many_play(many *many, lu_error *error);
/* Plays on up to episode `end`, between progress_start and progress_end of the caller. Before a
 * report, `episodes` is to be what was played. */
lu_status many_play_to(many *many, int end, lu_error *error);
void many_free(many *many);

/* First seed and number of episodes by --seeds and --episodes, unset those of MANY_SEEDS. */
lu_status many_take_seeds(many *many, const verb_call *call, lu_error *error);
/* How an agent chooses, by --greedy and --sample, and by --temperature where the verb has it. */
lu_status many_take_manner(many *many, const verb_call *call, lu_error *error);

/* ---- roll-outs ----
 * They are better by the game's headline figure, else by the return; of equal ones the first
 * counts. Each repeats the chance of its seed; what the agent draws differs, and is in the first
 * what it draws without roll-outs. */

/* ---- figures ---- */

/* One figure of every episode. */
typedef struct figure {
    const char *name, *unit;
    const double *values;
    size_t stride;
    bool flag; /* 0 or 1 */
} figure;

enum { OWN_FIGURES = 5, MOST_FIGURES = OWN_FIGURES + LU_MAX_INFOS };

/* Return, decisions, ticks, illegal actions, terminated, then info fields worth a mean, into room
 * for MOST_FIGURES; before any episode they have no values. Returns how many. */
int many_figures(const many *many, figure *list);
/* The game's headline among them, else the return. */
int many_headline(const many *many, const figure *list, int count);
/* The one that says whether an episode went well: the first info flag that is worth a mean, as
 * `survival`, `found` or `won`. -1: the game has none. */
int many_success(const figure *list, int count);
/* By name; LU_NOT_FOUND tells the nearest. */
lu_status many_figure_find(const figure *list, int count, const char *name, int *index,
                           lu_error *error);
lu_summary figure_summary(const figure *figure, int episodes);
/* Value by value; of both as many. */
lu_pairing figure_compare(const figure *a, const figure *b, int episodes, double margin);

/* ---- reports ---- */

/* Members of an open object: equal for equal play, whatever the player was called by. */
void many_write(const many *many, lu_json *json);
void many_print(const many *many);
/* Member `each` of an open object: seed and figures of every episode, names as names. */
void many_write_each(const many *many, lu_json *json);
/* The same episodes played by others: the differences, seed by seed. One member `against`, with a
 * member per name. */
void many_write_against(const many *many, const struct many *others, int count, lu_json *json);
void many_print_against(const many *many, const struct many *other);

/* For cells: a number, "LOW .. HIGH", a share with its interval as "62 % (57 .. 67)". */
const char *figure_number(double value);
const char *figure_interval(double low, double high);
const char *figure_share(double share, double low, double high);
