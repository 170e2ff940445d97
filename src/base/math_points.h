/* One hash over many values of ludus/math.h: every build, processor level and WASM must give the
 * same. For tests only; it needs no library, so that it links anywhere.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/hash.h"
#include "ludus/math.h"
#include "ludus/rng.h"

/* What math_points_hash gives: 14 expressions at 8 * MATH_ROUNDS = 10^5 points each. */
#define MATH_POINTS_HASH UINT64_C(0xf3cc4c0ed8fdcfca)
enum { MATH_ROUNDS = 12500 };

/* The payload of a NaN made by arithmetic is not fixed in WASM, so NaNs count as one value. */
LU_INLINE uint64_t math_points_take(uint64_t hash, const double *y, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t bits = y[i] != y[i] ? UINT64_C(0x7ff8000000000000) : lu_double_bits(y[i]);
        hash = lu_mix64(hash ^ bits) + UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash;
}

/* Loops of eight, as the fast code of games has them, so that an optimising build makes vectors of
 * them; always inlined, so that a caller with other target flags compiles it for those. */
LU_ALWAYS_INLINE uint64_t math_points_hash(void) {
    lu_rng rng = lu_rng_from(2718281828);
    uint64_t hash = 0;
    for (int round = 0; round < MATH_ROUNDS; round++) {
        double small[8], any[8], positive[8], turn[8], y[8];
        float f[8];
        for (int i = 0; i < 8; i++) {
            small[i] = (lu_rng_unit(&rng) * 2.0 - 1.0) * 700.0;
            any[i] = lu_double_from_bits(lu_rng_u64(&rng));
            positive[i] = lu_rng_unit(&rng) * 4.0 + 0x1p-60;
            turn[i] = (lu_rng_unit(&rng) * 2.0 - 1.0) * (round & 1 ? 10.0 : 1e5);
        }
#define LU_EIGHT(expression)                                                                       \
    for (int i = 0; i < 8; i++) {                                                                  \
        y[i] = (expression);                                                                       \
    }                                                                                              \
    hash = math_points_take(hash, y, 8)
        LU_EIGHT(lu_exp_core(small[i]));
        LU_EIGHT(lu_exp(small[i] * 1.1));
        LU_EIGHT(lu_exp(any[i]));
        LU_EIGHT(lu_log_core(positive[i]));
        LU_EIGHT(lu_log(any[i]));
        LU_EIGHT(lu_sin_core(turn[i]));
        LU_EIGHT(lu_cos_core(turn[i]));
        LU_EIGHT(lu_sin(any[i]));
        LU_EIGHT(lu_cos(any[i]));
        LU_EIGHT(lu_pow(positive[i], turn[i]));
        LU_EIGHT(lu_pow(any[i], positive[i]));
        LU_EIGHT(lu_sigmoid(turn[i]));
        LU_EIGHT(lu_sqrt(positive[i]) + lu_floor(turn[i]));
        for (int i = 0; i < 8; i++) {
            f[i] = lu_tanhf((float)turn[i]);
        }
        LU_EIGHT((double)f[i]);
#undef LU_EIGHT
    }
    return hash;
}
