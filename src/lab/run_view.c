/* A run with all that its folder tells: see ludus/run_view.h. It is read through a catalogue in
 * memory, so that a run of any folder shows the same, and nothing is written by looking at it. */
#include "ludus/run_view.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

enum { FACTS_MOST = 16 << 20 };

/* ---- reading ---- */

static lu_json_document *read_facts(const char *path) {
    char *bytes;
    size_t length;
    lu_json_document *document = NULL;
    if (lu_file_read_beneath(path, "run.json", FACTS_MOST, &bytes, &length, NULL) == LU_OK) {
        document = lu_json_read("run.json", bytes, length, NULL);
        free(bytes);
    }
    return document;
}

static lu_status read_entries(lu_run_view *v, lu_catalogue *c, const char *id, lu_error *error) {
    lu_run_list list = {0};
    lu_status status = lu_catalogue_sync(c, id, error);
    LU_THEN(status,
            lu_catalogue_runs(c, &(lu_run_filter){.run_id = id, .archived = -1}, &list, error));
    if (status == LU_OK && list.count != 1) {
        status = lu_fail(error, LU_NOT_FOUND, "run %.300s is gone: it was removed meanwhile", id);
    }
    if (status != LU_OK) {
        lu_run_list_free(&list);
        return status;
    }
    v->entry = list.entry[0];
    free(list.entry);
    LU_TRY(lu_catalogue_windows(c, id, 0, 0, &v->windows, error));
    LU_TRY(lu_catalogue_evaluations(c, id, 0, 0, &v->evaluations, error));
    return lu_catalogue_replays(c, &(lu_replay_filter){.window_id = -1}, &v->replays, error);
}

/* "." and the like say no name: the real path does. */
static void name_path(lu_text *path) {
    const char *slash = strrchr(path->text, '/'), *last = slash ? slash + 1 : path->text;
    char *real =
        strcmp(last, ".") == 0 || strcmp(last, "..") == 0 ? realpath(path->text, NULL) : NULL;
    if (real) {
        lu_text_clear(path);
        lu_text_add(path, real);
        free(real);
    }
}

lu_status lu_run_view_open(lu_run_view *v, const lu_settings *settings, const char *name,
                           lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    *v = (lu_run_view){0};
    lu_text_init(&v->path);
    lu_run_place(settings, &runs);
    lu_status status = lu_run_find(runs.text, name, NULL, &v->path, error);
    if (status == LU_OK) {
        name_path(&v->path);
        const char *slash = strrchr(v->path.text, '/');
        lu_text_clear(&runs);
        lu_text_add_n(&runs, slash ? v->path.text : ".",
                      slash ? (size_t)(slash - v->path.text) : 1);
        lu_catalogue *c =
            lu_catalogue_open(slash == v->path.text ? "/" : runs.text, LU_CATALOGUE_MEMORY, error);
        status = c ? read_entries(v, c, slash ? slash + 1 : v->path.text, error) : error->status;
        lu_catalogue_close(c);
        v->facts = read_facts(v->path.text);
    }
    lu_text_free(&runs);
    if (status != LU_OK) {
        lu_run_view_close(v);
    }
    return status;
}

void lu_run_view_close(lu_run_view *v) {
    lu_json_close(v->facts);
    lu_run_entry_free(&v->entry);
    lu_window_list_free(&v->windows);
    lu_evaluation_list_free(&v->evaluations);
    lu_replay_list_free(&v->replays);
    lu_text_free(&v->path);
    *v = (lu_run_view){0};
}

/* ---- settings ---- */

static const lu_json_value *settings_of(const lu_run_view *v) {
    return v->facts ? lu_json_get(lu_json_root(v->facts), "settings") : NULL;
}

static void fill_setting(lu_run_setting *s, const char *key, const lu_json_value *entry) {
    const lu_json_value *value = lu_json_get(entry, "value");
    const char *text = lu_json_text(value, NULL);
    const char *origin = lu_json_text(lu_json_get(entry, "origin"), NULL);
    const char *where = lu_json_text(lu_json_get(entry, "where"), NULL);
    *s = (lu_run_setting){.key = key, .origin = origin ? origin : "", .where = where ? where : ""};
    lu_text_init(&s->value);
    lu_text_add(&s->value, text ? text : "");
    for (size_t i = 0; i < lu_json_count(value); i++) { /* a setting that may be given repeatedly */
        text = lu_json_text(lu_json_at(value, i), NULL);
        lu_text_addf(&s->value, "%s%s", i ? " " : "", text ? text : "");
    }
}

bool lu_run_setting_at(const lu_run_view *v, size_t index, lu_run_setting *setting) {
    const char *key;
    const lu_json_value *entry = lu_json_member(settings_of(v), index, &key);
    if (entry) {
        fill_setting(setting, key, entry);
    }
    return entry != NULL;
}

bool lu_run_setting_of(const lu_run_view *v, const char *key, lu_run_setting *setting) {
    const lu_json_value *entry = lu_json_get(settings_of(v), key);
    if (entry) {
        fill_setting(setting, key, entry);
    }
    return entry != NULL;
}

void lu_run_setting_free(lu_run_setting *setting) {
    lu_text_free(&setting->value);
}
