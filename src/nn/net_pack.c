/* The packed copies of a net's weights, and the sums that wait for Strassen's gradients: how much
 * room they take, where they lie, and how they follow the weights. The layout is in packed.h. */
#include "net_internal.h"

#include <assert.h>
#include <stdlib.h>

#include "packed.h"

/* Calls `visit` for every layer that has weights, in the order of the block. */
typedef void layer_visit(lu_net *net, net_layer *layer, void *context);

static void each_layer(lu_net *net, layer_visit *visit, void *context) {
    for (int t = 0; t < net->towers; t++) {
        net_tower *tower = &net->tower[t];
        for (int g = 0; g < tower->groups; g++) {
            if (tower->group[g].pooled && tower->group[g].numbers > 0) {
                visit(net, &tower->group[g].slot, context);
            }
        }
        for (int i = 0; i < tower->layers; i++) {
            visit(net, &tower->layer[i], context);
        }
        for (int i = 0; i < tower->memories; i++) {
            visit(net, &tower->memory[i], context);
            if (net->config.memory == NET_MEMORY_LSTM) {
                visit(net, &tower->recurrent[i], context);
            }
        }
    }
    visit(net, &net->head, context);
    for (int h = 0; h < net->game->heads && net->branch; h++) {
        net_branch *branch = &net->branch[h];
        for (int i = 0; i < branch->layers && branch->first > 0; i++) {
            visit(net, &branch->layer[i], context);
        }
    }
    if (net->mixed) {
        visit(net, &net->mix, context);
    }
    if (net->value.out) {
        visit(net, &net->value, context);
    }
}

static size_t lines(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

/* Of a packed matrix with n columns and k steps. */
static size_t packed_bytes(const lu_net *net, int n, int k) {
    return lines(net->config.tile   ? lu_packed_tiles(n, k) * sizeof(uint32_t)
                 : net->config.bf16 ? lu_packed_bf16s(n, k) * sizeof(uint16_t)
                                    : lu_packed_floats(n, k) * sizeof(float));
}

static void count_packed(lu_net *net, net_layer *l, void *context) {
    size_t unit = sizeof(float);
    size_t bytes =
        packed_bytes(net, l->out, l->in) + (l->passes ? packed_bytes(net, l->in, l->out) : 0);
    if (net_strassen_fits(net, l->out, l->in)) {
        bytes +=
            lines(net_strassen_floats(l->out, l->in) * unit) + lines((size_t)l->out / 2 * unit);
    }
    if (l->passes && net_strassen_fits(net, l->in, l->out)) {
        bytes += lines(net_strassen_floats(l->in, l->out) * unit);
    }
    *(size_t *)context += bytes;
}

static void take_packed(lu_net *net, net_layer *l, void *context) {
    (void)context;
    if (net_strassen_fits(net, l->out, l->in)) {
        l->strassen_forward =
            lu_arena_take(&net->arena, net_strassen_floats(l->out, l->in) * 4, 64);
        l->bias_step = lu_arena_take(&net->arena, (size_t)l->out / 2 * 4, 64);
    }
    if (l->passes && net_strassen_fits(net, l->in, l->out)) {
        l->strassen_back = lu_arena_take(&net->arena, net_strassen_floats(l->in, l->out) * 4, 64);
    }
    void *forward = lu_arena_take(&net->arena, packed_bytes(net, l->out, l->in), 64);
    void *back =
        l->passes ? lu_arena_take(&net->arena, packed_bytes(net, l->in, l->out), 64) : NULL;
    if (net->config.tile) {
        l->forward_tiles = forward;
        l->back_tiles = back;
    } else if (net->config.bf16) {
        l->forward16 = forward;
        l->back16 = back;
    } else {
        l->forward = forward;
        l->back = back;
    }
}

size_t lu_net_bytes(lu_net *net) {
    size_t bytes = lines(net->parameters * sizeof(float)) + 64;
    each_layer(net, count_packed, &bytes);
    return bytes;
}

void net_take_packed(lu_net *net) {
    each_layer(net, take_packed, NULL);
}

/* Rows of a layer in a piece: whole panels forward, and whole steps of tiles back. */
enum { PIECE_ROWS = 32, PIECE_PARAMETERS = 4096 };

static void pack_forward(const lu_net *net, const net_piece *p) {
    const net_layer *l = p->layer;
    const float *w = net->block + p->from;
    size_t in = (size_t)l->in;
    if (net->config.tile) {
        net->k->pack_forward_tile(w, in, p->rows, l->in,
                                  l->forward_tiles + lu_packed_tiles(p->row, l->in));
    } else if (net->config.bf16) {
        net->k->pack_forward_bf16(w, in, p->rows, l->in,
                                  l->forward16 + lu_packed_bf16s(p->row, l->in));
    } else {
        net->k->pack_forward(w, in, p->rows, l->in, l->forward + lu_packed_floats(p->row, l->in));
    }
}

/* Rows are steps of the chain: some of every panel. */
static void pack_back(const lu_net *net, const net_piece *p) {
    const net_layer *l = p->layer;
    size_t in = (size_t)l->in;
    for (int column = 0, width; column < l->in; column += width) {
        const float *w = net->block + p->from + column;
        width = net->config.tile ? LU_TILE_SIDE : lu_packed_width(l->in - column);
        int count = l->in - column < width ? l->in - column : width;
        size_t panel = (size_t)column;
        if (net->config.tile) {
            net->k->pack_back_tile(w, in, p->rows, count,
                                   l->back_tiles + lu_packed_tiles(column, l->out) +
                                       lu_packed_tiles(1, p->row));
        } else if (net->config.bf16) {
            size_t steps = ((size_t)l->out + 1) / 2 * 2;
            net->k->pack_back_bf16(w, in, p->rows, count,
                                   l->back16 + panel * steps + (size_t)(p->row * width));
        } else {
            net->k->pack_back(w, in, p->rows, count,
                              l->back + panel * (size_t)l->out + (size_t)(p->row * width));
        }
    }
}

void net_pack_piece(void *net, int index) {
    const lu_net *n = net;
    const net_piece *piece = &n->piece[index];
    if (piece->layer) {
        pack_forward(n, piece);
    }
    if (piece->layer && piece->layer->passes) {
        pack_back(n, piece);
    }
}

static void count_pieces(lu_net *net, net_layer *l, void *context) {
    (void)net;
    *(size_t *)context += (size_t)(l->out + PIECE_ROWS - 1) / PIECE_ROWS;
}

static void cut_layer(lu_net *net, net_layer *l, void *context) {
    (void)context;
    for (int row = 0; row < l->out; row += PIECE_ROWS) {
        int rows = l->out - row < PIECE_ROWS ? l->out - row : PIECE_ROWS;
        size_t in = (size_t)l->in;
        net->piece[net->pieces++] =
            (net_piece){l->weight + (size_t)row * in, (size_t)rows * in, l, row, rows};
    }
}

static int by_place(const void *a, const void *b) {
    size_t x = ((const net_piece *)a)->from, y = ((const net_piece *)b)->from;
    return (x > y) - (x < y);
}

/* What is between layers, behind the pieces of layers. */
static void cut_between(lu_net *net, size_t from, size_t end) {
    assert(from <= end);
    while (from < end) {
        size_t count = end - from < PIECE_PARAMETERS ? end - from : PIECE_PARAMETERS;
        net->piece[net->pieces++] = (net_piece){.from = from, .count = count};
        from += count;
    }
}

void net_cut(lu_net *net) {
    size_t most = 0;
    each_layer(net, count_pieces, &most);
    most = 2 * most + net->parameters / PIECE_PARAMETERS + 1;
    net->piece = lu_alloc_zero(most, sizeof *net->piece);
    each_layer(net, cut_layer, NULL);
    int layers = net->pieces;
    size_t end = 0;
    qsort(net->piece, (size_t)layers, sizeof *net->piece, by_place);
    for (int i = 0; i < layers; i++) {
        cut_between(net, end, net->piece[i].from);
        end = net->piece[i].from + net->piece[i].count;
    }
    cut_between(net, end, net->parameters);
    qsort(net->piece, (size_t)net->pieces, sizeof *net->piece, by_place);
}

/* Sums of products of quarters that wait for their layer's gradient. */
static void place_fold(lu_net *net, net_layer *l, void *context) {
    (void)context;
    int columns = l->in / 64 * 64; /* the few others are not made of quarters */
    if (net_strassen_fits(net, l->out, columns)) {
        l->fold_columns = columns;
        l->fold = net->folds;
        net->folds += (size_t)l->out * (size_t)columns;
    }
}

void net_place_folds(lu_net *net) {
    each_layer(net, place_fold, NULL);
}

typedef struct fold_job {
    lu_net_work *work;
    float *gradient;
} fold_job;

static void fold_layer(lu_net *net, net_layer *l, void *context) {
    const fold_job *job = context;
    net_strassen_fold(net, job->work, l, job->gradient);
}

void net_fold(const lu_net *net, lu_net_work *work, float *gradient) {
    each_layer((lu_net *)net, fold_layer, &(fold_job){work, gradient});
    work->folded = true;
}

/* Which layer a visit packs. */
typedef struct pack_turn {
    int wanted, count;
} pack_turn;

static void pack_quarters(lu_net *net, net_layer *l, void *context) {
    pack_turn *turn = context;
    int at = turn->wanted - turn->count;
    turn->count += 2;
    if (at == 0) {
        net_strassen_pack_forward(net, l);
    } else if (at == 1) {
        net_strassen_pack_back(net, l);
    }
}

void net_pack_quarter(void *net, int index) {
    each_layer(net, pack_quarters, &(pack_turn){index, 0});
}

int net_pack_quarters(lu_net *net) {
    pack_turn none = {-1, 0};
    each_layer(net, pack_quarters, &none);
    return net->config.strassen ? none.count : 0;
}

void lu_net_pack(lu_net *net) {
    for (int i = 0; i < net->pieces; i++) {
        net_pack_piece(net, i);
    }
    for (int i = 0, quarters = net_pack_quarters(net); i < quarters; i++) {
        net_pack_quarter(net, i);
    }
}

void net_use_kernels(lu_net *net, const lu_kernels *kernels) {
    net->k = kernels;
    lu_net_pack(net);
}
