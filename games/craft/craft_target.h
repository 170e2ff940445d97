/* What is wanted of an item. A craft_target is a target file as read (section "Target" of
 * README.md); a craft_goal is the same against one pool, flat, so that rules and solvers ask in a
 * few instructions whether an item fulfils it, and how far it is.
 * Ownership: the caller's. Threads: constant once made. */
#pragma once

#include "ludus/json.h"

#include "craft_item.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_NEEDS_MAX = 8,
    CRAFT_MATCHERS = 12, /* of a requirement */
    CRAFT_FORBIDS = 8,
    CRAFT_EXCLUDES = 16,
    CRAFT_NAME = 64,
    CRAFT_NEVER = 255 /* no roll of an entry is good enough */
};

typedef enum craft_match {
    CRAFT_MATCH_GROUP,
    CRAFT_MATCH_FAMILY,
    CRAFT_MATCH_LADDER,
    CRAFT_MATCH_MOD
} craft_match;

typedef struct craft_matcher {
    uint8_t kind;      /* craft_match */
    uint8_t max_tier;  /* 0 = any */
    uint8_t min_level; /* of the modifier, 0 = any */
    uint8_t fractured; /* 1: it must be fractured */
    int32_t row;       /* of the pack's table of that kind */
    double min_value;  /* of the first number, 0 = any */
} craft_matcher;

typedef struct craft_need {
    char id[CRAFT_NAME];
    int32_t matchers;
    int32_t count; /* modifiers that must match */
    double weight; /* in the score */
    craft_matcher any_of[CRAFT_MATCHERS];
} craft_need;

typedef struct craft_target {
    char base[CRAFT_NAME];    /* "" = not told */
    char ruleset[CRAFT_NAME]; /* "" = not told */
    int32_t ilvl;             /* 0 = not told */
    int32_t needs, forbids, excludes;
    int32_t open[CRAFT_SIDES]; /* free prefixes, suffixes */
    int32_t max_bases;         /* 0 = not told */
    double budget;             /* exalted, 0 = not told */
    craft_need need[CRAFT_NEEDS_MAX];
    craft_matcher forbid[CRAFT_FORBIDS];
    char exclude[CRAFT_EXCLUDES][CRAFT_NAME]; /* currencies, omens, essences not to be used */
} craft_target;

/* Reads {"need":[{"id","any_of":[{"group"|"family"|"ladder"|"mod","max_tier","min_tier_level",
 * "min_value","fractured"}],"count"}],"open_prefix","open_suffix","forbid","score","budget",...}.
 * or in the words of the brief {"must_have_groups":[...],"min_res_mods","min_tier_by_group":{...},
 * "required_open_prefixes","required_open_suffixes","custom_score_weights":{...}}, whose
 * requirements have their groups as ids. What it does not know is an error that names it. */
lu_status craft_target_read(craft_target *target, const craft_pack *pack,
                            const lu_json_value *value, lu_error *error);

typedef struct craft_goal {
    int32_t needs;
    int32_t open[CRAFT_SIDES];
    int32_t fractured; /* bit k: need k asks for fractured modifiers */
    int32_t count[CRAFT_NEEDS_MAX];
    double weight[CRAFT_NEEDS_MAX];
    double most;                                  /* of the score */
    double heaviest;                              /* weight of a requirement, at least 1e-9 */
    double mean;                                  /* weight of a requirement */
    float quality[CRAFT_ENTRIES];                 /* (tiers - tier + 1) / tiers */
    uint8_t from[CRAFT_NEEDS_MAX][CRAFT_ENTRIES]; /* least roll of the first number that hits */
    uint8_t hits[CRAFT_ENTRIES];                  /* bit k: some roll hits need k */
    uint8_t close[CRAFT_ENTRIES];                 /* bit k: of need k but for tier and value */
    uint8_t blocks[CRAFT_ENTRIES];                /* bit k: its family has a hit of need k */
    uint8_t forbidden[CRAFT_ENTRIES];
    uint8_t counts[CRAFT_ENTRIES]; /* 0: nothing above says anything of the entry */
} craft_goal;

/* LU_BAD_VALUE with the reason when no item of the pool can fulfil it: a tier above the item level,
 * too many on one side, two requirements in one family, a modifier that is not in the pool. */
lu_status craft_goal_init(craft_goal *goal, const craft_target *target, const craft_pack *pack,
                          const craft_pool *pool, lu_error *error);

/* ---- asked while playing ---- */

/* Roll of the first number, what sanctification made of it included. */
LU_INLINE int craft_first_roll(const craft_pool *pool, const craft_slot *slot) {
    int roll = slot->roll[0];
    if (slot->factor[0]) {
        int low = pool->entry[slot->entry].low;
        roll = ((low + roll) * (77 + slot->factor[0]) + 99) / 100 - low;
        roll = roll < 0 ? 0 : roll >= CRAFT_NEVER ? CRAFT_NEVER - 1 : roll;
    }
    return roll;
}

/* Bits of the requirements that a modifier hits. */
LU_INLINE int craft_hits(const craft_goal *goal, const craft_pool *pool, const craft_slot *slot) {
    if ((slot->flags & CRAFT_UNREVEALED) || !goal->hits[slot->entry]) {
        return 0;
    }
    int bits = goal->hits[slot->entry], roll = craft_first_roll(pool, slot);
    bits &= slot->flags & CRAFT_FRACTURED ? 0xff : ~goal->fractured;
    for (int k = 0, left = bits; left; k++, left >>= 1) {
        if ((left & 1) && roll < goal->from[k][slot->entry]) {
            bits &= ~(1 << k);
        }
    }
    return bits;
}

/* Modifiers that hit each requirement. */
LU_INLINE void craft_matched(const craft_goal *goal, const craft_pool *pool, const craft_item *item,
                             int32_t matched[CRAFT_NEEDS_MAX]) {
    for (int k = 0; k < CRAFT_NEEDS_MAX; k++) {
        matched[k] = 0;
    }
    for (int i = 0; i < craft_item_mods(item); i++) {
        int bits = craft_hits(goal, pool, &item->slot[i]);
        for (int k = 0; bits; k++, bits >>= 1) {
            matched[k] += bits & 1;
        }
    }
}

/* Whether an item fulfils all requirements, has the open slots and nothing that is forbidden. */
LU_INLINE bool craft_fulfils(const craft_goal *goal, const craft_pool *pool,
                             const craft_item *item) {
    int32_t matched[CRAFT_NEEDS_MAX];
    bool holds = true;
    int touched = 0; /* requirements that some modifier may hit: most items end here */
    for (int i = 0; i < craft_item_mods(item); i++) {
        const craft_slot *slot = &item->slot[i];
        touched |= slot->flags & CRAFT_UNREVEALED ? 0 : goal->hits[slot->entry];
    }
    if (touched != (1 << goal->needs) - 1) {
        return false;
    }
    craft_matched(goal, pool, item, matched);
    for (int k = 0; k < goal->needs; k++) {
        holds = holds && matched[k] >= goal->count[k];
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        holds = holds && craft_room(pool, item, item->rarity, side) >= goal->open[side];
    }
    for (int i = 0; i < craft_item_mods(item); i++) {
        const craft_slot *slot = &item->slot[i];
        bool known = !(slot->flags & CRAFT_UNREVEALED);
        holds = holds && !(known && goal->forbidden[slot->entry]);
    }
    return holds;
}

/* The best modifiers of each requirement while they are gathered. */
typedef struct craft_best {
    float worth[CRAFT_NEEDS_MAX][CRAFT_MODS]; /* falling */
    int32_t found[CRAFT_NEEDS_MAX];
} craft_best;

LU_INLINE void craft_best_add(craft_best *best, int need, float worth) {
    int at = best->found[need]++;
    for (; at > 0 && best->worth[need][at - 1] < worth; at--) {
        best->worth[need][at] = best->worth[need][at - 1];
    }
    best->worth[need][at] = worth;
}

/* How near an item is: per requirement its weight times the qualities of its best modifiers, half
 * for a tier below the bound, less a quarter of the mean weight for each modifier that takes the
 * family of a requirement and misses it. */
LU_INLINE double craft_score(const craft_goal *goal, const craft_pool *pool,
                             const craft_item *item) {
    craft_best best;
    double score = 0.0;
    for (int k = 0; k < CRAFT_NEEDS_MAX; k++) {
        best.found[k] = 0;
    }
    for (int i = 0; i < craft_item_mods(item); i++) {
        const craft_slot *slot = &item->slot[i];
        if ((slot->flags & CRAFT_UNREVEALED) || !goal->counts[slot->entry]) {
            continue;
        }
        int hits = craft_hits(goal, pool, slot);
        for (int k = 0, close = goal->close[slot->entry]; close; k++, close >>= 1) {
            if (close & 1) {
                float share = hits >> k & 1 ? 1.0f : 0.5f;
                craft_best_add(&best, k, goal->quality[slot->entry] * share);
            }
        }
        score -= goal->blocks[slot->entry] & ~hits ? 0.25 * goal->mean : 0.0;
    }
    for (int k = 0; k < goal->needs; k++) {
        for (int at = 0; at < best.found[k] && at < goal->count[k]; at++) {
            score += goal->weight[k] * (double)best.worth[k][at];
        }
    }
    return score;
}

#ifdef __cplusplus
}
#endif
