/* One step of Adam or Muon on the parameters of a net, behind a clip of the gradient's norm. Both
 * are the kernels' (one order of sums at every level); here stands which tensor gets which. */
#include "net_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step that is under way. */
struct lu_optimiser_job {
    lu_optimiser *optimiser;
    lu_net *net;
    const float *gradient;
    lu_adam adam;
    bool moves; /* the gradient is finite */
};

/* Muon is for matrices; a table of embeddings is a list of vectors, most of them without a gradient
 * in a batch, and orthogonalising would move them all. */
static bool moved_by_muon(const lu_net *net, int tensor) {
    const lu_tensor *t = &net->tensor[tensor];
    return t->rank == 2 && t->shape[0] > 1 && t->shape[1] > 1 && !net->is_table[tensor];
}

static size_t room_floats(const lu_net *net, int tensor) {
    const lu_tensor *t = &net->tensor[tensor];
    int rows = (int)t->shape[0], cols = (int)t->shape[1];
    return (size_t)rows * lu_row_floats(cols) + lu_muon_floats(rows, cols);
}

/* Scratch for the largest matrix, in whole cache lines; 0 = none needed. */
static size_t room_bytes(lu_optimiser_kind kind, const lu_net *net) {
    size_t room = 0;
    for (int i = 0; kind == LU_MUON && i < net->tensors; i++) {
        size_t wanted = moved_by_muon(net, i) ? room_floats(net, i) : 0;
        room = wanted > room ? wanted : room;
    }
    return (room * sizeof(float) + 63) / 64 * 64;
}

size_t lu_optimiser_bytes(lu_optimiser_kind kind, const lu_net *net) {
    return 2 * (net->parameters + 1) * sizeof(float) + room_bytes(kind, net);
}

void lu_optimiser_init(lu_optimiser *optimiser, lu_optimiser_kind kind, const lu_net *net) {
    *optimiser = (lu_optimiser){
        .kind = kind,
        .parameters = net->parameters,
        .first = lu_alloc_zero(net->parameters + 1, sizeof(float)),
        .second = lu_alloc_zero(net->parameters + 1, sizeof(float)),
        .job = lu_alloc_zero(1, sizeof *optimiser->job),
    };
    size_t bytes = room_bytes(kind, net);
    if (bytes) {
        optimiser->room = lu_alloc_lines(bytes);
    }
}

void lu_optimiser_free(lu_optimiser *optimiser) {
    free(optimiser->first);
    free(optimiser->second);
    free(optimiser->room);
    free(optimiser->job);
    *optimiser = (lu_optimiser){0};
}

/* Nesterov momentum m = beta m + g, step along orthogonal(g + beta m) x sqrt(max(1, rows / cols)).
 */
static void muon(lu_optimiser *o, const lu_net *net, const lu_tensor *t, const float *gradient,
                 const lu_optimiser_step *step, float scale) {
    int rows = (int)t->shape[0], cols = (int)t->shape[1];
    size_t stride = lu_row_floats(cols), n = (size_t)cols;
    float beta = (float)step->beta1;
    float *room = o->room, *rest = o->room + (size_t)rows * stride;
    for (int r = 0; r < rows; r++) {
        const float *restrict g = gradient + t->offset + (size_t)r * n;
        float *restrict m = o->first + t->offset + (size_t)r * n;
        float *restrict to = room + (size_t)r * stride;
        for (size_t i = 0; i < n; i++) {
            float now = g[i] * scale;
            m[i] = beta * m[i] + now;
            to[i] = now + beta * m[i];
        }
    }
    lu_muon_orthogonal(net->k, step->pool, room, stride, rows, cols, rest);
    double shape = rows > cols ? sqrt((double)rows / (double)cols) : 1.0;
    float move = (float)(step->rate * shape), keep = (float)(1.0 - step->rate * step->decay);
    for (int r = 0; r < rows; r++) {
        const float *restrict from = room + (size_t)r * stride;
        float *restrict p = net->block + t->offset + (size_t)r * n;
        for (size_t i = 0; i < n; i++) {
            p[i] = p[i] * keep - move * from[i];
        }
    }
}

/* Fewer parameters are moved and packed in less time than threads wake up. */
enum { SHARED_PARAMETERS = 65536 };

static void move_piece(void *context, int index) {
    const lu_optimiser_job *j = context;
    const net_piece *piece = &j->net->piece[index];
    if (j->moves) {
        j->net->k->adam(&j->adam, piece->count, j->gradient + piece->from,
                        j->optimiser->first + piece->from, j->optimiser->second + piece->from,
                        j->net->block + piece->from);
        net_pack_piece(j->net, index);
    }
}

static void pack_quarter(void *context, int index) {
    const lu_optimiser_job *j = context;
    if (j->moves) {
        net_pack_quarter(j->net, index);
    }
}

/* A small net at once. */
static void move_whole(void *context, int index) {
    const lu_optimiser_job *j = context;
    (void)index;
    for (int piece = 0; piece < j->net->pieces; piece++) {
        move_piece(context, piece);
    }
    for (int i = 0, quarters = net_pack_quarters(j->net); i < quarters; i++) {
        pack_quarter(context, i);
    }
}

double lu_optimiser_begin(lu_optimiser *o, lu_net *net, const float *gradient,
                          const lu_optimiser_step *step) {
    assert(o->parameters == net->parameters);
    double square =
        step->square > 0.0 ? step->square : net->k->sum_squares(gradient, net->parameters);
    double norm = sqrt(square);
    o->job->moves = isfinite(norm);
    if (!o->job->moves) {
        return norm; /* a step would spoil every parameter; the caller decides what to do */
    }
    /* as torch.nn.utils.clip_grad_norm_ */
    double scale = step->clip > 0.0 ? step->clip / (norm + 1e-6) : 1.0;
    scale = scale > 1.0 ? 1.0 : scale;
    o->steps++;
    *o->job = (lu_optimiser_job){.optimiser = o,
                                 .net = net,
                                 .gradient = gradient,
                                 .moves = true,
                                 .adam = lu_adam_at(o->steps, step->rate, step->beta1, step->beta2,
                                                    step->eps, step->decay, scale)};
    return norm;
}

/* Weights are packed by who moved them; sums of quarters when all have moved. */
int lu_optimiser_passes(lu_optimiser *o, lu_net *net, lu_pool_pass *pass) {
    o->job->net = net;
    o->job->moves = false;
    if (net->parameters < SHARED_PARAMETERS) {
        pass[0] = (lu_pool_pass){move_whole, o->job, 1};
        return 1;
    }
    pass[0] = (lu_pool_pass){move_piece, o->job, net->pieces};
    pass[1] = (lu_pool_pass){pack_quarter, o->job, net_pack_quarters(net)};
    return pass[1].jobs ? 2 : 1;
}

static void run_muon(lu_optimiser *o, lu_net *net, const float *gradient,
                     const lu_optimiser_step *step, lu_pool *pool) {
    const lu_adam *adam = &o->job->adam;
    for (int i = 0; i < net->tensors; i++) {
        const lu_tensor *t = &net->tensor[i];
        if (moved_by_muon(net, i)) {
            muon(o, net, t, gradient, step, adam->scale);
        } else {
            net->k->adam(adam, t->count, gradient + t->offset, o->first + t->offset,
                         o->second + t->offset, net->block + t->offset);
        }
    }
    lu_pool_run(pool, net_pack_piece, net, net->pieces);
    lu_pool_run(pool, net_pack_quarter, net, net_pack_quarters(net));
}

double lu_optimiser_run(lu_optimiser *o, lu_net *net, const float *gradient,
                        const lu_optimiser_step *step) {
    lu_pool_pass pass[LU_OPTIMISER_PASSES];
    lu_pool *pool = net->parameters >= SHARED_PARAMETERS ? step->pool : NULL;
    int passes = lu_optimiser_passes(o, net, pass);
    double norm = lu_optimiser_begin(o, net, gradient, step);
    if (isfinite(norm) && o->kind == LU_ADAM) {
        lu_pool_run_passes(pool, pass, passes);
    } else if (isfinite(norm)) {
        run_muon(o, net, gradient, step, pool);
    }
    return norm;
}

double lu_net_squares(const lu_net *net, const float *x, size_t count) {
    return net->k->sum_squares(x, count);
}

void lu_net_blend(const lu_net *net, float a, const float *x, float b, float *y, size_t count) {
    net->k->blend(a, x, b, y, count);
}
