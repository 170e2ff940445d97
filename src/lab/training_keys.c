/* How a run is gone on with: its algorithm, and which settings may change. See training.h. */
#include "ludus/training.h"

#include <stdlib.h>
#include <string.h>

const lu_algorithm *lu_training_algorithm(const char *path, const lu_game *game, lu_error *error) {
    char *id = lu_run_fact(path, "game", error);
    char *name = id ? lu_run_fact(path, "algorithm", error) : NULL;
    const lu_algorithm *found = NULL;
    if (name && strcmp(id, game->id) != 0) {
        lu_fail(error, LU_OTHER_SPEC, "run %s is a run of %s, not of %s", path, id, game->id);
    } else if (name && !(found = lu_algorithm_find(name, NULL))) {
        lu_fail(error, LU_BAD_DATA,
                "run %s was trained by '%.60s', not by ludus: it cannot be resumed, but a new "
                "training can "
                "load its model",
                path, name);
    }
    free(id);
    free(name);
    return found;
}

const char *const lu_training_own_keys[] = {
    "resume",
    "continue_training",
    "fall_back",
    "load",
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
    "run.checkpoint_minutes",
    "run.keep",
    "run.experiment",
    "eval.on",
    "eval.threads",
    NULL,
};
