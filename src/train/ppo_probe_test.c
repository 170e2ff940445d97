/* The learning probes: each asks one question of the trainer and is answered in about a second. */
#include "ppo_probe_test.h"

#include <stdlib.h>

static const char *const small = "train.environments=64 train.horizon=16 train.minibatch=256 "
                                 "train.epochs=2 train.steps=80000 train.rate=linear(0.005,0) "
                                 "train.threads=1 net.hidden=32 net.layers=1 "
                                 "train.normalise_return=false "
                                 "train.normalise_observation=false";

static bool set_line(probe *p, const char *line) {
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

bool probe_open(probe *p, const char *name, const char *settings) {
    memset(p, 0, sizeof *p);
    const lu_game *game = lu_game_find(name, &p->error);
    if (!game) {
        lu_test_fail(__FILE__, __LINE__, "%s", p->error.text);
        return false;
    }
    p->settings = lu_game_settings(game);
    lu_settings_add(p->settings, lu_train_table);
    lu_settings_add(p->settings, lu_net_table);
    char seed[64] = "train.seed=1";
    if (getenv("LUDUS_TEST_SEED")) {
        snprintf(seed, sizeof seed, "train.seed=%s", getenv("LUDUS_TEST_SEED"));
    }
    bool good = set_line(p, small) && set_line(p, seed) && set_line(p, settings) &&
                lu_train_profile(p->settings, &p->error) == LU_OK;
    p->rules = good ? lu_rules_new(game, p->settings, &p->error) : NULL;
    p->train = p->rules ? lu_train_new(game, p->rules, p->settings, NULL, &p->error) : NULL;
    if (!p->train) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", name, p->error.text);
        probe_close(p);
        return false;
    }
    return true;
}

void probe_close(probe *p) {
    lu_trainer_delete(p->train);
    lu_rules_delete(p->rules);
    lu_settings_delete(p->settings);
    p->train = NULL;
    p->rules = NULL;
    p->settings = NULL;
}

lu_status probe_run(probe *p, int most) {
    lu_status status = LU_OK;
    for (int i = 0; status == LU_OK && !lu_trainer_done(p->train) && (most == 0 || i < most); i++) {
        status = lu_trainer_update(p->train, &p->stats, &p->error);
    }
    return status;
}

/* Trains to the end and closes; the last update's statistics stay. */
static bool solve(probe *p, const char *game, const char *settings) {
    if (!probe_open(p, game, settings)) {
        return false;
    }
    lu_status status = probe_run(p, 0);
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", game, p->error.text);
    }
    CHECK_INT(p->stats.illegal, 0);
    probe_close(p);
    return status == LU_OK;
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

/* Value of an observation of one number. */
static double value_of(probe *p, float seen) {
    lu_net *net = lu_trainer_net(p->train);
    lu_net_work *work = lu_net_work_new(net, 1);
    float logits[16], value;
    lu_net_infer call = {.rows = 1,
                         .observation = &seen,
                         .observation_stride = 1,
                         .logits = logits,
                         .logits_stride = 16,
                         .value = &value};
    lu_net_run(net, work, &call);
    lu_net_work_delete(work);
    return (double)value;
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
    NEED(solve(&p, "tmaze", "net.memory=lstm train.steps=160000"));
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
    NEED(solve(&p, "crowd", "net.encoder=entity train.steps=120000"));
    CHECK(p.stats.reward > 0.95);
    NEED(solve(&p, "crowd", "train.steps=120000"));
    CHECK(p.stats.reward < 0.6);
}
