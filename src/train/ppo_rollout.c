/* Playing a batch. A shard is claimed by a thread that plays all its steps: net, choice,
 * environments, notes, without waiting for any other shard. What a step shows goes straight into
 * the next slot of the batch. Results depend on the shard alone, never on the thread. */
#include "ppo_internal.h"

#include "ludus/clock.h"

#include <string.h>

/* ---- buffers ---- */

/* Full rows of one frame, as the environments write them for a step. */
static float *shown_at(const ppo_trainer *t, int step) {
    return t->base.frames.depth > 1 ? frames_at(&t->base, ppo_time(t, step)) : ppo_slot(t, step);
}

static lu_buffers buffers_at(const ppo_trainer *t, int slot) {
    lu_buffers buffers = train_buffers(&t->base);
    buffers.observation = shown_at(t, slot);
    buffers.critic = t->critic ? ppo_critic_slot(t, slot) : NULL;
    buffers.final_critic = t->base.bootstrap && t->critic ? t->final_critic : NULL;
    return buffers;
}

/* Where the next rollout begins: in the last slot, or with the frame of its first step. */
static lu_buffers buffers_to_begin(const ppo_trainer *t) {
    lu_buffers buffers = buffers_at(t, t->base.horizon);
    if (t->base.frames.depth > 1) {
        buffers.observation = shown_at(t, 0);
    }
    return buffers;
}

void ppo_reset(ppo_trainer *t) {
    int last = t->base.horizon;
    lu_buffers buffers = buffers_to_begin(t);
    lu_vec_reset(t->base.vec, &buffers);
    memset(t->batch.flags + (size_t)last * (size_t)t->base.rows, FLAG_START, (size_t)t->base.rows);
}

/* Frames of episodes that begin hold nothing of the one before. */
void ppo_reset_some(ppo_trainer *t, const int32_t *which, int count) {
    lu_buffers buffers = buffers_to_begin(t);
    lu_vec_reset_some(t->base.vec, which, count, NULL, NULL, &buffers);
    for (int i = 0; i < count && t->base.frames.depth > 1; i++) {
        t->base.frames.age[which[i]] = 0;
    }
}

/* Rows of several frames are laid into the slot of their step. */
static void strip_frames(const ppo_trainer *t, const train_strip *strip, int step) {
    const lu_trainer *b = &t->base;
    const float *rows = shown_at(t, step);
    for (int r = 0; r < strip->rows; r++) {
        int full = strip->full + r * strip->stride;
        frames_stack(b, lu_net_frames(b->net), rows, full, b->frames.age[full / b->seats],
                     rows + (size_t)full * (size_t)b->observation,
                     ppo_slot(t, step) + (size_t)full * (size_t)b->inputs);
    }
}

/* ---- nets ---- */

static lu_net_infer infer_call(const ppo_trainer *t, ppo_worker *w, int rows) {
    return (lu_net_infer){
        .rows = rows,
        .normaliser = lu_trainer_normaliser(&t->base),
        .critic_normaliser = lu_trainer_critic_normaliser(&t->base),
        .logits = w->logits,
        .logits_stride = t->base.logits_stride,
    };
}

/* The observations of a step are replaced by what the net keeps; those of the last slot stay. */
static void infer_strip(const ppo_trainer *t, ppo_worker *w, const train_strip *strip, int step,
                        float *memory) {
    lu_net_infer call = infer_call(t, w, strip->rows);
    size_t stride = (size_t)strip->stride, full = (size_t)strip->full;
    call.observation_stride = stride * (size_t)t->base.inputs;
    float *observation = ppo_slot(t, step) + full * (size_t)t->base.inputs;
    call.observation = observation;
    call.keep = t->kept && step < t->base.horizon ? observation : NULL;
    if (t->critic) {
        call.critic_stride = stride * (size_t)t->critic;
        call.critic = ppo_critic_slot(t, step) + full * (size_t)t->critic;
    }
    call.memory = t->memory ? memory : NULL;
    call.value = t->batch.value + (size_t)step * (size_t)t->base.rows + strip->row;
    lu_net_run(t->base.net, w->net, &call);
}

/* Sums of x - shift and of its square: 2 x length numbers. */
static void strip_moments(const ppo_trainer *t, ppo_shard *s, const train_strip *strip, int step) {
    size_t stride = (size_t)strip->stride, full = (size_t)strip->full;
    if (t->base.normaliser.length) {
        size_t n = (size_t)t->base.inputs;
        lu_normaliser_sums(&t->base.normaliser, t->base.net, strip->rows,
                           ppo_slot(t, step) + full * n, stride * n, s->moments[0],
                           s->moments[0] + n);
    }
    if (t->base.critic_normaliser.length) {
        size_t n = (size_t)t->critic;
        lu_normaliser_sums(&t->base.critic_normaliser, t->base.net, strip->rows,
                           ppo_critic_slot(t, step) + full * n, stride * n, s->moments[1],
                           s->moments[1] + n);
    }
}

/* Leaves the novelty of what the rows of a strip see where their rewards will be. */
static void strip_novelty(const ppo_trainer *t, ppo_shard *s, const train_strip *strip, int step) {
    size_t n = (size_t)t->base.inputs, at = (size_t)step * (size_t)t->base.rows;
    for (int r = 0; r < strip->rows; r++) {
        size_t full = (size_t)strip->full + (size_t)r * (size_t)strip->stride;
        double novelty = ppo_novelty(t, ppo_slot(t, step) + full * n);
        s->judged.novelty += novelty;
        t->batch.reward[at + (size_t)(strip->row + r)] = (float)novelty;
    }
}

/* Noise on what the rows of a strip are about to read; moments and novelty are of what was there
 * before. The observation behind the last step has none, nor have those of episodes cut off. */
static void strip_noise(const ppo_trainer *t, const train_strip *strip, int step) {
    size_t n = (size_t)t->base.inputs, frame = (size_t)t->base.observation;
    uint64_t key = lu_mix(t->base.seed, TRAIN_STREAM_NOISE, ppo_time(t, step));
    for (int r = 0; r < strip->rows; r++) {
        lu_rng rng = lu_rng_from(lu_mix(key, (uint64_t)(strip->row + r), 0));
        size_t full = (size_t)strip->full + (size_t)r * (size_t)strip->stride;
        for (size_t at = 0; at < n; at += frame) {
            ppo_noise_add(t->config.noise, &rng, ppo_slot(t, step) + full * n + at);
        }
    }
}

/* ---- choice ---- */

static bool waits(const ppo_trainer *t, int row) {
    return t->base.turns &&
           !(t->base.scratch.to_move[t->base.row_env[row]] >> t->base.row_seat[row] & 1);
}

/* Heads that take their best option in place of a draw, by train.eps_greedy: all of them or none,
 * and the same for every seat of an environment. NULL when nobody does. */
static const uint32_t *best_heads(const ppo_trainer *t, const ppo_worker *w, int row, int rows,
                                  int step) {
    double share = t->base.coefficient[TRAIN_EPS_GREEDY];
    if (share <= 0.0) {
        return NULL;
    }
    uint64_t key = lu_mix(t->base.seed, TRAIN_STREAM_GREEDY, ppo_time(t, step));
    for (int r = 0; r < rows; r++) {
        lu_rng draw = lu_rng_from(lu_mix(key, (uint64_t)t->base.row_env[row + r], 0));
        w->best[r] = lu_rng_unit(&draw) < share ? UINT32_MAX : 0;
    }
    return w->best;
}

/* Rows [from, to) of a strip, all of them to move. */
static lu_status choose_run(const ppo_trainer *t, ppo_worker *w, const train_strip *strip, int step,
                            int from, int to, lu_error *error) {
    const ppo_batch *b = &t->batch;
    size_t row = (size_t)(strip->row + from), at = (size_t)step * (size_t)t->base.rows + row;
    size_t full = (size_t)strip->full + (size_t)from * (size_t)strip->stride;
    lu_net_series series = {
        .net = t->base.net,
        .work = w->net,
        .call = {.first = from,
                 .rows = to - from,
                 .actions = b->actions + at * (size_t)t->base.heads,
                 .actions_stride = (size_t)t->base.heads,
                 .logits = w->logits + (size_t)from * t->base.logits_stride,
                 .logits_stride = t->base.logits_stride},
    };
    lu_policy_act call = {
        .make_logits = lu_net_in_series(t->base.net) ? lu_net_make_logits : NULL,
        .user = &series,
        .rows = to - from,
        .logits = w->logits + (size_t)from * t->base.logits_stride,
        .logits_stride = t->base.logits_stride,
        .mask = t->base.scratch.mask + full * (size_t)t->base.mask,
        .mask_stride = (size_t)strip->stride * (size_t)t->base.mask,
        .state = t->base.submask ? t->row_state + row : NULL,
        .seat = t->base.row_seat + row,
        .rng = t->base.rng + row,
        .best = best_heads(t, w, (int)row, to - from, step),
        .actions = b->actions + at * (size_t)t->base.heads,
        .actions_stride = (size_t)t->base.heads,
        .log_probability = b->log_probability + at,
        .legal = b->legal + at * (size_t)t->base.mask,
        .legal_stride = (size_t)t->base.mask,
    };
    return lu_policy_choose(&t->base.policy, &call, error);
}

static lu_status choose_strip(const ppo_trainer *t, ppo_worker *w, const train_strip *strip,
                              int step, lu_error *error) {
    const ppo_batch *b = &t->batch;
    size_t heads = (size_t)t->base.heads, mask = (size_t)t->base.mask;
    lu_status status = LU_OK;
    for (int from = 0; from < strip->rows && status == LU_OK;) {
        int to = from;
        while (to < strip->rows && !waits(t, strip->row + to)) {
            to++;
        }
        if (to > from) {
            status = choose_run(t, w, strip, step, from, to, error);
        }
        for (; to < strip->rows && waits(t, strip->row + to); to++) {
            size_t at = (size_t)step * (size_t)t->base.rows + (size_t)(strip->row + to);
            memset(b->legal + at * mask, 0, mask);
            memset(b->actions + at * heads, 0, heads * sizeof *b->actions);
            b->log_probability[at] = 0.0f;
            b->flags[at] |= FLAG_WAITS;
        }
        from = to;
    }
    /* to where the environments read */
    const int32_t *chosen =
        b->actions + ((size_t)step * (size_t)t->base.rows + (size_t)strip->row) * heads;
    for (int r = 0; r < strip->rows; r++) {
        size_t full = (size_t)(strip->full + r * strip->stride);
        memcpy(t->base.scratch.actions + full * heads, chosen + (size_t)r * heads,
               heads * sizeof *chosen);
    }
    return status;
}

/* The environments are about to write rows that lie far away: they come while the heads choose. */
static void call_shown(const ppo_trainer *t, const train_strip *strip, int step) {
    size_t n = (size_t)t->base.observation;
    for (int r = 0; r < strip->rows; r++) {
        const float *row = shown_at(t, step) + (size_t)(strip->full + r * strip->stride) * n;
        for (size_t i = 0; i < n; i += 16) {
            __builtin_prefetch(row + i, 1);
        }
    }
}

/* ---- after a step ---- */

/* Values of the last observations of episodes that were cut off: the rows together, with the memory
 * that the decision left. */
static void bootstrap_strip(const ppo_trainer *t, ppo_worker *w, const train_strip *strip,
                            int step) {
    const lu_trainer *b = &t->base;
    size_t n = (size_t)b->inputs, c = (size_t)t->critic, at = (size_t)step * (size_t)b->rows;
    int row[LU_BLOCK_ROWS], count = 0;
    for (int r = 0; r < strip->rows; r++) {
        if (!t->base.scratch.truncated[t->base.row_env[strip->row + r]]) {
            continue;
        }
        size_t full = (size_t)(strip->full + r * strip->stride), to = (size_t)count;
        int age = b->frames.depth > 1 ? b->frames.age[full / (size_t)b->seats] + 1 : 0;
        frames_stack(b, lu_net_frames(b->net), shown_at(t, step + 1), (int)full, age,
                     b->scratch.final_observation + full * (size_t)b->observation,
                     w->last + to * n);
        if (c) {
            memcpy(w->last_critic + to * c, t->final_critic + full * c, c * sizeof(float));
        }
        if (t->memory) {
            memcpy(w->memory + to * t->memory, t->now + (size_t)(strip->row + r) * t->memory,
                   t->memory * sizeof(float));
        }
        row[count++] = strip->row + r;
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
    lu_net_run(t->base.net, w->net, &call);
    for (int i = 0; i < count; i++) {
        t->batch.final_value[at + (size_t)row[i]] = w->value[i];
    }
}

static void note_row(ppo_trainer *t, ppo_shard *s, int row, int step) {
    const ppo_batch *b = &t->batch;
    size_t rows = (size_t)t->base.rows, at = (size_t)step * rows + (size_t)row;
    size_t full = (size_t)t->base.row_full[row];
    int environment = t->base.row_env[row], ends = train_ends(&t->base, environment);
    train_note_row(&t->base, &s->base->sums, row, full, step, ends);
    float reward = t->base.scratch.reward[full];
    b->reward[at] = t->config.novelty ? reward + b->reward[at] : reward;
    if (t->base.game->tick_discount) {
        b->ticks[at] = t->base.scratch.ticks[environment];
    }
    t->discounted[row] =
        t->discounted[row] * train_discount(&t->base, environment) + (double)b->reward[at];
    double apart = t->discounted[row] - t->return_mean;
    s->judged.discounted += apart;
    s->judged.discounted_square += apart * apart;
    b->flags[at] = (uint8_t)(b->flags[at] | ends);
    b->flags[at + rows] = ends ? FLAG_START : 0;
    if (ends && t->win.on) {
        t->win.outcome[at] = ppo_win_outcome(t, row);
    }
    if (ends) {
        t->discounted[row] = 0.0;
        if (t->memory) {
            memset(t->now + (size_t)row * t->memory, 0, t->memory * sizeof(float));
        }
    }
}

/* ---- a shard ---- */

/* *clock: the time at which the step begins, then that of its end. Few environments make short
 * steps: the clock is read only between parts that do something. */
static lu_status play_step(ppo_trainer *t, ppo_worker *w, ppo_shard *s, int step, double *clock,
                           lu_error *error) {
    double start = *clock;
    bool notes = t->base.normaliser.length || t->base.critic_normaliser.length;
    for (int l = 0; l < s->base->strips; l++) {
        const train_strip *strip = &s->base->strip[l];
        float *memory = t->now + (size_t)strip->row * t->memory;
        shape_mask(&t->base, strip);
        if (t->base.frames.depth > 1) {
            strip_frames(t, strip, step);
        }
        strip_moments(t, s, strip, step); /* of the raw numbers, before they are replaced */
        if (t->config.novelty) {
            strip_novelty(t, s, strip, step);
        }
        if (t->noisy) {
            strip_noise(t, strip, step);
        }
        double noted = notes ? lu_clock_seconds() : start;
        infer_strip(t, w, strip, step, memory);
        double inferred = lu_clock_seconds();
        call_shown(t, strip, step + 1);
        lu_status status = choose_strip(t, w, strip, step, error);
        if (status != LU_OK) {
            s->failed_at = step;
            s->failed_strip = l;
            return status;
        }
        double chosen = lu_clock_seconds();
        s->base->sums.infer += inferred - noted;
        s->base->sums.choose += (noted - start) + (chosen - inferred);
        start = chosen;
    }
    if (t->base.roster.slots > 0) {
        LU_TRY(roster_act(&t->base, (int)(w - t->worker), s->base, shown_at(t, step), error));
        double acted = lu_clock_seconds();
        s->base->sums.infer += acted - start;
        start = acted;
    }
    lu_buffers buffers = buffers_at(t, step + 1);
    lu_vec_step_range(t->base.vec, s->base->first, s->base->count, &buffers);
    shape_reward(&t->base, s->base);
    double stepped = lu_clock_seconds();
    for (int l = 0; l < s->base->strips && t->base.bootstrap; l++) {
        bootstrap_strip(t, w, &s->base->strip[l], step);
    }
    double valued = t->base.bootstrap ? lu_clock_seconds() : stepped;
    for (int row = s->row; row < s->row + s->rows; row++) {
        note_row(t, s, row, step);
    }
    train_note_environments(&t->base, s->base);
    frames_note(&t->base, s->base);
    if (t->base.roster.slots > 0) {
        roster_note(&t->base, s->base, step, &buffers);
    }
    *clock = lu_clock_seconds();
    s->base->sums.infer += valued - stepped;
    s->base->sums.play += (stepped - start) + (*clock - valued);
    return LU_OK;
}

static void keep_memory(const ppo_trainer *t, const ppo_shard *s, int step) {
    if (t->memory && step % t->config.segment == 0) {
        size_t segment = (size_t)(step / t->config.segment), rows = (size_t)t->base.rows;
        memcpy(t->batch.memory + (segment * rows + (size_t)s->row) * t->memory,
               t->now + (size_t)s->row * t->memory, (size_t)s->rows * t->memory * sizeof(float));
    }
}

/* Values of the observation behind the last step; the memory is not moved, since the next rollout
 * sees the same observation again. */
static void value_of_last(const ppo_trainer *t, ppo_worker *w, ppo_shard *s) {
    double start = lu_clock_seconds();
    for (int l = 0; l < s->base->strips; l++) {
        const train_strip *strip = &s->base->strip[l];
        if (t->memory) {
            memcpy(w->memory, t->now + (size_t)strip->row * t->memory,
                   (size_t)strip->rows * t->memory * sizeof(float));
        }
        if (t->base.frames.depth > 1) {
            strip_frames(t, strip, t->base.horizon);
        }
        infer_strip(t, w, strip, t->base.horizon, w->memory);
    }
    s->base->sums.infer += lu_clock_seconds() - start;
}

static void begin_shard(ppo_trainer *t, ppo_shard *s) {
    size_t rows = (size_t)t->base.rows, last = (size_t)t->base.horizon * rows + (size_t)s->row;
    size_t n = (size_t)t->base.observation, c = (size_t)t->critic;
    size_t full = (size_t)(s->base->first * t->base.seats),
           count = (size_t)(s->base->count * t->base.seats);
    int horizon = t->base.horizon;
    if (t->base.frames.depth == 1) {
        memcpy(ppo_slot(t, 0) + full * n, ppo_slot(t, horizon) + full * n,
               count * n * sizeof(float));
    }
    if (c) {
        memcpy(ppo_critic_slot(t, 0) + full * c, ppo_critic_slot(t, horizon) + full * c,
               count * c * sizeof(float));
    }
    memcpy(t->batch.flags + s->row, t->batch.flags + last, (size_t)s->rows);
    memset(&s->judged, 0, sizeof s->judged);
    memset(s->moments[0], 0, 2 * (size_t)t->base.inputs * sizeof(double));
    if (c) {
        memset(s->moments[1], 0, 2 * c * sizeof(double));
    }
    s->base->status = LU_OK;
}

enum { SLICES = 4 };

static int slices_of(const ppo_trainer *t) {
    return lu_pool_threads(t->base.pool) > 1 ? at_most(SLICES, t->base.horizon) : 1;
}

/* A slice of the horizon of a shard, behind the one before: many short jobs end together where
 * whole shards would not. */
static void play_slice(void *context, int index) {
    ppo_trainer *t = ppo_of(context);
    int slice = index / t->base.shards, slices = slices_of(t), horizon = t->base.horizon;
    ppo_shard *s = &t->shard[train_shard_at(&t->base, index % t->base.shards)];
    ppo_worker *w = ppo_worker_here(t);
    lu_turn_wait(&s->slices, slice);
    if (slice == 0) {
        begin_shard(t, s);
    }
    double clock = lu_clock_seconds();
    int first = horizon * slice / slices, end = horizon * (slice + 1) / slices;
    int before = (t->base.part - t->base.head->part) * t->base.shards * slices;
    double jobs = (double)(t->base.head->mates * t->base.shards * slices);
    for (int step = first; step < end && s->base->status == LU_OK; step++) {
        if (atomic_load_explicit(&t->base.stop, memory_order_relaxed)) {
            break;
        }
        keep_memory(t, s, step);
        s->base->status = play_step(t, w, s, step, &clock, &s->base->error);
        double done = before + index + (double)(step + 1 - first) / (double)(end - first);
        LU_THEN(s->base->status, train_tell(&t->base, done / jobs, "playing", &s->base->error));
        if (s->base->status != LU_OK) {
            atomic_store_explicit(&t->base.stop, true, memory_order_relaxed);
        }
    }
    if (end == horizon && s->base->status == LU_OK) {
        value_of_last(t, w, s);
    }
    lu_turn_take(&s->slices);
}

lu_status ppo_rollout(ppo_trainer *t, lu_error *error) {
    for (int i = 0; i < t->base.mates * t->base.shards; i++) {
        ppo_mate(t, i / t->base.shards)->shard[i % t->base.shards].slices.at = 0;
    }
    return train_play(&t->base, play_slice, t->base.shards * slices_of(t), ppo_save_shard, error);
}
