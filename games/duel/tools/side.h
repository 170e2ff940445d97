/* One side of an attack as the settings of a tool name it: build, gear, levels, prayers, potions.
 * Ownership: a side belongs to the caller. Threads: no state. */
#pragma once

#include "duel_build.h"

#include "ludus/tool.h"

LU_C_BEGIN

typedef struct duel_side {
    duel_build build;
    duel_party party; /* points into this struct */
    int16_t level[DUEL_LEVELS], base[DUEL_LEVELS], bonus[DUEL_BONUSES];
    uint8_t item[DUEL_SLOTS];
} duel_side;

/* Reads NAME.build or .build.file, .set, .gear, .levels, .potions and .prayers of the settings. */
lu_status duel_side_read(const lu_settings *settings, const char *name, duel_side *side,
                         lu_error *error);

LU_C_END
