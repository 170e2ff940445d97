/* Sets with numbers: a table that finds each set once, and a spread, chances of sets, that uses
 * change step by step. All outcomes are enumerated, so that chances are exact.
 * Ownership: the caller's, until freed. Threads: one at a time. */
#pragma once

#include "solver/craft_uses.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct craft_table {
    craft_set *set;  /* in the order of their finding */
    uint32_t *place; /* number + 1, by hash; 0 = free */
    uint32_t count, room, mask;
} craft_table;

void craft_table_init(craft_table *table);
void craft_table_free(craft_table *table);
void craft_table_clear(craft_table *table);
/* Number of a set; a new one is the last. */
uint32_t craft_table_add(craft_table *table, const craft_set *set);

typedef struct craft_spread {
    craft_table table;
    double *chance; /* of each set of the table */
    uint32_t room;
    bool full; /* something was left out: there would have been more than CRAFT_SPREAD_SETS */
} craft_spread;

enum { CRAFT_SPREAD_SETS = 1 << 25 }; /* a gigabyte */

void craft_spread_init(craft_spread *spread);
void craft_spread_free(craft_spread *spread);
void craft_spread_clear(craft_spread *spread);
void craft_spread_add(craft_spread *spread, const craft_set *set, double chance);

/* Adds what a use makes of a set, times `chance`. False: it cannot be used,
 * and what is in the spread since then does not count. */
bool craft_spread_use(craft_spread *into, const craft_sorts *sorts, const craft_use *use,
                      const craft_set *set, double chance);
/* The same for one branch of a use. */
bool craft_spread_branch(craft_spread *into, const craft_sorts *sorts, const craft_branch *branch,
                         const craft_set *set, double chance);
/* The same for a draw on a set that has the rarity it is drawn for. */
bool craft_spread_draw(craft_spread *into, const craft_sorts *sorts, const craft_drawing *draw,
                       const craft_set *set, double chance);

#ifdef __cplusplus
}
#endif
