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

/* Rows of a shard: what they see goes into the buffer, what they choose to where the environments
 * read. */
static lu_status choose_strip(dqn_trainer *d, dqn_worker *w, train_shard *s,
                              const train_strip *strip, lu_error *error) {
    size_t full = (size_t)strip->full, stride = (size_t)strip->stride;
    size_t n = (size_t)d->base.observation, mask = (size_t)d->base.mask,
           heads = (size_t)d->base.heads;
    double start = lu_clock_seconds();
    lu_net_infer infer = {.rows = strip->rows,
                          .observation = d->observation + full * n,
                          .observation_stride = stride * n,
                          .normaliser = lu_trainer_normaliser(&d->base),
                          .logits = w->q,
                          .logits_stride = d->base.logits_stride};
    lu_net_run(d->base.net, w->net, &infer);
    double inferred = lu_clock_seconds();
    s->sums.infer += inferred - start;
    if (!all_numbers(d, w->q, strip->rows)) {
        return train_diverged(&d->base, "output of the net", error);
    }
    lu_policy_act act = {.rows = strip->rows,
                         .logits = w->q,
                         .logits_stride = d->base.logits_stride,
                         .mask = d->base.scratch.mask + full * mask,
                         .mask_stride = stride * mask,
                         .state = d->base.submask ? d->row_state + strip->row : NULL,
                         .seat = d->base.row_seat + strip->row,
                         .rng = d->base.rng + strip->row,
                         .greedy = true,
                         .epsilon = d->epsilon,
                         .actions = d->base.scratch.actions + full * heads,
                         .actions_stride = stride * heads,
                         .legal = w->legal,
                         .legal_stride = mask};
    lu_status status = lu_policy_choose(&d->base.policy, &act, error);
    for (int r = 0; r < strip->rows && status == LU_OK; r++) {
        size_t at = full + (size_t)r * stride;
        dqn_buffer_see(&d->buffer, strip->row + r, d->observation + at * n,
                       d->base.scratch.mask + at * mask);
        if (d->base.submask) {
            dqn_buffer_force(&d->buffer, strip->row + r, w->legal + (size_t)r * mask);
        }
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

static void note_row(dqn_trainer *d, train_shard *shard, int row, int step) {
    const train_scratch *s = &d->base.scratch;
    int environment = d->base.row_env[row], ends = train_ends(&d->base, environment);
    size_t full = (size_t)d->base.row_full[row];
    dqn_buffer_act(&d->buffer, row, s->actions + full * (size_t)d->base.heads,
                   scaled_reward(d, s->reward[full]), (float)train_discount(&d->base, environment),
                   ends);
    if (ends == LU_END_TRUNCATED) {
        dqn_buffer_see(&d->buffer, row, s->final_observation + full * (size_t)d->base.observation,
                       d->final_mask + full * (size_t)d->base.mask);
        if (d->base.submask) {
            dqn_buffer_force(&d->buffer, row, NULL);
        }
        dqn_buffer_cut(&d->buffer, row);
    }
    train_note_row(&d->base, &shard->sums, row, full, step, ends);
}

/* ---- a shard ---- */

static lu_status play_step(dqn_trainer *d, dqn_worker *w, train_shard *s, int step,
                           lu_error *error) {
    for (int i = 0; i < s->strips; i++) {
        LU_TRY(choose_strip(d, w, s, &s->strip[i], error));
    }
    double chosen = lu_clock_seconds();
    LU_TRY(roster_act(&d->base, (int)(w - d->worker), s, d->observation, error));
    double start = d->base.roster.slots > 0 ? lu_clock_seconds() : chosen;
    lu_buffers buffers = buffers_of(d, true);
    lu_vec_step_range(d->base.vec, s->first, s->count, &buffers);
    shape_reward(&d->base, s);
    for (int i = 0; i < s->strips; i++) {
        for (int r = 0; r < s->strip[i].rows; r++) {
            note_row(d, s, s->strip[i].row + r, step);
        }
    }
    train_note_environments(&d->base, s);
    roster_note(&d->base, s, step, &buffers);
    s->sums.infer += start - chosen;
    s->sums.play += lu_clock_seconds() - start;
    return LU_OK;
}

static void play_shard(void *context, int index) {
    dqn_trainer *d = dqn_of(context);
    train_shard *s = &d->base.shard[train_shard_at(&d->base, index)];
    dqn_worker *w = dqn_worker_here(d);
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
    return train_play(&d->base, play_shard, d->base.shards, save_observations, error);
}
