/* Learning from a batch: epochs of minibatches, each with a gradient that is summed in a fixed
 * tree over gradient shards, then one step of the optimiser. What stops: a KL above its limit
 * between epochs, and numbers that are none at once. */
#include "ppo_inside.h"

#include "ludus/clock.h"

#include <math.h>
#include <string.h>

/* ---- the gradient of a minibatch ---- */

/* Later epochs compute advantages anew from what this pass saw. */
static void keep_views(const lu_train *t, const train_worker *w, int first, int units) {
    const train_batch *b = &t->batch;
    for (int i = 0; i < units; i++) {
        int unit = (int)t->mini.index[first + i], group = unit / t->rows, row = unit % t->rows;
        for (int step = 0; step < t->unit_steps; step++) {
            size_t at = (size_t)(group * t->unit_steps + step) * (size_t)t->rows + (size_t)row;
            b->now_log_probability[at] = w->log_probability[step * units + i];
            b->now_value[at] = w->value[step * units + i];
        }
    }
}

static void gradient_shard(void *context, int index) {
    lu_train *t = context;
    train_minibatch *m = &t->mini;
    train_worker *w = train_worker_take(t);
    float *gradient = t->gradient + (size_t)index * t->gradient_stride;
    train_range range = train_gradient_units(m, index);
    memset(gradient, 0, t->gradient_stride * sizeof *gradient);
    memset(&m->sums[index], 0, sizeof m->sums[index]);
    for (int first = range.from; first < range.to; first += t->unit_chunk) {
        int left = range.to - first, units = left < t->unit_chunk ? left : t->unit_chunk;
        lu_net_chunk chunk;
        lu_ppo call;
        train_gather(t, w, first, units, &chunk, &call);
        chunk.more = first + units < range.to;
        lu_net_forward(t->net, w->net, &chunk, w->logits, t->logits_stride, w->value);
        lu_ppo_run(&t->policy, &call, &m->sums[index]);
        lu_net_backward(t->net, w->net, &chunk, w->dlogits, t->logits_stride, w->dvalue, gradient);
        if (t->again) {
            keep_views(t, w, first, units);
        }
    }
    train_worker_give(w);
}

static void sum_part(void *context, int part) {
    const lu_train *t = context;
    train_sum_part(t->k, t->gradient, t->gradient_stride, t->mini.gradients, part);
}

static void add_sums(lu_ppo_sums *to, const lu_ppo_sums *from, int heads) {
    to->weight += from->weight;
    to->policy += from->policy;
    to->value += from->value;
    to->kl += from->kl;
    to->clipped += from->clipped;
    to->ratio += from->ratio;
    for (int h = 0; h < heads; h++) {
        to->entropy[h] += from->entropy[h];
        to->asked[h] += from->asked[h];
    }
}

static lu_status learn_minibatch(lu_train *t, lu_ppo_sums *sums, lu_error *error) {
    train_minibatch *m = &t->mini;
    double parameters = (double)lu_net_parameters(t->net);
    train_run(t, gradient_shard, t, m->gradients,
              (double)m->units * (double)t->unit_steps * (6.0 * parameters + 5000.0));
    memset(sums, 0, sizeof *sums);
    for (int i = 0; i < m->gradients; i++) {
        add_sums(sums, &m->sums[i], t->heads);
    }
    if (m->gradients > 1) {
        int parts = (int)((t->gradient_stride + TRAIN_PART - 1) / TRAIN_PART);
        train_run(t, sum_part, t, parts, 20.0 * parameters * (double)m->gradients);
    }
    lu_optimiser_step step = {.rate = t->coefficient[TRAIN_RATE],
                              .beta1 = t->coefficient[TRAIN_BETA1],
                              .beta2 = t->coefficient[TRAIN_BETA2],
                              .eps = t->coefficient[TRAIN_EPS],
                              .decay = t->coefficient[TRAIN_DECAY],
                              .clip = t->coefficient[TRAIN_MAX_NORM],
                              .pool = t->pool};
    bool sane = isfinite(sums->policy) && isfinite(sums->value);
    m->norm = sane ? lu_optimiser_run(&t->optimiser, t->net, t->gradient, &step) : NAN;
    if (isfinite(m->norm)) {
        return LU_OK;
    }
    lu_error failed;
    lu_fail(&failed, LU_DIVERGED,
            "%s: the %s of update %lld is not a number; lower train.rate or train.max_norm, or "
            "turn on train.normalise_return",
            t->game->id, sane ? "gradient" : "loss", (long long)t->updates + 1);
    train_save_failed(t, NULL, &failed);
    return lu_fail(error, LU_DIVERGED, "%s", failed.text);
}

/* ---- epochs ---- */

static void fill_losses(const lu_train *t, const lu_ppo_sums *all, lu_train_stats *stats) {
    double weight = all->weight > 0.0 ? all->weight : 1.0;
    stats->policy_loss = all->policy / weight;
    stats->value_loss = all->value / weight;
    for (int h = 0; h < t->heads; h++) {
        stats->entropy += all->entropy[h] / weight;
        stats->head_entropy[h] = all->asked[h] > 0.0 ? all->entropy[h] / all->asked[h] : 0.0;
        stats->silent |= (uint32_t)(all->asked[h] <= 0.0) << h;
    }
    stats->norm /= stats->minibatches > 0 ? stats->minibatches : 1;
}

lu_status train_learn(lu_train *t, lu_train_stats *stats, lu_error *error) {
    lu_ppo_sums all = {0};
    for (int epoch = 0; epoch < t->config.epochs && !stats->stopped; epoch++) {
        lu_ppo_sums pass = {0};
        if (epoch > 0 && t->again) {
            train_advantages(t, true);
        }
        train_epoch_begin(t, epoch);
        for (int number = 0; number < t->minibatches; number++) {
            lu_ppo_sums sums;
            double start = lu_clock_seconds();
            train_minibatch_begin(t, number);
            lu_status status = learn_minibatch(t, &sums, error);
            if (status != LU_OK) {
                return status;
            }
            if (epoch == 0 && number == 0) {
                stats->first_kl = sums.kl / sums.weight;
                stats->first_clipped = sums.clipped / sums.weight;
                stats->first_ratio = sums.ratio / sums.weight;
            }
            double took = lu_clock_seconds() - start;
            stats->fastest =
                stats->minibatches == 0 || took < stats->fastest ? took : stats->fastest;
            stats->norm += t->mini.norm;
            stats->minibatches++;
            add_sums(&pass, &sums, t->heads);
        }
        stats->epochs++;
        stats->kl = pass.kl / pass.weight;
        stats->clipped = pass.clipped / pass.weight;
        stats->stopped =
            t->coefficient[TRAIN_KL_STOP] > 0.0 && stats->kl > t->coefficient[TRAIN_KL_STOP];
        add_sums(&all, &pass, t->heads);
    }
    fill_losses(t, &all, stats);
    return LU_OK;
}
