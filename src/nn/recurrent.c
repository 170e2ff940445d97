/* Recurrent layers on a chunk of segments. Rows are ordered by time, so that a step is a run of
 * rows and a step back is `segments` rows up.
 *
 * MinGRU with highway, per layer one product H -> 3H giving (candidate, gate, way):
 *   z = sigmoid(gate), c = candidate >= 0 ? candidate + 1/2 : sigmoid(candidate)
 *   h = (1 - z) h' + z c, out = s h + (1 - s) x with s = sigmoid(way)
 * The product does not depend on h, so that it is done for all rows at once and only the
 * elementwise scan walks the time. LSTM as torch.nn.LSTMCell: (i, f, g, o) = W_ih x + b_ih + W_hh
 * h' + b_hh, c = f c' + i g, h = o tanh(c). The product with x is done for all rows, the one with
 * h' step by step. State is zeroed in front of a row that starts an episode, and no gradient passes
 * there. */
#include "net_internal.h"

#include <string.h>

static bool starts_at(const net_source *s, int row) {
    return s->starts && s->starts[row];
}

/* State in front of row r: `offset` is its place in the stored recurrent state, `rows` the states
 * after each row. NULL: zeros. */
static const float *state_before(const lu_net *net, const net_source *s, const float *rows,
                                 size_t stride, int r, size_t offset) {
    if (starts_at(s, r)) {
        return NULL;
    }
    if (r >= s->segments) {
        return rows + (size_t)(r - s->segments) * stride;
    }
    return s->memory ? s->memory + (size_t)r * net->memory_floats + offset : NULL;
}

static void copy_or_zero(float *to, const float *from, size_t n) {
    if (from) {
        memcpy(to, from, n * sizeof *to);
    } else {
        memset(to, 0, n * sizeof *to);
    }
}

/* v = sigmoid(v). */
static void sigmoids(const lu_kernels *k, float *restrict v, size_t n) {
    for (size_t i = 0; i < n; i++) {
        v[i] = -v[i];
    }
    k->exp(v, v, n);
    for (size_t i = 0; i < n; i++) {
        v[i] = 1.0f / (1.0f + v[i]);
    }
}

/* The end state of every segment, for the next call. */
static void keep_state(const lu_net *net, const net_source *s, const float *rows, size_t stride,
                       size_t offset) {
    if (!s->memory_out) {
        return;
    }
    int last = (s->steps - 1) * s->segments;
    for (int i = 0; i < s->segments; i++) {
        memcpy(s->memory_out + (size_t)i * net->memory_floats + offset,
               rows + (size_t)(last + i) * stride, (size_t)net->config.hidden * sizeof(float));
    }
}

/* ---- MinGRU ---- */

/* Activates the gates of one row: candidate, z, s. */
static void mingru_gates(const lu_kernels *k, float *restrict g, size_t n) {
    float room[256];
    for (size_t first = 0; first < n; first += 256) {
        size_t count = n - first < 256 ? n - first : 256;
        memcpy(room, g + first, count * sizeof *room);
        sigmoids(k, room, count);
        for (size_t i = 0; i < count; i++) {
            float v = g[first + i];
            g[first + i] = v >= 0.0f ? v + 0.5f : room[i];
        }
    }
    sigmoids(k, g + n, 2 * n);
}

static void mingru_forward(const lu_net *net, lu_net_work *work, int t, int layer,
                           const net_source *source, net_rows x) {
    tower_work *tw = &work->tower[t];
    memory_work *m = &tw->memory[layer];
    size_t n = (size_t)net->config.hidden, stride = tw->h_stride;
    size_t offset = net->tower[t].memory_at + (size_t)layer * n;
    net_rows gates = {.at = m->gates, .stride = tw->gate_stride};
    net_dense_forward(net, work, &net->tower[t].memory[layer], source->rows, x, gates, LU_ACT_NONE);
    for (int r = 0; r < source->rows; r++) {
        size_t at = (size_t)r * stride;
        float *g = m->gates + (size_t)r * tw->gate_stride;
        copy_or_zero(m->before + at, state_before(net, source, m->state, stride, r, offset), n);
        mingru_gates(net->k, g, n);
        const float *restrict c = g, *restrict z = g + n, *restrict s = g + 2 * n;
        const float *restrict in = x.at + (size_t)r * x.stride, *restrict before = m->before + at;
        float *restrict h = m->state + at, *restrict out = m->out + at;
        for (size_t i = 0; i < n; i++) {
            h[i] = (1.0f - z[i]) * before[i] + z[i] * c[i];
            out[i] = s[i] * h[i] + (1.0f - s[i]) * in[i];
        }
    }
    keep_state(net, source, m->state, stride, offset);
}

/* One row: from dout and what flows back in time (carry) to the gradients of the gates and of x by
 * the highway (over dout); the carry is replaced by that of the row before. */
static void mingru_row_back(const float *restrict g, const float *restrict x,
                            const float *restrict before, const float *restrict h, size_t n,
                            bool start, float *restrict dout, float *restrict carry,
                            float *restrict dg) {
    for (size_t i = 0; i < n; i++) {
        float c = g[i], z = g[n + i], s = g[2 * n + i], d = dout[i];
        float dh = d * s + carry[i];
        float dc = dh * z;
        dg[i] = c >= 0.5f ? dc : dc * (c * (1.0f - c));
        dg[n + i] = dh * (c - before[i]) * (z * (1.0f - z));
        dg[2 * n + i] = d * (h[i] - x[i]) * (s * (1.0f - s));
        carry[i] = start ? 0.0f : dh * (1.0f - z);
        dout[i] = d * (1.0f - s);
    }
}

static void mingru_back(const lu_net *net, lu_net_work *work, int t, int layer,
                        const net_source *source, net_rows x, float *gradient) {
    tower_work *tw = &work->tower[t];
    memory_work *m = &tw->memory[layer];
    const net_layer *weights = &net->tower[t].memory[layer];
    size_t n = (size_t)net->config.hidden, stride = tw->h_stride;
    memset(tw->carry, 0, (size_t)source->segments * stride * sizeof(float));
    for (int r = source->rows - 1; r >= 0; r--) {
        size_t at = (size_t)r * stride, gate = (size_t)r * tw->gate_stride;
        mingru_row_back(m->gates + gate, x.at + (size_t)r * x.stride, m->before + at, m->state + at,
                        n, starts_at(source, r), tw->d + at,
                        tw->carry + (size_t)(r % source->segments) * stride, tw->dgates + gate);
    }
    net_rows dg = {.at = tw->dgates, .stride = tw->gate_stride},
             d2 = {.at = tw->d2, .stride = stride};
    net_dense_grad(net, work, weights, source->rows, dg, x, gradient);
    net_dense_back(net, work, weights, source->rows, dg, LU_ACT_NONE, d2, d2);
    for (int r = 0; r < source->rows; r++) {
        float *restrict to = tw->d + (size_t)r * stride;
        const float *restrict from = tw->d2 + (size_t)r * stride;
        for (size_t i = 0; i < n; i++) {
            to[i] += from[i];
        }
    }
}

/* ---- LSTM ---- */

/* One row: gates hold W_ih x + b_ih and become (i, f, g, o); `more` = W_hh h' + b_hh. */
static void lstm_row(const lu_kernels *k, size_t n, float *restrict gates,
                     const float *restrict more, const float *restrict cell_before,
                     float *restrict cell, float *restrict squash, float *restrict h) {
    for (size_t i = 0; i < 4 * n; i++) {
        gates[i] += more[i];
    }
    sigmoids(k, gates, 2 * n);
    k->tanh(gates + 2 * n, gates + 2 * n, n);
    sigmoids(k, gates + 3 * n, n);
    for (size_t i = 0; i < n; i++) {
        float old = cell_before ? cell_before[i] : 0.0f;
        cell[i] = gates[n + i] * old + gates[i] * gates[2 * n + i];
    }
    k->tanh(cell, squash, n);
    for (size_t i = 0; i < n; i++) {
        h[i] = gates[3 * n + i] * squash[i];
    }
}

static void lstm_forward(const lu_net *net, lu_net_work *work, int t, int layer,
                         const net_source *source, net_rows x) {
    tower_work *tw = &work->tower[t];
    memory_work *m = &tw->memory[layer];
    size_t n = (size_t)net->config.hidden, stride = tw->h_stride;
    size_t offset = net->tower[t].memory_at + (size_t)layer * 2 * n;
    net_rows gates = {.at = m->gates, .stride = tw->gate_stride},
             more = {.at = tw->dgates, .stride = tw->gate_stride};
    net_dense_forward(net, work, &net->tower[t].memory[layer], source->rows, x, gates, LU_ACT_NONE);
    for (int first = 0; first < source->rows; first += source->segments) {
        for (int r = first; r < first + source->segments; r++) {
            copy_or_zero(m->before + (size_t)r * stride,
                         state_before(net, source, m->state, stride, r, offset), n);
        }
        net_rows before = {.at = m->before + (size_t)first * stride, .stride = stride};
        net_dense_forward(net, work, &net->tower[t].recurrent[layer], source->segments, before,
                          more, LU_ACT_NONE);
        for (int i = 0; i < source->segments; i++) {
            size_t at = (size_t)(first + i) * stride;
            lstm_row(net->k, n, m->gates + (size_t)(first + i) * tw->gate_stride,
                     more.at + (size_t)i * more.stride,
                     state_before(net, source, m->cell, stride, first + i, offset + n),
                     m->cell + at, m->squash + at, m->state + at);
        }
    }
    keep_state(net, source, m->state, stride, offset);
    keep_state(net, source, m->cell, stride, offset + n);
}

/* One row; dh and dcell arrive with what flows back in time, dcell leaves as that of the row
 * before. */
static void lstm_row_back(size_t n, const float *restrict gates, const float *restrict squash,
                          const float *restrict cell_before, const float *restrict dh,
                          float *restrict dcell, float *restrict dg) {
    for (size_t i = 0; i < n; i++) {
        float in = gates[i], forget = gates[n + i], g = gates[2 * n + i], out = gates[3 * n + i];
        float old = cell_before ? cell_before[i] : 0.0f;
        float dc = dcell[i] + dh[i] * out * (1.0f - squash[i] * squash[i]);
        dg[i] = dc * g * (in * (1.0f - in));
        dg[n + i] = dc * old * (forget * (1.0f - forget));
        dg[2 * n + i] = dc * in * (1.0f - g * g);
        dg[3 * n + i] = dh[i] * squash[i] * (out * (1.0f - out));
        dcell[i] = dc * forget;
    }
}

static void lstm_back(const lu_net *net, lu_net_work *work, int t, int layer,
                      const net_source *source, net_rows x, float *gradient) {
    tower_work *tw = &work->tower[t];
    memory_work *m = &tw->memory[layer];
    const net_layer *recurrent = &net->tower[t].recurrent[layer];
    size_t n = (size_t)net->config.hidden, stride = tw->h_stride;
    size_t offset = net->tower[t].memory_at + ((size_t)layer * 2 + 1) * n;
    int segments = source->segments;
    memset(tw->carry, 0, (size_t)segments * stride * sizeof(float));
    memset(tw->carry_cell, 0, (size_t)segments * stride * sizeof(float));
    for (int first = source->rows - segments; first >= 0; first -= segments) {
        for (int i = 0; i < segments; i++) {
            size_t at = (size_t)(first + i) * stride, gate = (size_t)(first + i) * tw->gate_stride;
            float *restrict dh = tw->d + at, *dcell = tw->carry_cell + (size_t)i * stride;
            const float *restrict carry = tw->carry + (size_t)i * stride;
            for (size_t e = 0; e < n; e++) {
                dh[e] += carry[e];
            }
            lstm_row_back(n, m->gates + gate, m->squash + at,
                          state_before(net, source, m->cell, stride, first + i, offset), dh, dcell,
                          tw->dgates + gate);
        }
        net_rows dg = {.at = tw->dgates + (size_t)first * tw->gate_stride,
                       .stride = tw->gate_stride};
        net_rows carry = {.at = tw->carry, .stride = stride};
        net_dense_back(net, work, recurrent, segments, dg, LU_ACT_NONE, carry, carry);
        for (int i = 0; i < segments; i++) {
            if (starts_at(source, first + i)) {
                memset(tw->carry + (size_t)i * stride, 0, n * sizeof(float));
                memset(tw->carry_cell + (size_t)i * stride, 0, n * sizeof(float));
            }
        }
    }
    net_rows dg = {.at = tw->dgates, .stride = tw->gate_stride},
             before = {.at = m->before, .stride = stride}, d = {.at = tw->d, .stride = stride};
    net_dense_grad(net, work, &net->tower[t].memory[layer], source->rows, dg, x, gradient);
    net_dense_grad(net, work, recurrent, source->rows, dg, before, gradient);
    net_dense_back(net, work, &net->tower[t].memory[layer], source->rows, dg, LU_ACT_NONE, d, d);
}

/* ---- all layers ---- */

static net_rows layer_input(const lu_net *net, const lu_net_work *work, int t, int layer) {
    const tower_work *tw = &work->tower[t];
    float *at = layer ? tw->memory[layer - 1].out : tw->y[net->tower[t].layers - 1];
    return (net_rows){.at = at, .stride = tw->h_stride};
}

void net_memory_forward(const lu_net *net, lu_net_work *work, int t, const net_source *source) {
    for (int i = 0; i < net->tower[t].memories; i++) {
        net_rows x = layer_input(net, work, t, i);
        if (net->config.memory == NET_MEMORY_MINGRU) {
            mingru_forward(net, work, t, i, source, x);
        } else {
            lstm_forward(net, work, t, i, source, x);
        }
    }
}

void net_memory_back(const lu_net *net, lu_net_work *work, int t, const net_source *source,
                     float *gradient) {
    const net_tower *tower = &net->tower[t];
    tower_work *tw = &work->tower[t];
    for (int i = tower->memories - 1; i >= 0; i--) {
        net_rows x = layer_input(net, work, t, i);
        if (net->config.memory == NET_MEMORY_MINGRU) {
            mingru_back(net, work, t, i, source, x, gradient);
        } else {
            lstm_back(net, work, t, i, source, x, gradient);
        }
    }
    net_rows y = layer_input(net, work, t, 0), d = {.at = tw->d, .stride = tw->h_stride};
    net_act_back(tower->layer[tower->layers - 1].act, source->rows, net->config.hidden, y, d);
}
