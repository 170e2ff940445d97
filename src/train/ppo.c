/* Building a trainer: sizes from settings and game, one block of memory for everything that lives
 * as long as it, and the course of an update. Left out: what the parts of an update do. */
#include "ppo_inside.h"

#include "ludus/clock.h"

#include <stdlib.h>
#include <string.h>

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

/* Environments of a shard: a block of rows, or less when that leaves too few shards to share; a
 * dozen rows is what the kernels take at once. It must not depend on the number of threads. */
static int shard_environments(const lu_train *t) {
    int rows = ceil_div(t->rows, TRAIN_SHARDS);
    rows = ceil_div(rows, TRAIN_DOZEN) * TRAIN_DOZEN;
    rows = at_most(at_least(rows, TRAIN_DOZEN), LU_BLOCK_ROWS);
    return at_least(rows / t->learners, 1);
}

static void plan_units(lu_train *t) {
    const train_config *c = &t->config;
    t->by_segment = t->memory > 0 || c->prioritise > 0.0;
    t->unit_steps = t->by_segment ? c->segment : 1;
    t->units = t->rows * (c->horizon / t->unit_steps);
    t->minibatches = at_least(t->units / at_least(c->minibatch / t->unit_steps, 1), 1);
    t->largest = ceil_div(t->units, t->minibatches);
    train_minibatch_size(t, &t->mini, t->largest);
    /* the gradient of the weights is visited once per chunk: two blocks of rows halve that, more
     * would leave the second cache */
    int chunk = t->by_segment ? TRAIN_CHUNK_ROWS / t->unit_steps : 2 * LU_BLOCK_ROWS;
    /* no shard is longer than this */
    int share = (t->largest / t->mini.gradients / t->mini.grain + 2) * t->mini.grain;
    t->unit_chunk = at_least(at_most(chunk, share), 1);
}

static lu_status plan_seats(lu_train *t, lu_error *error) {
    t->seats = t->game->seats;
    for (int seat = 0; seat < t->seats; seat++) {
        if (!t->game->drives || !t->rules || !t->game->drives(t->rules, seat)) {
            t->learner[t->learners++] = seat;
        }
    }
    if (t->learners > 0) {
        return LU_OK;
    }
    lu_fail(error, LU_BAD_VALUE,
            "%s drives all its seats itself under these settings: leave one to learn", t->game->id);
    return LU_BAD_VALUE;
}

static lu_status plan(lu_train *t, lu_error *error) {
    const train_config *c = &t->config;
    lu_status status = plan_seats(t, error);
    if (status != LU_OK) {
        return status;
    }
    int64_t full = (int64_t)c->environments * t->seats;
    if (full * (c->horizon + 1) > (int64_t)1 << 30) {
        return lu_fail(error, LU_LIMIT,
                       "%d environments x %d seats x %d steps are too many rows for one batch: "
                       "lower train.environments or train.horizon",
                       c->environments, t->seats, c->horizon);
    }
    t->full = (int)full;
    t->rows = c->environments * t->learners;
    t->heads = t->game->heads;
    t->mask = lu_game_mask_length(t->game);
    t->observation = lu_game_observation_length(t->game);
    t->critic = lu_net_critic_inputs(t->net);
    t->memory = lu_net_memory_floats(t->net);
    t->logits_stride = lu_row_floats(t->mask);
    t->kept = lu_net_kept_bytes(t->net);
    t->turns = lu_game_core(t->game)->to_move != NULL;
    t->submask = lu_game_core(t->game)->submask != NULL;
    t->tick_discount = t->game->tick_discount;
    t->again = c->recompute && c->epochs > 1;
    t->shards = ceil_div(c->environments, shard_environments(t));
    t->workers = c->threads > 0 ? c->threads : lu_cpu_count();
    t->gradient_stride = (lu_net_parameters(t->net) + 15) / 16 * 16;
    int64_t batch = (int64_t)c->environments * c->horizon;
    t->updates_total = c->steps / batch > 1 ? c->steps / batch : 1;
    plan_units(t);
    return LU_OK;
}

/* ---- memory ---- */

static void lay_batch(lu_train *t, train_taker *k) {
    train_batch *b = &t->batch;
    const train_config *c = &t->config;
    size_t steps = (size_t)c->horizon, rows = (size_t)t->rows, all = steps * rows;
    b->slot = ((size_t)t->full * (size_t)t->observation + 15) / 16 * 16;
    b->critic_slot = ((size_t)t->full * (size_t)t->critic + 15) / 16 * 16;
    TRAIN_TAKE(k, b->observation, (steps + 1) * b->slot);
    TRAIN_TAKE(k, b->critic, (steps + 1) * b->critic_slot);
    TRAIN_TAKE(k, b->legal, all * (size_t)t->mask);
    TRAIN_TAKE(k, b->actions, all * (size_t)t->heads);
    TRAIN_TAKE(k, b->log_probability, all);
    TRAIN_TAKE(k, b->reward, all);
    TRAIN_TAKE(k, b->final_value, all);
    TRAIN_TAKE(k, b->advantage, all);
    TRAIN_TAKE(k, b->target, all);
    TRAIN_TAKE(k, b->finals, all);
    TRAIN_TAKE(k, b->value, all + rows);
    TRAIN_TAKE(k, b->flags, all + rows);
    TRAIN_TAKE(k, b->memory, (steps / (size_t)c->segment) * rows * t->memory);
    TRAIN_TAKE(k, b->ticks, t->tick_discount ? all : 0);
    TRAIN_TAKE(k, b->now_log_probability, t->again ? all : 0);
    TRAIN_TAKE(k, b->now_value, t->again ? all + rows : 0);
    TRAIN_TAKE(k, b->ratio, t->again ? all : 0);
}

static void lay_scratch(lu_train *t, train_taker *k) {
    train_scratch *s = &t->scratch;
    size_t full = (size_t)t->full, environments = (size_t)t->config.environments;
    TRAIN_TAKE(k, s->actions, full * (size_t)t->heads);
    TRAIN_TAKE(k, s->mask, full * (size_t)t->mask);
    TRAIN_TAKE(k, s->reward, full);
    TRAIN_TAKE(k, s->terms, full * (size_t)t->game->terms);
    TRAIN_TAKE(k, s->final_observation, full * (size_t)t->observation);
    TRAIN_TAKE(k, s->final_critic, full * (size_t)t->critic);
    TRAIN_TAKE(k, s->final_info, environments * (size_t)t->game->infos);
    TRAIN_TAKE(k, s->ticks, environments);
    TRAIN_TAKE(k, s->terminated, environments);
    TRAIN_TAKE(k, s->truncated, environments);
    TRAIN_TAKE(k, s->illegal, environments);
    TRAIN_TAKE(k, s->to_move, environments);
}

static void lay_worker(lu_train *t, train_taker *k, train_worker *w) {
    size_t rows = (size_t)at_least(t->unit_chunk * t->unit_steps, LU_BLOCK_ROWS);
    size_t units = (size_t)at_least(t->unit_chunk, LU_BLOCK_ROWS);
    TRAIN_TAKE(k, w->logits, rows * t->logits_stride);
    TRAIN_TAKE(k, w->dlogits, rows * t->logits_stride);
    TRAIN_TAKE(k, w->value, rows);
    TRAIN_TAKE(k, w->dvalue, rows);
    TRAIN_TAKE(k, w->log_probability, rows);
    TRAIN_TAKE(k, w->old_log_probability, rows);
    TRAIN_TAKE(k, w->advantage, rows);
    TRAIN_TAKE(k, w->target, rows);
    TRAIN_TAKE(k, w->old_value, rows);
    TRAIN_TAKE(k, w->weight, rows);
    TRAIN_TAKE(k, w->legal, rows * (size_t)t->mask);
    TRAIN_TAKE(k, w->starts, rows);
    TRAIN_TAKE(k, w->actions, rows * (size_t)t->heads);
    TRAIN_TAKE(k, w->observation, rows);
    TRAIN_TAKE(k, w->critic, rows);
    TRAIN_TAKE(k, w->memory, units * t->memory);
    TRAIN_TAKE(k, w->last, (size_t)LU_BLOCK_ROWS * (size_t)t->observation);
    TRAIN_TAKE(k, w->last_critic, (size_t)LU_BLOCK_ROWS * (size_t)t->critic);
}

static void lay_rows(lu_train *t, train_taker *k) {
    size_t rows = (size_t)t->rows;
    TRAIN_TAKE(k, t->row_env, rows);
    TRAIN_TAKE(k, t->row_full, rows);
    TRAIN_TAKE(k, t->row_seat, rows);
    TRAIN_TAKE(k, t->row_state, rows);
    TRAIN_TAKE(k, t->rng, rows);
    TRAIN_TAKE(k, t->now, rows * t->memory);
    TRAIN_TAKE(k, t->returns, rows);
    TRAIN_TAKE(k, t->lengths, rows);
    TRAIN_TAKE(k, t->discounted, rows);
}

static void lay_all(lu_train *t, train_taker *k) {
    lay_batch(t, k);
    lay_scratch(t, k);
    lay_rows(t, k);
    TRAIN_TAKE(k, t->shard, (size_t)t->shards);
    for (int i = 0; i < t->shards; i++) {
        double *observation = train_take(k, 2 * (size_t)t->observation, sizeof(double));
        double *critic = train_take(k, 2 * (size_t)t->critic, sizeof(double));
        if (k->arena) {
            t->shard[i].moments[0] = observation;
            t->shard[i].moments[1] = critic;
        }
    }
    TRAIN_TAKE(k, t->worker, (size_t)t->workers);
    for (int i = 0; i < t->workers; i++) {
        train_worker none;
        lay_worker(t, k, k->arena ? &t->worker[i] : &none);
    }
    bool drawn = t->config.prioritise > 0.0;
    TRAIN_TAKE(k, t->mini.index, (size_t)t->largest);
    TRAIN_TAKE(k, t->mini.weight, drawn ? (size_t)t->largest : 0);
    TRAIN_TAKE(k, t->priority, drawn ? (size_t)t->units : 0);
    TRAIN_TAKE(k, t->gradient, (size_t)t->mini.gradients * t->gradient_stride);
}

static int work_rows(const lu_train *t) {
    return at_least(t->unit_chunk * t->unit_steps, LU_BLOCK_ROWS);
}

/* Net, optimiser, normalisers and work spaces: what lies outside the arena. */
static size_t net_bytes(const lu_train *t) {
    size_t numbers = t->config.normalise_observation ? (size_t)(t->observation + t->critic) : 0;
    return lu_net_bytes(t->net) + lu_optimiser_bytes(t->config.optimiser, t->net) +
           (size_t)t->workers * lu_net_work_bytes(t->net, work_rows(t)) +
           2 * numbers * (sizeof(double) + sizeof(float));
}

lu_status lu_train_memory(const lu_game *game, const lu_settings *settings, lu_train_need *need,
                          lu_error *error) {
    lu_train t = {.game = game, .settings = (lu_settings *)settings};
    *need = (lu_train_need){0};
    lu_status status = train_config_read(game, settings, &t.config, error);
    /* only the model knows which seats the game drives, and the size of a state */
    lu_rules *rules = NULL;
    if (status == LU_OK && !(rules = lu_rules_new(game, settings, error))) {
        status = LU_BAD_VALUE;
    }
    t.rules = rules;
    if (status == LU_OK && !(t.net = lu_net_plan(game, LU_NET_POLICY, settings, error))) {
        status = LU_BAD_VALUE;
    }
    if (status == LU_OK) {
        status = plan(&t, error);
    }
    if (status == LU_OK) {
        train_taker all = {0}, batch = {0};
        lay_all(&t, &all);
        lay_batch(&t, &batch);
        need->rollout = batch.bytes;
        need->environments = lu_vec_bytes(rules, t.config.environments);
        need->learning = all.bytes - batch.bytes + net_bytes(&t);
        need->total = need->rollout + need->environments + need->learning;
    }
    lu_net_delete(t.net);
    lu_rules_delete(rules);
    return status;
}

/* ---- start ---- */

static void make_shards(lu_train *t) {
    int size = shard_environments(t), environments = t->config.environments;
    for (int i = 0; i < t->shards; i++) {
        train_shard *s = &t->shard[i];
        s->first = i * size;
        s->count = at_most(size, environments - s->first);
        s->row = s->first * t->learners;
        s->rows = s->count * t->learners;
        if (t->learners == t->seats) {
            s->lane[s->lanes++] = (train_lane){s->row, s->rows, s->row, 1};
        }
        for (int l = 0; l < t->learners && t->learners < t->seats; l++) {
            s->lane[s->lanes++] = (train_lane){s->row + l * s->count, s->count,
                                               s->first * t->seats + t->learner[l], t->seats};
        }
        for (int l = 0; l < s->lanes; l++) {
            for (int r = 0; r < s->lane[l].rows; r++) {
                int row = s->lane[l].row + r, full = s->lane[l].full + r * s->lane[l].stride;
                t->row_full[row] = full;
                t->row_env[row] = full / t->seats;
                t->row_seat[row] = (uint8_t)(full % t->seats);
                t->row_state[row] = lu_vec_state(t->vec, full / t->seats);
            }
        }
    }
}

static void make_rest(lu_train *t) {
    const train_config *c = &t->config;
    train_taker size = {0};
    lay_all(t, &size);
    lu_arena_init(&t->arena, size.bytes + 64);
    train_large_pages(&t->arena);
    train_taker real = {&t->arena, 0};
    lay_all(t, &real);
    for (int i = 0; i < t->workers; i++) {
        atomic_flag_clear(&t->worker[i].busy);
        t->worker[i].net = lu_net_work_new(t->net, work_rows(t));
    }
    make_shards(t);
    for (int row = 0; row < t->rows; row++) {
        t->rng[row] = lu_rng_from(lu_mix(c->seed, 3, (uint64_t)row));
    }
    lu_normaliser_init(&t->normaliser, c->normalise_observation ? t->observation : 0);
    lu_normaliser_init(&t->critic_normaliser, c->normalise_observation ? t->critic : 0);
    lu_optimiser_init(&t->optimiser, c->optimiser, t->net);
    lu_net_init(t->net, lu_mix(c->seed, 1, 0));
    lu_net_pack(t->net);
    t->return_scale = 1.0f;
    t->shared_work = 2e7;
    train_reset(t);
}

lu_train *lu_train_new(const lu_game *game, const lu_rules *rules, const lu_settings *settings,
                       const void *options, lu_error *error) {
    lu_train *t = lu_alloc_zero(1, sizeof *t);
    t->game = game;
    t->rules = rules;
    t->settings = lu_settings_copy(settings);
    t->k = lu_kernels_best();
    t->policy = lu_policy_of(game, rules);
    if (train_config_read(game, t->settings, &t->config, error) != LU_OK ||
        !(t->net = lu_net_new_blank(game, LU_NET_POLICY, t->settings, error)) ||
        plan(t, error) != LU_OK) {
        lu_train_delete(t);
        return NULL;
    }
    t->pool = lu_pool_new(t->workers);
    t->vec = lu_vec_new(game, rules, t->config.environments, lu_mix(t->config.seed, 2, 0), 1,
                        options, error);
    if (!t->vec) {
        lu_train_delete(t);
        return NULL;
    }
    make_rest(t);
    return t;
}

void lu_train_delete(lu_train *train) {
    if (!train) {
        return;
    }
    for (int i = 0; train->worker && i < train->workers; i++) {
        lu_net_work_delete(train->worker[i].net);
    }
    lu_normaliser_free(&train->normaliser);
    lu_normaliser_free(&train->critic_normaliser);
    lu_optimiser_free(&train->optimiser);
    lu_arena_free(&train->arena);
    lu_pool_delete(train->pool);
    lu_vec_delete(train->vec);
    lu_net_delete(train->net);
    lu_settings_delete(train->settings);
    free(train);
}

train_worker *train_worker_take(lu_train *train) {
    for (int i = 0;; i = (i + 1) % train->workers) {
        if (!atomic_flag_test_and_set_explicit(&train->worker[i].busy, memory_order_acquire)) {
            return &train->worker[i];
        }
    }
}

void train_worker_give(train_worker *worker) {
    atomic_flag_clear_explicit(&worker->busy, memory_order_release);
}

/* Jobs of some microseconds are faster on the calling thread than shared: waking the others costs
 * as much, and on a busy machine far more. */
void train_run(const lu_train *train, lu_pool_job *job, void *context, int jobs, double work) {
    lu_pool_run(jobs > 1 && work >= train->shared_work ? train->pool : NULL, job, context, jobs);
}

/* ---- an update ---- */

static void read_schedules(lu_train *t) {
    double progress = (double)t->updates / (double)t->updates_total;
    progress = progress > 1.0 ? 1.0 : progress;
    for (int i = 0; i < TRAIN_COEFFICIENTS; i++) {
        t->coefficient[i] = lu_schedule_at(t->config.schedule[i], progress, (double)t->updates);
    }
    for (int h = 0; h < t->heads; h++) {
        t->mini.entropy_cost[h] = (float)t->coefficient[TRAIN_ENTROPY] * t->config.head_entropy[h];
    }
}

lu_status lu_train_update(lu_train *t, lu_train_stats *stats, lu_error *error) {
    lu_train_stats unwanted;
    lu_train_stats *s = stats ? stats : &unwanted;
    memset(s, 0, sizeof *s);
    read_schedules(t);

    double start = lu_clock_seconds();
    lu_status status = train_rollout(t, error);
    double played = lu_clock_seconds();
    if (status != LU_OK) {
        return status;
    }

    train_moments(t);
    train_advantages(t, false);
    double judged = lu_clock_seconds();

    status = train_learn(t, s, error);
    if (status != LU_OK) {
        return status;
    }
    /* the normalisers change only between batches */
    lu_normaliser_freeze(&t->normaliser);
    lu_normaliser_freeze(&t->critic_normaliser);
    t->updates++;
    t->steps += lu_train_batch(t);
    double end = lu_clock_seconds();

    s->rollout = played - start;
    s->advantages = judged - played;
    s->learn = end - judged;
    s->seconds = end - start;
    s->steps_per_second = (double)lu_train_batch(t) / (s->seconds > 0.0 ? s->seconds : 1e-9);
    train_statistics(t, s);
    return LU_OK;
}

bool lu_train_done(const lu_train *train) {
    return train->updates >= train->updates_total;
}

/* ---- what others ask ---- */

int64_t lu_train_updates(const lu_train *train) {
    return train->updates;
}

int64_t lu_train_updates_total(const lu_train *train) {
    return train->updates_total;
}

int64_t lu_train_steps(const lu_train *train) {
    return train->steps;
}

int lu_train_batch(const lu_train *train) {
    return train->config.environments * train->config.horizon;
}

int lu_train_rows(const lu_train *train) {
    return train->rows;
}

int lu_train_threads(const lu_train *train) {
    return lu_pool_threads(train->pool);
}

lu_net *lu_train_net(lu_train *train) {
    return train->net;
}

lu_vec *lu_train_vec(lu_train *train) {
    return train->vec;
}

const lu_normaliser *lu_train_normaliser(const lu_train *train) {
    return train->normaliser.length ? &train->normaliser : NULL;
}

const lu_normaliser *lu_train_critic_normaliser(const lu_train *train) {
    return train->critic_normaliser.length ? &train->critic_normaliser : NULL;
}

double lu_train_return_scale(const lu_train *train) {
    return (double)train->return_scale;
}
