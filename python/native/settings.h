/* Settings of trainings and of the runs they leave: see settings.c.
 * Ownership: the caller deletes what it is given. Threads: any. */
#pragma once

#include "native.h"

#include "ludus/algorithm.h"

/* All settings of a training, by a preset ("": none) and a JSON object over it. NULL on an error.
 */
lu_settings *native_settings(const lu_game *game, const char *preset, const char *json,
                             lu_error *error);
/* Game and reset options of such settings. */
lu_status native_episode(const lu_game *game, const lu_settings *all, lu_episode *episode,
                         lu_error *error);
/* What a trainer and its model hold of them: game, net, algorithm. */
lu_settings *native_own_settings(const lu_game *game, const lu_algorithm *algorithm,
                                 const lu_settings *all);
