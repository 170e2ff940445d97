/* What the parts of the solver share. Ingredients with a magimin the recipe
 * does not ask for cannot be in an exact mix, so a task shrinks to vectors of
 * two or three wanted amounts; the target is k times the recipe's parts, and k
 * is what "size" means here. Ownership: a job points into its task. Threads:
 * one per job. */
#pragma once

#include "potion_solve.h"

enum { SOLVE_AXES = 3, SOLVE_NEVER = 200 /* items: not reachable */ };

typedef struct solve_item {
    int32_t amount[SOLVE_AXES];
    int32_t total, price;
    int32_t copies; /* that stock, slots and box allow */
    int32_t must;   /* of them that have to be taken */
    bool free;      /* the stock sets no limit: slots and box do */
    uint8_t action;
} solve_item;

typedef struct solve_job {
    const potion_task *task;
    int32_t part[SOLVE_AXES]; /* of the recipe; a recipe of two magimins has
                                 part[0] = 0 */
    int32_t sum;              /* of the parts */
    int32_t sizes;            /* largest k */
    int32_t slots;            /* most items */
    int32_t base[SOLVE_AXES]; /* amounts of what must be taken */
    int32_t base_items;
    bool traits; /* profit counts expected traits */
    int32_t count;
    solve_item item[POTION_INGREDIENTS];
} solve_job;

/* Whether the caller wants an end. */
bool solve_stopped(const solve_job *job);
lu_status solve_interrupted(lu_error *error);

/* need[k], k = 0..sizes: fewest items of a mix of size k, SOLVE_NEVER = none.
 * Mixes of one item count; solve_needs tells what two or more items can do.
 * (potion_solve_reach.c) */
lu_status solve_reach(const solve_job *job, uint8_t *need, lu_error *error);
/* Fewest items of a mix of size k with at least two items, from what
 * solve_reach found. */
lu_status solve_needs(const solve_job *job, int32_t k, uint8_t *need, lu_error *error);

/* Prices of the three magimins and of a slot, times SOLVE_SCALE, by which every
 * mix of size k is judged; they come from a linear programme and any values
 * give a valid bound. */
enum { SOLVE_SCALE = 256 };
typedef struct solve_duals {
    int32_t k;
    int32_t price; /* of one potion of this size */
    int32_t worth; /* the most it may sell for, with the best traits if they
                      count, scaled */
    int32_t axis[SOLVE_AXES], slot;
    int32_t bound; /* largest profit not ruled out */
} solve_duals;

void solve_duals_find(const solve_job *job, int32_t k, solve_duals *duals);
/* The same for a size and worth that are given. */
void solve_duals_fit(const solve_job *job, solve_duals *duals);
/* The bound once more, for another budget. */
void solve_duals_bound(const solve_job *job, solve_duals *duals);

typedef struct solve_found {
    bool found;
    bool complete; /* false: partial mixes were dropped for want of memory */
    bool last;     /* a lower level would allow nothing more */
    double profit;
    uint8_t pieces[POTION_ACTIONS];
} solve_found;

/* The largest sum that traits may have from the pieces of a job. */
int solve_best_traits(const solve_job *job);

/* The largest profit of size k if it is at least `least`. (potion_solve_cost.c)
 */
lu_status solve_cost(const solve_job *job, const solve_duals *duals, int32_t least,
                     solve_found *found, lu_error *error);

/* Whether potions of a size have the grade that is asked for. */
bool solve_good_enough(const solve_job *job, int32_t k);

/* The second proof, over all sizes (for the profit) or the largest ones (for the total).
 * (potion_solve_prove.c) */
lu_status solve_prove(const solve_job *job, const potion_brew *brew, bool all, int64_t limit,
                      potion_proof *proof, lu_error *error);

/* The best mixes, added up; those of at least a level that goes down until there are enough. */
lu_status solve_top(const solve_job *job, int32_t wanted, int64_t limit, potion_brew *brews,
                    int32_t *count, lu_error *error);
