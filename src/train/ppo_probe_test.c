/* The learning probes: each asks one question of the trainer and is answered in about a second. */
#include "probe_test.h"

#include <stdlib.h>

/* Trains to the end and closes; the last update's statistics stay. */
static bool solve(probe *p, const char *game, const char *settings) {
    bool solved = probe_solve(p, probe_open, game, settings);
    if (solved) {
        probe_close(p);
    }
    return solved;
}

TEST(constant_reward_is_the_value) {
    probe p;
    NEED(solve(&p, "constant", "train.steps=20000"));
    CHECK_NEAR(figure_of(&p, "value_bias"), 0.0, 0.02);
    CHECK(figure_of(&p, "value_loss") < 1e-3);
    CHECK_NEAR(p.stats.episode_return, 1.0, 0.0);
}

TEST(the_value_reads_the_observation) {
    probe p;
    NEED(solve(&p, "sight", "train.steps=20000"));
    CHECK(figure_of(&p, "explained") > 0.99);
}

TEST(delayed_reward_is_discounted) {
    probe p;
    NEED(solve(&p, "delay", "train.gamma=0.7 train.lambda=0.9 train.steps=40000"));
    CHECK(figure_of(&p, "explained") > 0.99);
    CHECK_NEAR(figure_of(&p, "value_bias"), 0.0, 0.02);
    CHECK_NEAR(p.stats.episode_length, 4.0, 0.0);
}

/* Value of an observation of `count` numbers. */
static double value_of_many(probe *p, const float *seen, size_t count) {
    lu_net *net = lu_trainer_net(p->train);
    lu_net_work *work = lu_net_work_new(net, 1);
    float logits[16], value;
    lu_net_infer call = {.rows = 1,
                         .observation = seen,
                         .observation_stride = count,
                         .logits = logits,
                         .logits_stride = 16,
                         .value = &value};
    lu_net_run(net, work, &call);
    lu_net_work_delete(work);
    return (double)value;
}

static double value_of(probe *p, float seen) {
    return value_of_many(p, &seen, 1);
}

/* The value of an endless game that is only cut off: 1 / (1 - 0.8) = 5; counted as over it lies
 * between 1 and 1 + 0.8 + 0.64 + 0.512 = 2.952. */
TEST(a_cut_off_episode_goes_on_in_the_value) {
    probe p;
    NEED(probe_open(&p, "cutoff", "train.gamma=0.8 train.steps=60000"));
    NEED(probe_run(&p, 0) == LU_OK);
    CHECK_NEAR(value_of(&p, 1.0f), 5.0, 0.1);
    probe_close(&p);
    NEED(probe_open(&p, "cutoff", "train.gamma=0.8 train.steps=60000 train.truncation=end"));
    NEED(probe_run(&p, 0) == LU_OK);
    CHECK_NEAR(value_of(&p, 1.0f), 2.0, 0.9);
    probe_close(&p);
}

/* The most that can be paid is 1. A learner that goes on from the value of the last moment, which
 * it never trains, comes to believe in more, and waits for it. */
TEST(a_limit_that_is_a_rule_ends_the_value) {
    static const float start[2] = {0.0f, 0.0f}, last[2] = {0.0f, 1.0f};
    probe p;
    NEED(probe_open(&p, "deadline", "train.gamma=0.99"));
    NEED(probe_run(&p, 0) == LU_OK);
    CHECK(p.stats.episode_return > 0.95);
    CHECK_NEAR(value_of_many(&p, start, 2), 0.98, 0.05);
    probe_close(&p);
    if (getenv("LUDUS_TEST_SEED")) {
        return; /* one training in eight finds the door before it believes */
    }
    NEED(probe_open(&p, "deadline", "train.gamma=0.99 train.truncation=bootstrap"));
    NEED(probe_run(&p, 0) == LU_OK);
    CHECK(p.stats.episode_return < 0.9);
    CHECK(value_of_many(&p, last, 2) > 1.5);
    probe_close(&p);
}

TEST(ticks_discount) {
    probe p;
    NEED(probe_open(&p, "ticks", "train.gamma=0.8 train.steps=40000"));
    NEED(probe_run(&p, 0) == LU_OK);
    CHECK_NEAR(value_of(&p, 1.0f), 0.512, 0.03);
    CHECK_NEAR(value_of(&p, -1.0f), 1.0, 0.03);
    probe_close(&p);
}

TEST(a_seat_that_waits_is_paid_for_what_it_did) {
    probe p;
    NEED(solve(&p, "turnabout", "train.steps=80000 train.gamma=0.9"));
    /* nine steps: the last guess is never paid, so eight rights for two seats */
    CHECK(p.stats.episode_return > 3.9);
    CHECK_NEAR(p.stats.episode_length, 9.0, 0.0);
}

TEST(a_seat_of_the_game_does_not_learn) {
    probe p;
    NEED(solve(&p, "ghost", "train.steps=30000 train.normalise_observation=true"));
    CHECK(p.stats.episode_return > 2.85);
    CHECK(p.stats.episode_return <= 3.0);
}

TEST(the_policy_takes_what_pays) {
    probe p;
    NEED(solve(&p, "choice", "train.steps=20000"));
    CHECK(p.stats.reward > 0.95);
}

TEST(credit_goes_back_over_two_steps) {
    probe p;
    NEED(solve(&p, "twostep", "train.steps=120000 train.entropy=0.01"));
    CHECK(p.stats.episode_return > 0.95);
}

TEST(mingru_remembers_the_sign) {
    probe p;
    NEED(solve(&p, "tmaze", "net.memory=mingru train.steps=160000"));
    CHECK(p.stats.episode_return > 0.95);
}

TEST(lstm_remembers_the_sign) {
    probe p;
    NEED(solve(&p, "tmaze", "net.memory=lstm train.steps=100000"));
    CHECK(p.stats.episode_return > 0.95);
}

TEST(without_memory_the_sign_is_forgotten) {
    probe p;
    NEED(solve(&p, "tmaze", "train.steps=30000"));
    CHECK(fabs(p.stats.episode_return) < 0.4);
}

TEST(the_best_legal_arm_is_found) {
    probe p;
    NEED(solve(&p, "bandit", "train.steps=120000 train.entropy=0"));
    CHECK(p.stats.reward > -0.03);
}

TEST(two_seats_stay_near_one_half) {
    probe p;
    NEED(probe_open(&p, "pennies",
                    "train.entropy=0.1 train.rate=0.001 train.epochs=1 "
                    "train.normalise_advantage=none"));
    double entropy = 0.0;
    int updates = 0;
    while (!lu_trainer_done(p.train)) {
        NEED(probe_run(&p, 1) == LU_OK);
        entropy += figure_of(&p, "entropy");
        updates++;
    }
    CHECK(entropy / updates > 0.6); /* ln 2 = 0.693 */
    CHECK_NEAR(p.stats.reward, 0.0, 1e-9);
    CHECK_INT(p.stats.episodes, 2 * 64 * 16);
    probe_close(&p);
}

TEST(a_head_that_depends_on_another_learns) {
    probe p;
    NEED(solve(&p, "lock", "train.steps=120000 train.entropy=0.02"));
    CHECK(p.stats.reward > 0.95);
}

TEST(a_head_answers_what_another_drew) {
    probe p;
    const char *drawn = "train.steps=60000 train.entropy=10 train.entropy_heads=1,0";
    char line[256];
    NEED(solve(&p, "echo", drawn));
    CHECK(p.stats.reward < 0.45);
    CHECK(p.stats.head_entropy[0] > 1.0); /* ln 3 = 1.099 */
    static const char *const hidden[] = {"train.rate=linear(0.02,0)", "net.head_hidden=16",
                                         "net.head_hidden=16,16"};
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "%s net.heads=autoregressive %s", drawn, hidden[i]);
        NEED(solve(&p, "echo", line));
        CHECK(p.stats.reward > 0.95);
        CHECK(p.stats.head_entropy[0] > 1.0);
    }
}

TEST(the_critic_uses_what_only_it_sees) {
    probe p;
    NEED(solve(&p, "secret", "train.steps=40000"));
    CHECK(figure_of(&p, "explained") > 0.95);
    CHECK(p.stats.term[0] > 0.05); /* the better option, although the coin is 5 times as loud */
    NEED(solve(&p, "secret", "train.steps=40000 net.critic_inputs=false"));
    CHECK(figure_of(&p, "explained") < 0.2);
}

TEST(slots_share_what_they_learn) {
    probe p;
    NEED(solve(&p, "crowd", "net.encoder=entity train.steps=80000"));
    CHECK(p.stats.reward > 0.95);
    NEED(solve(&p, "crowd", "train.steps=120000"));
    CHECK(p.stats.reward < 0.6);
}

TEST(an_update_of_ppo_tells_how_far_it_is) {
    static const probe_kind kind = {"choice", "train.epochs=4 train.horizon=32"};
    probe_check_watched(&probe_ppo, &kind, 2);
}
