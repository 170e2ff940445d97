/* The players that a setting like train.opponents names, sat into a trainer: the side of
 * lu_trainer_roster that knows runs and files.
 * Ownership: the object owns players and their models and must outlive the trainer. Threads: one at
 * a time. */
#pragma once

#include "ludus/algorithm.h"

typedef struct opponents opponents;

/* Opens the players of PREFIX.opponents; *found is NULL where none are named, or on an error.
 * `runs`: the folder in which names of runs are looked for; NULL: only bots and files. */
lu_status opponents_open(const lu_algorithm *algorithm, const lu_game *game,
                         const lu_settings *settings, const char *runs, opponents **found,
                         lu_error *error);
/* Hands them to a trainer; NULL: nothing to do. */
lu_status opponents_seat(const opponents *found, lu_trainer *trainer, lu_error *error);
/* After the trainer is gone. */
void opponents_close(opponents *found);
