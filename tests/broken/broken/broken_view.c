/* How broken looks to people and tools, its bot, and their faults. */
#include "broken.h"

#include <stdio.h>

static int fault_of(const lu_rules *rules) {
    return ((const broken_rules *)(const void *)rules)->fault;
}

void broken_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const broken_state *s = bytes;
    lu_text_line(text, "Step %d, seat %d chooses, score %d, shade %d", s->steps, s->seat, s->score,
                 s->shade);
    lu_text_addf(text, "Doors:");
    for (int d = 0; d < BROKEN_DOORS; d++) {
        lu_text_add(text, s->open >> d & 1 ? " open" : " shut");
    }
    lu_text_add(text, "\n");
    if (seat < 0 || fault_of(rules) == BROKEN_show_leaks) {
        lu_text_line(text, "Treasure %d", s->treasure);
    }
    if (fault_of(rules) == BROKEN_show_wide) {
        lu_text_fill(text, '-', 81);
    } else if (fault_of(rules) == BROKEN_show_tall) {
        lu_text_fill(text, '\n', 18);
    } else if (fault_of(rules) == BROKEN_show_control) {
        lu_text_add(text, "\033[1mbold\n");
    }
}

uint64_t broken_events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *actions) {
    const broken_state *was = before, *is = after;
    (void)actions;
    if (fault_of(rules) == BROKEN_event_unknown && is->steps == 4) {
        return 2;
    }
    return is->score > was->score;
}

void broken_story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *actions, lu_text *text) {
    const broken_state *was = before, *is = after;
    (void)actions;
    lu_text_addf(text, "seat %d finds %d", was->seat, is->score - was->score);
    if (fault_of(rules) == BROKEN_story_long) {
        lu_text_add(text, "\nand goes on");
    }
}

void broken_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const broken_state *s = bytes;
    int fault = fault_of(rules);
    lu_json_object(json);
    lu_json_key_int(json, "steps", s->steps);
    lu_json_key_int(json, "score", s->score);
    lu_json_key_int(json, "open", s->open);
    lu_json_key_int(json, "seat", s->seat);
    lu_json_key_int(json, "over", s->over);
    lu_json_key_int(json, "spare", s->spare);
    lu_json_key_int(json, "kinds", s->kind[0] + 10 * s->kind[1] + 100 * s->kind[2]);
    lu_json_key_int(json, "shade", s->shade);
    if (seat < 0 || fault == BROKEN_json_leaks) {
        char rng[24];
        snprintf(rng, sizeof rng, "0x%016llx", (unsigned long long)s->rng);
        lu_json_key_string(json, "rng", rng);
        lu_json_key_int(json, "spot", s->spot);
        if (fault != BROKEN_json_loses) {
            lu_json_key_int(json, "treasure", s->treasure);
        }
    }
    if (fault == BROKEN_json_broken && s->shade > 90) {
        lu_json_key(json, "shade");
        lu_json_raw(json, "nan", 3);
    }
    lu_json_object_end(json);
}

lu_status broken_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                           lu_error *error) {
    static const struct {
        const char *key;
        int64_t high;
    } rows[] = {{"steps", 1000},      {"score", 1000}, {"open", 15},   {"seat", 1},
                {"over", 1},          {"spare", 255},  {"kinds", 333}, {"shade", 100},
                {"spot", UINT32_MAX}, {"treasure", 9}};
    enum { ROWS = LU_COUNT(rows) };
    broken_state *s = bytes;
    int64_t v[ROWS] = {s->steps,
                       s->score,
                       s->open,
                       s->seat,
                       s->over,
                       s->spare,
                       s->kind[0] + 10 * s->kind[1] + 100 * s->kind[2],
                       s->shade,
                       s->spot,
                       s->treasure};
    uint64_t rng = s->rng;
    int fault = fault_of(rules);
    for (int i = 0; i < ROWS; i++) {
        int64_t high = fault == BROKEN_json_trusts && i == 0 ? INT32_MAX : rows[i].high;
        if (fault == BROKEN_json_halfway) {
            s->score = 999; /* before everything was read */
        }
        if (lu_json_get(value, rows[i].key)) {
            LU_TRY(lu_json_get_int(value, rows[i].key, fault == BROKEN_json_trusts ? INT32_MIN : 0,
                                   high, &v[i], error));
        }
    }
    if (v[6] % 10 >= BROKEN_KINDS || v[6] / 10 % 10 >= BROKEN_KINDS || v[2] == 0) {
        return lu_fail(error, LU_BAD_DATA, "'kinds' or 'open' cannot be");
    }
    if (lu_json_get(value, "rng")) {
        LU_TRY(lu_json_get_uint(value, "rng", &rng, error));
    }
    *s = (broken_state){
        .rng = rng,
        .steps = (int32_t)v[0],
        .treasure = (int32_t)v[9],
        .score = (int32_t)v[1],
        .open = (uint8_t)v[2],
        .seat = (uint8_t)(v[3] & 1),
        .over = (uint8_t)v[4],
        .spare = (uint8_t)v[5],
        .kind = {(uint8_t)(v[6] % 10), (uint8_t)(v[6] / 10 % 10), (uint8_t)(v[6] / 100)},
        .shade = (uint8_t)v[7],
        .spot = (uint32_t)v[8]};
    return LU_OK;
}

/* ---- the bot ---- */

typedef struct opener_memory {
    int32_t count;
} opener_memory;

/* Opens the first door that is open. */
static void opener(const lu_seat_view *view, int32_t *actions) {
    static _Thread_local int calls;
    opener_memory *m = view->memory;
    int first = 0;
    while (first < BROKEN_DOORS - 1 && !view->mask[first]) {
        first++;
    }
    m->count++;
    switch (fault_of(view->rules)) {
    case BROKEN_bot_illegal:
        actions[0] = m->count == 5 ? BROKEN_DOORS : first;
        break;
    case BROKEN_bot_counter:
        for (int d = 0; d < BROKEN_DOORS; d++) {
            first = view->mask[d] && calls++ % 7 == 0 ? d : first;
        }
        actions[0] = first;
        break;
    case BROKEN_bot_memory:
        m[1].count = 1;
        actions[0] = first;
        break;
    case BROKEN_bot_silent:
        if (m->count != 3) {
            actions[0] = first;
        }
        break;
    default:
        actions[0] = first;
    }
}

const lu_bot broken_bots[BROKEN_BOTS] = {
    {"opener", "Opens the first door.", false, sizeof(opener_memory), opener, false},
};
