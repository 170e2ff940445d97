/* The tile kernels: every table against the reference bit for bit, tile registers included where
 * they exist, the reference against sums in double, and what tiles must survive: signals whose
 * handlers multiply too, threads, forks. */
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "float_math.h"
#include "kernels.h"
#include "ludus/cpu.h"
#include "ludus/rng.h"
#include "packed.h"

static lu_rng rng = {21};

static float uniform(float size) {
    return ((float)lu_rng_unit(&rng) * 2.0f - 1.0f) * size;
}
static int between(int low, int high) {
    return low + (int)lu_rng_below(&rng, (uint32_t)(high - low + 1));
}

#define MARK 12345.0f
enum {
    MOST_ROWS = 256,
    MOST = 96,
    STRIDE = 112,
    STRIDE16 = 160,
    TILES = 2 * 6 * 9 * LU_TILE_WORDS
};
typedef float matrix[MOST_ROWS * STRIDE];
static matrix x, y, dy, w, got, want;
static float bias[STRIDE];
static uint16_t x16[MOST_ROWS * STRIDE16], y16[MOST_ROWS * STRIDE16], got16[MOST_ROWS * STRIDE16],
    want16[MOST_ROWS * STRIDE16];
static uint32_t tiles_got[TILES], tiles_want[TILES], more_tiles[TILES];

static void fill(float *values, size_t n, float size) {
    for (size_t i = 0; i < n; i++) {
        values[i] = uniform(size);
    }
}

static void fill_all(void) {
    fill(x, MOST_ROWS * STRIDE, 2.0f);
    fill(y, MOST_ROWS * STRIDE, 1.0f);
    fill(dy, MOST_ROWS * STRIDE, 2.0f);
    fill(w, MOST_ROWS * STRIDE, 0.5f);
    fill(bias, STRIDE, 1.0f);
}

typedef struct shape {
    int rows, in, out;
    lu_activation act;
    bool biased, narrow;
    bool alone; /* narrow rows and sums of columns, without the wide rows */
} shape;

static void mark(float *result, uint16_t *result16) {
    for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
        result[i] = MARK;
    }
    memset(result16, 0x55, sizeof got16);
}

static void run_forward(const lu_kernels *k, shape s, float *result, uint16_t *result16) {
    mark(result, result16);
    k->pack_forward_tile(w, STRIDE, s.out, s.in, tiles_got);
    k->to_tile_rows(x, STRIDE, s.rows, s.in, x16, STRIDE16);
    k->forward_tile(&(lu_dense_forward){.rows = s.rows,
                                        .in = s.in,
                                        .out = s.out,
                                        .x16 = x16,
                                        .x_stride = STRIDE16,
                                        .tiles = tiles_got,
                                        .bias = s.biased ? bias : NULL,
                                        .act = s.act,
                                        .y = s.alone ? NULL : result,
                                        .y_stride = STRIDE,
                                        .y16 = s.narrow || s.alone ? result16 : NULL,
                                        .y16_stride = STRIDE16});
}

static void run_back(const lu_kernels *k, shape s, float *result, uint16_t *result16) {
    mark(result, result16);
    k->pack_back_tile(w, STRIDE, s.out, s.in, tiles_got);
    k->to_tile_rows(dy, STRIDE, s.rows, s.out, x16, STRIDE16);
    k->to_tile_rows(y, STRIDE, s.rows, s.in, y16, STRIDE16);
    k->back_tile(&(lu_dense_back){.rows = s.rows,
                                  .in = s.in,
                                  .out = s.out,
                                  .dy16 = x16,
                                  .dy_stride = STRIDE16,
                                  .tiles = tiles_got,
                                  .act = s.act,
                                  .x = s.alone && s.act == LU_ACT_RELU ? NULL : y,
                                  .x_stride = STRIDE,
                                  .x16 = y16,
                                  .x16_stride = STRIDE16,
                                  .dx = s.alone ? NULL : result,
                                  .dx_stride = STRIDE,
                                  .dx16 = s.narrow || s.alone ? result16 : NULL,
                                  .dx16_stride = STRIDE16,
                                  .db = s.alone ? result : NULL});
}

/* Rows first .. first + rows - 1, added to what is there unless dw is fresh. */
static void run_grad_on(const lu_kernels *k, shape s, int first, bool fresh, float *dw) {
    k->to_tile_rows(dy + (size_t)first * STRIDE, STRIDE, s.rows, s.out, x16, STRIDE16);
    k->row_tiles(x16, STRIDE16, s.rows, s.out, true, tiles_got);
    k->to_tile_rows(x + (size_t)first * STRIDE, STRIDE, s.rows, s.in, x16, STRIDE16);
    k->row_tiles(x16, STRIDE16, s.rows, s.in, false, more_tiles);
    k->grad_tile(&(lu_dense_grad){.rows = s.rows,
                                  .in = s.in,
                                  .out = s.out,
                                  .dy_tiles = tiles_got,
                                  .x_tiles = more_tiles,
                                  .dw = dw,
                                  .dw_stride = STRIDE,
                                  .fresh = fresh});
}

static void run_grad(const lu_kernels *k, shape s, int first, float *dw) {
    run_grad_on(k, s, first, false, dw);
}

/* The same bits, or both NaN: which of them is not defined. */
static bool same(const float *a, const float *b) {
    for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
        bool both = a[i] != a[i] && b[i] != b[i];
        if (!both && lu_float_bits(a[i]) != lu_float_bits(b[i])) {
            return false;
        }
    }
    return true;
}

static bool same16(const uint16_t *a, const uint16_t *b) {
    for (int i = 0; i < MOST_ROWS * STRIDE16; i++) {
        bool both = (a[i] & 0x7fffu) > 0x7f80u && (b[i] & 0x7fffu) > 0x7f80u;
        if (!both && a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static const char *wrong_part(const lu_kernels *k, shape s) {
    const lu_kernels *ref = lu_kernels_of(LU_KERNELS_REF);
    size_t words = lu_packed_tiles(s.out, s.in);
    run_forward(ref, s, want, want16);
    memcpy(tiles_want, tiles_got, sizeof tiles_want);
    run_forward(k, s, got, got16);
    if (memcmp(tiles_got, tiles_want, words * sizeof *tiles_got) != 0) {
        return "pack_forward";
    }
    if (!same(got, want) || !same16(got16, want16)) {
        return "forward";
    }
    run_back(ref, s, want, want16);
    memcpy(tiles_want, tiles_got, sizeof tiles_want);
    run_back(k, s, got, got16);
    words = lu_packed_tiles(s.in, s.out);
    if (memcmp(tiles_got, tiles_want, words * sizeof *tiles_got) != 0) {
        return "pack_back";
    }
    if (!same(got, want) || !same16(got16, want16)) {
        return "back";
    }
    for (int fresh = 0; fresh < 2; fresh++) {
        memcpy(want, y, sizeof want);
        memcpy(got, y, sizeof got);
        run_grad_on(ref, s, 0, fresh, want);
        run_grad_on(k, s, 0, fresh, got);
        if (!same(got, want)) {
            return fresh ? "fresh grad" : "grad";
        }
    }
    return NULL;
}

static void check_shape(shape s) {
    for (int level = LU_KERNELS_BASE; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        const char *wrong = k ? wrong_part(k, s) : NULL;
        if (wrong) {
            lu_test_fail(__FILE__, __LINE__, "%s of %s: %d rows, %d -> %d, activation %d", wrong,
                         k->name, s.rows, s.in, s.out, (int)s.act);
        }
    }
}

static shape random_shape(int most_rows, int most) {
    return (shape){
        between(1, most_rows), between(1, most),   between(1, most),  (lu_activation)between(0, 2),
        between(0, 3) > 0,     between(0, 1) == 1, between(0, 2) == 0};
}

TEST(tiles_of_all_levels_give_the_bits_of_the_reference) {
    fill_all();
    for (int i = 0; i < 12; i++) {
        check_shape(random_shape(70, 75));
    }
    for (int i = 0; i < 30; i++) {
        check_shape(random_shape(13, 13));
    }
    /* every rest of rows, columns and steps around the sides of tiles and blocks */
    static const int sides[] = {1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65};
    for (int i = 0; i < 12; i++) {
        check_shape((shape){sides[i], 3, 5, LU_ACT_RELU, true, true, false});
        check_shape((shape){5, sides[i], 33, LU_ACT_RELU, true, false, true});
        check_shape((shape){3, sides[i], 5, LU_ACT_TANH, false, true, false});
        check_shape((shape){5, 3, sides[i], LU_ACT_NONE, true, false, false});
    }
    check_shape((shape){197, 33, 34, LU_ACT_RELU, true, true, false});
}

/* Operands and sums around the smallest normal number, and subnormal ones. */
TEST(tiles_of_all_levels_treat_tiny_numbers_alike) {
    for (int round = 0; round < 3; round++) {
        fill_all();
        for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
            int shift = between(0, 15);
            x[i] = ldexpf(round == 1 ? (x[i] > 0 ? 1.0f : -1.5f) : x[i],
                          -63 - shift / 2 * (round > 0));
            dy[i] = ldexpf(dy[i], -62);
            w[i] = ldexpf(round == 1 ? 1.0f : w[i], -63 - (15 - shift) / 2 * (round > 0));
            y[i] = ldexpf(y[i], round == 2 ? -140 : -125);
        }
        for (int i = 0; i < STRIDE; i++) {
            bias[i] = ldexpf(bias[i], round == 2 ? -140 : -125);
        }
        for (int i = 0; i < 12; i++) {
            check_shape(random_shape(40, 40));
        }
    }
}

/* 2^-126 less three quarters of a last bit of the numbers below it is tiny when rounded to 24 bits,
 * though its nearest float is 2^-126. */
TEST(a_sum_just_below_the_normal_range_is_flushed) {
    CHECK(lu_tile_fma(-0x1.8p-76f, 0x1p-75f, 0x1p-126f) == 0.0f);
    CHECK(lu_tile_fma(-0x1p-76f, 0x1p-75f, 0x1p-126f) == 0x1p-126f);
    CHECK(lu_float_bits(lu_tile_fma(0x1.8p-76f, 0x1p-75f, -0x1p-126f)) == 0x80000000u);
    CHECK(lu_tile_fma(0x1p-130f, 0x1p60f, 1.0f) == 1.0f);
    fill_all();
    memset(x, 0, sizeof x);
    memset(w, 0, sizeof w);
    memset(bias, 0, sizeof bias);
    for (int r = 0; r < 16; r++) {
        for (int i = 0; i < 2; i++) {
            x[r * STRIDE + i] = 0x1p-63f;
            w[r * STRIDE + i] = 0x1p-63f;
            x[r * STRIDE + 2 + i] = r % 2 ? -0x1.8p-76f : -0x1p-76f;
            w[r * STRIDE + 2 + i] = 0x1p-75f;
        }
    }
    check_shape((shape){16, 4, 16, LU_ACT_NONE, true, false, false});
    run_forward(lu_kernels_best(), (shape){16, 4, 16, LU_ACT_NONE, true, false, false}, got, got16);
    CHECK(got[0] == 0x1p-125f && got[STRIDE] == 0.0f);
}

TEST(tiles_of_all_levels_carry_infinities_and_nan) {
    fill_all();
    for (int i = 0; i < MOST_ROWS * STRIDE; i += between(1, 200)) {
        static const float strange[] = {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 0x1.fep127f};
        x[i] = strange[between(0, 5)];
        w[between(0, MOST_ROWS * STRIDE - 1)] = strange[between(0, 5)];
        dy[between(0, MOST_ROWS * STRIDE - 1)] = strange[between(0, 5)];
    }
    for (int i = 0; i < 20; i++) {
        check_shape(random_shape(40, 40));
    }
}

/* ---- against sums in double ---- */

static double rounded(float v) {
    return (double)lu_bf16_to(lu_bf16_from(v));
}

/* Within 1e-6 of the size of the terms: operands are exact, sums are fp32. */
static bool near(double value, double right, double size) {
    return fabs(value - right) <= 1e-6 * size + 1e-30;
}

TEST(tiles_are_near_sums_in_double) {
    const lu_kernels *k = lu_kernels_best();
    fill_all();
    for (int round = 0; round < 20; round++) {
        shape s = random_shape(130, MOST);
        int wrong = 0;
        s.act = LU_ACT_NONE;
        s.alone = false;
        run_forward(k, s, got, got16);
        for (int i = 0; i < s.rows * s.out; i++) {
            int r = i / s.out, o = i % s.out;
            double z = s.biased ? (double)bias[o] : 0.0, size = 1.0;
            for (int j = 0; j < s.in; j++) {
                double term = rounded(x[r * STRIDE + j]) * rounded(w[o * STRIDE + j]);
                z += term;
                size += fabs(term);
            }
            wrong += !near((double)got[r * STRIDE + o], z, size);
        }
        memcpy(got, y, sizeof got);
        run_grad(k, s, 0, got);
        for (int i = 0; i < s.out * s.in; i++) {
            int o = i / s.in, j = i % s.in;
            double d = (double)y[o * STRIDE + j], size = 1.0;
            for (int r = 0; r < s.rows; r++) {
                double term = rounded(dy[r * STRIDE + o]) * rounded(x[r * STRIDE + j]);
                d += term;
                size += fabs(term);
            }
            wrong += !near((double)got[o * STRIDE + j], d, size);
        }
        CHECK_INT(wrong, 0);
    }
}

TEST(tile_gradients_do_not_depend_on_how_rows_are_cut_by_32) {
    const lu_kernels *k = lu_kernels_best();
    fill_all();
    shape s = {200, 33, 21, LU_ACT_NONE, true, false, false};
    memcpy(want, y, sizeof want);
    memcpy(got, y, sizeof got);
    run_grad(k, s, 0, want);
    for (int first = 0; first < 200; first += 64) {
        s.rows = 200 - first < 64 ? 200 - first : 64;
        run_grad(k, s, first, got);
    }
    CHECK(same(got, want));
}

/* ---- state of a thread ---- */

/* A product of its own, so that threads and handlers share nothing. */
enum { SMALL = 48 };
typedef struct small_product {
    uint16_t x[SMALL * 96];
    uint32_t tiles[3 * 2 * LU_TILE_WORDS];
    float right[SMALL * SMALL], result[SMALL * SMALL];
} small_product;

static void small_run(small_product *p, float *result) {
    lu_kernels_best()->forward_tile(&(lu_dense_forward){.rows = SMALL,
                                                        .in = SMALL,
                                                        .out = SMALL,
                                                        .x16 = p->x,
                                                        .x_stride = 96,
                                                        .tiles = p->tiles,
                                                        .y = result,
                                                        .y_stride = SMALL});
}

static void small_make(small_product *p) {
    const lu_kernels *k = lu_kernels_best();
    fill_all();
    k->to_tile_rows(x, STRIDE, SMALL, SMALL, p->x, 96);
    k->pack_forward_tile(w, STRIDE, SMALL, SMALL, p->tiles);
    small_run(p, p->right);
}

static bool small_right(small_product *p) {
    small_run(p, p->result);
    return memcmp(p->result, p->right, sizeof p->right) == 0;
}

static small_product of_handler;
static atomic_int handled, handled_wrong;

static void multiply_in_handler(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
    atomic_fetch_add(&handled_wrong, !small_right(&of_handler));
}

/* One signal per product, after up to 60 microseconds: most come in its middle. The handler
 * multiplies other numbers. */
TEST(tiles_survive_signals_whose_handlers_multiply) {
    static small_product mine;
    small_make(&mine);
    small_make(&of_handler);
    struct sigaction act = {.sa_handler = multiply_in_handler}, old;
    sigaction(SIGALRM, &act, &old);
    int wrong = 0;
    for (int i = 0; i < 500; i++) {
        struct itimerval soon = {{0, 0}, {0, 1 + i % 60}};
        setitimer(ITIMER_REAL, &soon, NULL);
        for (int k = 0; k < 8; k++) {
            wrong += !small_right(&mine);
        }
    }
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    CHECK(atomic_load(&handled) > 0);
    CHECK_INT(wrong, 0);
    CHECK_INT(atomic_load(&handled_wrong), 0);
}

static void *multiply_on_thread(void *product) {
    intptr_t wrong = 0;
    for (int i = 0; i < 400; i++) {
        wrong += !small_right(product);
    }
    return (void *)wrong;
}

/* More threads than processors: they are switched while they multiply. */
TEST(tiles_survive_threads) {
    enum { THREADS = 12 };
    static small_product product[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        small_make(&product[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&thread[i], NULL, multiply_on_thread, &product[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        CHECK_INT((intptr_t)wrong, 0);
    }
}

TEST(tiles_survive_forks) {
    static small_product mine;
    small_make(&mine);
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) {
            _exit(multiply_on_thread(&mine) == NULL ? 0 : 1);
        }
        int status = -1;
        CHECK(small_right(&mine));
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
    }
    CHECK(small_right(&mine));
}

/* Without the kernel's permission the table of tiles is not given out. */
TEST(tiles_are_native_only_where_the_kernel_gave_them) {
    const lu_kernels *k = lu_kernels_of(LU_KERNELS_AMX);
    CHECK(!k || (k->tile_native && lu_cpu_tiles() == LU_TILES_READY));
    for (int level = LU_KERNELS_REF; level < LU_KERNELS_AMX; level++) {
        const lu_kernels *other = lu_kernels_of((lu_kernel_level)level);
        CHECK(!other || !other->tile_native);
    }
}
