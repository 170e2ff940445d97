/* `ludus potion measure`: how near to the optimum the episodes of a report are. A report is what
 * `ludus eval MODEL --json --each` answers; every task is made again from its seed, solved exactly,
 * and what was played is held against the optimum.
 *
 * The optimum is 1 + the fullness of the largest exactly perfect potion. Below 1.75 another class
 * may pay more, but never 1.75: there, and where no perfect potion exists, 1.75 stands for it,
 * which flatters nobody. The 0.25 % that the game's rules allow may lift a score above 1 +
 * fullness: then the score itself is the optimum. */
#include "potion.h"
#include "solver/potion_solve.h"

#include "ludus/episode.h"
#include "ludus/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"recipes", LU_BOOL, "true", 0, 0, NULL, "Adds figures for each recipe.", false},
    {"tasks", LU_BOOL, "false", 0, 0, NULL, "Adds score and optimum of each task.", false},
    {"memory", LU_INT, "1024", 1, 65536, NULL, "Memory limit for the tables of a task, in MB.",
     false},
};

#define OTHER_CLASSES 1.75 /* what no potion that is not perfect reaches */
#define NEAR          1e-9

typedef struct outcome {
    uint64_t seed;
    int recipe, cauldron;
    double score, optimum;
    bool perfect, proven; /* proven: the optimum is no bound */
} outcome;

typedef struct meter {
    const lu_tool_io *io;
    const char *name; /* of the report */
    lu_episode episode;
    outcome *list;
    int count, done;
} meter;

/* ---- figures ---- */

typedef struct interval {
    double mean, low, high;
} interval;

/* Wilson's interval of a share at 95 %. */
static interval share_of(int hits, int count) {
    double n = count, p = (double)hits / n, z = 1.959963984540054, zz = z * z;
    double middle = (p + zz / (2 * n)) / (1 + zz / n);
    double half = z / (1 + zz / n) * sqrt(p * (1 - p) / n + zz / (4 * n * n));
    return (interval){p, fmax(0.0, middle - half), fmin(1.0, middle + half)};
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean with the middle 95 % of the means of resamples, from a generator of fixed seed. */
static interval mean_of(const double *values, int count) {
    enum { RESAMPLES = 2000 };
    double means[RESAMPLES], sum = 0.0;
    lu_rng rng = lu_rng_from(1);
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    for (int r = 0; r < RESAMPLES; r++) {
        means[r] = 0.0;
        for (int i = 0; i < count; i++) {
            means[r] += values[lu_rng_below(&rng, (uint32_t)count)];
        }
    }
    qsort(means, RESAMPLES, sizeof *means, by_size);
    return (interval){sum / count, means[RESAMPLES / 40] / count,
                      means[RESAMPLES - 1 - RESAMPLES / 40] / count};
}

static void write_interval(lu_json *json, const char *key, interval v) {
    lu_json_key_object(json, key);
    lu_json_key_real(json, "mean", v.mean);
    lu_json_key_real(json, "low", v.low);
    lu_json_key_real(json, "high", v.high);
    lu_json_object_end(json);
}

/* Members for the tasks of one recipe, or of all for -1, of which there is at least one. */
static void write_figures(const meter *m, int recipe, lu_json *json) {
    double *score = lu_alloc((size_t)m->count * sizeof *score);
    double *optimum = lu_alloc((size_t)m->count * sizeof *optimum);
    double *ratio = lu_alloc((size_t)m->count * sizeof *ratio);
    int count = 0, perfect = 0, optimal = 0, bounds = 0;
    for (int i = 0; i < m->count; i++) {
        const outcome *o = &m->list[i];
        if (recipe >= 0 && o->recipe != recipe) {
            continue;
        }
        score[count] = o->score;
        optimum[count] = o->optimum;
        ratio[count++] = o->score / o->optimum;
        perfect += o->perfect ? 1 : 0;
        optimal += o->score >= o->optimum - NEAR ? 1 : 0;
        bounds += o->proven ? 0 : 1;
    }
    lu_json_key_int(json, "tasks", count);
    write_interval(json, "ratio", mean_of(ratio, count));
    write_interval(json, "perfect", share_of(perfect, count));
    write_interval(json, "optimal", share_of(optimal, count));
    write_interval(json, "score", mean_of(score, count));
    write_interval(json, "optimum", mean_of(optimum, count));
    lu_json_key_int(json, "by_bound", bounds);
    free(score);
    free(optimum);
    free(ratio);
}

static bool is_held_out(const meter *m, int recipe) {
    const potion_rules *rules = (const potion_rules *)(const void *)m->episode.rules;
    for (int k = 0; k < rules->held_out; k++) {
        if (rules->held[k] == recipe) {
            return true;
        }
    }
    return false;
}

static void write_recipes(const meter *m, lu_json *json) {
    lu_json_key_array(json, "recipes");
    for (int recipe = 0; recipe < POTION_RECIPES; recipe++) {
        bool played = false;
        for (int i = 0; i < m->count; i++) {
            played = played || m->list[i].recipe == recipe;
        }
        if (played) {
            lu_json_object(json);
            lu_json_key_string(json, "recipe", potion_recipe_names[recipe]);
            lu_json_key_bool(json, "held_out", is_held_out(m, recipe));
            write_figures(m, recipe, json);
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
}

static void write_tasks(const meter *m, lu_json *json) {
    lu_json_key_array(json, "each");
    for (int i = 0; i < m->count; i++) {
        const outcome *o = &m->list[i];
        lu_json_object(json);
        lu_json_key(json, "seed");
        lu_json_uint(json, o->seed);
        lu_json_key_string(json, "recipe", potion_recipe_names[o->recipe]);
        lu_json_key_string(json, "cauldron", potion_cauldron_names[o->cauldron]);
        lu_json_key_real(json, "score", o->score);
        lu_json_key_real(json, "optimum", o->optimum);
        lu_json_key_bool(json, "perfect", o->perfect);
        lu_json_key_bool(json, "by_bound", !o->proven);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

/* What the report says about the player goes into the answer as it is. */
static void answer(const meter *m, const lu_json_value *report) {
    static const char *const kept[] = {"model",   "game",        "seeds",  "greedy",
                                       "best_of", "temperature", "options"};
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        const lu_json_value *value = lu_json_get(report, kept[k]);
        if (value) {
            lu_json_key_value(&json, kept[k], value);
        }
    }
    write_figures(m, -1, &json);
    if (lu_settings_bool(m->io->settings, "recipes")) {
        write_recipes(m, &json);
    }
    if (lu_settings_bool(m->io->settings, "tasks")) {
        write_tasks(m, &json);
    }
    lu_json_object_end(&json);
    m->io->emit(m->io->user, json.text, json.length);
    lu_json_free(&json);
}

/* ---- tasks ---- */

static bool cancelled(void *user) {
    const meter *m = user;
    return m->io->cancelled && m->io->cancelled(m->io->user);
}

static void tell(const meter *m, double share) {
    if (m->io->progress) {
        char what[80];
        snprintf(what, sizeof what, "%d of %d tasks", m->done, m->count);
        m->io->progress(m->io->user, ((double)m->done + share) / (double)m->count, what);
    }
}

static void on_progress(void *user, double share, const char *what) {
    (void)what;
    tell(user, share);
}

static lu_status solve(meter *m, outcome *o, lu_error *error) {
    const potion_state *s = m->episode.env->state;
    potion_task task = potion_task_of(s->recipe, s->cauldron);
    potion_brew brew;
    memcpy(task.stock, s->stock, sizeof task.stock);
    task.memory = (size_t)lu_settings_int(m->io->settings, "memory") << 20;
    task.user = m;
    task.progress = on_progress;
    task.cancelled = cancelled;
    LU_TRY(potion_solve_total(&task, &brew, error));
    double best = brew.found ? 1.0 + (double)brew.mix.total / (double)s->max_magimins : 0.0;
    o->proven = best >= OTHER_CLASSES;
    o->optimum = fmax(o->proven ? best : OTHER_CLASSES, o->score);
    return LU_OK;
}

/* Whether a member of the report names what the reset gives. */
static lu_status check_name(const meter *m, const lu_json_value *info, const char *key,
                            const char *name, uint64_t seed, lu_error *error) {
    const char *said = NULL;
    lu_status status = lu_json_get_text(info, key, &said, error);
    if (status == LU_OK && strcmp(said, name) != 0) {
        return lu_fail(error, LU_OTHER_SPEC,
                       "%s: seed %llu was played with %s '%.60s', but its settings give '%s': "
                       "recreate the report with this build",
                       m->name, (unsigned long long)seed, key, said, name);
    }
    return status;
}

static lu_status measure_one(meter *m, const lu_json_value *entry, outcome *o, lu_error *error) {
    const lu_json_value *info = lu_json_get(entry, "info");
    const potion_state *s = m->episode.env->state;
    lu_status status = lu_json_get_uint(entry, "seed", &o->seed, error);
    LU_THEN(status, lu_json_get_real(info, "score", 0.0, 2.0, &o->score, error));
    LU_THEN(status, lu_json_get_bool(info, "perfect", &o->perfect, error));
    if (status == LU_OK) {
        lu_episode_reset(&m->episode, o->seed);
        o->recipe = s->recipe;
        o->cauldron = s->cauldron;
        status = check_name(m, info, "recipe", potion_recipe_names[s->recipe], o->seed, error);
    }
    if (status == LU_OK) {
        status =
            check_name(m, info, "cauldron", potion_cauldron_names[s->cauldron], o->seed, error);
    }
    return status == LU_OK ? solve(m, o, error) : status;
}

/* ---- the report ---- */

/* The game as it was played. */
static lu_status open_game(meter *m, const lu_json_value *report, lu_error *error) {
    const char *id = NULL;
    lu_status status = lu_json_get_text(report, "game", &id, error);
    if (status != LU_OK) {
        return status;
    }
    const lu_game *game = lu_game_find(id, NULL);
    if (!game || strcmp(game->name, "potion") != 0) {
        return lu_fail(error, LU_BAD_DATA, "%s: 'game' is '%.60s', not a variant of potion",
                       m->name, id);
    }
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    status =
        lu_settings_object(settings, m->name, lu_json_get(report, "settings"), LU_FROM_FILE, error);
    LU_THEN(status, lu_settings_object(options, m->name, lu_json_get(report, "options"),
                                       LU_FROM_FILE, error));
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_open(&m->episode, game, settings, options, error);
}

static lu_status measure(meter *m, const lu_json_value *report, lu_error *error) {
    const lu_json_value *each = lu_json_get(report, "each");
    lu_status status = open_game(m, report, error);
    if (status != LU_OK) {
        return status;
    }
    if (lu_json_kind_of(each) != LU_JSON_ARRAY || lu_json_count(each) == 0 ||
        lu_json_count(each) > 1000000) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: 'each' must be a list of episodes: create the report with `ludus eval "
                       "MODEL --json --each`",
                       m->name);
    }
    m->count = (int)lu_json_count(each);
    m->list = lu_alloc_zero((size_t)m->count, sizeof *m->list);
    for (m->done = 0; m->done < m->count && status == LU_OK; m->done++) {
        tell(m, 0.0);
        status = cancelled(m)
                     ? lu_fail(error, LU_INTERRUPTED, "interrupted")
                     : measure_one(m, lu_json_at(each, (size_t)m->done), &m->list[m->done], error);
    }
    if (status == LU_OK) {
        answer(m, report);
    }
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_status status = LU_OK;
    lu_error own = {LU_OK, ""};
    if (io->input_count == 0) {
        return lu_fail(
            error, LU_USAGE,
            "name a report of `ludus eval MODEL --json --each`, or - for standard input");
    }
    for (int i = 0; i < io->input_count && status == LU_OK; i++) {
        const lu_tool_input *input = &io->inputs[i];
        lu_json_document *document = lu_json_read(input->name, input->text, input->length, &own);
        meter m = {.io = io, .name = input->name};
        status = document ? measure(&m, lu_json_root(document), &own) : own.status;
        lu_json_close(document);
        lu_episode_close(&m.episode);
        free(m.list);
    }
    if (error) {
        *error = own;
    }
    return status;
}

extern const lu_tool lu_tool_potion_measure;
const lu_tool lu_tool_potion_measure = {
    .game = "potion",
    .name = "measure",
    .sentence = "Compares the episodes of an `eval` report with the exact optimum of each task.",
    .settings = {"potion measure", rows, (int)(sizeof rows / sizeof *rows)},
    .run = run,
};
