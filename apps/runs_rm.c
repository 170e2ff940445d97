/* ludus runs rm: removes runs, after telling what would go. A run is first renamed to a name that
 * nothing lists, so that an interrupted removal leaves no half run; the next one clears it away. */
#include "output.h"
#include "runs_inside.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define REMOVED ".removed-"

/* A run that is to go, with its locks held. */
typedef struct victim {
    lu_text path;
    const char *id; /* end of the path */
    int training, evaluator;
    struct stat about;
    lu_folder_size size;
} victim;

static void victim_free(victim *v) {
    if (v->training >= 0) {
        close(v->training);
    }
    if (v->evaluator >= 0) {
        close(v->evaluator);
    }
    lu_text_free(&v->path);
}

/* Opens and locks a folder; one that is not there needs no lock. */
static lu_status hold(const char *path, const char *inside, const char *who, int *lock,
                      lu_error *error) {
    lu_text folder;
    lu_status status = LU_OK;
    lu_text_init(&folder);
    lu_text_addf(&folder, "%s%s", path, inside);
    *lock = open(folder.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
        status = lu_fail(error, LU_IO, "cannot open %s: %s", folder.text, strerror(errno));
    } else if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        status =
            lu_fail(error, LU_BUSY, "run %.300s is being written by %s; stop it first", path, who);
    }
    lu_text_free(&folder);
    return status;
}

/* Only a real folder directly in the folder of runs is removed. */
static lu_status check_place(victim *v, const char *runs, lu_error *error) {
    struct stat here, above;
    lu_text parent;
    lu_text_init(&parent);
    lu_text_addf(&parent, "%s/..", v->path.text);
    const char *slash = strrchr(v->path.text, '/');
    v->id = slash ? slash + 1 : v->path.text;
    bool inside = strcmp(v->id, ".") != 0 && strcmp(v->id, "..") != 0 &&
                  lstat(v->path.text, &v->about) == 0 && S_ISDIR(v->about.st_mode) &&
                  stat(runs, &here) == 0 && stat(parent.text, &above) == 0 &&
                  here.st_ino == above.st_ino && here.st_dev == above.st_dev;
    lu_text_free(&parent);
    return inside
               ? LU_OK
               : lu_fail(error, LU_USAGE,
                         "%.300s is no folder of its own in %.300s: only runs there are removed, "
                         "links are not; remove it by hand",
                         v->path.text, runs);
}

static lu_status check_twice(const victim *list, int at, lu_error *error) {
    for (int i = 0; i < at; i++) {
        if (list[i].about.st_ino == list[at].about.st_ino &&
            list[i].about.st_dev == list[at].about.st_dev) {
            return lu_fail(error, LU_USAGE, "run %.300s is named twice", list[at].id);
        }
    }
    return LU_OK;
}

static lu_status choose(victim *list, int at, const char *runs, const char *name, lu_error *error) {
    victim *v = &list[at];
    *v = (victim){.training = -1, .evaluator = -1};
    lu_text_init(&v->path);
    lu_status status = lu_run_find(runs, name, NULL, &v->path, error);
    if (status == LU_OK) {
        status = check_place(v, runs, error);
    }
    if (status == LU_OK) {
        status = check_twice(list, at, error);
    }
    if (status == LU_OK) {
        status = hold(v->path.text, "", "a training", &v->training, error);
    }
    if (status == LU_OK) {
        status = hold(v->path.text, "/replays", "an evaluator", &v->evaluator, error);
    }
    if (status == LU_OK) {
        v->size = lu_folder_measure(v->path.text);
    }
    return status;
}

/* ---- removing ---- */

static lu_status discard(const verb_call *call, const char *runs, const victim *v,
                         lu_error *error) {
    lu_text hidden;
    lu_text_init(&hidden);
    lu_text_addf(&hidden, "%s/" REMOVED "%s", runs, v->id);
    lu_status status =
        rename(v->path.text, hidden.text) == 0
            ? LU_OK
            : lu_fail(error, LU_IO, "cannot remove %s: %s", v->path.text, strerror(errno));
    if (status == LU_OK) {
        runs_tell(call, v->path.text);
        status = lu_folder_remove(hidden.text, error);
    }
    lu_text_free(&hidden);
    return status;
}

/* ---- telling ---- */

static void print_text(const victim *list, int count, bool removed) {
    static const char *const parts[] = {"checkpoints", "replays", "metrics", "tensorboard"};
    lu_text text, path;
    lu_text_init(&text);
    lu_text_init(&path);
    for (int i = 0; i < count; i++) {
        lu_text_add(&text, removed ? "removed " : "would remove ");
        foreign_add(&text, list[i].path.text, 0);
        lu_text_addf(&text, ": %lld files, %s\n", (long long)list[i].size.files,
                     bytes_text(list[i].size.bytes));
        for (size_t p = 0; p < sizeof parts / sizeof *parts && !removed; p++) {
            lu_text_clear(&path);
            lu_text_addf(&path, "%s/%s", list[i].path.text, parts[p]);
            lu_folder_size size = lu_folder_measure(path.text);
            if (size.files > 0) {
                lu_text_addf(&text, "  %-12s %6lld files  %s\n", parts[p], (long long)size.files,
                             bytes_text(size.bytes));
            }
        }
    }
    lu_text_add(&text, removed ? "" : "Nothing was removed yet: add --yes to do it.\n");
    out_write(text.text, text.length);
    lu_text_free(&text);
    lu_text_free(&path);
}

static void print_json(const victim *list, int count, bool removed) {
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_bool(&json, "removed", removed);
    lu_json_key(&json, "runs");
    lu_json_array(&json);
    for (int i = 0; i < count; i++) {
        lu_json_object(&json);
        lu_json_key_string(&json, "run_id", list[i].id);
        lu_json_key_string(&json, "folder", list[i].path.text);
        lu_json_key_int(&json, "files", list[i].size.files);
        lu_json_key_int(&json, "bytes", list[i].size.bytes);
        lu_json_object_end(&json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

/* ---- the word ---- */

lu_status runs_rm(verb_call *call, lu_error *error) {
    bool yes = lu_settings_bool(call->settings, "yes");
    victim *list = lu_alloc_zero((size_t)call->arguments, sizeof *list);
    lu_status status = LU_OK;
    int count = 0, removed = 0;
    lu_text runs;
    lu_text_init(&runs);
    lu_run_place(call->settings, &runs);
    /* all are looked at before the first goes */
    while (count < call->arguments && status == LU_OK) {
        status = choose(list, count, runs.text, call->argument[count], error);
        count++;
    }
    if (status == LU_OK && yes) {
        lu_folder_clean(runs.text, REMOVED); /* what an interrupted removal left */
    }
    progress_start();
    while (removed < count && status == LU_OK && yes) {
        progress((double)removed / count, "removing");
        status = discard(call, runs.text, &list[removed], error);
        removed += status == LU_OK;
    }
    progress_end();
    int told = yes ? removed : status == LU_OK ? count : 0;
    if (call->json && status == LU_OK) {
        print_json(list, told, yes);
    } else if (told > 0 && !call->json) {
        print_text(list, told, yes);
    }
    for (int i = 0; i < count; i++) {
        victim_free(&list[i]);
    }
    free(list);
    lu_text_free(&runs);
    return status;
}
