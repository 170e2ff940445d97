/* First values of the parameters: orthogonal matrices from normal numbers, in fp64 and with our own
 * log and cos, so that a seed gives the same bits everywhere. Each layer draws from a generator of
 * its own, keyed by its place in the block. */
#include "net_internal.h"

#include "ludus/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two normal numbers from two uniform ones (Box and Muller). */
static void normals(lu_rng *rng, double *to, size_t n) {
    for (size_t i = 0; i < n; i += 2) {
        double radius = sqrt(-2.0 * lu_log(1.0 - lu_rng_unit(rng)));
        double angle = 6.283185307179586 * lu_rng_unit(rng);
        to[i] = radius * lu_cos(angle);
        if (i + 1 < n) {
            to[i + 1] = radius * lu_sin(angle);
        }
    }
}

static double dot(const double *restrict a, const double *restrict b, size_t n) {
    double part[8] = {0};
    size_t whole = n / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
        for (size_t j = 0; j < 8; j++) {
            part[j] += a[i + j] * b[i + j];
        }
    }
    for (size_t i = whole; i < n; i++) {
        part[i - whole] += a[i] * b[i];
    }
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

/* row -= its parts along four rows of `q` that are orthonormal. Four at a time, since one at a time
 * waits for memory. */
static void remove_four(const double *restrict q, size_t n, double *restrict row) {
    double part[4][4] = {{0}}, along[4];
    size_t whole = n / 4 * 4;
    for (size_t e = 0; e < whole; e += 4) {
        for (size_t k = 0; k < 4; k++) {
            for (size_t j = 0; j < 4; j++) {
                part[k][j] += row[e + j] * q[k * n + e + j];
            }
        }
    }
    for (size_t k = 0; k < 4; k++) {
        for (size_t e = whole; e < n; e++) {
            part[k][e - whole] += row[e] * q[k * n + e];
        }
        along[k] = (part[k][0] + part[k][2]) + (part[k][1] + part[k][3]);
    }
    for (size_t e = 0; e < n; e++) {
        row[e] -= (along[0] * q[e] + along[1] * q[n + e]) +
                  (along[2] * q[2 * n + e] + along[3] * q[3 * n + e]);
    }
}

/* Makes `count` rows of n numbers orthonormal, count <= n: Gram and Schmidt on blocks of rows, each
 * block twice in itself and once out of all rows behind it. That leaves errors of the rounding of a
 * double times the condition of the rows, far below the rounding of a float. 2 count^2 n
 * operations.
 */
static void orthonormal(double *rows, size_t count, size_t n) {
    enum { BLOCK = 16 }; /* that many rows stay in the caches */
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t end = count - first < BLOCK ? count : first + BLOCK;
        for (size_t i = first; i < end; i++) {
            double *row = rows + i * n;
            for (int round = 0; round < 2; round++) {
                for (size_t j = first; j < i; j++) {
                    const double *other = rows + j * n;
                    double part = dot(row, other, n);
                    for (size_t e = 0; e < n; e++) {
                        row[e] -= part * other[e];
                    }
                }
                double size = 1.0 / sqrt(dot(row, row, n));
                for (size_t e = 0; e < n; e++) {
                    row[e] *= size;
                }
            }
        }
        for (size_t i = end; i < count; i++) {
            for (size_t j = first; j < end; j += 4) { /* rows behind a block: it is whole */
                remove_four(rows + j * n, n, rows + i * n);
            }
        }
    }
}

/* w[rows][cols] = gain x a matrix whose rows (or columns, when there are more rows) are
 * orthonormal. */
static void orthogonal(lu_rng *rng, float *w, size_t rows, size_t cols, double gain) {
    size_t count = rows < cols ? rows : cols, n = rows < cols ? cols : rows;
    if (count == 0) {
        return;
    }
    double *room = lu_alloc(count * n * sizeof *room);
    normals(rng, room, count * n);
    orthonormal(room, count, n);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            w[r * cols + c] = (float)(gain * (rows <= cols ? room[r * n + c] : room[c * n + r]));
        }
    }
    free(room);
}

static void init_layer(const lu_net *net, uint64_t seed, const net_layer *layer, int blocks,
                       double gain) {
    lu_rng rng = lu_rng_from(lu_mix(seed, layer->weight, 0));
    size_t rows = (size_t)(layer->out / blocks), cols = (size_t)layer->in;
    for (int b = 0; b < blocks; b++) {
        orthogonal(&rng, net->block + layer->weight + (size_t)b * rows * cols, rows, cols, gain);
    }
}

static double gain_of(lu_activation act) {
    return act == LU_ACT_NONE ? 1.0 : sqrt(2.0);
}

/* An embedding is a matrix on a row with one 1: the size of an orthogonal matrix's entries. */
static void init_table(const lu_net *net, uint64_t seed, size_t table, size_t rows, size_t width,
                       double square_of_gain) {
    size_t count = width * rows;
    lu_rng rng = lu_rng_from(lu_mix(seed, table, 0));
    double *room = lu_alloc(count * sizeof *room);
    normals(&rng, room, count);
    for (size_t j = 0; j < count; j++) {
        net->block[table + j] = (float)(sqrt(square_of_gain / (double)width) * room[j]);
    }
    free(room);
}

/* A head in series: hidden layers as those of the trunk, logits small. */
static void init_branch(const lu_net *net, uint64_t seed, const net_branch *branch,
                        size_t choices) {
    size_t hidden = (size_t)net->config.hidden, width = (size_t)branch->first;
    size_t weight = net->head.weight + (size_t)branch->column * hidden;
    double gain = branch->layers ? gain_of(net->config.activation) : 0.01;
    lu_rng rng = lu_rng_from(lu_mix(seed, weight, 2));
    if (width == 0) {
        return;
    }
    orthogonal(&rng, net->block + weight, width, hidden, gain);
    if (branch->table != NET_NONE) {
        init_table(net, seed, branch->table, choices, width, gain * gain);
    }
    for (int i = 0; i < branch->layers; i++) {
        bool last = i + 1 == branch->layers;
        init_layer(net, seed, &branch->layer[i], 1, last ? 0.01 : gain);
    }
}

static void init_tower(const lu_net *net, uint64_t seed, const net_tower *tower) {
    size_t width = (size_t)net->config.entity_width;
    for (int i = 0; i < tower->groups; i++) {
        const net_group *g = &tower->group[i];
        if (g->pooled && g->numbers > 0) {
            init_layer(net, seed, &g->slot, 1, sqrt(2.0));
        }
        for (int k = 0; g->pooled && k < g->ids; k++) {
            init_table(net, seed, g->tables[k], (size_t)g->group->field[g->id[k]].vocabulary, width,
                       2.0);
        }
    }
    for (int i = 0; i < tower->layers; i++) {
        init_layer(net, seed, &tower->layer[i], 1, gain_of(tower->layer[i].act));
    }
    for (int i = 0; i < tower->memories; i++) {
        bool lstm = net->config.memory == NET_MEMORY_LSTM;
        init_layer(net, seed, &tower->memory[i], lstm ? 4 : 3, 1.0);
        if (lstm) {
            init_layer(net, seed, &tower->recurrent[i], 4, 1.0);
        }
    }
}

void lu_net_init(lu_net *net, uint64_t seed) {
    size_t hidden = (size_t)net->config.hidden, width = (size_t)net->config.entity_width;
    double gain = net->kind == LU_NET_POLICY ? 0.01 : 1.0;
    memset(net->block, 0, net->parameters * sizeof(float));
    for (int t = 0; t < net->towers; t++) {
        init_tower(net, seed, &net->tower[t]);
    }
    lu_rng rng = lu_rng_from(lu_mix(seed, net->head.weight, 0));
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        init_branch(net, seed, &net->branch[h], (size_t)net->head_offset[h]);
    }
    if (!net->branch) {
        orthogonal(&rng, net->block + net->head.weight, (size_t)net->linear, hidden, gain);
    }
    if (net->value_column >= 0) {
        rng = lu_rng_from(lu_mix(seed, net->head.weight, 1));
        orthogonal(&rng, net->block + net->head.weight + (size_t)net->value_column * hidden, 1,
                   hidden, 1.0);
    }
    for (int p = 0; p < net->queries; p++) {
        rng = lu_rng_from(lu_mix(seed, net->pointer[p].weight, 0));
        orthogonal(&rng, net->block + net->pointer[p].weight, width, hidden, gain);
    }
    if (net->mixed) {
        init_layer(net, seed, &net->mix, 1, gain_of(net->mix.act));
    }
    if (net->value.out) {
        init_layer(net, seed, &net->value, 1, 1.0);
    }
    lu_net_pack(net);
}
