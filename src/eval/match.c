/* Matches: see match.h. One job is one episode, or a block of them where an agent plays, with its
 * own environments, so that which thread plays it changes nothing. */
#include "ludus/match.h"

#include "ludus/file.h"
#include "ludus/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 24,    /* episodes side by side through a net: two bites of the kernels; it must not
                      depend on the number of threads */
    MOST_JOBS = 64 /* of one run of the pool */
};

typedef struct batch {
    lu_match *m;
    int first, end, size; /* episodes from, and up to before; of one job */
    lu_error *failure;    /* of each job */
} batch;

static int seats_of(const lu_match *m) {
    return m->episode->game->seats;
}

static int seatings_of(const lu_match *m) {
    return m->seatings > 1 ? m->seatings : 1;
}

static bool stopped(const lu_match *m) {
    return m->stop && m->stop(m->context);
}

static bool records(const lu_match *m) {
    return m->record && *m->record;
}

static bool has_agent(const lu_match *m) {
    for (int p = 0; p < seats_of(m); p++) {
        if (m->player[p] && m->player[p]->kind == LU_PLAYER_AGENT) {
            return true;
        }
    }
    return false;
}

/* ---- results ---- */

uint64_t lu_match_seed(const lu_match *m, int e) {
    return m->first_seed + (uint64_t)(e / seatings_of(m));
}

int lu_match_seat(const lu_match *m, int e, int player) {
    return (player + m->seat + e % seatings_of(m)) % seats_of(m);
}

double lu_match_return(const lu_match *m, int e, int player) {
    return m->returns[e * seats_of(m) + player];
}

static double *info_at(const lu_match *m, int e, int player) {
    size_t row = (size_t)e * (size_t)seats_of(m) + (size_t)player;
    return m->info + row * (size_t)m->episode->game->infos;
}

const double *lu_match_info(const lu_match *m, int e, int player) {
    return info_at(m, e, player);
}

void lu_match_replay(const lu_match *m, int e, lu_text *path) {
    int turn = e % seatings_of(m);
    lu_text_addf(path, "%s/%llu", m->record, (unsigned long long)lu_match_seed(m, e));
    if (turn > 0) {
        lu_text_addf(path, "-%d", turn);
    }
    lu_text_add(path, ".ludus");
}

/* How well an episode went: the game's headline, else the return. */
static double worth(const lu_game *game, double returns, const double *info) {
    int headline = game->headline ? lu_game_info_index(game, game->headline) : -1;
    return headline >= 0 ? info[headline] : returns;
}

/* Sums over the decisions of the first player in an episode. */
typedef struct foreseen {
    double count, sum, square;
} foreseen;

static int won_index(const lu_game *game) {
    int info = lu_game_info_index(game, "won");
    return info >= 0 && game->info[info].kind == LU_INFO_FLAG ? info : -1;
}

static bool predicts(const lu_match *m) {
    const lu_player *first = m->player[0];
    return first->kind == LU_PLAYER_AGENT && first->file->win_rate &&
           won_index(m->episode->game) >= 0;
}

/* 1 for a win, half for a draw: nobody has won in a game for several. */
static double outcome(const lu_env *env, int seat) {
    const lu_game *game = env->game;
    int won = won_index(game), winners = 0;
    for (int s = 0; s < game->seats; s++) {
        winners += env->info[s * game->infos + won] != 0;
    }
    bool own = env->info[seat * game->infos + won] != 0;
    return own ? 1.0 : game->seats > 1 && winners == 0 ? 0.5 : 0.0;
}

static void keep_foreseen(lu_match *m, int e, const foreseen *f, const lu_env *env) {
    double came = outcome(env, lu_match_seat(m, e, 0)), count = f->count > 0 ? f->count : 1;
    m->win_rate[e] = f->sum / count;
    m->win_miss[e] = (f->square - 2 * came * f->sum) / count + came * came;
}

/* What an episode that is over gave, unless an earlier roll-out was as good. */
static void keep(lu_match *m, int e, int roll, const foreseen *f, const lu_env *env) {
    const lu_game *game = env->game;
    int first = lu_match_seat(m, e, 0);
    if (roll > 0 && !(worth(game, env->returns[first], env->info + first * game->infos) >
                      worth(game, lu_match_return(m, e, 0), info_at(m, e, 0)))) {
        return;
    }
    m->roll[e] = roll;
    m->decisions[e] = (double)env->decisions;
    m->ticks[e] = (double)env->ticks;
    m->illegal[e] = (double)env->illegal;
    m->terminated[e] = env->step.terminated;
    if (m->win_rate) {
        keep_foreseen(m, e, f, env);
    }
    for (int p = 0; p < game->seats; p++) {
        int seat = lu_match_seat(m, e, p);
        m->returns[e * game->seats + p] = env->returns[seat];
        memcpy(info_at(m, e, p), env->info + seat * game->infos,
               (size_t)game->infos * sizeof(double));
    }
}

/* ---- a block of episodes ---- */

typedef struct block {
    lu_match *m;
    lu_crew *crew;
    int first, count;
    bool recorded, thinks; /* this time */
    lu_env *env[BLOCK];
    lu_recorder *recorder[BLOCK];
    int32_t actions[BLOCK][LU_MAX_SEATS * LU_MAX_HEADS];
    lu_thought thoughts[BLOCK][LU_MAX_SEATS];
    float win_rates[BLOCK][LU_MAX_SEATS];
    foreseen foreseen[BLOCK];
    lu_crew_ask ask[BLOCK];
} block;

/* Chance is that of the seed in every roll-out; what agents draw is not. */
static uint64_t agent_seed(uint64_t seed, int roll) {
    return roll > 0 ? lu_mix(seed, (uint64_t)roll, 4) : seed;
}

/* Readies roll-out `roll` of every episode; roll < 0: of each the one that counts. */
static void block_begin(block *t, int roll) {
    const lu_match *m = t->m;
    const lu_episode *of = m->episode;
    const lu_player *player[LU_MAX_SEATS] = {m->player[0]};
    for (int p = 1; p < of->game->seats; p++) {
        player[p] = m->player[p] ? m->player[p] : player[p - 1];
    }
    t->thinks = t->recorded && has_agent(m);
    t->crew = lu_crew_new(of->game, of->rules, player, t->count, t->thinks);
    for (int i = 0; i < t->count; i++) {
        int e = t->first + i;
        uint64_t seed = lu_match_seed(m, e);
        t->env[i] = lu_env_new(of->game, of->rules);
        t->foreseen[i] = (foreseen){0};
        lu_env_reset(t->env[i], seed, of->options);
        lu_crew_begin(t->crew, i, seed, agent_seed(seed, roll < 0 ? m->roll[e] : roll),
                      lu_match_seat(m, e, 0));
        if (t->recorded) {
            t->recorder[i] = lu_recorder_new(t->env[i], of->settings_json, of->options_json);
        }
    }
}

/* One decision of every episode that is not over; *open says whether one was left. */
static lu_status play_on(block *t, bool *open, lu_error *error) {
    int asks = 0;
    for (int i = 0; i < t->count; i++) {
        if (!t->env[i]->over) {
            t->ask[asks++] =
                (lu_crew_ask){t->env[i], i, t->actions[i], t->thinks ? t->thoughts[i] : NULL,
                              t->m->win_rate ? t->win_rates[i] : NULL};
        }
    }
    *open = asks > 0;
    lu_status status = lu_crew_act(t->crew, t->ask, asks, error);
    for (int n = 0; n < asks && status == LU_OK; n++) {
        int i = t->ask[n].episode;
        float p = t->m->win_rate ? t->win_rates[i][lu_match_seat(t->m, t->first + i, 0)] : NAN;
        if (!isnan(p)) {
            t->foreseen[i].count += 1;
            t->foreseen[i].sum += (double)p;
            t->foreseen[i].square += (double)p * (double)p;
        }
        lu_env_step(t->env[i], t->actions[i]);
        if (t->recorder[i]) {
            lu_recorder_step(t->recorder[i], t->env[i], t->ask[n].thoughts);
        }
    }
    return status;
}

static lu_status write_replay(const block *t, int i, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_match_replay(t->m, t->first + i, &path);
    lu_status status = lu_recorder_write(t->recorder[i], t->env[i], path.text, error);
    lu_text_free(&path);
    return status;
}

static void block_end(block *t) {
    for (int i = 0; i < t->count; i++) {
        lu_recorder_delete(t->recorder[i]);
        lu_env_delete(t->env[i]);
        t->recorder[i] = NULL;
    }
    lu_crew_delete(t->crew);
}

/* One roll-out of every episode of the block, kept where it is the best so far. */
static lu_status play_roll(block *t, int roll, lu_error *error) {
    lu_status status = LU_OK;
    bool open = true;
    block_begin(t, roll);
    while (status == LU_OK && open && !stopped(t->m)) {
        status = play_on(t, &open, error);
    }
    for (int i = 0; i < t->count && status == LU_OK && !open; i++) {
        if (t->recorded) {
            status = write_replay(t, i, error);
        }
        if (roll >= 0) {
            keep(t->m, t->first + i, roll, &t->foreseen[i], t->env[i]);
        }
    }
    block_end(t);
    return status;
}

/* With several roll-outs the one that counts is known at the end and played once more for its
 * record: that costs less than to hold all of them. */
static void play_block(void *context, int index) {
    batch *b = context;
    lu_match *m = b->m;
    block *t = lu_alloc_zero(1, sizeof *t);
    lu_error *failure = &b->failure[index];
    int rolls = m->rolls > 1 ? m->rolls : 1;
    lu_status status = LU_OK;
    t->m = m;
    t->first = b->first + index * b->size;
    t->count = b->end - t->first < b->size ? b->end - t->first : b->size;
    t->recorded = records(m) && rolls == 1;
    for (int roll = 0; roll < rolls && status == LU_OK && !stopped(m); roll++) {
        status = play_roll(t, roll, failure);
    }
    if (records(m) && rolls > 1 && status == LU_OK && !stopped(m)) {
        t->recorded = true;
        play_roll(t, -1, failure);
    }
    free(t);
}

/* ---- all episodes ---- */

static lu_status begin(lu_match *m, lu_error *error) {
    size_t count = (size_t)m->episodes, rows = count * (size_t)seats_of(m);
    m->returns = lu_alloc_zero(rows, sizeof(double));
    m->decisions = lu_alloc_zero(count, sizeof(double));
    m->ticks = lu_alloc_zero(count, sizeof(double));
    m->illegal = lu_alloc_zero(count, sizeof(double));
    m->terminated = lu_alloc_zero(count, sizeof(double));
    m->info = lu_alloc_zero(rows * (size_t)m->episode->game->infos + 1, sizeof(double));
    m->roll = lu_alloc_zero(count, sizeof *m->roll);
    if (predicts(m)) {
        m->win_rate = lu_alloc_zero(count, sizeof(double));
        m->win_miss = lu_alloc_zero(count, sizeof(double));
    }
    return records(m) ? lu_folder_make(m->record, error) : LU_OK;
}

/* ---- ranks ---- */

static int ranks_of(const lu_match *m) {
    return m->comm ? m->comm->ranks : 1;
}

/* Where a rank begins in a round of `episodes`, each rank with `chunk` of them. */
static int rank_first(const lu_match *m, int rank, int chunk, int episodes) {
    int first = rank * chunk < episodes ? rank * chunk : episodes;
    return m->played + first;
}

/* All get what each has played of a round, of rows of `size` bytes. */
static void share_rows(const lu_match *m, void *rows, size_t size, int chunk, int episodes,
                       size_t *at, size_t *bytes) {
    for (int r = 0; r < m->comm->ranks; r++) {
        int first = rank_first(m, r, chunk, episodes), end = rank_first(m, r + 1, chunk, episodes);
        at[r] = (size_t)first * size;
        bytes[r] = (size_t)(end - first) * size;
    }
    m->comm->share(m->comm->context, rows, at, bytes);
}

static lu_status share_round(const lu_match *m, int chunk, int episodes, lu_status status,
                             lu_error *error) {
    if (!m->comm) {
        return status;
    }
    LU_TRY(lu_comm_agree(m->comm, status, error));
    size_t *at = lu_alloc_zero(2 * (size_t)m->comm->ranks, sizeof *at),
           *bytes = at + m->comm->ranks;
    size_t seats = (size_t)seats_of(m), one = sizeof(double);
    double *single[] = {m->decisions,  m->ticks,    m->illegal,
                        m->terminated, m->win_rate, m->win_miss};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
        if (single[i]) {
            share_rows(m, single[i], one, chunk, episodes, at, bytes);
        }
    }
    share_rows(m, m->returns, seats * one, chunk, episodes, at, bytes);
    share_rows(m, m->info, seats * (size_t)m->episode->game->infos * one, chunk, episodes, at,
               bytes);
    share_rows(m, m->roll, sizeof *m->roll, chunk, episodes, at, bytes);
    free(at);
    return LU_OK;
}

/* Whether rank 0 was stopped, which ends it for all. */
static bool all_stopped(const lu_match *m) {
    int stop = stopped(m);
    if (m->comm) {
        m->comm->spread(m->comm->context, &stop, sizeof stop);
    }
    return stop;
}

/* The part of a round that this process plays, on all threads. */
static lu_status play_round(lu_match *m, lu_pool *pool, int first, int end, int size,
                            lu_error *error) {
    int jobs = (end - first + size - 1) / size;
    lu_error *failure = lu_alloc_zero((size_t)jobs + 1, sizeof *failure);
    batch b = {.m = m, .first = first, .end = end, .size = size, .failure = failure};
    lu_pool_run(pool, play_block, &b, jobs);
    lu_status status = LU_OK;
    for (int j = 0; j < jobs && status == LU_OK; j++) {
        status = failure[j].status;
        if (status != LU_OK && error) {
            *error = failure[j];
        }
    }
    free(failure);
    return status;
}

lu_status lu_match_play_to(lu_match *m, int end, lu_error *error) {
    lu_error own;
    lu_status status = m->returns ? LU_OK : begin(m, error);
    lu_pool *pool = lu_pool_new(m->threads);
    bool blocks = has_agent(m), stop = false;
    int threads = lu_pool_threads(pool), most = MOST_JOBS / 4, size = blocks ? BLOCK : 1;
    int chunk = (threads < most ? threads : most) * (blocks ? BLOCK : 4), ranks = ranks_of(m);
    int rank = m->comm ? m->comm->rank : 0;
    error = error ? error : &own;
    if (m->comm) { /* processors may differ */
        m->comm->spread(m->comm->context, &chunk, sizeof chunk);
        status = lu_comm_agree(m->comm, status, error);
    }
    while (m->played < end && status == LU_OK && !(stop = all_stopped(m))) {
        int left = end - m->played, episodes = left / ranks < chunk ? left : chunk * ranks;
        int part = ((episodes + ranks - 1) / ranks + size - 1) / size * size;
        status = play_round(m, pool, rank_first(m, rank, part, episodes),
                            rank_first(m, rank + 1, part, episodes), size, error);
        status = share_round(m, part, episodes, status, error);
        m->played += episodes;
        if (m->progress) {
            m->progress(m->context, m);
        }
    }
    lu_pool_delete(pool);
    if (status == LU_OK && (stop || all_stopped(m))) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

lu_status lu_match_play(lu_match *m, lu_error *error) {
    return lu_match_play_to(m, m->episodes, error);
}

void lu_match_free(lu_match *m) {
    free(m->returns);
    free(m->decisions);
    free(m->ticks);
    free(m->illegal);
    free(m->terminated);
    free(m->info);
    free(m->roll);
    free(m->win_rate);
    free(m->win_miss);
}
