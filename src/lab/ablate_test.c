/* Reward ablations: trainings that go on after a stop as if there had been none, what is not
 * trained again, and folders that are refused. */
#include "test.h"

#include "ludus/ablate.h"
#include "ludus/file.h"
#include "ludus/model.h"
#include "ludus/ppo.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Cartpole with both terms and a net of a few neurons. */
static lu_settings *small(const char *steps) {
    static const char *const pairs[] = {"train.environments=4", "train.horizon=16",
                                        "train.minibatch=32",   "net.hidden=8",
                                        "reward.fall=-1",       NULL};
    lu_settings *settings = lu_game_settings(lu_game_find("cartpole", NULL));
    lu_settings_add(settings, lu_net_table);
    lu_settings_add(settings, lu_ppo_table);
    for (int i = 0; pairs[i]; i++) {
        CHECK_INT(lu_settings_set_pair(settings, pairs[i], LU_FROM_FLAG, "test", NULL), LU_OK);
    }
    CHECK_INT(lu_settings_set(settings, "train.steps", steps, LU_FROM_FLAG, "test", NULL), LU_OK);
    return settings;
}

static lu_ablation_plan plan_of(const lu_settings *settings) {
    return (lu_ablation_plan){.game = lu_game_find("cartpole", NULL),
                              .algorithm = lu_algorithm_find("ppo", NULL),
                              .settings = settings,
                              .options_json = "{}",
                              .version = "0",
                              .commit = "test"};
}

/* Stops a training after so many looks. */
static bool stop_after(void *context, double share) {
    int *left = context;
    CHECK(share >= 0 && share <= 1);
    return --*left == 0;
}

static lu_ablation *open_in(const char *name, const lu_settings *settings, size_t memory,
                            lu_text *folder, lu_error *error) {
    lu_ablation_plan plan = plan_of(settings);
    lu_text_clear(folder);
    lu_text_addf(folder, "%s/%s", lu_test_folder(), name);
    return lu_ablation_open(folder->text, &plan, memory, error);
}

static lu_status train(lu_ablation *a, int term, uint64_t seed, int looks, lu_error *error) {
    return lu_ablation_train(a, term, seed, 1, stop_after, &looks, error);
}

static char *policy_bytes(const lu_ablation *a, int term, uint64_t seed, size_t *length) {
    char *bytes = NULL;
    lu_text path = LU_TEXT_INIT;
    lu_ablation_policy(a, term, seed, &path);
    lu_file_read(path.text, (size_t)1 << 30, &bytes, length, NULL);
    lu_text_free(&path);
    return bytes;
}

static bool same_policy(const lu_ablation *a, int term, uint64_t seed, const lu_ablation *b,
                        int term_b, uint64_t seed_b) {
    size_t x = 0, y = 0;
    char *left = policy_bytes(a, term, seed, &x), *right = policy_bytes(b, term_b, seed_b, &y);
    bool same = left && right && x == y && memcmp(left, right, x) == 0;
    free(left);
    free(right);
    return same;
}

TEST(a_stopped_training_ends_as_one_that_was_not) {
    lu_settings *settings = small("1280");
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT;
    lu_ablation *whole = open_in("whole", settings, 0, &folder, &error);
    lu_ablation *parts = open_in("parts", settings, 0, &folder, &error);
    NEED(whole && parts);
    CHECK_INT(train(whole, 1, 7, 1000, &error), LU_OK);
    CHECK_INT(train(parts, 1, 7, 3, &error), LU_INTERRUPTED);
    CHECK(!lu_ablation_has(parts, 1, 7));
    CHECK_INT(train(parts, 1, 7, 9, &error), LU_INTERRUPTED);
    lu_ablation_close(parts);
    parts = open_in("parts", settings, 0, &folder, &error);
    NEED(parts);
    CHECK_INT(train(parts, 1, 7, 1000, &error), LU_OK);
    CHECK(lu_ablation_has(parts, 1, 7));
    CHECK(same_policy(whole, 1, 7, parts, 1, 7));
    /* what is there is not trained again: nobody looks */
    CHECK_INT(lu_ablation_train(parts, 1, 7, 1, NULL, NULL, &error), LU_OK);
    lu_text_add(&folder, "/without-fall-7.state");
    CHECK(!lu_file_exists(folder.text));
    lu_ablation_close(whole);
    lu_ablation_close(parts);
    lu_settings_delete(settings);
    lu_text_free(&folder);
}

TEST(a_variant_differs_from_the_baseline_by_its_term_alone) {
    lu_settings *settings = small("1280");
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_ablation *a = open_in("terms", settings, 0, &folder, &error);
    NEED(a);
    CHECK_INT(train(a, LU_BASELINE, 1, 1000, &error), LU_OK);
    CHECK_INT(train(a, 0, 1, 1000, &error), LU_OK);
    CHECK(!same_policy(a, LU_BASELINE, 1, a, 0, 1));
    lu_ablation_policy(a, 0, 1, &path);
    lu_model_file *file = lu_model_file_load(path.text, &error);
    NEED(file);
    CHECK_INT(file->seed, 1);
    CHECK_INT(file->step, 1280);
    CHECK(strcmp(lu_settings_text_of(file->settings, "reward.step"), "0") == 0);
    CHECK(strcmp(lu_settings_text_of(file->settings, "reward.fall"), "-1") == 0);
    lu_model_file_delete(file);
    lu_ablation_close(a);
    lu_settings_delete(settings);
    lu_text_free(&folder);
    lu_text_free(&path);
}

TEST(a_damaged_state_is_refused) {
    lu_settings *settings = small("1280");
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT;
    char *bytes = NULL;
    size_t length = 0;
    lu_ablation *a = open_in("damaged", settings, 0, &folder, &error);
    NEED(a);
    CHECK_INT(train(a, LU_BASELINE, 2, 2, &error), LU_INTERRUPTED);
    lu_text_add(&folder, "/baseline-2.state");
    CHECK_INT(lu_file_read(folder.text, (size_t)1 << 30, &bytes, &length, &error), LU_OK);
    NEED(length > 100);
    bytes[length / 2] ^= 1;
    CHECK_INT(lu_file_write(folder.text, bytes, length, &error), LU_OK);
    CHECK_INT(train(a, LU_BASELINE, 2, 1000, &error), LU_DAMAGED_FILE);
    CHECK(strstr(error.text, "baseline-2.state") != NULL);
    CHECK_INT(lu_file_write(folder.text, bytes, 5, &error), LU_OK);
    CHECK_INT(train(a, LU_BASELINE, 2, 1000, &error), LU_DAMAGED_FILE);
    CHECK_INT(unlink(folder.text), 0);
    CHECK_INT(train(a, LU_BASELINE, 2, 1000, &error), LU_OK);
    free(bytes);
    lu_ablation_close(a);
    lu_settings_delete(settings);
    lu_text_free(&folder);
}

TEST(a_folder_of_something_else_is_refused) {
    lu_settings *settings = small("1280"), *longer = small("2560");
    lu_error error = {0};
    lu_text folder = LU_TEXT_INIT;
    lu_ablation_plan one = plan_of(settings), two = plan_of(longer);
    CHECK(lu_ablation_hash(&one) == lu_ablation_hash(&one));
    CHECK(lu_ablation_hash(&one) != lu_ablation_hash(&two));
    CHECK(!open_in("small", settings, 1000, &folder, &error) && error.status == LU_LIMIT);
    CHECK(!lu_file_exists(folder.text));
    lu_ablation *a = open_in("other", settings, 0, &folder, &error);
    NEED(a);
    lu_ablation_close(a);
    CHECK(!open_in("other", longer, 0, &folder, &error) && error.status == LU_OTHER_SPEC);
    CHECK(strstr(error.text, "'train.steps' differs") != NULL);
    /* seed and threads are no part of what is trained */
    lu_settings_set(settings, "train.seed", "9", LU_FROM_FLAG, "test", NULL);
    lu_settings_set(settings, "train.threads", "2", LU_FROM_FLAG, "test", NULL);
    a = open_in("other", settings, 0, &folder, &error);
    CHECK(a != NULL);
    lu_ablation_close(a);
    int held = open(folder.text, O_RDONLY);
    CHECK_INT(flock(held, LOCK_EX), 0);
    CHECK(!open_in("other", settings, 0, &folder, &error) && error.status == LU_BUSY);
    close(held);
    lu_text_add(&folder, "/ablation.json");
    CHECK_INT(lu_file_write(folder.text, "{}", 2, &error), LU_OK);
    CHECK(!open_in("other", settings, 0, &folder, &error) && error.status == LU_OTHER_SPEC);
    lu_text_add(&folder, "/ablation.json");
    CHECK_INT(lu_file_write(folder.text, "text", 4, &error), LU_OK);
    CHECK(!open_in("other", settings, 0, &folder, &error) && error.status == LU_FOREIGN_FILE);
    lu_settings_delete(settings);
    lu_settings_delete(longer);
    lu_text_free(&folder);
}
