/* Folders: see file.h. What removes and measures goes by descriptors (openat, unlinkat) with
 * O_NOFOLLOW, so that a link that somebody puts in the way meanwhile leads nowhere. */
#include "ludus/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 32 };

/* Syncs the folder that a path, which may be changed meanwhile, is in. */
static lu_status sync_above(char *path, lu_error *error) {
    char *slash = strrchr(path, '/');
    char *name = slash == path ? slash + 1 : slash;
    char kept = name ? *name : '\0';
    if (name) {
        *name = '\0';
    }
    lu_status status = lu_folder_sync(name ? path : ".", error);
    if (name) {
        *name = kept;
    }
    return status;
}

static lu_status make(const char *path, bool sync, lu_error *error) {
    char *part = lu_strdup(path);
    lu_status status = LU_OK;
    size_t length = strlen(part);
    for (size_t i = 1; i <= length && status == LU_OK; i++) {
        if (part[i] != '/' && part[i] != '\0') {
            continue;
        }
        char kept = part[i];
        part[i] = '\0';
        struct stat about;
        if (mkdir(part, 0777) == 0) {
            status = sync ? sync_above(part, error) : LU_OK;
        } else {
            /* EROFS and EACCES may come for a folder that is there: what counts is what is there */
            int why = errno;
            if (stat(part, &about) != 0) {
                status = lu_fail(error, LU_IO, "cannot make folder %s: %s", part, strerror(why));
            } else if (!S_ISDIR(about.st_mode)) {
                status = lu_fail(error, LU_IO, "cannot make folder %s: %s is a file", path, part);
            }
        }
        part[i] = kept;
    }
    if (length == 0) {
        status = lu_fail(error, LU_IO, "cannot make a folder without a name");
    }
    free(part);
    return status;
}

lu_status lu_folder_make(const char *path, lu_error *error) {
    return make(path, false, error);
}

lu_status lu_folder_make_safely(const char *path, lu_error *error) {
    return make(path, true, error);
}

lu_status lu_folder_sync(const char *path, lu_error *error) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int why = folder < 0 ? errno : fsync(folder) == 0 ? 0 : errno;
    if (folder >= 0) {
        close(folder);
    }
    /* what cannot be synced here: EINVAL, ENOTSUP and EROFS; one that may be written to, yet not
     * be opened to read, is EACCES */
    return why == 0 || why == EINVAL || why == ENOTSUP || why == EROFS || why == EACCES
               ? LU_OK
               : lu_fail(error, LU_IO, "folder %s could not be synced to disk: %s", path,
                         strerror(why));
}

static DIR *open_folder(int above, const char *name) {
    int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list;
    do {
        list = folder >= 0 ? fdopendir(folder) : NULL;
    } while (folder >= 0 && !list && lu_memory_again(errno));
    if (folder >= 0 && !list) {
        close(folder);
    }
    return list;
}

/* The next name that is not the folder itself or the one above it; NULL at the end. */
static const char *next_name(DIR *list) {
    struct dirent *entry;
    do {
        entry = readdir(list);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

/* ---- names ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

lu_status lu_folder_names(const char *path, const char *lead, lu_names *names, lu_error *error) {
    *names = (lu_names){0};
    DIR *list; /* callers may take an error for a folder that is not there */
    do {
        list = opendir(path);
    } while (!list && lu_memory_again(errno));
    if (!list) {
        return lu_fail(error, errno == ENOENT ? LU_NOT_FOUND : LU_IO,
                       "cannot read the folder %s: %s", path, strerror(errno));
    }
    for (const char *name; (name = next_name(list)) != NULL;) {
        if (strncmp(name, lead, strlen(lead)) != 0) {
            continue;
        }
        if ((names->count & (names->count - 1)) == 0) {
            size_t room = names->count ? 2 * names->count : 1;
            names->name = lu_realloc(names->name, room * sizeof *names->name);
        }
        names->name[names->count++] = lu_strdup(name);
    }
    closedir(list);
    if (names->count > 0) {
        qsort(names->name, names->count, sizeof *names->name, by_name);
    }
    return LU_OK;
}

void lu_names_free(lu_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->name[i]);
    }
    free(names->name);
    *names = (lu_names){0};
}

/* ---- sizes ---- */

static void measure(int above, const char *name, int depth, lu_folder_size *size) {
    struct stat about;
    DIR *list = depth < DEPTH_MOST ? open_folder(above, name) : NULL;
    for (const char *inside; list && (inside = next_name(list)) != NULL;) {
        if (fstatat(dirfd(list), inside, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (S_ISDIR(about.st_mode)) {
            measure(dirfd(list), inside, depth + 1, size);
        } else {
            size->files++;
            size->bytes += about.st_size;
        }
    }
    if (list) {
        closedir(list);
    }
}

lu_folder_size lu_folder_measure(const char *path) {
    lu_folder_size size = {0, 0};
    measure(AT_FDCWD, path, 0, &size);
    return size;
}

/* ---- removing ---- */

static lu_status cannot(const char *name, lu_error *error) {
    return lu_fail(error, LU_IO, "cannot remove %.300s: %s", name, strerror(errno));
}

static lu_status remove_folder(int above, const char *name, int depth, lu_error *error) {
    lu_status status = LU_OK;
    DIR *list = depth < DEPTH_MOST ? open_folder(above, name) : NULL;
    if (!list) {
        errno = depth < DEPTH_MOST ? errno : ELOOP;
        return cannot(name, error);
    }
    for (const char *inside; status == LU_OK && (inside = next_name(list)) != NULL;) {
        if (unlinkat(dirfd(list), inside, 0) == 0) {
            continue;
        }
        status = errno == EISDIR || errno == EPERM
                     ? remove_folder(dirfd(list), inside, depth + 1, error)
                     : cannot(inside, error);
    }
    closedir(list);
    if (status == LU_OK && unlinkat(above, name, AT_REMOVEDIR) != 0) {
        status = cannot(name, error);
    }
    return status;
}

lu_status lu_folder_remove(const char *path, lu_error *error) {
    return remove_folder(AT_FDCWD, path, 0, error);
}

void lu_folder_clean(const char *path, const char *lead) {
    DIR *list = opendir(path);
    for (const char *name; list && (name = next_name(list)) != NULL;) {
        if (strncmp(name, lead, strlen(lead)) == 0 && unlinkat(dirfd(list), name, 0) != 0) {
            (void)remove_folder(dirfd(list), name, 0, NULL);
        }
    }
    if (list) {
        closedir(list);
    }
}
