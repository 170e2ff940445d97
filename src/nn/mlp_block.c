/* Forward and backward of blocks of rows: see mlp_block.h. */
#include "mlp_block.h"

#include <assert.h>

static size_t aligned(size_t bytes) {
    return (bytes + 127) / 64 * 64;
}

static void *take(lu_arena *arena, size_t bytes) {
    void *block = lu_arena_take(arena, bytes, 64);
    assert(block && "arena smaller than lu_mlp_bytes");
    return block;
}

size_t lu_mlp_bytes(const int *sizes, int layers) {
    size_t bytes = 0;
    for (int l = 0; l < layers; l++) {
        int in = sizes[l], out = sizes[l + 1];
        bytes += aligned(sizeof(float) * ((size_t)out * lu_row_floats(in) + lu_row_floats(out)));
        bytes += aligned(sizeof(float) * lu_packed_floats(out, in + 1));
        bytes += aligned(sizeof(float) * lu_packed_floats(in, out + 1));
    }
    return bytes + 64;
}

size_t lu_mlp_work_bytes(const int *sizes, int layers) {
    size_t bytes = 0, widest = 0;
    for (int l = 0; l <= layers; l++) {
        size_t row = lu_row_floats(sizes[l]);
        widest = row > widest ? row : widest;
        bytes += aligned(2 * sizeof(float) * row * LU_BLOCK_ROWS);
        bytes += l < layers ? aligned(sizeof(float) *
                                      ((size_t)sizes[l + 1] * row + lu_row_floats(sizes[l + 1])))
                            : 0;
    }
    return bytes + 3 * aligned(sizeof(float) * (widest + 32) * LU_BLOCK_ROWS) + 64;
}

void lu_mlp_init(lu_mlp *mlp, const lu_kernels *k, const int *sizes, int layers, lu_activation act,
                 bool bf16, lu_arena *arena) {
    assert(layers >= 1 && layers <= LU_MLP_LAYERS);
    *mlp = (lu_mlp){.k = k, .layers = layers, .bf16 = bf16};
    for (int l = 0; l < layers; l++) {
        lu_mlp_layer *layer = &mlp->layer[l];
        int in = sizes[l], out = sizes[l + 1];
        *layer = (lu_mlp_layer){.in = in,
                                .out = out,
                                .act = l + 1 < layers ? act : LU_ACT_NONE,
                                .stride = lu_row_floats(in),
                                .w_at = mlp->param_floats};
        layer->b_at = layer->w_at + (size_t)out * layer->stride;
        mlp->param_floats = layer->b_at + lu_row_floats(out);
        if (bf16) {
            layer->forward_packed16 = take(arena, sizeof(uint16_t) * lu_packed_bf16s(out, in));
            layer->back_packed16 = take(arena, sizeof(uint16_t) * lu_packed_bf16s(in, out));
        } else {
            layer->forward_packed = take(arena, sizeof(float) * lu_packed_floats(out, in));
            layer->back_packed = take(arena, sizeof(float) * lu_packed_floats(in, out));
        }
    }
    mlp->params = take(arena, sizeof(float) * mlp->param_floats);
}

void lu_mlp_work_init(lu_mlp_work *work, const lu_mlp *mlp, lu_arena *arena) {
    *work = (lu_mlp_work){.grads = take(arena, sizeof(float) * mlp->param_floats)};
    size_t widest = lu_row_floats(mlp->layer[0].in);
    for (int l = 0; l < mlp->layers; l++) {
        size_t stride = lu_row_floats(mlp->layer[l].out);
        work->stride[l] = stride;
        work->y[l] = take(arena, sizeof(float) * stride * LU_BLOCK_ROWS);
        work->dy[l] = take(arena, sizeof(float) * stride * LU_BLOCK_ROWS);
        widest = stride > widest ? stride : widest;
    }
    if (mlp->bf16) {
        work->rows16 = take(arena, sizeof(uint16_t) * (widest + 32) * LU_BLOCK_ROWS);
        work->x_pairs = take(arena, sizeof(uint32_t) * widest * LU_BLOCK_ROWS / 2);
        work->dy_pairs = take(arena, sizeof(uint32_t) * widest * LU_BLOCK_ROWS / 2);
    }
}

void lu_mlp_pack(lu_mlp *mlp) {
    for (int l = 0; l < mlp->layers; l++) {
        const lu_mlp_layer *layer = &mlp->layer[l];
        const float *w = mlp->params + layer->w_at;
        if (mlp->bf16) {
            mlp->k->pack_forward_bf16(w, layer->stride, layer->out, layer->in,
                                      layer->forward_packed16);
        } else {
            mlp->k->pack_forward(w, layer->stride, layer->out, layer->in, layer->forward_packed);
        }
        /* nobody asks for the gradient by the input */
        if (l > 0 && mlp->bf16) {
            mlp->k->pack_back_bf16(w, layer->stride, layer->out, layer->in, layer->back_packed16);
        } else if (l > 0) {
            mlp->k->pack_back(w, layer->stride, layer->out, layer->in, layer->back_packed);
        }
    }
}

void lu_mlp_forward(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                    int rows) {
    assert(rows <= LU_BLOCK_ROWS);
    for (int l = 0; l < mlp->layers; l++) {
        const lu_mlp_layer *layer = &mlp->layer[l];
        lu_dense_forward call = {.rows = rows,
                                 .in = layer->in,
                                 .out = layer->out,
                                 .x = l ? work->y[l - 1] : x,
                                 .x_stride = l ? work->stride[l - 1] : x_stride,
                                 .packed = layer->forward_packed,
                                 .packed16 = layer->forward_packed16,
                                 .bias = mlp->params + layer->b_at,
                                 .act = layer->act,
                                 .y = work->y[l],
                                 .y_stride = work->stride[l]};
        if (mlp->bf16) {
            size_t stride = lu_row_bf16s(layer->in);
            mlp->k->to_bf16(call.x, call.x_stride, rows, layer->in, work->rows16, stride);
            call.x16 = work->rows16;
            call.x_stride = stride;
            mlp->k->forward_bf16(&call);
        } else {
            mlp->k->forward(&call);
        }
    }
}

static void weight_gradient(const lu_mlp *mlp, lu_mlp_work *work, int l, const float *x,
                            size_t x_stride, int rows) {
    const lu_mlp_layer *layer = &mlp->layer[l];
    lu_dense_grad call = {.rows = rows,
                          .in = layer->in,
                          .out = layer->out,
                          .dy = work->dy[l],
                          .dy_stride = work->stride[l],
                          .x = x,
                          .x_stride = x_stride,
                          .dw = work->grads + layer->w_at,
                          .dw_stride = layer->stride,
                          .db = work->grads + layer->b_at};
    if (!mlp->bf16) {
        mlp->k->grad(&call);
        return;
    }
    mlp->k->bias_grad(call.dy, call.dy_stride, rows, call.out, call.db);
    mlp->k->to_pairs(call.dy, call.dy_stride, rows, call.out, work->dy_pairs, call.dy_stride);
    mlp->k->to_pairs(x, x_stride, rows, call.in, work->x_pairs, layer->stride);
    call.dy_pairs = work->dy_pairs;
    call.x_pairs = work->x_pairs;
    call.x_stride = layer->stride;
    mlp->k->grad_bf16(&call);
}

void lu_mlp_backward(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                     int rows) {
    for (int l = mlp->layers - 1; l >= 0; l--) {
        const lu_mlp_layer *layer = &mlp->layer[l];
        weight_gradient(mlp, work, l, l ? work->y[l - 1] : x, l ? work->stride[l - 1] : x_stride,
                        rows);
        if (l == 0) {
            break;
        }
        lu_dense_back call = {.rows = rows,
                              .in = layer->in,
                              .out = layer->out,
                              .dy = work->dy[l],
                              .dy_stride = work->stride[l],
                              .packed = layer->back_packed,
                              .packed16 = layer->back_packed16,
                              .act = mlp->layer[l - 1].act,
                              .x = work->y[l - 1],
                              .x_stride = work->stride[l - 1],
                              .dx = work->dy[l - 1],
                              .dx_stride = work->stride[l - 1]};
        if (mlp->bf16) {
            size_t stride = lu_row_bf16s(layer->out);
            mlp->k->to_bf16(call.dy, call.dy_stride, rows, layer->out, work->rows16, stride);
            call.dy16 = work->rows16;
            call.dy_stride = stride;
            mlp->k->back_bf16(&call);
        } else {
            mlp->k->back(&call);
        }
    }
}

void lu_mlp_gradient(const lu_mlp *mlp, lu_mlp_work *work, const float *x, size_t x_stride,
                     int rows, lu_mlp_loss *loss, void *context) {
    int last = mlp->layers - 1;
    for (int first = 0; first < rows; first += LU_BLOCK_ROWS) {
        int count = rows - first < LU_BLOCK_ROWS ? rows - first : LU_BLOCK_ROWS;
        const float *block = x + (size_t)first * x_stride;
        lu_mlp_forward(mlp, work, block, x_stride, count);
        loss(context, first, count, work->y[last], work->dy[last], work->stride[last]);
        lu_mlp_backward(mlp, work, block, x_stride, count);
    }
}
