/* What the files of the verify tool share: one entry of a file as it is checked, and the
 * comparisons that keep its first mismatch. verify.c holds files and the tool, verify_trace.c
 * recorded episodes, verify_case.c optimum cases. Ownership: verify.c sets an entry up and frees
 * it. Threads: one at a time. */
#pragma once

#include "potion.h"

#include "ludus/episode.h"
#include "ludus/tool.h"

/* Rewards, ratios and errors; counts, names and prices are exact. */
#define POTION_VERIFY_TOLERANCE 1e-6

typedef struct potion_check {
    const lu_tool_input *input;
    lu_error *error;
    char id[64];
    const char *part;    /* "steps", "final", "best_total", .. */
    long long index;     /* entry of that part, -1 = it has none */
    double reward_error; /* largest seen */
    int64_t checked;     /* steps, or mixes */
    lu_json mismatch;    /* the first one, as an object; empty = none */
} potion_check;

/* Recipe, cauldron and stock of an entry, with their titles compared. */
lu_status potion_check_task(potion_check *c, const lu_json_value *entry, potion_options *task);

/* A number of `object` against ours; absent or null: not compared. */
void potion_check_number(potion_check *c, const lu_json_value *object, const char *key, double got,
                         double tolerance);
/* A flag and a text, likewise. In texts '_' and ' ' are the same. */
void potion_check_flag(potion_check *c, const lu_json_value *object, const char *key, bool got);
void potion_check_text(potion_check *c, const lu_json_value *object, const char *key,
                       const char *got);
/* A sentence as the first mismatch. */
void potion_check_say(potion_check *c, const char *what);
/* LU_BAD_DATA with file and entry before the sentence. */
lu_status potion_check_bad(potion_check *c, const char *what);

/* Checks one recorded episode: each step under the peer's rules, the end under both. */
lu_status potion_check_trace(potion_check *c, const lu_json_value *trace);
/* Checks one optimum case: that each mix is within its limits, adds up to what is said of it, and
 * is as good as the solver's. */
lu_status potion_check_case(potion_check *c, const lu_json_value *entry);
