/* The cheapest strategy: see craft_solve.h. */
#include "solver/craft_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCALES = 12,           /* of bounds, from 1e-9 to 4e-3 */
    BEST_SWEEPS = 4000,    /* with one x */
    POLICY_SWEEPS = 20000, /* of one policy */
    WORTH_SWEEPS = 40,     /* of one that may not be worth it */
    BELOW_STEPS = 14,      /* of a bound by relaxation */
    BETWEEN = 12,          /* sweeps of a policy between two that look for better moves */
    ROUNDS = 60            /* of x */
};

#define TOLERANCE 1e-13 /* of a policy's costs and chances */
#define ROUGH     1e-7  /* of one that may not be worth it */
#define SURE      1e-10 /* chance of failure that is none */
#define HIDES     1e-6  /* by which bounds are wider before a reveal */

void craft_plan_init(craft_plan *plan, const craft_graph *g) {
    *plan = (craft_plan){.policy = lu_alloc((g->table.count + 1) * sizeof *plan->policy)};
    for (uint32_t k = 0; k < g->table.count; k++) {
        plan->policy[k] = CRAFT_GIVE_UP;
    }
    plan->keep = g->rows > 0 ? lu_alloc_zero(g->rows, sizeof *plan->keep) : NULL;
}

void craft_plan_free(craft_plan *plan) {
    free(plan->policy);
    free(plan->keep);
    memset(plan, 0, sizeof *plan);
}

static lu_status stopped(const craft_problem *problem, lu_error *error) {
    return problem->cancelled && problem->cancelled(problem->user)
               ? lu_fail(error, LU_INTERRUPTED, "the solver was stopped before it was done")
               : LU_OK;
}

/* Whether so many sweeps are more than the problem is worth. */
static lu_status limited(const craft_problem *problem, int64_t sweeps, lu_error *error) {
    return problem->most_sweeps > 0 && sweeps > problem->most_sweeps
               ? lu_fail(error, LU_LIMIT, "the solver was not done after %d sweeps",
                         problem->most_sweeps)
               : stopped(problem, error);
}

/* ---- one policy ---- */

/* Sum of all changes since `old`, which then is the values as they are. */
static double take_changes(const craft_values *values, double *old, double *change) {
    double sum = 0.0;
    uint32_t count = values->reach.layer[CRAFT_LAYERS];
    for (uint32_t k = 0; k < count; k++) {
        double now = values->v[values->reach.node[k]];
        change[k] = now - old[k];
        sum += fabs(change[k]);
        old[k] = now;
    }
    return sum;
}

/* Adds what changes that shrink by one ratio will add up to. */
static void take_rest(craft_values *values, double *old, const double *change, double ratio) {
    uint32_t count = values->reach.layer[CRAFT_LAYERS];
    for (uint32_t k = 0; k < count; k++) {
        old[k] = values->v[values->reach.node[k]] += change[k] * ratio / (1.0 - ratio);
    }
}

/* Whether a policy costs more than is asked for, or takes too long to tell. */
static bool is_over(const craft_problem *problem, const craft_terms *terms,
                    const craft_values *values, int sweeps) {
    return problem->worth > 0.0 && terms->goal <= 0.0 &&
           (values->v[0] > problem->worth || sweeps > WORTH_SWEEPS);
}

/* Sweeps a policy until nothing changes by more than the tolerance, as a part of the value of the
 * first root or the start. */
static lu_status settle(const craft_problem *problem, craft_values *values,
                        const craft_terms *terms, const craft_policy *policy, lu_error *error) {
    size_t count = values->reach.layer[CRAFT_LAYERS];
    double *old = lu_alloc((2 * count + 1) * sizeof *old), *change = old + count;
    double sum = 0.0, ratio = 0.0;
    double tolerance = problem->worth > 0.0 || problem->near > 0.0 ? ROUGH : TOLERANCE;
    lu_status status = LU_OK;
    (void)take_changes(values, memset(old, 0, count * sizeof *old), change);
    for (int k = 0; k < POLICY_SWEEPS && status == LU_OK; k++) {
        double most = craft_sweep_policy(values, terms, policy, problem->pool);
        double now = take_changes(values, old, change), shrinks = sum > 0.0 ? now / sum : 0.0;
        double slow = shrinks < 1.0 ? fmax(1.0 - shrinks, 1e-3) : 1e-3;
        if (is_over(problem, terms, values, k)) {
            values->v[0] = CRAFT_NEVER_COST;
            break;
        }
        double whole = fmax(fabs(values->v[0]), fabs(values->v[values->graph->start]));
        if (most <= fmax(tolerance * slow, 1e-16) * whole) {
            break;
        }
        if (k % 8 == 7 && shrinks > 0.5 && shrinks < 1.0 &&
            fabs(shrinks - ratio) < 0.02 * (1.0 - shrinks)) {
            take_rest(values, old, change, shrinks);
            now = 0.0;
        }
        ratio = shrinks;
        sum = now;
        status = k % 16 == 0 ? limited(problem, k, error) : LU_OK;
    }
    free(old);
    return status;
}

/* Values of a policy from nothing: its draws follow in the first sweeps. */
static lu_status evaluate(const craft_problem *problem, craft_values *values,
                          const craft_terms *terms, const craft_policy *policy, lu_error *error) {
    const craft_graph *g = values->graph;
    for (uint32_t k = 0; k < g->table.count; k++) {
        double given = policy[k] == CRAFT_GIVE_UP ? terms->give : 0.0;
        bool sold = terms->sale && policy[k] == CRAFT_GIVE_UP;
        values->v[k] = g->flags[k] & CRAFT_NODE_GOAL ? terms->goal
                       : sold                        ? given - terms->sale[k]
                                                     : given;
    }
    memset(values->d, 0, g->draws * sizeof *values->d);
    return settle(problem, values, terms, policy, error);
}

lu_status craft_evaluate_cost(const craft_problem *problem, craft_values *values, craft_plan *plan,
                              lu_error *error) {
    craft_terms terms = {.give = 0.0, .goal = 0.0, .sale = problem->sale};
    memcpy(terms.price, problem->price, sizeof terms.price);
    craft_values_follow(values, plan->policy, plan->keep, true);
    lu_status status = evaluate(problem, values, &terms, plan->policy, error);
    plan->per_base = values->v[0];
    plan->start_cost = values->v[values->graph->start];
    return status;
}

/* Whether a policy makes what is wanted of the start and never gives it up. */
static bool is_sure(const craft_plan *plan) {
    return plan->start_success > 1.0 - SURE;
}

static double from_start(const craft_problem *problem, const craft_plan *plan) {
    if (problem->graph->start == 0) {
        return plan->fresh;
    }
    return is_sure(plan)
               ? plan->start_cost
               : plan->start_cost + (1.0 - plan->start_success) * (problem->base + plan->fresh);
}

lu_status craft_evaluate(const craft_problem *problem, craft_values *values, craft_plan *plan,
                         lu_error *error) {
    craft_terms terms = {.give = 0.0, .goal = 1.0};
    lu_status status = craft_evaluate_cost(problem, values, plan, error);
    if (problem->worth > 0.0 && plan->per_base > problem->worth) {
        plan->success = 0.0;
        plan->fresh = plan->from = CRAFT_NEVER_COST;
        return status;
    }
    status = status == LU_OK ? evaluate(problem, values, &terms, plan->policy, error) : status;
    plan->success = values->v[0];
    plan->fresh = plan->success > 0.0
                      ? (plan->per_base + (1.0 - plan->success) * problem->base) / plan->success
                      : CRAFT_NEVER_COST;
    plan->start_success = values->v[values->graph->start];
    plan->from = from_start(problem, plan);
    return status;
}

lu_status craft_evaluate_fail(const craft_problem *problem, craft_values *values,
                              const craft_plan *plan, double *chance, lu_error *error) {
    craft_terms terms = {.give = 1.0};
    craft_values_follow(values, plan->policy, plan->keep, true);
    lu_status status = evaluate(problem, values, &terms, plan->policy, error);
    *chance = values->v[0];
    return status;
}

/* ---- the best policy ---- */

/* Values of the best policy when giving up costs terms->give. */
static lu_status pin(const craft_problem *problem, craft_values *values, const craft_terms *terms,
                     craft_plan *plan, double tolerance, lu_error *error) {
    lu_status status = LU_OK;
    int still = 0;
    for (int k = 0; k < BEST_SWEEPS && still < 2 && status == LU_OK; k++) {
        double most = craft_sweep_best(values, terms, plan->policy, problem->pool);
        plan->sweeps++;
        still = most <= tolerance * terms->give ? still + 1 : 0;
        if (still == 0) {
            craft_values_follow(values, plan->policy, NULL, false);
        }
        double left = most;
        for (int j = 0; j < BETWEEN && still == 0 && left > 0.1 * most; j++) {
            left = craft_sweep_policy(values, terms, plan->policy, problem->pool);
        }
        status = limited(problem, plan->sweeps, error);
    }
    if (plan->keep) {
        memcpy(plan->keep, values->keep, values->graph->rows * sizeof *plan->keep);
    }
    return status;
}

/* Whether no fresh base becomes what is wanted, so that only the start may. */
static bool is_alone(const craft_graph *g) {
    return g->first_goals == 0;
}

/* Scales the values by 1 - e or 1 + e and looks whether no move is below, or none above them: then
 * they bound the values of the best policy, and `fresh` of it is bounded by x scaled likewise. A
 * reveal is free: before it a little more, so that rounding is no matter.
 * Returns the scale; 0 or CRAFT_NEVER_COST: none holds. */
static double bound(const craft_problem *problem, craft_values *values, craft_terms *terms,
                    double x, int sign) {
    double *kept = lu_alloc(values->graph->table.count * sizeof *kept);
    size_t bytes = values->graph->table.count * sizeof *kept;
    double found = sign < 0 ? 0.0 : CRAFT_NEVER_COST;
    memcpy(kept, values->v, bytes);
    for (int k = 0; k < SCALES; k++) {
        double e = 1e-9 * (double)(1 << 2 * k);
        double pinned = x * (1.0 + sign * e);
        for (size_t node = 0; node < values->graph->table.count; node++) {
            bool hides = values->graph->flags[node] & CRAFT_NODE_HIDES;
            values->v[node] = kept[node] * (1.0 + sign * e * (hides ? 1.0 + HIDES : 1.0));
        }
        terms->give = problem->base + pinned;
        craft_values_draws(values, problem->pool);
        double worst = craft_sweep_check(values, terms, sign, problem->pool);
        bool holds = is_alone(values->graph) || (sign < 0 ? values->v[0] >= pinned * (1.0 - 1e-14)
                                                          : values->v[0] <= pinned * (1.0 + 1e-14));
        if (worst <= 1e-15 && holds) {
            found = 1.0 + sign * e;
            break;
        }
    }
    memcpy(values->v, kept, bytes);
    free(kept);
    return found;
}

/* The next x: from its own policy, but not far above what is known to be too low. */
static double next_x(const craft_plan *plan, double x) {
    bool far = plan->success <= 0.0 || plan->fresh > 3.0 * x;
    return far ? 3.0 * x : plan->fresh;
}

/* Whether x stands still; alone, whether giving up is so dear that the policy never does. */
static bool is_found(const craft_problem *problem, const craft_plan *plan, double moved,
                     double still) {
    return is_alone(problem->graph) ? is_sure(plan) : moved < still;
}

static lu_status find_x(const craft_problem *problem, craft_values *values, craft_values *own,
                        craft_terms *terms, craft_plan *plan, lu_error *error) {
    bool near = problem->near > 0.0;
    double x = near ? problem->near : problem->base, tolerance = 1e-3;
    double fine = near ? 1e-8 : 1e-14, still = near ? 1e-6 : 1e-11;
    lu_status status = LU_OK;
    if (near) {
        craft_values_draws(values, problem->pool);
    } else {
        craft_values_set(values, 0.0, problem->base + x, problem->pool);
    }
    for (int round = 0; round < ROUNDS && status == LU_OK; round++) {
        terms->give = problem->base + x;
        status = pin(problem, values, terms, plan, tolerance, error);
        status = status == LU_OK ? craft_evaluate(problem, own, plan, error) : status;
        double next = next_x(plan, x), moved = fabs(next - x) / x;
        if (problem->progress) {
            problem->progress(problem->user, 1.0 - 1.0 / (2.0 + round),
                              "finding the value of a base");
        }
        if (status == LU_OK && plan->success > 0.0 && next <= 0.0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'sale': abandoned items sell for more than they cost, so no strategy "
                           "is the cheapest: lower their price");
        }
        if (x > 1e15) {
            plan->possible = false;
            return status;
        }
        bool found = is_found(problem, plan, moved, still), alone = is_alone(problem->graph);
        if (found && tolerance <= fine) {
            break;
        }
        tolerance = (alone ? found : moved < 0.05) ? fine : 1e-3;
        x = alone && found ? x : next;
    }
    plan->possible = true;
    return status;
}

/* Bounds of `from`: by x and by the value of a fresh base, which differ by what sweeps leave, the
 * lower one below and the higher one above. */
static void prove(const craft_problem *problem, craft_values *values, craft_terms *terms,
                  craft_plan *plan) {
    const craft_graph *g = problem->graph;
    double x = is_alone(g) ? terms->give - problem->base : plan->fresh;
    double low = is_alone(g) ? x : fmin(x, values->v[0]);
    double high = is_alone(g) ? x : fmax(x, values->v[0]);
    bool base = g->start == 0;
    double start = values->v[g->start];
    plan->upper = fmin(plan->from, (base ? high : start) * bound(problem, values, terms, high, 1));
    plan->lower = (base ? low : start) * bound(problem, values, terms, low, -1);
}

lu_status craft_solve(const craft_problem *problem, craft_values *values, craft_plan *plan,
                      lu_error *error) {
    const craft_graph *g = problem->graph;
    craft_terms terms = {.goal = 0.0, .sale = problem->sale};
    craft_values own;
    craft_plan_init(plan, g);
    memcpy(terms.price, problem->price, sizeof terms.price);
    if (g->goals == 0) {
        return LU_OK;
    }
    craft_values_init(&own, g);
    lu_status status = find_x(problem, values, &own, &terms, plan, error);
    craft_values_free(&own);
    if (status == LU_OK && plan->possible && problem->near <= 0.0) {
        prove(problem, values, &terms, plan);
    }
    return status;
}

/* With giving up pinned to x: what `fresh` is proven not to be below by it; 0: nothing. */
static lu_status prove_below(const craft_problem *problem, craft_values *values, craft_plan *plan,
                             double x, double *proven, lu_error *error) {
    craft_terms terms = {.give = problem->base + x, .sale = problem->sale, .leap = problem->leap};
    memcpy(terms.price, problem->price, sizeof terms.price);
    lu_status status = pin(problem, values, &terms, plan, 1e-12, error);
    bool holds = status == LU_OK && values->v[0] >= x * (1.0 - 1e-9);
    *proven = holds ? x * bound(problem, values, &terms, fmin(x, values->v[0]), -1) : 0.0;
    return status;
}

lu_status craft_solve_below(const craft_problem *problem, craft_values *values, double upper,
                            double *lower, lu_error *error) {
    const craft_graph *g = problem->graph;
    craft_plan plan;
    double low = 0.0, high = upper, x = upper;
    lu_status status = LU_OK;
    values->chooses = true;
    craft_plan_init(&plan, g);
    craft_values_set(values, 0.0, problem->base + x, problem->pool);
    for (int k = 0; k < BELOW_STEPS && low < high * (1.0 - 1e-6) && status == LU_OK; k++) {
        double proven = 0.0;
        status = prove_below(problem, values, &plan, x, &proven, error);
        low = fmax(low, proven);
        high = proven > 0.0 ? high : x;
        x = low > 0.0 ? sqrt(low * high) : high / 8.0;
    }
    values->chooses = false;
    craft_plan_free(&plan);
    *lower = low;
    return status;
}

/* Whether the policy may come to a goal from every node: sweeps of that chance, until they reach no
 * further node. */
static bool all_arrive(const craft_problem *problem, craft_values *values,
                       const craft_policy *policy) {
    const craft_graph *g = problem->graph;
    craft_terms terms = {.goal = 1.0};
    uint32_t never = g->table.count + 1, before;
    craft_values_set(values, 1.0, 0.0, problem->pool);
    do {
        (void)craft_sweep_policy(values, &terms, policy, problem->pool);
        before = never;
        never = 0;
        for (uint32_t k = 0; k < g->table.count; k++) {
            never += values->v[k] <= 0.0 && (g->flags[k] & CRAFT_NODE_REAL) ? 1 : 0;
        }
    } while (never > 0 && never < before);
    return never == 0;
}

lu_status craft_uses_until(const craft_problem *problem, const double *chance, uint32_t roots,
                           double *expected, lu_error *error) {
    const craft_graph *g = problem->graph;
    craft_terms terms = {.give = CRAFT_NEVER_COST};
    craft_values values;
    craft_policy *policy = lu_alloc((g->table.count + 1) * sizeof *policy);
    for (uint32_t k = 0; k < g->table.count; k++) {
        policy[k] = g->moves[k] > 0 ? g->move_at[k] : CRAFT_GIVE_UP;
    }
    terms.price[0] = 1.0;
    craft_values_init(&values, g);
    craft_values_follow(&values, policy, NULL, false);
    bool ends = all_arrive(problem, &values, policy);
    craft_values_set(&values, 0.0, 0.0, problem->pool);
    lu_status status = ends ? settle(problem, &values, &terms, policy, error) : LU_OK;
    *expected = ends ? 0.0 : CRAFT_NEVER_COST;
    for (uint32_t k = 0; k < roots && ends; k++) {
        *expected += chance[k] * values.v[k];
    }
    craft_values_free(&values);
    free(policy);
    return status;
}
