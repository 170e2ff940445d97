/* The folder of answers: see cache.h. */
#include "cache.h"

#include "ludus/file.h"
#include "ludus/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_WAIT = 86400 }; /* seconds */

static lu_status choose_folder(lu_text *to, const char *folder, lu_error *error) {
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (*folder) {
        lu_text_add(to, folder);
    } else if (caches && *caches == '/') {
        lu_text_addf(to, "%s/ludus-fetch", caches);
    } else if (home && *home == '/') {
        lu_text_addf(to, "%s/.cache/ludus-fetch", home);
    } else {
        return lu_fail(error, LU_USAGE,
                       "neither XDG_CACHE_HOME nor HOME is set; choose a folder with --cache");
    }
    return LU_OK;
}

lu_status cache_open(cache *c, const char *folder, lu_error *error) {
    *c = (cache){.folder = LU_TEXT_INIT, .lock = -1, .now = (double)time(NULL)};
    lu_status status = choose_folder(&c->folder, folder, error);
    LU_THEN(status, lu_folder_make(c->folder.text, error));
    if (status == LU_OK) {
        c->lock = open(c->folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (c->lock < 0) {
            status = lu_fail(error, LU_IO, "cannot open %s: %s", c->folder.text, strerror(errno));
        } else if (flock(c->lock, LOCK_EX | LOCK_NB) != 0) {
            status =
                lu_fail(error, LU_BUSY,
                        "another ludus-fetch is using %s; wait for it or choose another --cache",
                        c->folder.text);
        }
    }
    if (status != LU_OK) {
        cache_close(c);
    }
    return status;
}

void cache_close(cache *c) {
    if (c->lock >= 0) {
        close(c->lock);
    }
    lu_text_free(&c->folder);
    c->lock = -1;
}

static lu_text path_of(const cache *c, const char *name, const char *end) {
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s%s", c->folder.text, name, end);
    return path;
}

bool cache_read(const cache *c, const char *name, size_t most, char **bytes, size_t *length,
                double *age) {
    lu_text path = path_of(c, name, ".json");
    struct stat about;
    bool found =
        lu_file_read(path.text, most, bytes, length, NULL) == LU_OK && stat(path.text, &about) == 0;
    *age = found ? c->now - (double)about.st_mtime : 0.0;
    lu_text_free(&path);
    return found;
}

lu_status cache_write(const cache *c, const char *name, const char *bytes, size_t length,
                      lu_error *error) {
    lu_text path = path_of(c, name, ".json"), wait = path_of(c, name, ".wait");
    lu_status status = lu_file_write(path.text, bytes, length, error);
    unlink(wait.text);
    lu_text_free(&path);
    lu_text_free(&wait);
    return status;
}

double cache_wait(const cache *c, const char *name) {
    lu_text path = path_of(c, name, ".wait");
    char *text;
    size_t length;
    int64_t until = 0;
    bool told = lu_file_read(path.text, 64, &text, &length, NULL) == LU_OK &&
                lu_parse_i64("until", text, 0, INT64_MAX / 2, &until, NULL) == LU_OK;
    double left = told ? (double)until - c->now : 0.0;
    free(text);
    lu_text_free(&path);
    /* a clock that was set back must not lock a source out */
    return left > 0.0 && left <= LONGEST_WAIT ? left : 0.0;
}

lu_status cache_set_wait(const cache *c, const char *name, double seconds, lu_error *error) {
    lu_text path = path_of(c, name, ".wait");
    char text[32];
    int length = snprintf(text, sizeof text, "%.0f", c->now + seconds);
    lu_status status = lu_file_write(path.text, text, (size_t)length, error);
    lu_text_free(&path);
    return status;
}
