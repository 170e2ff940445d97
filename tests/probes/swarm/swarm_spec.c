/* The facts of swarm and of its small variant, and their bot. */
#include "swarm.h"

#include <stdlib.h>

static const char *const many_options[] = {
    "squash 1", "squash 2", "squash 3",  "squash 4",  "squash 5",  "squash 6", "squash 7",
    "squash 8", "squash 9", "squash 10", "squash 11", "squash 12", "wait"};
static const char *const few_options[] = {"squash 1", "squash 2", "squash 3", "squash 4", "wait"};
static const lu_head many_heads[] = {
    {.name = "squash", .options = SWARM_MANY + 1, .option = many_options, .points_at = 1},
};
static const lu_head few_heads[] = {
    {.name = "squash", .options = SWARM_FEW + 1, .option = few_options, .points_at = 1},
};
static const lu_field numbers[] = {
    {"round", 0.0f, 1.0f, "share of 40", 0},
    {"points", 0.0f, 1.0f, "share of 60", 0},
};
static const lu_field bug[] = {
    {"present", 0.0f, 1.0f, "", 0},
    {"kind", 0.0f, 8.0f, "1 + kind", SWARM_KINDS_MAX + 1},
    {"age", 0.0f, 1.0f, "share of 9 rounds", 0},
};
static const lu_group many_groups[] = {
    {"numbers", LU_SCALARS, 1, -1, SWARM_SCALARS, numbers},
    {"bugs", LU_IDS, SWARM_MANY, 0, SWARM_FIELDS, bug},
};
static const lu_group few_groups[] = {
    {"numbers", LU_SCALARS, 1, -1, SWARM_SCALARS, numbers},
    {"bugs", LU_IDS, SWARM_FEW, 0, SWARM_FIELDS, bug},
};
static const lu_term terms[] = {{"points", "Points of the squashed bug.", {0.1}}};
static const lu_info infos[SWARM_INFOS] = {
    [SWARM_INFO_POINTS] = {"points", LU_INFO_COUNT, "points", "Points so far.", NULL, true},
    [SWARM_INFO_ROUND] = {"round", LU_INFO_COUNT, "", "Rounds so far.", NULL, true},
};
static const lu_event events[] = {{"squashed", "A bug is squashed."}};
static const lu_setting settings[] = {
    {"kinds", LU_INT, "4", 1, SWARM_KINDS_MAX, NULL, "Kinds of bugs.", false},
    {"worth", LU_INT, "", 1, SWARM_KINDS_MAX, NULL,
     "Points of the next kind; kinds without one are worth 1, 2, 3 and so on.", true},
};

static size_t rules_more(const lu_settings *values) {
    return (size_t)lu_settings_int(values, "kinds") * sizeof(swarm_kind);
}

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    swarm_rules *m = (swarm_rules *)(void *)rules;
    (void)error;
    m->kinds_at = sizeof *m;
    m->kinds = (int32_t)lu_settings_int(values, "kinds");
    swarm_kind *kinds = (swarm_kind *)(void *)((unsigned char *)m + m->kinds_at);
    size_t given = lu_settings_count(values, "worth");
    for (int i = 0; i < m->kinds; i++) {
        bool told = (size_t)i < given;
        kinds[i].points = told ? atoi(lu_settings_nth(values, "worth", (size_t)i)) : 1 + i;
        kinds[i].patience = SWARM_AGE_MAX - i; /* the dear ones leave first */
    }
    return LU_OK;
}

/* Squashes the dearest bug of the first `slots`. */
static void squash_dearest(const float *observation, const uint8_t *mask, int slots,
                           int32_t *actions) {
    float best = 0.0f;
    actions[0] = slots;
    for (int i = 0; i < slots; i++) {
        float kind = observation[SWARM_SCALARS + i * SWARM_FIELDS + 1];
        if (mask[i] && kind > best) {
            best = kind;
            actions[0] = i;
        }
    }
}

static void squash_many(const lu_seat_view *view, int32_t *actions) {
    squash_dearest(view->observation, view->mask, SWARM_MANY, actions);
}

static void squash_few(const lu_seat_view *view, int32_t *actions) {
    squash_dearest(view->observation, view->mask, SWARM_FEW, actions);
}

static const lu_bot many_bots[] = {
    {"squasher", "Squashes the dearest bug.", false, 0, squash_many, false}};
static const lu_bot few_bots[] = {
    {"squasher", "Squashes the dearest bug.", false, 0, squash_few, false}};

LU_CORES_DECLARE(swarm);
LU_CORES_DECLARE(swarm_few);

/* What the two variants share. */
#define SWARM_FACTS                                                                                \
    .seats = 1, .terms = LU_ROWS(terms), .infos = LU_ROWS(infos), .headline = "points",            \
    .events = LU_ROWS(events), .settings = {"swarm", settings, LU_COUNT(settings)},                \
    .limit = {LU_LIMIT_RULE, SWARM_LIMIT}, .rules_more = rules_more, .rules_init = rules_init,     \
    .to_json = swarm_to_json, .from_json = swarm_from_json, .show = swarm_show,                    \
    .events_of = swarm_events_of, .story = swarm_story

static const lu_game many = {
    SWARM_FACTS,
    LU_PARTS(swarm, swarm),
    .id = "swarm-v1",
    .title = "Swarm",
    .sentence = "Squash bugs that come and go: a probe with slots, ids and data in its rules.",
    .heads = LU_ROWS(many_heads),
    .groups = LU_ROWS(many_groups),
    .bots = LU_ROWS(many_bots),
};

static const lu_game few = {
    SWARM_FACTS,
    LU_PARTS(swarm, swarm_few),
    .id = "swarm-few-v1",
    .title = "Swarm, few",
    .sentence = "The same on a small meadow: a probe with a second variant in one folder.",
    .heads = LU_ROWS(few_heads),
    .groups = LU_ROWS(few_groups),
    .bots = LU_ROWS(few_bots),
};

LU_GAMES(swarm) = {&many, &few, NULL};
