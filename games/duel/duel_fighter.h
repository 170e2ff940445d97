/* One fighter of duel: short questions about it, what is worn and prayed, food and potions. Part of
 * the rules: duel_fight.h includes it.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel.h"

LU_C_BEGIN

enum {
    DUEL_OVERHEADS = 1 << DUEL_PRAYER_PROTECT_FROM_MAGIC | 1 << DUEL_PRAYER_PROTECT_FROM_MISSILES |
                     1 << DUEL_PRAYER_PROTECT_FROM_MELEE | 1 << DUEL_PRAYER_REDEMPTION |
                     1 << DUEL_PRAYER_SMITE,
};

LU_INLINE int32_t duel_left(int32_t timer) {
    return timer > 1 ? timer - 1 : 0;
}
LU_INLINE int32_t duel_least(int32_t a, int32_t b) {
    return a < b ? a : b;
}
LU_INLINE int32_t duel_size(int32_t a) {
    return a < 0 ? -a : a;
}
LU_INLINE int32_t duel_distance(const duel_fighter *a, const duel_fighter *b) {
    int32_t dx = duel_size(a->x - b->x), dy = duel_size(a->y - b->y);
    return dx > dy ? dx : dy;
}
LU_INLINE bool duel_beside(const duel_fighter *a, const duel_fighter *b) {
    return duel_size(a->x - b->x) + duel_size(a->y - b->y) == 1;
}
LU_INLINE const duel_item *duel_weapon(const duel_fighter *f) {
    return &duel_items[f->item[f->set][DUEL_SLOT_WEAPON]];
}
LU_INLINE bool duel_prays(const duel_fighter *f, int prayer) {
    return (f->prayers >> prayer) & 1u;
}
LU_STATIC_ASSERT(DUEL_PRAYER_PROTECT_FROM_MISSILES == DUEL_PRAYER_PROTECT_FROM_MAGIC + 1 &&
                     DUEL_PRAYER_PROTECT_FROM_MELEE == DUEL_PRAYER_PROTECT_FROM_MAGIC + 2,
                 "the protections stand side by side");
/* 1 + the style that a fighter protects from, 0 none. */
LU_INLINE uint8_t duel_shield_of(const duel_fighter *f) {
    /* by three bits: magic, missiles, melee */
    const uint8_t shield[8] = {0,
                               1 + DUEL_SPELL,
                               1 + DUEL_SHOT,
                               1 + DUEL_SHOT,
                               1 + DUEL_MELEE,
                               1 + DUEL_MELEE,
                               1 + DUEL_MELEE,
                               1 + DUEL_MELEE};
    return shield[f->prayers >> DUEL_PRAYER_PROTECT_FROM_MAGIC & 7];
}
/* The style that a weapon shows: staffs are magic. Without branches. */
LU_INLINE int duel_shows(const duel_fighter *f) {
    int kind = duel_weapon(f)->kind;
    int shot = (kind >= DUEL_CLASS_CROSSBOW) & (kind <= DUEL_CLASS_JAVELIN);
    return shot * DUEL_SHOT + (kind == DUEL_CLASS_STAFF) * DUEL_SPELL;
}
LU_INLINE int32_t duel_free_slots(const duel_fighter *f) {
    return DUEL_INVENTORY - (f->gear - f->worn[f->set]) - f->fixed - f->food - f->karambwan;
}

/* ---- gear and prayers ---- */

LU_INLINE void duel_set_derive(duel_fighter *f, int set) {
    duel_gear_bonus(f->item[set], f->bonus[set]);
    f->worn[set] = (uint8_t)duel_worn_count(f->item[set]);
}

/* A figure of what is worn, without ring and ammunition. */
LU_INLINE int16_t duel_bare_bonus(const duel_fighter *f, int bonus) {
    const uint8_t *item = f->item[f->set];
    int kind = duel_items[item[DUEL_SLOT_WEAPON]].kind;
    bool thrown = kind == DUEL_CLASS_KNIFE || kind == DUEL_CLASS_JAVELIN;
    int32_t ammo = thrown ? 0 : duel_items[item[DUEL_SLOT_AMMO]].bonus[bonus];
    return (int16_t)(f->bonus[f->set][bonus] - duel_items[item[DUEL_SLOT_RING]].bonus[bonus] -
                     ammo);
}

LU_INLINE void duel_bare_derive(duel_fighter *f) {
    f->bare[0] = duel_bare_bonus(f, DUEL_BONUS_DEFENCE + DUEL_TYPE_RANGED);
    f->bare[1] = duel_bare_bonus(f, DUEL_BONUS_DEFENCE + DUEL_TYPE_MAGIC);
    f->bare[2] = duel_bare_bonus(f, DUEL_BONUS_DEFENCE + DUEL_TYPE_SLASH);
}

LU_INLINE void duel_wear(duel_state *s, duel_fighter *f, int set) {
    uint32_t differs = 0;
    if (set == f->set) {
        return;
    }
    for (int k = 0; k < DUEL_SLOTS; k++) {
        differs |= (uint32_t)(f->item[set][k] ^ f->item[f->set][k]);
    }
    f->set = (uint8_t)set;
    if (differs) {
        duel_bare_derive(f);
        s->changed |= 1u << DUEL_GROUP_TARGET;
        f->armed = 0;
        if (f->item[set][DUEL_SLOT_WEAPON] != DUEL_ITEM_GRANITE_MAUL) {
            f->target = 0;
        }
    }
}

LU_INLINE void duel_pray_for(duel_fighter *f, int style) {
    if (f->level[DUEL_PRAYER] > 0) {
        f->prayers = (f->prayers & DUEL_OVERHEADS) | duel_style_prayers(f->high_prayers, style);
    }
}

LU_INLINE void duel_overhead(duel_fighter *f, int prayer) {
    if (f->level[DUEL_PRAYER] > 0) {
        f->prayers = (f->prayers & ~(uint32_t)DUEL_OVERHEADS) | 1u << prayer;
    }
}

LU_INLINE void duel_lose_prayer(duel_fighter *f, int32_t points) {
    duel_lowered(&f->level[DUEL_PRAYER], points);
    if (f->level[DUEL_PRAYER] == 0) {
        f->prayers = 0;
        f->drain = 0.0;
    }
}

/* ---- food and potions ---- */

LU_INLINE void duel_delay_attack(duel_fighter *f, int32_t ticks) {
    if (f->cool != DUEL_NEVER && f->cool + ticks > 0) {
        f->cool = (int8_t)(f->cool + ticks);
    }
}

/* Notes a meal: what it heals in vain; `over` is what may stand above base. */
LU_INLINE void duel_note_meal(duel_fighter *f, int32_t heals, int32_t over) {
    int32_t wasted = f->level[DUEL_HITPOINTS] + heals - f->base[DUEL_HITPOINTS] - over;
    if (f->turn.meals == 0) {
        f->turn.hitpoints_at_meal = f->level[DUEL_HITPOINTS];
    }
    f->turn.wasted = (int16_t)(f->turn.wasted + (wasted > 0 ? wasted : 0));
    f->turn.meals++;
}

LU_INLINE int32_t duel_food_heals(const duel_fighter *f) {
    return f->food_kind == DUEL_FOOD_ANGLERFISH ? duel_angler_heals(f->base[DUEL_HITPOINTS])
                                                : DUEL_SHARK_HEALS;
}

LU_INLINE void duel_eat_food(duel_fighter *f) {
    uint8_t *timer = f->timer;
    if (timer[DUEL_TIMER_FOOD] > 0 || f->food == 0) {
        return;
    }
    duel_note_meal(f, duel_food_heals(f),
                   f->food_kind == DUEL_FOOD_ANGLERFISH ? duel_food_heals(f) : 0);
    duel_eat(f->level, f->base, f->food_kind);
    f->food--;
    timer[DUEL_TIMER_FOOD] = 3;
    duel_delay_attack(f, 3);
}

LU_INLINE void duel_eat_fish(duel_fighter *f) {
    uint8_t *timer = f->timer;
    if (timer[DUEL_TIMER_KARAMBWAN] > 0 || f->karambwan == 0) {
        return;
    }
    duel_note_meal(f, DUEL_KARAMBWAN_HEALS, 0);
    duel_eat_karambwan(f->level, f->base);
    f->karambwan--;
    timer[DUEL_TIMER_KARAMBWAN] = timer[DUEL_TIMER_POTION] = 3;
    timer[DUEL_TIMER_FOOD] = timer[DUEL_TIMER_FOOD] > 3 ? timer[DUEL_TIMER_FOOD] : 3;
    duel_delay_attack(f, 2);
}

LU_INLINE void duel_drink_dose(duel_fighter *f, int potion) {
    uint8_t *timer = f->timer;
    if (timer[DUEL_TIMER_POTION] > 0 || f->dose[potion] == 0) {
        return;
    }
    if (potion == DUEL_POTION_BREW) {
        int32_t heals = duel_brew_heals(f->base[DUEL_HITPOINTS]);
        duel_note_meal(f, heals, heals);
    }
    duel_drink(f->level, f->base, potion);
    f->dose[potion]--;
    f->turn.doses++;
    timer[DUEL_TIMER_POTION] = timer[DUEL_TIMER_FOOD] = 3;
    f->target = 0;
}

LU_C_END
