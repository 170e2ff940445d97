/* The course of a training: a run that is stopped and gone on with, what hooks are told, and what
 * does not fit in memory. */
#include "test.h"

#include "ludus/file.h"
#include "ludus/ppo.h"
#include "ludus/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cartpole with a net of a few neurons: updates of 64 steps, windows of 200. */
typedef struct school {
    lu_settings *all, *own; /* of the run; of game, net and algorithm */
    lu_text runs;
    int updates, windows, evaluations, asked, most; /* heard so far; stops after `most` updates */
    bool last;
    char row[400];
} school;

static void set(lu_settings *settings, const char *pair) {
    CHECK_INT(lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "test", NULL), LU_OK);
}

static void school_open(school *s, const char *name) {
    static const char *const pairs[] = {"train.environments=4", "train.horizon=16",
                                        "train.minibatch=32",   "net.hidden=8",
                                        "train.steps=640",      NULL};
    *s = (school){.all = lu_settings_new(),
                  .own = lu_game_settings(lu_game_find("cartpole", NULL)),
                  .most = 1000};
    lu_settings_add(s->all, lu_run_table);
    lu_settings_add(s->own, lu_net_table);
    lu_settings_add(s->own, lu_ppo_table);
    for (int i = 0; pairs[i]; i++) {
        set(s->own, pairs[i]);
    }
    set(s->all, "run.window_env_steps=200");
    lu_text_init(&s->runs);
    lu_text_addf(&s->runs, "%s/%s", lu_test_folder(), name);
}

static void school_close(school *s) {
    lu_settings_delete(s->all);
    lu_settings_delete(s->own);
    lu_text_free(&s->runs);
}

static void on_update(void *context, const lu_progress *progress, const char *row, bool last) {
    school *s = context;
    s->updates++;
    s->last = last;
    CHECK(progress->updates > 0);
    snprintf(s->row, sizeof s->row, "%.399s", row ? row : "");
}

static void on_window(void *context, const lu_window *window, const lu_progress *last,
                      const char *row) {
    school *s = context;
    s->windows++;
    CHECK(window->update == last->updates && strstr(row, "\"window_id\":") != NULL);
}

static void on_evaluation(void *context, const lu_json_value *row) {
    school *s = context;
    s->evaluations++;
    CHECK(lu_json_get(row, "window_id") != NULL);
}

static bool on_stop(void *context, const lu_progress *progress) {
    school *s = context;
    CHECK((progress == NULL) == (s->asked == 0));
    return s->asked++ >= s->most;
}

static lu_training *begin(school *s, bool run, const char *resume, lu_error *error) {
    lu_training_plan plan = {.game = lu_game_find("cartpole", NULL),
                             .algorithm = lu_algorithm_find("ppo", NULL),
                             .settings = s->own,
                             .version = "0",
                             .commit = "test",
                             .hooks = {.context = s,
                                       .update = on_update,
                                       .window = on_window,
                                       .evaluation = on_evaluation,
                                       .stop = on_stop},
                             .run = run ? s->all : NULL,
                             .runs = s->runs.text,
                             .resume = resume};
    s->asked = s->updates = s->windows = s->evaluations = 0;
    return lu_training_open(&plan, error);
}

static uint64_t hash_of(lu_training *t) {
    return lu_trainer_hash(lu_training_trainer(t));
}

TEST(a_run_that_was_stopped_goes_on_as_if_it_had_not_been) {
    school s;
    lu_error error = {0};
    lu_rows rows;
    school_open(&s, "stopped");
    lu_training *whole = begin(&s, false, NULL, &error);
    NEED(whole != NULL);
    CHECK_INT(lu_training_go(whole, &error), LU_OK);
    CHECK_INT(s.updates, 10);
    CHECK_INT(s.windows, 0);
    CHECK_TEXT(s.row, "");
    s.most = 5;
    lu_training *t = begin(&s, true, "", &error);
    NEED(t != NULL);
    char *path = lu_strdup(lu_run_path(lu_training_run(t)));
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    CHECK(!lu_training_done(t) && lu_training_share(t) == 0.5 && s.last);
    CHECK_INT(s.updates, 5);
    CHECK_INT(s.windows, 1);
    CHECK_INT(lu_training_saved(t), 5);
    lu_training_close(t);
    s.most = 1000;
    NEED((t = begin(&s, true, path, &error)) != NULL);
    CHECK_INT(lu_training_window(t)->id, 1);
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    CHECK(lu_training_done(t) && s.last);
    CHECK_INT(s.windows, 2);
    CHECK_HEX(hash_of(t), hash_of(whole));
    lu_model_file model = lu_training_model(t);
    CHECK_INT(model.step, 640);
    CHECK_TEXT(model.build, "ludus 0 test");
    lu_training_close(t);
    NEED(lu_rows_read(path, LU_UPDATES, &rows, &error) == LU_OK);
    CHECK_INT(rows.count, 10);
    lu_rows_free(&rows);
    /* all is done, and stays so */
    NEED((t = begin(&s, true, path, &error)) != NULL);
    CHECK(lu_training_done(t) && lu_training_go(t, &error) == LU_OK && s.updates == 0);
    CHECK_HEX(hash_of(t), hash_of(whole));
    lu_training_close(t);
    lu_training_close(whole);
    free(path);
    school_close(&s);
}

TEST(a_run_that_is_stopped_before_its_first_update_can_go_on) {
    school s;
    lu_error error = {0};
    school_open(&s, "early");
    s.most = 0;
    lu_training *t = begin(&s, true, NULL, &error);
    NEED(t != NULL);
    CHECK_INT(lu_training_saved(t), -1);
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    CHECK_INT(s.updates, 0);
    CHECK_INT(lu_training_saved(t), 0);
    char *path = lu_strdup(lu_run_path(lu_training_run(t)));
    lu_training_close(t);
    s.most = 1000;
    NEED((t = begin(&s, true, path, &error)) != NULL);
    set(s.all, "run.stop_update=2");
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    CHECK_INT(s.updates, 2);
    lu_training_close(t);
    free(path);
    school_close(&s);
}

TEST(evaluations_are_told_once_each) {
    school s;
    lu_error error = {0};
    school_open(&s, "judged");
    lu_training *t = begin(&s, true, NULL, &error);
    NEED(t != NULL);
    int evals = lu_rows_open(lu_run_path(lu_training_run(t)), LU_EVALS, &error);
    NEED(evals >= 0);
    lu_training_hear(t, true);
    CHECK_INT(s.evaluations, 0);
    CHECK_INT(lu_training_judged(t), -1);
    lu_rows_append(evals, "{\"window_id\":0}", NULL);
    lu_rows_append(evals, "{\"window_id\":1}", NULL);
    CHECK(write(evals, "{\"window_id\":", 13) == 13); /* half a line is none yet */
    lu_training_hear(t, true);
    CHECK_INT(s.evaluations, 2);
    CHECK_INT(lu_training_judged(t), 1);
    CHECK(write(evals, "2}\n", 3) == 3);
    lu_training_hear(t, false); /* not so soon */
    CHECK_INT(s.evaluations, 2);
    lu_training_hear(t, true);
    CHECK_INT(s.evaluations, 3);
    CHECK_INT(lu_training_judged(t), 2);
    s.most = 0;
    CHECK_INT(lu_training_go(t, &error), LU_OK);
    char *path = lu_strdup(lu_run_path(lu_training_run(t)));
    lu_training_close(t);
    close(evals);
    /* those of an earlier sitting are no news */
    NEED((t = begin(&s, true, path, &error)) != NULL);
    lu_training_hear(t, true);
    CHECK_INT(s.evaluations, 0);
    CHECK_INT(lu_training_judged(t), 2);
    lu_training_close(t);
    free(path);
    school_close(&s);
}

TEST(what_does_not_fit_in_memory_is_told_by_its_parts) {
    school s;
    lu_error error = {0};
    lu_training_need need;
    school_open(&s, "memory");
    const lu_game *game = lu_game_find("cartpole", NULL);
    const lu_algorithm *a = lu_algorithm_find("ppo", NULL);
    CHECK_INT(lu_training_memory(game, a, s.own, 0, &need, &error), LU_OK);
    CHECK_INT(lu_training_memory(game, a, s.own, need.total, &need, &error), LU_OK);
    CHECK_INT(lu_training_memory(game, a, s.own, 1500, &need, &error), LU_LIMIT);
    CHECK_HAS(error.text, "a training needs ");
    CHECK_HAS(error.text, "rollout ");
    CHECK_HAS(error.text, ") of memory, but 1.5 kB are free: lower ");
    school_close(&s);
}
