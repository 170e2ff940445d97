/* Facts that every learning probe has alike. */
#pragma once

#include "learn.h"

static const lu_term learn_terms[] = {{"reward", "What the probe pays.", {1.0}}};
static const lu_info learn_infos[] = {
    {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
};

static size_t learn_rules_bytes(const lu_settings *values) {
    (void)values;
    return sizeof(lu_rules);
}

static lu_status learn_rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    (void)rules;
    (void)values;
    (void)error;
    return LU_OK;
}

#define LEARN_FACTS(game_)                                                                         \
    .id = #game_ "-v1", .name = #game_, .title = #game_, .terms = 1, .term = learn_terms,          \
    .modes = "", .infos = 1, .info = learn_infos, .headline = "steps",                             \
    .settings = {#game_, NULL, 0}, .longest = 16, .state_bytes = sizeof(learn_state),              \
    .hot_bytes = sizeof(learn_state), .rules_bytes = learn_rules_bytes,                            \
    .rules_init = learn_rules_init, .core = LU_CORES(game_)
