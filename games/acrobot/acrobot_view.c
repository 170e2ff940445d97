/* How acrobot looks to people and tools: terminal, words, JSON, and its two bots. */
#include "acrobot.h"

#include "ludus/math.h"

#include <string.h>

/* A letter is about twice as high as wide: 3.5 rows and 7 columns to the metre. */
enum { COLUMNS = 33, ROWS = 15, MIDDLE_COLUMN = 16, MIDDLE_ROW = 7 };

typedef struct place {
    double right, up; /* of the joint, m */
} place;

static place elbow_of(const acrobot_state *s) {
    return (place){lu_sin(s->theta1), -lu_cos(s->theta1)};
}

static place tip_of(const acrobot_state *s) {
    place elbow = elbow_of(s);
    double angle = s->theta1 + s->theta2;
    return (place){elbow.right + lu_sin(angle), elbow.up - lu_cos(angle)};
}

static double degrees(double radians) {
    return radians * (180.0 / LU_PI);
}

/* ---- terminal ---- */

static void mark(char picture[ROWS][COLUMNS + 1], place at, char letter) {
    int row = MIDDLE_ROW - (int)lu_floor(at.up * 3.5 + 0.5);
    int column = MIDDLE_COLUMN + (int)lu_floor(at.right * 7.0 + 0.5);
    if (row >= 0 && row < ROWS && column >= 0 && column < COLUMNS) {
        picture[row][column] = letter;
    }
}

static void draw_link(char picture[ROWS][COLUMNS + 1], place from, place to, char letter) {
    for (int i = 1; i < 20; i++) {
        double share = i / 20.0;
        place at = {from.right + share * (to.right - from.right),
                    from.up + share * (to.up - from.up)};
        mark(picture, at, letter);
    }
}

void acrobot_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const acrobot_rules *m = (const acrobot_rules *)(const void *)rules;
    const acrobot_state *s = bytes;
    char picture[ROWS][COLUMNS + 1];
    place joint = {0.0, 0.0}, elbow = elbow_of(s), tip = tip_of(s);
    (void)seat;
    for (int row = 0; row < ROWS; row++) {
        memset(picture[row], ' ', COLUMNS);
        picture[row][COLUMNS] = '\0';
    }
    for (int column = 0; column < COLUMNS; column++) {
        mark(picture, (place){(column - MIDDLE_COLUMN) / 7.0, ACROBOT_GOAL}, '-');
    }
    draw_link(picture, joint, elbow, '#');
    draw_link(picture, elbow, tip, '*');
    mark(picture, joint, '+');
    mark(picture, elbow, 'o');
    mark(picture, tip, '@');
    lu_text_addf(text, "Step %d of %d%s\n", s->steps, m->limit, s->reached ? ", reached" : "");
    for (int row = 0; row < ROWS; row++) {
        lu_text_line(text, "  %s", picture[row]);
    }
    lu_text_addf(text,
                 "Links at %+.0f and %+.0f degrees, %+.2f and %+.2f rad/s; height %+.2f of 1\n",
                 degrees(s->theta1), degrees(s->theta2), s->theta1_dot, s->theta2_dot, tip.up);
}

/* ---- words ---- */

uint64_t acrobot_events_of(const lu_rules *rules, const void *before, const void *after,
                           const int32_t *actions) {
    const acrobot_rules *m = (const acrobot_rules *)(const void *)rules;
    const acrobot_state *was = before, *is = after;
    uint64_t bits = 0;
    (void)actions;
    if (is->reached) {
        bits |= 1u << ACROBOT_EVENT_REACHED;
    } else if (is->steps >= m->limit) {
        bits |= 1u << ACROBOT_EVENT_TIMEOUT;
    }
    if (tip_of(was).up <= 0.0 && tip_of(is).up > 0.0) {
        bits |= 1u << ACROBOT_EVENT_OVER_JOINT;
    }
    return bits;
}

void acrobot_story(const lu_rules *rules, const void *before, const void *after,
                   const int32_t *actions, lu_text *text) {
    const acrobot_state *is = after;
    uint64_t bits = acrobot_events_of(rules, before, after, actions);
    if (bits & (1u << ACROBOT_EVENT_REACHED)) {
        lu_text_addf(text, "rises above the line after %d steps", is->steps);
    } else if (bits & (1u << ACROBOT_EVENT_TIMEOUT)) {
        lu_text_addf(text, "is still below the line after %d steps", is->steps);
    } else {
        lu_text_addf(text, "swings %s, the free end %.2f m %s the joint",
                     is->theta1_dot > 0.0 ? "right" : "left", lu_fabs(tip_of(is).up),
                     tip_of(is).up > 0.0 ? "above" : "below");
    }
}

/* ---- JSON ---- */

void acrobot_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const acrobot_state *s = bytes;
    (void)rules;
    (void)seat;
    lu_json_object(json);
    lu_json_key_real(json, "theta1", s->theta1);
    lu_json_key_real(json, "theta2", s->theta2);
    lu_json_key_real(json, "theta1_dot", s->theta1_dot);
    lu_json_key_real(json, "theta2_dot", s->theta2_dot);
    lu_json_key_int(json, "steps", s->steps);
    lu_json_key_bool(json, "reached", s->reached);
    lu_json_object_end(json);
}

lu_status acrobot_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                            lu_error *error) {
    static const struct {
        const char *key;
        double bound;
    } rows[4] = {{"theta1", ACROBOT_PI},
                 {"theta2", ACROBOT_PI},
                 {"theta1_dot", ACROBOT_THETA1_DOT_MAX},
                 {"theta2_dot", ACROBOT_THETA2_DOT_MAX}};
    const acrobot_rules *m = (const acrobot_rules *)(const void *)rules;
    acrobot_state *s = bytes;
    double real[4] = {s->theta1, s->theta2, s->theta1_dot, s->theta2_dot};
    int64_t steps = s->steps;
    bool reached = s->reached != 0;
    for (int k = 0; k < 4; k++) {
        if (lu_json_get(value, rows[k].key) &&
            lu_json_get_real(value, rows[k].key, -rows[k].bound, rows[k].bound, &real[k], error) !=
                LU_OK) {
            return LU_BAD_DATA;
        }
    }
    if (lu_json_get(value, "steps") &&
        lu_json_get_int(value, "steps", 0, m->limit, &steps, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    /* kept apart from the angles: a given start above the line has reached nothing yet */
    if (lu_json_get(value, "reached") &&
        lu_json_get_bool(value, "reached", &reached, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    s->theta1 = real[0];
    s->theta2 = real[1];
    s->theta1_dot = real[2];
    s->theta2_dot = real[3];
    s->steps = (int32_t)steps;
    s->reached = reached ? 1 : 0;
    return LU_OK;
}

/* ---- bots ---- */

/* The torque does work at the rate torque x theta2_dot, so pushing along theta2_dot pumps energy
 * in; half the speed of the upper link against it keeps the lower link in step. */
static void swinger(const lu_seat_view *view, int32_t *actions) {
    float along = view->observation[5] - 0.5f * view->observation[4];
    actions[0] = along > 0.0f ? ACROBOT_PLUS : ACROBOT_MINUS;
}

const lu_bot acrobot_bots[ACROBOT_BOTS] = {
    {.name = "swinger", .sentence = "Pumps energy into the swing.", .act = swinger},
};
