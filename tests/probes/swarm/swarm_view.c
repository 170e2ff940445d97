/* How both variants of swarm look to people and tools. */
#include "swarm.h"

#include <stdio.h>

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

static void write_bytes(lu_json *json, const char *key, const uint8_t *bytes) {
    lu_json_key_array(json, key);
    for (int i = 0; i < SWARM_MANY; i++) {
        lu_json_int(json, bytes[i]);
    }
    lu_json_array_end(json);
}

void swarm_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const swarm_state *s = bytes;
    (void)rules;
    lu_json_object(json);
    lu_json_key_int(json, "round", s->round);
    lu_json_key_int(json, "points", s->points);
    write_bytes(json, "kind", s->kind);
    write_bytes(json, "age", s->age);
    if (seat < 0) {
        char rng[24];
        snprintf(rng, sizeof rng, "0x%016llx", (unsigned long long)s->rng);
        lu_json_key_string(json, "rng", rng);
    }
    lu_json_object_end(json);
}

static lu_status read_bytes(const lu_json_value *value, const char *key, int high, uint8_t *bytes,
                            lu_error *error) {
    const lu_json_value *list = lu_json_get(value, key);
    if (!list) {
        return LU_OK;
    }
    for (size_t i = 0; i < SWARM_MANY; i++) {
        double number = lu_json_real_or(lu_json_at(list, i), -1.0);
        if (lu_json_count(list) != SWARM_MANY || !(number >= 0.0 && number <= (double)high)) {
            return lu_fail(error, LU_BAD_DATA, "'%s' must be %d numbers in 0..%d", key, SWARM_MANY,
                           high);
        }
        bytes[i] = (uint8_t)number;
    }
    return LU_OK;
}

lu_status swarm_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    swarm_state *s = bytes, next = *s;
    int64_t round = next.round, points = next.points;
    if ((lu_json_get(value, "round") &&
         lu_json_get_int(value, "round", 0, SWARM_LIMIT, &round, error) != LU_OK) ||
        (lu_json_get(value, "points") &&
         lu_json_get_int(value, "points", 0, SWARM_GOAL + SWARM_KINDS_MAX, &points, error) !=
             LU_OK) ||
        (lu_json_get(value, "rng") && lu_json_get_uint(value, "rng", &next.rng, error) != LU_OK) ||
        read_bytes(value, "kind", ((const swarm_rules *)(const void *)rules)->kinds, next.kind,
                   error) != LU_OK ||
        read_bytes(value, "age", SWARM_AGE_MAX - 1, next.age, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    next.round = (int32_t)round;
    next.points = (int32_t)points;
    *s = next;
    return LU_OK;
}
