/* The entries of the table of algorithms, and the calls that are the same in all of them. */
#pragma once

#include "ludus/algorithm.h"

extern const lu_algorithm lu_algorithm_ppo, lu_algorithm_dqn;

#define LU_TRAINER_CALLS                                                                           \
    .drop = lu_trainer_delete, .update = lu_trainer_update, .done = lu_trainer_done,               \
    .updates = lu_trainer_updates, .updates_total = lu_trainer_updates_total,                      \
    .steps = lu_trainer_steps, .batch = lu_trainer_batch, .threads = lu_trainer_threads,           \
    .net = lu_trainer_net, .normaliser = lu_trainer_normaliser,                                    \
    .snapshot_bytes = lu_trainer_snapshot_bytes, .save = lu_trainer_save, .load = lu_trainer_load
