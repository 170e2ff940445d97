/* Nets, losses and optimisers against what PyTorch made of the same minibatches in fp64: the files
 * of tests/goldens, described in its README.md. LUDUS_TEST_GOLDENS names another folder. */
#include "net_games_test.h"
#include "net_ref.h"

#include "ludus/file.h"
#include "ludus/json.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

/* ---- files ---- */

typedef struct golden {
    char *bytes;
    lu_json_document *document;
    const char *data;
} golden;

static bool golden_open(golden *g, const char *name) {
    char path[1024];
    size_t length, header = 0;
    lu_error error;
    const char *folder = getenv("LUDUS_TEST_GOLDENS");
    snprintf(path, sizeof path, "%s/%s.safetensors",
             folder ? folder : lu_test_source("tests/goldens"), name);
    if (!lu_file_exists(path)) {
        lu_test_skip("no goldens");
        return false;
    }
    if (lu_file_read(path, (size_t)1 << 26, &g->bytes, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return false;
    }
    memcpy(&header, g->bytes, 8);
    g->document = lu_json_read(name, g->bytes + 8, header, &error);
    g->data = g->bytes + 8 + header;
    if (!g->document) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return g->document != NULL;
}

static void golden_close(golden *g) {
    lu_json_close(g->document);
    free(g->bytes);
}

/* A tensor as doubles, whatever its type; the caller frees it. NULL: there is none. */
static double *tensor(const golden *g, const char *name, size_t *count) {
    const lu_json_value *entry = lu_json_get(lu_json_root(g->document), name);
    if (!entry) {
        return NULL;
    }
    const lu_json_value *offsets = lu_json_get(entry, "data_offsets");
    const char *type = lu_json_text(lu_json_get(entry, "dtype"), NULL);
    size_t from = (size_t)lu_json_real_or(lu_json_at(offsets, 0), 0.0);
    size_t to = (size_t)lu_json_real_or(lu_json_at(offsets, 1), 0.0);
    size_t unit = strcmp(type, "F64") == 0 ? 8 : strcmp(type, "U8") == 0 ? 1 : 4;
    double *values = lu_alloc_zero((to - from) / unit + 1, sizeof *values);
    *count = (to - from) / unit;
    for (size_t i = 0; i < *count; i++) {
        const char *at = g->data + from + i * unit;
        float single;
        int32_t whole;
        if (unit == 8) {
            memcpy(&values[i], at, 8);
        } else if (unit == 1) {
            values[i] = (double)(uint8_t)*at;
        } else if (strcmp(type, "F32") == 0) {
            memcpy(&single, at, 4);
            values[i] = (double)single;
        } else {
            memcpy(&whole, at, 4);
            values[i] = (double)whole;
        }
    }
    return values;
}

/* ---- the cases ---- */

enum { S = 6, T = 10, F = 7, ROWS = S * T, LOGITS = 16 };

typedef struct golden_case {
    const char *file, *settings;
    int heads, options[3];
    const char *names[20][2]; /* ours, theirs; "|" joins the rows of two */
} golden_case;

#define MLP                                                                                        \
    {                                                                                              \
        {"encoder", "trunk.0"}, {"trunk.0", "trunk.2"}, {                                          \
            "head", "policy|value"                                                                 \
        }                                                                                          \
    }
#define MINGRU                                                                                     \
    {                                                                                              \
        {"encoder", "encoder"}, {"memory.0", "mingru.0"}, {"memory.1", "mingru.1"}, {              \
            "head", "policy|value"                                                                 \
        }                                                                                          \
    }

static const char mlp[] = "net.hidden=20 net.layers=2";
static const char mingru[] = "net.hidden=12 net.layers=1 net.activation=none net.bias=false "
                             "net.memory=mingru net.memory_layers=2";

/* Their first layers of heads in series read features and choices together; ours are two tensors.
 */
#define SERIES                                                                                     \
    {                                                                                              \
        {"encoder", "trunk.0"}, {"trunk.0", "trunk.2"}, {"head.h0.1", "heads.0.2"},                \
            {"head.h0.2", "heads.0.4"}, {"head.h1.1", "heads.1.2"}, {"head.h1.2", "heads.1.4"},    \
            {"head.h2.1", "heads.2.2"}, {                                                          \
            "head.h2.2", "heads.2.4"                                                               \
        }                                                                                          \
    }

static const golden_case cases[] = {
    {"mlp_relu_shared", mlp, 1, {5}, MLP},
    {"masked", mlp, 1, {9}, MLP},
    {"heads", mlp, 3, {4, 3, 6}, MLP},
    {"mlp_tanh_separate",
     "net.hidden=20 net.layers=2 net.activation=tanh net.critic=separate",
     1,
     {4},
     {{"encoder", "actor.0"},
      {"trunk.0", "actor.2"},
      {"head", "actor.4"},
      {"critic.encoder", "critic.0"},
      {"critic.trunk.0", "critic.2"},
      {"critic.head", "critic.4"}}},
    {"mingru", mingru, 1, {5}, MINGRU},
    {"mingru_heads", mingru, 3, {4, 3, 6}, MINGRU},
    {"series",
     "net.hidden=20 net.layers=2 net.heads=autoregressive net.head_hidden=11,8",
     3,
     {4, 3, 6},
     SERIES},
    {"mingru_series",
     "net.hidden=12 net.layers=1 net.activation=none net.bias=false net.memory=mingru "
     "net.memory_layers=2 net.heads=autoregressive",
     3,
     {4, 3, 6},
     {{"encoder", "encoder"}, {"memory.0", "mingru.0"}, {"memory.1", "mingru.1"}}},
    {"lstm",
     "net.hidden=12 net.layers=1 net.memory=lstm",
     1,
     {7},
     {{"encoder", "encoder"},
      {"memory.0.weight_ih", "lstm.weight_ih_l0"},
      {"memory.0.weight_hh", "lstm.weight_hh_l0"},
      {"memory.0.bias_ih", "lstm.bias_ih_l0"},
      {"memory.0.bias_hh", "lstm.bias_hh_l0"},
      {"head", "policy|value"}}},
};
static const golden_case muon_case = {"muon", mlp, 1, {5}, MLP};

/* Reads PREFIX.theirs (.weight or .bias added where ours has it) into the place of our tensor. */
static void read_tensor(const golden *g, const golden_case *c, const lu_tensor *t,
                        const char *prefix, double *block) {
    for (int i = 0; i < 20 && c->names[i][0]; i++) {
        const char *ours = c->names[i][0];
        size_t length = strlen(ours), count, at = t->offset;
        const char *rest = t->name + length;
        if (strncmp(t->name, ours, length) != 0 ||
            (strcmp(rest, "") && strcmp(rest, ".weight") && strcmp(rest, ".bias"))) {
            continue;
        }
        char theirs[64], name[160], *save = NULL;
        snprintf(theirs, sizeof theirs, "%s", c->names[i][1]);
        for (char *part = strtok_r(theirs, "|", &save); part; part = strtok_r(NULL, "|", &save)) {
            snprintf(name, sizeof name, "%s.%s%s", prefix, part, rest);
            double *values = tensor(g, name, &count);
            NEED(values != NULL && at + count <= t->offset + t->count);
            memcpy(block + at, values, count * sizeof *values);
            at += count;
            free(values);
        }
        CHECK_INT(at, t->offset + t->count);
        return;
    }
    lu_test_fail(__FILE__, __LINE__, "%s: no partner of %s", c->file, t->name);
}

/* The first layers of heads in series: columns of the features into head.*, those of the choices,
 * turned, into choice.*. */
static void read_series(const golden *g, const lu_net *net, const char *prefix, double *block) {
    char name[160];
    size_t hidden = (size_t)net->config.hidden, count;
    for (int h = 0; h <= net->game->heads; h++) {
        bool value = h == net->game->heads;
        snprintf(name, sizeof name, value ? "%s.value.weight" : "%s.heads.%d.0.weight", prefix, h);
        double *weight = tensor(g, name, &count);
        snprintf(name, sizeof name, value ? "%s.value.bias" : "%s.heads.%d.0.bias", prefix, h);
        double *bias = tensor(g, name, &count);
        size_t rows = value ? 1 : (size_t)net->branch[h].first;
        size_t column = (size_t)(value ? net->value_column : net->branch[h].column);
        size_t choices = value ? 0 : (size_t)net->head_offset[h];
        NEED(weight != NULL && (bias != NULL) == (net->head.bias != NET_NONE));
        for (size_t o = 0; o < rows; o++) {
            const double *row = weight + o * (hidden + choices);
            memcpy(block + net->head.weight + (column + o) * hidden, row, hidden * sizeof *row);
            for (size_t i = 0; i < choices; i++) {
                block[net->branch[h].table + i * rows + o] = row[hidden + i];
            }
            if (bias) {
                block[net->head.bias + column + o] = bias[o];
            }
        }
        free(weight);
        free(bias);
    }
}

static bool read_apart(const lu_net *net, const char *name) {
    return net->branch && (strncmp(name, "choice.", 7) == 0 || strcmp(name, "head.weight") == 0 ||
                           strcmp(name, "head.bias") == 0);
}

static double *read_block(const golden *g, const golden_case *c, const lu_net *net,
                          const char *prefix) {
    double *block = lu_alloc_zero(net->parameters + 1, sizeof *block);
    for (int i = 0; i < net->tensors; i++) {
        if (!read_apart(net, net->tensor[i].name)) {
            read_tensor(g, c, &net->tensor[i], prefix, block);
        }
    }
    if (net->branch) {
        read_series(g, net, prefix, block);
    }
    return block;
}

typedef struct batch {
    lu_field field[F];
    lu_group group;
    lu_head head[3];
    lu_core core;
    lu_game game;
    lu_net *net;
    int logits;
    float x[ROWS][F], old_log_p[ROWS], advantage[ROWS], target[ROWS], old_value[ROWS];
    const float *x_at[ROWS];
    uint8_t legal[ROWS * LOGITS], starts[ROWS];
    int32_t actions[ROWS * 3];
    float memory[S * 64], cost[3];
    float out[ROWS * LOGITS], dout[ROWS * LOGITS], value[ROWS], dvalue[ROWS];
    lu_net_chunk chunk;
    lu_ppo ppo;
} batch;

/* Copies [S, T, n] into rows of time order. */
static void rows_of(const golden *g, const char *name, int n, float *to) {
    size_t count = 0;
    double *values = tensor(g, name, &count);
    NEED(values && count == (size_t)(ROWS * n));
    for (int r = 0; r < ROWS; r++) {
        int s = r % S, t = r / S;
        for (int i = 0; i < n; i++) {
            to[r * n + i] = (float)values[(s * T + t) * n + i];
        }
    }
    free(values);
}

static void read_state(const golden *g, batch *b, const char *kind, int layer, size_t place) {
    char name[64];
    size_t count = 0, n = (size_t)b->net->config.hidden;
    snprintf(name, sizeof name, "input.state.%s.%d", kind, layer);
    double *values = tensor(g, name, &count);
    NEED(values && count == S * n);
    for (size_t s = 0; s < S; s++) {
        for (size_t i = 0; i < n; i++) {
            b->memory[s * b->net->memory_floats + place + i] = (float)values[s * n + i];
        }
    }
    free(values);
}

static void batch_game(batch *b, const golden_case *c) {
    for (int i = 0; i < F; i++) {
        b->field[i] = (lu_field){"number", -10.0f, 10.0f, "", 0};
    }
    b->group = (lu_group){"numbers", LU_SCALARS, 1, -1, F, b->field};
    static const char *const names[] = {"h0", "h1", "h2"};
    for (int h = 0; h < c->heads; h++) {
        b->head[h] = (lu_head){.name = names[h], .options = c->options[h], .points_at = -1};
        b->logits += c->options[h];
        b->cost[h] = 0.01f;
    }
    b->game = (lu_game){.id = "golden-v1",
                        .name = "golden",
                        .seats = 1,
                        .heads = c->heads,
                        .head = b->head,
                        .groups = 1,
                        .group = &b->group,
                        .core = {&b->core}};
}

static void batch_inputs(batch *b, const golden *g) {
    float active[ROWS * 3], room[ROWS * LOGITS];
    int heads = b->game.heads;
    rows_of(g, "input.obs", F, &b->x[0][0]);
    rows_of(g, "input.old_logp", 1, b->old_log_p);
    rows_of(g, "out.advantage", 1, b->advantage);
    rows_of(g, "input.return", 1, b->target);
    rows_of(g, "input.old_value", 1, b->old_value);
    rows_of(g, "input.active", heads, active);
    rows_of(g, "input.mask", b->logits, room);
    for (int i = 0; i < ROWS * b->logits; i++) {
        int head = 0;
        while (i % b->logits >= lu_game_head_offset(&b->game, head + 1)) {
            head++;
        }
        b->legal[i] = room[i] != 0.0f && active[i / b->logits * heads + head] != 0.0f;
    }
    rows_of(g, "input.actions", heads, room);
    for (int i = 0; i < ROWS * heads; i++) {
        b->actions[i] = (int32_t)room[i];
    }
    rows_of(g, "input.start", 1, room);
    for (int r = 0; r < ROWS; r++) {
        b->x_at[r] = b->x[r];
        b->starts[r] = room[r] != 0.0f;
    }
    bool lstm = b->net->config.memory == NET_MEMORY_LSTM;
    for (int i = 0; i < b->net->tower[0].memories; i++) {
        size_t n = (size_t)b->net->config.hidden, place = (size_t)i * n * (lstm ? 2 : 1);
        read_state(g, b, "h", i, place);
        if (lstm) {
            read_state(g, b, "c", i, place + n);
        }
    }
}

static void batch_init(batch *b, const golden *g, const golden_case *c) {
    *b = (batch){0};
    batch_game(b, c);
    b->net = test_net(&b->game, LU_NET_POLICY, c->settings, 1);
    batch_inputs(b, g);
    b->chunk = (lu_net_chunk){.segments = S,
                              .steps = T,
                              .observation = b->x_at,
                              .starts = b->starts,
                              .memory = b->memory,
                              .actions = b->actions,
                              .actions_stride = (size_t)c->heads};
    size_t n = (size_t)b->logits;
    b->ppo = (lu_ppo){
        .rows = ROWS,
        .logits = b->out,
        .logits_stride = n,
        .value = b->value,
        .legal = b->legal,
        .legal_stride = n,
        .actions = b->actions,
        .actions_stride = (size_t)c->heads,
        .old_log_probability = b->old_log_p,
        .advantage = b->advantage,
        .target = b->target,
        .old_value = b->old_value,
        .clip = 0.2f,
        .value_clip = 0.2f,
        .value_cost = 0.5f,
        .entropy_cost = b->cost,
        .scale = 1.0f / ROWS,
        .dlogits = b->dout,
        .dlogits_stride = n,
        .dvalue = b->dvalue,
    };
}

/* Largest difference over the largest entry, as in the README. */
static double differs(const double *got, const double *want, size_t n) {
    double error = 0.0, size = 1e-12;
    for (size_t i = 0; i < n; i++) {
        error = fmax(error, fabs(got[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    return error / size;
}

static double single_of(const golden *g, const char *name, size_t index) {
    size_t count = 0;
    double *values = tensor(g, name, &count), value = values ? values[index] : NAN;
    free(values);
    return value;
}

/* ---- checks ---- */

static void check_reference(const golden *g, const golden_case *c, batch *b) {
    double *p = read_block(g, c, b->net, "param"), *want = read_block(g, c, b->net, "grad");
    double *got = lu_alloc_zero(b->net->parameters, sizeof *got);
    double logits[ROWS * LOGITS], value[ROWS], dlogits[ROWS * LOGITS], dvalue[ROWS];
    lu_policy policy = lu_policy_of(&b->game, NULL);
    net_ref *ref = net_ref_new(b->net, &b->chunk);
    net_ref_forward(ref, p, logits, value);
    double loss = net_ref_ppo(&policy, &b->ppo, logits, value, dlogits, dvalue);
    net_ref_back(ref, p, dlogits, dvalue, got);
    CHECK_NEAR(loss, single_of(g, "loss.total", 0), 1e-7);
    for (int i = 0; i < b->net->tensors; i++) {
        const lu_tensor *t = &b->net->tensor[i];
        double d = differs(got + t->offset, want + t->offset, t->count);
        if (!(d < 1e-6)) { /* the call carries advantages and costs in fp32 */
            lu_test_fail(__FILE__, __LINE__, "%s: %s differs by %.3g", c->file, t->name, d);
        }
    }
    net_ref_delete(ref);
    free(p);
    free(want);
    free(got);
}

/* One gradient of the fast net; returns the loss. */
static double learn(batch *b, lu_net_work *work, float *gradient, lu_ppo_sums *sums) {
    lu_policy policy = lu_policy_of(&b->game, NULL);
    size_t n = (size_t)b->logits;
    *sums = (lu_ppo_sums){0};
    memset(gradient, 0, b->net->parameters * sizeof *gradient);
    lu_net_forward(b->net, work, &b->chunk, b->out, n, b->value);
    lu_ppo_run(&policy, &b->ppo, sums);
    lu_net_backward(b->net, work, &b->chunk, b->dout, n, b->dvalue, gradient);
    double loss = sums->policy + 0.5 * sums->value;
    for (int h = 0; h < b->game.heads; h++) {
        loss -= 0.01 * sums->entropy[h];
    }
    return loss / ROWS;
}

static void set_block(lu_net *net, const double *from, bool (*which)(const lu_tensor *)) {
    for (int k = 0; k < net->tensors; k++) {
        const lu_tensor *t = &net->tensor[k];
        for (size_t i = t->offset; i < t->offset + t->count && (!which || which(t)); i++) {
            net->block[i] = (float)from[i];
        }
    }
    lu_net_pack(net);
}

static double compare(const golden_case *c, const lu_net *net, const float *got, const double *want,
                      double limit, const char *what) {
    double worst = 0.0;
    for (int k = 0; k < net->tensors; k++) {
        const lu_tensor *t = &net->tensor[k];
        double *wide = lu_alloc_zero(t->count + 1, sizeof *wide);
        for (size_t i = 0; i < t->count; i++) {
            wide[i] = (double)got[t->offset + i];
        }
        double d = differs(wide, want + t->offset, t->count);
        if (!(d < limit)) {
            lu_test_fail(__FILE__, __LINE__, "%s: %s of %s differs by %.3g", c->file, what, t->name,
                         d);
        }
        worst = fmax(worst, d);
        free(wide);
    }
    return worst;
}

/* What a step must give: the parameters that are compared, and those set to the golden's after the
 * step because our rule for them is another one. */
static bool is_other(const lu_tensor *t) {
    return t->rank == 1 || strncmp(t->name, "head", 4) == 0;
}

static void check_case(const golden_case *c, lu_optimiser_kind kind) {
    golden g;
    static batch b;
    char name[32];
    const char *prefix = kind == LU_ADAM ? "adam" : "muon";
    if (!golden_open(&g, c->file)) {
        return;
    }
    batch_init(&b, &g, c);
    check_reference(&g, c, &b);
    lu_net_work *work = lu_net_work_new(b.net, ROWS);
    float *gradient = lu_alloc_zero(b.net->parameters, sizeof *gradient);
    double *block = read_block(&g, c, b.net, "param"), worst = 0.0, worst_step = 0.0;
    lu_optimiser optimiser;
    lu_ppo_sums sums;
    lu_optimiser_init(&optimiser, kind, b.net);
    lu_optimiser_step step = {.rate = kind == LU_ADAM ? 0.0025 : 0.02,
                              .beta1 = kind == LU_ADAM ? 0.9 : 0.95,
                              .beta2 = 0.999,
                              .eps = 1e-5,
                              .clip = 0.5};
    set_block(b.net, block, NULL);
    free(block);
    for (size_t n = 0; n < 10; n++) {
        snprintf(name, sizeof name, "%s.loss", prefix);
        CHECK_NEAR(learn(&b, work, gradient, &sums), single_of(&g, name, n), 2e-6);
        if (n == 0) {
            block = read_block(&g, c, b.net, "grad");
            worst = compare(c, b.net, gradient, block, 1e-5, "gradient");
            free(block);
            CHECK_NEAR(sums.kl / ROWS, single_of(&g, "loss.approx_kl", 0), 1e-6);
            CHECK_NEAR(sums.clipped / ROWS, single_of(&g, "loss.clip_fraction", 0), 1e-9);
        }
        snprintf(name, sizeof name, "%s.norm", prefix);
        CHECK_NEAR(lu_optimiser_run(&optimiser, b.net, gradient, &step), single_of(&g, name, n),
                   1e-5);
        snprintf(name, sizeof name, "%s.%zu", prefix, n + 1);
        block = read_block(&g, c, b.net, name);
        if (kind == LU_MUON) {
            set_block(b.net, block, is_other);
        }
        double d = compare(c, b.net, b.net->block, block, 1e-5, "a step");
        worst_step = fmax(worst_step, d);
        free(block);
    }
    printf("    %-18s gradient %.1g, ten steps %.1g\n", c->file, worst, worst_step);
    lu_optimiser_free(&optimiser);
    free(gradient);
    lu_net_work_delete(work);
    lu_net_delete(b.net);
    golden_close(&g);
}

TEST(torch_goldens_with_adam) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case(&cases[i], LU_ADAM);
    }
}

/* Matrices of their own follow torch's Muon; the fused head (torch had two matrices) and biases
 * (ours by Adam) are set to the golden's after every step, so that gradients stay comparable. */
TEST(torch_golden_with_muon) {
    check_case(&muon_case, LU_MUON);
}
