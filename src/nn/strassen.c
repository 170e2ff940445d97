/* Products of quarters: Winograd's form of Strassen's product. With both operands and the result
 * cut into quarters, seven products of quarters do what eight do, an eighth less work:
 *
 *   left                   right                  result
 *   s0 = a10 + a11         t0 = b01 - b00         v   = a00 b00 + s1 t1
 *   s1 = s0 - a00          t1 = b11 - t0          w   = v + s2 t2
 *   s2 = a00 - a10         t2 = b11 - b01         c00 = a00 b00 + a01 b10
 *   s3 = a01 - s1          t3 = b10 - t1          c01 = v + s0 t0 + s3 b11
 *                                                 c10 = w + a11 t3
 *                                                 c11 = w + s0 t0
 *
 * Almost all sums of the result cost nothing, since a product starts from the sums of another. The
 * last bits of a row depend on the rows it shares a block with; inference therefore never runs
 * through here, and training does with net.products = strassen. */
#include "net_internal.h"

#include <string.h>

/* Fewer rows are not worth the sums. */
enum { STRASSEN_ROWS = 48, STRASSEN_SIZE = 128 };

bool net_strassen_fits(const lu_net *net, int n, int steps) {
    return net->config.strassen && n >= STRASSEN_SIZE && n % 64 == 0 && steps >= STRASSEN_SIZE &&
           steps % 2 == 0;
}

bool net_strassen_rows(const lu_net_work *work, int rows) {
    return work->strassen && rows >= STRASSEN_ROWS && rows % 2 == 0;
}

/* ---- operands ---- */

/* What a product of quarters multiplies: sums, or quarters as they are. The order of the seven. */
typedef enum operand { SUM0, SUM1, SUM2, SUM3, Q00, Q01, Q10, Q11 } operand;
typedef struct strassen_pair {
    operand left, right;
} strassen_pair;
enum { P_FIRST, P_SECOND, P_S3, P_T3, P_S0, P_S1, P_S2, STRASSEN };
static const strassen_pair pairs[STRASSEN] = {
    [P_FIRST] = {Q00, Q00}, [P_SECOND] = {Q01, Q10}, [P_S3] = {SUM3, Q11}, [P_T3] = {Q11, SUM3},
    [P_S0] = {SUM0, SUM0},  [P_S1] = {SUM1, SUM1},   [P_S2] = {SUM2, SUM2}};

typedef struct strassen_rows {
    const float *at;
    size_t stride;
} strassen_rows;

static strassen_rows operand_of(const lu_quarters *of, operand which) {
    if (which <= SUM3) {
        return (strassen_rows){of->sum[which], of->sum_stride};
    }
    return (strassen_rows){of->q[(which - Q00) / 2][(which - Q00) % 2], of->stride};
}

/* Quarters of a matrix of 2 rows x 2 n, with room for their sums; turned: of its transpose, each
 * quarter as it stands. */
static lu_quarters quarters_of(const float *at, size_t stride, int rows, int n, float *const *sums,
                               size_t sum_stride, bool turned) {
    const float *below = at + (size_t)rows * stride;
    lu_quarters of = {.rows = rows,
                      .n = n,
                      .q = {{at, at + n}, {below, below + n}},
                      .stride = stride,
                      .sum_stride = sum_stride};
    if (turned) {
        of.q[0][1] = below;
        of.q[1][0] = at + n;
    }
    memcpy(of.sum, sums, sizeof of.sum);
    return of;
}

/* ---- weights, once per update ---- */

/* The right operands of all seven, packed; `sums` is room for four quarters. */
static void pack_strassen(const lu_net *net, const net_layer *l, bool back, float *sums,
                          float *packed) {
    int out = l->out / 2, in = l->in / 2;
    size_t quarter = (size_t)out * (size_t)in;
    float *room[4] = {sums, sums + quarter, sums + 2 * quarter, sums + 3 * quarter};
    /* the right operand of forward is the transpose of the weights */
    lu_quarters w =
        quarters_of(net->block + l->weight, (size_t)l->in, out, in, room, (size_t)in, !back);
    net->k->right_sums(&w);
    for (int p = 0; p < STRASSEN; p++) {
        strassen_rows from = operand_of(&w, pairs[p].right);
        if (back) {
            net->k->pack_back(from.at, from.stride, out, in,
                              packed + (size_t)p * lu_packed_floats(in, out));
        } else {
            net->k->pack_forward(from.at, from.stride, out, in,
                                 packed + (size_t)p * lu_packed_floats(out, in));
        }
    }
}

size_t net_strassen_floats(int n, int steps) {
    return STRASSEN * lu_packed_floats(n / 2, steps / 2) + (size_t)n * (size_t)steps;
}

void net_strassen_pack_forward(const lu_net *net, const net_layer *l) {
    if (!l->strassen_forward) {
        return;
    }
    pack_strassen(net, l, false,
                  l->strassen_forward + STRASSEN * lu_packed_floats(l->out / 2, l->in / 2),
                  l->strassen_forward);
    const float *bias = l->bias == NET_NONE ? NULL : net->block + l->bias;
    for (int o = 0; bias && o < l->out / 2; o++) {
        l->bias_step[o] = bias[l->out / 2 + o] - bias[o];
    }
}

void net_strassen_pack_back(const lu_net *net, const net_layer *l) {
    if (l->strassen_back) {
        pack_strassen(net, l, true,
                      l->strassen_back + STRASSEN * lu_packed_floats(l->in / 2, l->out / 2),
                      l->strassen_back);
    }
}

/* ---- forward and back ---- */

/* Where a product of a layer starts and ends: in v, in a quarter of the result, or from the bias,
 * whose second half comes in with s0 t0. */
typedef enum place { FROM_BIAS, FROM_STEP, IN_V, IN_00, IN_01, IN_10 } place;
typedef struct strassen_step {
    int product;
    place from, to;
    bool ends; /* with the activation */
} strassen_step;
/* After s0 t0, c11 and c01 take from it what is in c01. */
static const strassen_step steps[STRASSEN] = {
    {P_FIRST, FROM_BIAS, IN_V, false}, {P_SECOND, IN_V, IN_00, true},   {P_S1, IN_V, IN_V, false},
    {P_S2, IN_V, IN_10, false},        {P_S0, FROM_STEP, IN_01, false}, {P_S3, IN_01, IN_01, true},
    {P_T3, IN_10, IN_10, true}};

/* One layer on one block: back has x, whose activation is undone. */
typedef struct strassen_layer {
    const lu_kernels *k;
    int half, n, steps; /* rows, columns and chain of a quarter */
    const float *packed, *bias, *bias_step;
    lu_activation act;
    const float *x;
    size_t x_stride;
    bool back;
    float *c[2][2];
    size_t c_stride;
    float *v;
    size_t v_stride;
} strassen_layer;

static float *quarter_at(const strassen_layer *s, place where) {
    return where == IN_V ? s->v : s->c[(where - IN_00) / 2][(where - IN_00) % 2];
}

static size_t stride_at(const strassen_layer *s, place where) {
    return where == IN_V ? s->v_stride : s->c_stride;
}

/* x beside a quarter of the result. */
static const float *x_beside(const strassen_layer *s, int row, int column) {
    return s->x ? s->x + (size_t)(row * s->half) * s->x_stride + (size_t)(column * s->n) : NULL;
}

static void run_step(const strassen_layer *s, const lu_quarters *left, const strassen_step *step) {
    strassen_rows x = operand_of(left, pairs[step->product].left);
    bool one_row = step->from <= FROM_STEP;
    const float *start = step->from == FROM_BIAS   ? s->bias
                         : step->from == FROM_STEP ? s->bias_step
                                                   : quarter_at(s, step->from);
    size_t start_stride = one_row ? 0 : stride_at(s, step->from);
    float *to = quarter_at(s, step->to);
    size_t to_stride = stride_at(s, step->to);
    const float *packed = s->packed + (size_t)step->product * lu_packed_floats(s->n, s->steps);
    lu_activation act = step->ends ? s->act : LU_ACT_NONE;
    /* a step that ends is in a quarter of the result */
    const float *beside = step->ends ? x_beside(s, step->to == IN_10, step->to == IN_01) : NULL;
    if (s->back) {
        s->k->back(&(lu_dense_back){.rows = s->half,
                                    .in = s->n,
                                    .out = s->steps,
                                    .dy = x.at,
                                    .dy_stride = x.stride,
                                    .packed = packed,
                                    .start = start,
                                    .start_stride = start_stride,
                                    .act = act,
                                    .x = beside,
                                    .x_stride = s->x_stride,
                                    .dx = to,
                                    .dx_stride = to_stride});
    } else {
        s->k->forward(&(lu_dense_forward){.rows = s->half,
                                          .in = s->steps,
                                          .out = s->n,
                                          .x = x.at,
                                          .x_stride = x.stride,
                                          .packed = packed,
                                          .bias = start,
                                          .bias_stride = start_stride,
                                          .act = act,
                                          .y = to,
                                          .y_stride = to_stride});
    }
}

static void run_strassen(strassen_layer *s, lu_net_work *work, int rows, net_rows a, net_rows c) {
    s->half = rows / 2;
    lu_quarters left =
        quarters_of(a.at, a.stride, s->half, s->steps, work->left, work->sum_stride, false);
    float *below = c.at + (size_t)s->half * c.stride;
    s->c[0][0] = c.at;
    s->c[0][1] = c.at + s->n;
    s->c[1][0] = below;
    s->c[1][1] = below + s->n;
    s->c_stride = c.stride;
    s->v = work->right[0];
    s->v_stride = work->sum_stride;
    s->k->left_sums(&left);
    for (int i = 0; i < STRASSEN; i++) {
        run_step(s, &left, &steps[i]);
        if (steps[i].product == P_S0) {
            s->k->quarter_join(&(lu_quarter_join){.rows = s->half,
                                                  .n = s->n,
                                                  .u = s->c[1][0],
                                                  .v = s->v,
                                                  .p = s->c[0][1],
                                                  .c = s->c[1][1],
                                                  .stride = s->c_stride,
                                                  .v_stride = s->v_stride,
                                                  .act = s->act,
                                                  .x = x_beside(s, 1, 1),
                                                  .x_stride = s->x_stride});
        }
    }
}

void net_strassen_forward(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                          net_rows x, net_rows y, lu_activation act) {
    bool bias = layer->bias != NET_NONE;
    run_strassen(&(strassen_layer){.k = net->k,
                                   .n = layer->out / 2,
                                   .steps = layer->in / 2,
                                   .packed = layer->strassen_forward,
                                   .bias = bias ? net->block + layer->bias : NULL,
                                   .bias_step = bias ? layer->bias_step : NULL,
                                   .act = act},
                 work, rows, x, y);
}

void net_strassen_back(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, lu_activation act, net_rows below, net_rows dx) {
    run_strassen(&(strassen_layer){.k = net->k,
                                   .n = layer->in / 2,
                                   .steps = layer->out / 2,
                                   .packed = layer->strassen_back,
                                   .act = act,
                                   .x = act == LU_ACT_NONE ? NULL : below.at,
                                   .x_stride = below.stride,
                                   .back = true},
                 work, rows, dy, dx);
}

/* ---- gradient of the weights ---- */

/* The products that more than one quarter takes are summed apart and folded in at the end. */
enum { FOLD_FIRST, FOLD_S0, FOLD_S1, FOLD_S2, FOLDS };

void net_strassen_grad(const lu_net *net, lu_net_work *work, const net_layer *layer, int rows,
                       net_rows dy, net_rows x, float *gradient) {
    int out = layer->out / 2, columns = layer->fold_columns, in = columns / 2;
    lu_quarters left =
        quarters_of(dy.at, dy.stride, rows / 2, out, work->left, work->sum_stride, true);
    lu_quarters right =
        quarters_of(x.at, x.stride, rows / 2, in, work->right, work->sum_stride, false);
    net->k->left_sums(&left);
    net->k->right_sums(&right);
    float *dw = gradient + layer->weight, *folds = work->folds + layer->fold;
    size_t stride = (size_t)layer->in, fold = (size_t)in, quarter = (size_t)out * fold;
    struct {
        float *to;
        size_t stride;
    } target[STRASSEN] = {
        [P_FIRST] = {folds + FOLD_FIRST * quarter, fold},
        [P_SECOND] = {dw, stride},
        [P_S3] = {dw + in, stride},
        [P_T3] = {dw + (size_t)out * stride, stride},
        [P_S0] = {folds + FOLD_S0 * quarter, fold},
        [P_S1] = {folds + FOLD_S1 * quarter, fold},
        [P_S2] = {folds + FOLD_S2 * quarter, fold},
    };
    for (int p = 0; p < STRASSEN; p++) {
        strassen_rows a = operand_of(&left, pairs[p].left), b = operand_of(&right, pairs[p].right);
        net->k->grad(&(lu_dense_grad){.rows = rows / 2,
                                      .in = in,
                                      .out = out,
                                      .dy = a.at,
                                      .dy_stride = a.stride,
                                      .x = b.at,
                                      .x_stride = b.stride,
                                      .dw = target[p].to,
                                      .dw_stride = target[p].stride});
    }
    if (columns < layer->in) {
        net->k->grad(&(lu_dense_grad){.rows = rows,
                                      .in = layer->in - columns,
                                      .out = layer->out,
                                      .dy = dy.at,
                                      .dy_stride = dy.stride,
                                      .x = x.at + columns,
                                      .x_stride = x.stride,
                                      .dw = dw + columns,
                                      .dw_stride = stride});
    }
    if (layer->bias != NET_NONE) {
        net->k->bias_grad(dy.at, dy.stride, rows, layer->out, gradient + layer->bias);
    }
    work->folded = false;
}

static void add_rows(const lu_kernels *k, const float *from, int rows, int n, float *to,
                     size_t stride) {
    for (int r = 0; r < rows; r++) {
        k->blend(1.0f, from + (size_t)r * (size_t)n, 1.0f, to + (size_t)r * stride, (size_t)n);
    }
}

void net_strassen_fold(const lu_net *net, lu_net_work *work, const net_layer *layer,
                       float *gradient) {
    if (!layer->fold_columns) {
        return;
    }
    int out = layer->out / 2, in = layer->fold_columns / 2;
    size_t stride = (size_t)layer->in, quarter = (size_t)out * (size_t)in;
    float *dw = gradient + layer->weight, *below = dw + (size_t)out * stride;
    float *folds = work->folds + layer->fold;
    float *first = folds + FOLD_FIRST * quarter, *s0 = folds + FOLD_S0 * quarter;
    float *v = folds + FOLD_S1 * quarter, *w = folds + FOLD_S2 * quarter;
    add_rows(net->k, first, out, in, dw, stride);
    net->k->blend(1.0f, first, 1.0f, v, quarter);
    net->k->blend(1.0f, v, 1.0f, w, quarter);
    net->k->blend(1.0f, s0, 1.0f, v, quarter);
    add_rows(net->k, v, out, in, dw + in, stride);
    add_rows(net->k, w, out, in, below, stride);
    net->k->blend(1.0f, s0, 1.0f, w, quarter);
    add_rows(net->k, w, out, in, below + in, stride);
    memset(folds, 0, FOLDS * quarter * sizeof *folds);
}
