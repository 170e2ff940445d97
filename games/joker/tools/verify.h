/* What the files of the verify tool share: one case of a file as it is checked, and the comparisons
 * that keep its first mismatch. verify.c holds files and the tool, verify_seeds.c what a seed
 * gives, verify_score.c scored hands and hand detection, verify_reward.c rewards. Ownership:
 * verify.c sets a case up and frees it. Threads: one at a time. */
#pragma once

#include "joker.h"

#include "ludus/json.h"
#include "ludus/tool.h"

typedef struct joker_check {
    const lu_tool_input *input;
    lu_error *error;
    char id[64];
    int64_t checked;  /* values compared */
    lu_json mismatch; /* the first one, as an object; empty = none */
} joker_check;

/* A number against ours: equal, or within `relative` of the larger one. `at` names it ("chips"). */
void joker_check_number(joker_check *c, const char *at, double want, double got, double relative);
/* A text against ours. */
void joker_check_text(joker_check *c, const char *at, const char *want, const char *got);
/* A whole value of the case against ours: the same kind, the same members and entries; numbers
 * equal as doubles. */
void joker_check_value(joker_check *c, const char *at, const lu_json_value *want,
                       const lu_json_value *got);
/* LU_BAD_DATA with file and case before the sentence. */
lu_status joker_check_bad(joker_check *c, const char *what);

/* Each checks one case; a status other than LU_OK is about a case that cannot be read, what differs
 * goes into the mismatch. */
lu_status joker_check_seed(joker_check *c, const lu_json_value *entry);
lu_status joker_check_scoring(joker_check *c, const lu_json_value *entry);
lu_status joker_check_detection(joker_check *c, const lu_json_value *entry);
lu_status joker_check_reward(joker_check *c, const lu_json_value *entry); /* component or episode */
