/* The players of seats that do not learn, sat into a trainer: the side of lu_trainer_roster that
 * knows runs and files. They are those of a list (train.opponents), or by self_play.* members of a
 * league, targets, the newest checkpoint of a run and a script; then who sits there, and how often
 * each is drawn, changes with every update.
 * Ownership: the object owns players and their models and must outlive the trainer. Threads: one at
 * a time. */
#pragma once

#include "ludus/run.h"

typedef struct opponents opponents;

typedef struct opponents_plan {
    const lu_algorithm *algorithm;
    const lu_game *game;
    const lu_settings *settings; /* must outlive the object */
    const char *runs;   /* folder in which runs are looked for; NULL: only bots and files */
    bool run;           /* a run is kept, whose checkpoints can join a league, or only measured */
    const char *resume; /* path of the run that is gone on with; NULL or "": none */
} opponents_plan;

/* Opens who is named; *found is NULL where every seat learns, or on an error. */
lu_status opponents_open(const opponents_plan *plan, opponents **found, lu_error *error);
void opponents_close(opponents *found);

/* All that follows does nothing for NULL. */

/* The run that is kept, once it is there. */
void opponents_of_run(opponents *found, const lu_run *run);
/* Sits them down for the next update. */
lu_status opponents_seat(opponents *found, lu_trainer *trainer, lu_error *error);
/* After an update: results go to the league, figures to the progress. */
void opponents_learn(opponents *found, const lu_trainer *trainer, lu_progress *progress);
/* A window of the run is closed with this model: it is the newest, and may join the league. */
lu_status opponents_window(opponents *found, const lu_model_file *model, int64_t window,
                           lu_error *error);
/* Looks anew who the newest checkpoint and the league of another run are, and sits them down. */
lu_status opponents_renew(opponents *found, lu_trainer *trainer, lu_error *error);
/* What of them goes on, as the text of RUN_LEAGUE; the caller frees it. NULL: nothing. */
char *opponents_text(const opponents *found);

/* ---- exploiters ---- */

/* Whether their next turn comes before the next update: after every league.exploiter_updates from
 * their delay on, once there is a window of the run. */
bool opponents_turn_due(const opponents *found);
/* Exploiters of a kind that have a turn by now: none before their delay. */
int64_t opponents_exploiters(const opponents *found, bool main);
/* Turns of a kind that are over. */
int64_t opponents_turns(const opponents *found, bool main);
/* Newest closed window of the run; -1: none. */
int64_t opponents_newest(const opponents *found);
/* The result of an exploiter joins the league. */
void opponents_join(opponents *found, const char *name);
/* The turn is over; `points`: share that exploiters of the run itself got at its end. */
lu_status opponents_turned(opponents *found, double points, lu_trainer *trainer, lu_error *error);
