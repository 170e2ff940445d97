/* Folders that a later call goes on with, of sweeps and ablations: one process at a time, and only
 * for what they were made for. */
#include "run_files.h"

#include "ludus/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

enum { ABOUT_MOST = 1 << 28 /* bytes */ };

lu_status folder_lock(const char *folder, const char *what, int *lock, lu_error *error) {
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) {
        return lu_fail(error, LU_IO, "cannot open %s: %s", folder, strerror(errno));
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        return lu_fail(error, LU_BUSY, "%s %s is in use by another ludus; wait until it ends", what,
                       folder);
    }
    return LU_OK;
}

/* Both texts have a member per line, so that a difference has a name. */
static lu_status check_same(const char *path, const char *what, const char *have, const char *want,
                            lu_error *error) {
    size_t same = 0, line = 0;
    for (; want[same] && have[same] == want[same]; same++) {
        line = want[same] == '\n' ? same + 1 : line;
    }
    if (have[same] == want[same]) {
        return LU_OK;
    }
    int length = want[line] == '"' ? (int)strcspn(want + line + 1, "\"") : 0;
    return lu_fail(error, LU_OTHER_SPEC,
                   "%s belongs to another %s: its '%.*s' differs; use another folder, or the same "
                   "command as before",
                   path, what, length ? length : 4, length ? want + line + 1 : "kind");
}

lu_status folder_settle(const char *folder, const char *name, const char *what, const char *text,
                        lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    char *have = NULL;
    size_t length;
    lu_status status = LU_OK;
    run_join(&path, folder, name);
    if (!lu_file_exists(path.text)) {
        status = lu_file_write(path.text, text, strlen(text), error);
    } else {
        status = lu_file_read(path.text, ABOUT_MOST, &have, &length, error);
        status =
            status == LU_OK && have[0] != '{'
                ? lu_fail(error, LU_FOREIGN_FILE, "%s isn't a file of a ludus %s", path.text, what)
                : status;
        LU_THEN(status, check_same(path.text, what, have, text, error));
    }
    free(have);
    lu_text_free(&path);
    return status;
}
