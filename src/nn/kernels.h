/* The numerical kernels of training: dense layers (forward, gradient of the input, gradient of the
 * weights) in fp32 and with bf16 operands, exp/log/tanh of arrays, masked softmax and sampling,
 * Adam, norms. A table of functions per instruction level is chosen at run time; all tables, the
 * readable reference (ref.c) included, give the same bits, because every result is defined as one
 * fixed chain of operations (below) and no level may reorder it.
 * Ownership: the caller owns every buffer; nothing is allocated. Threads: no state; calls that
 * write different memory may run at once.
 *
 * The chains. fma(a, b, c) rounds once.
 *   forward  y[r][o]  = act(z), z = bias[o]; for i ascending: z = fma(x[r][i], w[o][i], z)
 *   back     dx[r][i] = d * act'(x[r][i]), d = 0; for o ascending: d = fma(dy[r][o], w[o][i], d)
 *            (both may start from a matrix of sums instead: bias_stride, start)
 *   grad     dw[o][i]: for r ascending: dw = fma(dy[r][o], x[r][i], dw)
 *            db[o]:    for r ascending: db = db + dy[r][o]
 * so that the gradient does not depend on how rows are cut into calls. With bf16 operands two
 * neighbours of the chain form a pair and the ODD one is added first:
 *   z = fma(x[1], w[1], z); z = fma(x[0], w[0], z); z = fma(x[3], w[3], z); ...
 * with fp32 sums, subnormal operands read as 0 and subnormal results replaced by 0 of their sign:
 * what the instruction vdpbf16ps does. A missing partner is 0. For grad the pair is two rows: then
 * cut rows into calls of even length.
 *
 * With tiles the chain is cut into stretches of 32, the last one filled with zeros. A stretch sums
 * its even and its odd members apart, each from 0, and joins the chain as one number:
 *   even = fma(x[0], w[0], even); odd = fma(x[1], w[1], odd); even = fma(x[2], w[2], even); ...
 *   z = z + (even + odd)
 * with subnormal numbers read as 0 and results below the normal range replaced by 0 of their sign:
 * what the instruction tdpbf16ps does (Intel's pseudo-code; tiles_test.c compares the two where the
 * instruction exists). For grad a stretch is 32 rows: then cut rows into calls of multiples of 32.
 *
 * Rows. A matrix is given by its first element and the distance of its rows in elements. Distances
 * are multiples of 16 floats (32 bf16) and every row is readable to the next multiple; what stands
 * in that padding is read but never used, and never written. lu_row_floats gives a good distance.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ludus/blocks.h"
#include "ludus/cpu.h"
#include "ludus/threads.h"

LU_C_BEGIN

/* relu(x) = 0 > x ? 0 : x (a NaN stays visible); derivatives are taken from the output y. */
typedef enum lu_activation { LU_ACT_NONE, LU_ACT_RELU, LU_ACT_TANH } lu_activation;

/* One call of a dense layer. `bf16` kernels read x16 / dy16 (rows of bf16, see to_bf16) and
 * packed16 in place of x / dy and packed. `tile` kernels read x16 / dy16 as to_tile_rows makes them
 * and tiles; rows are readable up to the next multiple of 16, and sums start from the bias (the
 * same for all rows) or from 0. */
typedef struct lu_dense_forward {
    int rows, in, out;
    const float *x;
    const uint16_t *x16;
    size_t x_stride;
    const float *packed; /* from pack_forward */
    const uint16_t *packed16;
    const float *bias;  /* out values; NULL: zeros */
    size_t bias_stride; /* 0: the same for all rows; else a row of `bias` for each, may be y */
    lu_activation act;
    float *y;
    size_t y_stride;
    /* forward_tile: */
    const uint32_t *tiles; /* from pack_forward_tile */
    uint16_t *y16;         /* y as to_tile_rows makes it; one of both may be NULL: not wanted */
    size_t y16_stride;
} lu_dense_forward;

typedef struct lu_dense_back {
    int rows, in, out;
    const float *dy;
    const uint16_t *dy16;
    size_t dy_stride;
    const float *packed; /* from pack_back */
    const uint16_t *packed16;
    const float *start; /* what the sums start from, row by row; may be dx; NULL: zeros */
    size_t start_stride;
    lu_activation act; /* of the layer below, whose output is x */
    const float *x;    /* not read for LU_ACT_NONE */
    size_t x_stride;
    float *dx;
    size_t dx_stride;
    /* back_tile: */
    const uint32_t *tiles; /* from pack_back_tile */
    const uint16_t *x16;   /* for LU_ACT_RELU, where x is NULL: above 0 as a signed number */
    size_t x16_stride;
    uint16_t *dx16; /* dx as to_tile_rows makes it; one of both may be NULL: not wanted */
    size_t dx16_stride;
    float *db; /* bias_grad of dx is added to it; NULL: not wanted */
} lu_dense_back;

/* grad adds to dw, unless that is fresh, and to db. The bf16 and tile kernels read row pairs (see
 * to_pairs and row_tiles) and do not touch db: that sum is wanted in fp32 (bias_grad). */
typedef struct lu_dense_grad {
    int rows, in, out;
    const float *dy;
    const uint32_t *dy_pairs;
    size_t dy_stride;
    const float *x;
    const uint32_t *x_pairs;
    size_t x_stride;
    const uint32_t *dy_tiles, *x_tiles; /* grad_tile: from row_tiles, those of dy turned */
    float *dw;                          /* rows of `in`, any stride >= in */
    size_t dw_stride;
    bool fresh; /* dw holds nothing: it is written as if it had been zeros */
    float *db;  /* NULL: not wanted */
} lu_dense_grad;

/* The quarters q[row half][column half] of a matrix, each of rows x n, and four sums of them. */
typedef struct lu_quarters {
    int rows, n;
    const float *q[2][2];
    size_t stride;
    float *sum[4];
    size_t sum_stride;
} lu_quarters;

/* p is added to u, for c with its activation, and to v, for p itself. x: see lu_dense_back; NULL:
 * act is applied, not its derivative. */
typedef struct lu_quarter_join {
    int rows, n;
    const float *u, *v;
    float *p, *c;
    size_t stride, v_stride; /* of u, p and c; of v */
    lu_activation act;
    const float *x;
    size_t x_stride;
} lu_quarter_join;

/* What masked_softmax tells of a row besides the probabilities: the log-probability of option a is
 * (logit[a] - max) - log_sum. */
typedef struct lu_softmax_stats {
    float max, log_sum, entropy;
} lu_softmax_stats;

/* Rows of n options each. */
typedef struct lu_softmax {
    int rows, n;
    const int32_t *row; /* which rows, by number; NULL: the first ones */
    const float *logits;
    size_t logits_stride;
    const uint8_t *legal; /* NULL: all */
    size_t legal_stride;
    float *p; /* may be logits */
    size_t p_stride;
    lu_softmax_stats *stats; /* by the number of the row; NULL: not wanted */
} lu_softmax;

/* Factors of one Adam step, from lu_adam_at. */
typedef struct lu_adam {
    float beta1, rest1; /* rest = 1 - beta */
    float beta2, rest2;
    float step;      /* rate / (1 - beta1^t) */
    float root_bias; /* 1 / sqrt(1 - beta2^t) */
    float eps;
    float keep;  /* 1 - rate * decay */
    float scale; /* of the gradient: clipping by norm */
} lu_adam;

typedef struct lu_kernels {
    const char *name;
    bool bf16_native; /* the processor multiplies bf16 pairs itself */
    bool tile_native; /* it has tile registers */

    /* W[out][in] (torch layout; any stride >= in) packed into lu_packed_floats or lu_packed_bf16s
     * elements, padded with zeros; the same in all tables. About 0.3 ns per weight: once per
     * update. */
    void (*pack_forward)(const float *w, size_t w_stride, int out, int in, float *packed);
    void (*pack_back)(const float *w, size_t w_stride, int out, int in, float *packed);
    void (*pack_forward_bf16)(const float *w, size_t w_stride, int out, int in, uint16_t *packed);
    void (*pack_back_bf16)(const float *w, size_t w_stride, int out, int in, uint16_t *packed);

    /* The same as tiles: lu_packed_tiles words. */
    void (*pack_forward_tile)(const float *w, size_t w_stride, int out, int in, uint32_t *tiles);
    void (*pack_back_tile)(const float *w, size_t w_stride, int out, int in, uint32_t *tiles);

    void (*forward)(const lu_dense_forward *call);
    void (*back)(const lu_dense_back *call);
    void (*grad)(const lu_dense_grad *call);
    void (*forward_bf16)(const lu_dense_forward *call);
    void (*back_bf16)(const lu_dense_back *call);
    void (*grad_bf16)(const lu_dense_grad *call);
    void (*forward_tile)(const lu_dense_forward *call);
    void (*back_tile)(const lu_dense_back *call);
    void (*grad_tile)(const lu_dense_grad *call);
    /* db[o] += dy[r][o], r ascending. */
    void (*bias_grad)(const float *dy, size_t stride, int rows, int out, float *db);

    /* Sums for products of quarters, see strassen.c.
     *   left:  s0 = q10 + q11, s1 = s0 - q00, s2 = q00 - q10, s3 = q01 - s1
     *   right: s0 = q01 - q00, s1 = q11 - s0, s2 = q11 - q01, s3 = q10 - s1 */
    void (*left_sums)(const lu_quarters *call);
    void (*right_sums)(const lu_quarters *call);
    /* c = act(u + p), then p = v + p. */
    void (*quarter_join)(const lu_quarter_join *call);

    /* fp32 rows to bf16 rows, to nearest even, subnormals to 0; an odd last column gets a 0 as
     * partner. */
    void (*to_bf16)(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                    size_t to_stride);
    /* fp32 rows to (rows + 1) / 2 rows of pairs: row 2i in the low half, row 2i + 1 in the high
     * one, 0 where there is none. */
    void (*to_pairs)(const float *from, size_t from_stride, int rows, int n, uint32_t *to,
                     size_t to_stride);
    /* The same from rows of bf16. */
    void (*pair_rows)(const uint16_t *from, size_t from_stride, int rows, int n, uint32_t *to,
                      size_t to_stride);

    /* to_bf16 with zeros behind a row, up to a multiple of 32. */
    void (*to_tile_rows)(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                         size_t to_stride);
    /* Rows of bf16 to tiles whose steps are 32 rows: lu_packed_tiles(n, rows) words. */
    void (*row_tiles)(const uint16_t *from, size_t from_stride, int rows, int n, bool turned,
                      uint32_t *tiles);

    /* y[i] = (x[i] - shift[i]) * scale[i], kept in -+limit; a NaN stays. */
    void (*normalise)(const float *x, const float *shift, const float *scale, float limit, int n,
                      float *y);
    /* Adds rows of x - shift to sum and their squares to square, fp64, r ascending. */
    void (*moments)(const float *x, size_t stride, int rows, const float *shift, int n, double *sum,
                    double *square);

    /* y[i] = f(x[i]), below 2 ulp; in place allowed. */
    void (*exp)(const float *x, float *y, size_t n);
    void (*log)(const float *x, float *y, size_t n);
    void (*tanh)(const float *x, float *y, size_t n);

    /* Softmax over the options whose legal byte is not 0; the others get exactly 0, whatever their
     * logit. At least one option must be legal. One legal option gives p = 1, log-probability and
     * entropy exactly 0. Rows wait for each other's exponentials less than one after the other. */
    void (*masked_softmax)(const lu_softmax *call);
    /* Gradient of a loss by the logits of a softmax, for every option but the chosen one: d by its
     * log-probability, -cost by the entropy. p[i] becomes p[i] * (cost * (log p[i] + entropy) - d),
     * exactly 0 where it is. */
    void (*softmax_back)(const float *logits, const lu_softmax_stats *stats, int n, float d,
                         float cost, float *p);
    /* The option at which the running sum of p (of masked_softmax) passes u, 0 <= u < 1. Never one
     * with p = 0; with NaN in p the last legal one; -1 when none is legal. */
    int (*sample)(const float *p, const uint8_t *legal, int n, float u);

    /* Adam with decoupled weight decay on n parameters; m and v are its moments. */
    void (*adam)(const lu_adam *now, size_t n, const float *grad, float *m, float *v, float *param);
    /* Sum of squares in fp64, fixed order: 16 partial sums, then halves added. */
    double (*sum_squares)(const float *x, size_t n);
    /* y = a x + b y, two roundings before the sum. */
    void (*blend)(float a, const float *x, float b, float *y, size_t n);

    /* Register-only loops for the peak: `loops` rounds of fused multiply-adds (bf16: of pairs);
     * returns the floating-point operations done. */
    double (*peak_fp32)(long loops, float *sink);
    double (*peak_bf16)(long loops, float *sink);
    /* Of what tile kernels are made of: the tile unit, or fused multiply-adds. */
    double (*peak_tile)(long loops, float *sink);
} lu_kernels;

typedef enum lu_kernel_level {
    LU_KERNELS_REF,     /* ref.c: plain loops, for tests */
    LU_KERNELS_BASE,    /* any processor; fma emulated where there is none */
    LU_KERNELS_V3,      /* AVX2 and FMA */
    LU_KERNELS_V4,      /* AVX-512; bf16 emulated */
    LU_KERNELS_V4_BF16, /* AVX-512 with vdpbf16ps */
    LU_KERNELS_AMX,     /* the same with tiles */
    LU_KERNELS_COUNT
} lu_kernel_level;

/* The table of a level; NULL when it is not built or the processor cannot run it. */
const lu_kernels *lu_kernels_of(lu_kernel_level level);
/* The fastest table this processor runs, lowered by LUDUS_ISA. */
const lu_kernels *lu_kernels_best(void);

/* Elements of a packed matrix with n columns and k steps of the chain: forward has n = out,
 * k = in, back has n = in, k = out. */
size_t lu_packed_floats(int n, int k);
size_t lu_packed_bf16s(int n, int k);
size_t lu_packed_tiles(int n, int k); /* words */
/* lu_row_floats in elements for rows of bf16. */
size_t lu_row_bf16s(int n);

/* Factors of Adam for step t (from 1) and a gradient multiplied by `scale`. */
lu_adam lu_adam_at(long t, double rate, double beta1, double beta2, double eps, double decay,
                   double scale);

/* Muon: G[rows][cols] (rows of `stride`) becomes nearly orthogonal (singular values near 1) in 5
 * Newton-Schulz rounds, fp32; scale by sqrt(max(1, rows / cols)) is left to the caller. `room`
 * holds lu_muon_floats(rows, cols) floats. Costs about 10 min(r,c) (2 r c + min(r,c)^2) operations,
 * on the threads of `pool` (NULL: on this one) where that pays; the same bits for any number. */
size_t lu_muon_floats(int rows, int cols);
void lu_muon_orthogonal(const lu_kernels *k, lu_pool *pool, float *g, size_t stride, int rows,
                        int cols, float *room);

LU_C_END
