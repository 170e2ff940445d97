/* Contests: two players against each other in a game for several, every seed twice with sides
 * exchanged, and who is how much stronger: points with an interval, the difference of Elo, and a
 * sequential test that may end it as soon as it knows. A win is one point, a draw half of one; the
 * two games of a seed are one result of the statistics, since they share their chance.
 * Ownership: the caller owns what it fills in; results are freed by lu_contest_free. Threads: as a
 * match. */
#pragma once

#include "ludus/report.h"

LU_C_BEGIN

/* Whether players can change places: LU_BAD_VALUE where a game has one seat, or plays one itself
 * under these settings. */
lu_status lu_match_check_sides(const lu_episode *episode, lu_error *error);
/* What decides a game: `won` where that is an info flag of the game, else `return`. */
const char *lu_match_decider(const lu_game *game);
/* Points of a side in an episode. The side is that of the first player; of the seats of a side the
 * mean counts. 1, 0.5 or 0. */
double lu_match_points(const lu_match *match, int episode);

typedef struct lu_contest {
    lu_match match; /* its players and seatings are set by lu_contest_play */
    const lu_player *a, *b;
    bool sequential;    /* plays only until the test below decides */
    double null, other; /* with that: its guesses, as how much more Elo A has */
    /* results */
    int most;                /* games at most; those of the match are what was played */
    int wins, draws, losses; /* of A */
    int pairs[5];            /* seeds by the points of A, from 0 to 2 in halves */
    double first_seat;       /* share of the points that the first seat got */
    lu_summary score;        /* points of A per game, seed by seed */
    lu_verdict verdict;      /* on A, as in lu_compare_pairs over the seeds, and its p */
    double p;
    double elo, elo_low, elo_high; /* how much more A has; infinite where it got all or nothing */
    lu_sprt sprt;
} lu_contest;

/* Plays match.episodes games, an even number. In a game for more than two A and B sit in turn. */
lu_status lu_contest_play(lu_contest *contest, lu_error *error);
void lu_contest_free(lu_contest *contest);
/* Share of the games that A won, seed by seed: the two of a seed share their chance. */
lu_summary lu_contest_wins(const lu_contest *contest);
/* "accepted" (`other` explains the results), "rejected" (`null` does) or "undecided". */
const char *lu_contest_decision(const lu_contest *contest);
/* One JSON object. */
void lu_contest_write(const lu_contest *contest, lu_json *json);

LU_C_END
