/* The facts of duet. */
#include "duet.h"
#include "duet_view.h"

#include "ludus/hash.h"

static const char *const actions[] = {"rock", "paper", "scissors"};
static const char *const lasts[] = {"rock", "paper", "scissors", "nothing", NULL};
static const lu_head heads[] = {
    {.name = "hand", .options = DUET_ACTIONS, .option = actions, .points_at = -1},
};

static const lu_field numbers[] = {
    {"round", 0.0f, 1.0f, "share of the rounds", 0},
    {"prize", 0.0f, 1.0f, "share of 9", 0},
    {"lead", -1.0f, 1.0f, "share of 460", 0},
    {"repeated", 0.0f, 1.0f, "", 0},
};
static const lu_field lasts_seen[] = {
    {"mine", 0.0f, 3.0f, "", DUET_NONE + 1},
    {"theirs", 0.0f, 3.0f, "", DUET_NONE + 1},
};
static const lu_group groups[] = {
    {"numbers", LU_SCALARS, 1, -1, 4, numbers},
    {"last", LU_IDS, 1, -1, 2, lasts_seen},
};

static const lu_term terms[DUET_TERMS] = {
    [DUET_TERM_WON] = {"won", "The prize, when this seat wins it.", {1.0, 1.0}},
    [DUET_TERM_LOST] = {"lost", "Minus the prize, when the other seat wins it.", {1.0, 0.0}},
};

static const lu_info infos[DUET_INFOS] = {
    [DUET_INFO_LEAD] = {"lead", LU_INFO_COUNT, "points",
                        "Points of this seat less those of the other.", NULL, true},
    [DUET_INFO_ROUND] = {"round", LU_INFO_COUNT, "", "Rounds played.", NULL, true},
    [DUET_INFO_LAST] = {"last", LU_INFO_NAME, "", "Last choice of this seat.", lasts, false},
};

static const lu_event events[DUET_EVENTS] = {
    [DUET_EVENT_WON] = {"won", "A seat wins the prize."},
    [DUET_EVENT_TIE] = {"tie", "Nobody wins the prize."},
};

static const lu_setting settings[] = {
    {"rounds", LU_INT, "12", 1, DUET_ROUNDS_MAX, NULL, "Rounds of an episode.", false},
};

static const lu_setting options[] = {
    {"rounds", LU_INT, "0", 0, DUET_ROUNDS_MAX, NULL, "Rounds of this episode, 0 for the setting.",
     false},
    {"lead", LU_INT, "0", -100, 100, NULL, "Points that seat 0 starts with.", false},
    {"words", LU_TEXT, "", 0, 32, NULL, "Text seed: equal words, equal prizes.", false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    (void)error;
    ((duet_rules *)(void *)rules)->rounds = (int32_t)lu_settings_int(values, "rounds");
    return LU_OK;
}

static lu_status options_init(const lu_rules *rules, const lu_settings *values, void *block,
                              lu_error *error) {
    duet_options *wish = block;
    (void)rules;
    (void)error;
    wish->rounds = (int32_t)lu_settings_int(values, "rounds");
    wish->lead = (int32_t)lu_settings_int(values, "lead");
    const char *words = lu_settings_text_of(values, "words");
    wish->words = *words ? lu_hash_text(words, 0) : 0;
    return LU_OK;
}

static const char *why_not(const lu_rules *rules, const void *state, int seat, int head,
                           int option) {
    (void)rules;
    (void)state;
    (void)seat;
    (void)head;
    (void)option;
    return "played twice in a row already";
}

LU_CORES_DECLARE(duet);

static const lu_game game = {
    .id = "duet-v1",
    LU_PARTS(duet, duet),
    .title = "Duet",
    .sentence = "Rock, paper, scissors for a prize: a probe with two seats at once.",
    .seats = DUET_SEATS,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .modes = "zero_sum|greedy",
    .infos = LU_ROWS(infos),
    .headline = "lead",
    .events = LU_ROWS(events),
    .settings = {"duet", settings, LU_COUNT(settings)},
    .options = {{"duet reset", options, LU_COUNT(options)}, sizeof(duet_options), options_init},
    .bots = LU_ROWS(duet_bots),
    .limit = {LU_LIMIT_NONE, 12},
    .rules_init = rules_init,
    .to_json = duet_to_json,
    .from_json = duet_from_json,
    .show = duet_show,
    .events_of = duet_events_of,
    .story = duet_story,
    .why_not = why_not,
};

LU_GAMES(duet) = {&game, NULL};
