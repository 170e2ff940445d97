/* The measurements: see ludus/kernel_bench.h. Trials of all cases take turns, so that a slow moment
 * of the machine meets all of them; the best trial of each counts. */
#include "bench_kernels.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ludus/arena.h"
#include "ludus/clock.h"
#include "ludus/rng.h"

enum { IN = 260, HIDDEN = 256, HEAD = 70 };

/* About 3 ms a thread. */
enum { PEAK_THREADS = 256, PEAK_LOOPS = 1000000 };

typedef enum product_kind { FORWARD, BACK, GRAD, PEAK } product_kind;

typedef struct bench_case {
    const char *name;
    product_kind kind;
    bool bf16;
    int in, out;
    lu_activation act;
} bench_case;

#define SHAPES(tail, bf16)                                                                         \
    {"peak" tail, PEAK, bf16, 0, 0, LU_ACT_NONE},                                                  \
        {"forward 260->256" tail, FORWARD, bf16, IN, HIDDEN, LU_ACT_RELU},                         \
        {"forward 256->256" tail, FORWARD, bf16, HIDDEN, HIDDEN, LU_ACT_RELU},                     \
        {"forward 256->70" tail, FORWARD, bf16, HIDDEN, HEAD, LU_ACT_NONE},                        \
        {"back 256<-256" tail, BACK, bf16, HIDDEN, HIDDEN, LU_ACT_RELU},                           \
        {"back 256<-70" tail, BACK, bf16, HIDDEN, HEAD, LU_ACT_RELU},                              \
        {"grad 256x260" tail, GRAD, bf16, IN, HIDDEN, LU_ACT_NONE},                                \
        {"grad 256x256" tail, GRAD, bf16, HIDDEN, HIDDEN, LU_ACT_NONE}, {                          \
        "grad 70x256" tail, GRAD, bf16, HIDDEN, HEAD, LU_ACT_NONE                                  \
    }

static const bench_case cases[LU_BENCH_KERNEL_ROWS] = {SHAPES("", false), SHAPES(" bf16", true)};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Buffers for the largest case; the contents do not matter, but are no subnormals or NaN. */
typedef struct bench_room {
    lu_arena arena;
    int rows;
    size_t stride, stride16;
    float *x, *y, *z, *w, *dw, *b, *packed;
    uint16_t *x16, *packed16;
    uint32_t *x_pairs, *y_pairs;
} bench_room;

static float *take_random(bench_room *room, size_t n, float size, lu_rng *rng) {
    float *values = lu_arena_take(&room->arena, n * sizeof *values, 64);
    assert(values);
    for (size_t i = 0; i < n; i++) {
        values[i] = ((float)lu_rng_unit(rng) - 0.5f) * size;
    }
    return values;
}

static void room_init(bench_room *room, const lu_kernels *k, int rows) {
    lu_rng rng = lu_rng_from(1);
    size_t stride = lu_row_floats(IN), stride16 = lu_row_bf16s(IN);
    size_t matrix = (size_t)rows * stride, words = (size_t)(rows + 1) / 2 * stride;
    size_t bytes = 4 * (3 * matrix + 2 * words) + 2 * (size_t)rows * stride16 + 10 * 4 * IN * 512;
    *room = (bench_room){.rows = rows, .stride = stride, .stride16 = stride16};
    lu_arena_init(&room->arena, bytes);
    room->x = take_random(room, matrix, 2.0f, &rng);
    room->y = take_random(room, matrix, 2.0f, &rng);
    room->z = take_random(room, matrix, 2.0f, &rng);
    room->w = take_random(room, HIDDEN * stride, 0.1f, &rng);
    room->dw = take_random(room, HIDDEN * stride, 0.1f, &rng);
    room->b = take_random(room, stride, 0.1f, &rng);
    room->packed = take_random(room, lu_packed_floats(HIDDEN + 32, IN), 0.1f, &rng);
    room->packed16 = lu_arena_take(&room->arena, 2 * lu_packed_bf16s(HIDDEN + 32, IN), 64);
    room->x16 = lu_arena_take(&room->arena, 2 * (size_t)rows * stride16, 64);
    room->x_pairs = lu_arena_take(&room->arena, 4 * words, 64);
    room->y_pairs = lu_arena_take(&room->arena, 4 * words, 64);
    k->to_bf16(room->x, stride, rows, IN, room->x16, stride16);
    k->to_pairs(room->x, stride, rows, IN, room->x_pairs, stride);
    k->to_pairs(room->y, stride, rows, IN, room->y_pairs, stride);
    k->pack_forward_bf16(room->w, stride, HIDDEN, IN, room->packed16);
}

/* Runs a case once; returns its floating-point operations. */
static double run_case(const bench_case *c, const lu_kernels *k, bench_room *room) {
    size_t stride = room->stride, x_stride = c->bf16 ? room->stride16 : stride;
    double operations = 2.0 * room->rows * c->in * c->out;
    switch (c->kind) {
    case PEAK: {
        float sink = 0.0f;
        return c->bf16 ? k->peak_bf16(20000, &sink) : k->peak_fp32(20000, &sink);
    }
    case FORWARD: {
        lu_dense_forward call = {.rows = room->rows,
                                 .in = c->in,
                                 .out = c->out,
                                 .x = room->x,
                                 .x16 = room->x16,
                                 .x_stride = x_stride,
                                 .packed = room->packed,
                                 .packed16 = room->packed16,
                                 .bias = room->b,
                                 .act = c->act,
                                 .y = room->y,
                                 .y_stride = stride};
        (c->bf16 ? k->forward_bf16 : k->forward)(&call);
        return operations;
    }
    case BACK: {
        lu_dense_back call = {.rows = room->rows,
                              .in = c->in,
                              .out = c->out,
                              .dy = room->x,
                              .dy16 = room->x16,
                              .dy_stride = x_stride,
                              .packed = room->packed,
                              .packed16 = room->packed16,
                              .act = c->act,
                              .x = room->z,
                              .x_stride = stride,
                              .dx = room->y,
                              .dx_stride = stride};
        (c->bf16 ? k->back_bf16 : k->back)(&call);
        return operations;
    }
    case GRAD: {
        lu_dense_grad call = {.rows = room->rows,
                              .in = c->in,
                              .out = c->out,
                              .dy = room->z,
                              .dy_pairs = room->y_pairs,
                              .dy_stride = stride,
                              .x = room->x,
                              .x_pairs = room->x_pairs,
                              .x_stride = stride,
                              .dw = room->dw,
                              .dw_stride = stride,
                              .db = c->bf16 ? NULL : room->b};
        (c->bf16 ? k->grad_bf16 : k->grad)(&call);
        return operations;
    }
    }
    return 0.0;
}

int lu_bench_kernels(const lu_kernels *k, int rows, double seconds, lu_bench_row *results) {
    bench_room room;
    room_init(&room, k, rows);
    double start = lu_clock_seconds();
    memset(results, 0, sizeof *results * CASES);
    do {
        /* each case twice in a row: the first run brings its operands into the caches */
        for (int run = 0; run < 2 * CASES; run++) {
            int i = run / 2;
            double from = lu_clock_seconds();
            double operations = run_case(&cases[i], k, &room);
            double gflops = operations / (lu_clock_seconds() - from) * 1e-9;
            results[i].gflops = gflops > results[i].gflops ? gflops : results[i].gflops;
        }
    } while (lu_clock_seconds() - start < seconds);
    for (int i = 0; i < CASES; i++) {
        snprintf(results[i].name, sizeof results[i].name, "%s", cases[i].name);
        results[i].share = results[i].gflops / results[cases[i].bf16 ? CASES / 2 : 0].gflops;
    }
    lu_arena_free(&room.arena);
    return CASES;
}

int lu_bench_best_kernels(int rows, double seconds, lu_bench_row *results) {
    return lu_bench_kernels(lu_kernels_best(), rows, seconds, results);
}

typedef struct peak_job {
    bool bf16;
    double operations[PEAK_THREADS];
} peak_job;

static void peak_on_thread(void *context, int thread) {
    peak_job *job = context;
    const lu_kernels *k = lu_kernels_best();
    float sink = 0.0f;
    job->operations[thread] = (job->bf16 ? k->peak_bf16 : k->peak_fp32)(PEAK_LOOPS, &sink);
}

double lu_bench_peak(bool bf16, lu_pool *pool) {
    peak_job job = {.bf16 = bf16};
    int threads = lu_pool_threads(pool);
    threads = threads < PEAK_THREADS ? threads : PEAK_THREADS;
    double start = lu_clock_seconds(), operations = 0.0;
    lu_pool_run_fixed(pool, peak_on_thread, &job, threads);
    double seconds = lu_clock_seconds() - start;
    for (int i = 0; i < threads; i++) {
        operations += job.operations[i];
    }
    return operations / seconds * 1e-9;
}

const char *lu_bench_kernel_level(void) {
    return lu_kernels_best()->name;
}
