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

/* Instead of a move's number; CRAFT_LEAP: a use that was left out. */
enum { CRAFT_GIVE_UP = 0x7fffffff, CRAFT_NO_MOVE = 0x7ffffffe, CRAFT_LEAP = 0x7ffffffd };

/* What a policy does: the number of its move at each node. */
typedef uint32_t craft_policy;

typedef struct craft_values {
    const craft_graph *graph;
    double *v;     /* of nodes */
    double *d;     /* of their draws */
    double *share; /* of their draws: one over all weight; 0: it is not one sum */
    double *fresh;
    double *keep;   /* of rows of reveals, the first of each option: chance that it is the best of
                     * those offered; below 0: it is not kept where they may be drawn again */
    uint16_t *rank; /* of rows: the options from the best on, as they were ranked last */
    uint32_t *need; /* bits of the draws that a policy takes */
    craft_order reach; /* where a policy acts or draws; node is NULL: all */
    bool chooses;      /* what a use removes is the best choice, in place of any */
} craft_values;

/* How a sweep adds up. */
typedef struct craft_terms {
    double price[CRAFT_USES_MAX]; /* CRAFT_NEVER_COST: not allowed */
    double give;                  /* value of giving up */
    const double *sale;           /* of nodes, what is taken off that; NULL: nothing */
    double goal;                  /* value of a goal */
    const double *leap; /* of nodes: what a use that was left out costs at least, with all that
                         * follows; NULL: none was */
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
 * graph's first root and its start; the others are left out. `keep`: what it keeps of reveals;
 * NULL: as the values have it. */
void craft_values_follow(craft_values *values, const craft_policy *policy, const double *keep,
                         bool from_root);
double craft_sweep_policy(craft_values *values, const craft_terms *terms,
                          const craft_policy *policy, lu_pool *pool);
/* With values and draws as they are: the largest ratio by which the best move is below (sign -1) or
 * above (sign +1) the value of a node. */
double craft_sweep_check(craft_values *values, const craft_terms *terms, int sign, lu_pool *pool);

/* What a move at a node costs with all that follows; of a reveal the best is kept. */
double craft_move_cost(const craft_values *values, uint32_t node, const craft_move *move,
                       double price);
/* The most that drawing options again gains at a move, were it free. */
double craft_move_again(const craft_values *values, uint32_t node, const craft_move *move);
/* Outcomes of a reveal by what is kept: chance of each row (`rows` of them), and how often the
 * options are drawn again; may be NULL. */
double craft_reveal_rows(const craft_graph *graph, const double *keep, const craft_move *move,
                         double *chance);
/* Adds what a move makes of a node, times `chance`; `keep`: of the plan. */
void craft_spread_move(craft_spread *into, const craft_graph *graph, const double *keep,
                       uint32_t node, const craft_move *move, double chance);

#ifdef __cplusplus
}
#endif
