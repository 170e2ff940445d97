/* The learning probes with DQN: each asks one question and is answered in about a second. */
#include "dqn_probe_test.h"

#include <stdlib.h>

static const char *const small =
    "dqn.environments=32 dqn.horizon=4 dqn.rounds=4 dqn.gradient_steps=4 dqn.minibatch=128 "
    "dqn.buffer=8k dqn.warmup=1k dqn.steps=32k dqn.steps_ahead=1 dqn.target_every=25 "
    "dqn.rate=linear(0.01,0) dqn.epsilon=linear(1,0) dqn.normalise_observation=false "
    "dqn.threads=1 net.hidden=32 net.layers=1";

static bool set_line(dqn_probe *p, const char *line) {
    char text[1024], *rest = text;
    snprintf(text, sizeof text, "%s", line);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) {
        if (lu_settings_set_pair(p->settings, pair, LU_FROM_FLAG, "test", &p->error) != LU_OK) {
            lu_test_fail(__FILE__, __LINE__, "%s", p->error.text);
            return false;
        }
    }
    return true;
}

bool dqn_probe_open(dqn_probe *p, const char *name, const char *settings) {
    memset(p, 0, sizeof *p);
    const lu_game *game = lu_game_find(name, &p->error);
    if (!game) {
        lu_test_fail(__FILE__, __LINE__, "%s", p->error.text);
        return false;
    }
    p->settings = lu_game_settings(game);
    lu_settings_add(p->settings, lu_dqn_table);
    lu_settings_add(p->settings, lu_net_table);
    char seed[64] = "dqn.seed=1";
    if (getenv("LUDUS_TEST_SEED")) {
        snprintf(seed, sizeof seed, "dqn.seed=%s", getenv("LUDUS_TEST_SEED"));
    }
    bool good = set_line(p, small) && set_line(p, seed) && set_line(p, settings);
    p->rules = good ? lu_rules_new(game, p->settings, &p->error) : NULL;
    p->dqn = p->rules ? lu_dqn_new(game, p->rules, p->settings, NULL, &p->error) : NULL;
    if (!p->dqn) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", name, p->error.text);
        dqn_probe_close(p);
        return false;
    }
    return true;
}

void dqn_probe_close(dqn_probe *p) {
    lu_trainer_delete(p->dqn);
    lu_rules_delete(p->rules);
    lu_settings_delete(p->settings);
    p->dqn = NULL;
    p->rules = NULL;
    p->settings = NULL;
}

lu_status dqn_probe_run(dqn_probe *p, int most) {
    lu_status status = LU_OK;
    for (int i = 0; status == LU_OK && !lu_trainer_done(p->dqn) && (most == 0 || i < most); i++) {
        status = lu_trainer_update(p->dqn, &p->stats, &p->error);
    }
    return status;
}

/* Trains to the end; the last update's statistics stay. */
static bool solve(dqn_probe *p, const char *game, const char *settings) {
    if (!dqn_probe_open(p, game, settings)) {
        return false;
    }
    lu_status status = dqn_probe_run(p, 0);
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", game, p->error.text);
    }
    CHECK_INT(p->stats.illegal, 0);
    return status == LU_OK;
}

/* The first Q value of an observation. */
static double q_of(dqn_probe *p, const float *seen, int length) {
    lu_net *net = lu_trainer_net(p->dqn);
    lu_net_work *work = lu_net_work_new(net, 1);
    float q[16];
    lu_net_infer call = {.rows = 1,
                         .observation = seen,
                         .observation_stride = (size_t)length,
                         .normaliser = lu_trainer_normaliser(p->dqn),
                         .logits = q,
                         .logits_stride = 16};
    lu_net_run(net, work, &call);
    lu_net_work_delete(work);
    return (double)q[0];
}

TEST(q_of_a_constant_reward) {
    dqn_probe p;
    NEED(solve(&p, "constant", "dqn.steps=16k"));
    CHECK_NEAR(figure_of(&p, "q"), 1.0, 0.02);
    CHECK(figure_of(&p, "td_error") < 0.02);
    CHECK_NEAR(p.stats.episode_return, 1.0, 0.0);
    dqn_probe_close(&p);
}

TEST(q_reads_the_observation) {
    dqn_probe p;
    NEED(solve(&p, "sight", "dqn.steps=16k"));
    CHECK(figure_of(&p, "td_error") < 0.02);
    dqn_probe_close(&p);
}

/* 1 after four decisions: 0.7^3, 0.7^2, 0.7, 1, whether targets look one step ahead, or three, or
 * beyond the end. */
TEST(q_of_a_delayed_reward_is_discounted) {
    static const char *const ahead[] = {"dqn.steps_ahead=1", "dqn.steps_ahead=3",
                                        "dqn.steps_ahead=9"};
    for (size_t k = 0; k < 3; k++) {
        dqn_probe p;
        char line[200];
        snprintf(line, sizeof line, "dqn.gamma=0.7 %s", ahead[k]);
        NEED(solve(&p, "delay", line));
        double wanted = 1.0;
        for (int i = 3; i >= 0; i--, wanted *= 0.7) {
            float seen[4] = {0};
            seen[i] = 1.0f;
            CHECK_NEAR(q_of(&p, seen, 4), wanted, 0.03);
        }
        dqn_probe_close(&p);
    }
}

/* The value of an endless game that is only cut off: 1 / (1 - 0.8) = 5; counted as over it
 * stays below 4 (3.33 is where three errors of Huber's loss balance the fourth). */
TEST(a_cut_off_episode_goes_on_in_q) {
    static const char *const ahead[] = {"dqn.gamma=0.8 dqn.steps=64k dqn.steps_ahead=1",
                                        "dqn.gamma=0.8 dqn.steps=64k dqn.steps_ahead=3"};
    const float seen = 1.0f;
    dqn_probe p;
    for (size_t k = 0; k < 2; k++) {
        NEED(solve(&p, "cutoff", ahead[k]));
        CHECK_NEAR(q_of(&p, &seen, 1), 5.0, 0.15);
        dqn_probe_close(&p);
    }
    NEED(solve(&p, "cutoff", "dqn.gamma=0.8 dqn.truncation=end"));
    CHECK(q_of(&p, &seen, 1) < 4.0);
    dqn_probe_close(&p);
}

TEST(q_discounts_by_ticks) {
    static const char *const ahead[] = {"dqn.gamma=0.8 dqn.steps_ahead=1",
                                        "dqn.gamma=0.8 dqn.steps_ahead=2"};
    const float first = 1.0f, last = -1.0f;
    for (size_t k = 0; k < 2; k++) {
        dqn_probe p;
        NEED(solve(&p, "ticks", ahead[k]));
        CHECK_NEAR(q_of(&p, &first, 1), 0.512, 0.03);
        CHECK_NEAR(q_of(&p, &last, 1), 1.0, 0.03);
        dqn_probe_close(&p);
    }
}

TEST(q_takes_what_pays) {
    dqn_probe p;
    NEED(solve(&p, "choice", "dqn.steps=16k"));
    CHECK(p.stats.reward > 0.9);
    dqn_probe_close(&p);
}

TEST(q_credits_over_two_steps) {
    static const char *const kinds[] = {"", "dqn.double=false", "net.dueling=true",
                                        "dqn.steps_ahead=2 dqn.prioritise=0",
                                        "dqn.target_every=1 dqn.target_rate=0.05"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        dqn_probe p;
        NEED(solve(&p, "twostep", kinds[k]));
        CHECK(p.stats.episode_return > 0.95);
        dqn_probe_close(&p);
    }
}

TEST(q_finds_the_best_legal_arm) {
    dqn_probe p;
    NEED(solve(&p, "bandit", "dqn.steps=64k"));
    CHECK(p.stats.reward > -0.03);
    dqn_probe_close(&p);
}

TEST(q_of_a_head_that_depends_on_another) {
    dqn_probe p;
    NEED(solve(&p, "lock", "dqn.steps=64k"));
    CHECK(p.stats.reward > 0.95);
    dqn_probe_close(&p);
}

TEST(q_of_a_seat_beside_one_of_the_game) {
    dqn_probe p;
    NEED(solve(&p, "ghost", "dqn.normalise_observation=true"));
    CHECK(p.stats.episode_return > 2.85);
    CHECK(p.stats.episode_return <= 3.0);
    dqn_probe_close(&p);
}

TEST(q_of_slots_that_share_what_they_learn) {
    dqn_probe p;
    NEED(solve(&p, "crowd", "net.encoder=entity dqn.steps=64k"));
    CHECK(p.stats.reward > 0.9);
    dqn_probe_close(&p);
}

/* Two seats at once with one net: nothing is to be learned, but every row is played and kept. */
TEST(q_of_two_seats_at_once) {
    dqn_probe p;
    NEED(solve(&p, "pennies", "dqn.steps=8k"));
    CHECK_NEAR(p.stats.reward, 0.0, 1e-9);
    CHECK_INT(p.stats.episodes, 2 * 32 * 4 * 4);
    CHECK_INT(lu_trainer_rows(p.dqn), 64);
    dqn_probe_close(&p);
}
