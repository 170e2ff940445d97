/* Cartpole: balance a pole that is hinged on a cart, by pushing the cart left or right with a fixed
 * force. The physics, limits, start and reward are those of Gymnasium's CartPole-v1, so that
 * learning curves compare. This header holds the state and the names that rules, view, tools and
 * tests share. */
#pragma once

#include "ludus/game.h"

enum { CARTPOLE_LEFT, CARTPOLE_RIGHT, CARTPOLE_ACTIONS };

enum { CARTPOLE_TERM_STEP, CARTPOLE_TERM_FALL, CARTPOLE_TERMS };
enum {
    CARTPOLE_INFO_STEPS,
    CARTPOLE_INFO_END,
    CARTPOLE_INFO_X,
    CARTPOLE_INFO_X_DOT,
    CARTPOLE_INFO_THETA,
    CARTPOLE_INFO_THETA_DOT,
    CARTPOLE_INFOS,
};
enum { CARTPOLE_EVENT_FELL, CARTPOLE_EVENT_LEFT_TRACK, CARTPOLE_EVENT_SURVIVED, CARTPOLE_EVENTS };
enum { CARTPOLE_OBSERVATION = 4, CARTPOLE_BOTS = 1 };

/* How an episode ended. */
enum { CARTPOLE_RUNS, CARTPOLE_FELL, CARTPOLE_LEFT_TRACK, CARTPOLE_ENDS };

/* An episode goes on within these; 12 degrees as Gymnasium rounds them, 12 * 2 * pi / 360. */
#define CARTPOLE_TRACK 2.4
#define CARTPOLE_ANGLE 0x1.acee9f37bebd5p-3

/* No state ever lies outside these; cartpole.c says why. */
#define CARTPOLE_X_MAX         4.8
#define CARTPOLE_X_DOT_MAX     24.0
#define CARTPOLE_THETA_MAX     0.7
#define CARTPOLE_THETA_DOT_MAX 24.0

/* Fastest given start. */
#define CARTPOLE_START_X_DOT     16.0
#define CARTPOLE_START_THETA_DOT 22.0

/* What does not change during an episode: the settings. */
typedef struct cartpole_rules {
    lu_rules head;
    int32_t limit; /* decisions before the episode is cut off */
    int32_t unused;
} cartpole_rules;

LU_STATE_BEGIN
typedef struct cartpole_state {
    double x;         /* of the cart, m, 0 = middle of the track */
    double x_dot;     /* m/s */
    double theta;     /* of the pole, rad, 0 = upright, positive = leans right */
    double theta_dot; /* rad/s */
    int32_t steps;    /* decisions so far */
    int32_t end;      /* CARTPOLE_RUNS, _FELL or _LEFT_TRACK */
} cartpole_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(cartpole_state) == 40, "the state has no padding");

/* A given start; what is not given is drawn from the seed as ever. */
typedef struct cartpole_options {
    double start[4];  /* x, x_dot, theta, theta_dot */
    uint8_t given[8]; /* 1: start[k] counts; the last four are 0 */
} cartpole_options;

/* cartpole_view.c */
extern const lu_bot cartpole_bots[CARTPOLE_BOTS];
void cartpole_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void cartpole_story(const lu_rules *rules, const void *before, const void *after,
                    const int32_t *actions, lu_text *text);
uint64_t cartpole_events_of(const lu_rules *rules, const void *before, const void *after,
                            const int32_t *actions);
void cartpole_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status cartpole_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                             lu_error *error);
