/* The facts of clock, how it looks, and its bots. */
#include "clock.h"

#include "ludus/fields.h"

static const char *const actions[] = {"nap 1", "nap 2", "nap 4", "nap 8", "gather"};
static const char *const sets[] = {"Nap", "Nap", "Nap", "Nap", "Work"};
static const lu_head heads[] = {
    {.name = "do", .options = CLOCK_ACTIONS, .option = actions, .sets = sets, .points_at = -1},
};
static const lu_field time_seen[] = {
    {"time", 0.0f, 1.0f, "share of 64 ticks", 0},
    {"basket", 0.0f, 1.0f, "apples / (apples + 10)", 0},
};
static const lu_field ground[] = {{"apples", 0.0f, 1.0f, "share of 9", 0}};
static const lu_group groups[] = {
    {"time", LU_SCALARS, 1, -1, 2, time_seen},
    {"ground", LU_SCALARS, 1, -1, 1, ground},
};
static const lu_term terms[] = {{"apples", "Apples gathered.", {1.0}}};
static const lu_info infos[CLOCK_INFOS] = {
    [CLOCK_INFO_GATHERED] = {"gathered", LU_INFO_COUNT, "apples", "Apples in the basket.", NULL,
                             true},
    [CLOCK_INFO_TICKS] = {"ticks", LU_INFO_COUNT, "ticks", "Ticks of the day.", NULL, true},
};
static const lu_event events[] = {{"gathered", "Apples are gathered."}};

static void show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const clock_state *s = bytes;
    (void)rules;
    (void)seat;
    lu_text_line(text, "Tick %d of %d, %d apples on the ground, %d in the basket", s->ticks,
                 CLOCK_DAY, s->apples, s->gathered);
}

static uint64_t events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *action) {
    (void)rules;
    (void)action;
    return ((const clock_state *)after)->gathered > ((const clock_state *)before)->gathered;
}

static void story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *action, lu_text *text) {
    const clock_state *was = before, *is = after;
    (void)rules;
    (void)action;
    if (is->gathered > was->gathered) {
        lu_text_addf(text, "gathers %d apples", is->gathered - was->gathered);
    } else {
        lu_text_addf(text, "naps %d ticks", is->ticks - was->ticks);
    }
}

static const lu_state_field fields[] = {
    {LU_FIELD(clock_state, ticks), .kind = LU_NUMBER_I32, .high = CLOCK_DAY},
    {LU_FIELD(clock_state, apples), .kind = LU_NUMBER_I32, .high = CLOCK_APPLES_MAX},
    {LU_FIELD(clock_state, gathered), .kind = LU_NUMBER_I32, .high = 1000},
    {LU_FIELD(clock_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
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
    clock_state next = *(const clock_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &next, value, error));
    *(clock_state *)bytes = next;
    return LU_OK;
}

/* Gathers from three apples on, and before the day ends. */
static void farmer(const lu_seat_view *view, int32_t *action) {
    bool late = view->observation[0] > 0.9f;
    bool gather = view->mask[CLOCK_GATHER] && (late || view->observation[2] > 0.3f);
    action[0] = gather ? CLOCK_GATHER : CLOCK_NAP_1;
}

static const lu_bot bots[CLOCK_BOTS] = {
    {"farmer", "Gathers when it is worth the time.", false, 0, farmer, false},
};

LU_CORES_DECLARE(clock);

static const lu_game game = {
    .id = "clock-v1",
    LU_PARTS(clock, clock),
    .title = "Clock",
    .sentence = "Nap and gather apples: a probe with actions of one to eight ticks.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "gathered",
    .events = LU_ROWS(events),
    .settings = {"clock", NULL, 0},
    .bots = LU_ROWS(bots),
    .limit = {LU_LIMIT_NONE, CLOCK_DAY},
    .tick_discount = true,
    .to_json = to_json,
    .from_json = from_json,
    .show = show,
    .events_of = events_of,
    .story = story,
};

LU_GAMES(clock) = {&game, NULL};
