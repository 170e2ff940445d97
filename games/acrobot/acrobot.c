/* The rules of acrobot. Every function is device-ready: see game.h.
 *
 * The equations are those of Sutton and Barto's book (the terms that the paper of 1996 lacks
 * included): both links 1 m long and 1 kg heavy with the centre in the middle and a moment of
 * inertia of 1. One decision is one classical Runge-Kutta step of 0.2 s with a constant torque.
 * Expressions are evaluated in the order Gymnasium evaluates them, cos(a - pi/2) instead of sin(a)
 * included: the motion is chaotic, and what starts as a last bit grows by about ten per second of
 * fast swinging. */
#include "acrobot.h"

#include "ludus/math.h"

#define GRAVITY      9.8
#define SECONDS      0.2
#define START_SPREAD 0.1f

LU_INLINE const acrobot_rules *acrobot_rules_of(const lu_rules *rules) {
    return (const acrobot_rules *)(const void *)rules;
}

typedef struct acrobot_motion {
    double v[4]; /* theta1, theta2 and their speeds, or the rates of these */
} acrobot_motion;

/* Rates of change under a torque. With lengths and masses of 1 and centres at 1/2 the products of
 * constants are exact, so that folding them changes no bit. */
LU_INLINE acrobot_motion acrobot_rates(const acrobot_motion *at, double torque) {
    double theta1 = at->v[0], theta2 = at->v[1], speed1 = at->v[2], speed2 = at->v[3];
    double sine = lu_sin(theta2), cosine = lu_cos(theta2);
    double d1 = 0.25 + (1.25 + cosine) + 1.0 + 1.0;
    double d2 = (0.25 + 0.5 * cosine) + 1.0;
    double phi2 = 0.5 * GRAVITY * lu_cos(theta1 + theta2 - LU_PI / 2.0);
    double phi1 = -0.5 * (speed2 * speed2) * sine - speed2 * speed1 * sine +
                  1.5 * GRAVITY * lu_cos(theta1 - LU_PI / 2.0) + phi2;
    acrobot_motion rate;
    rate.v[0] = speed1;
    rate.v[1] = speed2;
    rate.v[3] = (torque + d2 / d1 * phi1 - 0.5 * (speed1 * speed1) * sine - phi2) /
                (0.25 + 1.0 - d2 * d2 / d1);
    rate.v[2] = -(d2 * rate.v[3] + phi1) / d1;
    return rate;
}

LU_INLINE acrobot_motion acrobot_ahead(const acrobot_motion *from, double seconds,
                                       const acrobot_motion *rate) {
    acrobot_motion to;
    for (int k = 0; k < 4; k++) {
        to.v[k] = from->v[k] + seconds * rate->v[k];
    }
    return to;
}

LU_INLINE acrobot_motion acrobot_integrate(const acrobot_motion *from, double torque) {
    acrobot_motion k1 = acrobot_rates(from, torque);
    acrobot_motion at = acrobot_ahead(from, SECONDS / 2.0, &k1);
    acrobot_motion k2 = acrobot_rates(&at, torque);
    at = acrobot_ahead(from, SECONDS / 2.0, &k2);
    acrobot_motion k3 = acrobot_rates(&at, torque);
    at = acrobot_ahead(from, SECONDS, &k3);
    acrobot_motion k4 = acrobot_rates(&at, torque);
    acrobot_motion to;
    for (int k = 0; k < 4; k++) {
        to.v[k] = from->v[k] + SECONDS / 6.0 * (k1.v[k] + 2.0 * k2.v[k] + 2.0 * k3.v[k] + k4.v[k]);
    }
    return to;
}

/* Into [-pi, pi]. With speeds within their bounds one step turns less than three times. */
LU_INLINE double acrobot_wrap(double angle) {
    while (angle > LU_PI) {
        angle -= LU_TWO_PI;
    }
    while (angle < -LU_PI) {
        angle += LU_TWO_PI;
    }
    return angle;
}

LU_INLINE double acrobot_within(double value, double bound) {
    return lu_fmin(lu_fmax(value, -bound), bound);
}

/* Height of the free end above the joint, m. */
LU_INLINE double acrobot_height(const acrobot_state *s) {
    return -lu_cos(s->theta1) - lu_cos(s->theta2 + s->theta1);
}

LU_HD static void acrobot_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                                const void *options) {
    acrobot_state *s = (acrobot_state *)bytes;
    const acrobot_options *o = (const acrobot_options *)options;
    lu_rng rng = lu_rng_from(seed);
    double start[4];
    (void)rules;
    for (int k = 0; k < 4; k++) {
        /* Gymnasium's starts are float32. Drawn in float: gcc 12 forgets the rounding of
         * (double)(float)x where it packs four of them into a vector. */
        float unit = (float)(lu_rng_u64(&rng) >> 40) * 0x1p-24f;
        start[k] = (double)(START_SPREAD * (2.0f * unit - 1.0f));
        if (o && o->given[k]) {
            start[k] = o->start[k];
        }
    }
    s->theta1 = start[0];
    s->theta2 = start[1];
    s->theta1_dot = start[2];
    s->theta2_dot = start[3];
    s->steps = 0;
    s->reached = 0;
}

LU_HD static void acrobot_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                               double *terms, lu_step *step) {
    acrobot_state *s = (acrobot_state *)bytes;
    int32_t action = actions[0];
    bool illegal = action < 0 || action >= ACROBOT_ACTIONS;

    /* an illegal action gives no torque */
    double torque = illegal ? 0.0 : (double)(action - ACROBOT_NONE);
    acrobot_motion from = {{s->theta1, s->theta2, s->theta1_dot, s->theta2_dot}};
    acrobot_motion to = acrobot_integrate(&from, torque);
    s->theta1 = acrobot_wrap(to.v[0]);
    s->theta2 = acrobot_wrap(to.v[1]);
    s->theta1_dot = acrobot_within(to.v[2], ACROBOT_THETA1_DOT_MAX);
    s->theta2_dot = acrobot_within(to.v[3], ACROBOT_THETA2_DOT_MAX);
    s->steps++;
    s->reached = acrobot_height(s) > ACROBOT_GOAL ? 1 : 0;

    terms[ACROBOT_TERM_TIME] = s->reached ? 0.0 : -1.0;
    terms[ACROBOT_TERM_REACHED] = s->reached ? 1.0 : 0.0;
    step->ticks = 1;
    step->terminated = s->reached ? 1 : 0;
    step->truncated = !s->reached && s->steps >= acrobot_rules_of(rules)->limit ? 1 : 0;
    step->illegal = illegal ? 1 : 0;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void acrobot_observe(const lu_rules *rules, const void *bytes, int seat,
                                  uint64_t changed, float *observation) {
    const acrobot_state *s = (const acrobot_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = (float)lu_cos(s->theta1);
    observation[1] = (float)lu_sin(s->theta1);
    observation[2] = (float)lu_cos(s->theta2);
    observation[3] = (float)lu_sin(s->theta2);
    observation[4] = (float)s->theta1_dot;
    observation[5] = (float)s->theta2_dot;
}

LU_HD static void acrobot_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)bytes;
    (void)seat;
    mask[ACROBOT_MINUS] = 1;
    mask[ACROBOT_NONE] = 1;
    mask[ACROBOT_PLUS] = 1;
}

/* Kinetic and potential energy, J, 0 = at rest hanging down. */
LU_INLINE double acrobot_energy(const acrobot_state *s) {
    double cosine = lu_cos(s->theta2), w1 = s->theta1_dot, w2 = s->theta2_dot;
    double d1 = 3.5 + cosine, d2 = 1.25 + 0.5 * cosine;
    double kinetic = 0.5 * d1 * w1 * w1 + d2 * w1 * w2 + 0.5 * 1.25 * w2 * w2;
    double potential =
        GRAVITY * (1.5 * (1.0 - lu_cos(s->theta1)) + 0.5 * (1.0 - lu_cos(s->theta1 + s->theta2)));
    return kinetic + potential;
}

LU_HD static void acrobot_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const acrobot_state *s = (const acrobot_state *)bytes;
    (void)rules;
    (void)seat;
    info[ACROBOT_INFO_STEPS] = (double)s->steps;
    info[ACROBOT_INFO_SCORE] = (double)(s->reached - s->steps);
    info[ACROBOT_INFO_REACHED] = (double)s->reached;
    info[ACROBOT_INFO_HEIGHT] = acrobot_height(s);
    info[ACROBOT_INFO_ENERGY] = acrobot_energy(s);
    info[ACROBOT_INFO_THETA1] = s->theta1;
    info[ACROBOT_INFO_THETA2] = s->theta2;
    info[ACROBOT_INFO_THETA1_DOT] = s->theta1_dot;
    info[ACROBOT_INFO_THETA2_DOT] = s->theta2_dot;
}

/* Nothing is hidden but the bits that float32 cuts off. */
LU_HD static void acrobot_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)bytes;
    (void)seat;
    (void)rng;
}

#define LU_LOOP_GAME  acrobot
#define LU_LOOP_NAMES ACROBOT
#include "ludus/loop.h"
