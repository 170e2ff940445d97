/* Strategies short enough to follow by hand: at most six rules by rarity, number of modifiers and
 * hits. Each candidate's cost is computed exactly over the graph; the best one found by changing
 * one part at a time is kept. Ownership: the caller's. Threads: one at a time. */
#pragma once

#include "solver/craft_solve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_SHORT_RULES = 5 }; /* and the last: a new base */

typedef enum craft_rule_at {
    CRAFT_AT_NORMAL,
    CRAFT_AT_MAGIC_ONE,
    CRAFT_AT_MAGIC_TWO,
    CRAFT_AT_RARE,
    CRAFT_AT_RARE_BLOCKED
} craft_rule_at;

/* One rule: at such an item with at least so many hits do this. */
typedef struct craft_short_rule {
    int use;  /* -1: a new base */
    int hits; /* at least */
} craft_short_rule;

typedef struct craft_short {
    craft_short_rule rule[CRAFT_SHORT_RULES]; /* by craft_rule_at */
    int evaluated;                            /* candidates */
} craft_short;

/* The best short strategy of what the best policy uses; plan->success is 0 where none was found. */
lu_status craft_short_find(craft_short *rules, const craft_problem *problem, craft_values *values,
                           const craft_plan *best, craft_plan *plan, lu_error *error);
/* Half a sentence: "magic, one modifier, at least 1 hit, nothing wanted blocked". */
void craft_short_condition(const craft_short *rules, int at, char *text, int room);

#ifdef __cplusplus
}
#endif
