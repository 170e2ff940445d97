/* ludus sweep: searches settings that train well, trial by trial, in a folder that a later call
 * goes on with. The search is in src/lab/sweep*.c; what is shown of a sweep and the preset made of
 * it in sweep_best.c. */
#include "output.h"
#include "ranks/world.h"
#include "sweep_best.h"
#include "training_settings.h"

#include "ludus/dqn.h"
#include "ludus/file.h"
#include "ludus/machine_memory.h"
#include "ludus/ppo.h"
#include "ludus/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus sweep cartpole --space space.ini --steps 100k --trials 40",
     "forty short trainings; repeat the command to resume"},
    {"ludus sweep best sweeps/cartpole", "what it found"},
    {"ludus sweep best sweeps/cartpole --write-preset mine",
     "the same as config/mine.ini, for --preset mine"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"space", LU_TEXT, "", 0, 4096, NULL, "File that says which settings vary, and how.", false},
    {"out", LU_TEXT, "", 0, 4096, NULL,
     "Folder of the sweep; default: sweeps/GAME in the project folder.", false},
    {"algo", LU_ENUM, "ppo", 0, 0, "ppo|dqn",
     "Algorithm of the trials: PPO (settings train.*) or DQN (settings dqn.*).", false},
    {"trials", LU_INT, "40", 1, 100000, NULL, "Total trials, including those of earlier calls.",
     false},
    {"steps", LU_INT, "100k", 1, 1e12, NULL,
     "Environment steps of each trial, unless the space varies them.", false},
    {"seed", LU_INT, "1", 0, 9007199254740992.0, NULL,
     "Seed of the search and, combined with its number, of each trial.", false},
    {"threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; scores do not depend on it.", false},
    {"metric", LU_TEXT, "return", 0, 64, NULL,
     "What to maximise: `return` or an info field, averaged over about the last 100 episodes.",
     false},
    {"minimise", LU_BOOL, "false", 0, 0, NULL, "Smaller is better.", false},
    {"search", LU_ENUM, "tpe", 0, 0, "tpe|random",
     "`tpe` tries what resembles good trials rather than bad ones; `random` samples all.", false},
    {"start", LU_INT, "10", 1, 100000, NULL, "Trials drawn at random before the search begins.",
     false},
    {"rungs", LU_INT, "3", 0, LU_MAX_RUNGS, NULL,
     "Points, at 1/2, 1/4, 1/8 ... of a trial, where it is stopped if it lags behind; 0 for none.",
     false},
    {"keep", LU_REAL, "0.5", 0.01, 1, NULL,
     "Share of the trials that continue at a rung; 0.5 keeps those above the median.", false},
    {"cost", LU_ENUM, "seconds", 0, 0, "seconds|steps|none",
     "Cost of a trial, weighed against its promise.", false},
    {"together", LU_INT, "1", 1, 10000, NULL,
     "Trials per round, which know nothing of each other, so that ranks of mpirun or Ray can train "
     "them side by side. By default one per rank.",
     false},
    {"write_preset", LU_TEXT, "", 0, 100, NULL, "best: writes config/NAME.ini for --preset NAME.",
     false},
};

static const lu_table *const tables[] = {&lu_ppo_table, &lu_dqn_table, &lu_net_table, NULL};
static const char *const words[] = {"best", NULL};

static const char details[] =
    "A space file has, for each setting that varies, KEY.min and KEY.max, with KEY.scale\n(linear, "
    "log or int) and KEY.form (a text with {} for the number), or KEY.options. All\nother settings "
    "are given as for `ludus train` and apply to every trial. Ctrl-C loses\nonly the running "
    "trial; repeat the command to resume. docs/sweep.md has an example.";

typedef struct search {
    verb_call *call;
    const lu_algorithm *algorithm;
    lu_settings *settings; /* of game, net and algorithm, that all trials share */
    char *settings_json;
    lu_space *space;
    lu_sweep_plan plan;
    lu_sweep *sweep;
    int trials, number; /* in all, and the one that trains */
    lu_text preset, folder;
    world world;
} search;

/* ---- settings ---- */

static lu_status read_metric(const search *s, lu_error *error) {
    const lu_game *game = s->call->game;
    const char *metric = lu_settings_text_of(s->call->settings, "metric");
    if (strcmp(metric, "return") == 0 || lu_game_info_index(game, metric) >= 0) {
        return LU_OK;
    }
    const char *names[LU_MAX_INFOS + 1] = {"return"};
    for (int i = 0; i < game->infos; i++) {
        names[i + 1] = game->info[i].name;
    }
    const char *near = lu_nearest(metric, names, (size_t)game->infos + 1);
    return lu_fail(
        error, LU_BAD_VALUE,
        "'metric' = '%s' is neither `return` nor an info field of %s; did you mean '%s'?", metric,
        game->name, near ? near : game->headline);
}

static void read_plan(search *s) {
    const lu_settings *own = s->call->settings;
    s->trials = (int)lu_settings_int(own, "trials");
    s->plan = (lu_sweep_plan){
        .game = s->call->game,
        .algorithm = s->algorithm->name,
        .metric = lu_settings_text_of(own, "metric"),
        .minimise = lu_settings_bool(own, "minimise"),
        .settings = s->settings_json,
        .seed = (uint64_t)lu_settings_int(own, "seed"),
        .steps = lu_settings_int(own, "steps"),
        .start = (int)lu_settings_int(own, "start"),
        .random = lu_settings_enum(own, "search") == 1,
        .rungs = (int)lu_settings_int(own, "rungs"),
        .keep = lu_settings_real(own, "keep"),
        .cost = (lu_sweep_cost)lu_settings_enum(own, "cost"),
        .together = (int)lu_settings_int(own, "together"),
    };
    if (world_comm(&s->world) && lu_settings_origin(own, "together") == LU_FROM_DEFAULT) {
        s->plan.together = s->world.comm.ranks;
    }
}

static lu_status prepare(search *s, lu_error *error) {
    const lu_settings *own = s->call->settings;
    const char *space = lu_settings_text_of(own, "space"), *out = lu_settings_text_of(own, "out");
    if (!*space) {
        return lu_fail(
            error, LU_USAGE,
            "`ludus sweep %s` needs --space FILE, which says what varies: see `ludus help "
            "sweep`",
            s->call->game->name);
    }
    lu_status status = read_metric(s, error);
    s->algorithm = lu_algorithm_find(lu_settings_text_of(own, "algo"), error);
    if (status != LU_OK || !s->algorithm) {
        return status != LU_OK ? status : LU_BAD_VALUE;
    }
    LU_TRY(training_preset(s->call, &s->preset, error));
    s->settings = trainings_settings(s->call, s->algorithm, "a sweep", error);
    if (!s->settings) {
        return error->status;
    }
    s->settings_json = lu_settings_json(s->settings);
    s->space = lu_space_read(space, s->settings, error);
    if (!s->space) {
        return error->status;
    }
    read_plan(s);
    if (*out) {
        lu_text_add(&s->folder, out);
    } else {
        lu_text_addf(&s->folder, "%s%ssweeps/%s", lu_home() ? lu_home() : "", lu_home() ? "/" : "",
                     s->call->game->name);
    }
    s->sweep =
        lu_sweep_open(world_first(&s->world) ? s->folder.text : NULL, s->space, &s->plan, error);
    return s->sweep ? LU_OK : error->status;
}

/* ---- trials ---- */

static bool begin_trial(void *context, int number) {
    search *s = context;
    s->number = number;
    return !interrupted();
}

static bool watch(void *context, double share, double score) {
    const search *s = context;
    double sign = s->plan.minimise ? -1.0 : 1.0;
    progress((s->number + share) / s->trials,
             isfinite(score) ? cell("trial %d of %d: %.4g", s->number + 1, s->trials, sign * score)
                             : cell("trial %d of %d", s->number + 1, s->trials));
    return interrupted();
}

static void values_text(const search *s, const lu_trial *t, lu_text *text) {
    for (int d = 0; d < lu_space_count(s->space); d++) {
        lu_text_addf(text, "%s%s=", d ? " " : "", lu_space_key(s->space, d));
        lu_space_value(s->space, d, t->place[d], text);
    }
}

static void show_trial(const search *s, const lu_trial *t, const char *why) {
    static const char *const states[] = {"done", "pruned", "failed"};
    double sign = s->plan.minimise ? -1.0 : 1.0;
    if (s->call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_string(&json, "event", "trial");
        sweep_write_trial(t, states[t->state], s->plan.minimise, &json);
        lu_json_key_object(&json, "values");
        for (int d = 0; d < lu_space_count(s->space); d++) {
            lu_text value = LU_TEXT_INIT;
            lu_space_value(s->space, d, t->place[d], &value);
            lu_json_key_string(&json, lu_space_key(s->space, d), value.text);
            lu_text_free(&value);
        }
        lu_json_object_end(&json);
        if (t->state == LU_TRIAL_FAILED) {
            lu_json_key_string(&json, "why", why);
        }
        out_json_end(&json);
    } else {
        lu_text values = LU_TEXT_INIT;
        values_text(s, t, &values);
        const char *score = t->state == LU_TRIAL_FAILED ? "-" : cell("%.4g", sign * t->score);
        out_format("%5d  %-6s  %10s  %8lld steps  %7.1f s  %s\n", t->number, states[t->state],
                   score, (long long)t->steps, t->seconds, values.text);
        if (t->state == LU_TRIAL_FAILED) {
            out_format("       %s\n", why);
        }
        lu_text_free(&values);
    }
    out_flush();
}

/* A space whose trials all fail will not get better. */
static lu_status check_failures(const search *s, const char *why, lu_error *error) {
    const lu_trial *trials = lu_sweep_trials(s->sweep);
    int count = lu_sweep_count(s->sweep);
    for (int i = 0; i < count; i++) {
        if (trials[i].state != LU_TRIAL_FAILED) {
            return LU_OK;
        }
    }
    return count < 5 ? LU_OK
                     : lu_fail(error, LU_FAILED, "all %d trials failed; the last one: %.700s",
                               count, why);
}

static lu_status end_trial(void *context, const lu_trial *trial, const char *why, lu_error *error) {
    search *s = context;
    progress_end();
    show_trial(s, trial, why);
    progress_start();
    return check_failures(s, why, error);
}

static lu_status run_trials(search *s, lu_error *error) {
    lu_sweep_course course = {.sweep = s->sweep,
                              .settings = s->settings,
                              .trials = s->trials,
                              .threads = (int)lu_settings_int(s->call->settings, "threads"),
                              .memory = lu_memory_available(),
                              .comm = world_comm(&s->world),
                              .context = s,
                              .watch = watch,
                              .begins = begin_trial,
                              .told = end_trial};
    progress_start();
    lu_status status = lu_sweep_go(&course, error);
    progress_end();
    if (status == LU_INTERRUPTED) {
        lu_fail(
            error, LU_INTERRUPTED,
            "interrupted after %d of %d trials, which are kept in %s; repeat the command to resume",
            lu_sweep_count(s->sweep), s->trials, s->folder.text);
    }
    return status;
}

/* ---- the verb ---- */

static lu_status run_search(verb_call *call, lu_error *error) {
    search s = {.call = call};
    LU_TRY(world_open(&s.world, error));
    world_hush(&s.world);
    lu_text_init(&s.preset);
    lu_text_init(&s.folder);
    lu_status status = lu_comm_agree(world_comm(&s.world), prepare(&s, error), error);
    if (status == LU_OK) {
        if (!call->json) {
            int vary = lu_space_count(s.space);
            out_line("preset: %s\n", s.preset.text);
            out_line("sweep:  %s, %s, %d of %s done\n", s.folder.text, counted(vary, "setting"),
                     lu_sweep_count(s.sweep), counted(s.trials, "trial"));
            out_flush();
        }
        status = run_trials(&s, error);
    }
    lu_sweep_close(s.sweep);
    if (world_first(&s.world)) {
        LU_THEN(status, sweep_best(s.folder.text, "", call->json, error));
    }
    status = world_close(&s.world, status);
    lu_space_delete(s.space);
    lu_settings_delete(s.settings);
    free(s.settings_json);
    lu_text_free(&s.preset);
    lu_text_free(&s.folder);
    return status;
}

/* As it stands, else in the project's folder, where sweeps are written. */
static void find_sweep(const char *name, lu_text *folder) {
    if (*name && *name != '/' && lu_home() && !lu_file_exists(name)) {
        lu_text_addf(folder, "%s/", lu_home());
    }
    lu_text_add(folder, name);
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *preset = lu_settings_text_of(call->settings, "write_preset");
    if (call->word) {
        if (call->arguments != 1) {
            return lu_fail(error, LU_USAGE, "`ludus sweep best` needs a sweep's folder");
        }
        lu_text folder = LU_TEXT_INIT;
        find_sweep(call->argument[0], &folder);
        lu_status status = sweep_best(folder.text, preset, call->json, error);
        lu_text_free(&folder);
        return status;
    }
    if (!call->game) {
        return lu_fail(error, LU_USAGE,
                       "`ludus sweep` needs a game, or `best` and a folder: ludus %s",
                       call->verb->usage);
    }
    if (call->arguments > 0 || *preset) {
        return lu_fail(error, LU_USAGE,
                       "`ludus sweep GAME` does not take %s: that is for `ludus sweep best`",
                       *preset ? "--write-preset" : "a folder");
    }
    return run_search(call, error);
}

const verb verb_sweep = {
    .name = "sweep",
    .usage = "sweep GAME --space FILE [--trials N] [--json] | sweep best DIR [--json]",
    .sentence = "Searches for settings that train well, in many short trainings.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("sweep", options),
    .tables = tables,
    .words = words,
    .learns = true,
    .game = VERB_GAME_MAYBE,
    .game_settings = true,
    .least = 0,
    .most = 1,
    .argument = "DIR",
    .json = true,
    .run = run,
};
