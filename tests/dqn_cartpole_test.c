/* The learning anchor of DQN: with the preset cartpole-dqn the mean of 100 episodes of training
 * reaches 475 of 500. Two seeds that must both do it; ten with LUDUS_TEST_LONG=1, of which eight
 * must, and must stay there to the end: DQN is known to forget the pole again. */
#include "ludus/dqn.h"
#include "ludus/run.h"

#include "test.h"

#include <stdlib.h>
#include <time.h>

static const lu_setting other_rows[] = {
    {"algo", LU_ENUM, "ppo", 0, 0, "ppo|dqn", "What `ludus train` reads here.", false},
};
static const lu_table other = {"train", other_rows, 1};

typedef struct outcome {
    int64_t reached; /* steps until the mean was there; 0: never */
    double processor, last;
} outcome;

static lu_settings *preset(const lu_game *game, int seed) {
    char number[24];
    lu_error error;
    lu_settings *settings = lu_game_settings(game);
    lu_settings_add(settings, lu_dqn_table);
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, lu_band_table);
    lu_settings_add(settings, other);
    snprintf(number, sizeof number, "%d", seed);
    const char *path = lu_test_source("config/cartpole-dqn.ini");
    if (lu_settings_file(settings, path, LU_FROM_PRESET, &error) != LU_OK ||
        lu_settings_set(settings, "dqn.seed", number, LU_FROM_FLAG, "test", &error) != LU_OK ||
        lu_settings_set(settings, "dqn.threads", "1", LU_FROM_FLAG, "test", &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return settings;
}

static outcome learn(const lu_game *game, int seed, bool to_the_end) {
    lu_error error;
    outcome o = {0};
    lu_settings *settings = preset(game, seed);
    lu_trainer *dqn = lu_dqn_new(game, settings, NULL, &error);
    lu_status status = dqn ? LU_OK : error.status;
    clock_t start = clock();
    while (status == LU_OK && !lu_trainer_done(dqn) && (to_the_end || o.reached == 0)) {
        lu_progress stats;
        status = lu_trainer_update(dqn, &stats, &error);
        o.last = stats.recent_return;
        if (!o.reached && stats.recent == LU_RECENT_EPISODES && stats.recent_return >= 475.0) {
            o.reached = stats.steps;
            o.processor = (double)(clock() - start) / CLOCKS_PER_SEC;
        }
    }
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "seed %d: %s", seed, error.text);
    }
    lu_trainer_delete(dqn);
    lu_settings_delete(settings);
    return o;
}

TEST(dqn_holds_the_pole) {
    bool all = getenv("LUDUS_TEST_LONG") != NULL;
    int seeds = all ? 10 : 2, reached = 0, stayed = 0;
    lu_error error;
    const lu_game *game = lu_game_find("cartpole", &error);
    NEED(game != NULL);
    for (int seed = 1; seed <= seeds; seed++) {
        outcome o = learn(game, seed, all);
        printf("    seed %d: 475 after %lld steps and %.2f s of one core, %.1f at the end\n", seed,
               (long long)o.reached, o.processor, o.last);
        reached += o.reached > 0;
        stayed += o.last >= 475.0;
    }
    CHECK(reached >= (all ? 8 : 2));
    CHECK(stayed >= (all ? 8 : 2));
}
