/* Matches: many episodes of a crew on all threads, on seeds that follow each other, and what every
 * player got. With several seatings each seed is played once per seating, and players move on by a
 * seat: with two, sides are exchanged on equal chance. Equal matches give equal results, whatever
 * the number of threads; and of ranks, each of which plays some of the episodes and gets the rows
 * of all. Ownership: the caller owns what it fills in, which must outlive the match; results are
 * freed by lu_match_free. Threads: one calls; `stop` is asked by all of them, `progress` by the
 * caller's. */
#pragma once

#include "ludus/comm.h"
#include "ludus/episode.h"
#include "ludus/player.h"

LU_C_BEGIN

typedef struct lu_match {
    const lu_episode *episode; /* its rules and options are shared, its environment is not used */
    const lu_player *player[LU_MAX_SEATS]; /* in this order; NULL: the one before it, there too */
    int seat;           /* of the first player; the others sit behind it, the last ones in front */
    int seatings;       /* episodes of each seed: in the k-th everybody sits k seats on; 0 is 1 */
    int rolls;          /* roll-outs of each episode, of which the best counts; 0 is 1 */
    const char *record; /* folder for a replay of every episode, "" or NULL for none */
    uint64_t first_seed;
    int episodes;        /* over all seatings */
    int threads;         /* 0 for one per processor */
    const lu_comm *comm; /* all of its ranks play this match, and call as this one does; or NULL */
    void *context;
    bool (*stop)(void *context); /* NULL: never */
    void (*progress)(void *context, const struct lu_match *match);
    /* results, one row per episode */
    int played;
    double *returns, *decisions, *ticks, *illegal, *terminated; /* returns: episodes x players */
    double *info;                                               /* episodes x players x infos */
    int *roll;                                                  /* which roll-out counts */
    /* of the first player, where its model has a win-rate predictor and the game tells `won`; else
     * NULL: mean over its decisions of what is predicted, and of the squared distance to what came
     */
    double *win_rate, *win_miss;
} lu_match;

/* Plays on up to episode `end`; LU_INTERRUPTED when it was stopped. With several seatings the end
 * is that of a seed. Before a report, `episodes` is to be what was played. Roll-outs are better by
 * the game's headline metric of the first player, else by its return; of equal ones the first
 * counts. Each repeats the chance of its seed; what agents draw differs, and is in the first what
 * they draw without roll-outs. */
lu_status lu_match_play_to(lu_match *match, int end, lu_error *error);
/* Plays all episodes. */
lu_status lu_match_play(lu_match *match, lu_error *error);
void lu_match_free(lu_match *match);

/* Of an episode: its seed, where a player (by its place in `player`) sat, and what it got. */
uint64_t lu_match_seed(const lu_match *match, int episode);
int lu_match_seat(const lu_match *match, int episode, int player);
double lu_match_return(const lu_match *match, int episode, int player);
const double *lu_match_info(const lu_match *match, int episode, int player);
/* Adds the path of its replay in the folder `record`. */
void lu_match_replay(const lu_match *match, int episode, lu_text *path);

LU_C_END
