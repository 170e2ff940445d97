/* Finding runs and models by name, and reading what run.json says. */
#include "run_files.h"

#include "ludus/catalogue.h"
#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

lu_status run_blame(const char *path, lu_error *error) {
    lu_error inside = error ? *error : (lu_error){0};
    return lu_fail(error, LU_BAD_DATA, "%s is damaged: %.600s", path, inside.text);
}

lu_json_document *run_json(const char *folder, const char *name, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    char *bytes;
    size_t length;
    lu_json_document *document = NULL;
    run_join(&path, folder, name);
    if (lu_file_read_beneath(folder, name, RUN_JSON_MOST, &bytes, &length, error) == LU_OK) {
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
    lu_text file = LU_TEXT_INIT;
    lu_json_document *document = run_json(path, RUN_FILE, error);
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
    lu_text file = LU_TEXT_INIT;
    bool found = lstat(run_join(&file, path, RUN_FILE), about) == 0 && S_ISREG(about->st_mode);
    lu_text_free(&file);
    return found;
}

bool run_is_of(const char *runs, const char *name, lu_text *path, struct stat *about) {
    return *name != '.' && lstat(run_join(path, runs, name), about) == 0 &&
           S_ISDIR(about->st_mode) && is_run(path->text, about);
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
    lu_text path = LU_TEXT_INIT;
    bool found = run_newest(run, &path);
    lu_text_free(&path);
    return found;
}

/* When a run was written last: by its rows, since people change run.json too. */
static void last_write(const char *run, struct stat *about) {
    struct stat rows;
    lu_text path = LU_TEXT_INIT;
    if (lstat(run_join(&path, run, RUN_UPDATES), &rows) == 0) {
        about->st_mtim = rows.st_mtim;
    }
    lu_text_free(&path);
}

/* With `model` only runs that have a checkpoint count. */
static lu_status find_latest(const char *runs, const lu_game *game, bool model, lu_text *found,
                             lu_error *error) {
    struct stat best = {0}, about;
    lu_text path = LU_TEXT_INIT;
    lu_names names;
    lu_status status = lu_folder_names(runs, "", &names, error);
    for (size_t i = 0; i < names.count; i++) {
        if (!run_is_of(runs, names.name[i], &path, &about)) {
            continue;
        }
        last_write(path.text, &about);
        if ((found->length == 0 || later(&about, &best)) && is_of(path.text, game) &&
            (!model || has_model(path.text))) {
            lu_text_clear(found);
            lu_text_add(found, path.text);
            best = about;
        }
    }
    lu_names_free(&names);
    lu_text_free(&path);
    if (status != LU_OK && status != LU_NOT_FOUND) {
        return status;
    }
    return found->length > 0 ? LU_OK
                             : lu_fail(error, LU_NOT_FOUND,
                                       "there is no run%s%s in %s yet: `ludus train %s` starts one",
                                       game ? " of " : "", game ? game->name : "", runs,
                                       game ? game->name : "GAME");
}

/* That no run of the game of the newest run is evaluated, with the best run of another game. */
static lu_status no_best(lu_catalogue *catalogue, const char *id, lu_error *error) {
    lu_run_list list = {0};
    lu_run_entry other = {0};
    bool found = false;
    (void)lu_catalogue_runs(catalogue, &(lu_run_filter){0}, &list, NULL);
    for (size_t i = 0; i < list.count && !found; i++) {
        found = lu_catalogue_best_run(catalogue, list.entry[i].game, &other, NULL) == LU_OK;
    }
    lu_run_list_free(&list);
    lu_fail(error, LU_NOT_FOUND,
            "`best` is of %s, the game of the newest run, which has no evaluated run%s%s%s%s", id,
            found ? "; the best of " : "; archived ones do not count", found ? other.game : "",
            found ? " is " : "", found ? other.run_id : "");
    if (found) {
        lu_run_entry_free(&other);
    }
    return LU_NOT_FOUND;
}

/* The run of a game with the best evaluation; without a game, of that of the newest run. */
static lu_status find_best(const char *runs, const lu_game *game, lu_text *found, lu_error *error) {
    lu_run_entry entry = {0};
    lu_text latest = LU_TEXT_INIT;
    char *id = NULL;
    lu_status status = find_latest(runs, game, false, &latest, error);
    if (status == LU_OK) {
        id = lu_run_fact(latest.text, "game", error);
        status = id ? LU_OK : LU_BAD_DATA;
    }
    lu_text_free(&latest);
    lu_catalogue *catalogue =
        status == LU_OK ? lu_catalogue_open(runs, LU_CATALOGUE_WRITE, error) : NULL;
    if (catalogue) {
        status = lu_catalogue_sync_all(catalogue, NULL, NULL, error);
    } else if (status == LU_OK) {
        status = error ? error->status : LU_FAILED;
    }
    LU_THEN(status, lu_catalogue_best_run(catalogue, id, &entry, error));
    if (status == LU_NOT_FOUND && catalogue && !game) {
        status = no_best(catalogue, id, error);
    }
    if (status == LU_OK) {
        run_join(found, runs, entry.run_id);
        lu_run_entry_free(&entry);
    }
    lu_catalogue_close(catalogue);
    free(id);
    return status;
}

/* A run by what its id begins with; LU_NOT_FOUND where none begins so, or several do. */
static lu_status find_start(const char *runs, const char *start, lu_text *found, lu_error *error) {
    lu_names names;
    const char **known, *first = NULL, *last = NULL;
    size_t count = 0, begin = 0;
    struct stat about;
    lu_folder_names(runs, "", &names, NULL);
    known = lu_alloc_zero(names.count + 1, sizeof *known);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.name[i];
        if (!run_is_of(runs, name, found, &about)) {
            continue;
        }
        known[count++] = name;
        if (*start && strncmp(name, start, strlen(start)) == 0) {
            first = begin++ == 0 ? name : first;
            last = name;
        }
    }
    lu_status status = begin == 1 ? LU_OK : LU_NOT_FOUND;
    const char *near = lu_nearest(start, known, count);
    if (begin == 1) {
        run_join(found, runs, first);
    } else if (begin > 1) {
        lu_fail(error, status,
                "'%.200s' matches %zu runs in %s, such as '%s' and '%s': type more of it", start,
                begin, runs, first, last);
    } else if (near) {
        lu_fail(error, status, "there is no run '%.200s' in %s; did you mean '%s'?", start, runs,
                near);
    } else {
        lu_fail(error, status,
                "there is no file and no run '%.200s' in %s; `latest` is the newest run", start,
                runs);
    }
    free(known);
    lu_names_free(&names);
    return status;
}

/* A run by a link, such as that of its experiment, is the run itself. */
static void follow_link(lu_text *path) {
    struct stat about;
    char *whole = lstat(path->text, &about) == 0 && S_ISLNK(about.st_mode)
                      ? realpath(path->text, NULL)
                      : NULL;
    if (whole) {
        lu_text_clear(path);
        lu_text_add(path, whole);
    }
    free(whole);
}

/* A name inside of RUNS: of a run, or of one of its exploiters, ID/exploiters/NAME. */
static bool is_inside(const char *name) {
    static const char between[] = "/" RUN_EXPLOITERS "/";
    const char *slash = strchr(name, '/');
    bool plain = !slash && *name;
    bool exploiter =
        slash && slash > name && name[0] != '.' && strncmp(slash, between, sizeof between - 1) == 0;
    const char *rest = exploiter ? slash + sizeof between - 1 : ".";
    return plain || (*rest && *rest != '.' && !strchr(rest, '/'));
}

/* The newest run of an experiment, by the link beside the folder of the runs. */
static bool find_experiment(const char *runs, const char *name, lu_text *path) {
    struct stat about;
    lu_text_clear(path);
    lu_text_addf(path, "%s/../experiments/%s", runs, name);
    bool found = run_is_id(name) && is_run(path->text, &about);
    if (found) {
        follow_link(path);
    }
    return found;
}

lu_status lu_run_find(const char *runs, const char *name, const lu_game *game, lu_text *path,
                      lu_error *error) {
    struct stat about;
    lu_text_clear(path);
    if (strcmp(name, "latest") == 0) {
        return find_latest(runs, game, false, path, error);
    }
    if (strcmp(name, "best") == 0) {
        return find_best(runs, game, path, error);
    }
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') {
        length--;
    }
    lu_text_add_n(path, name, length);
    if (*name && is_run(path->text, &about)) {
        follow_link(path);
        return LU_OK;
    }
    if ((is_inside(name) && run_is_of(runs, name, path, &about)) ||
        find_experiment(runs, name, path)) {
        return LU_OK;
    }
    return find_start(runs, name, path, error);
}

/* ---- models ---- */

int64_t run_best_window(const char *run) {
    lu_rows rows;
    int64_t best = -1;
    if (lu_rows_read(run, LU_EVALS, &rows, NULL) == LU_OK && rows.count > 0) {
        const lu_json_value *last = lu_rows_at(&rows, rows.count - 1);
        best = (int64_t)lu_json_real_or(lu_json_get(last, "best_window"), -1.0);
    }
    lu_rows_free(&rows);
    return best;
}

/* Path of the model of one window: a number, `best` or `latest`. */
static lu_status find_window(const char *run, const char *which, lu_text *path, lu_error *error) {
    int64_t window = -1;
    if (strcmp(which, "latest") == 0) {
        window = lu_run_newest_window(run);
    } else if (strcmp(which, "best") == 0) {
        window = run_best_window(run);
        if (window < 0) {
            return lu_fail(
                error, LU_NOT_FOUND,
                "no window of run %s has been evaluated yet: `ludus eval --follow %s` does it", run,
                run);
        }
    } else if (lu_parse_i64("window", which, 0, INT64_MAX, &window, NULL) != LU_OK) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%.60s' isn't a window of run %s: give a number, `best` or `latest`", which,
                       run);
    }
    if (window < 0) {
        return lu_fail(error, LU_NOT_FOUND,
                       "run %s has no checkpoint yet; wait for the first one, or name another run",
                       run);
    }
    lu_run_window_path(run, window, path);
    lu_text_add(path, "/" RUN_MODEL);
    return lu_file_is_beneath(run, path->text + strlen(run) + 1)
               ? LU_OK
               : lu_fail(error, LU_NOT_FOUND, "run %s has no checkpoint of window %lld", run,
                         (long long)window);
}

/* The run of RUN:WHICH, or of RUN, and where the text behind the colon begins (NULL: none). */
static lu_status find_with_window(const char *runs, const char *name, const lu_game *game,
                                  lu_text *run, const char **which, lu_error *error) {
    lu_error whole = {0};
    const char *colon = strrchr(name, ':');
    lu_status status = strcmp(name, "latest") == 0 ? find_latest(runs, game, true, run, &whole)
                                                   : lu_run_find(runs, name, game, run, &whole);
    *which = NULL;
    if (status == LU_NOT_FOUND && strcmp(name, "latest") == 0) {
        /* a run without a checkpoint is told as such */
        status = lu_run_find(runs, name, game, run, &whole);
    }
    if (status == LU_NOT_FOUND && colon) {
        lu_text front = LU_TEXT_INIT;
        lu_text_add_n(&front, name, (size_t)(colon - name));
        status = lu_run_find(runs, front.text, game, run, &whole);
        *which = colon + 1;
        lu_text_free(&front);
    }
    return status == LU_OK ? LU_OK : lu_fail(error, status, "%s", whole.text);
}

lu_status lu_run_game(const char *runs, const char *name, const lu_game **game, lu_error *error) {
    const char *which;
    lu_text run = LU_TEXT_INIT;
    lu_status status = find_with_window(runs, name, NULL, &run, &which, error);
    char *id = status == LU_OK ? lu_run_fact(run.text, "game", error) : NULL;
    *game = id ? lu_game_find(id, error) : NULL;
    free(id);
    lu_text_free(&run);
    return *game ? LU_OK : error->status;
}

bool lu_published_model(const char *name, lu_text *path) {
    lu_text_clear(path);
    if (!lu_share() || !*name || *name == '.' || strchr(name, '/')) {
        return false;
    }
    lu_text_addf(path, "%s/models/%s.safetensors", lu_share(), name);
    return lu_file_exists(path->text);
}

lu_status lu_run_find_model(const char *runs, const char *name, const lu_game *game, lu_text *path,
                            lu_error *error) {
    struct stat about;
    const char *which;
    lu_text run = LU_TEXT_INIT;
    lu_text_clear(path);
    if (stat(name, &about) == 0 && !S_ISDIR(about.st_mode)) {
        lu_text_add(path, name);
        return LU_OK;
    }
    lu_text_addf(path, "%s/" RUN_MODEL, name); /* the folder of a checkpoint */
    if (*name && stat(path->text, &about) == 0 && S_ISREG(about.st_mode)) {
        return LU_OK;
    }
    if (lu_published_model(name, path)) {
        return LU_OK;
    }
    lu_text_clear(path);
    /* what looks like a file is told as one */
    const char *dot = strrchr(name, '.');
    if (dot && (strcmp(dot, ".safetensors") == 0 || strcmp(dot, ".zip") == 0)) {
        return lu_fail(error, LU_NOT_FOUND, "there is no model file %.300s", name);
    }
    lu_status status = find_with_window(runs, name, game, &run, &which, error);
    if (status == LU_OK) {
        const char *plain = strcmp(name, "best") == 0 ? "best" : "latest";
        status = find_window(run.text, which ? which : plain, path, error);
    }
    lu_text_free(&run);
    return status;
}

lu_status lu_run_find_player(const void *runs, const char *name, const lu_game *game, lu_text *path,
                             lu_error *error) {
    return lu_run_find_model(runs, name, game, path, error);
}

/* ---- settings ---- */

bool run_listed(const char *const *list, const char *word) {
    for (; list && *list; list++) {
        if (strcmp(*list, word) == 0) {
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

/* What a run keeps of a setting, be it under an alias. */
static const lu_json_value *stored_entry(const lu_settings *settings, const lu_json_value *stored,
                                         const char *key) {
    const lu_json_value *entry = lu_json_get(stored, key);
    for (size_t i = 0; i < lu_settings_aliases(settings) && !entry; i++) {
        const lu_setting *alias = lu_settings_alias(settings, i);
        entry = strcmp(alias->initial, key) == 0 ? lu_json_get(stored, alias->key) : NULL;
    }
    return entry;
}

/* All values of a setting that may be given several times, as one text: a' 'b. */
static void add_value(lu_text *all, const char *value) {
    lu_text_addf(all, "%s%s", all->length ? "' '" : "", value ? value : "");
}

/* Fails where a setting has other values than the run keeps. */
static lu_status check_kept(const lu_settings *settings, const char *key,
                            const lu_json_value *value, lu_error *error) {
    lu_text was = LU_TEXT_INIT, given = LU_TEXT_INIT;
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        add_value(&was, lu_json_text(value, NULL));
    }
    for (size_t i = 0; i < lu_json_count(value); i++) {
        add_value(&was, lu_json_text(lu_json_at(value, i), NULL));
    }
    for (size_t i = 0; i < lu_settings_count(settings, key); i++) {
        add_value(&given, lu_settings_nth(settings, key, i));
    }
    lu_status status = LU_OK;
    if (strcmp(was.text, given.text) != 0) {
        status = lu_fail(error, LU_BAD_VALUE,
                         "'%s' = '%.100s', but the run was started with '%.100s': leave it out, "
                         "or start a new run",
                         key, given.text, was.text);
    }
    lu_text_free(&was);
    lu_text_free(&given);
    return status;
}

lu_status lu_run_settings(const char *path, const char *const *own, const char *const *open,
                          lu_settings *settings, lu_error *error) {
    lu_json_document *document = run_json(path, RUN_FILE, error);
    if (!document) {
        return error->status;
    }
    lu_text file = LU_TEXT_INIT;
    run_join(&file, path, RUN_FILE);
    const lu_json_value *stored = lu_json_get(lu_json_root(document), "settings");
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_settings_rows(settings) && status == LU_OK; i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        const lu_json_value *entry = stored_entry(settings, stored, row->key);
        if (!entry || run_listed(own, row->key)) {
            continue;
        }
        if (lu_settings_origin(settings, row->key) == LU_FROM_DEFAULT) {
            status =
                restore(settings, row, entry, error) == LU_OK ? LU_OK : run_blame(file.text, error);
        } else if (!run_listed(open, row->key)) {
            status = check_kept(settings, row->key, lu_json_get(entry, "value"), error);
        }
    }
    lu_text_free(&file);
    lu_json_close(document);
    return status;
}
