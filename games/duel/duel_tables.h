/* Items, prayers, spells, builds and gear of duel as tables, from data/CSV by way of duel_data.h.
 * Ownership: all constant. Threads: no state. */
#pragma once

#include "duel_data.h"

#include "ludus/device.h"
#include "ludus/linkage.h"

#include <stdint.h>

LU_C_BEGIN

enum { DUEL_SLOTS = 11, DUEL_BONUSES = 14, DUEL_LEVELS = 7 };

typedef enum duel_slot {
    DUEL_SLOT_HEAD,
    DUEL_SLOT_CAPE,
    DUEL_SLOT_NECK,
    DUEL_SLOT_AMMO,
    DUEL_SLOT_WEAPON,
    DUEL_SLOT_BODY,
    DUEL_SLOT_SHIELD,
    DUEL_SLOT_LEGS,
    DUEL_SLOT_HANDS,
    DUEL_SLOT_FEET,
    DUEL_SLOT_RING,
} duel_slot;

/* Attack bonuses by type come first, defence bonuses behind them in the same order. */
typedef enum duel_type {
    DUEL_TYPE_STAB,
    DUEL_TYPE_SLASH,
    DUEL_TYPE_CRUSH,
    DUEL_TYPE_MAGIC,
    DUEL_TYPE_RANGED,
    DUEL_TYPE_NONE,
    /* places of the bonuses: a type behind ATTACK and DEFENCE, then the others */
    DUEL_BONUS_ATTACK = 0,
    DUEL_BONUS_DEFENCE = 5,
    DUEL_BONUS_STRENGTH = 10,
    DUEL_BONUS_RANGED_STRENGTH = 11,
    DUEL_BONUS_MAGIC_DAMAGE = 12, /* percent */
    DUEL_BONUS_PRAYER = 13,
} duel_type;

typedef enum duel_level {
    DUEL_ATTACK,
    DUEL_DEFENCE,
    DUEL_STRENGTH,
    DUEL_HITPOINTS,
    DUEL_RANGED,
    DUEL_PRAYER,
    DUEL_MAGIC,
} duel_level;

typedef enum duel_class {
    DUEL_CLASS_NONE,
    DUEL_CLASS_WHIP,
    DUEL_CLASS_SCIMITAR,
    DUEL_CLASS_RAPIER,
    DUEL_CLASS_DRAGON_DAGGER,
    DUEL_CLASS_CLAWS,
    DUEL_CLASS_LONGSWORD,
    DUEL_CLASS_GODSWORD,
    DUEL_CLASS_ELDER_MAUL,
    DUEL_CLASS_WARHAMMER,
    DUEL_CLASS_GRANITE_MAUL,
    DUEL_CLASS_GREATAXE,
    DUEL_CLASS_CROSSBOW, /* from here on ranged */
    DUEL_CLASS_BALLISTA,
    DUEL_CLASS_DARK_BOW,
    DUEL_CLASS_KNIFE,
    DUEL_CLASS_JAVELIN,
    DUEL_CLASS_STAFF, /* magic */
} duel_class;

typedef enum duel_stance {
    DUEL_STANCE_NONE,
    DUEL_STANCE_ACCURATE,
    DUEL_STANCE_AGGRESSIVE,
    DUEL_STANCE_CONTROLLED,
    DUEL_STANCE_DEFENSIVE,
    DUEL_STANCE_RAPID,
} duel_stance;

/* What a special attack does. */
typedef enum duel_special {
    DUEL_SPECIAL_NONE,
    DUEL_SPECIAL_STRONG,     /* one hit with more accuracy and damage */
    DUEL_SPECIAL_DOUBLE,     /* two hits */
    DUEL_SPECIAL_SACRIFICE,  /* 25 damage and healing 8 ticks after an accurate hit */
    DUEL_SPECIAL_CLAWS,      /* four hits from one another */
    DUEL_SPECIAL_MAUL,       /* at once, as often as the energy allows */
    DUEL_SPECIAL_FIFTH,      /* 20..120 % against a quarter of the stab defence */
    DUEL_SPECIAL_QUARTER,    /* 25..125 %, cuts defence */
    DUEL_SPECIAL_BOLTS,      /* twice the chance of the bolt's effect */
    DUEL_SPECIAL_BOLTS_SURE, /* a shot that hits has the bolt's effect */
    DUEL_SPECIAL_DARK_BOW,   /* two arrows of 8..48 */
    DUEL_SPECIAL_BLEED,      /* the damage once more, 5 every 3 ticks */
    DUEL_SPECIAL_NIGHTMARE,  /* a blast of its own */
} duel_special;

typedef enum duel_fight { DUEL_FIGHT_NORMAL, DUEL_FIGHT_LMS, DUEL_FIGHT_ARENA } duel_fight;
typedef enum duel_food { DUEL_FOOD_SHARK, DUEL_FOOD_ANGLERFISH } duel_food;

/* Gear sets. Those of dharok are weapons: tentacle, greataxe, maul, then the same without armour.
 */
typedef enum duel_set {
    DUEL_SET_MAGE,
    DUEL_SET_RANGED,
    DUEL_SET_MELEE,
    DUEL_SET_SPEC,
    DUEL_SET_TANK,
    DUEL_SET_MORE,
    DUEL_SETS,
} duel_set;
enum { DUEL_DRAWN_SETS = 4 }; /* the tank set follows from them */

#define DUEL_NAME_(name, ...) name,
/* Item 0 is no item. */
typedef enum duel_item_id { DUEL_ITEM_NONE, DUEL_ITEM_ROWS(DUEL_NAME_) DUEL_ITEMS } duel_item_id;
typedef enum duel_prayer_id { DUEL_PRAYER_ROWS(DUEL_NAME_) DUEL_PRAYERS } duel_prayer_id;
/* Spell 0 is none. Ice comes first, each line from weak to strong. */
typedef enum duel_spell_id {
    DUEL_SPELL_NONE,
    DUEL_SPELL_ROWS(DUEL_NAME_) DUEL_SPELLS
} duel_spell_id;
typedef enum duel_build_id { DUEL_BUILD_ROWS(DUEL_NAME_) DUEL_BUILDS } duel_build_id;
#undef DUEL_NAME_
enum { DUEL_NH_BUILDS = DUEL_BUILD_DHAROK };

/* ---- the numbers that the rules read ---- */

typedef struct duel_item {
    int16_t bonus[DUEL_BONUSES];
    uint8_t slot, two_handed;
    uint8_t kind;     /* duel_class */
    uint8_t speed[2]; /* ticks between attacks: ref, game */
    uint8_t range[2]; /* tiles */
    uint8_t stance, type;
    uint8_t special, energy;
    uint8_t poison;       /* damage that its poison starts with, 0 none */
    uint16_t accuracy[2]; /* percent, of the special */
    uint16_t damage;      /* thousandths, of the special */
} duel_item;

typedef struct duel_prayer {
    uint8_t level, drain; /* base level it needs; points per minute */
    uint8_t percent[6];   /* attack, strength, defence, ranged, ranged strength, magic */
} duel_prayer;

enum {
    DUEL_OF_ATTACK,
    DUEL_OF_STRENGTH,
    DUEL_OF_DEFENCE,
    DUEL_OF_RANGED,
    DUEL_OF_RANGED_STRENGTH,
    DUEL_OF_MAGIC,
};

typedef struct duel_spell {
    uint8_t level, max[2], freeze, heal; /* heal in percent of the damage */
} duel_spell;

/* A chance that the drawn gear of a build differs from its sets; see data/changes.csv. */
typedef struct duel_change {
    uint8_t build, chance, chain, sets; /* of rows with one chain at most one happens */
    uint8_t item[4], half, clears;
} duel_change;

#define DUEL_ITEM_(item, key, id, name, slot, two, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10,    \
                   b11, b12, b13, kind, speed, game_speed, range, game_range, stance, type,        \
                   special, energy, accuracy, game_accuracy, damage, poison)                       \
    {{b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13},                                 \
     slot,                                                                                         \
     two,                                                                                          \
     kind,                                                                                         \
     {speed, game_speed},                                                                          \
     {range, game_range},                                                                          \
     stance,                                                                                       \
     type,                                                                                         \
     special,                                                                                      \
     energy,                                                                                       \
     poison,                                                                                       \
     {accuracy, game_accuracy},                                                                    \
     damage},
LU_TABLE duel_item duel_items[DUEL_ITEMS] = {
    {{0}, 0, 0, 0, {0, 0}, {0, 0}, 0, DUEL_TYPE_NONE, 0, 0, 0, {100, 100}, 1000},
    DUEL_ITEM_ROWS(DUEL_ITEM_)};
#undef DUEL_ITEM_

#define DUEL_PRAYER_(prayer, name, level, drain, a, b, c, d, e, f)                                 \
    {level, drain, {a, b, c, d, e, f}},
LU_TABLE duel_prayer duel_prayers[DUEL_PRAYERS] = {DUEL_PRAYER_ROWS(DUEL_PRAYER_)};
#undef DUEL_PRAYER_

#define DUEL_SPELL_(spell, name, level, max, game_max, freeze, heal)                               \
    {level, {max, game_max}, freeze, heal},
LU_TABLE duel_spell duel_spells[DUEL_SPELLS] = {{0, {0, 0}, 0, 0}, DUEL_SPELL_ROWS(DUEL_SPELL_)};
#undef DUEL_SPELL_

#define DUEL_CHANGE_(build, chance, chain, sets, a, b, c, d, half, clears)                         \
    {build, chance, chain, sets, {a, b, c, d}, half, clears},
LU_TABLE duel_change duel_changes[] = {DUEL_CHANGE_ROWS(DUEL_CHANGE_)};
#undef DUEL_CHANGE_
enum { DUEL_CHANGES = sizeof duel_changes / sizeof *duel_changes };

/* ---- a build ---- */

/* What an account has before anything is drawn. Potions are vials of four doses. */
typedef struct duel_build {
    char name[24];
    int16_t level[DUEL_LEVELS];
    uint8_t fight;        /* duel_fight */
    uint8_t high_prayers; /* piety, rigour, augury */
    uint8_t combat, ranging, restore, brew, karambwan;
    uint8_t food, other_food; /* duel_food; what it may be replaced by */
    uint8_t lunar, no_mage;   /* percent, where gear is drawn */
    uint8_t always_lunar;
    uint8_t item[DUEL_DRAWN_SETS][DUEL_SLOTS];
    uint8_t unused[2];
} duel_build;

/* ---- words: duel_words.c ---- */

extern const char *const duel_item_keys[DUEL_ITEMS];  /* "abyssal_whip" */
extern const char *const duel_item_names[DUEL_ITEMS]; /* "Abyssal whip" */
extern const int32_t duel_item_numbers[DUEL_ITEMS];   /* of the game's own tables */
extern const char *const duel_prayer_names[DUEL_PRAYERS];
extern const char *const duel_spell_names[DUEL_SPELLS];
extern const char *const duel_level_names[DUEL_LEVELS];
extern const char *const duel_set_names[DUEL_SETS];
extern const duel_build duel_builds[DUEL_BUILDS];
/* Index of a word in such a list; -1: none. */
int duel_word(const char *const *list, int count, const char *word);
/* The same for a name as players write it: in any case, gaps as '_', without apostrophes and
 * brackets. */
int duel_named(const char *const *list, int count, const char *name);

LU_C_END
