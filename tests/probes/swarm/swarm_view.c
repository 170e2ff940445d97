/* How both variants of swarm look to people and tools. */
#include "swarm.h"

#include "ludus/fields.h"

void swarm_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const swarm_state *s = bytes;
    (void)rules;
    (void)seat;
    lu_text_addf(text, "Round %d, %d points: ", s->round, s->points);
    for (int i = 0; i < SWARM_MANY; i++) {
        lu_text_add_char(text, s->kind[i] ? (char)('0' + s->kind[i]) : '.');
    }
    lu_text_add(text, "\n");
}

uint64_t swarm_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions) {
    (void)rules;
    (void)actions;
    return ((const swarm_state *)after)->points > ((const swarm_state *)before)->points;
}

void swarm_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text) {
    const swarm_state *was = before, *is = after;
    (void)rules;
    (void)actions;
    if (is->points > was->points) {
        lu_text_addf(text, "squashes a bug for %d", is->points - was->points);
    } else {
        lu_text_add(text, "waits");
    }
}

static double most_kinds(const lu_rules *rules) {
    return ((const swarm_rules *)(const void *)rules)->kinds;
}

static const lu_state_field fields[] = {
    {LU_FIELD(swarm_state, round), .kind = LU_NUMBER_I32, .high = SWARM_LIMIT},
    {LU_FIELD(swarm_state, points), .kind = LU_NUMBER_I32, .high = SWARM_GOAL + SWARM_KINDS_MAX},
    {LU_FIELD(swarm_state, kind), .kind = LU_NUMBER_U8, .count = SWARM_MANY, .most = most_kinds},
    {LU_FIELD(swarm_state, age), .kind = LU_NUMBER_U8, .count = SWARM_MANY,
     .high = SWARM_AGE_MAX - 1},
    {LU_FIELD(swarm_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};

void swarm_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, LU_COUNT(fields), bytes, seat, json);
    lu_json_object_end(json);
}

lu_status swarm_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    swarm_state next = *(const swarm_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, LU_COUNT(fields), rules, &next, value, error));
    *(swarm_state *)bytes = next;
    return LU_OK;
}
