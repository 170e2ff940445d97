/* Replays: lists, entries and files. */
#include "app.h"

#include <stdlib.h>
#include <string.h>

enum { SCAN_MOST = 20000, SCAN_PAGE = 500 };

/* Game and metric of the runs that a list of replays tells of. */
typedef struct run_facts {
    size_t count;
    lu_run_entry *entry;
} run_facts;

static const lu_run_entry *run_of(const run_facts *facts, const char *run_id) {
    for (size_t i = 0; i < facts->count; i++) {
        if (strcmp(facts->entry[i].run_id, run_id) == 0) {
            return &facts->entry[i];
        }
    }
    return NULL;
}

static void replay_write(const lu_replay_entry *e, const lu_run_entry *run, int64_t env_steps,
                         lu_json *json) {
    lu_json_object(json);
    lu_replay_entry_write(e, json);
    lu_json_key_string(json, "game", run ? run->game : "");
    lu_json_key_string(json, "metric", run ? run->metric : "");
    lu_json_key(json, "env_steps");
    if (env_steps < 0) {
        lu_json_null(json);
    } else {
        lu_json_int(json, env_steps);
    }
    lu_json_object_end(json);
}

/* How far the training had come at a window; -1 when it is not known. */
static int64_t steps_at(lu_catalogue *c, const char *run_id, int64_t window) {
    lu_evaluation_list list = {0};
    int64_t steps = -1;
    if (lu_catalogue_evaluations(c, run_id, window, 1, &list, NULL) == LU_OK && list.count == 1 &&
        list.entry[0].window_id == window) {
        steps = list.entry[0].env_steps;
    }
    lu_evaluation_list_free(&list);
    return steps;
}

/* ---- lists ---- */

typedef struct listing {
    lu_catalogue *catalogue;
    lu_replay_filter filter;
    const char *game;
    run_facts runs;
    int64_t limit, count, scanned;
    lu_json json;
    lu_replay_entry last; /* where the page ended: texts are copies */
    bool more;
} listing;

static bool is_of_game(const lu_run_entry *run, const char *game) {
    size_t length = strlen(game);
    return run && strncmp(run->game, game, length) == 0 &&
           (run->game[length] == 0 || strncmp(run->game + length, "-v", 2) == 0);
}

static void keep_place(listing *l, const lu_replay_entry *e) {
    free(l->last.written);
    free(l->last.run_id);
    l->last.written = lu_strdup(e->written);
    l->last.run_id = lu_strdup(e->run_id);
    l->last.window_id = e->window_id;
    l->last.position = e->position;
    l->filter.after = &l->last;
}

/* One question to the catalogue; false when there is no more to ask. */
static bool list_some(listing *l, lu_status *status) {
    lu_replay_list list = {0};
    l->filter.limit = l->game ? SCAN_PAGE : l->limit - l->count + 1;
    *status = lu_catalogue_replays(l->catalogue, &l->filter, &list, NULL);
    bool rest = *status == LU_OK && list.count == (size_t)l->filter.limit;
    for (size_t i = 0; *status == LU_OK && i < list.count; i++) {
        const lu_replay_entry *e = &list.entry[i];
        const lu_run_entry *run = run_of(&l->runs, e->run_id);
        if (l->count == l->limit) {
            l->more = true;
            rest = false;
            break;
        }
        if (!l->game || is_of_game(run, l->game)) {
            replay_write(e, run, steps_at(l->catalogue, e->run_id, e->window_id), &l->json);
            l->count++;
        }
        keep_place(l, e);
        l->scanned++;
    }
    lu_replay_list_free(&list);
    if (rest && l->scanned >= SCAN_MOST) { /* the next page goes on where this one gave up */
        l->more = true;
        rest = false;
    }
    return rest;
}

static bool read_place(listing *l, const http_request *r, http_answer *answer, char **room) {
    const char *cursor = request_parameter(r, "cursor"), *place[4];
    if (!cursor) {
        return true;
    }
    if (!cursor_read(cursor, room, place, 4) ||
        lu_parse_i64("cursor", place[2], 0, INT64_MAX, &l->last.window_id, NULL) != LU_OK ||
        lu_parse_i64("cursor", place[3], 0, INT64_MAX, &l->last.position, NULL) != LU_OK) {
        answer_problem(answer, r, 422, "bad-parameter", "cursor", "the cursor isn't valid");
        return false;
    }
    l->last.written = lu_strdup(place[0]);
    l->last.run_id = lu_strdup(place[1]);
    l->filter.after = &l->last;
    return true;
}

static void write_place(listing *l) {
    if (!l->more) {
        lu_json_key(&l->json, "next");
        lu_json_null(&l->json);
        return;
    }
    char window[24], position[24];
    snprintf(window, sizeof window, "%lld", (long long)l->last.window_id);
    snprintf(position, sizeof position, "%lld", (long long)l->last.position);
    cursor_write(&l->json, (const char *[]){l->last.written, l->last.run_id, window, position}, 4);
}

static void list(worker *w, const http_request *r, http_answer *answer, const char *run_id,
                 int64_t window) {
    char *room = NULL;
    lu_run_list runs = {0};
    listing l = {
        .filter = {.run_id = run_id, .tag = request_parameter(r, "tag"), .window_id = window},
        .game = request_parameter(r, "game"),
        .limit = param_int(r, "limit", 50),
    };
    l.catalogue = worker_catalogue(w, r, answer);
    if (l.catalogue && read_place(&l, r, answer, &room)) {
        lu_status status = lu_catalogue_runs(
            l.catalogue, &(lu_run_filter){.run_id = run_id, .archived = -1}, &runs, NULL);
        l.runs = (run_facts){runs.count, runs.entry};
        lu_json_init(&l.json);
        lu_json_object(&l.json);
        lu_json_key_array(&l.json, "replays");
        while (status == LU_OK && list_some(&l, &status)) {
        }
        lu_json_array_end(&l.json);
        write_place(&l);
        lu_json_object_end(&l.json);
        if (status == LU_OK) {
            answer_json(answer, 200, &l.json);
        } else {
            answer_failed(answer, r, status);
            lu_json_free(&l.json);
        }
    }
    free(room);
    free(l.last.written);
    free(l.last.run_id);
    lu_run_list_free(&runs);
}

void on_replays_list(worker *w, const http_request *r, http_answer *answer) {
    list(w, r, answer, NULL, -1);
}

/* The window that `window` names: -1 for any, and a number that none has when there is no such. */
static int64_t window_of(worker *w, const http_request *r, const lu_run_entry *run) {
    lu_replay_list newest = {0};
    const char *name = request_parameter(r, "window");
    int64_t window = name ? INT64_MAX : -1;
    if (name && strcmp(name, "best") == 0) {
        window = run->best_window >= 0 ? run->best_window : INT64_MAX;
    } else if (name && strcmp(name, "latest") == 0) {
        lu_replay_filter filter = {.run_id = run->run_id, .window_id = -1, .limit = 1};
        if (lu_catalogue_replays(w->catalogue, &filter, &newest, NULL) == LU_OK && newest.count) {
            window = newest.entry[0].window_id;
        }
        lu_replay_list_free(&newest);
    } else if (name) {
        window = param_int(r, "window", -1);
    }
    return window;
}

void on_run_replays_list(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    if (worker_run(w, r, answer, &run)) {
        list(w, r, answer, run.run_id, window_of(w, r, &run));
        lu_run_entry_free(&run);
    }
}

/* ---- one replay ---- */

static lu_status by_id(lu_catalogue *c, const char *run_id, const char *id,
                       lu_replay_entry *entry) {
    lu_replay_list list = {0};
    lu_status status = lu_catalogue_replays(
        c, &(lu_replay_filter){.run_id = run_id, .replay_id = id, .window_id = -1, .limit = 1},
        &list, NULL);
    if (status == LU_OK && list.count == 1) {
        *entry = list.entry[0];
        free(list.entry);
        return LU_OK;
    }
    lu_replay_list_free(&list);
    return status == LU_OK ? LU_NOT_FOUND : status;
}

bool worker_replay(worker *w, const http_request *r, http_answer *answer, const lu_run_entry *run,
                   lu_replay_entry *entry) {
    const char *name = r->given[1];
    bool latest = strcmp(name, "latest") == 0, best = strcmp(name, "best") == 0;
    lu_status status =
        latest || best
            ? lu_catalogue_window_replay(w->catalogue, run->run_id,
                                         best ? LU_BEST_WINDOW : LU_NEWEST_WINDOW, entry, NULL)
            : by_id(w->catalogue, run->run_id, name, entry);
    if (status != LU_OK) {
        answer_failed(answer, r, status);
    }
    return status == LU_OK;
}

void on_replay_get(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    lu_replay_entry entry;
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    if (worker_replay(w, r, answer, &run, &entry)) {
        lu_json json = LU_JSON_INIT;
        replay_write(&entry, &run, steps_at(w->catalogue, entry.run_id, entry.window_id), &json);
        answer_json(answer, 200, &json);
        lu_replay_entry_free(&entry);
    }
    lu_run_entry_free(&run);
}

int replay_open_file(const app *a, const lu_replay_entry *entry, size_t *size, char tag[64]) {
    char name[64];
    const param plain = {.name = "replay", .kind = PARAM_REPLAY};
    snprintf(name, sizeof name, "%.50s.ludus", entry->replay_id);
    const char *names[] = {entry->run_id, "replays", name, NULL};
    return param_fits(&plain, entry->replay_id) ? open_beneath(a->options.runs, names, size, tag)
                                                : -1;
}

void on_replay_file(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    lu_replay_entry entry;
    size_t size;
    char tag[64];
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    if (worker_replay(w, r, answer, &run, &entry)) {
        int file = replay_open_file(w->app, &entry, &size, tag);
        if (file < 0) {
            answer_failed(answer, r, open_status(file));
        } else {
            bool named =
                strcmp(r->given[1], entry.replay_id) == 0 && strcmp(r->given[0], run.run_id) == 0;
            answer_field(answer, "Cache-Control", "%s",
                         named ? "private, max-age=31536000, immutable" : "no-cache");
            answer_field(answer, "Content-Disposition", "attachment; filename=\"%s.ludus\"",
                         entry.replay_id);
            answer_file(answer, r, file, size, tag, "application/octet-stream");
        }
        lu_replay_entry_free(&entry);
    }
    lu_run_entry_free(&run);
}
