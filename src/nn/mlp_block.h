/* A multilayer perceptron walked block by block: 96 rows go forward through all layers, the caller
 * turns the outputs into gradients, and the same rows go backward while their activations are still
 * in the second cache. Gradients of the weights add up over the blocks in row order, so that they
 * do not depend on the block size. Ownership: all memory comes from the caller's arena and lives as
 * long as it. Threads: an lu_mlp is read by all; a lu_mlp_work (activations, gradients) belongs to
 * one thread. */
#pragma once

#include "kernels.h"
#include "ludus/arena.h"

LU_C_BEGIN

enum { LU_MLP_LAYERS = 8 };

typedef struct lu_mlp_layer {
    int in, out;
    lu_activation act;
    size_t stride;                       /* of rows of w and dw, in floats; padding stays 0 */
    size_t w_at, b_at;                   /* in the block of parameters, and in that of gradients */
    float *forward_packed, *back_packed; /* NULL with bf16 */
    uint16_t *forward_packed16, *back_packed16;
} lu_mlp_layer;

typedef struct lu_mlp {
    const lu_kernels *k;
    int layers;
    bool bf16;
    size_t param_floats; /* one block for all parameters, padding included */
    float *params;
    lu_mlp_layer layer[LU_MLP_LAYERS];
} lu_mlp;

/* What one thread needs for one block. */
typedef struct lu_mlp_work {
    float *grads;                 /* param_floats, added to */
    float *y[LU_MLP_LAYERS];      /* outputs of the layers */
    float *dy[LU_MLP_LAYERS];     /* gradients by them */
    size_t stride[LU_MLP_LAYERS]; /* of both */
    uint16_t *rows16;             /* the operand of the product at work, bf16 */
    uint32_t *x_pairs, *dy_pairs;
} lu_mlp_work;

/* Gradient of the loss by the outputs of rows first .. first + rows - 1; writes all of dout. */
typedef void lu_mlp_loss(void *context, int first, int rows, const float *out, float *dout,
                         size_t stride);

/* Floats' worth of arena that the two take, in bytes, a little more than needed. */
size_t lu_mlp_bytes(const int *sizes, int layers);
size_t lu_mlp_work_bytes(const int *sizes, int layers);
/* sizes: layers + 1 numbers, e.g. {260, 256, 256, 70}; the last layer has no activation. Parameters
 * start as zeros. */
void lu_mlp_init(lu_mlp *mlp, const lu_kernels *k, const int *sizes, int layers, lu_activation act,
                 bool bf16, lu_arena *arena);
void lu_mlp_work_init(lu_mlp_work *work, const lu_mlp *mlp, lu_arena *arena);

/* Packs the weights; after every change of the parameters. */
void lu_mlp_pack(lu_mlp *mlp);
/* At most LU_BLOCK_ROWS rows forward; the result is work->y[layers - 1]. */
void lu_mlp_forward(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                    int rows);
/* The same rows backward from work->dy[layers - 1], which the caller has filled. */
void lu_mlp_backward(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                     int rows);
/* All rows, block by block: forward, loss, backward. */
void lu_mlp_gradient(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                     int rows, lu_mlp_loss *loss, void *context);

LU_C_END
