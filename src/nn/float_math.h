/* Float functions that the kernels of all levels share: a fused multiply-add that is exact without
 * the instruction, bf16 in and out, and exp and tanh as float polynomials. They use no branch and
 * no table, so that a plain loop becomes vector code with the same bits at every level. Errors: exp
 * below 1.1 ulp, tanh below 1.6, log (lu_logf) below 0.51.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ludus/device.h"
#include "ludus/math.h"

LU_ALWAYS_INLINE uint32_t lu_float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LU_ALWAYS_INLINE float lu_float_from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The sum of an exact product and an addend, rounded to odd (to the neighbour with a last bit of 1
 * unless exact): 29 spare bits then make a rounding to float the only one that counts. */
LU_ALWAYS_INLINE double lu_sum_to_odd_(double product, double addend) {
    double sum = product + addend;
    double part = sum - product;
    double error = (product - (sum - part)) + (addend - part);
    uint64_t bits = lu_double_bits(sum);
    /* a NaN as error (infinite sums) compares false */
    uint64_t inexact = (error > 0.0 || error < 0.0) ? 1u : 0u;
    uint64_t toward_zero = (error > 0.0) != (sum > 0.0) ? 1u : 0u;
    uint64_t even = ~bits & 1u;
    bits += (inexact & even) * (1u - 2u * toward_zero);
    return lu_double_from_bits(bits);
}

/* a * b + c, rounded once. Without the instruction about 20 operations. */
LU_ALWAYS_INLINE float lu_fmaf(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fmaf(a, b, c);
#else
    return (float)lu_sum_to_odd_((double)a * (double)b, (double)c);
#endif
}

/* ---- bf16 ---- */

/* Nearest even; a NaN stays one, a subnormal becomes 0 of its sign: what vcvtneps2bf16 does. */
LU_ALWAYS_INLINE uint32_t lu_bf16_from(float x) {
    uint32_t bits = lu_float_bits(x), size = bits & 0x7fffffffu;
    uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    uint32_t nan = (bits >> 16) | 0x40u;
    uint32_t zero = (bits >> 16) & 0x8000u;
    return size > 0x7f800000u ? nan : size < 0x00800000u ? zero : rounded;
}

LU_ALWAYS_INLINE float lu_bf16_to(uint32_t bits) {
    return lu_float_from_bits(bits << 16);
}

/* Subnormal to zero of its sign. */
LU_ALWAYS_INLINE float lu_flushed(float x) {
    uint32_t bits = lu_float_bits(x);
    return lu_float_from_bits((bits & 0x7f800000u) ? bits : bits & 0x80000000u);
}

/* One lane of vdpbf16ps: a and b are the bits of two bf16 each, the odd one (high half) goes
 * first. */
LU_ALWAYS_INLINE float lu_bf16_dot(float a, float b, float c) {
    uint32_t x = lu_float_bits(a), y = lu_float_bits(b);
    float odd =
        lu_fmaf(lu_flushed(lu_bf16_to(x >> 16)), lu_flushed(lu_bf16_to(y >> 16)), lu_flushed(c));
    float even = lu_fmaf(lu_flushed(lu_bf16_to(x)), lu_flushed(lu_bf16_to(y)), lu_flushed(odd));
    return lu_flushed(even);
}

/* a * b + c as the tile unit does it: subnormal operands are read as 0, and a result that is below
 * the normal range when rounded to 24 bits becomes 0 of its sign. Products of
 * floats are exact in double. */
LU_ALWAYS_INLINE float lu_tile_fma(float a, float b, float c) {
    double product = (double)lu_flushed(a) * (double)lu_flushed(b);
    double sum = lu_sum_to_odd_(product, (double)lu_flushed(c));
    /* 2^-126 less half a last bit of the numbers below it rounds up to 2^-126 */
    bool tiny = sum < 0x1.ffffffp-127 && sum > -0x1.ffffffp-127;
    return (float)(tiny ? sum * 0.0 : sum);
}

/* ---- exp, log, tanh ---- */

#define LU_MAGIC_FLOAT_ 0x1.8p23f /* x + magic has round(x) in its low bits, for |x| < 2^22 */

/* e^x = result * 2^n for |x| < 2^15; the low bits of *magic hold n. */
LU_ALWAYS_INLINE float lu_exp_float_parts_(float x, float *n, float *magic) {
    float t = x * 0x1.715476p+0f + LU_MAGIC_FLOAT_;
    float whole = t - LU_MAGIC_FLOAT_;
    /* n * 0x1.62e4p-1 is exact for |n| < 2^9 */
    float r = (x - whole * 0x1.62e4p-1f) - whole * 0x1.7f7d1cp-20f;
    /* e^r = 1 + r + r^2 q(r), |error| < 2^-26 */
    float r2 = r * r;
    float q = (0.5f + r * 0x1.5554dcp-3f) +
              r2 * ((0x1.555518p-5f + r * 0x1.120cp-7f) + r2 * 0x1.6d119ap-10f);
    *n = whole;
    *magic = t;
    return 1.0f + (r + r2 * q);
}

/* e^x for every x: infinity above 88.73, subnormal below -87.34, 0 below -103.98. */
LU_ALWAYS_INLINE float lu_exp_float(float x) {
    float n, t, inside = x > 89.0f ? 89.0f : x;
    inside = inside < -105.0f ? -105.0f : inside;
    float y = lu_exp_float_parts_(inside, &n, &t);
    /* two scalings reach subnormal results and infinity */
    float half = n * 0.5f + LU_MAGIC_FLOAT_;
    float rest = (n - (half - LU_MAGIC_FLOAT_)) + LU_MAGIC_FLOAT_;
    y = y * lu_float_from_bits((lu_float_bits(half) << 23) + 0x3f800000u);
    y = y * lu_float_from_bits((lu_float_bits(rest) << 23) + 0x3f800000u);
    return x != x ? (float)LU_NAN : y;
}

/* tanh x: an odd polynomial near 0, 1 - 2 / (e^2x + 1) elsewhere. Fused, since small nets spend
 * much of their time here: 21 cycles for 16 numbers where the instruction exists, 30 with roundings
 * between; emulated it takes as long as a dozen weights of a layer. */
LU_ALWAYS_INLINE float lu_tanh_float(float x) {
    float size = lu_float_from_bits(lu_float_bits(x) & 0x7fffffffu);
    float z = size * size;
    float p = lu_fmaf(z, -0x1.acc5a4p-8f, 0x1.5c8860p-6f);
    p = lu_fmaf(p, z, -0x1.b99384p-5f);
    p = lu_fmaf(p, z, 0x1.110fc0p-3f);
    p = lu_fmaf(p, z, -0x1.555554p-2f);
    float small = lu_fmaf(size * z, p, size);
    /* e^2x = 2^n e^2r; from 10 on the result is 1 */
    float inside = size > 10.0f ? 10.0f : size;
    float t = lu_fmaf(inside, 0x1.715476p+1f, LU_MAGIC_FLOAT_);
    float r = lu_fmaf(t - LU_MAGIC_FLOAT_, -0x1.62e430p-2f, inside);
    float q = lu_fmaf(r, 0x1.6d119ap-4f, 0x1.120cp-2f);
    q = lu_fmaf(q, r, 0x1.555518p-1f);
    q = lu_fmaf(q, r, 0x1.5554dcp+0f);
    q = lu_fmaf(q, r, 2.0f);
    q = lu_fmaf(q, r, 2.0f);
    q = lu_fmaf(q, r, 1.0f);
    float e = lu_float_from_bits(lu_float_bits(q) + (lu_float_bits(t) << 23));
    float large = 1.0f - 2.0f / (e + 1.0f);
    float y = size >= 0.56f ? large : small; /* a NaN takes the small side and stays one */
    return lu_float_from_bits(lu_float_bits(y) | (lu_float_bits(x) & 0x80000000u));
}
