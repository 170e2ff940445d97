/* The exact solver of potion: the best potion from a stock, proven. Questions: the largest total
 * (among those the largest profit), the largest profit, with traits or without, the front of size,
 * cost and profit, the least purchase. A potion is of exactly the recipe's ratio, or of a lowest
 * class of stability. Parts: a table of all exact amounts that can be reached with the fewest items
 * (potion_solve_reach.c), prices of magimins and slots (potion_solve_dual.c) with tables of bounds
 * (potion_solve_bounds.c), and a search for the cheapest mix that keeps every partial mix a bound
 * cannot rule out (potion_solve_cost.c). Ownership: a task is only read; what is allocated is freed
 * before a call returns. Threads: no shared state. */
#pragma once

#include "ludus/error.h"

#include "potion_tables.h"

#include <stdbool.h>
#include <stddef.h>

LU_C_BEGIN

typedef struct potion_task {
    int32_t recipe, max_items, max_magimins;
    uint8_t stock[POTION_ACTIONS]; /* pieces of each ingredient */
    uint8_t must[POTION_ACTIONS];  /* pieces that have to be in the mix, at most
                                      the stock */
    uint8_t owned[POTION_ACTIONS]; /* pieces of the stock that cost nothing; the others are bought
                                      at their price */
    int32_t stability;             /* lowest class, POTION_UNSTABLE to POTION_PERFECT; 0 = exactly
                                      the ratio, which asks for more than POTION_PERFECT */
    int32_t budget;                /* most gold for the ingredients, 0 = any */
    int32_t least_grade;           /* lowest final grade */
    size_t memory;                 /* most bytes that tables and searches may take */
    void *user;
    /* Share done in [0, 1] and what is being done; may be NULL. */
    void (*progress)(void *user, double share, const char *what);
    /* True when the caller wants an early end; may be NULL. */
    bool (*cancelled)(void *user);
} potion_task;

/* One potion. */
typedef struct potion_brew {
    bool found;
    bool optimal;                   /* proven; else see the bounds */
    int32_t bound;                  /* largest profit that is not ruled out */
    int32_t total_bound;            /* largest total that is not ruled out; 0 = not asked for */
    uint8_t pieces[POTION_ACTIONS]; /* the mix */
    potion_mix mix;                 /* what it adds up to */
    int32_t code;                   /* class of stability */
    int32_t brewed, grade, price;
    int32_t paid;     /* gold: the price of all pieces that are not owned */
    int32_t profit;   /* less what was paid */
    double trait_sum; /* expected: ties count as their average */
    double expected;  /* profit with traits */
} potion_brew;

/* The task of a cauldron with an empty stock and 1 GiB of memory. */
potion_task potion_task_of(int recipe, int cauldron);

/* The largest total; among equal totals the largest profit. Not found: there is no such potion, if
 * it is optimal. Where memory or a limit of work ends first, the best potion found has bounds.
 * LU_INTERRUPTED: cancelled. */
lu_status potion_solve_total(const potion_task *task, potion_brew *brew, lu_error *error);
/* The largest profit of all potions, which may be a loss. */
lu_status potion_solve_profit(const potion_task *task, potion_brew *brew, lu_error *error);
/* The largest expected profit with traits: a tie between different ingredients
 * counts as the average of their signs. */
lu_status potion_solve_traits(const potion_task *task, potion_brew *brew, lu_error *error);
/* The potion for which the least gold is paid: brew->paid. */
lu_status potion_solve_purchase(const potion_task *task, potion_brew *brew, lu_error *error);

/* The front of cost and profit: from the largest profit down to the cheapest potion, every potion
 * that brings more than all that cost as much or less. `point` gets each one; one that is not
 * optimal ends the front. */
lu_status potion_solve_front(const potion_task *task, void (*point)(void *, const potion_brew *),
                             void *user, lu_error *error);
/* The front of size, cost and profit: every potion for which no other is as large, as cheap and as
 * profitable; from the largest down, of equal ones the dearest first. Exactly the ratio only.
 * *complete: false when memory or work did not suffice for some sizes. */
lu_status potion_solve_front_sizes(const potion_task *task,
                                   void (*point)(void *, const potion_brew *), void *user,
                                   bool *complete, lu_error *error);

/* A second proof of an answer of potion_solve_total or potion_solve_profit, by branch and bound. */
typedef struct potion_proof {
    bool proven;   /* false: it was given up at the limit */
    int64_t nodes; /* partial mixes that were looked at */
} potion_proof;

/* LU_FAILED: a better mix exists, the solver is wrong. */
lu_status potion_prove_total(const potion_task *task, const potion_brew *brew, int64_t limit,
                             potion_proof *proof, lu_error *error);
lu_status potion_prove_profit(const potion_task *task, const potion_brew *brew, int64_t limit,
                              potion_proof *proof, lu_error *error);

/* The `wanted` most profitable different mixes, best first, without traits, by the same branch and
 * bound; fewer when there are not so many. LU_LIMIT: `limit` nodes were not enough. */
enum { POTION_TOP_MOST = 100 };
lu_status potion_solve_top(const potion_task *task, int32_t wanted, int64_t limit,
                           potion_brew *brews, int32_t *count, lu_error *error);

/* Adds the pieces up again by the rules of the game and fills in what follows.
 * False when the mix is not within stock and cauldron, or not of the stability
 * that is asked for: then the solver is wrong. */
bool potion_brew_add_up(const potion_task *task, potion_brew *brew);

LU_C_END
