/* Episodes by the hundred: see watch_many.h. One job is one episode with its own environment, so
 * that which thread plays it changes nothing. */
#include "watch_many.h"

#include "ludus/threads.h"
#include "output.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
    many *m;
    int first;
} batch;

static void play_one(void *context, int index) {
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
    m->returns[e] = env->returns[0];
    m->decisions[e] = (double)env->decisions;
    m->ticks[e] = (double)env->ticks;
    m->illegal[e] = (double)env->illegal;
    m->terminated[e] = env->step.terminated;
    memcpy(m->info + (size_t)e * (size_t)game->infos, env->info,
           (size_t)game->infos * sizeof(double));
    crew_free(&c);
    lu_env_delete(env);
}

lu_status many_play(many *m, lu_error *error) {
    size_t count = (size_t)m->episodes;
    m->returns = lu_alloc_zero(count, sizeof(double));
    m->decisions = lu_alloc_zero(count, sizeof(double));
    m->ticks = lu_alloc_zero(count, sizeof(double));
    m->illegal = lu_alloc_zero(count, sizeof(double));
    m->terminated = lu_alloc_zero(count, sizeof(double));
    m->info = lu_alloc_zero(count * (size_t)m->session->game->infos + 1, sizeof(double));
    lu_pool *pool = lu_pool_new(m->threads);
    int chunk = 4 * lu_pool_threads(pool);
    progress_start();
    for (int first = 0; first < m->episodes && !interrupted(); first += chunk) {
        int jobs = m->episodes - first < chunk ? m->episodes - first : chunk;
        batch b = {m, first};
        lu_pool_run(pool, play_one, &b, jobs);
        progress((double)(first + jobs) / m->episodes,
                 cell("%d of %d episodes", first + jobs, m->episodes));
    }
    progress_end();
    lu_pool_delete(pool);
    if (interrupted()) {
        return lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return LU_OK;
}

void many_free(many *m) {
    free(m->returns);
    free(m->decisions);
    free(m->ticks);
    free(m->illegal);
    free(m->terminated);
    free(m->info);
}

static summary of_values(const many *m, const double *values, size_t stride, bool flag) {
    double *copy = lu_alloc((size_t)m->episodes * sizeof *copy);
    for (int e = 0; e < m->episodes; e++) {
        copy[e] = values[(size_t)e * stride];
    }
    summary s = summarise(copy, m->episodes, flag);
    free(copy);
    return s;
}

static summary of_info(const many *m, int i) {
    const lu_game *game = m->session->game;
    return of_values(m, m->info + i, (size_t)game->infos, game->info[i].kind == LU_INFO_FLAG);
}

static bool reported(const lu_game *game, int i) {
    const lu_info *info = &game->info[i];
    return info->kind != LU_INFO_BITS && info->kind != LU_INFO_NAME &&
           (info->mean || (game->headline && strcmp(info->name, game->headline) == 0));
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
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", game->id);
    lu_json_key_string(json, "bot", m->bot ? m->bot->name : "random");
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
    write_summary(json, "return", of_values(m, m->returns, 1, false));
    write_summary(json, "decisions", of_values(m, m->decisions, 1, false));
    write_summary(json, "ticks", of_values(m, m->ticks, 1, false));
    write_summary(json, "illegal", of_values(m, m->illegal, 1, false));
    write_summary(json, "terminated", of_values(m, m->terminated, 1, true));
    lu_json_key(json, "infos");
    lu_json_array(json);
    for (int i = 0; i < game->infos; i++) {
        if (!reported(game, i)) {
            continue;
        }
        summary s = of_info(m, i);
        lu_json_object(json);
        lu_json_key_string(json, "name", game->info[i].name);
        lu_json_key_string(json, "unit", game->info[i].unit ? game->info[i].unit : "");
        summary_write(&s, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    write_names(m, json);
    lu_json_object_end(json);
}

static const char *number(double value) {
    return isnan(value) ? "-" : fabs(value) >= 1e5 ? cell("%.0f", value) : cell("%.5g", value);
}

static void add_row(table *t, const char *name, summary s) {
    const char *interval = isnan(s.low) ? "-" : cell("%s .. %s", number(s.low), number(s.high));
    table_row(t, name, number(s.mean), interval, number(s.median), number(s.least), number(s.most));
}

void many_print(const many *m) {
    const lu_game *game = m->session->game;
    table t;
    out_format("%s: %s, %d episodes, seeds %llu..%llu\n\n", game->id,
               m->bot ? m->bot->name : "random", m->episodes, (unsigned long long)m->first_seed,
               (unsigned long long)(m->first_seed + (uint64_t)m->episodes - 1));
    table_init(&t, "lrlrrr");
    table_row(&t, "field", "mean", "95 % interval", "median", "min", "max");
    int headline = game->headline ? lu_game_info_index(game, game->headline) : -1;
    if (headline >= 0 && reported(game, headline)) {
        add_row(&t, game->info[headline].name, of_info(m, headline));
    }
    add_row(&t, "return", of_values(m, m->returns, 1, false));
    add_row(&t, "decisions", of_values(m, m->decisions, 1, false));
    add_row(&t, "ticks", of_values(m, m->ticks, 1, false));
    add_row(&t, "illegal", of_values(m, m->illegal, 1, false));
    add_row(&t, "terminated", of_values(m, m->terminated, 1, true));
    for (int i = 0; i < game->infos; i++) {
        if (i != headline && reported(game, i)) {
            add_row(&t, game->info[i].name, of_info(m, i));
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
            int count = name_count(m, i, name);
            if (count > 0) {
                out_format("  %s %d", game->info[i].names[name], count);
            }
        }
        out_text("\n");
    }
}
