/* What long work asks of its caller: whether to stop, and to be told how far it is.
 * Ownership: the caller's, while the work goes on. Threads: the one that calls the work. */
#pragma once

#include "ludus/linkage.h"

#include <stdbool.h>

LU_C_BEGIN

typedef struct lu_watch {
    void *context;
    bool (*stop)(void *context); /* true: return LU_INTERRUPTED soon; NULL: never */
    /* Share done in [0, 1], below 0 unknown, and what is being done; NULL: not wanted. */
    void (*progress)(void *context, double share, const char *what);
} lu_watch;

/* Both take NULL for nobody. */
static inline bool lu_watch_stops(const lu_watch *watch) {
    return watch && watch->stop && watch->stop(watch->context);
}

static inline void lu_watch_tell(const lu_watch *watch, double share, const char *what) {
    if (watch && watch->progress) {
        watch->progress(watch->context, share, what);
    }
}

LU_C_END
