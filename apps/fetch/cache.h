/* Answers kept as files of one folder, so that a source is asked once an hour: the file's time says
 * when it was asked. Beside them, until when a source that asked for patience is left alone.
 * Ownership: the caller's, from cache_open to cache_close; bytes read belong to the caller.
 * Threads: one; the folder is held against other processes (LU_BUSY). */
#pragma once

#include "ludus/text.h"

#include "ludus/error.h"

#include <stdbool.h>

typedef struct cache {
    lu_text folder;
    int lock;
    double now; /* seconds since 1970, taken at the opening */
} cache;

/* `folder` "": ludus-fetch in XDG_CACHE_HOME, else in ~/.cache. */
lu_status cache_open(cache *c, const char *folder, lu_error *error);
void cache_close(cache *c);
/* False: there is none that can be read. Age in seconds, below 0 where the clock was set back. */
bool cache_read(const cache *c, const char *name, size_t most, char **bytes, size_t *length,
                double *age);
lu_status cache_write(const cache *c, const char *name, const char *bytes, size_t length,
                      lu_error *error);
/* Seconds for which the source of this name is still to be left alone; 0: none. */
double cache_wait(const cache *c, const char *name);
lu_status cache_set_wait(const cache *c, const char *name, double seconds, lu_error *error);
