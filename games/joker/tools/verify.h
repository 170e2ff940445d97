/* The comparisons of joker's verify tool, one per kind of case: verify_seeds.c what a seed gives,
 * verify_score.c scored hands and hand detection, verify_reward.c rewards. Each checks one case; a
 * status other than LU_OK is about a case that cannot be read. Ownership: checks belong to the
 * harness (ludus/verify.h). Threads: one at a time. */
#pragma once

#include "joker.h"

#include "ludus/verify.h"

lu_check_case joker_check_seed, joker_check_scoring, joker_check_detection;
lu_check_case joker_check_reward; /* component or episode */
