/* Learning from a batch and the metrics of it: epochs of minibatches, each with a gradient that is
 * summed in a fixed tree over gradient shards, then one step of the optimiser. What stops: a KL
 * above its limit between epochs, and NaN or infinite numbers at once. */
#include "ppo_internal.h"

#include "ludus/clock.h"

#include <math.h>
#include <string.h>

/* ---- the gradient of a minibatch ---- */

/* Later epochs compute advantages anew from what this pass saw. */
static void keep_views(const ppo_trainer *t, const ppo_worker *w, int first, int units) {
    const ppo_batch *b = &t->batch;
    for (int i = 0; i < units; i++) {
        int unit = (int)t->mini.index[first + i], group = unit / t->base.rows,
            row = unit % t->base.rows;
        for (int step = 0; step < t->unit_steps; step++) {
            size_t at = (size_t)(group * t->unit_steps + step) * (size_t)t->base.rows + (size_t)row;
            b->now_log_probability[at] = w->log_probability[step * units + i];
            b->now_value[at] = w->value[step * units + i];
        }
    }
}

/* Units before chunk `number` of a shard. Threads end together where the last chunks of the last
 * shards are short; elsewhere long ones visit the gradient less often. */
static int chunk_first(const ppo_trainer *t, int shard, int number) {
    int threads = lu_pool_threads(t->base.pool), chunk = t->unit_chunk;
    bool last = threads > 1 && shard >= t->mini.gradients - threads;
    if (number < 2 || !last || t->by_segment || chunk < 2 * LU_BLOCK_ROWS) {
        return number * chunk;
    }
    return chunk + (number - 1) * LU_BLOCK_ROWS;
}

/* One more chunk of a shard, by whichever thread claims it. Rows go through the net while the chunk
 * before is still at work; sums and the gradients of layers take turns, so that they are those of
 * one thread. */
static bool learn_chunk(ppo_trainer *t, int shard) {
    ppo_minibatch *m = &t->mini;
    ppo_worker *w = ppo_worker_here(t);
    float *gradient = t->base.gradient + (size_t)shard * t->base.gradient_stride;
    ppo_range range = ppo_gradient_units(m, shard);
    lu_turn *turn = ppo_turns(t, shard);
    int number = lu_turn_take(&turn[TURN_CLAIMED]);
    int first = range.from + chunk_first(t, shard, number);
    if (first >= range.to) {
        return false;
    }
    int end = at_most(range.from + chunk_first(t, shard, number + 1), range.to);
    int units = end - first;
    lu_net_chunk chunk;
    lu_ppo call;
    ppo_gather(t, w, first, units, &chunk, &call);
    chunk.more = end < range.to;
    chunk.turn = turn + TURN_NET;
    chunk.number = number;
    chunk.fresh = number == 0;
    lu_net_forward(t->base.net, w->net, &chunk, w->logits, t->base.logits_stride, w->value);
    lu_turn_wait(&turn[TURN_SUMS], number);
    if (number == 0) {
        memset(&m->sums[shard], 0, sizeof m->sums[shard]);
    }
    lu_ppo_run(&t->base.policy, &call, &m->sums[shard]);
    lu_turn_take(&turn[TURN_SUMS]);
    lu_net_backward(t->base.net, w->net, &chunk, w->dlogits, t->base.logits_stride, w->dvalue,
                    gradient);
    if (t->again) {
        keep_views(t, w, first, units);
    }
    return true;
}

/* The shard of which most is unclaimed; -1: none. */
static int longest_shard(const ppo_trainer *t) {
    int longest = -1, most = 0;
    for (int i = 0; i < t->mini.gradients; i++) {
        ppo_range range = ppo_gradient_units(&t->mini, i);
        int claimed = lu_turn_at(&ppo_turns(t, i)[TURN_CLAIMED]);
        int left = range.to - range.from - chunk_first(t, i, claimed);
        if (left > most) {
            most = left;
            longest = i;
        }
    }
    return longest;
}

/* A shard, or help with those of others: processors are not equally fast, least of all where two of
 * them are threads of one core. */
static void gradient_shard(void *context, int index) {
    ppo_trainer *t = ppo_of(context);
    if (index < t->mini.gradients) {
        while (learn_chunk(t, index)) {
        }
        return;
    }
    for (int shard = longest_shard(t); shard >= 0; shard = longest_shard(t)) {
        learn_chunk(t, shard);
    }
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

/* What the gradient shards of all parts gave. */
static double sum_parts(lu_trainer *head) {
    ppo_trainer *t = ppo_of(head);
    lu_ppo_sums *sums = &t->mini.all;
    memset(sums, 0, sizeof *sums);
    for (int i = 0; i < t->base.mates; i++) {
        const ppo_minibatch *m = &ppo_mate(t, i)->mini;
        lu_ppo_sums *own = &t->part_sums[t->base.part + i];
        memset(own, 0, sizeof *own);
        for (int g = 0; g < m->gradients; g++) {
            add_sums(own, &m->sums[g], t->base.heads);
        }
    }
    train_share(&t->base, t->part_sums, sizeof *t->part_sums);
    for (int part = 0; part < t->base.parts; part++) {
        add_sums(sums, &t->part_sums[part], t->base.heads);
    }
    return sums->policy + sums->value;
}

static lu_status learn_minibatch(ppo_trainer *t, lu_error *error) {
    ppo_minibatch *m = &t->mini;
    double parameters = (double)lu_net_parameters(t->base.net);
    int threads = lu_pool_threads(t->base.pool);
    int helpers = threads > 1 && t->base.mates == 1 && !t->folds ? threads : 0;
    for (int i = 0; i < t->base.mates; i++) {
        memset(ppo_turns(ppo_mate(t, i), 0), 0,
               (size_t)(m->gradients * t->turns) * sizeof(lu_turn));
    }
    train_gradient gradient = {.job = gradient_shard,
                               .jobs = m->gradients + helpers,
                               .gradients = m->gradients,
                               .work = (double)m->units * (double)t->unit_steps *
                                       (6.0 * parameters + 5000.0),
                               .loss = sum_parts};
    m->norm = train_minibatch(&t->base, &gradient);
    if (isfinite(m->norm)) {
        return LU_OK;
    }
    lu_error failed;
    bool lost = !isfinite(m->all.policy + m->all.value);
    train_diverged(&t->base, lost ? "loss" : "gradient", &failed);
    ppo_save_minibatch(t, &failed);
    return lu_fail(error, LU_DIVERGED, "%s", failed.text);
}

/* ---- epochs ---- */

static lu_status learn_epoch(ppo_trainer *t, int epoch, lu_progress *p, lu_error *error) {
    ppo_learned *l = &t->learned;
    if (epoch > 0 && t->again) {
        ppo_advantages(t, true);
    }
    memset(&l->last, 0, sizeof l->last);
    ppo_epoch_begin(t, epoch);
    double passes = (double)(t->config.epochs * t->minibatches);
    for (int number = 0; number < t->minibatches; number++) {
        double start = lu_clock_seconds();
        ppo_minibatch_begin(t, number);
        double done = (double)(epoch * t->minibatches + number);
        LU_TRY(train_tell(&t->base, done / passes, "learning", error));
        LU_TRY(learn_minibatch(t, error));
        if (p->minibatches == 0) {
            l->first = t->mini.all;
        }
        double took = lu_clock_seconds() - start;
        p->fastest = p->minibatches == 0 || took < p->fastest ? took : p->fastest;
        p->minibatches++;
        l->norm += t->mini.norm;
        add_sums(&l->last, &t->mini.all, t->base.heads);
    }
    l->epochs++;
    add_sums(&l->all, &l->last, t->base.heads);
    return LU_OK;
}

/* By train.kl_stop. */
static bool moved_too_far(const ppo_trainer *t) {
    double limit = t->base.coefficient[TRAIN_KL_STOP];
    return limit > 0.0 && t->learned.last.kl / t->learned.last.weight > limit;
}

lu_status ppo_learn(ppo_trainer *t, lu_progress *p, lu_error *error) {
    lu_status status = LU_OK;
    memset(&t->learned, 0, sizeof t->learned);
    for (int epoch = 0; epoch < t->config.epochs && status == LU_OK; epoch++) {
        if (epoch > 0 && moved_too_far(t)) {
            break;
        }
        status = learn_epoch(t, epoch, p, error);
    }
    return status;
}

/* ---- metrics ---- */

/* Variance from sums over `count` numbers, not below 0. */
static double variance_of(double count, double sum, double square) {
    double variance = count > 0.0 ? (square - sum * sum / count) / count : 0.0;
    return variance > 0.0 ? variance : 0.0;
}

static void tell_losses(const ppo_trainer *t, lu_progress *p) {
    const lu_ppo_sums *all = &t->learned.all, *last = &t->learned.last;
    double weight = all->weight > 0.0 ? all->weight : 1.0, entropy = 0.0;
    for (int h = 0; h < t->base.heads; h++) {
        entropy += all->entropy[h] / weight;
        p->head_entropy[h] = all->asked[h] > 0.0 ? all->entropy[h] / all->asked[h] : 0.0;
        p->silent |= (uint32_t)(all->asked[h] <= 0.0) << h;
    }
    train_figure(p, "policy_loss", all->policy / weight);
    train_figure(p, "value_loss", all->value / weight);
    train_figure(p, "entropy", entropy);
    train_figure(p, "kl", last->kl / last->weight);
    train_figure(p, "clipped", last->clipped / last->weight);
}

void ppo_tell(lu_trainer *trainer, lu_progress *p) {
    const ppo_trainer *t = ppo_of(trainer);
    ppo_judged all = {0};
    for (int part = 0; part < trainer->parts; part++) {
        train_add(&all, &t->part_judged[part], sizeof all);
    }
    double rows = (double)lu_trainer_rows(trainer) * (double)trainer->horizon;
    double spread = variance_of(rows, all.target, all.target_square);
    double missed = variance_of(rows, all.miss, all.miss_square);
    double deviation = __builtin_sqrt(variance_of(all.acting, all.advantage, all.advantage_square));
    tell_losses(t, p);
    train_figure(p, "explained", spread > 0.0 ? 1.0 - missed / spread : 0.0);
    train_figure(p, "value_bias", -all.miss / rows);
    train_figure(p, "advantage_std", deviation);
    train_figure(p, "gradient_norm", t->learned.norm / at_least(p->minibatches, 1));
    train_figure(p, "epochs", t->learned.epochs);
    train_figure(p, "rate", trainer->coefficient[TRAIN_RATE]);
    train_figure(p, "entropy_cost", trainer->coefficient[TRAIN_ENTROPY]);
    train_figure(p, "clip", trainer->coefficient[TRAIN_CLIP]);
    train_figure(p, "return_scale", (double)t->return_scale);
    if (t->config.novelty) {
        train_figure(p, "novelty", all.novelty / rows);
    }
    ppo_win_tell(t, p);
    train_part(p, "advantages", t->judging);
    train_part(p, "learn", t->learning);
}
