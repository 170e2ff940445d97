/* Models: those published in the folder of models, and those of runs. */
#include "app.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_MOST = 1 << 20, RUNS_MOST = 50, PUBLISHED_MOST = 200 };
#define ENDING ".safetensors"
#define TYPE   "application/octet-stream"

/* Name without its ending when it is one that a path may hold. */
static bool is_published(const char *file, char *name, size_t room) {
    size_t length = strlen(file), tail = strlen(ENDING);
    if (length <= tail || length - tail >= room || strcmp(file + length - tail, ENDING) != 0) {
        return false;
    }
    snprintf(name, room, "%.*s", (int)(length - tail), file);
    const param plain = {.name = "name", .kind = PARAM_MODEL};
    return param_fits(&plain, name);
}

/* The header of a file of tensors, which is JSON behind its length; NULL when it is none. */
static lu_json_document *read_header(int file) {
    unsigned char length[8];
    uint64_t bytes = 0;
    lu_json_document *document = NULL;
    if (pread(file, length, 8, 0) == 8) {
        for (int i = 7; i >= 0; i--) {
            bytes = bytes << 8 | length[i];
        }
        char *text = bytes <= HEADER_MOST ? lu_alloc((size_t)bytes + 1) : NULL;
        if (text && pread(file, text, (size_t)bytes, 8) == (ssize_t)bytes) {
            document = lu_json_read("header", text, (size_t)bytes, NULL);
        }
        free(text);
    }
    close(file);
    return document;
}

static const char *note_of(const lu_json_document *header, const char *key) {
    const lu_json_value *notes = header ? lu_json_get(lu_json_root(header), "__metadata__") : NULL;
    const lu_json_value *value = lu_json_get(notes, key);
    return lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : NULL;
}

static void write_title(lu_json *json, const lu_json_document *header, const char *other) {
    const char *card = note_of(header, "ludus.card");
    lu_json_document *document = card ? lu_json_read("card", card, strlen(card), NULL) : NULL;
    const lu_json_value *title = document ? lu_json_get(lu_json_root(document), "title") : NULL;
    lu_json_key_string(json, "title",
                       lu_json_kind_of(title) == LU_JSON_STRING ? lu_json_text(title, NULL)
                                                                : other);
    lu_json_close(document);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the published models, sorted; the caller frees them. */
static size_t published(const app *a, char **names) {
    char name[128];
    size_t count = 0;
    lu_names files;
    lu_folder_names(a->options.models, "", &files, NULL);
    for (size_t i = 0; i < files.count && count < PUBLISHED_MOST; i++) {
        if (is_published(files.name[i], name, sizeof name)) {
            names[count++] = lu_strdup(name);
        }
    }
    lu_names_free(&files);
    if (count > 0) {
        qsort(names, count, sizeof *names, by_name);
    }
    return count;
}

static int open_published(const app *a, const char *name, size_t *size, char tag[64]) {
    char file[160];
    snprintf(file, sizeof file, "%s" ENDING, name);
    return open_beneath(a->options.models, (const char *[]){file, NULL}, size, tag);
}

static void write_published(const app *a, const char *name, lu_json *json) {
    size_t size;
    char tag[64], url[200];
    int file = open_published(a, name, &size, tag);
    lu_json_document *header = file >= 0 ? read_header(file) : NULL;
    const char *game = note_of(header, "ludus.game");
    if (game) {
        snprintf(url, sizeof url, "/api/v1/models/%s", name);
        lu_json_object(json);
        lu_json_key_string(json, "name", name);
        lu_json_key_string(json, "game", game);
        write_title(json, header, name);
        lu_json_key_string(json, "url", url);
        lu_json_key_int(json, "bytes", (int64_t)size);
        lu_json_object_end(json);
    }
    lu_json_close(header);
}

/* ---- models of runs ---- */

static int open_window(const app *a, const char *run_id, int64_t window, size_t *size,
                       char tag[64]) {
    char folder[40];
    snprintf(folder, sizeof folder, "ckpt_%06lld", (long long)window);
    static const char file[] = "model" ENDING;
    return open_beneath(a->options.runs,
                        (const char *[]){run_id, "checkpoints", folder, file, NULL}, size, tag);
}

static int64_t newest_window(const app *a, const char *run_id) {
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", a->options.runs, run_id);
    int64_t window = lu_run_newest_window(path.text);
    lu_text_free(&path);
    return window;
}

static void write_window(const app *a, const lu_run_entry *run, int64_t window, const char *word,
                         lu_json *json) {
    size_t size;
    char tag[64];
    const param plain = {.name = "run", .kind = PARAM_RUN};
    int file = window >= 0 && param_fits(&plain, run->run_id)
                   ? open_window(a, run->run_id, window, &size, tag)
                   : -1;
    if (file < 0) {
        return;
    }
    close(file);
    lu_text text = LU_TEXT_INIT;
    lu_json_object(json);
    lu_text_addf(&text, "%s:%s", run->run_id, word);
    lu_json_key_string(json, "name", text.text);
    lu_json_key_string(json, "game", run->game);
    lu_json_key_string(json, "run_id", run->run_id);
    lu_json_key_int(json, "window_id", window);
    lu_text_clear(&text);
    lu_text_addf(&text, "%s of %s, window %lld", word, run->run_id, (long long)window);
    lu_json_key_string(json, "title", text.text);
    lu_text_clear(&text);
    lu_text_addf(&text, "/api/v1/runs/%s/models/%lld", run->run_id, (long long)window);
    lu_json_key_string(json, "url", text.text);
    lu_json_key_int(json, "bytes", (int64_t)size);
    lu_json_object_end(json);
    lu_text_free(&text);
}

void on_models_list(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    lu_run_list list = {0};
    char *names[PUBLISHED_MOST];
    lu_catalogue *c = worker_catalogue(w, r, answer);
    if (!c) {
        return;
    }
    lu_status status = lu_catalogue_runs(c, &(lu_run_filter){.limit = RUNS_MOST}, &list, NULL);
    if (status != LU_OK) {
        answer_failed(answer, r, status);
        return;
    }
    size_t count = published(w->app, names);
    lu_json_object(&json);
    lu_json_key_array(&json, "models");
    for (size_t i = 0; i < count; i++) {
        write_published(w->app, names[i], &json);
        free(names[i]);
    }
    for (size_t i = 0; i < list.count; i++) {
        const lu_run_entry *run = &list.entry[i];
        write_window(w->app, run, newest_window(w->app, run->run_id), "latest", &json);
        write_window(w->app, run, run->best_window, "best", &json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
    lu_run_list_free(&list);
}

/* ---- files ---- */

static void answer_model(const http_request *r, http_answer *answer, int file, size_t size,
                         const char *tag) {
    if (file < 0) {
        answer_failed(answer, r, open_status(file));
        return;
    }
    answer_field(answer, "Cache-Control", "no-cache"); /* a checkpoint may be written again */
    answer_file(answer, r, file, size, tag, TYPE);
}

static int find_published(const app *a, const char *name, size_t *size, char tag[64]) {
    char *names[PUBLISHED_MOST];
    size_t count = published(a, names);
    int file = -1;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            file = open_published(a, names[i], size, tag);
        }
        free(names[i]);
    }
    return file;
}

/* `which`: a number, "latest" or "best". */
static int find_window(const app *a, const lu_run_entry *run, const char *which, size_t *size,
                       char tag[64]) {
    int64_t window = strcmp(which, "latest") == 0 ? newest_window(a, run->run_id)
                     : strcmp(which, "best") == 0 ? run->best_window
                                                  : strtoll(which, NULL, 10);
    return window >= 0 ? open_window(a, run->run_id, window, size, tag) : -1;
}

int worker_model(worker *w, const char *name, size_t *size, char tag[64]) {
    const param run_kind = {.name = "run", .kind = PARAM_RUN};
    const param window_kind = {.name = "window", .kind = PARAM_WINDOW};
    char run_name[128];
    lu_run_entry run;
    const char *colon = strchr(name, ':');
    if (!colon) {
        return find_published(w->app, name, size, tag);
    }
    snprintf(run_name, sizeof run_name, "%.*s", (int)(colon - name), name);
    if (!param_fits(&run_kind, run_name) || !param_fits(&window_kind, colon + 1) ||
        worker_find_run(w, run_name, &run) != LU_OK) {
        return -1;
    }
    int file = find_window(w->app, &run, colon + 1, size, tag);
    lu_run_entry_free(&run);
    return file;
}

void on_model_get(worker *w, const http_request *r, http_answer *answer) {
    size_t size = 0;
    char tag[64] = "";
    int file = find_published(w->app, r->given[0], &size, tag);
    answer_model(r, answer, file, size, tag);
}

void on_run_model_get(worker *w, const http_request *r, http_answer *answer) {
    size_t size = 0;
    char tag[64] = "";
    lu_run_entry run;
    if (worker_run(w, r, answer, &run)) {
        int file = find_window(w->app, &run, r->given[1], &size, tag);
        answer_model(r, answer, file, size, tag);
        lu_run_entry_free(&run);
    }
}
