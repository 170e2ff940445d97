/* The thread pool: see threads.h. A run is one word, `round`, that the caller raises; workers that
 * see it take the job, and the last one to leave wakes the caller. Waiting is a short spin and then
 * a futex on the same word, so that a busy pool makes no system call and an idle one costs nothing.
 * Road not taken: mutex and condition variable cost two to three system calls per run.
 * WASM has no threads: a pool there is NULL, and everything runs here. */
#include "ludus/threads.h"

#ifndef __wasm__
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ludus/error.h"

enum {
    MAX_THREADS = 1024,
    SPINS = 400, /* pauses before sleeping: 5 to 15 microseconds */
    LINE = 64,   /* bytes that one processor writes without disturbing another */
};

typedef struct worker {
    lu_pool *pool;
    int number;
    pthread_t thread;
} worker;

struct lu_pool {
    /* written by the caller between runs, read by workers after they have seen a new round */
    lu_pool_job *job;
    void *context;
    int jobs;
    bool fixed, closing;
    int threads, spins;
    worker *workers;

    alignas(LINE) atomic_uint round;    /* futex word of the workers */
    alignas(LINE) atomic_uint sleepers; /* workers in, or about to enter, the futex */
    alignas(LINE) atomic_int next;      /* next unclaimed index */
    alignas(LINE) atomic_uint busy; /* workers not done with the round: futex word of the caller */
    alignas(LINE) atomic_uint caller_sleeps;
};

static _Thread_local int self; /* number of this thread in the pool whose job it runs */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Sleeps while *word is still `seen`; may come back for no reason. */
static void futex_wait(atomic_uint *word, unsigned seen) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Indices wrap nowhere: each thread claims at most one index past the end. */
static void work(lu_pool *pool, int number) {
    if (pool->fixed) {
        for (int i = number; i < pool->jobs; i += pool->threads) {
            pool->job(pool->context, i);
            if (i > INT_MAX - pool->threads) {
                break;
            }
        }
        return;
    }
    for (;;) {
        int i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= pool->jobs) {
            return;
        }
        pool->job(pool->context, i);
    }
}

/* Waits until the round is no longer `seen`. A worker counts itself as sleeper before it looks
 * again, and the caller raises the round before it counts sleepers; both in the one order of all
 * sequentially consistent operations, so that no wake-up is lost. */
static unsigned wait_round(lu_pool *pool, unsigned seen) {
    unsigned now;
    for (int i = 0; i < pool->spins; i++) {
        now = atomic_load_explicit(&pool->round, memory_order_acquire);
        if (now != seen) {
            return now;
        }
        pause_briefly();
    }
    atomic_fetch_add(&pool->sleepers, 1);
    while ((now = atomic_load(&pool->round)) == seen) {
        futex_wait(&pool->round, seen);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    return now;
}

static void *worker_main(void *argument) {
    const worker *me = argument;
    lu_pool *pool = me->pool;
    unsigned seen = 0;
    self = me->number;
    for (;;) {
        seen = wait_round(pool, seen);
        if (pool->closing) {
            return NULL;
        }
        work(pool, me->number);
        /* the last one out wakes the caller, if it sleeps */
        if (atomic_fetch_sub(&pool->busy, 1) == 1 && atomic_load(&pool->caller_sleeps)) {
            futex_wake(&pool->busy, 1);
        }
    }
}

static void start_round(lu_pool *pool) {
    atomic_fetch_add(&pool->round, 1);
    if (atomic_load(&pool->sleepers)) {
        futex_wake(&pool->round, INT_MAX);
    }
}

static void wait_workers(lu_pool *pool) {
    for (int i = 0; i < pool->spins; i++) {
        if (atomic_load_explicit(&pool->busy, memory_order_acquire) == 0) {
            return;
        }
        pause_briefly();
    }
    atomic_store(&pool->caller_sleeps, 1);
    unsigned left;
    while ((left = atomic_load(&pool->busy)) != 0) {
        futex_wait(&pool->busy, left);
    }
    atomic_store(&pool->caller_sleeps, 0);
}

static void run_here(lu_pool *pool, lu_pool_job *job, void *context, int jobs, bool fixed) {
    /* with more threads than needed a wake-up would cost more than it brings */
    if (!pool || pool->threads == 1 || jobs <= 1) {
        for (int i = 0; i < jobs; i++) {
            job(context, i);
        }
        return;
    }
    LU_ASSERT(jobs < INT_MAX - MAX_THREADS);
    pool->job = job;
    pool->context = context;
    pool->jobs = jobs;
    pool->fixed = fixed;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->busy, (unsigned)pool->threads - 1, memory_order_relaxed);
    start_round(pool);
    work(pool, 0);
    wait_workers(pool);
}

/* The caller may be a thread of another pool. */
static void run(lu_pool *pool, lu_pool_job *job, void *context, int jobs, bool fixed) {
    int outer = self;
    self = 0;
    run_here(pool, job, context, jobs, fixed);
    self = outer;
}

int lu_pool_self(void) {
    return self;
}

void lu_pool_run(lu_pool *pool, lu_pool_job *job, void *context, int jobs) {
    run(pool, job, context, jobs, false);
}

void lu_pool_run_fixed(lu_pool *pool, lu_pool_job *job, void *context, int jobs) {
    run(pool, job, context, jobs, true);
}

void lu_turn_wait(const lu_turn *turn, int at) {
    for (int i = 0; lu_turn_at(turn) < at; i++) {
        if (i < SPINS) {
            pause_briefly();
        } else {
            sched_yield();
        }
    }
}

typedef struct passes_job {
    const lu_pool_pass *pass;
    int passes, spins;
    alignas(LINE) atomic_int done; /* jobs of all passes */
} passes_job;

/* Indices are claimed in rising order: whoever waits here waits for threads that are at work. */
static void run_of_passes(void *context, int index) {
    passes_job *all = context;
    const lu_pool_pass *pass = all->pass;
    int before = 0; /* jobs of the passes before */
    while (index - before >= pass->jobs) {
        before += pass++->jobs;
    }
    for (int i = 0; atomic_load_explicit(&all->done, memory_order_acquire) < before; i++) {
        if (i < all->spins) {
            pause_briefly();
        } else {
            sched_yield();
        }
    }
    pass->job(pass->context, index - before);
    atomic_fetch_add_explicit(&all->done, 1, memory_order_release);
}

void lu_pool_run_passes(lu_pool *pool, const lu_pool_pass *pass, int passes) {
    passes_job all = {.pass = pass, .passes = passes, .spins = pool ? pool->spins : 0};
    int jobs = 0;
    for (int i = 0; i < passes; i++) {
        jobs += pass[i].jobs;
    }
    run(pool, run_of_passes, &all, jobs, false);
}

int lu_pool_threads(const lu_pool *pool) {
    return pool ? pool->threads : 1;
}

lu_pool *lu_pool_new(int threads) {
    int cpus = lu_cpu_count();
    threads = threads > 0 ? threads : cpus;
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    /* aligned for the lines above; a size that is a multiple of the alignment */
    lu_pool *pool = aligned_alloc(alignof(lu_pool), sizeof *pool);
    if (!pool) {
        lu_out_of_memory(sizeof *pool);
    }
    memset(pool, 0, sizeof *pool);
    pool->workers = lu_alloc_zero((size_t)threads, sizeof *pool->workers);
    /* more threads than processors: whoever spins keeps the one it waits for from running */
    pool->spins = threads <= cpus ? SPINS : 0;
    pool->threads = threads;
    int started = 1;
    for (int i = 1; i < threads; i++, started++) {
        pool->workers[i].pool = pool;
        pool->workers[i].number = i;
        if (pthread_create(&pool->workers[i].thread, NULL, worker_main, &pool->workers[i]) != 0) {
            break;
        }
    }
    /* workers read `threads` only after the first round, which comes after this */
    pool->threads = started;
    return pool;
}

void lu_pool_delete(lu_pool *pool) {
    if (!pool) {
        return;
    }
    pool->closing = true;
    start_round(pool);
    for (int i = 1; i < pool->threads; i++) {
        pthread_join(pool->workers[i].thread, NULL);
    }
    free(pool->workers);
    free(pool);
}

/* CPUs that the quota of a cgroup allows, rounded up, or 0 without a quota. Reads version 2, then
 * version 1, at the root of what the process sees: inside a container this is its own group. */
static int quota_cpus(void) {
    double quota = 0, period = 0;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (file) {
        if (fscanf(file, "%lf %lf", &quota, &period) != 2) {
            quota = 0; /* "max": no quota */
        }
        fclose(file);
    } else {
        static const char *const paths[] = {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
                                            "/sys/fs/cgroup/cpu/cpu.cfs_period_us"};
        double values[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            file = fopen(paths[i], "re");
            if (!file) {
                return 0;
            }
            if (fscanf(file, "%lf", &values[i]) != 1) {
                values[i] = 0;
            }
            fclose(file);
        }
        quota = values[0];
        period = values[1];
    }
    if (!(quota > 0 && period > 0 && quota / period < MAX_THREADS)) {
        return 0;
    }
    int whole = (int)(quota / period);
    return whole + (quota / period > whole ? 1 : 0);
}

int lu_cpu_count(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                            : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int quota = quota_cpus();
    count = quota > 0 && quota < count ? quota : count;
    return count > 0 ? count : 1;
}

#else
#include <stddef.h>

lu_pool *lu_pool_new(int threads) {
    (void)threads;
    return NULL;
}

void lu_pool_delete(lu_pool *pool) {
    (void)pool;
}

int lu_pool_threads(const lu_pool *pool) {
    (void)pool;
    return 1;
}

void lu_pool_run(lu_pool *pool, lu_pool_job *job, void *context, int jobs) {
    (void)pool;
    for (int i = 0; i < jobs; i++) {
        job(context, i);
    }
}

void lu_pool_run_fixed(lu_pool *pool, lu_pool_job *job, void *context, int jobs) {
    lu_pool_run(pool, job, context, jobs);
}

void lu_pool_run_passes(lu_pool *pool, const lu_pool_pass *pass, int passes) {
    for (int i = 0; i < passes; i++) {
        lu_pool_run(pool, pass[i].job, pass[i].context, pass[i].jobs);
    }
}

/* Jobs run one after the other: every turn has come. */
void lu_turn_wait(const lu_turn *turn, int at) {
    (void)turn;
    (void)at;
}

int lu_pool_self(void) {
    return 0;
}

int lu_cpu_count(void) {
    return 1;
}

#endif
