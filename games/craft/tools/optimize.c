/* `ludus craft optimize`: the cheapest way to craft what is wanted, proven, and the best one that
 * is short enough to follow by hand; with odds, costs and what they rest on. */
#include "optimize.h"

#include "craft_switches.h"

#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    OPTIMIZE_ASK_SETTINGS,
    {"item", LU_FILE, "", 0, 1 << 16, NULL,
     "An item to start from, as copied in the game or as JSON: base and item level are its own.",
     false},
    {"max_bases", LU_INT, "0", 0, 1000000, NULL,
     "Also finds the cheapest strategy that needs at most so many bases on average; 0: as the "
     "target says, or none.",
     false},
    {"policy", LU_BOOL, "false", 0, 0, NULL,
     "Also tells the optimum whole: what to do with every item and its cost to go, and what "
     "becomes "
     "of a base step by step.",
     false},
    OPTIMIZE_HOW_SETTINGS,
    CRAFT_SWITCH_LIST,
};

enum { HALVINGS = 4, FEW_VISITS = 16 << 20 };

#define DEAREST 4096.0 /* times the price of a base, when few are wanted */

/* ---- the graph ---- */

/* Kinds of uses that multiply states, the worst first. */
static const struct {
    const char *name;
    int line;
    const char *omen;
} heavy[] = {{"omen_of_whittling", CRAFT_LINE_CHAOS_ORB, "omen_of_whittling"},
             {"fracturing_orb", CRAFT_LINE_FRACTURING_ORB, NULL},
             {"swap essences", CRAFT_LINE_ESSENCE_SWAP, NULL}};

enum { HEAVY = sizeof heavy / sizeof *heavy };

/* Which heavy kind a use is of; HEAVY: none. */
static int heavy_kind(const craft_pack *pack, const char *item, const char *omen) {
    int currency = craft_currency_find(pack, item), essence = craft_essence_find(pack, item), k = 0;
    int line = currency >= 0                                  ? pack->currencies[currency].line
               : essence >= 0 && pack->essences[essence].swap ? CRAFT_LINE_ESSENCE_SWAP
                                                              : -1;
    while (k < HEAVY && (line != heavy[k].line ||
                         (heavy[k].omen && !(omen && strcmp(omen, heavy[k].omen) == 0)))) {
        k++;
    }
    return k;
}

/* Whether use k of the choice is left out: dropped, or dearer than all that it could save. */
static bool is_out(const optimizer *o, int k) {
    const craft_choice *choice = &o->ask.choice;
    return choice->use[k].price >= o->ceiling ||
           heavy_kind(o->ask.pack, choice->use[k].item, choice->use[k].omen[0]) < o->drops;
}

/* Sorts, uses and prices of the choice. */
static lu_status init_uses(optimizer *o, lu_error *error) {
    const craft_choice *choice = &o->ask.choice;
    int tells = 0;
    for (int k = 0; k < choice->uses; k++) {
        tells |= is_out(o, k) ? 0
                              : craft_use_tells(&o->ask.pool, choice->use[k].item,
                                                choice->use[k].omen, choice->use[k].omens);
    }
    lu_status status =
        craft_sorts_init(&o->sorts, o->ask.pack, &o->ask.pool, &o->ask.goal, tells, error);
    o->uses = 0;
    for (int k = 0; k < choice->uses && status == LU_OK; k++) {
        craft_use *use = &o->use[o->uses];
        if (is_out(o, k)) {
            continue;
        }
        status = craft_use_init(use, &o->sorts, choice->use[k].item, choice->use[k].omen,
                                choice->use[k].omens, error);
        if (status == LU_OK && use->reaches) {
            o->problem.price[o->uses++] = choice->use[k].price;
        }
    }
    return status;
}

static void free_graph(optimizer *o) {
    craft_values_free(&o->values);
    craft_graph_free(&o->graph);
    craft_sorts_free(&o->sorts);
}

static lu_status init_graph(optimizer *o, lu_error *error) {
    craft_set roots[2];
    if (o->io->progress) {
        o->io->progress(o->io->user, 0.1, "finding all items");
    }
    free_graph(o);
    lu_status status = init_uses(o, error);
    o->graph.memory = (size_t)lu_settings_int(o->io->settings, "memory") << 20;
    o->graph.user = o->io->user;
    o->graph.cancelled = o->io->cancelled;
    uint32_t count = status == LU_OK ? (uint32_t)optimize_roots(&o->ask, &o->sorts, roots) : 0;
    LU_THEN(status, craft_graph_init(&o->graph, &o->sorts, o->use, o->uses, roots, count, error));
    if (status == LU_OK) {
        craft_values_init(&o->values, &o->graph);
    }
    return status;
}

/* ---- strategies ---- */

/* Whether bounds hold, or nothing is left to be done. */
static bool is_proven(const optimizer *o) {
    return o->strategy[0].plan.lower > 0.0 || o->graph.flags[o->graph.start] & CRAFT_NODE_GOAL;
}

static lu_status add_optimum(optimizer *o, lu_error *error) {
    optimize_strategy *s = &o->strategy[0];
    craft_plan_free(&s->plan);
    lu_status status = craft_solve(&o->problem, &o->values, &s->plan, error);
    s->name = "optimum";
    s->kind = "policy";
    s->proven = is_proven(o) && o->drops == 0;
    o->strategies = status == LU_OK && s->plan.possible ? 1 : 0;
    return status;
}

/* Whether a heavy use is cheap enough to be worth its states. */
static bool wants_heavy(const optimizer *o) {
    bool wants = false;
    for (int k = 0; k < o->ask.choice.uses; k++) {
        const char *item = o->ask.choice.use[k].item, *omen = o->ask.choice.use[k].omen[0];
        wants = wants || (heavy_kind(o->ask.pack, item, omen) < HEAVY &&
                          o->ask.choice.use[k].price < o->ceiling);
    }
    return wants;
}

/* The optimum without heavy uses, whose cost rules many of them out; then with those that are left,
 * as many as fit into memory. What does not fit is named. */
static lu_status find_optimum(optimizer *o, lu_error *error) {
    o->ceiling = CRAFT_NEVER_COST;
    o->drops = HEAVY;
    lu_status status = init_graph(o, error);
    status = status == LU_OK ? add_optimum(o, error) : status;
    if (status == LU_OK && o->strategies > 0) {
        o->ceiling = o->problem.base + o->strategy[0].plan.fresh;
    }
    if (status != LU_OK || !wants_heavy(o)) {
        o->drops = 0;
        o->strategy[0].proven = is_proven(o);
        return status;
    }
    status = LU_LIMIT;
    for (o->drops = 0; status == LU_LIMIT; o->drops++) {
        status = init_graph(o, error);
        if (status != LU_LIMIT || o->drops == HEAVY) {
            break;
        }
        o->dropped[o->drops] = heavy[o->drops].name;
    }
    return status == LU_OK ? add_optimum(o, error) : status;
}

/* What the best strategy costs that only adds. */
static lu_status find_add_only(optimizer *o, lu_error *error) {
    craft_problem adds = o->problem;
    craft_plan plan;
    for (int k = 0; k < o->uses; k++) {
        int line = o->use[k].line;
        bool removes = line == CRAFT_LINE_CHAOS_ORB || line == CRAFT_LINE_ORB_OF_ANNULMENT ||
                       line == CRAFT_LINE_ESSENCE_SWAP;
        adds.price[k] = removes ? CRAFT_NEVER_COST : adds.price[k];
    }
    lu_status status = craft_solve(&adds, &o->values, &plan, error);
    o->add_only = status == LU_OK && plan.possible ? plan.from + o->problem.first : -1.0;
    craft_plan_free(&plan);
    return status;
}

static lu_status add_short(optimizer *o, lu_error *error) {
    optimize_strategy *s = &o->strategy[o->strategies];
    lu_status status =
        craft_short_find(&o->rules, &o->problem, &o->values, &o->strategy[0].plan, &s->plan, error);
    s->name = "short";
    s->kind = "rules";
    s->rules = &o->rules;
    o->strategies += status == LU_OK && s->plan.possible ? 1 : 0;
    return status;
}

/* Solves with a base that is so many times dearer; keeps the plan if it needs few enough bases. */
static lu_status try_dearer(optimizer *o, double times, double most, bool *few, lu_error *error) {
    optimize_strategy *s = &o->strategy[o->strategies];
    craft_problem dearer = o->problem;
    craft_plan plan;
    dearer.base = o->problem.base * times;
    dearer.most_sweeps = FEW_VISITS / (int)(o->graph.table.count + 1) + 16;
    lu_status status = craft_solve(&dearer, &o->values, &plan, error);
    *few = status == LU_OK && plan.possible && craft_plan_bases(&o->problem, &plan) <= most;
    if (*few) {
        craft_plan_free(&s->plan);
        s->plan = plan;
    } else {
        craft_plan_free(&plan);
    }
    return status;
}

/* Few bases on average: the optimum with a dearer base, the least dear at which bases suffice. */
static lu_status add_few_bases(optimizer *o, double most, lu_error *error) {
    optimize_strategy *s = &o->strategy[o->strategies];
    double low = 1.0, high = 1.0;
    bool few = craft_plan_bases(&o->problem, &o->strategy[0].plan) <= most;
    lu_status status = LU_OK;
    if (most <= 0.0 || few) {
        return LU_OK;
    }
    for (; !few && high < DEAREST && status == LU_OK;) {
        low = high;
        high *= 4.0;
        status = try_dearer(o, high, most, &few, error);
    }
    for (int k = 0; k < HALVINGS && s->plan.policy && status == LU_OK; k++) {
        double middle = 0.5 * (low + high);
        status = try_dearer(o, middle, most, &few, error);
        *(few ? &high : &low) = middle;
    }
    if (status == LU_LIMIT) { /* the search ends with what it has */
        o->dropped[o->drops++] = "few_bases";
        status = LU_OK;
    }
    s->name = "few_bases";
    s->kind = "policy";
    o->strategies += s->plan.policy ? 1 : 0;
    return status;
}

/* Values of the optimum, before others are computed in their place. */
static void keep_to_go(optimizer *o) {
    if (lu_settings_bool(o->io->settings, "policy")) {
        o->to_go = lu_alloc(o->graph.table.count * sizeof *o->to_go);
        memcpy(o->to_go, o->values.v, o->graph.table.count * sizeof *o->to_go);
    }
}

lu_status optimize_solve(optimizer *o, lu_error *error) {
    o->problem.graph = &o->graph;
    o->problem.base = craft_priced(&o->ask.prices, "white_base");
    o->problem.first = o->ask.given && !o->ask.is_final ? 0.0 : o->problem.base;
    o->problem.pool = o->io->pool;
    o->problem.user = o->io->user;
    o->problem.progress = o->io->progress;
    o->problem.cancelled = o->io->cancelled;
    return find_optimum(o, error);
}

static lu_status solve(optimizer *o, lu_error *error) {
    int64_t asked = lu_settings_int(o->io->settings, "max_bases");
    double most = asked > 0 ? (double)asked : (double)o->ask.want.target.max_bases;
    uint64_t seed = (uint64_t)lu_settings_int(o->io->settings, "seed");
    lu_status status = optimize_solve(o, error);
    if (status == LU_OK && o->strategies > 0) {
        keep_to_go(o);
        status = find_add_only(o, error);
        status = status == LU_OK ? add_short(o, error) : status;
    }
    if (status == LU_OK && o->strategies > 0) {
        status = add_few_bases(o, most, error);
    }
    for (int k = 0; k < o->strategies && status == LU_OK; k++) {
        optimize_strategy *s = &o->strategy[k];
        double upper = s->plan.upper;
        status = craft_tally_plan(&s->tally, &o->problem, &o->values, &s->plan, o->ask.budget, seed,
                                  error);
        s->plan.upper = k == 0 ? upper : s->plan.from;
    }
    return status;
}

static lu_status answer(optimizer *o, lu_error *error) {
    lu_status status = solve(o, error);
    if (status == LU_OK) {
        lu_json json;
        lu_json_init(&json);
        optimize_answer told = {&o->ask,     &o->graph,  &o->problem, o->strategy, o->strategies,
                                o->add_only, o->dropped, o->drops,    o->to_go,    &o->graph};
        optimize_write(&json, &told);
        o->io->emit(o->io->user, json.text, json.length);
        lu_json_free(&json);
    }
    return status;
}

void optimizer_free(optimizer *o) {
    for (int k = 0; k < OPTIMIZE_STRATEGIES; k++) {
        craft_plan_free(&o->strategy[k].plan);
    }
    free(o->to_go);
    free_graph(o);
    optimize_free(&o->ask);
    free(o);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    optimizer *o = lu_alloc_zero(1, sizeof *o);
    const lu_file_text *file = lu_settings_file_of(io->settings, "item", 0);
    lu_tool_input item = file ? (lu_tool_input){file->name, file->text, file->length}
                              : (lu_tool_input){NULL, NULL, 0};
    o->io = io;
    lu_status status = optimize_read(&o->ask, io->settings, file ? &item : NULL, error);
    LU_THEN(status, answer(o, error));
    optimizer_free(o);
    return status;
}

extern const lu_tool lu_tool_craft_optimize;
const lu_tool lu_tool_craft_optimize = {
    .game = "craft",
    .name = "optimize",
    .sentence = "Finds the cheapest way to craft what is wanted and proves it.",
    .settings = {"craft optimize", rows, sizeof rows / sizeof *rows},
    .run = run,
    .address = "/optimize",
};
