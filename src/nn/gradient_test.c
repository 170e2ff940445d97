/* Gradients of every kind of net: the fp64 reference against central differences of the loss, the
 * fast net against the reference, bf16 against fp32, and the same bits at every kernel level. */
#include "net_games_test.h"
#include "net_ref.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

typedef struct kind_of_net {
    const lu_game *game;
    lu_net_kind kind;
    const char *settings;
} kind_of_net;

/* clang-format off */
static const kind_of_net kinds[] = {
    {&test_plain, LU_NET_POLICY, "net.hidden=9 net.layers=1 net.activation=tanh"},
    {&test_plain, LU_NET_POLICY, "net.hidden=10 net.layers=3 net.critic=separate"},
    {&test_hand, LU_NET_POLICY, "net.hidden=10 net.layers=2 net.critic_inputs=false"},
    {&test_hand, LU_NET_POLICY, "net.hidden=10 net.layers=2 net.activation=tanh"},
    {&test_hand, LU_NET_POLICY, "net.hidden=7 net.layers=2 net.critic=separate"},
    {&test_hand, LU_NET_POLICY, "net.hidden=9 net.layers=1 net.activation=none net.bias=false net.memory=mingru net.memory_layers=2"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=1 net.memory=lstm net.memory_layers=2 net.critic_inputs=false"},
    {&test_hand, LU_NET_POLICY, "net.hidden=7 net.layers=2 net.memory=lstm net.critic=separate"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=2 net.encoder=entity net.entity_width=5"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=1 net.encoder=entity net.entity_width=17 net.pool=mean net.critic=separate"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=2 net.encoder=entity net.entity_width=6 net.pointer=false net.critic_inputs=false"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=2 net.encoder=entity net.entity_width=6 net.memory=mingru"},
    {&test_hand, LU_NET_POLICY, "net.hidden=6 net.layers=1 net.encoder=entity net.entity_width=6 net.memory=mingru net.memory_layers=2 net.critic=separate"},
    {&test_hand, LU_NET_POLICY, "net.hidden=6 net.layers=1 net.encoder=entity net.entity_width=6 net.bias=false"},
    {&test_plain, LU_NET_POLICY, "net.hidden=9 net.layers=1 net.heads=autoregressive net.head_hidden=6"},
    {&test_hand, LU_NET_POLICY, "net.hidden=10 net.layers=2 net.critic_inputs=false net.heads=autoregressive"},
    {&test_hand, LU_NET_POLICY, "net.hidden=10 net.layers=2 net.activation=tanh net.heads=autoregressive net.head_hidden=7,5"},
    {&test_hand, LU_NET_POLICY, "net.hidden=7 net.layers=2 net.critic=separate net.heads=autoregressive net.head_hidden=17 net.bias=false"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=1 net.memory=lstm net.heads=autoregressive net.head_hidden=6"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=2 net.encoder=entity net.entity_width=5 net.heads=autoregressive"},
    {&test_hand, LU_NET_POLICY, "net.hidden=8 net.layers=2 net.encoder=entity net.entity_width=5 net.memory=mingru net.heads=autoregressive net.head_hidden=9,6"},
    {&test_hand, LU_NET_Q, "net.hidden=9 net.layers=2"},
    {&test_hand, LU_NET_Q, "net.hidden=9 net.layers=2 net.dueling=true net.activation=tanh"},
    {&test_hand, LU_NET_Q, "net.hidden=9 net.layers=1 net.dueling=true net.encoder=entity net.entity_width=7 net.memory=mingru"},
};
/* clang-format on */
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Loss of a policy net: PPO; of a Q net: half squares against numbers made from the index. */
static double loss_of(const lu_net *net, const test_rows *t, const double *logits,
                      const double *value, double *dlogits, double *dvalue) {
    if (net->kind == LU_NET_POLICY) {
        lu_policy policy = lu_policy_of(net->game, NULL);
        return net_ref_ppo(&policy, &t->ppo, logits, value, dlogits, dvalue);
    }
    double sum = 0.0;
    for (int i = 0; i < t->rows * t->logits; i++) {
        double error = logits[i] - sin((double)i);
        sum += 0.5 * error * error / t->rows;
        if (dlogits) {
            dlogits[i] = error / t->rows;
        }
    }
    for (int r = 0; dvalue && r < t->rows; r++) {
        dvalue[r] = 0.0;
    }
    return sum;
}

static double *doubles(size_t n) {
    return lu_alloc_zero(n + 1, sizeof(double));
}

/* Biases and all else get values of their own, so that nothing is tested at 0. */
static void shake(lu_net *net, uint64_t seed) {
    lu_rng rng = lu_rng_from(seed);
    for (size_t i = 0; i < net->parameters; i++) {
        net->block[i] = net->block[i] * 1.5f + 0.2f * test_normal(&rng);
    }
    lu_net_pack(net);
}

typedef struct bench {
    lu_net *net;
    test_rows t;
    net_ref *ref;
    double *p, *logits, *value, *dlogits, *dvalue, *gradient;
} bench;

static void bench_init(bench *b, const kind_of_net *kind, const char *more, int segments, int steps,
                       uint64_t seed) {
    char line[512];
    snprintf(line, sizeof line, "%s %s", kind->settings, more);
    b->net = test_net(kind->game, kind->kind, line, seed);
    shake(b->net, seed);
    test_rows_init(&b->t, b->net, segments, steps, seed + 1);
    size_t n = (size_t)(b->t.rows * b->t.logits), rows = (size_t)b->t.rows;
    b->ref = net_ref_new(b->net, &b->t.chunk);
    b->p = doubles(b->net->parameters);
    b->gradient = doubles(b->net->parameters);
    b->logits = doubles(n);
    b->dlogits = doubles(n);
    b->value = doubles(rows);
    b->dvalue = doubles(rows);
    for (size_t i = 0; i < b->net->parameters; i++) {
        b->p[i] = (double)b->net->block[i];
    }
    net_ref_forward(b->ref, b->p, b->logits, b->value);
    loss_of(b->net, &b->t, b->logits, b->value, b->dlogits, b->dvalue);
    net_ref_back(b->ref, b->p, b->dlogits, b->dvalue, b->gradient);
}

static void bench_free(bench *b) {
    net_ref_delete(b->ref);
    lu_net_delete(b->net);
    test_rows_free(&b->t);
    free(b->p);
    free(b->logits);
    free(b->value);
    free(b->dlogits);
    free(b->dvalue);
    free(b->gradient);
}

static double size_of(const double *a, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

/* |a - b| / |b| over one tensor; `floor` is the size below which a gradient is rounding noise. */
static double difference(const double *a, const double *b, size_t n, double floor) {
    double error = 0.0;
    for (size_t i = 0; i < n; i++) {
        error += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(error) / fmax(size_of(b, n), floor);
}

/* ---- the reference against differences ---- */

static double loss_at(bench *b, size_t i, double value) {
    double kept = b->p[i];
    b->p[i] = value;
    net_ref_forward(b->ref, b->p, b->logits, b->value);
    double loss = loss_of(b->net, &b->t, b->logits, b->value, NULL, NULL);
    b->p[i] = kept;
    return loss;
}

static void check_differences(const kind_of_net *kind, double *worst) {
    bench b;
    bench_init(&b, kind, "", 2, 4, 11);
    double *numeric = doubles(b.net->parameters);
    for (size_t i = 0; i < b.net->parameters; i++) {
        double step = 2e-6;
        numeric[i] = (loss_at(&b, i, b.p[i] + step) - loss_at(&b, i, b.p[i] - step)) / (2 * step);
    }
    for (int k = 0; k < b.net->tensors; k++) {
        const lu_tensor *t = &b.net->tensor[k];
        double d = difference(b.gradient + t->offset, numeric + t->offset, t->count, 1e-2);
        if (!(d < 1e-6)) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s differs by %.3g", kind->settings, t->name, d);
        }
        if (size_of(numeric + t->offset, t->count) == 0.0) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s has no gradient", kind->settings, t->name);
        }
        *worst = fmax(*worst, d);
    }
    free(numeric);
    bench_free(&b);
}

TEST(reference_matches_central_differences) {
    double worst = 0.0;
    for (int i = 0; i < KINDS; i++) {
        check_differences(&kinds[i], &worst);
    }
    printf("    worst tensor: %.2g\n", worst);
}

/* ---- the fast net ---- */

/* Gradient of the fast net for the loss gradients of the reference. */
static float *fast_gradient(const lu_net *net, const bench *b, float *logits, float *value) {
    int rows = b->t.rows, n = b->t.logits;
    lu_net_work *work = lu_net_work_new(net, rows);
    float *gradient = lu_alloc_zero(net->parameters + 1, sizeof *gradient);
    float *dlogits = lu_alloc_zero((size_t)(rows * n), sizeof *dlogits);
    float *dvalue = lu_alloc_zero((size_t)rows, sizeof *dvalue);
    for (int i = 0; i < rows * n; i++) {
        dlogits[i] = (float)b->dlogits[i];
    }
    for (int r = 0; r < rows; r++) {
        dvalue[r] = (float)b->dvalue[r];
    }
    lu_net_forward(net, work, &b->t.chunk, logits, (size_t)n, value);
    lu_net_backward(net, work, &b->t.chunk, dlogits, (size_t)n, dvalue, gradient);
    free(dlogits);
    free(dvalue);
    lu_net_work_delete(work);
    return gradient;
}

static double *widened(const float *from, size_t n) {
    double *to = doubles(n);
    for (size_t i = 0; i < n; i++) {
        to[i] = (double)from[i];
    }
    return to;
}

static void check_fast(const kind_of_net *kind, int segments, int steps, double *worst) {
    bench b;
    bench_init(&b, kind, "", segments, steps, 5);
    size_t n = (size_t)(b.t.rows * b.t.logits);
    float *logits = lu_alloc_zero(n, sizeof *logits);
    float *value = lu_alloc_zero((size_t)b.t.rows, sizeof *value);
    float *gradient = fast_gradient(b.net, &b, logits, value);
    double *g = widened(gradient, b.net->parameters), *l = widened(logits, n);
    double *v = widened(value, (size_t)b.t.rows);
    double d = difference(l, b.logits, n, 1e-3);
    CHECK(d < 1e-5);
    CHECK(difference(v, b.value, (size_t)b.t.rows, 1e-3) < 1e-5);
    for (int k = 0; k < b.net->tensors; k++) {
        const lu_tensor *t = &b.net->tensor[k];
        d = difference(g + t->offset, b.gradient + t->offset, t->count, 1e-3);
        if (!(d < 1e-4)) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s differs by %.3g", kind->settings, t->name, d);
        }
        *worst = fmax(*worst, d);
    }
    free(logits);
    free(value);
    free(gradient);
    free(g);
    free(l);
    free(v);
    bench_free(&b);
}

TEST(fast_net_matches_reference) {
    double worst = 0.0;
    for (int i = 0; i < KINDS; i++) {
        check_fast(&kinds[i], 3, 5, &worst);
        check_fast(&kinds[i], 101, 2, &worst); /* more than two blocks of rows */
    }
    printf("    worst tensor: %.2g\n", worst);
}

/* Layers large enough for products of quarters, and with an odd number of inputs too. */
/* clang-format off */
static const kind_of_net large[] = {
    {&test_plain, LU_NET_POLICY, "net.hidden=128 net.layers=3"},
    {&test_plain, LU_NET_POLICY, "net.hidden=192 net.layers=2 net.activation=tanh net.bias=false"},
    {&test_hand, LU_NET_POLICY, "net.hidden=128 net.layers=2 net.critic=separate net.activation=tanh"},
    {&test_hand, LU_NET_POLICY, "net.hidden=128 net.layers=2 net.encoder=entity net.entity_width=64 net.activation=none"},
    {&test_hand, LU_NET_POLICY, "net.hidden=128 net.layers=1 net.memory=mingru"},
    {&test_hand, LU_NET_POLICY, "net.hidden=128 net.layers=2 net.heads=autoregressive net.head_hidden=128,192"},
    {&test_hand, LU_NET_Q, "net.hidden=128 net.layers=2 net.dueling=true"},
};
/* clang-format on */
enum { LARGE = sizeof large / sizeof large[0] };

TEST(products_of_quarters_match_reference) {
    double worst = 0.0;
    for (int i = 0; i < LARGE; i++) {
        char line[400];
        snprintf(line, sizeof line, "%s net.products=strassen", large[i].settings);
        kind_of_net kind = {large[i].game, large[i].kind, line};
        check_fast(&kind, 124, 2, &worst); /* blocks of 192 and of 56 rows */
        check_fast(&kind, 97, 2, &worst);  /* and of 2, too few */
    }
    printf("    worst tensor: %.2g\n", worst);
}

static double relative(const float *a, const float *b, size_t n) {
    double *x = widened(a, n), *y = widened(b, n);
    double d = difference(x, y, n, 1e-9);
    free(x);
    free(y);
    return d;
}

/* Both nets get the same loss gradients and first values, so that only the precision differs. */
static double narrow_difference(const kind_of_net *kind, const char *precision, const char *more,
                                double *logits_differ) {
    bench b;
    char line[512];
    bench_init(&b, kind, more, 20, 6, 9);
    snprintf(line, sizeof line, "%s %s net.precision=%s", kind->settings, more, precision);
    lu_net *narrow = test_net(kind->game, kind->kind, line, 3);
    lu_net_init(b.net, 3);
    size_t n = (size_t)(b.t.rows * b.t.logits), rows = (size_t)b.t.rows;
    float *l1 = lu_alloc_zero(n, 4), *l2 = lu_alloc_zero(n, 4);
    float *v1 = lu_alloc_zero(rows, 4), *v2 = lu_alloc_zero(rows, 4);
    float *wide = fast_gradient(b.net, &b, l1, v1), *g = fast_gradient(narrow, &b, l2, v2);
    double d = relative(g, wide, b.net->parameters);
    *logits_differ = relative(l2, l1, n);
    void *all[] = {l1, l2, v1, v2, wide, g};
    for (int i = 0; i < 6; i++) {
        free(all[i]);
    }
    lu_net_delete(narrow);
    bench_free(&b);
    return d;
}

/* bf16 rounds operands to 8 bits: 2^-9 each, and sums average that. ReLU is another matter: a unit
 * near 0 that changes sides adds or loses its whole gradient, and with a share of 0.3 % such units
 * the gradient differs by sqrt(0.003). So smooth nets are held to 3e-2, nets with ReLU to 1e-1. */
static void check_narrow(const char *precision) {
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < KINDS; i++) {
        for (int relu = 0; relu < 2; relu++) {
            double logits, d = narrow_difference(&kinds[i], precision,
                                                 relu ? "net.hidden=64 net.entity_width=24"
                                                      : "net.hidden=64 net.entity_width=24 "
                                                        "net.activation=tanh",
                                                 &logits);
            if (!(d < (relu ? 1e-1 : 3e-2)) || !(logits < 3e-2)) {
                lu_test_fail(__FILE__, __LINE__, "%s: gradient differs by %.3g, logits by %.3g",
                             kinds[i].settings, d, logits);
            }
            worst[relu] = fmax(worst[relu], d);
        }
    }
    printf("    worst net: tanh %.2g, as set %.2g\n", worst[0], worst[1]);
}

TEST(bf16_is_near_fp32) {
    check_narrow("bf16");
}

TEST(tiles_are_near_fp32) {
    check_narrow("bf16tile");
}

static void check_levels(const kind_of_net *kind, const char *more, int segments, int steps) {
    bench b;
    bench_init(&b, kind, more, segments, steps, 7);
    size_t n = (size_t)(b.t.rows * b.t.logits);
    float *logits[2], *value[2], *gradient[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        logits[i] = lu_alloc_zero(n, sizeof(float));
        value[i] = lu_alloc_zero((size_t)b.t.rows, sizeof(float));
    }
    for (int level = 0; level < LU_KERNELS_COUNT; level++) {
        const lu_kernels *k = lu_kernels_of((lu_kernel_level)level);
        if (!k) {
            continue;
        }
        int at = level > 0;
        net_use_kernels(b.net, k);
        free(gradient[at]);
        gradient[at] = fast_gradient(b.net, &b, logits[at], value[at]);
        if (memcmp(logits[at], logits[0], n * sizeof(float)) != 0 ||
            memcmp(value[at], value[0], (size_t)b.t.rows * sizeof(float)) != 0 ||
            memcmp(gradient[at], gradient[0], b.net->parameters * sizeof(float)) != 0) {
            lu_test_fail(__FILE__, __LINE__, "%s %s: other bits at level %s", kind->settings, more,
                         k->name);
        }
    }
    for (int i = 0; i < 2; i++) {
        free(logits[i]);
        free(value[i]);
        free(gradient[i]);
    }
    bench_free(&b);
}

TEST(all_levels_give_the_same_bits) {
    for (int i = 0; i < KINDS; i++) {
        check_levels(&kinds[i], "net.hidden=35", 13, 3);
        check_levels(&kinds[i], "net.hidden=35 net.precision=bf16", 13, 3);
        check_levels(&kinds[i], "net.hidden=35 net.precision=bf16tile", 4, 3);
    }
    for (int i = 0; i < LARGE; i++) {
        check_levels(&large[i], "net.products=strassen", 30, 2);
    }
}

/* What products of quarters change and what not: gradients in the last bits, inference not at all;
 * and a gradient of several chunks is whole after the last. */
TEST(products_of_quarters_are_for_training) {
    enum { ROWS = 192 };
    bench plain, fewer;
    bench_init(&plain, &large[0], "", ROWS, 1, 7);
    bench_init(&fewer, &large[0], "net.products=strassen", ROWS, 1, 7);
    size_t n = (size_t)plain.t.logits, all = plain.net->parameters;
    float *logits[3], value[3][ROWS], *gradient[3];
    for (int i = 0; i < 3; i++) {
        logits[i] = lu_alloc_zero(ROWS * n, sizeof(float));
    }
    gradient[0] = fast_gradient(plain.net, &plain, logits[0], value[0]);
    gradient[1] = fast_gradient(fewer.net, &fewer, logits[1], value[1]);
    double d = relative(gradient[1], gradient[0], all);
    CHECK(d > 0.0 && d < 1e-5);
    CHECK(memcmp(logits[0], logits[1], ROWS * n * sizeof(float)) != 0);
    lu_net_work *work = lu_net_work_new(fewer.net, ROWS);
    lu_net_run(fewer.net, work,
               &(lu_net_infer){.rows = ROWS,
                               .observation = fewer.t.x,
                               .observation_stride = (size_t)fewer.t.observation,
                               .logits = logits[2],
                               .logits_stride = n,
                               .value = value[2]});
    CHECK(memcmp(logits[0], logits[2], ROWS * n * sizeof(float)) == 0);
    CHECK(memcmp(value[0], value[2], sizeof value[0]) == 0);

    float *dlogits = lu_alloc_zero(ROWS * n, sizeof(float)), dvalue[ROWS] = {0};
    gradient[2] = lu_alloc_zero(all, sizeof(float));
    for (size_t i = 0; i < ROWS * n; i++) {
        dlogits[i] = (float)fewer.dlogits[i];
    }
    for (int r = 0; r < ROWS; r++) {
        dvalue[r] = (float)fewer.dvalue[r];
    }
    for (int first = 0; first < ROWS; first += ROWS / 2) {
        lu_net_chunk part = fewer.t.chunk;
        size_t at = (size_t)first * n;
        part.segments = ROWS / 2;
        part.observation += first;
        part.starts += first;
        part.more = first == 0;
        lu_net_forward(fewer.net, work, &part, logits[2], n, value[2]);
        lu_net_backward(fewer.net, work, &part, dlogits + at, n, dvalue + first, gradient[2]);
        d = relative(gradient[2], gradient[0], all);
        CHECK(first == 0 ? d > 1e-2 : d < 1e-5);
    }
    for (int i = 0; i < 3; i++) {
        free(logits[i]);
        free(gradient[i]);
    }
    free(dlogits);
    lu_net_work_delete(work);
    bench_free(&plain);
    bench_free(&fewer);
}
