/* Reports on matches: the figures of every episode, summed up with intervals, as JSON, and beside
 * those of other players on the same seeds. No mean stands without its interval. Figures are those
 * of one player of the match; where none is asked for, of the first.
 * Ownership: figures point into the match, which must outlive them. Threads: no shared state. */
#pragma once

#include "ludus/match.h"
#include "ludus/stats.h"

LU_C_BEGIN

/* ---- figures ---- */

/* One figure of every episode. */
typedef struct lu_match_figure {
    const char *name, *unit;
    const double *values;
    size_t stride;
    bool flag; /* 0 or 1 */
} lu_match_figure;

enum { LU_MATCH_OWN = 5, LU_MATCH_FIGURES = LU_MATCH_OWN + LU_MAX_INFOS };

/* Return, decisions, ticks, illegal actions, terminated, then info fields worth a mean, into room
 * for LU_MATCH_FIGURES; before any episode they have no values. Returns how many. */
int lu_match_figures(const lu_match *match, int player, lu_match_figure *list);
/* The game's headline among them, else the return. */
int lu_match_headline(const lu_game *game, const lu_match_figure *list, int count);
/* The one that says whether an episode went well: the first info flag that is worth a mean, as
 * `survival`, `found` or `won`. -1: the game has none. */
int lu_match_success(const lu_match_figure *list, int count);
/* By name; LU_NOT_FOUND tells the nearest. */
lu_status lu_match_figure_find(const lu_match_figure *list, int count, const char *name, int *index,
                               lu_error *error);
double lu_match_figure_value(const lu_match_figure *figure, int episode);
lu_summary lu_match_summary(const lu_match_figure *figure, int episodes);
/* Value by value; of both as many. */
lu_pairing lu_match_compare(const lu_match_figure *a, const lu_match_figure *b, int episodes,
                            double margin);

/* ---- causes of the end ---- */

typedef struct lu_ending {
    const char *name;
    int count;
    double share, low, high;
} lu_ending;

/* By the info field `end`, else whether the rules or a limit ended the episode. Those that came up,
 * into room for LU_MAX_NAMES; returns how many. */
int lu_match_endings(const lu_match *match, lu_ending *list);

/* ---- JSON ---- */

/* Members of an open object: equal for equal play, whatever the player was called by. */
void lu_match_write(const lu_match *match, lu_json *json);
/* In a game for several the members `seat`, of the first player, and `opponents`. */
void lu_match_write_seats(const lu_match *match, lu_json *json);
/* Member `each` of an open object: seed and figures of every episode, names as names. */
void lu_match_write_each(const lu_match *match, lu_json *json);
/* The same episodes played by others: the differences, seed by seed. One member `against`, with a
 * member per name. */
void lu_match_write_against(const lu_match *match, const lu_match *others, int count,
                            lu_json *json);

LU_C_END
