/* Dense layers by tiles, block by block (tile_block.h). A block is ended (activation, rounding to
 * bf16, sums of columns) while the sums of the next one are made, so that vectors and tiles work at
 * once. The chain is documented in kernels.h, the layout of operands in packed.h. */
#include "tile_block.h"

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
    const tile_product *product;
    float c[BLOCK * BLOCK] __attribute__((aligned(64)));
    int row, column; /* the first */
    int rows;        /* 0: none wait */
} tile_sums;

#if defined(__AVX512BW__)

/* What is done with the rows of a block: constants where it is one of the usual cases, so that a
 * row takes a dozen instructions. */
typedef struct finish_case {
    bool back, relu, by16; /* the derivative counts; of ReLU; by y16 */
    bool wide, narrow;     /* rows of c and of c16 are written */
    bool summed;
    uint32_t columns; /* those that exist */
} finish_case;

/* Columns that do not exist become 0 in c16. */
LU_ALWAYS_INLINE void finish_as(const finish_case f, const tile_product *p, tile_sums *s) {
    const __mmask16 low = (__mmask16)f.columns, high = (__mmask16)(f.columns >> 16);
    const size_t row = (size_t)s->row, column = (size_t)s->column;
    float *sums = s->c, *c = f.wide ? p->c + row * p->c_stride + column : NULL;
    float *sum = f.summed ? p->sum + column : NULL;
    const float *y = f.back && !f.by16 ? p->y + row * p->y_stride + column : NULL;
    const uint16_t *y16 = f.by16 ? p->y16 + row * p->y16_stride + column : NULL;
    uint16_t *c16 = f.narrow ? p->c16 + row * p->c16_stride + column : NULL;
    zf sum_u = z_zero(), sum_v = z_zero();
    if (f.summed) {
        sum_u = _mm512_maskz_loadu_ps(low, sum);
        sum_v = _mm512_maskz_loadu_ps(high, sum + 16);
    }
    for (int r = 0; r < s->rows; r++, sums += BLOCK) {
        zf u = z_load(sums), v = z_load(sums + 16);
        if (f.back && f.by16) {
            __m512i of = _mm512_maskz_loadu_epi16(f.columns, y16 + (size_t)r * p->y16_stride);
            uint32_t above = _mm512_cmpgt_epi16_mask(of, _mm512_setzero_si512());
            u = _mm512_maskz_mov_ps((__mmask16)above, u);
            v = _mm512_maskz_mov_ps((__mmask16)(above >> 16), v);
        } else if (f.back) {
            const float *of = y + (size_t)r * p->y_stride;
            zf y_u = _mm512_maskz_loadu_ps(low, of), y_v = _mm512_maskz_loadu_ps(high, of + 16);
            u = f.relu ? z_back_relu(u, y_u) : z_back_tanh(u, y_u);
            v = f.relu ? z_back_relu(v, y_v) : z_back_tanh(v, y_v);
        } else if (f.relu) {
            u = z_relu(u);
            v = z_relu(v);
        }
        if (f.wide) {
            _mm512_mask_storeu_ps(c + (size_t)r * p->c_stride, low, u);
            _mm512_mask_storeu_ps(c + (size_t)r * p->c_stride + 16, high, v);
        }
        if (f.summed) {
            sum_u = sum_u + u;
            sum_v = sum_v + v;
        }
        if (f.narrow) {
            u = _mm512_maskz_mov_ps(low, u);
            v = _mm512_maskz_mov_ps(high, v);
#if defined(__AVX512BF16__)
            __m512bh both = _mm512_cvtne2ps_pbh(v, u);
            memcpy(c16 + (size_t)r * p->c16_stride, &both, sizeof both);
#else
            z_store(sums, u);
            z_store(sums + 16, v);
            row_to_bf16(sums, BLOCK, c16 + (size_t)r * p->c16_stride);
#endif
        }
    }
    if (f.summed) {
        _mm512_mask_storeu_ps(sum, low, sum_u);
        _mm512_mask_storeu_ps(sum + 16, high, sum_v);
    }
}

static void finish_rows(const tile_product *p, tile_sums *s) {
    const int n = least(p->n - s->column, BLOCK);
    const uint32_t all = 0xffffffffu, some = n < BLOCK ? (1u << n) - 1u : all;
    const bool relu = p->act == LU_ACT_RELU;
    if (some == all && relu && !p->back && !p->c && !p->sum) { /* a layer of the trunk */
        finish_as((finish_case){.relu = true, .narrow = true, .columns = all}, p, s);
    } else if (some == all && relu && p->back && p->y16 && !p->c && p->sum) { /* and back */
        finish_as((finish_case){.back = true,
                                .relu = true,
                                .by16 = true,
                                .narrow = true,
                                .summed = true,
                                .columns = all},
                  p, s);
    } else {
        finish_as((finish_case){.back = p->back,
                                .relu = relu,
                                .by16 = p->y16,
                                .wide = p->c,
                                .narrow = p->c16,
                                .summed = p->sum,
                                .columns = some},
                  p, s);
    }
}

#else

LU_ALWAYS_INLINE float finish_one(const tile_product *p, size_t row, size_t column, float d) {
    if (p->back && p->y16) {
        return (int16_t)p->y16[row * p->y16_stride + column] > 0 ? d : 0.0f;
    }
    if (p->back) {
        float y = p->y[row * p->y_stride + column];
        return p->act == LU_ACT_TANH ? d * (1.0f - y * y) : y > 0.0f ? d : 0.0f;
    }
    return p->act == LU_ACT_RELU && 0.0f > d ? 0.0f : d;
}

static void finish_rows(const tile_product *p, tile_sums *s) {
    const int n = least(p->n - s->column, BLOCK);
    for (int r = 0; r < s->rows; r++) {
        float *sums = s->c + r * BLOCK;
        size_t row = (size_t)(s->row + r), column = (size_t)s->column;
        for (int i = 0; i < BLOCK; i++) {
            sums[i] = i < n ? finish_one(p, row, column + (size_t)i, sums[i]) : 0.0f;
        }
        for (int i = 0; i < n && p->c; i++) {
            p->c[row * p->c_stride + column + (size_t)i] = sums[i];
        }
        for (int i = 0; i < n && p->sum; i++) {
            p->sum[column + (size_t)i] = p->sum[column + (size_t)i] + sums[i];
        }
        if (p->c16) {
            row_to_bf16(sums, BLOCK, p->c16 + row * p->c16_stride + column);
        }
    }
}

#endif

static void finish_block(tile_sums *s) {
    const tile_product *p = s->product;
    if (s->rows == 0) {
        return;
    }
    for (int i = 0; i < s->rows * BLOCK && !p->back && p->act == LU_ACT_TANH; i++) {
        s->c[i] = lu_tanh_float(s->c[i]);
    }
    finish_rows(p, s);
    s->rows = 0;
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
        .rows = p->rows - row,
        .n = n,
        .start = p->start && n < BLOCK ? start
                 : p->start            ? p->start + column
                                       : NULL,
        .c = sums->c,
        .c_stride = BLOCK,
    });
    sums->row = row;
    sums->column = column;
    sums->rows = least(p->rows - row, BLOCK);
}

/* The rows of a block stay in the first cache while all tiles of weights stream by. With tile
 * registers a block is ended behind the sums of the next one, whose last instructions are under way
 * meanwhile (between its steps was slower: what waits for a stored tile holds up the others);
 * without, in the mode of the processor outside of sums. */
static void run_product(const tile_product *p) {
    tile_sums sums[2];
    int turn = 0;
    for (int i = 0; i < 2; i++) {
        sums[i].product = p;
        sums[i].rows = 0;
    }
    unsigned mode = lu_tiles_begin();
    for (int row = 0; row < p->rows; row += BLOCK) {
        for (int column = 0; column < p->n; column += BLOCK, turn ^= 1) {
            sum_block(p, row, column, &sums[turn]);
#if defined(__AMX_BF16__)
            finish_block(&sums[turn ^ 1]);
#else
            lu_tiles_end(mode);
            finish_block(&sums[turn]);
            mode = lu_tiles_begin();
#endif
        }
    }
    lu_tiles_end(mode);
    finish_block(&sums[turn ^ 1]);
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

/* A block of which not all exists; `fresh`: it starts from zero. */
static void edge_block(const tile_block *p, bool fresh) {
#if defined(__AMX_BF16__)
    (void)fresh;
    run_block(p);
#else
    float c[BLOCK * BLOCK] = {0};
    tile_block whole = *p;
    for (int r = 0; r < p->rows && !fresh; r++) {
        memcpy(c + r * BLOCK, p->c + (size_t)r * p->c_stride, (size_t)p->n * sizeof *c);
    }
    whole.start = whole.c = c;
    whole.start_stride = whole.c_stride = BLOCK;
    run_block(&whole);
    for (int r = 0; r < p->rows; r++) {
        memcpy(p->c + (size_t)r * p->c_stride, c + r * BLOCK, (size_t)p->n * sizeof *c);
    }
#endif
}

/* All blocks of rows x n sums from a row and column on. */
static void grad_blocks(const lu_dense_grad *call, int first_row, int first_column, int rows,
                        int n) {
    int steps = lu_tile_steps(call->rows);
    size_t tile = (size_t)steps * LU_TILE_WORDS;
    int end_row = rows == BLOCK ? call->out / BLOCK * BLOCK : call->out;
    int end_column = n == BLOCK ? call->in / BLOCK * BLOCK : call->in;
    for (int row = first_row; row < end_row && rows > 0; row += BLOCK) {
        for (int column = first_column; column < end_column && n > 0; column += BLOCK) {
            float *dw = call->dw + (size_t)row * call->dw_stride + column;
            const uint32_t *turned = call->dy_tiles + (size_t)(row / SIDE) * tile;
            tile_block block = {.a = (const uint16_t *)(const void *)turned,
                                .a_stride = STEP,
                                .a_tile = 2 * tile,
                                .a_step = 2 * LU_TILE_WORDS,
                                .b = call->x_tiles + (size_t)(column / SIDE) * tile,
                                .steps = steps,
                                .rows = rows,
                                .n = n,
                                .start = call->fresh ? NULL : dw,
                                .start_stride = call->dw_stride,
                                .c = dw,
                                .c_stride = call->dw_stride};
            if (rows == BLOCK && n == BLOCK) {
                run_block(&block);
            } else {
                edge_block(&block, call->fresh);
            }
        }
    }
}

/* Whole blocks, then those at the edges: the shape of registers is set once for each kind. */
void LU_K(grad_tile)(const lu_dense_grad *call) {
    int rows = call->out % BLOCK, n = call->in % BLOCK;
    unsigned mode = lu_tiles_begin();
    grad_blocks(call, 0, 0, BLOCK, BLOCK);
    for (int edge = 1; edge < 4; edge++) {
        int some_rows = edge & 1 ? rows : BLOCK, some_n = edge & 2 ? n : BLOCK;
        if (some_rows > 0 && some_n > 0) {
            shape_tiles(some_rows, some_n);
            grad_blocks(call, edge & 1 ? call->out - rows : 0, edge & 2 ? call->in - n : 0,
                        some_rows, some_n);
        }
    }
    lu_tiles_end(mode);
}
