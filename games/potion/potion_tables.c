/* The tables of potion as records with names, and the searches in them. */
#include "potion_tables.h"

#include <stddef.h>
#include <strings.h>

/* Pieces a day in the shop, by rarity. */
#define SHOP(rarity)                                                                               \
    ((rarity) == POTION_RARITY_COMMON     ? 10                                                     \
     : (rarity) == POTION_RARITY_UNCOMMON ? 4                                                      \
     : (rarity) == POTION_RARITY_RARE     ? 2                                                      \
                                          : 1)

#define X(action, text, kind_of, part, where, rare, a, b, c, d, e, taste, touch, smell, sight,     \
          sound, gold, chance)                                                                     \
    [action] = {.name = text,                                                                      \
                .kind = kind_of,                                                                   \
                .chapter = part,                                                                   \
                .rarity = rare,                                                                    \
                .shop = SHOP(rare),                                                                \
                .places = where,                                                                   \
                .total = (a) + (b) + (c) + (d) + (e),                                              \
                .magimins = {a, b, c, d, e},                                                       \
                .traits = {taste, touch, smell, sight, sound},                                     \
                .weight = chance,                                                                  \
                .price = gold},
const potion_ingredient potion_ingredients[POTION_ACTIONS] = {
    [POTION_FINISH] = {.name = "finish"},
    POTION_INGREDIENT_ROWS(X)[POTION_ACTIONS - 1] = {.name = "reserved"},
};
#undef X

#define X(id, text, kin, a, b, c, d, e, tier, t0, t1, t2, t3, t4, t5)                              \
    [id] = {.name = text,                                                                          \
            .family = kin,                                                                         \
            .parts = {a, b, c, d, e},                                                              \
            .sum = (a) + (b) + (c) + (d) + (e),                                                    \
            .licence = tier,                                                                       \
            .time = {t0, t1, t2, t3, t4, t5}},
const potion_recipe potion_recipes[POTION_RECIPES] = {POTION_RECIPE_ROWS(X)};
#undef X

#define X(id, text, step, most, fill, from, part, cost, needs)                                     \
    [id] = {.name = text,                                                                          \
            .level = step,                                                                         \
            .items = most,                                                                         \
            .magimins = fill,                                                                      \
            .day = from,                                                                           \
            .chapter = part,                                                                       \
            .gold = cost,                                                                          \
            .extra = needs},
const potion_cauldron potion_cauldrons[POTION_CAULDRONS] = {POTION_CAULDRON_ROWS(X)};
#undef X

#define X(who, part, date, number, what, tier, star, price, peers, fitting)                        \
    {.contest = who,                                                                               \
     .chapter = part,                                                                              \
     .day = date,                                                                                  \
     .round = number,                                                                              \
     .recipe = what,                                                                               \
     .need_tier = tier,                                                                            \
     .need_star = star,                                                                            \
     .peer_cauldron = peers,                                                                       \
     .cauldron = fitting,                                                                          \
     .target = price},
const potion_round potion_rounds[POTION_CONTESTS * POTION_ROUNDS] = {POTION_CONTEST_ROWS(X)};
#undef X

/* ---- names ---- */

const char *const potion_kind_names[] = {"bone",   "bug",   "essence",   "fish",  "flesh",
                                         "flower", "fruit", "fungus",    "gem",   "mineral",
                                         "ore",    "plant", "pure mana", "slime", NULL};
const char *const potion_place_names[] = {"Enchanted Forest",
                                          "Bone Wastes",
                                          "Mushroom Mire",
                                          "Shadow Steppe",
                                          "Ocean Coasts",
                                          "Storm Plains",
                                          "Sulfuric Falls",
                                          "Crystalline Forest",
                                          "Ice Craggs",
                                          "Dragon Oasis",
                                          "Crater",
                                          "Arctic",
                                          "Magical Wasteland",
                                          NULL};
const char *const potion_rarity_names[] = {"common", "uncommon", "rare", "epic", NULL};
const char *const potion_family_names[] = {"potion", "tonic", "enhancer", "cure", NULL};
const char *const potion_tier_names[] = {"Minor",    "Common",     "Greater", "Grand",
                                         "Superior", "Masterwork", NULL};
const char *const potion_sense_names[] = {"taste", "touch", "smell", "sight", "sound", NULL};
const char *const potion_code_names[] = {"cannot brew", "unstable", "stable",
                                         "very stable", "perfect",  NULL};
const char *const potion_contest_names[] = {"roxanne", "corsac", "finn", "anubia", "robin", NULL};

#define X(id, text, ...) text,
const char *const potion_recipe_names[] = {POTION_RECIPE_ROWS(X) NULL};
const char *const potion_cauldron_names[] = {POTION_CAULDRON_ROWS(X) NULL};
#undef X

/* ---- searches ---- */

int potion_ingredient_find(const char *name) {
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (strcasecmp(potion_ingredients[i].name, name) == 0) {
            return i;
        }
    }
    return 0;
}

int potion_peer_price(int recipe, int grade) {
#define X(which, at, price)                                                                        \
    if (recipe == (which) && grade == (at)) {                                                      \
        return price;                                                                              \
    }
    POTION_PEER_PRICE_ROWS(X)
#undef X
    return potion_prices[recipe][grade];
}
