/* Draws of craft: one modifier by weight, one removed, values rolled. Every draw is whole-number
 * arithmetic, so that all builds draw the same item; the sums it needs are kept by floor and
 * family, so that no draw walks over the pool unless an omen changes the weights. Ownership: the
 * caller's. Threads: no shared data. */
#pragma once

#include "ludus/rng.h"

#include "craft_item.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_ANY_SIDE = 2, CRAFT_TRIES = 64 /* by the cells, before the pool is walked over */ };

/* What a draw may take. */
typedef struct craft_wish {
    int32_t floor;    /* of the pool */
    int32_t rarity;   /* whose limits count */
    int32_t side;     /* or CRAFT_ANY_SIDE */
    int32_t banned;   /* entry that may not come, or CRAFT_NO_ENTRY */
    int32_t catalyst; /* tag whose modifiers weigh more, -1 = none */
    int32_t factor;   /* by so much in 200 */
    uint64_t tags;    /* at least one of them; 0 = any */
} craft_wish;

LU_INLINE craft_wish craft_plain_wish(int floor, int rarity, int side) {
    craft_wish wish = {floor, rarity, side, CRAFT_NO_ENTRY, -1, 200, 0};
    return wish;
}

/* Weight of entry i for this draw; 0 = it cannot come. Sides are the caller's business. */
LU_INLINE uint32_t craft_entry_weight(const craft_pool *pool, const craft_item *item,
                                      const craft_wish *wish, int i) {
    const craft_entry *e = &pool->entry[i];
    uint32_t weight = pool->floor[wish->floor].weight[i];
    bool barred = (e->bars & item->added) != 0 || craft_has_family(item, e->family);
    bool alike = wish->tags == 0 || (e->tags & wish->tags) != 0;
    if (barred || !alike || i == wish->banned) {
        return 0;
    }
    if (wish->catalyst >= 0) {
        return weight * (uint32_t)(e->tags >> wish->catalyst & 1u ? wish->factor : 200);
    }
    return weight;
}

/* Draws that the sums by family cannot answer: weights change, or some entries are out. */
LU_INLINE bool craft_must_walk(const craft_item *item, const craft_wish *wish) {
    return item->added != 0 || wish->tags != 0 || wish->catalyst >= 0 ||
           wish->banned != CRAFT_NO_ENTRY;
}

LU_INLINE uint32_t craft_walk_weight(const craft_pool *pool, const craft_item *item,
                                     const craft_wish *wish, int side) {
    int first = side == CRAFT_PREFIX ? 0 : pool->drawn[CRAFT_PREFIX];
    uint32_t sum = 0;
    for (int i = first; i < first + pool->drawn[side]; i++) {
        sum += craft_entry_weight(pool, item, wish, i);
    }
    return sum;
}

/* Weight of what may come on each side; a side without room has none. */
LU_INLINE void craft_weights(const craft_pool *pool, const craft_item *item, const craft_wish *wish,
                             uint32_t weight[CRAFT_SIDES]) {
    const craft_floor *floor = &pool->floor[wish->floor];
    bool walk = craft_must_walk(item, wish);
    weight[0] = floor->total[0];
    weight[1] = floor->total[1];
    for (int k = 0; k < craft_item_mods(item) && !walk; k++) {
        if (!(item->slot[k].flags & CRAFT_UNREVEALED)) {
            int family = pool->entry[item->slot[k].entry].family;
            weight[pool->family_side[family]] -= floor->family[family];
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = craft_room(pool, item, wish->rarity, side) > 0 &&
                    (wish->side == CRAFT_ANY_SIDE || wish->side == side);
        weight[side] = !open ? 0 : walk ? craft_walk_weight(pool, item, wish, side) : weight[side];
    }
}

/* Uniform below n: multiply and shift of 32 bits, off by less than n / 2^32. */
LU_INLINE uint32_t craft_below(lu_rng *rng, uint32_t n) {
    return (uint32_t)((lu_rng_u64(rng) >> 32) * n >> 32);
}

/* The entry at `at` of the weights of a side, counted from its first. */
LU_INLINE int craft_walk_to(const craft_pool *pool, const craft_item *item, const craft_wish *wish,
                            int side, uint32_t at) {
    int i = side == CRAFT_PREFIX ? 0 : pool->drawn[CRAFT_PREFIX];
    for (;; i++) {
        uint32_t weight = craft_entry_weight(pool, item, wish, i);
        if (at < weight) {
            return i;
        }
        at -= weight;
    }
}

/* The side of a draw: by weight, or even between those that have any. */
LU_INLINE int craft_draw_side(const craft_pool *pool, const uint32_t weight[CRAFT_SIDES],
                              lu_rng *rng) {
    if (weight[0] == 0 || weight[1] == 0) {
        return weight[0] == 0 ? CRAFT_SUFFIX : CRAFT_PREFIX;
    }
    if (pool->switches.side_choice == CRAFT_SIDE_FIRST) {
        return (int)craft_below(rng, 2);
    }
    return craft_below(rng, weight[0] + weight[1]) < weight[0] ? CRAFT_PREFIX : CRAFT_SUFFIX;
}

/* One entry by weight; CRAFT_NO_ENTRY = nothing may come. Cells are drawn until one fits, which
 * gives each entry its share of what fits. */
LU_INLINE int craft_draw(const craft_pool *pool, const craft_item *item, const craft_wish *wish,
                         lu_rng *rng) {
    const craft_floor *floor = &pool->floor[wish->floor];
    uint32_t weight[CRAFT_SIDES];
    craft_weights(pool, item, wish, weight);
    if (weight[0] + weight[1] == 0) {
        return CRAFT_NO_ENTRY;
    }
    int side = craft_draw_side(pool, weight, rng);
    for (int k = 0; k < CRAFT_TRIES && !craft_must_walk(item, wish); k++) {
        uint64_t bits = lu_rng_u64(rng);
        const craft_cell *cell = &floor->cell[side][(bits >> 32) * floor->cells[side] >> 32];
        uint32_t at = (uint32_t)((bits & 0xffffffffu) * floor->total[side] >> 32);
        int entry = at < cell->cut ? cell->own : cell->other;
        if (!craft_has_family(item, pool->entry[entry].family)) {
            return entry;
        }
    }
    return craft_walk_to(pool, item, wish, side, craft_below(rng, weight[side]));
}

/* ---- changes ---- */

/* New values of a modifier. */
LU_INLINE void craft_roll(const craft_pool *pool, craft_slot *slot, lu_rng *rng) {
    const craft_entry *e = &pool->entry[slot->entry];
    uint64_t bits = e->ranges > 0 ? lu_rng_u64(rng) : 0;
    for (int k = 0; k < e->ranges; k++) {
        /* three numbers of 21 bits each: no value is off its share by more than 1 in 2^14 */
        slot->roll[k] = (uint8_t)((bits >> 43) * e->steps[k] >> 21);
        slot->factor[k] = 0;
        bits <<= 21;
    }
}

/* Puts an entry on the item, which has room for it. */
LU_INLINE void craft_put(const craft_pool *pool, craft_item *item, int entry, int flags,
                         lu_rng *rng) {
    const craft_entry *e = &pool->entry[entry];
    craft_slot *slot = &item->slot[craft_item_mods(item)];
    slot->entry = (uint16_t)entry;
    slot->flags = (uint8_t)(flags | (e->side == CRAFT_SUFFIX ? CRAFT_IS_SUFFIX : 0));
    item->count[e->side]++;
    item->family[e->family >> 6] |= UINT64_C(1) << (e->family & 63);
    item->added |= e->adds;
    craft_roll(pool, slot, rng);
}

/* Takes the modifier of a slot off; the ones behind it move up. */
LU_INLINE void craft_take(const craft_pool *pool, craft_item *item, int at) {
    int last = craft_item_mods(item) - 1, side = craft_slot_side(&item->slot[at]);
    bool known = !(item->slot[at].flags & CRAFT_UNREVEALED);
    const craft_entry *e = known ? &pool->entry[item->slot[at].entry] : NULL;
    for (int k = at; k < last; k++) {
        item->slot[k] = item->slot[k + 1];
    }
    memset(&item->slot[last], 0, sizeof item->slot[last]);
    item->count[side]--;
    if (e && e->adds) {
        craft_item_sum(pool, item);
    } else if (e) {
        item->family[e->family >> 6] &= ~(UINT64_C(1) << (e->family & 63));
    }
}

/* Takes everything off that is not fractured. */
LU_INLINE void craft_clear(const craft_pool *pool, craft_item *item) {
    for (int k = craft_item_mods(item) - 1; k >= 0; k--) {
        if (!(item->slot[k].flags & CRAFT_FRACTURED)) {
            craft_take(pool, item, k);
        }
    }
}

/* Which modifiers may be removed. */
typedef struct craft_filter {
    int32_t side;   /* or CRAFT_ANY_SIDE */
    int32_t needs;  /* flags they must have */
    int32_t lowest; /* 1: only those of the lowest level */
} craft_filter;

/* Level that Whittling counts: what is unrevealed is of level 1. */
LU_INLINE int craft_slot_level(const craft_pool *pool, const craft_slot *slot) {
    return slot->flags & CRAFT_UNREVEALED ? 1 : pool->entry[slot->entry].level;
}

/* Bits of the slots that may be removed. */
LU_INLINE uint32_t craft_removable(const craft_pool *pool, const craft_item *item,
                                   const craft_filter *filter) {
    uint32_t slots = 0;
    int lowest = 255;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        bool fits = !(slot->flags & CRAFT_FRACTURED) &&
                    (slot->flags & filter->needs) == filter->needs &&
                    (filter->side == CRAFT_ANY_SIDE || filter->side == craft_slot_side(slot));
        int level = craft_slot_level(pool, slot);
        if (fits && filter->lowest && level < lowest) {
            slots = 0;
            lowest = level;
        }
        fits = fits && (!filter->lowest || level == lowest);
        slots |= fits ? 1u << k : 0u;
    }
    return slots;
}

/* A bit of `slots`, each as likely; with `first` the lowest one. */
LU_INLINE int craft_pick(uint32_t slots, bool first, lu_rng *rng) {
    uint32_t count = 0;
    for (uint32_t left = slots; left; left &= left - 1) {
        count++;
    }
    uint32_t skip = count > 1 && !first ? craft_below(rng, count) : 0;
    for (; skip > 0; skip--) {
        slots &= slots - 1;
    }
    int at = 0;
    while (!(slots >> at & 1u)) {
        at++;
    }
    return at;
}

#ifdef __cplusplus
}
#endif
