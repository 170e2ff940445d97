/* What a training changes of its game: rewards by a formula, and options that are closed. */
#include "ppo_internal.h"
#include "probe_test.h"

#include "ludus/dqn.h"
#include "ludus/ppo.h"

static const probe_kind kinds[] = {
    {"choice", "train.reward=0.5*reward-0.1*p train.closed=act:b=step(1,0,0.5)"},
    {"pennies", "train.reward=max(reward,0)*u"},
};

TEST(what_is_changed_gives_the_same_bits_on_any_threads_and_after_a_resume) {
    static const char *const metrics[] = {"policy_loss", NULL};
    for (int kind = 0; kind < 2; kind++) {
        probe_check_threads(&probe_ppo, &kinds[kind], 4);
        probe_check_resume(&probe_ppo, &kinds[kind], 2, 2, 1, metrics);
        probe_check_no_allocation(&probe_ppo, &kinds[kind], 2);
    }
    probe_check_refused(&probe_ppo, "", "train.reward=reward");
    probe_check_refused(&probe_ppo, "train.closed=act:a train.closed=act:b",
                        "train.closed=act:b train.closed=act:b");
    probe_check_refused(&probe_ppo, "train.closed=act:b", "train.closed=act:a train.closed=act:b");
}

/* The terms are there, whatever their weights are: of the reward, here all of it is the formula's.
 */
TEST(rewards_may_be_a_formula_over_terms) {
    probe plain, same, twice;
    const char *quiet = "train.rate=0 train.normalise_return=false";
    char line[2][200];
    snprintf(line[0], sizeof line[0], "%s reward.reward=0 train.reward=reward", quiet);
    snprintf(line[1], sizeof line[1], "%s train.reward=reward+2", quiet);
    NEED(probe_open(&plain, "choice", quiet));
    NEED(probe_open(&same, "choice", line[0]));
    NEED(probe_open(&twice, "choice", line[1]));
    CHECK(probe_run(&plain, 2) == LU_OK && probe_run(&same, 2) == LU_OK &&
          probe_run(&twice, 2) == LU_OK);
    const ppo_trainer *a = ppo_of(plain.train), *b = ppo_of(same.train), *c = ppo_of(twice.train);
    int differ = 0;
    for (int at = 0; at < a->base.horizon * a->base.rows; at++) {
        CHECK(a->batch.reward[at] == b->batch.reward[at]);
        CHECK(2.0f * a->batch.reward[at] + 2.0f == c->batch.reward[at]);
        differ += a->batch.reward[at] != a->batch.reward[0];
    }
    CHECK(differ > 0);
    probe_close(&plain);
    probe_close(&same);
    probe_close(&twice);
    probe_kind with = {"choice", "dqn.reward=1-reward"}, without = {"choice", ""};
    CHECK(probe_hash_after(&probe_dqn, &with, 1, 3) !=
          probe_hash_after(&probe_dqn, &without, 1, 3));
}

static int times(const ppo_trainer *t, int option) {
    int count = 0;
    for (int at = 0; at < t->base.horizon * t->base.rows; at++) {
        count += t->batch.actions[at] == option;
    }
    return count;
}

TEST(options_are_closed_while_a_schedule_is_above_0) {
    probe p;
    NEED(probe_open(&p, "choice", "train.closed=act:b=max(0,min(1,2-u)) train.rate=0"));
    for (int update = 0; update < 4; update++) {
        CHECK(probe_run(&p, 1) == LU_OK);
        CHECK((times(ppo_of(p.train), 1) == 0) == (update < 2));
        CHECK(times(ppo_of(p.train), 0) > 0);
    }
    probe_close(&p);
    /* the last one of a head stays */
    NEED(probe_open(&p, "choice", "train.closed=act:a train.closed=act:b"));
    CHECK(probe_run(&p, 1) == LU_OK);
    CHECK_INT(times(ppo_of(p.train), 0), 0);
    CHECK(times(ppo_of(p.train), 1) > 0);
    probe_close(&p);
}

TEST(what_a_game_has_not_is_refused) {
    static const char *const wrong[][2] = {
        {"train.reward=rewards", "'train.reward' = 'rewards' has the unknown word 'rewards'"},
        {"train.reward=reward+", "needs a number"},
        {"train.closed=act:c", "isn't HEAD:OPTION"},
        {"train.closed=act", "isn't HEAD:OPTION"},
        {"train.closed=act:b=2", "above the largest allowed value 1"},
        {"train.closed=act:b=", "needs a number"},
    };
    const lu_game *game = lu_game_find("choice", NULL);
    NEED(game != NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lu_error error = {0};
        lu_settings *settings = lu_game_settings(game);
        lu_settings_add(settings, lu_net_table);
        lu_settings_add(settings, lu_ppo_table);
        CHECK_INT(lu_settings_set_pair(settings, wrong[i][0], LU_FROM_FLAG, "test", &error), LU_OK);
        CHECK(!lu_algorithm_ppo.make(game, settings, NULL, &error));
        CHECK_HAS(error.text, wrong[i][1]);
        lu_settings_delete(settings);
    }
}
