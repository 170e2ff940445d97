/* The lock of the project folder: see ludus/project_lock.h. */
#include "ludus/project_lock.h"

#include "ludus/file.h"
#include "ludus/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

lu_status lu_project_lock(int *lock, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = LU_OK;
    *lock = -1;
    if (!lu_home()) {
        return lu_fail(error, LU_NOT_FOUND,
                       "no project folder found; run this inside it or set LUDUS_HOME");
    }
    lu_text_addf(&path, "%s/games", lu_home());
    *lock = open(path.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) {
        status = lu_fail(error, errno == ENOENT ? LU_NOT_FOUND : LU_IO, "cannot open %s: %s",
                         path.text, strerror(errno));
    } else if (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? lu_fail(error, LU_BUSY,
                               "%s is being written by another ludus; try again when it is done",
                               lu_home())
                     : lu_fail(error, LU_IO, "cannot lock %s: %s", path.text, strerror(errno));
        lu_project_unlock(*lock);
        *lock = -1;
    }
    lu_text_free(&path);
    return status;
}

void lu_project_unlock(int lock) {
    if (lock >= 0) {
        close(lock);
    }
}
