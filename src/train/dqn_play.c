/* Playing a round of DQN. A shard is claimed by a thread that plays all its steps: net, choice,
 * environments, buffer, without waiting for any other shard. Results depend on the shard alone,
 * never on the thread. */
#include "dqn_internal.h"

#include "ludus/clock.h"

#include <string.h>

static lu_buffers buffers_of(const dqn_trainer *d, bool kept) {
    lu_buffers buffers = train_buffers(&d->base);
    buffers.observation = d->observation;
    buffers.final_mask = d->base.bootstrap ? d->final_mask : NULL;
    buffers.observation_kept = kept;
    return buffers;
}

void dqn_reset(dqn_trainer *d) {
    lu_buffers buffers = buffers_of(d, false);
    lu_vec_reset(d->base.vec, &buffers);
}

/* ---- choice ---- */

static bool all_numbers(const dqn_trainer *d, const float *q, int rows) {
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f; /* of zeros, or of something that is no number */
        for (int i = 0; i < d->base.mask; i++) {
            sum += q[(size_t)r * d->base.logits_stride + (size_t)i] * 0.0f;
        }
        if (sum != 0.0f) {
            return false;
        }
    }
    return true;
}

/* One seat of the environments of a shard: what it sees goes into the buffer, what it chooses to
 * where the environments read. */
static lu_status choose_seat(dqn_trainer *d, dqn_worker *w, train_shard *s, int place,
                             lu_error *error) {
    size_t seats = (size_t)d->base.seats, n = (size_t)d->base.observation,
           mask = (size_t)d->base.mask;
    size_t full = (size_t)s->first * seats + (size_t)d->base.learner[place],
           heads = (size_t)d->base.heads;
    int row = place * d->base.environments + s->first;
    double start = lu_clock_seconds();
    lu_net_infer infer = {.rows = s->count,
                          .observation = d->observation + full * n,
                          .observation_stride = seats * n,
                          .normaliser = lu_trainer_normaliser(&d->base),
                          .logits = w->q,
                          .logits_stride = d->base.logits_stride};
    lu_net_run(d->base.net, w->net, &infer);
    double inferred = lu_clock_seconds();
    s->sums.infer += inferred - start;
    if (!all_numbers(d, w->q, s->count)) {
        return train_diverged(&d->base, "output of the net", error);
    }
    lu_policy_act act = {.rows = s->count,
                         .logits = w->q,
                         .logits_stride = d->base.logits_stride,
                         .mask = d->base.scratch.mask + full * mask,
                         .mask_stride = seats * mask,
                         .rng = d->base.rng + row,
                         .greedy = true,
                         .epsilon = d->epsilon,
                         .actions = d->base.scratch.actions + full * heads,
                         .actions_stride = seats * heads,
                         .legal = w->legal,
                         .legal_stride = mask};
    lu_status status = lu_policy_choose(&d->base.policy, &act, error);
    for (int e = 0; e < s->count && status == LU_OK; e++) {
        size_t at = full + (size_t)e * seats;
        dqn_buffer_see(&d->buffer, row + e, d->observation + at * n,
                       d->base.scratch.mask + at * mask);
    }
    s->sums.choose += lu_clock_seconds() - inferred;
    return status;
}

/* ---- after a step ---- */

static float scaled_reward(const dqn_trainer *d, float reward) {
    double r = (double)reward * d->config.reward_scale,
           clip = d->base.coefficient[TRAIN_REWARD_CLIP];
    if (clip > 0.0) {
        r = r > clip ? clip : r < -clip ? -clip : r;
    }
    return (float)r;
}

static void note_row(dqn_trainer *d, train_shard *shard, int place, int environment, int step) {
    const train_scratch *s = &d->base.scratch;
    int row = place * d->base.environments + environment, ends = train_ends(&d->base, environment);
    size_t full = (size_t)environment * (size_t)d->base.seats + (size_t)d->base.learner[place];
    dqn_buffer_act(&d->buffer, row, s->actions + full * (size_t)d->base.heads,
                   scaled_reward(d, s->reward[full]), (float)train_discount(&d->base, environment),
                   ends);
    if (ends == LU_END_TRUNCATED) {
        dqn_buffer_see(&d->buffer, row, s->final_observation + full * (size_t)d->base.observation,
                       d->final_mask + full * (size_t)d->base.mask);
        dqn_buffer_cut(&d->buffer, row);
    }
    train_note_row(&d->base, &shard->sums, row, full, step, ends);
}

/* ---- a shard ---- */

static lu_status play_step(dqn_trainer *d, dqn_worker *w, train_shard *s, int step,
                           lu_error *error) {
    for (int l = 0; l < d->base.learners; l++) {
        LU_TRY(choose_seat(d, w, s, l, error));
    }
    double start = lu_clock_seconds();
    lu_buffers buffers = buffers_of(d, true);
    lu_vec_step_range(d->base.vec, s->first, s->count, &buffers);
    for (int l = 0; l < d->base.learners; l++) {
        for (int e = s->first; e < s->first + s->count; e++) {
            note_row(d, s, l, e, step);
        }
    }
    train_note_environments(&d->base, s);
    s->sums.play += lu_clock_seconds() - start;
    return LU_OK;
}

static void play_shard(void *context, int index) {
    dqn_trainer *d = dqn_of(context);
    train_shard *s = &d->base.shard[index];
    dqn_worker *w = dqn_worker_take(d);
    s->status = LU_OK;
    for (int step = 0; step < d->base.horizon && s->status == LU_OK; step++) {
        if (atomic_load_explicit(&d->base.stop, memory_order_relaxed)) {
            break;
        }
        s->status = play_step(d, w, s, step, &s->error);
        if (s->status != LU_OK) {
            atomic_store_explicit(&d->base.stop, true, memory_order_relaxed);
        }
    }
    dqn_worker_give(d, w);
}

static void save_observations(lu_trainer *trainer, int shard, lu_error *error) {
    (void)shard;
    failed_file f = {0};
    size_t full = (size_t)trainer->full, n = (size_t)trainer->observation;
    memcpy(failed_add(&f, "observation", LU_F32, full, n), dqn_of(trainer)->observation,
           full * n * sizeof(float));
    failed_add_copy(&f, "parameters", lu_net_block(trainer->net), lu_net_parameters(trainer->net));
    failed_write(&f, trainer, error);
}

lu_status dqn_play(dqn_trainer *d, lu_error *error) {
    return train_play(&d->base, play_shard, save_observations, error);
}
