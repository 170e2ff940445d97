/* `ludus craft optimize`: the cheapest way to craft what is wanted, proven, and the best one that
 * is short enough to follow by hand; with odds, costs and what they rest on. */
#include "optimize.h"

#include "craft_switches.h"

#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"base", LU_TEXT, "", 0, 80, NULL,
     "The base by name, or a class with attributes: \"STR/DEX boots\".", false},
    {"ilvl", LU_INT, "0", 0, 100, NULL, "Item level of the bases; 0: as the target says, else 82.",
     false},
    {"want", LU_TEXT, "", 0, 1000, NULL,
     "The target in words: \"T1 life, 2 T2 res, open suffix, move speed 25%\".", false},
    {"target_spec", LU_FILE, "", 0, 0, NULL, "The target as a JSON file, in place of want.", false},
    {"prices", LU_FILE, "", 0, 0, NULL,
     "Prices (unit, date, rates, prices by item); nothing: those of the pack, with their date.",
     false},
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5", "Pack of rules and data.",
     false},
    {"actions", LU_TEXT, "all", 0, 4000, NULL,
     "What may be used: plain (basic and Greater currencies, upgrade essences, side omens), all, "
     "or a list of items separated by commas, omens behind +; what has no price is left out.",
     false},
    {"budget", LU_REAL, "0", 0, 1e12, NULL,
     "Also says how likely it is to be done within this, in the unit; 0: no budget.", false},
    {"unit", LU_ENUM, "exalted", 0, 0, "exalted|chaos|divine", "Unit of costs in the answer.",
     false},
    {"max_bases", LU_INT, "0", 0, 1000000, NULL,
     "Also finds the cheapest strategy that needs at most so many bases on average; 0: as the "
     "target says, or none.",
     false},
    {"seed", LU_INT, "1", 0, 1e15, NULL, "Seed of the plays behind quantiles and paths.", false},
    {"threads", LU_INT, "0", 0, 256, NULL, "Threads of the solver; 0 takes all processors.", false},
    {"memory", LU_INT, "1024", 16, 65536, NULL, "Most memory of the solver, in MB.", false},
    CRAFT_SWITCH_LIST,
};

enum { STRATEGIES = 3, DROPS = 8 };

typedef struct optimizer {
    const lu_tool_io *io;
    optimize_ask ask;
    craft_sorts sorts;
    craft_use use[CRAFT_USES_MAX];
    int uses;
    craft_graph graph;
    craft_problem problem;
    craft_values values;
    optimize_strategy strategy[STRATEGIES];
    double add_only; /* cost of the best strategy that never removes; below 0: none succeeds */
    craft_short rules;
    int strategies;
    const char *dropped[DROPS]; /* kinds of actions that did not fit into memory */
    int drops;
} optimizer;

/* ---- the graph ---- */

/* Kinds of uses that multiply states, the worst first. */
static const struct {
    const char *name;
    int line;
    const char *omen;
} heavy[] = {{"omen_of_whittling", CRAFT_LINE_CHAOS_ORB, "omen_of_whittling"},
             {"fracturing_orb", CRAFT_LINE_FRACTURING_ORB, NULL},
             {"swap essences", CRAFT_LINE_ESSENCE_SWAP, NULL}};

static bool is_dropped(const optimizer *o, const craft_use *use) {
    bool out = false;
    for (int k = 0; k < o->drops; k++) {
        bool omen = heavy[k].omen && use->omens > 0 && strcmp(use->omen[0], heavy[k].omen) == 0;
        out = out || (use->line == heavy[k].line && (!heavy[k].omen || omen));
    }
    return out;
}

/* Sorts, uses and prices of the choice, what was dropped apart. */
static lu_status init_uses(optimizer *o, lu_error *error) {
    const craft_choice *choice = &o->ask.choice;
    int tells = 0;
    for (int k = 0; k < choice->uses; k++) {
        bool whittling =
            choice->use[k].omens > 0 && strcmp(choice->use[k].omen[0], "omen_of_whittling") == 0;
        tells |= whittling && o->drops > 0
                     ? 0
                     : craft_use_tells(&o->ask.pool, choice->use[k].item, choice->use[k].omen,
                                       choice->use[k].omens);
    }
    lu_status status =
        craft_sorts_init(&o->sorts, o->ask.pack, &o->ask.pool, &o->ask.goal, tells, error);
    o->uses = 0;
    for (int k = 0; k < choice->uses && status == LU_OK; k++) {
        craft_use *use = &o->use[o->uses];
        status = craft_use_init(use, &o->sorts, choice->use[k].item, choice->use[k].omen,
                                choice->use[k].omens, error);
        if (status == LU_OK && use->reaches && !is_dropped(o, use)) {
            o->problem.price[o->uses++] = choice->use[k].price;
        }
    }
    return status;
}

/* The graph of all uses; where it does not fit into memory, kinds of uses are dropped and named. */
static lu_status init_graph(optimizer *o, lu_error *error) {
    craft_set fresh = {.rarity = CRAFT_NORMAL};
    lu_status status = LU_LIMIT;
    int most = (int)(sizeof heavy / sizeof *heavy);
    for (o->drops = 0; status == LU_LIMIT && o->drops <= most; o->drops++) {
        if (o->io->progress) {
            o->io->progress(o->io->user, 0.1, "finding all items");
        }
        status = init_uses(o, error);
        o->graph.memory = (size_t)lu_settings_int(o->io->settings, "memory") << 20;
        o->graph.user = o->io->user;
        o->graph.cancelled = o->io->cancelled;
        status = status == LU_OK
                     ? craft_graph_init(&o->graph, &o->sorts, o->use, o->uses, &fresh, 1, error)
                     : status;
        if (status != LU_LIMIT || o->drops == most) {
            break;
        }
        craft_graph_free(&o->graph);
        craft_sorts_free(&o->sorts);
        o->dropped[o->drops] = heavy[o->drops].name;
    }
    return status;
}

/* ---- strategies ---- */

static lu_status add_optimum(optimizer *o, lu_error *error) {
    optimize_strategy *s = &o->strategy[0];
    lu_status status = craft_solve(&o->problem, &o->values, &s->plan, error);
    s->name = "optimum";
    s->kind = "policy";
    s->proven = s->plan.lower > 0.0 && o->drops == 0;
    o->strategies = status == LU_OK && s->plan.possible ? 1 : 0;
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
    o->add_only = status == LU_OK && plan.possible ? plan.fresh + o->problem.base : -1.0;
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

/* Few bases: the optimum with a dearer base, the least dear at which bases suffice. */
static lu_status add_few_bases(optimizer *o, double most, lu_error *error) {
    optimize_strategy *s = &o->strategy[o->strategies];
    craft_problem dearer = o->problem;
    double low = 1.0, high = 1e6;
    lu_status status = LU_OK;
    if (most <= 0.0 || 1.0 / o->strategy[0].plan.success <= most) {
        return LU_OK;
    }
    for (int k = 0; k < 16 && status == LU_OK && high / low > 1.02; k++) {
        craft_plan plan;
        double times = k == 0                                ? high
                       : low * 0.5 + high * 0.5 > 16.0 * low ? low * 16.0
                                                             : 0.5 * (low + high);
        dearer.base = o->problem.base * times;
        status = craft_solve(&dearer, &o->values, &plan, error);
        bool few = status == LU_OK && plan.possible && 1.0 / plan.success <= most;
        if (few) {
            craft_plan_free(&s->plan);
            s->plan = plan;
            high = times;
        } else {
            craft_plan_free(&plan);
            low = times;
            if (k == 0) {
                return status; /* no use repairs well enough */
            }
        }
    }
    s->name = "few_bases";
    s->kind = "policy";
    s->plan.lower = 0.0;
    o->strategies += s->plan.policy ? 1 : 0;
    return status;
}

static lu_status solve(optimizer *o, lu_error *error) {
    int64_t asked = lu_settings_int(o->io->settings, "max_bases");
    double most = asked > 0 ? (double)asked : (double)o->ask.want.target.max_bases;
    uint64_t seed = (uint64_t)lu_settings_int(o->io->settings, "seed");
    lu_status status = add_optimum(o, error);
    if (status == LU_OK && o->strategies > 0) {
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
        s->plan.upper = k == 0 ? upper : s->plan.fresh;
    }
    return status;
}

static lu_status answer(optimizer *o, lu_error *error) {
    lu_status status = init_graph(o, error);
    if (status != LU_OK) {
        return status;
    }
    o->problem.graph = &o->graph;
    o->problem.base = craft_priced(&o->ask.prices, "white_base");
    o->problem.pool = o->io->pool;
    o->problem.user = o->io->user;
    o->problem.progress = o->io->progress;
    o->problem.cancelled = o->io->cancelled;
    craft_values_init(&o->values, &o->graph);
    status = solve(o, error);
    if (status == LU_OK) {
        lu_json json;
        lu_json_init(&json);
        optimize_answer told = {&o->ask,       &o->graph,   &o->problem, o->strategy,
                                o->strategies, o->add_only, o->dropped,  o->drops};
        optimize_write(&json, &told);
        o->io->emit(o->io->user, json.text, json.length);
        lu_json_free(&json);
    }
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    optimizer *o = lu_alloc_zero(1, sizeof *o);
    o->io = io;
    lu_status status = optimize_read(&o->ask, io->settings, error);
    status = status == LU_OK ? answer(o, error) : status;
    for (int k = 0; k < STRATEGIES; k++) {
        craft_plan_free(&o->strategy[k].plan);
    }
    craft_values_free(&o->values);
    craft_graph_free(&o->graph);
    craft_sorts_free(&o->sorts);
    optimize_free(&o->ask);
    free(o);
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
