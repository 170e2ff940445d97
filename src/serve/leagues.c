/* Leagues: ratings that `ludus league rate --keep NAME` wrote, a line each, into leagues/NAME.jsonl
 * in the folder of runs, those that the evaluator of a run wrote of the league it trains against,
 * under the id of the run, and those that come with the published models, in leagues/ beside them,
 * which the same command wrote. A line that is no such document is left out. */
#include "app.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 200, FILE_MOST = 32 << 20, RESULTS_MOST = 100, LEAST_PLAYERS = 2 };
#define FOLDER "leagues"
#define ENDING ".jsonl"

typedef struct results {
    bool shipped; /* it comes with the models */
    size_t count;
    lu_json_document *row[RESULTS_MOST]; /* oldest first */
} results;

static void results_free(results *all) {
    for (size_t i = 0; i < all->count; i++) {
        lu_json_close(all->row[i]);
    }
    all->count = 0;
}

/* A document as lu_tournament_write makes it, as far as readers depend on it. */
static bool is_result(const lu_json_value *root) {
    const lu_json_value *players = lu_json_get(root, "players");
    size_t count = lu_json_kind_of(players) == LU_JSON_ARRAY ? lu_json_count(players) : 0;
    bool good = count >= LEAST_PLAYERS &&
                lu_json_kind_of(lu_json_get(root, "game")) == LU_JSON_STRING &&
                lu_json_kind_of(lu_json_get(root, "date")) == LU_JSON_STRING;
    for (size_t i = 0; good && i < count; i++) {
        const lu_json_value *one = lu_json_at(players, i);
        const lu_json_value *shares = lu_json_get(one, "shares");
        const lu_json_value *name = lu_json_get(lu_json_get(one, "player"), "name");
        good = lu_json_kind_of(name) == LU_JSON_STRING &&
               lu_json_kind_of(lu_json_get(one, "elo")) == LU_JSON_NUMBER &&
               lu_json_kind_of(shares) == LU_JSON_ARRAY && lu_json_count(shares) == count;
    }
    return good;
}

static void take_line(results *all, const char *line, size_t length) {
    lu_json_document *row = length > 0 ? lu_json_read("row", line, length, NULL) : NULL;
    if (!row || !is_result(lu_json_root(row))) {
        lu_json_close(row);
        return;
    }
    if (all->count == RESULTS_MOST) { /* the oldest goes */
        lu_json_close(all->row[0]);
        memmove(all->row, all->row + 1, (RESULTS_MOST - 1) * sizeof *all->row);
        all->count--;
    }
    all->row[all->count++] = row;
}

/* The file of a league: of one's own before what comes with the models. */
static int open_league(const app *a, const char *name, bool *shipped, size_t *size) {
    char file_name[160], tag[64];
    snprintf(file_name, sizeof file_name, "%s" ENDING, name);
    const struct {
        const char *folder, *const path[4];
    } places[] = {{a->options.runs, {FOLDER, file_name, NULL}},
                  {a->options.runs, {name, "metrics", "league.jsonl", NULL}},
                  {a->options.models, {FOLDER, file_name, NULL}}};
    int file = -1;
    for (size_t i = 0; i < sizeof places / sizeof *places && file < 0; i++) {
        *shipped = i == 2;
        if (*places[i].folder) {
            file = open_beneath(places[i].folder, places[i].path, size, tag);
        }
    }
    return file;
}

/* The newest results of a league, whose name fits a path. */
static void read_league(worker *w, const char *name, results *all) {
    size_t size;
    *all = (results){0};
    int file = open_league(w->app, name, &all->shipped, &size);
    char *bytes = file >= 0 ? read_whole(file, size, FILE_MOST) : NULL;
    for (size_t at = 0; bytes && at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end ? (size_t)(end - bytes) - at : size - at;
        take_line(all, bytes + at, length);
        worker_has_read(w, length);
        at += length + 1;
    }
    free(bytes);
}

static bool is_name(const char *name) {
    const param plain = {.name = "league", .kind = PARAM_MODEL};
    return param_fits(&plain, name);
}

/* The name of a file without its ending; false when a path cannot hold it. */
static bool is_league(const char *file, char *name, size_t room) {
    size_t length = strlen(file), tail = strlen(ENDING);
    if (length <= tail || length - tail >= room || strcmp(file + length - tail, ENDING) != 0) {
        return false;
    }
    snprintf(name, room, "%.*s", (int)(length - tail), file);
    return is_name(name);
}

static const char *text_of(const lu_json_value *root, const char *key) {
    return lu_json_text(lu_json_get(root, key), NULL);
}

static void write_entry(const char *name, const results *all, lu_json *json) {
    const lu_json_value *newest = lu_json_root(all->row[all->count - 1]);
    lu_json_object(json);
    lu_json_key_string(json, "name", name);
    lu_json_key_string(json, "game", text_of(newest, "game"));
    lu_json_key_string(json, "date", text_of(newest, "date"));
    lu_json_key_int(json, "players", (int64_t)lu_json_count(lu_json_get(newest, "players")));
    lu_json_key_int(json, "results", (int64_t)all->count);
    lu_json_key_bool(json, "shipped", all->shipped);
    lu_json_object_end(json);
}

/* An entry for a league that has results, where it is the one of its name. */
static void add_entry(worker *w, const char *name, bool shipped, lu_json *json) {
    results all;
    read_league(w, name, &all);
    if (all.count > 0 && all.shipped == shipped) {
        write_entry(name, &all, json);
    }
    results_free(&all);
}

/* Of runs: those whose evaluator has rated their league. */
static void add_runs(worker *w, lu_json *json) {
    const char *place = w->app->options.runs;
    lu_names runs;
    lu_text path = LU_TEXT_INIT;
    lu_folder_names(place, "", &runs, NULL);
    for (size_t i = 0, found = 0; i < runs.count && found < FILES_MOST; i++) {
        lu_text_clear(&path);
        lu_text_addf(&path, "%s/%s/metrics/league.jsonl", place, runs.name[i]);
        if (is_name(runs.name[i]) && strcmp(runs.name[i], FOLDER) != 0 &&
            lu_file_exists(path.text)) {
            add_entry(w, runs.name[i], false, json);
            found++;
        }
    }
    lu_names_free(&runs);
    lu_text_free(&path);
}

/* Of the folder leagues/ beside runs or models. */
static void add_folder(worker *w, const char *place, bool shipped, lu_json *json) {
    char name[128];
    lu_text folder = LU_TEXT_INIT;
    lu_names files;
    lu_text_addf(&folder, "%s/" FOLDER, place);
    lu_folder_names(folder.text, "", &files, NULL);
    for (size_t i = 0; i < files.count && i < FILES_MOST; i++) {
        if (is_league(files.name[i], name, sizeof name)) {
            add_entry(w, name, shipped, json);
        }
    }
    lu_names_free(&files);
    lu_text_free(&folder);
}

void on_leagues_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    (void)r;
    lu_json_object(&json);
    lu_json_key_array(&json, "leagues");
    add_folder(w, w->app->options.runs, false, &json);
    add_runs(w, &json);
    if (*w->app->options.models) {
        add_folder(w, w->app->options.models, true, &json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
}

void on_league_get(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    results all;
    read_league(w, r->given[0], &all);
    if (all.count == 0) {
        answer_failed(answer, r, LU_NOT_FOUND);
        return;
    }
    lu_json_object(&json);
    lu_json_key_string(&json, "name", r->given[0]);
    lu_json_key_bool(&json, "shipped", all.shipped);
    lu_json_key_array(&json, "results");
    for (size_t i = 0; i < all.count; i++) {
        lu_json_value_write(&json, lu_json_root(all.row[i]));
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
    results_free(&all);
}
