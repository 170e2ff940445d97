/* Operands of the tile kernels: rows of bf16 with zeros behind them, and tiles of pairs out of rows
 * or weights (packed.h has the layout). 16 x 16 words are turned by shuffles where AVX-512 exists.
 */
#include "level.h"

#include "vec.h"

enum { SIDE = LU_TILE_SIDE, STEP = LU_TILE_STEP };

/* 32 rows of 16 numbers as bf16, or 16 rows of 32 when they are turned. */
typedef uint16_t strip[STEP * SIDE] __attribute__((aligned(64)));

#if defined(__AVX512BW__)

/* Word j of vector i becomes word i of vector j. */
LU_ALWAYS_INLINE void turn_words(__m512i v[SIDE]) {
    __m512i t[SIDE], u[SIDE];
    for (int i = 0; i < SIDE; i += 2) {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    for (int i = 0; i < SIDE; i += 4) {
        u[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        u[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        u[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        u[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        __m512i low = _mm512_shuffle_i32x4(u[i], u[4 + i], 0x88);
        __m512i high = _mm512_shuffle_i32x4(u[8 + i], u[12 + i], 0x88);
        v[i] = _mm512_shuffle_i32x4(low, high, 0x88);
        v[8 + i] = _mm512_shuffle_i32x4(low, high, 0xdd);
        low = _mm512_shuffle_i32x4(u[i], u[4 + i], 0xdd);
        high = _mm512_shuffle_i32x4(u[8 + i], u[12 + i], 0xdd);
        v[4 + i] = _mm512_shuffle_i32x4(low, high, 0x88);
        v[12 + i] = _mm512_shuffle_i32x4(low, high, 0xdd);
    }
}

/* A tile of 32 rows of 16 numbers. */
LU_ALWAYS_INLINE void pair_rows(const uint16_t *from, size_t stride, bool turned, uint32_t *tile) {
    __m512i v[SIDE];
    for (int p = 0; p < SIDE; p++) {
        const uint16_t *low = from + (size_t)(2 * p) * stride;
        __m256i a = _mm256_loadu_si256((const void *)low);
        __m256i b = _mm256_loadu_si256((const void *)(low + stride));
        v[p] = _mm512_or_si512(_mm512_cvtepu16_epi32(a),
                               _mm512_slli_epi32(_mm512_cvtepu16_epi32(b), 16));
    }
    if (turned) {
        turn_words(v);
    }
    for (int i = 0; i < SIDE; i++) {
        _mm512_storeu_si512(tile + i * SIDE, v[i]);
    }
}

/* A tile of 16 rows of 32 numbers, each row a column of it. */
static void turn_rows(const uint16_t *from, uint32_t *tile) {
    __m512i v[SIDE];
    for (int i = 0; i < SIDE; i++) {
        v[i] = _mm512_load_si512(from + i * STEP);
    }
    turn_words(v);
    for (int i = 0; i < SIDE; i++) {
        _mm512_storeu_si512(tile + i * SIDE, v[i]);
    }
}

#else

LU_ALWAYS_INLINE void pair_rows(const uint16_t *from, size_t stride, bool turned, uint32_t *tile) {
    for (int p = 0; p < SIDE; p++) {
        const uint16_t *low = from + (size_t)(2 * p) * stride, *high = low + stride;
        for (int i = 0; i < SIDE; i++) {
            tile[turned ? i * SIDE + p : p * SIDE + i] = low[i] | (uint32_t)high[i] << 16;
        }
    }
}

static void turn_rows(const uint16_t *from, uint32_t *tile) {
    for (int i = 0; i < SIDE; i++) {
        for (int p = 0; p < SIDE; p++) {
            const uint16_t *pair = from + i * STEP + 2 * p;
            tile[p * SIDE + i] = pair[0] | (uint32_t)pair[1] << 16;
        }
    }
}

#endif

static int least(int a, int b) {
    return a < b ? a : b;
}

void LU_K(to_tile_rows)(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                        size_t to_stride) {
    int end = lu_tile_steps(n) * STEP;
    for (int r = 0; r < rows; r++) {
        uint16_t *y = to + (size_t)r * to_stride;
        row_to_bf16(from + (size_t)r * from_stride, n, y);
        memset(y + n, 0, (size_t)(end - n) * sizeof *y);
    }
}

/* A tile of fewer rows or columns, by a copy with zeros. */
static void pair_some(const uint16_t *from, size_t stride, int rows, int n, bool turned,
                      uint32_t *tile) {
    strip copy;
    memset(copy, 0, sizeof copy);
    for (int r = 0; r < rows; r++) {
        memcpy(copy + r * SIDE, from + (size_t)r * stride, (size_t)n * sizeof *copy);
    }
    pair_rows(copy, SIDE, turned, tile);
}

void LU_K(row_tiles)(const uint16_t *from, size_t from_stride, int rows, int n, bool turned,
                     uint32_t *tiles) {
    int steps = lu_tile_steps(rows);
    for (int row = 0; row < rows; row += STEP) {
        uint32_t *tile = tiles + (size_t)(row / STEP) * LU_TILE_WORDS;
        for (int column = 0; column < n; column += SIDE) {
            const uint16_t *at = from + (size_t)row * from_stride + column;
            int count = least(rows - row, STEP), width = least(n - column, SIDE);
            if (count < STEP || width < SIDE) {
                pair_some(at, from_stride, count, width, turned, tile);
            } else if (turned) {
                pair_rows(at, from_stride, true, tile);
            } else {
                pair_rows(at, from_stride, false, tile);
            }
            tile += (size_t)steps * LU_TILE_WORDS;
        }
    }
}

/* `rows` rows of n numbers as bf16, `width` apart, with zeros around them. */
static void narrow(const float *from, size_t stride, int rows, int n, int width, uint16_t *to) {
    if (rows * width < STEP * SIDE || n < width) {
        memset(to, 0, sizeof(strip));
    }
    for (int r = 0; r < rows; r++) {
        row_to_bf16(from + (size_t)r * stride, n, to + r * width);
    }
}

void LU_K(pack_forward_tile)(const float *w, size_t w_stride, int out, int in, uint32_t *tiles) {
    strip some;
    for (int column = 0; column < out; column += SIDE) {
        for (int step = 0; step < in; step += STEP, tiles += LU_TILE_WORDS) {
            narrow(w + (size_t)column * w_stride + step, w_stride, least(out - column, SIDE),
                   least(in - step, STEP), STEP, some);
            turn_rows(some, tiles);
        }
    }
}

void LU_K(pack_back_tile)(const float *w, size_t w_stride, int out, int in, uint32_t *tiles) {
    strip some;
    for (int column = 0; column < in; column += SIDE) {
        for (int step = 0; step < out; step += STEP, tiles += LU_TILE_WORDS) {
            narrow(w + (size_t)step * w_stride + column, w_stride, least(out - step, STEP),
                   least(in - column, SIDE), SIDE, some);
            pair_rows(some, SIDE, false, tiles);
        }
    }
}
