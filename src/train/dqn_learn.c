/* Learning of DQN: places drawn from the buffer, targets under masks, a gradient that is summed in
 * a fixed tree over gradient shards, one step of the optimiser, new priorities, and the target net.
 */
#include "dqn_internal.h"

#include "ludus/math.h"

#include <math.h>
#include <string.h>

/* ---- draws ---- */

void dqn_minibatch_size(dqn_minibatch *m, int rows) {
    int gradients = train_gradients(rows);
    int share = (rows + gradients - 1) / gradients;
    m->chunk = share < LU_BLOCK_ROWS ? share : LU_BLOCK_ROWS;
    m->blocks = (rows + m->chunk - 1) / m->chunk;
    m->gradients = gradients < m->blocks ? gradients : m->blocks;
}

enum { DRAWN = 128 }; /* places that one job draws */

/* One draw from each of as many equal pieces of the sum as there are places. Weights (N p)^-beta
 * over their largest. */
static void draw_places(void *context, int index) {
    dqn_trainer *d = context;
    dqn_minibatch *m = &d->mini;
    const sum_tree *tree = &d->buffer.tree;
    int places = d->base.minibatch, end = at_most((index + 1) * DRAWN, places);
    double total = sum_tree_total(tree), beta = d->base.coefficient[DQN_BETA];
    uint64_t key = lu_mix(d->base.seed, 4, (uint64_t)d->gradient_steps);
    for (int i = index * DRAWN; i < end; i++) {
        lu_rng rng = lu_rng_from(lu_mix(key, (uint64_t)i, 0));
        double x = ((double)i + lu_rng_unit(&rng)) / (double)places * total;
        m->index[i] = sum_tree_find(tree, x);
        double p = sum_tree_at(tree, m->index[i]) / total;
        m->weight[i] = (float)lu_pow((double)tree->used * p, -beta);
    }
}

void dqn_draw(dqn_trainer *d) {
    dqn_minibatch *m = &d->mini;
    int places = d->base.minibatch;
    float largest = 0.0f;
    train_run(&d->base, draw_places, d, ceil_div(places, DRAWN), 40000.0 * (double)places);
    for (int i = 0; i < places; i++) {
        largest = m->weight[i] > largest ? m->weight[i] : largest;
    }
    for (int i = 0; i < places; i++) {
        m->weight[i] /= largest;
    }
}

void dqn_prioritise(dqn_trainer *d) {
    const dqn_minibatch *m = &d->mini;
    double alpha = d->base.coefficient[DQN_PRIORITISE];
    for (int i = 0; i < d->base.minibatch; i++) {
        double error = lu_fabs((double)m->error[i]) + d->config.priority_floor;
        double weight = alpha > 0.0 ? lu_pow(error, alpha) : 1.0;
        sum_tree_set(&d->buffer.tree, m->index[i], weight);
        d->top = weight > d->top ? weight : d->top;
    }
}

/* ---- targets ---- */

/* The leaf of what a step leads to; the step itself where nothing follows. */
static size_t next_leaf(const dqn_buffer *r, size_t leaf) {
    size_t slots = (size_t)r->slots, row = leaf / slots;
    return row * slots + (leaf % slots + r->ahead[leaf]) % slots;
}

static void infer(const dqn_trainer *d, dqn_worker *w, const lu_net *net, int rows, float *q) {
    lu_net_infer call = {.rows = rows,
                         .observation = w->next,
                         .observation_stride = (size_t)d->base.observation,
                         .normaliser = lu_trainer_normaliser(&d->base),
                         .logits = q,
                         .logits_stride = d->base.logits_stride};
    lu_net_run(net, w->net, &call);
}

/* Targets of places [first, first + rows). */
static void find_targets(const dqn_trainer *d, dqn_worker *w, int first, int rows) {
    const dqn_buffer *r = &d->buffer;
    size_t n = (size_t)d->base.observation, mask = (size_t)d->base.mask;
    for (int i = 0; i < rows; i++) {
        size_t next = next_leaf(r, d->mini.index[first + i]);
        memcpy(w->next + (size_t)i * n, r->observation + next * n, n * sizeof(float));
        memcpy(w->legal + (size_t)i * mask, r->legal + next * mask, mask);
        w->force[i] = r->force + next * (size_t)r->forced;
        w->done[i] = r->actions + next * (size_t)r->heads;
    }
    infer(d, w, d->target, rows, w->q);
    if (d->config.twice) {
        infer(d, w, d->base.net, rows, w->other);
    }
    lu_q_next next = {.rows = rows,
                      .q = w->q,
                      .select = d->config.twice ? w->other : NULL,
                      .stride = d->base.logits_stride,
                      .mask = w->legal,
                      .mask_stride = mask,
                      .force = r->forced ? w->force : NULL,
                      .done = w->done,
                      .best = w->best};
    lu_q_next_run(&d->base.policy, &next);
    for (int i = 0; i < rows; i++) {
        size_t leaf = d->mini.index[first + i];
        w->target[i] = r->gain[leaf] + r->discount[leaf] * w->best[i];
    }
}

/* ---- the gradient of a minibatch ---- */

/* Observations, actions and the masks in force of places [first, first + rows). */
static void gather(const dqn_trainer *d, dqn_worker *w, int first, int rows) {
    const dqn_buffer *r = &d->buffer;
    for (int i = 0; i < rows; i++) {
        size_t leaf = d->mini.index[first + i], row = (size_t)i, heads = (size_t)d->base.heads;
        int32_t *actions = w->actions + row * heads;
        w->observation[i] = r->observation + leaf * (size_t)d->base.observation;
        w->weight[i] = d->mini.weight[first + i];
        for (size_t h = 0; h < heads; h++) {
            actions[h] = r->actions[leaf * heads + h];
        }
        if (r->forced) {
            memcpy(w->legal + row * (size_t)r->mask, r->force + leaf * (size_t)r->mask,
                   (size_t)r->mask);
            continue;
        }
        for (int h = 0; h < d->base.heads; h++) {
            lu_policy_legal(&d->base.policy, NULL, 0, h, r->legal + leaf * (size_t)d->base.mask,
                            actions,
                            w->legal + row * (size_t)d->base.mask + d->base.policy.offset[h]);
        }
    }
}

static void add_losses(const dqn_trainer *d, const dqn_worker *w, int first, int rows,
                       dqn_loss *sums) {
    for (int i = 0; i < rows; i++) {
        d->mini.error[first + i] = w->error[i];
        sums->error += lu_fabs((double)w->error[i]);
        sums->target += (double)w->target[i];
        sums->q += (double)w->target[i] + (double)w->error[i];
    }
}

static void gradient_shard(void *context, int index) {
    dqn_trainer *d = context;
    dqn_minibatch *m = &d->mini;
    dqn_worker *w = dqn_worker_here(d);
    float *gradient = d->base.gradient + (size_t)index * d->base.gradient_stride;
    int64_t blocks = m->blocks;
    int end = (int)(blocks * (index + 1) / m->gradients);
    memset(gradient, 0, d->base.gradient_stride * sizeof *gradient);
    m->sums[index] = (dqn_loss){0};
    for (int block = (int)(blocks * index / m->gradients); block < end; block++) {
        int first = block * m->chunk, rows = d->base.minibatch - first;
        rows = rows < m->chunk ? rows : m->chunk;
        find_targets(d, w, first, rows);
        gather(d, w, first, rows);
        lu_net_chunk chunk = {.segments = rows,
                              .steps = 1,
                              .observation = w->observation,
                              .normaliser = lu_trainer_normaliser(&d->base),
                              .more = block + 1 < end};
        lu_net_forward(d->base.net, w->net, &chunk, w->q, d->base.logits_stride, w->value);
        lu_q_loss call = {.rows = rows,
                          .q = w->q,
                          .stride = d->base.logits_stride,
                          .legal = w->legal,
                          .legal_stride = (size_t)d->base.mask,
                          .actions = w->actions,
                          .actions_stride = (size_t)d->base.heads,
                          .target = w->target,
                          .weight = w->weight,
                          .scale = (float)(1.0 / (double)d->base.minibatch),
                          .dq = w->dq,
                          .errors = w->error};
        m->sums[index].loss += lu_q_loss_run(&d->base.policy, &call);
        lu_net_backward(d->base.net, w->net, &chunk, w->dq, d->base.logits_stride, NULL, gradient);
        add_losses(d, w, first, rows, &m->sums[index]);
    }
}

/* The rows of the minibatch in its order. */
static void save_minibatch(const dqn_trainer *d, lu_error *error) {
    const dqn_buffer *r = &d->buffer;
    size_t rows = (size_t)d->base.minibatch, n = (size_t)d->base.observation;
    size_t mask = (size_t)d->base.mask, heads = (size_t)d->base.heads;
    failed_file f = {0};
    float *observation = failed_add(&f, "observation", LU_F32, rows, n);
    float *next = failed_add(&f, "next_observation", LU_F32, rows, n);
    uint8_t *legal = failed_add(&f, "mask", LU_U8, rows, mask);
    uint8_t *next_legal = failed_add(&f, "next_mask", LU_U8, rows, mask);
    int32_t *actions = failed_add(&f, "actions", LU_I32, rows, heads);
    float *gain = failed_add(&f, "gain", LU_F32, rows, 1);
    float *discount = failed_add(&f, "discount", LU_F32, rows, 1);
    for (size_t i = 0; i < rows; i++) {
        size_t leaf = d->mini.index[i], after = next_leaf(r, leaf);
        memcpy(observation + i * n, r->observation + leaf * n, n * sizeof(float));
        memcpy(next + i * n, r->observation + after * n, n * sizeof(float));
        memcpy(legal + i * mask, r->legal + leaf * mask, mask);
        memcpy(next_legal + i * mask, r->legal + after * mask, mask);
        for (size_t h = 0; h < heads; h++) {
            actions[i * heads + h] = r->actions[leaf * heads + h];
        }
        gain[i] = r->gain[leaf];
        discount[i] = r->discount[leaf];
    }
    failed_add_copy(&f, "weight", d->mini.weight, rows);
    failed_add_copy(&f, "error", d->mini.error, rows);
    failed_add_copy(&f, "gradient", d->base.gradient, lu_net_parameters(d->base.net));
    failed_add_copy(&f, "parameters", lu_net_block(d->base.net), lu_net_parameters(d->base.net));
    failed_add_copy(&f, "target_parameters", lu_net_block(d->target),
                    lu_net_parameters(d->base.net));
    failed_write(&f, &d->base, error);
}

static double loss_of(lu_trainer *trainer) {
    const dqn_minibatch *m = &dqn_of(trainer)->mini;
    double loss = 0.0;
    for (int i = 0; i < m->gradients; i++) {
        loss += m->sums[i].loss;
    }
    return loss;
}

lu_status dqn_learn(dqn_trainer *d, lu_error *error) {
    dqn_minibatch *m = &d->mini;
    double parameters = (double)lu_net_parameters(d->base.net);
    train_gradient gradient = {.job = gradient_shard,
                               .jobs = m->gradients,
                               .gradients = m->gradients,
                               .work = (double)d->base.minibatch * (10.0 * parameters + 5000.0),
                               .loss = loss_of};
    m->norm = train_minibatch(&d->base, &gradient);
    if (isfinite(m->norm)) {
        d->gradient_steps++;
        return LU_OK;
    }
    lu_error failed;
    train_diverged(&d->base, isfinite(loss_of(&d->base)) ? "gradient" : "loss", &failed);
    if (*d->base.save_failed) {
        save_minibatch(d, &failed);
    }
    return lu_fail(error, LU_DIVERGED, "%s", failed.text);
}

/* ---- the target net ---- */

void dqn_move_target(dqn_trainer *d) {
    if (d->gradient_steps % d->config.target_every != 0) {
        return;
    }
    float rate = (float)d->base.coefficient[DQN_TARGET_RATE];
    size_t parameters = lu_net_parameters(d->base.net);
    if (rate == 1.0f) {
        memcpy(lu_net_block(d->target), lu_net_block(d->base.net), parameters * sizeof(float));
    } else {
        lu_net_blend(d->base.net, rate, lu_net_block(d->base.net), 1.0f - rate,
                     lu_net_block(d->target), parameters);
    }
    lu_net_pack(d->target);
    d->target_moves++;
}
