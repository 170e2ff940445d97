/* Playing a round of DQN. A shard is claimed by a thread that plays all its steps: net, choice,
 * environments, buffer, without waiting for any other shard. Results depend on the shard alone,
 * never on the thread. */
#include "dqn_inside.h"

#include "ludus/clock.h"
#include "ludus/math.h"
#include "ludus/train.h"

#include <math.h>
#include <string.h>

static lu_buffers buffers_of(const lu_dqn *d, bool kept) {
    const dqn_scratch *s = &d->scratch;
    return (lu_buffers){
        .actions = s->actions,
        .observation = s->observation,
        .mask = s->mask,
        .reward = s->reward,
        .terms = s->terms,
        .terminated = s->terminated,
        .truncated = s->truncated,
        .illegal = s->illegal,
        .ticks = s->ticks,
        .final_observation = d->config.bootstrap ? s->final_observation : NULL,
        .final_mask = d->config.bootstrap ? s->final_mask : NULL,
        .final_info = s->final_info,
        .observation_kept = kept,
    };
}

void dqn_reset(lu_dqn *d) {
    lu_buffers buffers = buffers_of(d, false);
    lu_vec_reset(d->vec, &buffers);
}

/* ---- choice ---- */

static bool all_numbers(const lu_dqn *d, const float *q, int rows) {
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f; /* of zeros, or of something that is no number */
        for (int i = 0; i < d->mask; i++) {
            sum += q[(size_t)r * d->q_stride + (size_t)i] * 0.0f;
        }
        if (sum != 0.0f) {
            return false;
        }
    }
    return true;
}

/* One seat of the environments of a shard: what it sees goes into the buffer, what it chooses to
 * where the environments read. */
static lu_status choose_seat(lu_dqn *d, dqn_worker *w, dqn_shard *s, int place, lu_error *error) {
    size_t seats = (size_t)d->seats, n = (size_t)d->observation, mask = (size_t)d->mask;
    size_t full = (size_t)s->first * seats + (size_t)d->learner[place], heads = (size_t)d->heads;
    int row = place * d->config.environments + s->first;
    double start = lu_clock_seconds();
    lu_net_infer infer = {.rows = s->count,
                          .observation = d->scratch.observation + full * n,
                          .observation_stride = seats * n,
                          .normaliser = lu_dqn_normaliser(d),
                          .logits = w->q,
                          .logits_stride = d->q_stride};
    lu_net_run(d->net, w->net, &infer);
    double inferred = lu_clock_seconds();
    s->sums.infer += inferred - start;
    if (!all_numbers(d, w->q, s->count)) {
        return lu_fail(error, LU_DIVERGED,
                       "%s: the Q values of update %lld are not numbers; lower dqn.rate, "
                       "dqn.max_norm or dqn.reward_scale",
                       d->game->id, (long long)d->updates + 1);
    }
    lu_policy_act act = {.rows = s->count,
                         .logits = w->q,
                         .logits_stride = d->q_stride,
                         .mask = d->scratch.mask + full * mask,
                         .mask_stride = seats * mask,
                         .rng = d->rng + row,
                         .greedy = true,
                         .epsilon = d->epsilon,
                         .actions = d->scratch.actions + full * heads,
                         .actions_stride = seats * heads,
                         .legal = w->legal,
                         .legal_stride = mask};
    lu_status status = lu_policy_choose(&d->policy, &act, error);
    for (int e = 0; e < s->count && status == LU_OK; e++) {
        size_t at = full + (size_t)e * seats;
        dqn_buffer_see(&d->buffer, row + e, d->scratch.observation + at * n,
                       d->scratch.mask + at * mask);
    }
    s->sums.choose += lu_clock_seconds() - inferred;
    return status;
}

/* ---- after a step ---- */

static float scaled_reward(const lu_dqn *d, float reward) {
    double r = (double)reward * d->config.reward_scale, clip = d->coefficient[DQN_REWARD_CLIP];
    if (clip > 0.0) {
        r = r > clip ? clip : r < -clip ? -clip : r;
    }
    return (float)r;
}

static float step_discount(const lu_dqn *d, int environment) {
    double gamma = d->coefficient[DQN_GAMMA];
    if (d->game->tick_discount && d->scratch.ticks[environment] != 1) {
        gamma = lu_pow(gamma, (double)d->scratch.ticks[environment]);
    }
    return (float)gamma;
}

static void note_row(lu_dqn *d, dqn_shard *shard, int place, int environment, int step) {
    const dqn_scratch *s = &d->scratch;
    dqn_sums *sums = &shard->sums;
    int row = place * d->config.environments + environment;
    size_t full = (size_t)environment * (size_t)d->seats + (size_t)d->learner[place];
    bool over = s->terminated[environment], cut = s->truncated[environment];
    bool goes_on = cut && d->config.bootstrap;
    int ends = over || (cut && !goes_on) ? LU_END_TERMINATED : goes_on ? LU_END_TRUNCATED : 0;

    dqn_buffer_act(&d->buffer, row, s->actions + full * (size_t)d->heads,
                   scaled_reward(d, s->reward[full]), step_discount(d, environment), ends);
    if (goes_on) {
        dqn_buffer_see(&d->buffer, row, s->final_observation + full * (size_t)d->observation,
                       s->final_mask + full * (size_t)d->mask);
        dqn_buffer_cut(&d->buffer, row);
    }
    d->returns[row] += (double)s->reward[full];
    d->lengths[row] += 1.0;
    sums->reward += (double)s->reward[full];
    sums->reward_square += (double)s->reward[full] * (double)s->reward[full];
    for (int i = 0; i < d->game->terms; i++) {
        sums->term[i] += (double)s->terms[full * (size_t)d->game->terms + (size_t)i];
    }
    float *final = &s->finals[(size_t)step * (size_t)d->rows + (size_t)row];
    *final = NAN;
    if (ends) {
        *final = (float)d->returns[row];
        sums->episodes += 1.0;
        sums->returns += d->returns[row];
        sums->lengths += d->lengths[row];
        d->returns[row] = d->lengths[row] = 0.0;
    }
}

static void note_environments(const lu_dqn *d, dqn_shard *s) {
    for (int e = s->first; e < s->first + s->count; e++) {
        s->sums.ticks += d->scratch.ticks[e];
        s->sums.truncated += d->scratch.truncated[e];
        s->sums.illegal += d->scratch.illegal[e] != 0;
        if (d->scratch.terminated[e] | d->scratch.truncated[e]) {
            const double *info = d->scratch.final_info + (size_t)e * (size_t)d->game->infos;
            s->sums.endings += 1.0;
            for (int i = 0; i < d->game->infos; i++) {
                s->sums.info[i] += info[i];
            }
        }
    }
}

/* ---- a shard ---- */

static lu_status play_step(lu_dqn *d, dqn_worker *w, dqn_shard *s, int step, lu_error *error) {
    for (int l = 0; l < d->learners; l++) {
        lu_status status = choose_seat(d, w, s, l, error);
        if (status != LU_OK) {
            return status;
        }
    }
    double start = lu_clock_seconds();
    lu_buffers buffers = buffers_of(d, true);
    lu_vec_step_range(d->vec, s->first, s->count, &buffers);
    for (int l = 0; l < d->learners; l++) {
        for (int e = s->first; e < s->first + s->count; e++) {
            note_row(d, s, l, e, step);
        }
    }
    note_environments(d, s);
    s->sums.play += lu_clock_seconds() - start;
    return LU_OK;
}

static void play_shard(void *context, int index) {
    lu_dqn *d = context;
    dqn_shard *s = &d->shard[index];
    dqn_worker *w = dqn_worker_take(d);
    s->status = LU_OK;
    for (int step = 0; step < d->config.horizon && s->status == LU_OK; step++) {
        if (atomic_load_explicit(&d->stop, memory_order_relaxed)) {
            break;
        }
        s->status = play_step(d, w, s, step, &s->error);
        if (s->status != LU_OK) {
            atomic_store_explicit(&d->stop, true, memory_order_relaxed);
        }
    }
    dqn_worker_give(w);
}

static void save_sights(const lu_dqn *d, lu_error *error) {
    if (*d->config.save_failed) {
        failed_file f = {0};
        size_t full = (size_t)d->full, n = (size_t)d->observation;
        memcpy(failed_add(&f, "observation", LU_F32, full, n), d->scratch.observation,
               full * n * sizeof(float));
        failed_add_copy(&f, "parameters", lu_net_block(d->net), lu_net_parameters(d->net));
        failed_write(&f, d->config.save_failed, d->game, d->updates + 1, error);
    }
}

lu_status dqn_play(lu_dqn *d, lu_error *error) {
    atomic_store(&d->stop, false);
    double rows = (double)d->rows * (double)d->config.horizon;
    dqn_run(d, play_shard, d, d->shards, rows * (2.0 * (double)lu_net_parameters(d->net) + 5000.0));
    for (int i = 0; i < d->shards; i++) {
        if (d->shard[i].status != LU_OK) {
            lu_error *failed = &d->shard[i].error;
            if (failed->status == LU_DIVERGED) {
                save_sights(d, failed);
            }
            return lu_fail(error, failed->status, "%s", failed->text);
        }
    }
    return LU_OK;
}
