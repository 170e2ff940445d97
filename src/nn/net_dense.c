/* Dense layers of a net in its precision: the calls of the kernels, cut into blocks of rows. With
 * bf16 the operands of each block are converted on the way into the product, while they are in the
 * caches; keeping converted copies from forward to backward would cost more than it saves. */
#include "net_inside.h"

void net_dense_forward(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows x, net_rows y, lu_activation act) {
    for (int first = 0; first < rows; first += LU_BLOCK_ROWS) {
        int count = net_block(rows, first);
        lu_dense_forward call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .x = x.at + (size_t)first * x.stride,
            .x_stride = x.stride,
            .panels = layer->forward,
            .panels16 = layer->forward16,
            .bias = layer->bias == NET_NONE ? NULL : net->block + layer->bias,
            .act = act,
            .y = y.at + (size_t)first * y.stride,
            .y_stride = y.stride,
        };
        if (net->config.bf16) {
            net->k->to_bf16(call.x, x.stride, count, layer->in, work->narrow, work->narrow_stride);
            call.x16 = work->narrow;
            call.x_stride = work->narrow_stride;
            net->k->forward_bf16(&call);
        } else {
            net->k->forward(&call);
        }
    }
}

void net_dense_back(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, lu_activation act, net_rows below, net_rows dx) {
    for (int first = 0; first < rows; first += LU_BLOCK_ROWS) {
        int count = net_block(rows, first);
        lu_dense_back call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .dy = dy.at + (size_t)first * dy.stride,
            .dy_stride = dy.stride,
            .panels = layer->back,
            .panels16 = layer->back16,
            .act = act,
            .x = act == LU_ACT_NONE ? NULL : below.at + (size_t)first * below.stride,
            .x_stride = below.stride,
            .dx = dx.at + (size_t)first * dx.stride,
            .dx_stride = dx.stride,
        };
        if (net->config.bf16) {
            net->k->to_bf16(call.dy, dy.stride, count, layer->out, work->narrow,
                            work->narrow_stride);
            call.dy16 = work->narrow;
            call.dy_stride = work->narrow_stride;
            net->k->back_bf16(&call);
        } else {
            net->k->back(&call);
        }
    }
}

void net_dense_grad(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                    net_rows dy, net_rows x, float *gradient) {
    float *db = layer->bias == NET_NONE ? NULL : gradient + layer->bias;
    for (int first = 0; first < rows; first += LU_BLOCK_ROWS) {
        int count = net_block(rows, first);
        lu_dense_grad call = {
            .rows = count,
            .in = layer->in,
            .out = layer->out,
            .dy = dy.at + (size_t)first * dy.stride,
            .dy_stride = dy.stride,
            .x = x.at + (size_t)first * x.stride,
            .x_stride = x.stride,
            .dw = gradient + layer->weight,
            .dw_stride = (size_t)layer->in,
            .db = db,
        };
        if (net->config.bf16) {
            net->k->to_pairs(call.dy, dy.stride, count, layer->out, work->pairs[0],
                             work->pair_stride);
            net->k->to_pairs(call.x, x.stride, count, layer->in, work->pairs[1], work->pair_stride);
            if (db) {
                net->k->bias_grad(call.dy, dy.stride, count, layer->out, db);
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
