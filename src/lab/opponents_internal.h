/* What the files of opponents share: who is open, the league, and what is seated. */
#pragma once

#include "league.h"
#include "opponents.h"
#include "run_files.h"

#include "ludus/episode.h"
#include "ludus/player.h"
#include "ludus/self_play.h"

/* A player that is open. */
typedef struct guest {
    char name[LU_OPPONENT_NAME];
    lu_player player;
    bool seated;
} guest;

/* What a member of the roster stands for. */
typedef struct chair {
    lu_opposite kind;
    int index; /* in the league, of `past`; -1: the net that learns stands in */
} chair;

struct opponents {
    opponents_plan plan;
    int guests;
    guest **guest; /* each allocated alone: the roster keeps names and nets */
    int members;   /* of the roster */
    lu_opponent member[LU_MAX_OPPONENTS];
    /* by self_play.* */
    bool by_share;
    chair chair[LU_MAX_OPPONENTS];
    league league;
    double *chance;                /* of the league's members, as they are seated */
    int64_t update;                /* the next one */
    char *run;                     /* path of this run; NULL: none yet */
    int64_t newest;                /* closed window of this run; -1: none */
    char latest[LU_OPPONENT_NAME]; /* who sits there as the newest of another run; "": nobody */
    bool found;                    /* `latest` is that of the checkpoint: taken as it is, once */
    char script[LU_OPPONENT_NAME];
    bool scripted;                 /* at some update it has a share */
    lu_episode game[LU_OPPOSITES]; /* by settings of its own; not open: by those of the training */
    int rules[LU_OPPOSITES];       /* as the trainer counts them; 0: those of the training */
    double points[LU_OPPOSITES];   /* share of the learner's, of the last update with such games */
    int64_t turns, turned;         /* of exploiters: how many, and after which update the last */
    int64_t main_waited, league_waited; /* turns before the first of the kind */
    double exploited; /* share of points of the last one that played against this run */
};

/* Whether a setting of self-play has a text. */
bool opponents_set(const opponents *o, const char *key);
/* How the league draws; without its rate, a schedule. */
league_rules opponents_rules(const opponents *o);
/* A player by name, or of a window of this run where that is not -1; opened where it is not yet. */
lu_status opponents_guest(opponents *o, const char *name, int64_t window, guest **found,
                          lu_error *error);
/* Those who sit nowhere leave. */
void opponents_leave(opponents *o);
/* RUN:WINDOW of this run. */
void opponents_window_name(const opponents *o, int64_t window, char name[LU_OPPONENT_NAME]);
/* Folder in which runs are looked for; "": none. */
const char *opponents_runs(const opponents *o);
/* Share of the updates that are done. */
double opponents_progress(const lu_trainer *trainer, int64_t update);
