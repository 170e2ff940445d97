/* What the files of `ludus craft optimize` share: optimize.c holds the tool, optimize_read.c what
 * is asked, optimize_write.c the answer. Ownership: an ask belongs to the tool's run. Threads: one
 * at a time. */
#pragma once

#include "want.h"

#include "solver/craft_choice.h"
#include "solver/craft_short.h"
#include "solver/craft_tally.h"

#include "ludus/tool.h"

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
lu_status optimize_read(optimize_ask *ask, const lu_settings *settings, lu_error *error);
void optimize_free(optimize_ask *ask);

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
