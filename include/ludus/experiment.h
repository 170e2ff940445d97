/* A run under the name of its experiment, as other programs lay it out. Beside the folder of runs:
 *   experiments/NAME   leads to the newest run of that name, which then holds config.yml (its
 *                      settings: a preset that trains the same again), model.zip (its model at the
 *                      end of the last window) and logs/
 *   tensorboard/NAME   leads to its event files
 * Links and files are replaced at once, so that nothing is ever half there.
 * Ownership: nothing is kept. Threads: one per run. */
#pragma once

#include "ludus/model.h"
#include "ludus/text.h"

LU_C_BEGIN

typedef struct lu_experiment {
    const char *name;
    const char *runs, *run; /* the folder of runs and that of the run in it */
    const lu_game *game;
    const lu_settings *settings; /* of the training */
    const char *const *left_out; /* keys that config.yml does not hold; ends with NULL */
} lu_experiment;

/* Writes config.yml, logs/ and the links; tells in `said` where the run is found, and whose place
 * it takes. A file or folder of that name which is no link is left alone: LU_BUSY. */
lu_status lu_experiment_open(const lu_experiment *experiment, lu_text *said, lu_error *error);
/* Writes model.zip of a run. */
lu_status lu_experiment_model(const char *run, const lu_model_file *model, lu_error *error);
/* Removes the links that lead to a run that is gone. */
void lu_experiment_forget(const char *runs, const char *id);

LU_C_END
