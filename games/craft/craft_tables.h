/* The tables of craft: bases, modifiers with weights by pool, currencies, essences, omens, bones,
 * catalysts, target groups and dated prices of Path of Exile 2, as one craft_pack. They come from
 * data/CSV by data/make.py (craft_data.h). What a draw on one base sees of them is craft_pool.h.
 * Ownership: packs by name are constants. Threads: no state. */
#pragma once

#include "ludus/device.h"
#include "ludus/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_RANGES = 3,      /* numbers of a modifier */
    CRAFT_ADDED_TAGS = 5,  /* tags that modifiers give to items: the first ones of the spawn test */
    CRAFT_VERSIONS = 3,    /* 0.3, 0.4, 0.5 */
    CRAFT_MAX_POOLS = 64,  /* pools are bits of a word, as are tags */
    CRAFT_SPAWN_YES = 64,  /* entry of a spawn list: tag, plus this where it lets the modifier in */
    CRAFT_SPAWN_END = 255, /* of a list */
};

typedef enum craft_side { CRAFT_PREFIX, CRAFT_SUFFIX, CRAFT_SIDES, CRAFT_IMPLICIT = 2 } craft_side;
typedef enum craft_rarity { CRAFT_NORMAL, CRAFT_MAGIC, CRAFT_RARE, CRAFT_RARITIES } craft_rarity;

/* Where a modifier comes from; those of jewels are drawn like natural ones. */
typedef enum craft_origin {
    CRAFT_ORIGIN_NATURAL,
    CRAFT_ORIGIN_JEWEL,
    CRAFT_ORIGIN_ESSENCE,
    CRAFT_ORIGIN_DESECRATED,
    CRAFT_ORIGIN_CORRUPTED
} craft_origin;

typedef enum craft_lord {
    CRAFT_LORD_NONE,
    CRAFT_LORD_ULAMAN,
    CRAFT_LORD_AMANAMU,
    CRAFT_LORD_KURGAL,
    CRAFT_LORDS
} craft_lord;

typedef enum craft_kind {
    CRAFT_KIND_WEAPON,
    CRAFT_KIND_QUIVER,
    CRAFT_KIND_ARMOUR,
    CRAFT_KIND_JEWELLERY,
    CRAFT_KIND_JEWEL
} craft_kind;

typedef struct craft_class {
    const char *name;
    uint8_t kind; /* craft_kind */
} craft_class;

typedef struct craft_base {
    const char *name;
    const char *implicit;  /* text with its ranges; "" = none */
    uint64_t tags;         /* of the spawn test */
    uint8_t item_class;    /* row of classes */
    uint8_t pool;          /* row of pool names */
    uint8_t req_level;     /* required level */
    uint8_t quality_max;   /* percent */
    uint8_t sockets_max;   /* augment sockets */
    uint8_t rare_limit[2]; /* most prefixes, suffixes of a rare one */
    uint8_t obtainable;    /* 0: test and reward entries */
} craft_base;

/* A number of a modifier: whole numbers of its last decimal, every one of them equally likely. */
typedef struct craft_range {
    int16_t low, high;
    uint8_t decimals;
} craft_range;

typedef struct craft_mod {
    const char *id;
    const char *name; /* as in the item's name, "of the Brute" */
    const char *text; /* with its ranges, "+(5-8) to Strength" */
    uint64_t tags;    /* bits over tag names */
    craft_range range[CRAFT_RANGES];
    uint16_t family; /* at most one of a family on an item */
    uint16_t ladder; /* same stat, rising tiers */
    uint16_t spawn;  /* start of its list among the spawn lists */
    uint8_t side;    /* craft_side */
    uint8_t origin;  /* craft_origin */
    uint8_t lord;    /* craft_lord of a desecrated one */
    uint8_t level;   /* least item level, and what floors are held against */
    uint8_t adds;    /* bits of the tags it gives to its item */
    uint8_t ranges;  /* numbers in use */
} craft_mod;

/* How a weight was come by: published estimate, that of sister pools, 1 as nobody publishes one. */
typedef enum craft_weight_source {
    CRAFT_WEIGHT_EST,
    CRAFT_WEIGHT_INFERRED,
    CRAFT_WEIGHT_FLAT
} craft_weight_source;

typedef struct craft_weight {
    uint16_t mod;
    uint16_t weight;
    uint8_t source; /* craft_weight_source */
    uint8_t agree;  /* publications, of four, that give exactly this number */
    uint64_t pools; /* bits of the pools where it holds */
} craft_weight;

/* What a currency does. */
typedef enum craft_op {
    CRAFT_OP_ADD,
    CRAFT_OP_SWAP,
    CRAFT_OP_FILL4,
    CRAFT_OP_REMOVE,
    CRAFT_OP_REROLL_VALUES,
    CRAFT_OP_CORRUPT,
    CRAFT_OP_FRACTURE,
    CRAFT_OP_CHANCE,
    CRAFT_OP_FORESEE,
    CRAFT_OP_COPY,
    CRAFT_OP_REROLL_IMPLICIT,
    CRAFT_OP_ADD_SOCKET,
    CRAFT_OP_QUALITY,
    CRAFT_OP_RECOMBINE,
    CRAFT_OP_RESTART,
    CRAFT_OPS
} craft_op;

/* Currencies that differ by their floor alone are one line; an omen is for a line. */
typedef enum craft_line {
    CRAFT_LINE_ORB_OF_TRANSMUTATION,
    CRAFT_LINE_ORB_OF_AUGMENTATION,
    CRAFT_LINE_REGAL_ORB,
    CRAFT_LINE_EXALTED_ORB,
    CRAFT_LINE_CHAOS_ORB,
    CRAFT_LINE_ORB_OF_ALCHEMY,
    CRAFT_LINE_ORB_OF_ANNULMENT,
    CRAFT_LINE_DIVINE_ORB,
    CRAFT_LINE_VAAL_ORB,
    CRAFT_LINE_FRACTURING_ORB,
    CRAFT_LINE_ORB_OF_CHANCE,
    CRAFT_LINE_HINEKORAS_LOCK,
    CRAFT_LINE_MIRROR_OF_KALANDRA,
    CRAFT_LINE_BLESSED_ORB,
    CRAFT_LINE_ARTIFICERS_ORB,
    CRAFT_LINE_ARMOURERS_SCRAP,
    CRAFT_LINE_BLACKSMITHS_WHETSTONE,
    CRAFT_LINE_ARCANISTS_ETCHER,
    CRAFT_LINE_RECOMBINATOR,
    CRAFT_LINE_WHITE_BASE,
    CRAFT_LINE_ESSENCE_UPGRADE, /* lesser to greater essences; no omen is for them */
    CRAFT_LINE_ESSENCE_SWAP,    /* perfect and corrupted essences */
    CRAFT_LINE_BONE,
    CRAFT_LINE_REVEAL,
    CRAFT_LINE_CATALYST,
    CRAFT_LINE_KEEP, /* of an option that a reveal shows; free */
    CRAFT_LINES
} craft_line;

/* What a currency asks of an item, as bits. */
typedef enum craft_needs {
    CRAFT_NEEDS_NORMAL = 1 << CRAFT_NORMAL,
    CRAFT_NEEDS_MAGIC = 1 << CRAFT_MAGIC,
    CRAFT_NEEDS_RARE = 1 << CRAFT_RARE,
    CRAFT_NEEDS_ANY = 7,
    CRAFT_NEEDS_OPEN = 8, /* a free slot */
    CRAFT_NEEDS_FOUR = 16,
    CRAFT_NEEDS_TWO_ITEMS = 32,
    CRAFT_NEEDS_WEAPON = 64 | CRAFT_NEEDS_ANY,
    CRAFT_NEEDS_ARMOUR = 128 | CRAFT_NEEDS_ANY,
    CRAFT_NEEDS_MARTIAL = CRAFT_NEEDS_WEAPON,
    CRAFT_NEEDS_CASTER = CRAFT_NEEDS_WEAPON,
    CRAFT_NEEDS_MAGIC_OPEN = CRAFT_NEEDS_MAGIC | CRAFT_NEEDS_OPEN,
    CRAFT_NEEDS_RARE_OPEN = CRAFT_NEEDS_RARE | CRAFT_NEEDS_OPEN,
    CRAFT_NEEDS_RARE_4MODS = CRAFT_NEEDS_RARE | CRAFT_NEEDS_FOUR
} craft_needs;

typedef struct craft_currency {
    const char *id;
    const char *name;
    const char *sure;              /* A, B or C: README.md */
    uint8_t op;                    /* craft_op */
    uint8_t line;                  /* craft_line */
    uint8_t needs;                 /* craft_needs */
    uint8_t floor[CRAFT_VERSIONS]; /* least modifier level, by version 0.3, 0.4, 0.5 */
    uint8_t removes, adds;
} craft_currency;

/* What an omen changes. */
typedef enum craft_omen_effect {
    CRAFT_OMEN_ADD_ONLY_PREFIX,
    CRAFT_OMEN_ADD_ONLY_SUFFIX,
    CRAFT_OMEN_MAX_PREFIX,
    CRAFT_OMEN_MAX_SUFFIX,
    CRAFT_OMEN_REMOVE_ONLY_PREFIX,
    CRAFT_OMEN_REMOVE_ONLY_SUFFIX,
    CRAFT_OMEN_DESECRATE_ONLY_PREFIX,
    CRAFT_OMEN_DESECRATE_ONLY_SUFFIX,
    CRAFT_OMEN_ADD_TWO,
    CRAFT_OMEN_REMOVE_TWO,
    CRAFT_OMEN_REMOVE_LOWEST_LEVEL,
    CRAFT_OMEN_REMOVE_ONLY_DESECRATED,
    CRAFT_OMEN_ADD_SHARED_TAG,
    CRAFT_OMEN_WEIGHT_BY_CATALYST,
    CRAFT_OMEN_NO_NOTHING_OUTCOME,
    CRAFT_OMEN_IMPLICITS_ONLY,
    CRAFT_OMEN_SANCTIFY,
    CRAFT_OMEN_REROLL_OPTIONS_ONCE,
    CRAFT_OMEN_LORD_ULAMAN,
    CRAFT_OMEN_LORD_AMANAMU,
    CRAFT_OMEN_LORD_KURGAL,
    CRAFT_OMEN_PUTREFY,
    CRAFT_OMEN_NO_DESTROY,
    CRAFT_OMEN_ANY_UNIQUE_OF_CLASS,
    CRAFT_OMEN_LUCKY,
    CRAFT_OMEN_EFFECTS
} craft_omen_effect;

typedef struct craft_omen {
    const char *id;
    const char *name;
    const char *sure;
    uint8_t line;         /* craft_line that it is for */
    uint8_t effect;       /* craft_omen_effect */
    uint8_t since, until; /* versions 0.N in which it drops */
} craft_omen;

typedef enum craft_essence_tier {
    CRAFT_ESSENCE_LESSER,
    CRAFT_ESSENCE_NORMAL,
    CRAFT_ESSENCE_GREATER,
    CRAFT_ESSENCE_PERFECT,
    CRAFT_ESSENCE_CORRUPTED
} craft_essence_tier;

typedef struct craft_essence {
    const char *id;
    const char *name;
    uint8_t tier; /* craft_essence_tier */
    uint8_t swap; /* 0: magic to rare, adds; 1: on a rare one, removes and adds */
} craft_essence;

/* The modifier that an essence gives on some pools. */
typedef struct craft_given {
    uint16_t essence, mod;
    uint8_t one_of; /* it is one of so many, equally likely */
    uint64_t pools;
} craft_given;

enum {
    CRAFT_BONE_WEAPON = 1 << CRAFT_KIND_WEAPON,
    CRAFT_BONE_QUIVER = 1 << CRAFT_KIND_QUIVER,
    CRAFT_BONE_ARMOUR = 1 << CRAFT_KIND_ARMOUR,
    CRAFT_BONE_RING = 1 << CRAFT_KIND_JEWELLERY,
    CRAFT_BONE_AMULET = CRAFT_BONE_RING,
    CRAFT_BONE_BELT = CRAFT_BONE_RING,
    CRAFT_BONE_JEWEL = 1 << CRAFT_KIND_JEWEL
};

typedef struct craft_bone {
    const char *id;
    const char *name;
    const char *sure;
    uint8_t kinds;     /* bits over craft_kind: what it is for */
    uint8_t max_level; /* of items it is for */
    uint8_t floor;     /* least modifier level of natural options */
} craft_bone;

typedef struct craft_catalyst {
    const char *id;
    const char *name;
    const char *sure;
    uint8_t tag;                  /* of the modifiers it strengthens */
    uint8_t step[CRAFT_RARITIES]; /* percent of quality a use */
    uint8_t most;                 /* percent */
} craft_catalyst;

typedef struct craft_group {
    const char *id;
    const char *label;
    const char *synonyms; /* separated by | */
    uint16_t first;       /* of its families, then its ladders, among the members */
    uint8_t families, ladders;
} craft_group;

typedef struct craft_price {
    const char *item;
    double exalted;
    double volume; /* divine orbs a day; -1 = not told */
} craft_price;

typedef struct craft_source {
    const char *name; /* "poe2-0.4" */
    const char *patch;
    const char *date;
    const char *source;
    const char *confidence;
    uint8_t version; /* 3, 4 or 5: 0.3, 0.4, 0.5 */
} craft_source;

typedef struct craft_pack {
    craft_source about;
    const craft_class *classes;
    const craft_base *bases;
    const craft_mod *mods;
    const craft_weight *weights;
    const craft_currency *currencies;
    const craft_omen *omens;
    const craft_essence *essences;
    const craft_given *given;
    const craft_bone *bones;
    const craft_catalyst *catalysts;
    const craft_group *groups;
    const craft_price *prices;
    const char *price_date;
    const uint8_t *spawn_lists;
    const uint16_t *group_members;
    const char *const *pool_names, *const *family_names, *const *ladder_names;
    const char *const *tag_names;   /* of modifiers */
    const char *const *spawn_names; /* of the spawn test; the added ones are the first */
    int class_count, base_count, mod_count, weight_count, currency_count, omen_count;
    int essence_count, given_count, bone_count, catalyst_count, group_count, price_count;
    int pool_count, family_count, ladder_count, tag_count, spawn_count;
} craft_pack;

/* ---- searches: -1 or NULL = no such thing ---- */

/* A pack by its name, such as "poe2-0.4"; `index` counts them from 0. */
const craft_pack *craft_pack_find(const char *name);
const craft_pack *craft_pack_at(int index);

int craft_base_find(const craft_pack *pack, const char *name); /* case does not count */
int craft_mod_find(const craft_pack *pack, const char *id);
int craft_currency_find(const craft_pack *pack, const char *id);
int craft_omen_find(const craft_pack *pack, const char *id);
int craft_essence_find(const craft_pack *pack, const char *id);
int craft_bone_find(const craft_pack *pack, const char *id);
int craft_catalyst_find(const craft_pack *pack, const char *id);
/* Whether a name means the thing of an id, as the five finders above take it: in any case, with
 * spaces for underscores, without apostrophes: "Exalted Orb" is exalted_orb. */
bool craft_same_thing(const char *id, const char *name);
/* Id of the currency, essence, bone, catalyst or omen that a name means; NULL = none. */
const char *craft_thing(const craft_pack *pack, const char *name);
/* LU_BAD_VALUE: the pack knows no such `kind`; the nearest thing is offered. `what` stands before
 * the sentence. */
lu_status craft_no_thing(const char *what, const craft_pack *pack, const char *kind,
                         const char *name, lu_error *error);
int craft_group_find(const craft_pack *pack, const char *id);
int craft_pool_find(const craft_pack *pack, const char *name);
int craft_family_find(const craft_pack *pack, const char *name);
int craft_ladder_find(const craft_pack *pack, const char *name);
/* The omen of a line that has this effect. */
int craft_omen_with(const craft_pack *pack, craft_line line, craft_omen_effect effect);

/* ---- what follows from rows ---- */

/* Price in exalted of the pack's dated list; -1 = it has none. */
double craft_price_of(const craft_pack *pack, const char *item);
/* True when the group lists the family or the ladder of the modifier. */
bool craft_in_group(const craft_pack *pack, int group, const craft_mod *mod);
/* The spawn test of a modifier on a base that has no added tags; *bars: bits of the added tags that
 * would stop it. */
bool craft_spawns(const craft_pack *pack, const craft_mod *mod, uint64_t tags, uint8_t *bars);
/* Weight on a pool; -1 = it has no row. */
int craft_weight_on(const craft_pack *pack, int mod, int pool);

#ifdef __cplusplus
}
#endif
