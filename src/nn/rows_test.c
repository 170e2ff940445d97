/* Element-wise kernels: errors of exp, log and tanh, the laws of masked softmax and sampling, Adam,
 * norms and Muon, and equal bits at every level. */
#include "test.h"

#include <stdlib.h>

#include "float_math.h"
#include "kernels.h"
#include "ludus/rng.h"

static lu_rng rng = {77};

static float uniform(float size) {
    return ((float)lu_rng_unit(&rng) * 2.0f - 1.0f) * size;
}

#define EACH_LEVEL(k)                                                                              \
    for (int level_ = LU_KERNELS_BASE; level_ < LU_KERNELS_COUNT; level_++)                        \
        for (const lu_kernels *k = lu_kernels_of((lu_kernel_level)level_); k; k = NULL)

/* ---- exp, log, tanh ---- */

enum { CHUNK = 4099 };

typedef void array_function(const float *x, float *y, size_t n);
static array_function *exp_of(const lu_kernels *k) {
    return k->exp;
}
static array_function *log_of(const lu_kernels *k) {
    return k->log;
}
static array_function *tanh_of(const lu_kernels *k) {
    return k->tanh;
}

/* Distance from the right value in units of the last place of a float of that size. */
static double ulps(float value, double right) {
    if (right != right || value != value) {
        return right != right && value != value ? 0.0 : 1e9;
    }
    if ((double)value == right ||
        (isinf(value) && fabs(right) > 0x1.ffffffp127 && (value > 0) == (right > 0))) {
        return 0.0;
    }
    int exponent = 0;
    frexp(right, &exponent);
    exponent = exponent < -125 ? -125 : exponent;
    return fabs((double)value - right) / ldexp(1.0, exponent - 24);
}

/* Every `step`-th bit pattern of all floats: largest error, and equal bits at every level. */
static double worst(array_function *(*of)(const lu_kernels *), double (*right)(double),
                    uint32_t step) {
    static float in[CHUNK], out[CHUNK], other[CHUNK];
    const lu_kernels *ref = lu_kernels_of(LU_KERNELS_REF);
    double most = 0.0;
    uint64_t bits = 0;
    while (bits < UINT64_C(1) << 32) {
        for (int i = 0; i < CHUNK; i++, bits += step) {
            in[i] = lu_float_from_bits((uint32_t)bits);
        }
        of(ref)(in, out, CHUNK);
        for (int i = 0; i < CHUNK; i++) {
            double error = ulps(out[i], right((double)in[i]));
            most = error > most ? error : most;
        }
        EACH_LEVEL(k) {
            of(k)(in, other, CHUNK);
            CHECK(memcmp(out, other, sizeof out) == 0);
        }
    }
    return most;
}

TEST(exp_log_tanh_are_below_two_ulp) {
    double e = worst(exp_of, exp, 4801), l = worst(log_of, log, 4801),
           t = worst(tanh_of, tanh, 4801);
    CHECK(e < 1.1);
    CHECK(l < 0.51);
    CHECK(t < 1.6);
}

TEST(exp_log_tanh_at_special_values) {
    const float in[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, 88.72f, -104.5f};
    float out[8];
    EACH_LEVEL(k) {
        k->exp(in, out, 8);
        CHECK(out[0] == 1.0f && out[1] == 1.0f && isinf(out[2]) && out[3] == 0.0f && isnan(out[4]));
        CHECK(out[6] < INFINITY && out[7] == 0.0f);
        k->log(in, out, 8);
        CHECK(isinf(out[0]) && out[0] < 0 && isinf(out[2]) && isnan(out[3]) && out[5] == 0.0f);
        k->tanh(in, out, 8);
        CHECK(out[0] == 0.0f && signbit(out[1]) && out[2] == 1.0f && out[3] == -1.0f &&
              isnan(out[4]));
    }
}

/* ---- masked softmax and sampling ---- */

enum { MOST = 150 };

typedef struct choice {
    int n;
    float logits[MOST], p[MOST];
    uint8_t legal[MOST];
} choice;

/* Random logits of a random size; illegal ones are sometimes NaN or infinite. At least one legal.
 */
static void make_choice(choice *c, int n) {
    float size = (float)(1 << lu_rng_below(&rng, 8)), sparse = (float)lu_rng_unit(&rng);
    c->n = n;
    for (int i = 0; i < n; i++) {
        c->logits[i] = uniform(size);
        c->legal[i] = (float)lu_rng_unit(&rng) < sparse;
        if (!c->legal[i] && lu_rng_below(&rng, 4) == 0) {
            c->logits[i] = lu_rng_below(&rng, 2) ? NAN : INFINITY;
        }
    }
    int one = (int)lu_rng_below(&rng, (uint32_t)n);
    c->legal[one] = 1;
    c->logits[one] = uniform(size);
}

static void check_softmax(const choice *c, const lu_softmax_stats *stats) {
    double max = -INFINITY, sum = 0.0, entropy = 0.0;
    for (int i = 0; i < c->n; i++) {
        max = c->legal[i] && (double)c->logits[i] > max ? (double)c->logits[i] : max;
    }
    for (int i = 0; i < c->n; i++) {
        sum += c->legal[i] ? exp((double)c->logits[i] - max) : 0.0;
    }
    for (int i = 0; i < c->n; i++) {
        double logp = (double)c->logits[i] - max - log(sum), p = c->legal[i] ? exp(logp) : 0.0;
        if (!c->legal[i]) {
            CHECK(lu_float_bits(c->p[i]) == 0);
            continue;
        }
        entropy -= p > 0 ? p * logp : 0.0;
        CHECK_NEAR((double)c->p[i], p, (4e-7 + 8e-8 * fabs(logp)) * p + 1e-37);
        float mine = (c->logits[i] - stats->max) - stats->log_sum;
        CHECK_NEAR((double)mine, logp, 3e-7 * (1.0 + fabs(logp)));
    }
    CHECK_NEAR((double)stats->entropy, entropy, 2e-6 * (1.0 + entropy));
}

static void softmax_of(const lu_kernels *k, const float *logits, const uint8_t *legal, int n,
                       float *p, lu_softmax_stats *stats) {
    k->masked_softmax(
        &(lu_softmax){.rows = 1, .n = n, .logits = logits, .legal = legal, .p = p, .stats = stats});
}

TEST(masked_softmax_is_right_and_the_same_at_every_level) {
    choice c;
    float p[MOST];
    for (int i = 0; i < 3000; i++) {
        lu_softmax_stats stats, other;
        make_choice(&c, 1 + i % MOST);
        softmax_of(lu_kernels_of(LU_KERNELS_REF), c.logits, c.legal, c.n, c.p, &stats);
        check_softmax(&c, &stats);
        EACH_LEVEL(k) {
            softmax_of(k, c.logits, c.legal, c.n, p, &other);
            CHECK(memcmp(p, c.p, (size_t)c.n * sizeof *p) == 0);
            CHECK(memcmp(&stats, &other, sizeof stats) == 0);
            float u = (float)(lu_rng_u64(&rng) >> 40) * 0x1p-24f;
            CHECK_INT(k->sample(p, c.legal, c.n, u),
                      lu_kernels_of(LU_KERNELS_REF)->sample(c.p, c.legal, c.n, u));
        }
    }
}

/* Many rows at once, some of them, and in place: what each gives by itself, and nothing else. */
TEST(rows_of_a_softmax_do_not_depend_on_each_other) {
    enum { ROWS = 37, N = 21, STRIDE = 24 };
    static float logits[ROWS * STRIDE], p[ROWS * STRIDE], alone[N];
    static uint8_t legal[ROWS * STRIDE];
    int32_t some[ROWS];
    int count = 0;
    for (int r = 0; r < ROWS; r++) {
        choice c;
        make_choice(&c, N);
        memcpy(logits + r * STRIDE, c.logits, N * sizeof *logits);
        memcpy(legal + r * STRIDE, c.legal, N);
        some[count] = r;
        count += r % 3 != 1;
    }
    EACH_LEVEL(k) {
        lu_softmax_stats stats[ROWS] = {{0}}, own;
        memcpy(p, logits, sizeof p);
        k->masked_softmax(&(lu_softmax){.rows = count,
                                        .n = N,
                                        .row = some,
                                        .logits = p,
                                        .logits_stride = STRIDE,
                                        .legal = legal,
                                        .legal_stride = STRIDE,
                                        .p = p,
                                        .p_stride = STRIDE,
                                        .stats = stats});
        for (int r = 0; r < ROWS; r++) {
            const float *row = logits + r * STRIDE;
            softmax_of(k, row, legal + r * STRIDE, N, alone, &own);
            const float *want = r % 3 != 1 ? alone : row;
            CHECK(memcmp(p + r * STRIDE, want, N * sizeof *p) == 0);
            CHECK(memcmp(p + r * STRIDE + N, row + N, (STRIDE - N) * sizeof *p) == 0);
            CHECK(r % 3 == 1 ? stats[r].log_sum == 0.0f : memcmp(&stats[r], &own, sizeof own) == 0);
        }
    }
}

TEST(one_legal_option_has_probability_one) {
    choice c;
    lu_softmax_stats stats;
    for (int n = 1; n < MOST; n++) {
        make_choice(&c, n);
        memset(c.legal, 0, sizeof c.legal);
        int only = (int)lu_rng_below(&rng, (uint32_t)n);
        c.legal[only] = 1;
        c.logits[only] = uniform(100.0f);
        EACH_LEVEL(k) {
            softmax_of(k, c.logits, c.legal, n, c.p, &stats);
            CHECK(c.p[only] == 1.0f && stats.log_sum == 0.0f && stats.entropy == 0.0f);
            CHECK_INT(k->sample(c.p, c.legal, n, 0.0f), only);
            CHECK_INT(k->sample(c.p, c.legal, n, 0x1.fffffep-1f), only);
        }
    }
}

TEST(all_legal_and_hopeless_rows) {
    float logits[5] = {1, 2, 3, 4, 5}, p[5];
    uint8_t none[5] = {0}, two[5] = {0, 1, 1, 0, 0};
    lu_softmax_stats stats;
    EACH_LEVEL(k) {
        softmax_of(k, logits, NULL, 5, p, &stats);
        CHECK_NEAR((double)(p[0] + p[1] + p[2] + p[3] + p[4]), 1.0, 1e-6);
        /* NaN from a diverged network: still a legal option; nothing legal: none */
        float nan[5] = {NAN, NAN, NAN, NAN, NAN};
        softmax_of(k, nan, two, 5, p, &stats);
        CHECK(p[0] == 0.0f && p[3] == 0.0f && isnan(p[1]));
        CHECK_INT(k->sample(p, two, 5, 0.5f), 2);
        float zero[5] = {0};
        CHECK_INT(k->sample(zero, none, 5, 0.5f), -1);
    }
}

/* The edges of u matter most, so that a third of the numbers are there. */
TEST(ten_million_samples_are_legal) {
    const lu_kernels *k = lu_kernels_best();
    choice c;
    long illegal = 0;
    for (int i = 0; i < 20000; i++) {
        make_choice(&c, 1 + (int)lu_rng_below(&rng, 80));
        softmax_of(k, c.logits, c.legal, c.n, c.p, NULL);
        for (int j = 0; j < 500; j++) {
            uint64_t bits = lu_rng_u64(&rng);
            float u = (float)(bits >> 40) * 0x1p-24f;
            u = j % 6 == 0   ? u * 0x1p-30f
                : j % 6 == 1 ? 1.0f - (float)(1 + (bits & 63)) * 0x1p-24f
                             : u;
            int at = k->sample(c.p, c.legal, c.n, u);
            illegal += at < 0 || at >= c.n || !c.legal[at] || !(c.p[at] > 0.0f);
        }
    }
    CHECK_INT(illegal, 0);
}

TEST(samples_follow_the_probabilities) {
    const lu_kernels *k = lu_kernels_best();
    enum { N = 69, DRAWS = 300000 };
    choice c = {.n = N};
    int counts[N] = {0};
    for (int i = 0; i < N; i++) {
        c.logits[i] = uniform(2.0f);
        c.legal[i] = i % 3 != 1;
    }
    softmax_of(k, c.logits, c.legal, N, c.p, NULL);
    for (int i = 0; i < DRAWS; i++) {
        counts[k->sample(c.p, c.legal, N, (float)(lu_rng_u64(&rng) >> 40) * 0x1p-24f)]++;
    }
    double chi = 0.0;
    for (int i = 0; i < N; i++) {
        double expected = (double)c.p[i] * DRAWS;
        chi += c.legal[i] ? (counts[i] - expected) * (counts[i] - expected) / expected : counts[i];
    }
    CHECK(chi < 100.0); /* 45 degrees of freedom: mean 45, one in 10^5 above 100 */
}

TEST(the_gradient_of_a_softmax_is_the_same_at_every_level) {
    choice c;
    float right[sizeof c.p / sizeof c.p[0]], got[sizeof c.p / sizeof c.p[0]];
    const lu_kernels *ref = lu_kernels_of(LU_KERNELS_REF);
    for (int i = 0; i < 500; i++) {
        lu_softmax_stats stats;
        make_choice(&c, 1 + (int)lu_rng_below(&rng, 80));
        softmax_of(ref, c.logits, c.legal, c.n, c.p, &stats);
        memcpy(right, c.p, sizeof right);
        ref->softmax_back(c.logits, &stats, c.n, 0.3f, 0.01f, right);
        for (int o = 0; o < c.n; o++) {
            double p = (double)c.p[o], entropy = (double)stats.entropy;
            double want = p > 0.0 ? p * (0.01 * (log(p) + entropy) - 0.3) : 0.0;
            CHECK_NEAR((double)right[o], want, 1e-5);
        }
        EACH_LEVEL(k) {
            memcpy(got, c.p, sizeof got);
            k->softmax_back(c.logits, &stats, c.n, 0.3f, 0.01f, got);
            CHECK(memcmp(got, right, (size_t)c.n * sizeof *got) == 0);
        }
    }
}

enum { MOMENT_ROWS = 5, MOMENT_N = 71 };

TEST(normalising_and_moments_are_the_same_at_every_level) {
    static float x[MOMENT_ROWS * 80], shift[MOMENT_N], scale[MOMENT_N], y[MOMENT_N];
    double sum[MOMENT_N], square[MOMENT_N];
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        x[i] = uniform(5.0f);
    }
    x[3] = NAN;
    for (int i = 0; i < MOMENT_N; i++) {
        shift[i] = uniform(1.0f);
        scale[i] = 0.5f + (float)lu_rng_unit(&rng);
    }
    EACH_LEVEL(k) {
        for (int n = 1; n <= MOMENT_N; n += 7) {
            k->normalise(x, shift, scale, 2.0f, n, y);
            memset(sum, 0, sizeof sum);
            memset(square, 0, sizeof square);
            k->moments(x + 4, 80, MOMENT_ROWS, shift, n, sum, square);
            for (int i = 0; i < n; i++) {
                float z = (x[i] - shift[i]) * scale[i];
                z = z > 2.0f ? 2.0f : z < -2.0f ? -2.0f : z;
                CHECK(i == 3 ? isnan(y[i]) : y[i] == z);
                double s = 0.0, q = 0.0;
                for (int r = 0; r < MOMENT_ROWS; r++) {
                    double d = (double)x[4 + r * 80 + i] - (double)shift[i];
                    s += d;
                    q += d * d;
                }
                CHECK(sum[i] == s && square[i] == q);
            }
        }
    }
}

/* ---- optimiser ---- */

enum { PARAMS = 1003, STEPS = 30 };

static void start_adam(float *param, float *m, float *v) {
    for (int i = 0; i < PARAMS; i++) {
        param[i] = (float)(i % 17) * 0.1f - 0.8f;
        m[i] = v[i] = 0.0f;
    }
}

static float adam_gradient(int i, int t) {
    return sinf((float)i * 0.7f + (float)(t * t)) * 0.3f;
}

TEST(adam_follows_the_loop_in_double) {
    static float param[PARAMS], m[PARAMS], v[PARAMS], g[PARAMS], first[PARAMS];
    static double want[PARAMS], dm[PARAMS], dv[PARAMS];
    const double rate = 3e-3, b1 = 0.9, b2 = 0.999, eps = 1e-5, decay = 0.01, scale = 0.5;
    bool have_first = false;
    for (int level = LU_KERNELS_REF; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        if (!k) {
            continue;
        }
        start_adam(param, m, v);
        for (int i = 0; i < PARAMS; i++) {
            want[i] = (double)param[i];
            dm[i] = dv[i] = 0.0;
        }
        for (int t = 1; t <= STEPS; t++) {
            lu_adam now = lu_adam_at(t, rate, b1, b2, eps, decay, scale);
            for (int i = 0; i < PARAMS; i++) {
                g[i] = adam_gradient(i, t);
                double d = (double)g[i] * scale;
                dm[i] = b1 * dm[i] + (1 - b1) * d;
                dv[i] = b2 * dv[i] + (1 - b2) * d * d;
                want[i] *= 1 - rate * decay;
                want[i] -=
                    rate * (dm[i] / (1 - pow(b1, t))) / (sqrt(dv[i] / (1 - pow(b2, t))) + eps);
            }
            k->adam(&now, PARAMS, g, m, v, param);
        }
        for (int i = 0; i < PARAMS; i++) {
            CHECK_NEAR((double)param[i], want[i], 2e-6);
        }
        CHECK(!have_first || memcmp(first, param, sizeof first) == 0);
        memcpy(first, param, sizeof first);
        have_first = true;
    }
}

TEST(sums_of_squares_and_blends_are_the_same_at_every_level) {
    static float values[5000], out[5000], right[5000];
    for (size_t n = 0; n < 5000; n = n < 70 ? n + 1 : n * 2) {
        double naive = 0.0;
        for (size_t i = 0; i < n; i++) {
            values[i] = uniform(3.0f);
            right[i] = 2.5f * values[i] + -0.5f * (float)i;
            naive += (double)values[i] * (double)values[i];
        }
        double ref = lu_kernels_of(LU_KERNELS_REF)->sum_squares(values, n);
        CHECK_NEAR(ref, naive, 1e-13 * naive);
        EACH_LEVEL(k) {
            CHECK(k->sum_squares(values, n) == ref);
            for (size_t i = 0; i < n; i++) {
                out[i] = (float)i;
            }
            k->blend(2.5f, values, -0.5f, out, n);
            CHECK(memcmp(out, right, n * sizeof *out) == 0);
        }
    }
}

/* ---- Muon ---- */

enum { SIDE = 40 };

/* largest |X X^T| off the diagonal, and the range on it; X is rows x cols with rows <= cols */
static void gram_range(const float *x, size_t stride, int rows, int cols, bool turned, double *off,
                       double *low, double *high) {
    *off = 0.0;
    *low = 1e9;
    *high = 0.0;
    for (int a = 0; a < rows; a++) {
        for (int b = 0; b < rows; b++) {
            double sum = 0.0;
            for (int i = 0; i < cols; i++) {
                size_t ia =
                    turned ? (size_t)i * stride + (size_t)a : (size_t)a * stride + (size_t)i;
                size_t ib =
                    turned ? (size_t)i * stride + (size_t)b : (size_t)b * stride + (size_t)i;
                sum += (double)x[ia] * (double)x[ib];
            }
            if (a != b) {
                *off = fabs(sum) > *off ? fabs(sum) : *off;
            } else {
                *low = sum < *low ? sum : *low;
                *high = sum > *high ? sum : *high;
            }
        }
    }
}

TEST(muon_makes_matrices_nearly_orthogonal) {
    static const int sides[][2] = {{1, 1}, {1, 9}, {12, 40}, {40, 12}, {24, 37}, {33, 7}};
    static float g[SIDE * SIDE], start[SIDE * SIDE], first[SIDE * SIDE];
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
        int rows = sides[s][0], cols = sides[s][1];
        bool turned = rows > cols;
        float *room = malloc(lu_muon_floats(rows, cols) * sizeof *room);
        for (int i = 0; i < SIDE * SIDE; i++) {
            start[i] = uniform(0.01f);
        }
        for (int level = LU_KERNELS_REF; level < LU_KERNELS_COUNT; level++) {
            const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
            if (!k) {
                continue;
            }
            memcpy(g, start, sizeof g);
            lu_muon_orthogonal(k, NULL, g, SIDE, rows, cols, room);
            if (level == LU_KERNELS_REF) {
                memcpy(first, g, sizeof g);
            }
            CHECK(memcmp(first, g, sizeof g) == 0);
        }
        double off, low, high;
        gram_range(g, SIDE, turned ? cols : rows, turned ? rows : cols, turned, &off, &low, &high);
        CHECK(low > 0.4 && high < 1.6 && off < 0.4);
        free(room);
    }
}

/* Large enough to be shared, with a last strip that is not whole. */
TEST(muon_gives_the_same_bits_on_any_number_of_threads) {
    static const int sides[][2] = {{150, 290}, {290, 150}, {259, 260}};
    const lu_kernels *k = lu_kernels_best();
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
        int rows = sides[s][0], cols = sides[s][1];
        size_t stride = lu_row_floats(cols), n = (size_t)rows * stride;
        float *start = malloc(n * sizeof *start), *one = malloc(n * sizeof *one);
        float *g = malloc(n * sizeof *g), *room = malloc(lu_muon_floats(rows, cols) * sizeof *room);
        for (size_t i = 0; i < n; i++) {
            start[i] = uniform(0.01f);
        }
        memcpy(one, start, n * sizeof *one);
        lu_muon_orthogonal(k, NULL, one, stride, rows, cols, room);
        CHECK(memcmp(one, start, n * sizeof *one) != 0);
        for (int threads = 2; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
            lu_pool *pool = lu_pool_new(threads);
            memcpy(g, start, n * sizeof *g);
            lu_muon_orthogonal(k, pool, g, stride, rows, cols, room);
            CHECK(memcmp(g, one, n * sizeof *g) == 0);
            lu_pool_delete(pool);
        }
        free(start);
        free(one);
        free(g);
        free(room);
    }
}
