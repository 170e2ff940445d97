/* What the files of potion's verify tool share: verify.c holds the tool and the comparisons that
 * leave out what an entry does not say, verify_trace.c recorded episodes, verify_case.c optimum
 * cases. Ownership: checks belong to the harness (ludus/verify.h). Threads: one at a time. */
#pragma once

#include "potion.h"

#include "ludus/episode.h"
#include "ludus/verify.h"

/* Rewards, ratios and errors; counts, names and prices are exact. */
#define POTION_VERIFY_TOLERANCE 1e-6

/* Recipe, cauldron and stock of an entry, with their titles compared. */
lu_status potion_check_task(lu_check *c, const lu_json_value *entry, potion_options *task);

/* A number of `object` against ours; absent or null: not compared. Returns the difference, or 0. */
double potion_check_number(lu_check *c, const lu_json_value *object, const char *key, double got,
                           double tolerance);
/* A flag and a text, likewise. In texts '_' and ' ' are the same. */
void potion_check_flag(lu_check *c, const lu_json_value *object, const char *key, bool got);
void potion_check_text(lu_check *c, const lu_json_value *object, const char *key, const char *got);

/* One recorded episode: each step under the peer's rules, the end under both. */
lu_check_case potion_check_trace;
/* One optimum case: each mix is within its limits, adds up to what is said of it, and is as good as
 * the solver's. */
lu_check_case potion_check_case;
