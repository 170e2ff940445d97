/* From a played batch to what is learned: normalisers, advantages, targets. All sums are in fp64
 * and have one order: by step and row inside a shard, then shard by shard, then part by part. */
#include "ppo_internal.h"

#include "ludus/math.h"

#include <math.h>
#include <string.h>

/* ---- GAE ---- */

enum { GAE_ROWS = 64 }; /* rows that are walked together, so that memory is read in lines */

static double bounded(double x, double limit) {
    return x > limit ? limit : x;
}

static double scaled_reward(const lu_gae *g, float reward) {
    double r = (double)reward * g->reward_scale;
    if (g->reward_clip > 0.0) {
        r = r > g->reward_clip ? g->reward_clip : r < -g->reward_clip ? -g->reward_clip : r;
    }
    return r;
}

/* One step of one row; `after` is the advantage of the step that follows. */
static double gae_step(const lu_gae *g, size_t at, double after) {
    double gamma = g->gamma, ratio = g->ratio ? (double)g->ratio[at] : 1.0;
    if (g->ticks && g->ticks[at] != 1) {
        gamma = lu_pow(gamma, (double)g->ticks[at]);
    }
    double next = (double)g->value[at + g->stride];
    if (g->ends[at] & (LU_END_TERMINATED | LU_END_TRUNCATED)) {
        next = g->ends[at] & LU_END_TERMINATED ? 0.0 : (double)g->final_value[at];
        after = 0.0;
    }
    double delta = scaled_reward(g, g->reward[at]) + gamma * next - (double)g->value[at];
    return bounded(ratio, g->rho_clip) * delta +
           gamma * g->lambda * bounded(ratio, g->c_clip) * after;
}

void lu_gae_run(const lu_gae *g) {
    for (int first = 0; first < g->rows; first += GAE_ROWS) {
        double after[GAE_ROWS] = {0};
        int rows = g->rows - first < GAE_ROWS ? g->rows - first : GAE_ROWS;
        for (int t = g->steps - 1; t >= 0; t--) {
            for (int r = 0; r < rows; r++) {
                size_t at = (size_t)t * g->stride + (size_t)(first + r);
                after[r] = gae_step(g, at, after[r]);
                g->advantage[at] = (float)after[r];
                g->target[at] = (float)(after[r] + (double)g->value[at]);
            }
        }
    }
}

/* ---- normalisers ---- */

/* Joins a group of numbers (count, mean, sum of squared deviations) to another one. */
static void join(double *count, double *mean, double *square, double more, double more_mean,
                 double more_square) {
    double all = *count + more, apart = more_mean - *mean;
    *mean += apart * (more / all);
    *square += more_square + apart * apart * (*count * more / all);
    *count = all;
}

static void join_moments(lu_normaliser *n, double rows, const double *sums) {
    double count = n->count;
    for (int i = 0; i < n->length; i++) {
        double sum = sums[i], square = sums[n->length + i], own = square - sum * sum / rows;
        count = n->count;
        join(&count, &n->mean[i], &n->square[i], rows, (double)n->shift[i] + sum / rows,
             own > 0.0 ? own : 0.0);
    }
    n->count = count;
}

/* Observation, critic, then the running returns: sum and squares of each. */
void ppo_sum_moments(const ppo_trainer *t, double *sums) {
    size_t observation = 2 * (size_t)t->base.normaliser.length;
    size_t critic = 2 * (size_t)t->base.critic_normaliser.length;
    memset(sums, 0, t->part_numbers * sizeof *sums);
    for (int i = 0; i < t->base.shards; i++) {
        const ppo_shard *s = &t->shard[i];
        train_add(sums, s->moments[0], observation * sizeof *sums);
        train_add(sums + observation, s->moments[1], critic * sizeof *sums);
        sums[observation + critic] += s->judged.discounted;
        sums[observation + critic + 1] += s->judged.discounted_square;
    }
}

void ppo_moments(ppo_trainer *t) {
    double around = t->return_mean; /* what the shards subtracted */
    double rows = (double)t->base.rows * (double)t->base.horizon;
    size_t observation = 2 * (size_t)t->base.normaliser.length;
    size_t critic = 2 * (size_t)t->base.critic_normaliser.length;
    for (int m = 0; m < t->base.mates; m++) {
        ppo_sum_moments(ppo_mate(t, m),
                        t->part_moments + (size_t)(t->base.part + m) * t->part_numbers);
    }
    train_share(&t->base, t->part_moments, t->part_numbers * sizeof *t->part_moments);
    for (int part = 0; part < t->base.parts; part++) {
        const double *sums = t->part_moments + (size_t)part * t->part_numbers;
        const double *returns = sums + observation + critic;
        join_moments(&t->base.normaliser, rows, sums);
        join_moments(&t->base.critic_normaliser, rows, sums + observation);
        if (t->config.normalise_return) {
            double own = returns[1] - returns[0] * returns[0] / rows;
            join(&t->return_count, &t->return_mean, &t->return_square, rows,
                 around + returns[0] / rows, own > 0.0 ? own : 0.0);
        }
    }
    if (t->config.normalise_return) {
        double variance = t->return_square / t->return_count;
        t->return_scale = variance > 1e-12 ? (float)(1.0 / lu_sqrt(variance)) : 1.0f;
    }
    train_follow(&t->base);
}

/* ---- novelty ---- */

void ppo_novelty_begin(ppo_trainer *t) {
    const lu_normaliser *n = &t->base.normaliser;
    for (int i = 0; t->config.novelty && i < t->base.observation; i++) {
        t->varies[i] = lu_normaliser_varies(n, i) ? 1.0f : 0.0f;
    }
}

/* Of the newest frame, which comes first. */
double ppo_novelty(const ppo_trainer *t, const float *observation) {
    const lu_normaliser *n = &t->base.normaliser;
    double sum = 0.0;
    for (int i = 0; i < t->base.observation; i++) {
        float z = fabsf((observation[i] - n->shift[i]) * n->scale[i]);
        z = (z < n->clip ? z : n->clip) - 1.0f;
        sum += z > 0.0f ? (double)(z * t->varies[i]) : 0.0;
    }
    return sum * t->base.coefficient[TRAIN_NOVELTY];
}

/* ---- the batch ---- */

static void new_ratios(ppo_trainer *t, const ppo_shard *s) {
    const ppo_batch *b = &t->batch;
    for (int step = 0; step < t->base.horizon; step++) {
        size_t at = (size_t)step * (size_t)t->base.rows + (size_t)s->row;
        for (int r = 0; r < s->rows; r++, at++) {
            double log_ratio = (double)b->now_log_probability[at] - (double)b->log_probability[at];
            b->ratio[at] = (float)lu_exp(log_ratio);
        }
    }
    size_t last = (size_t)t->base.horizon * (size_t)t->base.rows + (size_t)s->row;
    memcpy(b->now_value + last, b->value + last, (size_t)s->rows * sizeof *b->value);
}

static void add_advantages(const ppo_trainer *t, ppo_shard *s, const float *value) {
    const ppo_batch *b = &t->batch;
    ppo_judged *sums = &s->judged;
    sums->advantage = sums->advantage_square = sums->acting = 0.0;
    sums->target = sums->target_square = sums->miss = sums->miss_square = 0.0;
    for (int step = 0; step < t->base.horizon; step++) {
        size_t at = (size_t)step * (size_t)t->base.rows + (size_t)s->row;
        for (int r = 0; r < s->rows; r++, at++) {
            double a = (double)b->advantage[at], target = (double)b->target[at];
            double acting = b->flags[at] & FLAG_WAITS ? 0.0 : 1.0,
                   miss = target - (double)value[at];
            sums->acting += acting;
            sums->advantage += acting * a;
            sums->advantage_square += acting * a * a;
            sums->target += target;
            sums->target_square += target * target;
            sums->miss += miss;
            sums->miss_square += miss * miss;
        }
    }
}

static void judge_shard(void *context, int index) {
    ppo_trainer *t = ppo_of(context);
    ppo_shard *s = &t->shard[train_shard_at(&t->base, index)];
    const ppo_batch *b = &t->batch;
    size_t row = (size_t)s->row;
    if (t->anew) {
        new_ratios(t, s);
    }
    const float *value = t->anew ? b->now_value : b->value;
    lu_gae call = {
        .rows = s->rows,
        .steps = t->base.horizon,
        .stride = (size_t)t->base.rows,
        .gamma = t->base.coefficient[TRAIN_GAMMA],
        .lambda = t->base.coefficient[TRAIN_LAMBDA],
        .rho_clip = t->base.coefficient[TRAIN_RHO_CLIP],
        .c_clip = t->base.coefficient[TRAIN_C_CLIP],
        .reward_scale = (double)t->return_scale,
        .reward_clip = t->base.coefficient[TRAIN_REWARD_CLIP],
        .reward = b->reward + row,
        .value = value + row,
        .final_value = b->final_value + row,
        .ratio = t->anew ? b->ratio + row : NULL,
        .ticks = t->base.game->tick_discount ? b->ticks + row : NULL,
        .ends = b->flags + row,
        .advantage = b->advantage + row,
        .target = b->target + row,
    };
    lu_gae_run(&call);
    add_advantages(t, s, value);
}

void ppo_advantages(ppo_trainer *t, bool anew) {
    for (int m = 0; m < t->base.mates; m++) {
        ppo_mate(t, m)->anew = anew;
    }
    train_run_parts(&t->base, judge_shard, t->base.shards,
                    (double)t->base.rows * (double)t->base.horizon * 1000.0);
    for (int m = 0; m < t->base.mates; m++) {
        const ppo_trainer *mate = ppo_mate(t, m);
        ppo_judged *judged = &t->part_judged[mate->base.part];
        memset(judged, 0, sizeof *judged);
        for (int i = 0; i < mate->base.shards; i++) {
            train_add(judged, &mate->shard[i].judged, sizeof *judged);
        }
    }
    train_share(&t->base, t->part_judged, sizeof *t->part_judged);
}
