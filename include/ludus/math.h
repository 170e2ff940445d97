/* exp, log, sin, cos and pow of our own: the C library's differ between machines (run-time choice
 * of fused multiply-add) and in WASM, and a game must give the same bits everywhere. They use only
 * + - * /, selects and integer operations, so that gcc, clang, WASM, scalar and vector code agree
 * bit for bit (needs -ffp-contract=off, no fast-math); the error is below 1 ulp everywhere, at most
 * 0.85 found. The *_core forms take a restricted range without branches, so that a plain loop over
 * them becomes vector code; inside their range they have the same bits as the full functions.
 * Ownership: nothing is owned. Threads: no state.
 *
 * Method: magic-number rounding (adding 1.5 * 2^52) instead of integer conversions, which AVX2 does
 * not have for 64 bits; polynomials instead of tables, which would need gathers. Polynomials are
 * minimax fits in Estrin form where latency counts more than the last hundredth of an ulp. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "ludus/device.h"
#include "ludus/linkage.h"

#ifdef __FAST_MATH__
#error "ludus/math.h needs exact IEEE arithmetic: compile without -ffast-math"
#endif

LU_C_BEGIN

#define LU_PI       0x1.921fb54442d18p+1
#define LU_TWO_PI   0x1.921fb54442d18p+2
#define LU_INFINITY __builtin_inf()
#define LU_NAN      __builtin_nan("")

/* Largest |x| of lu_sin_core and lu_cos_core; largest |x| of lu_exp_core. */
#define LU_TRIG_CORE_MAX 0x1p20
#define LU_EXP_CORE_MAX  700.0

LU_ALWAYS_INLINE uint64_t lu_double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LU_ALWAYS_INLINE double lu_double_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The number of the lowest bit that is set; x is not 0. */
LU_ALWAYS_INLINE int lu_lowest_bit(uint32_t x) {
#ifdef __CUDA_ARCH__
    return __ffs((int)x) - 1;
#else
    return __builtin_ctz(x);
#endif
}

/* The number of the highest bit that is set; x is not 0. */
LU_ALWAYS_INLINE int lu_highest_bit(uint32_t x) {
#ifdef __CUDA_ARCH__
    return 31 - __clz((int)x);
#else
    return 31 - __builtin_clz(x);
#endif
}

LU_ALWAYS_INLINE int lu_bits_set(uint32_t x) {
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (int)((((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}

LU_ALWAYS_INLINE double lu_sqrt(double x) {
    return __builtin_sqrt(x);
}
LU_ALWAYS_INLINE double lu_floor(double x) {
    return __builtin_floor(x);
}
LU_ALWAYS_INLINE double lu_fabs(double x) {
    return __builtin_fabs(x);
}
/* Plain comparisons: of a NaN and a number the second argument comes back. */
LU_ALWAYS_INLINE double lu_fmin(double a, double b) {
    return a < b ? a : b;
}
LU_ALWAYS_INLINE double lu_fmax(double a, double b) {
    return a > b ? a : b;
}

/* ---- exp ---- */

#define LU_MAGIC_ 0x1.8p52        /* x + magic has round(x) in its low bits, for |x| < 2^51 */
#define LU_LN2_HI 0x1.62e42feep-1 /* 32 bits: n * LU_LN2_HI is exact for |n| < 2^21 */
#define LU_LN2_LO 0x1.a39ef35793c76p-33

/* exp(x + tail) = result * 2^*power; tail is at most about 2^-40. The magic sum comes back in
 * *magic: its low bits hold the power as an integer. */
LU_ALWAYS_INLINE double lu_exp_parts_(double x, double tail, double *power, double *magic) {
    double t = x * 0x1.71547652b82fep+0 + LU_MAGIC_;
    double n = t - LU_MAGIC_;
    /* x = n ln2 + high - low, high exact, |r| <= ln2 / 2 */
    double high = x - n * LU_LN2_HI;
    double low = n * LU_LN2_LO - tail;
    double r = high - low;
    /* exp(r) = 1 + r + r^2/2 + r^3 q(r), |error| < 2^-61 */
    double r2 = r * r, r4 = r2 * r2;
    double q0 = 0x1.5555555555556p-3 + r * 0x1.5555555555556p-5;
    double q1 = 0x1.11111111109adp-7 + r * 0x1.6c16c16c15dbbp-10;
    double q2 = 0x1.a01a01a7c8f60p-13 + r * 0x1.a01a01a93be8cp-16;
    double q3 = 0x1.71de0d9ba6659p-19 + r * 0x1.27e4d4c3ce824p-22;
    double q4 = 0x1.af38d61a8b82fp-26 + r * 0x1.1f7f461e6ce4dp-29;
    double q = (q0 + r2 * q1) + r4 * ((q2 + r2 * q3) + r4 * q4);
    double p = 0.5 * r2 + (r2 * r) * q;
    /* 1 + high with its rounding error, so that only the small terms are rounded twice */
    double sum = 1.0 + high;
    double error = high - (sum - 1.0);
    *power = n;
    *magic = t;
    return sum + (error + (p - low));
}

/* e^(x + tail) for every x; two scalings reach subnormal results and infinity. */
LU_ALWAYS_INLINE double lu_exp_tail_(double x, double tail) {
    double n, t;
    double inside = x > 710.0 ? 710.0 : x;
    inside = inside < -746.0 ? -746.0 : inside;
    double y = lu_exp_parts_(inside, tail, &n, &t);
    double half = (n * 0.5 + LU_MAGIC_);
    double rest = (n - (half - LU_MAGIC_)) + LU_MAGIC_;
    double scale1 =
        lu_double_from_bits((lu_double_bits(half) << 52) + UINT64_C(0x3ff0000000000000));
    double scale2 =
        lu_double_from_bits((lu_double_bits(rest) << 52) + UINT64_C(0x3ff0000000000000));
    y = y * scale1 * scale2;
    return x != x ? LU_NAN : y;
}

/* e^x for |x| <= 700. */
LU_ALWAYS_INLINE double lu_exp_core(double x) {
    double n, t;
    double y = lu_exp_parts_(x, 0.0, &n, &t);
    return y * lu_double_from_bits((lu_double_bits(t) << 52) + UINT64_C(0x3ff0000000000000));
}

/* e^x: infinity above 709.78, subnormal below -708.4, 0 below -745.13. */
LU_INLINE double lu_exp(double x) {
    return lu_exp_tail_(x, 0.0);
}

/* 1 / (1 + e^-x), as written: within 2.5 ulp. */
LU_INLINE double lu_sigmoid(double x) {
    return 1.0 / (1.0 + lu_exp(-x));
}

/* ---- log ---- */

/* Splits a normal positive x into m in [0.6768, 1.3535) and n: x = m 2^n. The range is a little
 * below [sqrt(1/2), sqrt(2)), so that (m - 1)^2 / 2 < 1/16 is rounded finer where logs are small.
 */
LU_ALWAYS_INLINE double lu_log_split_(double x, double *n) {
    uint64_t bits =
        lu_double_bits(x) + (UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe5a80000000000));
    /* the exponent as the low bits of a double in [2^52, 2^52 + 2^11] */
    *n = lu_double_from_bits((bits >> 52) | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023.0);
    return lu_double_from_bits((bits & UINT64_C(0x000fffffffffffff)) +
                               UINT64_C(0x3fe5a80000000000));
}

/* log(x) - less * log(2) for normal positive finite x. */
LU_ALWAYS_INLINE double lu_log_parts_(double x, double less) {
    double n;
    double f = lu_log_split_(x, &n) - 1.0;
    n = n - less;
    /* log(1 + f) = f - f^2/2 + s (f^2/2 + r(s^2)) with s = f / (2 + f), |error of r| < 2^-62 */
    double s = f / (2.0 + f);
    double z = s * s, z2 = z * z;
    double r0 = 0x1.5555555555552p-1 + z * 0x1.999999999b0d5p-2;
    double r1 = 0x1.24924922e34ddp-2 + z * 0x1.c71c73a9fb8bcp-3;
    double r2 = 0x1.745c81daffc39p-3 + z * 0x1.3b2e8ee971cb5p-3;
    double r3 = 0x1.0e47e1412f71ep-3 + z * 0x1.181f5adac8a76p-3;
    double r = z * ((r0 + z2 * r1) + (z2 * z2) * (r2 + z2 * r3));
    double half = 0.5 * f * f;
    /* n ln2 + f with its rounding error */
    double high = n * LU_LN2_HI;
    double sum = high + f;
    double error = f - (sum - high);
    return sum + ((error + n * LU_LN2_LO) - (half - s * (half + r)));
}

/* ln x for normal positive finite x. */
LU_ALWAYS_INLINE double lu_log_core(double x) {
    return lu_log_parts_(x, 0.0);
}

/* ln x; -infinity at 0, NaN below. */
LU_INLINE double lu_log(double x) {
    double less = x < 0x1p-1022 ? 54.0 : 0.0;
    double normal = x < 0x1p-1022 ? x * 0x1p54 : x;
    double y = lu_log_parts_(normal, less);
    y = x == LU_INFINITY ? x : y;
    y = x == 0.0 ? -LU_INFINITY : y;
    return x >= 0.0 ? y : LU_NAN;
}

/* ---- sin and cos ---- */

/* pi/2 in four parts; n times one of the first three is exact for n < 2^20. */
#define LU_HALF_PI_1 0x1.921fb544p+0
#define LU_HALF_PI_2 0x1.0b4611a6p-34
#define LU_HALF_PI_3 0x1.3198a2ep-69
#define LU_HALF_PI_4 0x1.b839a252049c1p-104

/* x = n pi/2 + *high + *low for 0 <= x <= 2^20; n is in the low bits of the result. Two parts would
 * do for most x; the third and fourth keep the relative error small next to multiples of pi/2,
 * where the difference can be 2^-60. */
LU_ALWAYS_INLINE uint64_t lu_trig_reduce_(double x, double *high, double *low) {
    double t = x * 0x1.45f306dc9c883p-1 + LU_MAGIC_;
    double n = t - LU_MAGIC_;
    double a = x - n * LU_HALF_PI_1; /* exact */
    double w = n * LU_HALF_PI_2;
    double b = a - w;
    /* either |a| >= |w|, or the difference is exact: the error below is right in both cases */
    double error = (a - b) - w;
    double c = error - n * LU_HALF_PI_3;
    double sum = b + c;
    *high = sum;
    *low = ((b - sum) + c) - n * LU_HALF_PI_4;
    return lu_double_bits(t);
}

/* sin(x + tail) for |x| <= pi/4. */
LU_ALWAYS_INLINE double lu_sin_kernel_(double x, double tail) {
    double z = x * x, z2 = z * z, v = z * x;
    double r =
        (0x1.111111110f87ap-7 - z * 0x1.a01a019c11991p-13) +
        z2 * ((0x1.71de3577b6548p-19 - z * 0x1.ae5e663a4f6cep-26) + z2 * 0x1.5d9300e75b6b3p-33);
    return x - ((z * (0.5 * tail - v * r) - tail) + v * 0x1.5555555555549p-3);
}

/* cos(x + tail) for |x| <= pi/4. */
LU_ALWAYS_INLINE double lu_cos_kernel_(double x, double tail) {
    double z = x * x, z2 = z * z;
    double r = (0x1.555555555554cp-5 - z * 0x1.6c16c16c1517ep-10) +
               z2 * ((0x1.a01a019cb1bdcp-16 - z * 0x1.27e4f809f0a12p-22) +
                     z2 * (0x1.1ee9ebe92771ap-29 - z * 0x1.8fae9c717c735p-37));
    double half = 0.5 * z;
    double w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z2 * r - x * tail));
}

/* sin of (quadrant, x + tail), with `sign` in the top bit; adding 1 to quadrant gives cos. */
LU_ALWAYS_INLINE double lu_trig_pick_(uint64_t quadrant, double x, double tail, uint64_t sign) {
    double sine = lu_sin_kernel_(x, tail);
    double cosine = lu_cos_kernel_(x, tail);
    double y = (quadrant & 1) ? cosine : sine;
    sign ^= quadrant << 62;
    return lu_double_from_bits(lu_double_bits(y) ^ (sign & UINT64_C(0x8000000000000000)));
}

/* sin x for |x| <= 2^20. */
LU_ALWAYS_INLINE double lu_sin_core(double x) {
    double high, low;
    uint64_t quadrant = lu_trig_reduce_(lu_fabs(x), &high, &low);
    return lu_trig_pick_(quadrant, high, low, lu_double_bits(x));
}

/* cos x for |x| <= 2^20. */
LU_ALWAYS_INLINE double lu_cos_core(double x) {
    double high, low;
    uint64_t quadrant = lu_trig_reduce_(lu_fabs(x), &high, &low);
    return lu_trig_pick_(quadrant + 1, high, low, 0);
}

/* Both at little more than the price of one, for |x| <= 2^20. */
LU_ALWAYS_INLINE void lu_sincos_core(double x, double *sine, double *cosine) {
    double high, low;
    uint64_t quadrant = lu_trig_reduce_(lu_fabs(x), &high, &low);
    *sine = lu_trig_pick_(quadrant, high, low, lu_double_bits(x));
    *cosine = lu_trig_pick_(quadrant + 1, high, low, 0);
}

/* a * b = result + *error exactly (Dekker), for |a|, |b| < 2^995. */
LU_ALWAYS_INLINE double lu_two_product_(double a, double b, double *error) {
    double product = a * b;
    double ta = a * 134217729.0, tb = b * 134217729.0;
    double a1 = ta - (ta - a), b1 = tb - (tb - b);
    double a2 = a - a1, b2 = b - b1;
    *error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    return product;
}

/* Low and high half of a 64 x 64 bit product; without 128-bit types, which wasm32 does by calls. */
LU_INLINE uint64_t lu_multiply_64_(uint64_t a, uint64_t b, uint64_t *high) {
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t low = a0 * b0, m1 = a1 * b0 + (low >> 32), m2 = a0 * b1 + (m1 & 0xffffffffu);
    *high = a1 * b1 + (m1 >> 32) + (m2 >> 32);
    return (m2 << 32) | (low & 0xffffffffu);
}

/* The same reduction for 2^20 < x < infinity (Payne and Hanek): the 53 bits of x times those 192
 * bits of 2/pi that matter. About 20 ns; games do not come here. */
LU_INLINE uint64_t lu_trig_reduce_large_(double x, double *high, double *low) {
    /* 64 zero bits, then 2/pi */
    static const uint64_t two_over_pi[] = {
        UINT64_C(0),
        UINT64_C(0xa2f9836e4e441529),
        UINT64_C(0xfc2757d1f534ddc0),
        UINT64_C(0xdb6295993c439041),
        UINT64_C(0xfe5163abdebbc561),
        UINT64_C(0xb7246e3a424dd2e0),
        UINT64_C(0x06492eea09d1921c),
        UINT64_C(0xfe1deb1cb129a73e),
        UINT64_C(0xe88235f52ebb4484),
        UINT64_C(0xe99c7026b45f7e41),
        UINT64_C(0x3991d639835339f4),
        UINT64_C(0x9c845f8bbdf9283b),
        UINT64_C(0x1ff897ffde05980f),
        UINT64_C(0xef2f118b5a0a6d1f),
        UINT64_C(0x6d367ecf27cb09b7),
        UINT64_C(0x4f463f669e5fea2d),
        UINT64_C(0x7527bac7ebe5f17b),
        UINT64_C(0x3d0739f78a5292ea),
        UINT64_C(0x6bfb5fb11f8d5d08),
        UINT64_C(0x56033046fc7b6bab),
    };
    uint64_t bits = lu_double_bits(x);
    uint64_t whole = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    /* x = whole 2^e; bits of 2/pi before the one of weight 2^(2-e) only give multiples of 4 */
    int e = (int)(bits >> 52) - 1075;
    int skip = e - 2 + 64, word = skip >> 6, shift = skip & 63;
    uint64_t w[3];
    for (int i = 0; i < 3; i++) {
        uint64_t first = two_over_pi[word + i] << shift;
        w[i] = shift ? first | (two_over_pi[word + i + 1] >> (64 - shift)) : first;
    }
    /* whole * w modulo 2^192: two bits of quadrant, then the fraction */
    uint64_t carry1, carry2, unused;
    (void)lu_multiply_64_(whole, w[2], &carry2);
    uint64_t p1 = lu_multiply_64_(whole, w[1], &carry1) + carry2;
    carry1 += p1 < carry2 ? 1 : 0;
    uint64_t p0 = lu_multiply_64_(whole, w[0], &unused) + carry1;
    uint64_t quadrant = p0 >> 62;
    uint64_t f0 = (p0 << 2) | (p1 >> 62), f1 = p1 << 2;
    /* to the nearest multiple: a fraction above 1/2 is negative */
    uint64_t above = f0 >> 63;
    if (above) {
        f1 = ~f1 + 1;
        f0 = ~f0 + (f1 == 0 ? 1 : 0);
        quadrant++;
    }
    double sign = above ? -1.0 : 1.0;
    /* 128 bits as the sum of three exact doubles, then as two */
    double a = (double)(f0 >> 21) * 0x1p-43;
    double b = (double)(((f0 & 0x1fffffu) << 22) | (f1 >> 42)) * 0x1p-86;
    double c = (double)(f1 & UINT64_C(0x3ffffffffff)) * 0x1p-128;
    double ab = a + b, tail = (b - (ab - a)) + c;
    double f = ab + tail;
    tail = tail - (f - ab);
    double error, product = lu_two_product_(f, 0x1.921fb54442d18p+0, &error);
    error += f * 0x1.1a62633145c07p-54 + tail * 0x1.921fb54442d18p+0;
    double sum = product + error;
    *high = sign * sum;
    *low = sign * (error - (sum - product));
    return quadrant;
}

/* sin of x with `turn` quadrants added, for |x| > 2^20. */
LU_INLINE double lu_trig_large_(double x, uint64_t turn, uint64_t sign) {
    double high, low, size = lu_fabs(x);
    if (!(size < LU_INFINITY)) {
        return LU_NAN;
    }
    uint64_t quadrant = lu_trig_reduce_large_(size, &high, &low);
    return lu_trig_pick_(quadrant + turn, high, low, sign);
}

/* sin x and cos x for every finite x; NaN for infinity. Beyond 2^20 they take a slow path, hence a
 * branch: loops that are to become vector code use the core forms. */
LU_INLINE double lu_sin(double x) {
    if (lu_fabs(x) <= LU_TRIG_CORE_MAX) {
        return lu_sin_core(x);
    }
    return lu_trig_large_(x, 0, lu_double_bits(x));
}

LU_INLINE double lu_cos(double x) {
    if (lu_fabs(x) <= LU_TRIG_CORE_MAX) {
        return lu_cos_core(x);
    }
    return lu_trig_large_(x, 1, 0);
}

/* ---- pow ---- */

/* ln x = result + *tail to about 2^-68, for normal positive finite x less `less` powers of two. */
LU_INLINE double lu_log_pair_(double x, double less, double *tail) {
    double n;
    double m = lu_log_split_(x, &n);
    n = n - less;
    /* s = (m - 1) / (m + 1) as s0 + s1 */
    double f = m - 1.0, d = 1.0 + m, d_error = m - (d - 1.0); /* 1 + m = d + d_error exactly */
    double s0 = f / d, p_error, p = lu_two_product_(s0, d, &p_error);
    double s1 = (((f - p) - p_error) - s0 * d_error) / d;
    /* z = s^2 as z0 + z1 */
    double z1, z0 = lu_two_product_(s0, s0, &z1);
    z1 += 2.0 * s0 * s1;
    /* atanh(s)/s = 1 + z (1/3 + z (1/5 + z q)); only q and the low parts are plain doubles */
    double y = z0, y2 = y * y;
    double q = ((0x1.2492492492453p-3 + y * 0x1.c71c71c72ae13p-4) +
                y2 * (0x1.745d173b1d829p-4 + y * 0x1.3b13b57b918eap-4)) +
               (y2 * y2) * ((0x1.1110111658382p-4 + y * 0x1.e22b5b5e46e69p-5) +
                            y2 * (0x1.a8dac9a4931b2p-5 + y * 0x1.d15d82c2873cep-5));
    double t = z0 * q;
    double u0 = 0x1.999999999999ap-3 + t;
    double u1 = (t - (u0 - 0x1.999999999999ap-3)) - 0x1.999999999999ap-57;
    double v1, v0 = lu_two_product_(z0, u0, &v1);
    v1 += z0 * u1 + z1 * u0;
    double w0 = 0x1.5555555555555p-2 + v0;
    double w1 = (v0 - (w0 - 0x1.5555555555555p-2)) + (v1 + 0x1.5555555555555p-56);
    double g1, g0 = lu_two_product_(z0, w0, &g1);
    g1 += z0 * w1 + z1 * w0;
    double h1, h0 = lu_two_product_(s0, g0, &h1);
    h1 += s0 * g1 + s1 * g0;
    /* n ln2 + 2 s + 2 h: the terms fall in size, so each sum keeps its error */
    double base = n * LU_LN2_HI;
    double sum1 = base + 2.0 * s0, e1 = 2.0 * s0 - (sum1 - base);
    double sum2 = sum1 + 2.0 * h0, e2 = 2.0 * h0 - (sum2 - sum1);
    double rest = (e1 + e2) + (n * LU_LN2_LO + 2.0 * (s1 + h1));
    double result = sum2 + rest;
    *tail = rest - (result - sum2);
    return result;
}

/* x^y as in Annex F of the C standard: pow(x, 0) and pow(1, y) are 1 also for NaN; a negative x
 * needs a whole y; zeros and infinities give zeros and infinities, negative for a negative base and
 * an odd y. */
LU_INLINE double lu_pow(double x, double y) {
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (x != x || y != y) {
        return LU_NAN;
    }
    double size = lu_fabs(x), steep = lu_fabs(y);
    /* whole and odd; every double from 2^53 on is even */
    int whole = steep >= 0x1p53 || lu_floor(steep) == steep;
    int odd = steep < 0x1p53 && whole && lu_floor(steep * 0.5) * 2.0 != steep;
    int negative = (int)(lu_double_bits(x) >> 63);
    double sign = negative && odd ? -1.0 : 1.0;
    if (steep == LU_INFINITY) {
        if (size == 1.0) {
            return 1.0;
        }
        return (size > 1.0) == (y > 0.0) ? LU_INFINITY : 0.0;
    }
    if (size == 0.0 || size == LU_INFINITY) {
        return sign * ((size == 0.0) == (y > 0.0) ? 0.0 : LU_INFINITY);
    }
    if (negative && !whole) {
        return LU_NAN;
    }
    int tiny = size < 0x1p-1022;
    double low, high = lu_log_pair_(tiny ? size * 0x1p54 : size, tiny ? 54.0 : 0.0, &low);
    double rough = y * high;
    if (!(rough < 710.0)) {
        return sign * LU_INFINITY;
    }
    if (!(rough > -746.0)) {
        return sign * 0.0;
    }
    if (lu_fabs(rough) < 0x1p-60) {
        return sign; /* also keeps the exact product below out of subnormals */
    }
    double error, product = lu_two_product_(y, high, &error);
    return sign * lu_exp_tail_(product, error + y * low);
}

/* ---- float forms, computed in double: correctly rounded but for about one value in 10^8 ---- */

LU_INLINE float lu_expf(float x) {
    return (float)lu_exp((double)x);
}
LU_INLINE float lu_logf(float x) {
    return (float)lu_log((double)x);
}
LU_INLINE float lu_sinf(float x) {
    return (float)lu_sin((double)x);
}
LU_INLINE float lu_cosf(float x) {
    return (float)lu_cos((double)x);
}
LU_INLINE float lu_powf(float x, float y) {
    return (float)lu_pow((double)x, (double)y);
}

/* tanh x, without branches. */
LU_INLINE float lu_tanhf(float x) {
    double size = lu_fabs((double)x);
    double e = lu_exp_core(size > 20.0 ? 40.0 : 2.0 * size);
    double y = (e - 1.0) / (e + 1.0);
    y = size < 0x1p-12 ? size - size * size * size * 0x1.5555555555555p-2 : y;
    y = x < 0.0f ? -y : y;
    y = x == 0.0f ? (double)x : y;
    return x != x ? (float)LU_NAN : (float)y;
}

LU_C_END
