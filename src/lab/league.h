/* A league: earlier selves and other players that a net trains against, with how often each is
 * drawn. A member's quality says how much is left to learn from it: a newcomer has that of the
 * best, and every game that the learner wins takes from it. Members are drawn by the softmax of
 * their qualities, or by how few points the learner gets from them. Left out: their nets
 * (opponents.c). Ownership: a league owns its list. Threads: one at a time. */
#pragma once

#include "ludus/algorithm.h"
#include "ludus/json.h"

typedef struct league_member {
    char name[LU_OPPONENT_NAME]; /* as everywhere: RUN:7, a file, bot:NAME */
    int64_t window;              /* of this run's checkpoint; -1: somebody else, found by name */
    int64_t joined;              /* update */
    double quality;
    int64_t games, wins, draws;         /* of training, from the learner's side */
    double recent_games, recent_points; /* the same, fading from update to update */
} league_member;

typedef struct league {
    int count;
    league_member *member;
    int64_t left; /* members that were dropped */
} league;

/* How members are drawn and how many there may be. */
typedef struct league_rules {
    int size;
    bool pfsp;
    double power, rate;
} league_rules;

void league_free(league *l);
/* Chances of all members to be drawn, which add up to 1. */
void league_chances(const league *l, const league_rules *rules, double *chance);
/* A member more; beyond rules->size the one that is drawn least leaves, the oldest of equals, and
 * never the newcomer. */
void league_join(league *l, const league_rules *rules, const char *name, int64_t window,
                 int64_t update);
/* Has the members of another league, found by name: those that are there already stay as they are,
 * newcomers have the quality of the best. */
void league_follow(league *l, const league *other, int64_t update);
/* What games of an update gave: results[i] of member i, drawn by `chance`. */
void league_learn(league *l, const league_rules *rules, const double *chance,
                  const lu_opponent_result *results);
/* A member of an open object, with the chances of today; and back. */
void league_write(const league *l, const league_rules *rules, lu_json *json);
lu_status league_read(league *l, const lu_json_value *object, lu_error *error);
