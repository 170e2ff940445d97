/* Which settings of a run may change when it is gone on with: see training.h. */
#include "ludus/training.h"

const char *const lu_training_own_keys[] = {
    "resume",
    "continue_training",
    "fall_back",
    "load",
    "out",
    "steps",
    "seed",
    "threads",
    "tensorboard",
    "serve",
    "env.name",
    "run.folder",
    "run.stop_update",
    "eval.timeout",
    "run.stop_minutes",
    "run.stop_when",
    "env.kwargs",
    "run.line_seconds",
    "save",
    NULL,
};
const char *const lu_training_open_keys[] = {
    "train.steps",
    "train.threads",
    "dqn.steps",
    "dqn.threads",
    "train.save_failed",
    "dqn.save_failed",
    "run.checkpoint_updates",
    "run.keep",
    "run.experiment",
    "eval.on",
    "eval.threads",
    NULL,
};
