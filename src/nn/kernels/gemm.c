/* Dense layers of one instruction level: products of a row-major matrix with packed panels
 * (forward, back) and of two row-major matrices (grad), in fp32 and with bf16 pairs. Compiled once
 * per level; LU_ISA names the level. The chain of every element is documented in kernels.h; a tile
 * walks it from end to end in registers, so that the cut into tiles never shows in the bits. */
#include "level.h"

#include "vec.h"

/* gcc keeps the accumulators in registers only when the loops over them are unrolled early; clang
 * does so by itself */
#if defined(__clang__) || !defined(__OPTIMIZE__)
#define LU_UNROLL
#else
#define LU_UNROLL _Pragma("GCC unroll 12")
#endif

/* Four steps of the chain make one round of its loop, with hardly more additions of addresses than
 * one: these take units from multiply-adds. */
#if defined(__AVX512F__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define LU_UNROLL_STEPS _Pragma("GCC unroll 4")
#else
#define LU_UNROLL_STEPS
#endif

enum { LU_TILE_ROWS = 12 };

/* Operands are called into the cache before their turn: plain tiles call the rows of the next tile
 * line by line, turned tiles the rows 8 steps ahead. Addresses behind the end do no harm. Outputs
 * are called by tiles that take longer than the call. */
enum { LU_LINE = 16, LU_AHEAD = 16, LU_LONG = 32 };
#define LU_CALL(base, floats) __builtin_prefetch((const char *)((uintptr_t)(base) + (floats)*4))

/* What happens to a finished sum. */
typedef enum tile_finish {
    FINISH_NONE,
    FINISH_RELU,
    FINISH_TANH, /* not by the tile: see tanh_rows */
    FINISH_BACK_RELU,
    FINISH_BACK_TANH
} tile_finish;

/* Plain: A by rows, sums start from `start`, one row for all (start_stride 0) or one for each.
 * Turned: A by columns, sums start from C, or from 0 where C is fresh. */
typedef enum tile_kind {
    TILE_PLAIN = 0,
    TILE_DOT = 1,
    TILE_TURNED = 2,
    TILE_TURNED_DOT = 3,
    TILE_KINDS
} tile_kind;

typedef struct tile_job {
    const float *a, *b, *start, *y;
    float *c;
    size_t a_stride, b_stride, c_stride, y_stride, start_stride;
    size_t ahead; /* distance of the rows that the next tile reads first, 0: none */
    int steps;
    bool fresh; /* turned: C holds nothing yet, and `start` is NULL */
    tile_finish finish;
} tile_job;

typedef void tile_function(const tile_job *job);

/* Rows of a tile; a rest is cut greedily. */
static const int tile_sizes[] = {12, 8, 6, 4, 2, 1};
enum { TILE_SIZES = 6 };

/* The tiles of this level. 8 lanes at 512-bit levels cost half of 16 where the processor has two
 * 256-bit units or splits 512-bit operations, and never more: so narrow heads end in them. */
#if defined(__AVX512F__)
#define T          z
#define TILE_LANES 16
#define TILE_V     2
#define TILE_MAX   12
#define TILE_NAME  tile_wide
#include "tile.h"
#define T          z
#define TILE_LANES 16
#define TILE_V     1
#define TILE_MAX   12
#define TILE_NAME  tile_middle
#include "tile.h"
#define T          y
#define TILE_LANES 8
#define TILE_V     1
#define TILE_MAX   12
#define TILE_NAME  tile_narrow
#include "tile.h"
#elif defined(__AVX2__) && defined(__FMA__)
#define T          y
#define TILE_LANES 8
#define TILE_V     2
#define TILE_MAX   6
#define TILE_NAME  tile_middle
#include "tile.h"
#define T          y
#define TILE_LANES 8
#define TILE_V     1
#define TILE_MAX   12
#define TILE_NAME  tile_narrow
#include "tile.h"
#else
#define T          x
#define TILE_LANES 4
#define TILE_V     2
#define TILE_MAX   4
#define TILE_NAME  tile_narrow
#include "tile.h"
#endif

typedef struct tile_shape {
    tile_function *const (*functions)[TILE_SIZES];
    int columns, max_rows;
} tile_shape;

/* The widest tile for a panel. */
LU_ALWAYS_INLINE tile_shape shape_for(int width) {
#if defined(__AVX512F__)
    if (width == 32) {
        return (tile_shape){tile_wide, 32, 12};
    }
    return width == 16 ? (tile_shape){tile_middle, 16, 12} : (tile_shape){tile_narrow, 8, 12};
#elif defined(__AVX2__) && defined(__FMA__)
    return width >= 16 ? (tile_shape){tile_middle, 16, 6} : (tile_shape){tile_narrow, 8, 12};
#else
    (void)width;
    return (tile_shape){tile_narrow, 8, 4};
#endif
}

/* Which entry of tile_sizes to take for `rest` rows. 16 is 8 + 8, not 12 + 4: short tiles do not
 * fill the units. */
LU_ALWAYS_INLINE int size_for(int rest, int max_rows) {
    int size = rest == 16 ? 1 : 0;
    while (tile_sizes[size] > rest || tile_sizes[size] > max_rows) {
        size++;
    }
    return size;
}

/* C[rows][n] from A and B. */
typedef struct product {
    tile_job job; /* of the first tile; finish and steps of all */
    int rows, n;
    tile_kind kind;
} product;

/* The end of a sum on stored rows, for what the tiles do not do themselves. */
static __attribute__((noinline)) void finish_rows(const tile_job *job, tile_finish finish, int rows,
                                                  int n) {
    bool back = finish == FINISH_BACK_RELU || finish == FINISH_BACK_TANH; /* only these have y */
    for (int r = 0; r < rows; r++) {
        float *c = job->c + (size_t)r * job->c_stride;
        const float *y = back ? job->y + (size_t)r * job->y_stride : c;
        switch (finish) {
        case FINISH_NONE:
            break;
        case FINISH_RELU:
            for (int i = 0; i < n; i++) {
                c[i] = 0.0f > c[i] ? 0.0f : c[i];
            }
            break;
        case FINISH_TANH: /* tanh_rows */
            break;
        case FINISH_BACK_RELU:
            for (int i = 0; i < n; i++) {
                c[i] = y[i] > 0.0f ? c[i] : 0.0f;
            }
            break;
        case FINISH_BACK_TANH:
            for (int i = 0; i < n; i++) {
                c[i] = c[i] * (1.0f - y[i] * y[i]);
            }
            break;
        }
    }
}

/* Too long for the tile, and better done on whole rows: its constants are loaded once. */
static __attribute__((noinline)) void tanh_rows(float *c, size_t stride, int rows, int n) {
    for (int r = 0; r < rows; r++, c += stride) {
        for (int i = 0; i < n; i++) {
            c[i] = lu_tanh_float(c[i]);
        }
    }
}

/* n columns, then zeros up to `columns`. */
static void copy_padded(const float *from, size_t stride, float *to, int columns, int rows, int n) {
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++) {
            to[r * columns + i] = from[(size_t)r * stride + (size_t)i];
        }
        for (int i = n; i < columns; i++) {
            to[r * columns + i] = 0.0f;
        }
    }
}

/* A tile of which only n columns exist: it works on copies, so that nothing outside is read from or
 * written to C. */
static __attribute__((noinline)) void run_edge(tile_function *function, const tile_job *from,
                                               tile_kind kind, int rows, int columns, int n) {
    float c[LU_TILE_ROWS * 32], y[LU_TILE_ROWS * 32], start[LU_TILE_ROWS * 32];
    tile_job job = *from;
    if ((kind & TILE_TURNED) && !job.fresh) {
        copy_padded(job.c, job.c_stride, c, columns, rows, n);
    }
    if (job.finish == FINISH_BACK_RELU || job.finish == FINISH_BACK_TANH) {
        copy_padded(job.y, job.y_stride, y, columns, rows, n);
    }
    if (job.start) {
        copy_padded(job.start, job.start_stride, start, columns, job.start_stride ? rows : 1, n);
        job.start = start;
        job.start_stride = job.start_stride ? (size_t)columns : 0;
    }
    job.c = c;
    job.y = y;
    job.c_stride = job.y_stride = (size_t)columns;
    function(&job);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++) {
            from->c[(size_t)r * from->c_stride + (size_t)i] = c[r * columns + i];
        }
    }
}

/* All rows of the columns of one tile; n columns are left. The first columns read A for the first
 * time. */
static void run_column(const product *p, tile_shape shape, tile_job job, int n, bool first) {
    size_t a_row = p->kind & TILE_TURNED ? 1 : job.a_stride;
    /* an emulated dot flushes by a mode that must end with the tile */
    bool flush = LU_DOT_BY_MODE && (p->kind & TILE_DOT);
    tile_finish later = flush ? job.finish : FINISH_NONE;
    job.finish = later == FINISH_NONE ? job.finish : FINISH_NONE;
    for (int r = 0; r < p->rows;) {
        int size = size_for(p->rows - r, shape.max_rows), rows = tile_sizes[size];
        tile_function *function = shape.functions[p->kind][size];
        job.ahead = first ? (size_t)rows * a_row : 0;
        unsigned mode = flush ? lu_flush_on() : 0;
        if (n < shape.columns) {
            run_edge(function, &job, p->kind, rows, shape.columns, n);
        } else {
            function(&job);
        }
        if (flush) {
            lu_flush_back(mode);
        }
        if (later != FINISH_NONE) {
            finish_rows(&job, later, rows, n < shape.columns ? n : shape.columns);
        }
        job.a += (size_t)rows * a_row;
        job.c += (size_t)rows * job.c_stride;
        job.y = job.y ? job.y + (size_t)rows * job.y_stride : NULL;
        job.start = job.start ? job.start + (size_t)rows * job.start_stride : NULL;
        r += rows;
    }
}

/* Panels from left to right; inside a panel the rows of A stream by while the panel stays in the
 * first cache. */
static void run_product(const product *p) {
    bool packed = !(p->kind & TILE_TURNED);
    for (int j = 0; j < p->n;) {
        int width = lu_packed_width(p->n - j);
        tile_shape shape = shape_for(width);
        for (int s = 0; s < width && j + s < p->n; s += shape.columns) {
            tile_job job = p->job;
            size_t column = (size_t)(j + s);
            job.b += packed ? (size_t)j * (size_t)job.steps + (size_t)s : column;
            job.b_stride = packed ? (size_t)width : job.b_stride;
            job.c += column;
            job.start = job.start ? job.start + column : NULL;
            job.y = job.y ? job.y + column : NULL;
            run_column(p, shape, job, p->n - j - s, packed && j + s == 0);
        }
        j += width;
    }
}

/* Blocks of rows, so that one block of A stays in the second cache over all panels; the longer, the
 * less often panels are read. */
enum { PASS_ROWS = 2 * LU_BLOCK_ROWS };

static void run_rows(product *p, int rows) {
    for (int r = 0; r < rows; r += PASS_ROWS) {
        p->rows = rows - r < PASS_ROWS ? rows - r : PASS_ROWS;
        run_product(p);
        if (p->job.finish == FINISH_TANH) {
            tanh_rows(p->job.c, p->job.c_stride, p->rows, p->n);
        }
        p->job.a += (size_t)p->rows * p->job.a_stride;
        p->job.c += (size_t)p->rows * p->job.c_stride;
        p->job.y = p->job.y ? p->job.y + (size_t)p->rows * p->job.y_stride : NULL;
        p->job.start = p->job.start ? p->job.start + (size_t)p->rows * p->job.start_stride : NULL;
    }
}

static void forward_any(const lu_dense_forward *call, const float *x, size_t x_stride,
                        const float *packed, int steps, tile_kind kind) {
    static const tile_finish finish[] = {FINISH_NONE, FINISH_RELU, FINISH_TANH};
    product p = {.job = {.a = x,
                         .a_stride = x_stride,
                         .b = packed,
                         .start = call->bias,
                         .start_stride = call->bias_stride,
                         .c = call->y,
                         .c_stride = call->y_stride,
                         .steps = steps,
                         .finish = finish[call->act]},
                 .n = call->out,
                 .kind = kind};
    run_rows(&p, call->rows);
}

static void back_any(const lu_dense_back *call, const float *dy, size_t dy_stride,
                     const float *packed, int steps, tile_kind kind) {
    static const tile_finish finish[] = {FINISH_NONE, FINISH_BACK_RELU, FINISH_BACK_TANH};
    product p = {.job = {.a = dy,
                         .a_stride = dy_stride,
                         .b = packed,
                         .start = call->start,
                         .start_stride = call->start_stride,
                         .y = call->act == LU_ACT_NONE ? NULL : call->x,
                         .y_stride = call->x_stride,
                         .c = call->dx,
                         .c_stride = call->dx_stride,
                         .steps = steps,
                         .finish = finish[call->act]},
                 .n = call->in,
                 .kind = kind};
    run_rows(&p, call->rows);
}

/* Steps of the chain per visit of dW: long enough that loading and storing a tile is cheap, short
 * enough that both operands stay in the second cache. */
enum { GRAD_STEPS = 192 };

/* A few columns, fewer than a vector has lanes, of the gradient: dy and x change places, so that
 * the columns are rows of a tile and lanes are filled by the outputs. The sums are the same. */
enum { FEW_COLUMNS = 6, FEW_OUT = 256 };

static void grad_few(const product *p, int column, int n) {
    float c[FEW_COLUMNS * FEW_OUT];
    for (int from = 0; from < p->rows; from += FEW_OUT) {
        int out = p->rows - from < FEW_OUT ? p->rows - from : FEW_OUT;
        float *dw = p->job.c + (size_t)from * p->job.c_stride + (size_t)column;
        for (int o = 0; o < out && !p->job.fresh; o++) {
            for (int i = 0; i < n; i++) {
                c[i * FEW_OUT + o] = dw[(size_t)o * p->job.c_stride + (size_t)i];
            }
        }
        product turned = *p;
        turned.job.a = p->job.b + column;
        turned.job.a_stride = p->job.b_stride;
        turned.job.b = p->job.a + from;
        turned.job.b_stride = p->job.a_stride;
        turned.job.c = c;
        turned.job.c_stride = FEW_OUT;
        turned.rows = n;
        turned.n = out;
        run_product(&turned);
        for (int o = 0; o < out; o++) {
            for (int i = 0; i < n; i++) {
                dw[(size_t)o * p->job.c_stride + (size_t)i] = c[i * FEW_OUT + o];
            }
        }
    }
}

static void grad_any(const lu_dense_grad *call, const float *dy, const float *x, int steps,
                     tile_kind kind) {
    int few = call->in % 32 <= FEW_COLUMNS && call->in > 32 && call->out >= 64 ? call->in % 32 : 0;
    for (int k = 0; k < steps; k += GRAD_STEPS) {
        product p = {.job = {.a = dy + (size_t)k * call->dy_stride,
                             .a_stride = call->dy_stride,
                             .b = x + (size_t)k * call->x_stride,
                             .b_stride = call->x_stride,
                             .c = call->dw,
                             .c_stride = call->dw_stride,
                             .steps = steps - k < GRAD_STEPS ? steps - k : GRAD_STEPS,
                             .fresh = call->fresh && k == 0,
                             .finish = FINISH_NONE},
                     .rows = call->out,
                     .n = call->in - few,
                     .kind = kind};
        run_product(&p);
        if (few) {
            grad_few(&p, call->in - few, few);
        }
    }
}

void LU_K(forward)(const lu_dense_forward *call) {
    forward_any(call, call->x, call->x_stride, call->packed, call->in, TILE_PLAIN);
}

void LU_K(back)(const lu_dense_back *call) {
    back_any(call, call->dy, call->dy_stride, call->packed, call->out, TILE_PLAIN);
}

void LU_K(grad)(const lu_dense_grad *call) {
    grad_any(call, call->dy, call->x, call->rows, TILE_TURNED);
    if (call->db) {
        LU_K(bias_grad)(call->dy, call->dy_stride, call->rows, call->out, call->db);
    }
}

/* A pair of bf16 is moved as one word of 4 bytes, like a float. */
void LU_K(forward_bf16)(const lu_dense_forward *call) {
    forward_any(call, (const float *)(const void *)call->x16, call->x_stride / 2,
                (const float *)(const void *)call->packed16, (call->in + 1) / 2, TILE_DOT);
}

void LU_K(back_bf16)(const lu_dense_back *call) {
    back_any(call, (const float *)(const void *)call->dy16, call->dy_stride / 2,
             (const float *)(const void *)call->packed16, (call->out + 1) / 2, TILE_DOT);
}

void LU_K(grad_bf16)(const lu_dense_grad *call) {
    grad_any(call, (const float *)(const void *)call->dy_pairs,
             (const float *)(const void *)call->x_pairs, (call->rows + 1) / 2, TILE_TURNED_DOT);
}

/* ---- quarters ---- */

static void left_row(const float *restrict a, const float *restrict b, const float *restrict c,
                     const float *restrict d, float *restrict s0, float *restrict s1,
                     float *restrict s2, float *restrict s3, int n) {
    for (int i = 0; i < n; i++) {
        float both = c[i] + d[i], rest = both - a[i];
        s0[i] = both;
        s1[i] = rest;
        s2[i] = a[i] - c[i];
        s3[i] = b[i] - rest;
    }
}

static void right_row(const float *restrict a, const float *restrict b, const float *restrict c,
                      const float *restrict d, float *restrict s0, float *restrict s1,
                      float *restrict s2, float *restrict s3, int n) {
    for (int i = 0; i < n; i++) {
        float step = b[i] - a[i], rest = d[i] - step;
        s0[i] = step;
        s1[i] = rest;
        s2[i] = d[i] - b[i];
        s3[i] = c[i] - rest;
    }
}

typedef __typeof__(left_row) sum_row;

LU_ALWAYS_INLINE void sum_rows(const lu_quarters *call, sum_row *row) {
    for (int r = 0; r < call->rows; r++) {
        const size_t at = (size_t)r * call->stride, to = (size_t)r * call->sum_stride;
        row(call->q[0][0] + at, call->q[0][1] + at, call->q[1][0] + at, call->q[1][1] + at,
            call->sum[0] + to, call->sum[1] + to, call->sum[2] + to, call->sum[3] + to, call->n);
    }
}

void LU_K(left_sums)(const lu_quarters *call) {
    sum_rows(call, left_row);
}

void LU_K(right_sums)(const lu_quarters *call) {
    sum_rows(call, right_row);
}

/* `change` is an expression of sum and y[i]. */
#define JOIN_ROW(change)                                                                           \
    for (int i = 0; i < n; i++) {                                                                  \
        float sum = u[i] + p[i];                                                                   \
        p[i] = v[i] + p[i];                                                                        \
        c[i] = (change);                                                                           \
    }

static void join_row(const float *restrict u, const float *restrict v, float *restrict p,
                     float *restrict c, const float *restrict y, tile_finish finish, int n) {
    switch (finish) {
    case FINISH_RELU:
        JOIN_ROW(0.0f > sum ? 0.0f : sum)
        break;
    case FINISH_BACK_RELU:
        JOIN_ROW(y[i] > 0.0f ? sum : 0.0f)
        break;
    case FINISH_BACK_TANH:
        JOIN_ROW(sum * (1.0f - y[i] * y[i]))
        break;
    default: /* tanh_rows comes later */
        JOIN_ROW(sum)
        break;
    }
}
#undef JOIN_ROW

void LU_K(quarter_join)(const lu_quarter_join *call) {
    static const tile_finish ends[2][3] = {{FINISH_NONE, FINISH_RELU, FINISH_TANH},
                                           {FINISH_NONE, FINISH_BACK_RELU, FINISH_BACK_TANH}};
    tile_finish finish = ends[call->x != NULL][call->act];
    for (int r = 0; r < call->rows; r++) {
        const size_t at = (size_t)r * call->stride;
        const float *u = call->u + at; /* stands for an x that is not read */
        const float *x = call->x ? call->x + (size_t)r * call->x_stride : u;
        join_row(u, call->v + (size_t)r * call->v_stride, call->p + at, call->c + at, x, finish,
                 call->n);
    }
    if (finish == FINISH_TANH) {
        tanh_rows(call->c, call->stride, call->rows, call->n);
    }
}

/* ---- bf16 in ---- */

void LU_K(to_bf16)(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                   size_t to_stride) {
    for (int r = 0; r < rows; r++) {
        uint16_t *y = to + (size_t)r * to_stride;
        row_to_bf16(from + (size_t)r * from_stride, n, y);
        if (n & 1) {
            y[n] = 0;
        }
    }
}

LU_ALWAYS_INLINE void rows_to_pairs(const float *low, const float *high, int n, uint32_t *y) {
    int i = 0;
#if defined(__AVX512BF16__)
    /* halves 0..15 are of the low row, 16..31 of the high one: 0 16 1 17 ... */
    __m512i turn = _mm512_set1_epi32(0x00100000);
    __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    turn = _mm512_add_epi32(turn, _mm512_or_si512(count, _mm512_slli_epi32(count, 16)));
    for (; i + 16 <= n; i += 16) {
        __m512bh both = _mm512_cvtne2ps_pbh(z_load(high + i), z_load(low + i));
        _mm512_storeu_si512(y + i, _mm512_permutexvar_epi16(turn, (__m512i)both));
    }
#endif
    for (; i < n; i++) {
        y[i] = lu_bf16_from(low[i]) | lu_bf16_from(high[i]) << 16;
    }
}

void LU_K(to_pairs)(const float *from, size_t from_stride, int rows, int n, uint32_t *to,
                    size_t to_stride) {
    for (int r = 0; r < rows; r += 2) {
        const float *low = from + (size_t)r * from_stride;
        uint32_t *y = to + (size_t)(r / 2) * to_stride;
        if (r + 1 < rows) {
            rows_to_pairs(low, low + from_stride, n, y);
        } else {
            for (int i = 0; i < n; i++) {
                y[i] = lu_bf16_from(low[i]);
            }
        }
    }
}

/* Two rows of bf16 to one of pairs. */
LU_ALWAYS_INLINE void pair_two(const uint16_t *restrict low, const uint16_t *restrict high, int n,
                               uint32_t *restrict y) {
    int i = 0;
#if defined(__AVX512BW__)
    /* halves 0..31 are of the low row, 32..63 of the high one: 0 32 1 33 ... */
    __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i first = _mm512_or_si512(count, _mm512_slli_epi32(count, 16));
    first = _mm512_add_epi32(first, _mm512_set1_epi32(0x00200000));
    __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(0x00100010));
    for (; i + 32 <= n; i += 32) {
        __m512i a = _mm512_loadu_si512(low + i), b = _mm512_loadu_si512(high + i);
        _mm512_storeu_si512(y + i, _mm512_permutex2var_epi16(a, first, b));
        _mm512_storeu_si512(y + i + 16, _mm512_permutex2var_epi16(a, second, b));
    }
#endif
    for (; i < n; i++) {
        y[i] = low[i] | (uint32_t)high[i] << 16;
    }
}

void LU_K(pair_rows)(const uint16_t *from, size_t from_stride, int rows, int n, uint32_t *to,
                     size_t to_stride) {
    for (int r = 0; r < rows; r += 2) {
        const uint16_t *restrict low = from + (size_t)r * from_stride;
        const uint16_t *restrict high = low + from_stride;
        uint32_t *restrict y = to + (size_t)(r / 2) * to_stride;
        if (r + 1 < rows) {
            pair_two(low, high, n, y);
        } else {
            for (int i = 0; i < n; i++) {
                y[i] = low[i];
            }
        }
    }
}
