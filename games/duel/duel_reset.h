/* The start of a match of duel: builds, drawn gear and supplies, places. Part of the rules.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_see.h"

LU_C_BEGIN

LU_INLINE bool duel_happens(lu_rng *rng, uint32_t percent) {
    return lu_rng_below(rng, 100) < percent;
}

/* Puts an item into its slot of the sets, ammunition into that of all; what takes both hands clears
 * the shield, and a shield has no place beside it. */
LU_INLINE void duel_put(duel_fighter *f, int item, uint32_t sets, int clears) {
    int slot = duel_items[item].slot;
    sets = slot == DUEL_SLOT_AMMO ? (1u << DUEL_DRAWN_SETS) - 1 : sets;
    for (int set = 0; set < DUEL_DRAWN_SETS; set++) {
        uint8_t *worn = f->item[set];
        bool both = duel_items[worn[DUEL_SLOT_WEAPON]].two_handed;
        if (!((sets >> set) & 1u) || (slot == DUEL_SLOT_SHIELD && both)) {
            continue;
        }
        worn[slot] = (uint8_t)item;
        if (duel_items[item].two_handed) {
            worn[DUEL_SLOT_SHIELD] = 0;
        }
        if (clears) {
            worn[clears - 1] = 0;
        }
    }
}

LU_INLINE void duel_draw_changes(const duel_rules *r, duel_fighter *f, lu_rng *rng) {
    uint32_t done = 0;
    for (int k = 0; k < DUEL_CHANGES; k++) {
        const duel_change *c = &duel_changes[k];
        if (c->build != f->build || (c->chain && (done >> c->chain) & 1u) ||
            !duel_happens(rng, c->chance)) {
            continue;
        }
        done |= c->chain ? 1u << c->chain : 0;
        for (int i = 0; i < 4 && c->item[i]; i++) {
            duel_put(f, c->item[i], c->sets, r->live ? 0 : c->clears);
        }
        if (c->half && lu_rng_below(rng, 2) == 0) {
            duel_put(f, c->half, c->sets, 0);
        }
    }
}

/* Doses of a potion that one account in twenty lacks, and one in twenty has begun. */
LU_INLINE int32_t duel_draw_doses(int32_t vials, lu_rng *rng) {
    return duel_happens(rng, 5) ? 0 : duel_happens(rng, 5) ? duel_between(rng, 1, 4) : 4 * vials;
}

LU_INLINE void duel_draw_supplies(duel_fighter *f, const duel_build *b, lu_rng *rng) {
    bool lms = b->fight == DUEL_FIGHT_LMS;
    int32_t combat = duel_draw_doses(b->combat, rng), ranging = duel_draw_doses(b->ranging, rng);
    int32_t brews = b->brew, restores = b->restore;
    f->food_kind = duel_happens(rng, 10) ? b->other_food : f->food_kind;
    if (!lms && duel_happens(rng, 20)) {
        brews = duel_between(rng, 0, 8);
        restores = brews / 2 + 1 > 2 ? brews / 2 + 1 : 2;
    }
    if (lms && duel_happens(rng, 10)) {
        brews = duel_between(rng, 0, 2);
        restores = (brews + 1) / 2 + duel_between(rng, 0, 1);
    }
    if (lms && duel_happens(rng, 20)) {
        f->karambwan = (uint8_t)duel_between(rng, 0, 3);
    }
    f->dose[DUEL_POTION_COMBAT] = (uint8_t)combat;
    f->dose[DUEL_POTION_RANGING] = (uint8_t)ranging;
    f->dose[DUEL_POTION_BREW] = (uint8_t)(4 * brews);
    f->dose[DUEL_POTION_RESTORE] = (uint8_t)(4 * restores);
    f->fixed = (uint8_t)(1 + brews + restores + (combat > 0 ? 1 : 0) + (ranging > 0 ? 1 : 0));
    f->lunar = duel_happens(rng, b->lunar) ? 1 : f->lunar;
    if (duel_happens(rng, b->no_mage)) {
        memset(f->item[DUEL_SET_MAGE], 0, DUEL_SLOTS);
    }
}

/* Gear and supplies of a build as its tables have them. */
LU_INLINE void duel_take_build(duel_fighter *f, const duel_build *b) {
    for (int k = 0; k < DUEL_LEVELS; k++) {
        f->level[k] = f->base[k] = b->level[k];
    }
    memcpy(f->item, b->item, sizeof b->item);
    f->high_prayers = b->high_prayers;
    f->food_kind = b->food;
    f->karambwan = b->karambwan;
    f->lunar = b->always_lunar;
    f->dose[DUEL_POTION_BREW] = (uint8_t)(4 * b->brew);
    f->dose[DUEL_POTION_RESTORE] = (uint8_t)(4 * b->restore);
    f->dose[DUEL_POTION_COMBAT] = (uint8_t)(4 * b->combat);
    f->dose[DUEL_POTION_RANGING] = (uint8_t)(4 * b->ranging);
    f->fixed = (uint8_t)(b->brew + b->restore + b->combat + b->ranging + (f->lunar ? 3 : 1));
}

/* What follows from the gear, and the first set worn; the rest of the inventory is food. */
LU_INLINE void duel_dress(duel_fighter *f, bool dharok) {
    if (dharok) {
        for (int set = 0; set < 3; set++) {
            memcpy(f->item[3 + set], f->item[set], DUEL_SLOTS);
            f->item[3 + set][DUEL_SLOT_HEAD] = f->item[3 + set][DUEL_SLOT_BODY] =
                f->item[3 + set][DUEL_SLOT_LEGS] = 0;
        }
    } else {
        duel_tank_set(f->item[DUEL_SET_MAGE], f->item[DUEL_SET_RANGED], f->item[DUEL_SET_TANK]);
    }
    for (int set = 0; set < DUEL_SETS; set++) {
        duel_set_derive(f, set);
    }
    f->gear = (uint8_t)duel_gear_count(f->item, DUEL_SETS);
    bool book = !f->lunar && f->item[DUEL_SET_MAGE][DUEL_SLOT_WEAPON];
    f->set = (uint8_t)(dharok || book ? DUEL_SET_MAGE : DUEL_SET_RANGED);
    int32_t room = DUEL_INVENTORY - (f->gear - f->worn[f->set]) - f->fixed - f->karambwan;
    f->food = (uint8_t)(room > 0 ? room : 0);
    duel_bare_derive(f);
}

LU_INLINE void duel_begin_fighter(const duel_rules *r, duel_fighter *f, int seat, lu_rng *rng) {
    uint32_t choices = r->choices[seat];
    f->build = r->choice[seat][choices > 1 ? lu_rng_below(rng, choices) : 0];
    const duel_build *b = &r->build[f->build];
    bool dharok = f->build == DUEL_BUILD_DHAROK;
    duel_take_build(f, b);
    if (r->draw_gear && !dharok) {
        duel_draw_changes(r, f, rng);
        duel_draw_supplies(f, b, rng);
    }
    duel_dress(f, dharok);
    if (r->driven && seat == 1 && !dharok) {
        /* the baseline carries food in place of brews and of restores beyond two; anglerfish, which
         * here are of its own kind where it has sharks */
        int32_t vials = f->dose[DUEL_POTION_BREW] / 4, more = f->dose[DUEL_POTION_RESTORE] / 4 - 2;
        more = more > 0 ? more : 0;
        f->food = (uint8_t)(f->food + vials + more);
        f->fixed = (uint8_t)(f->fixed - vials - more);
        f->dose[DUEL_POTION_BREW] = 0;
        f->dose[DUEL_POTION_RESTORE] = (uint8_t)(f->dose[DUEL_POTION_RESTORE] - 4 * more);
    }
    f->cool = DUEL_NEVER;
    f->shown = -1;
    f->energy = f->run = 100;
    f->recoil = 40;
    duel_draw_pid(r, f, rng);
}

LU_INLINE void duel_begin(const duel_rules *r, duel_state *s, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    memset(s, 0, sizeof *s);
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        duel_begin_fighter(r, &s->fighter[seat], seat, &rng);
    }
    duel_fighter *a = &s->fighter[0], *b = &s->fighter[1];
    s->fight = r->fight == 0   ? r->build[a->build].fight
               : r->fight == 4 ? (uint8_t)lu_rng_below(&rng, 3)
                               : (uint8_t)(r->fight - 1);
    a->x = (int16_t)lu_rng_below(&rng, DUEL_ARENA_X);
    a->y = (int16_t)lu_rng_below(&rng, DUEL_ARENA_Y);
    int32_t left = a->x > 5 ? a->x - 5 : 0, low = a->y > 5 ? a->y - 5 : 0;
    int32_t right = duel_least(a->x + 5, DUEL_ARENA_X), high = duel_least(a->y + 5, DUEL_ARENA_Y);
    b->x = (int16_t)(left + (int32_t)lu_rng_below(&rng, (uint32_t)(right - left)));
    b->y = (int16_t)(low + (int32_t)lu_rng_below(&rng, (uint32_t)(high - low)));
    if (r->rounds) {
        b->x = (int16_t)(a->x ? a->x - 1 : 1);
        b->y = a->y;
        a->set = b->set = DUEL_SET_TANK;
        duel_bare_derive(a);
        duel_bare_derive(b);
        for (int seat = 0; seat < DUEL_SEATS; seat++) {
            duel_fighter *f = &s->fighter[seat];
            f->food = f->karambwan = 0;
            memset(f->dose, 0, sizeof f->dose);
        }
    }
    duel_stop(a);
    duel_stop(b);
    s->rng = rng.state;
}

LU_C_END
