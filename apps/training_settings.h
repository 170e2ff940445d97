/* What verbs that train several times share (sweep, ablate): the settings that all their trainings
 * have in common.
 * Ownership: the caller deletes the settings. Threads: any. */
#pragma once

#include "verb.h"

#include "ludus/algorithm.h"

/* Refuses flags of an algorithm other than the one that learns, which would do nothing; files may
 * hold settings of all. */
lu_status trainings_check_flags(const verb_call *call, const lu_algorithm *algorithm,
                                lu_error *error);
/* Values of the call for game, net and algorithm. `what` ("a sweep") sets steps, seed and threads
 * of the algorithm by options of its own: LU_USAGE where the call sets them otherwise than by a
 * file. NULL on an error. */
lu_settings *trainings_settings(const verb_call *call, const lu_algorithm *algorithm,
                                const char *what, lu_error *error);
