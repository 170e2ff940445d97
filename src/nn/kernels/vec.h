/* The vector vocabulary of one instruction level, so that the tiles are written once. A family of
 * functions has a prefix: z = 16 floats (AVX-512), y = 8 floats (AVX2), x = 4 floats (WASM's
 * vectors, or plain C on any processor). Every family offers load, store, all (broadcast), zero,
 * fma, fma_all (of a broadcast), dot (one bf16 pair per lane), relu, and back_relu / back_tanh (a
 * gradient times the derivative, from the output). Ownership: nothing is owned. Threads: no state.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "../float_math.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

/* ---- x: 4 floats ---- */

#if defined(__wasm_simd128__)
#include "vec_wasm.h"
#else

typedef struct xf {
    float lane[4];
} xf;

#define X_EACH(expression)                                                                         \
    xf r;                                                                                          \
    for (int i = 0; i < 4; i++) {                                                                  \
        r.lane[i] = (expression);                                                                  \
    }                                                                                              \
    return r

LU_ALWAYS_INLINE xf x_load(const float *p) {
    X_EACH(p[i]);
}
LU_ALWAYS_INLINE xf x_all(const float *p) {
    X_EACH(*p);
}
LU_ALWAYS_INLINE xf x_zero(void) {
    X_EACH(0.0f);
}
LU_ALWAYS_INLINE void x_store(float *p, xf v) {
    memcpy(p, v.lane, sizeof v.lane);
}
LU_ALWAYS_INLINE xf x_fma(xf a, xf b, xf c) {
    X_EACH(lu_fmaf(a.lane[i], b.lane[i], c.lane[i]));
}
LU_ALWAYS_INLINE xf x_dot(xf a, xf b, xf c) {
    X_EACH(lu_bf16_dot(a.lane[i], b.lane[i], c.lane[i]));
}
LU_ALWAYS_INLINE xf x_relu(xf v) {
    X_EACH(0.0f > v.lane[i] ? 0.0f : v.lane[i]);
}
LU_ALWAYS_INLINE xf x_back_relu(xf d, xf y) {
    X_EACH(y.lane[i] > 0.0f ? d.lane[i] : 0.0f);
}
LU_ALWAYS_INLINE xf x_back_tanh(xf d, xf y) {
    X_EACH(d.lane[i] * (1.0f - y.lane[i] * y.lane[i]));
}

#endif

LU_ALWAYS_INLINE xf x_fma_all(const float *a, xf b, xf c) {
    return x_fma(x_all(a), b, c);
}

/* ---- y: 8 floats ---- */

#if defined(__AVX2__) && defined(__FMA__)

typedef __m256 yf;

LU_ALWAYS_INLINE yf y_load(const float *p) {
    return _mm256_loadu_ps(p);
}
LU_ALWAYS_INLINE yf y_all(const float *p) {
    return _mm256_broadcast_ss(p);
}
LU_ALWAYS_INLINE yf y_zero(void) {
    return _mm256_setzero_ps();
}
LU_ALWAYS_INLINE void y_store(float *p, yf v) {
    _mm256_storeu_ps(p, v);
}
LU_ALWAYS_INLINE yf y_fma(yf a, yf b, yf c) {
    return _mm256_fmadd_ps(a, b, c);
}
LU_ALWAYS_INLINE yf y_fma_all(const float *a, yf b, yf c) {
    return y_fma(y_all(a), b, c);
}
/* max returns its second operand for a NaN and for equal zeros: 0 > v ? 0 : v */
LU_ALWAYS_INLINE yf y_relu(yf v) {
    return _mm256_max_ps(_mm256_setzero_ps(), v);
}
LU_ALWAYS_INLINE yf y_back_relu(yf d, yf y) {
    return _mm256_and_ps(d, _mm256_cmp_ps(y, _mm256_setzero_ps(), _CMP_GT_OQ));
}
LU_ALWAYS_INLINE yf y_back_tanh(yf d, yf y) {
    return _mm256_mul_ps(d, _mm256_sub_ps(_mm256_set1_ps(1.0f), _mm256_mul_ps(y, y)));
}
#if defined(__AVX512BF16__)
LU_ALWAYS_INLINE yf y_dot(yf a, yf b, yf c) {
    return _mm256_dpbf16_ps(c, (__m256bh)a, (__m256bh)b);
}
#else
/* needs flushing of subnormals on in MXCSR: see lu_flush_on */
LU_ALWAYS_INLINE yf y_dot(yf a, yf b, yf c) {
    __m256i x = _mm256_castps_si256(a), y = _mm256_castps_si256(b);
    __m256 odd = _mm256_castsi256_ps(_mm256_set1_epi32((int)0xffff0000u));
    c = _mm256_fmadd_ps(_mm256_and_ps(a, odd), _mm256_and_ps(b, odd), c);
    return _mm256_fmadd_ps(_mm256_castsi256_ps(_mm256_slli_epi32(x, 16)),
                           _mm256_castsi256_ps(_mm256_slli_epi32(y, 16)), c);
}
#endif

#endif

/* ---- z: 16 floats ---- */

#if defined(__AVX512F__)

typedef __m512 zf;

LU_ALWAYS_INLINE zf z_load(const float *p) {
    return _mm512_loadu_ps(p);
}
LU_ALWAYS_INLINE zf z_all(const float *p) {
    return _mm512_set1_ps(*p);
}
LU_ALWAYS_INLINE zf z_zero(void) {
    return _mm512_setzero_ps();
}
LU_ALWAYS_INLINE void z_store(float *p, zf v) {
    _mm512_storeu_ps(p, v);
}
LU_ALWAYS_INLINE zf z_fma(zf a, zf b, zf c) {
    return _mm512_fmadd_ps(a, b, c);
}
/* One instruction that loads, broadcasts and sums. From _mm512_set1_ps the compiler would make a
 * broadcast of its own as soon as two sums share it. */
LU_ALWAYS_INLINE zf z_fma_all(const float *a, zf b, zf c) {
    __asm__("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(c) : "v"(b), "m"(*a));
    return c;
}
LU_ALWAYS_INLINE zf z_relu(zf v) {
    return _mm512_max_ps(_mm512_setzero_ps(), v);
}
LU_ALWAYS_INLINE zf z_back_relu(zf d, zf y) {
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_GT_OQ), d);
}
LU_ALWAYS_INLINE zf z_back_tanh(zf d, zf y) {
    return _mm512_mul_ps(d, _mm512_sub_ps(_mm512_set1_ps(1.0f), _mm512_mul_ps(y, y)));
}
#if defined(__AVX512BF16__)
LU_ALWAYS_INLINE zf z_dot(zf a, zf b, zf c) {
    return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
}
#else
LU_ALWAYS_INLINE zf z_dot(zf a, zf b, zf c) {
    __m512i x = _mm512_castps_si512(a), y = _mm512_castps_si512(b);
    __m512i odd = _mm512_set1_epi32((int)0xffff0000u);
    c = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_and_si512(x, odd)),
                        _mm512_castsi512_ps(_mm512_and_si512(y, odd)), c);
    return _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_slli_epi32(x, 16)),
                           _mm512_castsi512_ps(_mm512_slli_epi32(y, 16)), c);
}
#endif

#endif

/* ---- bf16 ---- */

/* One row; the instruction does 32 numbers at once and rounds and flushes as lu_bf16_from. */
LU_ALWAYS_INLINE void row_to_bf16(const float *x, int n, uint16_t *y) {
    int i = 0;
#if defined(__AVX512BF16__)
    for (; i + 32 <= n; i += 32) {
        __m512bh both = _mm512_cvtne2ps_pbh(z_load(x + i + 16), z_load(x + i));
        memcpy(y + i, &both, sizeof both);
    }
    if (i < n) {
        __mmask32 some = (__mmask32)((1ull << (n - i)) - 1);
        __m512 low = _mm512_maskz_loadu_ps((__mmask16)some, x + i);
        __m512 high = _mm512_maskz_loadu_ps((__mmask16)(some >> 16), x + i + 16);
        _mm512_mask_storeu_epi16(y + i, some, (__m512i)_mm512_cvtne2ps_pbh(high, low));
    }
#else
    for (; i < n; i++) {
        y[i] = (uint16_t)lu_bf16_from(x[i]);
    }
#endif
}

/* ---- subnormals ---- */

/* The emulated dot flushes by the mode of the processor; the instruction does so by itself, and the
 * plain C form in its code. Set and put back around
 * one tile. */
#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512BF16__)
#define LU_DOT_BY_MODE 1
LU_ALWAYS_INLINE unsigned lu_flush_on(void) {
    unsigned old = _mm_getcsr();
    _mm_setcsr(old | 0x8040u);
    return old;
}
LU_ALWAYS_INLINE void lu_flush_back(unsigned old) {
    _mm_setcsr(old);
}
#else
#define LU_DOT_BY_MODE 0
LU_ALWAYS_INLINE unsigned lu_flush_on(void) {
    return 0;
}
LU_ALWAYS_INLINE void lu_flush_back(unsigned old) {
    (void)old;
}
#endif
