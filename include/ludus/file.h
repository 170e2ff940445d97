/* Whole files in and out: one reader that inflates gzip by itself and refuses what is too large,
 * and one writer that replaces a file at once or leaves the old one untouched. Every failure gives
 * one sentence with the path and what to do. Native builds only: the page and WASM have no files.
 * Ownership: bytes that lu_file_read hands out belong to the caller, who frees them. Threads: safe
 * on different paths; lu_home is found once and then constant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ludus/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a whole file, or standard input when path is "-". Data that begins with the gzip magic
 * (1f 8b) is inflated, member after member; other bytes behind them are LU_DAMAGED_FILE. More than
 * `limit` bytes (after inflating) is LU_LIMIT. A terminator that *length does not count follows the
 * bytes. On failure *bytes is NULL and *length 0. */
lu_status lu_file_read(const char *path, size_t limit, char **bytes, size_t *length,
                       lu_error *error);

/* Writes a file through a temporary file in the same folder, synced and renamed: other readers see
 * the old file or the new one, also after a crash. A symbolic link is followed; the mode of an
 * existing file is kept. */
lu_status lu_file_write(const char *path, const void *bytes, size_t length, lu_error *error);

/* Opens a file to append to and to read, made when it is missing; what is no plain file, or a link,
 * is refused. Returns its descriptor, -1 on an error. */
int lu_file_append(const char *path, lu_error *error);

/* Removes temporary files that lu_file_write left in a folder when it was killed. Nobody may be
 * writing there. */
void lu_file_clean(const char *folder);

/* True when something, of whatever kind, has this path. */
bool lu_file_exists(const char *path);
/* Makes a folder and the missing folders above it; one that is there already is fine. */
lu_status lu_folder_make(const char *path, lu_error *error);

/* Folder of the project's data (games, models, web pages): LUDUS_HOME if set, else the first folder
 * above the program, then above the current folder, that has `games` and `CMakeLists.txt`. NULL if
 * there is none. Valid until the program ends. */
const char *lu_home(void);

#ifdef __cplusplus
}
#endif
