/* The reference in fp64: see net_ref.h. Written to be read next to the formulas, not to be fast. */
#include "net_ref_parts.h"

static void new_tower(net_ref *ref, int t) {
    const net_tower *tower = &ref->net->tower[t];
    ref_tower *w = &ref->tower[t];
    size_t rows = (size_t)ref->rows, hidden = (size_t)ref->net->config.hidden;
    w->x = zeros(rows * (size_t)tower->inputs);
    w->d = zeros(rows * hidden);
    for (int i = 0; i < tower->layers; i++) {
        w->y[i] = zeros(rows * hidden);
    }
    for (int i = 0; i < tower->memories; i++) {
        w->gate[i] = zeros(rows * hidden * 4);
        w->h[i] = zeros(rows * hidden);
        w->c[i] = zeros(rows * hidden);
        w->out[i] = zeros(rows * hidden);
    }
    w->slot = lu_alloc_zero((size_t)tower->groups + 1, sizeof *w->slot);
    w->dslot = lu_alloc_zero((size_t)tower->groups + 1, sizeof *w->dslot);
    for (int g = 0; g < tower->groups; g++) {
        size_t all = rows * (size_t)(tower->group[g].group->slots * ref->net->config.entity_width);
        w->slot[g] = zeros(all);
        w->dslot[g] = zeros(all);
    }
}

net_ref *net_ref_new(const lu_net *net, const lu_net_chunk *chunk) {
    net_ref *ref = lu_alloc_zero(1, sizeof *ref);
    ref->net = net;
    ref->chunk = chunk;
    ref->rows = chunk->segments * chunk->steps;
    for (int t = 0; t < net->towers; t++) {
        new_tower(ref, t);
    }
    size_t rows = (size_t)ref->rows;
    ref->head = zeros(rows * (size_t)net->head.out);
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        for (int i = 0; i <= net->branch[h].layers; i++) {
            ref->branch[h][i] = zeros(rows * (size_t)branch_out(net, h, i));
        }
    }
    ref->mix_x = zeros(rows * (size_t)net->mix.in);
    ref->mix_y = zeros(rows * (size_t)net->mix.out);
    return ref;
}

void net_ref_delete(net_ref *ref) {
    for (int t = 0; t < ref->net->towers; t++) {
        ref_tower *w = &ref->tower[t];
        free(w->x);
        free(w->d);
        for (int i = 0; i < NET_MAX_LAYERS; i++) {
            free(w->y[i]);
        }
        for (int i = 0; i < NET_MAX_MEMORIES; i++) {
            free(w->gate[i]);
            free(w->h[i]);
            free(w->c[i]);
            free(w->out[i]);
        }
        for (int g = 0; g < ref->net->tower[t].groups; g++) {
            free(w->slot[g]);
            free(w->dslot[g]);
        }
        free(w->slot);
        free(w->dslot);
    }
    for (int h = 0; h < LU_MAX_HEADS; h++) {
        for (int i = 0; i <= NET_MAX_BRANCH; i++) {
            free(ref->branch[h][i]);
        }
    }
    free(ref->head);
    free(ref->mix_x);
    free(ref->mix_y);
    free(ref);
}

/* ---- encoder ---- */

static const float *raw_row(const net_ref *ref, const net_group *g, int r) {
    return g->critic ? ref->chunk->critic[r] : ref->chunk->observation[r];
}

static bool slot_used(const net_group *g, const float *raw, int s) {
    int presence = g->group->presence;
    return presence < 0 || raw[g->offset + s * g->group->fields + presence] > 0.0f;
}

static void slot_inputs(const net_ref *ref, const net_group *g, const float *raw, int s,
                        double *x) {
    const lu_normaliser *n = g->critic ? ref->chunk->critic_normaliser : ref->chunk->normaliser;
    for (int i = 0; i < g->numbers; i++) {
        x[i] = normalised(n, raw, g->offset + s * g->group->fields + g->number[i]);
    }
}

static size_t table_row(const net_ref *ref, const net_group *g, const float *raw, int s, int k) {
    int id = (int)raw[g->offset + s * g->group->fields + g->id[k]];
    return g->tables[k] + (size_t)(id * ref->net->config.entity_width);
}

static void encode_group(net_ref *ref, const double *p, int t, int index, int r) {
    const net_group *g = &ref->net->tower[t].group[index];
    int width = ref->net->config.entity_width, used = 0;
    const float *raw = raw_row(ref, g, r);
    double *to = at(ref->tower[t].x, r, ref->net->tower[t].inputs) + g->column;
    if (!g->pooled) {
        const lu_normaliser *n = g->critic ? ref->chunk->critic_normaliser : ref->chunk->normaliser;
        for (int i = 0; i < lu_group_length(g->group); i++) {
            to[i] = normalised(n, raw, g->offset + i);
        }
        return;
    }
    memset(to, 0, (size_t)width * sizeof *to);
    for (int s = 0; s < g->group->slots; s++) {
        double x[256] = {0}, *f = at(ref->tower[t].slot[index], r * g->group->slots + s, width);
        memset(f, 0, (size_t)width * sizeof *f);
        if (!slot_used(g, raw, s)) {
            continue;
        }
        used++;
        slot_inputs(ref, g, raw, s, x);
        dense(&g->slot, p, x, f);
        for (int e = 0; e < width; e++) {
            for (int k = 0; k < g->ids; k++) {
                f[e] += p[table_row(ref, g, raw, s, k) + (size_t)e];
            }
            f[e] = activate(LU_ACT_RELU, f[e]);
            to[e] = ref->net->config.pool == NET_POOL_MEAN ? to[e] + f[e] : fmax(to[e], f[e]);
        }
    }
    for (int e = 0; e < width && ref->net->config.pool == NET_POOL_MEAN; e++) {
        to[e] = used ? to[e] / used : 0.0;
    }
}

static void encode_group_back(net_ref *ref, const double *p, int t, int index, int r,
                              const double *dx, double *gradient) {
    const net_group *g = &ref->net->tower[t].group[index];
    int width = ref->net->config.entity_width, slots = g->group->slots, used = 0;
    const float *raw = raw_row(ref, g, r);
    const double *pooled = at(ref->tower[t].x, r, ref->net->tower[t].inputs) + g->column;
    bool taken[1024] = {false};
    for (int s = 0; s < slots; s++) {
        used += slot_used(g, raw, s);
    }
    for (int s = 0; s < slots; s++) {
        if (!slot_used(g, raw, s)) {
            continue;
        }
        double x[256] = {0};
        const double *f = at(ref->tower[t].slot[index], r * slots + s, width);
        double *df = at(ref->tower[t].dslot[index], r * slots + s, width);
        for (int e = 0; e < width; e++) {
            if (ref->net->config.pool == NET_POOL_MEAN) {
                df[e] += dx[g->column + e] / used;
            } else if (!taken[e] && f[e] == pooled[e]) {
                taken[e] = true;
                df[e] += dx[g->column + e];
            }
            df[e] *= slope(LU_ACT_RELU, f[e]);
            for (int k = 0; k < g->ids; k++) {
                gradient[table_row(ref, g, raw, s, k) + (size_t)e] += df[e];
            }
        }
        slot_inputs(ref, g, raw, s, x);
        dense_back(&g->slot, p, x, df, gradient, NULL);
    }
}

static void trunk_row(net_ref *ref, const double *p, int t, int r) {
    const net_tower *tower = &ref->net->tower[t];
    int hidden = ref->net->config.hidden;
    double *x = at(ref->tower[t].x, r, tower->inputs);
    for (int g = 0; g < tower->groups; g++) {
        encode_group(ref, p, t, g, r);
    }
    for (int i = 0; i < tower->inputs && !tower->groups; i++) {
        int critic = i - ref->net->observation;
        x[i] = critic < 0
                   ? normalised(ref->chunk->normaliser, ref->chunk->observation[r], i)
                   : normalised(ref->chunk->critic_normaliser, ref->chunk->critic[r], critic);
    }
    for (int l = 0; l < tower->layers; l++) {
        double *y = at(ref->tower[t].y[l], r, hidden);
        dense(&tower->layer[l], p, x, y);
        for (int i = 0; i < hidden; i++) {
            y[i] = activate(tower->layer[l].act, y[i]);
        }
        x = y;
    }
}

static void trunk_row_back(net_ref *ref, const double *p, int t, int r, double *gradient) {
    const net_tower *tower = &ref->net->tower[t];
    int hidden = ref->net->config.hidden;
    double *d = at(ref->tower[t].d, r, hidden), *dx = zeros((size_t)tower->inputs);
    for (int l = tower->layers - 1; l >= 0; l--) {
        const double *y = at(ref->tower[t].y[l], r, hidden);
        const double *x =
            l ? at(ref->tower[t].y[l - 1], r, hidden) : at(ref->tower[t].x, r, tower->inputs);
        double *below = zeros((size_t)hidden);
        for (int i = 0; i < hidden; i++) {
            d[i] *= slope(tower->layer[l].act, y[i]);
        }
        dense_back(&tower->layer[l], p, x, d, gradient, l ? below : dx);
        memcpy(d, below, (size_t)hidden * sizeof *d);
        free(below);
    }
    for (int g = 0; g < tower->groups; g++) {
        if (tower->group[g].pooled) {
            encode_group_back(ref, p, t, g, r, dx, gradient);
        }
    }
    free(dx);
}

/* ---- memory ---- */

/* Number i of the state in front of row r; `place` is where it is stored between chunks. */
static double before(const net_ref *ref, double *rows, int r, size_t place, int i) {
    const lu_net_chunk *c = ref->chunk;
    if (c->starts && c->starts[r]) {
        return 0.0;
    }
    if (r >= c->segments) {
        return at(rows, r - c->segments, ref->net->config.hidden)[i];
    }
    return c->memory ? (double)c->memory[(size_t)r * ref->net->memory_floats + place + (size_t)i]
                     : 0.0;
}

static void memory_row(net_ref *ref, const double *p, int t, int layer, int r, const double *x) {
    const net_tower *tower = &ref->net->tower[t];
    ref_tower *w = &ref->tower[t];
    int n = ref->net->config.hidden;
    double *g = at(w->gate[layer], r, 4 * n), *h = at(w->h[layer], r, n);
    double *c = at(w->c[layer], r, n), *out = at(w->out[layer], r, n);
    dense(&tower->memory[layer], p, x, g);
    if (ref->net->config.memory == NET_MEMORY_MINGRU) {
        size_t place = tower->memory_at + (size_t)(layer * n);
        for (int i = 0; i < n; i++) {
            g[i] = g[i] >= 0.0 ? g[i] + 0.5 : sigmoid(g[i]);
            g[n + i] = sigmoid(g[n + i]);
            g[2 * n + i] = sigmoid(g[2 * n + i]);
            h[i] = (1.0 - g[n + i]) * before(ref, w->h[layer], r, place, i) + g[n + i] * g[i];
            out[i] = g[2 * n + i] * h[i] + (1.0 - g[2 * n + i]) * x[i];
        }
        return;
    }
    size_t place = tower->memory_at + (size_t)(layer * 2 * n);
    double *old = zeros((size_t)n), *more = zeros((size_t)(4 * n));
    for (int i = 0; i < n; i++) {
        old[i] = before(ref, w->h[layer], r, place, i);
    }
    dense(&tower->recurrent[layer], p, old, more);
    for (int i = 0; i < n; i++) {
        g[i] = sigmoid(g[i] + more[i]);
        g[n + i] = sigmoid(g[n + i] + more[n + i]);
        g[2 * n + i] = tanh(g[2 * n + i] + more[2 * n + i]);
        g[3 * n + i] = sigmoid(g[3 * n + i] + more[3 * n + i]);
        c[i] = g[n + i] * before(ref, w->c[layer], r, place + (size_t)n, i) + g[i] * g[2 * n + i];
        out[i] = h[i] = g[3 * n + i] * tanh(c[i]);
    }
    free(old);
    free(more);
}

/* Gradients of the gates of one row into dg; dh and dc carry what flows back in time. */
static void gates_back(const net_ref *ref, int t, int layer, int r, const double *x,
                       const double *d, double *dh, double *dc, double *dg, double *dx) {
    const ref_tower *w = &ref->tower[t];
    int n = ref->net->config.hidden;
    const double *g = at(w->gate[layer], r, 4 * n), *h = at(w->h[layer], r, n);
    size_t place = ref->net->tower[t].memory_at + (size_t)(layer * n);
    for (int i = 0; i < n; i++) {
        if (ref->net->config.memory == NET_MEMORY_MINGRU) {
            double c = g[i], z = g[n + i], s = g[2 * n + i];
            dg[2 * n + i] = d[i] * (h[i] - x[i]) * s * (1.0 - s);
            dx[i] = d[i] * (1.0 - s);
            dh[i] += d[i] * s;
            dg[n + i] = dh[i] * (c - before(ref, w->h[layer], r, place, i)) * z * (1.0 - z);
            dg[i] = dh[i] * z * (c >= 0.5 ? 1.0 : c * (1.0 - c));
            dh[i] *= 1.0 - z;
            continue;
        }
        double in = g[i], forget = g[n + i], new = g[2 * n + i], out = g[3 * n + i];
        double squash = tanh(at(w->c[layer], r, n)[i]), all = dh[i] + d[i];
        size_t cell = ref->net->tower[t].memory_at + (size_t)((2 * layer + 1) * n);
        double change = dc[i] + all * out * (1.0 - squash * squash);
        dg[i] = change * new *in *(1.0 - in);
        dg[n + i] = change * before(ref, w->c[layer], r, cell, i) * forget * (1.0 - forget);
        dg[2 * n + i] = change * in * (1.0 - new *new);
        dg[3 * n + i] = all * squash * out * (1.0 - out);
        dc[i] = change * forget;
        dh[i] = 0.0;
    }
}

static void memory_back(net_ref *ref, const double *p, int t, int layer, double *gradient) {
    const net_tower *tower = &ref->net->tower[t];
    ref_tower *w = &ref->tower[t];
    int n = ref->net->config.hidden, segments = ref->chunk->segments;
    double *dh = zeros((size_t)(segments * n)), *dc = zeros((size_t)(segments * n));
    double *dg = zeros((size_t)(4 * n)), *dx = zeros((size_t)n), *old = zeros((size_t)n);
    for (int r = ref->rows - 1; r >= 0; r--) {
        const double *x = layer ? at(w->out[layer - 1], r, n) : at(w->y[tower->layers - 1], r, n);
        double *d = at(w->d, r, n), *h = at(dh, r % segments, n), *c = at(dc, r % segments, n);
        memset(dx, 0, (size_t)n * sizeof *dx);
        gates_back(ref, t, layer, r, x, d, h, c, dg, dx);
        dense_back(&tower->memory[layer], p, x, dg, gradient, dx);
        if (ref->net->config.memory == NET_MEMORY_LSTM) {
            for (int i = 0; i < n; i++) {
                size_t place = tower->memory_at + (size_t)(layer * 2 * n);
                old[i] = before(ref, w->h[layer], r, place, i);
            }
            dense_back(&tower->recurrent[layer], p, old, dg, gradient, h);
        }
        if (ref->chunk->starts && ref->chunk->starts[r]) {
            memset(h, 0, (size_t)n * sizeof *h);
            memset(c, 0, (size_t)n * sizeof *c);
        }
        memcpy(d, dx, (size_t)n * sizeof *d);
    }
    free(dh);
    free(dc);
    free(dg);
    free(dx);
    free(old);
}

/* ---- all ---- */

void net_ref_forward(net_ref *ref, const double *p, double *logits, double *value) {
    const lu_net *net = ref->net;
    for (int t = 0; t < net->towers; t++) {
        for (int r = 0; r < ref->rows; r++) {
            trunk_row(ref, p, t, r);
            const double *x = at(ref->tower[t].y[net->tower[t].layers - 1], r, net->config.hidden);
            for (int i = 0; i < net->tower[t].memories; i++) {
                memory_row(ref, p, t, i, r, x);
                x = at(ref->tower[t].out[i], r, net->config.hidden);
            }
        }
    }
    for (int r = 0; r < ref->rows; r++) {
        net_ref_heads_row(ref, p, r, at(logits, r, net->logits), value + r);
    }
}

void net_ref_back(net_ref *ref, const double *p, const double *dlogits, const double *dvalue,
                  double *gradient) {
    const lu_net *net = ref->net;
    for (int t = 0; t < net->towers; t++) {
        const net_tower *tower = &net->tower[t];
        memset(ref->tower[t].d, 0, (size_t)(ref->rows * net->config.hidden) * sizeof(double));
        for (int g = 0; g < tower->groups; g++) {
            size_t all =
                (size_t)(ref->rows * tower->group[g].group->slots * net->config.entity_width);
            memset(ref->tower[t].dslot[g], 0, all * sizeof(double));
        }
    }
    for (int r = 0; r < ref->rows; r++) {
        net_ref_heads_row_back(ref, p, r, dlogits + (size_t)(r * net->logits),
                               dvalue ? dvalue[r] : 0.0, gradient);
    }
    for (int t = 0; t < net->towers; t++) {
        for (int i = net->tower[t].memories - 1; i >= 0; i--) {
            memory_back(ref, p, t, i, gradient);
        }
        for (int r = 0; r < ref->rows; r++) {
            trunk_row_back(ref, p, t, r, gradient);
        }
    }
}
