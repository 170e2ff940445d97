/* Self-play by shares: which part of the environments of a training two-player game is played by
 * the net that learns on both sides (pure), and who sits opposite in the others: members of a
 * league (past), players that were named (target), the newest checkpoint of a run (latest), a
 * script. Shares and manners are settings, most of them schedules. Whoever knows files fills the
 * roster (algorithm.h); a trainer itself reads only the share of `pure`.
 * Ownership: nothing is kept; schedules belong to the settings. Threads: any. */
#pragma once

#include "ludus/game.h"
#include "ludus/settings.h"

LU_C_BEGIN

/* Who sits opposite. */
typedef enum lu_opposite {
    LU_PURE,
    LU_PAST,
    LU_TARGET,
    LU_LATEST,
    LU_SCRIPT,
    LU_OPPOSITES
} lu_opposite;

/* "pure", "past", ... */
extern const char *const lu_opposite_names[LU_OPPOSITES];
/* The settings self_play.* and league.*. */
extern const lu_table lu_self_play_table;

/* Fills the shares that nobody set by self_play.strategy, and refuses what does not go together:
 * a game with one seat, targets without a share, PREFIX.opponents beside shares. */
lu_status lu_self_play_settle(lu_settings *settings, const lu_game *game, const char *prefix,
                              lu_error *error);
/* Whether any share is set; false too where the settings do not hold the table. */
bool lu_self_play_on(const lu_settings *settings);
/* Whether the strategy is `exploiter`: a new run begins with the checkpoint it plays against. */
bool lu_self_play_exploits(const lu_settings *settings);
/* Whether the share of `pure` may change from update to update: it is no plain number. */
bool lu_self_play_moves(const lu_settings *settings);
/* Shares at an update, which add up to 1: what the others leave is that of the script. Returns the
 * sum that the settings give: above 1 they do not fit. */
double lu_self_play_shares(const lu_settings *settings, double progress, double update,
                           double share[LU_OPPOSITES]);

/* How opponents of a kind play: the share of episodes in which they take their best action, the
 * share in which they react late, and how often they do so then. */
typedef struct lu_opposite_manner {
    double greedy, delayed, delay;
    bool uniform; /* the chance of an episode is drawn between 0 and `delay` */
} lu_opposite_manner;

/* Of `pure` and the script all is 0. */
lu_opposite_manner lu_self_play_manner(const lu_settings *settings, lu_opposite who,
                                       double progress, double update);

LU_C_END
