/* The facts of acrobot as tables: what hosts, docs, command line and site read. */
#include "acrobot.h"

static const char *const actions[] = {"minus", "none", "plus"};
static const lu_head heads[] = {
    {.name = "torque", .options = ACROBOT_ACTIONS, .option = actions, .points_at = -1},
};

static const lu_field seen[] = {
    {"cos_theta1", -1.0f, 1.0f, "", 0},
    {"sin_theta1", -1.0f, 1.0f, "", 0},
    {"cos_theta2", -1.0f, 1.0f, "", 0},
    {"sin_theta2", -1.0f, 1.0f, "", 0},
    {"theta1_dot", (float)-ACROBOT_THETA1_DOT_MAX, (float)ACROBOT_THETA1_DOT_MAX, "rad/s", 0},
    {"theta2_dot", (float)-ACROBOT_THETA2_DOT_MAX, (float)ACROBOT_THETA2_DOT_MAX, "rad/s", 0},
};
static const lu_group groups[] = {
    {"links", LU_SCALARS, 1, -1, ACROBOT_OBSERVATION, seen},
};

static const lu_term terms[ACROBOT_TERMS] = {
    [ACROBOT_TERM_TIME] = {"time", "-1 for every decision that does not reach the line.", {1.0}},
    [ACROBOT_TERM_REACHED] = {"reached", "1 when the free end rises above the line.", {0.0}},
};

static const lu_info infos[ACROBOT_INFOS] = {
    [ACROBOT_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
    [ACROBOT_INFO_SCORE] = {"score", LU_INFO_REAL, "",
                            "Gymnasium's return: -1 per decision, 0 for the one that reaches.",
                            NULL, true},
    [ACROBOT_INFO_REACHED] = {"reached", LU_INFO_FLAG, "",
                              "1 when the free end rose above the line.", NULL, true},
    [ACROBOT_INFO_HEIGHT] = {"height", LU_INFO_REAL, "m",
                             "Free end above the joint; the line is at 1.", NULL, false},
    [ACROBOT_INFO_ENERGY] = {"energy", LU_INFO_REAL, "J",
                             "Energy of motion and height; 0 = hangs at rest.", NULL, false},
    [ACROBOT_INFO_THETA1] = {"theta1", LU_INFO_REAL, "rad",
                             "Angle of the upper link; 0 hangs down.", NULL, false},
    [ACROBOT_INFO_THETA2] = {"theta2", LU_INFO_REAL, "rad",
                             "Angle of the lower link against the upper.", NULL, false},
    [ACROBOT_INFO_THETA1_DOT] = {"theta1_dot", LU_INFO_REAL, "rad/s",
                                 "Angular speed of the upper link.", NULL, false},
    [ACROBOT_INFO_THETA2_DOT] = {"theta2_dot", LU_INFO_REAL, "rad/s",
                                 "Angular speed of the lower link.", NULL, false},
};

static const lu_event events[ACROBOT_EVENTS] = {
    [ACROBOT_EVENT_REACHED] = {"reached", "The free end rises above the line."},
    [ACROBOT_EVENT_OVER_JOINT] = {"over_joint", "The free end rises above the joint."},
    [ACROBOT_EVENT_TIMEOUT] = {"timeout", "The limit of decisions is reached below the line."},
};

static const lu_milestone milestones[] = {
    {"reached", 1, "The free end reaches the line."},
    {"score", -200, "It does so within 200 decisions."},
    {"score", -100, "The bar of Gymnasium's Acrobot-v1."},
    {"score", -80, "It does so within 80 decisions."},
};

static const lu_setting settings[] = {
    {"limit", LU_INT, "500", 1, 100000, NULL, "Decisions before an episode is cut off.", false},
};

static const lu_setting options[] = {
    {"theta1", LU_REAL, "", -ACROBOT_PI, ACROBOT_PI, NULL,
     "Angle of the upper link at the start, in rad; drawn from the seed when unset.", false},
    {"theta2", LU_REAL, "", -ACROBOT_PI, ACROBOT_PI, NULL,
     "Angle of the lower link at the start, in rad; drawn from the seed when unset.", false},
    {"theta1_dot", LU_REAL, "", -ACROBOT_THETA1_DOT_MAX, ACROBOT_THETA1_DOT_MAX, NULL,
     "Speed of the upper link at the start, in rad/s; drawn from the seed when unset.", false},
    {"theta2_dot", LU_REAL, "", -ACROBOT_THETA2_DOT_MAX, ACROBOT_THETA2_DOT_MAX, NULL,
     "Speed of the lower link at the start, in rad/s; drawn from the seed when unset.", false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    acrobot_rules *m = (acrobot_rules *)(void *)rules;
    (void)error;
    m->limit = (int32_t)lu_settings_int(values, "limit");
    m->unused = 0;
    return LU_OK;
}

static lu_status options_init(const lu_rules *rules, const lu_settings *values, void *block,
                              lu_error *error) {
    acrobot_options *o = block;
    (void)rules;
    (void)error;
    *o = (acrobot_options){0};
    for (int k = 0; k < 4; k++) {
        if (lu_settings_is_set(values, options[k].key)) {
            o->start[k] = lu_settings_real(values, options[k].key);
            o->given[k] = 1;
        }
    }
    return LU_OK;
}

LU_CORES_DECLARE(acrobot);

static const lu_game game = {
    .id = "acrobot-v1",
    LU_PARTS(acrobot, acrobot),
    .title = "Acrobot",
    .sentence = "Swing two hanging links up by a torque at the elbow; the dynamics of Gymnasium's "
                "Acrobot-v1.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .keys = "asd",
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "score",
    .preset = "acrobot-classic",
    .events = LU_ROWS(events),
    .milestones = LU_ROWS(milestones),
    .settings = {"acrobot", settings, LU_COUNT(settings)},
    .options = {{"acrobot", options, LU_COUNT(options)}, sizeof(acrobot_options), options_init},
    .bots = LU_ROWS(acrobot_bots),
    .limit = {LU_LIMIT_CUT, 500},
    .rules_init = rules_init,
    .to_json = acrobot_to_json,
    .from_json = acrobot_from_json,
    .show = acrobot_show,
    .events_of = acrobot_events_of,
    .story = acrobot_story,
};

LU_GAMES(acrobot) = {&game, NULL};
