/* The catalogue and the index of replays: they say what the folders say, however they came to be,
 * and no damage of theirs is an obstacle. */
#include "run_files.h"

#include "ludus/catalogue.h"
#include "ludus/file.h"
#include "ludus/rows.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders of runs, written by hand ---- */

static const char *runs_at(const char *name) {
    static char path[300];
    snprintf(path, sizeof path, "%s/catalogue-%s", lu_test_folder(), name);
    return path;
}

static void write_text(const char *run, const char *name, const char *text) {
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/metrics", run);
    CHECK_INT(lu_folder_make(path.text, NULL), LU_OK);
    CHECK_INT(lu_file_write(run_join(&path, run, name), text, strlen(text), NULL), LU_OK);
    lu_text_free(&path);
}

static void append(const char *run, const char *name, const char *text) {
    lu_text path = LU_TEXT_INIT;
    FILE *file = fopen(run_join(&path, run, name), "a");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    CHECK(file != NULL);
    lu_text_free(&path);
}

/* Makes RUNS/ID and returns its path, valid until the next call. */
static const char *make_run(const char *runs, const char *id, const char *status, int started) {
    static char path[400];
    lu_text text = LU_TEXT_INIT;
    snprintf(path, sizeof path, "%s/%s", runs, id);
    lu_text_addf(&text,
                 "{\"schema\":1,\"run_id\":\"%s\",\"status\":\"%s\",\"game\":\"cartpole-v1\","
                 "\"algorithm\":\"ppo\",\"seed\":\"18446744073709551615\",\"update\":3,"
                 "\"env_steps\":300,\"started\":\"2026-01-%02dT00:00:00Z\",\"notes\":\"hello\","
                 "\"tags\":[\"good\",\"lr:3e-4\",\"no tag\",7],\"archived\":false}",
                 id, status, started);
    write_text(path, RUN_FILE, text.text);
    lu_text_free(&text);
    return path;
}

static void add_window(const char *run, int window, double back) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text,
                 "{\"run_id\":\"x\",\"window_id\":%d,\"complete\":true,\"update\":%d,"
                 "\"env_steps\":%d,\"episodes\":4,\"episode_return\":%.17g,\"terms\":{\"a\":1}}\n",
                 window, window + 1, 100 * (window + 1), back);
    append(run, RUN_WINDOWS, text.text);
    lu_text_free(&text);
}

static void add_evaluation(const char *run, int window, double mean, int best_window) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text,
                 "{\"window_id\":%d,\"written\":\"2026-02-01T00:00:%02dZ\",\"metric\":\"return\","
                 "\"seeds\":{\"first\":1,\"count\":16},\"value\":{\"mean\":%g,\"low\":%g,"
                 "\"high\":%g},\"best\":%s,\"best_window\":%d,\"replays\":[",
                 window, window, mean, mean - 1.0, mean + 1.0,
                 best_window == window ? "true" : "false", best_window);
    for (int i = 0; i < 3; i++) {
        lu_text_addf(&text,
                     "%s{\"replay_id\":\"replay-%06d-%d\",\"file\":\"replays/r.ludus\",\"bytes\":9,"
                     "\"seed\":18446744073709551615,\"tags\":[\"every_window\"%s%s],\"return\":%g,"
                     "\"value\":%g,\"decisions\":7,\"terminated\":true,\"infos\":{\"x\":1.50}}",
                     i ? "," : "", window, i, i == 1 ? ",\"window_best\"" : "",
                     best_window == window ? ",\"best_so_far\"" : "", mean + i, mean + (i == 1));
    }
    lu_text_add(&text, "]}\n");
    append(run, RUN_EVALS, text.text);
    lu_text_free(&text);
}

/* All that a catalogue holds, as text. */
static char *content(lu_catalogue *c) {
    lu_run_list runs;
    lu_window_list windows;
    lu_evaluation_list judged;
    lu_replay_list replays;
    lu_text text = LU_TEXT_INIT;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.archived = -1}, &runs, NULL), LU_OK);
    for (size_t i = 0; i < runs.count; i++) {
        const lu_run_entry *r = &runs.entry[i];
        lu_text_line(&text, "%s %s %s [%s] %s %lld %lld %lld %lld %g %g %g %g %s", r->run_id,
                     r->game, r->status, r->tags, r->note, (long long)r->windows,
                     (long long)r->evaluations, (long long)r->replays, (long long)r->best_window,
                     r->last_return, r->best, r->best_low, r->best_high, r->problem);
        CHECK_INT(lu_catalogue_windows(c, r->run_id, 0, 0, &windows, NULL), LU_OK);
        for (size_t n = 0; n < windows.count; n++) {
            lu_text_line(&text, "  %lld %s", (long long)windows.entry[n].window_id,
                         windows.entry[n].row);
        }
        CHECK_INT(lu_catalogue_evaluations(c, r->run_id, 0, 0, &judged, NULL), LU_OK);
        for (size_t n = 0; n < judged.count; n++) {
            lu_text_line(&text, "  %lld %g %s", (long long)judged.entry[n].window_id,
                         judged.entry[n].mean, judged.entry[n].row);
        }
        lu_window_list_free(&windows);
        lu_evaluation_list_free(&judged);
    }
    CHECK_INT(lu_catalogue_replays(c, &(lu_replay_filter){.window_id = -1}, &replays, NULL), LU_OK);
    for (size_t i = 0; i < replays.count; i++) {
        const lu_replay_entry *r = &replays.entry[i];
        lu_text_line(&text, "%s %s [%s] %llu %g %s", r->run_id, r->replay_id, r->tags,
                     (unsigned long long)r->seed, r->value, r->infos);
    }
    lu_run_list_free(&runs);
    lu_replay_list_free(&replays);
    return lu_text_take(&text);
}

static lu_catalogue *synced(const char *runs, lu_catalogue_mode mode) {
    lu_error error = {0};
    lu_catalogue *c = lu_catalogue_open(runs, mode, &error);
    CHECK(c != NULL);
    CHECK_INT(c ? lu_catalogue_sync_all(c, NULL, NULL, &error) : LU_OK, LU_OK);
    return c;
}

static void fill(const char *runs) {
    const char *run = make_run(runs, "one", "finished", 1);
    for (int w = 0; w < 4; w++) {
        add_window(run, w, 10.0 * w);
        add_evaluation(run, w, 20.0 + (w == 2 ? 5 : 0), w < 2 ? 0 : 2);
    }
    run = make_run(runs, "two", "stopped", 2);
    add_window(run, 0, 3.0);
    make_run(runs, "old", "finished", 3); /* without rows of windows */
}

/* ---- tests ---- */

TEST(a_catalogue_says_what_the_folders_say) {
    const char *runs = runs_at("says");
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    lu_run_list list;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.game = "cartpole"}, &list, NULL), LU_OK);
    NEED(list.count == 3);
    CHECK_TEXT(list.entry[0].run_id, "old"); /* newest first */
    CHECK_INT(list.entry[0].best_window, -1);
    CHECK(isnan(list.entry[0].last_return));
    const lu_run_entry *one = &list.entry[2];
    CHECK_TEXT(one->tags, " good lr:3e-4 ");
    CHECK(lu_tags_have(one->tags, "good") && !lu_tags_have(one->tags, "goo"));
    CHECK_TEXT(one->note, "hello");
    CHECK_INT(one->windows, 4);
    CHECK_INT(one->replays, 12);
    CHECK_INT(one->best_window, 2);
    CHECK_NEAR(one->best, 25.0, 0.0);
    CHECK_NEAR(one->last_return, 30.0, 0.0);
    lu_run_list_free(&list);
    lu_run_entry best;
    CHECK_INT(lu_catalogue_best_run(c, "cartpole-v1", &best, NULL), LU_OK);
    CHECK_TEXT(best.run_id, "one");
    lu_run_entry_free(&best);
    CHECK_INT(lu_catalogue_best_run(c, "cart", &best, NULL), LU_NOT_FOUND);
    lu_replay_entry replay;
    CHECK_INT(lu_catalogue_window_replay(c, "one", 0, &replay, NULL), LU_OK);
    CHECK_TEXT(replay.replay_id, "replay-000000-1");
    lu_replay_entry_free(&replay);
    CHECK_INT(lu_catalogue_window_replay(c, "one", LU_NEWEST_WINDOW, &replay, NULL), LU_OK);
    CHECK_TEXT(replay.replay_id, "replay-000003-1");
    lu_replay_entry_free(&replay);
    CHECK_INT(lu_catalogue_window_replay(c, "one", 99, &replay, NULL), LU_NOT_FOUND);
    CHECK_INT(lu_catalogue_window_replay(c, "one", LU_BEST_WINDOW, &replay, NULL), LU_OK);
    CHECK_TEXT(replay.replay_id, "replay-000002-1");
    CHECK(replay.seed == UINT64_MAX && replay.terminated && !replay.truncated);
    CHECK_TEXT(replay.infos, "{\"x\":1.50}");
    lu_replay_entry_free(&replay);
    lu_catalogue_close(c);
}

TEST(filters_leave_out_what_does_not_pass) {
    static const struct {
        lu_run_filter filter;
        size_t count;
    } cases[] = {
        {{.status = "finished"}, 2},
        {{.status = "running"}, 0},
        {{.status = "crashed"}, 1},
        {{.tag = "good"}, 4},
        {{.tag = "goo"}, 0},
        {{.tag = "%"}, 0},
        {{.run_id = "one"}, 1},
        {{.archived = 1}, 0},
        {{.archived = -1}, 4},
        {{.limit = 2}, 2},
        {{.game = "cartpole' or 1=1"}, 0},
        {{.game = "cartpole-v1"}, 4},
    };
    const char *runs = runs_at("filters");
    fill(runs);
    make_run(runs, "dead", "running", 9);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lu_run_list list;
        CHECK_INT(lu_catalogue_runs(c, &cases[i].filter, &list, NULL), LU_OK);
        if (list.count != cases[i].count) {
            lu_test_fail(__FILE__, __LINE__, "case %zu: %zu runs, not %zu", i, list.count,
                         cases[i].count);
        }
        lu_run_list_free(&list);
    }
    /* while somebody holds the lock it runs */
    char path[400];
    snprintf(path, sizeof path, "%s/dead", runs);
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    lu_run_list list;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.status = "running"}, &list, NULL), LU_OK);
    CHECK_INT(list.count, 1);
    lu_run_list_free(&list);
    close(lock);
    lu_catalogue_close(c);
}

TEST(replays_come_in_pages) {
    const char *runs = runs_at("pages");
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    lu_replay_filter filter = {.tag = "every_window", .window_id = -1, .limit = 5};
    lu_replay_list page[4];
    static const size_t counts[] = {5, 5, 2, 0};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(lu_catalogue_replays(c, &filter, &page[i], NULL), LU_OK);
        CHECK_INT(page[i].count, counts[i]);
        filter.after = page[i].count ? &page[i].entry[page[i].count - 1] : filter.after;
    }
    CHECK_TEXT(page[0].entry[0].replay_id, "replay-000003-2");
    CHECK_TEXT(page[1].entry[0].replay_id, "replay-000002-0");
    CHECK_TEXT(page[2].entry[1].replay_id, "replay-000000-0");
    for (int i = 0; i < 4; i++) {
        lu_replay_list_free(&page[i]);
    }
    lu_catalogue_close(c);
}

TEST(growing_gives_what_a_rebuild_gives) {
    const char *runs = runs_at("grow");
    char path[400];
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    snprintf(path, sizeof path, "%s/one", runs);
    add_window(path, 4, 7.0);
    CHECK_INT(lu_catalogue_sync(c, path, NULL), LU_OK);
    add_evaluation(path, 4, 99.0, 4);
    append(path, RUN_WINDOWS, "{\"window_id\":5,\"cut of");
    CHECK_INT(lu_catalogue_sync(c, "one", NULL), LU_OK);
    /* a resume from window 2: what stands before no longer counts */
    snprintf(path, sizeof path, "%s/two", runs);
    add_window(path, 1, 1.0);
    add_window(path, 2, 2.0);
    CHECK_INT(lu_catalogue_sync(c, path, NULL), LU_OK);
    append(path, RUN_WINDOWS, "{\"resume\":1,\"update\":1}\n");
    CHECK_INT(lu_catalogue_sync(c, path, NULL), LU_OK);
    lu_window_list windows;
    CHECK_INT(lu_catalogue_windows(c, "two", 0, 0, &windows, NULL), LU_OK);
    CHECK_INT(windows.count, 1);
    lu_window_list_free(&windows);
    char *grown = content(c);
    CHECK_INT(lu_catalogue_rebuild(c, NULL, NULL, NULL), LU_OK);
    char *made = content(c);
    lu_catalogue *memory = synced(runs, LU_CATALOGUE_MEMORY);
    char *kept = content(memory);
    CHECK_TEXT(grown, made);
    CHECK_TEXT(grown, kept);
    CHECK_HAS(grown, "replay-000004-2");
    free(grown);
    free(made);
    free(kept);
    lu_catalogue_close(memory);
    lu_catalogue_close(c);
}

static bool stop_at_once(void *context, double share) {
    (void)context;
    (void)share;
    return true;
}

TEST(runs_that_are_gone_disappear) {
    const char *runs = runs_at("gone");
    char path[400];
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    snprintf(path, sizeof path, "%s/one/run.json", runs);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(lu_catalogue_sync_all(c, stop_at_once, NULL, NULL), LU_INTERRUPTED);
    CHECK_INT(lu_catalogue_sync_all(c, NULL, NULL, NULL), LU_OK);
    char *text = content(c);
    CHECK(!strstr(text, "one"));
    CHECK_HAS(text, "two");
    free(text);
    lu_catalogue_close(c);
}

TEST(folders_whose_names_are_no_ids_are_not_listed) {
    const char *runs = runs_at("names");
    static const char *const names[] = {"a b", "<img src=x>", "a\"b", "\xc3\xa9", ".hidden"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make_run(runs, names[i], "finished", 1);
    }
    make_run(runs, "A-plain_name.7", "finished", 2);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    lu_run_list list;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.archived = -1}, &list, NULL), LU_OK);
    CHECK_INT(list.count, 1);
    CHECK_TEXT(list.count ? list.entry[0].run_id : "", "A-plain_name.7");
    lu_run_list_free(&list);
    lu_catalogue_close(c);
}

static void overwrite(const char *path, size_t from, int times, const char *text) {
    FILE *file = fopen(path, "r+");
    if (file) {
        fseek(file, (long)from, SEEK_SET);
        for (int i = 0; i < times; i++) {
            fputs(text, file);
        }
        fclose(file);
    }
    CHECK(file != NULL);
}

TEST(damage_is_no_obstacle) {
    const char *runs = runs_at("damage");
    char path[400], aside[420];
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    char *whole = content(c);
    lu_catalogue_close(c);
    snprintf(path, sizeof path, "%s/catalogue.sqlite", runs);
    snprintf(aside, sizeof aside, "%s.damaged", path);
    static const size_t places[] = {0, 100, 5000}; /* no database; a broken schema; broken pages */
    for (size_t i = 0; i < 3; i++) {
        unlink(aside);
        overwrite(path, places[i], 2000, "rubbish");
        c = synced(runs, LU_CATALOGUE_WRITE);
        NEED(c);
        char *again = content(c);
        CHECK_TEXT(again, whole);
        free(again);
        lu_catalogue_close(c);
        CHECK(lu_file_exists(aside));
    }
    free(whole);
}

TEST(a_catalogue_that_is_taken_away_is_made_anew) {
    const char *runs = runs_at("away");
    static const char *const parts[] = {"", "-wal", "-shm"};
    lu_text path = LU_TEXT_INIT;
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    char *whole = content(c);
    for (int i = 0; i < 3; i++) {
        run_join(&path, runs, "catalogue.sqlite");
        lu_text_add(&path, parts[i]);
        unlink(path.text);
    }
    CHECK_INT(lu_catalogue_sync_all(c, NULL, NULL, NULL), LU_OK);
    lu_catalogue *reader = lu_catalogue_open(runs, LU_CATALOGUE_READ, NULL);
    NEED(reader);
    char *again = content(reader);
    CHECK_TEXT(again, whole);
    lu_catalogue_close(reader);
    lu_catalogue_close(c);
    free(whole);
    free(again);
    lu_text_free(&path);
}

TEST(another_version_is_made_again) {
    const char *runs = runs_at("version");
    lu_error error = {0};
    fill(runs);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    char *whole = content(c);
    lu_catalogue_close(c);
    lu_text path = LU_TEXT_INIT;
    overwrite(run_join(&path, runs, "catalogue.sqlite"), 60, 1, "ABCD"); /* its user_version */
    CHECK(lu_catalogue_open(runs, LU_CATALOGUE_READ, &error) == NULL);
    CHECK_INT(error.status, LU_DAMAGED_FILE);
    c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    char *again = content(c);
    CHECK_TEXT(again, whole);
    CHECK(!lu_file_exists(run_join(&path, runs, "catalogue.sqlite.damaged")));
    lu_text_free(&path);
    free(again);
    free(whole);
    lu_catalogue_close(c);
}

TEST(a_catalogue_that_is_only_read) {
    const char *runs = runs_at("read");
    lu_error error = {0};
    fill(runs);
    CHECK(lu_catalogue_open(runs, LU_CATALOGUE_READ, &error) == NULL);
    CHECK_INT(error.status, LU_NOT_FOUND);
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    lu_catalogue *reader = lu_catalogue_open(runs, LU_CATALOGUE_READ, &error);
    NEED(c && reader);
    char *a = content(c), *b = content(reader);
    CHECK_TEXT(a, b);
    make_run(runs, "three", "finished", 5);
    CHECK_INT(lu_catalogue_sync(reader, "three", &error), LU_IO);
    CHECK_INT(lu_catalogue_sync(c, "three", &error), LU_OK);
    free(b);
    b = content(reader);
    CHECK_HAS(b, "three");
    free(a);
    free(b);
    lu_catalogue_close(reader);
    lu_catalogue_close(c);
}

TEST(hostile_runs_are_listed_with_their_problem) {
    const char *runs = runs_at("hostile");
    char path[400];
    make_run(runs, "good", "finished", 1);
    snprintf(path, sizeof path, "%s/broken", runs);
    write_text(path, RUN_FILE, "{\"status\":");
    snprintf(path, sizeof path, "%s/kinds", runs);
    write_text(path, RUN_FILE,
               "{\"status\":[],\"game\":7,\"tags\":{\"a\":1},\"env_steps\":1e300,\"update\":\"x\","
               "\"archived\":1,\"notes\":null}");
    write_text(path, RUN_EVALS, "{\"window_id\":0,\"value\":[],\"replays\":[1,{},{\"tags\":3}]}\n");
    snprintf(path, sizeof path, "%s/rows", runs);
    write_text(path, RUN_FILE, "{\"status\":\"finished\"}");
    write_text(path, RUN_WINDOWS, "{\"window_id\":0}\nnot JSON\n{\"window_id\":1}\n");
    lu_catalogue *c = synced(runs, LU_CATALOGUE_WRITE);
    NEED(c);
    lu_run_list list;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.status = "damaged"}, &list, NULL), LU_OK);
    NEED(list.count == 1);
    CHECK_TEXT(list.entry[0].run_id, "broken");
    CHECK_HAS(list.entry[0].problem, "run.json");
    lu_run_list_free(&list);
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.run_id = "kinds"}, &list, NULL), LU_OK);
    NEED(list.count == 1);
    CHECK_TEXT(list.entry[0].status, "");
    CHECK_INT(list.entry[0].env_steps, 0);
    CHECK_INT(list.entry[0].replays, 0);
    CHECK(!list.entry[0].archived && isnan(list.entry[0].best));
    lu_run_list_free(&list);
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){.run_id = "rows"}, &list, NULL), LU_OK);
    NEED(list.count == 1);
    CHECK_HAS(list.entry[0].problem, "windows.jsonl");
    lu_run_list_free(&list);
    lu_catalogue_close(c);
}

/* ---- two writers ---- */

enum { ROUNDS = 40 };

typedef struct writer {
    const char *runs;
    char run[8];
    int failures;
} writer;

static void *write_windows(void *data) {
    writer *w = data;
    char path[400];
    snprintf(path, sizeof path, "%s/%s", w->runs, w->run);
    lu_catalogue *c = lu_catalogue_open(w->runs, LU_CATALOGUE_WRITE, NULL);
    for (int i = 0; c && i < ROUNDS; i++) {
        add_window(path, i, i);
        w->failures += lu_catalogue_sync(c, path, NULL) != LU_OK;
    }
    w->failures += c == NULL;
    lu_catalogue_close(c);
    return NULL;
}

TEST(two_writers_at_once) {
    const char *runs = runs_at("both");
    writer w[2] = {{runs, "left", 0}, {runs, "right", 0}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
        make_run(runs, w[i].run, "finished", i + 1);
        CHECK_INT(pthread_create(&thread[i], NULL, write_windows, &w[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        CHECK_INT(w[i].failures, 0);
    }
    lu_catalogue *c = lu_catalogue_open(runs, LU_CATALOGUE_READ, NULL);
    NEED(c);
    lu_run_list list;
    CHECK_INT(lu_catalogue_runs(c, &(lu_run_filter){0}, &list, NULL), LU_OK);
    NEED(list.count == 2);
    CHECK_INT(list.entry[0].windows, ROUNDS);
    CHECK_INT(list.entry[1].windows, ROUNDS);
    lu_run_list_free(&list);
    lu_catalogue_close(c);
}

/* ---- the index of one run ---- */

static char *index_text(const char *run) {
    lu_replay_list list;
    lu_text text = LU_TEXT_INIT;
    CHECK_INT(lu_replay_index_list(run, NULL, &list, NULL), LU_OK);
    for (size_t i = 0; i < list.count; i++) {
        const lu_replay_entry *r = &list.entry[i];
        lu_text_line(&text, "%s %s %lld [%s] %g", r->replay_id, r->file, (long long)r->window_id,
                     r->tags, r->value);
    }
    lu_replay_list_free(&list);
    return lu_text_take(&text);
}

TEST(the_index_grows_as_it_would_be_made) {
    const char *runs = runs_at("index");
    const char *run = make_run(runs, "run", "finished", 1);
    lu_error error = {0};
    lu_rows rows;
    lu_replay_entry entry;
    CHECK_INT(lu_replay_index_window(run, LU_NEWEST_WINDOW, &entry, &error), LU_NOT_FOUND);
    CHECK_INT(lu_replay_index_window(run, LU_BEST_WINDOW, &entry, &error), LU_NOT_FOUND);
    for (int w = 0; w < 3; w++) {
        add_evaluation(run, w, w == 1 ? 9.0 : 4.0, w < 1 ? 0 : 1);
        NEED(lu_rows_read(run, LU_EVALS, &rows, &error) == LU_OK);
        const lu_json_value *last = lu_rows_at(&rows, rows.count - 1);
        CHECK_INT(lu_replay_index_add(run, last, &error), LU_OK);
        CHECK_INT(lu_replay_index_add(run, last, &error), LU_OK);
        lu_rows_free(&rows);
    }
    char *grown = index_text(run);
    CHECK_INT(lu_replay_index_rebuild(run, &error), LU_OK);
    char *made = index_text(run);
    CHECK_TEXT(grown, made);
    CHECK_HAS(made, "replay-000002-2");
    static const struct {
        int64_t window;
        const char *id;
    } best[] = {{LU_NEWEST_WINDOW, "replay-000002-1"},
                {LU_BEST_WINDOW, "replay-000001-1"},
                {0, "replay-000000-1"}};
    for (int i = 0; i < 3; i++) {
        CHECK_INT(lu_replay_index_window(run, best[i].window, &entry, &error), LU_OK);
        CHECK_TEXT(entry.replay_id, best[i].id);
        lu_replay_entry_free(&entry);
    }
    CHECK_INT(lu_replay_index_window(run, 3, &entry, &error), LU_NOT_FOUND);
    lu_replay_list tagged;
    CHECK_INT(lu_replay_index_list(run, "window_best", &tagged, &error), LU_OK);
    CHECK_INT(tagged.count, 3);
    lu_replay_list_free(&tagged);
    free(grown);
    free(made);
}

TEST(a_damaged_index_is_made_again) {
    const char *runs = runs_at("index_damage");
    const char *run = make_run(runs, "run", "finished", 1);
    lu_text path = LU_TEXT_INIT;
    add_evaluation(run, 0, 4.0, 0);
    CHECK_INT(lu_replay_index_rebuild(run, NULL), LU_OK);
    char *whole = index_text(run);
    overwrite(run_join(&path, run, "replay_index.sqlite"), 0, 2000, "rubbish");
    char *read = index_text(run);
    CHECK_TEXT(read, whole);
    lu_rows rows;
    NEED(lu_rows_read(run, LU_EVALS, &rows, NULL) == LU_OK);
    CHECK_INT(lu_replay_index_add(run, lu_rows_at(&rows, 0), NULL), LU_OK);
    lu_rows_free(&rows);
    char *again = index_text(run);
    CHECK_TEXT(again, whole);
    CHECK_HAS(again, "replay-000000-1");
    CHECK(lu_file_exists(run_join(&path, run, "replay_index.sqlite.damaged")));
    free(whole);
    free(read);
    free(again);
    lu_text_free(&path);
}

/* Puts a link to `other` in the place of a database, and returns what `other` holds. */
static char *link_away(const char *path, const char *other) {
    char *bytes = NULL;
    size_t length;
    CHECK_INT(rename(path, other), 0);
    CHECK_INT(symlink(other, path), 0);
    CHECK_INT(lu_file_read(other, 1 << 20, &bytes, &length, NULL), LU_OK);
    return bytes;
}

static void check_unchanged(const char *path, const char *other, char *before) {
    struct stat about;
    char *after = NULL;
    size_t length = 0;
    CHECK(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
    CHECK_INT(lu_file_read(other, 1 << 20, &after, &length, NULL), LU_OK);
    CHECK(before && after && memcmp(before, after, length) == 0);
    free(before);
    free(after);
}

TEST(links_in_the_place_of_databases_are_not_followed) {
    const char *runs = runs_at("links");
    const char *run = make_run(runs, "run", "finished", 1);
    lu_text index = LU_TEXT_INIT, catalogue = LU_TEXT_INIT, other = LU_TEXT_INIT;
    run_join(&index, run, "replay_index.sqlite");
    run_join(&catalogue, runs, "catalogue.sqlite");
    add_evaluation(run, 0, 4.0, 0);
    CHECK_INT(lu_replay_index_rebuild(run, NULL), LU_OK);
    lu_catalogue_close(synced(runs, LU_CATALOGUE_WRITE));
    add_evaluation(run, 1, 5.0, 1);

    char *before = link_away(index.text, run_join(&other, runs, "other_index"));
    CHECK_INT(lu_replay_index_rebuild(run, NULL), LU_OK);
    check_unchanged(index.text, other.text, before);

    before = link_away(catalogue.text, run_join(&other, runs, "other_catalogue"));
    lu_catalogue_close(synced(runs, LU_CATALOGUE_WRITE));
    check_unchanged(catalogue.text, other.text, before);
    lu_text_free(&index);
    lu_text_free(&catalogue);
    lu_text_free(&other);
}
