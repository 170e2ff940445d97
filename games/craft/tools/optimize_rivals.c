/* What stands beside the strategies: the baselines of the game and a trained agent, played from the
 * same base for the same target at the same prices. Episodes go by their seeds, so that figures do
 * not depend on threads. */
#include "optimize.h"

#include "craft_switches.h"

#include "ludus/episode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 25,        /* episodes of one job */
    ASKED = 25,        /* episodes that an agent answers for at once */
    TOGETHER = 4,      /* jobs */
    DECISIONS = 100000 /* of a baseline, after which no further batches begin unless asked for */
};

#define Z        1.959963984540054 /* 95 % */
#define PATIENCE 10.0              /* times the optimum's cost that an attempt may spend */

/* One rival at play: figures of its episodes. */
typedef struct match {
    const optimizer *o;
    const lu_game *game;
    const lu_rules *rules;
    const lu_bot *bot; /* NULL: the agent */
    int first;         /* episode of the first job */
    int episodes;
    double *spent; /* of each episode */
    uint8_t *done;
    int64_t *decisions;   /* of each batch */
    lu_error *errors;     /* of each batch */
    void *talk[TOGETHER]; /* with the agent, of each job that runs beside others */
} match;

/* ---- play ---- */

static void keep(const match *m, int episode, const lu_env *env) {
    const craft_state *s = env->state;
    m->spent[episode] = s->spent;
    m->done[episode] = s->end == CRAFT_END_SUCCESS;
}

/* An episode begins with a white base, or with the item that is given, which costs nothing more. */
static void begin(const match *m, lu_env *env, uint64_t seed) {
    const optimize_ask *ask = &m->o->ask;
    const craft_rules *rules = (const craft_rules *)(const void *)m->rules;
    craft_state *s = env->state;
    lu_env_reset(env, seed, NULL);
    if (ask->given && !ask->is_final) {
        s->item = ask->item;
        s->spent = 0.0;
        s->bases = 0;
        s->score = craft_score(&craft_task_at(rules, s->task)->goal, &rules->pool, &s->item);
        lu_env_refresh(env);
    }
}

/* A baseline sees the state: what is observed is left out. */
static int64_t play_bot(const match *m, lu_env *env, uint64_t seed) {
    uint64_t memory[8] = {0};
    lu_rng rng = lu_rng_from(lu_mix64(seed));
    begin(m, env, seed);
    while (!env->over) {
        int32_t action = 0;
        lu_seat_view view = {m->rules, env->state, 0, env->observation, env->mask, memory, &rng};
        lu_bot_act(m->game, m->bot, &view, &action);
        lu_env_skip(env, &action);
        env->core->mask(m->rules, env->state, 0, env->mask);
    }
    return env->decisions;
}

/* All episodes of a batch side by side, each decision in one pass through the net. */
static int64_t play_agent(const match *m, int job, int from, int count, lu_error *error) {
    const lu_tool_agent *agent = m->o->io->agent;
    lu_env *env[ASKED], *asked[ASKED];
    int32_t actions[ASKED];
    int64_t decisions = 0;
    lu_status status = LU_OK;
    for (int k = 0; k < count; k++) {
        env[k] = lu_env_new(m->game, m->rules);
        begin(m, env[k], (uint64_t)(from + k + 1));
    }
    for (int left = count; left > 0 && status == LU_OK;) {
        left = 0;
        for (int k = 0; k < count; k++) {
            if (!env[k]->over) {
                asked[left++] = env[k];
            }
        }
        bool stop = m->o->io->cancelled && m->o->io->cancelled(m->o->io->user);
        status = stop ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
        LU_THEN(status,
                left > 0 ? agent->choose(m->talk[job], asked, left, actions, error) : LU_OK);
        for (int k = 0; k < left && status == LU_OK; k++, decisions++) {
            lu_env_step(asked[k], &actions[k]);
        }
    }
    for (int k = 0; k < count; k++) {
        keep(m, from + k, env[k]);
        lu_env_delete(env[k]);
    }
    return decisions;
}

static void play_batch(void *context, int index) {
    const match *m = context;
    int batch = m->first / BATCH + index, from = batch * BATCH;
    int count = from + BATCH < m->episodes ? BATCH : m->episodes - from;
    m->decisions[batch] = 0;
    if (!m->bot) {
        m->decisions[batch] = play_agent(m, index, from, count, &m->errors[batch]);
        return;
    }
    lu_env *env = lu_env_new(m->game, m->rules);
    for (int k = 0; k < count; k++) {
        m->decisions[batch] += play_bot(m, env, (uint64_t)(from + k + 1));
        keep(m, from + k, env);
    }
    lu_env_delete(env);
}

/* ---- figures ---- */

static void sum_up(const match *m, int count, optimize_rival *rival) {
    double n = count, cost = 0.0, done = 0.0, square = 0.0, zz = Z * Z;
    for (int k = 0; k < count; k++) {
        cost += m->spent[k];
        done += m->done[k];
    }
    double ratio = done > 0.0 ? cost / done : 0.0, share = done / n;
    for (int k = 0; k < count; k++) {
        double off = m->spent[k] - ratio * m->done[k];
        square += off * off;
    }
    double half = done > 0.0 ? Z * sqrt(square / n) / sqrt(n) / share : 0.0;
    double middle = (share + zz / (2.0 * n)) / (1.0 + zz / n);
    double wide = Z / (1.0 + zz / n) * sqrt(share * (1.0 - share) / n + zz / (4.0 * n * n));
    rival->episodes = count;
    rival->spent = cost / n;
    rival->cost = ratio; /* all that was spent over what was finished */
    rival->low = fmax(0.0, ratio - half);
    rival->high = ratio + half;
    rival->success = share;
    rival->success_low = fmax(0.0, middle - wide);
    rival->success_high = fmin(1.0, middle + wide);
}

/* Batches are begun a few at a time, always the same few. */
static lu_status play(match *m, bool all, optimize_rival *rival, lu_error *error) {
    int batches = (m->episodes + BATCH - 1) / BATCH, done = 0;
    int64_t decisions = 0;
    lu_status status = LU_OK;
    m->spent = lu_alloc_zero((size_t)m->episodes, sizeof *m->spent);
    m->done = lu_alloc_zero((size_t)m->episodes, 1);
    m->decisions = lu_alloc_zero((size_t)batches, sizeof *m->decisions);
    m->errors = lu_alloc_zero((size_t)batches, sizeof *m->errors);
    const lu_tool_agent *agent = m->bot ? NULL : m->o->io->agent;
    for (int k = 0; agent && k < TOGETHER; k++) {
        m->talk[k] = agent->begin(agent->user, m->rules, ASKED);
    }
    while (done < batches && (all || decisions < DECISIONS) && status == LU_OK) {
        int count = batches - done < TOGETHER ? batches - done : TOGETHER;
        m->first = done * BATCH;
        lu_pool_run(m->o->io->pool, play_batch, m, count);
        for (int k = done; k < done + count; k++) {
            decisions += m->decisions[k];
            if (m->errors[k].status != LU_OK) {
                *error = m->errors[k];
                status = error->status;
            }
        }
        done += count;
        if (m->o->io->cancelled && m->o->io->cancelled(m->o->io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status == LU_OK) {
        sum_up(m, done * BATCH < m->episodes ? done * BATCH : m->episodes, rival);
    }
    for (int k = 0; agent && k < TOGETHER; k++) {
        agent->end(m->talk[k]);
    }
    free(m->spent);
    free(m->done);
    free(m->decisions);
    free(m->errors);
    return status;
}

/* ---- the game as it is asked ---- */

static lu_status set_real(lu_settings *to, const char *key, double value, lu_error *error) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return lu_settings_set(to, key, text, LU_FROM_FILE, "the question", error);
}

/* Prices of what is listed alone: nothing else is used then. */
static lu_status set_listed(const optimize_ask *ask, lu_settings *to, lu_error *error) {
    const craft_choice *choice = &ask->choice;
    lu_json json = LU_JSON_INIT;
    const char *told[2 * CRAFT_USES_MAX + 2] = {"white_base"};
    int count = 1;
    for (int k = 0; k < choice->uses; k++) {
        for (int part = 0; part <= choice->use[k].omens; part++) {
            const char *item = part == 0 ? choice->use[k].item : choice->use[k].omen[part - 1];
            int at = 0;
            while (at < count && strcmp(told[at], item) != 0) {
                at++;
            }
            if (at == count && count < 2 * CRAFT_USES_MAX + 2) {
                told[count++] = item;
            }
        }
    }
    lu_json_object(&json);
    lu_json_key_string(&json, "unit", "exalted");
    lu_json_key_object(&json, "prices");
    for (int k = 0; k < count; k++) {
        double price = craft_priced(&ask->prices, told[k]);
        if (price >= 0.0) {
            lu_json_key_real(&json, told[k], price);
        }
    }
    lu_json_object_end(&json);
    lu_json_object_end(&json);
    lu_file_text file = {.name = "what is listed", .text = json.text, .length = json.length};
    lu_status status = craft_file_setting(to, "prices", &file, error);
    lu_json_free(&json);
    return status;
}

/* The game's settings from those of the tool. */
static lu_status ask_game(const optimizer *o, lu_settings *to, lu_error *error) {
    const optimize_ask *ask = &o->ask;
    const lu_settings *from = o->io->settings;
    const char *where = "the question";
    lu_json target = LU_JSON_INIT;
    double best = o->strategies > 0 ? o->strategy[0].plan.from + o->problem.first : 500.0;
    optimize_write_target(&target, &ask->want.target, ask->pack);
    lu_status status = lu_settings_set(to, "target", target.text, LU_FROM_FILE, where, error);
    LU_THEN(status, lu_settings_set(to, "base", ask->pack->bases[ask->pool.base].name, LU_FROM_FILE,
                                    where, error));
    LU_THEN(status, lu_settings_set(to, "data", lu_settings_text_of(from, "ruleset"), LU_FROM_FILE,
                                    where, error));
    LU_THEN(status, set_real(to, "ilvl", ask->pool.ilvl, error));
    LU_THEN(status,
            set_real(to, "budget", ask->budget > 0.0 ? ask->budget : PATIENCE * best, error));
    LU_THEN(status, set_real(to, "max_bases", 1e6, error));
    LU_THEN(status,
            ask->breadth == CRAFT_LISTED
                ? set_listed(ask, to, error)
                : craft_file_setting(to, "prices", lu_settings_file_of(from, "prices", 0), error));
    if (ask->breadth == CRAFT_PLAIN) {
        LU_THEN(status, lu_settings_set(to, "actions", "plain", LU_FROM_FILE, where, error));
    }
    LU_THEN(status, craft_file_setting(to, "pack", lu_settings_file_of(from, "pack", 0), error));
    for (int k = 0; k < CRAFT_SWITCH_ROWS && status == LU_OK; k++) {
        const char *key = craft_switch_rows[k].key;
        status =
            lu_settings_set(to, key, lu_settings_text_of(from, key), LU_FROM_FILE, where, error);
    }
    lu_json_free(&target);
    return status;
}

static lu_status open_game(const optimizer *o, const lu_game *game, lu_episode *episode,
                           lu_error *error) {
    lu_settings *settings = lu_game_settings(game);
    lu_status status = ask_game(o, settings, error);
    if (status != LU_OK) {
        lu_settings_delete(settings);
        return status;
    }
    return lu_episode_open(episode, game, settings, NULL, error);
}

/* All bots of a variant, or its agent. */
static lu_status play_all(optimizer *o, const lu_game *game, bool bots, lu_error *error) {
    const lu_settings *v = o->io->settings;
    bool all = lu_settings_origin(v, "episodes") != LU_FROM_DEFAULT;
    lu_episode episode = {0};
    lu_status status = open_game(o, game, &episode, error);
    match m = {.o = o, .game = game, .rules = episode.rules};
    m.episodes = (int)lu_settings_int(v, "episodes");
    int count = bots ? game->bots : 1;
    for (int k = 0; k < count && status == LU_OK && o->rivals < OPTIMIZE_RIVALS; k++) {
        optimize_rival *rival = &o->rival[o->rivals++];
        m.bot = bots ? &game->bot[k] : NULL;
        rival->name = bots ? m.bot->name : "agent";
        rival->model = bots ? NULL : o->io->agent->name;
        if (o->io->progress) {
            o->io->progress(o->io->user, (double)k / count, rival->name);
        }
        status = play(&m, all, rival, error);
    }
    if (episode.game) {
        lu_episode_close(&episode);
    }
    return status;
}

lu_status optimize_find_rivals(optimizer *o, lu_error *error) {
    bool done = o->ask.given && craft_fulfils(&o->ask.goal, &o->ask.pool, &o->ask.item);
    if (lu_settings_int(o->io->settings, "episodes") == 0 || done) {
        return LU_OK;
    }
    lu_status status = play_all(o, lu_game_find("craft-v1", NULL), true, error);
    LU_THEN(status,
            o->io->agent ? play_all(o, lu_game_find(OPTIMIZE_AGENT, NULL), false, error) : LU_OK);
    return status;
}
