/* The packed copies of a net's weights, and the sums that wait for Strassen's gradients: how much
 * room they take, where they lie, and how they follow the weights. The layout is in packed.h. */
#include "net_internal.h"

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

/* Columns of a packed matrix that one piece of the work takes: whole panels. */
enum { PACK_BAND = 64 };

static int bands(int columns) {
    return (columns + PACK_BAND - 1) / PACK_BAND;
}

static void pack_forward(const lu_net *net, const net_layer *l, int band) {
    int from = band * PACK_BAND, out = l->out - from < PACK_BAND ? l->out - from : PACK_BAND;
    const float *w = net->block + l->weight + (size_t)from * (size_t)l->in;
    if (net->config.tile) {
        net->k->pack_forward_tile(w, (size_t)l->in, out, l->in,
                                  l->forward_tiles + lu_packed_tiles(from, l->in));
    } else if (net->config.bf16) {
        net->k->pack_forward_bf16(w, (size_t)l->in, out, l->in,
                                  l->forward16 + lu_packed_bf16s(from, l->in));
    } else {
        net->k->pack_forward(w, (size_t)l->in, out, l->in,
                             l->forward + lu_packed_floats(from, l->in));
    }
}

static void pack_back(const lu_net *net, const net_layer *l, int band) {
    int from = band * PACK_BAND, in = l->in - from < PACK_BAND ? l->in - from : PACK_BAND;
    const float *w = net->block + l->weight + from;
    if (net->config.tile) {
        net->k->pack_back_tile(w, (size_t)l->in, l->out, in,
                               l->back_tiles + lu_packed_tiles(from, l->out));
    } else if (net->config.bf16) {
        net->k->pack_back_bf16(w, (size_t)l->in, l->out, in,
                               l->back16 + lu_packed_bf16s(from, l->out));
    } else {
        net->k->pack_back(w, (size_t)l->in, l->out, in, l->back + lu_packed_floats(from, l->out));
    }
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

/* Which piece of the packed copies a visit fills. */
typedef struct pack_turn {
    int wanted, count;
} pack_turn;

static void pack_layer(lu_net *net, net_layer *l, void *context) {
    pack_turn *turn = context;
    int at = turn->wanted - turn->count, ahead = bands(l->out),
        behind = l->passes ? bands(l->in) : 0;
    turn->count += ahead + behind + 2;
    if (at < 0 || at >= ahead + behind + 2) {
        return;
    }
    if (at < ahead) {
        pack_forward(net, l, at);
    } else if (at < ahead + behind) {
        pack_back(net, l, at - ahead);
    } else if (at == ahead + behind) {
        net_strassen_pack_forward(net, l);
    } else {
        net_strassen_pack_back(net, l);
    }
}

void net_pack_piece(void *net, int index) {
    each_layer(net, pack_layer, &(pack_turn){index, 0});
}

int net_pack_pieces(lu_net *net) {
    pack_turn none = {-1, 0};
    each_layer(net, pack_layer, &none);
    return none.count;
}

static void pack_whole(lu_net *net, net_layer *l, void *context) {
    (void)context;
    for (int band = 0; band < bands(l->out); band++) {
        pack_forward(net, l, band);
    }
    for (int band = 0; l->passes && band < bands(l->in); band++) {
        pack_back(net, l, band);
    }
    net_strassen_pack_forward(net, l);
    net_strassen_pack_back(net, l);
}

void lu_net_pack(lu_net *net) {
    each_layer(net, pack_whole, NULL);
}

void net_use_kernels(lu_net *net, const lu_kernels *kernels) {
    net->k = kernels;
    lu_net_pack(net);
}
