/* What chain_spec.c needs of chain_view.c. */
#pragma once

#include "chain.h"

extern const lu_bot chain_bots[CHAIN_BOTS];
void chain_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t chain_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions);
void chain_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text);
void chain_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status chain_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                          lu_error *error);
