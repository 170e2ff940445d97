/* Dense layers of a net in its precision: the calls of the kernels, cut into blocks of rows. With
 * bf16 an operand is converted once, while it is in the caches, and the weights' gradient pairs the
 * rows of that copy: half the bytes of the original. With tiles the product that makes an operand
 * converts it too. */
#include "net_internal.h"

/* Rows from `first` on. */
static net_rows rows_from(net_rows x, int first) {
    return (net_rows){
        .at = x.at ? x.at + (size_t)first * x.stride : NULL,
        .stride = x.stride,
        .at16 = x.at16 ? x.at16 + (size_t)first * x.stride16 : NULL,
        .stride16 = x.stride16,
    };
}

/* By way of narrow[which]. */
static net_rows narrowed(const lu_net *net, lu_net_work *work, int rows, int n, net_rows x,
                         int which) {
    if (net->config.bf16 && !x.at16) {
        (net->config.tile ? net->k->to_tile_rows : net->k->to_bf16)(
            x.at, x.stride, rows, n, work->narrow[which], work->narrow_stride);
        x.at16 = work->narrow[which];
        x.stride16 = work->narrow_stride;
    }
    return x;
}

net_rows net_narrowed(const lu_net *net, lu_net_work *work, int rows, int n, net_rows dy) {
    return narrowed(net, work, rows, n, dy, 0);
}

/* A product that adds to the gradient waits for that of the chunk before. */
static void turn_begin(const lu_net_work *work) {
    if (work->turn) {
        lu_turn_wait(work->turn, work->number);
    }
}

static void turn_end(lu_net_work *work) {
    if (work->turn) {
        lu_turn_take(work->turn++);
    }
}

void net_dense_forward(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows x, net_rows y, lu_activation act) {
    for (int first = 0; first < rows; first += NET_BLOCK_ROWS) {
        int count = net_block(rows, first);
        net_rows from = rows_from(x, first);
        if (layer->strassen_forward && net_strassen_rows(work, count)) {
            net_strassen_forward(net, work, layer, count, from, rows_from(y, first), act);
            continue;
        }
        lu_dense_forward call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .x = from.at,
            .x_stride = from.stride,
            .packed = layer->forward,
            .packed16 = layer->forward16,
            .bias = layer->bias == NET_NONE ? NULL : net->block + layer->bias,
            .act = act,
            .y = y.at ? y.at + (size_t)first * y.stride : NULL,
            .y_stride = y.stride,
        };
        if (net->config.bf16 && from.at16 && from.at && !net->config.tile) {
            net->k->to_bf16(from.at, from.stride, count, layer->in, from.at16, from.stride16);
        }
        if (net->config.bf16) {
            from = net_narrowed(net, work, count, layer->in, from);
            call.x16 = from.at16;
            call.x_stride = from.stride16;
            call.tiles = layer->forward_tiles;
            call.y16 = y.at16 ? y.at16 + (size_t)first * y.stride16 : NULL;
            call.y16_stride = y.stride16;
            (net->config.tile ? net->k->forward_tile : net->k->forward_bf16)(&call);
        } else {
            net->k->forward(&call);
        }
    }
}

void net_dense_back(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, lu_activation act, net_rows below, net_rows dx) {
    net_dense_back_to(net, work, layer, rows, dy, act, below, dx, NULL);
}

void net_dense_back_to(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, lu_activation act, net_rows below, net_rows dx, float *db) {
    bool adds = net->config.tile && db;
    if (adds) {
        turn_begin(work);
    }
    for (int first = 0; first < rows; first += NET_BLOCK_ROWS) {
        int count = net_block(rows, first);
        net_rows from = rows_from(dy, first);
        if (layer->strassen_back && net_strassen_rows(work, count)) {
            net_strassen_back(net, work, layer, count, from, act, rows_from(below, first),
                              rows_from(dx, first));
            continue;
        }
        lu_dense_back call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .dy = from.at,
            .dy_stride = from.stride,
            .packed = layer->back,
            .packed16 = layer->back16,
            .act = act,
            .x = act == LU_ACT_NONE || !below.at ? NULL : below.at + (size_t)first * below.stride,
            .x_stride = below.stride,
            .dx = dx.at ? dx.at + (size_t)first * dx.stride : NULL,
            .dx_stride = dx.stride,
        };
        if (net->config.bf16) {
            from = net_narrowed(net, work, count, layer->out, from);
            call.dy16 = from.at16;
            call.dy_stride = from.stride16;
            call.tiles = layer->back_tiles;
            call.dx16 = dx.at16 ? dx.at16 + (size_t)first * dx.stride16 : NULL;
            call.dx16_stride = dx.stride16;
            call.x16 = below.at16 ? below.at16 + (size_t)first * below.stride16 : NULL;
            call.x16_stride = below.stride16;
            call.db = db;
            (net->config.tile ? net->k->back_tile : net->k->back_bf16)(&call);
        } else {
            net->k->back(&call);
        }
    }
    if (adds) {
        turn_end(work);
    }
}

static void pair(const lu_net *net, const lu_net_work *work, int rows, int n, net_rows from,
                 uint32_t *to) {
    if (from.at16) {
        net->k->pair_rows(from.at16, from.stride16, rows, n, to, work->pair_stride);
    } else {
        net->k->to_pairs(from.at, from.stride, rows, n, to, work->pair_stride);
    }
}

/* Both operands as tiles; the bias is summed in fp32, unless it was when dy was made. */
static void grad_by_tiles(const lu_net *net, lu_net_work *work, const net_layer *layer,
                          lu_dense_grad *call, net_rows dy, net_rows x) {
    const lu_kernels *k = net->k;
    dy = narrowed(net, work, call->rows, layer->out, dy, 0);
    x = narrowed(net, work, call->rows, layer->in, x, 1);
    k->row_tiles(dy.at16, dy.stride16, call->rows, layer->out, true, work->pairs[0]);
    k->row_tiles(x.at16, x.stride16, call->rows, layer->in, false, work->pairs[1]);
    if (call->db && dy.at) {
        k->bias_grad(dy.at, dy.stride, call->rows, layer->out, call->db);
    }
    call->dy_tiles = work->pairs[0];
    call->x_tiles = work->pairs[1];
    k->grad_tile(call);
}

void net_dense_grad(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, net_rows x, float *gradient) {
    float *db = layer->bias == NET_NONE ? NULL : gradient + layer->bias;
    turn_begin(work);
    for (int first = 0; first < rows; first += NET_BLOCK_ROWS) {
        int count = net_block(rows, first);
        net_rows from = rows_from(dy, first), by = rows_from(x, first);
        if (layer->fold_columns && net_strassen_rows(work, count)) {
            net_strassen_grad(net, work, layer, count, from, by, gradient);
            continue;
        }
        lu_dense_grad call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .dy = from.at,
            .dy_stride = from.stride,
            .x = by.at,
            .x_stride = by.stride,
            .dw = gradient + layer->weight,
            .dw_stride = (size_t)layer->in,
            .fresh = work->fresh && first == 0,
            .db = db,
        };
        if (net->config.tile) {
            grad_by_tiles(net, work, layer, &call, from, by);
        } else if (net->config.bf16) {
            pair(net, work, count, layer->out, from, work->pairs[0]);
            pair(net, work, count, layer->in, by, work->pairs[1]);
            if (db) {
                net->k->bias_grad(from.at, from.stride, count, layer->out, db);
            }
            call.dy_pairs = work->pairs[0];
            call.x_pairs = work->pairs[1];
            call.dy_stride = call.x_stride = work->pair_stride;
            call.db = NULL;
            net->k->grad_bf16(&call);
        } else {
            net->k->grad(&call);
        }
    }
    turn_end(work);
}

void net_act_back(lu_activation act, int rows, int n, net_rows y, net_rows d) {
    if (act == LU_ACT_NONE) {
        return;
    }
    for (int r = 0; r < rows; r++) {
        const float *restrict from = y.at + (size_t)r * y.stride;
        float *restrict to = d.at + (size_t)r * d.stride;
        if (act == LU_ACT_RELU) {
            for (int i = 0; i < n; i++) {
                to[i] = from[i] > 0.0f ? to[i] : 0.0f;
            }
        } else {
            for (int i = 0; i < n; i++) {
                to[i] *= 1.0f - from[i] * from[i];
            }
        }
    }
}
