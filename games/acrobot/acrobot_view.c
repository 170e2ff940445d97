/* How acrobot looks to people and tools: terminal, words, JSON, and its two bots. */
#include "acrobot.h"

#include "ludus/fields.h"

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

static double limit_of(const lu_rules *rules) {
    return ((const acrobot_rules *)(const void *)rules)->limit;
}

#define REAL(member, bound)                                                                        \
    { LU_FIELD(acrobot_state, member), .kind = LU_NUMBER_REAL, .low = -(bound), .high = (bound) }
static const lu_state_field fields[] = {
    REAL(theta1, ACROBOT_PI),
    REAL(theta2, ACROBOT_PI),
    REAL(theta1_dot, ACROBOT_THETA1_DOT_MAX),
    REAL(theta2_dot, ACROBOT_THETA2_DOT_MAX),
    {LU_FIELD(acrobot_state, steps), .kind = LU_NUMBER_I32, .most = limit_of},
    /* kept apart from the angles: a given start above the line has reached nothing yet */
    {LU_FIELD(acrobot_state, reached), .kind = LU_NUMBER_FLAG},
};
enum { FIELDS = LU_COUNT(fields) };

void acrobot_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    lu_json_object_end(json);
}

lu_status acrobot_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                            lu_error *error) {
    acrobot_state s = *(const acrobot_state *)bytes;
    lu_status status = lu_fields_from_json(fields, FIELDS, rules, &s, value, error);
    if (status == LU_OK) {
        *(acrobot_state *)bytes = s;
    }
    return status;
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
