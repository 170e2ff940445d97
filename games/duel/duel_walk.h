/* Walking in duel: goals and paths, how far an attack reaches, following a target. Part of the
 * rules: duel_fight.h includes it. Ownership: nothing is kept. Threads: no state. */
#pragma once

#include "duel_fighter.h"

LU_C_BEGIN

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
    int32_t ax = duel_size(dx), ay = duel_size(dy), reach = ring > 1 ? ring : 1;
    /* a cardinal neighbour is 1 step away, a corner 2 */
    return ((ax > ay ? ax : ay) == reach) & ((ring > 1) | (ax + ay == 2 - ring));
}

/* One tile drawn among those that are offered. */
typedef struct duel_lot {
    uint32_t offered;
    int32_t x, y;
} duel_lot;

LU_INLINE void duel_offer(duel_lot *lot, int32_t x, int32_t y, lu_rng *rng) {
    /* the first is drawn for certain, which is known while compiling */
    uint32_t drawn = lot->offered == 0 ? lu_rng_below(rng, 1) : lu_rng_below(rng, lot->offered + 1);
    lot->offered++;
    lot->x = drawn == 0 ? x : lot->x;
    lot->y = drawn == 0 ? y : lot->y;
}

/* Offers the tiles of ring 0 or 1 in a box, all within -1..1: a set of bits, whose jumps are fewer
 * than those of two loops. */
LU_INLINE void duel_offer_near(duel_lot *lot, int32_t ring, int32_t left, int32_t right,
                               int32_t low, int32_t high, lu_rng *rng) {
    uint32_t columns = (2u << (right + 1)) - (1u << (left + 1));
    uint32_t rows = (8u << 3 * (high + 1)) - (1u << 3 * (low + 1));
    uint32_t tiles = (ring ? 0xaau : 0x145u) & (columns * 0x49u) & rows;
    for (; tiles; tiles &= tiles - 1) {
        int tile = lu_lowest_bit(tiles);
        duel_offer(lot, tile % 3 - 1, tile / 3 - 1, rng);
    }
}

/* A tile of the ring that is nearest to the walker, drawn among equals. Nearest are those within
 * the smallest box around him that meets the ring, so that only that box is looked at. */
LU_INLINE void duel_go_ring(duel_fighter *f, const duel_fighter *to, int32_t ring, lu_rng *rng) {
    int32_t px = f->x - to->x, py = f->y - to->y, reach = ring > 1 ? ring : 1;
    int32_t ax = duel_size(px), ay = duel_size(py), away = ax > ay ? ax : ay;
    duel_lot lot = {0, 0, 0};
    for (int32_t box = duel_size(away - reach); lot.offered == 0; box++) {
        int32_t left = px - box > -reach ? px - box : -reach;
        int32_t right = px + box < reach ? px + box : reach;
        int32_t low = py - box > -reach ? py - box : -reach;
        int32_t high = py + box < reach ? py + box : reach;
        if (ring < 2) {
            duel_offer_near(&lot, ring, left, right, low, high, rng);
            continue;
        }
        for (int32_t y = low; y <= high; y++) {
            /* between its edges a ring has tiles in the outer columns alone */
            bool inner = (y > -reach) & (y < reach);
            for (int32_t x = (inner & (left > -reach)) ? reach : left; x <= right;
                 x += inner ? 2 * reach : 1) {
                duel_offer(&lot, x, y, rng);
            }
        }
    }
    duel_go(f, to->x + lot.x, to->y + lot.y);
}

LU_INLINE int32_t duel_sign(int32_t a) {
    return (a > 0) - (a < 0);
}

/* Straight steps first, then diagonal ones: from any point of such a path the rest is one too.
 * Without jumps, of which half would be guessed wrong: who has no path or may not walk stays. */
LU_INLINE void duel_walk_step(duel_fighter *f, bool may) {
    int32_t dx = f->goal_x - f->x, dy = f->goal_y - f->y;
    int32_t ax = duel_size(dx), ay = duel_size(dy), walks = f->path & may;
    f->x = (int16_t)(f->x + (walks & (ax >= ay)) * duel_sign(dx));
    f->y = (int16_t)(f->y + (walks & (ay >= ax)) * duel_sign(dy));
    f->path = (uint8_t)(f->path & ((f->x != f->goal_x) | (f->y != f->goal_y)));
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
    bool charged = (f->energy >= weapon->energy) & (weapon->special != 0);
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
    const int32_t range[DUEL_STYLES] = {1, weapon->range[live], 10};
    m.range = range[m.blow.style];
    return m;
}

LU_INLINE bool duel_in_reach(const duel_fighter *f, const duel_fighter *to, const duel_method *m) {
    int32_t distance = duel_distance(f, to);
    bool melee = m->blow.style == DUEL_MELEE;
    int32_t range = melee && f->moved && to->moved ? 2 : m->range;
    bool diagonal = (f->x != to->x) & (f->y != to->y);
    return (distance > 0) & (distance <= range) & !(melee & !to->moved & diagonal);
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
    f->moved = 0;
    if (f->timer[DUEL_TIMER_FREEZE] > 0) {
        duel_stop(f);
    } else if (f->target) {
        duel_follow(r, f, to);
    }
    f->moved = f->path;
    duel_walk_step(f, true);
    duel_walk_step(f, f->run > 0);
    if (f->moved) {
        f->run = (uint8_t)(f->run > 0 ? f->run - 1 : 0);
        f->rest = 0;
    } else if (f->run < 100 && ++f->rest == 3) {
        f->run++;
        f->rest = 0;
    }
}

LU_C_END
