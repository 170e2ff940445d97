/* A pool of threads that runs one job many times over: the caller works too and comes back when all
 * are done. Starting a run costs about a microsecond while the workers still spin, and a wake-up
 * after that; nothing is allocated or locked. Results must not depend on which thread ran what. In
 * WASM a pool is NULL and everything runs in the caller.
 * Ownership: the caller owns the pool until lu_pool_delete, and the context during a run. Threads:
 * a pool is run by one thread at a time, never from inside one of its own jobs. */
#pragma once

#include "ludus/linkage.h"

LU_C_BEGIN

typedef struct lu_pool lu_pool;
typedef void lu_pool_job(void *context, int index);

/* A pool of `threads` threads, the calling one counted; 0 or less means lu_cpu_count(). When the
 * system refuses a thread the pool has fewer: see lu_pool_threads. */
lu_pool *lu_pool_new(int threads);
void lu_pool_delete(lu_pool *pool);
int lu_pool_threads(const lu_pool *pool);

/* Runs job(context, i) for every i below jobs, each once, by whichever thread is free. All effects
 * are visible to the caller afterwards. A pool of NULL runs all of them here. */
void lu_pool_run(lu_pool *pool, lu_pool_job *job, void *context, int jobs);
/* The same, but index i always runs on thread i % threads: for data that a thread keeps warm. */
void lu_pool_run_fixed(lu_pool *pool, lu_pool_job *job, void *context, int jobs);

typedef struct lu_pool_pass {
    lu_pool_job *job;
    void *context;
    int jobs;
} lu_pool_pass;

/* Several passes for one wake-up: the jobs of a pass begin when all of the passes before are done.
 */
void lu_pool_run_passes(lu_pool *pool, const lu_pool_pass *pass, int passes);
/* Inside a job: the number of the thread that runs it, below lu_pool_threads; elsewhere 0, unless a
 * job of another pool asks. For memory that belongs to a thread. */
int lu_pool_self(void);

/* A count of jobs that take turns while a run is on, in a cache line of its own; zero is its start.
 * A job may wait for what a job of a lower index does, since indices are claimed in rising order.
 */
typedef struct lu_turn {
    int at;
    char apart[60];
} lu_turn;

/* Adds one to a turn and returns what it was; what was written before is seen by whoever waited. */
static inline int lu_turn_take(lu_turn *turn) {
    return __atomic_fetch_add(&turn->at, 1, __ATOMIC_ACQ_REL);
}
static inline int lu_turn_at(const lu_turn *turn) {
    return __atomic_load_n(&turn->at, __ATOMIC_ACQUIRE);
}
/* Comes back when the turn has reached `at`. */
void lu_turn_wait(const lu_turn *turn, int at);

/* CPUs this process may use: its affinity mask and the cgroup's quota (rounded up); at least 1. */
int lu_cpu_count(void);

LU_C_END
