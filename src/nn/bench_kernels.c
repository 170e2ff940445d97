/* The measurements: see ludus/kernel_bench.h. Trials of all cases take turns, so that a slow moment
 * of the machine meets all of them; the best trial of each counts. */
#include "bench_kernels.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "ludus/arena.h"
#include "ludus/clock.h"
#include "ludus/rng.h"

enum { IN = 260, HIDDEN = 256, HEAD = 70 };

/* Loops take some 0.1 ms. */
enum { PEAK_THREADS = 256, PEAK_LOOPS = 30000 };
static const double PEAK_SECONDS = 0.003;

typedef enum product_kind { FORWARD, BACK, GRAD, PEAK } product_kind;

typedef struct bench_case {
    const char *name;
    product_kind kind;
    lu_operands operands;
    int in, out;
    lu_activation act;
} bench_case;

#define SHAPES(tail, operands)                                                                     \
    {"peak" tail, PEAK, operands, 0, 0, LU_ACT_NONE},                                              \
        {"forward 260->256" tail, FORWARD, operands, IN, HIDDEN, LU_ACT_RELU},                     \
        {"forward 256->256" tail, FORWARD, operands, HIDDEN, HIDDEN, LU_ACT_RELU},                 \
        {"forward 256->70" tail, FORWARD, operands, HIDDEN, HEAD, LU_ACT_NONE},                    \
        {"back 256<-256" tail, BACK, operands, HIDDEN, HIDDEN, LU_ACT_RELU},                       \
        {"back 256<-70" tail, BACK, operands, HIDDEN, HEAD, LU_ACT_RELU},                          \
        {"grad 256x260" tail, GRAD, operands, IN, HIDDEN, LU_ACT_NONE},                            \
        {"grad 256x256" tail, GRAD, operands, HIDDEN, HIDDEN, LU_ACT_NONE}, {                      \
        "grad 70x256" tail, GRAD, operands, HIDDEN, HEAD, LU_ACT_NONE                              \
    }

static const bench_case cases[LU_BENCH_KERNEL_ROWS] = {SHAPES("", LU_OPERANDS_FP32),
                                                       SHAPES(" bf16", LU_OPERANDS_BF16),
                                                       SHAPES(" bf16tile", LU_OPERANDS_TILE)};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Buffers for the largest case; the contents do not matter, but are no subnormals or NaN. */
typedef struct bench_room {
    lu_arena arena;
    int rows;
    size_t stride, stride16;
    float *x, *y, *z, *w, *dw, *b, *packed;
    uint16_t *x16, *y16, *packed16;
    uint32_t *x_pairs, *y_pairs, *tiles, *x_tiles, *y_tiles;
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
    int rows16 = (rows + 15) / 16 * 16;
    size_t narrow = 2 * (size_t)rows16 * stride16, tiles = 4 * lu_packed_tiles(IN, rows);
    size_t bytes = 4 * (3 * matrix + 2 * words) + 2 * narrow + 2 * tiles + 12 * 4 * IN * 512;
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
    room->x16 = lu_arena_take(&room->arena, narrow, 64);
    room->y16 = lu_arena_take(&room->arena, narrow, 64);
    room->tiles = lu_arena_take(&room->arena, 4 * lu_packed_tiles(HIDDEN + 32, IN), 64);
    room->x_tiles = lu_arena_take(&room->arena, tiles, 64);
    room->y_tiles = lu_arena_take(&room->arena, tiles, 64);
    memset(room->x16, 0, narrow);
    room->x_pairs = lu_arena_take(&room->arena, 4 * words, 64);
    room->y_pairs = lu_arena_take(&room->arena, 4 * words, 64);
    k->to_tile_rows(room->x, stride, rows, IN, room->x16, stride16);
    k->row_tiles(room->x16, stride16, rows, IN, false, room->x_tiles);
    k->row_tiles(room->x16, stride16, rows, IN, true, room->y_tiles);
    k->pack_forward_tile(room->w, stride, HIDDEN, IN, room->tiles);
    k->to_pairs(room->x, stride, rows, IN, room->x_pairs, stride);
    k->to_pairs(room->y, stride, rows, IN, room->y_pairs, stride);
    k->pack_forward_bf16(room->w, stride, HIDDEN, IN, room->packed16);
}

static double (*peak_of(const lu_kernels *k, lu_operands operands))(long, float *) {
    return operands == LU_OPERANDS_TILE   ? k->peak_tile
           : operands == LU_OPERANDS_BF16 ? k->peak_bf16
                                          : k->peak_fp32;
}

/* Runs a case once; returns its floating-point operations. */
static double run_case(const bench_case *c, const lu_kernels *k, bench_room *room) {
    size_t stride = room->stride, x_stride = c->operands ? room->stride16 : stride;
    double operations = 2.0 * room->rows * c->in * c->out;
    void (*const forward[])(const lu_dense_forward *) = {k->forward, k->forward_bf16,
                                                         k->forward_tile};
    void (*const back[])(const lu_dense_back *) = {k->back, k->back_bf16, k->back_tile};
    void (*const grad[])(const lu_dense_grad *) = {k->grad, k->grad_bf16, k->grad_tile};
    switch (c->kind) {
    case PEAK: {
        float sink = 0.0f;
        return peak_of(k, c->operands)(20000, &sink);
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
                                 .y_stride = stride,
                                 .tiles = room->tiles,
                                 .y16 = room->y16,
                                 .y16_stride = room->stride16};
        forward[c->operands](&call);
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
                              .dx_stride = stride,
                              .tiles = room->tiles,
                              .dx16 = room->y16,
                              .dx16_stride = room->stride16};
        back[c->operands](&call);
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
                              .dy_tiles = room->y_tiles,
                              .x_tiles = room->x_tiles,
                              .dw = room->dw,
                              .dw_stride = (size_t)c->in,
                              .db = c->operands ? NULL : room->b};
        grad[c->operands](&call);
        return operations;
    }
    }
    return 0.0;
}

int lu_bench_kernels(const lu_kernels *k, int rows, double seconds, const lu_watch *watch,
                     lu_bench_row *results) {
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
        double share = (lu_clock_seconds() - start) / seconds;
        lu_watch_tell(watch, share < 1.0 ? share : 1.0, "the products of a net");
    } while (lu_clock_seconds() - start < seconds && !lu_watch_stops(watch));
    for (int i = 0; i < CASES; i++) {
        snprintf(results[i].name, sizeof results[i].name, "%s", cases[i].name);
        results[i].share = results[i].gflops / results[(int)cases[i].operands * (CASES / 3)].gflops;
    }
    lu_arena_free(&room.arena);
    return CASES;
}

int lu_bench_best_kernels(int rows, double seconds, const lu_watch *watch, lu_bench_row *results) {
    return lu_bench_kernels(lu_kernels_best(), rows, seconds, watch, results);
}

typedef struct peak_job {
    lu_operands operands;
    int threads;
    atomic_int ready;
    double rate[PEAK_THREADS];
} peak_job;

/* All threads work until PEAK_SECONDS are over: where some share a core, the others go on. */
static void peak_on_thread(void *context, int thread) {
    peak_job *job = context;
    const lu_kernels *k = lu_kernels_best();
    float sink = 0.0f;
    /* an instruction on tiles takes 16 cycles */
    long loops = job->operands == LU_OPERANDS_TILE && k->tile_native ? PEAK_LOOPS / 16 : PEAK_LOOPS;
    atomic_fetch_add(&job->ready, 1);
    double begin = lu_clock_seconds();
    while (atomic_load(&job->ready) < job->threads && lu_clock_seconds() - begin < PEAK_SECONDS) {
    }
    double start = lu_clock_seconds(), now = start, operations = 0.0;
    while (now - start < PEAK_SECONDS) {
        operations += peak_of(k, job->operands)(loops, &sink);
        now = lu_clock_seconds();
    }
    job->rate[thread] = operations / (now - start);
}

double lu_bench_peak(lu_operands operands, lu_pool *pool) {
    int threads = lu_pool_threads(pool);
    peak_job job = {.operands = operands,
                    .threads = threads < PEAK_THREADS ? threads : PEAK_THREADS};
    double sum = 0.0;
    lu_pool_run_fixed(pool, peak_on_thread, &job, job.threads);
    for (int i = 0; i < job.threads; i++) {
        sum += job.rate[i];
    }
    return sum * 1e-9;
}

bool lu_bench_tiles(void) {
    return lu_kernels_best()->tile_native;
}

const char *lu_bench_kernel_level(void) {
    return lu_kernels_best()->name;
}
