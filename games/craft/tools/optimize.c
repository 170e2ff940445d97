/* `ludus craft optimize`: the cheapest way to craft what is wanted, proven, and the best one that
 * is short enough to follow by hand; with odds, costs and what they rest on. */
#include "optimize.h"

#include "craft_switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    OPTIMIZE_ASK_SETTINGS,
    {"item", LU_FILE, "", 0, 1 << 16, NULL,
     "An item to start from, as copied from the game or as JSON: it sets base and item level.",
     false},
    {"max_bases", LU_INT, "0", 0, 1000000, NULL,
     "Also finds the cheapest strategy that needs at most this many bases on average; 0: from the "
     "target, or no limit.",
     false},
    {"spread", LU_ENUM, "auto", 0, 0, "auto|off|on",
     "Also solves at other prices (to find where the strategy changes) and under each uncertain "
     "rule; auto: only for crafts with few states, and the two rules that matter most.",
     false},
    {"episodes", LU_INT, "1000", 0, 1e6, NULL,
     "Episodes that each baseline and the agent play for comparison; by default fewer if they are "
     "long; 0: none.",
     false},
    {"policy", LU_BOOL, "false", 0, 0, NULL,
     "Also gives the whole optimal policy: what to do with every item and its remaining cost, and "
     "what becomes of a base step by step.",
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
             {"bones", CRAFT_LINE_BONE, NULL},
             {"fracturing_orb", CRAFT_LINE_FRACTURING_ORB, NULL},
             {"swap essences", CRAFT_LINE_ESSENCE_SWAP, NULL}};

enum { HEAVY = sizeof heavy / sizeof *heavy };

/* Which heavy kind a use is of; HEAVY: none. */
static int heavy_kind(const craft_pack *pack, const char *item, const char *omen) {
    int currency = craft_currency_find(pack, item), essence = craft_essence_find(pack, item), k = 0;
    bool bone = craft_bone_find(pack, item) >= 0 || strcmp(item, CRAFT_REVEALS) == 0;
    int line = bone                                           ? CRAFT_LINE_BONE
               : currency >= 0                                ? pack->currencies[currency].line
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
    if (optimize_hides(&o->ask) && strcmp(choice->use[k].item, CRAFT_REVEALS) == 0) {
        return false;
    }
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
    craft_sorts_show(&o->sorts, &o->ask.item, o->ask.option_roll);
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
    free(o->sale);
    o->sale = NULL;
    o->problem.sale = NULL;
    craft_values_free(&o->values);
    craft_graph_free(&o->graph);
    craft_sorts_free(&o->sorts);
}

static lu_status init_graph(optimizer *o, lu_error *error) {
    craft_set roots[2];
    free_graph(o);
    lu_status status = init_uses(o, error);
    o->graph.memory = (size_t)lu_settings_int(o->io->settings, "memory") << 20;
    o->graph.user = o->io->user;
    o->graph.progress = o->io->progress;
    o->graph.cancelled = o->io->cancelled;
    uint32_t count = status == LU_OK ? (uint32_t)optimize_roots(&o->ask, &o->sorts, roots) : 0;
    LU_THEN(status, craft_graph_init(&o->graph, &o->sorts, o->use, o->uses, roots, count, error));
    if (status == LU_OK) {
        craft_values_init(&o->values, &o->graph);
        o->problem.sale = o->sale = optimize_sales(&o->ask, &o->graph);
    }
    return status;
}

/* ---- strategies ---- */

/* Whether bounds hold, or nothing is left to be done. */
static bool is_proven(const optimizer *o) {
    const craft_plan *plan = &o->strategy[0].plan;
    return plan->lower > 0.0 || (plan->from <= 0.0 && !o->sale) ||
           o->graph.flags[o->graph.start] & CRAFT_NODE_GOAL;
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

/* Whether some use is of a heavy kind, and cheap enough to be worth its states. */
static bool has_kind(const optimizer *o, int kind) {
    bool has = false;
    for (int k = 0; k < o->ask.choice.uses; k++) {
        const char *item = o->ask.choice.use[k].item, *omen = o->ask.choice.use[k].omen[0];
        has = has || (heavy_kind(o->ask.pack, item, omen) == kind &&
                      o->ask.choice.use[k].price < o->ceiling && strcmp(item, CRAFT_REVEALS) != 0);
    }
    return has;
}

static bool wants_heavy(const optimizer *o) {
    bool wants = false;
    for (int kind = 0; kind < HEAVY; kind++) {
        wants = wants || has_kind(o, kind);
    }
    return wants;
}

/* Values of the optimum, before others are computed in their place. */
static void keep_values(optimizer *o) {
    free(o->optimal);
    o->optimal = lu_alloc((o->graph.table.count + 1) * sizeof *o->optimal);
    memcpy(o->optimal, o->values.v, o->graph.table.count * sizeof *o->optimal);
}

/* The best rules without heavy uses: with those there are so many items that a search may miss what
 * it finds without. */
static lu_status find_light(optimizer *o, lu_error *error) {
    craft_plan plan;
    keep_values(o);
    lu_status status = craft_short_find(&o->light.rules, &o->problem, &o->values,
                                        &o->strategy[0].plan, o->optimal, NULL, &plan, error);
    o->light.found = status == LU_OK && plan.possible;
    for (int at = 0; at < CRAFT_SHORT_RULES && o->light.found; at++) {
        int use = o->light.rules.rule[at].use;
        snprintf(o->light.use[at], CRAFT_USE_NAME, "%s", use < 0 ? "" : o->use[use].name);
    }
    craft_plan_free(&plan);
    return status;
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
    if (o->strategies > 0 && o->lists) {
        LU_TRY(find_light(o, error));
    }
    status = LU_LIMIT;
    for (o->drops = 0; status == LU_LIMIT; o->drops++) {
        bool less = o->drops == 0 || has_kind(o, o->drops - 1);
        status = less ? init_graph(o, error) : status;
        if (status != LU_LIMIT || o->drops == HEAVY) {
            break;
        }
        if (has_kind(o, o->drops)) {
            o->dropped[o->named++] = heavy[o->drops].name;
        }
    }
    return status == LU_OK ? add_optimum(o, error) : status;
}

/* Whether a use of the choice that is allowed and left out only chooses what it removes, at no
 * lower price than a use of the graph. */
static bool only_chooses(const optimizer *o, int k) {
    const char *item = o->ask.choice.use[k].item;
    int kind = heavy_kind(o->ask.pack, item, o->ask.choice.use[k].omen[0]);
    bool found = false;
    for (int u = 0; u < o->uses; u++) {
        found = found || (o->use[u].omens == 0 && strcmp(o->use[u].item, item) == 0);
    }
    return heavy[kind].line == CRAFT_LINE_FRACTURING_ORB ||
           (heavy[kind].line == CRAFT_LINE_CHAOS_ORB && found);
}

/* The cheapest of those that do more; CRAFT_NEVER_COST: there is none. */
static double least_left_out(const optimizer *o) {
    double least = CRAFT_NEVER_COST;
    for (int k = 0; k < o->ask.choice.uses; k++) {
        double price = o->ask.choice.use[k].price;
        int kind = heavy_kind(o->ask.pack, o->ask.choice.use[k].item, o->ask.choice.use[k].omen[0]);
        bool out = kind < o->drops && price < o->ceiling && price > 0.0;
        least = out && price < least && !only_chooses(o, k) ? price : least;
    }
    return least;
}

/* What a use that was left out costs at each node, at least, with all that follows: it may add one
 * modifier of a rare item, and where more is missing another use follows. */
static double *leaps_of(const optimizer *o, double price) {
    const craft_graph *g = &o->graph;
    double *leap = lu_alloc((g->table.count + 1) * sizeof *leap), cheapest = price;
    int needed = 0, most = 1;
    for (int k = 0; k < o->ask.choice.uses; k++) {
        double one = o->ask.choice.use[k].price;
        cheapest = one > 0.0 && one < cheapest ? one : cheapest;
    }
    for (int k = 0; k < o->ask.choice.uses; k++) { /* which may become all that is wanted at once */
        for (int omen = 0; omen < o->ask.choice.use[k].omens; omen++) {
            bool rots = strcmp(o->ask.choice.use[k].omen[omen], "omen_of_putrefaction") == 0;
            most = rots ? CRAFT_MODS * CRAFT_NEEDS_MAX : most;
        }
    }
    for (int k = 0; k < o->ask.goal.needs; k++) {
        needed += o->ask.goal.count[k];
    }
    for (int k = 0; k < o->sorts.count; k++) { /* a modifier may count for several requirements */
        int hits = __builtin_popcount(o->sorts.sort[k].hits);
        most = hits > most ? hits : most;
    }
    for (uint32_t node = 0; node < g->table.count; node++) {
        uint8_t have[CRAFT_NEEDS_MAX];
        int hits = craft_set_hits(&o->sorts, &g->table.set[node], have);
        bool rare = g->table.set[node].rarity == CRAFT_RARE;
        leap[node] = rare ? price + (hits + most < needed ? cheapest : 0.0) : CRAFT_NEVER_COST;
    }
    return leap;
}

/* Where uses were left out: what no strategy with them can be below. */
static lu_status find_below(optimizer *o, lu_error *error) {
    craft_plan *best = &o->strategy[0].plan;
    craft_problem less = o->problem;
    if (o->strategies == 0 || o->drops == 0 || o->graph.start != 0 || o->ask.goal.fractured) {
        return LU_OK;
    }
    double price = least_left_out(o);
    if (price < CRAFT_NEVER_COST && o->sale) { /* to give up behind it may bring something */
        return LU_OK;
    }
    double *leap = price < CRAFT_NEVER_COST ? leaps_of(o, price) : NULL;
    less.leap = leap;
    o->below_how =
        leap ? "as if an excluded use added what is wanted" : "as if removals could be chosen";
    lu_status status = craft_solve_below(&less, &o->values, best->fresh, &o->below, error);
    if (o->below >= best->fresh * (1.0 - 1e-6)) { /* what was left out cannot help */
        o->strategy[0].proven = true;
        best->lower = o->below;
    }
    free(leap);
    return status;
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

/* The rules without heavy uses, where those are of this graph; NULL: there are none. */
static const craft_short *known_rules(optimizer *o) {
    for (int at = 0; at < CRAFT_SHORT_RULES; at++) {
        int use = o->uses - 1;
        while (use >= 0 && strcmp(o->use[use].name, o->light.use[at]) != 0) {
            use--;
        }
        o->light.rules.rule[at].use = use;
    }
    return o->light.found ? &o->light.rules : NULL;
}

static lu_status add_short(optimizer *o, lu_error *error) {
    optimize_strategy *s = &o->strategy[o->strategies];
    lu_status status = craft_short_find(&o->rules, &o->problem, &o->values, &o->strategy[0].plan,
                                        o->optimal, known_rules(o), &s->plan, error);
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
        o->dropped[o->named++] = "few_bases";
        status = LU_OK;
    }
    s->name = "few_bases";
    s->kind = "policy";
    o->strategies += s->plan.policy ? 1 : 0;
    return status;
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
    o->lists = true;
    lu_status status = optimize_solve(o, error);
    if (status == LU_OK && o->strategies > 0) {
        keep_values(o);
        status = find_below(o, error);
        LU_THEN(status, find_add_only(o, error));
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
    LU_THEN(status, optimize_find_spread(o, error));
    LU_THEN(status, optimize_find_rivals(o, error));
    if (status == LU_OK) {
        lu_json json;
        lu_json_init(&json);
        bool whole = lu_settings_bool(o->io->settings, "policy");
        optimize_answer told = {.ask = &o->ask,
                                .graph = &o->graph,
                                .problem = &o->problem,
                                .strategy = o->strategy,
                                .strategies = o->strategies,
                                .add_only = o->add_only,
                                .dropped = o->dropped,
                                .drops = o->named,
                                .to_go = whole ? o->optimal : NULL,
                                .walked = &o->graph,
                                .below = o->below,
                                .below_how = o->below_how,
                                .spread = &o->spread,
                                .rival = o->rival,
                                .rivals = o->rivals,
                                .agent = o->io->agent != NULL};
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
    free(o->optimal);
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
    .sentence = "Finds the cheapest way to craft the target and proves it.",
    .settings = {"craft optimize", rows, sizeof rows / sizeof *rows},
    .run = run,
    .agent = OPTIMIZE_AGENT,
    .address = "/optimize",
    .no_files = true,
};
