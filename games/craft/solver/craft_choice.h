/* Which uses a plan may choose from: the plain ones, all that the solver knows, or a list of the
 * user; each with its price. What has no price is left out and named.
 * Ownership: the caller's. Threads: no shared data. */
#pragma once

#include "craft.h"

#include "solver/craft_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum craft_breadth { CRAFT_PLAIN, CRAFT_ALL, CRAFT_LISTED } craft_breadth;

enum { CRAFT_LEFT_OUT = 120 };

typedef struct craft_choice {
    int uses;
    struct {
        const char *item, *omen[2];
        int omens;
        double price;
    } use[CRAFT_USES_MAX];
    int unpriced, not_taken;
    const char *without_price[CRAFT_LEFT_OUT]; /* items */
    const char *left_out[CRAFT_LEFT_OUT];      /* what the solver does not take, by item */
} craft_choice;

/* Fills the choice. `list`: items separated by commas, each with omens behind +, for CRAFT_LISTED;
 * LU_BAD_VALUE names an entry that is unknown. */
lu_status craft_choose(craft_choice *choice, const craft_pool *pool, const craft_pack *pack,
                       const craft_goal *goal, const craft_target *target,
                       const craft_prices *prices, craft_breadth breadth, const char *list,
                       lu_error *error);

/* Adds the reveal, which is free, unless it is there. */
void craft_choose_reveal(craft_choice *choice);
/* Adds what can be done with the options that an item shows: to keep one, and to draw them again
 * where the choice has the omen for it. */
void craft_choose_shown(craft_choice *choice, const craft_item *item);

#ifdef __cplusplus
}
#endif
