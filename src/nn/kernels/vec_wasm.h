/* The x family of vec.h with the vectors of WASM (simd128): 4 floats. WASM has no fused
 * multiply-add that rounds the same everywhere, so it is made in double, two lanes at a time; where
 * the two roundings could differ from one, lu_fmaf decides. Included by vec.h only.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include <wasm_simd128.h>

typedef v128_t xf;

LU_ALWAYS_INLINE xf x_load(const float *p) {
    return wasm_v128_load(p);
}
LU_ALWAYS_INLINE xf x_all(const float *p) {
    return wasm_v128_load32_splat(p);
}
LU_ALWAYS_INLINE xf x_zero(void) {
    return wasm_f32x4_const_splat(0.0f);
}
LU_ALWAYS_INLINE void x_store(float *p, xf v) {
    wasm_v128_store(p, v);
}

/* Two sums a * b + c in double, where the products are exact. */
LU_ALWAYS_INLINE v128_t x_sum_low(xf a, xf b, xf c) {
    return wasm_f64x2_add(
        wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b)),
        wasm_f64x2_promote_low_f32x4(c));
}
/* True for a sum that another rounding, to float, could take to the wrong side: it stands in the
 * middle between two floats, or is so small that floats are coarser there. */
LU_ALWAYS_INLINE v128_t x_doubtful(v128_t sum) {
    v128_t size = wasm_f64x2_abs(sum);
    v128_t middle = wasm_i64x2_eq(wasm_v128_and(sum, wasm_i64x2_const_splat(0x1fffffff)),
                                  wasm_i64x2_const_splat(0x10000000));
    v128_t small = wasm_v128_and(wasm_f64x2_lt(size, wasm_f64x2_const_splat(0x1p-126)),
                                 wasm_f64x2_gt(size, wasm_f64x2_const_splat(0.0)));
    return wasm_v128_or(middle, small);
}
LU_ALWAYS_INLINE xf x_high(xf v) {
    return wasm_i32x4_shuffle(v, v, 2, 3, 2, 3);
}
/* Lane by lane, for the one call in many millions that is doubtful. */
static __attribute__((noinline, unused)) xf x_fma_slow(xf a, xf b, xf c) {
    float x[4], y[4], z[4];
    wasm_v128_store(x, a);
    wasm_v128_store(y, b);
    wasm_v128_store(z, c);
    for (int i = 0; i < 4; i++) {
        z[i] = lu_fmaf(x[i], y[i], z[i]);
    }
    return wasm_v128_load(z);
}
LU_ALWAYS_INLINE xf x_fma(xf a, xf b, xf c) {
    v128_t low = x_sum_low(a, b, c), high = x_sum_low(x_high(a), x_high(b), x_high(c));
    if (__builtin_expect(wasm_v128_any_true(wasm_v128_or(x_doubtful(low), x_doubtful(high))), 0)) {
        return x_fma_slow(a, b, c);
    }
    return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                              0, 1, 4, 5);
}

/* Subnormals to zero of their sign: see lu_flushed. */
LU_ALWAYS_INLINE xf x_flushed(xf v) {
    v128_t exponent = wasm_v128_and(v, wasm_i32x4_const_splat(0x7f800000));
    v128_t normal = wasm_i32x4_ne(exponent, wasm_i32x4_const_splat(0));
    v128_t sign = wasm_i32x4_const_splat((int32_t)0x80000000u);
    return wasm_v128_and(v, wasm_v128_or(normal, sign));
}
LU_ALWAYS_INLINE xf x_dot(xf a, xf b, xf c) {
    v128_t odd = wasm_i32x4_const_splat((int32_t)0xffff0000u);
    c = x_fma(x_flushed(wasm_v128_and(a, odd)), x_flushed(wasm_v128_and(b, odd)), x_flushed(c));
    c = x_fma(x_flushed(wasm_i32x4_shl(a, 16)), x_flushed(wasm_i32x4_shl(b, 16)), x_flushed(c));
    return x_flushed(c);
}

LU_ALWAYS_INLINE xf x_relu(xf v) {
    return wasm_v128_andnot(v, wasm_f32x4_gt(x_zero(), v));
}
LU_ALWAYS_INLINE xf x_back_relu(xf d, xf y) {
    return wasm_v128_and(d, wasm_f32x4_gt(y, x_zero()));
}
LU_ALWAYS_INLINE xf x_back_tanh(xf d, xf y) {
    v128_t one = wasm_f32x4_const_splat(1.0f);
    return wasm_f32x4_mul(d, wasm_f32x4_sub(one, wasm_f32x4_mul(y, y)));
}
