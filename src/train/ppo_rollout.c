/* Playing a batch. A shard is claimed by a thread that plays all its steps: net, choice,
 * environments, notes, without waiting for any other shard. What a step shows goes straight into
 * the next slot of the batch. Results depend on the shard alone, never on the thread. */
#include "ppo_inside.h"

#include "ludus/clock.h"
#include "ludus/math.h"

#include <string.h>

/* ---- buffers ---- */

static lu_buffers buffers_at(const lu_train *t, int slot) {
    const train_scratch *s = &t->scratch;
    return (lu_buffers){
        .actions = s->actions,
        .observation = train_slot(t, slot),
        .critic = t->critic ? train_critic_slot(t, slot) : NULL,
        .mask = s->mask,
        .reward = s->reward,
        .terms = s->terms,
        .terminated = s->terminated,
        .truncated = s->truncated,
        .illegal = s->illegal,
        .to_move = t->turns ? s->to_move : NULL,
        .ticks = s->ticks,
        .final_observation = t->config.bootstrap ? s->final_observation : NULL,
        .final_critic = t->config.bootstrap && t->critic ? s->final_critic : NULL,
        .final_info = s->final_info,
    };
}

/* The first sight goes into the last slot, from where every rollout begins. */
void train_reset(lu_train *t) {
    int last = t->config.horizon;
    lu_buffers buffers = buffers_at(t, last);
    lu_vec_reset(t->vec, &buffers);
    memset(t->batch.flags + (size_t)last * (size_t)t->rows, FLAG_START, (size_t)t->rows);
}

/* ---- nets ---- */

static lu_net_infer infer_call(const lu_train *t, train_worker *w, int rows) {
    return (lu_net_infer){
        .rows = rows,
        .normaliser = lu_train_normaliser(t),
        .critic_normaliser = lu_train_critic_normaliser(t),
        .logits = w->logits,
        .logits_stride = t->logits_stride,
    };
}

/* The observations of a step are replaced by what the net keeps; those of the last slot stay. */
static void infer_lane(const lu_train *t, train_worker *w, const train_lane *lane, int step,
                       float *memory) {
    lu_net_infer call = infer_call(t, w, lane->rows);
    size_t stride = (size_t)lane->stride, full = (size_t)lane->full;
    call.observation_stride = stride * (size_t)t->observation;
    float *observation = train_slot(t, step) + full * (size_t)t->observation;
    call.observation = observation;
    call.keep = t->kept && step < t->config.horizon ? observation : NULL;
    if (t->critic) {
        call.critic_stride = stride * (size_t)t->critic;
        call.critic = train_critic_slot(t, step) + full * (size_t)t->critic;
    }
    call.memory = t->memory ? memory : NULL;
    call.value = t->batch.value + (size_t)step * (size_t)t->rows + lane->row;
    lu_net_run(t->net, w->net, &call);
}

/* Sums of x - shift and of its square: 2 x length numbers. */
static void lane_moments(const lu_train *t, train_shard *s, const train_lane *lane, int step) {
    size_t stride = (size_t)lane->stride, full = (size_t)lane->full;
    if (t->normaliser.length) {
        size_t n = (size_t)t->observation;
        t->k->moments(train_slot(t, step) + full * n, stride * n, lane->rows, t->normaliser.shift,
                      t->observation, s->moments[0], s->moments[0] + n);
    }
    if (t->critic_normaliser.length) {
        size_t n = (size_t)t->critic;
        t->k->moments(train_critic_slot(t, step) + full * n, stride * n, lane->rows,
                      t->critic_normaliser.shift, t->critic, s->moments[1], s->moments[1] + n);
    }
}

/* ---- choice ---- */

static bool waits(const lu_train *t, int row) {
    return t->turns && !(t->scratch.to_move[t->row_env[row]] >> t->row_seat[row] & 1);
}

/* Rows [from, to) of a lane, all of them to move. */
static lu_status choose_run(const lu_train *t, train_worker *w, const train_lane *lane, int step,
                            int from, int to, lu_error *error) {
    const train_batch *b = &t->batch;
    size_t row = (size_t)(lane->row + from), at = (size_t)step * (size_t)t->rows + row;
    size_t full = (size_t)lane->full + (size_t)from * (size_t)lane->stride;
    lu_policy_act call = {
        .rows = to - from,
        .logits = w->logits + (size_t)from * t->logits_stride,
        .logits_stride = t->logits_stride,
        .mask = t->scratch.mask + full * (size_t)t->mask,
        .mask_stride = (size_t)lane->stride * (size_t)t->mask,
        .state = t->submask ? t->row_state + row : NULL,
        .seat = t->row_seat + row,
        .rng = t->rng + row,
        .actions = b->actions + at * (size_t)t->heads,
        .actions_stride = (size_t)t->heads,
        .log_probability = b->log_probability + at,
        .legal = b->legal + at * (size_t)t->mask,
        .legal_stride = (size_t)t->mask,
    };
    return lu_policy_choose(&t->policy, &call, error);
}

static lu_status choose_lane(const lu_train *t, train_worker *w, const train_lane *lane, int step,
                             lu_error *error) {
    const train_batch *b = &t->batch;
    size_t heads = (size_t)t->heads, mask = (size_t)t->mask;
    lu_status status = LU_OK;
    for (int from = 0; from < lane->rows && status == LU_OK;) {
        int to = from;
        while (to < lane->rows && !waits(t, lane->row + to)) {
            to++;
        }
        if (to > from) {
            status = choose_run(t, w, lane, step, from, to, error);
        }
        for (; to < lane->rows && waits(t, lane->row + to); to++) {
            size_t at = (size_t)step * (size_t)t->rows + (size_t)(lane->row + to);
            memset(b->legal + at * mask, 0, mask);
            memset(b->actions + at * heads, 0, heads * sizeof *b->actions);
            b->log_probability[at] = 0.0f;
            b->flags[at] |= FLAG_WAITS;
        }
        from = to;
    }
    /* to where the environments read */
    const int32_t *chosen =
        b->actions + ((size_t)step * (size_t)t->rows + (size_t)lane->row) * heads;
    for (int r = 0; r < lane->rows; r++) {
        size_t full = (size_t)(lane->full + r * lane->stride);
        memcpy(t->scratch.actions + full * heads, chosen + (size_t)r * heads,
               heads * sizeof *chosen);
    }
    return status;
}

/* ---- after a step ---- */

/* Values of the last sights of episodes that were cut off: the rows together, with the memory that
 * the decision left. */
static void bootstrap_lane(const lu_train *t, train_worker *w, const train_lane *lane, int step) {
    size_t n = (size_t)t->observation, c = (size_t)t->critic, at = (size_t)step * (size_t)t->rows;
    int row[LU_BLOCK_ROWS], count = 0;
    for (int r = 0; r < lane->rows; r++) {
        if (!t->scratch.truncated[t->row_env[lane->row + r]]) {
            continue;
        }
        size_t full = (size_t)(lane->full + r * lane->stride), to = (size_t)count;
        memcpy(w->last + to * n, t->scratch.final_observation + full * n, n * sizeof(float));
        if (c) {
            memcpy(w->last_critic + to * c, t->scratch.final_critic + full * c, c * sizeof(float));
        }
        if (t->memory) {
            memcpy(w->memory + to * t->memory, t->now + (size_t)(lane->row + r) * t->memory,
                   t->memory * sizeof(float));
        }
        row[count++] = lane->row + r;
    }
    if (count == 0) {
        return;
    }
    lu_net_infer call = infer_call(t, w, count);
    call.observation = w->last;
    call.observation_stride = n;
    call.critic = c ? w->last_critic : NULL;
    call.critic_stride = c;
    call.memory = t->memory ? w->memory : NULL;
    call.value = w->value;
    lu_net_run(t->net, w->net, &call);
    for (int i = 0; i < count; i++) {
        t->batch.final_value[at + (size_t)row[i]] = w->value[i];
    }
}

static void note_end(lu_train *t, train_sums *sums, int row, size_t at) {
    sums->episodes += 1.0;
    sums->returns += t->returns[row];
    sums->lengths += t->lengths[row];
    t->batch.finals[at] = (float)t->returns[row];
    t->returns[row] = t->lengths[row] = t->discounted[row] = 0.0;
    if (t->memory) {
        memset(t->now + (size_t)row * t->memory, 0, t->memory * sizeof(float));
    }
}

static void note_row(lu_train *t, train_sums *sums, int row, int step) {
    const train_batch *b = &t->batch;
    const train_scratch *s = &t->scratch;
    size_t rows = (size_t)t->rows, at = (size_t)step * rows + (size_t)row;
    int environment = t->row_env[row], full = t->row_full[row];
    double reward = (double)s->reward[full], gamma = t->coefficient[TRAIN_GAMMA];
    bool over = s->terminated[environment], cut = s->truncated[environment];

    b->reward[at] = s->reward[full];
    sums->reward += reward;
    sums->reward_square += reward * reward;
    const float *term = s->terms + (size_t)full * (size_t)t->game->terms;
    for (int i = 0; i < t->game->terms; i++) {
        sums->term[i] += (double)term[i];
    }
    if (t->tick_discount) {
        b->ticks[at] = s->ticks[environment];
        gamma = s->ticks[environment] == 1 ? gamma : lu_pow(gamma, (double)s->ticks[environment]);
    }
    t->returns[row] += reward;
    t->lengths[row] += 1.0;
    t->discounted[row] = t->discounted[row] * gamma + reward;
    double apart = t->discounted[row] - t->return_mean;
    sums->discounted += apart;
    sums->discounted_square += apart * apart;

    bool cuts = cut && t->config.bootstrap;
    int ends = over || (cut && !cuts) ? LU_END_TERMINATED : cuts ? LU_END_TRUNCATED : 0;
    b->flags[at] = (uint8_t)(b->flags[at] | ends);
    b->flags[at + rows] = ends ? FLAG_START : 0;
    if (ends) {
        note_end(t, sums, row, at);
    }
}

static void note_environments(const lu_train *t, train_shard *s) {
    for (int e = s->first; e < s->first + s->count; e++) {
        s->sums.ticks += t->scratch.ticks[e];
        s->sums.truncated += t->scratch.truncated[e];
        s->sums.illegal += t->scratch.illegal[e] != 0;
        if (t->scratch.terminated[e] | t->scratch.truncated[e]) {
            const double *info = t->scratch.final_info + (size_t)e * (size_t)t->game->infos;
            s->sums.endings += 1.0;
            for (int i = 0; i < t->game->infos; i++) {
                s->sums.info[i] += info[i];
            }
        }
    }
}

/* ---- a shard ---- */

/* *clock: the time at which the step begins, then that of its end. Few environments make short
 * steps: the clock is read only between parts that do something. */
static lu_status play_step(lu_train *t, train_worker *w, train_shard *s, int step, double *clock,
                           lu_error *error) {
    double start = *clock;
    bool notes = t->normaliser.length || t->critic_normaliser.length;
    for (int l = 0; l < s->lanes; l++) {
        const train_lane *lane = &s->lane[l];
        float *memory = t->now + (size_t)lane->row * t->memory;
        lane_moments(t, s, lane, step); /* of the raw numbers, before they are replaced */
        double noted = notes ? lu_clock_seconds() : start;
        infer_lane(t, w, lane, step, memory);
        double inferred = lu_clock_seconds();
        lu_status status = choose_lane(t, w, lane, step, error);
        if (status != LU_OK) {
            s->failed_at = step;
            s->failed_lane = l;
            return status;
        }
        double chosen = lu_clock_seconds();
        s->sums.infer += inferred - noted;
        s->sums.choose += (noted - start) + (chosen - inferred);
        start = chosen;
    }
    lu_buffers buffers = buffers_at(t, step + 1);
    lu_vec_step_range(t->vec, s->first, s->count, &buffers);
    double stepped = lu_clock_seconds();
    for (int l = 0; l < s->lanes && t->config.bootstrap; l++) {
        bootstrap_lane(t, w, &s->lane[l], step);
    }
    double valued = t->config.bootstrap ? lu_clock_seconds() : stepped;
    for (int row = s->row; row < s->row + s->rows; row++) {
        note_row(t, &s->sums, row, step);
    }
    note_environments(t, s);
    *clock = lu_clock_seconds();
    s->sums.infer += valued - stepped;
    s->sums.play += (stepped - start) + (*clock - valued);
    return LU_OK;
}

static void keep_memory(const lu_train *t, const train_shard *s, int step) {
    if (t->memory && step % t->config.segment == 0) {
        size_t segment = (size_t)(step / t->config.segment), rows = (size_t)t->rows;
        memcpy(t->batch.memory + (segment * rows + (size_t)s->row) * t->memory,
               t->now + (size_t)s->row * t->memory, (size_t)s->rows * t->memory * sizeof(float));
    }
}

/* Values of the sight behind the last step; the memory is not moved, since the next rollout sees
 * the same sight again. */
static void value_of_last(const lu_train *t, train_worker *w, train_shard *s) {
    double start = lu_clock_seconds();
    for (int l = 0; l < s->lanes; l++) {
        const train_lane *lane = &s->lane[l];
        if (t->memory) {
            memcpy(w->memory, t->now + (size_t)lane->row * t->memory,
                   (size_t)lane->rows * t->memory * sizeof(float));
        }
        infer_lane(t, w, lane, t->config.horizon, w->memory);
    }
    s->sums.infer += lu_clock_seconds() - start;
}

static void begin_shard(lu_train *t, train_shard *s) {
    size_t rows = (size_t)t->rows, last = (size_t)t->config.horizon * rows + (size_t)s->row;
    size_t n = (size_t)t->observation, c = (size_t)t->critic;
    size_t full = (size_t)(s->first * t->seats), count = (size_t)(s->count * t->seats);
    int horizon = t->config.horizon;
    memcpy(train_slot(t, 0) + full * n, train_slot(t, horizon) + full * n,
           count * n * sizeof(float));
    if (c) {
        memcpy(train_critic_slot(t, 0) + full * c, train_critic_slot(t, horizon) + full * c,
               count * c * sizeof(float));
    }
    memcpy(t->batch.flags + s->row, t->batch.flags + last, (size_t)s->rows);
    memset(&s->sums, 0, sizeof s->sums);
    memset(s->moments[0], 0, 2 * n * sizeof(double));
    if (c) {
        memset(s->moments[1], 0, 2 * c * sizeof(double));
    }
    s->status = LU_OK;
}

static void play_shard(void *context, int index) {
    lu_train *t = context;
    train_shard *s = &t->shard[index];
    train_worker *w = train_worker_take(t);
    begin_shard(t, s);
    double clock = lu_clock_seconds();
    for (int step = 0; step < t->config.horizon && s->status == LU_OK; step++) {
        if (atomic_load_explicit(&t->stop, memory_order_relaxed)) {
            break;
        }
        keep_memory(t, s, step);
        s->status = play_step(t, w, s, step, &clock, &s->error);
        if (s->status != LU_OK) {
            atomic_store_explicit(&t->stop, true, memory_order_relaxed);
        }
    }
    if (s->status == LU_OK) {
        value_of_last(t, w, s);
    }
    train_worker_give(w);
}

lu_status train_rollout(lu_train *t, lu_error *error) {
    atomic_store(&t->stop, false);
    double rows = (double)t->rows * (double)t->config.horizon;
    train_run(t, play_shard, t, t->shards,
              rows * (2.0 * (double)lu_net_parameters(t->net) + 5000.0));
    for (int i = 0; i < t->shards; i++) {
        if (t->shard[i].status != LU_OK) {
            lu_error *failed = &t->shard[i].error;
            if (failed->status == LU_DIVERGED) {
                train_save_failed(t, &t->shard[i], failed);
            }
            return lu_fail(error, failed->status, "%s", failed->text);
        }
    }
    return LU_OK;
}
