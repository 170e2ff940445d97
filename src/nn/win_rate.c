/* The win-rate predictor: see win_rate.h. Tensors lie one behind the other, torch layout. */
#include "ludus/win_rate.h"

#include "ludus/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { H = LU_WIN_RATE_HIDDEN, CLASSES = 2, LAYERS = 3, LANES = 8 };

/* Layer `layer`: its sizes, and its weights in a block. */
typedef struct layer {
    int in, out;
    size_t weight, bias;
} layer;

static layer layer_of(int numbers, int index) {
    size_t first = (size_t)numbers * H + H, second = (size_t)H * H + H;
    switch (index) {
    case 0:
        return (layer){numbers, H, 0, (size_t)numbers * H};
    case 1:
        return (layer){H, H, first, first + (size_t)H * H};
    default:
        return (layer){H, CLASSES, first + second, first + second + (size_t)H * CLASSES};
    }
}

size_t lu_win_rate_count(int numbers) {
    return layer_of(numbers, LAYERS - 1).bias + CLASSES;
}

void lu_win_rate_tensors(int numbers, lu_tensor tensor[LU_WIN_RATE_TENSORS]) {
    for (int i = 0; i < LAYERS; i++) {
        layer l = layer_of(numbers, i);
        size_t weights = (size_t)l.in * (size_t)l.out;
        tensor[2 * i] =
            (lu_tensor){.rank = 2, .shape = {l.out, l.in}, .offset = l.weight, .count = weights};
        tensor[2 * i + 1] =
            (lu_tensor){.rank = 1, .shape = {l.out}, .offset = l.bias, .count = (size_t)l.out};
        snprintf(tensor[2 * i].name, sizeof tensor->name, "win_rate.%d.weight", i);
        snprintf(tensor[2 * i + 1].name, sizeof tensor->name, "win_rate.%d.bias", i);
    }
}

/* Uniform with the variance that keeps the size of features; the last layer begins near one half.
 */
void lu_win_rate_init(float *parameters, int numbers, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    memset(parameters, 0, lu_win_rate_count(numbers) * sizeof *parameters);
    for (int i = 0; i < LAYERS; i++) {
        layer l = layer_of(numbers, i);
        double bound = (i + 1 < LAYERS ? 1.0 : 0.01) * lu_sqrt(6.0 / (double)l.in);
        for (int w = 0; w < l.in * l.out; w++) {
            parameters[l.weight + (size_t)w] = (float)((2.0 * lu_rng_unit(&rng) - 1.0) * bound);
        }
    }
}

void lu_win_rate_see(const lu_normaliser *normaliser, int numbers, const float *row, float *x) {
    for (int i = 0; i < numbers; i++) {
        float z = row[i];
        if (normaliser) {
            z = (z - normaliser->shift[i]) * normaliser->scale[i];
            z = z > normaliser->clip ? normaliser->clip : z;
            z = z < -normaliser->clip ? -normaliser->clip : z;
        }
        x[i] = z;
    }
}

/* In lanes, so that the sum has one order at every width of vectors. */
static float dot(const float *a, const float *b, int count) {
    float lane[LANES] = {0}, sum = 0.0f;
    int i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            lane[k] += a[i + k] * b[i + k];
        }
    }
    for (int k = 0; k < LANES; k++) {
        sum += lane[k];
    }
    for (; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* What a forward pass leaves for the backward one. */
typedef struct pass {
    float hidden[LAYERS - 1][H], logit[CLASSES]; /* of winning, of losing */
    double won;
} pass;

static void forward(const float *parameters, int numbers, const float *x, pass *p) {
    const float *in = x;
    for (int i = 0; i < LAYERS; i++) {
        layer l = layer_of(numbers, i);
        float *out = i + 1 < LAYERS ? p->hidden[i] : p->logit;
        for (int o = 0; o < l.out; o++) {
            float sum = parameters[l.bias + (size_t)o] +
                        dot(parameters + l.weight + (size_t)o * (size_t)l.in, in, l.in);
            out[o] = i + 1 < LAYERS && sum < 0.0f ? 0.0f : sum;
        }
        in = out;
    }
    p->won = 1.0 / (1.0 + lu_exp((double)p->logit[1] - (double)p->logit[0]));
}

double lu_win_rate_run(const float *parameters, int numbers, const float *x) {
    pass p;
    forward(parameters, numbers, x, &p);
    return p.won;
}

/* Adds the gradient of one layer and leaves that of its input in `din` (NULL: not wanted). */
static void backward(const float *parameters, layer l, const float *in, const float *dout,
                     float *din, float *gradient) {
    for (int i = 0; din && i < l.in; i++) {
        din[i] = 0.0f;
    }
    for (int o = 0; o < l.out; o++) {
        const float *weight = parameters + l.weight + (size_t)o * (size_t)l.in;
        float *dweight = gradient + l.weight + (size_t)o * (size_t)l.in;
        if (dout[o] == 0.0f) {
            continue;
        }
        gradient[l.bias + (size_t)o] += dout[o];
        for (int i = 0; i < l.in; i++) {
            dweight[i] += dout[o] * in[i];
        }
        for (int i = 0; din && i < l.in; i++) {
            din[i] += dout[o] * weight[i];
        }
    }
}

double lu_win_rate_learn(const float *parameters, int numbers, const float *x, double won,
                         float scale, float *gradient) {
    pass p;
    forward(parameters, numbers, x, &p);
    float from[H], to[H];
    from[0] = (float)(p.won - won) * scale;
    from[1] = -from[0];
    backward(parameters, layer_of(numbers, 2), p.hidden[1], from, to, gradient);
    for (int i = 1; i >= 0; i--) {
        for (int h = 0; h < H; h++) {
            from[h] = p.hidden[i][h] > 0.0f ? to[h] : 0.0f;
        }
        backward(parameters, layer_of(numbers, i), i > 0 ? p.hidden[i - 1] : x, from,
                 i > 0 ? to : NULL, gradient);
    }
    return p.won;
}

void lu_win_rate_step(float *parameters, int numbers, float *gradient, float *first, float *second,
                      int64_t step, double rate) {
    const float beta1 = 0.9f, beta2 = 0.999f, eps = 1e-5f;
    double low1 = 1.0 - lu_pow((double)beta1, (double)step),
           low2 = 1.0 - lu_pow((double)beta2, (double)step);
    float by = (float)(rate / low1), root = (float)(1.0 / lu_sqrt(low2));
    size_t count = lu_win_rate_count(numbers);
    for (size_t i = 0; i < count; i++) {
        float g = gradient[i];
        first[i] = beta1 * first[i] + (1.0f - beta1) * g;
        second[i] = beta2 * second[i] + (1.0f - beta2) * g * g;
        parameters[i] -= by * first[i] / (sqrtf(second[i]) * root + eps);
        gradient[i] = 0.0f;
    }
}
