/* Locks of a run that others than its training hold or ask for: the one of run.json, which both the
 * training and `ludus runs` replace, and the one of its evaluator. See run.h. */
#include "run_files.h"

#include "ludus/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int run_edit_lock(const char *run) {
    lu_text path = LU_TEXT_INIT;
    int lock = open(run_join(&path, run, "metrics"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    lu_text_free(&path);
    if (lock >= 0) {
        (void)flock(lock, LOCK_EX);
    }
    return lock;
}

bool lu_run_alive(const char *path) {
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool alive = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0) {
        close(lock);
    }
    return alive;
}

int lu_run_lock_replays(const char *path, lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    lu_status status = lu_folder_make(run_join(&folder, path, RUN_REPLAYS), error);
    int lock =
        status == LU_OK ? open(folder.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (status == LU_OK && lock < 0) {
        lu_fail(error, LU_IO, "cannot open %s: %s", folder.text, strerror(errno));
    }
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        lu_fail(error, LU_BUSY,
                "run %s is being evaluated by another evaluator; wait until it ends", path);
        close(lock);
        lock = -1;
    }
    lu_text_free(&folder);
    return lock;
}
