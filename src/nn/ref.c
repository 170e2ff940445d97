/* The reference of every kernel: one loop per definition of kernels.h, no blocking, no vectors. A
 * fast kernel is right when it returns these bits. */
#include "ref.h"

#include "float_math.h"
#include "packed.h"
#include "ref_tiles.h"

/* ---- dense layers ---- */

/* Element (step, column) of packed weights. */
static float panel_at(const float *packed, int n, int steps, int step, int column) {
    int start = 0, width = lu_packed_width(n);
    while (column >= start + width) {
        start += width;
        width = lu_packed_width(n - start);
    }
    return packed[(size_t)start * (size_t)steps + (size_t)step * (size_t)width +
                  (size_t)(column - start)];
}

float lu_ref_activate(float z, lu_activation act) {
    switch (act) {
    case LU_ACT_RELU:
        return 0.0f > z ? 0.0f : z;
    case LU_ACT_TANH:
        return lu_tanh_float(z);
    default:
        return z;
    }
}

float lu_ref_deactivate(float d, lu_activation act, const float *y) {
    switch (act) {
    case LU_ACT_RELU:
        return *y > 0.0f ? d : 0.0f;
    case LU_ACT_TANH:
        return d * (1.0f - *y * *y);
    default:
        return d;
    }
}

static void forward(const lu_dense_forward *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int o = 0; o < call->out; o++) {
            float z = call->bias ? call->bias[(size_t)r * call->bias_stride + (size_t)o] : 0.0f;
            for (int i = 0; i < call->in; i++) {
                z = lu_fmaf(call->x[(size_t)r * call->x_stride + (size_t)i],
                            panel_at(call->packed, call->out, call->in, i, o), z);
            }
            call->y[(size_t)r * call->y_stride + (size_t)o] = lu_ref_activate(z, call->act);
        }
    }
}

static void back(const lu_dense_back *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->in; i++) {
            float d = call->start ? call->start[(size_t)r * call->start_stride + (size_t)i] : 0.0f;
            for (int o = 0; o < call->out; o++) {
                d = lu_fmaf(call->dy[(size_t)r * call->dy_stride + (size_t)o],
                            panel_at(call->packed, call->in, call->out, o, i), d);
            }
            const float *x =
                call->act == LU_ACT_NONE ? NULL : call->x + (size_t)r * call->x_stride + (size_t)i;
            call->dx[(size_t)r * call->dx_stride + (size_t)i] = lu_ref_deactivate(d, call->act, x);
        }
    }
}

static void left_sums(const lu_quarters *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->n; i++) {
            size_t at = (size_t)r * call->stride + (size_t)i;
            size_t to = (size_t)r * call->sum_stride + (size_t)i;
            call->sum[0][to] = call->q[1][0][at] + call->q[1][1][at];
            call->sum[1][to] = call->sum[0][to] - call->q[0][0][at];
            call->sum[2][to] = call->q[0][0][at] - call->q[1][0][at];
            call->sum[3][to] = call->q[0][1][at] - call->sum[1][to];
        }
    }
}

static void right_sums(const lu_quarters *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->n; i++) {
            size_t at = (size_t)r * call->stride + (size_t)i;
            size_t to = (size_t)r * call->sum_stride + (size_t)i;
            call->sum[0][to] = call->q[0][1][at] - call->q[0][0][at];
            call->sum[1][to] = call->q[1][1][at] - call->sum[0][to];
            call->sum[2][to] = call->q[1][1][at] - call->q[0][1][at];
            call->sum[3][to] = call->q[1][0][at] - call->sum[1][to];
        }
    }
}

static void quarter_join(const lu_quarter_join *call) {
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->n; i++) {
            size_t at = (size_t)r * call->stride + (size_t)i;
            float sum = call->u[at] + call->p[at];
            const float *x = call->x ? call->x + (size_t)r * call->x_stride + (size_t)i : NULL;
            call->c[at] =
                x ? lu_ref_deactivate(sum, call->act, x) : lu_ref_activate(sum, call->act);
            call->p[at] = call->v[(size_t)r * call->v_stride + (size_t)i] + call->p[at];
        }
    }
}

static void bias_grad(const float *dy, size_t stride, int rows, int out, float *db) {
    for (int o = 0; o < out; o++) {
        for (int r = 0; r < rows; r++) {
            db[o] = db[o] + dy[(size_t)r * stride + (size_t)o];
        }
    }
}

static void grad(const lu_dense_grad *call) {
    for (int o = 0; o < call->out; o++) {
        for (int i = 0; i < call->in; i++) {
            float *dw = call->dw + (size_t)o * call->dw_stride + (size_t)i;
            *dw = call->fresh ? 0.0f : *dw;
            for (int r = 0; r < call->rows; r++) {
                *dw = lu_fmaf(call->dy[(size_t)r * call->dy_stride + (size_t)o],
                              call->x[(size_t)r * call->x_stride + (size_t)i], *dw);
            }
        }
    }
    if (call->db) {
        bias_grad(call->dy, call->dy_stride, call->rows, call->out, call->db);
    }
}

/* ---- the same with bf16 operands: pairs, the odd one first ---- */

/* Word of two bf16 as the float with these bits. */
static float pair_at(const uint16_t *row, int pair) {
    return lu_float_from_bits((uint32_t)row[2 * pair] | (uint32_t)row[2 * pair + 1] << 16);
}

static float panel_pair_at(const uint16_t *packed, int n, int pairs, int pair, int column) {
    int start = 0, width = lu_packed_width(n);
    while (column >= start + width) {
        start += width;
        width = lu_packed_width(n - start);
    }
    const uint16_t *panel = packed + (size_t)start * (size_t)pairs * 2;
    return pair_at(panel + (size_t)pair * (size_t)width * 2, column - start);
}

static void forward_bf16(const lu_dense_forward *call) {
    int pairs = (call->in + 1) / 2;
    for (int r = 0; r < call->rows; r++) {
        for (int o = 0; o < call->out; o++) {
            float z = call->bias ? call->bias[(size_t)r * call->bias_stride + (size_t)o] : 0.0f;
            for (int i = 0; i < pairs; i++) {
                z = lu_bf16_dot(pair_at(call->x16 + (size_t)r * call->x_stride, i),
                                panel_pair_at(call->packed16, call->out, pairs, i, o), z);
            }
            call->y[(size_t)r * call->y_stride + (size_t)o] = lu_ref_activate(z, call->act);
        }
    }
}

static void back_bf16(const lu_dense_back *call) {
    int pairs = (call->out + 1) / 2;
    for (int r = 0; r < call->rows; r++) {
        for (int i = 0; i < call->in; i++) {
            float d = call->start ? call->start[(size_t)r * call->start_stride + (size_t)i] : 0.0f;
            for (int o = 0; o < pairs; o++) {
                d = lu_bf16_dot(pair_at(call->dy16 + (size_t)r * call->dy_stride, o),
                                panel_pair_at(call->packed16, call->in, pairs, o, i), d);
            }
            const float *x =
                call->act == LU_ACT_NONE ? NULL : call->x + (size_t)r * call->x_stride + (size_t)i;
            call->dx[(size_t)r * call->dx_stride + (size_t)i] = lu_ref_deactivate(d, call->act, x);
        }
    }
}

static void grad_bf16(const lu_dense_grad *call) {
    for (int o = 0; o < call->out; o++) {
        for (int i = 0; i < call->in; i++) {
            float *dw = call->dw + (size_t)o * call->dw_stride + (size_t)i;
            *dw = call->fresh ? 0.0f : *dw;
            for (int r = 0; r < (call->rows + 1) / 2; r++) {
                uint32_t dy = call->dy_pairs[(size_t)r * call->dy_stride + (size_t)o];
                uint32_t x = call->x_pairs[(size_t)r * call->x_stride + (size_t)i];
                *dw = lu_bf16_dot(lu_float_from_bits(dy), lu_float_from_bits(x), *dw);
            }
        }
    }
}

static void to_bf16(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                    size_t to_stride) {
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < (n + 1) / 2 * 2; i++) {
            to[(size_t)r * to_stride + (size_t)i] =
                i < n ? (uint16_t)lu_bf16_from(from[(size_t)r * from_stride + (size_t)i]) : 0;
        }
    }
}

static void to_pairs(const float *from, size_t from_stride, int rows, int n, uint32_t *to,
                     size_t to_stride) {
    for (int r = 0; r < rows; r += 2) {
        for (int i = 0; i < n; i++) {
            const float *low = from + (size_t)r * from_stride + (size_t)i;
            uint32_t high = r + 1 < rows ? lu_bf16_from(low[from_stride]) : 0;
            to[(size_t)(r / 2) * to_stride + (size_t)i] = lu_bf16_from(*low) | high << 16;
        }
    }
}

static void pair_rows(const uint16_t *from, size_t from_stride, int rows, int n, uint32_t *to,
                      size_t to_stride) {
    for (int r = 0; r < rows; r += 2) {
        for (int i = 0; i < n; i++) {
            const uint16_t *low = from + (size_t)r * from_stride + (size_t)i;
            uint32_t high = r + 1 < rows ? low[from_stride] : 0;
            to[(size_t)(r / 2) * to_stride + (size_t)i] = *low | high << 16;
        }
    }
}

/* ---- element-wise ---- */

static void exp_array(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_exp_float(x[i]);
    }
}

static void log_array(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_logf(x[i]);
    }
}

static void tanh_array(const float *x, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = lu_tanh_float(x[i]);
    }
}

/* The order of all float sums over a row: term i goes to partial sum i mod 16; then sums j and j +
 * 8 are added, j and j + 4, and so on. */
static float fold(float sums[16]) {
    for (int half = 8; half > 0; half /= 2) {
        for (int j = 0; j < half; j++) {
            sums[j] = sums[j] + sums[j + half];
        }
    }
    return sums[0];
}

static bool is_legal(const uint8_t *legal, int i) {
    return !legal || legal[i];
}

static void softmax_row(const float *logits, const uint8_t *legal, int n, float *p,
                        lu_softmax_stats *stats) {
    float max = (float)-LU_INFINITY, sums[16] = {0}, dots[16] = {0};
    for (int i = 0; i < n; i++) {
        max = is_legal(legal, i) && logits[i] > max ? logits[i] : max;
    }
    max = max + 0.0f; /* of two zeros +0, in whatever order they came */
    for (int i = 0; i < n; i++) {
        float less = logits[i] - max;
        float e = is_legal(legal, i) ? lu_exp_float(less) : 0.0f;
        sums[i % 16] = sums[i % 16] + e;
        dots[i % 16] = dots[i % 16] + (e == 0.0f ? 0.0f : e * less);
        p[i] = e;
    }
    float sum = fold(sums), dot = fold(dots), inverse = 1.0f / sum;
    for (int i = 0; i < n; i++) {
        p[i] = p[i] == 0.0f ? 0.0f : p[i] * inverse;
    }
    if (stats) {
        float log_sum = lu_logf(sum);
        *stats = (lu_softmax_stats){max, log_sum, log_sum - dot * inverse};
    }
}

static void masked_softmax(const lu_softmax *call) {
    for (int i = 0; i < call->rows; i++) {
        size_t r = (size_t)(call->row ? call->row[i] : i);
        softmax_row(call->logits + r * call->logits_stride,
                    call->legal ? call->legal + r * call->legal_stride : NULL, call->n,
                    call->p + r * call->p_stride, call->stats ? call->stats + r : NULL);
    }
}

static void softmax_back(const float *logits, const lu_softmax_stats *stats, int n, float d,
                         float cost, float *p) {
    for (int i = 0; i < n; i++) {
        float log_p = (logits[i] - stats->max) - stats->log_sum;
        p[i] = p[i] > 0.0f ? p[i] * (cost * (log_p + stats->entropy) - d) : 0.0f;
    }
}

static void normalise(const float *x, const float *shift, const float *scale, float limit, int n,
                      float *y) {
    for (int i = 0; i < n; i++) {
        float z = (x[i] - shift[i]) * scale[i];
        y[i] = z > limit ? limit : z < -limit ? -limit : z;
    }
}

static void moments(const float *x, size_t stride, int rows, const float *shift, int n, double *sum,
                    double *square) {
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++) {
            double d = (double)x[(size_t)r * stride + (size_t)i] - (double)shift[i];
            sum[i] = sum[i] + d;
            square[i] = square[i] + d * d;
        }
    }
}

/* Blocks of 16 are passed over by their sum; the block that passes u is searched in order. */
static int sample(const float *p, const uint8_t *legal, int n, float u) {
    float before = 0.0f;
    for (int at = 0; at < n; at += 16) {
        float part[16] = {0};
        for (int i = at; i < n && i < at + 16; i++) {
            part[i - at] = p[i];
        }
        float after = before + fold(part);
        int found = -1;
        for (int i = at; i < n && i < at + 16 && after > u && !(before > u); i++) {
            found = p[i] > 0.0f ? i : found;
            before = before + p[i];
        }
        if (found >= 0) {
            return found;
        }
        before = after;
    }
    for (int i = n - 1; i >= 0; i--) {
        if (p[i] > 0.0f) {
            return i;
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        if (is_legal(legal, i)) {
            return i;
        }
    }
    return -1;
}

static void adam(const lu_adam *now, size_t n, const float *grad_now, float *m, float *v,
                 float *param) {
    for (size_t i = 0; i < n; i++) {
        float g = grad_now[i] * now->scale;
        m[i] = now->beta1 * m[i] + now->rest1 * g;
        v[i] = now->beta2 * v[i] + now->rest2 * (g * g);
        float root = __builtin_sqrtf(v[i]) * now->root_bias + now->eps;
        param[i] = now->keep * param[i] - now->step * (m[i] / root);
    }
}

static double sum_squares(const float *x, size_t n) {
    double sums[16] = {0};
    for (size_t i = 0; i < n; i++) {
        sums[i % 16] = sums[i % 16] + (double)x[i] * (double)x[i];
    }
    for (int half = 8; half > 0; half /= 2) {
        for (int j = 0; j < half; j++) {
            sums[j] = sums[j] + sums[j + half];
        }
    }
    return sums[0];
}

static void blend(float a, const float *x, float b, float *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        y[i] = a * x[i] + b * y[i];
    }
}

/* ---- peak ---- */

static double peak_fp32(long loops, float *sink) {
    for (long k = 0; k < loops; k++) {
        *sink = lu_fmaf(*sink, 0.5f, 1.0f);
    }
    return 2.0 * (double)loops;
}

static double peak_bf16(long loops, float *sink) {
    for (long k = 0; k < loops; k++) {
        *sink = lu_bf16_dot(*sink, 0.0f, *sink);
    }
    return 4.0 * (double)loops;
}

const lu_kernels lu_kernels_ref = {.name = "ref",
                                   .pack_forward = lu_pack_forward,
                                   .pack_back = lu_pack_back,
                                   .pack_forward_bf16 = lu_pack_forward_bf16,
                                   .pack_back_bf16 = lu_pack_back_bf16,
                                   .pack_forward_tile = lu_ref_pack_forward_tile,
                                   .pack_back_tile = lu_ref_pack_back_tile,
                                   .forward = forward,
                                   .back = back,
                                   .grad = grad,
                                   .forward_bf16 = forward_bf16,
                                   .back_bf16 = back_bf16,
                                   .grad_bf16 = grad_bf16,
                                   .forward_tile = lu_ref_forward_tile,
                                   .back_tile = lu_ref_back_tile,
                                   .grad_tile = lu_ref_grad_tile,
                                   .bias_grad = bias_grad,
                                   .left_sums = left_sums,
                                   .right_sums = right_sums,
                                   .quarter_join = quarter_join,
                                   .to_bf16 = to_bf16,
                                   .to_pairs = to_pairs,
                                   .pair_rows = pair_rows,
                                   .to_tile_rows = lu_ref_to_tile_rows,
                                   .row_tiles = lu_ref_row_tiles,
                                   .normalise = normalise,
                                   .moments = moments,
                                   .exp = exp_array,
                                   .log = log_array,
                                   .tanh = tanh_array,
                                   .masked_softmax = masked_softmax,
                                   .softmax_back = softmax_back,
                                   .sample = sample,
                                   .adam = adam,
                                   .sum_squares = sum_squares,
                                   .blend = blend,
                                   .peak_fp32 = peak_fp32,
                                   .peak_bf16 = peak_bf16,
                                   .peak_tile = peak_fp32};
