/* The tables of potion: 206 ingredients, 20 recipes, 38 cauldrons, grades, prices, stability
 * classes and contests. Numbers that the rules read while stepping are LU_TABLE arrays here, so
 * that they are device-ready; what people read (names, places, kinds) is in the records of
 * potion_tables.c. Both come from the rows of potion_data.h, which data/make.py makes from
 * data/CSV. Ownership: constants. Threads: no state. */
#pragma once

#include "ludus/device.h"
#include "ludus/linkage.h"

#include "potion_data.h"

#include <stdint.h>

LU_C_BEGIN

enum {
    POTION_MAGIMINS = 5,      /* A red, B green, C yellow, D blue, E purple */
    POTION_SENSES = 5,        /* taste, touch, smell, sight, sound */
    POTION_INGREDIENTS = 206, /* ingredient i is action i, 1..206 */
    POTION_ACTIONS = 208,     /* 0 finishes, 207 is kept free and never legal */
    POTION_FINISH = 0,
    POTION_RECIPES = 20,
    POTION_CAULDRONS = 38,
    POTION_GRADES = 36, /* tier x 6 + star */
    POTION_TIERS = 6,
    POTION_STARS = 6, /* 0..5 */
    POTION_CHAPTERS = 5,
    POTION_CONTESTS = 5,
    POTION_ROUNDS = 3, /* of a contest */
    POTION_ITEMS_MAX = 14,
    POTION_MAGIMINS_MAX = 2000,
    POTION_TOTAL_MAX = 336 /* of one ingredient */
};

typedef enum potion_ruleset {
    POTION_RULES_GAME,
    POTION_RULES_RL_PEER,
    POTION_RULES
} potion_ruleset;

/* Stability codes, as the reward counts them. */
typedef enum potion_code {
    POTION_CANNOT_BREW,
    POTION_UNSTABLE,
    POTION_STABLE,
    POTION_VERY_STABLE,
    POTION_PERFECT,
    POTION_CODES
} potion_code;

/* What a stability limit is held against: D_all counts all five magimins (its error is half the sum
 * of the ratio differences), D_want only those the recipe asks for (the whole sum). */
typedef enum potion_error_kind { POTION_ERROR_ALL, POTION_ERROR_WANTED } potion_error_kind;

typedef enum potion_kind {
    POTION_KIND_BONE,
    POTION_KIND_BUG,
    POTION_KIND_ESSENCE,
    POTION_KIND_FISH,
    POTION_KIND_FLESH,
    POTION_KIND_FLOWER,
    POTION_KIND_FRUIT,
    POTION_KIND_FUNGUS,
    POTION_KIND_GEM,
    POTION_KIND_MINERAL,
    POTION_KIND_ORE,
    POTION_KIND_PLANT,
    POTION_KIND_PURE_MANA,
    POTION_KIND_SLIME,
    POTION_KINDS
} potion_kind;

typedef enum potion_rarity {
    POTION_RARITY_COMMON, /* the shop sells 10, 4, 2, 1 pieces a day */
    POTION_RARITY_UNCOMMON,
    POTION_RARITY_RARE,
    POTION_RARITY_EPIC,
    POTION_RARITIES
} potion_rarity;

typedef enum potion_family {
    POTION_FAMILY_POTION,
    POTION_FAMILY_TONIC,
    POTION_FAMILY_ENHANCER,
    POTION_FAMILY_CURE,
    POTION_FAMILIES
} potion_family;

typedef enum potion_contest_name {
    POTION_CONTEST_ROXANNE,
    POTION_CONTEST_CORSAC,
    POTION_CONTEST_FINN,
    POTION_CONTEST_ANUBIA,
    POTION_CONTEST_ROBIN
} potion_contest_name;

enum { POTION_PLACES = 13 };

/* ---- records, for whoever speaks about the tables (potion_tables.c) ---- */

typedef struct potion_ingredient {
    const char *name;
    uint8_t kind;    /* potion_kind */
    uint8_t chapter; /* 1..5: ingredients of chapters 1..c are actions 1..potion_chapter_end[c] */
    uint8_t rarity;  /* potion_rarity */
    uint8_t shop;    /* pieces a day in the shop */
    uint16_t places; /* bit p: found in potion_place_names[p] */
    uint16_t total;  /* sum of the magimins */
    uint16_t magimins[POTION_MAGIMINS];
    int8_t traits[POTION_SENSES]; /* -1, 0 or 1 */
    uint8_t weight;               /* relative chance of being found */
    uint16_t price;
} potion_ingredient;

typedef struct potion_recipe {
    const char *name;
    uint8_t family; /* potion_family */
    uint8_t parts[POTION_MAGIMINS];
    uint8_t sum;                /* of the parts: 2, 4 or 10 */
    uint8_t licence;            /* tier of the licence, 1..4 */
    uint8_t time[POTION_TIERS]; /* to brew, in segments of a day */
} potion_recipe;

typedef struct potion_cauldron {
    const char *name;
    uint8_t level;     /* 0 base, 1 +, 2 ++ */
    uint8_t items;     /* at most, 4..14 */
    uint16_t magimins; /* at most, 75..2000 */
    uint8_t day;       /* sold from this day on */
    uint8_t chapter;   /* 1..5 */
    uint16_t gold;     /* price; no rule uses it */
    uint8_t extra;     /* ingredient the upgrade takes, 0 = none */
} potion_cauldron;

/* One round of a contest: won when the recipe matches, the tier (then the star) reaches need_* and
 * the price reaches the target. */
typedef struct potion_round {
    uint8_t contest; /* potion_contest_name */
    uint8_t chapter;
    uint8_t day;
    uint8_t round; /* 1..3 */
    uint8_t recipe;
    uint8_t need_tier, need_star;
    uint8_t peer_cauldron; /* of the peer's task */
    uint8_t cauldron;      /* one that is sold by the day of the contest and suffices */
    uint16_t target;       /* price to reach */
} potion_round;

/* Entry 0 is "finish" and 207 "reserved": both with zeros. */
extern const potion_ingredient potion_ingredients[POTION_ACTIONS];
extern const potion_recipe potion_recipes[POTION_RECIPES];
extern const potion_cauldron potion_cauldrons[POTION_CAULDRONS];
extern const potion_round potion_rounds[POTION_CONTESTS * POTION_ROUNDS];

/* Names by number; each list ends with NULL. */
extern const char *const potion_kind_names[POTION_KINDS + 1];
extern const char *const potion_place_names[POTION_PLACES + 1];
extern const char *const potion_rarity_names[POTION_RARITIES + 1];
extern const char *const potion_family_names[POTION_FAMILIES + 1];
extern const char *const potion_tier_names[POTION_TIERS + 1];
extern const char *const potion_sense_names[POTION_SENSES + 1];
extern const char *const potion_code_names[POTION_CODES + 1]; /* "cannot brew" .. "perfect" */
extern const char *const potion_contest_names[POTION_CONTESTS + 1];
extern const char *const potion_recipe_names[POTION_RECIPES + 1];
extern const char *const potion_cauldron_names[POTION_CAULDRONS + 1];

/* The action of an ingredient by its name, whatever the case; 0 = there is none. */
int potion_ingredient_find(const char *name);
/* The peer's price where its table differs from the game's, else the game's. */
int potion_peer_price(int recipe, int grade);

/* ---- numbers, for the rules ---- */

/* Last action of chapters 1..c. */
LU_TABLE uint8_t potion_chapter_end[POTION_CHAPTERS + 1] = {0, 44, 82, 131, 182, 206};

#define X(action, name, kind, chapter, places, rarity, a, b, c, d, e, taste, touch, smell, sight,  \
          sound, price, weight)                                                                    \
    {a, b, c, d, e, (a) + (b) + (c) + (d) + (e), price, 0},
/* Per action: the five magimins, their sum, the price, 0. */
LU_TABLE int32_t potion_adds[POTION_ACTIONS][8] = {
    {0, 0, 0, 0, 0, 0, 0, 0}, POTION_INGREDIENT_ROWS(X){0, 0, 0, 0, 0, 0, 0, 0}};
#undef X
enum { POTION_ADDS_TOTAL = 5, POTION_ADDS_PRICE = 6 };

#define X(action, name, kind, chapter, places, rarity, a, b, c, d, e, taste, touch, smell, sight,  \
          sound, price, weight)                                                                    \
    (a) + (b) + (c) + (d) + (e),
/* Per action: magimins it takes up; 0 is free and 207 never fits. */
LU_TABLE int16_t potion_takes[POTION_ACTIONS] = {0, POTION_INGREDIENT_ROWS(X) INT16_MAX};
#undef X

#define X(action, name, kind, chapter, places, rarity, a, b, c, d, e, taste, touch, smell, sight,  \
          sound, price, weight)                                                                    \
    {taste, touch, smell, sight, sound},
LU_TABLE int8_t potion_traits[POTION_ACTIONS][POTION_SENSES] = {
    {0, 0, 0, 0, 0}, POTION_INGREDIENT_ROWS(X){0, 0, 0, 0, 0}};
#undef X

#define X(action, name, kind, chapter, places, rarity, a, b, c, d, e, taste, touch, smell, sight,  \
          sound, price, weight)                                                                    \
    COLUMN(a, b, c, d, e),
/* The magimins once more, one row per magimin, for loops over all ingredients. */
LU_TABLE int16_t potion_columns[POTION_MAGIMINS][POTION_ACTIONS] = {
#define COLUMN(a, b, c, d, e) a
    {0, POTION_INGREDIENT_ROWS(X) 0},
#undef COLUMN
#define COLUMN(a, b, c, d, e) b
    {0, POTION_INGREDIENT_ROWS(X) 0},
#undef COLUMN
#define COLUMN(a, b, c, d, e) c
    {0, POTION_INGREDIENT_ROWS(X) 0},
#undef COLUMN
#define COLUMN(a, b, c, d, e) d
    {0, POTION_INGREDIENT_ROWS(X) 0},
#undef COLUMN
#define COLUMN(a, b, c, d, e) e
    {0, POTION_INGREDIENT_ROWS(X) 0},
#undef COLUMN
};
#undef X

#define X(recipe, name, family, a, b, c, d, e, licence, t0, t1, t2, t3, t4, t5)                    \
    {a, b, c, d, e, (a) + (b) + (c) + (d) + (e), 0, 0},
/* Per recipe: the five parts and their sum. */
LU_TABLE int32_t potion_parts[POTION_RECIPES][8] = {POTION_RECIPE_ROWS(X)};
#undef X
enum { POTION_PARTS_SUM = 5 };

#define X(cauldron, name, level, items, magimins, day, chapter, gold, extra) {items, magimins},
/* Per cauldron: most items, most magimins. */
LU_TABLE int16_t potion_limits[POTION_CAULDRONS][2] = {POTION_CAULDRON_ROWS(X)};
#undef X

#define X(grade, from) from,
/* Per grade: the fewest magimins that reach it. */
LU_TABLE int16_t potion_grade_from[POTION_GRADES] = {POTION_GRADE_ROWS(X)};
#undef X

#define X(recipe, ...) {__VA_ARGS__},
LU_TABLE int16_t potion_prices[POTION_RECIPES][POTION_GRADES] = {POTION_PRICE_ROWS(X)};
#undef X

/* A stability class holds when times x D <= limit x sum of parts x total (or <, where equal is 0);
 * the first that holds, from perfect down, is the class of a mix. */
typedef struct potion_limit {
    int16_t times, limit, equal;
    int16_t shift;       /* stars it adds */
    int16_t lucky_shift; /* stars in the luckier half of the draws; equal to shift: no draw */
} potion_limit;

#define X(ruleset, code, measure, times, limit, equal, shift, lucky)                               \
    {times, limit, equal, shift, lucky},
/* Rules x (perfect, very stable, stable, unstable). */
LU_TABLE potion_limit potion_stability[POTION_RULES * 4] = {POTION_STABILITY_ROWS(X)};
#undef X

/* ---- a mix ---- */

/* What was put together; order never matters. */
typedef struct potion_mix {
    int32_t amount[POTION_MAGIMINS];
    int32_t total; /* sum of the amounts */
    int32_t cost;  /* gold */
    int32_t items;
} potion_mix;

/* Adds `pieces` of an ingredient. */
LU_INLINE void potion_mix_add(potion_mix *mix, int action, int pieces) {
    const int32_t *adds = potion_adds[action];
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        mix->amount[k] += adds[k] * pieces;
    }
    mix->total += adds[POTION_ADDS_TOTAL] * pieces;
    mix->cost += adds[POTION_ADDS_PRICE] * pieces;
    mix->items += pieces;
}

/* D_all and D_want of a mix: sums of |s m - r T|, exact. */
LU_INLINE void potion_distances(const int32_t *amount, int32_t total, int recipe, int32_t *all,
                                int32_t *wanted) {
    const int32_t *parts = potion_parts[recipe];
    int32_t sum = parts[POTION_PARTS_SUM], d_all = 0, d_wanted = 0;
    for (int k = 0; k < POTION_MAGIMINS; k++) {
        int32_t off = sum * amount[k] - parts[k] * total;
        off = off < 0 ? -off : off;
        d_all += off;
        d_wanted += parts[k] > 0 ? off : 0;
    }
    *all = d_all;
    *wanted = d_wanted;
}

/* Stability code of a distance D (the one the rules count) in a mix of this total. */
LU_INLINE int potion_code_at(int ruleset, int32_t off, int32_t total, int recipe) {
    int32_t scale = potion_parts[recipe][POTION_PARTS_SUM] * total;
    int code = POTION_CANNOT_BREW;
    for (int k = 3; k >= 0; k--) {
        const potion_limit *row = &potion_stability[ruleset * 4 + k];
        code =
            row->times * off + (1 - row->equal) <= row->limit * scale ? POTION_PERFECT - k : code;
    }
    return code;
}

/* Stability code of a mix: 0 when it cannot be brewed, with fewer than two items always. */
LU_INLINE int potion_code_of(int ruleset, const int32_t *amount, int32_t total, int32_t items,
                             int recipe) {
    int32_t all, wanted;
    potion_distances(amount, total, recipe, &all, &wanted);
    int32_t off = ruleset == POTION_RULES_GAME ? all : wanted;
    return items < 2 ? POTION_CANNOT_BREW : potion_code_at(ruleset, off, total, recipe);
}

/* Grade by magimins alone, 0..35. */
LU_INLINE int potion_raw_grade(int32_t total) {
    int grade = -1;
    for (int g = 0; g < POTION_GRADES; g++) {
        grade += potion_grade_from[g] <= total ? 1 : 0;
    }
    return grade;
}

/* Grade after the stars of its stability; stars run over into the next tier. */
LU_INLINE int potion_grade_after(int raw, int shift) {
    int grade = raw + shift;
    grade = grade < 0 ? 0 : grade;
    return grade >= POTION_GRADES ? POTION_GRADES - 1 : grade;
}

/* Potions that so many items give. */
LU_INLINE int potion_brewed(int32_t items) {
    return (int)(items / 2);
}

/* Gold for one potion; trait_sum is -5..5, or between for an expectation. */
LU_INLINE double potion_unit_value(int32_t price, double trait_sum, double shop_bonus) {
    return (double)price * (1.0 + 0.05 * trait_sum) * (1.0 + shop_bonus);
}

LU_C_END
