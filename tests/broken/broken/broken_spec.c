/* The facts of broken. */
#include "broken.h"

static const char *const doors[] = {"door 1", "door 2", "door 3", "door 4"};
static const lu_head heads[] = {
    {.name = "door", .options = BROKEN_DOORS, .option = doors, .points_at = -1},
};
static const lu_field numbers[] = {
    {"steps", 0.0f, 1.0f, "share of 1000", 0},
    {"shade", 0.0f, 1.0f, "share of 100", 0},
    {"my_turn", 0.0f, 1.0f, "", 0},
};
static const lu_field thing[] = {
    {"present", 0.0f, 1.0f, "", 0},
    {"kind", 0.0f, 3.0f, "", BROKEN_KINDS},
};
static const lu_field hidden[] = {{"treasure", 0.0f, 1.0f, "share of 9", 0}};
static const lu_group groups[] = {
    {"numbers", LU_SCALARS, 1, -1, BROKEN_SCALARS, numbers},
    {"things", LU_IDS, BROKEN_SLOTS, 0, BROKEN_SLOT_FIELDS, thing},
};
static const lu_group critic_groups[] = {{"hidden", LU_SCALARS, 1, -1, BROKEN_CRITIC, hidden}};
static const lu_term terms[] = {{"found", "What lies behind the door.", {1.0}}};
static const lu_info infos[] = {
    {"score", LU_INFO_COUNT, "", "What was found.", NULL, true},
    {"over", LU_INFO_FLAG, "", "1 when the game is over.", NULL, false},
};
static const lu_event events[] = {{"found", "Something was found."}};

#define X(name, check, also) #name "|"
static const lu_setting settings[] = {
    {"fault", LU_ENUM, "none", 0, 0, BROKEN_FAULTS(X) "count", "What is wrong with the game.",
     false},
};
#undef X
static const lu_setting options[] = {
    {"start", LU_INT, "0", 0, 20, NULL, "Decisions that count as made.", false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    static int32_t counter;
    broken_rules *m = (broken_rules *)(void *)rules;
    (void)error;
    m->fault = lu_settings_enum(values, "fault");
    if (m->fault == BROKEN_rules_counter) {
        m->extra = counter++;
    } else if (m->fault == BROKEN_origin) {
        m->extra = (int32_t)lu_settings_origin(values, "fault");
    } else if (m->fault == BROKEN_state_long) {
        rules->state_bytes += 8;
    } else if (m->fault == BROKEN_state_short) {
        rules->state_bytes = offsetof(broken_state, spot); /* reset writes it all the same */
    }
    return LU_OK;
}

static lu_status options_init(const lu_rules *rules, const lu_settings *values, void *block,
                              lu_error *error) {
    broken_options *wish = block;
    (void)error;
    wish->start = (int32_t)lu_settings_int(values, "start");
    if (((const broken_rules *)(const void *)rules)->fault != BROKEN_options_unset) {
        wish->unused = 0;
    }
    return LU_OK;
}

LU_CORES_DECLARE(broken);

static const lu_game game = {
    .id = "broken-v1",
    LU_PARTS(broken, broken),
    .title = "Broken",
    .sentence = "Doors and a treasure, with a fault by setting: the test of the battery.",
    .seats = BROKEN_SEATS,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .critic_groups = LU_ROWS(critic_groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "score",
    .events = LU_ROWS(events),
    .settings = {"broken", settings, LU_COUNT(settings)},
    .options = {{"broken reset", options, LU_COUNT(options)}, sizeof(broken_options), options_init},
    .bots = LU_ROWS(broken_bots),
    .limit = {LU_LIMIT_RULE, BROKEN_LONGEST},
    .rules_init = rules_init,
    .to_json = broken_to_json,
    .from_json = broken_from_json,
    .show = broken_show,
    .events_of = broken_events_of,
    .story = broken_story,
};

LU_GAMES(broken) = {&game, NULL};
