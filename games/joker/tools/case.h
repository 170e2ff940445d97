/* A hand to be scored as JSON, in the layout of the scoring vectors: cards, jokers, levels, plays
 * and what else counts (`ctx`). Everything but `played` may be left out. Read by `ludus joker
 * score` and `ludus verify joker`. Ownership: a case belongs to the caller and owns nothing.
 * Threads: no state. */
#pragma once

#include "joker_json_parts.h"
#include "rules/joker_scoring.h"

#include "ludus/json.h"

typedef struct joker_case {
    joker_rules rules;
    joker_state state;
    joker_scoring call; /* facts and cards, ready for joker_case_score */
} joker_case;

/* Reads a case; the sentence of an error names the member. Only certain odds hit. */
lu_status joker_case_read(const lu_json_value *entry, joker_case *out, lu_error *error);

/* Refuses a member that no case has, or its `ctx`, naming the nearest: for cases that people write.
 */
lu_status joker_case_check(const lu_json_value *entry, lu_error *error);

/* Scores the hand of a case, steps 1 to 10 (the state stays as it was), or also step 12. */
void joker_case_score(joker_case *c, bool after);
/* Scores of the hand under all luck there is: worst, mean, best. exact = 0: too many outcomes, the
 * mean is that of JOKER_LUCK_MEAN. The
 * results of the call are those of its last run. */
typedef struct joker_case_range {
    double worst, mean, best;
    double dollars; /* mean */
    int32_t outcomes, exact;
} joker_case_range;
joker_case_range joker_case_outlook(joker_case *c, int32_t limit);
