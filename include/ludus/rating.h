/* Ratings: how strong players are that met in some pairs or in all. Elo moves by every batch of
 * results and forgets; the fit of Bradley and Terry takes all results at once and says how sure it
 * is. Both are in points of Elo: 400 more are ten to one.
 * Ownership: the caller owns all arrays; nothing is kept. Threads: no shared state. */
#pragma once

#include "ludus/contest.h"

LU_C_BEGIN

#define LU_ELO_START 1500.0
#define LU_ELO_STEP  16.0

/* ---- Elo ---- */

/* `a` got `points` (1, 0.5 or 0) against `b`; places in the list of players. */
typedef struct lu_outcome {
    int a, b;
    double points;
} lu_outcome;

/* Moves ratings by a batch, which is judged by the ratings before it. `frozen` (NULL: none) keep
 * theirs. */
void lu_elo_move(double *ratings, const bool *frozen, int players, const lu_outcome *outcomes,
                 int count);

/* ---- all results at once ---- */

/* What two players did: seeds by the points of the first, 0 to 2 in halves, as in lu_contest. The
 * two games of a seed are one result. */
typedef struct lu_meeting {
    int a, b;
    int pairs[5];
} lu_meeting;

typedef struct lu_rating {
    double elo, low, high; /* 95 % interval; of an anchor all three are equal */
    double points, games;  /* over all meetings */
    bool anchor;
} lu_rating;

/* Most likely ratings. On entry `anchor` and their `elo` are given; without an anchor the mean of
 * all is LU_ELO_START. Each meeting counts one drawn game more, so that who won all of them has a
 * rating too. Intervals are of the sandwich kind, over seeds. LU_BAD_VALUE when some players are
 * not connected to the others (to an anchor) by meetings. */
lu_status lu_rate(lu_rating *ratings, int players, const lu_meeting *meetings, int count,
                  lu_error *error);

LU_C_END
