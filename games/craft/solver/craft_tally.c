/* What a plan comes to: see craft_tally.h. */
#include "solver/craft_tally.h"

#include "ludus/math.h"
#include "ludus/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES = 4000,
    FEWEST = 40,
    SUCCESSES = 1001,
    PLAYS = CRAFT_PLAYS,
    SUMMED = 1000,
    LONGEST = 100000
};

#define SURE   1e-9 /* chance of failure that is none: walks to it would never end */
#define SELDOM 25.0 /* failures that are seldom are long: of those below 1 in so many, fewer */

const double craft_quantile_at[CRAFT_QUANTILES] = {0.10, 0.25, 0.50, 0.75, 0.90, 0.99};

/* ---- one base ---- */

/* A walk along the policy that ends well or badly, as is asked. */
typedef struct stroll {
    const craft_problem *problem;
    const craft_values *values; /* chances of success of nodes and draws */
    const craft_policy *policy;
    bool well;
    lu_rng *rng;
} stroll;

static double weight_of(const stroll *s, double chance, double success) {
    double weight = chance * (s->well ? success : 1.0 - success);
    return weight > 0.0 ? weight : 0.0;
}

/* Where one draw leads from a node. */
static uint32_t draw_from(const stroll *s, uint32_t node, const craft_drawing *draw,
                          uint16_t barred) {
    const craft_graph *g = s->values->graph;
    craft_sight sight = craft_sight_of(g->sorts, &g->table.set[node]);
    uint32_t from = g->list_at[node], to = from + g->list[0][node] + g->list[1][node];
    double side[CRAFT_SIDES] = {0.0, 0.0}, sum = 0.0,
           *weight = lu_alloc((to - from + 1) * sizeof sum);
    uint32_t last = from;
    for (uint32_t k = from; k < to; k++) {
        const craft_atom *atom = &g->sorts->atom[g->atom[k]];
        bool takes = craft_draws_side(draw, &sight, atom->side) && atom->entry != barred;
        weight[k - from] = takes ? craft_atom_weight(g->sorts, draw, &sight, g->atom[k]) : 0.0;
        side[atom->side] += weight[k - from];
    }
    bool first = g->sorts->pool->switches.side_choice == CRAFT_SIDE_FIRST;
    for (uint32_t k = from; k < to; k++) {
        uint32_t next = g->next[k];
        double of = first ? side[g->sorts->atom[g->atom[k]].side] : 1.0;
        double success = draw->left > 1 && weight[k - from] > 0.0
                             ? s->values->d[craft_draw_place(g, next, draw->then)]
                             : s->values->v[next];
        weight[k - from] = of > 0.0 ? weight_of(s, weight[k - from] / of, success) : 0.0;
        sum += weight[k - from];
    }
    double at = lu_rng_unit(s->rng) * sum;
    for (uint32_t k = from; k < to; k++) {
        if (weight[k - from] > 0.0) {
            last = k;
            at -= weight[k - from];
            if (at < 0.0) {
                break;
            }
        }
    }
    free(weight);
    uint32_t next = g->next[last];
    return draw->left > 1 ? draw_from(s, next, &g->sorts->draw[draw->then], CRAFT_NO_ENTRY) : next;
}

/* Which of a move's references comes. */
static uint32_t pick_ref(const stroll *s, const craft_move *move) {
    const craft_graph *g = s->values->graph;
    double weight[UINT8_MAX], sum = 0.0;
    uint32_t last = 0;
    for (uint32_t k = 0; k < move->refs; k++) {
        uint32_t ref = g->ref[move->first + (move->barred ? 2 * k : k)];
        double success = move->barred ? 0.5 : move->draws ? s->values->d[ref] : s->values->v[ref];
        weight[k] = weight_of(s, move->uneven ? g->chance[move->first + k] : 1.0, success);
        sum += weight[k];
    }
    double at = lu_rng_unit(s->rng) * sum;
    for (uint32_t k = 0; k < move->refs; k++) {
        if (weight[k] > 0.0) {
            last = k;
            at -= weight[k];
            if (at < 0.0) {
                break;
            }
        }
    }
    return last;
}

static uint32_t step_from(const stroll *s, const craft_move *move) {
    const craft_graph *g = s->values->graph;
    uint32_t k = pick_ref(s, move);
    uint32_t ref = g->ref[move->first + (move->barred ? 2 * k : k)];
    if (!move->draws) {
        return ref;
    }
    uint16_t barred = move->barred ? (uint16_t)g->ref[move->first + 2 * k + 1] : CRAFT_NO_ENTRY;
    uint32_t node = move->barred ? ref : g->draw_node[ref];
    return draw_from(s, node, &g->sorts->draw[move->draw], barred);
}

/* What comes of a reveal; *again: the options were drawn once more. */
static uint32_t reveal_from(const stroll *s, const craft_move *move, bool *again) {
    const craft_graph *g = s->values->graph;
    double *chance = lu_alloc(move->rows * sizeof *chance), sum = 0.0;
    double twice = craft_reveal_rows(g, s->values->keep, move, chance);
    uint32_t last = 0;
    for (uint32_t k = 0; k < move->rows; k++) {
        double success = s->values->v[g->row_next[move->first + k]];
        chance[k] = weight_of(s, chance[k], success);
        sum += chance[k];
    }
    double at = lu_rng_unit(s->rng) * sum;
    for (uint32_t k = 0; k < move->rows; k++) {
        if (chance[k] > 0.0) {
            last = k;
            at -= chance[k];
            if (at < 0.0) {
                break;
            }
        }
    }
    free(chance);
    uint32_t first = last;
    while (first > 0 &&
           g->row_option[move->first + first - 1] == g->row_option[move->first + last]) {
        first--;
    }
    bool kept = s->values->keep[move->first + first] >= 0.0;
    *again = twice > 0.0 && (!kept || lu_rng_unit(s->rng) < twice / (1.0 + twice));
    return g->row_next[move->first + last];
}

/* Cost of what is done to one base or to the start; the path is kept where one is asked for. */
static double walk_from(const stroll *s, uint32_t node, craft_path *path) {
    const craft_graph *g = s->values->graph;
    double cost = 0.0;
    for (int k = 0; k < LONGEST && !(g->flags[node] & CRAFT_NODE_GOAL); k++) {
        uint32_t which = s->policy[node];
        if (which == CRAFT_GIVE_UP) {
            cost -= s->problem->sale ? s->problem->sale[node] : 0.0;
            break;
        }
        const craft_move *move = &g->move[which];
        bool pays = true;
        if (move->rows > 0) {
            node = reveal_from(s, move, &pays);
            pays = pays || !g->use[move->use].again;
        } else {
            node = step_from(s, move);
        }
        cost += pays ? s->problem->price[move->use] : 0.0;
        if (path && path->steps < CRAFT_PATH_STEPS) {
            path->step[path->steps].use = move->use;
            path->step[path->steps++].node = node;
        }
    }
    if (path) {
        path->cost = cost;
    }
    return cost;
}

double craft_walk(const craft_problem *problem, const craft_values *values,
                  const craft_policy *policy, uint32_t from, bool well, lu_rng *rng,
                  craft_path *path) {
    stroll s = {problem, values, policy, well, rng};
    return walk_from(&s, from, path);
}

/* ---- many bases ---- */

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A standard normal number, by twelve even ones. */
static double normal(lu_rng *rng) {
    double sum = -6.0;
    for (int k = 0; k < 12; k++) {
        sum += lu_rng_unit(rng);
    }
    return sum;
}

/* Costs of bases that failed, less what they bring: one by one, or where they are many by mean and
 * spread. */
static double failed_cost(const double *failure, double count, const double *moment, lu_rng *rng) {
    double sum = 0.0;
    if (count > SUMMED) {
        return count * moment[0] + sqrt(count * moment[1]) * normal(rng);
    }
    for (int k = 0; k < (int)count; k++) {
        sum += failure[(uint32_t)(lu_rng_unit(rng) * FAILURES)];
    }
    return sum;
}

/* Costs of bases as drawn: of those that failed, and of those that were done. */
typedef struct drawn {
    double failure[FAILURES], success[SUCCESSES];
    double cost, chance; /* the exact cost of one, and its chance of success */
} drawn;

static double any_of(const double *costs, int count, lu_rng *rng) {
    return costs[(uint32_t)(lu_rng_unit(rng) * count)];
}

/* Costs of failures as drawn get the mean that the exact cost leaves to them. */
static void scale_failures(drawn *d) {
    double *failure = d->failure, *success = d->success;
    double failed = 0.0, done = 0.0;
    for (int k = 0; k < FAILURES; k++) {
        failed += failure[k] / FAILURES;
    }
    for (int k = 0; k < SUCCESSES; k++) {
        done += success[k] / SUCCESSES;
    }
    double exact = (d->cost - d->chance * done) / (1.0 - d->chance);
    for (int k = 0; k < FAILURES && failed > 0.0 && exact > 0.0; k++) {
        failure[k] *= exact / failed;
    }
    for (int k = 0; k < FAILURES && failed < 0.0; k++) { /* sold for more than was spent on them */
        failure[k] += exact - failed;
    }
}

/* Many crafts: `item` is what they start from, NULL: a base. */
static void play_costs(double *cost, const craft_problem *problem, const drawn *base,
                       const drawn *item, lu_rng *rng) {
    double moment[2] = {0.0, 0.0}, fails = log1p(-base->chance);
    for (int k = 0; k < FAILURES; k++) {
        moment[0] += base->failure[k] / FAILURES;
    }
    for (int k = 0; k < FAILURES; k++) {
        double off = base->failure[k] - moment[0];
        moment[1] += off * off / FAILURES;
    }
    for (int k = 0; k < PLAYS; k++) {
        bool done = item && (base->chance <= 0.0 || lu_rng_unit(rng) < item->chance);
        if (done) {
            cost[k] = any_of(item->success, SUCCESSES, rng);
            continue;
        }
        double even = 1.0 - lu_rng_unit(rng);
        double count = base->chance < 1.0 ? floor(log(even) / fails) : 0.0;
        cost[k] = count * problem->base + failed_cost(base->failure, count, moment, rng) +
                  any_of(base->success, SUCCESSES, rng) +
                  (item ? problem->base + any_of(item->failure, FAILURES, rng) : problem->first);
    }
}

/* Keys of costs in whole numbers that are in the same order. */
static uint64_t key_of(double cost) {
    uint64_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Sorts the costs of all plays, digit by digit. */
static void sort_costs(double *cost) {
    enum { DIGIT = 11, DIGITS = 6, VALUES = 1 << DIGIT };
    double *from = cost, *other = lu_alloc(PLAYS * sizeof *other), *to = other;
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t at[VALUES] = {0}, sum = 0;
        for (int k = 0; k < PLAYS; k++) {
            at[key_of(from[k]) >> digit * DIGIT & (VALUES - 1)]++;
        }
        for (int value = 0; value < VALUES; value++) {
            uint32_t count = at[value];
            at[value] = sum;
            sum += count;
        }
        for (int k = 0; k < PLAYS; k++) {
            to[at[key_of(from[k]) >> digit * DIGIT & (VALUES - 1)]++] = from[k];
        }
        double *swap = from;
        from = to;
        to = swap;
    }
    LU_ASSERT(from == cost); /* as many digits as bring them back */
    free(other);
}

static void spread_costs(craft_tally *tally, double *cost, double budget) {
    double within = 0.0;
    for (int k = 0; k < PLAYS; k++) {
        within += cost[k] <= budget ? 1.0 / PLAYS : 0.0;
    }
    sort_costs(cost);
    for (int k = 0; k < CRAFT_QUANTILES; k++) {
        tally->quantile[k] = cost[(int)(craft_quantile_at[k] * PLAYS)];
    }
    tally->within = budget > 0.0 ? within : 1.0;
    tally->bin_from = cost[0];
    tally->bin_to = cost[PLAYS - 1];
    double width = tally->bin_from > 0.0 ? log(tally->bin_to / tally->bin_from) / CRAFT_BINS : 0.0;
    for (int k = 0; k < PLAYS; k++) {
        int bin = width > 0.0 ? (int)(log(cost[k] / tally->bin_from) / width) : 0;
        tally->bin[bin < CRAFT_BINS ? bin : CRAFT_BINS - 1] += 1.0 / PLAYS;
    }
}

/* Walks of one base, or of the start. */
static void draw_walks(drawn *d, stroll *s, uint32_t node, double cost, double chance) {
    d->cost = cost;
    d->chance = chance = chance > 1.0 - SURE ? 1.0 : chance;
    s->well = false;
    int walks = (int)fmin(FAILURES, FEWEST + FAILURES * SELDOM * (1.0 - chance));
    for (int k = 0; k < FAILURES; k++) {
        d->failure[k] = chance >= 1.0 ? 0.0
                        : k < walks   ? walk_from(s, node, NULL)
                                      : d->failure[k % walks];
    }
    s->well = true;
    for (int k = 0; k < SUCCESSES; k++) {
        d->success[k] = chance > 0.0 ? walk_from(s, node, NULL) : 0.0;
    }
    if (chance < 1.0) {
        scale_failures(d);
    }
}

/* Paths that end well, at three places of their costs; the start is given up as often as it is. */
static void walk_paths(craft_tally *tally, stroll *s, const craft_plan *plan) {
    static const double at[CRAFT_PATHS] = {0.1, 0.5, 0.9};
    uint32_t start = s->values->graph->start;
    craft_path *path = lu_alloc_zero(SUCCESSES, sizeof *path);
    double *sorted = lu_alloc(SUCCESSES * sizeof *sorted);
    s->well = true;
    for (int k = 0; k < SUCCESSES; k++) {
        path[k].renewed = start != 0 && plan->success > 0.0 &&
                          (plan->start_success <= 0.0 || lu_rng_unit(s->rng) > plan->start_success);
        sorted[k] = walk_from(s, path[k].renewed ? 0 : start, &path[k]);
    }
    qsort(sorted, SUCCESSES, sizeof *sorted, ascending);
    for (int p = 0; p < CRAFT_PATHS; p++) {
        int k = 0;
        while (path[k].cost < sorted[(int)(at[p] * SUCCESSES)] ||
               path[k].cost > sorted[(int)(at[p] * SUCCESSES)]) {
            k++;
        }
        tally->path[p] = path[k];
    }
    free(sorted);
    free(path);
}

/* ---- the whole ---- */

/* How many bases are bought behind what one starts with. */
static double bought(const craft_plan *plan) {
    return plan->success > 0.0 ? (1.0 - plan->start_success) / plan->success : 0.0;
}

double craft_plan_bases(const craft_problem *problem, const craft_plan *plan) {
    return bought(plan) + (problem->first > 0.0 ? 1.0 : 0.0);
}

/* Expected uses of each kind, one at a time. */
static lu_status count_uses(craft_tally *tally, const craft_problem *problem, craft_values *values,
                            const craft_plan *plan, lu_error *error) {
    const craft_graph *g = problem->graph;
    bool used[CRAFT_USES_MAX] = {false};
    double again = bought(plan);
    lu_status status = LU_OK;
    craft_values_follow(values, plan->policy, plan->keep, true);
    uint32_t count = values->reach.layer[CRAFT_LAYERS];
    for (uint32_t k = 0; k < count; k++) {
        uint32_t move = plan->policy[values->reach.node[k]];
        if (move != CRAFT_GIVE_UP && g->flags[values->reach.node[k]] & CRAFT_NODE_REAL) {
            used[g->move[move].use] = true;
        }
    }
    for (int use = 0; use < g->uses && status == LU_OK; use++) {
        craft_problem one = *problem;
        craft_plan counted = *plan;
        memset(one.price, 0, sizeof one.price);
        one.price[use] = 1.0;
        one.sale = NULL;
        if (used[use]) {
            status = craft_evaluate_cost(&one, values, &counted, error);
            tally->uses[use] = counted.start_cost + again * counted.per_base;
        }
    }
    return status;
}

lu_status craft_tally_plan(craft_tally *tally, const craft_problem *problem, craft_values *values,
                           craft_plan *plan, double budget, uint64_t seed, lu_error *error) {
    lu_rng rng = lu_rng_from(seed);
    memset(tally, 0, sizeof *tally);
    lu_status status = count_uses(tally, problem, values, plan, error);
    status = status == LU_OK ? craft_evaluate(problem, values, plan, error) : status;
    if (status != LU_OK || (plan->success <= 0.0 && plan->start_success <= 0.0)) {
        return status;
    }
    bool starts = problem->graph->start != 0;
    tally->bases = craft_plan_bases(problem, plan);
    drawn *base = lu_alloc(2 * sizeof *base), *item = starts ? base + 1 : NULL;
    double *cost = lu_alloc(PLAYS * sizeof *cost);
    stroll s = {problem, values, plan->policy, false, &rng};
    draw_walks(base, &s, 0, plan->per_base, plan->success);
    if (starts) {
        draw_walks(item, &s, problem->graph->start, plan->start_cost, plan->start_success);
    }
    walk_paths(tally, &s, plan);
    play_costs(cost, problem, base, item, &rng);
    spread_costs(tally, cost, budget);
    free(base);
    free(cost);
    return status;
}
