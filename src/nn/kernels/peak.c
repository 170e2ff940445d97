/* The fastest fused multiply-adds this level can do: independent chains in registers, no memory.
 * Measures of kernels are given as a share of this, in the same process. */
#include "level.h"

#include "tiles.h"

#if defined(__AVX512F__)
#define P(name) z##name
enum { LANES = 16 };
#elif defined(__AVX2__) && defined(__FMA__)
#define P(name) y##name
enum { LANES = 8 };
#else
#define P(name) x##name
enum { LANES = 4 };
#endif

/* 12 chains hide a latency of 6 at two units. */
enum { CHAINS = 12 };

#define PEAK_LOOP(operation)                                                                       \
    float one = 1.0f, small = 0x1p-40f;                                                            \
    P(f) a = P(_all)(&one), b = P(_all)(&small), c[CHAINS];                                        \
    for (int i = 0; i < CHAINS; i++) {                                                             \
        c[i] = a;                                                                                  \
    }                                                                                              \
    for (long k = 0; k < loops; k++) {                                                             \
        c[0] = operation(a, b, c[0]);                                                              \
        c[1] = operation(a, b, c[1]);                                                              \
        c[2] = operation(a, b, c[2]);                                                              \
        c[3] = operation(a, b, c[3]);                                                              \
        c[4] = operation(a, b, c[4]);                                                              \
        c[5] = operation(a, b, c[5]);                                                              \
        c[6] = operation(a, b, c[6]);                                                              \
        c[7] = operation(a, b, c[7]);                                                              \
        c[8] = operation(a, b, c[8]);                                                              \
        c[9] = operation(a, b, c[9]);                                                              \
        c[10] = operation(a, b, c[10]);                                                            \
        c[11] = operation(a, b, c[11]);                                                            \
    }                                                                                              \
    float lanes[LANES];                                                                            \
    for (int i = 0; i < CHAINS; i++) {                                                             \
        P(_store)(lanes, c[i]);                                                                    \
        *sink += lanes[0];                                                                         \
    }

double LU_K(peak_fp32)(long loops, float *sink) {
    PEAK_LOOP(P(_fma))
    return 2.0 * LANES * CHAINS * (double)loops;
}

double LU_K(peak_bf16)(long loops, float *sink) {
    PEAK_LOOP(P(_dot))
    return 4.0 * LANES * CHAINS * (double)loops;
}

#if defined(__AMX_BF16__)

/* Six tiles of sums: more than the latency of an instruction. What the registers hold does not
 * matter, but zeros would save power. */
double LU_K(peak_tile)(long loops, float *sink) {
    float words[LU_TILE_WORDS];
    for (int i = 0; i < LU_TILE_WORDS; i++) {
        words[i] = lu_float_from_bits(0x3f803f80u + (uint32_t)i);
    }
    lu_tiles_begin();
    _tile_loadd(6, words, 64);
    _tile_loadd(7, words, 64);
    for (long k = 0; k < loops; k++) {
        _tile_dpbf16ps(0, 6, 7);
        _tile_dpbf16ps(1, 6, 7);
        _tile_dpbf16ps(2, 6, 7);
        _tile_dpbf16ps(3, 6, 7);
        _tile_dpbf16ps(4, 6, 7);
        _tile_dpbf16ps(5, 6, 7);
    }
    _tile_stored(5, words, 64);
    _tile_release();
    *sink += words[0];
    return 2.0 * LU_TILE_WORDS * LU_TILE_STEP * 6.0 * (double)loops;
}

#else

double LU_K(peak_tile)(long loops, float *sink) {
    return LU_K(peak_fp32)(loops, sink);
}

#endif
