/* The facts of oracle, how it looks, and its bots. */
#include "oracle.h"

#include "ludus/fields.h"

static const char *const actions[] = {"heads", "tails", "pass"};
static const lu_head heads[] = {
    {.name = "guess", .options = ORACLE_ACTIONS, .option = actions, .points_at = -1},
};
static const lu_field seen[] = {
    {"round", 0.0f, 1.0f, "share of 8", 0},
    {"right", 0.0f, 1.0f, "share of 8", 0},
};
static const lu_field hidden[] = {{"coin", 0.0f, 1.0f, "", 2}};
static const lu_group groups[] = {{"player", LU_SCALARS, 1, -1, ORACLE_OBSERVATION, seen}};
static const lu_group critic_groups[] = {{"cup", LU_IDS, 1, -1, ORACLE_CRITIC, hidden}};
static const lu_term terms[] = {{"guess", "1 for a right guess, -1 for a wrong one.", {1.0}}};
static const lu_info infos[ORACLE_INFOS] = {
    [ORACLE_INFO_RIGHT] = {"right", LU_INFO_COUNT, "", "Right guesses.", NULL, true},
    [ORACLE_INFO_SHARE] = {"share", LU_INFO_REAL, "share of 8", "Right guesses per round.", NULL,
                           true},
};
static const lu_event events[] = {{"right", "The guess was right."}};

static void show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const oracle_state *s = bytes;
    (void)rules;
    lu_text_line(text, "Round %d of %d, %d right%s", s->round, ORACLE_ROUNDS, s->right,
                 s->passed ? ", passed" : "");
    if (seat < 0) {
        lu_text_line(text, "Under the cup: %s", actions[s->coin]);
    }
}

static uint64_t events_of(const lu_rules *rules, const void *before, const void *after,
                          const int32_t *action) {
    (void)rules;
    (void)action;
    return ((const oracle_state *)after)->right > ((const oracle_state *)before)->right;
}

static void story(const lu_rules *rules, const void *before, const void *after,
                  const int32_t *action, lu_text *text) {
    const oracle_state *was = before;
    (void)rules;
    (void)after;
    (void)action;
    lu_text_addf(text, "the cup is lifted: %s", actions[was->coin]);
}

static const lu_state_field fields[] = {
    {LU_FIELD(oracle_state, round), .kind = LU_NUMBER_I32, .high = ORACLE_ROUNDS},
    {LU_FIELD(oracle_state, right), .kind = LU_NUMBER_I32, .high = ORACLE_ROUNDS},
    {LU_FIELD(oracle_state, passed), .kind = LU_NUMBER_FLAG},
    {LU_FIELD(oracle_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
    {LU_FIELD(oracle_state, coin), .kind = LU_NUMBER_I32, .high = 1, .hidden = true},
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
    oracle_state next = *(const oracle_state *)bytes;
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, &next, value, error));
    if (next.right > next.round) {
        return lu_fail(error, LU_BAD_DATA, "'right' is above 'round'");
    }
    *(oracle_state *)bytes = next;
    return LU_OK;
}

/* A bot that is given the state: it looks under the cup. */
static void cheat(const lu_seat_view *view, int32_t *action) {
    action[0] = ((const oracle_state *)view->state)->coin;
}

static const lu_bot bots[ORACLE_BOTS] = {
    {"cheat", "Looks under the cup.", true, 0, cheat, false},
};

LU_CORES_DECLARE(oracle);

static const lu_game game = {
    .id = "oracle-v1",
    LU_PARTS(oracle, oracle),
    .title = "Oracle",
    .sentence = "Guess the coin that only the critic sees: a probe with a critic-only block.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .critic_groups = LU_ROWS(critic_groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "share",
    .events = LU_ROWS(events),
    .settings = {"oracle", NULL, 0},
    .bots = LU_ROWS(bots),
    .limit = {LU_LIMIT_NONE, ORACLE_ROUNDS},
    .to_json = to_json,
    .from_json = from_json,
    .show = show,
    .events_of = events_of,
    .story = story,
};

LU_GAMES(oracle) = {&game, NULL};
