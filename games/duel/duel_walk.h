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
    int32_t ax = duel_size(dx), ay = duel_size(dy);
    return ring > 1 ? (ax > ay ? ax : ay) == ring : ring == 1 ? ax + ay == 1 : ax == 1 && ay == 1;
}

/* A tile of the ring that is nearest to the walker, drawn among equals. Nearest are those within
 * the smallest box around him that meets the ring, so that only that box is looked at. */
LU_INLINE void duel_go_ring(duel_fighter *f, const duel_fighter *to, int32_t ring, lu_rng *rng) {
    int32_t px = f->x - to->x, py = f->y - to->y, reach = ring > 1 ? ring : 1;
    int32_t ax = duel_size(px), ay = duel_size(py), away = ax > ay ? ax : ay;
    for (int32_t box = duel_size(away - reach);; box++) {
        int32_t left = px - box > -reach ? px - box : -reach;
        int32_t right = px + box < reach ? px + box : reach;
        int32_t low = py - box > -reach ? py - box : -reach;
        int32_t high = py + box < reach ? py + box : reach, best_x = 0, best_y = 0;
        uint32_t found = 0;
        for (int32_t dy = low; dy <= high; dy++) {
            /* between its edges a ring has tiles in the outer columns alone */
            bool inner = ring > 1 && dy > -reach && dy < reach;
            for (int32_t dx = inner && left > -reach ? reach : left; dx <= right;
                 dx += inner && dx < reach ? 2 * reach : 1) {
                if (!duel_on_ring(dx, dy, ring)) {
                    continue;
                }
                /* the first is drawn for certain, which is known while compiling */
                uint32_t drawn = found == 0 ? lu_rng_below(rng, 1) : lu_rng_below(rng, found + 1);
                found++;
                best_x = drawn == 0 ? dx : best_x;
                best_y = drawn == 0 ? dy : best_y;
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
    m.range = m.blow.style == DUEL_SPELL ? 10 : m.blow.style == DUEL_SHOT ? weapon->range[live] : 1;
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

LU_C_END
