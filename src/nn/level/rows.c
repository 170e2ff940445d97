/* Element-wise kernels of one instruction level: functions of arrays, masked softmax and sampling,
 * Adam, norms. Plain loops that the compiler turns into vector code; sums are kept as 16 partial
 * sums by position, folded in halves at the end, so that the width of the vectors never shows. */
#include "level.h"

#include <string.h>

#include "../float_math.h"

enum { LANES = 16 };

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

void LU_K(masked_softmax)(const float *logits, const uint8_t *legal, int n, float *p,
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
    float max = fold_max(lanes);
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

/* Runs over sums of 16 options first, then inside the one that passes u. */
int LU_K(sample)(const float *p, const uint8_t *legal, int n, float u) {
    float before = 0.0f;
    for (int at = 0; at < n; at += LANES) {
        float part[LANES] = {0};
        int count = n - at < LANES ? n - at : LANES;
        memcpy(part, p + at, (size_t)count * sizeof *p);
        float after = before + fold_sum(part);
        if (after > u) {
            float running = before;
            int last = -1;
            for (int j = 0; j < count; j++) {
                running = running + p[at + j];
                last = p[at + j] > 0.0f ? at + j : last;
                if (running > u && last == at + j) {
                    return last;
                }
            }
            if (last >= 0) {
                return last; /* the two orders of summing differ in the last bits */
            }
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
