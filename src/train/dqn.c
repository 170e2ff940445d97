/* Building a DQN trainer: sizes from settings and game, one block of memory for everything that
 * lives as long as it, and the course of an update. Left out: what the parts of an update do. */
#include "dqn_inside.h"

#include "ludus/clock.h"

#include <stdlib.h>
#include <string.h>

enum { DQN_SHARDS = 16 }; /* shards of environments that are wanted at least */

/* ---- sizes ---- */

static int at_least(int a, int b) {
    return a > b ? a : b;
}

static int at_most(int a, int b) {
    return a < b ? a : b;
}

static int ceil_div(int a, int b) {
    return (a + b - 1) / b;
}

/* Environments of a shard: whole dozens, as many as the kernels take at once, up to a block. It
 * must not depend on the number of threads. */
static int shard_environments(const lu_dqn *d) {
    int dozens = ceil_div(ceil_div(d->config.environments, DQN_SHARDS), 12);
    return at_most(at_least(dozens, 1) * 12, LU_BLOCK_ROWS);
}

static lu_status plan_seats(lu_dqn *d, lu_error *error) {
    d->seats = d->game->seats;
    for (int seat = 0; seat < d->seats; seat++) {
        if (!d->game->drives || !d->rules || !d->game->drives(d->rules, seat)) {
            d->learner[d->learners++] = seat;
        }
    }
    if (d->learners == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s drives all its seats itself under these settings: leave one to learn",
                       d->game->id);
    }
    return LU_OK;
}

static lu_status plan_buffer(lu_dqn *d, lu_error *error) {
    const dqn_config *c = &d->config;
    int64_t slots = c->buffer / d->rows, least = dqn_buffer_least(c->horizon, c->steps_ahead);
    if (slots < least) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'dqn.replay' = %lld leaves %lld steps to each of %d rows, and a round "
                       "with dqn.horizon = %d and dqn.steps_ahead = %d needs %lld: raise it to "
                       "%lld",
                       (long long)c->buffer, (long long)slots, d->rows, c->horizon, c->steps_ahead,
                       (long long)least, (long long)(least * d->rows));
    }
    d->buffer = (dqn_buffer){.rows = d->rows,
                             .slots = (int)slots,
                             .steps = c->steps_ahead,
                             .sight = d->observation,
                             .mask = d->mask,
                             .heads = d->heads};
    return LU_OK;
}

static lu_status plan(lu_dqn *d, lu_error *error) {
    const dqn_config *c = &d->config;
    lu_status status = plan_seats(d, error);
    if (status != LU_OK) {
        return status;
    }
    int64_t batch = (int64_t)c->environments * c->horizon * c->rounds;
    if (batch * d->seats > (int64_t)1 << 30) {
        return lu_fail(error, LU_LIMIT,
                       "%d environments x %d seats x %d steps x %d rounds are too many for one "
                       "update: lower dqn.environments, dqn.horizon or dqn.rounds",
                       c->environments, d->seats, c->horizon, c->rounds);
    }
    d->full = c->environments * d->seats;
    d->rows = c->environments * d->learners;
    d->heads = d->game->heads;
    d->mask = lu_game_mask_length(d->game);
    d->observation = lu_game_observation_length(d->game);
    d->q_stride = lu_row_floats(d->mask);
    d->shards = ceil_div(c->environments, shard_environments(d));
    d->workers = c->threads > 0 ? c->threads : lu_cpu_count();
    d->gradient_stride = (lu_net_parameters(d->net) + 15) / 16 * 16;
    d->updates_total = c->steps / batch > 1 ? c->steps / batch : 1;
    dqn_minibatch_size(&d->mini, c->minibatch);
    return plan_buffer(d, error);
}

/* ---- memory ---- */

static void lay_scratch(lu_dqn *d, train_taker *k) {
    dqn_scratch *s = &d->scratch;
    size_t full = (size_t)d->full, environments = (size_t)d->config.environments;
    TRAIN_TAKE(k, s->actions, full * (size_t)d->heads);
    TRAIN_TAKE(k, s->observation, full * (size_t)d->observation);
    TRAIN_TAKE(k, s->final_observation, full * (size_t)d->observation);
    TRAIN_TAKE(k, s->mask, full * (size_t)d->mask);
    TRAIN_TAKE(k, s->final_mask, full * (size_t)d->mask);
    TRAIN_TAKE(k, s->reward, full);
    TRAIN_TAKE(k, s->terms, full * (size_t)d->game->terms);
    TRAIN_TAKE(k, s->final_info, environments * (size_t)d->game->infos);
    TRAIN_TAKE(k, s->ticks, environments);
    TRAIN_TAKE(k, s->terminated, environments);
    TRAIN_TAKE(k, s->truncated, environments);
    TRAIN_TAKE(k, s->illegal, environments);
    TRAIN_TAKE(k, s->finals, (size_t)d->config.horizon * (size_t)d->rows);
}

static void lay_worker(const lu_dqn *d, train_taker *k, dqn_worker *w) {
    size_t rows = LU_BLOCK_ROWS;
    TRAIN_TAKE(k, w->q, rows * d->q_stride);
    TRAIN_TAKE(k, w->other, rows * d->q_stride);
    TRAIN_TAKE(k, w->dq, rows * d->q_stride);
    TRAIN_TAKE(k, w->value, rows);
    TRAIN_TAKE(k, w->target, rows);
    TRAIN_TAKE(k, w->error, rows);
    TRAIN_TAKE(k, w->weight, rows);
    TRAIN_TAKE(k, w->best, rows);
    TRAIN_TAKE(k, w->next, rows * (size_t)d->observation);
    TRAIN_TAKE(k, w->legal, rows * (size_t)d->mask);
    TRAIN_TAKE(k, w->actions, rows * (size_t)d->heads);
    TRAIN_TAKE(k, w->observation, rows);
}

static void lay_all(lu_dqn *d, train_taker *k) {
    size_t rows = (size_t)d->rows, places = (size_t)d->config.minibatch;
    dqn_buffer_lay(&d->buffer, k);
    lay_scratch(d, k);
    TRAIN_TAKE(k, d->rng, rows);
    TRAIN_TAKE(k, d->returns, rows);
    TRAIN_TAKE(k, d->lengths, rows);
    TRAIN_TAKE(k, d->shard, (size_t)d->shards);
    TRAIN_TAKE(k, d->worker, (size_t)d->workers);
    for (int i = 0; i < d->workers; i++) {
        dqn_worker none;
        lay_worker(d, k, k->arena ? &d->worker[i] : &none);
    }
    TRAIN_TAKE(k, d->mini.index, places);
    TRAIN_TAKE(k, d->mini.weight, places);
    TRAIN_TAKE(k, d->mini.error, places);
    TRAIN_TAKE(k, d->gradient, (size_t)d->mini.gradients * d->gradient_stride);
}

/* Nets, optimiser, normaliser and work spaces: what lies outside the arena. */
static size_t net_bytes(const lu_dqn *d) {
    size_t numbers = d->config.normalise_observation ? (size_t)d->observation : 0;
    return 2 * lu_net_bytes(d->net) + lu_optimiser_bytes(d->config.optimiser, d->net) +
           (size_t)d->workers * lu_net_work_bytes(d->net, LU_BLOCK_ROWS) +
           2 * numbers * (sizeof(double) + sizeof(float));
}

lu_status lu_dqn_memory(const lu_game *game, const lu_settings *settings, lu_dqn_need *need,
                        lu_error *error) {
    lu_dqn d = {.game = game};
    *need = (lu_dqn_need){0};
    lu_status status = dqn_config_read(game, settings, &d.config, error);
    /* only the model knows which seats the game drives, and the size of a state */
    lu_rules *rules = NULL;
    if (status == LU_OK && !(rules = lu_rules_new(game, settings, error))) {
        status = LU_BAD_VALUE;
    }
    d.rules = rules;
    if (status == LU_OK && !(d.net = lu_net_plan(game, LU_NET_Q, settings, error))) {
        status = LU_BAD_VALUE;
    }
    if (status == LU_OK) {
        status = plan(&d, error);
    }
    if (status == LU_OK) {
        train_taker all = {0}, buffer = {0};
        lay_all(&d, &all);
        dqn_buffer_lay(&d.buffer, &buffer);
        need->buffer = buffer.bytes;
        need->environments = lu_vec_bytes(rules, d.config.environments);
        need->learning = all.bytes - buffer.bytes + net_bytes(&d);
        need->total = need->buffer + need->environments + need->learning;
    }
    lu_net_delete(d.net);
    lu_rules_delete(rules);
    return status;
}

/* ---- start ---- */

static void make_rest(lu_dqn *d) {
    const dqn_config *c = &d->config;
    train_taker size = {0};
    lay_all(d, &size);
    lu_arena_init(&d->arena, size.bytes + 64);
    train_large_pages(&d->arena);
    train_taker real = {&d->arena, 0};
    lay_all(d, &real);
    for (int i = 0; i < d->workers; i++) {
        atomic_flag_clear(&d->worker[i].busy);
        d->worker[i].net = lu_net_work_new(d->net, LU_BLOCK_ROWS);
    }
    int each = shard_environments(d);
    for (int i = 0; i < d->shards; i++) {
        d->shard[i].first = i * each;
        d->shard[i].count = at_most(each, c->environments - i * each);
    }
    for (int row = 0; row < d->rows; row++) {
        d->rng[row] = lu_rng_from(lu_mix(c->seed, 3, (uint64_t)row));
    }
    lu_normaliser_init(&d->normaliser, c->normalise_observation ? d->observation : 0);
    lu_optimiser_init(&d->optimiser, c->optimiser, d->net);
    lu_net_init(d->net, lu_mix(c->seed, 1, 0));
    lu_net_pack(d->net);
    d->target = lu_net_copy(d->net);
    d->top = 1.0;
    d->shared_work = 2e7;
    dqn_reset(d);
}

lu_dqn *lu_dqn_new(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                   const void *options, lu_error *error) {
    lu_dqn *d = lu_alloc_zero(1, sizeof *d);
    d->game = game;
    d->rules = rules;
    d->settings = lu_settings_copy(settings);
    d->k = lu_kernels_best();
    d->policy = lu_policy_of(game, rules);
    if (dqn_config_read(game, d->settings, &d->config, error) != LU_OK ||
        !(d->net = lu_net_new_blank(game, LU_NET_Q, d->settings, error)) ||
        plan(d, error) != LU_OK) {
        lu_dqn_delete(d);
        return NULL;
    }
    d->pool = lu_pool_new(d->workers);
    d->vec = lu_vec_new(game, rules, d->config.environments, lu_mix(d->config.seed, 2, 0), 1,
                        options, error);
    if (!d->vec) {
        lu_dqn_delete(d);
        return NULL;
    }
    make_rest(d);
    return d;
}

void lu_dqn_delete(lu_dqn *dqn) {
    if (!dqn) {
        return;
    }
    for (int i = 0; dqn->worker && i < dqn->workers; i++) {
        lu_net_work_delete(dqn->worker[i].net);
    }
    lu_normaliser_free(&dqn->normaliser);
    lu_optimiser_free(&dqn->optimiser);
    lu_arena_free(&dqn->arena);
    lu_pool_delete(dqn->pool);
    lu_vec_delete(dqn->vec);
    lu_net_delete(dqn->target);
    lu_net_delete(dqn->net);
    lu_settings_delete(dqn->settings);
    free(dqn);
}

/* There are as many workers as threads, so that one is always free. */
dqn_worker *dqn_worker_take(lu_dqn *dqn) {
    for (int i = 0;; i = (i + 1) % dqn->workers) {
        if (!atomic_flag_test_and_set_explicit(&dqn->worker[i].busy, memory_order_acquire)) {
            return &dqn->worker[i];
        }
    }
}

void dqn_worker_give(dqn_worker *worker) {
    atomic_flag_clear_explicit(&worker->busy, memory_order_release);
}

/* Jobs of some microseconds are faster on the calling thread than shared. */
void dqn_run(const lu_dqn *dqn, lu_pool_job *job, void *context, int jobs, double work) {
    lu_pool_run(jobs > 1 && work >= dqn->shared_work ? dqn->pool : NULL, job, context, jobs);
}

/* ---- an update ---- */

static void read_schedules(lu_dqn *d) {
    double progress = (double)d->updates / (double)d->updates_total;
    progress = progress > 1.0 ? 1.0 : progress;
    for (int i = 0; i < DQN_COEFFICIENTS; i++) {
        d->coefficient[i] = lu_schedule_at(d->config.schedule[i], progress, (double)d->updates);
    }
}

/* What was seen in this round joins the moments; the frozen copies change between updates only. */
static void add_moments(lu_dqn *d) {
    size_t n = (size_t)d->observation;
    for (int l = 0; l < d->learners && d->normaliser.length; l++) {
        lu_normaliser_add(&d->normaliser, d->config.environments,
                          d->scratch.observation + (size_t)d->learner[l] * n, (size_t)d->seats * n);
    }
}

static lu_status learn_round(lu_dqn *d, lu_dqn_stats *s, lu_error *error) {
    lu_status status = LU_OK;
    for (int i = 0; i < d->config.gradient_steps && status == LU_OK; i++) {
        double start = lu_clock_seconds();
        dqn_draw(d);
        double drawn = lu_clock_seconds();
        status = dqn_learn(d, error);
        double learned = lu_clock_seconds();
        if (status == LU_OK) {
            dqn_prioritise(d);
            dqn_note_minibatch(d, s);
        }
        double weighed = lu_clock_seconds();
        if (status == LU_OK) {
            dqn_move_target(d);
        }
        s->priorities += (drawn - start) + (weighed - learned);
        s->learn += learned - drawn;
        s->move += lu_clock_seconds() - weighed;
    }
    return status;
}

static lu_status run_round(lu_dqn *d, lu_dqn_stats *s, lu_error *error) {
    bool warm = d->steps >= d->config.warmup;
    d->epsilon = warm ? d->coefficient[DQN_EPSILON] : 1.0;
    double start = lu_clock_seconds();
    lu_status status = dqn_play(d, error);
    double played = lu_clock_seconds();
    s->rollout += played - start;
    if (status != LU_OK) {
        return status;
    }
    d->steps += (int64_t)d->config.environments * d->config.horizon;
    add_moments(d);
    dqn_buffer_note(&d->buffer, d->top);
    dqn_note_round(d);
    s->priorities += lu_clock_seconds() - played;
    bool ready = d->steps >= d->config.warmup && d->buffer.tree.used > 0;
    return ready ? learn_round(d, s, error) : LU_OK;
}

lu_status lu_dqn_update(lu_dqn *d, lu_dqn_stats *stats, lu_error *error) {
    lu_dqn_stats unwanted;
    lu_dqn_stats *s = stats ? stats : &unwanted;
    memset(s, 0, sizeof *s);
    read_schedules(d);
    for (int i = 0; i < d->shards; i++) {
        memset(&d->shard[i].sums, 0, sizeof d->shard[i].sums);
    }
    double start = lu_clock_seconds();
    for (int round = 0; round < d->config.rounds; round++) {
        lu_status status = run_round(d, s, error);
        if (status != LU_OK) {
            return status;
        }
    }
    lu_normaliser_freeze(&d->normaliser);
    d->updates++;
    s->seconds = lu_clock_seconds() - start;
    s->steps_per_second = (double)lu_dqn_batch(d) / (s->seconds > 0.0 ? s->seconds : 1e-9);
    dqn_statistics(d, s);
    return LU_OK;
}

bool lu_dqn_done(const lu_dqn *dqn) {
    return dqn->updates >= dqn->updates_total;
}

/* ---- what others ask ---- */

int64_t lu_dqn_updates(const lu_dqn *dqn) {
    return dqn->updates;
}

int64_t lu_dqn_updates_total(const lu_dqn *dqn) {
    return dqn->updates_total;
}

int64_t lu_dqn_steps(const lu_dqn *dqn) {
    return dqn->steps;
}

int lu_dqn_batch(const lu_dqn *dqn) {
    return dqn->config.environments * dqn->config.horizon * dqn->config.rounds;
}

int lu_dqn_rows(const lu_dqn *dqn) {
    return dqn->rows;
}

int lu_dqn_threads(const lu_dqn *dqn) {
    return lu_pool_threads(dqn->pool);
}

lu_net *lu_dqn_net(lu_dqn *dqn) {
    return dqn->net;
}

lu_net *lu_dqn_target(lu_dqn *dqn) {
    return dqn->target;
}

lu_vec *lu_dqn_vec(lu_dqn *dqn) {
    return dqn->vec;
}

const lu_normaliser *lu_dqn_normaliser(const lu_dqn *dqn) {
    return dqn->normaliser.length ? &dqn->normaliser : NULL;
}
