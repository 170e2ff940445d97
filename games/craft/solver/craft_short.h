/* Strategies short enough to follow by hand: a list of at most six rules of which the first that
 * fits counts, each a few conditions that a player sees at a glance and what to do then. What a use
 * loses against the optimum at a node is known exactly, and by how often a strategy comes there all
 * it loses; so lists are searched over nodes that were walked through, and each that is taken is
 * then evaluated exactly over the graph. Ownership: the caller's. Threads: one at a time; the pool
 * works inside, equal results for any number of threads. */
#pragma once

#include "solver/craft_tally.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CRAFT_SHORT_RULES = 5 }; /* and the last: a new base */

/* One rule: where all of its conditions hold and it can be used, do this. */
typedef struct craft_short_rule {
    int32_t use; /* -1: no rule */
    int32_t unused;
    uint64_t wanted; /* bits of conditions */
} craft_short_rule;

typedef struct craft_short {
    craft_short_rule rule[CRAFT_SHORT_RULES];
    int evaluated; /* lists whose cost was computed */
} craft_short;

/* The best short strategy found; `optimal`: values of the nodes under the best policy; `known`: one
 * to begin with, NULL: none. plan->success is 0 where none was found. */
lu_status craft_short_find(craft_short *rules, const craft_problem *problem, craft_values *values,
                           const craft_plan *best, const double *optimal, const craft_short *known,
                           craft_plan *plan, lu_error *error);
/* Half a sentence: "magic, at least 1 hit". The target names the requirements. */
void craft_short_condition(const craft_short *rules, int at, const craft_target *target, char *text,
                           int room);

#ifdef __cplusplus
}
#endif
