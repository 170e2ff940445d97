/* Presets: settings files with a name, in config/ for everything and in games/GAME/presets for one
 * game, whose own win; or files by their path. A preset may
 *   import others, named alike or lying beside it: its own values win, then those of the first
 *          import with all that it imports, then those of the second, ...;
 *   name its game as env.name, so that a command need not;
 *   put settings into sections env, ppo and self_play, and write - for _ in their names.
 * Ownership: nothing is kept. Threads: any. */
#pragma once

#include "ludus/game.h"

LU_C_BEGIN

/* env.name: the game, for whoever takes one. */
extern const lu_table lu_env_table;
/* The game of such a name: as lu_game_find takes it, or as another program calls it. */
const lu_game *lu_env_game(const char *name, lu_error *error);
/* Aliases: names that other programs have for settings of a training. They stand beside the tables
 * of those settings. */
extern const lu_table lu_train_names_table;
/* Options of other programs that stand for a product: of themselves and a weight of a reward, or a
 * number of exploiters. */
extern const lu_table lu_train_products_table;
/* Options of other programs that describe a net layer by layer. */
extern const lu_table lu_train_nets_table;
/* Sets net.* by them. */
lu_status lu_train_nets_settle(lu_settings *settings, lu_error *error);
/* Sets the weights and numbers that such options give. */
lu_status lu_train_products_settle(lu_settings *settings, const lu_game *game, lu_error *error);

/* Refuses what is no name of a preset. */
lu_status lu_preset_check_name(const char *name, lu_error *error);
/* Names of the presets, those of `game` (NULL: none) first, at most `most`; the caller frees each.
 */
size_t lu_preset_names(const lu_game *game, char **names, size_t most);
/* Further tables by index, NULL behind the last. */
typedef const lu_table *lu_preset_table(int index);
/* Reads a preset, of `game` (NULL: none) or of all, or of a path (as it stands, then below the
 * project's folder), into settings. It may hold settings of other tables too, those of `more`,
 * which are checked and left out. LU_NOT_FOUND, with the nearest name, when there is none;
 * LU_USAGE when it names another game. */
lu_status lu_preset_read(const char *name, const lu_game *game, lu_settings *settings,
                         lu_preset_table *more, lu_error *error);
/* The game that a preset, of `game` (NULL: none) or of all, names; NULL where it names none, or
 * cannot be read. */
const lu_game *lu_preset_game(const char *name, const lu_game *game);

/* ---- other settings of a game ---- */

/* The settings of a game as `base` has them, but for those that the JSON object of the setting
 * `key` of `from` holds ("": none); the caller deletes them. NULL on an error, which names the key.
 */
lu_settings *lu_game_override(const lu_settings *from, const char *key, const lu_game *game,
                              const lu_settings *base, lu_error *error);

LU_C_END
