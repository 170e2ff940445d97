/* The rules of cartpole. Every function is device-ready: see game.h.
 *
 * The equations are those of Barto, Sutton and Anderson (1983) as corrected by Florian (2007), with
 * explicit Euler steps of 0.02 s: positions move by the speeds before the step. Every expression is
 * evaluated in the order Gymnasium evaluates it, so that only the last bit of sin and cos differs.
 *
 * Why the bounds of cartpole.h hold. Let a state run: |x| <= 2.4 and |theta| <= 0.2095 (12
 * degrees).
 * - If the state before it ran too, the pole moved by at most 2 * 0.2095 = 0.02 |theta_dot| in that
 *   step, so |theta_dot| was at most 20.95. One step changes theta_dot by at most 0.02 (17.9 +
 *   0.0152 theta_dot^2), which is 0.5 there. Hence |theta_dot| <= 21.5 in every running state but a
 *   given start (<= 22), <= 22.6 after one further step, and |theta| <= 0.2095 + 0.02 * 22 < 0.66.
 * - With that |x_ddot| <= 15, so a step changes x_dot by at most 0.3. The cart cannot turn without
 *   passing a speed below 0.3; from there, gaining 0.3 per step, the distance to speed v is about
 *   v^2 / 30, and the track allows 4.8: v <= 12. From a start with speed 16: v^2 <= 16^2 + 144 =
 * 20^2. One step more: |x_dot| <= 20.3 and |x| <= 2.4 + 0.02 * 20.3 < 2.9. The step clamps to the
 * bounds all the same: a state read from JSON may have ended already. */
#include "cartpole.h"

#include "ludus/math.h"

#define GRAVITY      9.8
#define MASS_CART    1.0
#define MASS_POLE    0.1
#define MASS_TOTAL   (MASS_POLE + MASS_CART)
#define LENGTH       0.5 /* half the pole's */
#define POLE_MOMENT  (MASS_POLE * LENGTH)
#define FORCE        10.0
#define SECONDS      0.02
#define START_SPREAD 0.05

LU_INLINE const cartpole_rules *cartpole_rules_of(const lu_rules *rules) {
    return (const cartpole_rules *)(const void *)rules;
}

LU_INLINE double cartpole_within(double value, double bound) {
    return lu_fmax(-bound, lu_fmin(value, bound));
}

LU_HD static void cartpole_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                                 const void *options) {
    cartpole_state *s = (cartpole_state *)bytes;
    const cartpole_options *o = (const cartpole_options *)options;
    lu_rng rng = lu_rng_from(seed);
    double start[4];
    (void)rules;
    for (int k = 0; k < 4; k++) {
        start[k] = START_SPREAD * (2.0 * lu_rng_unit(&rng) - 1.0);
        if (o && o->given[k]) {
            start[k] = o->start[k];
        }
    }
    s->x = start[0];
    s->x_dot = start[1];
    s->theta = start[2];
    s->theta_dot = start[3];
    s->steps = 0;
    s->end = CARTPOLE_RUNS;
}

LU_HD static void cartpole_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                                double *terms, lu_step *step) {
    cartpole_state *s = (cartpole_state *)bytes;
    int32_t action = actions[0];
    bool illegal = action < 0 || action >= CARTPOLE_ACTIONS;

    /* an illegal action does not push */
    double force = illegal ? 0.0 : action == CARTPOLE_RIGHT ? FORCE : -FORCE;
    double sine = lu_sin(s->theta), cosine = lu_cos(s->theta);
    double push = (force + POLE_MOMENT * (s->theta_dot * s->theta_dot) * sine) / MASS_TOTAL;
    double theta_ddot = (GRAVITY * sine - cosine * push) /
                        (LENGTH * (4.0 / 3.0 - MASS_POLE * (cosine * cosine) / MASS_TOTAL));
    double x_ddot = push - POLE_MOMENT * theta_ddot * cosine / MASS_TOTAL;

    double x = s->x + SECONDS * s->x_dot;
    double x_dot = s->x_dot + SECONDS * x_ddot;
    double theta = s->theta + SECONDS * s->theta_dot;
    double theta_dot = s->theta_dot + SECONDS * theta_ddot;
    s->x = cartpole_within(x, CARTPOLE_X_MAX);
    s->x_dot = cartpole_within(x_dot, CARTPOLE_X_DOT_MAX);
    s->theta = cartpole_within(theta, CARTPOLE_THETA_MAX);
    s->theta_dot = cartpole_within(theta_dot, CARTPOLE_THETA_DOT_MAX);
    s->steps++;
    s->end = lu_fabs(theta) > CARTPOLE_ANGLE ? CARTPOLE_FELL
             : lu_fabs(x) > CARTPOLE_TRACK   ? CARTPOLE_LEFT_TRACK
                                             : CARTPOLE_RUNS;

    terms[CARTPOLE_TERM_STEP] = 1.0;
    terms[CARTPOLE_TERM_FALL] = s->end ? 1.0 : 0.0;
    step->ticks = 1;
    step->terminated = s->end ? 1 : 0;
    step->truncated = !s->end && s->steps >= cartpole_rules_of(rules)->limit ? 1 : 0;
    step->illegal = illegal ? 1 : 0;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void cartpole_observe(const lu_rules *rules, const void *bytes, int seat,
                                   uint64_t changed, float *observation) {
    const cartpole_state *s = (const cartpole_state *)bytes;
    (void)rules;
    (void)seat;
    (void)changed;
    observation[0] = (float)s->x;
    observation[1] = (float)s->x_dot;
    observation[2] = (float)s->theta;
    observation[3] = (float)s->theta_dot;
}

LU_HD static void cartpole_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    (void)rules;
    (void)bytes;
    (void)seat;
    mask[CARTPOLE_LEFT] = 1;
    mask[CARTPOLE_RIGHT] = 1;
}

LU_HD static void cartpole_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const cartpole_state *s = (const cartpole_state *)bytes;
    (void)rules;
    (void)seat;
    info[CARTPOLE_INFO_STEPS] = (double)s->steps;
    info[CARTPOLE_INFO_END] = (double)s->end;
    info[CARTPOLE_INFO_X] = s->x;
    info[CARTPOLE_INFO_X_DOT] = s->x_dot;
    info[CARTPOLE_INFO_THETA] = s->theta;
    info[CARTPOLE_INFO_THETA_DOT] = s->theta_dot;
}

/* Nothing is hidden but the bits that float32 cuts off. */
LU_HD static void cartpole_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)bytes;
    (void)seat;
    (void)rng;
}

#define LU_LOOP_GAME  cartpole
#define LU_LOOP_NAMES CARTPOLE
#include "ludus/loop.h"
