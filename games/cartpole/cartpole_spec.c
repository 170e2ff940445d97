/* The facts of cartpole as tables: what hosts, docs, command line and site read. */
#include "cartpole.h"

static const char *const actions[] = {"left", "right"};
static const lu_head heads[] = {
    {.name = "push", .options = CARTPOLE_ACTIONS, .option = actions, .points_at = -1},
};

static const lu_field seen[] = {
    {"x", (float)-CARTPOLE_X_MAX, (float)CARTPOLE_X_MAX, "m", 0},
    {"x_dot", (float)-CARTPOLE_X_DOT_MAX, (float)CARTPOLE_X_DOT_MAX, "m/s", 0},
    {"theta", (float)-CARTPOLE_THETA_MAX, (float)CARTPOLE_THETA_MAX, "rad", 0},
    {"theta_dot", (float)-CARTPOLE_THETA_DOT_MAX, (float)CARTPOLE_THETA_DOT_MAX, "rad/s", 0},
};
static const lu_group groups[] = {
    {"cart", LU_SCALARS, 1, -1, CARTPOLE_OBSERVATION, seen},
};

static const lu_term terms[CARTPOLE_TERMS] = {
    [CARTPOLE_TERM_STEP] = {"step", "1 for every decision, the last one included.", {1.0, 0.0}},
    [CARTPOLE_TERM_FALL] = {"fall",
                            "1 when the pole falls or the cart leaves the track.",
                            {0.0, -1.0}},
};

static const char *const ends[CARTPOLE_ENDS + 1] = {"runs", "fell", "left the track", NULL};
static const lu_info infos[CARTPOLE_INFOS] = {
    [CARTPOLE_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions",
                             "Decisions so far, which is Gymnasium's return.", NULL, true},
    [CARTPOLE_INFO_END] = {"end", LU_INFO_NAME, "", "How the episode ended.", ends, false},
    [CARTPOLE_INFO_X] = {"x", LU_INFO_REAL, "m", "Place of the cart, from the middle of the track.",
                         NULL, false},
    [CARTPOLE_INFO_X_DOT] = {"x_dot", LU_INFO_REAL, "m/s", "Speed of the cart.", NULL, false},
    [CARTPOLE_INFO_THETA] = {"theta", LU_INFO_REAL, "rad",
                             "Angle of the pole; positive leans right.", NULL, false},
    [CARTPOLE_INFO_THETA_DOT] = {"theta_dot", LU_INFO_REAL, "rad/s", "Angular speed of the pole.",
                                 NULL, false},
};

static const lu_event events[CARTPOLE_EVENTS] = {
    [CARTPOLE_EVENT_FELL] = {"fell", "The pole leans more than 12 degrees."},
    [CARTPOLE_EVENT_LEFT_TRACK] = {"left_track", "The cart is more than 2.4 m from the middle."},
    [CARTPOLE_EVENT_SURVIVED] = {"survived", "The limit of decisions is reached with the pole up."},
};

static const lu_milestone milestones[] = {
    {"steps", 100, "The pole stands for 100 decisions."},
    {"steps", 195, "The bar of Gymnasium's CartPole-v0."},
    {"steps", 475, "The bar of Gymnasium's CartPole-v1."},
    {"steps", 500, "The pole stands to the end."},
};

static const lu_setting settings[] = {
    {"limit", LU_INT, "500", 1, 100000, NULL, "Decisions before an episode is cut off.", false},
};

static const lu_setting options[] = {
    {"x", LU_REAL, "", -CARTPOLE_TRACK, CARTPOLE_TRACK, NULL,
     "Place of the cart at the start, in m; drawn from the seed when unset.", false},
    {"x_dot", LU_REAL, "", -CARTPOLE_START_X_DOT, CARTPOLE_START_X_DOT, NULL,
     "Speed of the cart at the start, in m/s; drawn from the seed when unset.", false},
    {"theta", LU_REAL, "", -CARTPOLE_ANGLE, CARTPOLE_ANGLE, NULL,
     "Angle of the pole at the start, in rad; drawn from the seed when unset.", false},
    {"theta_dot", LU_REAL, "", -CARTPOLE_START_THETA_DOT, CARTPOLE_START_THETA_DOT, NULL,
     "Angular speed of the pole at the start, in rad/s; drawn from the seed when unset.", false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    cartpole_rules *m = (cartpole_rules *)(void *)rules;
    (void)error;
    m->limit = (int32_t)lu_settings_int(values, "limit");
    m->unused = 0;
    return LU_OK;
}

static lu_status options_init(const lu_rules *rules, const lu_settings *values, void *block,
                              lu_error *error) {
    cartpole_options *o = block;
    (void)rules;
    (void)error;
    *o = (cartpole_options){0};
    for (int k = 0; k < 4; k++) {
        if (lu_settings_is_set(values, options[k].key)) {
            o->start[k] = lu_settings_real(values, options[k].key);
            o->given[k] = 1;
        }
    }
    return LU_OK;
}

LU_CORES_DECLARE(cartpole);

static const lu_game game = {
    .id = "cartpole-v1",
    LU_PARTS(cartpole, cartpole),
    .title = "Cart and Pole",
    .sentence = "Balance a pole on a cart by pushing left or right; the dynamics of Gymnasium's "
                "CartPole-v1.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .keys = "ad",
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .modes = "gymnasium|sutton_barto",
    .infos = LU_ROWS(infos),
    .headline = "steps",
    .preset = "cartpole-classic",
    .events = LU_ROWS(events),
    .milestones = LU_ROWS(milestones),
    .settings = {"cartpole", settings, LU_COUNT(settings)},
    .options = {{"cartpole", options, LU_COUNT(options)}, sizeof(cartpole_options), options_init},
    .bots = LU_ROWS(cartpole_bots),
    .limit = {LU_LIMIT_CUT, 500},
    .rules_init = rules_init,
    .to_json = cartpole_to_json,
    .from_json = cartpole_from_json,
    .show = cartpole_show,
    .events_of = cartpole_events_of,
    .story = cartpole_story,
};

LU_GAMES(cartpole) = {&game, NULL};
