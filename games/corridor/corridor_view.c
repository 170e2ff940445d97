/* How corridor looks to people and tools: terminal, words, JSON, and its bot. */
#include "corridor.h"

#include "ludus/fields.h"

static int distance_of(const corridor_state *s) {
    return s->lamp > s->position ? s->lamp - s->position : s->position - s->lamp;
}

void corridor_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const corridor_rules *m = (const corridor_rules *)(const void *)rules;
    const corridor_state *s = bytes;
    int from = 0, cells = m->length < 72 ? m->length : 72;
    (void)seat;
    /* a long corridor shows the part around the walker */
    if (m->length > cells) {
        from = s->position - cells / 2;
        from = from < 0 ? 0 : from;
        from = from > m->length - cells ? m->length - cells : from;
    }
    lu_text_addf(text, "Cell %d of %d, step %d of %d\n\n ", s->position + 1, m->length, s->steps,
                 m->limit);
    for (int i = from; i < from + cells; i++) {
        lu_text_add(text, i == s->position ? "@" : s->found && i == s->lamp ? "*" : ".");
    }
    lu_text_addf(text, "\n\nBrightness 1/%d%s\n", 1 + distance_of(s),
                 s->found ? ": the lamp!" : "");
}

uint64_t corridor_events_of(const lu_rules *rules, const void *before, const void *after,
                            const int32_t *actions) {
    const corridor_state *was = before, *is = after;
    uint64_t bits = 0;
    (void)rules;
    if (is->found) {
        bits |= 1u << CORRIDOR_EVENT_FOUND;
    }
    if (actions[0] != CORRIDOR_STAY && was->position == is->position) {
        bits |= 1u << CORRIDOR_EVENT_WALL;
    }
    return bits;
}

void corridor_story(const lu_rules *rules, const void *before, const void *after,
                    const int32_t *actions, lu_text *text) {
    const corridor_state *is = after;
    uint64_t bits = corridor_events_of(rules, before, after, actions);
    if (bits & (1u << CORRIDOR_EVENT_FOUND)) {
        lu_text_addf(text, "reaches the lamp in cell %d", is->lamp + 1);
    } else if (bits & (1u << CORRIDOR_EVENT_WALL)) {
        lu_text_add(text, "runs into the wall");
    } else {
        lu_text_addf(text, "stands in cell %d", is->position + 1);
    }
}

/* Only a walk into the wall is illegal. */
const char *corridor_why_not(const lu_rules *rules, const void *bytes, int seat, int head,
                             int option) {
    (void)rules;
    (void)bytes;
    (void)seat;
    (void)head;
    (void)option;
    return "the corridor ends here";
}

/* ---- JSON ---- */

static double last_cell(const lu_rules *rules) {
    return ((const corridor_rules *)(const void *)rules)->length - 1;
}

static double limit_of(const lu_rules *rules) {
    return ((const corridor_rules *)(const void *)rules)->limit;
}

static const lu_state_field fields[] = {
    {LU_FIELD(corridor_state, position), .kind = LU_NUMBER_I32, .most = last_cell},
    {LU_FIELD(corridor_state, lamp), .kind = LU_NUMBER_I32, .most = last_cell, .hidden = true},
    {LU_FIELD(corridor_state, steps), .kind = LU_NUMBER_I32, .most = limit_of},
};
enum { FIELDS = LU_COUNT(fields) };

void corridor_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const corridor_rules *m = (const corridor_rules *)(const void *)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    /* for readers only */
    lu_json_key_int(json, "length", m->length);
    lu_json_key_real(json, "brightness", 1.0 / (1 + distance_of(bytes)));
    lu_json_object_end(json);
}

static lu_status check_relations(const lu_rules *rules, const corridor_state *s, lu_error *error) {
    int last = (int)last_cell(rules);
    return s->lamp == 0 || s->lamp == last
               ? LU_OK
               : lu_fail(error, LU_BAD_DATA, "'lamp' is %d, but it hangs at cell 0 or %d", s->lamp,
                         last);
}

lu_status corridor_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                             lu_error *error) {
    corridor_state s = *(const corridor_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &s, value, error));
    LU_TRY(check_relations(rules, &s, error));
    s.found = s.position == s.lamp;
    *(corridor_state *)bytes = s;
    return LU_OK;
}

/* ---- bots ---- */

typedef struct seeker_memory {
    float brightness, position; /* of the last cell; 0 before the first */
    int32_t direction;
} seeker_memory;

/* Walks on while it gets brighter, turns when it gets darker, whoever took the last step. */
static void seeker(const lu_seat_view *view, int32_t *actions) {
    seeker_memory *m = view->memory;
    float position = view->observation[CORRIDOR_SEES_POSITION];
    if (m->brightness > 0.0f && position != m->position) {
        m->direction = position < m->position ? CORRIDOR_LEFT : CORRIDOR_RIGHT;
    }
    m->position = position;
    if (view->observation[CORRIDOR_SEES_LIGHT] < m->brightness) {
        m->direction = m->direction == CORRIDOR_LEFT ? CORRIDOR_RIGHT : CORRIDOR_LEFT;
    }
    if (!view->mask[m->direction]) {
        m->direction = m->direction == CORRIDOR_LEFT ? CORRIDOR_RIGHT : CORRIDOR_LEFT;
    }
    m->brightness = view->observation[CORRIDOR_SEES_LIGHT];
    actions[0] = m->direction;
}

const lu_bot corridor_bots[CORRIDOR_BOTS] = {
    {"seeker", "Walks towards the light.", false, sizeof(seeker_memory), seeker, false},
};
