/* The reference in fp64 of what stands on the features: heads, pointers, heads in series, critics.
 */
#include "net_ref_parts.h"

static double *features(const net_ref *ref, int t, int r) {
    const net_tower *tower = &ref->net->tower[t];
    return at(tower->memories ? ref->tower[t].out[tower->memories - 1]
                              : ref->tower[t].y[tower->layers - 1],
              r, ref->net->config.hidden);
}

/* Columns of the last outputs of a branch that are logits; its query stands behind. */
static int branch_linear(const lu_net *net, int h) {
    int p = net->branch[h].pointer;
    return net->game->head[h].options - (p < 0 ? 0 : net->pointer[p].count);
}

/* What head h reads: the features, and a 1 for the choice of every head before it. */
static double *branch_input(const net_ref *ref, int h, int r) {
    const lu_net *net = ref->net;
    int hidden = net->config.hidden;
    double *x = zeros((size_t)(hidden + net->head_offset[h]));
    const int32_t *actions = ref->chunk->actions + (size_t)r * ref->chunk->actions_stride;
    memcpy(x, features(ref, 0, r), (size_t)hidden * sizeof *x);
    for (int j = 0; j < h; j++) {
        x[hidden + net->head_offset[j] + actions[j]] = 1.0;
    }
    return x;
}

/* Where the weight of output o and input i of the first layer of a branch is stored. */
static size_t branch_weight(const lu_net *net, int h, int o, int i) {
    const net_branch *branch = &net->branch[h];
    int hidden = net->config.hidden;
    return i < hidden ? net->head.weight + (size_t)((branch->column + o) * hidden + i)
                      : branch->table + (size_t)((i - hidden) * branch->first + o);
}

static void branch_row(net_ref *ref, const double *p, int h, int r, double *logits) {
    const lu_net *net = ref->net;
    const net_branch *branch = &net->branch[h];
    double *x = branch_input(ref, h, r), *y = at(ref->branch[h][0], r, branch->first);
    for (int o = 0; o < branch->first; o++) {
        double z =
            net->head.bias == NET_NONE ? 0.0 : p[net->head.bias + (size_t)(branch->column + o)];
        for (int i = 0; i < net->config.hidden + net->head_offset[h]; i++) {
            z += p[branch_weight(net, h, o, i)] * x[i];
        }
        y[o] = activate(branch->layers ? net->config.activation : LU_ACT_NONE, z);
    }
    for (int l = 0; l < branch->layers && branch->first; l++) {
        double *above = at(ref->branch[h][l + 1], r, branch->layer[l].out);
        dense(&branch->layer[l], p, y, above);
        for (int i = 0; i < branch->layer[l].out; i++) {
            above[i] = activate(branch->layer[l].act, above[i]);
        }
        y = above;
    }
    int linear = branch_linear(net, h);
    for (int i = 0; i < linear && branch->first; i++) {
        logits[net->head_offset[h + 1] - linear + i] = y[i];
    }
    free(x);
}

/* d: gradient of the last outputs of a branch; the features' is added to. */
static void branch_row_back(net_ref *ref, const double *p, int h, int r, double *d,
                            double *gradient) {
    const lu_net *net = ref->net;
    const net_branch *branch = &net->branch[h];
    for (int l = branch->layers - 1; l >= 0; l--) {
        int in = branch->layer[l].in;
        const double *y = at(ref->branch[h][l], r, in);
        lu_activation act = l ? branch->layer[l - 1].act : net->config.activation;
        double *below = zeros((size_t)in);
        dense_back(&branch->layer[l], p, y, d, gradient, below);
        for (int i = 0; i < in; i++) {
            d[i] = below[i] * slope(act, y[i]);
        }
        free(below);
    }
    double *x = branch_input(ref, h, r), *df = at(ref->tower[0].d, r, net->config.hidden);
    for (int o = 0; o < branch->first; o++) {
        if (net->head.bias != NET_NONE) {
            gradient[net->head.bias + (size_t)(branch->column + o)] += d[o];
        }
        for (int i = 0; i < net->config.hidden + net->head_offset[h]; i++) {
            gradient[branch_weight(net, h, o, i)] += d[o] * x[i];
            if (i < net->config.hidden) {
                df[i] += d[o] * p[branch_weight(net, h, o, i)];
            }
        }
    }
    free(x);
}

/* The query of a pointer. */
static const double *query_of(const net_ref *ref, const net_pointer *pointer, int r) {
    const lu_net *net = ref->net;
    if (!net->branch) {
        return at(ref->head, r, net->head.out) + pointer->column;
    }
    int h = pointer->head, last = net->branch[h].layers;
    return at(ref->branch[h][last], r, branch_out(net, h, last)) + branch_linear(net, h);
}

void net_ref_heads_row(net_ref *ref, const double *p, int r, double *logits, double *value) {
    const lu_net *net = ref->net;
    double *head = at(ref->head, r, net->head.out);
    int width = net->config.entity_width, hidden = net->config.hidden;
    dense(&net->head, p, features(ref, 0, r), head);
    for (int i = 0; i < net->logits; i++) {
        logits[i] = !net->branch && net->column[i] >= 0 ? head[net->column[i]] : 0.0;
    }
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        branch_row(ref, p, h, r, logits);
    }
    for (int k = 0; k < net->pointers; k++) {
        const net_pointer *pointer = &net->pointer[k];
        const double *query = query_of(ref, pointer, r);
        int slots = net->tower[0].group[pointer->group].group->slots;
        for (int s = 0; s < pointer->count; s++) {
            const double *f = at(ref->tower[0].slot[pointer->group], r * slots + s, width);
            for (int e = 0; e < width; e++) {
                logits[pointer->logit + s] += query[e] * f[e] / sqrt(width);
            }
        }
    }
    *value = net->value_column >= 0 ? head[net->value_column] : 0.0;
    for (int h = 0; h < net->game->heads && net->kind == LU_NET_Q && net->config.dueling; h++) {
        double mean = 0.0;
        int from = net->head_offset[h], to = net->head_offset[h + 1];
        for (int i = from; i < to; i++) {
            mean += logits[i] / (to - from);
        }
        for (int i = from; i < to; i++) {
            logits[i] += *value - mean;
        }
    }
    if (net->mixed) {
        double *x = at(ref->mix_x, r, net->mix.in), *y = at(ref->mix_y, r, hidden);
        memcpy(x, features(ref, 0, r), (size_t)hidden * sizeof *x);
        for (int i = 0; i < net->critic; i++) {
            x[hidden + i] = normalised(ref->chunk->critic_normaliser, ref->chunk->critic[r], i);
        }
        dense(&net->mix, p, x, y);
        for (int i = 0; i < hidden; i++) {
            y[i] = activate(net->mix.act, y[i]);
        }
        dense(&net->value, p, y, value);
    } else if (net->value.out) {
        dense(&net->value, p, features(ref, 1, r), value);
    }
}

/* Adds to the gradients of the query of a pointer and of its slots. */
static void pointer_back(net_ref *ref, const net_pointer *pointer, int r, const double *dlogits,
                         double *dquery) {
    int width = ref->net->config.entity_width;
    int slots = ref->net->tower[0].group[pointer->group].group->slots;
    const double *query = query_of(ref, pointer, r);
    for (int s = 0; s < pointer->count; s++) {
        double *f = at(ref->tower[0].slot[pointer->group], r * slots + s, width);
        double *df = at(ref->tower[0].dslot[pointer->group], r * slots + s, width);
        for (int e = 0; e < width; e++) {
            dquery[e] += dlogits[pointer->logit + s] * f[e] / sqrt(width);
            df[e] += dlogits[pointer->logit + s] * query[e] / sqrt(width);
        }
    }
}

static void branches_back(net_ref *ref, const double *p, int r, const double *dlogits,
                          double *gradient) {
    const lu_net *net = ref->net;
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        const net_branch *branch = &net->branch[h];
        int linear = branch_linear(net, h), widest = branch->first;
        for (int i = 0; i < branch->layers; i++) {
            widest = branch->layer[i].out > widest ? branch->layer[i].out : widest;
        }
        double *d = zeros((size_t)widest);
        if (branch->first > 0) {
            memcpy(d, dlogits + net->head_offset[h + 1] - linear, (size_t)linear * sizeof *d);
            if (branch->pointer >= 0) {
                pointer_back(ref, &net->pointer[branch->pointer], r, dlogits, d + linear);
            }
            branch_row_back(ref, p, h, r, d, gradient);
        }
        free(d);
    }
}

/* Gradient of the head matrix's output from that of the logits. */
static void dhead_row(net_ref *ref, int r, const double *dlogits, double dvalue, double *dhead) {
    const lu_net *net = ref->net;
    bool duel = net->kind == LU_NET_Q && net->config.dueling;
    double *d = zeros((size_t)net->logits), total = 0.0;
    memcpy(d, dlogits, (size_t)net->logits * sizeof *d);
    for (int h = 0; h < net->game->heads && duel; h++) {
        double mean = 0.0;
        int from = net->head_offset[h], to = net->head_offset[h + 1];
        for (int i = from; i < to; i++) {
            mean += d[i] / (to - from);
            total += d[i];
        }
        for (int i = from; i < to; i++) {
            d[i] -= mean;
        }
    }
    for (int i = 0; i < net->logits && !net->branch; i++) {
        if (net->column[i] >= 0) {
            dhead[net->column[i]] = d[i];
        }
    }
    if (net->value_column >= 0) {
        dhead[net->value_column] = duel ? total : dvalue;
    }
    for (int k = 0; k < net->pointers && !net->branch; k++) {
        pointer_back(ref, &net->pointer[k], r, d, dhead + net->pointer[k].column);
    }
    free(d);
}

void net_ref_heads_row_back(net_ref *ref, const double *p, int r, const double *dlogits,
                            double dvalue, double *gradient) {
    const lu_net *net = ref->net;
    int hidden = net->config.hidden;
    double *dhead = zeros((size_t)net->head.out), *d = at(ref->tower[0].d, r, hidden);
    dhead_row(ref, r, dlogits, dvalue, dhead);
    dense_back(&net->head, p, features(ref, 0, r), dhead, gradient, d);
    branches_back(ref, p, r, dlogits, gradient);
    if (net->mixed) {
        double *dy = zeros((size_t)hidden), *dx = zeros((size_t)net->mix.in);
        const double *y = at(ref->mix_y, r, hidden);
        dense_back(&net->value, p, y, &dvalue, gradient, dy);
        for (int i = 0; i < hidden; i++) {
            dy[i] *= slope(net->mix.act, y[i]);
        }
        dense_back(&net->mix, p, at(ref->mix_x, r, net->mix.in), dy, gradient, dx);
        for (int i = 0; i < hidden; i++) {
            at(ref->tower[0].d, r, hidden)[i] += dx[i];
        }
        free(dy);
        free(dx);
    } else if (net->value.out) {
        dense_back(&net->value, p, features(ref, 1, r), &dvalue, gradient,
                   at(ref->tower[1].d, r, hidden));
    }
    free(dhead);
}
