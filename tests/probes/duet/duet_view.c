/* How duet looks to people and tools, and its bots. */
#include "duet_view.h"
#include "duet.h"

#include <stdio.h>
#include <string.h>

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

void duet_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const duet_state *s = bytes;
    (void)rules;
    lu_json_object(json);
    lu_json_key_int(json, "round", s->round);
    lu_json_key_int(json, "rounds", s->rounds);
    lu_json_key_int(json, "prize", s->prize);
    lu_json_key_int(json, "score_0", s->score[0]);
    lu_json_key_int(json, "score_1", s->score[1]);
    lu_json_key_int(json, "last_0", s->last[0]);
    lu_json_key_int(json, "last_1", s->last[1]);
    lu_json_key_int(json, "count_0", s->count[0]);
    lu_json_key_int(json, "count_1", s->count[1]);
    if (seat < 0) {
        char rng[24];
        snprintf(rng, sizeof rng, "0x%016llx", (unsigned long long)s->rng);
        lu_json_key_string(json, "rng", rng); /* text: a page reads numbers only up to 2^53 */
    }
    lu_json_object_end(json);
}

lu_status duet_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                         lu_error *error) {
    static const struct {
        const char *key;
        int64_t low, high;
    } rows[] = {{"round", 0, 40},       {"rounds", 1, 40},      {"prize", 1, 9},
                {"score_0", -100, 460}, {"score_1", -100, 460}, {"last_0", 0, 3},
                {"last_1", 0, 3},       {"count_0", 0, 2},      {"count_1", 0, 2}};
    enum { ROWS = sizeof rows / sizeof *rows };
    duet_state s;
    memcpy(&s, bytes, sizeof s);
    (void)rules;
    int64_t v[ROWS] = {s.round,   s.rounds,  s.prize,    s.score[0], s.score[1],
                       s.last[0], s.last[1], s.count[0], s.count[1]};
    for (int i = 0; i < ROWS; i++) {
        if (lu_json_get(value, rows[i].key) &&
            lu_json_get_int(value, rows[i].key, rows[i].low, rows[i].high, &v[i], error) != LU_OK) {
            return LU_BAD_DATA;
        }
    }
    if (v[0] > v[1]) {
        return lu_fail(error, LU_BAD_DATA, "'round' is above 'rounds'");
    }
    uint64_t rng = s.rng;
    if (lu_json_get(value, "rng") && lu_json_get_uint(value, "rng", &rng, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    duet_state next = {rng,
                       (int32_t)v[0],
                       (int32_t)v[1],
                       (int32_t)v[2],
                       {(int32_t)v[3], (int32_t)v[4]},
                       {(uint8_t)v[5], (uint8_t)v[6]},
                       {(uint8_t)v[7], (uint8_t)v[8]}};
    memcpy(bytes, &next, sizeof next);
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
