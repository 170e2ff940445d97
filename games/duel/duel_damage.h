/* Damage in duel: what is queued, hits that land and what follows from them, healing. Part of the
 * rules: duel_fight.h includes it.
 * Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_walk.h"

LU_C_BEGIN

/* ---- damage ---- */

LU_INLINE void duel_queue_damage(duel_fighter *f, int32_t damage) {
    if (f->queued < DUEL_QUEUE) {
        f->queue[f->queued++] = (int16_t)damage;
    }
}

/* Damage that no attack of this tick decided. */
LU_INLINE void duel_extra_damage(duel_fighter *f, int32_t damage) {
    duel_queue_damage(f, damage);
    f->turn.extra = (int16_t)(f->turn.extra + damage);
}

LU_INLINE void duel_heal(duel_fighter *f, int32_t points) {
    int32_t before = f->level[DUEL_HITPOINTS];
    f->level[DUEL_HITPOINTS] = duel_raised(before, points, f->base[DUEL_HITPOINTS]);
    f->turn.healed = (int16_t)(f->turn.healed + f->level[DUEL_HITPOINTS] - before);
}

LU_INLINE void duel_after_effects(const duel_rules *r, const duel_hit *hit, int32_t sum,
                                  duel_fighter *by, duel_fighter *to, lu_rng *rng) {
    if (hit->special == DUEL_SPECIAL_QUARTER && sum > 0) {
        to->level[DUEL_DEFENCE] =
            (int16_t)duel_seven_tenths(to->level[DUEL_DEFENCE], (r->live & DUEL_LIVE_MAGIC) != 0);
    } else if (hit->special == DUEL_SPECIAL_BLEED && sum > 0) {
        to->bleed = (int16_t)(to->bleed + sum);
        to->bleed_clock = to->bleed_clock ? to->bleed_clock : 3;
    } else if (hit->special == DUEL_SPECIAL_SACRIFICE && hit->accurate) {
        to->sacrifice = 8;
    }
    bool venom = hit->poison == 12 && (r->live & DUEL_LIVE_VENOM);
    if (hit->poison && sum > 0 && !venom && lu_rng_below(rng, 21) < 6 && to->poison == 0) {
        to->poison = hit->poison;
        to->poison_clock = 30;
        to->poison_count = 0;
    }
    bool fury = by->item[by->set][DUEL_SLOT_NECK] == DUEL_ITEM_AMULET_OF_BLOOD_FURY;
    if (fury && hit->style == DUEL_MELEE && sum > 0 && lu_rng_below(rng, 101) < 20) {
        duel_heal(by, sum * 3 / 10);
    }
    if (to->item[to->set][DUEL_SLOT_RING] == DUEL_ITEM_RING_OF_RECOIL && sum > 0 &&
        to->recoil > 0) {
        int32_t back = duel_least(sum / 10 + 1, to->recoil);
        to->recoil = (uint8_t)(to->recoil - back);
        duel_extra_damage(by, back);
    }
    if (to->vengeance && sum > 0) {
        to->vengeance = 0;
        if (sum * 3 / 4 > 0) {
            duel_extra_damage(by, sum * 3 / 4);
        }
    }
}

LU_INLINE void duel_land(const duel_rules *r, const duel_hit *hit, duel_fighter *by,
                         duel_fighter *to, lu_rng *rng) {
    int32_t sum = 0, hitpoints = to->level[DUEL_HITPOINTS];
    if (hitpoints == 0 || by->level[DUEL_HITPOINTS] == 0) {
        return;
    }
    for (int k = 0; k < hit->count; k++) {
        sum += hit->damage[k];
    }
    int32_t rest = hitpoints - sum;
    if (hit->accurate && duel_prays(to, DUEL_PRAYER_REDEMPTION) && rest > 0 &&
        rest <= to->base[DUEL_HITPOINTS] / 10) {
        duel_lose_prayer(to, to->level[DUEL_PRAYER]);
        duel_heal(to, to->base[DUEL_PRAYER] / 4);
    }
    if (hit->accurate && duel_prays(by, DUEL_PRAYER_SMITE)) {
        duel_lose_prayer(to, sum / 4);
    }
    for (int k = 0; k < hit->count; k++) {
        duel_queue_damage(to, hit->damage[k]);
    }
    duel_after_effects(r, hit, sum, by, to, rng);
}

/* Hits that are due, then at most two damages. */
LU_INLINE void duel_take(const duel_rules *r, duel_fighter *f, duel_fighter *by, lu_rng *rng) {
    int kept = 0, hits = f->hits;
    for (int k = 0; k < hits; k++) {
        if (f->hit[k].delay <= 0) {
            duel_land(r, &f->hit[k], by, f, rng);
        } else {
            f->hit[k].delay--;
            if (kept != k) {
                f->hit[kept] = f->hit[k];
            }
            kept++;
        }
    }
    for (int k = kept; k < hits; k++) {
        memset(&f->hit[k], 0, sizeof f->hit[k]);
    }
    f->hits = (uint8_t)kept;
    int taken = f->queued < 2 ? f->queued : 2;
    if (taken == 0) {
        return;
    }
    for (int k = 0; k < taken; k++) {
        int32_t damage = duel_least(f->queue[k], f->level[DUEL_HITPOINTS]);
        duel_lowered(&f->level[DUEL_HITPOINTS], damage);
        f->turn.splat = (int16_t)(f->turn.splat + damage);
        f->taken = (int16_t)(f->taken < 30000 ? f->taken + damage : f->taken);
    }
    f->queued = (uint8_t)(f->queued - taken);
    /* behind the last damage stand zeros: the whole queue moves up in one go */
    int16_t next[DUEL_QUEUE + 2];
    memset(next, 0, sizeof next);
    memcpy(next, f->queue, sizeof f->queue);
    memcpy(f->queue, next + taken, sizeof f->queue);
    f->shown = f->level[DUEL_HITPOINTS];
}

LU_C_END
