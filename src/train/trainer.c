/* Building a trainer, whatever its kind: settings and sizes, seats and shards, one block of memory
 * for everything that lives as long as it, workers, mates, the course of an update. Left out: what
 * a kind plays and learns. */
#include "trainer.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

static const char *const common_schedules[] = {"rate",  "max_norm", "beta1",       "beta2", "eps",
                                               "decay", "gamma",    "reward_clip", NULL};

typedef struct setting_key {
    char text[64];
} setting_key;

static setting_key key_of(const lu_trainer *t, const char *name) {
    setting_key key;
    snprintf(key.text, sizeof key.text, "%s%s", t->kind->module, name);
    return key;
}

int64_t train_int(const lu_trainer *t, const char *name) {
    return lu_settings_int(t->settings, key_of(t, name).text);
}

double train_real(const lu_trainer *t, const char *name) {
    return lu_settings_real(t->settings, key_of(t, name).text);
}

int train_enum(const lu_trainer *t, const char *name) {
    return lu_settings_enum(t->settings, key_of(t, name).text);
}

bool train_bool(const lu_trainer *t, const char *name) {
    return lu_settings_bool(t->settings, key_of(t, name).text);
}

static lu_status read_settings(lu_trainer *t, lu_error *error) {
    int threads = (int)train_int(t, "threads");
    t->workers = threads > 0 ? threads : lu_cpu_count();
    t->environments = (int)train_int(t, "environments");
    t->horizon = (int)train_int(t, "horizon");
    t->minibatch = (int)train_int(t, "minibatch");
    t->steps_wanted = train_int(t, "steps");
    t->root = (uint64_t)train_int(t, "seed");
    t->parts = 1;
    t->optimiser_kind = train_enum(t, "optimiser") == 1 ? LU_MUON : LU_ADAM;
    t->normalise_observation = train_bool(t, "normalise_observation");
    t->observation_clip = (float)train_real(t, "observation_clip");
    enum { BY_GAME, BOOTSTRAP };
    int truncation = train_enum(t, "truncation");
    t->bootstrap =
        truncation == BOOTSTRAP || (truncation == BY_GAME && t->game->limit.kind == LU_LIMIT_CUT);
    t->save_failed = lu_settings_text_of(t->settings, key_of(t, "save_failed").text);
    int count = 0;
    for (const char *const *name = common_schedules; *name; name++) {
        t->schedule[count++] = lu_settings_schedule(t->settings, key_of(t, *name).text);
    }
    for (const char *const *name = t->kind->schedules; *name; name++) {
        t->schedule[count++] = lu_settings_schedule(t->settings, key_of(t, *name).text);
    }
    for (int i = 0; i < t->game->terms; i++) {
        t->weight[i] = lu_reward_schedule(t->game, t->settings, i);
    }
    LU_TRY(shape_read(t, error));
    LU_TRY(roster_read(t, error));
    LU_TRY(t->kind->read(t, error));
    t->seed = t->part ? lu_mix(t->root, TRAIN_STREAM_PART, (uint64_t)t->part) : t->root;
    return LU_OK;
}

/* ---- sizes ---- */

static lu_status plan_seats(lu_trainer *t, lu_error *error) {
    t->seats = t->game->seats;
    for (int seat = 0; seat < t->seats; seat++) {
        if (!lu_game_drives(t->game, t->rules, seat)) {
            t->learner[t->learners++] = seat;
        }
    }
    if (t->learners == 0) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "%s drives all its seats itself under these settings: leave one to the learner",
            t->game->id);
    }
    t->full = t->environments * t->seats;
    return roster_plan(t, error);
}

static lu_status plan(lu_trainer *t, lu_error *error) {
    lu_status status = plan_seats(t, error);
    t->turns = lu_game_core(t->game)->to_move != NULL;
    t->submask = lu_game_core(t->game)->submask != NULL;
    t->heads = t->game->heads;
    t->mask = lu_game_mask_length(t->game);
    t->observation = lu_game_observation_length(t->game);
    t->inputs = lu_net_inputs(t->net);
    t->logits_stride = lu_row_floats(t->mask);
    t->gradient_stride = (lu_net_parameters(t->net) + 15) / 16 * 16;
    LU_THEN(status, t->kind->plan(t, error));
    if (status == LU_OK) {
        t->shards = ceil_div(t->environments, t->shard_environments);
        int64_t updates = t->steps_wanted / ((int64_t)t->batch * t->parts);
        t->updates_total = updates > 1 ? updates : 1;
        status = roster_check(t, error);
    }
    return status;
}

/* Which parts are this process's. */
static lu_status plan_mates(lu_trainer *t, lu_error *error) {
    int ranks = t->comm ? t->comm->ranks : 1, rank = t->comm ? t->comm->rank : 0;
    if (ranks > t->parts) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "%d ranks share %d part%s of a training: set train.parts to %d or a multiple "
            "of it, with --algo ppo",
            ranks, t->parts, t->parts > 1 ? "s" : "", ranks);
    }
    t->part = train_first_part(t, rank);
    t->mates = train_first_part(t, rank + 1) - t->part;
    t->seed = t->part ? lu_mix(t->root, TRAIN_STREAM_PART, (uint64_t)t->part) : t->root;
    return LU_OK;
}

typedef lu_net *net_maker(const lu_game *, lu_net_kind, const lu_settings *, lu_error *);

/* A head without memory for what it will play and learn; `net` makes its net. */
static lu_status open_plan(lu_trainer *t, net_maker *net, const lu_settings *settings,
                           lu_error *error) {
    t->settings = lu_settings_copy(settings);
    t->rules = lu_rules_new(t->game, t->settings, error);
    lu_status status = t->rules ? read_settings(t, error) : LU_BAD_VALUE;
    if (status == LU_OK && !(t->net = net(t->game, t->kind->net, t->settings, error))) {
        status = LU_BAD_VALUE;
    }
    LU_THEN(status, plan(t, error));
    LU_THEN(status, plan_mates(t, error));
    return status;
}

static lu_trainer *blank(const trainer_kind *kind, const lu_game *game) {
    lu_trainer *t = lu_alloc_zero(1, kind->bytes);
    t->kind = kind;
    t->game = game;
    t->head = t;
    return t;
}

/* ---- memory ---- */

void *train_take(train_taker *t, size_t count, size_t bytes) {
    size_t size = (count * bytes + 63) / 64 * 64;
    t->bytes += size;
    return t->arena ? lu_arena_take(t->arena, size, 64) : NULL;
}

static void lay_scratch(lu_trainer *t, train_taker *k) {
    train_scratch *s = &t->scratch;
    size_t full = (size_t)t->full, environments = (size_t)t->environments;
    TRAIN_TAKE(k, s->actions, full * (size_t)t->heads);
    TRAIN_TAKE(k, s->mask, full * (size_t)t->mask);
    TRAIN_TAKE(k, s->reward, full);
    TRAIN_TAKE(k, s->terms, full * (size_t)t->game->terms);
    TRAIN_TAKE(k, s->final_observation, full * (size_t)t->observation);
    TRAIN_TAKE(k, s->final_info, full * (size_t)t->game->infos);
    TRAIN_TAKE(k, s->ticks, environments);
    TRAIN_TAKE(k, s->terminated, environments);
    TRAIN_TAKE(k, s->truncated, environments);
    TRAIN_TAKE(k, s->illegal, environments);
    TRAIN_TAKE(k, s->to_move, environments);
    TRAIN_TAKE(k, s->finals, (size_t)t->horizon * (size_t)t->room);
}

static void lay_worker(const lu_trainer *t, train_taker *k, train_worker *w) {
    size_t rows = (size_t)t->work_rows;
    TRAIN_TAKE(k, w->logits, rows * t->logits_stride);
    TRAIN_TAKE(k, w->legal, rows * (size_t)t->mask);
    size_t frames = (size_t)lu_net_frames(t->net)->depth;
    TRAIN_TAKE(k, w->seen, (size_t)LU_BLOCK_ROWS * (size_t)t->observation * frames);
}

/* What a head has for all its mates. */
static void lay_shared(lu_trainer *t, train_taker *k) {
    size_t pieces = (t->gradient_stride + TRAIN_PIECE - 1) / TRAIN_PIECE;
    TRAIN_TAKE(k, t->worker, (size_t)t->workers);
    for (int i = 0; i < t->workers; i++) {
        train_worker none;
        lay_worker(t, k, k->arena ? &t->worker[i] : &none);
    }
    TRAIN_TAKE(k, t->gradient, (size_t)t->mates * (size_t)t->gradients * t->gradient_stride);
    TRAIN_TAKE(k, t->square, pieces);
}

static void lay_all(lu_trainer *t, train_taker *k) {
    size_t rows = (size_t)t->room;
    t->kind->lay_batch(t, k);
    lay_scratch(t, k);
    frames_lay(t, k);
    TRAIN_TAKE(k, t->learns, (size_t)t->environments);
    TRAIN_TAKE(k, t->row_env, rows);
    TRAIN_TAKE(k, t->row_full, rows);
    TRAIN_TAKE(k, t->row_seat, rows);
    TRAIN_TAKE(k, t->rng, rows);
    TRAIN_TAKE(k, t->returns, rows);
    TRAIN_TAKE(k, t->lengths, rows);
    TRAIN_TAKE(k, t->shard, (size_t)t->shards);
    if (t->head == t) {
        lay_shared(t, k);
    }
    roster_lay(t, k);
    t->kind->lay(t, k);
}

/* Net, optimiser, normalisers and work spaces: what lies outside the arena. */
static size_t outside_bytes(const lu_trainer *t) {
    size_t numbers = t->normalise_observation ? (size_t)t->inputs : 0;
    size_t work = lu_arena_room(lu_net_work_bytes(t->net, t->work_rows));
    return lu_arena_room(lu_net_bytes(t->net)) + lu_optimiser_bytes(t->optimiser_kind, t->net) +
           (size_t)t->workers * work + 2 * numbers * (sizeof(double) + sizeof(float)) +
           t->kind->outside(t);
}

static void add_need(lu_training_need *need, const char *name, size_t bytes) {
    need->part[need->parts++] = (lu_figure){name, (double)bytes};
    need->total += bytes;
}

lu_status trainer_bytes_needed(const trainer_kind *kind, const lu_game *game,
                               const lu_settings *settings, lu_training_need *need,
                               lu_error *error) {
    *need = (lu_training_need){.lower = kind->lower};
    lu_trainer *t = blank(kind, game);
    lu_status status = open_plan(t, lu_net_plan, settings, error);
    if (status == LU_OK) {
        train_taker all = {0}, batch = {0}, shared = {0};
        size_t parts = (size_t)t->mates;
        lay_all(t, &all);
        lay_shared(t, &shared);
        kind->lay_batch(t, &batch);
        add_need(need, kind->batch, parts * batch.bytes);
        add_need(need, "environments",
                 t->rules->bytes + parts * lu_vec_bytes(t->rules, t->environments));
        size_t head = lu_arena_room(all.bytes + 64),
               mate = lu_arena_room(all.bytes - shared.bytes + 64);
        add_need(need, "learning",
                 head + (parts - 1) * mate - parts * batch.bytes + outside_bytes(t));
    }
    lu_trainer_delete(t);
    return status;
}

/* ---- rows ---- */

static int add_strip(train_strip *strip, int count, train_strip next) {
    if (next.rows > 0) {
        strip[count++] = next;
    }
    return count;
}

/* First environments in which every seat learns, then those with opponents, in which the seat that
 * learns goes round. */
int train_strips(const lu_trainer *t, int first, int count, train_strip *strip) {
    int learners = t->learners, seats = t->seats, from = t->roster.from, strips = 0;
    int round = t->roster.first; /* where the seats begin to take turns */
    int end = first + count, own = at_most(end, from) - first, other = at_least(first, from);
    if (learners == seats && !t->kind->by_seat) {
        train_strip all = {first * seats, own * seats, first * seats, 1};
        strips = add_strip(strip, strips, all);
    } else {
        for (int l = 0; l < learners; l++) {
            int row = t->kind->by_seat ? l * from + first : first * learners + l * own;
            train_strip one = {row, own, first * seats + t->learner[l], seats};
            strips = add_strip(strip, strips, one);
        }
    }
    int row = from * learners + other - from;
    for (int l = 0; l < learners; l++) {
        int e = other + (l + learners - (other - round) % learners) % learners;
        int rows = at_least(ceil_div(end - e, learners), 0);
        train_strip one = {row, rows, e * seats + t->learner[l], learners * seats};
        strips = add_strip(strip, strips, one);
        row += rows;
    }
    return strips;
}

static void number_shard(lu_trainer *t, train_shard *s, int first) {
    s->first = first;
    s->count = at_most(t->shard_environments, t->environments - first);
    s->strips = train_strips(t, first, s->count, s->strip);
    for (int i = 0; i < s->strips; i++) {
        for (int r = 0; r < s->strip[i].rows; r++) {
            int row = s->strip[i].row + r, full = s->strip[i].full + r * s->strip[i].stride;
            t->row_full[row] = full;
            t->row_env[row] = full / t->seats;
            t->row_seat[row] = (uint8_t)(full % t->seats);
        }
    }
}

void train_number(lu_trainer *t) {
    for (int i = 0; i < t->shards; i++) {
        number_shard(t, &t->shard[i], i * t->shard_environments);
    }
    memset(t->learns, 0, (size_t)t->environments);
    for (int row = 0; row < t->rows; row++) {
        uint8_t *learns = &t->learns[t->row_env[row]];
        *learns = (uint8_t)(*learns | 1u << t->row_seat[row]);
    }
}

/* ---- start and end ---- */

void train_normaliser(const lu_trainer *t, lu_normaliser *normaliser, int numbers) {
    lu_normaliser_init(normaliser, t->normalise_observation ? numbers : 0);
    normaliser->clip = t->observation_clip;
}

/* What mates have together. */
static void make_shared(lu_trainer *t) {
    for (int i = 0; i < t->workers; i++) {
        t->worker[i].net = lu_net_work_new(t->net, t->work_rows);
    }
    train_normaliser(t, &t->normaliser, t->inputs);
    lu_optimiser_init(&t->optimiser, t->optimiser_kind, t->net);
    lu_net_init(t->net, lu_mix(t->root, 1, 0));
    lu_net_pack(t->net);
    train_parts_make(t);
}

static void take_shared(lu_trainer *t) {
    const lu_trainer *head = t->head;
    size_t number = (size_t)(t->part - head->part);
    t->worker = head->worker;
    t->pool = head->pool;
    t->gradient = head->gradient + number * (size_t)t->gradients * t->gradient_stride;
    t->normaliser = head->normaliser;
}

static void make_rest(lu_trainer *t) {
    train_taker size = {0};
    lay_all(t, &size);
    lu_arena_init(&t->arena, size.bytes + 64);
    train_taker real = {&t->arena, 0};
    lay_all(t, &real);
    if (t->head == t) {
        make_shared(t);
    } else {
        take_shared(t);
    }
    train_number(t);
    for (int row = 0; row < t->rows; row++) {
        t->rng[row] = lu_rng_from(lu_mix(t->seed, 3, (uint64_t)row));
    }
    t->shared_work = 2e7;
    roster_start(t);
    t->kind->start(t);
}

/* What a planned trainer needs to play. */
static lu_status make_player(lu_trainer *t, const void *options, lu_error *error) {
    t->policy = lu_policy_of(t->game, t->rules);
    t->vec =
        lu_vec_new(t->game, t->rules, t->environments, lu_mix(t->seed, 2, 0), 1, options, error);
    if (!t->vec) {
        return error->status;
    }
    make_rest(t);
    return LU_OK;
}

/* The other parts of this process. */
static lu_status make_mates(lu_trainer *head, const void *options, lu_error *error) {
    lu_status status = LU_OK;
    for (int m = 1; m < head->mates && status == LU_OK; m++) {
        lu_trainer *t = head->mate[m] = blank(head->kind, head->game);
        t->head = head;
        t->part = head->part + m;
        t->settings = head->settings;
        t->rules = head->rules;
        t->net = head->net;
        status = read_settings(t, error);
        LU_THEN(status, plan(t, error));
        LU_THEN(status, make_player(t, options, error));
    }
    return status;
}

lu_trainer *trainer_new(const trainer_kind *kind, const lu_game *game, const lu_settings *settings,
                        const void *options, const lu_comm *comm, lu_error *error) {
    lu_trainer *t = blank(kind, game);
    t->comm = comm && comm->ranks > 1 ? comm : NULL;
    lu_status status = open_plan(t, lu_net_new_blank, settings, error);
    if (t->comm && !t->comm->share) { /* for playing alone */
        t->comm = NULL;
        t->partial = true;
    }
    if (status == LU_OK) {
        t->mate = lu_alloc_zero((size_t)t->mates, sizeof(lu_trainer *));
        t->mate[0] = t;
        t->pool = lu_pool_new(t->workers);
        status = make_player(t, options, error);
    }
    LU_THEN(status, make_mates(t, options, error));
    if (status != LU_OK) {
        t->comm = NULL; /* nobody follows */
        lu_trainer_delete(t);
        return NULL;
    }
    return t;
}

static void drop_shared(lu_trainer *t) {
    for (int i = 0; t->worker && i < t->workers; i++) {
        lu_net_work_delete(t->worker[i].net);
    }
    lu_normaliser_free(&t->normaliser);
    lu_normaliser_free(&t->critic_normaliser);
    lu_optimiser_free(&t->optimiser);
    lu_pool_delete(t->pool);
    lu_net_delete(t->net);
    train_parts_drop(t);
    train_ranks_drop(t);
    free(t->names);
    free(t->mate);
}

void lu_trainer_delete(lu_trainer *t) {
    if (!t) {
        return;
    }
    if (t->mate) {
        train_call(t, CALL_END);
    }
    for (int m = 1; t->mate && m < t->mates; m++) {
        lu_trainer_delete(t->mate[m]);
    }
    if (t->kind->drop) {
        t->kind->drop(t);
    }
    roster_drop(t);
    shape_drop(t);
    if (t->head == t) {
        drop_shared(t);
    }
    lu_arena_free(&t->arena);
    lu_vec_delete(t->vec);
    if (t->head == t) {
        lu_rules_delete(t->rules);
        lu_settings_delete(t->settings);
    }
    free(t);
}

/* ---- threads ---- */

/* Jobs of some microseconds are faster on the calling thread than shared: waking the others costs
 * as much, and on a busy machine far more. */
void train_run(const lu_trainer *t, lu_pool_job *job, void *context, int jobs, double work) {
    lu_pool_run(jobs > 1 && work >= t->shared_work ? t->pool : NULL, job, context, jobs);
}

void train_run_part(void *context, int index) {
    const parts_job *p = context;
    p->job(p->head->mate[index / p->each], index % p->each);
}

void train_run_parts(const lu_trainer *t, lu_pool_job *job, int each, double work) {
    parts_job parts = {t, job, each};
    train_run(t, train_run_part, &parts, t->mates * each, work * (double)t->mates);
}

/* ---- an update ---- */

void lu_trainer_set_watch(lu_trainer *trainer, const lu_watch *watch) {
    trainer->watch = watch;
}

lu_status train_tell(lu_trainer *trainer, double share, const char *what, lu_error *error) {
    static const double apart = 0.1; /* seconds */
    lu_trainer *t = trainer->head;
    if (!t->watch || lu_pool_self() != 0) {
        return LU_OK;
    }
    double now = lu_clock_seconds();
    if (now - t->told < apart) {
        return LU_OK;
    }
    t->told = now;
    lu_watch_tell(t->watch, share, what);
    return lu_watch_stops(t->watch) ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

double train_progress(const lu_trainer *t) {
    double progress = (double)t->updates / (double)t->updates_total;
    return progress > 1.0 ? 1.0 : progress;
}

static void read_schedules(lu_trainer *t) {
    double progress = train_progress(t);
    for (int i = 0; i < TRAIN_MOST && t->schedule[i]; i++) {
        t->coefficient[i] = lu_schedule_at(t->schedule[i], progress, (double)t->updates);
    }
    /* the environments read them at every step; the hash of the rules stays that of the end */
    for (int i = 0; i < t->game->terms; i++) {
        if (t->weight[i]) {
            t->rules->weight[i] = lu_schedule_at(t->weight[i], progress, (double)t->updates);
        }
    }
}

void train_follow(lu_trainer *head) {
    for (int m = 1; m < head->mates; m++) {
        lu_trainer *t = head->mate[m];
        t->updates = head->updates;
        t->steps = head->steps;
        t->normaliser = head->normaliser;
        t->critic_normaliser = head->critic_normaliser;
        t->kind->follow(t, head);
    }
}

static lu_status begin_part(lu_trainer *t, lu_error *error) {
    LU_TRY(roster_begin(t, error));
    read_schedules(t);
    for (int i = 0; i < t->shards; i++) {
        memset(&t->shard[i].sums, 0, sizeof t->shard[i].sums);
    }
    return LU_OK;
}

lu_status train_begin(lu_trainer *t, lu_error *error) {
    if (t->begun) {
        return LU_OK;
    }
    lu_status status = t->trouble.status;
    if (status != LU_OK) {
        *error = t->trouble;
    }
    *t->exchanging = 0.0;
    train_follow(t);
    for (int m = 0; m < t->mates && status == LU_OK; m++) {
        status = begin_part(t->mate[m], error);
    }
    status = lu_comm_agree(t->comm, status, error);
    t->begun = status == LU_OK;
    return status;
}

lu_status train_collect(lu_trainer *t, lu_error *error) {
    LU_TRY(train_begin(t, error));
    double start = lu_clock_seconds();
    lu_status status = t->kind->collect ? t->kind->collect(t, error) : LU_OK;
    t->collecting = lu_clock_seconds() - start;
    t->collected = status == LU_OK;
    return status;
}

lu_status train_learn(lu_trainer *t, lu_progress *p, lu_error *error) {
    memset(p, 0, sizeof *p);
    LU_TRY(train_begin(t, error));
    double start = lu_clock_seconds();
    p->rollout = t->collecting;
    LU_TRY(t->kind->update(t, p, error));
    /* what nets see by changes between updates only */
    lu_normaliser_freeze(&t->normaliser);
    lu_normaliser_freeze(&t->critic_normaliser);
    t->updates++;
    t->begun = t->collected = false;
    train_follow(t);
    p->seconds = lu_clock_seconds() - start + t->collecting;
    t->collecting = 0.0;
    train_statistics(t, p);
    t->kind->tell(t, p);
    return LU_OK;
}

lu_status lu_trainer_update(lu_trainer *t, lu_progress *progress, lu_error *error) {
    lu_progress unwanted;
    train_call(t, CALL_UPDATE);
    LU_TRY(train_collect(t, error));
    return train_learn(t, progress ? progress : &unwanted, error);
}

lu_status train_diverged(const lu_trainer *t, const char *what, lu_error *error) {
    return lu_fail(error, LU_DIVERGED, "%s: the %s of update %lld is NaN or infinite; %s",
                   t->game->id, what, (long long)t->updates + 1, t->kind->remedy);
}
