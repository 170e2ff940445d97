/* Presets: settings files with a name, in config/ for everything and in games/GAME/presets for one
 * game, whose own win. A name is never a path.
 * Ownership: nothing is kept. Threads: any. */
#pragma once

#include "ludus/game.h"

LU_C_BEGIN

/* Refuses what is no name of a preset. */
lu_status lu_preset_check_name(const char *name, lu_error *error);
/* Names of the presets, those of `game` (NULL: none) first, at most `most`; the caller frees each.
 */
size_t lu_preset_names(const lu_game *game, char **names, size_t most);
/* Further tables by index, NULL behind the last. */
typedef const lu_table *lu_preset_table(int index);
/* Reads a preset, of `game` (NULL: none) or of all, into settings. It may hold settings of other
 * tables too, those of `more`, which are checked and left out. LU_NOT_FOUND, with
 * the nearest name, when there is none. */
lu_status lu_preset_read(const char *name, const lu_game *game, lu_settings *settings,
                         lu_preset_table *more, lu_error *error);

LU_C_END
