/* The order of a pass over a net: blocks of NET_BLOCK_ROWS rows go through encoder, trunk and heads
 * while their activations are in the caches; a memory joins all blocks of a chunk in the middle. */
#include "net_internal.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static net_rows trunk_input(const lu_net_work *work, int t, int layer, int first) {
    const tower_work *tw = &work->tower[t];
    size_t row = (size_t)first;
    if (layer == 0) {
        return (net_rows){
            .at = tw->x ? tw->x + row * tw->x_stride : NULL,
            .stride = tw->x_stride,
            .at16 = tw->x16 ? tw->x16 + row * tw->x16_stride : NULL,
            .stride16 = tw->x16_stride,
        };
    }
    return net_layer_rows(tw, layer - 1, first);
}

/* ---- forward ---- */

static void trunk_forward(const lu_net *net, lu_net_work *work, int t, const net_source *source,
                          int first, int rows) {
    const net_tower *tower = &net->tower[t];
    net_encode(net, work, t, source, first, rows);
    for (int i = 0; i < tower->layers; i++) {
        net_dense_forward(net, work, &tower->layer[i], rows, trunk_input(work, t, i, first),
                          trunk_input(work, t, i + 1, first), tower->layer[i].act);
    }
}

static void forward(const lu_net *net, lu_net_work *work, const net_source *source, float *logits,
                    size_t stride, float *value) {
    assert(work->net == net || work->net->parameters == net->parameters);
    assert(source->rows <= work->rows);
    int towers = value ? net->towers : 1; /* without a value nothing of a separate critic runs */
    bool memory = net->tower[0].memories > 0;
    for (int first = 0; first < source->rows; first += NET_BLOCK_ROWS) {
        int rows = net_block(source->rows, first);
        for (int t = 0; t < towers; t++) {
            trunk_forward(net, work, t, source, first, rows);
        }
        if (source->keep) {
            net_keep(net, work, source, first, rows);
        }
        if (!memory) {
            net_heads_forward(net, work, source, first, rows, logits, stride, value);
        }
    }
    if (!memory) {
        return;
    }
    for (int t = 0; t < towers; t++) {
        net_memory_forward(net, work, t, source);
    }
    for (int first = 0; first < source->rows; first += NET_BLOCK_ROWS) {
        net_heads_forward(net, work, source, first, net_block(source->rows, first), logits, stride,
                          value);
    }
}

void lu_net_run(const lu_net *net, lu_net_work *work, const lu_net_infer *call) {
    net_source source = {
        .rows = call->rows,
        .segments = call->rows,
        .steps = 1,
        .base = call->observation,
        .stride = call->observation_stride,
        .critic_base = call->critic,
        .critic_stride = call->critic_stride,
        .normaliser = call->normaliser,
        .critic_normaliser = call->critic_normaliser,
        .keep = call->keep,
        .memory = call->memory,
        .memory_out = call->memory,
    };
    assert(net->memory_floats == 0 || call->memory);
    assert(net->critic == 0 || call->critic || !call->value);
    assert(!call->keep || lu_net_kept_bytes(net));
    assert(!net->branch || call->rows <= NET_BLOCK_ROWS);
    work->strassen = false;
    forward(net, work, &source, call->logits, call->logits_stride, call->value);
}

void lu_net_run_head(const lu_net *net, lu_net_work *work, const lu_net_head *call) {
    assert(net->branch && call->first + call->rows <= work->rows);
    net_stretch rows = {.first = call->first,
                        .at = call->first,
                        .rows = call->rows,
                        .actions = call->actions,
                        .actions_stride = call->actions_stride};
    net_branch_forward(net, work, call->head, &rows, call->logits, call->logits_stride);
}

void lu_net_make_logits(void *user, int head) {
    lu_net_series *series = user;
    series->call.head = head;
    lu_net_run_head(series->net, series->work, &series->call);
}

static net_source chunk_source(const lu_net_chunk *chunk) {
    return (net_source){
        .rows = chunk->segments * chunk->steps,
        .segments = chunk->segments,
        .steps = chunk->steps,
        .rows_at = chunk->observation,
        .critic_at = chunk->critic,
        .kept = chunk->kept,
        .normaliser = chunk->normaliser,
        .critic_normaliser = chunk->critic_normaliser,
        .starts = chunk->starts,
        .actions = chunk->actions,
        .actions_stride = chunk->actions_stride,
        .memory = chunk->memory,
    };
}

void lu_net_forward(const lu_net *net, lu_net_work *work, const lu_net_chunk *chunk, float *logits,
                    size_t logits_stride, float *value) {
    net_source source = chunk_source(chunk);
    assert(value || !net->has_value);
    assert(!chunk->kept || lu_net_kept_bytes(net));
    assert(!net->branch || chunk->actions);
    work->strassen = net->config.strassen;
    forward(net, work, &source, logits, logits_stride, value);
}

/* ---- backward ---- */

/* From tower_work.d, the gradient before the activation of the last layer, down to the inputs. */
static void trunk_back(const lu_net *net, lu_net_work *work, int t, int first, int rows,
                       float *gradient) {
    const net_tower *tower = &net->tower[t];
    tower_work *tw = &work->tower[t];
    net_rows dy = net_features_gradient(tw, tower, first);
    dy = tw->d_narrowed ? net_gradient_rows(tw, 0, first) : dy;
    int other = 1; /* of the two rows of gradients: dy lies in the first */
    tw->d_narrowed = false;
    for (int i = tower->layers - 1; i >= 0; i--) {
        net_rows x = trunk_input(work, t, i, first);
        if (i > 0) { /* both products of the layer read dy */
            dy = net_narrowed(net, work, rows, tower->layer[i].out, dy);
        }
        net_dense_grad(net, work, &tower->layer[i], rows, dy, x, gradient);
        if (i > 0) {
            net_rows dx = tw->in_place ? x : net_gradient_rows(tw, other, first);
            net_dense_back_to(net, work, &tower->layer[i], rows, dy, tower->layer[i - 1].act, x, dx,
                              net_bias_gradient(&tower->layer[i - 1], gradient));
            dy = dx;
            other ^= 1;
        }
    }
    if (tower->groups) {
        net_rows dinput = {.at = tw->dx, .stride = tw->x_stride};
        net_dense_back(net, work, &tower->layer[0], rows, dy, LU_ACT_NONE, dinput, dinput);
        net_encode_back(net, work, t, first, rows, gradient);
    }
}

/* One trunk, of which nothing but its layers adds to the gradient: these take turns. */
static bool turns_by_layer(const lu_net *net) {
    return net->towers == 1 && net->tower[0].memories == 0 && net->tower[0].groups == 0 &&
           !net->branch && !net->mixed && !net->value.out && !net->config.strassen;
}

/* By layer and head: the gradient, and that of the bias below, which products of tiles add. */
int lu_net_turns(const lu_net *net) {
    return turns_by_layer(net) ? 2 * (net->tower[0].layers + 1) : 1;
}

static void clear_bias(const net_layer *layer, float *gradient) {
    float *db = net_bias_gradient(layer, gradient);
    if (db) {
        memset(db, 0, (size_t)layer->out * sizeof *db);
    }
}

/* Where layers alone have parameters, products write what the others would have to clear. */
static bool begin_fresh(const lu_net *net, bool by_layer, float *gradient) {
    const net_tower *tower = &net->tower[0];
    if (!by_layer) {
        memset(gradient, 0, net->parameters * sizeof *gradient);
        return false;
    }
    for (int i = 0; i < tower->layers; i++) {
        clear_bias(&tower->layer[i], gradient);
    }
    clear_bias(&net->head, gradient);
    return true;
}

void lu_net_backward(const lu_net *net, lu_net_work *work, const lu_net_chunk *chunk,
                     const float *dlogits, size_t logits_stride, const float *dvalue,
                     float *gradient) {
    net_source source = chunk_source(chunk);
    bool memory = net->tower[0].memories > 0;
    bool by_layer = turns_by_layer(net) && source.rows <= NET_BLOCK_ROWS;
    work->turn = by_layer ? chunk->turn : NULL;
    work->number = chunk->number;
    int turns = by_layer || !chunk->turn ? 0 : lu_net_turns(net);
    for (int i = 0; i < turns; i++) {
        lu_turn_wait(&chunk->turn[i], chunk->number);
    }
    work->fresh = chunk->fresh && begin_fresh(net, by_layer, gradient);
    for (int first = 0; first < source.rows; first += NET_BLOCK_ROWS) {
        int rows = net_block(source.rows, first);
        net_heads_back(net, work, &source, first, rows, dlogits, logits_stride, dvalue, gradient);
        for (int t = 0; t < net->towers && !memory; t++) {
            trunk_back(net, work, t, first, rows, gradient);
        }
    }
    for (int t = 0; t < net->towers && memory; t++) {
        net_memory_back(net, work, t, &source, gradient);
    }
    for (int first = 0; first < source.rows && memory; first += NET_BLOCK_ROWS) {
        for (int t = 0; t < net->towers; t++) {
            trunk_back(net, work, t, first, net_block(source.rows, first), gradient);
        }
    }
    if (!chunk->more && !work->folded) {
        net_fold(net, work, gradient);
    }
    for (int i = 0; i < turns; i++) {
        lu_turn_take(&chunk->turn[i]);
    }
    /* those that no product took: a chunk that waits for all finds them too */
    for (int i = work->turn ? (int)(work->turn - chunk->turn) : lu_net_turns(net);
         i < lu_net_turns(net); i++) {
        lu_turn_wait(&chunk->turn[i], chunk->number);
        lu_turn_take(&chunk->turn[i]);
    }
}
