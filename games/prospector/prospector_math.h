/* Random numbers of prospector as its rules define them: PCG32 with stream 54, one at a time and
 * eight lanes at once. Included by prospector.c and by whoever makes rocks outside a step.
 * Eight lanes: when the number of draws is known beforehand, lane j starts j * k draws ahead (one
 * affine map from the rules), so that the draws of eight rocks or eight prices are independent and
 * their logarithms and cosines become vector code. The numbers are those of single draws, in the
 * order of the rules.
 * Raw draws of lanes are kept as 64-bit words: a loop whose elements all have 8 bytes fills the
 * widest vectors, one that mixes 4 and 8 bytes only half of them. */
#pragma once

#include "prospector.h"

#include <string.h>

#define PROSPECTOR_STREAM UINT64_C(109) /* 2 * 54 + 1 */
#define PROSPECTOR_UNIT   0x1p-32

enum { LANES = PROSPECTOR_LANES };

/* Before a loop over lanes: keep it a loop, so that it becomes one vector operation per line; gcc
 * would else unroll eight turns first and pack what is left pair by pair. */
#if defined(__clang__)
#define EIGHT _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define EIGHT _Pragma("GCC unroll 1")
#else
#define EIGHT
#endif

LU_ALWAYS_INLINE double clamp(double value, double low, double high) {
    return lu_fmin(lu_fmax(value, low), high);
}

LU_ALWAYS_INLINE float clampf(float value, float low, float high) {
    value = value > low ? value : low;
    return value < high ? value : high;
}

LU_ALWAYS_INLINE double sigmoid(double x) {
    return 1.0 / (1.0 + lu_exp_core(-x));
}

/* ---- sine and cosine to 2^-52 absolute ----
 * Prices and normals need no relative accuracy near zeros, so one polynomial on [-pi/2, pi/2] and
 * a two-part reduction do; the general functions cost twice as much. */

/* sin x for |x| <= pi/2, |error| < 2.3e-16. */
LU_ALWAYS_INLINE double sine_half(double x) {
    double z = x * x, z2 = z * z, z4 = z2 * z2;
    double p = ((-0x1.5555555555555p-3 + 0x1.1111111111107p-7 * z) +
                z2 * (-0x1.a01a01a018aadp-13 + 0x1.71de3a5456715p-19 * z)) +
               z4 * ((-0x1.ae6455a1d6fcep-26 + 0x1.6124015b5b254p-33 * z) +
                     z2 * (-0x1.ae5138bfef6cep-41 + 0x1.89a486492b12ep-49 * z));
    return x + (x * z) * p;
}

/* sin x for 0 <= x < 2^20. */
LU_ALWAYS_INLINE double sine_of(double x) {
    double t = x * 0x1.45f306dc9c883p-2 + 0x1.8p52; /* 1 / pi; the low bits hold round(x / pi) */
    double n = t - 0x1.8p52;
    double r = (x - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33;
    uint64_t sign = lu_double_bits(t) << 63;
    return lu_double_from_bits(lu_double_bits(sine_half(r)) ^ sign);
}

/* cos(2 pi u / 2^32) for a raw draw: the quadrant is found in integers, without error. */
LU_ALWAYS_INLINE double cosine_of_draw(uint64_t u) {
    /* a quarter turn makes it a sine, another one centres the half turns */
    uint64_t turned = u + UINT64_C(0x80000000);
    uint64_t sign = (turned & UINT64_C(0x80000000)) << 32;
    double centred =
        lu_double_from_bits((turned & UINT64_C(0x7fffffff)) | UINT64_C(0x4330000000000000)) -
        (0x1p52 + 0x1p30);
    double y = sine_half(centred * (LU_TWO_PI * PROSPECTOR_UNIT));
    return lu_double_from_bits(lu_double_bits(y) ^ sign);
}

/* ---- draws ---- */

/* u / 2^32 of a raw draw in a 64-bit word. */
LU_ALWAYS_INLINE double unit_of(uint64_t u) {
    return (lu_double_from_bits(u | UINT64_C(0x4330000000000000)) - 0x1p52) * PROSPECTOR_UNIT;
}

/* lu_pcg32_output in 64-bit operations only. */
LU_ALWAYS_INLINE uint64_t output_of(uint64_t state) {
    uint64_t x = (((state >> 18) ^ state) >> 27) & UINT64_C(0xffffffff);
    return ((x | (x << 32)) >> (state >> 59)) & UINT64_C(0xffffffff);
}

/* exp1 of a raw draw u, whose unit is raised to 1e-8: -ln(u 2^-32), the power of two taken off
 * inside the logarithm, where it costs nothing. */
LU_ALWAYS_INLINE double exp1_of(uint64_t u) {
    double whole = lu_double_from_bits(u | UINT64_C(0x4330000000000000)) - 0x1p52;
    return -lu_log_parts_(lu_fmax(whole, 1e-8 * 0x1p32), 32.0);
}

/* The standard normal of two raw draws; the sine partner is thrown away by the rules. */
LU_ALWAYS_INLINE double normal_of(uint64_t u1, uint64_t u2) {
    return lu_sqrt(2.0 * exp1_of(u1)) * cosine_of_draw(u2);
}

LU_ALWAYS_INLINE uint32_t draw(uint64_t *rng) {
    return lu_pcg32_next(rng, PROSPECTOR_STREAM);
}

LU_ALWAYS_INLINE double draw_unit(uint64_t *rng) {
    return (double)draw(rng) * PROSPECTOR_UNIT;
}

LU_ALWAYS_INLINE double draw_uniform(uint64_t *rng, double low, double high) {
    return low + (high - low) * draw_unit(rng);
}

/* Plain modulo, as the rules have it. */
LU_ALWAYS_INLINE uint32_t draw_below(uint64_t *rng, uint32_t count) {
    return draw(rng) % count;
}

LU_ALWAYS_INLINE double draw_normal(uint64_t *rng) {
    uint32_t u1 = draw(rng);
    return normal_of(u1, draw(rng));
}

/* ---- eight lanes ---- */

/* Starts of eight lanes from entry `first` of a table of jumps. */
LU_ALWAYS_INLINE void lanes_start(uint64_t *lane, uint64_t rng, const prospector_jumps *jumps,
                                  int first) {
    EIGHT for (int j = 0; j < LANES; j++) {
        lane[j] = jumps->mul[first + j] * rng + jumps->add[first + j];
    }
}

/* `rows` draws of every lane. */
LU_ALWAYS_INLINE void lanes_draw(uint64_t *lane, int rows, uint64_t out[][PROSPECTOR_LANES]) {
    for (int d = 0; d < rows; d++) {
        EIGHT for (int j = 0; j < LANES; j++) {
            out[d][j] = output_of(lane[j]);
            lane[j] = lane[j] * LU_PCG32_MULTIPLIER + PROSPECTOR_STREAM;
        }
    }
}

LU_ALWAYS_INLINE void lanes_normal(const uint64_t *u1, const uint64_t *u2, double *out) {
    EIGHT for (int j = 0; j < LANES; j++) {
        out[j] = normal_of(u1[j], u2[j]);
    }
}

/* Raises six entries per lane to at least 1e-8 and divides them by their sum, left to right. */
LU_ALWAYS_INLINE void lanes_normalise(double part[][PROSPECTOR_LANES]) {
    EIGHT for (int j = 0; j < LANES; j++) {
        double a = lu_fmax(part[0][j], 1e-8), b = lu_fmax(part[1][j], 1e-8);
        double c = lu_fmax(part[2][j], 1e-8), d = lu_fmax(part[3][j], 1e-8);
        double e = lu_fmax(part[4][j], 1e-8), f = lu_fmax(part[5][j], 1e-8);
        double sum = ((((a + b) + c) + d) + e) + f;
        part[0][j] = a / sum;
        part[1][j] = b / sum;
        part[2][j] = c / sum;
        part[3][j] = d / sum;
        part[4][j] = e / sum;
        part[5][j] = f / sum;
    }
}
