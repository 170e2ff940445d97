/* Learning of DQN: places drawn from the buffer, targets under masks, a gradient that is summed in
 * a fixed tree over gradient shards, one step of the optimiser, new priorities, and the target net.
 */
#include "dqn_inside.h"

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

/* One draw from each of as many equal pieces of the sum as there are places. Weights (N p)^-beta
 * over their largest. */
void dqn_draw(lu_dqn *d) {
    dqn_minibatch *m = &d->mini;
    const sum_tree *tree = &d->buffer.tree;
    int places = d->config.minibatch;
    double total = sum_tree_total(tree), beta = d->coefficient[DQN_BETA], largest = 0.0;
    uint64_t key = lu_mix(d->config.seed, 4, (uint64_t)d->gradient_steps);
    for (int i = 0; i < places; i++) {
        lu_rng rng = lu_rng_from(lu_mix(key, (uint64_t)i, 0));
        double x = ((double)i + lu_rng_unit(&rng)) / (double)places * total;
        m->index[i] = sum_tree_find(tree, x);
        double p = sum_tree_at(tree, m->index[i]) / total;
        double weight = lu_pow((double)tree->used * p, -beta);
        m->weight[i] = (float)weight;
        largest = weight > largest ? weight : largest;
    }
    for (int i = 0; i < places; i++) {
        m->weight[i] = (float)((double)m->weight[i] / largest);
    }
}

void dqn_prioritise(lu_dqn *d) {
    const dqn_minibatch *m = &d->mini;
    double alpha = d->coefficient[DQN_PRIORITISE];
    for (int i = 0; i < d->config.minibatch; i++) {
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

static void infer(const lu_dqn *d, dqn_worker *w, const lu_net *net, int rows, float *q) {
    lu_net_infer call = {.rows = rows,
                         .observation = w->next,
                         .observation_stride = (size_t)d->observation,
                         .normaliser = lu_dqn_normaliser(d),
                         .logits = q,
                         .logits_stride = d->q_stride};
    lu_net_run(net, w->net, &call);
}

/* Targets of places [first, first + rows). */
static void find_targets(const lu_dqn *d, dqn_worker *w, int first, int rows) {
    const dqn_buffer *r = &d->buffer;
    size_t n = (size_t)d->observation, mask = (size_t)d->mask;
    for (int i = 0; i < rows; i++) {
        size_t next = next_leaf(r, d->mini.index[first + i]);
        memcpy(w->next + (size_t)i * n, r->observation + next * n, n * sizeof(float));
        memcpy(w->legal + (size_t)i * mask, r->legal + next * mask, mask);
    }
    infer(d, w, d->target, rows, w->q);
    if (d->config.twice) {
        infer(d, w, d->net, rows, w->other);
    }
    lu_q_next next = {.rows = rows,
                      .q = w->q,
                      .select = d->config.twice ? w->other : NULL,
                      .stride = d->q_stride,
                      .mask = w->legal,
                      .mask_stride = mask,
                      .best = w->best};
    lu_q_next_run(&d->policy, &next);
    for (int i = 0; i < rows; i++) {
        size_t leaf = d->mini.index[first + i];
        w->target[i] = r->gain[leaf] + r->discount[leaf] * w->best[i];
    }
}

/* ---- the gradient of a minibatch ---- */

/* Observations, actions and the masks in force of places [first, first + rows). */
static void gather(const lu_dqn *d, dqn_worker *w, int first, int rows) {
    const dqn_buffer *r = &d->buffer;
    for (int i = 0; i < rows; i++) {
        size_t leaf = d->mini.index[first + i], row = (size_t)i, heads = (size_t)d->heads;
        int32_t *actions = w->actions + row * heads;
        w->observation[i] = r->observation + leaf * (size_t)d->observation;
        w->weight[i] = d->mini.weight[first + i];
        for (size_t h = 0; h < heads; h++) {
            actions[h] = r->actions[leaf * heads + h];
        }
        for (int h = 0; h < d->heads; h++) {
            lu_policy_legal(&d->policy, NULL, 0, h, r->legal + leaf * (size_t)d->mask, actions,
                            w->legal + row * (size_t)d->mask + d->policy.offset[h]);
        }
    }
}

static void add_losses(const lu_dqn *d, const dqn_worker *w, int first, int rows, dqn_loss *sums) {
    for (int i = 0; i < rows; i++) {
        d->mini.error[first + i] = w->error[i];
        sums->error += lu_fabs((double)w->error[i]);
        sums->target += (double)w->target[i];
        sums->q += (double)w->target[i] + (double)w->error[i];
    }
}

static void gradient_shard(void *context, int index) {
    lu_dqn *d = context;
    dqn_minibatch *m = &d->mini;
    dqn_worker *w = dqn_worker_take(d);
    float *gradient = d->gradient + (size_t)index * d->gradient_stride;
    int64_t blocks = m->blocks;
    int end = (int)(blocks * (index + 1) / m->gradients);
    memset(gradient, 0, d->gradient_stride * sizeof *gradient);
    m->sums[index] = (dqn_loss){0};
    for (int block = (int)(blocks * index / m->gradients); block < end; block++) {
        int first = block * m->chunk, rows = d->config.minibatch - first;
        rows = rows < m->chunk ? rows : m->chunk;
        find_targets(d, w, first, rows);
        gather(d, w, first, rows);
        lu_net_chunk chunk = {.segments = rows,
                              .steps = 1,
                              .observation = w->observation,
                              .normaliser = lu_dqn_normaliser(d),
                              .more = block + 1 < end};
        lu_net_forward(d->net, w->net, &chunk, w->q, d->q_stride, w->value);
        lu_q_loss call = {.rows = rows,
                          .q = w->q,
                          .stride = d->q_stride,
                          .legal = w->legal,
                          .legal_stride = (size_t)d->mask,
                          .actions = w->actions,
                          .actions_stride = (size_t)d->heads,
                          .target = w->target,
                          .weight = w->weight,
                          .scale = (float)(1.0 / (double)d->config.minibatch),
                          .dq = w->dq,
                          .errors = w->error};
        m->sums[index].loss += lu_q_loss_run(&d->policy, &call);
        lu_net_backward(d->net, w->net, &chunk, w->dq, d->q_stride, NULL, gradient);
        add_losses(d, w, first, rows, &m->sums[index]);
    }
    dqn_worker_give(w);
}

static void sum_part(void *context, int part) {
    const lu_dqn *d = context;
    train_sum_part(d->k, d->gradient, d->gradient_stride, d->mini.gradients, part);
}

/* The rows of the minibatch in its order. */
static void save_minibatch(const lu_dqn *d, lu_error *error) {
    const dqn_buffer *r = &d->buffer;
    size_t rows = (size_t)d->config.minibatch, n = (size_t)d->observation;
    size_t mask = (size_t)d->mask, heads = (size_t)d->heads;
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
    failed_add_copy(&f, "gradient", d->gradient, lu_net_parameters(d->net));
    failed_add_copy(&f, "parameters", lu_net_block(d->net), lu_net_parameters(d->net));
    failed_add_copy(&f, "target_parameters", lu_net_block(d->target), lu_net_parameters(d->net));
    failed_write(&f, d->config.save_failed, d->game, d->updates + 1, error);
}

lu_status dqn_learn(lu_dqn *d, lu_error *error) {
    dqn_minibatch *m = &d->mini;
    double parameters = (double)lu_net_parameters(d->net), loss = 0.0;
    dqn_run(d, gradient_shard, d, m->gradients,
            (double)d->config.minibatch * (10.0 * parameters + 5000.0));
    for (int i = 0; i < m->gradients; i++) {
        loss += m->sums[i].loss;
    }
    int parts = (int)((d->gradient_stride + TRAIN_PART - 1) / TRAIN_PART);
    dqn_run(d, sum_part, d, parts, 20.0 * parameters * (double)m->gradients);
    lu_optimiser_step step = {.rate = d->coefficient[DQN_RATE],
                              .beta1 = d->coefficient[DQN_BETA1],
                              .beta2 = d->coefficient[DQN_BETA2],
                              .eps = d->coefficient[DQN_EPS],
                              .decay = d->coefficient[DQN_DECAY],
                              .clip = d->coefficient[DQN_MAX_NORM]};
    m->norm = isfinite(loss) ? lu_optimiser_run(&d->optimiser, d->net, d->gradient, &step) : NAN;
    if (isfinite(m->norm)) {
        d->gradient_steps++;
        return LU_OK;
    }
    lu_error failed;
    lu_fail(&failed, LU_DIVERGED,
            "%s: the %s of update %lld is not a number; lower dqn.rate, dqn.max_norm or "
            "dqn.reward_scale",
            d->game->id, isfinite(loss) ? "gradient" : "loss", (long long)d->updates + 1);
    if (*d->config.save_failed) {
        save_minibatch(d, &failed);
    }
    return lu_fail(error, LU_DIVERGED, "%s", failed.text);
}

/* ---- the target net ---- */

void dqn_move_target(lu_dqn *d) {
    if (d->gradient_steps % d->config.target_every != 0) {
        return;
    }
    float rate = (float)d->coefficient[DQN_TARGET_RATE];
    size_t parameters = lu_net_parameters(d->net);
    if (rate == 1.0f) {
        memcpy(lu_net_block(d->target), lu_net_block(d->net), parameters * sizeof(float));
    } else {
        d->k->blend(rate, lu_net_block(d->net), 1.0f - rate, lu_net_block(d->target), parameters);
    }
    lu_net_pack(d->target);
    d->target_moves++;
}
