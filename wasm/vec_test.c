/* A module for tests alone: the vectors of WASM (src/nn/kernels/vec_wasm.h) against the plain float
 * functions, lane by lane, over random bits, small exponents and sums that stand exactly in the
 * middle between two floats. wasm/agent.mjs runs it. */
#include "nn/kernels/vec.h"

#include "ludus/rng.h"

#ifndef __wasm_simd128__
#error "this test is for -msimd128"
#endif

/* Number of lanes that differ, and how many fused sums took the slow way. */
int32_t vec_differences(int32_t rounds);
int32_t vec_doubtful(void);

static int32_t doubtful;

static bool same(float a, float b) {
    return lu_float_bits(a) == lu_float_bits(b) || (a != a && b != b);
}

/* Any float; or one with few bits and an exponent near 1, so that sums meet middles; or a tiny one.
 */
static float some(lu_rng *rng, int kind) {
    uint32_t bits = (uint32_t)lu_rng_u64(rng);
    if (kind == 1) {
        return lu_float_from_bits((bits & 0x80f00000u) + 0x3f000000u + (bits & 1u) * 0x0b800000u);
    }
    if (kind == 2) {
        return lu_float_from_bits((bits & 0x80ffffffu) | 0x10000000u * (bits >> 30));
    }
    return lu_float_from_bits(bits);
}

/* A product that lacks 2^-46 of half a last place of c, which a double cannot tell from the middle;
 * for c in [1, 2) or subnormal. */
static void middle(lu_rng *rng, float *a, float *b, float *c) {
    uint32_t bits = (uint32_t)lu_rng_u64(rng), sign = bits & 0x80000000u;
    if (bits & 0x40000000u) {
        *a = lu_float_from_bits(0x33800001u | sign); /* 2^-24 (1 + 2^-23) */
        *b = lu_float_from_bits(0x3f7ffffeu);        /* 1 - 2^-23 */
        *c = lu_float_from_bits(0x3f800000u | (bits & 0x007fffffu));
    } else {
        *a = lu_float_from_bits(0x1a000001u | sign); /* 2^-75 of each */
        *b = lu_float_from_bits(0x19fffffeu);
        *c = lu_float_from_bits(0x00400000u | (bits & 0x003fffffu));
    }
}

__attribute__((export_name("vec_differences"))) int32_t vec_differences(int32_t rounds) {
    lu_rng rng = lu_rng_from(1);
    int32_t bad = 0;
    doubtful = 0;
    for (int32_t r = 0; r < rounds; r++) {
        float a[4], b[4], c[4], fused[4], dot[4], relu[4];
        for (int i = 0; i < 4; i++) {
            int kind = (int)lu_rng_below(&rng, 4);
            a[i] = some(&rng, kind);
            b[i] = some(&rng, kind);
            c[i] = some(&rng, kind);
            if (kind == 3) {
                middle(&rng, &a[i], &b[i], &c[i]);
            }
        }
        x_store(fused, x_fma(x_load(a), x_load(b), x_load(c)));
        x_store(dot, x_dot(x_load(a), x_load(b), x_load(c)));
        x_store(relu, x_relu(x_load(c)));
        doubtful += wasm_v128_any_true(x_doubtful(x_sum_low(x_load(a), x_load(b), x_load(c))));
        for (int i = 0; i < 4; i++) {
            bad += !same(fused[i], lu_fmaf(a[i], b[i], c[i]));
            bad += !same(dot[i], lu_bf16_dot(a[i], b[i], c[i]));
            bad += !same(relu[i], 0.0f > c[i] ? 0.0f : c[i]);
        }
    }
    return bad;
}

__attribute__((export_name("vec_doubtful"))) int32_t vec_doubtful(void) {
    return doubtful;
}
