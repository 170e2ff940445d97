/* Fuzzes what reads the files of a run: an input is these files, one behind the other, with a zero
 * byte between. Whatever they hold, the run is listed, shown, exported and served, or refused with
 * a sentence; rows that were read stand in order, and what the server answers is JSON. */
#include "fuzz_app.h"
#include "src/serve/connection.h"

#include "ludus/export.h"
#include "ludus/file.h"
#include "ludus/run_view.h"
#include "src/lab/run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RUN  "run/"
#define CKPT RUN "checkpoints/" RUN_CKPT "000000/"

static const char *const folders[] = {RUN "metrics", RUN "wandb", CKPT, "leagues"};
static const char *const files[] = {RUN RUN_FILE,       RUN RUN_WINDOWS, RUN RUN_EVALS,
                                    RUN RUN_UPDATES,    RUN RUN_LEAGUES, CKPT RUN_MANIFEST,
                                    CKPT RUN_SUMS,      CKPT RUN_LEAGUE, RUN "wandb/cursor.json",
                                    "leagues/run.jsonl"};
enum { FILES = sizeof files / sizeof *files, FOLDERS = sizeof folders / sizeof *folders };

static const char *const asked[] = {
    "runs",
    "runs/run",
    "runs/run/windows",
    "runs/run/evaluations",
    "runs/run/evaluations?full=true",
    "runs/run/metrics?key=entropy&key=eval.mean&key=infos.steps",
    "runs/run/metrics?rows=updates&key=entropy&axis=update&buckets=3",
    "runs/run/metrics?rows=updates",
    "runs/run/replays",
    "runs/run/replays/best",
    "runs/run/models/latest",
    "replays?limit=1",
    "leagues",
    "leagues/run",
};

static void need(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void said(lu_status status, const lu_error *error, const char *where) {
    need(status == LU_OK || *error->text, where);
}

/* ---- the folder ---- */

/* In memory, where it can be. */
static void make_runs(void) {
    static char runs[] = "/dev/shm/ludus-fuzz-XXXXXX", other[] = "/tmp/ludus-fuzz-XXXXXX";
    the_runs = mkdtemp(runs) ? runs : mkdtemp(other);
    need(the_runs != NULL, "no folder can be made");
    for (worker_kind kind = WORKER_RUNS; kind < WORKER_COUNT; kind++) {
        worker *w = worker_of(the_app()->workers, kind);
        w->catalogue = lu_catalogue_open(the_runs, LU_CATALOGUE_MEMORY, NULL);
    }
}

/* Until the next input, which is another run. */
static void forget_run(const char *run) {
    lu_text leagues = LU_TEXT_INIT;
    (void)lu_folder_remove(run, NULL);
    (void)lu_folder_remove(run_join(&leagues, the_runs, "leagues"), NULL);
    lu_text_free(&leagues);
    for (worker_kind kind = WORKER_RUNS; kind < WORKER_COUNT; kind++) {
        worker *w = worker_of(the_app()->workers, kind);
        (void)lu_catalogue_sync(w->catalogue, "run", NULL);
        w->synced = -1e9;
    }
}

static void remove_runs(void) {
    (void)lu_folder_remove(the_runs, NULL);
}

static void write_files(const char *data, size_t size) {
    lu_text path = LU_TEXT_INIT;
    for (int i = 0; i < FOLDERS; i++) {
        need(lu_folder_make(run_join(&path, the_runs, folders[i]), NULL) == LU_OK, path.text);
    }
    for (int i = 0; i < FILES && size > 0; i++) {
        size_t length = strnlen(data, size), used = length + (length < size);
        FILE *file = length > 0 ? fopen(run_join(&path, the_runs, files[i]), "w") : NULL;
        need(length == 0 || file, path.text);
        if (file) {
            need(fwrite(data, 1, length, file) == length && fclose(file) == 0, path.text);
        }
        data += used;
        size -= used;
    }
    lu_text_free(&path);
}

/* ---- commands ---- */

static void read_rows(const char *run) {
    for (lu_rows_kind kind = LU_WINDOWS; kind <= LU_LEAGUES; kind++) {
        lu_rows rows;
        lu_error error = {0};
        const char *key = kind == LU_UPDATES ? "update" : "window_id";
        said(lu_rows_read(run, kind, &rows, &error), &error, "rows");
        for (size_t i = 1; i < rows.count; i++) {
            double before = lu_json_real_or(lu_json_get(lu_rows_at(&rows, i - 1), key), -1.0);
            double here = lu_json_real_or(lu_json_get(lu_rows_at(&rows, i), key), -1.0);
            need(before < here, "rows out of order");
        }
        lu_rows_free(&rows);
    }
}

static void show(const char *run, const lu_settings *settings) {
    lu_run_view view;
    lu_run_setting setting;
    lu_error error = {0};
    lu_status status = lu_run_view_open(&view, settings, run, &error);
    said(status, &error, "show");
    for (size_t i = 0; status == LU_OK && lu_run_setting_at(&view, i, &setting); i++) {
        lu_run_setting_free(&setting);
    }
    if (status == LU_OK) {
        lu_run_view_close(&view);
    }
    for (lu_export_kind kind = LU_EXPORT_WINDOWS; kind < LU_EXPORT_KINDS; kind++) {
        lu_text text = LU_TEXT_INIT;
        lu_export_size size;
        lu_export from = {.run = run, .run_id = "run", .game = "cartpole-v1"};
        said(lu_export_csv(&from, kind, &text, &size, &error), &error, "export");
        lu_text_free(&text);
    }
}

static void load(const char *run) {
    char *state;
    size_t length;
    lu_window window;
    lu_error error = {0};
    said(lu_run_load(run, &state, &length, &window, &error), &error, "resume");
    free(state);
    lu_json_document *league = lu_run_league(run, &error);
    need(league || *error.text, "league");
    lu_json_close(league);
    lu_replay_list list = {0};
    said(lu_replay_index_list(run, NULL, &list, &error), &error, "replays");
    lu_replay_list_free(&list);
}

/* ---- the server ---- */

static void poke(void *user) {
    (void)user; /* workers answer at once */
}

static void ask(const char *address) {
    static double now = 1.0;
    app *a = the_app();
    lu_text all = LU_TEXT_INIT, request = LU_TEXT_INIT;
    connection *l = connection_open(a, access_enter(a->access_control, "10.0.0.1"), "10.0.0.1",
                                    poke, NULL, now += 1.0);
    lu_text_addf(&request,
                 "GET /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                 address);
    connection_hear(l, request.text, request.length);
    while (connection_go(l, now) == CONNECTION_SEND) {
        size_t length;
        const char *bytes = connection_bytes(l, &length);
        lu_text_add_n(&all, bytes, length);
        connection_sent(l, length, now);
    }
    connection_close(l);
    const char *body = strstr(all.text, "\r\n\r\n");
    need(body && strncmp(all.text, "HTTP/1.1 ", 9) == 0 && all.text[9] < '5', all.text);
    lu_json_document *document =
        lu_json_read("answer", body + 4, all.length - (size_t)(body + 4 - all.text), NULL);
    need(document != NULL, all.text);
    lu_json_close(document);
    lu_text_free(&request);
    lu_text_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lu_settings *settings;
    static char run[80];
    if (!settings) {
        make_runs();
        atexit(remove_runs);
        settings = lu_settings_new();
        lu_settings_add(settings, lu_run_place_table);
        lu_settings_set(settings, "run.folder", the_runs, LU_FROM_FLAG, "fuzz", NULL);
        snprintf(run, sizeof run, "%s/run", the_runs);
        forget_run(run);
    }
    write_files((const char *)data, size);
    read_rows(run);
    show(run, settings);
    load(run);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        ask(asked[i]);
    }
    forget_run(run);
    return 0;
}
