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
    {"ilvl", LU_INT, "0", 0, 100, NULL, "Item level of the bases; 0: from the target, else 82.", \
     false}, \
    {"want", LU_TEXT, "", 0, 1000, NULL, \
     "The target in words: \"T1 life, 2 T2 res, open suffix, move speed 25%\".", false}, \
    {"target_spec", LU_FILE, "", 0, 0, NULL, "The target as a JSON file, instead of want.", false}, \
    {"target", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false}, \
    {"target_file", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false}, \
    {"prices", LU_FILE, "", 0, 0, NULL, \
     "Prices (unit, date, rates, prices by item); default: those of the pack, with their date.", \
     false}, \
    {"ruleset", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5|classic", \
     "Pack of rules and data.", false}, \
    {"data", LU_ALIAS, "ruleset", 0, 0, NULL, "The same.", false}, \
    {"pack", LU_FILE, "", 0, 0, NULL, "Your own pack, instead of ruleset.", false}, \
    {"sale", LU_JSON, "", 0, 0, NULL, \
     "What an abandoned item sells for, in the unit: a number for each modifier that counts, " \
     "a list by how many there are (from none on), or an object by requirement.", \
     false}, \
    {"actions", LU_TEXT, "all", 0, 4000, NULL, \
     "What may be used: plain (basic and Greater currencies, upgrade essences, side omens), all, " \
     "or a list of currencies, essences and bones separated by commas, with omens after +; anything " \
     "without a price is left out.", \
     false}, \
    {"budget", LU_REAL, "0", 0, 1e12, NULL, \
     "Also gives the chance to finish within this budget, in the unit; 0: no budget.", false}, \
    {"unit", LU_ENUM, "exalted", 0, 0, "exalted|chaos|divine", "Unit of costs in the answer.", \
     false}

/* Settings of how it is solved. */
#define OPTIMIZE_HOW_SETTINGS \
    {"seed", LU_INT, "1", 0, 1e15, NULL, "Seed of the plays behind quantiles and paths.", false}, \
    {"threads", LU_INT, "0", 0, 256, NULL, "Threads of the solver; 0: one per processor.", false}, \
    {"memory", LU_INT, "1024", 16, 65536, NULL, "Memory limit of the solver, in MB.", false}
/* clang-format on */

/* What is asked. */
typedef struct optimize_ask {
    const lu_settings *settings;
    const craft_pack *pack;
    craft_pack_file *own; /* the user's, which the pack is of; NULL: it is built in */
    craft_pool pool;
    craft_goal goal;
    craft_want want;
    lu_json_document *price_file; /* NULL: those of the pack */
    craft_prices prices;
    char price_date[32];
    double unit; /* exalted of one unit of the answer */
    const char *unit_name;
    double budget; /* exalted, 0 = none */
    struct {
        bool told;
        double hits[CRAFT_MODS + 1];  /* by how many modifiers count */
        double need[CRAFT_NEEDS_MAX]; /* for each that counts for a requirement */
    } sale;                           /* exalted that an item which is given up brings */
    craft_breadth breadth;
    craft_choice choice;
    const lu_tool_input *given; /* the item that it starts from; NULL: a white base */
    lu_json_document *document; /* of that item */
    craft_item item;
    int16_t option_roll[CRAFT_SHOWN]; /* of the options it shows; below 0: not told */
    bool is_final;                    /* nothing can be done to that item */
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
/* The pack of the settings, built in or a file; optimize_free frees it. */
lu_status optimize_read_pack(optimize_ask *ask, lu_error *error);
lu_status optimize_read_base(optimize_ask *ask, lu_error *error);
/* `item`: what it starts from, which must stay; NULL: a white base. */
lu_status optimize_read(optimize_ask *ask, const lu_settings *settings, const lu_tool_input *item,
                        lu_error *error);
void optimize_free(optimize_ask *ask);

/* ---- what is given up is sold: optimize_sale.c ---- */

lu_status optimize_read_sale(optimize_ask *ask, lu_error *error);
/* What each node brings, in exalted; the caller frees it. NULL: nothing is sold. */
double *optimize_sales(const optimize_ask *ask, const craft_graph *graph);

/* ---- an item to start from: optimize_item.c ---- */

/* Its base and item level; later the item on the pool of its base. What the solver cannot express
 * is refused by name. */
lu_status optimize_item_base(optimize_ask *ask, const char **base, int64_t *ilvl, lu_error *error);
lu_status optimize_item_read(optimize_ask *ask, lu_error *error);
/* Whether it has an unrevealed modifier. */
bool optimize_hides(const optimize_ask *ask);
/* Sets that a craft starts from: a fresh base, then the item if it can be changed. */
int optimize_roots(const optimize_ask *ask, craft_sorts *sorts, craft_set roots[2]);
/* What is true of the item and left out, as entries of an open array. */
void optimize_item_notes(const optimize_ask *ask, lu_json *json);
/* The member `item`: the item and its notes. Nothing is written for a white base. */
void optimize_write_item(lu_json *json, const optimize_ask *ask);

/* ---- solving: optimize.c ---- */

enum {
    OPTIMIZE_STRATEGIES = 3,
    OPTIMIZE_DROPS = 8,
    OPTIMIZE_ITEMS = 96,
    OPTIMIZE_CASES = 24,
    OPTIMIZE_RIVALS = 8,
    OPTIMIZE_NO_USE = -2
};

#define OPTIMIZE_AGENT "craft-look-v1" /* variant of the trained agent */

/* The price of an item at which the strategy changes. */
typedef struct optimize_turn {
    const char *item, *note;
    double at; /* exalted; 0: none was found */
    int to;    /* use of the first step then, -1 = a new base, OPTIMIZE_NO_USE = it stays */
} optimize_turn;

/* The optimum where one rule that is not sure is another. */
typedef struct optimize_case {
    const char *key;
    char value[32], note[160];
    double cost; /* exalted; 0: see the note */
} optimize_case;

typedef struct optimize_spread {
    bool looked;
    int turns, cases;
    optimize_turn turn[OPTIMIZE_ITEMS];
    optimize_case of[OPTIMIZE_CASES];
} optimize_spread;

/* A baseline or an agent that played; costs in exalted. */
typedef struct optimize_rival {
    const char *name, *model; /* model: of an agent */
    int episodes;
    double cost, low, high; /* of a finished item; 0: none was finished */
    double spent;           /* by an attempt */
    double success, success_low, success_high;
} optimize_rival;

typedef struct optimizer {
    const lu_tool_io *io;
    optimize_ask ask;
    craft_sorts sorts;
    craft_use use[CRAFT_USES_MAX];
    int uses;
    bool lists;     /* rules are asked for */
    double ceiling; /* uses that cost as much as a whole craft are never best */
    craft_graph graph;
    craft_problem problem;
    craft_values values;
    optimize_strategy strategy[OPTIMIZE_STRATEGIES];
    double *optimal; /* values of nodes under the optimum */
    double *sale;    /* what nodes bring; NULL: nothing */
    double add_only; /* cost of the best strategy that never removes; below 0: none succeeds */
    double below;    /* see optimize_answer */
    const char *below_how;
    craft_short rules;
    struct {
        bool found;
        craft_short rules;
        char use[CRAFT_SHORT_RULES][CRAFT_USE_NAME];
    } light; /* rules of the craft without heavy uses */
    int strategies;
    int drops; /* kinds of uses that did not fit into memory, the worst first */
    const char *dropped[OPTIMIZE_DROPS]; /* their names, and searches that took too long */
    int named;
    optimize_spread spread;
    optimize_rival rival[OPTIMIZE_RIVALS];
    int rivals;
} optimizer;

/* The optimum of what is asked as the first strategy, or none; `values` are those of its plan. */
lu_status optimize_solve(optimizer *o, lu_error *error);
void optimizer_free(optimizer *o);
/* optimize_spread.c: prices at which the strategy changes, and other rules; as the setting `spread`
 * has it. */
lu_status optimize_find_spread(optimizer *o, lu_error *error);
/* Parts of all uses of a graph and a base, each once. */
int optimize_items(const craft_graph *graph, const char *item[OPTIMIZE_ITEMS]);
/* optimize_rivals.c: baselines and the agent. */
lu_status optimize_find_rivals(optimizer *o, lu_error *error);

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
    double below; /* what no strategy with all uses can be below, from a base; 0: not known */
    const char *below_how; /* as if ... */
    const optimize_spread *spread;
    const optimize_rival *rival;
    int rivals;
    bool agent; /* one was there to be asked */
} optimize_answer;

/* The target as a JSON object. */
void optimize_write_target(lu_json *json, const craft_target *target, const craft_pack *pack);
/* The target as JSON and in words, and what of its text was not understood. */
void optimize_write_want(lu_json *json, const optimize_ask *ask, const char *understood);
/* What to do with every item (unless they are very many), and what becomes of a base step by step.
 */
void optimize_write_policy(lu_json *json, const optimize_answer *answer);
void optimize_write_flow(lu_json *json, const optimize_answer *answer, craft_graph *graph);
/* optimize_beside.c: members of an open object, and lines as entries of an open array. */
double optimize_cost(const optimize_answer *answer,
                     const optimize_strategy *strategy); /* exalted */
void optimize_write_sensitivity(lu_json *json, const optimize_answer *answer,
                                const optimize_strategy *strategy);
void optimize_write_spread(lu_json *json, const optimize_answer *answer);
void optimize_write_rivals(lu_json *json, const optimize_answer *answer);
void optimize_say_beside(lu_json *words, const optimize_answer *answer);
/* The answer as one JSON document. */
void optimize_write(lu_json *json, const optimize_answer *answer);
