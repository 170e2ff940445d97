/* Removing runs: see ludus/run_remove.h. */
#include "ludus/run_remove.h"

#include "ludus/experiment.h"
#include "ludus/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define REMOVED ".removed-"

void lu_removal_free(lu_removal *v) {
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
    lu_text folder = LU_TEXT_INIT;
    lu_status status = LU_OK;
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
static lu_status check_place(lu_removal *v, const char *runs, lu_error *error) {
    struct stat here, above;
    lu_text parent = LU_TEXT_INIT;
    lu_text_addf(&parent, "%s/..", v->path.text);
    const char *slash = strrchr(v->path.text, '/');
    v->id = slash ? slash + 1 : v->path.text;
    bool inside = strcmp(v->id, ".") != 0 && strcmp(v->id, "..") != 0 &&
                  lstat(v->path.text, &v->about) == 0 && S_ISDIR(v->about.st_mode) &&
                  stat(runs, &here) == 0 && stat(parent.text, &above) == 0 &&
                  here.st_ino == above.st_ino && here.st_dev == above.st_dev;
    lu_text_free(&parent);
    return inside ? LU_OK
                  : lu_fail(error, LU_USAGE,
                            "%.300s isn't a real folder in %.300s: only runs there are removed, "
                            "not links; remove it by hand",
                            v->path.text, runs);
}

static lu_status check_twice(const lu_removal *list, int at, lu_error *error) {
    for (int i = 0; i < at; i++) {
        if (list[i].about.st_ino == list[at].about.st_ino &&
            list[i].about.st_dev == list[at].about.st_dev) {
            return lu_fail(error, LU_USAGE, "run %.300s is named twice", list[at].id);
        }
    }
    return LU_OK;
}

lu_status lu_removal_choose(lu_removal *list, int at, const char *runs, const char *name,
                            lu_error *error) {
    lu_removal *v = &list[at];
    *v = (lu_removal){.training = -1, .evaluator = -1};
    lu_text_init(&v->path);
    lu_status status = lu_run_find(runs, name, NULL, &v->path, error);
    LU_THEN(status, check_place(v, runs, error));
    LU_THEN(status, check_twice(list, at, error));
    LU_THEN(status, hold(v->path.text, "", "a training", &v->training, error));
    LU_THEN(status, hold(v->path.text, "/replays", "an evaluator", &v->evaluator, error));
    if (status == LU_OK) {
        v->size = lu_folder_measure(v->path.text);
    }
    return status;
}

/* ---- removing ---- */

void lu_removal_clean(const char *runs) {
    lu_folder_clean(runs, REMOVED);
}

lu_status lu_removal_do(const lu_removal *v, const char *runs, lu_catalogue *catalogue,
                        lu_error *error) {
    lu_text hidden = LU_TEXT_INIT;
    lu_text_addf(&hidden, "%s/" REMOVED "%s", runs, v->id);
    lu_status status =
        rename(v->path.text, hidden.text) == 0
            ? LU_OK
            : lu_fail(error, LU_IO, "cannot remove %s: %s", v->path.text, strerror(errno));
    if (status == LU_OK) {
        if (catalogue) {
            (void)lu_catalogue_sync(catalogue, v->path.text, NULL);
        }
        lu_experiment_forget(runs, v->id);
        status = lu_folder_remove(hidden.text, error);
    }
    lu_text_free(&hidden);
    return status;
}
