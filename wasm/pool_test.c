/* A pool without threads: a module for tests (tools.mjs) of what tools that use one do here. */
#include "ludus/threads.h"

#include <stdint.h>

int32_t pool_runs(int32_t jobs);

typedef struct sums {
    int32_t order, wrong;
} sums;

static void add(void *context, int index) {
    sums *all = context;
    all->wrong += all->order++ != index;
}

/* Jobs that were run, less those out of order. */
__attribute__((export_name("pool_runs"))) int32_t pool_runs(int32_t jobs) {
    sums all = {0, 0};
    lu_pool *pool = lu_pool_new(0);
    lu_pool_run(pool, add, &all, jobs);
    lu_pool_delete(pool);
    return all.order - all.wrong + (lu_pool_threads(pool) - 1);
}
