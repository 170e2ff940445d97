/* Runs, their windows and their evaluations. */
#include "app.h"

#include <stdlib.h>
#include <string.h>

enum { FACTS_MOST = 16 << 20, PAGE_BYTES = 1 << 20 };

/* ---- files of a run ---- */

/* A JSON file in the folder of a run; NULL when there is none that can be read. */
static lu_json_document *read_json(const app *a, const char *run_id, const char *folder,
                                   const char *name) {
    size_t size;
    char tag[64];
    const char *names[] = {run_id, folder ? folder : name, folder ? name : NULL, NULL};
    int file = open_beneath(a->options.runs, names, &size, tag);
    char *bytes = file >= 0 ? read_whole(file, size, FACTS_MOST) : NULL;
    lu_json_document *document = bytes ? lu_json_read(name, bytes, size, NULL) : NULL;
    free(bytes);
    return document;
}

/* Letters that need no care in an address. */
static bool is_plain(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
                      (text[i] >= '0' && text[i] <= '9') || strchr("-_.", text[i]);
        if (!letter || !text[i]) {
            return false;
        }
    }
    return length > 0 && length < 200;
}

/* The address of a run at Weights & Biases from a target "https://api.wandb.ai ENTITY/PROJECT" of
 * wandb/cursor.json; false when the target has no entity or is no such address. */
static bool wandb_address(const char *target, const char *run_id, lu_text *url) {
    const char *blank = strchr(target, ' '), *slash = blank ? strchr(blank, '/') : NULL;
    bool secure = strncmp(target, "https://", 8) == 0;
    size_t scheme = secure ? 8 : strncmp(target, "http://", 7) == 0 ? 7 : 0;
    if (!slash || !scheme || !is_plain(blank + 1, (size_t)(slash - blank) - 1) ||
        !is_plain(slash + 1, strlen(slash + 1)) || !is_plain(run_id, strlen(run_id))) {
        return false;
    }
    const char *host = target + scheme;
    size_t length = (size_t)(blank - host), name = strcspn(host, ": ");
    name = name < length ? name : length;
    if (!is_plain(host, name) || strspn(host + name, ":0123456789") != length - name) {
        return false;
    }
    if (length == 12 && strncmp(host, "api.wandb.ai", 12) == 0) {
        host += 4; /* pages are at wandb.ai */
        length -= 4;
    }
    lu_text_addf(url, "%.*s%.*s/%s/runs/%s", (int)scheme, target, (int)length, host, blank + 1,
                 run_id);
    return true;
}

static void write_wandb(const app *a, const char *run_id, lu_json *json) {
    lu_text url = LU_TEXT_INIT;
    lu_json_document *cursor = read_json(a, run_id, "wandb", "cursor.json");
    const lu_json_value *targets = cursor ? lu_json_get(lu_json_root(cursor), "targets") : NULL;
    bool found = false;
    for (size_t i = 0; i < lu_json_count(targets) && !found; i++) {
        const char *key;
        if (lu_json_member(targets, i, &key)) {
            found = wandb_address(key, run_id, &url);
        }
    }
    lu_json_key_string(json, "wandb", found ? url.text : NULL);
    lu_json_close(cursor);
    lu_text_free(&url);
}

/* ---- the list ---- */

static lu_status ask_runs(lu_catalogue *c, const http_request *r, lu_run_list *list) {
    lu_run_filter filter = {
        .game = request_parameter(r, "game"),
        .status = request_parameter(r, "status"),
        .tag = request_parameter(r, "tag"),
        .archived = param_bool(r, "archived", false),
    };
    return lu_catalogue_runs(c, &filter, list, NULL);
}

/* True when an entry comes behind the one that the cursor tells of. */
static bool is_behind(const lu_run_entry *e, const char *started, const char *run_id) {
    int order = strcmp(e->started, started);
    return order < 0 || (order == 0 && strcmp(e->run_id, run_id) < 0);
}

void on_runs_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json;
    lu_run_list list = {0};
    char *room = NULL;
    const char *place[2] = {NULL, NULL}, *cursor = request_parameter(r, "cursor");
    int64_t limit = param_int(r, "limit", 50), count = 0;
    if (cursor && !cursor_read(cursor, &room, place, 2)) {
        answer_problem(answer, r, 422, "bad-parameter", "cursor", "the cursor isn't valid");
        return;
    }
    lu_catalogue *c = worker_catalogue(w, r, answer);
    lu_status status = c ? ask_runs(c, r, &list) : LU_FAILED;
    if (c && status != LU_OK) {
        answer_failed(answer, r, status);
    }
    if (status == LU_OK) {
        size_t i = 0;
        const lu_run_entry *last = NULL;
        while (cursor && i < list.count && !is_behind(&list.entry[i], place[0], place[1])) {
            i++;
        }
        lu_json_init(&json);
        lu_json_object(&json);
        lu_json_key_array(&json, "runs");
        for (; i < list.count && count < limit; i++, count++) {
            last = &list.entry[i];
            lu_json_object(&json);
            lu_run_entry_write(last, &json);
            lu_json_object_end(&json);
        }
        lu_json_array_end(&json);
        if (i < list.count && last) {
            cursor_write(&json, (const char *[]){last->started, last->run_id}, 2);
        } else {
            lu_json_key(&json, "next");
            lu_json_null(&json);
        }
        lu_json_object_end(&json);
        answer_json(answer, 200, &json);
    }
    free(room);
    lu_run_list_free(&list);
}

/* ---- one run ---- */

void on_run_get(worker *w, const http_request *r, http_answer *answer) {
    lu_json json;
    lu_run_entry entry;
    if (!worker_run(w, r, answer, &entry)) {
        return;
    }
    lu_json_document *facts = read_json(w->app, entry.run_id, NULL, "run.json");
    lu_json_init(&json);
    lu_json_object(&json);
    lu_run_entry_write(&entry, &json);
    lu_run_facts_write(facts ? lu_json_root(facts) : NULL, &json);
    if (*entry.problem) { /* what it says of files stays inside */
        lu_json_key_string(&json, "problem",
                           "files of this run are damaged: `ludus runs show` "
                           "says which");
    }
    write_wandb(w->app, entry.run_id, &json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
    lu_json_close(facts);
    lu_run_entry_free(&entry);
}

/* ---- rows ---- */

/* `next` is the number of the window that the next page begins with. */
static void write_next(lu_json *json, bool more, int64_t next) {
    lu_json_array_end(json);
    lu_json_key(json, "next");
    if (more) {
        char text[24];
        snprintf(text, sizeof text, "%lld", (long long)next);
        lu_json_string(json, text);
    } else {
        lu_json_null(json);
    }
    lu_json_object_end(json);
}

void on_windows_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json;
    lu_run_entry run;
    lu_window_list list = {0};
    int64_t limit = param_int(r, "limit", 50);
    size_t i = 0;
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    lu_status status = lu_catalogue_windows(w->catalogue, run.run_id, param_int(r, "from", 0),
                                            limit + 1, &list, NULL);
    if (status == LU_OK) {
        lu_json_init(&json);
        lu_json_object(&json);
        lu_json_key_array(&json, "windows");
        for (; i < list.count && i < (size_t)limit && json.length < PAGE_BYTES; i++) {
            lu_json_raw(&json, list.entry[i].row, strlen(list.entry[i].row));
        }
        write_next(&json, i < list.count, i < list.count ? list.entry[i].window_id : 0);
        answer_json(answer, 200, &json);
    } else {
        answer_failed(answer, r, status);
    }
    lu_window_list_free(&list);
    lu_run_entry_free(&run);
}

/* The row of an evaluation; its report only when all is wanted. */
static void write_evaluation(lu_json *json, const char *row, bool full) {
    lu_json_document *document = full ? NULL : lu_json_read("row", row, strlen(row), NULL);
    if (!document) {
        lu_json_raw(json, row, strlen(row));
        return;
    }
    const lu_json_value *root = lu_json_root(document);
    lu_json_object(json);
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        if (strcmp(key, "report") != 0) {
            lu_json_key_value(json, key, value);
        }
    }
    lu_json_object_end(json);
    lu_json_close(document);
}

void on_evaluations_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json;
    lu_run_entry run;
    lu_evaluation_list list = {0};
    int64_t limit = param_int(r, "limit", 50);
    bool full = param_bool(r, "full", false);
    size_t i = 0;
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    lu_status status = lu_catalogue_evaluations(w->catalogue, run.run_id, param_int(r, "from", 0),
                                                limit + 1, &list, NULL);
    if (status == LU_OK) {
        lu_json_init(&json);
        lu_json_object(&json);
        lu_json_key_array(&json, "evaluations");
        for (; i < list.count && i < (size_t)limit && json.length < PAGE_BYTES; i++) {
            write_evaluation(&json, list.entry[i].row, full);
        }
        write_next(&json, i < list.count, i < list.count ? list.entry[i].window_id : 0);
        answer_json(answer, 200, &json);
    } else {
        answer_failed(answer, r, status);
    }
    lu_evaluation_list_free(&list);
    lu_run_entry_free(&run);
}
