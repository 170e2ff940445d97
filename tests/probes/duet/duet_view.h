/* What duet_spec.c needs of duet_view.c. */
#pragma once

#include "ludus/game.h"

enum { DUET_BOTS = 1 };
extern const lu_bot duet_bots[DUET_BOTS];
void duet_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t duet_events_of(const lu_rules *rules, const void *before, const void *after,
                        const int32_t *actions);
void duet_story(const lu_rules *rules, const void *before, const void *after,
                const int32_t *actions, lu_text *text);
void duet_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status duet_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                         lu_error *error);
