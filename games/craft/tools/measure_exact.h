/* A task of the environment as the solver has it: the same target, uses and prices. Gives the exact
 * optimum, and the exact cost of any strategy that decides by what the solver tells apart of an
 * item.
 * Ownership: the caller's, from open to close; rules must stay. Threads: one at a time. */
#pragma once

#include "ludus/tool.h"

#include "craft.h"

#include "solver/craft_solve.h"

typedef struct craft_exact {
    const craft_rules *m;
    const craft_task *task;
    craft_sorts sorts;
    craft_graph graph;
    craft_values values;
    craft_problem problem;
    craft_plan best;
    int uses;
    craft_use use[CRAFT_ACTIONS];
    int action[CRAFT_ACTIONS]; /* of each use */
} craft_exact;

/* What a strategy comes to. */
typedef struct craft_worth {
    double cost;    /* exalted until it is done, the first base included */
    double within;  /* chance to be done within the budget */
    uint32_t items; /* different ones that it was asked about */
    bool stops;     /* it may stop with an unfinished item: there is no cost */
} craft_worth;

/* LU_LIMIT: more than `memory` bytes. */
lu_status craft_exact_open(craft_exact *exact, const craft_rules *m, int task, size_t memory,
                           const lu_tool_io *io, lu_error *error);
void craft_exact_close(craft_exact *exact);
/* Of the optimum. */
lu_status craft_exact_best(craft_exact *exact, craft_worth *worth, lu_error *error);
/* Of a strategy: `choose` gives its action for an item. */
typedef lu_status craft_choose_action(void *user, const craft_item *item, int *action,
                                      lu_error *error);
lu_status craft_exact_policy(craft_exact *exact, craft_choose_action *choose, void *user,
                             craft_worth *worth, lu_error *error);
/* The item of a set: one of those that the solver takes as equal. */
craft_item craft_exact_item(const craft_exact *exact, const craft_set *set);
