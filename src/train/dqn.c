/* DQN as a kind of trainer: its sizes, its memory, its start, the course of an update, its metrics,
 * and its entry in the table of algorithms. Left out: what the parts of an update do. */
#include "dqn_internal.h"

#include "ludus/clock.h"

#include <string.h>

/* ---- sizes ---- */

/* Environments of a shard: whole dozens, as many as the kernels take at once, up to a block, and no
 * more than a block of opponents. It must not depend on the number of threads. */
static int shard_environments(const lu_trainer *t) {
    int dozens = at_least(ceil_div(ceil_div(t->environments, TRAIN_SHARDS), TRAIN_DOZEN), 2);
    int most = LU_BLOCK_ROWS / (t->roster.slots > 0 ? t->roster.others : 1);
    return at_most(dozens * TRAIN_DOZEN, most);
}

static lu_status plan_buffer(dqn_trainer *d, lu_error *error) {
    const dqn_config *c = &d->config;
    int64_t slots = c->buffer / d->base.rows,
            least = dqn_buffer_least(d->base.horizon, c->steps_ahead);
    if (slots < least) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'dqn.buffer' = %lld leaves %lld steps for each of %d rows, but a round with "
            "dqn.horizon = %d and dqn.steps_ahead = %d needs %lld: raise it to %lld",
            (long long)c->buffer, (long long)slots, d->base.rows, d->base.horizon, c->steps_ahead,
            (long long)least, (long long)(least * d->base.rows));
    }
    d->buffer = (dqn_buffer){.rows = d->base.rows,
                             .slots = (int)slots,
                             .steps = c->steps_ahead,
                             .observed = d->base.observation,
                             .mask = d->base.mask,
                             .forced = d->base.submask ? d->base.mask : 0,
                             .heads = d->base.heads};
    return LU_OK;
}

static lu_status plan(lu_trainer *trainer, lu_error *error) {
    dqn_trainer *d = dqn_of(trainer);
    if (trainer->roster.moves) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'self_play.pure' changes during training, but the rows of dqn's buffer "
                       "cannot: set a constant, or use ppo");
    }
    int64_t batch = (int64_t)trainer->environments * trainer->horizon * d->config.rounds;
    if (batch * trainer->seats > (int64_t)1 << 30) {
        return lu_fail(error, LU_LIMIT,
                       "%d environments x %d seats x %d steps x %d rounds are too many for one "
                       "update: lower dqn.environments, dqn.horizon or dqn.rounds",
                       trainer->environments, trainer->seats, trainer->horizon, d->config.rounds);
    }
    if (lu_net_frames(trainer->net)->count > 1) {
        return lu_fail(error, LU_BAD_VALUE,
                       "the buffer of dqn keeps single observations: set net.frames to 1, or use "
                       "ppo");
    }
    dqn_minibatch_size(&d->mini, trainer->minibatch);
    trainer->batch = (int)batch;
    trainer->gradients = d->mini.gradients;
    trainer->shard_environments = shard_environments(trainer);
    trainer->work_rows = LU_BLOCK_ROWS;
    return plan_buffer(d, error);
}

/* ---- memory ---- */

static void lay_batch(lu_trainer *trainer, train_taker *k) {
    dqn_buffer_lay(&dqn_of(trainer)->buffer, k);
}

static void lay_worker(const dqn_trainer *d, train_taker *k, dqn_worker *w) {
    size_t rows = LU_BLOCK_ROWS;
    TRAIN_TAKE(k, w->other, rows * d->base.logits_stride);
    TRAIN_TAKE(k, w->dq, rows * d->base.logits_stride);
    TRAIN_TAKE(k, w->value, rows);
    TRAIN_TAKE(k, w->target, rows);
    TRAIN_TAKE(k, w->error, rows);
    TRAIN_TAKE(k, w->weight, rows);
    TRAIN_TAKE(k, w->best, rows);
    TRAIN_TAKE(k, w->actions, rows * (size_t)d->base.heads);
    TRAIN_TAKE(k, w->observation, rows);
    TRAIN_TAKE(k, w->force, rows);
    TRAIN_TAKE(k, w->done, rows);
}

static void lay(lu_trainer *trainer, train_taker *k) {
    dqn_trainer *d = dqn_of(trainer);
    size_t full = (size_t)trainer->full, places = (size_t)trainer->minibatch;
    TRAIN_TAKE(k, d->observation, full * (size_t)trainer->observation);
    TRAIN_TAKE(k, d->final_mask, full * (size_t)trainer->mask);
    TRAIN_TAKE(k, d->row_state, (size_t)trainer->rows);
    TRAIN_TAKE(k, d->worker, (size_t)trainer->workers);
    for (int i = 0; i < trainer->workers; i++) {
        dqn_worker none;
        lay_worker(d, k, k->arena ? &d->worker[i] : &none);
    }
    TRAIN_TAKE(k, d->mini.index, places);
    TRAIN_TAKE(k, d->mini.weight, places);
    TRAIN_TAKE(k, d->mini.error, places);
}

/* The target net. */
static size_t outside(const lu_trainer *trainer) {
    return lu_arena_room(lu_net_bytes(trainer->net));
}

/* ---- start and end ---- */

static void start(lu_trainer *trainer) {
    dqn_trainer *d = dqn_of(trainer);
    for (int i = 0; i < trainer->workers; i++) {
        const train_worker *w = &trainer->worker[i];
        d->worker[i].net = w->net;
        d->worker[i].q = w->logits;
        d->worker[i].legal = w->legal;
        d->worker[i].next = w->seen;
    }
    d->target = lu_net_copy(trainer->net);
    d->top = 1.0;
    for (int row = 0; row < trainer->rows; row++) {
        d->row_state[row] = lu_vec_state(trainer->vec, trainer->row_env[row]);
    }
    dqn_reset(d);
}

static void drop(lu_trainer *trainer) {
    lu_net_delete(dqn_of(trainer)->target);
}

static void taken(lu_trainer *trainer) {
    dqn_trainer *d = dqn_of(trainer);
    lu_net_delete(d->target);
    d->target = lu_net_copy(trainer->net);
}

/* ---- an update ---- */

static void note_minibatch(dqn_trainer *d, lu_progress *p) {
    for (int i = 0; i < d->mini.gradients; i++) {
        train_add(&d->learned.sums, &d->mini.sums[i], sizeof d->learned.sums);
    }
    d->learned.norm += d->mini.norm;
    p->minibatches++;
}

/* What was seen in this round joins the moments; the frozen copies change between updates only. */
static void add_moments(dqn_trainer *d) {
    size_t n = (size_t)d->base.observation;
    train_strip strip[2 * LU_MAX_SEATS];
    int strips = train_strips(&d->base, 0, d->base.environments, strip);
    for (int i = 0; i < strips && d->base.normaliser.length; i++) {
        lu_normaliser_add(&d->base.normaliser, strip[i].rows,
                          d->observation + (size_t)strip[i].full * n, (size_t)strip[i].stride * n);
    }
}

static lu_status learn_round(dqn_trainer *d, int round, lu_progress *p, lu_error *error) {
    double all = (double)(d->config.rounds * d->config.gradient_steps);
    lu_status status = LU_OK;
    for (int i = 0; i < d->config.gradient_steps && status == LU_OK; i++) {
        double done = (double)(round * d->config.gradient_steps + i);
        LU_TRY(train_tell(&d->base, done / all, "learning", error));
        double start = lu_clock_seconds();
        dqn_draw(d);
        double drawn = lu_clock_seconds();
        status = dqn_learn(d, error);
        double learned = lu_clock_seconds();
        if (status == LU_OK) {
            dqn_prioritise(d);
            note_minibatch(d, p);
        }
        double weighed = lu_clock_seconds();
        if (status == LU_OK) {
            dqn_move_target(d);
        }
        d->learned.priorities += (drawn - start) + (weighed - learned);
        d->learned.learn += learned - drawn;
        d->learned.move += lu_clock_seconds() - weighed;
    }
    return status;
}

static lu_status run_round(dqn_trainer *d, int round, lu_progress *p, lu_error *error) {
    bool warm = d->base.steps >= d->config.warmup;
    d->epsilon = warm ? d->base.coefficient[DQN_EPSILON] : 1.0;
    double start = lu_clock_seconds();
    lu_status status = dqn_play(d, error);
    double played = lu_clock_seconds();
    p->rollout += played - start;
    if (status != LU_OK) {
        return status;
    }
    d->base.steps += (int64_t)d->base.environments * d->base.horizon;
    add_moments(d);
    dqn_buffer_note(&d->buffer, d->top);
    train_note_recent(&d->base);
    d->learned.priorities += lu_clock_seconds() - played;
    bool ready = d->base.steps >= d->config.warmup && d->buffer.tree.used > 0;
    return ready ? learn_round(d, round, p, error) : LU_OK;
}

static lu_status update(lu_trainer *trainer, lu_progress *progress, lu_error *error) {
    dqn_trainer *d = dqn_of(trainer);
    lu_status status = LU_OK;
    memset(&d->learned, 0, sizeof d->learned);
    for (int round = 0; round < d->config.rounds && status == LU_OK; round++) {
        status = run_round(d, round, progress, error);
    }
    return status;
}

/* Means over the rows of all minibatches are 0 while dqn.warmup lasts. */
static void tell(lu_trainer *trainer, lu_progress *p) {
    const dqn_trainer *d = dqn_of(trainer);
    const dqn_learned *l = &d->learned;
    double minibatches = (double)at_least(p->minibatches, 1);
    double rows = minibatches * (double)trainer->minibatch;
    train_figure(p, "loss", l->sums.loss / rows);
    train_figure(p, "td_error", l->sums.error / rows);
    train_figure(p, "q", l->sums.q / rows);
    train_figure(p, "target", l->sums.target / rows);
    train_figure(p, "gradient_norm", l->norm / minibatches);
    train_figure(p, "gradient_steps", (double)d->gradient_steps);
    train_figure(p, "target_moves", (double)d->target_moves);
    train_figure(p, "remembered", (double)d->buffer.tree.used);
    train_figure(p, "rate", trainer->coefficient[TRAIN_RATE]);
    train_figure(p, "epsilon", d->epsilon);
    train_figure(p, "beta", trainer->coefficient[DQN_BETA]);
    train_part(p, "priorities", l->priorities);
    train_part(p, "learn", l->learn);
    train_part(p, "move", l->move);
}

static double return_scale(const lu_trainer *trainer) {
    return dqn_of_const(trainer)->config.reward_scale;
}

static const trainer_kind kind = {
    .module = "dqn.",
    .magic = "LUDQN__2",
    .batch = "buffer",
    .lower = "dqn.buffer, dqn.environments or net.hidden",
    .remedy = "lower dqn.rate, dqn.max_norm or dqn.reward_scale",
    .schedules = dqn_schedules,
    .bytes = sizeof(dqn_trainer),
    .net = LU_NET_Q,
    .by_seat = true,
    .read = dqn_config_read,
    .plan = plan,
    .lay_batch = lay_batch,
    .lay = lay,
    .outside = outside,
    .start = start,
    .drop = drop,
    .return_scale = return_scale,
    .hash = dqn_hash,
    .update = update,
    .tell = tell,
    .walk = dqn_walk,
    .loaded = dqn_loaded,
    .taken = taken,
};

lu_trainer *lu_dqn_new(const lu_game *game, const lu_settings *settings, const void *options,
                       lu_error *error) {
    return trainer_new(&kind, game, settings, options, NULL, error);
}

lu_status lu_dqn_bytes_needed(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error) {
    return trainer_bytes_needed(&kind, game, settings, need, error);
}

lu_net *lu_dqn_target(lu_trainer *trainer) {
    return dqn_of(trainer)->target;
}

const lu_algorithm lu_algorithm_dqn = {
    .name = "dqn",
    .sentence = "Q-learning from a replay buffer, for games whose seats all decide at every step.",
    .prefix = "dqn",
    .table = &lu_dqn_table,
    .shown = {"epsilon", "q", "td_error", "loss"},
    .bytes_needed = lu_dqn_bytes_needed,
    .make = lu_dqn_new,
};
