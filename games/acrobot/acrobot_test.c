/* What is special to the rules of acrobot, and its parity with recorded episodes of Gymnasium; the
 * battery of `ludus conform` covers the rest. */
#include "ludus/math.h"

#include "acrobot.h"
#include "test_episode.h"
#include "tool_said.h"

static acrobot_options start_at(double theta1, double theta2, double dot1, double dot2) {
    return (acrobot_options){{theta1, theta2, dot1, dot2}, {1, 1, 1, 1}};
}

TEST(a_start_is_small_and_float32) {
    lu_episode e = test_episode("acrobot", "");
    const acrobot_state *s = e.env->state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        lu_env_reset(e.env, seed, NULL);
        const double values[4] = {s->theta1, s->theta2, s->theta1_dot, s->theta2_dot};
        for (int k = 0; k < 4; k++) {
            CHECK(lu_fabs(values[k]) <= (double)0.1f);
            CHECK(values[k] == (double)(float)values[k]);
        }
    }
    lu_episode_close(&e);
}

TEST(hanging_at_rest_stays) {
    lu_episode e = test_episode("acrobot", "");
    acrobot_options rest = start_at(0.0, 0.0, 0.0, 0.0);
    int32_t none = ACROBOT_NONE;
    lu_env_reset(e.env, 0, &rest);
    lu_env_step(e.env, &none);
    /* cos(-pi/2) is not exactly zero, hence no exact rest */
    CHECK_NEAR(lu_env_info(e.env, 0, "theta1"), 0.0, 1e-15);
    CHECK_NEAR(lu_env_info(e.env, 0, "energy"), 0.0, 1e-15);
    CHECK_NEAR(lu_env_info(e.env, 0, "height"), -2.0, 1e-15);
    CHECK_NEAR(e.env->reward[0], -1.0, 0.0);
    lu_episode_close(&e);
}

/* Without torque the energy stays, up to the error of a Runge-Kutta step of 0.2 s: a wrong term of
 * the equations would show at once. */
TEST(free_swinging_keeps_its_energy) {
    lu_episode e = test_episode("acrobot", "");
    acrobot_options swing = start_at(0.6, -0.4, 0.5, 0.3);
    int32_t none = ACROBOT_NONE;
    lu_env_reset(e.env, 0, &swing);
    double energy = lu_env_info(e.env, 0, "energy");
    for (int i = 0; i < 50; i++) {
        lu_env_step(e.env, &none);
        CHECK_NEAR(lu_env_info(e.env, 0, "energy") / energy, 1.0, 0.02);
    }
    lu_episode_close(&e);
}

TEST(above_the_line_ends_the_episode_at_no_cost) {
    lu_episode e = test_episode("acrobot", "");
    acrobot_options high = start_at(2.6, 0.0, 1.0, 0.0);
    int32_t none = ACROBOT_NONE;
    lu_env_reset(e.env, 0, &high);
    lu_env_step(e.env, &none);
    CHECK(e.env->step.terminated && !e.env->step.truncated);
    CHECK(lu_env_info(e.env, 0, "height") > 1.0);
    CHECK_NEAR(e.env->reward[0], 0.0, 0.0);
    CHECK_NEAR(lu_env_info(e.env, 0, "score"), 0.0, 0.0);
    lu_episode_close(&e);
}

TEST(speeds_and_angles_stay_within_their_bounds) {
    lu_episode e = test_episode("acrobot", "");
    const acrobot_state *s = e.env->state;
    lu_rng rng = lu_rng_from(11);
    for (int episode = 0; episode < 3000; episode++) {
        acrobot_options wild = start_at(LU_PI * (2.0 * lu_rng_unit(&rng) - 1.0),
                                        LU_PI * (2.0 * lu_rng_unit(&rng) - 1.0),
                                        ACROBOT_THETA1_DOT_MAX * (2.0 * lu_rng_unit(&rng) - 1.0),
                                        ACROBOT_THETA2_DOT_MAX * (2.0 * lu_rng_unit(&rng) - 1.0));
        lu_env_reset(e.env, 0, &wild);
        for (int i = 0; i < 50 && !e.env->over; i++) {
            int32_t action = (int32_t)lu_rng_below(&rng, 3);
            lu_env_step(e.env, &action);
            CHECK(lu_fabs(s->theta1) <= LU_PI && lu_fabs(s->theta2) <= LU_PI);
            CHECK(lu_fabs(s->theta1_dot) <= ACROBOT_THETA1_DOT_MAX);
            CHECK(lu_fabs(s->theta2_dot) <= ACROBOT_THETA2_DOT_MAX);
        }
    }
    lu_episode_close(&e);
}

TEST(an_illegal_action_gives_no_torque) {
    lu_episode e = test_episode("acrobot", "");
    acrobot_state none_after;
    int32_t none = ACROBOT_NONE, wild = 9;
    lu_env_reset(e.env, 4, NULL);
    lu_env_step(e.env, &none);
    memcpy(&none_after, e.env->state, sizeof none_after);
    lu_env_reset(e.env, 4, NULL);
    lu_env_step(e.env, &wild);
    CHECK_INT(e.env->step.illegal, 1);
    CHECK(memcmp(&none_after, e.env->state, sizeof none_after) == 0);
    lu_episode_close(&e);
}

/* About one start in 1500 spins on without crossing the line in time. */
TEST(the_swinger_reaches_the_line) {
    lu_episode e = test_episode("acrobot", "");
    double sum = 0.0;
    int timeouts = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        test_bot_plays(&e, "swinger", seed);
        timeouts += e.env->step.truncated;
        CHECK_NEAR(e.env->returns[0], lu_env_info(e.env, 0, "score"), 0.0);
        sum += e.env->returns[0];
    }
    CHECK(sum / 500.0 > -86.0);
    CHECK(timeouts <= 2);
    lu_episode_close(&e);
}

/* ---- parity ---- */

TEST(recorded_episodes_of_gymnasium_agree) {
    tool_verify("acrobot", "games/acrobot/vectors/random.jsonl.gz", "{\"passed\":3,\"failed\":0}");
    tool_verify("acrobot", "games/acrobot/vectors/swinger.jsonl.gz",
                "{\"passed\":20,\"failed\":0}");
    tool_verify("acrobot", "games/acrobot/vectors/still.jsonl.gz", "{\"passed\":2,\"failed\":0}");
    tool_verify("acrobot", "games/acrobot/vectors/edges.jsonl.gz", "{\"passed\":24,\"failed\":0}");
}
