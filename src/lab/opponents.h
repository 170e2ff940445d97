/* The players that a setting like train.opponents names, sat into a trainer: the side of
 * lu_trainer_roster that knows runs and files.
 * Ownership: the object owns players and their models and must outlive the trainer. Threads: one at
 * a time. */
#pragma once

#include "ludus/algorithm.h"

typedef struct opponents opponents;

/* Opens the players of PREFIX.opponents and hands them to the trainer; *seated is NULL where none
 * are named. `runs`: the folder in which names of runs are looked for; NULL: only bots and files.
 * Nothing is left open on an error. */
lu_status opponents_seat(lu_trainer *trainer, const lu_algorithm *algorithm, const lu_game *game,
                         const lu_settings *settings, const char *runs, opponents **seated,
                         lu_error *error);
/* After the trainer is gone. */
void opponents_close(opponents *seated);
