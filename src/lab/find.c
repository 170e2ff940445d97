/* Finding runs and models by name, and reading what run.json says. */
#include "inside.h"

#include "ludus/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

lu_status run_blame(const char *path, lu_error *error) {
    lu_error inside = error ? *error : (lu_error){0};
    return lu_fail(error, LU_BAD_DATA, "%s is damaged: %.600s", path, inside.text);
}

lu_json_document *run_json(const char *folder, const char *name, lu_error *error) {
    lu_text path;
    char *bytes;
    size_t length;
    lu_json_document *document = NULL;
    lu_text_init(&path);
    if (lu_file_read(run_join(&path, folder, name), RUN_JSON_MOST, &bytes, &length, error) ==
        LU_OK) {
        document = lu_json_read(path.text, bytes, length, error);
        free(bytes);
    }
    if (document && lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
        lu_fail(error, LU_BAD_DATA, "%s: expected a JSON object", path.text);
        lu_json_close(document);
        document = NULL;
    }
    lu_text_free(&path);
    return document;
}

char *lu_run_fact(const char *path, const char *key, lu_error *error) {
    const char *text = NULL;
    char *copy = NULL;
    lu_text file;
    lu_json_document *document = run_json(path, RUN_FILE, error);
    lu_text_init(&file);
    if (document && lu_json_get_text(lu_json_root(document), key, &text, error) == LU_OK) {
        copy = lu_strdup(text);
    } else if (document) {
        run_blame(run_join(&file, path, RUN_FILE), error);
    }
    lu_text_free(&file);
    lu_json_close(document);
    return copy;
}

/* ---- runs ---- */

static bool is_run(const char *path, struct stat *about) {
    lu_text file;
    lu_text_init(&file);
    bool found = stat(run_join(&file, path, RUN_FILE), about) == 0 && S_ISREG(about->st_mode);
    lu_text_free(&file);
    return found;
}

static bool is_of(const char *path, const lu_game *game) {
    if (!game) {
        return true;
    }
    char *id = lu_run_fact(path, "game", NULL);
    bool same = id && strcmp(id, game->id) == 0;
    free(id);
    return same;
}

static bool later(const struct stat *a, const struct stat *b) {
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

static bool has_model(const char *run) {
    lu_text path;
    lu_text_init(&path);
    bool found = run_newest(run, &path);
    lu_text_free(&path);
    return found;
}

/* run.json is replaced at every checkpoint and at the end: its time is that of the run. With
 * `model` only runs that have a checkpoint count. */
static lu_status find_latest(const char *runs, const lu_game *game, bool model, lu_text *found,
                             lu_error *error) {
    struct stat best = {0}, about;
    lu_text path;
    lu_text_init(&path);
    DIR *list = opendir(runs);
    if (!list && errno != ENOENT) {
        lu_text_free(&path);
        return lu_fail(error, LU_IO, "cannot read the folder of runs %s: %s", runs,
                       strerror(errno));
    }
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] != '.' && is_run(run_join(&path, runs, entry->d_name), &about) &&
            (found->length == 0 || later(&about, &best)) && is_of(path.text, game) &&
            (!model || has_model(path.text))) {
            lu_text_clear(found);
            lu_text_add(found, path.text);
            best = about;
        }
    }
    if (list) {
        closedir(list);
    }
    lu_text_free(&path);
    return found->length > 0 ? LU_OK
                             : lu_fail(error, LU_NOT_FOUND,
                                       "there is no run%s%s in %s yet: `ludus train %s` makes one",
                                       game ? " of " : "", game ? game->name : "", runs,
                                       game ? game->name : "GAME");
}

enum { NAMES_MOST = 4096 };

static lu_status no_such(const char *runs, const char *name, lu_error *error) {
    char **names = lu_alloc_zero(NAMES_MOST, sizeof *names);
    size_t count = 0;
    struct stat about;
    lu_text path;
    lu_text_init(&path);
    DIR *list = opendir(runs);
    for (struct dirent *entry; list && count < NAMES_MOST && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] != '.' && is_run(run_join(&path, runs, entry->d_name), &about)) {
            names[count++] = lu_strdup(entry->d_name);
        }
    }
    if (list) {
        closedir(list);
    }
    lu_text_free(&path);
    const char *near = lu_nearest(name, (const char *const *)names, count);
    if (near) {
        lu_fail(error, LU_NOT_FOUND, "there is no run '%.200s' in %s; did you mean '%s'?", name,
                runs, near);
    } else {
        lu_fail(error, LU_NOT_FOUND,
                "there is no file and no run '%.200s' in %s; `latest` is the newest run", name,
                runs);
    }
    while (count > 0) {
        free(names[--count]);
    }
    free(names);
    return LU_NOT_FOUND;
}

lu_status lu_run_find(const char *runs, const char *name, const lu_game *game, lu_text *path,
                      lu_error *error) {
    struct stat about;
    lu_text_clear(path);
    if (strcmp(name, "latest") == 0) {
        return find_latest(runs, game, false, path, error);
    }
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') {
        length--;
    }
    lu_text_add_n(path, name, length);
    if (*name && is_run(path->text, &about)) {
        return LU_OK;
    }
    run_join(path, runs, name);
    if (*name && !strchr(name, '/') && is_run(path->text, &about)) {
        return LU_OK;
    }
    return no_such(runs, name, error);
}

lu_status lu_run_find_model(const char *runs, const char *name, const lu_game *game, lu_text *path,
                            lu_error *error) {
    struct stat about;
    lu_text run;
    lu_text_clear(path);
    if (stat(name, &about) == 0 && !S_ISDIR(about.st_mode)) {
        lu_text_add(path, name);
        return LU_OK;
    }
    /* what looks like a file is told as one */
    const char *dot = strrchr(name, '.');
    if (dot && (strcmp(dot, ".safetensors") == 0 || strcmp(dot, ".zip") == 0)) {
        return lu_fail(error, LU_NOT_FOUND, "there is no model file %.300s", name);
    }
    lu_text_init(&run);
    lu_status status = strcmp(name, "latest") == 0 ? find_latest(runs, game, true, &run, error)
                                                   : lu_run_find(runs, name, game, &run, error);
    if (status == LU_NOT_FOUND) { /* a run without a checkpoint is told as such */
        status = lu_run_find(runs, name, game, &run, error);
    }
    if (status == LU_OK && !run_newest(run.text, path)) {
        status = lu_fail(
            error, LU_NOT_FOUND,
            "run %s has no checkpoint yet; wait for its first one, or name another run", run.text);
    }
    if (status == LU_OK) {
        lu_text_add(path, "/" RUN_MODEL);
    }
    lu_text_free(&run);
    return status;
}

/* ---- settings ---- */

static bool in_list(const char *const *list, const char *key) {
    for (; *list; list++) {
        if (strcmp(*list, key) == 0) {
            return true;
        }
    }
    return false;
}

static lu_origin origin_of(const char *name) {
    static const char *const names[] = {"default", "preset", "file", "variable", "flag"};
    for (int i = 0; name && i < 5; i++) {
        if (strcmp(names[i], name) == 0) {
            return (lu_origin)i;
        }
    }
    return LU_FROM_FLAG;
}

static lu_status restore(lu_settings *settings, const lu_setting *row, const lu_json_value *entry,
                         lu_error *error) {
    const lu_json_value *value = lu_json_get(entry, "value");
    lu_origin origin = origin_of(lu_json_text(lu_json_get(entry, "origin"), NULL));
    const char *where = lu_json_text(lu_json_get(entry, "where"), NULL);
    lu_status status = LU_OK;
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        return lu_settings_set(settings, row->key, lu_json_text(value, NULL), origin,
                               where ? where : RUN_FILE, error);
    }
    for (size_t i = 0; i < lu_json_count(value) && status == LU_OK; i++) {
        const char *text = lu_json_text(lu_json_at(value, i), NULL);
        status = lu_settings_set(settings, row->key, text ? text : "", origin,
                                 where ? where : RUN_FILE, error);
    }
    return status;
}

lu_status lu_run_settings(const char *path, const char *const *own, const char *const *open,
                          lu_settings *settings, lu_error *error) {
    lu_json_document *document = run_json(path, RUN_FILE, error);
    if (!document) {
        return error->status;
    }
    lu_text file;
    lu_text_init(&file);
    run_join(&file, path, RUN_FILE);
    const lu_json_value *stored = lu_json_get(lu_json_root(document), "settings");
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_settings_rows(settings) && status == LU_OK; i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        const lu_json_value *entry = lu_json_get(stored, row->key);
        const char *was = lu_json_text(lu_json_get(entry, "value"), NULL);
        const char *now = lu_settings_text_of(settings, row->key);
        if (!entry || in_list(own, row->key)) {
            continue;
        }
        if (lu_settings_origin(settings, row->key) == LU_FROM_DEFAULT) {
            status =
                restore(settings, row, entry, error) == LU_OK ? LU_OK : run_blame(file.text, error);
        } else if (was && strcmp(was, now) != 0 && !in_list(open, row->key)) {
            status =
                lu_fail(error, LU_BAD_VALUE,
                        "'%s' = '%.100s', but the run was started with '%.100s': leave it out, "
                        "or start a new run",
                        row->key, now, was);
        }
    }
    lu_text_free(&file);
    lu_json_close(document);
    return status;
}
