/* Element-wise kernels of one instruction level: functions of arrays, masked softmax and sampling,
 * Adam, norms. Plain loops that the compiler turns into vector code; sums are kept as 16 partial
 * sums by position, folded in halves at the end, so that the width of the vectors never shows. */
#include "level.h"

#include <string.h>

#include "../float_math.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

enum { LANES = 16 };

void LU_K(normalise)(const float *restrict x, const float *restrict shift,
                     const float *restrict scale, float limit, int n, float *restrict y) {
    const float low = -limit;
    for (int i = 0; i < n; i++) {
        float z = (x[i] - shift[i]) * scale[i];
        z = z > limit ? limit : z;
        y[i] = z < low ? low : z;
    }
}

/* A few columns at a time, so that their sums stay in registers over all rows. */
enum { MOMENT_COLUMNS = 32 };

static void moments_of_columns(const float *x, size_t stride, int rows, const float *shift,
                               double *sum, double *square) {
    double s[MOMENT_COLUMNS], q[MOMENT_COLUMNS];
    memcpy(s, sum, sizeof s);
    memcpy(q, square, sizeof q);
    for (int r = 0; r < rows; r++, x += stride) {
        for (int i = 0; i < MOMENT_COLUMNS; i++) {
            double d = (double)x[i] - (double)shift[i];
            s[i] = s[i] + d;
            q[i] = q[i] + d * d;
        }
    }
    memcpy(sum, s, sizeof s);
    memcpy(square, q, sizeof q);
}

void LU_K(moments)(const float *x, size_t stride, int rows, const float *shift, int n, double *sum,
                   double *square) {
    int at = 0;
    for (; at + MOMENT_COLUMNS <= n; at += MOMENT_COLUMNS) {
        moments_of_columns(x + at, stride, rows, shift + at, sum + at, square + at);
    }
    for (int r = 0; r < rows; r++) {
        for (int i = at; i < n; i++) {
            double d = (double)x[(size_t)r * stride + (size_t)i] - (double)shift[i];
            sum[i] = sum[i] + d;
            square[i] = square[i] + d * d;
        }
    }
}

/* Four rows at a time, added in their order: a quarter of the visits of db. */
void LU_K(bias_grad)(const float *dy, size_t stride, int rows, int out, float *restrict db) {
    int r = 0;
    for (; r + 4 <= rows; r += 4) {
        const float *restrict a = dy + (size_t)r * stride, *restrict b = a + stride;
        const float *restrict c = b + stride, *restrict d = c + stride;
        for (int o = 0; o < out; o++) {
            db[o] = (((db[o] + a[o]) + b[o]) + c[o]) + d[o];
        }
    }
    for (; r < rows; r++) {
        for (int o = 0; o < out; o++) {
            db[o] = db[o] + dy[(size_t)r * stride + (size_t)o];
        }
    }
}

void LU_K(exp)(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_exp_float(x[i]);
    }
}

void LU_K(log)(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_logf(x[i]);
    }
}

void LU_K(tanh)(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_tanh_float(x[i]);
    }
}

/* ---- masked softmax ---- */

/* The 16 lanes are cut into vectors of what the level has: gcc takes wider ones apart lane by lane.
 * Passed by address only: by value their place would depend on the level. Masks are 0 or -1. */
#if defined(__AVX512F__)
enum { UNIT = 16 };
#elif defined(__AVX2__)
enum { UNIT = 8 };
#else
enum { UNIT = 4 };
#endif
enum { UNITS = LANES / UNIT };
typedef float unit __attribute__((vector_size(UNIT * 4)));
typedef int32_t unit_mask __attribute__((vector_size(UNIT * 4)));
typedef uint32_t unit_bits __attribute__((vector_size(UNIT * 4)));
typedef int8_t unit_bytes __attribute__((vector_size(UNIT)));
#define PICK(mask, a, b) ((unit)(((unit_mask)(a) & (mask)) | ((unit_mask)(b) & ~(mask))))

#if !defined(__AVX512F__)

typedef float float4 __attribute__((vector_size(16)));

/* Halves added to halves: j and j + 8, j and j + 4, ... */
LU_ALWAYS_INLINE float fold_sum(const float *s) {
    float4 a, b, c, d;
    memcpy(&a, s, sizeof a);
    memcpy(&b, s + 4, sizeof b);
    memcpy(&c, s + 8, sizeof c);
    memcpy(&d, s + 12, sizeof d);
    a = (a + c) + (b + d);
    return (a[0] + a[2]) + (a[1] + a[3]);
}

LU_ALWAYS_INLINE float fold_max(const float *s) {
    float most = s[0];
    for (int j = 1; j < LANES; j++) {
        most = s[j] > most ? s[j] : most;
    }
    return most;
}

/* lu_exp_float, operation by operation. */
LU_ALWAYS_INLINE void exp_unit(const unit *from, unit *to) {
    const unit zero = {0};
    unit x = *from, top = zero + 89.0f, bottom = zero - 105.0f;
    unit inside = PICK(x > top, top, x);
    inside = PICK(inside < bottom, bottom, inside);
    unit n = (inside * 0x1.715476p+0f + LU_MAGIC_FLOAT_) - LU_MAGIC_FLOAT_;
    unit r = (inside - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
    unit r2 = r * r;
    unit q = (0.5f + r * 0x1.5554dcp-3f) +
             r2 * ((0x1.555518p-5f + r * 0x1.120cp-7f) + r2 * 0x1.6d119ap-10f);
    unit y = 1.0f + (r + r2 * q);
    unit half = n * 0.5f + LU_MAGIC_FLOAT_;
    unit rest = (n - (half - LU_MAGIC_FLOAT_)) + LU_MAGIC_FLOAT_;
    y = y * (unit)(((unit_bits)half << 23) + 0x3f800000u);
    y = y * (unit)(((unit_bits)rest << 23) + 0x3f800000u);
    unit nan = zero + (float)LU_NAN;
    *to = PICK(x != x, nan, y);
}

/* Some options: logits and, as a mask, which are legal. */
typedef struct options {
    unit logits;
    unit_mask legal;
} options;

LU_ALWAYS_INLINE void load_options(options *o, const float *logits, const uint8_t *legal) {
    unit_bytes bytes;
    memcpy(&o->logits, logits, sizeof o->logits);
    memcpy(&bytes, legal, sizeof bytes);
    o->legal = __builtin_convertvector(bytes, unit_mask) != 0;
}

/* The sums of one pass over a row, in 16 lanes. */
typedef struct softmax_sums {
    unit most[UNITS], sums[UNITS], dots[UNITS];
} softmax_sums;

/* Largest legal logit per lane; a NaN is never larger. */
LU_ALWAYS_INLINE void add_max(softmax_sums *s, const float *logits, const uint8_t *legal) {
    const unit zero = {0}, lowest = zero - (float)LU_INFINITY;
    for (int u = 0; u < UNITS; u++) {
        options o;
        load_options(&o, logits + u * UNIT, legal + u * UNIT);
        unit v = PICK(o.legal, o.logits, lowest);
        s->most[u] = PICK(v > s->most[u], v, s->most[u]);
    }
}

/* e^(logit - max) of a block into p, and the sums of it and of it times its exponent. */
LU_ALWAYS_INLINE void add_exp(softmax_sums *s, const float *logits, const uint8_t *legal, float max,
                              float *p) {
    const unit zero = {0};
    for (int u = 0; u < UNITS; u++) {
        options o;
        load_options(&o, logits + u * UNIT, legal + u * UNIT);
        unit less = o.logits - max, e;
        exp_unit(&less, &e);
        e = PICK(o.legal, e, zero);
        unit product = e * less;
        s->sums[u] = s->sums[u] + e;
        s->dots[u] = s->dots[u] + PICK(e == zero, zero, product); /* not 0 * -infinity */
        memcpy(p + u * UNIT, &e, sizeof e);
    }
}

/* p of a block times a factor; an exact 0 stays one. */
LU_ALWAYS_INLINE void scale_block(const float *from, float factor, float *to) {
    const unit zero = {0};
    for (int u = 0; u < UNITS; u++) {
        unit e;
        memcpy(&e, from + u * UNIT, sizeof e);
        e = PICK(e == zero, zero, e * factor);
        memcpy(to + u * UNIT, &e, sizeof e);
    }
}

static void softmax_row(const float *logits, const uint8_t *legal, int n, float *p,
                        lu_softmax_stats *stats) {
    static const uint8_t all[LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const unit zero = {0}, lowest = zero - (float)LU_INFINITY;
    softmax_sums s;
    for (int u = 0; u < UNITS; u++) {
        s.most[u] = lowest;
        s.sums[u] = s.dots[u] = zero;
    }
    /* the last options, padded to a block with illegal ones */
    int whole = n / LANES * LANES, rest = n - whole;
    float end[LANES] = {0}, end_p[LANES], lanes[LANES];
    uint8_t end_legal[LANES] = {0};
    memcpy(end, logits + whole, (size_t)rest * sizeof *end);
    memcpy(end_legal, legal ? legal + whole : all, (size_t)rest);
    for (int at = 0; at < whole; at += LANES) {
        add_max(&s, logits + at, legal ? legal + at : all);
    }
    add_max(&s, end, end_legal);
    memcpy(lanes, s.most, sizeof lanes);
    float max = fold_max(lanes) + 0.0f; /* of two zeros +0, in whatever order they came */
    for (int at = 0; at < whole; at += LANES) {
        add_exp(&s, logits + at, legal ? legal + at : all, max, p + at);
    }
    add_exp(&s, end, end_legal, max, end_p);
    memcpy(lanes, s.sums, sizeof lanes);
    float sum = fold_sum(lanes), inverse = 1.0f / sum;
    for (int at = 0; at < whole; at += LANES) {
        scale_block(p + at, inverse, p + at);
    }
    scale_block(end_p, inverse, end_p);
    memcpy(p + whole, end_p, (size_t)rest * sizeof *p);
    if (stats) {
        memcpy(lanes, s.dots, sizeof lanes);
        float log_sum = lu_logf(sum);
        *stats = (lu_softmax_stats){max, log_sum, log_sum - fold_sum(lanes) * inverse};
    }
}

void LU_K(masked_softmax)(const lu_softmax *call) {
    for (int i = 0; i < call->rows; i++) {
        size_t r = (size_t)(call->row ? call->row[i] : i);
        softmax_row(call->logits + r * call->logits_stride,
                    call->legal ? call->legal + r * call->legal_stride : NULL, call->n,
                    call->p + r * call->p_stride, call->stats ? call->stats + r : NULL);
    }
}

#else /* the same with masks of the processor: no copies of the last options, no blends */

/* lu_exp_float, operation by operation, where x <= 0 or does not matter: the two steps in which
 * that scales by a power of 2 round at most once, as the instruction does. */
LU_ALWAYS_INLINE __m512 exp16(__m512 x) {
    const __m512 magic = _mm512_set1_ps(LU_MAGIC_FLOAT_);
    __m512 inside = _mm512_max_ps(_mm512_set1_ps(-105.0f), x);
    __m512 n = (inside * 0x1.715476p+0f + magic) - magic;
    __m512 r = (inside - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
    __m512 r2 = r * r;
    __m512 q = (0.5f + r * 0x1.5554dcp-3f) +
               r2 * ((0x1.555518p-5f + r * 0x1.120cp-7f) + r2 * 0x1.6d119ap-10f);
    __m512 y = _mm512_scalef_ps(1.0f + (r + r2 * q), n);
    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                              _mm512_set1_ps((float)LU_NAN));
}

/* Lanes of options `at` and after it that exist. */
LU_ALWAYS_INLINE __mmask16 lanes_at(int at, int n) {
    return (__mmask16)(n - at >= LANES ? 0xffffu : (1u << (n - at)) - 1u);
}

LU_ALWAYS_INLINE __mmask16 legal_at(const uint8_t *legal, int at, __mmask16 lanes) {
    if (!legal) {
        return lanes;
    }
    __m128i bytes = _mm_maskz_loadu_epi8(lanes, legal + at);
    return _mm_test_epi8_mask(bytes, bytes);
}

/* Halves added to halves: j and j + 8, j and j + 4, ... */
LU_ALWAYS_INLINE float fold_lanes(__m512 v) {
    __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    __m128 a = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    a = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return a[0] + a[1];
}

/* Rows that take the passes of a softmax together: a pass over one row is a chain of operations
 * that wait for each other, and much shorter than those of all passes. */
enum { SOFTMAX_ROWS = 16 };

typedef struct softmax_work {
    size_t row[SOFTMAX_ROWS];
    float max[SOFTMAX_ROWS], sum[SOFTMAX_ROWS], dot[SOFTMAX_ROWS];
    float inverse[SOFTMAX_ROWS], log_sum[SOFTMAX_ROWS];
} softmax_work;

/* Largest legal logit; a NaN is never larger. */
LU_ALWAYS_INLINE float row_max(const float *logits, const uint8_t *legal, int n) {
    __m512 most = _mm512_set1_ps(-(float)LU_INFINITY);
    for (int at = 0; at < n; at += LANES) {
        __mmask16 lanes = lanes_at(at, n);
        __m512 v = _mm512_maskz_loadu_ps(lanes, logits + at);
        most = _mm512_mask_max_ps(most, legal_at(legal, at, lanes), v, most);
    }
    return _mm512_reduce_max_ps(most) + 0.0f;
}

/* e^(logit - max) into p, and the sums of it and of it times its exponent. */
LU_ALWAYS_INLINE void row_exp(const float *logits, const uint8_t *legal, int n, float max, float *p,
                              float *sum, float *dot) {
    const __m512 zero = _mm512_setzero_ps();
    __m512 sums = zero, dots = zero;
    for (int at = 0; at < n; at += LANES) {
        __mmask16 lanes = lanes_at(at, n);
        __m512 less = _mm512_maskz_loadu_ps(lanes, logits + at) - max;
        __m512 e = _mm512_maskz_mov_ps(legal_at(legal, at, lanes), exp16(less));
        sums = sums + e;
        /* not 0 * -infinity */
        dots = dots + _mm512_maskz_mul_ps(_mm512_cmp_ps_mask(e, zero, _CMP_NEQ_UQ), e, less);
        _mm512_mask_storeu_ps(p + at, lanes, e);
    }
    *sum = fold_lanes(sums);
    *dot = fold_lanes(dots);
}

LU_ALWAYS_INLINE void row_scale(float *p, int n, float factor) {
    for (int at = 0; at < n; at += LANES) {
        __mmask16 lanes = lanes_at(at, n);
        __m512 e = _mm512_maskz_loadu_ps(lanes, p + at);
        __mmask16 some = _mm512_cmp_ps_mask(e, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        _mm512_mask_storeu_ps(p + at, lanes, _mm512_maskz_mul_ps(some, e, _mm512_set1_ps(factor)));
    }
}

static void softmax_rows(const lu_softmax *call, int first, int rows) {
    softmax_work w;
    const int n = call->n;
#define LOGITS(i) (call->logits + w.row[i] * call->logits_stride)
#define LEGAL(i)  (call->legal ? call->legal + w.row[i] * call->legal_stride : NULL)
#define P(i)      (call->p + w.row[i] * call->p_stride)
    for (int i = 0; i < rows; i++) {
        w.row[i] = (size_t)(call->row ? call->row[first + i] : first + i);
        w.max[i] = row_max(LOGITS(i), LEGAL(i), n);
    }
    for (int i = 0; i < rows; i++) {
        row_exp(LOGITS(i), LEGAL(i), n, w.max[i], P(i), &w.sum[i], &w.dot[i]);
    }
    memset(w.sum + rows, 0, (size_t)(SOFTMAX_ROWS - rows) * sizeof *w.sum);
    for (int i = 0; i < SOFTMAX_ROWS; i++) {
        w.inverse[i] = 1.0f / w.sum[i];
        w.log_sum[i] = lu_logf(w.sum[i]);
    }
    for (int i = 0; i < rows; i++) {
        row_scale(P(i), n, w.inverse[i]);
        if (call->stats) {
            float entropy = w.log_sum[i] - w.dot[i] * w.inverse[i];
            call->stats[w.row[i]] = (lu_softmax_stats){w.max[i], w.log_sum[i], entropy};
        }
    }
#undef LOGITS
#undef LEGAL
#undef P
}

void LU_K(masked_softmax)(const lu_softmax *call) {
    for (int first = 0; first < call->rows; first += SOFTMAX_ROWS) {
        int rows = call->rows - first;
        softmax_rows(call, first, rows < SOFTMAX_ROWS ? rows : SOFTMAX_ROWS);
    }
}

#endif

void LU_K(softmax_back)(const float *restrict logits, const lu_softmax_stats *stats, int n, float d,
                        float cost, float *restrict p) {
    float max = stats->max, log_sum = stats->log_sum, entropy = stats->entropy;
    for (int i = 0; i < n; i++) {
        float slope = cost * (((logits[i] - max) - log_sum) + entropy) - d;
        p[i] = p[i] > 0.0f ? p[i] * slope : 0.0f;
    }
}

#if defined(__AVX512F__)

/* Sum of at most 16 probabilities; they themselves, then zeros, into part. */
LU_ALWAYS_INLINE float block_sum(const float *p, int count, float *part) {
    __m512 v = _mm512_maskz_loadu_ps(lanes_at(0, count), p);
    _mm512_storeu_ps(part, v);
    return fold_lanes(v);
}

/* The first of 16 that can happen at which the running sum passes u, else the last; -1: none can.
 * Where it stands is as good as random: no jump depends on it. */
LU_ALWAYS_INLINE int pick_of_block(const float *part, float before, float u) {
    float running[LANES];
    for (int j = 0; j < LANES; j++) {
        before = before + part[j];
        running[j] = before;
    }
    unsigned some = _mm512_cmp_ps_mask(_mm512_loadu_ps(part), _mm512_setzero_ps(), _CMP_GT_OQ);
    unsigned past = _mm512_cmp_ps_mask(_mm512_loadu_ps(running), _mm512_set1_ps(u), _CMP_GT_OQ);
    return some & past ? __builtin_ctz(some & past) : some ? 31 - __builtin_clz(some) : -1;
}

#else

LU_ALWAYS_INLINE float block_sum(const float *p, int count, float *part) {
    memset(part, 0, LANES * sizeof *part);
    memcpy(part, p, (size_t)count * sizeof *p);
    return fold_sum(part);
}

LU_ALWAYS_INLINE int pick_of_block(const float *part, float before, float u) {
    int last = -1;
    for (int j = 0; j < LANES; j++) {
        before = before + part[j];
        last = part[j] > 0.0f ? j : last;
        if (before > u && last == j) {
            break;
        }
    }
    return last;
}

#endif

/* Runs over sums of 16 options first, then inside the one that passes u. */
int LU_K(sample)(const float *p, const uint8_t *legal, int n, float u) {
    float before = 0.0f;
    for (int at = 0; at < n; at += LANES) {
        float part[LANES];
        float after = before + block_sum(p + at, n - at < LANES ? n - at : LANES, part);
        /* the two orders of summing differ in the last bits: none need pass u */
        int pick = after > u ? pick_of_block(part, before, u) : -1;
        if (pick >= 0) {
            return at + pick;
        }
        before = after;
    }
    /* u at or above the sum: the last option that can happen; with NaN in p, the last legal one */
    for (int i = n - 1; i >= 0; i--) {
        if (p[i] > 0.0f) {
            return i;
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        if (!legal || legal[i]) {
            return i;
        }
    }
    return -1;
}

/* ---- optimiser ---- */

void LU_K(adam)(const lu_adam *now, size_t n, const float *grad, float *m, float *v, float *param) {
    const lu_adam a = *now;
    for (size_t i = 0; i < n; i++) {
        float g = grad[i] * a.scale;
        float mean = a.beta1 * m[i] + a.rest1 * g;
        float square = a.beta2 * v[i] + a.rest2 * (g * g);
        float root = __builtin_sqrtf(square) * a.root_bias + a.eps;
        m[i] = mean;
        v[i] = square;
        param[i] = a.keep * param[i] - a.step * (mean / root);
    }
}

double LU_K(sum_squares)(const float *x, size_t n) {
    double s[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double v = (double)x[i + j];
            s[j] = s[j] + v * v;
        }
    }
    for (size_t j = 0; i + j < n; j++) {
        double v = (double)x[i + j];
        s[j] = s[j] + v * v;
    }
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int j = 0; j < half; j++) {
            s[j] = s[j] + s[j + half];
        }
    }
    return s[0];
}

void LU_K(blend)(float a, const float *x, float b, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = a * x[i] + b * y[i];
    }
}
