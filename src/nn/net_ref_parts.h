/* The inside of the reference in fp64, shared by its files: what it keeps of a pass, and the pieces
 * that every part is made of. Ownership and threads: as in net_ref.h. */
#pragma once

#include "net_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ref_tower {
    double *x;                      /* rows x inputs */
    double *y[NET_MAX_LAYERS];      /* rows x H */
    double **slot;                  /* per group: rows x slots x width */
    double *gate[NET_MAX_MEMORIES]; /* rows x 4H, activated */
    double *h[NET_MAX_MEMORIES], *c[NET_MAX_MEMORIES], *out[NET_MAX_MEMORIES];
    double *d; /* rows x H: gradient of the features, then downwards */
    double **dslot;
} ref_tower;

struct net_ref {
    const lu_net *net;
    const lu_net_chunk *chunk;
    int rows;
    ref_tower tower[2];
    double *head, *mix_x, *mix_y;
    double *branch[LU_MAX_HEADS][NET_MAX_BRANCH + 1]; /* rows x outputs */
};

static inline double *zeros(size_t n) {
    return lu_alloc_zero(n + 1, sizeof(double));
}

static inline int branch_out(const lu_net *net, int h, int layer) {
    return layer ? net->branch[h].layer[layer - 1].out : net->branch[h].first;
}

static inline double sigmoid(double x) {
    return 1.0 / (1.0 + exp(-x));
}

static inline double activate(lu_activation act, double z) {
    return act == LU_ACT_RELU ? (z > 0.0 ? z : 0.0) : act == LU_ACT_TANH ? tanh(z) : z;
}

static inline double slope(lu_activation act, double y) {
    return act == LU_ACT_RELU ? (y > 0.0 ? 1.0 : 0.0) : act == LU_ACT_TANH ? 1.0 - y * y : 1.0;
}

static inline void dense(const net_layer *l, const double *p, const double *x, double *y) {
    for (int o = 0; o < l->out; o++) {
        double z = l->bias == NET_NONE ? 0.0 : p[l->bias + (size_t)o];
        for (int i = 0; i < l->in; i++) {
            z += p[l->weight + (size_t)(o * l->in + i)] * x[i];
        }
        y[o] = z;
    }
}

/* dy is the gradient before the activation; dx (may be NULL) is added to. */
static inline void dense_back(const net_layer *l, const double *p, const double *x,
                              const double *dy, double *gradient, double *dx) {
    for (int o = 0; o < l->out; o++) {
        if (l->bias != NET_NONE) {
            gradient[l->bias + (size_t)o] += dy[o];
        }
        for (int i = 0; i < l->in; i++) {
            size_t w = l->weight + (size_t)(o * l->in + i);
            gradient[w] += dy[o] * x[i];
            if (dx) {
                dx[i] += dy[o] * p[w];
            }
        }
    }
}

static inline double normalised(const lu_normaliser *n, const float *row, int i) {
    if (!n) {
        return (double)row[i];
    }
    double x = ((double)row[i] - (double)n->shift[i]) * (double)n->scale[i], c = (double)n->clip;
    return x > c ? c : x < -c ? -c : x;
}

static inline double *at(double *rows, int r, int n) {
    return rows + (size_t)r * (size_t)n;
}

/* ---- net_ref_heads.c ---- */
void net_ref_heads_row(net_ref *ref, const double *p, int r, double *logits, double *value);
void net_ref_heads_row_back(net_ref *ref, const double *p, int r, const double *dlogits,
                            double dvalue, double *gradient);
