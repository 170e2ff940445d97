/* The learning probes with DQN: each asks one question and is answered in about a second. */
#include "probe_test.h"

static bool solve(probe *p, const char *game, const char *settings) {
    return probe_solve(p, dqn_probe_open, game, settings);
}

/* The first Q value of an observation. */
static double q_of(probe *p, const float *seen, int length) {
    lu_net *net = lu_trainer_net(p->train);
    lu_net_work *work = lu_net_work_new(net, 1);
    float q[16];
    lu_net_infer call = {.rows = 1,
                         .observation = seen,
                         .observation_stride = (size_t)length,
                         .normaliser = lu_trainer_normaliser(p->train),
                         .logits = q,
                         .logits_stride = 16};
    lu_net_run(net, work, &call);
    lu_net_work_delete(work);
    return (double)q[0];
}

TEST(q_of_a_constant_reward) {
    probe p;
    NEED(solve(&p, "constant", "dqn.steps=16k"));
    CHECK_NEAR(figure_of(&p, "q"), 1.0, 0.02);
    CHECK(figure_of(&p, "td_error") < 0.02);
    CHECK_NEAR(p.stats.episode_return, 1.0, 0.0);
    probe_close(&p);
}

TEST(q_reads_the_observation) {
    probe p;
    NEED(solve(&p, "sight", "dqn.steps=16k"));
    CHECK(figure_of(&p, "td_error") < 0.02);
    probe_close(&p);
}

/* 1 after four decisions: 0.7^3, 0.7^2, 0.7, 1, whether targets look one step ahead, or three, or
 * beyond the end. */
TEST(q_of_a_delayed_reward_is_discounted) {
    static const char *const ahead[] = {"dqn.steps_ahead=1", "dqn.steps_ahead=3",
                                        "dqn.steps_ahead=9"};
    for (size_t k = 0; k < 3; k++) {
        probe p;
        char line[200];
        snprintf(line, sizeof line, "dqn.gamma=0.7 %s", ahead[k]);
        NEED(solve(&p, "delay", line));
        double wanted = 1.0;
        for (int i = 3; i >= 0; i--, wanted *= 0.7) {
            float seen[4] = {0};
            seen[i] = 1.0f;
            CHECK_NEAR(q_of(&p, seen, 4), wanted, 0.03);
        }
        probe_close(&p);
    }
}

/* The value of an endless game that is only cut off: 1 / (1 - 0.8) = 5; counted as over it
 * stays below 4 (3.33 is where three errors of Huber's loss balance the fourth). */
TEST(a_cut_off_episode_goes_on_in_q) {
    static const char *const ahead[] = {"dqn.gamma=0.8 dqn.steps=64k dqn.steps_ahead=1",
                                        "dqn.gamma=0.8 dqn.steps=64k dqn.steps_ahead=3"};
    const float seen = 1.0f;
    probe p;
    for (size_t k = 0; k < 2; k++) {
        NEED(solve(&p, "cutoff", ahead[k]));
        CHECK_NEAR(q_of(&p, &seen, 1), 5.0, 0.15);
        probe_close(&p);
    }
    NEED(solve(&p, "cutoff", "dqn.gamma=0.8 dqn.truncation=end"));
    CHECK(q_of(&p, &seen, 1) < 4.0);
    probe_close(&p);
}

TEST(q_discounts_by_ticks) {
    static const char *const ahead[] = {"dqn.gamma=0.8 dqn.steps_ahead=1",
                                        "dqn.gamma=0.8 dqn.steps_ahead=2"};
    const float first = 1.0f, last = -1.0f;
    for (size_t k = 0; k < 2; k++) {
        probe p;
        NEED(solve(&p, "ticks", ahead[k]));
        CHECK_NEAR(q_of(&p, &first, 1), 0.512, 0.03);
        CHECK_NEAR(q_of(&p, &last, 1), 1.0, 0.03);
        probe_close(&p);
    }
}

TEST(q_takes_what_pays) {
    probe p;
    NEED(solve(&p, "choice", "dqn.steps=16k"));
    CHECK(p.stats.reward > 0.9);
    probe_close(&p);
}

TEST(q_credits_over_two_steps) {
    static const char *const kinds[] = {"", "dqn.double=false", "net.dueling=true",
                                        "dqn.steps_ahead=2 dqn.prioritise=0",
                                        "dqn.target_every=1 dqn.target_rate=0.05"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        probe p;
        NEED(solve(&p, "twostep", kinds[k]));
        CHECK(p.stats.episode_return > 0.95);
        probe_close(&p);
    }
}

TEST(q_finds_the_best_legal_arm) {
    probe p;
    NEED(solve(&p, "bandit", "dqn.steps=64k"));
    CHECK(p.stats.reward > -0.03);
    probe_close(&p);
}

TEST(q_of_a_head_that_depends_on_another) {
    probe p;
    NEED(solve(&p, "lock", "dqn.steps=64k"));
    CHECK(p.stats.reward > 0.95);
    probe_close(&p);
}

TEST(q_of_a_seat_beside_one_of_the_game) {
    probe p;
    NEED(solve(&p, "ghost", "dqn.normalise_observation=true"));
    CHECK(p.stats.episode_return > 2.85);
    CHECK(p.stats.episode_return <= 3.0);
    probe_close(&p);
}

TEST(q_of_slots_that_share_what_they_learn) {
    probe p;
    NEED(solve(&p, "crowd", "net.encoder=entity dqn.steps=40k"));
    CHECK(p.stats.reward > 0.9);
    probe_close(&p);
}

/* Two seats at once with one net: nothing is to be learned, but every row is played and kept. */
TEST(q_of_two_seats_at_once) {
    probe p;
    NEED(solve(&p, "pennies", "dqn.steps=8k"));
    CHECK_NEAR(p.stats.reward, 0.0, 1e-9);
    CHECK_INT(p.stats.episodes, 2 * 32 * 4 * 4);
    CHECK_INT(lu_trainer_rows(p.train), 64);
    probe_close(&p);
}

TEST(an_update_of_dqn_tells_how_far_it_is) {
    static const probe_kind kind = {"choice", "dqn.rounds=8 dqn.gradient_steps=4 dqn.warmup=0"};
    probe_check_watched(&probe_dqn, &kind, 1);
}
