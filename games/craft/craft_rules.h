/* What can be done to an item. A use (a currency, essence, bone or catalyst with its omens) becomes
 * one craft_effect, a flat row of small effect kinds; craft_why says whether it may be used on an
 * item, and craft_apply (craft_apply.h) uses it. A use that cannot have its full effect is refused,
 * changes nothing and costs nothing. craft_effect.c makes the rows from the pack. Ownership: the
 * caller's. Threads: no shared data. */
#pragma once

#include "craft_draw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds beyond those of currencies. */
enum {
    CRAFT_OP_UPGRADE = CRAFT_OPS, /* essence: magic to rare, adds the given modifier */
    CRAFT_OP_GIVE,                /* essence: removes one, adds the given modifier */
    CRAFT_OP_BONE,                /* adds an unrevealed modifier */
    CRAFT_OP_PUTREFY,             /* all become unrevealed, the item is corrupted */
    CRAFT_OP_REVEAL,              /* draws three options */
    CRAFT_OP_KEEP,                /* takes one of them */
    CRAFT_OP_CATALYST,            /* raises quality */
    CRAFT_OP_RENEW,               /* ruleset classic: all anew, the given modifier first */
    CRAFT_OP_ABYSS,               /* ruleset classic: one desecrated-only modifier */
    CRAFT_OP_BENCH,               /* ruleset classic: the given modifier */
    CRAFT_OP_COUNT
};

enum {
    CRAFT_WITH_LOWEST = 1,     /* removes the modifier of lowest level */
    CRAFT_WITH_SHARED_TAG = 2, /* draws what shares a tag with the item */
    CRAFT_WITH_CATALYST = 4,   /* weighs by the catalyst, which is used up */
    CRAFT_WITH_SIDE_FULL = 8,  /* fills add_side first */
    CRAFT_WITH_IMPLICIT = 16,  /* values of implicits alone */
    CRAFT_WITH_FACTORS = 32,   /* sanctifies */
    CRAFT_WITH_CHANGE = 64,    /* a corruption always changes something */
    CRAFT_WITH_ECHO = 128      /* the options are drawn again */
};

typedef struct craft_effect {
    uint8_t op;                   /* craft_op, CRAFT_OP_UPGRADE ... */
    uint8_t line;                 /* craft_line */
    uint8_t needs;                /* craft_needs: rarities */
    uint8_t gives;                /* rarity after; CRAFT_RARITIES = as it was */
    uint8_t floor;                /* of the pool */
    uint8_t removes, adds;        /* modifiers */
    uint8_t add_side;             /* craft_side or CRAFT_ANY_SIDE */
    uint8_t remove_side;          /* craft_side or CRAFT_ANY_SIDE */
    uint8_t remove_flags;         /* that what is removed must have */
    uint8_t with;                 /* CRAFT_WITH_LOWEST ... */
    uint8_t lord;                 /* craft_lord */
    uint8_t row;                  /* of a catalyst: its tag; of KEEP: the option */
    uint8_t level_most;           /* of the item, of a bone */
    uint8_t kinds;                /* craft_kind bits, of a bone */
    uint8_t step[CRAFT_RARITIES]; /* of a catalyst */
    uint8_t most;                 /* quality, of a catalyst */
    uint8_t givens;               /* entries given, one of them */
    uint16_t given[3];
    uint8_t given_flags; /* that the given modifier gets */
    uint8_t unused;
} craft_effect;

/* Why a use is refused. */
typedef enum craft_refusal {
    CRAFT_USABLE,
    CRAFT_NO_CHANGE_ALLOWED,
    CRAFT_IS_CHOOSING,
    CRAFT_NOT_CHOOSING,
    CRAFT_WRONG_RARITY,
    CRAFT_NO_ROOM,
    CRAFT_NOTHING_FITS,
    CRAFT_NOTHING_TO_REMOVE,
    CRAFT_LEVEL_BELOW_FLOOR,
    CRAFT_FAMILY_TAKEN,
    CRAFT_HAS_CRAFTED,
    CRAFT_WRONG_SIDE,
    CRAFT_HAS_FRACTURED,
    CRAFT_TOO_FEW,
    CRAFT_WRONG_CLASS,
    CRAFT_LEVEL_ABOVE,
    CRAFT_HAS_DESECRATED,
    CRAFT_NOTHING_HIDDEN,
    CRAFT_ECHOED,
    CRAFT_NO_QUALITY,
    CRAFT_QUALITY_FULL,
    CRAFT_NO_VALUES,
    CRAFT_REFUSALS
} craft_refusal;

/* Half a sentence each: "the item is corrupted". */
extern const char *const craft_refusal_texts[CRAFT_REFUSALS];

/* A use by names: a currency, essence, bone or catalyst, "reveal" or "keep1" to "keep3", with its
 * omens (`omens` of them). LU_BAD_VALUE names what is unknown, not of this version, not for this
 * currency, or not modelled. */
lu_status craft_effect_init(craft_effect *effect, const craft_pool *pool, const craft_pack *pack,
                            const char *name, const char *const *omens, int omen_count,
                            lu_error *error);

/* ---- may it be used ---- */

LU_INLINE craft_filter craft_effect_filter(const craft_effect *e) {
    craft_filter filter = {e->remove_side, e->remove_flags, e->with & CRAFT_WITH_LOWEST ? 1 : 0};
    return filter;
}

/* The wish of the draws of an effect. */
LU_INLINE craft_wish craft_effect_wish(const craft_pool *pool, const craft_item *item,
                                       const craft_effect *e) {
    int rarity = e->gives < CRAFT_RARITIES ? e->gives : item->rarity;
    craft_wish wish = craft_plain_wish(e->floor, rarity, e->add_side);
    if (e->with & CRAFT_WITH_SHARED_TAG) {
        wish.tags = craft_item_tags(pool, item) & ~pool->loose_tags;
        wish.tags = wish.tags ? wish.tags : UINT64_C(1) << 63; /* no tag to share: nothing fits */
    }
    if (e->with & CRAFT_WITH_CATALYST) {
        int q = item->quality;
        wish.catalyst = (int32_t)item->catalyst - 1;
        wish.factor = pool->switches.catalysing_quality ? 200 + 2 * q
                      : q <= 20                         ? 200 + 40 * q
                                                        : 1000 + 25 * (q - 20);
    }
    return wish;
}

/* Families that a draw may take on the sides it may take. */
LU_INLINE int craft_families_left(const craft_pool *pool, const craft_item *item,
                                  const craft_wish *wish) {
    const craft_floor *floor = &pool->floor[wish->floor];
    int count[CRAFT_SIDES] = {floor->families[0], floor->families[1]};
    for (int k = 0; k < craft_item_mods(item); k++) {
        if (!(item->slot[k].flags & CRAFT_UNREVEALED)) {
            int family = pool->entry[item->slot[k].entry].family;
            count[pool->family_side[family]] -= floor->family[family] > 0 ? 1 : 0;
        }
    }
    return wish->side == CRAFT_ANY_SIDE ? count[0] + count[1] : count[wish->side];
}

/* Whether a side that has room always has something for it: more families than an item has other
 * modifiers, and no tag or omen that keeps some out. Answers most cases without a sum. */
LU_INLINE bool craft_surely_fits(const craft_pool *pool, const craft_item *item,
                                 const craft_effect *e, const int room[CRAFT_SIDES]) {
    const craft_floor *floor = &pool->floor[e->floor];
    bool fits = false;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = room[side] > 0 && (e->add_side == CRAFT_ANY_SIDE || e->add_side == side);
        fits = fits || (open && floor->families[side] >= CRAFT_MODS);
    }
    return fits && item->added == 0 && e->adds == 1 && e->with == 0;
}

LU_INLINE int craft_refuse_add(const craft_pool *pool, const craft_item *item,
                               const craft_effect *e) {
    craft_wish wish = craft_plain_wish(e->floor, e->gives, e->add_side);
    uint32_t weight[CRAFT_SIDES];
    int room[CRAFT_SIDES] = {craft_room(pool, item, wish.rarity, CRAFT_PREFIX),
                             craft_room(pool, item, wish.rarity, CRAFT_SUFFIX)};
    int all = e->add_side == CRAFT_ANY_SIDE ? room[0] + room[1] : room[e->add_side];
    if (all < e->adds) {
        return CRAFT_NO_ROOM;
    }
    if (craft_surely_fits(pool, item, e, room)) {
        return CRAFT_USABLE;
    }
    wish = craft_effect_wish(pool, item, e);
    if ((e->with & CRAFT_WITH_CATALYST) && item->quality == 0) {
        return CRAFT_NO_QUALITY;
    }
    craft_weights(pool, item, &wish, weight);
    if (weight[0] + weight[1] == 0 ||
        (e->adds > 1 && craft_families_left(pool, item, &wish) < e->adds)) {
        return CRAFT_NOTHING_FITS;
    }
    return CRAFT_USABLE;
}

LU_INLINE int craft_refuse_remove(const craft_pool *pool, const craft_item *item,
                                  const craft_effect *e) {
    craft_filter filter = craft_effect_filter(e);
    uint32_t slots = craft_removable(pool, item, &filter);
    bool two = (slots & (slots - 1)) != 0;
    return slots == 0 || (e->removes > 1 && !two) ? CRAFT_NOTHING_TO_REMOVE : CRAFT_USABLE;
}

/* Four modifiers on a normal item, or what a magic one lacks of four. */
LU_INLINE int craft_refuse_fill(const craft_pool *pool, const craft_item *item) {
    craft_wish wish = craft_plain_wish(0, CRAFT_RARE, CRAFT_ANY_SIDE);
    bool magic = item->rarity == CRAFT_MAGIC;
    if (magic && pool->switches.alchemy_on_magic == CRAFT_ALCHEMY_OFF) {
        return CRAFT_WRONG_RARITY;
    }
    return craft_families_left(pool, item, &wish) < 4 - craft_item_mods(item) ? CRAFT_NOTHING_FITS
                                                                              : CRAFT_USABLE;
}

/* Where a removal for the given entry may be: its side when that is full. -1 = nowhere. */
LU_INLINE int craft_give_side(const craft_pool *pool, const craft_item *item, const craft_effect *e,
                              int entry) {
    int side = pool->entry[entry].side;
    bool full = craft_room(pool, item, CRAFT_RARE, side) <= 0;
    if (full && e->remove_side != CRAFT_ANY_SIDE && e->remove_side != side) {
        return -1;
    }
    return full ? side : e->remove_side;
}

/* Whether the given entry can come: family free (or its holder is what goes), something to remove
 * where that is asked. */
LU_INLINE int craft_refuse_given(const craft_pool *pool, const craft_item *item,
                                 const craft_effect *e, int entry) {
    if (craft_has_family(item, pool->entry[entry].family) &&
        pool->switches.essence_blocked_by_family) {
        return CRAFT_FAMILY_TAKEN;
    }
    if (e->op == CRAFT_OP_UPGRADE) {
        return craft_room(pool, item, CRAFT_RARE, pool->entry[entry].side) > 0 ? CRAFT_USABLE
                                                                               : CRAFT_NO_ROOM;
    }
    craft_filter filter = craft_effect_filter(e);
    filter.side = craft_give_side(pool, item, e, entry);
    if (filter.side < 0) {
        return CRAFT_WRONG_SIDE;
    }
    return craft_removable(pool, item, &filter) ? CRAFT_USABLE : CRAFT_NOTHING_TO_REMOVE;
}

LU_INLINE int craft_refuse_essence(const craft_pool *pool, const craft_item *item,
                                   const craft_effect *e) {
    int why = CRAFT_NOTHING_FITS;
    if (pool->switches.version >= 5 && (craft_item_flags(item) & CRAFT_CRAFTED)) {
        return CRAFT_HAS_CRAFTED;
    }
    for (int k = 0; k < e->givens && why != CRAFT_USABLE; k++) {
        why = craft_refuse_given(pool, item, e, e->given[k]);
    }
    return why;
}

/* Slot of the Mark of the Abyss; -1 = none. */
LU_INLINE int craft_mark_of(const craft_item *item) {
    int at = -1;
    for (int k = 0; k < craft_item_mods(item); k++) {
        at = item->slot[k].flags & CRAFT_MARK ? k : at;
    }
    return at;
}

LU_INLINE int craft_refuse_bone(const craft_pool *pool, const craft_item *item,
                                const craft_effect *e) {
    int mark = craft_mark_of(item), room = 0;
    if (!(e->kinds >> pool->kind & 1)) {
        return CRAFT_WRONG_CLASS;
    }
    if (pool->ilvl > e->level_most) {
        return CRAFT_LEVEL_ABOVE;
    }
    if (craft_item_flags(item) & CRAFT_DESECRATED) {
        return CRAFT_HAS_DESECRATED;
    }
    if (mark >= 0) {
        bool other =
            e->add_side != CRAFT_ANY_SIDE && e->add_side != craft_slot_side(&item->slot[mark]);
        return other ? CRAFT_WRONG_SIDE : CRAFT_USABLE;
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool counts = e->add_side == CRAFT_ANY_SIDE || e->add_side == side;
        room += counts ? craft_room(pool, item, CRAFT_RARE, side) : 0;
    }
    craft_filter filter = {e->add_side, 0, 0};
    return room > 0 || craft_removable(pool, item, &filter) || e->op == CRAFT_OP_PUTREFY
               ? CRAFT_USABLE
               : CRAFT_NOTHING_TO_REMOVE;
}

/* Values that a divine orb may change. */
LU_INLINE int craft_refuse_values(const craft_pool *pool, const craft_item *item,
                                  const craft_effect *e) {
    bool any = pool->implicit_steps > 1;
    if (e->with & CRAFT_WITH_FACTORS) {
        any = false;
    }
    for (int k = 0; k < craft_item_mods(item) && !(e->with & CRAFT_WITH_IMPLICIT); k++) {
        const craft_slot *slot = &item->slot[k];
        bool kept = (slot->flags & CRAFT_FRACTURED) && !pool->switches.divine_rerolls_fractured;
        if (slot->flags & CRAFT_UNREVEALED || (kept && !(e->with & CRAFT_WITH_FACTORS))) {
            continue;
        }
        const craft_entry *entry = &pool->entry[slot->entry];
        bool factors = (e->with & CRAFT_WITH_FACTORS) && entry->ranges > 0;
        any = any || factors || entry->steps[0] > 1 || entry->steps[1] > 1 || entry->steps[2] > 1;
    }
    return any ? CRAFT_USABLE : CRAFT_NO_VALUES;
}

/* Slots that a fracture may choose. */
LU_INLINE uint32_t craft_fracturable(const craft_item *item) {
    uint32_t slots = 0;
    for (int k = 0; k < craft_item_mods(item); k++) {
        slots |= item->slot[k].flags & CRAFT_UNREVEALED ? 0u : 1u << k;
    }
    return slots;
}

LU_INLINE int craft_refuse_fracture(const craft_pool *pool, const craft_item *item) {
    int count = craft_item_mods(item);
    uint32_t slots = craft_fracturable(item);
    if (craft_item_flags(item) & CRAFT_FRACTURED) {
        return CRAFT_HAS_FRACTURED;
    }
    for (int k = 0; k < craft_item_mods(item) && !pool->switches.fracture_unrevealed_counts; k++) {
        count -= slots >> k & 1u ? 0 : 1;
    }
    return count < 4 || slots == 0 ? CRAFT_TOO_FEW : CRAFT_USABLE;
}

LU_INLINE int craft_refuse_catalyst(const craft_pool *pool, const craft_item *item,
                                    const craft_effect *e) {
    int most = pool->quality_most > e->most ? pool->quality_most : e->most;
    if (pool->quality_most == 0) {
        return CRAFT_WRONG_CLASS;
    }
    bool same = item->catalyst == e->row + 1;
    return same && item->quality >= most ? CRAFT_QUALITY_FULL : CRAFT_USABLE;
}

LU_INLINE int craft_refuse_reveal(const craft_item *item, const craft_effect *e) {
    if (craft_is_choosing(item)) {
        return !(e->with & CRAFT_WITH_ECHO) ? CRAFT_IS_CHOOSING
               : item->echoed               ? CRAFT_ECHOED
                                            : CRAFT_USABLE;
    }
    if (e->with & CRAFT_WITH_ECHO) {
        return CRAFT_NOT_CHOOSING;
    }
    return craft_item_flags(item) & CRAFT_UNREVEALED ? CRAFT_USABLE : CRAFT_NOTHING_HIDDEN;
}

/* Whether a desecrated-only entry may come on this side; `lord` CRAFT_LORD_NONE = any. */
LU_INLINE bool craft_exclusive_fits(const craft_pool *pool, const craft_item *item, int i, int side,
                                    int lord) {
    const craft_entry *entry = &pool->entry[i];
    bool level = entry->level <= pool->ilvl || !pool->switches.reveal_gate_65;
    return entry->origin == CRAFT_ORIGIN_DESECRATED && entry->side == side && entry->weight > 0 &&
           level && !craft_has_family(item, entry->family) &&
           (lord == CRAFT_LORD_NONE || entry->lord == lord);
}

/* Desecrated-only entries that fit. */
LU_INLINE uint32_t craft_exclusives(const craft_pool *pool, const craft_item *item, int side,
                                    int lord) {
    uint32_t count = 0;
    for (int i = pool->drawn[0] + pool->drawn[1]; i < pool->entries; i++) {
        count += craft_exclusive_fits(pool, item, i, side, lord) ? 1 : 0;
    }
    return count;
}

/* The abyss of the ruleset classic: a free side with something for it, once per item. */
LU_INLINE int craft_refuse_abyss(const craft_pool *pool, const craft_item *item) {
    uint32_t fits = 0;
    if (craft_item_flags(item) & CRAFT_DESECRATED) {
        return CRAFT_HAS_DESECRATED;
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = craft_room(pool, item, CRAFT_RARE, side) > 0;
        fits += open ? craft_exclusives(pool, item, side, CRAFT_LORD_NONE) : 0;
    }
    return fits ? CRAFT_USABLE : CRAFT_NOTHING_FITS;
}

LU_INLINE int craft_refuse_bench(const craft_pool *pool, const craft_item *item,
                                 const craft_effect *e) {
    const craft_entry *entry = &pool->entry[e->given[0]];
    if (craft_item_flags(item) & CRAFT_CRAFTED) {
        return CRAFT_HAS_CRAFTED;
    }
    if (craft_has_family(item, entry->family)) {
        return CRAFT_FAMILY_TAKEN;
    }
    return craft_room(pool, item, CRAFT_RARE, entry->side) > 0 ? CRAFT_USABLE : CRAFT_NO_ROOM;
}

/* What the kind of an effect asks for beyond rarity and floor. */
LU_INLINE int craft_refuse_kind(const craft_pool *pool, const craft_item *item,
                                const craft_effect *e) {
    switch (e->op) {
    case CRAFT_OP_ADD:
        return craft_refuse_add(pool, item, e);
    case CRAFT_OP_SWAP:
    case CRAFT_OP_REMOVE:
        return craft_refuse_remove(pool, item, e);
    case CRAFT_OP_FILL4:
        return craft_refuse_fill(pool, item);
    case CRAFT_OP_REROLL_VALUES:
        return craft_refuse_values(pool, item, e);
    case CRAFT_OP_FRACTURE:
        return craft_refuse_fracture(pool, item);
    case CRAFT_OP_UPGRADE:
    case CRAFT_OP_GIVE:
        return craft_refuse_essence(pool, item, e);
    case CRAFT_OP_BONE:
    case CRAFT_OP_PUTREFY:
        return craft_refuse_bone(pool, item, e);
    case CRAFT_OP_CATALYST:
        return craft_refuse_catalyst(pool, item, e);
    case CRAFT_OP_ABYSS:
        return craft_refuse_abyss(pool, item);
    case CRAFT_OP_BENCH:
        return craft_refuse_bench(pool, item, e);
    default: /* a corruption, and what renews all: on any item */
        return CRAFT_USABLE;
    }
}

/* Whether an effect may be used now: CRAFT_USABLE, or why not. */
LU_INLINE int craft_why(const craft_pool *pool, const craft_item *item, const craft_effect *e) {
    if (e->op == CRAFT_OP_REVEAL) {
        return craft_refuse_reveal(item, e);
    }
    if (e->op == CRAFT_OP_KEEP) {
        return item->option[e->row] ? CRAFT_USABLE : CRAFT_NOT_CHOOSING;
    }
    if (craft_is_choosing(item)) {
        return CRAFT_IS_CHOOSING;
    }
    if (item->flags) {
        return CRAFT_NO_CHANGE_ALLOWED;
    }
    if (!(e->needs >> item->rarity & 1)) {
        return CRAFT_WRONG_RARITY;
    }
    if (pool->switches.floor_needs_ilvl && (int)pool->floor[e->floor].level > pool->ilvl) {
        return CRAFT_LEVEL_BELOW_FLOOR;
    }
    return craft_refuse_kind(pool, item, e);
}

#ifdef __cplusplus
}
#endif
