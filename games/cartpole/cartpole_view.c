/* How cartpole looks to people and tools: terminal, words, JSON, and its two bots. */
#include "cartpole.h"

#include "ludus/fields.h"

#include "ludus/math.h"

#include <string.h>

enum { COLUMNS = 76, ROWS = 9, PER_METRE = 15 };

/* ---- terminal ---- */

/* Column of a place on the track; outside the picture at its edge. */
static int column_of(double x) {
    int column = (int)lu_floor(x * PER_METRE + COLUMNS / 2.0 + 0.5);
    return column < 0 ? 0 : column > COLUMNS - 1 ? COLUMNS - 1 : column;
}

static double degrees(double radians) {
    return radians * (180.0 / LU_PI);
}

void cartpole_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    static const char *const ends[CARTPOLE_ENDS] = {"", ", the pole fell", ", off the track"};
    const cartpole_rules *m = (const cartpole_rules *)(const void *)rules;
    const cartpole_state *s = bytes;
    char picture[ROWS + 1][COLUMNS + 1];
    (void)seat;
    lu_text_addf(text, "Step %d of %d%s\n", s->steps, m->limit, ends[s->end]);
    for (int row = 0; row <= ROWS; row++) {
        memset(picture[row], ' ', COLUMNS);
        picture[row][COLUMNS] = '\0';
    }
    /* the pole is 1 m long and 8 rows high: a letter is about twice as high as wide */
    double sine = lu_sin(s->theta), cosine = lu_cos(s->theta);
    char stroke = s->theta > 0.1 ? '/' : s->theta < -0.1 ? '\\' : '|';
    for (int i = 1; i <= 32; i++) {
        double along = i / 32.0;
        int row = ROWS - 1 - (int)lu_floor(along * cosine * 8.0);
        picture[row < 0 ? 0 : row][column_of(s->x + along * sine)] = i == 32 ? 'o' : stroke;
    }
    int cart = column_of(s->x);
    for (int c = cart - 3; c <= cart + 3; c++) {
        if (c >= 0 && c < COLUMNS) {
            picture[ROWS][c] = c == cart - 3 ? '[' : c == cart + 3 ? ']' : '=';
        }
    }
    for (int row = 0; row <= ROWS; row++) {
        lu_text_line(text, " %s", picture[row]);
    }
    int left = column_of(-CARTPOLE_TRACK), right = column_of(CARTPOLE_TRACK);
    lu_text_fill(text, ' ', 1 + left);
    lu_text_add_char(text, '|');
    for (int c = left + 1; c < right; c++) {
        lu_text_add_char(text, c == COLUMNS / 2 ? '+' : '-');
    }
    lu_text_add(text, "|\n\n");
    lu_text_addf(text, "Cart %+.3f m, %+.3f m/s    Pole %+.2f degrees, %+.2f degrees/s\n", s->x,
                 s->x_dot, degrees(s->theta), degrees(s->theta_dot));
}

/* ---- words ---- */

uint64_t cartpole_events_of(const lu_rules *rules, const void *before, const void *after,
                            const int32_t *actions) {
    const cartpole_rules *m = (const cartpole_rules *)(const void *)rules;
    const cartpole_state *is = after;
    (void)before;
    (void)actions;
    if (is->end == CARTPOLE_FELL) {
        return 1u << CARTPOLE_EVENT_FELL;
    }
    if (is->end == CARTPOLE_LEFT_TRACK) {
        return 1u << CARTPOLE_EVENT_LEFT_TRACK;
    }
    return is->steps >= m->limit ? 1u << CARTPOLE_EVENT_SURVIVED : 0;
}

/* With its sign, unless it rounds to 0. */
static void add_signed(lu_text *text, double value, int digits) {
    double half = digits == 1 ? 0.05 : 0.005;
    bool zero = value < half && value > -half;
    lu_text_addf(text, zero ? "%.*f" : "%+.*f", digits, zero ? 0.0 : value);
}

void cartpole_story(const lu_rules *rules, const void *before, const void *after,
                    const int32_t *actions, lu_text *text) {
    const cartpole_state *is = after;
    uint64_t bits = cartpole_events_of(rules, before, after, actions);
    if (bits & (1u << CARTPOLE_EVENT_FELL)) {
        lu_text_addf(text, "the pole falls %s after %d steps", is->theta > 0.0 ? "right" : "left",
                     is->steps);
    } else if (bits & (1u << CARTPOLE_EVENT_LEFT_TRACK)) {
        lu_text_addf(text, "the cart leaves the track on the %s after %d steps",
                     is->x > 0.0 ? "right" : "left", is->steps);
    } else if (bits & (1u << CARTPOLE_EVENT_SURVIVED)) {
        lu_text_addf(text, "the pole still stands after %d steps", is->steps);
    } else {
        lu_text_add(text, "the cart at ");
        add_signed(text, is->x, 2);
        lu_text_add(text, " m, the pole at ");
        add_signed(text, degrees(is->theta), 1);
        lu_text_add(text, " degrees");
    }
}

/* ---- JSON ---- */

static double limit_of(const lu_rules *rules) {
    return ((const cartpole_rules *)(const void *)rules)->limit;
}

#define REAL(member, bound)                                                                        \
    { LU_FIELD(cartpole_state, member), .kind = LU_NUMBER_REAL, .low = -(bound), .high = (bound) }
static const lu_state_field fields[] = {
    REAL(x, CARTPOLE_X_MAX),
    REAL(x_dot, CARTPOLE_X_DOT_MAX),
    REAL(theta, CARTPOLE_THETA_MAX),
    REAL(theta_dot, CARTPOLE_THETA_DOT_MAX),
    {LU_FIELD(cartpole_state, steps), .kind = LU_NUMBER_I32, .most = limit_of},
};
enum { FIELDS = LU_COUNT(fields) };

void cartpole_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    lu_json_object_end(json);
}

lu_status cartpole_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                             lu_error *error) {
    cartpole_state s = *(const cartpole_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &s, value, error));
    s.end = lu_fabs(s.theta) > CARTPOLE_ANGLE ? CARTPOLE_FELL
            : lu_fabs(s.x) > CARTPOLE_TRACK   ? CARTPOLE_LEFT_TRACK
                                              : CARTPOLE_RUNS;
    *(cartpole_state *)bytes = s;
    return LU_OK;
}

/* ---- bots ---- */

/* Pushes to the side to which the weighted sum of places and speeds points: a linear controller of
 * the usual kind, with the force reduced to its sign. */
static void balancer(const lu_seat_view *view, int32_t *actions) {
    float pull = 0.1f * view->observation[0] + 0.2f * view->observation[1] + view->observation[2] +
                 0.25f * view->observation[3];
    actions[0] = pull > 0.0f ? CARTPOLE_RIGHT : CARTPOLE_LEFT;
}

const lu_bot cartpole_bots[CARTPOLE_BOTS] = {
    {.name = "balancer",
     .sentence = "Pushes towards where the pole leans and moves.",
     .act = balancer},
};
