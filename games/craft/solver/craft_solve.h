/* The cheapest strategy over a graph, with bounds. The value x of a fresh base is the unknown: for
 * a given x, giving up costs a base and x, and sweeps find the best policy; its cost per base C and
 * its chance of success H give a better x = (C + (1 - H) base) / H, until it stands still. Bounds:
 * values scaled down that no move is below, and up that none is above, hold by themselves.
 * A craft may start from another item than a fresh base: the graph's start. Where no fresh base
 * becomes what is wanted, a plan must never give that item up.
 * Ownership: the caller's until freed. Threads: one caller, the pool works inside; equal results
 * for any number of threads. */
#pragma once

#include "solver/craft_values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct craft_problem {
    const craft_graph *graph;
    double price[CRAFT_USES_MAX]; /* CRAFT_NEVER_COST: not allowed */
    double base;                  /* price of a new base */
    double first;                 /* price of what one starts with: a base, or 0 */
    const double *sale;           /* of nodes: what is given up brings so much; NULL: nothing */
    const double *leap;           /* of nodes, for craft_solve_below: see craft_terms */
    double worth; /* an evaluation ends where one base costs more, or takes long; 0: it goes on */
    int most_sweeps; /* of a policy and for the best one: LU_LIMIT beyond; 0: as many as it takes */
    double near;     /* above 0: `fresh` of a problem like this one, whose values are the first
                      * guess; the plan is rough then, about 1e-6, and nothing is proven */
    lu_pool *pool;
    void *user;
    void (*progress)(void *user, double share, const char *what); /* may be NULL */
    bool (*cancelled)(void *user);                                /* may be NULL */
} craft_problem;

/* A policy and what it costs. */
typedef struct craft_plan {
    craft_policy *policy; /* by node */
    double *keep;         /* what it keeps of reveals, by row (craft_values.h); NULL: nothing is */
    bool possible;        /* false: no chain of uses fulfils the target */
    double fresh;         /* expected cost from a fresh base that is paid for */
    double from;          /* and from the start; what one starts with is paid for */
    double lower, upper;  /* of the best policy's from the start; lower is 0: nothing is proven */
    double per_base;      /* expected cost of what is done to one base */
    double success;       /* chance that one base becomes what is wanted */
    double start_cost;    /* the same two of what is done to the start */
    double start_success;
    uint32_t sweeps;
} craft_plan;

/* A plan that gives everything up. */
void craft_plan_init(craft_plan *plan, const craft_graph *graph);
void craft_plan_free(craft_plan *plan);

/* The best policy from the graph's first root, a fresh base, and from its start. `values` are those
 * of the pinned x afterwards. */
lu_status craft_solve(const craft_problem *problem, craft_values *values, craft_plan *plan,
                      lu_error *error);
/* A proven lower bound of `fresh`, at most `upper`, that also holds for uses which choose what they
 * remove (the lowest level, all but a fractured one) at no lower price than those of the graph, and
 * for others that cost at least `leap` with all that follows; 0 where none was found. A craft from
 * a fresh base alone. */
lu_status craft_solve_below(const craft_problem *problem, craft_values *values, double upper,
                            double *lower, lu_error *error);
/* Costs of a given policy: per_base, success and fresh are filled in; `values` then are chances of
 * success. */
lu_status craft_evaluate(const craft_problem *problem, craft_values *values, craft_plan *plan,
                         lu_error *error);
/* per_base alone. */
lu_status craft_evaluate_cost(const craft_problem *problem, craft_values *values, craft_plan *plan,
                              lu_error *error);
/* Chance that a base is given up, exactly 0 where the policy never does. */
lu_status craft_evaluate_fail(const craft_problem *problem, craft_values *values,
                              const craft_plan *plan, double *chance, lu_error *error);
/* Expected uses of the only use of a graph until a goal, from the chances of its roots; no giving
 * up. CRAFT_NEVER_COST: it may never end. */
lu_status craft_uses_until(const craft_problem *problem, const double *chance, uint32_t roots,
                           double *expected, lu_error *error);

#ifdef __cplusplus
}
#endif
