/* What stands on the features: one matrix gives the linear logits, the value of a shared critic and
 * the queries of pointer heads; a mixed or separate critic adds a layer of one row. Q nets with
 * dueling turn (advantage, value) into Q. The files below this one never see a logit. */
#include "net_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What the towers below the heads gave for a block. */
static net_rows net_features(const lu_net *net, const lu_net_work *work, int t, int first) {
    const tower_work *tw = &work->tower[t];
    const net_tower *tower = &net->tower[t];
    if (!tower->memories) {
        return net_layer_rows(tw, tower->layers - 1, first);
    }
    float *at = tw->memory[tower->memories - 1].out;
    return (net_rows){.at = at + (size_t)first * tw->h_stride, .stride = tw->h_stride};
}

/* Activation to undo below the heads: that of the trunk, or none when a memory is between. */
static lu_activation features_act(const lu_net *net, int t) {
    const net_tower *tower = &net->tower[t];
    return tower->memories ? LU_ACT_NONE : tower->layer[tower->layers - 1].act;
}

static float pointer_scale(const lu_net *net) {
    return 1.0f / sqrtf((float)net->config.entity_width);
}

/* Sum of products in 16 partial sums, so that it can be vector code with one order. */
static float dot(const float *restrict a, const float *restrict b, size_t n) {
    float part[16] = {0};
    size_t whole = n / 16 * 16;
    for (size_t i = 0; i < whole; i += 16) {
        for (size_t j = 0; j < 16; j++) {
            part[j] += a[i + j] * b[i + j];
        }
    }
    for (size_t i = whole; i < n; i++) {
        part[i - whole] += a[i] * b[i];
    }
    for (size_t half = 8; half > 0; half /= 2) {
        for (size_t j = 0; j < half; j++) {
            part[j] += part[j + half];
        }
    }
    return part[0];
}

/* ---- forward ---- */

void net_point(const lu_net *net, const lu_net_work *work, const net_pointer *pointer, int r,
               const float *query, float *logits) {
    size_t width = (size_t)net->config.entity_width;
    float scale = pointer_scale(net);
    const group_work *w = &work->tower[0].group[pointer->group];
    int slots = net->tower[0].group[pointer->group].group->slots;
    const int32_t *where = w->where + r * slots;
    for (int s = 0; s < pointer->count; s++) {
        logits[pointer->logit + s] =
            where[s] < 0 ? 0.0f : dot(query, w->y + (size_t)where[s] * w->y_stride, width) * scale;
    }
}

/* Logits of pointer heads of row r; their queries are kept. */
static void point(const lu_net *net, lu_net_work *work, int r, const float *head, float *logits) {
    size_t width = (size_t)net->config.entity_width;
    for (int p = 0; p < net->pointers; p++) {
        const net_pointer *pointer = &net->pointer[p];
        float *query = work->queries + (size_t)r * work->query_stride + (size_t)p * width;
        memcpy(query, head + pointer->column, width * sizeof *query);
        net_point(net, work, pointer, r, query, logits);
    }
}

static void duel(const lu_net *net, float value, float *logits) {
    for (int h = 0; h < net->game->heads; h++) {
        float *q = logits + net->head_offset[h];
        int n = net->head_offset[h + 1] - net->head_offset[h];
        float sum = 0.0f;
        for (int o = 0; o < n; o++) {
            sum += q[o];
        }
        float mean = sum / (float)n;
        for (int o = 0; o < n; o++) {
            q[o] = value + (q[o] - mean);
        }
    }
}

static void write_row(const lu_net *net, lu_net_work *work, int r, const float *head,
                      float *logits) {
    if (net->pointers == 0) {
        memcpy(logits, head, (size_t)net->logits * sizeof *logits);
    } else {
        for (int i = 0; i < net->logits; i++) {
            if (net->column[i] >= 0) {
                logits[i] = head[net->column[i]];
            }
        }
        point(net, work, r, head, logits);
    }
    if (net->kind == LU_NET_Q && net->config.dueling) {
        duel(net, head[net->value_column], logits);
    }
}

/* Value of a mixed or separate critic. */
static void critic_value(const lu_net *net, lu_net_work *work, const net_source *source, int first,
                         int rows, float *value) {
    net_rows x = net_features(net, work, net->mixed ? 0 : 1, first);
    net_rows single = {.at = work->single, .stride = work->single_stride};
    if (net->mixed) {
        size_t hidden = (size_t)net->config.hidden;
        net_rows mix = {.at = work->mix_x + (size_t)first * work->mix_stride,
                        .stride = work->mix_stride};
        net_rows y = {.at = work->mix_y + (size_t)first * x.stride, .stride = x.stride};
        for (int r = 0; r < rows; r++) {
            float *to = mix.at + (size_t)r * mix.stride;
            memcpy(to, x.at + (size_t)r * x.stride, hidden * sizeof *to);
            net_normalise(net, source->critic_normaliser, net_critic_row(source, first + r),
                          net->critic, to + hidden);
        }
        net_dense_forward(net, work, &net->mix, rows, mix, y, net->mix.act);
        x = y;
    }
    net_dense_forward(net, work, &net->value, rows, x, single, LU_ACT_NONE);
    for (int r = 0; r < rows; r++) {
        value[r] = single.at[(size_t)r * single.stride];
    }
}

/* Whether the output of the head matrix can be the rows of logits, the value behind them. */
static bool writes_logits(const lu_net *net, size_t stride) {
    bool as_is =
        !net->branch && net->pointers == 0 && !(net->kind == LU_NET_Q && net->config.dueling);
    return as_is && stride % 16 == 0 && stride >= (size_t)net->head.out;
}

static net_stretch stretch_of(const net_source *source, int first, int rows) {
    size_t stride = source->actions_stride;
    return (net_stretch){
        .first = first,
        .rows = rows,
        .actions = source->actions ? source->actions + (size_t)first * stride : NULL,
        .actions_stride = stride,
    };
}

void net_heads_forward(const lu_net *net, lu_net_work *work, const net_source *source, int first,
                       int rows, float *logits, size_t stride, float *value) {
    bool in_place = writes_logits(net, stride);
    net_rows head = {.at = work->head, .stride = work->head_stride};
    if (in_place) {
        head = (net_rows){.at = logits + (size_t)first * stride, .stride = stride};
    }
    net_dense_forward(net, work, &net->head, rows, net_features(net, work, 0, first), head,
                      LU_ACT_NONE);
    net_stretch stretch = stretch_of(source, first, rows);
    for (int h = 0; h < net->game->heads && net->branch && source->actions; h++) {
        net_branch_forward(net, work, h, &stretch, logits + (size_t)first * stride, stride);
    }
    for (int r = 0; r < rows; r++) {
        const float *row = head.at + (size_t)r * head.stride;
        if (!in_place && !net->branch) {
            write_row(net, work, first + r, row, logits + (size_t)(first + r) * stride);
        }
        if (value) {
            value[first + r] = net->value_column >= 0 ? row[net->value_column] : 0.0f;
        }
    }
    if (value && net->value.out) {
        critic_value(net, work, source, first, rows, value + first);
    }
}

/* ---- backward ---- */

void net_point_back(const lu_net *net, lu_net_work *work, const net_pointer *pointer, int r,
                    const float *restrict query, const float *dlogits, float *restrict dquery) {
    size_t width = (size_t)net->config.entity_width;
    float scale = pointer_scale(net);
    group_work *w = &work->tower[0].group[pointer->group];
    int slots = net->tower[0].group[pointer->group].group->slots;
    const int32_t *where = w->where + r * slots;
    memset(dquery, 0, width * sizeof *dquery);
    for (int s = 0; s < pointer->count; s++) {
        float d = dlogits[pointer->logit + s] * scale;
        if (where[s] < 0 || d == 0.0f) {
            continue;
        }
        const float *restrict feature = w->y + (size_t)where[s] * w->y_stride;
        float *restrict dfeature = w->dy + (size_t)where[s] * w->y_stride;
        for (size_t e = 0; e < width; e++) {
            dquery[e] += d * feature[e];
            dfeature[e] += d * query[e];
        }
    }
}

static void point_back(const lu_net *net, lu_net_work *work, int r, const float *dlogits,
                       float *dhead) {
    size_t width = (size_t)net->config.entity_width;
    for (int p = 0; p < net->pointers; p++) {
        const float *query = work->queries + (size_t)r * work->query_stride + (size_t)p * width;
        net_point_back(net, work, &net->pointer[p], r, query, dlogits,
                       dhead + net->pointer[p].column);
    }
}

/* dq becomes the gradient of the advantages; returns that of the value. */
static float duel_back(const lu_net *net, float *dq) {
    float all = 0.0f;
    for (int h = 0; h < net->game->heads; h++) {
        float *d = dq + net->head_offset[h], sum = 0.0f;
        int n = net->head_offset[h + 1] - net->head_offset[h];
        for (int o = 0; o < n; o++) {
            sum += d[o];
        }
        float mean = sum / (float)n;
        for (int o = 0; o < n; o++) {
            d[o] -= mean;
        }
        all += sum;
    }
    return all;
}

/* Gradient of the output of the head matrix for one row. `room` holds the logits of a row. */
static void row_back(const lu_net *net, lu_net_work *work, int r, const float *dlogits,
                     float dvalue, float *dhead, float *room) {
    if (net->kind == LU_NET_Q && net->config.dueling) {
        memcpy(room, dlogits, (size_t)net->logits * sizeof *room);
        dvalue = duel_back(net, room);
        dlogits = room;
    }
    if (net->branch) {
        /* net_branches_back did it */
    } else if (net->pointers == 0) {
        memcpy(dhead, dlogits, (size_t)net->logits * sizeof *dhead);
    } else {
        for (int i = 0; i < net->logits; i++) {
            if (net->column[i] >= 0) {
                dhead[net->column[i]] = dlogits[i];
            }
        }
        point_back(net, work, r, dlogits, dhead);
    }
    if (net->value_column >= 0) {
        dhead[net->value_column] = dvalue;
    }
}

/* Adds to the gradient of the features what a mixed critic sends back, and undoes the activation.
 */
static void mix_back(const lu_net *net, lu_net_work *work, int first, int rows, float *gradient) {
    size_t stride = work->tower[0].h_stride;
    net_rows d = {.at = work->tower[0].d + (size_t)first * stride, .stride = stride};
    net_rows single = {.at = work->single, .stride = work->single_stride},
             dy = {.at = work->dmix_y, .stride = stride};
    net_rows y = {.at = work->mix_y + (size_t)first * stride, .stride = stride};
    net_rows x = {.at = work->mix_x + (size_t)first * work->mix_stride, .stride = work->mix_stride};
    net_rows dx = {.at = work->dmix_x, .stride = work->mix_stride};
    net_dense_grad(net, work, &net->value, rows, single, y, gradient);
    net_dense_back(net, work, &net->value, rows, single, net->mix.act, y, dy);
    net_dense_grad(net, work, &net->mix, rows, dy, x, gradient);
    net_dense_back(net, work, &net->mix, rows, dy, LU_ACT_NONE, dx, dx);
    for (int r = 0; r < rows; r++) {
        float *restrict to = d.at + (size_t)r * d.stride;
        const float *restrict from = dx.at + (size_t)r * dx.stride;
        for (int i = 0; i < net->config.hidden; i++) {
            to[i] += from[i];
        }
    }
    net_act_back(features_act(net, 0), rows, net->config.hidden, net_features(net, work, 0, first),
                 d);
}

/* Back from a matrix of heads to the gradient of the features of a block; with tiles at once in the
 * form that the trunk takes, unless more is to come. */
static void features_back(const lu_net *net, lu_net_work *work, int t, const net_layer *layer,
                          int first, int rows, net_rows dy, float *gradient) {
    tower_work *tw = &work->tower[t];
    const net_tower *tower = &net->tower[t];
    bool more = net->mixed || tower->memories > 0;
    net_rows d = net_features_gradient(tw, tower, first);
    tw->d_narrowed = tw->d16[0] && !more;
    d = tw->d_narrowed ? net_gradient_rows(tw, 0, first) : d;
    float *db =
        tw->d_narrowed ? net_bias_gradient(&tower->layer[tower->layers - 1], gradient) : NULL;
    net_dense_back_to(net, work, layer, rows, dy, net->mixed ? LU_ACT_NONE : features_act(net, t),
                      net_features(net, work, t, first), d, db);
}

void net_heads_back(const lu_net *net, lu_net_work *work, const net_source *source, int first,
                    int rows, const float *dlogits, size_t stride, const float *dvalue,
                    float *gradient) {
    net_rows x = net_features(net, work, 0, first),
             dhead = {.at = work->dhead, .stride = work->head_stride};
    for (int t = 0; t < net->towers; t++) {
        net_slots_clear(net, work, t, first, rows);
    }
    if (net->branch) {
        net_stretch stretch = stretch_of(source, first, rows);
        net_branches_back(net, work, &stretch, dlogits + (size_t)first * stride, stride, gradient);
    }
    for (int r = 0; r < rows; r++) {
        float value = dvalue ? dvalue[first + r] : 0.0f;
        row_back(net, work, first + r, dlogits + (size_t)(first + r) * stride, value,
                 dhead.at + (size_t)r * dhead.stride, work->logits);
        work->single[(size_t)r * work->single_stride] = value;
    }
    dhead = net_narrowed(net, work, rows, net->head.out, dhead);
    net_dense_grad(net, work, &net->head, rows, dhead, x, gradient);
    features_back(net, work, 0, &net->head, first, rows, dhead, gradient);
    if (net->mixed) {
        mix_back(net, work, first, rows, gradient);
    } else if (net->value.out) {
        net_rows single = {.at = work->single, .stride = work->single_stride};
        net_rows y = net_features(net, work, 1, first);
        net_dense_grad(net, work, &net->value, rows, single, y, gradient);
        features_back(net, work, 1, &net->value, first, rows, single, gradient);
    }
}
