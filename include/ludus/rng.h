/* Random numbers: PCG32 over a bare 64-bit state (the reference generator of some games, and the
 * one to use inside a state), a splitmix64 generator for everything else, and the mix that turns
 * (seed, environment, episode) into the seed of one episode. Every function is exact integer
 * arithmetic, so that all builds draw the same numbers; lu_pcg32_block draws several at once
 * without the chain of dependent multiplications.
 * Ownership: the caller owns every state. Threads: no shared state; one generator per thread. */
#pragma once

#include <stdint.h>

#include "ludus/device.h"
#include "ludus/linkage.h"

LU_C_BEGIN

/* PCG32 (XSH-RR): multiplier of the state; `inc` is odd and names the stream. */
#define LU_PCG32_MULTIPLIER UINT64_C(6364136223846793005)

/* The number a state stands for; it does not change the state. */
LU_ALWAYS_INLINE uint32_t lu_pcg32_output(uint64_t state) {
    uint32_t x = (uint32_t)(((state >> 18) ^ state) >> 27);
    uint32_t turn = (uint32_t)(state >> 59);
    return (x >> turn) | (x << ((0u - turn) & 31u));
}

/* The next number: output of the state before it advances. */
LU_ALWAYS_INLINE uint32_t lu_pcg32_next(uint64_t *state, uint64_t inc) {
    uint64_t old = *state;
    *state = old * LU_PCG32_MULTIPLIER + inc;
    return lu_pcg32_output(old);
}

/* The state for a seed: zero, one draw, plus seed, one draw. */
LU_INLINE uint64_t lu_pcg32_seed(uint64_t seed, uint64_t inc) {
    return (inc + seed) * LU_PCG32_MULTIPLIER + inc;
}

/* The state `steps` draws later, in at most 64 squarings of the affine map; 2^64 - n goes n back.
 */
LU_INLINE uint64_t lu_pcg32_jump(uint64_t state, uint64_t inc, uint64_t steps) {
    uint64_t factor = 1, term = 0;                     /* the map so far: s -> factor s + term */
    uint64_t square = LU_PCG32_MULTIPLIER, plus = inc; /* the map of 2^i steps */
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            factor *= square;
            term = term * square + plus;
        }
        plus *= square + 1;
        square *= square;
    }
    return factor * state + term;
}

/* X(k, multiplier^k, sum of multiplier^j for j < k): the state after k draws is power s + sum inc.
 */
#define LU_PCG32_POWERS(X)                                                                         \
    X(0, UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000))                               \
    X(1, UINT64_C(0x5851f42d4c957f2d), UINT64_C(0x0000000000000001))                               \
    X(2, UINT64_C(0x685f98a2018fade9), UINT64_C(0x5851f42d4c957f2e))                               \
    X(3, UINT64_C(0x0b046976f22528f5), UINT64_C(0xc0b18ccf4e252d17))                               \
    X(4, UINT64_C(0xfb4d3ae39272be11), UINT64_C(0xcbb5f646404a560c))                               \
    X(5, UINT64_C(0x696d29da565ad7fd), UINT64_C(0xc7033129d2bd141d))                               \
    X(6, UINT64_C(0xf08d02b0115f7a79), UINT64_C(0x30705b042917ec1a))                               \
    X(7, UINT64_C(0x798e21c49ff78e45), UINT64_C(0x20fd5db43a776693))                               \
    X(8, UINT64_C(0xb59dda5f38413d21), UINT64_C(0x9a8b7f78da6ef4d8))                               \
    X(9, UINT64_C(0x5b5fee90a1001dcd), UINT64_C(0x502959d812b031f9))                               \
    X(10, UINT64_C(0xc07a0e3e901ef009), UINT64_C(0xab894868b3b04fc6))                              \
    X(11, UINT64_C(0x1cca61580fc1a895), UINT64_C(0x6c0356a743cf3fcf))                              \
    X(12, UINT64_C(0x2baa1c4032658d31), UINT64_C(0x88cdb7ff5390e864))                              \
    X(13, UINT64_C(0xbc2bd0ebf66a209d), UINT64_C(0xb477d43f85f67595))                              \
    X(14, UINT64_C(0x384115c58e369e99), UINT64_C(0x70a3a52b7c609632))                              \
    X(15, UINT64_C(0x549e870bd354c7e5), UINT64_C(0xa8e4baf10a9734cb))                              \
    X(16, UINT64_C(0x8d5e2ddc895abe41), UINT64_C(0xfd8341fcddebfcb0))

/* Draws `count` numbers into out and advances the state: bit-equal to `count` calls of
 * lu_pcg32_next. The multiplications of 16 numbers are independent; with a constant count of 8, 12
 * or 16 the loop becomes vector code. */
LU_ALWAYS_INLINE void lu_pcg32_block(uint64_t *state, uint64_t inc, int count, uint32_t *out) {
#define X(k, power, sum) power,
    static const uint64_t powers[] = {LU_PCG32_POWERS(X)};
#undef X
#define X(k, power, sum) sum,
    static const uint64_t sums[] = {LU_PCG32_POWERS(X)};
#undef X
    uint64_t start = *state;
    for (; count > 16; count -= 16, out += 16) {
        for (int k = 0; k < 16; k++) {
            out[k] = lu_pcg32_output(powers[k] * start + sums[k] * inc);
        }
        start = powers[16] * start + sums[16] * inc;
    }
    for (int k = 0; k < count; k++) {
        out[k] = lu_pcg32_output(powers[k] * start + sums[k] * inc);
    }
    *state = powers[count] * start + sums[count] * inc;
}

/* splitmix64: every seed is a good seed, the period is 2^64, the state may be kept in any struct.
 */
typedef struct lu_rng {
    uint64_t state;
} lu_rng;

/* The finaliser of splitmix64: a bijection in which every input bit reaches every output bit. */
LU_ALWAYS_INLINE uint64_t lu_mix64(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

LU_INLINE lu_rng lu_rng_from(uint64_t seed) {
    lu_rng rng = {seed};
    return rng;
}

LU_INLINE uint64_t lu_rng_u64(lu_rng *rng) {
    return lu_mix64(rng->state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Uniform in 0..n-1 without bias (Lemire's multiply and reject); n >= 1. One draw nearly always. */
LU_INLINE uint32_t lu_rng_below(lu_rng *rng, uint32_t n) {
    uint64_t product = (lu_rng_u64(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t floor = (0u - n) % n;
        while ((uint32_t)product < floor) {
            product = (lu_rng_u64(rng) >> 32) * n;
        }
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0, 1): 53 bits. */
LU_INLINE double lu_rng_unit(lu_rng *rng) {
    return (double)(lu_rng_u64(rng) >> 11) * 0x1p-53;
}

/* Seed of an episode: each argument passes the full finaliser before the next enters, so that
 * neighbouring environments and episodes share nothing. For fixed two arguments it is a bijection
 * of the third. */
LU_INLINE uint64_t lu_mix(uint64_t seed, uint64_t index, uint64_t episode) {
    uint64_t x = lu_mix64(seed + UINT64_C(0x9e3779b97f4a7c15));
    x = lu_mix64((x ^ index) + UINT64_C(0xd1b54a32d192ed03));
    return lu_mix64((x ^ episode) + UINT64_C(0x8cb92ba72f3d8dd7));
}

LU_C_END
