/* Tournaments: everybody against everybody in a game for two, on the same seeds with sides
 * exchanged, and how strong each is: the matrix of points, ratings with intervals.
 * Ownership: the caller owns players and episode; results are freed by lu_tournament_free. Threads:
 * as a match. */
#pragma once

#include "ludus/rating.h"
#include "ludus/text.h"

LU_C_BEGIN

/* A player whose rating is held, as a frozen script whose rating is known. */
typedef struct lu_anchor {
    int player;
    double elo;
} lu_anchor;

typedef struct lu_tournament {
    lu_match match; /* of every pair: its episode, seeds, games (an even number), threads, hooks */
    const lu_player *players;
    int count;
    const lu_meeting *known; /* meetings on these seeds that are not played again; NULL: none */
    int knowns;
    const lu_anchor *anchor; /* NULL: none, and the mean of all is LU_ELO_START */
    int anchors;
    bool moves;        /* Elo that moves by every seed is wanted too; not with `known` */
    lu_rating *rating; /* results, by player */
    lu_meeting *meeting;
    int meetings;
    double *points; /* with `moves`: of every game, meeting by meeting */
    double *moved;  /* with `moves`: that Elo, by player */
} lu_tournament;

/* Takes `PLAYER=ELO` apart, or `PLAYER`, whose rating is LU_ELO_START then. */
double lu_anchor_read(const char *text, lu_text *player);
/* Plays all pairs. The hooks of the match see one pair after the other. */
lu_status lu_tournament_play(lu_tournament *t, lu_error *error);
void lu_tournament_free(lu_tournament *t);
/* Share of the points that `a` got against `b`; NaN for a player and itself. */
double lu_tournament_share(const lu_tournament *t, int a, int b);
/* One JSON object. */
void lu_tournament_write(const lu_tournament *t, lu_json *json);
/* Writes the rating of a player that is named by its file into that file's card; the file is
 * replaced as a whole. */
lu_status lu_tournament_keep(const lu_tournament *t, int who, lu_error *error);

LU_C_END
