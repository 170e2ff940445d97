/* A tick of duel for one fighter: clocks, its turn, the inputs of its player. The parts stand in
 * duel_fighter.h (gear, prayers, food), duel_walk.h, duel_damage.h and duel_attack.h. Part of the
 * rules: duel.c includes it.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_attack.h"

LU_C_BEGIN

/* ---- clocks ---- */

/* Step 1 of a tick for one fighter: prayer drain, special energy, poison, bleed, sacrifice. */
LU_INLINE void duel_scheduled(duel_fighter *f, duel_fighter *other) {
    if (f->prayers) {
        f->drain += duel_drain(f->prayers, f->bonus[f->set][DUEL_BONUS_PRAYER]);
        int32_t points = (int32_t)f->drain;
        if (points > 0) {
            f->drain -= (double)points;
            duel_lose_prayer(f, points);
        }
    }
    if (f->energy_clock && --f->energy_clock == 0) {
        f->energy = (uint8_t)(f->energy < 90 ? f->energy + 10 : 100);
        f->energy_clock = f->energy < 100 ? 50 : 0;
    }
    if (f->poison && --f->poison_clock == 0) {
        duel_queue_damage(f, f->poison);
        f->poison_clock = 30;
        if (++f->poison_count == 5) {
            f->poison_count = 0;
            f->poison--;
            f->poison_clock = f->poison ? 30 : 0;
        }
    }
    if (f->bleed > 0 && --f->bleed_clock == 0) {
        int32_t damage = duel_least(5, f->bleed);
        f->bleed = (int16_t)(f->bleed - damage);
        f->bleed_clock = f->bleed > 0 ? 3 : 0;
        duel_extra_damage(f, damage);
    }
    if (f->sacrifice) {
        if (duel_distance(f, other) >= 5) {
            f->sacrifice = 0;
        } else if (--f->sacrifice == 0) {
            duel_extra_damage(f, 25);
            duel_heal(other, 25);
        }
    }
}

LU_INLINE void duel_count_down(duel_fighter *f) {
    /* eight timers at once: 1 off every byte that is not 0; all are below 128 */
    uint64_t all;
    memcpy(&all, f->timer, sizeof all);
    all -= (all + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(f->timer, &all, sizeof all);
    f->cool = (int8_t)(f->cool > DUEL_OLDEST ? f->cool - 1 : f->cool);
}

LU_INLINE void duel_draw_pid(const duel_rules *r, duel_fighter *f, lu_rng *rng) {
    f->pid = (uint32_t)(lu_rng_u64(rng) >> 32);
    f->pid_clock = (uint8_t)duel_between(rng, r->pid_low, r->pid_high);
}

/* Step 4 of a tick for one fighter. */
LU_INLINE void duel_process(duel_state *s, const duel_rules *r, duel_fighter *f,
                            duel_fighter *other, lu_rng *rng) {
    if (s->fight != DUEL_FIGHT_ARENA && --f->pid_clock == 0) {
        duel_draw_pid(r, f, rng);
    }
    duel_move(r, f, other);
    duel_take(r, f, other, rng);
    duel_attack(s, r, f, other, rng);
    f->mauls = 0;
    if (s->tick % 100 == 0 && f->level[DUEL_HITPOINTS] > 0) {
        duel_decay(f->level, f->base);
    }
}

/* ---- inputs ---- */

/* Attacks in a set: worn, prayed for, spell or special chosen, target set. */
LU_INLINE void duel_choose(duel_state *s, duel_fighter *f, int set, int style, int spell,
                           bool special) {
    duel_wear(s, f, set);
    duel_pray_for(f, style);
    f->spell = (uint8_t)spell;
    f->armed = special ? 1 : 0;
    f->mauls = 0;
    if (special && duel_weapon(f)->special == DUEL_SPECIAL_MAUL) {
        f->armed = 0;
        f->mauls = (uint8_t)(f->energy / 50);
    }
    f->target = 1;
}

LU_INLINE void duel_cast_vengeance(duel_fighter *f) {
    if (f->lunar && f->level[DUEL_MAGIC] >= 94 && f->base[DUEL_DEFENCE] >= 40 && !f->vengeance &&
        f->timer[DUEL_TIMER_VENGEANCE] == 0) {
        f->vengeance = 1;
        f->timer[DUEL_TIMER_VENGEANCE] = 50;
    }
}

LU_INLINE void duel_apply_movement(duel_fighter *f, const duel_fighter *to, int32_t way,
                                   int32_t farcast, lu_rng *rng) {
    /* farcast is 0 but for that way */
    int32_t ring = (way != DUEL_DIAGONAL) + farcast;
    bool under = way == DUEL_UNDER;
    /* who stands there already goes on with what he does */
    if ((way == DUEL_STAY) | (!under & duel_on_ring(f->x - to->x, f->y - to->y, ring))) {
        return;
    }
    f->target = 0;
    f->spell = 0;
    if (under) {
        duel_go(f, to->x, to->y);
    } else {
        duel_go_ring(f, to, ring, rng);
    }
}

LU_C_END
