/* ludus eval --follow RUN: the evaluator of a training. It judges every window of the run that is
 * closed and was not judged yet, in order, and ends when the run has ended and all are judged. It
 * writes replays, metrics/evals.jsonl, the index of replays, TensorBoard's file and the catalogue,
 * and never touches what the training writes.
 * Ownership: none. Threads: the main thread. */
#pragma once

#include "session.h"

enum { EVAL_FIRST_SEED = 30000, EVAL_SEEDS = 400 }; /* the public seeds of every game */

/* The run's name is the argument of the call. */
lu_status eval_follow(const verb_call *call, lu_error *error);

/* For a model of a checkpoint, whose folder this is. What the net answers after loading must be
 * what it answered in the trainer: LU_CHECK_FAILED otherwise. */
lu_status eval_check_probe(const char *folder, const lu_model_file *file, const lu_episode *episode,
                           lu_error *error);
/* Adds the settings eval.* of its run. */
lu_status eval_settings(const char *folder, lu_settings *settings, lu_error *error);
/* What evaluations go by: eval.metric or the game's headline; LU_BAD_VALUE when the game has no
 * such figure. */
lu_status eval_metric(const lu_game *game, const lu_settings *settings, const char **name,
                      lu_error *error);
