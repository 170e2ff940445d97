/* What joker-plan-v1 shows and takes, as numbers: choices, observation groups and fields.
 * joker_plan.c gives them names, joker_plan.h their meaning. Ownership and threads: constants.
 */
#pragma once

#include "variants/joker_layout.h"

/* ---- choices: one head, each option one slot of the agenda ---- */

enum { JOKER_PLAN_BAG = JOKER_BAG_MAX };

enum {
    JOKER_CHOICE_GO_ON, /* play or discard, as the planner thinks best */
    JOKER_CHOICE_SELECT,
    JOKER_CHOICE_SKIP,
    JOKER_CHOICE_CASH_OUT,
    JOKER_CHOICE_LEAVE,
    JOKER_CHOICE_REROLL,
    JOKER_CHOICE_REROLL_BOSS,
    JOKER_CHOICE_SKIP_PACK,
    JOKER_CHOICE_BUY,
    JOKER_CHOICE_VOUCHER = JOKER_CHOICE_BUY + JOKER_SHOP_MAX,
    JOKER_CHOICE_PACK = JOKER_CHOICE_VOUCHER + JOKER_SHOP_VOUCHERS,
    JOKER_CHOICE_PICK = JOKER_CHOICE_PACK + JOKER_SHOP_PACKS,
    JOKER_CHOICE_USE = JOKER_CHOICE_PICK + JOKER_PACK_MAX,
    JOKER_CHOICES = JOKER_CHOICE_USE + JOKER_PLAN_BAG,
    JOKER_CHOICE_KINDS = JOKER_CHOICE_BUY + 5
};

/* ---- observation ---- */

enum {
    JOKER_PLAN_RUN,
    JOKER_PLAN_BLIND,
    JOKER_PLAN_OWNED,
    JOKER_PLAN_BUILD,
    JOKER_PLAN_JOKERS,
    JOKER_PLAN_CHOICES,
    JOKER_PLAN_GROUPS
};

/* The build: what typical hands score with the jokers as they stand, and how that compares. */
enum {
    JOKER_BUILD_HANDS, /* log10 of each kind of hand */
    JOKER_BUILD_LEVELS = JOKER_BUILD_HANDS + JOKER_HANDS,
    JOKER_BUILD_PLAYS = JOKER_BUILD_LEVELS + JOKER_HANDS, /* in the run */
    JOKER_BUILD_WORTH = JOKER_BUILD_PLAYS + JOKER_HANDS,  /* mean logarithm, weighed */
    JOKER_BUILD_DOLLARS,                                  /* that jokers bring per round */
    JOKER_BUILD_BONUS,                                    /* that no hand shows */
    JOKER_BUILD_MARGIN,                                   /* of a round over this blind's target */
    JOKER_BUILD_BOSS,                                     /* over the boss of this ante */
    JOKER_BUILD_NEXT,                                     /* over the boss of the next */
    JOKER_BUILD_FACES,                                    /* share of the deck: face cards */
    JOKER_BUILD_SUITS,                                    /* share of each suit */
    JOKER_BUILD_ENHANCED = JOKER_BUILD_SUITS + JOKER_SUITS, /* of each enhancement */
    JOKER_BUILD_FIELDS = JOKER_BUILD_ENHANCED + JOKER_ENHANCEMENTS - 1
};

/* What a choice is about, numbered through; 0 = nothing that has a name. */
enum {
    JOKER_THING_JOKER = 1,
    JOKER_THING_CONSUMABLE = JOKER_THING_JOKER + JOKER_JOKERS,
    JOKER_THING_VOUCHER = JOKER_THING_CONSUMABLE + JOKER_CONSUMABLES,
    JOKER_THING_PACK = JOKER_THING_VOUCHER + JOKER_VOUCHERS,
    JOKER_THING_TAG = JOKER_THING_PACK + 5,
    JOKER_THINGS = JOKER_THING_TAG + JOKER_TAGS
};

enum {
    JOKER_CHOICE_LEGAL,
    JOKER_CHOICE_KIND,
    JOKER_CHOICE_THING = JOKER_CHOICE_KIND + JOKER_CHOICE_KINDS,
    JOKER_CHOICE_PRICE,
    JOKER_CHOICE_MONEY,    /* left after it */
    JOKER_CHOICE_INTEREST, /* per round that it takes away */
    JOKER_CHOICE_HANDS,    /* what typical hands gain by it, in logarithms */
    JOKER_CHOICE_SIDE,     /* what no hand shows */
    JOKER_CHOICE_REPLACES, /* a joker is sold for it */
    JOKER_CHOICE_RARITY,
    JOKER_CHOICE_EDITION, /* one of 4 */
    JOKER_CHOICE_ETERNAL = JOKER_CHOICE_EDITION + JOKER_EDITIONS - 1,
    JOKER_CHOICE_PERISHABLE,
    JOKER_CHOICE_RENTAL,
    JOKER_CHOICE_CARD,  /* how good a playing card is */
    JOKER_CHOICE_PICKS, /* of a pack */
    JOKER_CHOICE_SHOWN,
    JOKER_CHOICE_FIELDS
};

enum {
    JOKER_PLAN_AT_RUN = 0,
    JOKER_PLAN_AT_BLIND = JOKER_PLAN_AT_RUN + JOKER_RUN_FIELDS,
    JOKER_PLAN_AT_OWNED = JOKER_PLAN_AT_BLIND + JOKER_NOW_FIELDS,
    JOKER_PLAN_AT_BUILD = JOKER_PLAN_AT_OWNED + JOKER_OWNED_FIELDS,
    JOKER_PLAN_AT_JOKERS = JOKER_PLAN_AT_BUILD + JOKER_BUILD_FIELDS,
    JOKER_PLAN_AT_CHOICES = JOKER_PLAN_AT_JOKERS + JOKER_ROW_MAX * JOKER_SEEN_FIELDS,
    JOKER_PLAN_OBSERVATION = JOKER_PLAN_AT_CHOICES + JOKER_CHOICES * JOKER_CHOICE_FIELDS
};

LU_C_BEGIN

extern const lu_head joker_plan_heads[1];
extern const lu_group joker_plan_groups[JOKER_PLAN_GROUPS];

LU_C_END
