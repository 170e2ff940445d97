/* Dense layers: every table against the reference bit for bit, and the reference against naive sums
 * in double, over shapes with all tails. */
#include "test.h"

#include <stdlib.h>

#include "bench_kernels.h"
#include "float_math.h"
#include "kernels.h"
#include "ludus/rng.h"

static lu_rng rng = {20};

static float uniform(float size) {
    return ((float)lu_rng_unit(&rng) * 2.0f - 1.0f) * size;
}
static int between(int low, int high) {
    return low + (int)lu_rng_below(&rng, (uint32_t)(high - low + 1));
}

/* Memory for one shape; everything that a kernel must not write keeps the mark. */
#define MARK 12345.0f
enum { MOST_ROWS = 256, MOST = 96, STRIDE = 112, PACKED = (MOST + 32) * (MOST + 2) };
typedef float matrix[MOST_ROWS * STRIDE];
static matrix x, y, dy, w, got, want, dw_got, dw_want;
static float bias[STRIDE], db_got[STRIDE], db_want[STRIDE], packed[PACKED];
static uint16_t x16[MOST_ROWS * 160], dy16[MOST_ROWS * 160], packed16[PACKED];
static matrix pairs_x, pairs_dy;
enum { STRIDE16 = 160 };

static void fill(float *values, size_t n, float size) {
    for (size_t i = 0; i < n; i++) {
        values[i] = uniform(size);
    }
}

static void mark(float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        values[i] = MARK;
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
    bool bf16, biased;
    bool by_row; /* sums start from a matrix, in place */
} shape;

/* What a result holds before: marks, or what the sums of its elements start from. */
static void prepare(float *result, shape s, int columns) {
    mark(result, MOST_ROWS * STRIDE);
    for (int i = 0; s.by_row && i < s.rows * columns; i++) {
        int at = i / columns * STRIDE + i % columns;
        result[at] = y[at];
    }
}

static void run_forward(const lu_kernels *k, shape s, float *result) {
    prepare(result, s, s.out);
    k->pack_forward(w, STRIDE, s.out, s.in, packed);
    k->pack_forward_bf16(w, STRIDE, s.out, s.in, packed16);
    k->to_bf16(x, STRIDE, s.rows, s.in, x16, STRIDE16);
    lu_dense_forward call = {.rows = s.rows,
                             .in = s.in,
                             .out = s.out,
                             .x = x,
                             .x16 = x16,
                             .x_stride = s.bf16 ? STRIDE16 : STRIDE,
                             .packed = packed,
                             .packed16 = packed16,
                             .bias = s.by_row   ? result
                                     : s.biased ? bias
                                                : NULL,
                             .bias_stride = s.by_row ? STRIDE : 0,
                             .act = s.act,
                             .y = result,
                             .y_stride = STRIDE};
    (s.bf16 ? k->forward_bf16 : k->forward)(&call);
}

static void run_back(const lu_kernels *k, shape s, float *result) {
    prepare(result, s, s.in);
    k->pack_back(w, STRIDE, s.out, s.in, packed);
    k->pack_back_bf16(w, STRIDE, s.out, s.in, packed16);
    k->to_bf16(dy, STRIDE, s.rows, s.out, dy16, STRIDE16);
    lu_dense_back call = {.rows = s.rows,
                          .in = s.in,
                          .out = s.out,
                          .dy = dy,
                          .dy16 = dy16,
                          .dy_stride = s.bf16 ? STRIDE16 : STRIDE,
                          .packed = packed,
                          .packed16 = packed16,
                          .start = s.by_row ? result : NULL,
                          .start_stride = STRIDE,
                          .act = s.act,
                          .x = y,
                          .x_stride = STRIDE,
                          .dx = result,
                          .dx_stride = STRIDE};
    (s.bf16 ? k->back_bf16 : k->back)(&call);
}

/* Rows first .. first + rows - 1, added to what is there unless dw is fresh. */
static void run_grad_on(const lu_kernels *k, shape s, int first, bool fresh, float *dw, float *db) {
    const float *from_x = x + (size_t)first * STRIDE, *from_dy = dy + (size_t)first * STRIDE;
    uint32_t *x_pairs = (uint32_t *)(void *)pairs_x, *dy_pairs = (uint32_t *)(void *)pairs_dy;
    k->to_pairs(from_x, STRIDE, s.rows, s.in, x_pairs, STRIDE);
    k->to_pairs(from_dy, STRIDE, s.rows, s.out, dy_pairs, STRIDE);
    lu_dense_grad call = {.rows = s.rows,
                          .in = s.in,
                          .out = s.out,
                          .dy = from_dy,
                          .dy_pairs = dy_pairs,
                          .dy_stride = STRIDE,
                          .x = from_x,
                          .x_pairs = x_pairs,
                          .x_stride = STRIDE,
                          .dw = dw,
                          .dw_stride = STRIDE,
                          .fresh = fresh,
                          .db = db};
    if (s.bf16) {
        k->grad_bf16(&call);
        k->bias_grad(from_dy, STRIDE, s.rows, s.out, db);
    } else {
        k->grad(&call);
    }
}

static void run_grad(const lu_kernels *k, shape s, int first, float *dw, float *db) {
    run_grad_on(k, s, first, false, dw, db);
}

static void start_grad(float *dw, float *db) {
    for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
        dw[i] = y[i];
    }
    for (int i = 0; i < STRIDE; i++) {
        db[i] = bias[i];
    }
}

static bool same(const float *a, const float *b, size_t n) {
    return memcmp(a, b, n * 4) == 0;
}

static void check_shape(shape s) {
    const lu_kernels *ref = lu_kernels_of(LU_KERNELS_REF);
    const char *type = s.bf16 ? "bf16" : "fp32";
    for (int level = LU_KERNELS_BASE; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        if (!k) {
            continue;
        }
        const char *part = "forward";
        run_forward(ref, s, want);
        run_forward(k, s, got);
        bool good = same(got, want, MOST_ROWS * STRIDE);
        if (good) {
            part = "back";
            run_back(ref, s, want);
            run_back(k, s, got);
            good = same(got, want, MOST_ROWS * STRIDE);
        }
        for (int fresh = 0; fresh < 2 && good; fresh++) {
            part = fresh ? "fresh grad" : "grad";
            start_grad(dw_want, db_want);
            start_grad(dw_got, db_got);
            run_grad_on(ref, s, 0, fresh, dw_want, db_want);
            run_grad_on(k, s, 0, fresh, dw_got, db_got);
            good = same(dw_got, dw_want, MOST_ROWS * STRIDE) && same(db_got, db_want, STRIDE);
        }
        if (!good) {
            lu_test_fail(__FILE__, __LINE__, "%s %s of %s: %d rows, %d -> %d, activation %d", type,
                         part, k->name, s.rows, s.in, s.out, (int)s.act);
        }
    }
}

static shape random_shape(int most_rows, int most) {
    return (shape){
        between(1, most_rows), between(1, most),  between(1, most),  (lu_activation)between(0, 2),
        between(0, 1) == 1,    between(0, 3) > 0, between(0, 3) == 0};
}

TEST(all_levels_give_the_bits_of_the_reference) {
    fill_all();
    for (int i = 0; i < 60; i++) {
        check_shape(random_shape(40, 75));
    }
    for (int i = 0; i < 150; i++) {
        check_shape(random_shape(13, 13));
    }
    /* every width of the last panel, every row tile, and more than one block of rows */
    for (int n = 1; n <= 40; n++) {
        check_shape((shape){n, 3, n, (lu_activation)(n % 3), n % 2 == 0, true, n % 5 == 0});
        check_shape((shape){41 - n, n, 2, (lu_activation)(n % 3), n % 2 == 1, true, n % 5 == 1});
    }
    check_shape((shape){197, 5, 9, LU_ACT_RELU, false, true, false});
    check_shape((shape){197, 5, 9, LU_ACT_RELU, false, true, true});
    check_shape((shape){197, 5, 9, LU_ACT_TANH, true, true, false});
    check_shape((shape){12, 64, 70, LU_ACT_NONE, false, true, false});
    check_shape((shape){12, 64, 70, LU_ACT_NONE, true, true, true});
    /* a few columns behind whole panels */
    for (int n = 1; n <= 8; n++) {
        check_shape((shape){20 + n, 64 + n, 70, LU_ACT_NONE, false, true, false});
        check_shape((shape){20 + n, 32 + n, 67, LU_ACT_NONE, true, true, false});
    }
}

/* Values so small that products and sums fall below the normal range: bf16 flushes, fp32 does not.
 */
TEST(all_levels_treat_tiny_numbers_alike) {
    fill_all();
    for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
        x[i] *= 0x1p-60f;
        dy[i] *= 0x1p-62f;
        w[i] *= 0x1p-64f;
        y[i] *= 0x1p-126f;
    }
    for (int i = 0; i < STRIDE; i++) {
        bias[i] *= 0x1p-126f;
    }
    for (int i = 0; i < 60; i++) {
        check_shape(random_shape(13, 20));
    }
    for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
        x[i] *= 0x1p-68f; /* subnormal operands */
    }
    for (int i = 0; i < 6; i++) {
        check_shape(random_shape(13, 20));
    }
}

/* ---- against naive sums in double ---- */

static double rounded(float v, bool bf16) {
    return bf16 ? (double)lu_bf16_to(lu_bf16_from(v)) : (double)v;
}

/* Within 1e-6 of the size of the terms. */
static bool near(double value, double right, double size) {
    return fabs(value - right) <= 1e-6 * size + 1e-30;
}

static int wrong_forward(const lu_kernels *k, shape s) {
    int wrong = 0;
    run_forward(k, s, got);
    for (int r = 0; r < s.rows; r++) {
        for (int o = 0; o < s.out; o++) {
            double z = s.by_row ? (double)y[r * STRIDE + o] : s.biased ? (double)bias[o] : 0.0;
            double size = 1.0;
            for (int i = 0; i < s.in; i++) {
                double term =
                    rounded(x[r * STRIDE + i], s.bf16) * rounded(w[o * STRIDE + i], s.bf16);
                z += term;
                size += fabs(term);
            }
            z = s.act == LU_ACT_RELU ? (z > 0 ? z : 0) : s.act == LU_ACT_TANH ? tanh(z) : z;
            wrong += !near((double)got[r * STRIDE + o], z, size);
        }
    }
    return wrong;
}

static int wrong_back(const lu_kernels *k, shape s) {
    int wrong = 0;
    run_back(k, s, got);
    for (int r = 0; r < s.rows; r++) {
        for (int i = 0; i < s.in; i++) {
            double size = 1.0, out = (double)y[r * STRIDE + i];
            double d = s.by_row ? out : 0.0;
            for (int o = 0; o < s.out; o++) {
                double term =
                    rounded(dy[r * STRIDE + o], s.bf16) * rounded(w[o * STRIDE + i], s.bf16);
                d += term;
                size += fabs(term);
            }
            d *= s.act == LU_ACT_RELU ? (out > 0) : s.act == LU_ACT_TANH ? 1.0 - out * out : 1.0;
            wrong += !near((double)got[r * STRIDE + i], d, size);
        }
    }
    return wrong;
}

static int wrong_grad(const lu_kernels *k, shape s) {
    int wrong = 0;
    start_grad(dw_got, db_got);
    run_grad(k, s, 0, dw_got, db_got);
    for (int o = 0; o < s.out; o++) {
        double sum = (double)bias[o], sum_size = 1.0;
        for (int i = 0; i < s.in; i++) {
            double d = (double)y[o * STRIDE + i], size = 1.0;
            for (int r = 0; r < s.rows; r++) {
                double term =
                    rounded(dy[r * STRIDE + o], s.bf16) * rounded(x[r * STRIDE + i], s.bf16);
                d += term;
                size += fabs(term);
            }
            wrong += !near((double)dw_got[o * STRIDE + i], d, size);
        }
        for (int r = 0; r < s.rows; r++) {
            sum += (double)dy[r * STRIDE + o];
            sum_size += fabs((double)dy[r * STRIDE + o]);
        }
        wrong += !near((double)db_got[o], sum, sum_size);
    }
    return wrong;
}

TEST(kernels_are_near_sums_in_double) {
    const lu_kernels *k = lu_kernels_best();
    fill_all();
    for (int i = 0; i < 150; i++) {
        shape s = random_shape(i < 100 ? 40 : 130, MOST);
        s = i < 30 ? (shape){i + 1, between(1, 3), between(1, 3), s.act, s.bf16, s.biased, s.by_row}
                   : s;
        CHECK_INT(wrong_forward(k, s), 0);
        CHECK_INT(wrong_back(k, s), 0);
        CHECK_INT(wrong_grad(k, s), 0);
    }
}

TEST(gradients_do_not_depend_on_how_rows_are_cut) {
    const lu_kernels *k = lu_kernels_best();
    fill_all();
    for (int bf16 = 0; bf16 < 2; bf16++) {
        shape s = {200, 33, 21, LU_ACT_NONE, bf16 == 1, true, false};
        start_grad(dw_want, db_want);
        run_grad(k, s, 0, dw_want, db_want);
        start_grad(dw_got, db_got);
        for (int first = 0; first < 200; first += 38) {
            s.rows = 200 - first < 38 ? 200 - first : 38;
            run_grad(k, s, first, dw_got, db_got);
        }
        CHECK(same(dw_got, dw_want, MOST_ROWS * STRIDE));
        CHECK(same(db_got, db_want, STRIDE));
    }
}

/* ---- quarters ---- */

static void run_quarters(const lu_kernels *k, int rows, int n, bool left, float *result) {
    mark(result, MOST_ROWS * STRIDE);
    lu_quarters call = {.rows = rows,
                        .n = n,
                        .q = {{x, x + n}, {dy, dy + 1}},
                        .stride = STRIDE,
                        .sum_stride = STRIDE};
    for (int i = 0; i < 4; i++) {
        call.sum[i] = result + (size_t)(i * MOST_ROWS / 4 * STRIDE);
    }
    (left ? k->left_sums : k->right_sums)(&call);
}

static void run_join(const lu_kernels *k, int rows, int n, lu_activation act, bool back,
                     float *result) {
    mark(result, MOST_ROWS * STRIDE);
    float *p = result, *c = result + MOST_ROWS / 2 * STRIDE;
    for (int i = 0; i < rows * n; i++) {
        p[i / n * STRIDE + i % n] = w[i];
    }
    k->quarter_join(&(lu_quarter_join){.rows = rows,
                                       .n = n,
                                       .u = x,
                                       .v = dy,
                                       .p = p,
                                       .c = c,
                                       .stride = STRIDE,
                                       .v_stride = STRIDE,
                                       .act = act,
                                       .x = back ? y : NULL,
                                       .x_stride = STRIDE});
}

TEST(sums_of_quarters_are_the_same_at_all_levels) {
    const lu_kernels *ref = lu_kernels_of(LU_KERNELS_REF);
    fill_all();
    for (int level = LU_KERNELS_BASE; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        for (int i = 0; k && i < 60; i++) {
            int rows = between(1, MOST_ROWS / 4), n = between(1, 50);
            lu_activation act = (lu_activation)(i % 3);
            run_quarters(ref, rows, n, i % 2 == 0, want);
            run_quarters(k, rows, n, i % 2 == 0, got);
            CHECK(same(got, want, MOST_ROWS * STRIDE));
            run_join(ref, rows, n, act, i % 2 == 0, want);
            run_join(k, rows, n, act, i % 2 == 0, got);
            CHECK(same(got, want, MOST_ROWS * STRIDE));
        }
    }
}

/* ---- arithmetic ---- */

static float random_bits(void) {
    return lu_float_from_bits((uint32_t)lu_rng_u64(&rng));
}

TEST(fused_multiply_add_is_exact) {
    int wrong = 0;
    for (int i = 0; i < 600000; i++) {
        float a = random_bits(), b = random_bits(), c = random_bits();
        if (i & 1) { /* near cancellation, where two roundings would show */
            c = lu_float_from_bits(lu_float_bits(-a * b) + (uint32_t)between(-3, 3));
        }
        float mine = lu_fmaf(a, b, c), right = fmaf(a, b, c);
        wrong += lu_float_bits(mine) != lu_float_bits(right) && !(mine != mine && right != right);
    }
    CHECK_INT(wrong, 0);
}

TEST(bf16_rounds_to_nearest_even_at_every_level) {
    enum { N = 4099 };
    static float from[2 * 4112];
    static uint16_t to[2 * 4128], right[2 * 4128];
    static uint32_t pairs[4112], pairs_right[4112], paired[4112];
    const float special[] = {0.0f,       -0.0f,
                             1.0f,       0x1.01p0f,
                             0x1.03p0f,  0x1.010002p0f,
                             INFINITY,   -0x1.fffffep127f,
                             NAN,        0x1.fffffcp-127f,
                             -0x1p-149f, 0x1p-126f};
    for (int i = 0; i < 2 * 4112; i++) {
        from[i] = i < 12 ? special[i] : random_bits();
    }
    lu_kernels_of(LU_KERNELS_REF)->to_bf16(from, 4112, 2, N, right, 4128);
    lu_kernels_of(LU_KERNELS_REF)->to_pairs(from, 4112, 2, N, pairs_right, 4112);
    CHECK_HEX(right[3], 0x3f80u); /* 1 + 2^-8 is half way: to even */
    CHECK_HEX(right[4], 0x3f82u);
    CHECK_HEX(right[5], 0x3f81u);
    CHECK_HEX(right[6], 0x7f80u);
    CHECK_HEX(right[9], 0x0000u);
    CHECK_HEX(right[10], 0x8000u);
    CHECK_HEX(right[11], 0x0080u);
    for (int level = LU_KERNELS_BASE; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        if (k) {
            k->to_bf16(from, 4112, 2, N, to, 4128);
            k->to_pairs(from, 4112, 2, N, pairs, 4112);
            k->pair_rows(right, 4128, 2, N, paired, 4112);
            CHECK(memcmp(to, right, sizeof to) == 0);
            CHECK(memcmp(pairs, pairs_right, sizeof pairs) == 0);
            CHECK(memcmp(paired, pairs_right, sizeof paired) == 0);
            /* a last row without a partner */
            k->pair_rows(right, 4128, 1, N, paired, 4112);
            k->to_pairs(from, 4112, 1, N, pairs, 4112);
            CHECK(memcmp(paired, pairs, sizeof paired) == 0);
        }
    }
}

/* ---- measuring ---- */

TEST(bench_measures_every_case) {
    lu_bench_row rows[LU_BENCH_KERNEL_ROWS];
    int count = lu_bench_kernels(lu_kernels_best(), 100, 0.0, NULL, rows);
    CHECK_INT(count, LU_BENCH_KERNEL_ROWS);
    for (int i = 0; i < count; i++) {
        CHECK(rows[i].name[0] && rows[i].gflops > 0.0 && rows[i].share > 0.0);
    }
}
