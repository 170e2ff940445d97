/* Uses of currencies on an item: every function changes an item that craft_why has found usable.
 * Ownership: the caller's. Threads: no shared data. */
#pragma once

#include "craft_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new white base. */
LU_INLINE void craft_new_base(const craft_pool *pool, craft_item *item, lu_rng *rng) {
    memset(item, 0, sizeof *item);
    if (pool->implicit_steps > 1) {
        item->implicit_roll = (uint8_t)craft_below(rng, (uint32_t)pool->implicit_steps);
    }
}

/* ---- currencies ---- */

LU_INLINE void craft_apply_add(const craft_pool *pool, craft_item *item, const craft_effect *e,
                               lu_rng *rng) {
    item->rarity = e->gives;
    for (int k = 0; k < e->adds; k++) {
        craft_wish wish = craft_effect_wish(pool, item, e);
        int entry = craft_draw(pool, item, &wish, rng);
        if (entry != CRAFT_NO_ENTRY) {
            craft_put(pool, item, entry, 0, rng);
        }
    }
    if (e->with & CRAFT_WITH_CATALYST) {
        item->quality = item->catalyst = 0;
    }
}

/* Removes one that the filter lets go; returns its entry. */
LU_INLINE int craft_remove_one(const craft_pool *pool, craft_item *item, const craft_filter *filter,
                               lu_rng *rng) {
    uint32_t slots = craft_removable(pool, item, filter);
    if (slots == 0) {
        return CRAFT_NO_ENTRY;
    }
    int at = craft_pick(slots, filter->lowest && pool->switches.whittling_first, rng);
    int entry = item->slot[at].entry;
    craft_take(pool, item, at);
    return entry;
}

LU_INLINE void craft_apply_swap(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                lu_rng *rng) {
    craft_filter filter = craft_effect_filter(e);
    int removed = craft_remove_one(pool, item, &filter, rng);
    craft_wish wish = craft_effect_wish(pool, item, e);
    wish.banned = pool->switches.removed_can_return ? CRAFT_NO_ENTRY : removed;
    int entry = craft_draw(pool, item, &wish, rng);
    if (entry != CRAFT_NO_ENTRY) {
        craft_put(pool, item, entry, 0, rng);
    }
}

LU_INLINE void craft_apply_remove(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                  lu_rng *rng) {
    craft_filter filter = craft_effect_filter(e);
    for (int k = 0; k < e->removes; k++) {
        craft_remove_one(pool, item, &filter, rng);
    }
}

LU_INLINE void craft_apply_fill(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                lu_rng *rng) {
    if (pool->switches.alchemy_on_magic == CRAFT_ALCHEMY_REPLACE) {
        craft_clear(pool, item);
    }
    item->rarity = CRAFT_RARE;
    while (craft_item_mods(item) < 4) {
        craft_wish wish = craft_plain_wish(e->floor, CRAFT_RARE, CRAFT_ANY_SIDE);
        if (e->with & CRAFT_WITH_SIDE_FULL) {
            bool room = craft_room(pool, item, CRAFT_RARE, e->add_side) > 0;
            wish.side = room ? e->add_side : 1 - e->add_side;
        }
        int entry = craft_draw(pool, item, &wish, rng);
        if (entry == CRAFT_NO_ENTRY) {
            return;
        }
        craft_put(pool, item, entry, 0, rng);
    }
}

LU_INLINE void craft_apply_values(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                  lu_rng *rng) {
    bool factors = (e->with & CRAFT_WITH_FACTORS) != 0;
    if (pool->implicit_steps > 1 && !factors) {
        item->implicit_roll = (uint8_t)craft_below(rng, (uint32_t)pool->implicit_steps);
    }
    for (int k = 0; k < craft_item_mods(item) && !(e->with & CRAFT_WITH_IMPLICIT); k++) {
        craft_slot *slot = &item->slot[k];
        bool kept = (slot->flags & CRAFT_FRACTURED) && !pool->switches.divine_rerolls_fractured;
        if (slot->flags & CRAFT_UNREVEALED) {
            continue;
        }
        if (!factors && !kept) {
            craft_roll(pool, slot, rng);
        }
        for (int n = 0; n < pool->entry[slot->entry].ranges && factors; n++) {
            slot->factor[n] = (uint8_t)(1 + craft_below(rng, 45)); /* 0.78 to 1.22 */
        }
    }
    item->flags |= factors ? CRAFT_SANCTIFIED : 0;
}

/* ---- corruption ---- */

LU_INLINE void craft_corrupt_implicit(const craft_pool *pool, craft_item *item, lu_rng *rng) {
    if (pool->corruptions > 0) {
        int first = pool->entries - pool->corruptions;
        int at = first + (int)craft_below(rng, (uint32_t)pool->corruptions);
        const craft_entry *e = &pool->entry[at];
        item->corruption = (uint16_t)(at + 1);
        for (int k = 0; k < 2 && k < e->ranges; k++) {
            item->corruption_roll[k] = (uint8_t)craft_below(rng, e->steps[k]);
        }
    }
}

LU_INLINE void craft_corrupt_swaps(const craft_pool *pool, craft_item *item, lu_rng *rng) {
    craft_effect swap;
    memset(&swap, 0, sizeof swap);
    swap.gives = CRAFT_RARITIES;
    swap.add_side = swap.remove_side = CRAFT_ANY_SIDE;
    int times = 1 + (int)craft_below(rng, 3);
    for (int k = 0; k < times && craft_refuse_remove(pool, item, &swap) == CRAFT_USABLE; k++) {
        craft_apply_swap(pool, item, &swap, rng);
    }
}

/* Nothing, an implicit, one to three swaps, a socket or quality; what cannot be counts as nothing.
 */
LU_INLINE void craft_apply_corrupt(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                   lu_rng *rng) {
    const double *chance = pool->switches.vaal_outcomes;
    double nothing = e->with & CRAFT_WITH_CHANGE ? 0.0 : chance[0];
    double at = lu_rng_unit(rng) * (nothing + chance[1] + chance[2] + chance[3]) - nothing;
    if (at >= 0.0 && at < chance[1]) {
        craft_corrupt_implicit(pool, item, rng);
    } else if (at >= chance[1] && at < chance[1] + chance[2]) {
        craft_corrupt_swaps(pool, item, rng);
    } else if (at >= chance[1] + chance[2]) {
        item->sockets++;
    }
    item->flags |= CRAFT_CORRUPTED;
}

/* ---- essences ---- */

LU_INLINE void craft_apply_essence(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                   lu_rng *rng) {
    uint32_t fits = 0;
    for (int k = 0; k < e->givens; k++) {
        bool usable = craft_refuse_given(pool, item, e, e->given[k]) == CRAFT_USABLE;
        fits |= usable ? 1u << k : 0u;
    }
    int entry = e->given[craft_pick(fits, false, rng)], family = pool->entry[entry].family;
    if (e->op == CRAFT_OP_GIVE) {
        craft_filter filter = craft_effect_filter(e);
        filter.side = craft_give_side(pool, item, e, entry);
        craft_remove_one(pool, item, &filter, rng);
    }
    /* with essence_blocked_by_family off the holder of the family gives way */
    for (int k = craft_item_mods(item) - 1; k >= 0 && craft_has_family(item, family); k--) {
        bool hidden = (item->slot[k].flags & CRAFT_UNREVEALED) != 0;
        if (!hidden && pool->entry[item->slot[k].entry].family == family) {
            craft_take(pool, item, k);
        }
    }
    item->rarity = CRAFT_RARE;
    craft_put(pool, item, entry, e->given_flags, rng);
}

/* ---- desecration ---- */

LU_INLINE void craft_put_hidden(craft_item *item, int side) {
    craft_slot *slot = &item->slot[craft_item_mods(item)];
    slot->entry = CRAFT_NO_ENTRY;
    slot->flags = (uint8_t)(CRAFT_DESECRATED | CRAFT_UNREVEALED |
                            (side == CRAFT_SUFFIX ? CRAFT_IS_SUFFIX : 0));
    item->count[side]++;
}

/* Side of the unrevealed modifier: the omen's, else between those with room; when none has any,
 * that of a modifier that goes. */
LU_INLINE int craft_bone_side(const craft_pool *pool, craft_item *item, const craft_effect *e,
                              lu_rng *rng) {
    int room[CRAFT_SIDES] = {craft_room(pool, item, CRAFT_RARE, CRAFT_PREFIX),
                             craft_room(pool, item, CRAFT_RARE, CRAFT_SUFFIX)};
    bool forced = e->add_side != CRAFT_ANY_SIDE;
    if (forced ? room[e->add_side] <= 0 : room[0] + room[1] <= 0) {
        craft_filter filter = {e->add_side, 0, 0};
        int before = item->count[CRAFT_PREFIX];
        craft_remove_one(pool, item, &filter, rng);
        return item->count[CRAFT_PREFIX] < before ? CRAFT_PREFIX : CRAFT_SUFFIX;
    }
    if (forced || room[0] <= 0 || room[1] <= 0) {
        return forced ? e->add_side : room[0] > 0 ? CRAFT_PREFIX : CRAFT_SUFFIX;
    }
    if (pool->switches.bone_side == CRAFT_SIDE_FIRST) {
        return (int)craft_below(rng, 2);
    }
    craft_wish wish = craft_plain_wish(e->floor, CRAFT_RARE, CRAFT_ANY_SIDE);
    uint32_t weight[CRAFT_SIDES];
    craft_weights(pool, item, &wish, weight);
    return craft_below(rng, weight[0] + weight[1]) < weight[0] ? CRAFT_PREFIX : CRAFT_SUFFIX;
}

LU_INLINE void craft_apply_bone(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                lu_rng *rng) {
    int mark = craft_mark_of(item);
    item->bone_floor = e->floor;
    item->lord = e->lord;
    if (e->op == CRAFT_OP_PUTREFY) {
        craft_clear(pool, item);
        for (int side = 0; side < CRAFT_SIDES; side++) {
            while (craft_room(pool, item, CRAFT_RARE, side) > 0) {
                craft_put_hidden(item, side);
            }
        }
        item->flags |= CRAFT_CORRUPTED;
    } else if (mark >= 0) {
        int side = craft_slot_side(&item->slot[mark]);
        craft_take(pool, item, mark);
        craft_put_hidden(item, side);
    } else {
        craft_put_hidden(item, craft_bone_side(pool, item, e, rng));
    }
}

/* Slot of the first modifier that is not revealed. */
LU_INLINE int craft_hidden_of(const craft_item *item) {
    int at = 0;
    while (!(item->slot[at].flags & CRAFT_UNREVEALED)) {
        at++;
    }
    return at;
}

/* A desecrated-only entry, each as likely; CRAFT_NO_ENTRY = none fits. */
LU_INLINE int craft_draw_exclusive(const craft_pool *pool, const craft_item *item, int side,
                                   int lord, lu_rng *rng) {
    uint32_t count = craft_exclusives(pool, item, side, lord);
    if (count == 0) {
        return CRAFT_NO_ENTRY;
    }
    uint32_t skip = craft_below(rng, count);
    int i = pool->drawn[0] + pool->drawn[1];
    for (;; i++) {
        if (craft_exclusive_fits(pool, item, i, side, lord) && skip-- == 0) {
            return i;
        }
    }
}

/* How many of the three options are desecrated-only. */
LU_INLINE int craft_draw_exclusive_count(const craft_pool *pool, lu_rng *rng) {
    const double *chance = pool->switches.reveal_exclusive;
    double at = lu_rng_unit(rng) * (chance[0] + chance[1] + chance[2]);
    return at < chance[0] ? 1 : at < chance[0] + chance[1] ? 2 : 3;
}

/* Three options: the desecrated-only ones first, the lord's the first of them, then natural ones
 * under the bone's floor; never two of one family, never a family on the item. */
LU_INLINE void craft_apply_reveal(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                  lu_rng *rng) {
    craft_item seen = *item; /* with the families of the options */
    int at = craft_hidden_of(item), side = craft_slot_side(&item->slot[at]), options = 0;
    int exclusive = craft_draw_exclusive_count(pool, rng);
    craft_wish wish = craft_plain_wish(item->bone_floor, CRAFT_RARE, side);
    if (item->lord && pool->switches.lord_all) {
        exclusive = 3;
    }
    for (int k = 0; k < 3; k++) {
        int entry = CRAFT_NO_ENTRY;
        if (k < exclusive) {
            int lord = k == 0 || pool->switches.lord_all ? item->lord : CRAFT_LORD_NONE;
            entry = craft_draw_exclusive(pool, &seen, side, lord, rng);
        }
        if (entry == CRAFT_NO_ENTRY) {
            uint32_t weight = craft_walk_weight(pool, &seen, &wish, side);
            entry = weight == 0 ? CRAFT_NO_ENTRY
                                : craft_walk_to(pool, &seen, &wish, side, craft_below(rng, weight));
        }
        if (entry != CRAFT_NO_ENTRY) {
            int family = pool->entry[entry].family;
            seen.family[family >> 6] |= UINT64_C(1) << (family & 63);
            item->option[options++] = (uint16_t)(entry + 1);
        }
    }
    if (options == 0) {
        craft_take(pool, item, at); /* nothing is left that it could be */
    }
    item->echoed = e->with & CRAFT_WITH_ECHO ? 1 : 0;
}

LU_INLINE void craft_apply_keep(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                lu_rng *rng) {
    craft_slot *slot = &item->slot[craft_hidden_of(item)];
    slot->entry = (uint16_t)(item->option[e->row] - 1);
    slot->flags &= (uint8_t)~CRAFT_UNREVEALED;
    craft_roll(pool, slot, rng);
    craft_item_sum(pool, item);
    memset(item->option, 0, sizeof item->option);
    item->echoed = 0;
    if (!(craft_item_flags(item) & CRAFT_UNREVEALED)) {
        item->bone_floor = item->lord = 0;
    }
}

/* ---- quality ---- */

LU_INLINE void craft_apply_catalyst(const craft_pool *pool, craft_item *item,
                                    const craft_effect *e) {
    int most = pool->quality_most > e->most ? pool->quality_most : e->most;
    int from = item->catalyst == e->row + 1 ? item->quality : 0;
    int to = from + e->step[item->rarity];
    item->quality = (uint8_t)(to < most ? to : most);
    item->catalyst = (uint8_t)(e->row + 1);
}

/* ---- ruleset classic ---- */

/* All anew: the given modifier, then two or three prefixes and two or three suffixes in all. */
LU_INLINE void craft_apply_renew(const craft_pool *pool, craft_item *item, const craft_effect *e,
                                 lu_rng *rng) {
    int roll = item->implicit_roll;
    memset(item, 0, sizeof *item);
    item->implicit_roll = (uint8_t)roll;
    item->rarity = CRAFT_RARE;
    if (e->givens > 0) {
        craft_put(pool, item, e->given[0], 0, rng);
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int want = 2 + (int)craft_below(rng, 2);
        while (item->count[side] < want && craft_room(pool, item, CRAFT_RARE, side) > 0) {
            craft_wish wish = craft_plain_wish(0, CRAFT_RARE, side);
            int entry = craft_draw(pool, item, &wish, rng);
            if (entry == CRAFT_NO_ENTRY) {
                break;
            }
            craft_put(pool, item, entry, 0, rng);
        }
    }
}

LU_INLINE void craft_apply_abyss(const craft_pool *pool, craft_item *item, lu_rng *rng) {
    uint32_t count[CRAFT_SIDES];
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = craft_room(pool, item, CRAFT_RARE, side) > 0;
        count[side] = open ? craft_exclusives(pool, item, side, CRAFT_LORD_NONE) : 0;
    }
    int side = craft_below(rng, count[0] + count[1]) < count[0] ? CRAFT_PREFIX : CRAFT_SUFFIX;
    int entry = craft_draw_exclusive(pool, item, side, CRAFT_LORD_NONE, rng);
    craft_put(pool, item, entry, CRAFT_DESECRATED, rng);
}

/* ---- all of them ---- */

LU_INLINE void craft_apply(const craft_pool *pool, craft_item *item, const craft_effect *e,
                           lu_rng *rng) {
    switch (e->op) {
    case CRAFT_OP_ADD:
        craft_apply_add(pool, item, e, rng);
        break;
    case CRAFT_OP_SWAP:
        craft_apply_swap(pool, item, e, rng);
        break;
    case CRAFT_OP_FILL4:
        craft_apply_fill(pool, item, e, rng);
        break;
    case CRAFT_OP_REMOVE:
        craft_apply_remove(pool, item, e, rng);
        break;
    case CRAFT_OP_REROLL_VALUES:
        craft_apply_values(pool, item, e, rng);
        break;
    case CRAFT_OP_CORRUPT:
        craft_apply_corrupt(pool, item, e, rng);
        break;
    case CRAFT_OP_FRACTURE:
        item->slot[craft_pick(craft_fracturable(item), false, rng)].flags |= CRAFT_FRACTURED;
        break;
    case CRAFT_OP_UPGRADE:
    case CRAFT_OP_GIVE:
        craft_apply_essence(pool, item, e, rng);
        break;
    case CRAFT_OP_BONE:
    case CRAFT_OP_PUTREFY:
        craft_apply_bone(pool, item, e, rng);
        break;
    case CRAFT_OP_REVEAL:
        craft_apply_reveal(pool, item, e, rng);
        break;
    case CRAFT_OP_KEEP:
        craft_apply_keep(pool, item, e, rng);
        break;
    case CRAFT_OP_CATALYST:
        craft_apply_catalyst(pool, item, e);
        break;
    case CRAFT_OP_RENEW:
        craft_apply_renew(pool, item, e, rng);
        break;
    case CRAFT_OP_ABYSS:
        craft_apply_abyss(pool, item, rng);
        break;
    case CRAFT_OP_BENCH:
        craft_put(pool, item, e->given[0], CRAFT_CRAFTED, rng);
        break;
    default: /* a new white base */
        craft_new_base(pool, item, rng);
        break;
    }
}

#ifdef __cplusplus
}
#endif
