/* Finding replays by name: a file, an id, or a run with a window. Ids come from files of a run and
 * make a path only when they look like ids. */
#include "run_files.h"

#include "ludus/catalogue.h"
#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REPLAYS "replays"
#define SUFFIX  ".ludus"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* replay-000007-1a2b3c4d: six digits or more, eight hex digits. */
static bool is_id(const char *name) {
    if (!name || strncmp(name, "replay-", 7) != 0) {
        return false;
    }
    size_t digits = strspn(name + 7, "0123456789");
    const char *hex = name + 7 + digits;
    return digits >= 6 && digits <= 15 && *hex == '-' && strspn(hex + 1, "0123456789abcdef") == 8 &&
           hex[9] == 0;
}

/* RUN/replays/ID.ludus, when it is there. */
static bool replay_path(const char *run, const char *id, lu_text *path, struct stat *about) {
    lu_text_clear(path);
    lu_text_addf(path, "%s/" REPLAYS "/%s" SUFFIX, run, id);
    return lu_file_is_beneath(run, path->text + strlen(run) + 1) && lstat(path->text, about) == 0;
}

/* ---- by id ---- */

static bool is_of(const char *run, const lu_game *game) {
    char *id = game ? lu_run_fact(run, "game", NULL) : NULL;
    bool same = !game || (id && strcmp(id, game->id) == 0);
    free(id);
    return same;
}

/* Trainings that are alike may leave equal ids: the file written last is taken. */
static lu_status find_id(const char *runs, const char *id, const lu_game *game, lu_text *found,
                         lu_error *error) {
    struct stat about;
    struct timespec newest = {0};
    lu_text run = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_names names;
    lu_folder_names(runs, "", &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        if (!run_is_of(runs, names.name[i], &run, &about) ||
            !replay_path(run.text, id, &path, &about) || !is_of(run.text, game)) {
            continue;
        }
        const struct timespec *at = &about.st_mtim;
        if (found->length == 0 || at->tv_sec > newest.tv_sec ||
            (at->tv_sec == newest.tv_sec && at->tv_nsec > newest.tv_nsec)) {
            lu_text_clear(found);
            lu_text_add(found, path.text);
            newest = *at;
        }
    }
    lu_names_free(&names);
    lu_text_free(&run);
    lu_text_free(&path);
    return found->length > 0 ? LU_OK
                             : lu_fail(error, LU_NOT_FOUND, "no run%s%s in %s has a replay %s",
                                       game ? " of " : "", game ? game->name : "", runs, id);
}

/* ---- by run and window ---- */

static lu_status has_none(const char *run, int64_t window, lu_error *error) {
    if (window < 0) {
        return lu_fail(error, LU_NOT_FOUND,
                       "run %s has no %sreplay yet: its evaluator writes some for every window",
                       run, window == LU_BEST_WINDOW ? "best " : "");
    }
    return lu_fail(error, LU_NOT_FOUND, "run %s has no replay of window %lld", run,
                   (long long)window);
}

static lu_status find_window(const char *run, int64_t window, lu_text *path, lu_error *error) {
    struct stat about;
    lu_replay_entry entry;
    lu_status status = lu_replay_index_window(run, window, &entry, error);
    if (status != LU_OK) {
        return status == LU_NOT_FOUND ? has_none(run, window, error) : status;
    }
    if (!is_id(entry.replay_id)) {
        status =
            lu_fail(error, LU_BAD_DATA,
                    "run %s is damaged: a row of " RUN_EVALS " has a replay without an id", run);
    } else if (!replay_path(run, entry.replay_id, path, &about)) {
        status = lu_fail(error, LU_NOT_FOUND, "run %s no longer has its replay %s", run,
                         entry.replay_id);
    }
    lu_replay_entry_free(&entry);
    return status;
}

/* What stands behind the colon of RUN:WHICH. */
static lu_status find_which(const char *run, const char *which, lu_text *path, lu_error *error) {
    struct stat about;
    int64_t window;
    if (is_id(which)) {
        return replay_path(run, which, path, &about)
                   ? LU_OK
                   : lu_fail(error, LU_NOT_FOUND, "run %s has no replay %s", run, which);
    }
    if (strcmp(which, "best") == 0 || strcmp(which, "latest") == 0) {
        return find_window(run, *which == 'b' ? LU_BEST_WINDOW : LU_NEWEST_WINDOW, path, error);
    }
    if (lu_parse_i64("window", which, 0, INT64_MAX, &window, NULL) != LU_OK) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%.60s' isn't a window of run %s: give a number, `best` or `latest`", which,
                       run);
    }
    return find_window(run, window, path, error);
}

static lu_status find_run(const char *runs, const char *name, const lu_game *game, lu_text *path,
                          lu_error *error) {
    lu_error whole;
    lu_text run = LU_TEXT_INIT;
    lu_status status = lu_run_find(runs, name, game, &run, &whole);
    const char *colon = strrchr(name, ':');
    if (status == LU_OK) {
        bool best = strcmp(name, "best") == 0;
        status = find_window(run.text, best ? LU_BEST_WINDOW : LU_NEWEST_WINDOW, path, error);
    } else if (status == LU_NOT_FOUND && colon) {
        lu_text front = LU_TEXT_INIT;
        lu_text_add_n(&front, name, (size_t)(colon - name));
        status = lu_run_find(runs, front.text, game, &run, error);
        lu_text_free(&front);
        LU_THEN(status, find_which(run.text, colon + 1, path, error));
    } else {
        lu_fail(error, status, "%s", whole.text);
    }
    lu_text_free(&run);
    return status;
}

lu_status lu_run_find_replay(const char *runs, const char *name, const lu_game *game, lu_text *path,
                             lu_error *error) {
    struct stat about;
    lu_text_clear(path);
    if (stat(name, &about) == 0 && !S_ISDIR(about.st_mode)) {
        lu_text_add(path, name);
        return LU_OK;
    }
    if (ends_with(name, SUFFIX)) { /* what looks like a file is told as one */
        return lu_fail(error, LU_NOT_FOUND, "there is no replay file %.300s", name);
    }
    return is_id(name) ? find_id(runs, name, game, path, error)
                       : find_run(runs, name, game, path, error);
}
