/* Acrobot: two links hang from a fixed joint; a small torque at the elbow swings the free end above
 * a line one link above the joint. The physics, limits, start and reward are those of Gymnasium's
 * Acrobot-v1, so that learning curves compare. This header holds the state and the names that
 * rules, view, tools and tests share. */
#pragma once

#include "ludus/game.h"

enum { ACROBOT_MINUS, ACROBOT_NONE, ACROBOT_PLUS, ACROBOT_ACTIONS };

enum { ACROBOT_TERM_TIME, ACROBOT_TERM_REACHED, ACROBOT_TERMS };
enum {
    ACROBOT_INFO_STEPS,
    ACROBOT_INFO_SCORE,
    ACROBOT_INFO_REACHED,
    ACROBOT_INFO_HEIGHT,
    ACROBOT_INFO_ENERGY,
    ACROBOT_INFO_THETA1,
    ACROBOT_INFO_THETA2,
    ACROBOT_INFO_THETA1_DOT,
    ACROBOT_INFO_THETA2_DOT,
    ACROBOT_INFOS,
};
enum { ACROBOT_EVENT_REACHED, ACROBOT_EVENT_OVER_JOINT, ACROBOT_EVENT_TIMEOUT, ACROBOT_EVENTS };
enum { ACROBOT_OBSERVATION = 6, ACROBOT_BOTS = 1 };

/* Speeds are cut off at 4 pi and 9 pi rad/s. */
#define ACROBOT_PI             0x1.921fb54442d18p+1
#define ACROBOT_THETA1_DOT_MAX (4.0 * ACROBOT_PI)
#define ACROBOT_THETA2_DOT_MAX (9.0 * ACROBOT_PI)
#define ACROBOT_GOAL           1.0 /* height of the line above the joint, m */

/* What does not change during an episode: the settings. */
typedef struct acrobot_rules {
    lu_rules head;
    int32_t limit; /* decisions before the episode is cut off */
    int32_t unused;
} acrobot_rules;

LU_STATE_BEGIN
typedef struct acrobot_state {
    double theta1;     /* of the upper link, rad in [-pi, pi], 0 = hangs down */
    double theta2;     /* of the lower link against the upper, rad in [-pi, pi] */
    double theta1_dot; /* rad/s */
    double theta2_dot;
    int32_t steps;   /* decisions so far */
    int32_t reached; /* 1 when the free end is above the line */
} acrobot_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(acrobot_state) == 40, "the state has no padding");

/* A given start; what is not given is drawn from the seed as ever. */
typedef struct acrobot_options {
    double start[4];  /* theta1, theta2, theta1_dot, theta2_dot */
    uint8_t given[8]; /* 1: start[k] counts; the last four are 0 */
} acrobot_options;

/* acrobot_view.c */
extern const lu_bot acrobot_bots[ACROBOT_BOTS];
void acrobot_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void acrobot_story(const lu_rules *rules, const void *before, const void *after,
                   const int32_t *actions, lu_text *text);
uint64_t acrobot_events_of(const lu_rules *rules, const void *before, const void *after,
                           const int32_t *actions);
void acrobot_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status acrobot_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                            lu_error *error);
