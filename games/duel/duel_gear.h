/* What follows from the gear of a fighter: the tank set, room in the inventory, prayers of a style.
 * Part of the rules (a match may draw gear) and of the tools.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_math.h"

LU_C_BEGIN

enum { DUEL_INVENTORY = 28 };

/* The tank set: the ranged set, with the staff of the mage set where it is one-handed and defends
 * better (mean of slash, magic and ranged). */
LU_INLINE void duel_tank_set(const uint8_t *mage, const uint8_t *ranged, uint8_t *tank) {
    const duel_item *staff = &duel_items[mage[DUEL_SLOT_WEAPON]];
    const duel_item *bow = &duel_items[ranged[DUEL_SLOT_WEAPON]];
    int32_t more = 0;
    for (int k = 0; k < DUEL_SLOTS; k++) {
        tank[k] = ranged[k];
    }
    more += staff->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_SLASH] -
            bow->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_SLASH];
    more += staff->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_MAGIC] -
            bow->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_MAGIC];
    more += staff->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_RANGED] -
            bow->bonus[DUEL_BONUS_DEFENCE + DUEL_TYPE_RANGED];
    if (mage[DUEL_SLOT_WEAPON] && !staff->two_handed && more > 0) {
        tank[DUEL_SLOT_WEAPON] = mage[DUEL_SLOT_WEAPON];
    }
}

LU_INLINE int32_t duel_worn_count(const uint8_t *item) {
    int32_t count = 0;
    for (int k = 0; k < DUEL_SLOTS; k++) {
        count += item[k] ? 1 : 0;
    }
    return count;
}

/* Different items of the sets. */
LU_INLINE int32_t duel_gear_count(const uint8_t (*set)[DUEL_SLOTS], int sets) {
    uint64_t have[2] = {1, 0}; /* no item does not count */
    int32_t count = 0;
    for (int s = 0; s < sets; s++) {
        for (int k = 0; k < DUEL_SLOTS; k++) {
            int item = set[s][k];
            count += (have[item >> 6] >> (item & 63)) & 1 ? 0 : 1;
            have[item >> 6] |= (uint64_t)1 << (item & 63);
        }
    }
    return count;
}

/* Prayers that go on with a style's attack. */
LU_INLINE uint32_t duel_style_prayers(bool high, int style) {
    if (high) {
        return 1u << (style == DUEL_MELEE  ? DUEL_PRAYER_PIETY
                      : style == DUEL_SHOT ? DUEL_PRAYER_RIGOUR
                                           : DUEL_PRAYER_AUGURY);
    }
    uint32_t skin = 1u << DUEL_PRAYER_STEEL_SKIN;
    return style == DUEL_MELEE
               ? skin | 1u << DUEL_PRAYER_INCREDIBLE_REFLEXES | 1u << DUEL_PRAYER_ULTIMATE_STRENGTH
           : style == DUEL_SHOT ? skin | 1u << DUEL_PRAYER_EAGLE_EYE
                                : skin | 1u << DUEL_PRAYER_MYSTIC_MIGHT;
}

LU_INLINE int duel_protection(int style) {
    return style == DUEL_MELEE  ? DUEL_PRAYER_PROTECT_FROM_MELEE
           : style == DUEL_SHOT ? DUEL_PRAYER_PROTECT_FROM_MISSILES
                                : DUEL_PRAYER_PROTECT_FROM_MAGIC;
}

LU_C_END
