/* Episodes by the hundred: see watch_many.h. One job is one episode, or a block of them for an
 * agent, with its own environments, so that which thread plays it changes nothing. */
#include "watch_many.h"

#include "ludus/file.h"
#include "ludus/threads.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

typedef struct batch {
    many *m;
    int first, end;       /* episodes from, and up to before */
    lu_error failure[64]; /* one per job; a batch has at most so many */
} batch;

/* How well an episode went: the game's headline, else the return. */
static double worth(const lu_game *game, double returns, const double *info) {
    int headline = game->headline ? lu_game_info_index(game, game->headline) : -1;
    return headline >= 0 ? info[headline] : returns;
}

/* What an episode that is over gave, unless an earlier roll-out was as good. */
static void keep(many *m, int e, int roll, const lu_env *env) {
    size_t infos = (size_t)env->game->infos;
    double *info = m->info + (size_t)e * infos;
    if (roll > 0 &&
        !(worth(env->game, env->returns[0], env->info) > worth(env->game, m->returns[e], info))) {
        return;
    }
    m->roll[e] = roll;
    m->returns[e] = env->returns[0];
    m->decisions[e] = (double)env->decisions;
    m->ticks[e] = (double)env->ticks;
    m->illegal[e] = (double)env->illegal;
    m->terminated[e] = env->step.terminated;
    memcpy(info, env->info, infos * sizeof(double));
}

/* ---- a bot: one job is one episode ---- */

static void play_bot(void *context, int index) {
    batch *b = context;
    many *m = b->m;
    int e = b->first + index;
    const lu_game *game = m->session->game;
    uint64_t seed = m->first_seed + (uint64_t)e;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_env_new(game, m->session->rules);
    crew c;
    crew_init(&c, game, m->bot, m->opponent);
    lu_env_reset(env, seed, m->session->options);
    crew_begin(&c, seed);
    while (!env->over && !interrupted()) {
        crew_act_all(&c, env, actions);
        lu_env_step(env, actions);
    }
    keep(m, e, 0, env);
    crew_free(&c);
    lu_env_delete(env);
}

/* ---- an agent: one job is a block of episodes, side by side through the net ---- */

enum { BLOCK = 24 }; /* two bites of the kernels; it must not depend on the number of threads */

typedef struct tables {
    many *m;
    lu_agent *agent;
    int first, count;
    bool recorded;
    lu_env *env[BLOCK];
    crew others[BLOCK];
    lu_recorder *recorder[BLOCK];
    int32_t actions[BLOCK][LU_MAX_SEATS * LU_MAX_HEADS];
    lu_thought thought[BLOCK];
    lu_agent_ask ask[BLOCK * LU_MAX_SEATS];
} tables;

static bool records(const many *m) {
    return m->record && *m->record;
}

/* Chance is that of the seed in every roll-out; what the agent draws is not. */
static uint64_t agent_seed(uint64_t seed, int roll) {
    return roll > 0 ? lu_mix(seed, (uint64_t)roll, 4) : seed;
}

/* Readies roll-out `roll` of every episode; roll < 0: of each the one that counts. */
static void sit_down(tables *t, int roll) {
    const lu_episode *s = t->m->session;
    t->agent = lu_agent_new(&(lu_agent_settings){.file = t->m->file,
                                                 .rules = s->rules,
                                                 .episodes = t->count,
                                                 .greedy = t->m->greedy,
                                                 .thinks = t->recorded,
                                                 .temperature = t->m->temperature});
    for (int i = 0; i < t->count; i++) {
        uint64_t seed = t->m->first_seed + (uint64_t)(t->first + i);
        t->env[i] = lu_env_new(s->game, s->rules);
        lu_env_reset(t->env[i], seed, s->options);
        lu_agent_begin(t->agent, i, agent_seed(seed, roll < 0 ? t->m->roll[t->first + i] : roll));
        crew_init(&t->others[i], s->game, NULL, t->m->opponent);
        crew_begin(&t->others[i], seed);
        if (t->recorded) {
            t->recorder[i] = lu_recorder_new(t->env[i], s->settings_json, s->options_json);
        }
    }
}

/* Questions of one episode: the seats of the agent that are to move; others act at once. */
static int ask_seats(tables *t, int i, int asks) {
    const lu_env *env = t->env[i];
    const lu_game *game = env->game;
    lu_thought *thought = t->recorded ? &t->thought[i] : NULL;
    memset(&t->thought[i], 0, sizeof t->thought[i]);
    for (int seat = 0; seat < game->seats; seat++) {
        int32_t *own = t->actions[i] + seat * game->heads;
        bool moves =
            ((env->to_move >> seat) & 1) && !(game->drives && game->drives(env->rules, seat));
        if (seat > 0 && t->m->alone) {
            crew_act(&t->others[i], env, seat, own);
        } else if (moves) {
            t->ask[asks++] = (lu_agent_ask){
                .env = env, .episode = i, .seat = seat, .actions = own, .thought = thought};
            thought = NULL; /* one thought per decision: of the first seat that moves */
        } else {
            memset(own, 0, (size_t)game->heads * sizeof *own);
        }
    }
    return asks;
}

static lu_status play_on(tables *t, lu_error *error) {
    int asks = 0;
    for (int i = 0; i < t->count; i++) {
        asks = t->env[i]->over ? asks : ask_seats(t, i, asks);
    }
    lu_status status = lu_agent_act(t->agent, t->ask, asks, error);
    for (int i = 0; i < t->count && status == LU_OK; i++) {
        if (!t->env[i]->over) {
            lu_env_step(t->env[i], t->actions[i]);
            if (t->recorder[i]) {
                lu_recorder_step(t->recorder[i], t->env[i], &t->thought[i]);
            }
        }
    }
    return status;
}

static bool all_over(const tables *t) {
    for (int i = 0; i < t->count; i++) {
        if (!t->env[i]->over) {
            return false;
        }
    }
    return true;
}

static lu_status write_replay(const tables *t, int i, lu_error *error) {
    lu_text path;
    lu_text_init(&path);
    lu_text_addf(&path, "%s/%llu.ludus", t->m->record,
                 (unsigned long long)(t->m->first_seed + (uint64_t)(t->first + i)));
    lu_status status = record_write(t->recorder[i], t->env[i], path.text, error);
    lu_text_free(&path);
    return status;
}

static void stand_up(tables *t) {
    for (int i = 0; i < t->count; i++) {
        lu_recorder_delete(t->recorder[i]);
        crew_free(&t->others[i]);
        lu_env_delete(t->env[i]);
        t->recorder[i] = NULL;
    }
    lu_agent_delete(t->agent);
}

/* One roll-out of every episode of the block, kept where it is the best so far. */
static lu_status play_roll(tables *t, int roll, lu_error *error) {
    lu_status status = LU_OK;
    sit_down(t, roll);
    while (status == LU_OK && !all_over(t) && !interrupted()) {
        status = play_on(t, error);
    }
    for (int i = 0; i < t->count && status == LU_OK && !interrupted(); i++) {
        if (t->recorded) {
            status = write_replay(t, i, error);
        }
        if (roll >= 0) {
            keep(t->m, t->first + i, roll, t->env[i]);
        }
    }
    stand_up(t);
    return status;
}

/* With several roll-outs the one that counts is known at the end and played once more for its
 * record: that costs less than to hold all of them. */
static void play_agent(void *context, int index) {
    batch *b = context;
    tables *t = lu_alloc_zero(1, sizeof *t);
    lu_error *failure = &b->failure[index];
    int rolls = b->m->rolls > 1 ? b->m->rolls : 1;
    lu_status status = LU_OK;
    t->m = b->m;
    t->first = b->first + index * BLOCK;
    t->count = b->end - t->first < BLOCK ? b->end - t->first : BLOCK;
    t->recorded = records(b->m) && rolls == 1;
    for (int roll = 0; roll < rolls && status == LU_OK && !interrupted(); roll++) {
        status = play_roll(t, roll, failure);
    }
    if (records(b->m) && rolls > 1 && status == LU_OK && !interrupted()) {
        t->recorded = true;
        play_roll(t, -1, failure);
    }
    free(t);
}

/* ---- all episodes ---- */

static lu_status begin(many *m, lu_error *error) {
    size_t count = (size_t)m->episodes;
    m->returns = lu_alloc_zero(count, sizeof(double));
    m->decisions = lu_alloc_zero(count, sizeof(double));
    m->ticks = lu_alloc_zero(count, sizeof(double));
    m->illegal = lu_alloc_zero(count, sizeof(double));
    m->terminated = lu_alloc_zero(count, sizeof(double));
    m->info = lu_alloc_zero(count * (size_t)m->session->game->infos + 1, sizeof(double));
    m->roll = lu_alloc_zero(count, sizeof *m->roll);
    return records(m) ? lu_folder_make(m->record, error) : LU_OK;
}

lu_status many_play_to(many *m, int end, lu_error *error) {
    lu_status status = m->returns ? LU_OK : begin(m, error);
    lu_pool *pool = lu_pool_new(m->threads);
    int threads = lu_pool_threads(pool), size = m->file ? BLOCK : 1;
    int jobs_most = (m->file ? 1 : 4) * (threads < 16 ? threads : 16), chunk = jobs_most * size;
    while (m->played < end && !interrupted() && status == LU_OK) {
        int episodes = end - m->played < chunk ? end - m->played : chunk;
        batch b = {.m = m, .first = m->played, .end = m->played + episodes};
        int jobs = (episodes + size - 1) / size;
        lu_pool_run(pool, m->file ? play_agent : play_bot, &b, jobs);
        for (int j = 0; j < jobs && status == LU_OK; j++) {
            status = b.failure[j].status;
            if (status != LU_OK && error) {
                *error = b.failure[j];
            }
        }
        m->played += episodes;
        progress((double)m->played / m->episodes,
                 cell("%s: %d of %d episodes", m->name, m->played, m->episodes));
    }
    lu_pool_delete(pool);
    if (status == LU_OK && interrupted()) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

lu_status many_play(many *m, lu_error *error) {
    progress_start();
    lu_status status = many_play_to(m, m->episodes, error);
    progress_end();
    return status;
}

void many_free(many *m) {
    free(m->returns);
    free(m->decisions);
    free(m->ticks);
    free(m->illegal);
    free(m->terminated);
    free(m->info);
    free(m->roll);
}

/* ---- what a call asks for ---- */

lu_status many_take_seeds(many *m, const verb_call *call, lu_error *error) {
    const char *range = lu_settings_text_of(call->settings, "seeds");
    int episodes = (int)lu_settings_int(call->settings, "episodes");
    lu_status status =
        seeds_parse(*range ? range : MANY_SEEDS, &m->first_seed, &m->episodes, error);
    if (status == LU_OK && episodes > 0) {
        if (*range && episodes > m->episodes) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'seeds' = '%s' holds %d seeds, but 'episodes' = %d", range, m->episodes,
                           episodes);
        }
        m->episodes = episodes;
    }
    return status;
}

lu_status many_take_manner(many *m, const verb_call *call, lu_error *error) {
    bool greedy = lu_settings_bool(call->settings, "greedy");
    bool sample = lu_settings_bool(call->settings, "sample");
    bool q = m->file && lu_net_kind_of(m->file->net) == LU_NET_Q;
    if (greedy && sample) {
        return lu_fail(error, LU_USAGE, "--greedy and --sample exclude each other");
    }
    m->temperature = lu_settings_has(call->settings, "temperature")
                         ? lu_settings_real(call->settings, "temperature")
                         : 0.0;
    if (greedy && m->temperature > 0.0) {
        return lu_fail(error, LU_USAGE, "--greedy and --temperature exclude each other");
    }
    if (q && sample && !(m->temperature > 0.0)) {
        return lu_fail(error, LU_USAGE,
                       "model %s is a net of Q values, which has no probabilities to draw from: "
                       "leave out --sample%s",
                       m->name,
                       lu_settings_has(call->settings, "temperature") ? " or give --temperature"
                                                                      : "");
    }
    m->greedy = m->file && (greedy || (q && !(m->temperature > 0.0)));
    return LU_OK;
}
