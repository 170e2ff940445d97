/* Whole files in and out: see file.h. Reading goes through one loop
 * for files, pipes and standard input, so that a size told by the system is a hint and never
 * trusted. */
#include "ludus/file.h"

#include "ludus/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { READ_STEP = 1 << 16 };

/* Bytes that grow up to a limit; one byte more is kept for the terminator. */
typedef struct growing {
    char *bytes;
    size_t length, room, limit;
    bool short_of; /* memory */
} growing;

/* Room for at least one more byte, or false at the limit (and where memory ends: `short_of`). The
 * room never exceeds limit + 1: the one byte over it tells "as large as allowed" from "too large".
 */
static bool grow(growing *data) {
    if (data->length < data->room) {
        return true;
    }
    size_t most = data->limit < SIZE_MAX - 2 ? data->limit + 1 : SIZE_MAX - 2;
    if (data->room >= most) {
        return false;
    }
    size_t room = data->room < READ_STEP / 2 ? READ_STEP : data->room;
    room = room > most / 2 ? most : room * 2;
    char *bytes = lu_try_realloc(data->bytes, room + 1);
    if (!bytes) {
        data->short_of = true;
        return false;
    }
    data->bytes = bytes;
    data->room = room;
    return true;
}

static lu_status too_large(const char *path, size_t limit, bool inflated, lu_error *error) {
    return lu_fail(error, LU_LIMIT,
                   "%s is larger than the limit of %zu bytes%s: check that it is the right file",
                   path, limit, inflated ? " once inflated" : "");
}

static lu_status no_room(const char *path, const growing *data, lu_error *error) {
    return lu_fail(error, LU_LIMIT, "%s needs more memory than is available (%zu bytes were read)",
                   path, data->length);
}

static lu_status read_all(int file, const char *path, growing *data, lu_error *error) {
    while (grow(data)) {
        ssize_t got = read(file, data->bytes + data->length, data->room - data->length);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return lu_fail(error, LU_IO, "cannot read %s: %s", path, strerror(errno));
        }
        data->length += (size_t)got;
    }
    return data->short_of ? no_room(path, data, error) : LU_OK;
}

static bool is_gzip(const char *bytes, size_t length) {
    return length >= 2 && (unsigned char)bytes[0] == 0x1f && (unsigned char)bytes[1] == 0x8b;
}

/* Inflates one or more gzip members and nothing else. The output grows as it comes, so that a small
 * file that would inflate to terabytes stops at the limit. */
static lu_status inflate_all(const growing *packed, const char *path, growing *data,
                             lu_error *error) {
    z_stream stream = {0};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        lu_out_of_memory(1 << 16);
    }
    lu_status status = LU_OK;
    size_t used = 0;
    for (;;) {
        if (!grow(data)) {
            status = data->short_of ? no_room(path, data, error)
                                    : too_large(path, data->limit, true, error);
            break;
        }
        size_t in = packed->length - used, out = data->room - data->length;
        uInt in_now = (uInt)(in < UINT_MAX / 2 ? in : UINT_MAX / 2);
        uInt out_now = (uInt)(out < UINT_MAX / 2 ? out : UINT_MAX / 2);
        stream.next_in = (Bytef *)(packed->bytes + used);
        stream.avail_in = in_now;
        stream.next_out = (Bytef *)(data->bytes + data->length);
        stream.avail_out = out_now;
        int code = inflate(&stream, Z_NO_FLUSH);
        used += in_now - stream.avail_in;
        data->length += out_now - stream.avail_out;
        if (data->length > data->limit) {
            status = too_large(path, data->limit, true, error);
            break;
        }
        if (code == Z_STREAM_END) {
            if (used == packed->length) {
                break;
            }
            if (!is_gzip(packed->bytes + used, packed->length - used)) {
                status = lu_fail(error, LU_DAMAGED_FILE,
                                 "%s has %zu bytes after the end of its gzip data, from byte %zu "
                                 "on: make or copy it again",
                                 path, packed->length - used, used);
                break;
            }
            if (inflateReset(&stream) != Z_OK) {
                lu_out_of_memory(1 << 16);
            }
        } else if (code != Z_OK) {
            /* there is always room, so that no progress means no more input */
            const char *why = code == Z_BUF_ERROR ? "it ends too early"
                              : stream.msg        ? stream.msg
                                                  : "unknown method";
            status = lu_fail(error, LU_DAMAGED_FILE,
                             "%s is a damaged gzip file (%s): make or copy it again", path, why);
            break;
        }
    }
    inflateEnd(&stream);
    return status;
}

int lu_file_open_beneath(const char *folder, const char *name) {
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0 && name) {
        char part[NAME_MAX + 1];
        size_t length = strcspn(name, "/");
        int next = -1;
        errno = EINVAL;
        if (length > 0 && length < sizeof part) {
            memcpy(part, name, length);
            part[length] = '\0';
            bool plain = strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
            next = plain ? openat(at, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
        }
        int why = errno;
        close(at);
        errno = why;
        at = next;
        name = name[length] ? name + length + 1 : NULL;
    }
    return at;
}

FILE *lu_file_stream(int file) {
    FILE *stream;
    do {
        stream = file >= 0 ? fdopen(file, "r") : NULL;
    } while (file >= 0 && !stream && lu_memory_again(errno));
    if (file >= 0 && !stream) {
        close(file);
    }
    return stream;
}

ssize_t lu_file_line(char **line, size_t *room, FILE *stream) {
    size_t length = 0;
    for (int byte = 0; byte != '\n' && (byte = getc_unlocked(stream)) != EOF; length++) {
        if (length + 1 >= *room) {
            *room = *room ? 2 * *room : 256;
            *line = lu_realloc(*line, *room);
        }
        (*line)[length] = (char)byte;
        (*line)[length + 1] = '\0';
    }
    return (ssize_t)length;
}

bool lu_file_is_beneath(const char *folder, const char *name) {
    struct stat about;
    int file = lu_file_open_beneath(folder, name);
    bool plain = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    if (file >= 0) {
        close(file);
    }
    return plain;
}

/* Looks at what was opened, or why not, and refuses what is not a file; a pipe is fine, as in
 * `<(command)`. */
static lu_status check_opened(const char *path, int *file, lu_error *error) {
    if (*file < 0) {
        int why = errno;
        if (why == ENOENT || why == ENOTDIR) {
            return lu_fail(error, LU_NOT_FOUND, "no such file: %s", path);
        }
        if (why == EACCES) {
            return lu_fail(error, LU_IO, "no permission to read %s", path);
        }
        return lu_fail(error, LU_IO, "cannot open %s: %s", path,
                       why == ELOOP ? "links are not followed here" : strerror(why));
    }
    struct stat about;
    const char *kind = NULL;
    if (fstat(*file, &about) != 0) {
        kind = "something unknown";
    } else if (S_ISDIR(about.st_mode)) {
        kind = "a folder";
    } else if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) {
        kind = "a device or socket";
    }
    if (kind) {
        close(*file);
        *file = -1;
        return lu_fail(error, LU_IO, "%s is %s, not a file", path, kind);
    }
    /* O_NONBLOCK only kept open from waiting on a pipe without a writer */
    fcntl(*file, F_SETFL, 0);
    return LU_OK;
}

/* Reads what was opened and closes it, but for standard input. */
static lu_status read_opened(int file, const char *name, size_t limit, char **bytes, size_t *length,
                             lu_error *error) {
    /* gzip can make data larger by its headers: the exact limit is for what it inflates to */
    size_t slack = limit / 1000 + 1024;
    growing raw = {.limit = limit < SIZE_MAX - slack ? limit + slack : SIZE_MAX};
    growing plain = {.limit = limit};
    struct stat about;
    bool huge = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && file != STDIN_FILENO &&
                (uintmax_t)about.st_size > raw.limit;
    lu_status status =
        huge ? too_large(name, limit, false, error) : read_all(file, name, &raw, error);
    bool packed = is_gzip(raw.bytes, raw.length);
    if (status == LU_OK && raw.length > (packed ? raw.limit : limit)) {
        status = too_large(name, limit, false, error);
    } else if (status == LU_OK && packed) {
        status = inflate_all(&raw, name, &plain, error);
        free(raw.bytes);
        raw = plain;
    }
    if (file != STDIN_FILENO) {
        close(file);
    }
    if (status != LU_OK) {
        free(raw.bytes);
        return status;
    }
    /* give back the unused half; also the only allocation of an empty read */
    raw.bytes = lu_realloc(raw.bytes, raw.length + 1);
    raw.bytes[raw.length] = '\0';
    *bytes = raw.bytes;
    *length = raw.length;
    return LU_OK;
}

lu_status lu_file_read(const char *path, size_t limit, char **bytes, size_t *length,
                       lu_error *error) {
    *bytes = NULL;
    *length = 0;
    if (strcmp(path, "-") == 0) {
        return read_opened(STDIN_FILENO, "standard input", limit, bytes, length, error);
    }
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    LU_TRY(check_opened(path, &file, error));
    return read_opened(file, path, limit, bytes, length, error);
}

lu_status lu_file_read_beneath(const char *folder, const char *name, size_t limit, char **bytes,
                               size_t *length, lu_error *error) {
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = lu_alloc(room);
    *bytes = NULL;
    *length = 0;
    snprintf(path, room, "%s/%s", folder, name);
    int file = lu_file_open_beneath(folder, name);
    lu_status status = check_opened(path, &file, error);
    LU_THEN(status, read_opened(file, path, limit, bytes, length, error));
    free(path);
    return status;
}

static bool write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(file, bytes, length);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

/* The folder of a path, "." without a slash; the caller frees it. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) {
        return lu_strdup(".");
    }
    char *folder = lu_strdup(path);
    folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

int lu_file_append(const char *path, lu_error *error) {
    struct stat about;
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0) {
        lu_fail(error, LU_IO, "cannot write %s: %s", path,
                errno == ELOOP ? "it is a link" : strerror(errno));
    } else if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        lu_fail(error, LU_IO, "cannot write %s: it is not a plain file", path);
        close(file);
        file = -1;
    }
    return file;
}

#define TEMPORARY ".ludus-"

/* .ludus-PROCESS-NUMBER: what people call so is none of ours. */
static bool is_temporary(const char *name) {
    static const char digits[] = "0123456789";
    const char *process = name + strlen(TEMPORARY), *mark = process + strspn(process, digits);
    size_t number = *mark == '-' ? strspn(mark + 1, digits) : 0;
    return mark > process && number > 0 && !mark[1 + number];
}

/* Who writes holds a lock on its temporary file: one that nobody holds is of a writer that was
 * killed. */
void lu_file_clean(const char *folder) {
    lu_names names;
    struct stat about;
    (void)lu_folder_names(folder, TEMPORARY, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        bool own = is_temporary(names.name[i]);
        int file = own ? lu_file_open_beneath(folder, names.name[i]) : -1;
        if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
            flock(file, LOCK_EX | LOCK_NB) == 0) {
            lu_text path = LU_TEXT_INIT;
            lu_text_addf(&path, "%s/%s", folder, names.name[i]);
            unlink(path.text);
            lu_text_free(&path);
        }
        if (file >= 0) {
            close(file);
        }
    }
    lu_names_free(&names);
}

/* Makes an empty hidden file in the folder (rename is atomic only inside one file system), holds
 * its lock and gives its name, which the caller frees; NULL and errno on failure. Not mkstemp: its
 * files are for the owner alone, and the umask cannot be read without setting it for all threads.
 */
static char *open_temporary(const char *folder, int *file) {
    static atomic_uint counter;
    struct stat about;
    size_t room = strlen(folder) + 64;
    char *name = lu_alloc(room);
    for (int tries = 0; tries < 1000; tries++) {
        snprintf(name, room, "%s/" TEMPORARY "%ld-%u", folder, (long)getpid(),
                 atomic_fetch_add(&counter, 1));
        *file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*file < 0 && errno != EEXIST) {
            break;
        }
        if (*file >= 0) {
            (void)flock(*file, LOCK_EX); /* some file systems have none, and nothing is cleaned */
            if (fstat(*file, &about) != 0 || about.st_nlink > 0) {
                return name;
            }
            close(*file); /* removed before it was locked */
            *file = -1;
        }
    }
    int why = errno;
    free(name);
    errno = why;
    return NULL;
}

lu_status lu_file_write(const char *path, const void *bytes, size_t length, lu_error *error) {
    lu_status status = LU_OK;
    int file = -1;
    /* through a link, the file it names is replaced and the link stays */
    char *target = realpath(path, NULL);
    if (!target) {
        target = lu_strdup(path);
    }
    char *folder = folder_of(target), *temporary = NULL;
    struct stat about;
    bool old = stat(target, &about) == 0;
    if (old && !S_ISREG(about.st_mode)) {
        status = lu_fail(error, LU_IO, "cannot write %s: it is not a plain file", path);
        goto done;
    }
    lu_file_clean(folder);
    temporary = open_temporary(folder, &file);
    if (!temporary) {
        lu_status kind = errno == ENOENT || errno == ENOTDIR ? LU_NOT_FOUND : LU_IO;
        status =
            lu_fail(error, kind, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
        goto done;
    }
    if (!write_all(file, bytes, length) || (old && fchmod(file, about.st_mode & 07777) != 0) ||
        fsync(file) != 0) {
        status = lu_fail(error, LU_IO, "cannot write %s: %s", path, strerror(errno));
        goto done;
    }
    if (rename(temporary, target) != 0) { /* still locked: nobody takes it for a leftover */
        status = lu_fail(error, LU_IO, "cannot write %s: %s", path, strerror(errno));
        goto done;
    }
    free(temporary);
    temporary = NULL;
    status = lu_folder_sync(folder, error); /* the new name itself must reach the disk */
done:
    if (file >= 0) {
        close(file);
    }
    if (temporary) {
        unlink(temporary);
    }
    free(temporary);
    free(folder);
    free(target);
    return status;
}

bool lu_file_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

/* The first folder from `start` upwards that has the project's marks, as a path to keep, or NULL.
 * Eats start. */
static char *find_above(char *start) {
    char path[PATH_MAX + 32];
    while (start) {
        int length = snprintf(path, sizeof path, "%s/games", start);
        if (length > 0 && (size_t)length < sizeof path && lu_file_exists(path)) {
            snprintf(path, sizeof path, "%s/CMakeLists.txt", start);
            if (lu_file_exists(path)) {
                return start;
            }
        }
        char *slash = strrchr(start, '/');
        if (!slash || (slash == start && !start[1])) {
            break;
        }
        slash[slash == start ? 1 : 0] = '\0';
    }
    free(start);
    return NULL;
}

static char home_path[PATH_MAX];

static void find_home(void) {
    char *found = NULL;
    const char *variable = getenv("LUDUS_HOME");
    if (variable && variable[0]) {
        found = lu_strdup(variable);
    }
    if (!found) {
        found = find_above(realpath(".", NULL));
    }
    if (!found) {
        char *program = realpath("/proc/self/exe", NULL);
        found = find_above(program ? folder_of(program) : NULL);
        free(program);
    }
    if (found) {
        snprintf(home_path, sizeof home_path, "%s", found);
    }
    free(found);
}

const char *lu_home(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_home);
    return home_path[0] ? home_path : NULL;
}

static char share_path[PATH_MAX];

/* share/ludus of the first folder above an installed file that has it. */
static void find_share_above(const char *file) {
    char path[PATH_MAX + 32];
    char *real = file ? realpath(file, NULL) : NULL;
    for (char *slash = real; !share_path[0] && slash && (slash = strrchr(real, '/'));) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/share/ludus/config", real);
        if (lu_file_exists(path)) {
            snprintf(share_path, sizeof share_path, "%.*s/share/ludus",
                     (int)(sizeof share_path - sizeof "/share/ludus"), real);
        }
    }
    free(real);
}

static void find_share(void) {
    static const char here; /* of this library, where it is a shared one */
    Dl_info about;
    if (lu_home()) {
        snprintf(share_path, sizeof share_path, "%s", lu_home());
        return;
    }
    if (dladdr(&here, &about) != 0) { /* before that of a foreign program which has loaded it */
        find_share_above(about.dli_fname);
    }
    find_share_above("/proc/self/exe");
}

const char *lu_share(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_share);
    return share_path[0] ? share_path : NULL;
}
