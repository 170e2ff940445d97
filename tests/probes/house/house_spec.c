/* The facts of house, how it looks, and its bots. */
#include "house.h"

#include "ludus/fields.h"

static const char *const actions[] = {"roll", "bank"};
static const lu_head heads[] = {
    {.name = "dice", .options = HOUSE_ACTIONS, .option = actions, .points_at = -1},
};
static const lu_field seen[] = {
    {"my_total", 0.0f, 1.0f, "share of 30", 0},
    {"my_turn", 0.0f, 1.0f, "share of 30", 0},
    {"their_total", 0.0f, 1.0f, "share of 30", 0},
    {"their_turn", 0.0f, 1.0f, "share of 30", 0},
};
static const lu_group groups[] = {{"table", LU_SCALARS, 1, -1, HOUSE_OBSERVATION, seen}};
static const lu_term terms[] = {{"win", "1 for the winner, -1 for the loser.", {1.0}}};
static const lu_info infos[HOUSE_INFOS] = {
    [HOUSE_INFO_WON] = {"won", LU_INFO_FLAG, "", "1 when this seat has won.", NULL, true},
    [HOUSE_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
};
static const lu_event events[] = {{"banked", "A seat banks its turn."}};
static const lu_setting settings[] = {
    {"house", LU_BOOL, "true", 0, 0, NULL, "Let the game drive the second seat.", false},
    {"goal", LU_FILE, "", 0, 100, NULL, "A file with the points that win; unset: 30.", false},
};

static void show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const house_state *s = bytes;
    (void)rules;
    (void)seat;
    for (int i = 0; i < HOUSE_SEATS; i++) {
        lu_text_line(text, "Seat %d: %2d banked, %2d at risk", i, s->total[i], s->turn[i]);
    }
}

static uint64_t events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *action) {
    const house_state *was = before, *is = after;
    (void)rules;
    (void)action;
    return is->total[0] != was->total[0] || is->total[1] != was->total[1];
}

static void story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *action, lu_text *text) {
    const house_state *was = before, *is = after;
    (void)rules;
    (void)action;
    for (int seat = 0; seat < HOUSE_SEATS; seat++) {
        int gain = is->turn[seat] - was->turn[seat];
        lu_text_add(text, seat ? ", " : "");
        if (is->total[seat] != was->total[seat]) {
            lu_text_addf(text, "seat %d banks %d", seat, was->turn[seat]);
        } else if (gain > 0) {
            lu_text_addf(text, "seat %d rolls %d", seat, gain);
        } else {
            lu_text_addf(text, "seat %d rolls 1", seat);
        }
    }
}

static const lu_state_field fields[] = {
    {"total_0", offsetof(house_state, total[0]), .kind = LU_NUMBER_I32, .high = 1000},
    {"total_1", offsetof(house_state, total[1]), .kind = LU_NUMBER_I32, .high = 1000},
    {"turn_0", offsetof(house_state, turn[0]), .kind = LU_NUMBER_I32, .high = 1000},
    {"turn_1", offsetof(house_state, turn[1]), .kind = LU_NUMBER_I32, .high = 1000},
    {LU_FIELD(house_state, steps), .kind = LU_NUMBER_I32, .high = HOUSE_LIMIT},
    {LU_FIELD(house_state, winner), .kind = LU_NUMBER_I32, .high = 2},
    {LU_FIELD(house_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};
enum { FIELDS = LU_COUNT(fields) };

static void to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    (void)rules;
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, bytes, seat, json);
    lu_json_object_end(json);
}

static lu_status from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                           lu_error *error) {
    house_state next = *(const house_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &next, value, error));
    *(house_state *)bytes = next;
    return LU_OK;
}

/* Banks from ten points on. */
static void careful(const lu_seat_view *view, int32_t *action) {
    action[0] = view->mask[HOUSE_BANK] && view->observation[1] > 0.32f ? HOUSE_BANK : HOUSE_ROLL;
}

static const lu_bot bots[HOUSE_BOTS] = {
    {"careful", "Banks from ten points on.", false, 0, careful, false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    house_rules *own = (house_rules *)(void *)rules;
    const lu_file_text *goal = lu_settings_file_of(values, "goal", 0);
    int64_t points = HOUSE_GOAL;
    own->driven = lu_settings_bool(values, "house");
    if (goal && lu_parse_i64("goal", goal->text, HOUSE_GOAL, 1000, &points, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    own->more = (int32_t)(points - HOUSE_GOAL);
    return LU_OK;
}

static bool drives(const lu_rules *rules, int seat) {
    return seat == 1 && ((const house_rules *)(const void *)rules)->driven;
}

LU_CORES_DECLARE(house);

static const lu_game game = {
    .id = "house-v1",
    LU_PARTS(house, house),
    .title = "House",
    .sentence = "Roll or bank against the house: a probe with a seat that the game drives.",
    .seats = HOUSE_SEATS,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "won",
    .events = LU_ROWS(events),
    .settings = {"house", settings, LU_COUNT(settings)},
    .bots = LU_ROWS(bots),
    .limit = {LU_LIMIT_CUT, HOUSE_LIMIT},
    .rules_init = rules_init,
    .drives = drives,
    .to_json = to_json,
    .from_json = from_json,
    .show = show,
    .events_of = events_of,
    .story = story,
};

LU_GAMES(house) = {&game, NULL};
