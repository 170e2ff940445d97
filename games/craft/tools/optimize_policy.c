/* The optimum whole, for those who follow it: what to do with every item and its cost to go, and
 * how bases go step by step with the odds of what follows. */
#include "optimize.h"

#include <stdlib.h>
#include <string.h>

enum {
    KINDS = 256,        /* of situations that a flow tells apart, at most */
    BRANCHES = 8,       /* told of each */
    OUTCOMES = 2000000, /* a flow ends there */
    STATES = 120000     /* of a policy that is told: some 4 MB */
};

/* ---- what to do with every item ---- */

/* Sorts of a modifier: from which roll of its first number on it is which. */
static void write_sorts(lu_json *json, const optimize_answer *a) {
    const craft_pool *pool = &a->ask->pool;
    lu_json_key_object(json, "sorts");
    for (int k = 0; k < pool->entries; k++) {
        int last = -1, steps = pool->entry[k].ranges > 0 ? pool->entry[k].steps[0] : 1;
        lu_json_key_array(json, a->ask->pack->mods[pool->entry[k].mod].id);
        for (int roll = 0; roll < steps || roll == 0; roll++) {
            int sort = craft_sort_of(a->graph->sorts, k, roll);
            if (sort != last) {
                lu_json_int(json, roll);
                lu_json_int(json, sort);
            }
            last = sort;
        }
        lu_json_array_end(json);
    }
    lu_json_object_end(json);
}

/* Sorts of what is unrevealed, by side, floor and lord of its bone. */
static void write_hidden(lu_json *json, const craft_sorts *s) {
    static const char *const lords[CRAFT_LORDS] = {"none", "ulaman", "amanamu", "kurgal"};
    lu_json_key_array(json, "unrevealed");
    for (int k = 0; k < s->count; k++) {
        if (s->sort[k].family == CRAFT_NO_FAMILY && !s->sort[k].shown) {
            lu_json_object(json);
            lu_json_key_string(json, "side", s->sort[k].side == CRAFT_PREFIX ? "P" : "S");
            lu_json_key_int(json, "floor", s->sort[k].floor);
            lu_json_key_string(json, "lord", lords[s->sort[k].lord]);
            lu_json_key_int(json, "sort", k);
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
}

static double in_thousandths(double value) {
    return (double)(int64_t)(value * 1000.0 + 0.5) / 1000.0;
}

/* Modifiers that are of several sorts by their first number: how many values that has. */
static void write_rolls(lu_json *json, const optimize_answer *a) {
    const craft_pool *pool = &a->ask->pool;
    lu_json_key_object(json, "rolls");
    for (int k = 0; k < pool->entries; k++) {
        int steps = pool->entry[k].ranges > 0 ? pool->entry[k].steps[0] : 1;
        bool several = false;
        for (int roll = 1; roll < steps; roll++) {
            several = several || craft_sort_of(a->graph->sorts, k, roll) !=
                                     craft_sort_of(a->graph->sorts, k, 0);
        }
        if (several) {
            lu_json_key_int(json, a->ask->pack->mods[pool->entry[k].mod].id, steps);
        }
    }
    lu_json_object_end(json);
}

/* Costs to go of a reveal whose best option is kept, by the numbers of the states that hide
 * something: what drawing options again leads to. */
static void write_reveals(lu_json *json, const optimize_answer *a) {
    const craft_graph *g = a->graph;
    craft_values values;
    craft_values_init(&values, g);
    memcpy(values.v, a->to_go, g->table.count * sizeof *values.v);
    lu_json_key_array(json, "reveals");
    for (uint32_t node = 0, state = 0; node < g->table.count; node++) {
        for (uint32_t k = 0; k < g->moves[node] && g->flags[node] & CRAFT_NODE_HIDES; k++) {
            const craft_move *move = &g->move[g->move_at[node] + k];
            if (move->rows > 0 && !g->use[move->use].again && !g->use[move->use].shown) {
                double cost = craft_move_cost(&values, node, move, 0.0);
                lu_json_array(json);
                lu_json_int(json, state);
                lu_json_real(json, in_thousandths(cost / a->ask->unit));
                lu_json_array_end(json);
            }
        }
        state += g->flags[node] & CRAFT_NODE_REAL ? 1 : 0;
    }
    lu_json_array_end(json);
    craft_values_free(&values);
}

/* Number of the use at a node: -1 gives up, -2 is done. */
static int use_at(const optimize_answer *a, uint32_t node) {
    uint32_t move = a->strategy->plan.policy[node];
    return a->graph->flags[node] & CRAFT_NODE_GOAL ? -2
           : move == CRAFT_GIVE_UP                 ? -1
                                                   : a->graph->move[move].use;
}

void optimize_write_policy(lu_json *json, const optimize_answer *a) {
    const craft_graph *g = a->graph;
    if (g->states > STATES) {
        return;
    }
    lu_json_key_object(json, "policy");
    lu_json_key_array(json, "uses");
    for (int k = 0; k < g->uses; k++) {
        lu_json_string(json, g->use[k].name);
    }
    lu_json_array_end(json);
    write_sorts(json, a);
    write_rolls(json, a);
    write_hidden(json, g->sorts);
    if (g->rows > 0) {
        write_reveals(json, a);
    }
    lu_json_key_array(json, "states"); /* rarity, use, cost to go, sorts with their flags */
    for (uint32_t node = 0; node < g->table.count; node++) {
        const craft_set *set = &g->table.set[node];
        if (!(g->flags[node] & CRAFT_NODE_REAL)) {
            continue;
        }
        lu_json_array(json);
        lu_json_int(json, set->rarity);
        lu_json_int(json, use_at(a, node));
        lu_json_real(json, in_thousandths(a->to_go[node] / a->ask->unit));
        for (int k = 0; k < set->count; k++) {
            lu_json_int(json, set->mod[k]);
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* ---- step by step ---- */

/* Situations that are told alike: rarity, what is there of each requirement, what is done. */
typedef struct kind {
    uint8_t rarity, unused; /* compared as bytes */
    uint8_t have[CRAFT_NEEDS_MAX];
    int16_t use;
} kind;

typedef struct flow {
    const optimize_answer *a;
    craft_graph *graph; /* its table is searched */
    int kinds;
    kind kind[KINDS];
    double visits[KINDS];       /* of one base */
    double went[KINDS][KINDS];  /* from one to the other */
    uint32_t nodes;             /* of the graph; what comes behind is none of it */
    int16_t *kind_of;           /* of nodes, -1 = not asked yet */
    double *mass, *next;        /* chance that a base is at a node now, after the next step */
    uint32_t *active, *arrived; /* nodes with any */
    uint32_t actives, arrivals;
    uint32_t outcomes;
} flow;

/* Kind of a node; -1 = there are too many. */
static int kind_of(flow *f, uint32_t node) {
    const craft_set *set = &f->graph->table.set[node];
    kind now = {.rarity = set->rarity, .use = (int16_t)use_at(f->a, node)};
    if (f->kind_of[node] >= 0) {
        return f->kind_of[node];
    }
    (void)craft_set_hits(f->graph->sorts, set, now.have);
    int at = 0;
    while (at < f->kinds && memcmp(&f->kind[at], &now, sizeof now) != 0) {
        at++;
    }
    if (at == KINDS) {
        return -1;
    }
    if (at == f->kinds) {
        f->kind[f->kinds++] = now;
    }
    f->kind_of[node] = (int16_t)at;
    return at;
}

/* One step of all bases at a node. */
static bool step_node(flow *f, uint32_t node, craft_spread *spread) {
    int from = kind_of(f, node);
    if (from < 0 || f->kind[from].use < 0) {
        f->visits[from < 0 ? 0 : from] += f->mass[node];
        return from >= 0;
    }
    f->visits[from] += f->mass[node];
    craft_spread_clear(spread);
    const craft_plan *plan = &f->a->strategy->plan;
    craft_spread_move(spread, f->graph, plan->keep, node, &f->graph->move[plan->policy[node]],
                      f->mass[node]);
    for (uint32_t k = 0; k < spread->table.count; k++) {
        uint32_t to = craft_table_add(&f->graph->table, &spread->table.set[k]);
        int into = to < f->nodes ? kind_of(f, to) : -1;
        if (into < 0) {
            return false;
        }
        f->went[from][into] += spread->chance[k];
        if (f->next[to] <= 0.0) {
            f->arrived[f->arrivals++] = to;
        }
        f->next[to] += spread->chance[k];
        f->outcomes++;
    }
    return true;
}

/* Lets one base go, chance by chance, until next to nothing of it is left. */
static bool run_flow(flow *f) {
    craft_spread spread;
    bool fits = true;
    double left = 1.0;
    craft_spread_init(&spread);
    f->mass[0] = 1.0;
    f->active[f->actives++] = 0;
    while (f->actives > 0 && left > 1e-6 && f->outcomes < OUTCOMES && fits) {
        left = 0.0;
        for (uint32_t k = 0; k < f->actives && fits; k++) {
            fits = step_node(f, f->active[k], &spread);
            f->mass[f->active[k]] = 0.0;
        }
        uint32_t *nodes = f->active;
        double *mass = f->mass;
        f->active = f->arrived;
        f->actives = f->arrivals;
        f->mass = f->next;
        f->arrived = nodes;
        f->arrivals = 0;
        f->next = mass;
        for (uint32_t k = 0; k < f->actives; k++) {
            left += f->mass[f->active[k]];
        }
    }
    craft_spread_free(&spread);
    return fits;
}

static void write_branches(lu_json *json, const flow *f, int from) {
    bool told[KINDS] = {false};
    double all = 0.0;
    for (int k = 0; k < f->kinds; k++) {
        all += f->went[from][k];
    }
    lu_json_key_array(json, "to");
    for (int count = 0; count < BRANCHES && all > 0.0; count++) {
        int best = -1;
        for (int k = 0; k < f->kinds; k++) {
            bool more = best < 0 || f->went[from][k] > f->went[from][best];
            best = !told[k] && f->went[from][k] > 0.0 && more ? k : best;
        }
        if (best < 0) {
            break;
        }
        told[best] = true;
        lu_json_object(json);
        lu_json_key_int(json, "at", best);
        lu_json_key_real(json, "chance", f->went[from][best] / all);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_kinds(lu_json *json, const flow *f) {
    static const char *const rarities[CRAFT_RARITIES] = {"normal", "magic", "rare"};
    lu_json_key_array(json, "flow");
    for (int k = 0; k < f->kinds; k++) {
        int use = f->kind[k].use;
        lu_json_object(json);
        lu_json_key_string(json, "rarity", rarities[f->kind[k].rarity]);
        lu_json_key_array(json, "have");
        for (int need = 0; need < f->a->ask->goal.needs; need++) {
            lu_json_int(json, f->kind[k].have[need]);
        }
        lu_json_array_end(json);
        lu_json_key_string(json, "do",
                           use == -2   ? "stop"
                           : use == -1 ? "white_base"
                                       : f->graph->use[use].name);
        lu_json_key_real(json, "visits", f->visits[k]);
        write_branches(json, f, k);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

void optimize_write_flow(lu_json *json, const optimize_answer *a, craft_graph *graph) {
    uint32_t nodes = graph->table.count;
    flow *f = lu_alloc_zero(1, sizeof *f);
    f->a = a;
    f->graph = graph;
    f->nodes = nodes;
    f->kind_of = lu_alloc(nodes * sizeof *f->kind_of);
    f->mass = lu_alloc_zero(nodes, sizeof *f->mass);
    f->next = lu_alloc_zero(nodes, sizeof *f->next);
    f->active = lu_alloc(nodes * sizeof *f->active);
    f->arrived = lu_alloc(nodes * sizeof *f->arrived);
    memset(f->kind_of, 0xff, nodes * sizeof *f->kind_of);
    if (run_flow(f)) { /* one with too many kinds would tell nobody anything */
        write_kinds(json, f);
    }
    free(f->kind_of);
    free(f->mass);
    free(f->next);
    free(f->active);
    free(f->arrived);
    free(f);
}
