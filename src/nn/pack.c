/* Weights into panels, once per update: see packed.h. Each weight is read and written once; the
 * same code for all levels. */
#include "kernels.h"

#include <string.h>

#include "float_math.h"
#include "packed.h"

static size_t padded(int n) {
    int whole = n / 32 * 32, rest = n - whole;
    return (size_t)(whole + (rest > 24 ? 32 : (rest + 7) / 8 * 8));
}

size_t lu_packed_floats(int n, int k) {
    return padded(n) * (size_t)k;
}
size_t lu_packed_bf16s(int n, int k) {
    return padded(n) * (((size_t)k + 1) / 2 * 2);
}
size_t lu_packed_tiles(int n, int k) {
    return (size_t)lu_tile_columns(n) * (size_t)lu_tile_steps(k) * LU_TILE_WORDS;
}

size_t lu_row_floats(int n) {
    return ((((size_t)n + 15) / 16) | 1) * 16;
}
size_t lu_row_bf16s(int n) {
    return ((((size_t)n + 31) / 32) | 1) * 32;
}

typedef float four __attribute__((vector_size(16)));

/* Four steps of four columns, whose steps stand side by side, into rows of `width`. */
static void turn(const float *w, size_t by_column, float *to, size_t width) {
    four a, b, c, d;
    memcpy(&a, w, sizeof a);
    memcpy(&b, w + by_column, sizeof b);
    memcpy(&c, w + 2 * by_column, sizeof c);
    memcpy(&d, w + 3 * by_column, sizeof d);
    four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
         cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    four row[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                   __builtin_shufflevector(ab, cd, 2, 3, 6, 7)};
    ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    row[2] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    for (size_t k = 0; k < 4; k++) {
        memcpy(to + k * width, &row[k], sizeof row[k]);
    }
}

/* A whole panel of columns whose steps stand side by side; returns the steps that were done. */
static int turn_panel(const float *w, size_t by_column, int width, int steps, float *panel) {
    int whole = steps / 4 * 4;
    for (int k = 0; k < whole; k += 4) {
        for (int i = 0; i < width; i += 4) {
            turn(w + (size_t)i * by_column + (size_t)k, by_column,
                 panel + (size_t)k * (size_t)width + (size_t)i, (size_t)width);
        }
    }
    return whole;
}

/* packed[step][column] of element (column, step) at w[column * by_column + step * by_step]. */
static void pack(const float *w, size_t by_column, size_t by_step, int n, int steps,
                 float *packed) {
    for (int j = 0; j < n;) {
        int width = lu_packed_width(n - j), count = n - j < width ? n - j : width;
        float *panel = packed + (size_t)j * (size_t)steps;
        bool whole = by_step == 1 && count == width;
        int k = whole ? turn_panel(w + (size_t)j * by_column, by_column, width, steps, panel) : 0;
        for (; k < steps; k++) {
            const float *from = w + (size_t)j * by_column + (size_t)k * by_step;
            float *to = panel + (size_t)k * (size_t)width;
            for (int i = 0; i < count; i++) {
                to[i] = from[(size_t)i * by_column];
            }
            for (int i = count; i < width; i++) {
                to[i] = 0.0f;
            }
        }
        j += width;
    }
}

static void pack_bf16(const float *w, size_t by_column, size_t by_step, int n, int steps,
                      uint16_t *packed) {
    int pairs = (steps + 1) / 2;
    for (int j = 0; j < n;) {
        int width = lu_packed_width(n - j), count = n - j < width ? n - j : width;
        uint16_t *panel = packed + (size_t)j * (size_t)pairs * 2;
        for (int k = 0; k < 2 * pairs; k++) {
            const float *from = w + (size_t)j * by_column + (size_t)k * by_step;
            uint16_t *to = panel + (size_t)(k / 2) * (size_t)width * 2 + (k & 1);
            int real = k < steps ? count : 0;
            for (int i = 0; i < real; i++) {
                to[2 * i] = (uint16_t)lu_bf16_from(from[(size_t)i * by_column]);
            }
            for (int i = real; i < width; i++) {
                to[2 * i] = 0;
            }
        }
        j += width;
    }
}

void lu_pack_forward(const float *w, size_t w_stride, int out, int in, float *packed) {
    pack(w, w_stride, 1, out, in, packed);
}

void lu_pack_back(const float *w, size_t w_stride, int out, int in, float *packed) {
    pack(w, 1, w_stride, in, out, packed);
}

void lu_pack_forward_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *packed) {
    pack_bf16(w, w_stride, 1, out, in, packed);
}

void lu_pack_back_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *packed) {
    pack_bf16(w, 1, w_stride, in, out, packed);
}
