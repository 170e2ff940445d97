/* What is special to the rules of cartpole, and its parity with recorded episodes of Gymnasium; the
 * battery of `ludus conform` covers the rest. */
#include "ludus/math.h"

#include "cartpole.h"
#include "test_episode.h"
#include "tool_said.h"

static cartpole_options start_at(double x, double x_dot, double theta, double theta_dot) {
    return (cartpole_options){{x, x_dot, theta, theta_dot}, {1, 1, 1, 1}};
}

TEST(a_start_lies_within_the_spread) {
    lu_episode e = test_episode("cartpole", "");
    const cartpole_state *s = e.env->state;
    double low = 1.0, high = -1.0, sum = 0.0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        lu_env_reset(e.env, seed, NULL);
        const double values[4] = {s->x, s->x_dot, s->theta, s->theta_dot};
        for (int k = 0; k < 4; k++) {
            low = lu_fmin(low, values[k]);
            high = lu_fmax(high, values[k]);
            sum += values[k];
        }
    }
    CHECK(low >= -0.05 && low < -0.0499);
    CHECK(high < 0.05 && high > 0.0499);
    CHECK_NEAR(sum / 8000.0, 0.0, 0.002);
    lu_episode_close(&e);
}

/* The step by hand: an upright pole at rest, pushed right. */
TEST(a_push_from_rest_follows_the_equations) {
    lu_episode e = test_episode("cartpole", "");
    const cartpole_state *s = e.env->state;
    cartpole_options rest = start_at(0.0, 0.0, 0.0, 0.0);
    lu_env_reset(e.env, 0, &rest);
    int32_t right = CARTPOLE_RIGHT;
    lu_env_step(e.env, &right);
    double theta_ddot = -(10.0 / 1.1) / (0.5 * (4.0 / 3.0 - 0.1 / 1.1));
    CHECK_NEAR(s->x, 0.0, 0.0); /* positions move by the speeds before the step */
    CHECK_NEAR(s->theta, 0.0, 0.0);
    CHECK_NEAR(s->theta_dot, 0.02 * theta_ddot, 1e-15);
    CHECK_NEAR(s->x_dot, 0.02 * (10.0 / 1.1 - 0.05 * theta_ddot / 1.1), 1e-15);
    CHECK_NEAR(e.env->reward[0], 1.0, 0.0);
    lu_episode_close(&e);
}

TEST(the_ends_are_told_apart) {
    lu_episode e = test_episode("cartpole", "");
    int32_t left = CARTPOLE_LEFT;
    cartpole_options leaning = start_at(0.0, 0.0, 0.2, 2.0);
    lu_env_reset(e.env, 0, &leaning);
    lu_env_step(e.env, &left);
    CHECK(e.env->step.terminated && !e.env->step.truncated);
    CHECK_INT(lu_env_info(e.env, 0, "end"), CARTPOLE_FELL);
    CHECK_NEAR(e.env->reward[0], 1.0, 0.0); /* the last step counts too */
    CHECK_NEAR(e.env->terms[CARTPOLE_TERM_FALL], 1.0, 0.0);

    cartpole_options rolling = start_at(2.39, 1.0, 0.0, 0.0);
    lu_env_reset(e.env, 0, &rolling);
    lu_env_step(e.env, &left);
    CHECK(e.env->step.terminated);
    CHECK_INT(lu_env_info(e.env, 0, "end"), CARTPOLE_LEFT_TRACK);
    lu_episode_close(&e);
}

TEST(an_illegal_action_does_not_push) {
    lu_episode e = test_episode("cartpole", "");
    const cartpole_state *s = e.env->state;
    cartpole_options rest = start_at(0.0, 0.0, 0.0, 0.0);
    lu_env_reset(e.env, 0, &rest);
    int32_t wild = 2;
    lu_env_step(e.env, &wild);
    CHECK_INT(e.env->step.illegal, 1);
    CHECK_NEAR(s->x_dot, 0.0, 0.0);
    CHECK_NEAR(s->theta_dot, 0.0, 0.0);
    lu_episode_close(&e);
}

TEST(the_balancer_holds_the_pole_until_the_limit) {
    lu_episode e = test_episode("cartpole", "");
    for (uint64_t seed = 0; seed < 500; seed++) {
        test_bot_plays(&e, "balancer", seed);
        CHECK(e.env->step.truncated && !e.env->step.terminated);
        CHECK_INT(e.env->decisions, 500);
    }
    lu_episode_close(&e);
}

/* The corners of what may be given as a start, driven by wild actions: the bounds are never met, so
 * the clamps never change an episode. */
TEST(no_episode_reaches_the_bounds) {
    lu_episode e = test_episode("cartpole", "");
    const cartpole_state *s = e.env->state;
    lu_rng rng = lu_rng_from(7);
    double worst[4] = {0, 0, 0, 0};
    for (int episode = 0; episode < 20000; episode++) {
        double corner[4] = {CARTPOLE_TRACK, CARTPOLE_START_X_DOT, CARTPOLE_ANGLE,
                            CARTPOLE_START_THETA_DOT};
        for (int k = 0; k < 4; k++) {
            double share = lu_rng_below(&rng, 2) ? 1.0 : lu_rng_unit(&rng);
            corner[k] *= lu_rng_below(&rng, 2) ? share : -share;
        }
        cartpole_options start = start_at(corner[0], corner[1], corner[2], corner[3]);
        lu_env_reset(e.env, 0, &start);
        int habit = (int)lu_rng_below(&rng, 3);
        while (!e.env->over) {
            int32_t action = habit < 2 ? habit : (int32_t)lu_rng_below(&rng, 2);
            lu_env_step(e.env, &action);
            worst[0] = lu_fmax(worst[0], lu_fabs(s->x));
            worst[1] = lu_fmax(worst[1], lu_fabs(s->x_dot));
            worst[2] = lu_fmax(worst[2], lu_fabs(s->theta));
            worst[3] = lu_fmax(worst[3], lu_fabs(s->theta_dot));
        }
    }
    CHECK(worst[0] < 2.9 && worst[1] < 20.4 && worst[2] < 0.66 && worst[3] < 22.7);
    lu_episode_close(&e);
}

/* ---- parity ---- */

TEST(recorded_episodes_of_gymnasium_agree) {
    tool_verify("cartpole", "games/cartpole/vectors/random.jsonl.gz",
                "{\"passed\":100,\"failed\":0}");
    tool_verify("cartpole", "games/cartpole/vectors/balancer.jsonl.gz",
                "{\"passed\":6,\"failed\":0}");
    tool_verify("cartpole", "games/cartpole/vectors/edges.jsonl.gz",
                "{\"passed\":24,\"failed\":0}");
}
