/* Heads in series (net.heads=autoregressive): each reads the features and the choices of the heads
 * before it. A choice is a row with one 1, so that its part of the first layer is one row of a
 * table that is added: the head matrix makes the other part for all heads at once. Behind it every
 * head has layers of its own. Choices carry no gradient; heads meet again in the features.
 * In inference lu_net_run makes the columns of the head matrix and lu_net_run_head the logits of a
 * head when the heads before it have chosen; in training all choices are known. Both give the same
 * bits. */
#include "net_internal.h"

#include <assert.h>
#include <string.h>

/* Output of layer i of a branch, [0]: of the head matrix. */
static net_rows branch_rows(const lu_net_work *work, int head, int i, int first) {
    const branch_work *w = &work->branch[head];
    return (net_rows){.at = w->y[i] + (size_t)first * w->stride[i], .stride = w->stride[i]};
}

/* The row of the table of `head` that the choice of an earlier head adds. */
static size_t table_row(const lu_net *net, int head, int earlier, int choice) {
    const net_branch *branch = &net->branch[head];
    assert(choice >= 0 && choice < net->head_offset[earlier + 1] - net->head_offset[earlier]);
    return branch->table + (size_t)(net->head_offset[earlier] + choice) * (size_t)branch->first;
}

static void activate(const lu_net *net, lu_activation act, float *restrict y, size_t n) {
    if (act == LU_ACT_TANH) {
        net->k->tanh(y, y, n);
    }
    for (size_t i = 0; i < n && act == LU_ACT_RELU; i++) {
        y[i] = 0.0f > y[i] ? 0.0f : y[i];
    }
}

static lu_activation first_act(const lu_net *net, const net_branch *branch) {
    return branch->layers ? net->config.activation : LU_ACT_NONE;
}

static void first_row(const lu_net *net, int head, const float *columns, const int32_t *actions,
                      float *y) {
    const net_branch *branch = &net->branch[head];
    size_t n = (size_t)branch->first;
    memcpy(y, columns + branch->column, n * sizeof *y);
    for (int earlier = 0; earlier < head; earlier++) {
        net->k->blend(1.0f, net->block + table_row(net, head, earlier, actions[earlier]), 1.0f, y,
                      n);
    }
    activate(net, first_act(net, branch), y, n);
}

/* From the last outputs of a branch to its logits: those that are pointed at stand first. */
static void write_logits(const lu_net *net, const lu_net_work *work, int head, int r,
                         const float *out, float *logits) {
    const net_branch *branch = &net->branch[head];
    int at = net->head_offset[head], options = net->head_offset[head + 1] - at, pointed = 0;
    if (branch->pointer >= 0) {
        const net_pointer *pointer = &net->pointer[branch->pointer];
        pointed = pointer->count;
        net_point(net, work, pointer, r, out + (options - pointed), logits);
    }
    memcpy(logits + at + pointed, out, (size_t)(options - pointed) * sizeof *logits);
}

void net_branch_forward(const lu_net *net, lu_net_work *work, int head, const net_stretch *rows,
                        float *logits, size_t stride) {
    const net_branch *branch = &net->branch[head];
    size_t at = (size_t)net->head_offset[head], options = (size_t)net->head_offset[head + 1] - at;
    for (size_t r = 0; r < (size_t)rows->rows && branch->first == 0; r++) {
        memset(logits + r * stride + at, 0, options * sizeof *logits);
    }
    if (branch->first == 0) {
        return;
    }
    net_rows y = branch_rows(work, head, 0, rows->first);
    for (size_t r = 0; r < (size_t)rows->rows; r++) {
        const float *columns = work->head + ((size_t)rows->at + r) * work->head_stride;
        first_row(net, head, columns, rows->actions + r * rows->actions_stride,
                  y.at + r * y.stride);
    }
    for (int i = 0; i < branch->layers; i++) {
        net_rows above = branch_rows(work, head, i + 1, rows->first);
        net_dense_forward(net, work, &branch->layer[i], rows->rows, y, above, branch->layer[i].act);
        y = above;
    }
    for (size_t r = 0; r < (size_t)rows->rows; r++) {
        write_logits(net, work, head, rows->first + (int)r, y.at + r * y.stride,
                     logits + r * stride);
    }
}

/* ---- backward ---- */

/* Gradient of the last outputs of a branch in one row. */
static void read_logits(const lu_net *net, lu_net_work *work, int head, int r, const float *out,
                        const float *dlogits, float *dout) {
    const net_branch *branch = &net->branch[head];
    int at = net->head_offset[head], options = net->head_offset[head + 1] - at, pointed = 0;
    if (branch->pointer >= 0) {
        const net_pointer *pointer = &net->pointer[branch->pointer];
        pointed = pointer->count;
        net_point_back(net, work, pointer, r, out + (options - pointed), dlogits,
                       dout + (options - pointed));
    }
    memcpy(dout, dlogits + at + pointed, (size_t)(options - pointed) * sizeof *dout);
}

/* From the gradient of the last outputs down to that of the columns of the head matrix; returns
 * where it lies. */
static net_rows layers_back(const lu_net *net, lu_net_work *work, int head, int first, int rows,
                            float *gradient) {
    const net_branch *branch = &net->branch[head];
    net_rows dy = {.at = work->dbranch[0], .stride = work->branch_stride};
    net_rows dx = {.at = work->dbranch[1], .stride = work->branch_stride};
    for (int i = branch->layers - 1; i >= 0; i--) {
        net_rows x = branch_rows(work, head, i, first);
        lu_activation below = i ? branch->layer[i - 1].act : first_act(net, branch);
        net_rows narrow = net_narrowed(net, work, rows, branch->layer[i].out, dy);
        net_dense_grad(net, work, &branch->layer[i], rows, narrow, x, gradient);
        net_dense_back(net, work, &branch->layer[i], rows, narrow, below, x, dx);
        net_rows swap = dy;
        dy = dx;
        dx = swap;
    }
    return dy;
}

static void branch_back(const lu_net *net, lu_net_work *work, int head, const net_stretch *rows,
                        const float *dlogits, size_t stride, float *gradient) {
    const net_branch *branch = &net->branch[head];
    net_rows out = branch_rows(work, head, branch->layers, rows->first);
    for (size_t r = 0; r < (size_t)rows->rows; r++) {
        read_logits(net, work, head, rows->first + (int)r, out.at + r * out.stride,
                    dlogits + r * stride, work->dbranch[0] + r * work->branch_stride);
    }
    net_rows d = layers_back(net, work, head, rows->first, rows->rows, gradient);
    size_t n = (size_t)branch->first;
    for (size_t r = 0; r < (size_t)rows->rows; r++) {
        const int32_t *actions = rows->actions + r * rows->actions_stride;
        const float *from = d.at + r * d.stride;
        memcpy(work->dhead + r * work->head_stride + branch->column, from, n * sizeof *from);
        for (int earlier = 0; earlier < head; earlier++) {
            net->k->blend(1.0f, from, 1.0f,
                          gradient + table_row(net, head, earlier, actions[earlier]), n);
        }
    }
}

void net_branches_back(const lu_net *net, lu_net_work *work, const net_stretch *rows,
                       const float *dlogits, size_t stride, float *gradient) {
    for (int h = 0; h < net->game->heads; h++) {
        if (net->branch[h].first > 0) {
            branch_back(net, work, h, rows, dlogits, stride, gradient);
        }
    }
}
