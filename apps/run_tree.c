/* Walks through the folder of a run: see run_tree.h. Every step goes by descriptors (openat,
 * unlinkat) with O_NOFOLLOW, so that a link that somebody puts in the way meanwhile leads nowhere.
 */
#include "run_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 32 }; /* a run is three folders deep */

static DIR *open_folder(int above, const char *name) {
    int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (folder >= 0 && !list) {
        close(folder);
    }
    return list;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void measure(int above, const char *name, int depth, tree_size *size) {
    struct stat about;
    DIR *list = depth < DEPTH_MOST ? open_folder(above, name) : NULL;
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        if (is_dots(entry->d_name) ||
            fstatat(dirfd(list), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (S_ISDIR(about.st_mode)) {
            measure(dirfd(list), entry->d_name, depth + 1, size);
        } else {
            size->files++;
            size->bytes += about.st_size;
        }
    }
    if (list) {
        closedir(list);
    }
}

tree_size tree_measure(const char *path) {
    tree_size size = {0, 0};
    measure(AT_FDCWD, path, 0, &size);
    return size;
}

static lu_status cannot(const char *name, lu_error *error) {
    return lu_fail(error, LU_IO, "cannot remove %.300s: %s", name, strerror(errno));
}

static lu_status remove_inside(int above, const char *name, int depth, lu_error *error) {
    lu_status status = LU_OK;
    DIR *list = depth < DEPTH_MOST ? open_folder(above, name) : NULL;
    if (!list) {
        errno = depth < DEPTH_MOST ? errno : ELOOP;
        return cannot(name, error);
    }
    for (struct dirent *entry; status == LU_OK && (entry = readdir(list)) != NULL;) {
        if (is_dots(entry->d_name) || unlinkat(dirfd(list), entry->d_name, 0) == 0) {
            continue;
        }
        if (errno != EISDIR && errno != EPERM) {
            status = cannot(entry->d_name, error);
        } else {
            status = remove_inside(dirfd(list), entry->d_name, depth + 1, error);
        }
    }
    closedir(list);
    if (status == LU_OK && unlinkat(above, name, AT_REMOVEDIR) != 0) {
        status = cannot(name, error);
    }
    return status;
}

lu_status tree_remove(const char *path, lu_error *error) {
    return remove_inside(AT_FDCWD, path, 0, error);
}
