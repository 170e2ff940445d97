/* Settings of trainings: of the one of `ludus train`, new or gone on with, and those that the
 * trainings of a sweep or an ablation have in common.
 * Ownership: the caller deletes the settings. Threads: any. */
#pragma once

#include "verb.h"

#include "ludus/algorithm.h"

/* Tables of all settings that a training has beside those of its game; NULL behind the last. */
extern const lu_table *const training_tables[];

/* Without --preset and --config the game's own preset counts, below all that is given, where it is
 * for this algorithm and leaves the seats to nobody else; call->preset then names it. Tells which
 * preset holds, and why. */
lu_status training_preset(verb_call *call, lu_text *told, lu_error *error);
/* Values of the call for game, net and algorithm. `what` ("a sweep") sets steps, seed and threads
 * of the algorithm by options of its own: LU_USAGE where the call sets them otherwise than by a
 * file; NULL where it leaves them to the call. NULL on an error. */
lu_settings *trainings_settings(const verb_call *call, const lu_algorithm *algorithm,
                                const char *what, lu_error *error);
/* Sets what env.kwargs and the options of other programs stand for. */
lu_status training_settle(const verb_call *call, lu_error *error);
/* Completes the settings of a call that trains once: by its short options, and by the run at `path`
 * that is gone on with ("": a new one, by the profile of the algorithm). The algorithm, or NULL on
 * an error. */
const lu_algorithm *training_settings(const verb_call *call, const char *path, lu_error *error);
