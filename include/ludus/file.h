/* Whole files in and out, and folders: one reader that inflates gzip by itself and refuses what is
 * too large, and one writer that replaces a file at once or leaves the old one untouched. Every
 * failure gives one sentence with the path and what to do. Native builds only: the page and WASM
 * have no files. Ownership: bytes that lu_file_read hands out belong to the caller, who frees them.
 * Threads: safe on different paths; lu_home and lu_share are found once and then
 * constant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "ludus/error.h"

LU_C_BEGIN

/* Reads a whole file, or standard input when path is "-". Data that begins with the gzip magic
 * (1f 8b) is inflated, member after member; other bytes behind them are LU_DAMAGED_FILE. More than
 * `limit` bytes (after inflating) is LU_LIMIT. A terminator that *length does not count follows the
 * bytes. On failure *bytes is NULL and *length 0. */
lu_status lu_file_read(const char *path, size_t limit, char **bytes, size_t *length,
                       lu_error *error);

/* Opens FOLDER/NAME to read; NAME may hold slashes. FOLDER itself may be a link, but nothing below
 * it: what came with a folder cannot lead out of it. -1 and errno on failure (ELOOP: a link;
 * EINVAL: the name is none). */
int lu_file_open_beneath(const char *folder, const char *name);
/* lu_file_read of a file that is opened so. */
lu_status lu_file_read_beneath(const char *folder, const char *name, size_t limit, char **bytes,
                               size_t *length, lu_error *error);
/* True when there is a plain file that can be opened so. */
bool lu_file_is_beneath(const char *folder, const char *name);
/* A stream to read what was opened, which it closes at its end; NULL, and it is closed, where that
 * cannot be. */
FILE *lu_file_stream(int file);
/* getline with memory of lu_realloc: the bytes of a line with its end, 0 at the end of the file. */
ssize_t lu_file_line(char **line, size_t *room, FILE *stream);

/* Writes a file through a temporary file in the same folder, synced and renamed: other readers see
 * the old file or the new one, also after a crash. Where the disk fails to sync the folder at the
 * end (LU_IO) the new one is there, but a crash may bring the old one back. A symbolic link is
 * followed; the mode of an existing file is kept. */
lu_status lu_file_write(const char *path, const void *bytes, size_t length, lu_error *error);

/* Opens a file to append to and to read, made when it is missing; what is no plain file, or a link,
 * is refused. Returns its descriptor, -1 on an error. */
int lu_file_append(const char *path, lu_error *error);

/* Removes temporary files that lu_file_write left in a folder when it was killed, as its next call
 * there does. */
void lu_file_clean(const char *folder);

/* True when something, of whatever kind, has this path. */
bool lu_file_exists(const char *path);

/* Makes a folder and the missing folders above it; one that is there already is fine. */
lu_status lu_folder_make(const char *path, lu_error *error);
/* The same; the names of those that it made are on the disk. */
lu_status lu_folder_make_safely(const char *path, lu_error *error);

/* Makes sure that the names in a folder are on the disk. A system that cannot sync folders is no
 * failure; a disk that fails to is LU_IO. */
lu_status lu_folder_sync(const char *path, lu_error *error);

typedef struct lu_names {
    size_t count;
    char **name;
} lu_names;

/* Names in a folder that begin with `lead` ("": all), in the order of their bytes; the caller frees
 * them. LU_NOT_FOUND, and no names, when there is no such folder. */
lu_status lu_folder_names(const char *path, const char *lead, lu_names *names, lu_error *error);
void lu_names_free(lu_names *names);

typedef struct lu_folder_size {
    int64_t files, bytes;
} lu_folder_size;

/* Adds up all files below a folder; what cannot be read counts as nothing, a link as itself. */
lu_folder_size lu_folder_measure(const char *path);
/* Removes a folder and everything below it; links are not followed. */
lu_status lu_folder_remove(const char *path, lu_error *error);
/* Removes what begins with `lead` in a folder, files and folders, as far as that is possible. */
void lu_folder_clean(const char *path, const char *lead);

/* Folder of the project's data (games, models, runs, web pages): LUDUS_HOME if set, else the
 * current folder or the first one above it that has `games` and `CMakeLists.txt`, else the same
 * above the program. NULL if there is none. Valid until the program ends. */
const char *lu_home(void);

/* Folder of what comes with the program, for reading: config, models, files of games. The project's
 * where there is one, else share/ludus of the folder where program or library are installed. NULL
 * if there is none. Valid until the program ends. */
const char *lu_share(void);

LU_C_END
