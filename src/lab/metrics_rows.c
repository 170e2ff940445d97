/* Rows of metrics, as readers see them and as writers add them: see rows.h. */
#include "run_files.h"

#include "ludus/file.h"
#include "ludus/rows.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS_MOST = 1 << 26, PARSED = 4 /* times the bytes of its text: what a row takes */ };
#define ROWS_BYTES ((size_t)4 << 30)

/* What tells the kinds apart: the file, the key that rows are ordered by, and whether a resume
 * drops rows of that key too (a window that is begun again) or only later ones. */
static const struct {
    const char *file, *key;
    bool same;
} kinds[] = {
    [LU_WINDOWS] = {RUN_WINDOWS, "window_id", true},
    [LU_UPDATES] = {RUN_UPDATES, "update", false},
    [LU_EVALS] = {RUN_EVALS, "window_id", true},
    [LU_LEAGUES] = {RUN_LEAGUES, "window_id", true},
};

void lu_rows_free(lu_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        lu_json_close(rows->row[i]);
    }
    free(rows->row);
    *rows = (lu_rows){0};
}

const lu_json_value *lu_rows_at(const lu_rows *rows, size_t index) {
    return lu_json_root(rows->row[index]);
}

static double key_of(const lu_rows *rows, size_t index, lu_rows_kind kind) {
    return lu_json_real_or(lu_json_get(lu_rows_at(rows, index), kinds[kind].key), -1.0);
}

/* Rows stand in order, so that what no longer counts is at the end. */
static void drop_from(lu_rows *rows, lu_rows_kind kind, double key, bool same) {
    while (rows->count > 0) {
        double last = key_of(rows, rows->count - 1, kind);
        if (last < key || (last == key && !same)) {
            return;
        }
        lu_json_close(rows->row[--rows->count]);
    }
}

static lu_status add_row(lu_rows *rows, lu_rows_kind kind, lu_json_document *document,
                         lu_error *error) {
    const lu_json_value *root = lu_json_root(document);
    const lu_json_value *resume = lu_json_get(root, "resume");
    if (lu_json_kind_of(root) != LU_JSON_OBJECT) {
        lu_json_close(document);
        return lu_fail(error, LU_BAD_DATA, "expected a JSON object");
    }
    if (resume) {
        drop_from(rows, kind, lu_json_real_or(resume, 0.0), kinds[kind].same);
        lu_json_close(document);
        return LU_OK;
    }
    int64_t key;
    lu_status status = lu_json_get_int(root, kinds[kind].key, 0, (int64_t)1 << 53, &key, error);
    if (status != LU_OK || rows->count >= ROWS_MOST) {
        lu_json_close(document);
        return status != LU_OK ? status : lu_fail(error, LU_LIMIT, "too many rows");
    }
    drop_from(rows, kind, (double)key, true); /* the last row of a window counts */
    if ((rows->count & (rows->count - 1)) == 0) {
        size_t room = rows->count ? 2 * rows->count : 1;
        rows->row = lu_realloc(rows->row, room * sizeof(lu_json_document *));
    }
    rows->row[rows->count++] = document;
    return LU_OK;
}

static lu_status read_lines(const char *path, const char *bytes, size_t length, lu_rows_kind kind,
                            lu_rows *rows, lu_error *error) {
    lu_status status = LU_OK;
    const char *end = bytes + length;
    for (int64_t number = 1; bytes < end && status == LU_OK; number++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!stop) {
            return LU_OK; /* cut off by a crash, or being written */
        }
        lu_error inside = {0};
        lu_json_document *row = lu_json_read("row", bytes, (size_t)(stop - bytes), &inside);
        if (!row || add_row(rows, kind, row, &inside) != LU_OK) {
            status = lu_fail(error, LU_BAD_DATA, "%s: line %lld: %.500s", path, (long long)number,
                             inside.text);
        }
        bytes = stop + 1;
    }
    return status;
}

lu_status lu_rows_read(const char *run, lu_rows_kind kind, lu_rows *rows, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    char *bytes;
    size_t length;
    *rows = (lu_rows){0};
    run_join(&path, run, kinds[kind].file);
    lu_error why = {0};
    lu_status status =
        lu_file_read_beneath(run, kinds[kind].file, ROWS_BYTES, &bytes, &length, &why);
    if (status == LU_OK && !lu_memory_has(length * PARSED)) {
        status =
            lu_fail(error, LU_LIMIT, "%s needs about %zu MiB of memory, which are not available",
                    path.text, length * PARSED >> 20);
        free(bytes);
    } else if (status == LU_OK) {
        status = read_lines(path.text, bytes, length, kind, rows, error);
        free(bytes);
    } else {
        bool none = status == LU_NOT_FOUND; /* nothing was written yet */
        status = none ? LU_OK : lu_fail(error, status, "%s", why.text);
    }
    if (status != LU_OK) {
        lu_rows_free(rows);
    }
    lu_text_free(&path);
    return status;
}

/* ---- writing ---- */

/* Cuts off what stands behind the last whole line. */
static bool drop_torn(int file) {
    char byte = 0;
    off_t whole = lseek(file, 0, SEEK_END);
    const off_t length = whole;
    while (whole > 0 && pread(file, &byte, 1, whole - 1) == 1 && byte != '\n') {
        whole--;
    }
    return whole == length || ftruncate(file, whole) == 0;
}

int lu_rows_open_file(const char *path, lu_error *error) {
    int file = lu_file_append(path, error);
    if (file >= 0 && !drop_torn(file)) {
        lu_fail(error, LU_IO, "cannot write %s: %s", path, strerror(errno));
        close(file);
        file = -1;
    }
    return file;
}

int lu_rows_open(const char *run, lu_rows_kind kind, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    int file = -1;
    if (lu_folder_make(run_join(&path, run, "metrics"), error) == LU_OK) {
        file = lu_rows_open_file(run_join(&path, run, kinds[kind].file), error);
    }
    lu_text_free(&path);
    return file;
}

/* The path of an open file, for a sentence. */
static const char *name_of(int file, char room[PATH_MAX]) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, room, PATH_MAX - 1);
    room[length > 0 ? length : 0] = '\0';
    return length > 0 ? room : "a file of rows";
}

lu_status lu_rows_append(int file, const char *json, lu_error *error) {
    char path[PATH_MAX];
    lu_text line = LU_TEXT_INIT;
    lu_status status = LU_OK;
    struct stat about;
    if (fstat(file, &about) == 0 && about.st_nlink == 0) {
        return lu_fail(error, LU_IO,
                       "a metrics file was removed while being written: rows would be lost");
    }
    lu_text_addf(&line, "%s\n", json);
    ssize_t done = write(file, line.text, line.length);
    if (done != (ssize_t)line.length) {
        const char *why = done < 0 ? strerror(errno) : "the disk is full";
        status = lu_fail(error, LU_IO, "cannot write %s: %s", name_of(file, path), why);
    }
    lu_text_free(&line);
    return status;
}

lu_status lu_rows_sync(int file, lu_error *error) {
    char path[PATH_MAX];
    if (fsync(file) == 0 || errno == EINVAL || errno == EROFS) {
        return LU_OK;
    }
    const char *why = strerror(errno);
    return lu_fail(error, LU_IO, "%s could not be synced to disk: %s", name_of(file, path), why);
}

char *lu_rows_next(const char *run, lu_rows_kind kind, int64_t *offset) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = lu_file_stream(lu_file_open_beneath(run, kinds[kind].file));
    ssize_t length =
        file && fseeko(file, (off_t)*offset, SEEK_SET) == 0 ? lu_file_line(&line, &room, file) : 0;
    if (length > 0 && line[length - 1] == '\n') {
        *offset += length;
    } else {
        free(line);
        line = NULL;
    }
    if (file) {
        fclose(file);
    }
    return line;
}
