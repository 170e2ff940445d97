/* Run folders: what they hold, one writer, whole checkpoints or none, names of runs and models. */
#include "run_files.h"

#include "ludus/file.h"
#include "ludus/ppo.h"
#include "test.h"

#include <fcntl.h>
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
    lu_settings_add(b->settings, lu_ppo_table);
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

/* A checkpoint of a window that is at its end. */
static lu_status save(bench *b, lu_run *run, int64_t window, int keep) {
    char state[64];
    int length = snprintf(state, sizeof state, "state of window %d", (int)window);
    lu_window sums = {.id = window, .update = 3 * window, .steps = 10 * window};
    lu_checkpoint point = {.window = &sums,
                           .closed = true,
                           .probe = 77,
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

TEST(names_of_runs_and_trainers_are_plain) {
    bench b;
    NEED(bench_open(&b, "corridor", "ids"));
    static const char *const bad[] = {"../outside", "a/b", ".hidden", "a b", "/tmp/outside", ""};
    lu_run_facts facts = {.game = b.game, .algorithm = "ppo", .settings = b.settings};
    lu_run_facts other = facts;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        facts.name = other.algorithm = bad[i];
        CHECK(!lu_run_new(b.runs, &facts, &b.error));
        CHECK_INT(b.error.status, LU_BAD_VALUE);
        CHECK_HAS(b.error.text, "cannot name a run");
        CHECK(!lu_run_new(b.runs, &other, &b.error));
        CHECK_HAS(b.error.text, "cannot name a trainer");
    }
    facts.name = "A-plain_name.7";
    lu_run *run = lu_run_new(b.runs, &facts, &b.error);
    NEED(run);
    CHECK_TEXT(lu_run_id(run), "A-plain_name.7");
    lu_run_close(run);
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

TEST(the_newest_checkpoints_stay_whole) {
    bench b;
    char *state;
    size_t length;
    lu_text path = LU_TEXT_INIT;
    lu_window window;
    NEED(bench_open(&b, "corridor", "newest"));
    lu_run *run = bench_run(&b);
    NEED(run);
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error), LU_NOT_FOUND);
    static const int windows[] = {1, 9, 10, 1000000, 3000000};
    for (int i = 0; i < 5; i++) {
        CHECK_INT(save(&b, run, windows[i], 3), LU_OK);
    }
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error), LU_OK);
    CHECK_TEXT(state, "state of window 3000000");
    CHECK_INT(window.steps, 30000000);
    free(state);
    CHECK(!lu_file_exists(run_join(&path, lu_run_path(run), "checkpoints/ckpt_000009/state.bin")));
    CHECK(lu_file_exists(run_join(&path, lu_run_path(run), "checkpoints/ckpt_000010/state.bin")));
    lu_model_file *file = lu_model_file_load(
        run_join(&path, lu_run_path(run), "checkpoints/ckpt_000001/model.safetensors"), &b.error);
    CHECK(file != NULL); /* the model of every window stays */
    lu_model_file_delete(file);
    CHECK_INT(lu_run_find_model(b.runs, "latest", NULL, &path, &b.error), LU_OK);
    CHECK_HAS(path.text, "ckpt_3000000/model.safetensors");
    lu_manifest manifest;
    lu_run_window_path(lu_run_path(run), 9, &path);
    CHECK_INT(lu_manifest_read(path.text, &manifest, &b.error), LU_OK);
    CHECK(manifest.window == 9 && manifest.update == 27 && manifest.steps == 90);
    CHECK(manifest.closed && manifest.probe == 77);
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}

TEST(a_window_has_one_checkpoint) {
    bench b;
    char *state;
    size_t length;
    lu_window window, open = {.id = 4, .update = 1, .steps = 5};
    NEED(bench_open(&b, "corridor", "one"));
    lu_run *run = bench_run(&b);
    NEED(run);
    lu_checkpoint point = {.window = &open, .state = "half", .length = 4, .model = &b.file};
    CHECK_INT(lu_run_save(run, &point, 0, &b.error), LU_OK);
    CHECK_INT(save(&b, run, 4, 0), LU_OK);
    CHECK_INT(lu_run_newest_window(lu_run_path(run)), 4);
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error), LU_OK);
    CHECK_TEXT(state, "state of window 4");
    free(state);
    lu_run_close(run);
    bench_close(&b);
}

TEST(what_cannot_be_written_leaves_the_old_one) {
    bench b;
    char *state;
    size_t length;
    lu_window window;
    NEED(bench_open(&b, "corridor", "old"));
    lu_run *run = bench_run(&b);
    NEED(run);
    CHECK_INT(save(&b, run, 1, 0), LU_OK);
    b.file.return_scale = (double)NAN; /* no model can hold that */
    CHECK_INT(save(&b, run, 2, 0), LU_BAD_DATA);
    CHECK_INT(save(&b, run, 1, 0), LU_BAD_DATA);
    CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error), LU_OK);
    CHECK_TEXT(state, "state of window 1");
    free(state);
    lu_text path = LU_TEXT_INIT;
    CHECK(!lu_file_exists(run_join(&path, lu_run_path(run), "checkpoints/.undone_2")));
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}

TEST(a_damaged_checkpoint_is_told) {
    bench b;
    char *state;
    size_t length;
    lu_window window;
    lu_text path = LU_TEXT_INIT;
    static const char *const files[] = {"state.bin", "window.bin", "manifest.json"};
    NEED(bench_open(&b, "corridor", "damaged"));
    lu_run *run = bench_run(&b);
    NEED(run);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(save(&b, run, i, 0), LU_OK);
        lu_run_window_path(lu_run_path(run), i, &path);
        lu_text_addf(&path, "/%s", files[i]);
        CHECK_INT(lu_file_write(path.text, "x", 1, &b.error), LU_OK);
        CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error),
                  LU_DAMAGED_FILE);
        CHECK_HAS(b.error.text, files[i]);
        unlink(path.text);
        CHECK_INT(lu_run_load(lu_run_path(run), &state, &length, &window, &b.error),
                  LU_DAMAGED_FILE);
        CHECK_HAS(b.error.text, files[i]);
    }
    lu_text_free(&path);
    lu_run_close(run);
    bench_close(&b);
}

/* ---- what people say ---- */

TEST(tags_and_notes_live_beside_a_training) {
    bench b;
    NEED(bench_open(&b, "corridor", "said"));
    lu_run *run = bench_run(&b);
    NEED(run);
    const char *path = lu_run_path(run);
    static const char *const two[] = {"good", "x:1", NULL}, *const one[] = {"good", NULL};
    static const char *const bad[] = {"no blank", NULL};
    lu_run_change add = {.add_tags = two, .note = "a \"note\"", .archived = 1};
    lu_run_change drop = {.drop_tags = one, .archived = -1};
    lu_run_change wrong = {.add_tags = bad, .archived = -1};
    CHECK_INT(lu_run_edit(path, &add, &b.error), LU_OK);
    CHECK_INT(lu_run_edit(path, &add, &b.error), LU_OK);
    CHECK_INT(lu_run_edit(path, &drop, &b.error), LU_OK);
    CHECK_INT(lu_run_edit(path, &wrong, &b.error), LU_BAD_VALUE);
    CHECK_INT(lu_run_set_status(run, "stopped", 5, 50, &b.error), LU_OK);
    lu_json_document *document = run_json(path, RUN_FILE, &b.error);
    NEED(document);
    const lu_json_value *root = lu_json_root(document);
    CHECK_TEXT(lu_json_text(lu_json_get(root, "notes"), NULL), "a \"note\"");
    CHECK_INT(lu_json_count(lu_json_get(root, "tags")), 1);
    CHECK_TEXT(lu_json_text(lu_json_at(lu_json_get(root, "tags"), 0), NULL), "x:1");
    CHECK_INT(lu_json_kind_of(lu_json_get(root, "archived")), LU_JSON_TRUE);
    CHECK_TEXT(lu_json_text(lu_json_get(root, "status"), NULL), "stopped");
    lu_json_close(document);
    CHECK(lu_run_alive(path));
    char *copy = lu_strdup(path);
    lu_run_close(run);
    CHECK(!lu_run_alive(copy));
    free(copy);
    bench_close(&b);
}

/* ---- rows ---- */

static lu_status read_rows(bench *b, const char *text, lu_rows_kind kind, lu_rows *rows) {
    lu_text path = LU_TEXT_INIT;
    lu_folder_make(run_join(&path, b->runs, "metrics"), NULL);
    run_join(&path, b->runs,
             kind == LU_WINDOWS ? RUN_WINDOWS
             : kind == LU_EVALS ? RUN_EVALS
                                : RUN_UPDATES);
    lu_file_write(path.text, text, strlen(text), NULL);
    lu_text_free(&path);
    return lu_rows_read(b->runs, kind, rows, &b->error);
}

static int row_key(const lu_rows *rows, size_t index, const char *key) {
    return (int)lu_json_real_or(lu_json_get(lu_rows_at(rows, index), key), -1.0);
}

TEST(a_resume_voids_rows) {
    bench b;
    lu_rows rows;
    NEED(bench_open(&b, "corridor", "read-rows"));
    CHECK_INT(lu_rows_read(b.runs, LU_EVALS, &rows, &b.error), LU_OK);
    CHECK_INT(rows.count, 0); /* no such file yet */
    CHECK_INT(read_rows(&b,
                        "{\"window_id\":0,\"a\":1}\n{\"window_id\":1,\"a\":2}\n{\"resume\":1,"
                        "\"update\":4}\n{\"window_id\":1,\"a\":3}\n{\"window_id\":2,\"a\"",
                        LU_WINDOWS, &rows),
              LU_OK);
    CHECK_INT(rows.count, 2);
    CHECK_INT(row_key(&rows, 1, "a"), 3);
    lu_rows_free(&rows);
    CHECK_INT(read_rows(&b, "{\"update\":1}\n{\"update\":2}\n{\"update\":3}\n{\"resume\":2}\n",
                        LU_UPDATES, &rows),
              LU_OK);
    CHECK_INT(rows.count, 2); /* the update that was resumed from counts */
    lu_rows_free(&rows);
    CHECK_INT(
        read_rows(&b, "{\"window_id\":0,\"a\":1}\n{\"window_id\":0,\"a\":2}\n", LU_EVALS, &rows),
        LU_OK);
    CHECK_INT(rows.count, 1);
    CHECK_INT(row_key(&rows, 0, "a"), 2);
    lu_rows_free(&rows);
    CHECK_INT(read_rows(&b, "{\"window_id\":0}\n[1]\n", LU_EVALS, &rows), LU_BAD_DATA);
    CHECK_HAS(b.error.text, "line 2");
    bench_close(&b);
}

TEST(rows_are_added_behind_whole_ones) {
    bench b;
    lu_rows rows;
    NEED(bench_open(&b, "corridor", "torn"));
    CHECK_INT(read_rows(&b, "{\"update\":1}\n{\"upd", LU_UPDATES, &rows), LU_OK);
    lu_rows_free(&rows);
    int file = lu_rows_open(b.runs, LU_UPDATES, &b.error);
    NEED(file >= 0);
    CHECK_INT(lu_rows_append(file, "{\"update\":2}", &b.error), LU_OK);
    close(file);
    CHECK_INT(lu_rows_read(b.runs, LU_UPDATES, &rows, &b.error), LU_OK);
    CHECK_INT(rows.count, 2);
    lu_rows_free(&rows);
    file = open("/dev/full", O_WRONLY);
    CHECK_INT(lu_rows_append(file, "{}", &b.error), LU_IO);
    CHECK_HAS(b.error.text, "cannot write /dev/full: ");
    close(file);
    bench_close(&b);
}

/* Rows cut at every length keep what is whole; a bit that flips at any byte but those of the order
 * tears the end or is reported with its line, or the rows are as many as before. */
TEST(rows_may_be_cut_and_damaged_anywhere) {
    static const char text[] =
        "{\"update\":1,\"a\":0.5}\n{\"update\":2}\n{\"update\":3,\"b\":\"c\"}\n";
    enum { LENGTH = sizeof text - 1 };
    bench b;
    lu_rows rows;
    NEED(bench_open(&b, "corridor", "anywhere"));
    CHECK_INT(read_rows(&b, text, LU_UPDATES, &rows), LU_OK);
    lu_rows_free(&rows);
    lu_text path = LU_TEXT_INIT;
    int file = open(run_join(&path, b.runs, RUN_UPDATES), O_RDWR);
    NEED(file >= 0);
    for (int bit = 0; bit < 8 * LENGTH; bit++) {
        int at = bit / 8;
        char changed = (char)(text[at] ^ (1 << bit % 8));
        bool orders = at > 0 && text[at - 1] == ':' && text[at - 2] == '"' && text[at - 3] == 'e';
        CHECK(pwrite(file, &changed, 1, at) == 1);
        lu_status status = lu_rows_read(b.runs, LU_UPDATES, &rows, &b.error);
        CHECK(orders || (status == LU_OK && (int)rows.count == (at == LENGTH - 1 ? 2 : 3)) ||
              (status == LU_BAD_DATA && strstr(b.error.text, ": line ")));
        lu_rows_free(&rows);
        CHECK(pwrite(file, &text[at], 1, at) == 1);
    }
    for (int length = LENGTH; length >= 0; length--) {
        int lines = 0;
        for (int i = 0; i < length; i++) {
            lines += text[i] == '\n';
        }
        CHECK(ftruncate(file, length) == 0);
        CHECK_INT(lu_rows_read(b.runs, LU_UPDATES, &rows, &b.error), LU_OK);
        CHECK_INT((int)rows.count, lines);
        lu_rows_free(&rows);
    }
    close(file);
    lu_text_free(&path);
    bench_close(&b);
}

TEST(settings_come_back_with_their_origin) {
    static const char *const none[] = {NULL};
    static const char *const threads[] = {"train.threads", NULL};
    bench b, c;
    NEED(bench_open(&b, "corridor", "back"));
    lu_settings_set(b.settings, "train.gamma", "0.5", LU_FROM_PRESET, "x.ini:3", NULL);
    lu_settings_set(b.settings, "train.threads", "2", LU_FROM_FLAG, "--threads", NULL);
    lu_settings_set(b.settings, "train.closed", "move:left", LU_FROM_FLAG, "--closed", NULL);
    lu_settings_set(b.settings, "train.closed", "move:right", LU_FROM_FLAG, "--closed", NULL);
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
    CHECK_INT(lu_settings_count(c.settings, "train.closed"), 2);
    CHECK_INT(lu_run_settings(lu_run_path(run), none, threads, c.settings, &c.error), LU_OK);
    /* of several values each counts, and so does how many there are */
    lu_settings_set(c.settings, "train.closed", "", LU_FROM_FLAG, "--closed", NULL);
    lu_settings_set(c.settings, "train.closed", "move:right", LU_FROM_FLAG, "--closed", NULL);
    CHECK_INT(lu_run_settings(lu_run_path(run), none, threads, c.settings, &c.error), LU_BAD_VALUE);
    CHECK_HAS(c.error.text, "'train.closed' = 'move:right', but the run was started with "
                            "'move:left' 'move:right': leave it out");
    lu_run_close(run);
    bench_close(&b);
    bench_close(&c);
}

TEST(a_published_model_goes_by_its_name) {
    lu_error error;
    lu_text path = LU_TEXT_INIT;
    CHECK_INT(lu_run_find_model("nowhere", "prospector-v1", NULL, &path, &error), LU_OK);
    CHECK_HAS(path.text, "/models/prospector-v1.safetensors");
    CHECK(lu_published_model("prospector-v1", &path));
    static const char *const no[] = {"", ".", "prospector", "../models/prospector-v1", "models"};
    for (size_t i = 0; i < LU_COUNT(no); i++) {
        CHECK(!lu_published_model(no[i], &path));
        CHECK_INT(lu_run_find_model("nowhere", no[i], NULL, &path, &error), LU_NOT_FOUND);
    }
    lu_text_free(&path);
}

TEST(names_that_mean_nothing) {
    bench b;
    lu_text path = LU_TEXT_INIT;
    NEED(bench_open(&b, "corridor", "nothing"));
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
