/* Episodes by the hundred: see watch_many.h. One job is one episode, or a block of them for an
 * agent, with its own environments, so that which thread plays it changes nothing. */
#include "watch_many.h"

#include "ludus/file.h"
#include "ludus/threads.h"
#include "output.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
    many *m;
    int first;
    lu_error failure[64]; /* one per job; a batch has at most so many */
} batch;

/* What an episode that is over gave. */
static void keep(many *m, int e, const lu_env *env) {
    size_t infos = (size_t)env->game->infos;
    m->returns[e] = env->returns[0];
    m->decisions[e] = (double)env->decisions;
    m->ticks[e] = (double)env->ticks;
    m->illegal[e] = (double)env->illegal;
    m->terminated[e] = env->step.terminated;
    memcpy(m->info + (size_t)e * infos, env->info, infos * sizeof(double));
}

/* ---- a bot: one job is one episode ---- */

static void play_bot(void *context, int index) {
    batch *b = context;
    many *m = b->m;
    int e = b->first + index;
    const lu_game *game = m->session->game;
    uint64_t seed = m->first_seed + (uint64_t)e;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_env_new(game, m->session->model);
    crew c;
    crew_init(&c, game, m->bot, m->opponent);
    lu_env_reset(env, seed, m->session->options);
    crew_begin(&c, seed);
    while (!env->over && !interrupted()) {
        crew_act_all(&c, env, actions);
        lu_env_step(env, actions);
    }
    keep(m, e, env);
    crew_free(&c);
    lu_env_delete(env);
}

/* ---- an agent: one job is a block of episodes, side by side through the net ---- */

enum { BLOCK = 24 }; /* two bites of the kernels; it must not depend on the number of threads */

typedef struct tables {
    many *m;
    lu_agent *agent;
    int first, count;
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

static void sit_down(tables *t) {
    const session *s = t->m->session;
    t->agent = lu_agent_new(&(lu_agent_settings){.file = t->m->file,
                                                 .model = s->model,
                                                 .episodes = t->count,
                                                 .greedy = t->m->greedy,
                                                 .thinks = records(t->m)});
    for (int i = 0; i < t->count; i++) {
        uint64_t seed = t->m->first_seed + (uint64_t)(t->first + i);
        t->env[i] = lu_env_new(s->game, s->model);
        lu_env_reset(t->env[i], seed, s->options);
        lu_agent_begin(t->agent, i, seed);
        crew_init(&t->others[i], s->game, NULL, t->m->opponent);
        crew_begin(&t->others[i], seed);
        if (records(t->m)) {
            t->recorder[i] = lu_recorder_new(t->env[i], s->settings_json, s->options_json);
        }
    }
}

/* Questions of one episode: the seats of the agent that are to move; others act at once. */
static int ask_seats(tables *t, int i, int asks) {
    const lu_env *env = t->env[i];
    const lu_game *game = env->game;
    lu_thought *thought = records(t->m) ? &t->thought[i] : NULL;
    memset(&t->thought[i], 0, sizeof t->thought[i]);
    for (int seat = 0; seat < game->seats; seat++) {
        int32_t *own = t->actions[i] + seat * game->heads;
        bool moves =
            ((env->to_move >> seat) & 1) && !(game->drives && game->drives(env->model, seat));
        if (seat > 0 && t->m->alone) {
            crew_act(&t->others[i], env, seat, own);
        } else if (moves) {
            t->ask[asks++] = (lu_agent_ask){env, i, seat, own, thought};
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

static void play_agent(void *context, int index) {
    batch *b = context;
    tables *t = lu_alloc_zero(1, sizeof *t);
    lu_error *failure = &b->failure[index];
    t->m = b->m;
    t->first = b->first + index * BLOCK;
    t->count = b->m->episodes - t->first < BLOCK ? b->m->episodes - t->first : BLOCK;
    sit_down(t);
    lu_status status = LU_OK;
    while (status == LU_OK && !all_over(t) && !interrupted()) {
        status = play_on(t, failure);
    }
    for (int i = 0; i < t->count; i++) {
        keep(t->m, t->first + i, t->env[i]);
        if (t->recorder[i] && status == LU_OK && !interrupted()) {
            status = write_replay(t, i, failure);
        }
        lu_recorder_delete(t->recorder[i]);
        crew_free(&t->others[i]);
        lu_env_delete(t->env[i]);
    }
    lu_agent_delete(t->agent);
    free(t);
}

/* ---- all episodes ---- */

lu_status many_play(many *m, lu_error *error) {
    size_t count = (size_t)m->episodes;
    m->returns = lu_alloc_zero(count, sizeof(double));
    m->decisions = lu_alloc_zero(count, sizeof(double));
    m->ticks = lu_alloc_zero(count, sizeof(double));
    m->illegal = lu_alloc_zero(count, sizeof(double));
    m->terminated = lu_alloc_zero(count, sizeof(double));
    m->info = lu_alloc_zero(count * (size_t)m->session->game->infos + 1, sizeof(double));
    lu_status status = records(m) ? lu_folder_make(m->record, error) : LU_OK;
    lu_pool *pool = lu_pool_new(m->threads);
    int threads = lu_pool_threads(pool), size = m->file ? BLOCK : 1;
    int jobs_most = (m->file ? 1 : 4) * (threads < 16 ? threads : 16), chunk = jobs_most * size;
    progress_start();
    for (int first = 0; first < m->episodes && !interrupted() && status == LU_OK; first += chunk) {
        int episodes = m->episodes - first < chunk ? m->episodes - first : chunk;
        batch b = {.m = m, .first = first};
        int jobs = (episodes + size - 1) / size;
        lu_pool_run(pool, m->file ? play_agent : play_bot, &b, jobs);
        for (int j = 0; j < jobs && status == LU_OK; j++) {
            status = b.failure[j].status;
            if (status != LU_OK && error) {
                *error = b.failure[j];
            }
        }
        progress((double)(first + episodes) / m->episodes,
                 cell("%s: %d of %d episodes", m->name, first + episodes, m->episodes));
    }
    progress_end();
    lu_pool_delete(pool);
    if (status == LU_OK && interrupted()) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

void many_free(many *m) {
    free(m->returns);
    free(m->decisions);
    free(m->ticks);
    free(m->illegal);
    free(m->terminated);
    free(m->info);
}

/* ---- the report ---- */

/* One figure of every episode. */
typedef struct field {
    const char *name, *unit;
    const double *values;
    size_t stride;
    bool flag;
} field;

enum { OWN_FIELDS = 5 }; /* in front of the info fields */

static bool reported(const lu_game *game, int i) {
    const lu_info *info = &game->info[i];
    return info->kind != LU_INFO_BITS && info->kind != LU_INFO_NAME &&
           (info->mean || (game->headline && strcmp(info->name, game->headline) == 0));
}

/* Figures in order, those of info fields behind the own ones. Returns how many. */
static int fields_of(const many *m, field *list) {
    const lu_game *game = m->session->game;
    int count = OWN_FIELDS;
    list[0] = (field){"return", "", m->returns, 1, false};
    list[1] = (field){"decisions", "", m->decisions, 1, false};
    list[2] = (field){"ticks", "", m->ticks, 1, false};
    list[3] = (field){"illegal", "", m->illegal, 1, false};
    list[4] = (field){"terminated", "", m->terminated, 1, true};
    for (int i = 0; i < game->infos; i++) {
        if (reported(game, i)) {
            list[count++] =
                (field){game->info[i].name, game->info[i].unit ? game->info[i].unit : "",
                        m->info + i, (size_t)game->infos, game->info[i].kind == LU_INFO_FLAG};
        }
    }
    return count;
}

/* Over the values of a field, or over their differences from those of another player. */
static summary of_field(const many *m, const field *f, const field *other) {
    double *copy = lu_alloc((size_t)m->episodes * sizeof *copy);
    for (int e = 0; e < m->episodes; e++) {
        copy[e] = f->values[(size_t)e * f->stride] -
                  (other ? other->values[(size_t)e * other->stride] : 0.0);
    }
    summary s = summarise(copy, m->episodes, f->flag && !other);
    free(copy);
    return s;
}

/* How often an info field of names had each name. */
static int name_count(const many *m, int i, int name) {
    int count = 0;
    for (int e = 0; e < m->episodes; e++) {
        count += (int)m->info[(size_t)e * (size_t)m->session->game->infos + (size_t)i] == name;
    }
    return count;
}

static void write_summary(lu_json *json, const char *key, summary s) {
    lu_json_key(json, key);
    lu_json_object(json);
    summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_names(const many *m, lu_json *json) {
    const lu_game *game = m->session->game;
    lu_json_key(json, "names");
    lu_json_object(json);
    for (int i = 0; i < game->infos; i++) {
        if (game->info[i].kind != LU_INFO_NAME) {
            continue;
        }
        lu_json_key(json, game->info[i].name);
        lu_json_object(json);
        for (int name = 0; name < lu_info_names(&game->info[i]); name++) {
            int count = name_count(m, i, name);
            if (count > 0) {
                lu_json_key_int(json, game->info[i].names[name], count);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

void many_write(const many *m, lu_json *json) {
    const lu_game *game = m->session->game;
    field list[OWN_FIELDS + LU_MAX_INFOS];
    int count = fields_of(m, list);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_string(json, m->file ? "model" : "bot", m->name);
    lu_json_key_int(json, "episodes", m->episodes);
    lu_json_key(json, "seeds");
    lu_json_array(json);
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, m->first_seed + (uint64_t)m->episodes - 1);
    lu_json_array_end(json);
    lu_json_key(json, "settings");
    lu_json_raw(json, m->session->settings_json, strlen(m->session->settings_json));
    lu_json_key_string(json, "headline", game->headline ? game->headline : "");
    lu_json_key_string(json, "interval",
                       "95 %: mean by Student's t, flags by Wilson, median by order "
                       "statistics");
    for (int i = 0; i < OWN_FIELDS; i++) {
        write_summary(json, list[i].name, of_field(m, &list[i], NULL));
    }
    lu_json_key(json, "infos");
    lu_json_array(json);
    for (int i = OWN_FIELDS; i < count; i++) {
        summary s = of_field(m, &list[i], NULL);
        lu_json_object(json);
        lu_json_key_string(json, "name", list[i].name);
        lu_json_key_string(json, "unit", list[i].unit);
        summary_write(&s, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    write_names(m, json);
}

void many_write_against(const many *m, const many *other, lu_json *json) {
    field list[OWN_FIELDS + LU_MAX_INFOS], theirs[OWN_FIELDS + LU_MAX_INFOS];
    int count = fields_of(m, list);
    fields_of(other, theirs);
    lu_json_key(json, "against");
    lu_json_object(json);
    lu_json_key_string(json, "bot", other->name);
    lu_json_key(json, "fields");
    lu_json_object(json);
    for (int i = 0; i < count; i++) {
        lu_json_key(json, list[i].name);
        lu_json_object(json);
        write_summary(json, "theirs", of_field(other, &theirs[i], NULL));
        write_summary(json, "difference", of_field(m, &list[i], &theirs[i]));
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
    lu_json_object_end(json);
}

static const char *number(double value) {
    return isnan(value) ? "-" : fabs(value) >= 1e5 ? cell("%.0f", value) : cell("%.5g", value);
}

static const char *interval(const summary *s) {
    return isnan(s->low) ? "-" : cell("%s .. %s", number(s->low), number(s->high));
}

/* The field that stands first in a table: the headline, else the return. */
static int headline_of(const lu_game *game, const field *list, int count) {
    for (int i = OWN_FIELDS; i < count && game->headline; i++) {
        if (strcmp(list[i].name, game->headline) == 0) {
            return i;
        }
    }
    return 0;
}

static void add_row(table *t, const many *m, const field *f) {
    summary s = of_field(m, f, NULL);
    table_row(t, f->name, number(s.mean), interval(&s), number(s.median), number(s.least),
              number(s.most));
}

void many_print(const many *m) {
    const lu_game *game = m->session->game;
    field list[OWN_FIELDS + LU_MAX_INFOS];
    int count = fields_of(m, list), headline = headline_of(game, list, count);
    table t;
    out_format("%s: %s, %d episodes, seeds %llu..%llu\n\n", game->id, m->name, m->episodes,
               (unsigned long long)m->first_seed,
               (unsigned long long)(m->first_seed + (uint64_t)m->episodes - 1));
    table_init(&t, "lrlrrr");
    table_row(&t, "field", "mean", "95 % interval", "median", "min", "max");
    add_row(&t, m, &list[headline]);
    for (int i = 0; i < count; i++) {
        if (i != headline) {
            add_row(&t, m, &list[i]);
        }
    }
    table_print(&t);
    table_free(&t);
    for (int i = 0; i < game->infos; i++) {
        if (game->info[i].kind != LU_INFO_NAME) {
            continue;
        }
        out_format("\n%s:", game->info[i].name);
        for (int name = 0; name < lu_info_names(&game->info[i]); name++) {
            int times = name_count(m, i, name);
            if (times > 0) {
                out_format("  %s %d", game->info[i].names[name], times);
            }
        }
        out_text("\n");
    }
}

void many_print_against(const many *m, const many *other) {
    const lu_game *game = m->session->game;
    field list[OWN_FIELDS + LU_MAX_INFOS], theirs[OWN_FIELDS + LU_MAX_INFOS];
    int count = fields_of(m, list), headline = headline_of(game, list, count);
    table t;
    fields_of(other, theirs);
    out_format("\nagainst %s on the same seeds\n\n", other->name);
    table_init(&t, "lrlrl");
    table_row(&t, "field", other->name, "95 % interval", "difference", "95 % interval");
    for (int n = -1; n < count; n++) {
        int i = n < 0 ? headline : n;
        if (n != headline) {
            summary s = of_field(other, &theirs[i], NULL), d = of_field(m, &list[i], &theirs[i]);
            table_row(&t, list[i].name, number(s.mean), interval(&s), number(d.mean), interval(&d));
        }
    }
    table_print(&t);
    table_free(&t);
}
