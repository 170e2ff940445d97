/* How much the answer hangs on what is unsure: the price of each item at which the strategy
 * changes, found by bisection, and what the optimum costs where a rule that is not sure is another.
 * Every figure here is one more solve, so that large crafts are asked for it. */
#include "optimize.h"

#include "craft_switches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 12000,          /* nodes up to which it is not asked for */
    HALVINGS = 11,          /* of a range of prices */
    SWITCH_VISITS = 8 << 20 /* of nodes by one solve */
};

#define CLOSE 1.002 /* ratio of prices that are told apart no more */

/* ---- prices ---- */

typedef struct prober {
    optimizer *o;
    const double *optimal; /* values of the nodes at the prices as they are */
    const char *item;
    double now; /* its price */
    int first;  /* use of the optimum's first step, -1 = a new base */
    int then;   /* that of the last probe which differs */
} prober;

static bool has_part(const craft_use *use, const char *item) {
    bool has = strcmp(use->item, item) == 0;
    for (int k = 0; k < use->omens; k++) {
        has = has || strcmp(use->omen[k], item) == 0;
    }
    return has;
}

static int first_use(const craft_graph *g, const craft_plan *plan) {
    uint32_t move = plan->policy[g->start];
    return move == CRAFT_GIVE_UP ? -1 : g->move[move].use;
}

/* Whether a plan ever uses the item. */
static bool is_used(prober *p, const craft_plan *plan) {
    const craft_graph *g = &p->o->graph;
    craft_values *values = &p->o->values;
    bool used = strcmp(p->item, "white_base") == 0;
    craft_values_follow(values, plan->policy, plan->keep, true);
    for (uint32_t k = 0; k < values->reach.layer[CRAFT_LAYERS] && !used; k++) {
        uint32_t node = values->reach.node[k], move = plan->policy[node];
        used = (g->flags[node] & CRAFT_NODE_REAL) && move != CRAFT_GIVE_UP &&
               has_part(&g->use[g->move[move].use], p->item);
    }
    return used;
}

/* Solves at another price of the item, from the values at the present one. */
static lu_status solve_at(prober *p, double price, craft_plan *plan, lu_error *error) {
    optimizer *o = p->o;
    craft_problem other = o->problem;
    for (int k = 0; k < o->graph.uses; k++) {
        other.price[k] += has_part(&o->graph.use[k], p->item) ? price - p->now : 0.0;
    }
    if (strcmp(p->item, "white_base") == 0) {
        other.base = price;
    }
    other.near = o->strategy[0].plan.fresh;
    other.progress = NULL;
    other.most_sweeps = SWITCH_VISITS / (int)(o->graph.table.count + 1) + 64;
    memcpy(o->values.v, p->optimal, o->graph.table.count * sizeof *p->optimal);
    return craft_solve(&other, &o->values, plan, error);
}

/* Whether the strategy differs at a price: an unused item is used, or the first step is another. */
static lu_status differs_at(prober *p, bool unused, double price, bool *differs, lu_error *error) {
    craft_plan plan;
    lu_status status = solve_at(p, price, &plan, error);
    if (status == LU_OK) {
        int then = first_use(&p->o->graph, &plan);
        *differs = unused ? is_used(p, &plan) : then != p->first;
        p->then = *differs ? then : p->then;
    }
    craft_plan_free(&plan);
    return status;
}

/* Narrows a range of prices whose end `other` differs and whose end `same` does not. */
static lu_status narrow(prober *p, bool unused, double same, double other, double *at,
                        lu_error *error) {
    lu_status status = LU_OK;
    for (int k = 0; k < HALVINGS && fmax(same / other, other / same) > CLOSE && status == LU_OK;
         k++) {
        double middle = sqrt(same * other);
        bool differs = false;
        status = differs_at(p, unused, middle, &differs, error);
        *(differs ? &other : &same) = middle;
    }
    *at = sqrt(same * other);
    return status;
}

/* What a use may cost at a node before it is no better than the optimum: the most over all nodes
 * bounds the price at which an unused item comes into use from above, the most over those that the
 * optimum reaches from below. */
static void gains_of(prober *p, double *reached, double *any) {
    optimizer *o = p->o;
    const craft_graph *g = &o->graph;
    uint8_t *seen = lu_alloc_zero(g->table.count + 1, 1);
    memcpy(o->values.v, p->optimal, g->table.count * sizeof *p->optimal);
    craft_values_draws(&o->values, o->problem.pool);
    craft_values_follow(&o->values, o->strategy[0].plan.policy, o->strategy[0].plan.keep, true);
    for (uint32_t k = 0; k < o->values.reach.layer[CRAFT_LAYERS]; k++) {
        seen[o->values.reach.node[k]] = 1;
    }
    *reached = *any = 0.0;
    for (uint32_t k = 0; k < g->queued; k++) {
        uint32_t node = g->queue[k];
        for (uint32_t m = 0; m < g->moves[node]; m++) {
            const craft_move *move = &g->move[g->move_at[node] + m];
            if (has_part(&g->use[move->use], p->item)) {
                double rest = o->problem.price[move->use] - p->now;
                double gain =
                    g->use[move->use].again
                        ? craft_move_again(&o->values, node, move)
                        : o->values.v[node] - craft_move_cost(&o->values, node, move, rest);
                *any = fmax(*any, gain);
                *reached = seen[node] ? fmax(*reached, gain) : *reached;
            }
        }
    }
    free(seen);
}

/* The price below which an item that is not used would be. */
static lu_status find_entry(prober *p, optimize_turn *turn, lu_error *error) {
    double low, high;
    bool differs = true;
    lu_status status = LU_OK;
    gains_of(p, &low, &high);
    high = fmin(high, p->now);
    low = fmax(low, high / 1024.0);
    if (high <= 0.0) {
        turn->note = "it never helps, whatever its price";
        return LU_OK;
    }
    if (high > low * CLOSE) {
        status = differs_at(p, true, low / CLOSE, &differs, error);
        LU_THEN(status, differs ? narrow(p, true, high, low / CLOSE, &low, error) : LU_OK);
    }
    turn->at = differs ? low : 0.0;
    turn->note =
        differs ? "it is used below this price" : "not used even at a thousandth of the price";
    return status;
}

/* The price at which the first step of the optimum becomes another, above or else below. */
static lu_status find_turn(prober *p, optimize_turn *turn, lu_error *error) {
    static const double times[] = {8.0, 1024.0, 1.0 / 1024.0};
    double same = p->now;
    lu_status status = LU_OK;
    turn->note = "the first step stays the same from a thousandth to a thousand times the price";
    for (size_t k = 0; k < sizeof times / sizeof *times && status == LU_OK; k++) {
        bool differs = false;
        same = times[k] < 1.0 && same > p->now ? p->now : same;
        status = differs_at(p, false, p->now * times[k], &differs, error);
        if (status == LU_OK && differs) {
            LU_THEN(status, narrow(p, false, same, p->now * times[k], &turn->at, error));
            turn->note = "the first step changes";
            break;
        }
        same = p->now * times[k];
    }
    return status;
}

/* One item; what takes too long is told and no error. */
static lu_status find_one(prober *p, optimize_spread *spread, bool unused, lu_error *error) {
    optimize_turn *turn = &spread->turn[spread->turns++];
    *turn = (optimize_turn){.item = p->item};
    lu_status status = unused ? find_entry(p, turn, error) : find_turn(p, turn, error);
    turn->to = turn->at > 0.0 && !unused ? p->then : OPTIMIZE_NO_USE;
    if (status == LU_LIMIT) {
        *turn = (optimize_turn){.item = p->item, .note = "not found within the sweeps of a search"};
        error->status = status = LU_OK;
    }
    return status;
}

int optimize_items(const craft_graph *g, const char *item[OPTIMIZE_ITEMS]) {
    int count = 0;
    item[count++] = "white_base";
    for (int k = 0; k < g->uses; k++) {
        const craft_use *use = &g->use[k];
        for (int part = 0; part <= use->omens; part++) {
            const char *name = part == 0 ? use->item : use->omen[part - 1];
            int at = 0;
            while (at < count && strcmp(item[at], name) != 0) {
                at++;
            }
            if (!craft_is_free(name) && at == count && count < OPTIMIZE_ITEMS) {
                item[count++] = name;
            }
        }
    }
    return count;
}

static lu_status find_turns(optimizer *o, lu_error *error) {
    const char *item[OPTIMIZE_ITEMS];
    int count = optimize_items(&o->graph, item);
    lu_status status = LU_OK;
    prober p = {.o = o, .optimal = o->optimal};
    p.first = first_use(&o->graph, &o->strategy[0].plan);
    for (int k = 0; k < count && status == LU_OK; k++) {
        p.item = item[k];
        p.now = craft_priced(&o->ask.prices, item[k]);
        if (o->io->progress) {
            o->io->progress(o->io->user, (double)k / count, "looking for prices that matter");
        }
        bool used = is_used(&p, &o->strategy[0].plan);
        status = p.now > 0.0 ? find_one(&p, &o->spread, !used, error) : LU_OK;
    }
    return status;
}

/* ---- rules ---- */

static bool always(const optimizer *o) {
    return o != NULL;
}

static bool has_line(const optimizer *o, int from, int to) {
    bool has = false;
    for (int k = 0; k < o->graph.uses; k++) {
        has = has || (o->graph.use[k].line >= from && o->graph.use[k].line <= to);
    }
    return has;
}

static bool has_floor(const optimizer *o) {
    bool has = false;
    for (int k = 0; k < o->graph.uses; k++) {
        has = has || o->graph.use[k].floor > 0;
    }
    return has;
}

static bool has_high_floor(const optimizer *o) {
    bool has = false;
    for (int k = 0; k < o->ask.choice.uses; k++) {
        int row = craft_currency_find(o->ask.pack, o->ask.choice.use[k].item);
        int version = o->ask.pool.switches.version - 3;
        has = has || (row >= 0 && o->ask.pack->currencies[row].floor[version] > o->ask.pool.ilvl);
    }
    return has;
}

static bool shifts_limits(const optimizer *o) {
    const uint8_t *limit = o->ask.pool.limit[CRAFT_RARE];
    return limit[CRAFT_PREFIX] != 3 || limit[CRAFT_SUFFIX] != 3;
}

static bool has_alchemy(const optimizer *o) {
    return has_line(o, CRAFT_LINE_ORB_OF_ALCHEMY, CRAFT_LINE_ORB_OF_ALCHEMY);
}

static bool has_chaos(const optimizer *o) {
    return has_line(o, CRAFT_LINE_CHAOS_ORB, CRAFT_LINE_CHAOS_ORB);
}

static bool has_essence(const optimizer *o) {
    return has_line(o, CRAFT_LINE_ESSENCE_UPGRADE, CRAFT_LINE_ESSENCE_UPGRADE) ||
           has_line(o, CRAFT_LINE_ESSENCE_SWAP, CRAFT_LINE_ESSENCE_SWAP);
}

static bool has_bone(const optimizer *o) {
    return has_line(o, CRAFT_LINE_BONE, CRAFT_LINE_BONE);
}

static bool has_low_bone(const optimizer *o) {
    return has_bone(o) && o->ask.pool.ilvl < 65;
}

static bool has_lord(const optimizer *o) {
    bool has = false;
    for (int k = 0; k < o->graph.uses; k++) {
        has = has || o->graph.use[k].lord != CRAFT_LORD_NONE;
    }
    return has;
}

static bool has_bone_and_fracture(const optimizer *o) {
    return has_bone(o) && has_line(o, CRAFT_LINE_FRACTURING_ORB, CRAFT_LINE_FRACTURING_ORB);
}

static bool has_whittling(const optimizer *o) {
    bool has = false;
    for (int k = 0; k < o->graph.uses; k++) {
        has = has || o->graph.use[k].lowest;
    }
    return has;
}

/* Switches that can change what the solver sees; the others are of divine and vaal orbs and
 * catalysts, or have no other value by themselves. The first two are those that most of the answer
 * hangs on. */
static const struct {
    const char *key;
    bool (*matters)(const optimizer *o);
} switches[] = {
    {"side_choice", always},
    {"weights", always},
    {"floor_mode", has_floor},
    {"floor_needs_ilvl", has_high_floor},
    {"magic_limit_shift", shifts_limits},
    {"alchemy_on_magic", has_alchemy},
    {"removed_can_return", has_chaos},
    {"essence_blocked_by_family", has_essence},
    {"whittling_tie", has_whittling},
    {"bone_side", has_bone},
    {"lord_omen", has_lord},
    {"reveal_gate_65", has_low_bone},
    {"fracture_unrevealed_counts", has_bone_and_fracture},
};

enum { MOST = 2 };

/* Solves once more where one switch has another value. */
static lu_status solve_under(const optimizer *o, const lu_settings *settings, optimize_case *one,
                             lu_error *error) {
    optimizer *other = lu_alloc_zero(1, sizeof *other);
    lu_tool_io io = *o->io;
    lu_error inner = {LU_OK, ""};
    io.settings = settings;
    io.progress = NULL;
    other->io = &io;
    other->problem.most_sweeps = 4 * SWITCH_VISITS / (int)(o->graph.table.count + 1) + 256;
    lu_status status = optimize_read(&other->ask, settings, o->ask.given, &inner);
    LU_THEN(status, optimize_solve(other, &inner));
    const optimize_strategy *best = other->strategy;
    if (status == LU_INTERRUPTED) {
        *error = inner;
    } else if (status == LU_OK && other->strategies > 0) {
        one->cost = best->plan.from + other->problem.first;
        snprintf(one->note, sizeof one->note, "%s", best->proven ? "" : "best found");
        status = LU_OK;
    } else {
        snprintf(one->note, sizeof one->note, "%.*s", (int)sizeof one->note - 1,
                 status == LU_OK ? "no sequence of uses succeeds" : inner.text);
        status = LU_OK;
    }
    optimizer_free(other);
    return status;
}

/* A rule that tells many more items apart is not worth many times the memory; and the craft as it
 * is stays beside it. */
static lu_status bound_memory(const optimizer *o, lu_settings *settings, lu_error *error) {
    char text[32];
    int64_t asked = lu_settings_int(settings, "memory");
    int64_t used = (int64_t)(craft_graph_bytes(&o->graph) >> 20), most = 64 + 3 * used;
    asked = asked - used > 16 ? asked - used : 16;
    snprintf(text, sizeof text, "%lld", (long long)(asked < most ? asked : most));
    return lu_settings_set(settings, "memory", text, LU_FROM_FLAG, "the spread", error);
}

/* Whether the solver sees no difference. */
static bool is_same(const craft_switches *a, const craft_switches *b) {
    return a->side_choice == b->side_choice && a->flat_weights == b->flat_weights &&
           a->floor_mode == b->floor_mode && a->floor_needs_ilvl == b->floor_needs_ilvl &&
           a->magic_limit_shift == b->magic_limit_shift &&
           a->alchemy_on_magic == b->alchemy_on_magic &&
           a->removed_can_return == b->removed_can_return &&
           a->essence_blocked_by_family == b->essence_blocked_by_family &&
           a->whittling_first == b->whittling_first && a->bone_side == b->bone_side &&
           a->lord_all == b->lord_all && a->reveal_gate_65 == b->reveal_gate_65 &&
           a->fracture_unrevealed_counts == b->fracture_unrevealed_counts;
}

/* All other values of a switch. */
static lu_status try_switch(optimizer *o, const char *key, lu_error *error) {
    const lu_setting *row = craft_switch_rows;
    lu_status status = LU_OK;
    while (strcmp(row->key, key) != 0) {
        row++;
    }
    const char *choice = row->type == LU_BOOL ? "true|false" : row->choices;
    while (*choice && status == LU_OK) {
        char value[32];
        craft_switches now;
        size_t length = strcspn(choice, "|");
        snprintf(value, sizeof value, "%.*s", (int)length, choice);
        choice += length + (choice[length] ? 1 : 0);
        lu_settings *settings = lu_settings_copy(o->io->settings);
        status = lu_settings_set(settings, key, value, LU_FROM_FLAG, "the spread", error);
        LU_THEN(status, bound_memory(o, settings, error));
        LU_THEN(status, craft_switches_read(&now, o->ask.pack->about.version, settings, error));
        bool same = status == LU_OK && is_same(&now, &o->ask.pool.switches);
        if (status == LU_OK && !same && o->spread.cases < OPTIMIZE_CASES) {
            optimize_case *one = &o->spread.of[o->spread.cases++];
            *one = (optimize_case){.key = key};
            snprintf(one->value, sizeof one->value, "%s", value);
            status = solve_under(o, settings, one, error);
        }
        lu_settings_delete(settings);
    }
    return status;
}

lu_status optimize_find_spread(optimizer *o, lu_error *error) {
    static const char *const modes[] = {"auto", "off", "on"};
    const char *mode = modes[lu_settings_enum(o->io->settings, "spread")];
    bool all = strcmp(mode, "on") == 0, small = o->graph.table.count <= SMALL;
    lu_status status = LU_OK;
    o->spread.looked = all || (strcmp(mode, "auto") == 0 && small);
    if (!o->spread.looked || o->strategies == 0 || o->strategy[0].plan.fresh > 1e15) {
        return LU_OK;
    }
    status = find_turns(o, error);
    int count = all ? (int)(sizeof switches / sizeof *switches) : MOST;
    for (int k = 0; k < count && status == LU_OK; k++) {
        if (o->io->progress) {
            o->io->progress(o->io->user, (double)k / count, "solving under other rules");
        }
        status = switches[k].matters(o) ? try_switch(o, switches[k].key, error) : LU_OK;
    }
    return status;
}
