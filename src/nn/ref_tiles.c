/* The reference of the tile kernels: what one element goes through, in the words of Intel's
 * pseudo-code of tdpbf16ps, and where each number stands in an operand. It needs no instruction
 * beyond those of any processor, and returns the bits of the tile unit (a NaN may be another one).
 */
#include "ref.h"

#include "float_math.h"
#include "packed.h"
#include "ref_tiles.h"

enum { SIDE = LU_TILE_SIDE, STEP = LU_TILE_STEP };

/* Where the word of `pair` (of the whole chain) and `column` stands. */
static size_t word_at(int steps, int column, int pair, bool turned) {
    int step = pair / SIDE, row = pair % SIDE, side = column % SIDE;
    size_t tile = (size_t)(column / SIDE) * (size_t)steps + (size_t)step;
    return tile * LU_TILE_WORDS + (size_t)(turned ? side * SIDE + row : row * SIDE + side);
}

static float low(uint32_t word) {
    return lu_bf16_to(word & 0xffffu);
}

static float high(uint32_t word) {
    return lu_bf16_to(word >> 16);
}

/* One instruction: 16 pairs join z. */
static float join(const uint32_t a[SIDE], const uint32_t b[SIDE], float z) {
    float even = 0.0f, odd = 0.0f;
    for (int p = 0; p < SIDE; p++) {
        even = lu_tile_fma(low(a[p]), low(b[p]), even);
        odd = lu_tile_fma(high(a[p]), high(b[p]), odd);
    }
    return lu_tile_fma(1.0f, lu_tile_fma(1.0f, even, odd), z);
}

/* A row of bf16 times a column of tiles. */
static float row_times(const uint16_t *row, const uint32_t *tiles, int steps, int column, float z) {
    for (int s = 0; s < steps; s++) {
        uint32_t a[SIDE], b[SIDE];
        for (int p = 0; p < SIDE; p++) {
            const uint16_t *pair = row + s * STEP + 2 * p;
            a[p] = pair[0] | (uint32_t)pair[1] << 16;
            b[p] = tiles[word_at(steps, column, s * SIDE + p, false)];
        }
        z = join(a, b, z);
    }
    return z;
}

/* A row of numbers as to_tile_rows leaves it. */
static void narrow_row(const float *from, int n, uint16_t *to) {
    for (int i = 0; i < lu_tile_steps(n) * STEP; i++) {
        to[i] = i < n ? (uint16_t)lu_bf16_from(from[i]) : 0;
    }
}

/* Number i of such a row of n, and with the last one the zeros behind it. */
static void put_narrow(uint16_t *row, int n, int i, float value) {
    row[i] = (uint16_t)lu_bf16_from(value);
    for (int behind = n; behind < lu_tile_steps(n) * STEP && i + 1 == n; behind++) {
        row[behind] = 0;
    }
}

void lu_ref_to_tile_rows(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                         size_t to_stride) {
    for (int r = 0; r < rows; r++) {
        narrow_row(from + (size_t)r * from_stride, n, to + (size_t)r * to_stride);
    }
}

void lu_ref_forward_tile(const lu_dense_forward *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int o = 0; o < call->out; o++) {
            float z = row_times(call->x16 + (size_t)r * call->x_stride, call->tiles,
                                lu_tile_steps(call->in), o, call->bias ? call->bias[o] : 0.0f);
            z = lu_ref_activate(z, call->act);
            if (call->y) {
                call->y[(size_t)r * call->y_stride + (size_t)o] = z;
            }
            if (call->y16) {
                put_narrow(call->y16 + (size_t)r * call->y16_stride, call->out, o, z);
            }
        }
    }
}

void lu_ref_back_tile(const lu_dense_back *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->in; i++) {
            float d = row_times(call->dy16 + (size_t)r * call->dy_stride, call->tiles,
                                lu_tile_steps(call->out), i, 0.0f);
            if (call->act != LU_ACT_NONE && call->x) {
                d = lu_ref_deactivate(d, call->act, call->x + (size_t)r * call->x_stride + i);
            } else if (call->act == LU_ACT_RELU) {
                d = (int16_t)call->x16[(size_t)r * call->x16_stride + (size_t)i] > 0 ? d : 0.0f;
            }
            if (call->dx) {
                call->dx[(size_t)r * call->dx_stride + (size_t)i] = d;
            }
            if (call->dx16) {
                put_narrow(call->dx16 + (size_t)r * call->dx16_stride, call->in, i, d);
            }
            if (call->db) {
                call->db[i] = call->db[i] + d;
            }
        }
    }
}

void lu_ref_grad_tile(const lu_dense_grad *call) {
    int steps = lu_tile_steps(call->rows);
    for (int o = 0; o < call->out; o++) {
        for (int i = 0; i < call->in; i++) {
            float *dw = call->dw + (size_t)o * call->dw_stride + (size_t)i;
            *dw = call->fresh ? 0.0f : *dw;
            for (int s = 0; s < steps; s++) {
                uint32_t a[SIDE], b[SIDE];
                for (int p = 0; p < SIDE; p++) {
                    a[p] = call->dy_tiles[word_at(steps, o, s * SIDE + p, true)];
                    b[p] = call->x_tiles[word_at(steps, i, s * SIDE + p, false)];
                }
                *dw = join(a, b, *dw);
            }
        }
    }
}

/* ---- operands ---- */

/* Number `step` of `column`, or 0 where there is none. */
typedef uint32_t number_at(const void *from, size_t stride, int column, int step);

static void fill_tiles(const void *from, size_t stride, int n, int k, bool turned,
                       number_at *number, uint32_t *tiles) {
    int steps = lu_tile_steps(k);
    for (int column = 0; column < lu_tile_columns(n) * SIDE; column++) {
        for (int pair = 0; pair < steps * SIDE; pair++) {
            bool even = column < n && 2 * pair < k, odd = column < n && 2 * pair + 1 < k;
            tiles[word_at(steps, column, pair, turned)] =
                (even ? number(from, stride, column, 2 * pair) : 0u) |
                (odd ? number(from, stride, column, 2 * pair + 1) << 16 : 0u);
        }
    }
}

static uint32_t weight_forward(const void *w, size_t stride, int out, int in) {
    return lu_bf16_from(((const float *)w)[(size_t)out * stride + (size_t)in]);
}

static uint32_t weight_back(const void *w, size_t stride, int in, int out) {
    return weight_forward(w, stride, out, in);
}

static uint32_t number_of_row(const void *rows, size_t stride, int column, int row) {
    return ((const uint16_t *)rows)[(size_t)row * stride + (size_t)column];
}

void lu_ref_pack_forward_tile(const float *w, size_t w_stride, int out, int in, uint32_t *tiles) {
    fill_tiles(w, w_stride, out, in, false, weight_forward, tiles);
}

void lu_ref_pack_back_tile(const float *w, size_t w_stride, int out, int in, uint32_t *tiles) {
    fill_tiles(w, w_stride, in, out, false, weight_back, tiles);
}

void lu_ref_row_tiles(const uint16_t *from, size_t from_stride, int rows, int n, bool turned,
                      uint32_t *tiles) {
    fill_tiles(from, from_stride, n, rows, turned, number_of_row, tiles);
}
