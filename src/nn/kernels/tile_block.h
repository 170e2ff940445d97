/* A block of sums by tiles: 2 x 2 tiles of 16 x 16, each over its whole chain. With tile registers
 * that takes four instructions per step; elsewhere fused multiply-adds of widened operands do the
 * same operations in the same order, which costs more than fp32.
 * Ownership: nothing is owned. Threads: between lu_tiles_begin and lu_tiles_end of one. */
#pragma once

#include "level.h"

#include "tiles.h"

enum { SIDE = LU_TILE_SIDE, STEP = LU_TILE_STEP, BLOCK = 2 * SIDE };

/* At most 32 x 32 sums. Distances are in elements. */
typedef struct tile_block {
    const uint16_t *a; /* rows; the second tile of rows is a_tile further */
    size_t a_stride, a_tile, a_step;
    const uint32_t *b; /* tiles; those of the second column follow those of the first */
    int steps, rows, n;
    const float *start; /* NULL: zeros */
    size_t start_stride;
    float *c;
    size_t c_stride;
} tile_block;

static int least(int a, int b) {
    return a < b ? a : b;
}

#if defined(__AMX_BF16__)

/* Registers for the blocks of exactly rows x n sums: nothing beyond them is read or written. */
static void shape_tiles(int rows, int n) {
    int first_rows = least(rows, SIDE), more_rows = rows > SIDE ? rows - SIDE : SIDE;
    int first_n = least(n, SIDE), more_n = n > SIDE ? n - SIDE : SIDE;
    tile_shapes s = {.palette = 1};
    for (int t = 0; t < 8; t++) {
        bool a = t == 4 || t == 5;
        s.bytes[t] = (uint16_t)(a ? 64 : 4 * (t % 2 ? more_n : first_n));
        s.rows[t] = (uint8_t)(t >= 6 ? SIDE : (a ? t == 5 : t >= 2) ? more_rows : first_rows);
    }
    __asm__ volatile("" ::"r"(&s) : "memory"); /* the load names 8 bytes of it */
    _tile_loadconfig(&s);
}

/* The sums of tile `t` of a block; `i` and `j` tell which. */
#define START_TILE(t, i, j)                                                                        \
    if (p->start) {                                                                                \
        _tile_loadd(t, p->start + (i)*SIDE * p->start_stride + (j)*SIDE, p->start_stride * 4);     \
    } else {                                                                                       \
        _tile_zero(t);                                                                             \
    }
#define STORE_TILE(t, i, j)                                                                        \
    _tile_stored(t, p->c + (i)*SIDE * p->c_stride + (j)*SIDE, p->c_stride * 4)

/* Four tiles of sums hide the latency of the instruction; a single row or column of tiles does not
 * and is for edges. */
static void run_block(const tile_block *p) {
    const uint16_t *a0 = p->a, *a1 = p->a + p->a_tile;
    const uint32_t *b0 = p->b, *b1 = p->b + p->steps * LU_TILE_WORDS;
    const size_t a_bytes = p->a_stride * 2;
    LU_TILES_SEE_MEMORY;
    START_TILE(0, 0, 0)
    if (p->rows > SIDE && p->n > SIDE) {
        START_TILE(1, 0, 1)
        START_TILE(2, 1, 0)
        START_TILE(3, 1, 1)
        for (int s = 0; s < p->steps; s++) {
            _tile_loadd(4, a0, a_bytes);
            _tile_loadd(6, b0, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, b1, 64);
            _tile_dpbf16ps(1, 4, 7);
            _tile_loadd(5, a1, a_bytes);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
            a0 += p->a_step;
            a1 += p->a_step;
            b0 += LU_TILE_WORDS;
            b1 += LU_TILE_WORDS;
        }
        STORE_TILE(0, 0, 0);
        STORE_TILE(1, 0, 1);
        STORE_TILE(2, 1, 0);
        STORE_TILE(3, 1, 1);
        return;
    }
    if (p->n > SIDE) {
        START_TILE(1, 0, 1)
        for (int s = 0; s < p->steps; s++, a0 += p->a_step) {
            _tile_loadd(4, a0, a_bytes);
            _tile_loadd(6, b0 + s * LU_TILE_WORDS, 64);
            _tile_loadd(7, b1 + s * LU_TILE_WORDS, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
        }
        STORE_TILE(1, 0, 1);
    } else if (p->rows > SIDE) {
        START_TILE(2, 1, 0)
        for (int s = 0; s < p->steps; s++, a0 += p->a_step, a1 += p->a_step) {
            _tile_loadd(6, b0 + s * LU_TILE_WORDS, 64);
            _tile_loadd(4, a0, a_bytes);
            _tile_loadd(5, a1, a_bytes);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(2, 5, 6);
        }
        STORE_TILE(2, 1, 0);
    } else {
        for (int s = 0; s < p->steps; s++, a0 += p->a_step) {
            _tile_loadd(4, a0, a_bytes);
            _tile_loadd(6, b0 + s * LU_TILE_WORDS, 64);
            _tile_dpbf16ps(0, 4, 6);
        }
    }
    STORE_TILE(0, 0, 0);
}

#else

static void shape_tiles(int rows, int n) {
    (void)rows;
    (void)n;
}

/* Operands of one step as floats: rows of 32, and per pair a row of even and one of odd numbers. */
typedef float wide_rows[SIDE][STEP];
typedef float wide_tile[SIDE][2][SIDE];

static void widen_rows(const uint16_t *a, size_t stride, wide_rows to) {
    for (int r = 0; r < SIDE; r++) {
        for (int i = 0; i < STEP; i++) {
            to[r][i] = lu_bf16_to(a[(size_t)r * stride + (size_t)i]);
        }
    }
}

static void widen_tile(const uint32_t *b, wide_tile to) {
    for (int p = 0; p < SIDE; p++) {
        for (int i = 0; i < SIDE; i++) {
            to[p][0][i] = lu_float_from_bits(b[p * SIDE + i] << 16);
            to[p][1][i] = lu_float_from_bits(b[p * SIDE + i] & 0xffff0000u);
        }
    }
}

#if defined(__AVX2__) && defined(__FMA__)

#if defined(__AVX512F__)
#define T(name) z##name
enum { LANES = 16, ROWS = 8 };
#else
#define T(name) y##name
enum { LANES = 8, ROWS = 4 };
#endif
#if defined(__clang__) || !defined(__OPTIMIZE__)
#define TILE_UNROLL
#else
#define TILE_UNROLL _Pragma("GCC unroll 8")
#endif

/* One instruction, in the mode of lu_tiles_begin. x + y is fma(1, x, y). */
static __attribute__((noinline)) void multiply(const wide_rows a, const wide_tile b, float *c,
                                               size_t c_stride) {
    const float one = 1.0f;
    for (int at = 0; at < SIDE * SIDE / LANES; at += ROWS) {
        int first = at % SIDE, lane = at / SIDE * LANES;
        T(f) even[ROWS], odd[ROWS];
        TILE_UNROLL
        for (int r = 0; r < ROWS; r++) {
            even[r] = odd[r] = T(_zero)();
        }
        for (int p = 0; p < SIDE; p++) {
            T(f) low = T(_load)(&b[p][0][lane]), high = T(_load)(&b[p][1][lane]);
            TILE_UNROLL
            for (int r = 0; r < ROWS; r++) {
                even[r] = T(_fma)(T(_all)(&a[first + r][2 * p]), low, even[r]);
                odd[r] = T(_fma)(T(_all)(&a[first + r][2 * p + 1]), high, odd[r]);
            }
        }
        TILE_UNROLL
        for (int r = 0; r < ROWS; r++) {
            float *to = c + (size_t)(first + r) * c_stride + lane;
            T(f) sum = T(_fma)(T(_all)(&one), even[r], odd[r]);
            T(_store)(to, T(_fma)(T(_all)(&one), sum, T(_load)(to)));
        }
    }
}

#else

static void multiply(const wide_rows a, const wide_tile b, float *c, size_t c_stride) {
    for (int r = 0; r < SIDE; r++) {
        for (int i = 0; i < SIDE; i++) {
            float even = 0.0f, odd = 0.0f;
            for (int p = 0; p < SIDE; p++) {
                even = lu_tile_fma(a[r][2 * p], b[p][0][i], even);
                odd = lu_tile_fma(a[r][2 * p + 1], b[p][1][i], odd);
            }
            float *to = &c[(size_t)r * c_stride + (size_t)i];
            *to = lu_tile_fma(1.0f, lu_tile_fma(1.0f, even, odd), *to);
        }
    }
}

#endif

/* Whole tiles, whatever of them exists. */
static void run_block(const tile_block *p) {
    int rows = p->rows > SIDE ? BLOCK : SIDE, columns = p->n > SIDE ? BLOCK : SIDE;
    for (int r = 0; r < rows && p->start != p->c; r++) {
        for (int i = 0; i < columns; i++) {
            p->c[(size_t)r * p->c_stride + (size_t)i] =
                p->start ? p->start[(size_t)r * p->start_stride + (size_t)i] : 0.0f;
        }
    }
    for (int s = 0; s < p->steps; s++) {
        wide_rows a[2];
        wide_tile b[2];
        for (int i = 0; i < rows / SIDE; i++) {
            widen_rows(p->a + (size_t)i * p->a_tile + (size_t)s * p->a_step, p->a_stride, a[i]);
        }
        for (int j = 0; j < columns / SIDE; j++) {
            widen_tile(p->b + (j * p->steps + s) * LU_TILE_WORDS, b[j]);
        }
        for (int i = 0; i < rows / SIDE; i++) {
            for (int j = 0; j < columns / SIDE; j++) {
                multiply(a[i], b[j], p->c + (size_t)(i * SIDE) * p->c_stride + j * SIDE,
                         p->c_stride);
            }
        }
    }
}

#endif
