/* How duet looks to people and tools, and its bots. */
#include "duet_view.h"
#include "duet.h"

#include "ludus/fields.h"

static const char *const words[] = {"rock", "paper", "scissors", "nothing"};

void duet_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const duet_state *s = bytes;
    (void)rules;
    (void)seat;
    lu_text_line(text, "Round %d of %d, prize %d", s->round, s->rounds, s->prize);
    for (int i = 0; i < DUET_SEATS; i++) {
        lu_text_line(text, "Seat %d: %3d points, last %s x%d", i, s->score[i], words[s->last[i]],
                     s->count[i]);
    }
}

uint64_t duet_events_of(const lu_rules *rules, const void *before, const void *after,
                        const int32_t *actions) {
    const duet_state *was = before, *is = after;
    bool tie = was->score[0] == is->score[0] && was->score[1] == is->score[1];
    (void)rules;
    (void)actions;
    return tie ? 1u << DUET_EVENT_TIE : 1u << DUET_EVENT_WON;
}

void duet_story(const lu_rules *rules, const void *before, const void *after,
                const int32_t *actions, lu_text *text) {
    const duet_state *was = before, *is = after;
    (void)rules;
    (void)actions;
    for (int seat = 0; seat < DUET_SEATS; seat++) {
        if (is->score[seat] > was->score[seat]) {
            lu_text_addf(text, "seat %d wins %d", seat, was->prize);
            return;
        }
    }
    lu_text_add(text, "nobody wins");
}

static const lu_state_field fields[] = {
    {LU_FIELD(duet_state, round), .kind = LU_NUMBER_I32, .high = 40},
    {LU_FIELD(duet_state, rounds), .kind = LU_NUMBER_I32, .low = 1, .high = 40},
    {LU_FIELD(duet_state, prize), .kind = LU_NUMBER_I32, .low = 1, .high = 9},
    {"score_0", offsetof(duet_state, score[0]), .kind = LU_NUMBER_I32, .low = -100, .high = 460},
    {"score_1", offsetof(duet_state, score[1]), .kind = LU_NUMBER_I32, .low = -100, .high = 460},
    {"last_0", offsetof(duet_state, last[0]), .kind = LU_NUMBER_U8, .high = 3},
    {"last_1", offsetof(duet_state, last[1]), .kind = LU_NUMBER_U8, .high = 3},
    {"count_0", offsetof(duet_state, count[0]), .kind = LU_NUMBER_U8, .high = 2},
    {"count_1", offsetof(duet_state, count[1]), .kind = LU_NUMBER_U8, .high = 2},
    {LU_FIELD(duet_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};
enum { FIELDS = LU_COUNT(fields) };

void duet_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    lu_json_object_end(json);
}

static lu_status check_relations(const duet_state *s, lu_error *error) {
    return s->round <= s->rounds ? LU_OK : lu_fail(error, LU_BAD_DATA, "'round' is above 'rounds'");
}

lu_status duet_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                         lu_error *error) {
    duet_state next = *(const duet_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &next, value, error));
    LU_TRY(check_relations(&next, error));
    *(duet_state *)bytes = next;
    return LU_OK;
}

/* ---- bots ---- */

/* Plays what beats the other seat's last choice. */
static void answer(const lu_seat_view *view, int32_t *actions) {
    int other = (int)view->observation[5];
    actions[0] = (other + 1) % DUET_ACTIONS;
    if (!view->mask[actions[0]]) {
        actions[0] = (actions[0] + 1) % DUET_ACTIONS;
    }
}

const lu_bot duet_bots[DUET_BOTS] = {
    {"answer", "Plays what beats the last choice of the other seat.", false, 0, answer, false},
};
