/* The parts of a tick of duel: what is worn and prayed, food and potions, walking, attacks, hits.
 * Part of the rules: duel.c includes it.
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
/* 1 + the style that a fighter protects from, 0 none. */
LU_INLINE uint8_t duel_shield_of(const duel_fighter *f) {
    return duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MELEE)      ? 1 + DUEL_MELEE
           : duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MISSILES) ? 1 + DUEL_SHOT
           : duel_prays(f, DUEL_PRAYER_PROTECT_FROM_MAGIC)    ? 1 + DUEL_SPELL
                                                              : 0;
}
/* The style that a weapon shows: staffs are magic. */
LU_INLINE int duel_shows(const duel_fighter *f) {
    int kind = duel_weapon(f)->kind;
    return kind == DUEL_CLASS_STAFF ? DUEL_SPELL : duel_style_of(kind);
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
    bool same = true;
    if (set == f->set) {
        return;
    }
    for (int k = 0; k < DUEL_SLOTS; k++) {
        same = same && f->item[set][k] == f->item[f->set][k];
    }
    f->set = (uint8_t)set;
    if (!same) {
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

/* ---- walking ---- */

LU_INLINE void duel_stop(duel_fighter *f) {
    f->path = 0;
    f->goal_x = f->x;
    f->goal_y = f->y;
}

LU_INLINE void duel_go(duel_fighter *f, int32_t x, int32_t y) {
    if (f->timer[DUEL_TIMER_FREEZE] > 0) {
        duel_stop(f);
        return;
    }
    int32_t most_x = DUEL_ARENA_X + DUEL_BORDER - 1, most_y = DUEL_ARENA_Y + DUEL_BORDER - 1;
    x = x < -DUEL_BORDER ? -DUEL_BORDER : x > most_x ? most_x : x;
    y = y < -DUEL_BORDER ? -DUEL_BORDER : y > most_y ? most_y : y;
    f->goal_x = (int16_t)x;
    f->goal_y = (int16_t)y;
    f->path = f->x != x || f->y != y;
}

/* The cardinal neighbour of `to` that is nearest; among equals one in line with the walker, then
 * south, north, west, east. */
LU_INLINE void duel_go_beside(duel_fighter *f, const duel_fighter *to) {
    const int32_t step_x[4] = {0, 0, -1, 1}, step_y[4] = {-1, 1, 0, 0};
    int32_t best = INT32_MAX, best_x = f->x, best_y = f->y;
    for (int k = 0; k < 4; k++) {
        int32_t x = to->x + step_x[k], y = to->y + step_y[k];
        int32_t dx = duel_size(f->x - x), dy = duel_size(f->y - y);
        int32_t cost = 2 * (dx > dy ? dx : dy) + (dx == 0 || dy == 0 ? 0 : 1);
        if (cost < best) {
            best = cost;
            best_x = x;
            best_y = y;
        }
    }
    duel_go(f, best_x, best_y);
}

/* Whether a tile at an offset from the target is of the ring: 0 its corners, 1 its cardinal
 * neighbours, else the tiles at that Chebyshev distance. */
LU_INLINE bool duel_on_ring(int32_t dx, int32_t dy, int32_t ring) {
    int32_t ax = duel_size(dx), ay = duel_size(dy);
    return ring > 1 ? (ax > ay ? ax : ay) == ring : ring == 1 ? ax + ay == 1 : ax == 1 && ay == 1;
}

/* A tile of the ring that is nearest to the walker, drawn among equals. Nearest are those within
 * the smallest box around him that meets the ring, so that only that box is looked at. */
LU_INLINE void duel_go_ring(duel_fighter *f, const duel_fighter *to, int32_t ring, lu_rng *rng) {
    int32_t px = f->x - to->x, py = f->y - to->y, reach = ring > 1 ? ring : 1;
    int32_t ax = duel_size(px), ay = duel_size(py), away = ax > ay ? ax : ay;
    if (duel_on_ring(px, py, ring)) {
        return;
    }
    for (int32_t box = duel_size(away - reach);; box++) {
        int32_t left = px - box > -reach ? px - box : -reach;
        int32_t right = px + box < reach ? px + box : reach;
        int32_t low = py - box > -reach ? py - box : -reach;
        int32_t high = py + box < reach ? py + box : reach, found = 0, best_x = 0, best_y = 0;
        for (int32_t dy = low; dy <= high; dy++) {
            /* between its edges a ring has tiles in the outer columns alone */
            bool inner = ring > 1 && dy > -reach && dy < reach;
            for (int32_t dx = inner && left > -reach ? reach : left; dx <= right;
                 dx += inner && dx < reach ? 2 * reach : 1) {
                if (duel_on_ring(dx, dy, ring) && lu_rng_below(rng, (uint32_t)++found) == 0) {
                    best_x = dx;
                    best_y = dy;
                }
            }
        }
        if (found) {
            duel_go(f, to->x + best_x, to->y + best_y);
            return;
        }
    }
}

/* Straight steps first, then diagonal ones: from any point of such a path the rest is one too. */
LU_INLINE void duel_walk_step(duel_fighter *f) {
    int32_t dx = f->goal_x - f->x, dy = f->goal_y - f->y;
    int32_t ax = duel_size(dx), ay = duel_size(dy);
    if (ax >= ay) {
        f->x = (int16_t)(f->x + (dx > 0 ? 1 : dx < 0 ? -1 : 0));
    }
    if (ay >= ax) {
        f->y = (int16_t)(f->y + (dy > 0 ? 1 : dy < 0 ? -1 : 0));
    }
    f->path = f->x != f->goal_x || f->y != f->goal_y;
}

/* ---- reach ---- */

typedef struct duel_method {
    duel_blow blow;
    int32_t range, speed, cost; /* cost: special energy */
} duel_method;

/* How a fighter attacks now. */
LU_INLINE duel_method duel_method_of(const duel_rules *r, const duel_fighter *f) {
    duel_method m;
    const uint8_t *item = f->item[f->set];
    const duel_item *weapon = &duel_items[item[DUEL_SLOT_WEAPON]];
    int live = (r->live & DUEL_LIVE_SPEED) ? 1 : 0;
    m.blow.weapon = item[DUEL_SLOT_WEAPON];
    m.blow.ammo = item[DUEL_SLOT_AMMO];
    m.blow.type = weapon->type;
    m.blow.dharok = duel_is_dharok(item) ? 1 : 0;
    m.blow.queued = 1;
    m.blow.base_hitpoints = f->base[DUEL_HITPOINTS];
    m.blow.unused2 = 0;
    m.blow.spell = f->spell;
    m.blow.special = 0;
    m.cost = 0;
    bool charged = f->energy >= weapon->energy && weapon->special;
    if (f->spell) {
        m.blow.style = DUEL_SPELL;
    } else if (f->armed && charged && weapon->special == DUEL_SPECIAL_NIGHTMARE) {
        m.blow.style = DUEL_SPELL;
        m.blow.special = weapon->special;
    } else {
        m.blow.style = (uint8_t)duel_style_of(weapon->kind);
        bool maul = weapon->special == DUEL_SPECIAL_MAUL;
        m.blow.special = charged && (maul ? f->mauls > 0 : f->armed) ? weapon->special : 0;
    }
    m.cost = m.blow.special ? weapon->energy : 0;
    m.speed = m.blow.style == DUEL_SPELL ? 5 : weapon->speed[live];
    m.speed += m.blow.special == DUEL_SPECIAL_DARK_BOW && !live ? 1 : 0;
    m.range = m.blow.style == DUEL_SPELL ? 10 : m.blow.style == DUEL_SHOT ? weapon->range[live] : 1;
    return m;
}

LU_INLINE bool duel_in_reach(const duel_fighter *f, const duel_fighter *to, const duel_method *m) {
    int32_t distance = duel_distance(f, to);
    bool melee = m->blow.style == DUEL_MELEE;
    int32_t range = melee && f->moved && to->moved ? 2 : m->range;
    bool diagonal = f->x != to->x && f->y != to->y;
    return distance > 0 && distance <= range && !(melee && !to->moved && diagonal);
}

LU_INLINE void duel_follow(const duel_rules *r, duel_fighter *f, const duel_fighter *to) {
    duel_method m = duel_method_of(r, f);
    if (duel_in_reach(f, to, &m)) {
        duel_stop(f);
    } else if (m.blow.style == DUEL_MELEE || (f->x == to->x && f->y == to->y)) {
        duel_go_beside(f, to);
    } else {
        /* outside the square of the range: its nearest point is on its edge */
        int32_t x = f->x, y = f->y;
        x = x < to->x - m.range ? to->x - m.range : x > to->x + m.range ? to->x + m.range : x;
        y = y < to->y - m.range ? to->y - m.range : y > to->y + m.range ? to->y + m.range : y;
        duel_go(f, x, y);
    }
}

LU_INLINE void duel_move(const duel_rules *r, duel_fighter *f, const duel_fighter *to) {
    int steps = f->run > 0 ? 2 : 1;
    f->moved = 0;
    if (f->timer[DUEL_TIMER_FREEZE] > 0) {
        duel_stop(f);
    } else if (f->target) {
        duel_follow(r, f, to);
    }
    for (; f->path && steps > 0; steps--) {
        duel_walk_step(f);
        f->moved = 1;
    }
    if (f->moved) {
        f->run = (uint8_t)(f->run > 0 ? f->run - 1 : 0);
        f->rest = 0;
    } else if (f->run < 100 && ++f->rest == 3) {
        f->run++;
        f->rest = 0;
    }
}

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
    for (int k = 0; k < f->queued; k++) {
        f->queue[k] = f->queue[k + taken];
    }
    for (int k = 0; k < taken; k++) {
        f->queue[f->queued + k] = 0;
    }
    f->shown = f->level[DUEL_HITPOINTS];
}

/* ---- attacks ---- */

LU_INLINE duel_party duel_party_of(const duel_fighter *f, int set) {
    duel_party party;
    party.level = f->level;
    party.bonus = f->bonus[set];
    party.prayers = f->prayers;
    party.stance = duel_items[f->item[set][DUEL_SLOT_WEAPON]].stance;
    return party;
}

LU_INLINE int32_t duel_between(lu_rng *rng, int32_t low, int32_t high) {
    return high > low ? low + (int32_t)lu_rng_below(rng, (uint32_t)(high - low + 1)) : low;
}

LU_INLINE int32_t duel_rounded(int32_t times, int32_t m, int32_t parts) {
    return (2 * times * m + parts) / (2 * parts);
}

/* Four hits from the first of four ordinary rolls that does damage. */
LU_INLINE void duel_claw(lu_rng *rng, double chance, int32_t most, bool shielded, duel_hit *hit) {
    int first = 0;
    int32_t m = shielded ? duel_shielded(most) : most;
    for (; first < 4; first++) {
        int32_t damage = lu_rng_unit(rng) < chance ? duel_between(rng, 0, most) : 0;
        if ((shielded ? duel_shielded(damage) : damage) > 0) {
            break;
        }
    }
    int32_t one = (int32_t)lu_rng_below(rng, 2), a, h[4] = {0, 0, 0, 0};
    if (first == 0) {
        a = duel_between(rng, duel_rounded(1, m, 2), m - 1);
        h[0] = a;
        h[1] = a / 2;
        h[2] = a / 2 / 2;
        h[3] = a / 2 / 2 + one;
    } else if (first == 1) {
        a = duel_between(rng, duel_rounded(3, m, 8), duel_rounded(7, m, 8));
        h[1] = a;
        h[2] = a / 2;
        h[3] = a / 2 + one;
    } else if (first == 2) {
        a = duel_between(rng, duel_rounded(1, m, 4), duel_rounded(3, m, 4));
        h[2] = a;
        h[3] = a + one;
    } else if (first == 3) {
        h[3] = duel_between(rng, duel_rounded(1, m, 4), duel_rounded(5, m, 4));
    } else {
        h[2] = h[3] = one;
    }
    hit->accurate = first < 4;
    hit->count = 4;
    for (int k = 0; k < 4; k++) {
        hit->damage[k] = (int16_t)h[k];
    }
}

/* The effect of bolts on the damage of a shot. */
LU_INLINE int32_t duel_bolt_damage(const duel_bolt *bolt, int32_t damage, const duel_fighter *to,
                                   bool accurate, lu_rng *rng) {
    bool happens = (accurate && bolt->sure) || lu_rng_below(rng, 100) < (uint32_t)bolt->percent;
    if (!happens || (bolt->needs_hit && !accurate) ||
        (bolt->magic_stops && duel_prays(to, DUEL_PRAYER_PROTECT_FROM_MAGIC))) {
        return damage;
    }
    return damage * bolt->times / 100 + bolt->adds;
}

/* One hit of an attack: whether it is accurate and what it does. */
LU_INLINE void duel_roll_hit(const duel_rules *r, const duel_blow *blow, const duel_fighter *by,
                             const duel_fighter *to, const duel_odds *odds, bool shielded,
                             lu_rng *rng, duel_hit *hit) {
    double chance = duel_chance(odds->attack, odds->defence);
    int32_t m = odds->most, low = 0, high = m;
    if (blow->special == DUEL_SPECIAL_CLAWS) {
        duel_claw(rng, chance, m, shielded, hit);
        return;
    }
    bool accurate = lu_rng_unit(rng) < chance;
    bool late = shielded && (r->live & DUEL_LIVE_PROTECT);
    duel_bolt bolt = duel_bolt_of(r->live, blow, by->level[DUEL_RANGED]);
    if (bolt.passes && !accurate && lu_rng_below(rng, 100) < (uint32_t)bolt.percent) {
        accurate = true;
    }
    if (blow->special == DUEL_SPECIAL_FIFTH || blow->special == DUEL_SPECIAL_QUARTER) {
        int32_t part = blow->special == DUEL_SPECIAL_FIFTH ? m / 5 : m / 4;
        low = part;
        high = m + part;
        shielded = late;
    } else if (blow->special == DUEL_SPECIAL_NIGHTMARE) {
        low = 1;
        high = duel_nightmare_most(by->level[DUEL_MAGIC]);
        shielded = late;
    }
    int32_t damage = accurate ? duel_between(rng, low, high) : 0;
    if (blow->special == DUEL_SPECIAL_NIGHTMARE) {
        damage = damage * (100 + by->bonus[by->set][DUEL_BONUS_MAGIC_DAMAGE]) / 100;
    }
    damage = shielded ? duel_shielded(damage) : damage;
    if (bolt.percent > 0) {
        damage = duel_bolt_damage(&bolt, damage, to, accurate, rng);
    }
    if (blow->special == DUEL_SPECIAL_DARK_BOW) {
        damage = damage < 8 ? 8 : damage > 48 ? 48 : damage;
    }
    hit->accurate = accurate ? 1 : 0;
    hit->count = blow->style == DUEL_SPELL && !accurate ? 0 : 1;
    hit->damage[0] = (int16_t)damage;
}

LU_INLINE void duel_recent(uint8_t *list, uint8_t entry) {
    for (int k = DUEL_RECENT - 1; k > 0; k--) {
        list[k] = list[k - 1];
    }
    list[0] = entry;
}

/* Counts one hit of an attack in the figures of the match. */
LU_INLINE void duel_count_hit(duel_state *s, duel_fighter *by, int style, uint8_t shield) {
    bool blocked = shield == 1 + style;
    if (by->attacks == UINT16_MAX) {
        return;
    }
    by->attacks++;
    by->by_style[style]++;
    by->blocked = (uint16_t)(by->blocked + (blocked ? 1 : 0));
    duel_recent(by->recent_style, (uint8_t)(1 + style));
    duel_recent(by->recent_open, blocked ? 1 : 2);
    if (shield) {
        by->into[shield - 1]++;
        duel_recent(by->recent_into, shield);
    }
    s->changed |= 1u << DUEL_GROUP_HISTORY;
}

/* What the opponent learns of the gear that an attack was made in. */
LU_INLINE void duel_show_gear(duel_state *s, duel_fighter *f, int style) {
    const int accuracy[DUEL_STYLES] = {DUEL_TYPE_SLASH, DUEL_TYPE_RANGED, DUEL_TYPE_MAGIC};
    const int strength[DUEL_STYLES] = {DUEL_BONUS_STRENGTH, DUEL_BONUS_RANGED_STRENGTH,
                                       DUEL_BONUS_MAGIC_DAMAGE};
    int16_t strong = duel_bare_bonus(f, strength[style]);
    bool seen = (f->seen_styles >> style) & 1;
    if (style == DUEL_MELEE && seen && strong < f->seen[style][1]) {
        return;
    }
    f->seen_styles = (uint8_t)(f->seen_styles | 1u << style);
    f->seen[style][0] = duel_bare_bonus(f, DUEL_BONUS_ATTACK + accuracy[style]);
    f->seen[style][1] = strong;
    for (int k = 0; k < 3; k++) {
        f->seen[style][2 + k] = f->bare[k];
    }
    s->changed |= 1u << DUEL_GROUP_TARGET;
}

LU_INLINE void duel_freeze(duel_fighter *f, int32_t ticks) {
    if (f->timer[DUEL_TIMER_FREEZE] > 0 || f->timer[DUEL_TIMER_IMMUNE] > 0) {
        return;
    }
    f->timer[DUEL_TIMER_FREEZE] = (uint8_t)ticks;
    f->timer[DUEL_TIMER_IMMUNE] = (uint8_t)(ticks + 5);
    f->turn.frozen = (uint8_t)ticks;
    duel_stop(f);
}

/* Freeze and blood count at the moment of the cast. */
LU_INLINE void duel_spell_effects(const duel_hit *hit, const duel_blow *blow, duel_fighter *by,
                                  duel_fighter *to) {
    const duel_spell *spell = &duel_spells[blow->spell];
    if (!hit->accurate) {
        return;
    }
    if (spell->freeze) {
        duel_freeze(to, spell->freeze);
    } else if (spell->heal) {
        int32_t heals = hit->damage[0] * spell->heal / 100;
        bool zuriel = blow->weapon == DUEL_ITEM_ZURIELS_STAFF;
        duel_heal(by, zuriel ? hit->damage[0] * spell->heal * 3 / 200 : heals);
    }
}

LU_INLINE void duel_spend_energy(duel_fighter *f, int32_t cost) {
    if (cost > 0) {
        f->energy = (uint8_t)(f->energy - cost);
        f->energy_clock = f->energy_clock ? f->energy_clock : 50;
        f->specials++;
        f->turn.special = 1;
    }
}

/* One attack that is in reach and due. */
LU_INLINE void duel_strike(duel_state *s, const duel_rules *r, duel_fighter *by, duel_fighter *to,
                           const duel_method *m, lu_rng *rng) {
    const duel_blow *blow = &m->blow;
    duel_party attacker = duel_party_of(by, by->set), defender = duel_party_of(to, to->set);
    duel_odds odds = duel_odds_of(r->live, blow, &attacker, &defender);
    uint8_t shield = duel_shield_of(to);
    bool blocked = shield == 1 + blow->style;
    bool bow = duel_items[blow->weapon].kind == DUEL_CLASS_DARK_BOW && blow->style == DUEL_SHOT;
    int hits = bow || blow->special == DUEL_SPECIAL_DOUBLE ? 2 : 1;
    int32_t sum = 0, distance = duel_distance(by, to);
    duel_spend_energy(by, m->cost);
    for (int k = 0; k < hits; k++) {
        duel_hit hit;
        memset(&hit, 0, sizeof hit);
        hit.style = blow->style;
        hit.special = blow->special;
        hit.poison = blow->style == DUEL_MELEE ? duel_items[blow->weapon].poison : 0;
        hit.delay = (int8_t)duel_delay(blow, distance, k == 1 && bow);
        duel_roll_hit(r, blow, by, to, &odds, blocked, rng, &hit);
        for (int i = 0; i < hit.count; i++) {
            sum += hit.damage[i];
        }
        if (blow->style == DUEL_SPELL && blow->spell) {
            duel_spell_effects(&hit, blow, by, to);
        }
        duel_count_hit(s, by, blow->style, shield);
        if (to->hits < DUEL_HITS) {
            to->hit[to->hits++] = hit;
        }
    }
    duel_turn *turn = &by->turn;
    turn->decided = (int16_t)(turn->decided + sum);
    turn->last_decided = (int16_t)sum;
    turn->attacks++;
    turn->style = (uint8_t)(1 + blow->style);
    turn->speed = (uint8_t)m->speed;
    turn->blocked = blocked ? 1 : 0;
    turn->shield = shield;
    turn->smote = duel_prays(by, DUEL_PRAYER_SMITE) ? 1 : 0;
    duel_show_gear(s, by, blow->style);
}

/* Step (d) of a fighter's processing: its attack, if it has a target, reach and time. */
LU_INLINE void duel_attack(duel_state *s, const duel_rules *r, duel_fighter *f, duel_fighter *to,
                           lu_rng *rng) {
    if (!f->target || f->level[DUEL_HITPOINTS] == 0 || to->level[DUEL_HITPOINTS] == 0) {
        return;
    }
    duel_method m = duel_method_of(r, f);
    bool maul = m.blow.special == DUEL_SPECIAL_MAUL;
    if (!duel_in_reach(f, to, &m)) {
        bool diagonal = duel_size(f->x - to->x) == 1 && duel_size(f->y - to->y) == 1;
        if (m.blow.style == DUEL_MELEE && diagonal && !to->moved) {
            duel_go_beside(f, to);
        }
        return;
    }
    if (maul) {
        for (; f->mauls > 0 && f->energy >= m.cost; f->mauls--) {
            duel_strike(s, r, f, to, &m, rng);
        }
        return;
    }
    if (f->cool > 0) {
        return;
    }
    duel_strike(s, r, f, to, &m, rng);
    f->cool = (int8_t)m.speed;
    f->armed = 0;
    if (m.blow.style == DUEL_SPELL) {
        f->spell = 0;
        f->target = 0;
        duel_stop(f);
    }
}

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

LU_INLINE int duel_best_spell(const duel_fighter *f, int first) {
    int spell = 0;
    for (int k = 0; k < 4; k++) {
        spell = f->level[DUEL_MAGIC] >= duel_spells[first + k].level ? first + k : spell;
    }
    return spell;
}

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
    if (way == DUEL_STAY) {
        return;
    }
    f->target = 0;
    f->spell = 0;
    if (way == DUEL_UNDER) {
        duel_go(f, to->x, to->y);
    } else {
        int32_t ring = way == DUEL_NEXT_TO ? 1 : way == DUEL_DIAGONAL ? 0 : farcast + 1;
        duel_go_ring(f, to, ring, rng);
    }
}

LU_C_END
