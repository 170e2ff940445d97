/* Nets from outside: names and shapes, first values, inference against training, independence of
 * how rows are cut, normaliser and optimisers. Gradients: gradient_test.c; PyTorch: golden_test.c.
 */
#include "net_games_test.h"

#include "ludus/hash.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

static const lu_tensor *tensor_of(const lu_net *net, const char *name) {
    for (int i = 0; i < lu_net_tensors(net); i++) {
        if (strcmp(lu_net_tensor(net, i)->name, name) == 0) {
            return lu_net_tensor(net, i);
        }
    }
    return NULL;
}

static void check_shape(const lu_net *net, const char *name, int rows, int cols) {
    const lu_tensor *t = tensor_of(net, name);
    if (!t || t->shape[0] != rows || t->rank != (cols ? 2 : 1) || (cols && t->shape[1] != cols)) {
        lu_test_fail(__FILE__, __LINE__, "%s is missing or not [%d, %d]", name, rows, cols);
    }
}

TEST(tensors_have_torch_names) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY,
                           "net.hidden=16 net.layers=2 net.encoder=entity net.entity_width=8 "
                           "net.memory=lstm net.critic=separate",
                           1);
    check_shape(net, "encoder.cards.weight", 8, 2);
    check_shape(net, "encoder.cards.kind.weight", 9, 8);
    check_shape(net, "encoder.shop_wares.bias", 8, 0);
    check_shape(net, "encoder.weight", 16, 5 + 3 * 8);
    check_shape(net, "trunk.0.weight", 16, 16);
    check_shape(net, "memory.0.weight_hh", 64, 16);
    check_shape(net, "memory.0.bias_ih", 64, 0);
    check_shape(net, "head.weight", 4 + 3 + 2 + 1, 16); /* cards and wares are pointed at */
    check_shape(net, "pointer.item.weight", 8, 16);
    check_shape(net, "pointer.ware.bias", 8, 0);
    check_shape(net, "critic.encoder.hidden.deck.suit.weight", 4, 8);
    check_shape(net, "critic.encoder.weight", 16, 5 + 3 * 8 + 3 + 8);
    check_shape(net, "critic.memory.0.weight_ih", 64, 16);
    check_shape(net, "critic.head.weight", 1, 16);
    CHECK_INT(lu_net_memory_floats(net), 2 * 2 * 16);
    CHECK_INT(lu_net_logits(net), 21);
    CHECK_INT(lu_net_critic_inputs(net), 3 + 8);
    size_t end = 0;
    for (int i = 0; i < lu_net_tensors(net); i++) {
        CHECK_INT(lu_net_tensor(net, i)->offset, end);
        end += lu_net_tensor(net, i)->count;
    }
    CHECK_INT(end, lu_net_parameters(net));
    lu_net_delete(net);
    net = test_net(&test_hand, LU_NET_POLICY, "net.hidden=16 net.critic_inputs=false", 1);
    check_shape(net, "encoder.weight", 16, 5 + 24 + 10 + 2);
    check_shape(net, "head.weight", 21 + 1, 16);
    CHECK_INT(lu_net_tensors(net), 6);
    lu_net_delete(net);
}

/* Heads in series: "reserved" is never asked, and "ware" points at 5 slots and has one more. */
TEST(tensors_of_heads_in_series) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY,
                           "net.hidden=16 net.layers=1 net.encoder=entity net.entity_width=8 "
                           "net.heads=autoregressive net.head_hidden=12,9 net.critic_inputs=false",
                           1);
    CHECK(lu_net_in_series(net));
    check_shape(net, "head.weight", 4 * 12 + 1, 16);
    CHECK(!tensor_of(net, "choice.verb.weight") && !tensor_of(net, "choice.reserved.weight"));
    check_shape(net, "choice.item.weight", 4, 12);
    check_shape(net, "choice.ware.weight", 4 + 6 + 3 + 2, 12);
    check_shape(net, "head.verb.1.weight", 9, 12);
    check_shape(net, "head.verb.2.weight", 4, 9);
    check_shape(net, "head.item.2.weight", 8, 9);
    check_shape(net, "head.ware.2.bias", 1 + 8, 0);
    CHECK(!tensor_of(net, "pointer.item.weight"));
    lu_net_delete(net);
    net = test_net(&test_hand, LU_NET_POLICY,
                   "net.hidden=16 net.heads=autoregressive net.critic_inputs=false", 1);
    check_shape(net, "head.weight", 21 - 2 + 1, 16);
    check_shape(net, "choice.item.weight", 4, 6);
    CHECK_INT(lu_net_tensors(net), 6 + 3);
    lu_net_delete(net);
}

TEST(heads_in_series_where_they_do_not_fit_are_refused) {
    static const struct {
        lu_net_kind kind;
        const char *line, *says;
    } bad[] = {
        {LU_NET_Q, "net.heads=autoregressive", "Q-network"},
        {LU_NET_POLICY, "net.head_hidden=16", "net.heads=autoregressive"},
        {LU_NET_POLICY, "net.heads=autoregressive net.head_hidden=1.5", "integers"},
        {LU_NET_POLICY, "net.heads=autoregressive net.head_hidden=1,2,3,4,5", "up to 4"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lu_settings *settings = test_settings(bad[i].line);
        lu_error error;
        size_t parameters;
        CHECK(lu_net_new(&test_hand, bad[i].kind, settings, &error) == NULL);
        CHECK_HAS(error.text, bad[i].says);
        CHECK_INT(lu_net_count(&test_hand, bad[i].kind, settings, &parameters, &error),
                  LU_BAD_VALUE);
        lu_settings_delete(settings);
    }
}

/* The choice of a head moves the logits of those behind it and no others. */
TEST(later_heads_read_earlier_choices) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY,
                           "net.hidden=16 net.heads=autoregressive net.head_hidden=12", 1);
    lu_net_work *work = lu_net_work_new(net, 1);
    test_rows t;
    test_rows_init(&t, net, 1, 1, 1);
    float logits[2][21], value;
    int32_t actions[5] = {0};
    t.chunk.actions = actions;
    lu_net_forward(net, work, &t.chunk, logits[0], 21, &value);
    for (int h = 0; h < 5; h++) {
        actions[h] = 1;
        lu_net_forward(net, work, &t.chunk, logits[1], 21, &value);
        int end = net->head_offset[h + 1];
        CHECK(memcmp(logits[0], logits[1], (size_t)end * sizeof(float)) == 0);
        for (int o = end; o < 21; o++) {
            CHECK((logits[0][o] == logits[1][o]) == (o >= 13 && o < 15)); /* not in use */
        }
        actions[h] = 0;
    }
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
}

TEST(two_groups_of_one_name_are_an_error) {
    lu_group groups[2] = {test_hand.group[1], test_hand.group[1]};
    lu_game twins = test_hand;
    lu_settings *settings = lu_settings_new();
    lu_error error;
    twins.groups = 2;
    twins.group = groups;
    twins.heads = 1;
    lu_settings_add(settings, lu_net_table);
    CHECK(lu_settings_set(settings, "net.encoder", "entity", LU_FROM_FLAG, "test", NULL) == LU_OK);
    CHECK(lu_net_new(&twins, LU_NET_POLICY, settings, &error) == NULL);
    CHECK_HAS(error.text, "encoder.cards.weight");
    lu_settings_delete(settings);
}

/* ---- first values ---- */

TEST(first_values_are_orthogonal_and_the_same_everywhere) {
    lu_net *net = test_net(&test_plain, LU_NET_POLICY, "net.hidden=24 net.memory=mingru", 7);
    const lu_tensor *trunk = tensor_of(net, "trunk.0.weight");
    const float *w = lu_net_block(net) + trunk->offset;
    for (int i = 0; i < 24; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int e = 0; e < 24; e++) {
                sum += (double)w[i * 24 + e] * (double)w[j * 24 + e];
            }
            CHECK_NEAR(sum, i == j ? 2.0 : 0.0, 1e-6);
        }
    }
    const lu_tensor *head = tensor_of(net, "head.weight");
    const float *rows = lu_net_block(net) + head->offset;
    double logit = 0.0, value = 0.0;
    for (int e = 0; e < 24; e++) {
        logit += (double)rows[e] * (double)rows[e];
        value += (double)rows[7 * 24 + e] * (double)rows[7 * 24 + e];
    }
    CHECK_NEAR(logit, 1e-4, 1e-9);
    CHECK_NEAR(value, 1.0, 1e-6);
    CHECK_HEX(lu_hash(lu_net_block(net), lu_net_parameters(net) * 4, 0), 0xccfe802af952b412u);
    lu_net_init(net, 8);
    CHECK(lu_hash(lu_net_block(net), lu_net_parameters(net) * 4, 0) != 0xccfe802af952b412u);
    lu_net_delete(net);
}

/* Rows and columns beyond one block of the orthogonalisation, and no multiples of anything. */
TEST(first_values_of_larger_matrices_are_orthogonal) {
    enum { SIDE = 77 };
    lu_net *net = test_net(&test_plain, LU_NET_POLICY, "net.hidden=77", 5);
    const float *w = lu_net_block(net) + tensor_of(net, "trunk.0.weight")->offset;
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t e = 0; e < SIDE; e++) {
                sum += (double)w[i * SIDE + e] * (double)w[j * SIDE + e];
            }
            CHECK_NEAR(sum, i == j ? 2.0 : 0.0, 1e-6);
        }
    }
    lu_net_delete(net);
}

/* ---- inference ---- */

static const char *const kinds[] = {
    "net.hidden=40 net.layers=2",
    "net.hidden=40 net.layers=2 net.critic=separate net.activation=tanh",
    "net.hidden=40 net.layers=1 net.memory=mingru net.memory_layers=2",
    "net.hidden=40 net.layers=1 net.memory=lstm net.critic=separate",
    "net.hidden=40 net.layers=2 net.encoder=entity net.memory=mingru",
    "net.hidden=40 net.layers=2 net.encoder=entity net.pool=mean net.precision=bf16",
    "net.hidden=40 net.layers=2 net.memory=lstm net.precision=bf16",
    "net.hidden=40 net.layers=3 net.critic=separate net.precision=bf16tile",
    "net.hidden=40 net.layers=2 net.encoder=entity net.memory=mingru net.precision=bf16tile",
    ("net.hidden=40 net.layers=1 net.memory=lstm net.precision=bf16tile net.heads=autoregressive "
     "net.head_hidden=24"),
    "net.hidden=40 net.layers=2 net.heads=autoregressive",
    "net.hidden=40 net.layers=1 net.activation=tanh net.heads=autoregressive net.head_hidden=20,13",
    ("net.hidden=40 net.layers=2 net.encoder=entity net.memory=lstm net.precision=bf16 "
     "net.heads=autoregressive net.head_hidden=24"),
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

TEST(count_is_that_of_the_net) {
    for (int i = 0; i < KINDS; i++) {
        lu_net *net = test_net(&test_hand, LU_NET_POLICY, kinds[i], 1);
        lu_settings *settings = test_settings(kinds[i]);
        lu_error error;
        size_t parameters = 0;
        CHECK(lu_net_count(&test_hand, LU_NET_POLICY, settings, &parameters, &error) == LU_OK);
        CHECK(parameters == lu_net_parameters(net));
        lu_net *blank = lu_net_new_blank(&test_hand, LU_NET_POLICY, settings, &error);
        CHECK(blank && lu_net_parameters(blank) == parameters);
        lu_net_delete(blank);
        lu_settings_delete(settings);
        lu_net_delete(net);
    }
}

/* The logits of a net in series, in two stretches of rows. */
static void run_heads(const lu_net *net, lu_net_work *work, const test_rows *t, int row, int rows,
                      float *logits) {
    size_t heads = (size_t)t->game->heads;
    for (int h = 0; h < t->game->heads && lu_net_in_series(net); h++) {
        for (int first = 0; first < rows; first += 4) {
            lu_net_head call = {
                .head = h,
                .first = first,
                .rows = rows - first < 4 ? rows - first : 4,
                .actions = t->actions + (size_t)(row + first) * heads,
                .actions_stride = heads,
                .logits = logits + (size_t)(first * t->logits),
                .logits_stride = (size_t)t->logits,
            };
            lu_net_run_head(net, work, &call);
        }
    }
}

/* Step by step with the state zeroed at starts gives the bits of a whole chunk: what a rollout saw
 * is what training sees. */
static void check_steps(const char *settings) {
    enum { SEGMENTS = 7, STEPS = 5 };
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, settings, 3);
    lu_net_work *work = lu_net_work_new(net, SEGMENTS * STEPS);
    test_rows t;
    test_rows_init(&t, net, SEGMENTS, STEPS, 1);
    lu_normaliser seen;
    lu_normaliser_init(&seen, t.observation);
    lu_normaliser_add(&seen, t.rows, t.x, (size_t)t.observation);
    lu_normaliser_freeze(&seen);
    t.chunk.normaliser = &seen;
    size_t n = (size_t)t.logits, state = lu_net_memory_floats(net);
    float logits[SEGMENTS * STEPS * 21], value[SEGMENTS * STEPS];
    float step_logits[SEGMENTS * 21], step_value[SEGMENTS];
    lu_net_forward(net, work, &t.chunk, logits, n, value);
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < SEGMENTS; i++) {
            if (t.starts[s * SEGMENTS + i]) {
                memset(t.memory + (size_t)i * state, 0, state * sizeof(float));
            }
        }
        lu_net_infer call = {
            .rows = SEGMENTS,
            .observation = t.x_at[s * SEGMENTS],
            .observation_stride = (size_t)t.observation,
            .critic = t.c_at[s * SEGMENTS],
            .critic_stride = (size_t)t.critic,
            .normaliser = &seen,
            .memory = t.memory,
            .logits = step_logits,
            .logits_stride = n,
            .value = step_value,
        };
        lu_net_run(net, work, &call);
        run_heads(net, work, &t, s * SEGMENTS, SEGMENTS, step_logits);
        CHECK(memcmp(step_logits, logits + (size_t)(s * SEGMENTS) * n, sizeof step_logits) == 0);
        CHECK(memcmp(step_value, value + s * SEGMENTS, sizeof step_value) == 0);
    }
    lu_normaliser_free(&seen);
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
}

TEST(steps_give_the_bits_of_a_chunk) {
    for (int i = 0; i < KINDS; i++) {
        check_steps(kinds[i]);
    }
}

/* `bytes` of packed weights are what the kernel makes of the whole matrix. */
#define CHECK_PACKED(packed, kernel, bytes)                                                        \
    do {                                                                                           \
        size_t bytes_ = (bytes);                                                                   \
        void *want_ = lu_alloc_zero(bytes_ + 1, 1);                                                \
        net->k->kernel(net->block + l->weight, (size_t)l->in, l->out, l->in, want_);               \
        CHECK(memcmp(want_, packed, bytes_) == 0);                                                 \
        free(want_);                                                                               \
    } while (0)

static void check_packed(const lu_net *net, const net_layer *l) {
    if (net->config.tile) {
        CHECK_PACKED(l->forward_tiles, pack_forward_tile, lu_packed_tiles(l->out, l->in) * 4);
    } else if (net->config.bf16) {
        CHECK_PACKED(l->forward16, pack_forward_bf16, lu_packed_bf16s(l->out, l->in) * 2);
    } else {
        CHECK_PACKED(l->forward, pack_forward, lu_packed_floats(l->out, l->in) * 4);
    }
    if (net->config.tile && l->passes) {
        CHECK_PACKED(l->back_tiles, pack_back_tile, lu_packed_tiles(l->in, l->out) * 4);
    } else if (net->config.bf16 && l->passes) {
        CHECK_PACKED(l->back16, pack_back_bf16, lu_packed_bf16s(l->in, l->out) * 2);
    } else if (l->passes) {
        CHECK_PACKED(l->back, pack_back, lu_packed_floats(l->in, l->out) * 4);
    }
}

/* Pieces are all parameters, once each, and packing them piece by piece is packing the layers. */
TEST(pieces_are_the_whole_net) {
    static const char *const nets[] = {"net.hidden=71 net.layers=3 net.critic=separate",
                                       "net.hidden=71 net.layers=3 net.precision=bf16",
                                       "net.hidden=71 net.layers=3 net.precision=bf16tile",
                                       "net.hidden=100 net.memory=lstm net.encoder=entity",
                                       "net.hidden=64 net.heads=autoregressive"};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        lu_net *net = test_net(&test_hand, LU_NET_POLICY, nets[i], 3);
        size_t end = 0;
        for (int p = 0; p < net->pieces; p++) {
            CHECK(net->piece[p].from == end && net->piece[p].count > 0);
            end += net->piece[p].count;
        }
        CHECK(end == net->parameters);
        for (int t = 0; t < net->towers; t++) {
            for (int l = 0; l < net->tower[t].layers; l++) {
                check_packed(net, &net->tower[t].layer[l]);
            }
            for (int m = 0; m < net->tower[t].memories; m++) {
                check_packed(net, &net->tower[t].memory[m]);
            }
        }
        check_packed(net, &net->head);
        lu_net_delete(net);
    }
}

/* Gradients of a minibatch do not depend on how it is cut into chunks (fp32; for bf16 of even
 * length, for tiles of multiples of 32 rows). */
TEST(cuts_do_not_change_bits) {
    static const char *const nets[] = {"net.hidden=33 net.layers=2",
                                       "net.hidden=33 net.precision=bf16 net.critic=separate",
                                       "net.hidden=33 net.precision=bf16tile net.layers=3",
                                       "net.hidden=33 net.heads=autoregressive",
                                       ("net.hidden=33 net.precision=bf16 net.heads=autoregressive "
                                        "net.head_hidden=20,18")};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        lu_net *net = test_net(&test_hand, LU_NET_POLICY, nets[i], 3);
        lu_net_work *work = lu_net_work_new(net, 250);
        test_rows t;
        test_rows_init(&t, net, 250, 1, 1);
        size_t n = (size_t)t.logits;
        float *logits = lu_alloc_zero(250 * n, 4), *d = lu_alloc_zero(250 * n, 4), value[250];
        float *whole = lu_alloc_zero(net->parameters, 4), *cut = lu_alloc_zero(net->parameters, 4);
        for (size_t k = 0; k < 250 * n; k++) {
            d[k] = sinf((float)k);
        }
        lu_net_forward(net, work, &t.chunk, logits, n, value);
        lu_net_backward(net, work, &t.chunk, d, n, t.advantage, whole);
        for (int first = 0; first < 250; first += 96) {
            lu_net_chunk part = t.chunk;
            part.segments = 250 - first < 96 ? 250 - first : 96;
            part.observation += first;
            part.critic += first;
            part.starts += first;
            part.actions += (size_t)first * part.actions_stride;
            lu_net_forward(net, work, &part, logits, n, value);
            lu_net_backward(net, work, &part, d + (size_t)first * n, n, t.advantage + first, cut);
        }
        CHECK(memcmp(whole, cut, net->parameters * sizeof(float)) == 0);
        free(logits);
        free(d);
        free(whole);
        free(cut);
        test_rows_free(&t);
        lu_net_work_delete(work);
        lu_net_delete(net);
    }
}

/* Logits and gradient of rows, into logits and gradient. */
static void learn_rows(const lu_net *net, lu_net_work *work, const test_rows *t, float *logits,
                       float *gradient) {
    size_t n = (size_t)t->logits;
    float *d = lu_alloc_zero((size_t)t->rows * n, sizeof *d);
    float *value = lu_alloc_zero((size_t)t->rows, sizeof *value);
    lu_net_forward(net, work, &t->chunk, logits, n, value);
    for (size_t k = 0; k < (size_t)t->rows * n; k++) {
        d[k] = sinf((float)k);
    }
    lu_net_backward(net, work, &t->chunk, d, n, t->advantage, gradient);
    free(d);
    free(value);
}

/* Rows that inference kept, in their own place, teach what the raw ones would have. */
static void check_kept(const char *settings, bool bf16) {
    enum { ROWS = 250, LOGITS = 21 };
    static float logits[3][ROWS * LOGITS], value[ROWS];
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, settings, 3);
    lu_net_work *work = lu_net_work_new(net, ROWS);
    test_rows t;
    test_rows_init(&t, net, ROWS, 1, 1);
    lu_normaliser normaliser;
    lu_normaliser_init(&normaliser, t.observation);
    lu_normaliser_add(&normaliser, ROWS, t.x, (size_t)t.observation);
    lu_normaliser_freeze(&normaliser);
    t.chunk.normaliser = &normaliser;
    float first[41], kept[41];
    CHECK_INT(t.observation, 41); /* odd: the last number has no partner */
    CHECK_INT(lu_net_kept_bytes(net), bf16 ? 82 : 164);
    lu_kernels_best()->normalise(t.x, normaliser.shift, normaliser.scale, normaliser.clip, 41,
                                 first);
    float *raw = lu_alloc_zero(net->parameters, 4), *again = lu_alloc_zero(net->parameters, 4);
    learn_rows(net, work, &t, logits[0], raw);
    lu_net_infer call = {.rows = ROWS,
                         .observation = t.x,
                         .observation_stride = (size_t)t.observation,
                         .normaliser = &normaliser,
                         .keep = t.x,
                         .logits = logits[1],
                         .logits_stride = LOGITS,
                         .value = value};
    lu_net_run(net, work, &call);
    t.chunk.kept = true;
    learn_rows(net, work, &t, logits[2], again);
    CHECK(memcmp(logits[0], logits[1], sizeof logits[0]) == 0);
    CHECK(memcmp(logits[0], logits[2], sizeof logits[0]) == 0);
    CHECK(memcmp(raw, again, net->parameters * sizeof *raw) == 0);
    lu_net_kept_row(net, t.x, kept);
    for (int i = 0; i < 41; i++) {
        CHECK_NEAR((double)kept[i], (double)first[i], bf16 ? 0x1p-8 * fabs((double)first[i]) : 0.0);
    }
    free(raw);
    free(again);
    lu_normaliser_free(&normaliser);
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
}

TEST(kept_rows_teach_what_raw_ones_would) {
    check_kept("net.hidden=33 net.critic_inputs=false", false);
    check_kept("net.hidden=33 net.critic_inputs=false net.critic=separate", false);
    check_kept("net.hidden=33 net.critic_inputs=false net.precision=bf16", true);
    check_kept("net.hidden=33 net.critic_inputs=false net.precision=bf16tile", true);
    check_kept("net.hidden=33 net.critic_inputs=false net.precision=bf16 net.critic=separate",
               true);
    static const char *const raw[] = {"net.encoder=entity net.critic_inputs=false",
                                      "net.critic=separate"};
    for (int i = 0; i < 2; i++) {
        lu_net *net = test_net(&test_hand, LU_NET_POLICY, raw[i], 3);
        CHECK_INT(lu_net_kept_bytes(net), 0);
        lu_net_delete(net);
    }
}

TEST(without_a_value_the_critic_is_left_out) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY,
                           "net.hidden=20 net.critic=separate net.memory=mingru", 3);
    lu_net_work *work = lu_net_work_new(net, 4);
    test_rows t;
    test_rows_init(&t, net, 4, 1, 1);
    float logits[2][4 * 21], value[4], *memory[2];
    size_t bytes = 4 * lu_net_memory_floats(net) * sizeof(float);
    for (int i = 0; i < 2; i++) {
        memory[i] = lu_alloc(bytes);
        memcpy(memory[i], t.memory, bytes);
        lu_net_infer call = {.rows = 4,
                             .observation = t.x,
                             .observation_stride = (size_t)t.observation,
                             .critic = i ? NULL : t.c,
                             .critic_stride = (size_t)t.critic,
                             .memory = memory[i],
                             .logits = logits[i],
                             .logits_stride = 21,
                             .value = i ? NULL : value};
        lu_net_run(net, work, &call);
    }
    CHECK(memcmp(logits[0], logits[1], sizeof logits[0]) == 0);
    CHECK(memcmp(memory[0], memory[1], 20 * sizeof(float)) == 0);
    CHECK(memcmp(memory[1] + 20, t.memory + 20, 20 * sizeof(float)) == 0);
    free(memory[0]);
    free(memory[1]);
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
}

TEST(a_copy_gives_the_same_bits) {
    lu_net *net = test_net(&test_hand, LU_NET_Q, "net.hidden=20 net.dueling=true", 3);
    lu_net *copy = lu_net_copy(net);
    lu_net_work *work = lu_net_work_new(net, 10);
    test_rows t;
    test_rows_init(&t, net, 10, 1, 1);
    float a[210], b[210], value[10];
    lu_net_init(net, 4);
    lu_net_forward(net, work, &t.chunk, a, 21, value);
    lu_net_forward(copy, work, &t.chunk, b, 21, value);
    CHECK(memcmp(a, b, sizeof a) != 0);
    lu_net_init(net, 3);
    lu_net_forward(net, work, &t.chunk, a, 21, value);
    CHECK(memcmp(a, b, sizeof a) == 0);
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
    lu_net_delete(copy);
}

/* ---- normaliser ---- */

TEST(normaliser_gives_mean_0_and_deviation_1) {
    enum { ROWS = 1000 };
    static float x[ROWS][4];
    lu_rng rng = lu_rng_from(3);
    lu_normaliser n;
    lu_normaliser_init(&n, 3);
    CHECK(n.shift[1] == 0.0f && n.scale[1] == 1.0f);
    for (int r = 0; r < ROWS; r++) {
        x[r][0] = 1000.0f + 5.0f * test_normal(&rng);
        x[r][1] = 7.0f; /* never varies */
        x[r][2] = 1e-3f * test_normal(&rng);
    }
    lu_normaliser_add(&n, 300, &x[0][0], 4);
    lu_normaliser_add(&n, ROWS - 300, &x[300][0], 4);
    lu_normaliser_freeze(&n);
    double sum[3] = {0}, square[3] = {0}, to[3];
    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < 3; i++) {
            to[i] = (double)((x[r][i] - n.shift[i]) * n.scale[i]);
            sum[i] += to[i] / ROWS;
            square[i] += to[i] * to[i] / ROWS;
        }
    }
    CHECK_NEAR(sum[0], 0.0, 1e-4);
    CHECK_NEAR(square[0], 1.0, 1e-4);
    CHECK_NEAR(sum[2], 0.0, 1e-4);
    CHECK_NEAR(square[2], 1.0, 1e-4);
    CHECK(square[1] == 0.0 && n.scale[1] == 1.0f);
    lu_normaliser_free(&n);
}

/* ---- optimisers ---- */

/* Steps on one fixed minibatch must lower its loss. */
static void check_descent(lu_optimiser_kind kind, double rate, const char *settings) {
    lu_net *net = test_net(&test_hand, LU_NET_POLICY, settings, 3);
    lu_policy policy = lu_policy_of(&test_hand, NULL);
    lu_net_work *work = lu_net_work_new(net, 64);
    test_rows t;
    test_rows_init(&t, net, 16, 4, 1);
    float *logits = lu_alloc_zero(64 * 21, 4), *d = lu_alloc_zero(64 * 21, 4);
    float value[64], dvalue[64], *gradient = lu_alloc_zero(net->parameters, 4);
    lu_optimiser optimiser;
    lu_optimiser_init(&optimiser, kind, net);
    lu_optimiser_step step = {.rate = rate, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-5, .clip = 1.0};
    t.ppo.logits = logits;
    t.ppo.logits_stride = t.ppo.dlogits_stride = 21;
    t.ppo.value = value;
    t.ppo.dlogits = d;
    t.ppo.dvalue = dvalue;
    t.ppo.value_clip = 0.0f;
    double first = 0.0, last = 0.0;
    for (int i = 0; i < 60; i++) {
        lu_ppo_sums sums = {0};
        memset(gradient, 0, net->parameters * sizeof(float));
        lu_net_forward(net, work, &t.chunk, logits, 21, value);
        lu_ppo_run(&policy, &t.ppo, &sums);
        lu_net_backward(net, work, &t.chunk, d, 21, dvalue, gradient);
        last = (sums.policy + 0.5 * sums.value) / sums.weight;
        first = i == 0 ? last : first;
        CHECK(lu_optimiser_run(&optimiser, net, gradient, &step) > 0.0);
    }
    if (!(last < first - 0.2)) {
        lu_test_fail(__FILE__, __LINE__, "%s: loss %g after %g", settings, last, first);
    }
    /* a gradient that is no number changes nothing */
    float kept = net->block[0];
    gradient[5] = NAN;
    CHECK(isnan(lu_optimiser_run(&optimiser, net, gradient, &step)));
    CHECK(net->block[0] == kept && optimiser.steps == 60);
    free(logits);
    free(d);
    free(gradient);
    lu_optimiser_free(&optimiser);
    test_rows_free(&t);
    lu_net_work_delete(work);
    lu_net_delete(net);
}

TEST(optimisers_lower_the_loss) {
    for (int i = 0; i < KINDS; i++) {
        check_descent(LU_ADAM, 0.003, kinds[i]);
        check_descent(LU_MUON, 0.01, kinds[i]);
    }
}
