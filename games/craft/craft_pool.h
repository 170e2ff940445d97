/* What can be on one base at one item level: the modifiers of its pool with family, ladder and tier
 * counted there, what each floor leaves of their weights, and tables to draw by. A pool is flat
 * (part of a rules block) and says all that rules and solvers need; a pack is asked for names.
 * Ownership: the caller's. Threads: constant once made. */
#pragma once

#include "ludus/error.h"

#include "craft_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_ENTRIES = 320,      /* modifiers of a pool, at most */
    CRAFT_POOL_FAMILIES = 96, /* families of a pool, at most */
    CRAFT_POOL_FLOORS = 6,    /* floors of a version, 0 among them, at most */
    CRAFT_MODS = 6,           /* explicit modifiers of an item, at most */
    CRAFT_NO_ENTRY = 0xffff
};

/* ---- switches of unsure rules (README.md has the certainty of each) ---- */

typedef enum craft_side_choice { CRAFT_POOLED, CRAFT_SIDE_FIRST } craft_side_choice;
typedef enum craft_floor_mode {
    CRAFT_KEEP_TOP,
    CRAFT_STRICT,
    CRAFT_KEEP_ABSOLUTE_TOP
} craft_floor_mode;
typedef enum craft_alchemy {
    CRAFT_ALCHEMY_OFF,
    CRAFT_ALCHEMY_KEEP,
    CRAFT_ALCHEMY_REPLACE
} craft_alchemy;

typedef struct craft_switches {
    int32_t version;          /* 3, 4 or 5 */
    int32_t side_choice;      /* craft_side_choice */
    int32_t floor_mode;       /* craft_floor_mode */
    int32_t floor_needs_ilvl; /* 1: a floor above the item level is of no use */
    int32_t magic_limit_shift;
    int32_t alchemy_on_magic; /* craft_alchemy */
    int32_t removed_can_return;
    int32_t essence_blocked_by_family;
    int32_t bone_side; /* CRAFT_POOLED: by weight; CRAFT_SIDE_FIRST: even */
    int32_t lord_all;  /* 1: all three options are the lord's */
    int32_t reveal_gate_65;
    int32_t catalysing_quality; /* 1: the factor is 1 + quality, 0: 5 at 20, 7.5 at 40 */
    int32_t fracture_unrevealed_counts;
    int32_t divine_rerolls_fractured;
    int32_t whittling_first; /* 1: the first of equal levels goes, 0: any */
    int32_t flat_weights;
    double reveal_exclusive[3]; /* chances of 1, 2, 3 desecrated-only options */
    double vaal_outcomes[4];    /* nothing, implicit, swaps, socket or quality */
} craft_switches;

/* The defaults of a version. */
craft_switches craft_switches_of(int version);

/* ---- the pool ---- */

typedef struct craft_entry {
    uint64_t tags;   /* of the modifier */
    uint16_t mod;    /* row of the pack */
    uint16_t weight; /* on the pool; 0 of what is only given or revealed below its gate */
    uint8_t side;    /* craft_side */
    uint8_t family;  /* inside the pool */
    uint8_t ladder;  /* inside the pool */
    uint8_t tier;    /* 1 is the best on the pool, whatever the item level */
    uint8_t tiers;   /* of its ladder on the pool */
    uint8_t level;
    uint8_t origin;              /* craft_origin */
    uint8_t lord;                /* craft_lord */
    uint8_t adds;                /* bits of tags it gives to the item */
    uint8_t bars;                /* bits of added tags any of which keeps it from being drawn */
    uint8_t ranges;              /* numbers it has */
    uint8_t steps[CRAFT_RANGES]; /* values each number can have, 1 = it is fixed */
    int16_t low;                 /* least value of the first number, in its last decimal */
} craft_entry;

/* A cell of the table by which one side is drawn: `own` when a number below the side's weight is
 * below `cut`, else `other`. */
typedef struct craft_cell {
    uint32_t cut;
    uint16_t own, other;
} craft_cell;

/* What a floor leaves. */
typedef struct craft_floor {
    uint32_t level;
    uint32_t total[CRAFT_SIDES];          /* weight of each side */
    uint32_t cells[CRAFT_SIDES];          /* in use */
    int32_t families[CRAFT_SIDES];        /* with any weight */
    uint32_t family[CRAFT_POOL_FAMILIES]; /* weight of each family */
    uint16_t weight[CRAFT_ENTRIES];       /* of each entry; 0 where it cannot be drawn */
    uint32_t unused;
    craft_cell cell[CRAFT_SIDES][CRAFT_ENTRIES / 2];
} craft_floor;

/* Entries: drawn prefixes, drawn suffixes, then what is only given, revealed or corrupted. Within a
 * side families and ladders are together, and the best tier of a ladder is the first. Families and
 * ladders are numbered in the order of the entries. */
typedef struct craft_pool {
    craft_switches switches;
    int32_t base;               /* row of the pack */
    int32_t ilvl;               /* 1..100 */
    int32_t kind;               /* craft_kind of its class */
    int32_t quality_most;       /* percent, 0: catalysts do not work on it */
    int32_t drawn[CRAFT_SIDES]; /* drawn prefixes, suffixes among the entries */
    int32_t entries, families, ladders, floors;
    int32_t implicit_steps;                     /* values of the base's implicit, 0 = fixed */
    int32_t corruptions;                        /* implicits of a corruption: the last entries */
    uint64_t loose_tags;                        /* of modifiers, that make nothing alike: "drop" */
    uint8_t family_side[CRAFT_POOL_FAMILIES];   /* of what is drawn of it */
    uint8_t limit[CRAFT_RARITIES][CRAFT_SIDES]; /* most modifiers */
    uint8_t unused[2];
    craft_entry entry[CRAFT_ENTRIES];
    craft_floor floor[CRAFT_POOL_FLOORS];
} craft_pool;

/* Makes the pool of a base at an item level; LU_BAD_VALUE with the reason when there is none. */
lu_status craft_pool_init(craft_pool *pool, const craft_pack *pack, int base, int ilvl,
                          const craft_switches *switches, lu_error *error);
/* Entry of a modifier, CRAFT_NO_ENTRY = it cannot be on this base. */
int craft_entry_of(const craft_pool *pool, int mod);
/* Whether an entry can be drawn under a floor of this level: craft_floor_mode, ladder by ladder. */
bool craft_stays(const craft_pool *pool, int entry, int level);
/* Which floor of the pool has this level; -1 = none. */
int craft_floor_of(const craft_pool *pool, int level);
/* What an essence gives on this pool, one of them at random; at most three. Returns how many. */
int craft_essence_gives(const craft_pool *pool, const craft_pack *pack, int essence,
                        uint16_t entries[3]);

/* Whether an entry is drawn from weights (and not given, revealed or a corruption). */
LU_INLINE bool craft_is_drawn(const craft_entry *entry) {
    return entry->origin == CRAFT_ORIGIN_NATURAL || entry->origin == CRAFT_ORIGIN_JEWEL;
}

#ifdef __cplusplus
}
#endif
