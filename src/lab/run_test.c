/* Run folders: what they hold, one writer, whole checkpoints or none, names of runs and models. */
#include "inside.h"

#include "ludus/file.h"
#include "ludus/train.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct bench {
    const lu_game *game;
    lu_settings *settings;
    lu_model_file file;
    char runs[300];
    lu_error error;
} bench;

static bool bench_open(bench *b, const char *game, const char *folder) {
    *b = (bench){.game = lu_game_find(game, NULL)};
    snprintf(b->runs, sizeof b->runs, "%s/%s", lu_test_folder(), folder);
    b->settings = lu_game_settings(b->game);
    lu_settings_add(b->settings, lu_net_table);
    lu_settings_add(b->settings, lu_train_table);
    lu_settings_set(b->settings, "net.hidden", "8", LU_FROM_FLAG, "--set", NULL);
    b->file = (lu_model_file){.game = b->game, .settings = b->settings, .return_scale = 1.0};
    b->file.net = lu_net_new(b->game, LU_NET_POLICY, b->settings, &b->error);
    return b->file.net != NULL;
}

static void bench_close(bench *b) {
    lu_net_delete(b->file.net);
    lu_settings_delete(b->settings);
}

static lu_run *bench_run(bench *b) {
    lu_run_facts facts = {.game = b->game,
                          .algorithm = "ppo",
                          .settings = b->settings,
                          .seed = 7,
                          .commit = "abc1234-dirty",
                          .version = "0"};
    return lu_run_new(b->runs, &facts, &b->error);
}

static lu_status save(bench *b, lu_run *run, int64_t update, int keep) {
    char state[64];
    int length = snprintf(state, sizeof state, "state of update %d", (int)update);
    lu_checkpoint point = {.update = update,
                           .steps = 10 * update,
                           .state = state,
                           .length = (size_t)length,
                           .model = &b->file};
    return lu_run_save(run, &point, keep, &b->error);
}

TEST(a_run_is_named_by_time_commit_and_game) {
    bench b;
    NEED(bench_open(&b, "corridor", "named"));
    lu_run *one = bench_run(&b), *two = bench_run(&b);
    NEED(one && two);
    CHECK_HAS(lu_run_id(one), "Z-abc1234-corridor");
    CHECK(strcmp(lu_run_id(one), lu_run_id(two)) != 0);
    char *game = lu_run_fact(lu_run_path(one), "game", &b.error);
    CHECK_TEXT(game, "corridor-v1");
    free(game);
    lu_run_close(one);
    lu_run_close(two);
    bench_close(&b);
}

TEST(a_run_has_one_writer) {
    bench b;
    NEED(bench_open(&b, "corridor", "writer"));
    lu_run *run = bench_run(&b);
    NEED(run);
    lu_run_facts facts = {.game = b.game, .algorithm = "ppo", .settings = b.settings};
    char *path = lu_strdup(lu_run_path(run));
    CHECK(lu_run_resume(path, &facts, &b.error) == NULL);
    CHECK_INT(b.error.status, LU_BUSY);
    lu_run_close(run);
    run = lu_run_resume(path, &facts, &b.error);
    CHECK(run != NULL);
    lu_run_close(run);
    free(path);
    bench_close(&b);
}

TEST(the_newest_checkpoints_stay) {
    bench b;
    char *state;
    size_t length;
    lu_text path;
    NEED(bench_open(&b, "corridor", "newest"));
    lu_run *run = bench_run(&b);
    NEED(run);
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &b.error), LU_NOT_FOUND);
    static const int updates[] = {1, 9, 10, 100000000, 300000000};
    for (int i = 0; i < 5; i++) {
        CHECK_INT(save(&b, run, updates[i], 3), LU_OK);
    }
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &b.error), LU_OK);
    CHECK_TEXT(state, "state of update 300000000");
    free(state);
    lu_text_init(&path);
    lu_text_addf(&path, "%s/checkpoints/ckpt_00000009", lu_run_path(run));
    CHECK(!lu_file_exists(path.text));
    run_join(&path, lu_run_path(run), "checkpoints/ckpt_00000010");
    CHECK(lu_file_exists(path.text));
    CHECK_INT(lu_run_find_model(b.runs, "latest", NULL, &path, &b.error), LU_OK);
    CHECK_HAS(path.text, "ckpt_300000000/model.safetensors");
    lu_model_file *file = lu_model_file_load(path.text, &b.error);
    CHECK(file != NULL);
    lu_model_file_delete(file);
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}

TEST(what_cannot_be_written_leaves_the_old_one) {
    bench b;
    char *state;
    size_t length;
    NEED(bench_open(&b, "corridor", "old"));
    lu_run *run = bench_run(&b);
    NEED(run);
    CHECK_INT(save(&b, run, 1, 0), LU_OK);
    b.file.return_scale = (double)NAN; /* no model can hold that */
    CHECK_INT(save(&b, run, 2, 0), LU_BAD_DATA);
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &b.error), LU_OK);
    CHECK_TEXT(state, "state of update 1");
    free(state);
    lu_text path;
    lu_text_init(&path);
    run_join(&path, lu_run_path(run), "checkpoints/.undone_2");
    CHECK(!lu_file_exists(path.text));
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}

TEST(settings_come_back_with_their_origin) {
    static const char *const none[] = {NULL};
    static const char *const threads[] = {"train.threads", NULL};
    bench b, c;
    NEED(bench_open(&b, "corridor", "back"));
    lu_settings_set(b.settings, "train.gamma", "0.5", LU_FROM_PRESET, "x.ini:3", NULL);
    lu_settings_set(b.settings, "train.threads", "2", LU_FROM_FLAG, "--threads", NULL);
    lu_run *run = bench_run(&b);
    NEED(run && bench_open(&c, "corridor", "back"));
    lu_settings_set(c.settings, "train.threads", "3", LU_FROM_FLAG, "--threads", NULL);
    CHECK_INT(lu_run_settings(lu_run_path(run), none, none, c.settings, &c.error), LU_BAD_VALUE);
    CHECK_HAS(c.error.text, "'train.threads' = '3'");
    CHECK_INT(lu_run_settings(lu_run_path(run), none, threads, c.settings, &c.error), LU_OK);
    CHECK_TEXT(lu_settings_text_of(c.settings, "train.gamma"), "0.5");
    CHECK_INT(lu_settings_origin(c.settings, "train.gamma"), LU_FROM_PRESET);
    CHECK_TEXT(lu_settings_where(c.settings, "train.gamma"), "x.ini:3");
    CHECK_INT(lu_settings_int(c.settings, "train.threads"), 3);
    lu_run_close(run);
    bench_close(&b);
    bench_close(&c);
}

TEST(names_that_mean_nothing) {
    bench b;
    lu_text path;
    NEED(bench_open(&b, "corridor", "nothing"));
    lu_text_init(&path);
    CHECK_INT(lu_run_find(b.runs, "latest", NULL, &path, &b.error), LU_NOT_FOUND);
    lu_run *run = bench_run(&b);
    NEED(run);
    CHECK_INT(lu_run_find(b.runs, "latest", lu_game_find("cartpole", NULL), &path, &b.error),
              LU_NOT_FOUND);
    CHECK_INT(lu_run_find(b.runs, "", NULL, &path, &b.error), LU_NOT_FOUND);
    CHECK_INT(lu_run_find(b.runs, "../nothing", NULL, &path, &b.error), LU_NOT_FOUND);
    CHECK_INT(lu_run_find(b.runs, lu_run_id(run), NULL, &path, &b.error), LU_OK);
    CHECK_INT(lu_run_find_model(b.runs, lu_run_id(run), NULL, &path, &b.error), LU_NOT_FOUND);
    CHECK_HAS(b.error.text, "no checkpoint yet");
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}
