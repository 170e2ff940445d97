/* Values of all nodes of a graph, by sweeps: each layer reads those before it and, of its own and
 * later ones, the values of the sweep before, so that the result is the same for any number of
 * threads.
 * Ownership: the caller's until craft_values_free; the graph must stay. Threads: one caller, the
 * pool works inside. */
#pragma once

#include "solver/craft_graph.h"

#include "ludus/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRAFT_NEVER_COST 1e200 /* of what cannot be done: sums of it stay numbers */

enum { CRAFT_GIVE_UP = 0x7fffffff, CRAFT_NO_MOVE = 0x7ffffffe }; /* instead of a move's number */

/* What a policy does: the number of its move at each node. */
typedef uint32_t craft_policy;

typedef struct craft_values {
    const craft_graph *graph;
    double *v;     /* of nodes */
    double *d;     /* of their draws */
    double *share; /* of their draws: one over all weight; 0: it is not one sum */
    double *fresh;
    uint32_t *need;    /* bits of the draws that a policy takes */
    craft_order reach; /* where a policy acts or draws; node is NULL: all */
} craft_values;

/* How a sweep adds up. */
typedef struct craft_terms {
    double price[CRAFT_USES_MAX]; /* CRAFT_NEVER_COST: not allowed */
    double give;                  /* value of giving up */
    double goal;                  /* value of a goal */
} craft_terms;

void craft_values_init(craft_values *values, const craft_graph *graph);
void craft_values_free(craft_values *values);
/* All nodes get these values; then draws are added up. */
void craft_values_set(craft_values *values, double goal, double other, lu_pool *pool);
/* Adds the draws up again. */
void craft_values_draws(craft_values *values, lu_pool *pool);

/* The best move of each node; returns the largest change. */
double craft_sweep_best(craft_values *values, const craft_terms *terms, craft_policy *policy,
                        lu_pool *pool);
/* Before sweeps of a policy: which draws it needs, at all nodes or at those it can reach from the
 * graph's first root and its start; the others are left out. */
void craft_values_follow(craft_values *values, const craft_policy *policy, bool from_root);
double craft_sweep_policy(craft_values *values, const craft_terms *terms,
                          const craft_policy *policy, lu_pool *pool);
/* With values and draws as they are: the largest ratio by which the best move is below (sign -1) or
 * above (sign +1) the value of a node. */
double craft_sweep_check(craft_values *values, const craft_terms *terms, int sign, lu_pool *pool);

double craft_move_value(const craft_values *values, const craft_move *move);

#ifdef __cplusplus
}
#endif
