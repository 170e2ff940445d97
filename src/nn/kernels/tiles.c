/* Dense layers by tiles: blocks of 32 x 32 sums, as 2 x 2 tiles of 16 x 16, each over its whole
 * chain. With tile registers a block takes four instructions per step; elsewhere fused
 * multiply-adds of widened operands do the same operations in the same order, which costs more than
 * fp32. The chain is documented in kernels.h, the layout of operands in packed.h. */
#include "level.h"

#include "tiles.h"

enum { SIDE = LU_TILE_SIDE, STEP = LU_TILE_STEP, BLOCK = 2 * SIDE };

/* 2 x 2 tiles of sums, or fewer at an edge. Distances are in elements. */
typedef struct tile_block {
    const uint16_t *a; /* rows; the second tile of rows is a_tile further */
    size_t a_stride, a_tile, a_step;
    const uint32_t *b; /* tiles; those of the second column follow those of the first */
    int steps;
    bool two_rows, two_columns;
    const float *start; /* NULL: zeros */
    size_t start_stride;
    float *c;
    size_t c_stride;
} tile_block;

#if defined(__AMX_BF16__)

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
    if (p->two_rows && p->two_columns) {
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
        STORE_TILE(1, 0, 1);
        STORE_TILE(2, 1, 0);
        STORE_TILE(3, 1, 1);
    } else if (p->two_columns) {
        START_TILE(1, 0, 1)
        for (int s = 0; s < p->steps; s++, a0 += p->a_step) {
            _tile_loadd(4, a0, a_bytes);
            _tile_loadd(6, b0 + s * LU_TILE_WORDS, 64);
            _tile_loadd(7, b1 + s * LU_TILE_WORDS, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
        }
        STORE_TILE(1, 0, 1);
    } else if (p->two_rows) {
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

static void run_block(const tile_block *p) {
    int rows = p->two_rows ? BLOCK : SIDE, columns = p->two_columns ? BLOCK : SIDE;
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

/* ---- forward and back ---- */

/* Rows times tiles, and what happens to the sums. */
typedef struct tile_product {
    int rows, n, steps;
    const uint16_t *a;
    size_t a_stride;
    const uint32_t *b;
    const float *start; /* of n numbers; NULL: zeros */
    lu_activation act;
    bool back; /* the derivative counts, by y or y16 */
    const float *y;
    size_t y_stride;
    const uint16_t *y16;
    size_t y16_stride;
    float *c;
    size_t c_stride;
    uint16_t *c16;
    size_t c16_stride;
    float *sum; /* of all rows, in their order; NULL: not wanted */
} tile_product;

/* Sums of a block, in rows of 32, that wait for their end. */
typedef struct tile_sums {
    float c[BLOCK * BLOCK] __attribute__((aligned(64)));
    int row, column; /* -1: none */
} tile_sums;

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Where the rows of a block stand in what a product reads and writes; NULL where it does not. */
typedef struct tile_places {
    const float *y;
    const uint16_t *y16;
    float *c, *sum;
    uint16_t *c16;
} tile_places;

static tile_places places_of(const tile_product *p, int first_row, int first_column) {
    size_t row = (size_t)first_row, column = (size_t)first_column;
    return (tile_places){
        .y = p->y ? p->y + row * p->y_stride + column : NULL,
        .y16 = p->y16 ? p->y16 + row * p->y16_stride + column : NULL,
        .c = p->c ? p->c + row * p->c_stride + column : NULL,
        .c16 = p->c16 ? p->c16 + row * p->c16_stride + column : NULL,
        .sum = p->sum ? p->sum + column : NULL,
    };
}

static void next_row(const tile_product *p, tile_places *at) {
    at->y = at->y ? at->y + p->y_stride : NULL;
    at->y16 = at->y16 ? at->y16 + p->y16_stride : NULL;
    at->c = at->c ? at->c + p->c_stride : NULL;
    at->c16 = at->c16 ? at->c16 + p->c16_stride : NULL;
}

#if defined(__AVX512BW__)

/* n columns of rows of sums; columns beyond them become 0 in c16. */
LU_ALWAYS_INLINE void finish_rows(const tile_product *p, tile_places at, float *sums, int rows,
                                  int n) {
    const uint32_t some = n < BLOCK ? (1u << n) - 1u : 0xffffffffu;
    const __mmask16 low = (__mmask16)some, high = (__mmask16)(some >> 16);
    const bool relu = p->act == LU_ACT_RELU;
    zf sum_u = z_zero(), sum_v = z_zero();
    if (at.sum) {
        sum_u = _mm512_maskz_loadu_ps(low, at.sum);
        sum_v = _mm512_maskz_loadu_ps(high, at.sum + 16);
    }
    for (int r = 0; r < rows; r++, sums += BLOCK) {
        zf u = z_load(sums), v = z_load(sums + 16);
        if (p->back && relu && at.y16) {
            __m512i y = _mm512_maskz_loadu_epi16(some, at.y16);
            uint32_t above = _mm512_cmpgt_epi16_mask(y, _mm512_setzero_si512());
            u = _mm512_maskz_mov_ps((__mmask16)above, u);
            v = _mm512_maskz_mov_ps((__mmask16)(above >> 16), v);
        } else if (p->back && relu) {
            u = z_back_relu(u, _mm512_maskz_loadu_ps(low, at.y));
            v = z_back_relu(v, _mm512_maskz_loadu_ps(high, at.y + 16));
        } else if (p->back) {
            u = z_back_tanh(u, _mm512_maskz_loadu_ps(low, at.y));
            v = z_back_tanh(v, _mm512_maskz_loadu_ps(high, at.y + 16));
        } else if (relu) {
            u = z_relu(u);
            v = z_relu(v);
        }
        if (at.c) {
            _mm512_mask_storeu_ps(at.c, low, u);
            _mm512_mask_storeu_ps(at.c + 16, high, v);
        }
        sum_u = sum_u + u;
        sum_v = sum_v + v;
        if (at.c16) {
            u = _mm512_maskz_mov_ps(low, u);
            v = _mm512_maskz_mov_ps(high, v);
#if defined(__AVX512BF16__)
            __m512bh both = _mm512_cvtne2ps_pbh(v, u);
            memcpy(at.c16, &both, sizeof both);
#else
            z_store(sums, u);
            z_store(sums + 16, v);
            row_to_bf16(sums, BLOCK, at.c16);
#endif
        }
        next_row(p, &at);
    }
    if (at.sum) {
        _mm512_mask_storeu_ps(at.sum, low, sum_u);
        _mm512_mask_storeu_ps(at.sum + 16, high, sum_v);
    }
}

#else

LU_ALWAYS_INLINE float finish_one(const tile_product *p, tile_places at, int i, float d) {
    if (p->back && p->act == LU_ACT_TANH) {
        return d * (1.0f - at.y[i] * at.y[i]);
    }
    if (p->back) {
        bool above = at.y16 ? (at.y16[i] & 0x8000u) == 0 && at.y16[i] != 0 : at.y[i] > 0.0f;
        return above ? d : 0.0f;
    }
    return p->act == LU_ACT_RELU && 0.0f > d ? 0.0f : d;
}

static void finish_rows(const tile_product *p, tile_places at, float *sums, int rows, int n) {
    for (int r = 0; r < rows; r++, sums += BLOCK) {
        for (int i = 0; i < BLOCK; i++) {
            sums[i] = i < n ? finish_one(p, at, i, sums[i]) : 0.0f;
        }
        for (int i = 0; i < n && at.c; i++) {
            at.c[i] = sums[i];
        }
        for (int i = 0; i < n && at.sum; i++) {
            at.sum[i] = at.sum[i] + sums[i];
        }
        if (at.c16) {
            row_to_bf16(sums, BLOCK, at.c16);
        }
        next_row(p, &at);
    }
}

#endif

static void finish_block(const tile_product *p, tile_sums *sums) {
    if (sums->row < 0) {
        return;
    }
    int rows = least(p->rows - sums->row, BLOCK), n = least(p->n - sums->column, BLOCK);
    for (int i = 0; i < rows * BLOCK && !p->back && p->act == LU_ACT_TANH; i++) {
        sums->c[i] = lu_tanh_float(sums->c[i]);
    }
    finish_rows(p, places_of(p, sums->row, sums->column), sums->c, rows, n);
    sums->row = -1;
}

/* Sums of one block; the start of columns that do not exist is 0. */
static void sum_block(const tile_product *p, int row, int column, tile_sums *sums) {
    float start[BLOCK] = {0};
    int n = least(p->n - column, BLOCK);
    for (int i = 0; i < n && p->start && n < BLOCK; i++) {
        start[i] = p->start[column + i];
    }
    run_block(&(tile_block){
        .a = p->a + (size_t)row * p->a_stride,
        .a_stride = p->a_stride,
        .a_tile = SIDE * p->a_stride,
        .a_step = STEP,
        .b = p->b + (size_t)(column / SIDE) * (size_t)p->steps * LU_TILE_WORDS,
        .steps = p->steps,
        .two_rows = p->rows - row > SIDE,
        .two_columns = n > SIDE,
        .start = p->start && n < BLOCK ? start
                 : p->start            ? p->start + column
                                       : NULL,
        .c = sums->c,
        .c_stride = BLOCK,
    });
    sums->row = row;
    sums->column = column;
}

/* The rows of a block stay in the first cache while all tiles of weights stream by; a block is
 * ended while the sums of the next one are made, so that vectors and tiles work at once. Modes of
 * the processor do not reach the end of a block. */
static void run_product(const tile_product *p) {
    tile_sums sums[2];
    int turn = 0;
    sums[0].row = sums[1].row = -1;
    unsigned mode = lu_tiles_begin();
    for (int row = 0; row < p->rows; row += BLOCK) {
        for (int column = 0; column < p->n; column += BLOCK, turn ^= 1) {
            sum_block(p, row, column, &sums[turn]);
#if defined(__AMX_BF16__)
            finish_block(p, &sums[turn ^ 1]);
#else
            lu_tiles_end(mode);
            finish_block(p, &sums[turn]);
            mode = lu_tiles_begin();
#endif
        }
    }
    lu_tiles_end(mode);
    finish_block(p, &sums[turn ^ 1]);
}

void LU_K(forward_tile)(const lu_dense_forward *call) {
    run_product(&(tile_product){.rows = call->rows,
                                .n = call->out,
                                .steps = lu_tile_steps(call->in),
                                .a = call->x16,
                                .a_stride = call->x_stride,
                                .b = call->tiles,
                                .start = call->bias,
                                .act = call->act,
                                .c = call->y,
                                .c_stride = call->y_stride,
                                .c16 = call->y16,
                                .c16_stride = call->y16_stride});
}

void LU_K(back_tile)(const lu_dense_back *call) {
    run_product(&(tile_product){.rows = call->rows,
                                .n = call->in,
                                .steps = lu_tile_steps(call->out),
                                .a = call->dy16,
                                .a_stride = call->dy_stride,
                                .b = call->tiles,
                                .act = call->act,
                                .back = call->act != LU_ACT_NONE,
                                .y = call->x,
                                .y_stride = call->x_stride,
                                .y16 = call->x ? NULL : call->x16,
                                .y16_stride = call->x16_stride,
                                .c = call->dx,
                                .c_stride = call->dx_stride,
                                .c16 = call->dx16,
                                .c16_stride = call->dx16_stride,
                                .sum = call->db});
}

/* ---- gradient of the weights ---- */

/* A block of which not all exists works on a copy. */
static void edge_block(tile_block block, int rows, int n) {
    float c[BLOCK * BLOCK] __attribute__((aligned(64))) = {0};
    float *dw = block.c;
    size_t stride = block.c_stride;
    for (int r = 0; r < rows; r++) {
        memcpy(c + r * BLOCK, dw + (size_t)r * stride, (size_t)n * sizeof *c);
    }
    block.start = block.c = c;
    block.start_stride = block.c_stride = BLOCK;
    run_block(&block);
    for (int r = 0; r < rows; r++) {
        memcpy(dw + (size_t)r * stride, c + r * BLOCK, (size_t)n * sizeof *c);
    }
}

void LU_K(grad_tile)(const lu_dense_grad *call) {
    int steps = lu_tile_steps(call->rows);
    size_t tile = (size_t)steps * LU_TILE_WORDS;
    unsigned mode = lu_tiles_begin();
    for (int row = 0; row < call->out; row += BLOCK) {
        for (int column = 0; column < call->in; column += BLOCK) {
            int rows = least(call->out - row, BLOCK), n = least(call->in - column, BLOCK);
            float *dw = call->dw + (size_t)row * call->dw_stride + column;
            const uint32_t *turned = call->dy_tiles + (size_t)(row / SIDE) * tile;
            tile_block block = {.a = (const uint16_t *)(const void *)turned,
                                .a_stride = STEP,
                                .a_tile = 2 * tile,
                                .a_step = 2 * LU_TILE_WORDS,
                                .b = call->x_tiles + (size_t)(column / SIDE) * tile,
                                .steps = steps,
                                .two_rows = rows > SIDE,
                                .two_columns = n > SIDE,
                                .start = dw,
                                .start_stride = call->dw_stride,
                                .c = dw,
                                .c_stride = call->dw_stride};
            if (rows == BLOCK && n == BLOCK) {
                run_block(&block);
            } else {
                edge_block(block, rows, n);
            }
        }
    }
    lu_tiles_end(mode);
}
