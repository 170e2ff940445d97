/* What a DQN trainer promises whatever it learns: the same bits for any number of threads and after
 * a resume, no allocation while it runs, a gradient that is that of the definition, no illegal
 * option anywhere, a stop at NaN. */
#include "dqn_internal.h"
#include "probe_test.h"

#include "ludus/file.h"
#include "ludus/math.h"

#include "../nn/net_ref.h"

#include <stdlib.h>

/* One line per kind of net, target, draw and game. */
static const probe_kind kinds[] = {
    {"twostep", "dqn.normalise_observation=true"},
    {"bandit", "net.dueling=true dqn.minibatch=300 dqn.environments=67"},
    {"bandit", "dqn.prioritise=0 dqn.double=false dqn.optimiser=muon"},
    {"cutoff", "dqn.steps_ahead=3 dqn.target_every=1 dqn.target_rate=0.1"},
    {"ticks", "dqn.steps_ahead=5 net.dueling=true dqn.reward_scale=0.5 dqn.reward_clip=0.25"},
    {"lock", "net.dueling=true dqn.buffer=2k"},
    {"ghost", "dqn.environments=150 dqn.normalise_observation=true"},
    {"pennies", "dqn.minibatch=17 dqn.buffer=1k"},
    {"crowd", "net.encoder=entity net.precision=bf16 dqn.minibatch=300"},
    {"bandit", "net.hidden=128 net.layers=2 net.products=strassen dqn.minibatch=300"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

TEST(dqn_has_the_same_bits_for_any_number_of_threads) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_threads(&probe_dqn, &kinds[kind], getenv("LUDUS_TEST_LONG") ? 50 : 5);
    }
}

TEST(a_resumed_dqn_goes_on_as_if_it_had_not_stopped) {
    static const char *const metrics[] = {"loss", "gradient_steps", "remembered", NULL};
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_resume(&probe_dqn, &kinds[kind], 4, 3, 3, metrics);
    }
}

TEST(a_dqn_snapshot_of_something_else_is_refused) {
    probe_check_refused(&probe_dqn, "", "dqn.steps_ahead=2");
}

TEST(a_dqn_update_allocates_nothing) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_no_allocation(&probe_dqn, &kinds[kind], 5);
    }
}

/* ---- the maths of a minibatch, in fp64 ---- */

/* Q values of rows by plain loops. */
static double *reference_q(const dqn_trainer *d, lu_net *net, const float *const *rows, int count,
                           const double *dq, double *gradient) {
    lu_net_chunk chunk = {.segments = count,
                          .steps = 1,
                          .observation = rows,
                          .normaliser = lu_trainer_normaliser(&d->base)};
    size_t parameters = lu_net_parameters(net);
    double *block = malloc(parameters * sizeof *block);
    double *q = malloc((size_t)count * (size_t)d->base.mask * sizeof *q);
    double *value = calloc((size_t)count, sizeof *value);
    for (size_t i = 0; i < parameters; i++) {
        block[i] = (double)lu_net_block(net)[i];
    }
    net_ref *ref = net_ref_new(net, &chunk);
    net_ref_forward(ref, block, q, value);
    if (gradient) {
        memset(value, 0, (size_t)count * sizeof *value);
        net_ref_back(ref, block, dq, value, gradient);
    }
    net_ref_delete(ref);
    free(block);
    free(value);
    return q;
}

/* Value of the next state of a game with one head, by definition. */
static double reference_next(const double *q, const double *select, const uint8_t *legal, int n) {
    int best = -1;
    for (int o = 0; o < n; o++) {
        if (legal[o] && (best < 0 || select[o] > select[best])) {
            best = o;
        }
    }
    return best < 0 ? 0.0 : q[best];
}

/* Errors and gradient of the minibatch that is drawn, in a game with one head. */
static void reference_minibatch(dqn_trainer *d, double *error, double *gradient) {
    const dqn_buffer *r = &d->buffer;
    int count = d->base.minibatch, n = d->base.mask;
    const float **here = malloc((size_t)count * sizeof *here),
                **next = malloc((size_t)count * sizeof *next);
    for (int i = 0; i < count; i++) {
        size_t leaf = d->mini.index[i], slots = (size_t)r->slots;
        size_t after = leaf / slots * slots + (leaf % slots + r->ahead[leaf]) % slots;
        here[i] = r->observation + leaf * (size_t)r->observed;
        next[i] = r->observation + after * (size_t)r->observed;
    }
    double *q = reference_q(d, d->base.net, here, count, NULL, NULL);
    double *target = reference_q(d, d->target, next, count, NULL, NULL);
    double *select = reference_q(d, d->base.net, next, count, NULL, NULL);
    double *dq = calloc((size_t)count * (size_t)n, sizeof *dq);
    for (int i = 0; i < count; i++) {
        size_t leaf = d->mini.index[i], row = (size_t)i * (size_t)n;
        size_t after = (size_t)(next[i] - r->observation) / (size_t)r->observed;
        double best = reference_next(target + row, (d->config.twice ? select : target) + row,
                                     r->legal + after * (size_t)n, n);
        double wanted = (double)r->gain[leaf] + (double)r->discount[leaf] * best;
        size_t action = r->actions[leaf];
        CHECK(r->legal[leaf * (size_t)n + action] == 1);
        error[i] = q[row + action] - wanted;
        double slope = error[i] > 1.0 ? 1.0 : error[i] < -1.0 ? -1.0 : error[i];
        dq[row + action] = slope * (double)d->mini.weight[i] / count;
    }
    free(reference_q(d, d->base.net, here, count, dq, gradient));
    free(here);
    free(next);
    free(q);
    free(target);
    free(select);
    free(dq);
}

TEST(a_minibatch_is_that_of_the_definition) {
    static const struct {
        const char *game, *settings;
    } cases[] = {
        {"bandit", "dqn.double=true"},
        {"bandit", "dqn.double=false net.dueling=true"},
        {"twostep", "net.dueling=true dqn.normalise_observation=true"},
        {"cutoff", "dqn.steps_ahead=3 net.layers=2 net.activation=tanh"},
        {"delay", "dqn.steps_ahead=2 net.dueling=true dqn.minibatch=200"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        probe p;
        NEED(dqn_probe_open(&p, cases[k].game, cases[k].settings));
        CHECK(probe_run(&p, 8) == LU_OK);
        dqn_trainer *d = dqn_of(p.train);
        size_t parameters = lu_net_parameters(d->base.net);
        double *error = calloc((size_t)d->base.minibatch, sizeof *error);
        double *gradient = calloc(parameters, sizeof *gradient), size = 0.0, apart = 0.0;
        dqn_draw(d);
        reference_minibatch(d, error, gradient);
        CHECK(dqn_learn(d, &p.error) == LU_OK);
        for (int i = 0; i < d->base.minibatch; i++) {
            CHECK_NEAR((double)d->mini.error[i], error[i], 1e-5);
        }
        for (size_t i = 0; i < parameters; i++) {
            double difference = (double)d->base.gradient[i] - gradient[i];
            apart += difference * difference;
            size += gradient[i] * gradient[i];
        }
        CHECK(size > 0.0);
        CHECK(sqrt(apart) < 1e-4 * sqrt(size) + 1e-7);
        free(error);
        free(gradient);
        probe_close(&p);
    }
}

/* Weights of priority: (N p)^-beta over the largest, and what is learned gets its new weight. */
TEST(priorities_are_those_of_the_errors) {
    probe p;
    NEED(dqn_probe_open(&p, "bandit", "dqn.prioritise=0.7 dqn.beta=0.5 dqn.priority_floor=0.02"));
    CHECK(probe_run(&p, 6) == LU_OK);
    dqn_trainer *d = dqn_of(p.train);
    int count = d->base.minibatch;
    double total = sum_tree_total(&d->buffer.tree), largest = 0.0;
    dqn_draw(d);
    for (int i = 0; i < count; i++) {
        double share = sum_tree_at(&d->buffer.tree, d->mini.index[i]) / total;
        largest = fmax(largest, pow((double)d->buffer.tree.used * share, -0.5));
    }
    for (int i = 0; i < count; i++) {
        double share = sum_tree_at(&d->buffer.tree, d->mini.index[i]) / total;
        double weight = pow((double)d->buffer.tree.used * share, -0.5) / largest;
        CHECK(share > 0.0);
        CHECK_NEAR((double)d->mini.weight[i], weight, 1e-6);
    }
    CHECK(dqn_learn(d, &p.error) == LU_OK);
    dqn_prioritise(d);
    for (int i = 0; i < count; i++) {
        double weight = pow(fabs((double)d->mini.error[i]) + 0.02, 0.7);
        CHECK_NEAR(sum_tree_at(&d->buffer.tree, d->mini.index[i]), weight, 1e-9);
    }
    probe_close(&p);
}

/* ---- masks ---- */

/* Nets that want nothing so much as what is illegal: still no such action, and no such target. */
TEST(illegal_options_are_neither_taken_nor_read) {
    probe p;
    NEED(dqn_probe_open(&p, "bandit", "dqn.epsilon=0 dqn.rate=0 dqn.steps=20k"));
    dqn_trainer *d = dqn_of(p.train);
    float *block = lu_net_block(d->base.net);
    size_t parameters = lu_net_parameters(d->base.net);
    for (int round = 0; round < 8; round++) {
        /* the last parameters are the biases of the options: one of them is the best by far */
        memset(block, 0, parameters * sizeof *block);
        block[parameters - 8 + (size_t)round] = 1e6f;
        lu_net_pack(d->base.net);
        memcpy(lu_net_block(d->target), block, parameters * sizeof *block);
        lu_net_pack(d->target);
        CHECK(probe_run(&p, 3) == LU_OK);
        CHECK_INT(p.stats.illegal, 0);
    }
    const dqn_buffer *r = &d->buffer;
    int taken = 0;
    for (size_t leaf = 0; leaf < (size_t)r->rows * (size_t)r->slots; leaf++) {
        if (r->kind[leaf] == SLOT_STEP) {
            CHECK(r->legal[leaf * 8 + r->actions[leaf]] == 1);
            taken++;
        }
    }
    CHECK(taken > 8 * 3 * 32 * 4);
    probe_close(&p);
}

/* An option that only a cut-off state forbids must not be read there: the last observation has its
 * own mask. */
TEST(the_last_observation_has_its_mask) {
    probe p;
    NEED(dqn_probe_open(&p, "cutoff", ""));
    CHECK(probe_run(&p, 3) == LU_OK);
    const dqn_buffer *r = &dqn_of(p.train)->buffer;
    int last = 0;
    for (size_t leaf = 0; leaf < (size_t)r->rows * (size_t)r->slots; leaf++) {
        if (r->kind[leaf] == SLOT_LAST) {
            int legal = 0;
            for (int o = 0; o < r->mask; o++) {
                legal += r->legal[leaf * (size_t)r->mask + (size_t)o];
            }
            CHECK(legal > 0);
            CHECK(sum_tree_at(&r->tree, leaf) == 0.0);
            last++;
        }
    }
    CHECK(last > 0);
    probe_close(&p);
}

/* ---- the target net ---- */

TEST(the_target_net_moves_when_it_is_due) {
    probe p;
    NEED(dqn_probe_open(&p, "choice", "dqn.target_every=3 dqn.target_rate=0.25"));
    dqn_trainer *d = dqn_of(p.train);
    CHECK(probe_run(&p, 4) == LU_OK);
    CHECK_INT(figure_of(&p, "target_moves"), figure_of(&p, "gradient_steps") / 3);
    size_t bytes = lu_net_parameters(d->base.net) * sizeof(float);
    float *before = malloc(bytes);
    while (d->gradient_steps % 3 != 0) {
        d->gradient_steps++;
    }
    memcpy(before, lu_net_block(d->target), bytes);
    dqn_move_target(d);
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        double wanted = 0.25 * (double)lu_net_block(d->base.net)[i] + 0.75 * (double)before[i];
        CHECK_NEAR((double)lu_net_block(d->target)[i], wanted, 1e-6);
    }
    memcpy(before, lu_net_block(d->target), bytes);
    d->gradient_steps++;
    dqn_move_target(d);
    CHECK(memcmp(before, lu_net_block(d->target), bytes) == 0);
    free(before);
    probe_close(&p);
}

/* ---- what goes wrong ---- */

TEST(dqn_stops_at_numbers_that_are_none_and_saves_the_batch) {
    char path[300], line[400];
    snprintf(path, sizeof path, "%s/failed.safetensors", lu_test_folder());
    snprintf(line, sizeof line, "dqn.save_failed=%s dqn.target_every=1M", path);
    probe p;
    NEED(dqn_probe_open(&p, "sight", line));
    CHECK(probe_run(&p, 3) == LU_OK);
    /* of the target net, so that choices stay sound; sight has no next state, so the buffer is
     * told of one */
    lu_net *target = lu_dqn_target(p.train);
    lu_net_block(target)[lu_net_parameters(target) - 1] = NAN;
    lu_net_block(target)[lu_net_parameters(target) - 2] = NAN;
    lu_net_pack(target);
    CHECK_INT(probe_run(&p, 1), LU_DIVERGED);
    CHECK_HAS(p.error.text, "NaN or infinite");
    CHECK_HAS(p.error.text, path);
    for (size_t i = 0; i < lu_net_parameters(lu_trainer_net(p.train)); i++) {
        CHECK(isfinite(lu_net_block(lu_trainer_net(p.train))[i]));
    }
    probe_check_batch(path, 128, "target_parameters");
    probe_close(&p);
}

TEST(dqn_stops_at_q_values_that_are_none) {
    char path[300], line[400];
    snprintf(path, sizeof path, "%s/sights.safetensors", lu_test_folder());
    snprintf(line, sizeof line, "dqn.save_failed=%s", path);
    probe p;
    NEED(dqn_probe_open(&p, "sight", line));
    lu_net *net = lu_trainer_net(p.train);
    lu_net_block(net)[lu_net_parameters(net) - 1] = INFINITY;
    lu_net_pack(net);
    CHECK_INT(probe_run(&p, 1), LU_DIVERGED);
    CHECK_HAS(p.error.text, "output of the net");
    CHECK(lu_file_exists(path));
    probe_close(&p);
}

/* What dqn does not take is refused in a sentence, before anything is allocated. */
TEST(games_and_settings_that_do_not_fit_dqn_are_refused) {
    static const struct {
        const char *game, *pair, *says;
    } bad[] = {
        {"turnabout", "dqn.seed=1", "use ppo"},
        {"choice", "net.memory=mingru", "net.memory"},
        {"choice", "net.heads=autoregressive", "train with ppo"},
        {"choice", "dqn.buffer=300", "dqn.buffer"},
        {"choice", "dqn.environments=1M", "dqn.rounds"},
    };
    lu_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const lu_game *game = lu_game_find(bad[i].game, &error);
        lu_settings *settings = lu_game_settings(game);
        lu_settings_add(settings, lu_dqn_table);
        lu_settings_add(settings, lu_net_table);
        NEED(lu_settings_set_pair(settings, "dqn.horizon=64", LU_FROM_FLAG, "t", &error) == LU_OK);
        NEED(lu_settings_set_pair(settings, "dqn.rounds=64", LU_FROM_FLAG, "t", &error) == LU_OK);
        NEED(lu_settings_set_pair(settings, bad[i].pair, LU_FROM_FLAG, "t", &error) == LU_OK);
        lu_training_need need;
        CHECK_INT(lu_dqn_bytes_needed(game, settings, &need, &error), error.status);
        CHECK(error.status != LU_OK);
        CHECK_HAS(error.text, bad[i].says);
        CHECK(lu_dqn_new(game, settings, NULL, &error) == NULL);
        CHECK_HAS(error.text, bad[i].says);
        lu_settings_delete(settings);
    }
}

TEST(the_memory_of_dqn_is_what_is_taken) {
    probe_check_memory(&probe_dqn, kinds, KINDS, 300000);
}
