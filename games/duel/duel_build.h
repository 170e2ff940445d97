/* Builds from files: what `ludus duel build` checks and the setting build.file trains.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_gear.h"

#include "ludus/error.h"
#include "ludus/json.h"

#include <stddef.h>

LU_C_BEGIN

/* {"name","fight","levels":{..},"prayers","spellbook","supplies":{..},"sets":{"mage":[..],..}}: see
 * README.md. What is wrong is told in one sentence that names file and place. */
lu_status duel_build_read(const char *name, const char *text, size_t length, duel_build *build,
                          lu_error *error);
/* Pieces of food that fill the inventory beside gear, potions and runes; below 0: it is too full.
 */
int duel_build_food(const duel_build *build);
/* The item of a key, with a sentence that names the nearest one. */
lu_status duel_item_find(const char *what, const char *key, int *item, lu_error *error);
/* Puts the items of a JSON list into their slots. */
lu_status duel_gear_read(const char *what, const lu_json_value *list, uint8_t *item,
                         lu_error *error);

LU_C_END
