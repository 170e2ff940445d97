/* Facts that every learning probe has alike. */
#pragma once

#include "learn.h"

static const lu_term learn_terms[] = {{"reward", "What the probe pays.", {1.0}}};
static const lu_info learn_infos[] = {
    {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
#ifdef LEARN_WON
    {"won", LU_INFO_FLAG, "", "This seat has won.", NULL, true},
#endif
};

#define LEARN_FACTS(game_)                                                                         \
    .id = #game_ "-v1", .name = #game_, .title = #game_, .terms = LU_ROWS(learn_terms),            \
    .infos = LU_ROWS(learn_infos), .headline = "steps", .settings = {#game_, NULL, 0},             \
    .limit.longest = 16, .state_bytes = sizeof(learn_state), .rules_bytes = sizeof(lu_rules),      \
    .core = LU_CORES(game_)
