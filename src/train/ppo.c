/* PPO as a kind of trainer: its sizes, its memory, its start, the course of an update, and its
 * entry in the table of algorithms. Left out: what the parts of an update do. */
#include "ppo_internal.h"

#include "ludus/clock.h"

#include <string.h>

/* ---- sizes ---- */

/* Environments of a shard: two dozens of rows, which are as fast as a whole block and leave more to
 * share; weights that do not stay in the second cache are read for three. A dozen is what the
 * kernels take at once. It must not depend on the number of threads. */
static int shard_environments(const lu_trainer *t) {
    int dozens = lu_net_parameters(t->net) <= TRAIN_CACHED ? 2 : 3;
    int rows = at_least(ceil_div(ceil_div(t->rows, TRAIN_SHARDS), TRAIN_DOZEN), dozens);
    return at_least(at_most(rows * TRAIN_DOZEN, LU_BLOCK_ROWS) / t->learners, 1);
}

/* By the rows of today. */
static void count_units(ppo_trainer *t) {
    t->units = t->base.rows * (t->base.horizon / t->unit_steps);
    t->minibatches = at_least(t->units / at_least(t->base.minibatch / t->unit_steps, 1), 1);
}

static void plan_units(ppo_trainer *t) {
    const ppo_config *c = &t->config;
    t->by_segment = t->memory > 0 || c->prioritise > 0.0;
    t->unit_steps = t->by_segment ? c->segment : 1;
    count_units(t);
    /* fewer rows may give fewer but larger minibatches, less than twice what is wanted */
    int most = 2 * at_least(t->base.minibatch / t->unit_steps, 1);
    t->largest =
        t->base.roster.moves ? at_most(t->units, most) : ceil_div(t->units, t->minibatches);
    ppo_minibatch_size(t, &t->mini, t->largest);
    /* the gradient of the weights is visited once per chunk: two blocks of rows halve that, more
     * would leave the second cache */
    int chunk = t->by_segment ? TRAIN_CHUNK_ROWS / t->unit_steps : 2 * LU_BLOCK_ROWS;
    /* no shard is longer than this */
    int share = (t->largest / t->mini.gradients / t->mini.grain + 2) * t->mini.grain;
    t->unit_chunk = at_least(at_most(chunk, share), 1);
    t->most_minibatches = t->minibatches;
}

static lu_status plan(lu_trainer *trainer, lu_error *error) {
    ppo_trainer *t = ppo_of(trainer);
    lu_trainer *b = &t->base;
    if ((int64_t)b->full * (b->horizon + 1) > (int64_t)1 << 30) {
        return lu_fail(error, LU_LIMIT,
                       "%d environments x %d seats x %d steps are too many rows for one batch: "
                       "lower train.environments or train.horizon",
                       b->environments, b->seats, b->horizon);
    }
    t->critic = lu_net_critic_inputs(b->net);
    t->memory = lu_net_memory_floats(b->net);
    t->kept = lu_net_kept_bytes(b->net);
    t->folds = lu_settings_enum(b->settings, "net.products") == 1;
    t->again = t->config.recompute && t->config.epochs > 1;
    plan_units(t);
    b->batch = b->environments * b->horizon;
    b->gradients = t->mini.gradients;
    t->part_numbers = 2 * ((size_t)b->inputs + (size_t)t->critic + 1);
    b->shard_environments = shard_environments(b);
    b->work_rows = at_least(t->unit_chunk * t->unit_steps, LU_BLOCK_ROWS);
    t->turns = TURN_NET + lu_net_turns(b->net);
    return LU_OK;
}

/* ---- memory ---- */

static void lay_batch(lu_trainer *trainer, train_taker *k) {
    ppo_trainer *t = ppo_of(trainer);
    ppo_batch *b = &t->batch;
    size_t steps = (size_t)trainer->horizon, rows = (size_t)trainer->room, all = steps * rows;
    b->slot = ((size_t)trainer->full * (size_t)trainer->inputs + 15) / 16 * 16;
    b->critic_slot = ((size_t)trainer->full * (size_t)t->critic + 15) / 16 * 16;
    TRAIN_TAKE(k, b->observation, (steps + 1) * b->slot);
    TRAIN_TAKE(k, b->critic, (steps + 1) * b->critic_slot);
    TRAIN_TAKE(k, b->legal, all * (size_t)trainer->mask);
    TRAIN_TAKE(k, b->actions, all * (size_t)trainer->heads);
    TRAIN_TAKE(k, b->log_probability, all);
    TRAIN_TAKE(k, b->reward, all);
    TRAIN_TAKE(k, b->final_value, all);
    TRAIN_TAKE(k, b->advantage, all);
    TRAIN_TAKE(k, b->target, all);
    TRAIN_TAKE(k, b->value, all + rows);
    TRAIN_TAKE(k, b->flags, all + rows);
    TRAIN_TAKE(k, b->memory, (steps / (size_t)t->config.segment) * rows * t->memory);
    TRAIN_TAKE(k, b->ticks, trainer->game->tick_discount ? all : 0);
    TRAIN_TAKE(k, b->now_log_probability, t->again ? all : 0);
    TRAIN_TAKE(k, b->now_value, t->again ? all + rows : 0);
    TRAIN_TAKE(k, b->ratio, t->again ? all : 0);
    TRAIN_TAKE(k, t->win.outcome, t->win.on ? all : 0);
}

static void lay_worker(const ppo_trainer *t, train_taker *k, ppo_worker *w) {
    size_t rows = (size_t)t->base.work_rows;
    size_t units = (size_t)at_least(t->unit_chunk, LU_BLOCK_ROWS);
    TRAIN_TAKE(k, w->dlogits, rows * t->base.logits_stride);
    TRAIN_TAKE(k, w->value, rows);
    TRAIN_TAKE(k, w->dvalue, rows);
    TRAIN_TAKE(k, w->log_probability, rows);
    TRAIN_TAKE(k, w->old_log_probability, rows);
    TRAIN_TAKE(k, w->advantage, rows);
    TRAIN_TAKE(k, w->target, rows);
    TRAIN_TAKE(k, w->old_value, rows);
    TRAIN_TAKE(k, w->weight, rows);
    TRAIN_TAKE(k, w->starts, rows);
    TRAIN_TAKE(k, w->best, LU_BLOCK_ROWS);
    TRAIN_TAKE(k, w->actions, rows * (size_t)t->base.heads);
    TRAIN_TAKE(k, w->observation, rows);
    TRAIN_TAKE(k, w->critic, rows);
    TRAIN_TAKE(k, w->memory, units * t->memory);
    TRAIN_TAKE(k, w->last_critic, (size_t)LU_BLOCK_ROWS * (size_t)t->critic);
}

static void lay_rows(ppo_trainer *t, train_taker *k) {
    size_t rows = (size_t)t->base.room;
    TRAIN_TAKE(k, t->row_state, rows);
    TRAIN_TAKE(k, t->now, rows * t->memory);
    TRAIN_TAKE(k, t->discounted, rows);
    TRAIN_TAKE(k, t->varies, t->config.novelty ? (size_t)t->base.observation : 0);
    TRAIN_TAKE(k, t->final_critic, (size_t)t->base.full * (size_t)t->critic);
}

/* What a head has for all its mates. */
static void lay_shared(ppo_trainer *t, train_taker *k) {
    size_t parts = (size_t)t->base.parts;
    TRAIN_TAKE(k, t->worker, (size_t)t->base.workers);
    for (int i = 0; i < t->base.workers; i++) {
        ppo_worker none;
        lay_worker(t, k, k->arena ? &t->worker[i] : &none);
    }
    TRAIN_TAKE(k, t->spread, parts * (size_t)t->most_minibatches);
    TRAIN_TAKE(k, t->part_moments, parts * t->part_numbers);
    TRAIN_TAKE(k, t->part_judged, parts);
    TRAIN_TAKE(k, t->part_sums, parts);
}

static void lay(lu_trainer *trainer, train_taker *k) {
    ppo_trainer *t = ppo_of(trainer);
    lay_rows(t, k);
    ppo_win_lay(t, k);
    TRAIN_TAKE(k, t->shard, (size_t)trainer->shards);
    for (int i = 0; i < trainer->shards; i++) {
        double *observation = train_take(k, 2 * (size_t)trainer->inputs, sizeof(double));
        double *critic = train_take(k, 2 * (size_t)t->critic, sizeof(double));
        if (k->arena) {
            t->shard[i].moments[0] = observation;
            t->shard[i].moments[1] = critic;
        }
    }
    bool drawn = t->config.prioritise > 0.0;
    size_t minibatches = (size_t)t->most_minibatches;
    TRAIN_TAKE(k, t->index, (size_t)t->units);
    TRAIN_TAKE(k, t->weight, drawn ? (size_t)t->units : 0);
    TRAIN_TAKE(k, t->priority, drawn ? (size_t)t->units : 0);
    TRAIN_TAKE(k, t->turn, (size_t)(trainer->gradients * t->turns));
    TRAIN_TAKE(k, t->place_spread, minibatches * (size_t)trainer->gradients);
    if (trainer->head == trainer) {
        lay_shared(t, k);
    }
}

/* The normaliser of the critic block. */
static size_t outside(const lu_trainer *trainer) {
    size_t numbers = trainer->normalise_observation ? (size_t)ppo_of_const(trainer)->critic : 0;
    return 2 * numbers * (sizeof(double) + sizeof(float));
}

/* ---- rows ---- */

static void numbered(lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    count_units(t);
    for (int i = 0; i < trainer->shards; i++) {
        ppo_shard *s = &t->shard[i];
        s->base = &trainer->shard[i];
        s->row = s->base->strip[0].row;
        s->rows = 0;
        for (int l = 0; l < s->base->strips; l++) {
            s->rows += s->base->strip[l].rows;
        }
    }
    for (int row = 0; row < trainer->rows; row++) {
        t->row_state[row] = lu_vec_state(trainer->vec, trainer->row_env[row]);
    }
}

/* Rows that were nowhere begin with an episode. */
static void moved(lu_trainer *trainer, int old_rows, int changed) {
    ppo_trainer *t = ppo_of(trainer);
    size_t last = (size_t)trainer->horizon;
    uint8_t *flags = t->batch.flags + last * (size_t)trainer->rows;
    numbered(trainer);
    roster_move_rows(trainer, t->now, t->now, t->memory * sizeof *t->now, old_rows);
    roster_move_rows(trainer, t->discounted, t->discounted, sizeof *t->discounted, old_rows);
    roster_move_rows(trainer, t->batch.flags + last * (size_t)old_rows, flags, 1, old_rows);
    for (int row = 0; row < trainer->rows; row++) {
        flags[row] = trainer->roster.was[row] < 0 ? FLAG_START : flags[row];
    }
    ppo_reset_some(t, trainer->roster.changed, changed);
}

static void restart(lu_trainer *trainer, int32_t environment) {
    ppo_reset_some(ppo_of(trainer), &environment, 1);
}

/* ---- start ---- */

static void start_shared(ppo_trainer *t) {
    for (int i = 0; i < t->base.workers; i++) {
        const train_worker *w = &t->base.worker[i];
        t->worker[i].net = w->net;
        t->worker[i].logits = w->logits;
        t->worker[i].legal = w->legal;
        t->worker[i].last = w->seen;
    }
    train_normaliser(&t->base, &t->base.critic_normaliser, t->critic);
}

static void start(lu_trainer *trainer) {
    ppo_trainer *t = ppo_of(trainer);
    if (trainer->head == trainer) {
        start_shared(t);
    } else {
        t->worker = ppo_of(trainer->head)->worker;
        trainer->critic_normaliser = trainer->head->critic_normaliser;
    }
    numbered(trainer);
    t->return_scale = 1.0f;
    ppo_win_start(t);
    ppo_reset(t);
}

static void drop(lu_trainer *trainer) {
    ppo_noise_delete(ppo_of(trainer)->config.noise);
}

/* ---- an update ---- */

static void follow(lu_trainer *trainer, const lu_trainer *head) {
    ppo_trainer *t = ppo_of(trainer);
    const ppo_trainer *from = ppo_of_const(head);
    t->return_count = from->return_count;
    t->return_mean = from->return_mean;
    t->return_square = from->return_square;
    t->return_scale = from->return_scale;
}

static void begin_part(ppo_trainer *t) {
    for (int h = 0; h < t->base.heads; h++) {
        t->mini.entropy_cost[h] =
            (float)t->base.coefficient[TRAIN_ENTROPY] * t->config.head_entropy[h];
    }
    ppo_novelty_begin(t);
    t->noisy = ppo_noise_begin(t->config.noise, train_progress(&t->base), (double)t->base.updates);
}

static lu_status collect(lu_trainer *trainer, lu_error *error) {
    ppo_trainer *t = ppo_of(trainer);
    for (int m = 0; m < trainer->mates; m++) {
        begin_part(ppo_mate(t, m));
    }
    return ppo_rollout(t, error);
}

static lu_status update(lu_trainer *trainer, lu_progress *progress, lu_error *error) {
    ppo_trainer *t = ppo_of(trainer);
    for (int m = 0; m < trainer->mates; m++) {
        begin_part(ppo_mate(t, m));
    }
    double played = lu_clock_seconds();
    ppo_moments(t);
    ppo_advantages(t, false);
    double judged = lu_clock_seconds();

    LU_TRY(ppo_learn(t, progress, error));
    ppo_win_learn(t);
    trainer->steps += lu_trainer_batch(trainer);
    train_note_recent(trainer);
    t->judging = judged - played;
    t->learning = lu_clock_seconds() - judged;
    return LU_OK;
}

static double return_scale(const lu_trainer *trainer) {
    return (double)ppo_of_const(trainer)->return_scale;
}

static const trainer_kind kind = {
    .module = "train.",
    .magic = "LUTRAIN2",
    .batch = "rollout",
    .lower = "train.environments, train.horizon or net.hidden",
    .remedy = "lower train.rate or train.max_norm, or turn on train.normalise_return",
    .schedules = ppo_schedules,
    .bytes = sizeof(ppo_trainer),
    .net = LU_NET_POLICY,
    .read = ppo_config_read,
    .plan = plan,
    .lay_batch = lay_batch,
    .lay = lay,
    .outside = outside,
    .start = start,
    .moved = moved,
    .restart = restart,
    .numbered = numbered,
    .drop = drop,
    .return_scale = return_scale,
    .hash = ppo_hash,
    .hash_part = ppo_hash_part,
    .update = update,
    .collect = collect,
    .follow = follow,
    .tell = ppo_tell,
    .walk = ppo_walk,
    .walk_part = ppo_walk_part,
    .walk_weights = ppo_walk_weights,
    .walk_batch = ppo_walk_batch,
};

lu_trainer *lu_ppo_new_shared(const lu_game *game, const lu_settings *settings, const void *options,
                              const lu_comm *comm, lu_error *error) {
    return trainer_new(&kind, game, settings, options, comm, error);
}

lu_trainer *lu_ppo_new(const lu_game *game, const lu_settings *settings, const void *options,
                       lu_error *error) {
    return lu_ppo_new_shared(game, settings, options, NULL, error);
}

lu_status lu_ppo_bytes_needed(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error) {
    return trainer_bytes_needed(&kind, game, settings, need, error);
}

const lu_algorithm lu_algorithm_ppo = {
    .name = "ppo",
    .sentence = "Proximal policy optimisation, for every game.",
    .prefix = "train",
    .table = &lu_ppo_table,
    .shown = {"entropy", "kl", "policy_loss", "value_loss"},
    .profile = lu_ppo_profile,
    .bytes_needed = lu_ppo_bytes_needed,
    .make = lu_ppo_new,
    .make_shared = lu_ppo_new_shared,
};
