/* What the files of `ludus craft optimize` share: optimize.c holds the tool, optimize_read.c what
 * is asked, optimize_write.c the answer. Ownership: an ask belongs to the tool's run. Threads: one
 * at a time. */
#pragma once

#include "on_item.h"
#include "want.h"

#include "solver/craft_choice.h"
#include "solver/craft_short.h"
#include "solver/craft_tally.h"

#include "ludus/tool.h"

/* clang-format off */
/* Settings of what is asked, which optimize_read reads beside the switches. */
#define OPTIMIZE_ASK_SETTINGS \
    {"base", LU_TEXT, "", 0, 80, NULL, \
     "The base by name, or a class with attributes: \"STR/DEX boots\".", false}, \
    {"ilvl", LU_INT, "0", 0, 100, NULL, "Item level of the bases; 0: as the target says, else 82.", \
     false}, \
    {"want", LU_TEXT, "", 0, 1000, NULL, \
     "The target in words: \"T1 life, 2 T2 res, open suffix, move speed 25%\".", false}, \
    {"target_spec", LU_FILE, "", 0, 0, NULL, "The target as a JSON file, in place of want.", false}, \
    {"prices", LU_FILE, "", 0, 0, NULL, \
     "Prices (unit, date, rates, prices by item); nothing: those of the pack, with their date.", \
     false}, \
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5", "Pack of rules and data.", \
     false}, \
    {"actions", LU_TEXT, "all", 0, 4000, NULL, \
     "What may be used: plain (basic and Greater currencies, upgrade essences, side omens), all, " \
     "or a list of items separated by commas, omens behind +; what has no price is left out.", \
     false}, \
    {"budget", LU_REAL, "0", 0, 1e12, NULL, \
     "Also says how likely it is to be done within this, in the unit; 0: no budget.", false}, \
    {"unit", LU_ENUM, "exalted", 0, 0, "exalted|chaos|divine", "Unit of costs in the answer.", \
     false}

/* Settings of how it is solved. */
#define OPTIMIZE_HOW_SETTINGS \
    {"seed", LU_INT, "1", 0, 1e15, NULL, "Seed of the plays behind quantiles and paths.", false}, \
    {"threads", LU_INT, "0", 0, 256, NULL, "Threads of the solver; 0 takes all processors.", false}, \
    {"memory", LU_INT, "1024", 16, 65536, NULL, "Most memory of the solver, in MB.", false}
/* clang-format on */

/* What is asked. */
typedef struct optimize_ask {
    const lu_settings *settings;
    const craft_pack *pack;
    craft_pool pool;
    craft_goal goal;
    craft_want want;
    lu_json_document *price_file; /* NULL: those of the pack */
    craft_prices prices;
    char price_date[32];
    double unit; /* exalted of one unit of the answer */
    const char *unit_name;
    double budget; /* exalted, 0 = none */
    craft_breadth breadth;
    craft_choice choice;
    const lu_tool_input *given; /* the item that it starts from; NULL: a white base */
    lu_json_document *document; /* of that item */
    craft_item item;
    bool is_final; /* nothing can be done to that item */
} optimize_ask;

/* One strategy of the answer. */
typedef struct optimize_strategy {
    const char *name, *kind; /* "optimum", "policy" */
    bool proven;
    craft_plan plan;
    craft_tally tally;
    const craft_short *rules; /* NULL: a policy */
} optimize_strategy;

/* The target of the settings, and base, item level and pool by it; settings and pack of the ask are
 * given. A pool that cannot have the target is made all the same. */
lu_status optimize_read_target(optimize_ask *ask, lu_error *error);
lu_status optimize_read_base(optimize_ask *ask, lu_error *error);
/* `item`: what it starts from, which must stay; NULL: a white base. */
lu_status optimize_read(optimize_ask *ask, const lu_settings *settings, const lu_tool_input *item,
                        lu_error *error);
void optimize_free(optimize_ask *ask);

/* ---- an item to start from: optimize_item.c ---- */

/* Its base and item level; later the item on the pool of its base. What the solver cannot express
 * is refused by name. */
lu_status optimize_item_base(optimize_ask *ask, const char **base, int64_t *ilvl, lu_error *error);
lu_status optimize_item_read(optimize_ask *ask, lu_error *error);
/* Sets that a craft starts from: a fresh base, then the item if it can be changed. */
int optimize_roots(const optimize_ask *ask, craft_sorts *sorts, craft_set roots[2]);
/* What is true of the item and left out, as entries of an open array. */
void optimize_item_notes(const optimize_ask *ask, lu_json *json);
/* The member `item`: the item and its notes. Nothing is written for a white base. */
void optimize_write_item(lu_json *json, const optimize_ask *ask);

/* ---- solving: optimize.c ---- */

enum { OPTIMIZE_STRATEGIES = 3, OPTIMIZE_DROPS = 8 };

typedef struct optimizer {
    const lu_tool_io *io;
    optimize_ask ask;
    craft_sorts sorts;
    craft_use use[CRAFT_USES_MAX];
    int uses;
    double ceiling; /* uses that cost as much as a whole craft are never best */
    craft_graph graph;
    craft_problem problem;
    craft_values values;
    optimize_strategy strategy[OPTIMIZE_STRATEGIES];
    double *to_go;   /* of each node under the optimum; NULL: not asked for */
    double add_only; /* cost of the best strategy that never removes; below 0: none succeeds */
    craft_short rules;
    int strategies;
    const char *dropped[OPTIMIZE_DROPS]; /* kinds of actions that did not fit into memory */
    int drops;
} optimizer;

/* The optimum of what is asked as the first strategy, or none; `values` are those of its plan. */
lu_status optimize_solve(optimizer *o, lu_error *error);
void optimizer_free(optimizer *o);

/* What was found. */
typedef struct optimize_answer {
    const optimize_ask *ask;
    const craft_graph *graph;
    const craft_problem *problem;
    const optimize_strategy *strategy; /* the best first; none: no chain of uses succeeds */
    int strategies;
    double add_only;            /* exalted; below 0: none succeeds */
    const char *const *dropped; /* uses beyond memory, searches too long */
    int drops;
    const double *to_go; /* exalted, of each node under the optimum; NULL: the policy is not told */
    craft_graph *walked; /* the graph, to search in */
} optimize_answer;

/* The target as JSON and in words, and what of its text was not understood. */
void optimize_write_want(lu_json *json, const optimize_ask *ask, const char *understood);
/* What to do with every item (unless they are very many), and what becomes of a base step by step.
 */
void optimize_write_policy(lu_json *json, const optimize_answer *answer);
void optimize_write_flow(lu_json *json, const optimize_answer *answer, craft_graph *graph);
/* The answer as one JSON document. */
void optimize_write(lu_json *json, const optimize_answer *answer);
