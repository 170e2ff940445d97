/* The facts of corridor as tables: what hosts, docs, command line and site read. */
#include "corridor.h"

static const char *const actions[CORRIDOR_ACTIONS] = {
    [CORRIDOR_LEFT] = "left",
    [CORRIDOR_RIGHT] = "right",
    [CORRIDOR_STAY] = "stay",
};
static const lu_head heads[] = {
    {.name = "walk", .options = CORRIDOR_ACTIONS, .option = actions, .points_at = -1},
};

static const lu_field seen[CORRIDOR_OBSERVATION] = {
    [CORRIDOR_SEES_POSITION] = {"position", 0.0f, 1.0f, "share of the corridor", 0},
    [CORRIDOR_SEES_LIGHT] = {"brightness", 0.0f, 1.0f, "1 / (1 + distance)", 0},
    [CORRIDOR_SEES_TIME] = {"time", 0.0f, 1.0f, "share of the limit", 0},
};
static const lu_group groups[] = {
    {"walker", LU_SCALARS, 1, -1, LU_ROWS(seen)},
};

static const lu_term terms[CORRIDOR_TERMS] = {
    [CORRIDOR_TERM_LAMP] = {"lamp", "1 when the walker reaches the lamp.", {1.0}},
    [CORRIDOR_TERM_TIME] = {"time", "-1 for every decision.", {0.01}},
};

static const lu_info infos[CORRIDOR_INFOS] = {
    [CORRIDOR_INFO_POSITION] = {"position", LU_INFO_COUNT, "cell", "Where the walker stands.", NULL,
                                false},
    [CORRIDOR_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
    [CORRIDOR_INFO_FOUND] = {"found", LU_INFO_FLAG, "", "1 when the lamp was reached.", NULL, true},
};

static const lu_event events[CORRIDOR_EVENTS] = {
    [CORRIDOR_EVENT_FOUND] = {"found", "The walker reaches the lamp."},
    [CORRIDOR_EVENT_WALL] = {"wall", "The walker runs into the wall."},
};

static const lu_milestone milestones[] = {
    {"found", 1, "The walker reaches the lamp."},
    {"return", 0.9, "A return of 0.9: the lamp, with few detours."},
};

static const lu_setting settings[] = {
    {"length", LU_INT, "9", 3, 1000, NULL, "Number of cells.", false},
    {"limit", LU_INT, "50", 1, 100000, NULL, "Decisions before an episode is cut off.", false},
};

static lu_status rules_init(lu_rules *rules, const lu_settings *values, lu_error *error) {
    corridor_rules *m = (corridor_rules *)(void *)rules;
    (void)error;
    m->length = (int32_t)lu_settings_int(values, "length");
    m->limit = (int32_t)lu_settings_int(values, "limit");
    return LU_OK;
}

LU_CORES_DECLARE(corridor);

static const lu_game game = {
    .id = "corridor-v1",
    LU_PARTS(corridor, corridor),
    .title = "Corridor",
    .sentence = "Walk along a dark line of cells to the lamp at one end; the smallest game.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .keys = "ads",
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "found",
    .preset = "corridor",
    .events = LU_ROWS(events),
    .milestones = LU_ROWS(milestones),
    .settings = {"corridor", settings, LU_COUNT(settings)},
    .bots = LU_ROWS(corridor_bots),
    .limit = {LU_LIMIT_RULE, 50},
    .rules_init = rules_init,
    .to_json = corridor_to_json,
    .from_json = corridor_from_json,
    .show = corridor_show,
    .events_of = corridor_events_of,
    .story = corridor_story,
    .why_not = corridor_why_not,
};

LU_GAMES(corridor) = {&game, NULL};
