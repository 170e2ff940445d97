/* One item: up to six explicit modifiers of a pool, flat and without padding, so that it may lie in
 * a state. What can be done to it is craft_rules.h.
 * Ownership: the caller's. Threads: no shared data. */
#pragma once

#include "ludus/game.h"

#include "craft_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_FRACTURED = 1,  /* never changes */
    CRAFT_DESECRATED = 2, /* came from a bone */
    CRAFT_UNREVEALED = 4, /* and is not known yet: entry is CRAFT_NO_ENTRY */
    CRAFT_CRAFTED = 8,    /* given by an essence (0.5) or a bench */
    CRAFT_IS_SUFFIX = 16,
    CRAFT_MARK = 32 /* of the Abyss: the next bone takes its place */
};
enum { CRAFT_CORRUPTED = 1, CRAFT_SANCTIFIED = 2, CRAFT_MIRRORED = 4 };

LU_STATE_BEGIN
typedef struct craft_slot {
    uint16_t entry;               /* of the pool */
    uint8_t flags;                /* CRAFT_FRACTURED ... */
    uint8_t roll[CRAFT_RANGES];   /* each value less its lowest, in its last decimal */
    uint8_t factor[CRAFT_RANGES]; /* of a sanctified value: 77 percent and this; 0 = none */
    uint8_t unused;
} craft_slot;

typedef struct craft_item {
    uint64_t family[2];          /* bits of the families on it */
    craft_slot slot[CRAFT_MODS]; /* the first count[0] + count[1] are used, the others zero */
    uint16_t corruption;         /* entry + 1 of a corruption implicit, 0 = none */
    uint8_t corruption_roll[2];
    uint8_t rarity;             /* craft_rarity */
    uint8_t count[CRAFT_SIDES]; /* prefixes, suffixes */
    uint8_t flags;              /* CRAFT_CORRUPTED ... */
    uint8_t added;              /* bits of the tags that its modifiers give it */
    uint8_t quality;            /* percent */
    uint8_t catalyst;           /* tag + 1 of what the quality is of, 0 = none */
    uint8_t sockets;
    uint8_t implicit_roll;
    uint8_t bone_floor; /* floor of the pool for what is unrevealed */
    uint8_t lord;       /* craft_lord that the bone's omen named */
    uint8_t echoed;     /* the options were drawn again */
    uint16_t option[3]; /* entry + 1 of what a reveal offers, 0 = none */
    uint8_t unused[6];
} craft_item;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(craft_item) == 104, "the same on every machine");

LU_INLINE int craft_item_mods(const craft_item *item) {
    return item->count[CRAFT_PREFIX] + item->count[CRAFT_SUFFIX];
}

/* A reveal offers its options: nothing else can be done to the item. */
LU_INLINE bool craft_is_choosing(const craft_item *item) {
    return item->option[0] != 0;
}

LU_INLINE int craft_slot_side(const craft_slot *slot) {
    return slot->flags & CRAFT_IS_SUFFIX ? CRAFT_SUFFIX : CRAFT_PREFIX;
}

LU_INLINE bool craft_has_family(const craft_item *item, int family) {
    return (item->family[family >> 6] >> (family & 63) & 1u) != 0;
}

/* Room on a side under the limits of a rarity. */
LU_INLINE int craft_room(const craft_pool *pool, const craft_item *item, int rarity, int side) {
    return (int)pool->limit[rarity][side] - (int)item->count[side];
}

/* Bits of the flags that any modifier has. */
LU_INLINE int craft_item_flags(const craft_item *item) {
    int all = 0;
    for (int k = 0; k < craft_item_mods(item); k++) {
        all |= item->slot[k].flags;
    }
    return all;
}

/* Tags of its modifiers as a whole; what is unrevealed has none. */
LU_INLINE uint64_t craft_item_tags(const craft_pool *pool, const craft_item *item) {
    uint64_t tags = 0;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        tags |= slot->flags & CRAFT_UNREVEALED ? 0 : pool->entry[slot->entry].tags;
    }
    return tags;
}

/* Families and added tags follow from the modifiers. */
LU_INLINE void craft_item_sum(const craft_pool *pool, craft_item *item) {
    item->family[0] = item->family[1] = 0;
    item->added = 0;
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        if (!(slot->flags & CRAFT_UNREVEALED)) {
            const craft_entry *entry = &pool->entry[slot->entry];
            item->family[entry->family >> 6] |= UINT64_C(1) << (entry->family & 63);
            item->added |= entry->adds;
        }
    }
}

#ifdef __cplusplus
}
#endif
