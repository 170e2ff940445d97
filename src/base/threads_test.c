#include "ludus/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "test.h"

enum { MOST = 1000 };

typedef struct board {
    int count[MOST]; /* plain: each index is one thread's, and the caller reads after the run */
    pthread_t owner[MOST];
    atomic_long sum;
} board;

static void mark(void *context, int index) {
    board *all = context;
    all->count[index]++;
    all->owner[index] = pthread_self();
    atomic_fetch_add(&all->sum, index + 1);
}

static const int sizes[] = {1, 2, 3, 8};

TEST(every_index_runs_once) {
    static const int jobs[] = {0, 1, 2, 3, 7, 64, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        lu_pool *pool = lu_pool_new(sizes[s]);
        CHECK_INT(lu_pool_threads(pool), sizes[s]);
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
            for (int fixed = 0; fixed < 2; fixed++) {
                static board all;
                memset(&all, 0, sizeof all);
                (fixed ? lu_pool_run_fixed : lu_pool_run)(pool, mark, &all, jobs[k]);
                CHECK_INT(atomic_load(&all.sum), (long)jobs[k] * (jobs[k] + 1) / 2);
                for (int i = 0; i < MOST; i++) {
                    CHECK_INT(all.count[i], i < jobs[k]);
                }
            }
        }
        lu_pool_delete(pool);
    }
}

TEST(fixed_indices_stay_on_their_thread) {
    static board all;
    lu_pool *pool = lu_pool_new(3);
    lu_pool_run_fixed(pool, mark, &all, 30);
    pthread_t first[3] = {all.owner[0], all.owner[1], all.owner[2]};
    CHECK(pthread_equal(first[0], pthread_self()));
    CHECK(!pthread_equal(first[1], first[0]) && !pthread_equal(first[2], first[1]));
    for (int run = 0; run < 50; run++) {
        lu_pool_run_fixed(pool, mark, &all, 30);
        for (int i = 0; i < 30; i++) {
            CHECK(pthread_equal(all.owner[i], first[i % 3]));
        }
    }
    lu_pool_delete(pool);
}

static void add(void *context, int index) {
    long *cells = context;
    cells[index * 8]++; /* a line apart */
}

/* Many tiny runs, also with more threads than processors: no lost wake-up, no run that takes a
 * scheduler's time slice. */
TEST(tiny_runs_are_quick) {
    int runs = getenv("LUDUS_TEST_LONG") ? 100000 : 5000;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static long cells[8 * 8];
        memset(cells, 0, sizeof cells);
        lu_pool *pool = lu_pool_new(sizes[s]);
        for (int i = 0; i < runs; i++) {
            if (i & 1) {
                lu_pool_run(pool, add, cells, 8);
            } else {
                lu_pool_run_fixed(pool, add, cells, 8);
            }
        }
        for (int i = 0; i < 8; i++) {
            CHECK_INT(cells[i * 8], runs);
        }
        lu_pool_delete(pool);
    }
}

/* Pauses between runs put workers to sleep at all moments of the hand-over. */
TEST(runs_after_pauses_wake_the_workers) {
    static long cells[8 * 8];
    memset(cells, 0, sizeof cells);
    lu_pool *pool = lu_pool_new(2);
    for (int i = 0; i < 300; i++) {
        struct timespec pause = {0, (i % 40) * 1000};
        nanosleep(&pause, NULL);
        lu_pool_run(pool, add, cells, 2);
    }
    CHECK_INT(cells[0], 300);
    CHECK_INT(cells[8], 300);
    lu_pool_delete(pool);
}

typedef struct passes {
    atomic_int first, then, last, wrong, self_wrong;
    int threads;
} passes;

enum { FIRSTS = 37, THENS = 23 };

static void pass_first(void *context, int index) {
    passes *p = context;
    (void)index;
    atomic_fetch_add(&p->self_wrong, lu_pool_self() < 0 || lu_pool_self() >= p->threads);
    atomic_fetch_add(&p->first, 1);
}

static void pass_then(void *context, int index) {
    passes *p = context;
    atomic_fetch_add(&p->wrong, atomic_load(&p->first) != FIRSTS || index >= THENS);
    atomic_fetch_add(&p->then, 1);
}

static void pass_last(void *context, int index) {
    passes *p = context;
    atomic_fetch_add(&p->wrong, atomic_load(&p->then) != THENS || index != 0);
    atomic_fetch_add(&p->last, 1);
}

/* One of the passes has nothing to do. */
static void run_passes(lu_pool *pool, passes *p) {
    lu_pool_pass pass[] = {
        {pass_first, p, FIRSTS}, {pass_first, p, 0}, {pass_then, p, THENS}, {pass_last, p, 1}};
    lu_pool_run_passes(pool, pass, 4);
}

static void run_inside(void *context, int index) {
    (void)index;
    run_passes(NULL, context);
}

TEST(a_pass_begins_when_the_one_before_is_done) {
    for (int threads = 1; threads < 9; threads++) {
        lu_pool *pool = lu_pool_new(threads);
        for (int i = 0; i < 50; i++) {
            passes p = {.threads = threads};
            run_passes(pool, &p);
            CHECK_INT(atomic_load(&p.last), 1);
            CHECK_INT(atomic_load(&p.first), FIRSTS);
            CHECK_INT(atomic_load(&p.wrong), 0);
            CHECK_INT(atomic_load(&p.self_wrong), 0);
        }
        lu_pool_delete(pool);
    }
}

/* A thread of one pool that runs another is the caller there. */
TEST(the_number_of_a_thread_is_that_of_the_innermost_run) {
    lu_pool *pool = lu_pool_new(3);
    passes p[3] = {{.threads = 1}, {.threads = 1}, {.threads = 1}};
    for (int i = 0; i < 3; i++) {
        lu_pool_run(pool, run_inside, &p[i], 1);
        CHECK_INT(atomic_load(&p[i].self_wrong), 0);
    }
    CHECK_INT(lu_pool_self(), 0);
    lu_pool_delete(pool);
}

TEST(pools_without_work_and_no_pool) {
    lu_pool_delete(lu_pool_new(4));
    lu_pool_delete(NULL);
    long cells[8] = {0};
    lu_pool_run(NULL, add, cells, 1);
    lu_pool_run_fixed(NULL, add, cells, 1);
    CHECK_INT(cells[0], 2);
    CHECK_INT(lu_pool_threads(NULL), 1);
    CHECK(lu_cpu_count() >= 1);
    lu_pool *pool = lu_pool_new(0);
    CHECK_INT(lu_pool_threads(pool), lu_cpu_count());
    lu_pool_delete(pool);
}
