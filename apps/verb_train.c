/* ludus train: trains a net for a game and leaves a run folder behind, which a later call can go on
 * with bit for bit. What an algorithm does is in src/train, what a run folder holds in src/lab. */
#include "eval_follow.h"
#include "machine_memory.h"
#include "output.h"
#include "process.h"
#include "session.h"
#include "train_companions.h"
#include "train_panel.h"
#include "training_settings.h"

#include "ludus/clock.h"
#include "ludus/dqn.h"
#include "ludus/file.h"
#include "ludus/run.h"
#include "ludus/train.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const verb_example examples[] = {
    {"ludus train cartpole --preset cartpole-classic", "a preset: settings that are known to work"},
    {"ludus train cartpole --algo dqn --steps 100k --seed 3", "another algorithm and seed"},
    {"ludus train prospector --steps 20M --set net.hidden=128", "with settings of one's own"},
    {"ludus train cartpole --resume latest", "goes on with the newest run, bit for bit"},
    {"ludus train cartpole --steps 20k --json", "every update as a line of JSON"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"steps", LU_TEXT, "", 0, 40, NULL,
     "Steps of environments; short for train.steps or dqn.steps.", false},
    {"seed", LU_TEXT, "", 0, 40, NULL, "Seed of everything; short for train.seed or dqn.seed.",
     false},
    {"threads", LU_TEXT, "", 0, 40, NULL,
     "Threads, 0 for one per processor; short for train.threads or dqn.threads.", false},
    {"resume", LU_TEXT, "", 0, 4096, NULL,
     "Goes on with a run: its id, its folder, or `latest` or `best` of this game.", false},
    {"out", LU_TEXT, "", 0, 4096, NULL, "Folder of the runs; short for run.folder.", false},
    {"tensorboard", LU_BOOL, "false", 0, 0, NULL,
     "Starts TensorBoard beside the training, where it is installed.", false},
};

static const lu_table *const tables[] = {
    &lu_algorithm_table, &lu_train_table, &lu_dqn_table,  &lu_net_table, &lu_run_place_table,
    &lu_run_table,       &lu_eval_table,  &lu_band_table, NULL,
};

static const char details[] =
    "The first line tells the memory that is needed. A run leaves runs/ID: after every window\n"
    "of run.window_env_steps decisions a row of metrics, a checkpoint and an evaluation with\n"
    "replays, made by a process beside the training (docs/run-folder.md). Ctrl-C writes a\n"
    "checkpoint and stops (exit code 130); a second one stops at once. A resumed run takes its\n"
    "settings from run.json: what is learned and judged stays; steps, threads, eval.on,\n"
    "eval.threads, eval.timeout, run.keep, run.checkpoint_updates, run.experiment and run.stop_*\n"
    "may change.";

/* Settings of one session of a run, and those that may change from one to the next. */
static const char *const own_keys[] = {
    "resume",           "out",        "steps",           "seed",         "threads",
    "tensorboard",      "run.folder", "run.stop_update", "eval.timeout", "run.stop_minutes",
    "run.line_seconds", NULL,
};
static const char *const open_keys[] = {
    "train.steps",
    "train.threads",
    "dqn.steps",
    "dqn.threads",
    "train.save_failed",
    "dqn.save_failed",
    "run.checkpoint_updates",
    "run.keep",
    "run.experiment",
    "eval.on",
    "eval.threads",
    NULL,
};

typedef struct training {
    const verb_call *call;
    const lu_algorithm *algorithm;
    lu_episode s;
    lu_settings *settings; /* game, net and algorithm, for trainer and model */
    void *trainer;
    lu_run *run;
    panel panel;
    side side;
    lu_window window; /* the one that is open */
    char commit[64];
    bool saved;           /* there is a checkpoint */
    double began, before; /* seconds: of this session, and of all before it */
} training;

/* ---- settings ---- */

/* --steps and its kin are short names of settings that depend on the algorithm. */
static lu_status apply_short(const verb_call *call, const char *name, const char *key,
                             lu_error *error) {
    const char *value = lu_settings_text_of(call->settings, name);
    lu_origin origin = lu_settings_origin(call->settings, name);
    char where[64];
    if (!*value) {
        return LU_OK;
    }
    if (lu_settings_origin(call->settings, key) == origin) {
        return lu_fail(error, LU_USAGE, "'%s' and '%s' are the same setting: give one of them",
                       name, key);
    }
    snprintf(where, sizeof where, "--%s", name);
    return lu_settings_set(call->settings, key, value, origin, where, error);
}

static lu_status apply_shorts(const training *t, lu_error *error) {
    static const char *const names[] = {"steps", "seed", "threads"};
    lu_status status = LU_OK;
    char key[64];
    for (int i = 0; i < 3 && status == LU_OK; i++) {
        snprintf(key, sizeof key, "%s.%s", t->algorithm->prefix, names[i]);
        status = apply_short(t->call, names[i], key, error);
    }
    return status == LU_OK ? apply_short(t->call, "out", "run.folder", error) : status;
}

/* Settings of a run that is gone on with; `path` is its folder. */
static lu_status apply_resume(training *t, const char *path, lu_error *error) {
    char *game = lu_run_fact(path, "game", error);
    char *algorithm = game ? lu_run_fact(path, "algorithm", error) : NULL;
    if (!algorithm) {
        free(game);
        return error->status;
    }
    lu_status status = LU_OK;
    if (strcmp(game, t->call->game->id) != 0) {
        status = lu_fail(error, LU_OTHER_SPEC, "run %s is of %s, not of %s", path, game,
                         t->call->game->id);
    }
    if (status == LU_OK) {
        t->algorithm = lu_algorithm_find(algorithm, error);
        status = t->algorithm ? LU_OK : LU_BAD_DATA;
    }
    if (status == LU_OK) {
        status = apply_shorts(t, error);
    }
    if (status == LU_OK) {
        status = lu_run_settings(path, own_keys, open_keys, t->call->settings, error);
    }
    free(game);
    free(algorithm);
    return status;
}

static lu_status apply_settings(training *t, const char *path, lu_error *error) {
    lu_status status;
    if (*path) {
        return apply_resume(t, path, error);
    }
    t->algorithm = lu_algorithm_find(lu_settings_text_of(t->call->settings, "algo"), error);
    status = t->algorithm ? trainings_check_flags(t->call, t->algorithm, error) : LU_BAD_VALUE;
    if (status == LU_OK) {
        status = apply_shorts(t, error);
    }
    if (status == LU_OK && t->algorithm->profile) {
        status = t->algorithm->profile(t->call->settings, error);
    }
    return status;
}

static uint64_t seed_of(const training *t) {
    char key[64];
    snprintf(key, sizeof key, "%s.seed", t->algorithm->prefix);
    return (uint64_t)lu_settings_int(t->settings, key);
}

/* ---- memory ---- */

static lu_status check_memory(const training *t, lu_json *json, lu_error *error) {
    lu_training_need need = {0};
    size_t available = memory_available();
    lu_status status = t->algorithm->bytes_needed(t->s.game, t->settings, &need, error);
    if (status != LU_OK) {
        return status;
    }
    lu_text parts;
    lu_text_init(&parts);
    for (int i = 0; i < need.parts; i++) {
        lu_text_addf(&parts, "%s%s %s", i ? ", " : "", need.part[i].name,
                     memory_text(need.part[i].value));
    }
    if (t->call->json) {
        lu_json_key(json, "memory");
        lu_json_object(json);
        for (int i = 0; i < need.parts; i++) {
            lu_json_key_real(json, need.part[i].name, need.part[i].value);
        }
        lu_json_key_real(json, "total", (double)need.total);
        lu_json_key_real(json, "available", (double)available);
        lu_json_object_end(json);
    } else {
        out_format("memory: %s (%s); %s are free\n", memory_text((double)need.total), parts.text,
                   available ? memory_text((double)available) : "an unknown number");
    }
    if (available > 0 && need.total > available) {
        status =
            lu_fail(error, LU_LIMIT, "training needs %s of memory (%s), but %s are free: lower %s",
                    memory_text((double)need.total), parts.text, memory_text((double)available),
                    need.lower);
    }
    lu_text_free(&parts);
    return status;
}

/* ---- the run ---- */

static lu_status open_run(training *t, const char *path, lu_error *error) {
    lu_text runs;
    lu_run_facts facts = {.game = t->s.game,
                          .algorithm = t->algorithm->name,
                          .settings = t->call->settings,
                          .seed = seed_of(t),
                          .commit = t->commit,
                          .version = LUDUS_VERSION};
    lu_text_init(&runs);
    lu_run_place(t->call->settings, &runs);
    t->run = *path ? lu_run_resume(path, &facts, error) : lu_run_new(runs.text, &facts, error);
    lu_text_free(&runs);
    return t->run ? LU_OK : error->status;
}

/* `closed`: the window is at its end. */
static lu_status checkpoint(training *t, bool closed, lu_error *error) {
    const lu_algorithm *a = t->algorithm;
    lu_model_file model = {.game = t->s.game,
                           .net = a->net(t->trainer),
                           .settings = t->settings,
                           .return_scale = a->return_scale(t->trainer),
                           .step = a->steps(t->trainer),
                           .seed = seed_of(t)};
    snprintf(model.build, sizeof model.build, "ludus %s %.40s", LUDUS_VERSION, t->commit);
    if (a->normaliser(t->trainer)) {
        model.observation = *a->normaliser(t->trainer);
    }
    if (a->critic_normaliser(t->trainer)) {
        model.critic = *a->critic_normaliser(t->trainer);
    }
    size_t length = a->snapshot_bytes(t->trainer);
    void *state = lu_alloc(length);
    a->save(t->trainer, state);
    lu_checkpoint point = {.window = &t->window,
                           .closed = closed,
                           .hash = a->hash(t->trainer),
                           .probe = lu_agent_probe(&model, t->s.rules, t->s.options),
                           .state = state,
                           .length = length,
                           .model = &model};
    lu_status status =
        lu_run_save(t->run, &point, (int)lu_settings_int(t->call->settings, "run.keep"), error);
    free(state);
    if (status == LU_OK) {
        t->saved = true;
        t->panel.saved = t->window.update;
    }
    return status;
}

static int64_t window_size(const training *t) {
    return lu_settings_int(t->call->settings, "run.window_env_steps");
}

/* Rows of later updates, from before a crash, no longer count. */
static lu_status void_rows(training *t, lu_error *error) {
    lu_text row;
    lu_text_init(&row);
    lu_text_addf(&row, "{\"resume\":%" PRId64 ",\"update\":%" PRId64 "}", t->window.id,
                 t->window.update);
    lu_status status = lu_run_row(t->run, LU_WINDOWS, row.text, error);
    if (status == LU_OK) {
        lu_text_clear(&row);
        lu_text_addf(&row, "{\"resume\":%" PRId64 "}", t->window.update);
        status = lu_run_row(t->run, LU_UPDATES, row.text, error);
    }
    lu_text_free(&row);
    return status;
}

static lu_status load(training *t, const char *path, lu_error *error) {
    char *state;
    size_t length;
    lu_status status = lu_run_load(path, &state, &length, &t->window, error);
    if (status != LU_OK) {
        return status;
    }
    status = t->algorithm->load(t->trainer, state, length, error);
    free(state);
    if (status != LU_OK) {
        return status;
    }
    if (t->window.update != t->algorithm->updates(t->trainer) ||
        t->window.steps != t->algorithm->steps(t->trainer)) {
        return lu_fail(error, LU_DAMAGED_FILE,
                       "the newest checkpoint of run %s is of two different moments: remove it to "
                       "go on from the one before",
                       lu_run_id(t->run));
    }
    t->saved = true;
    t->panel.saved = t->window.update;
    t->before = t->window.wall;
    if (t->algorithm->done(t->trainer)) {
        return lu_fail(error, LU_USAGE,
                       "run %s has done its %" PRId64 " steps: give more with --steps",
                       lu_run_id(t->run), t->algorithm->steps(t->trainer));
    }
    if (lu_window_full(&t->window, window_size(t))) {
        lu_window_next(&t->window);
    }
    return void_rows(t, error);
}

/* ---- the course of a training ---- */

static lu_status report(training *t, const lu_progress *g, bool last, lu_error *error) {
    lu_json row;
    lu_json_init(&row);
    lu_json_object(&row);
    if (t->call->json) {
        lu_json_key_string(&row, "event", "update");
    }
    lu_json_key_int(&row, "window_id", t->window.id);
    lu_json_key_real(&row, "wall_seconds", t->window.wall);
    lu_progress_write(g, t->s.game, &row);
    lu_json_object_end(&row);
    lu_status status = lu_run_row(t->run, LU_UPDATES, row.text, error);
    if (t->call->json) {
        out_json(&row);
        out_flush();
    } else {
        panel_show(&t->panel, g, last);
    }
    lu_json_free(&row);
    return status;
}

/* What commands name the run by: its id is enough where runs are by default. */
static const char *run_name(const training *t) {
    return *lu_settings_text_of(t->call->settings, "run.folder") ? lu_run_path(t->run)
                                                                 : lu_run_id(t->run);
}

/* ---- windows ---- */

static void warn(training *t, const lu_progress *g) {
    const char *text;
    for (int i = 0; (text = lu_window_warning(&t->window, g, t->s.game, i)) != NULL; i++) {
        panel_say(&t->panel, "window %" PRId64 ": %s", t->window.id, text);
    }
}

/* The row of a window that is at its end; the caller frees it. */
static char *window_row(const training *t, const lu_progress *g, bool complete) {
    char now[LU_CLOCK_TEXT];
    lu_json row;
    lu_json_init(&row);
    lu_json_object(&row);
    lu_json_key_string(&row, "run_id", lu_run_id(t->run));
    lu_json_key_bool(&row, "complete", complete);
    lu_json_key_string(&row, "written", lu_clock_utc(now, sizeof now));
    lu_window_write(&t->window, g, t->s.game, &row);
    lu_json_object_end(&row);
    return row.text;
}

static void tell(const training *t, const char *event, const char *row) {
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    lu_json_key_string(&json, "event", event);
    lu_json_key(&json, "row");
    lu_json_raw(&json, row, strlen(row));
    lu_json_object_end(&json);
    if (t->call->json) {
        out_json(&json);
        out_flush();
    }
    lu_json_free(&json);
}

/* The row comes before the checkpoint: a crash between the two voids the row, and a resumed
 * training writes it again. */
static lu_status close_window(training *t, const lu_progress *g, lu_error *error) {
    bool complete = lu_window_full(&t->window, window_size(t));
    char *row = window_row(t, g, complete);
    lu_status status = lu_run_row(t->run, LU_WINDOWS, row, error);
    if (status == LU_OK) {
        status = checkpoint(t, true, error);
    }
    if (status == LU_OK) {
        warn(t, g);
        tell(t, "window", row);
        side_window(&t->side, row);
    }
    if (status == LU_OK && complete && !t->algorithm->done(t->trainer)) {
        lu_window_next(&t->window);
    }
    free(row);
    return status;
}

/* Evaluations that have come in. */
static void hear(training *t, bool now) {
    for (lu_json_document *row; (row = side_evaluation(&t->side, now)) != NULL; now = true) {
        lu_json json;
        panel_evaluation(&t->panel, lu_json_root(row));
        if (t->call->json) {
            lu_json_init(&json);
            lu_json_value_write(&json, lu_json_root(row));
            tell(t, "evaluation", json.text);
            lu_json_free(&json);
        }
        lu_json_close(row);
    }
}

/* A training that is finished waits for the evaluator to judge what is left. */
static void wait_for_evaluator(training *t) {
    double until = lu_clock_seconds() + lu_settings_real(t->call->settings, "eval.timeout");
    bool told = false;
    progress_start();
    while (side_judging(&t->side, t->window.id) && !interrupted() && lu_clock_seconds() < until) {
        hear(t, true);
        progress(-1, "the evaluator judges the last windows");
        usleep(20000);
        told = true;
    }
    progress_end();
    hear(t, true);
    if (told && side_judging(&t->side, t->window.id)) {
        note("not all windows are judged yet; `ludus eval --follow %s` judges the others",
             run_name(t));
    }
}

/* True when this session is to end before the training does. */
static bool stops(const training *t) {
    const lu_settings *s = t->call->settings;
    int64_t update = lu_settings_int(s, "run.stop_update");
    double minutes = lu_settings_real(s, "run.stop_minutes");
    return interrupted() || (update > 0 && t->algorithm->updates(t->trainer) >= update) ||
           (minutes > 0 && lu_clock_seconds() - t->began >= 60.0 * minutes);
}

static lu_status train_all(training *t, lu_error *error) {
    const lu_algorithm *a = t->algorithm;
    int64_t every = lu_settings_int(t->call->settings, "run.checkpoint_updates");
    lu_status status = LU_OK;
    bool last = a->done(t->trainer) || stops(t);
    if (last && !t->saved) {
        status =
            checkpoint(t, false, error); /* stopped before the first update: it can go on too */
    }
    while (!last && status == LU_OK) {
        lu_progress g;
        status = a->update(t->trainer, &g, error);
        if (status != LU_OK) {
            break;
        }
        lu_window_add(&t->window, &g, t->before + lu_clock_seconds() - t->began);
        last = a->done(t->trainer) || stops(t);
        status = report(t, &g, last, error);
        if (status != LU_OK) {
            break;
        }
        if (a->done(t->trainer) || lu_window_full(&t->window, window_size(t))) {
            status = close_window(t, &g, error);
        } else if (last || (every > 0 && g.updates % every == 0)) {
            status = checkpoint(t, false, error);
        }
        hear(t, false);
    }
    return status;
}

static void print_end(const training *t, const char *state) {
    const lu_algorithm *a = t->algorithm;
    if (t->call->json) {
        lu_json json;
        lu_json_init(&json);
        lu_json_object(&json);
        lu_json_key_string(&json, "event", "end");
        lu_json_key_string(&json, "status", state);
        lu_json_key_string(&json, "run", lu_run_id(t->run));
        lu_json_key_string(&json, "folder", lu_run_path(t->run));
        lu_json_key_int(&json, "update", a->updates(t->trainer));
        lu_json_key_int(&json, "env_steps", a->steps(t->trainer));
        lu_json_key_real(&json, "wall_seconds", lu_clock_seconds() - t->began);
        lu_json_key(&json, "hash");
        lu_json_hex(&json, a->hash(t->trainer));
        lu_json_object_end(&json);
        out_json(&json);
        lu_json_free(&json);
        return;
    }
    out_format("%s after %" PRId64 " updates, %s steps, %s; hash %016" PRIx64 "\n", state,
               a->updates(t->trainer), count_text((double)a->steps(t->trainer)),
               time_text(lu_clock_seconds() - t->began), a->hash(t->trainer));
    if (t->saved) {
        out_format("Next: ludus eval %s\n", run_name(t));
    }
}

static lu_status finish(training *t, lu_status status, lu_error *error) {
    const lu_algorithm *a = t->algorithm;
    const char *state = status != LU_OK ? "failed" : a->done(t->trainer) ? "finished" : "stopped";
    lu_error second;
    lu_status told = lu_run_set_status(t->run, state, a->updates(t->trainer), a->steps(t->trainer),
                                       status == LU_OK ? error : &second);
    status = status == LU_OK ? told : status;
    if (status == LU_OK && a->done(t->trainer)) {
        wait_for_evaluator(t);
    }
    side_end(&t->side);
    panel_end(&t->panel);
    print_end(t, state);
    if (status == LU_OK && interrupted()) {
        status = lu_fail(error, LU_INTERRUPTED,
                         "interrupted after update %" PRId64
                         ", which is kept: `ludus train %s --resume %s` goes on",
                         a->updates(t->trainer), t->s.game->name, run_name(t));
    }
    return status;
}

static void print_start(const training *t, lu_json *json) {
    const lu_algorithm *a = t->algorithm;
    if (t->call->json) {
        lu_json_key_string(json, "run", lu_run_id(t->run));
        lu_json_key_string(json, "folder", lu_run_path(t->run));
        lu_json_key_string(json, "game", t->s.game->id);
        lu_json_key_string(json, "algorithm", a->name);
        lu_json_key_int(json, "parameters", (int64_t)lu_net_parameters(a->net(t->trainer)));
        lu_json_key_int(json, "threads", a->threads(t->trainer));
        lu_json_key_int(json, "batch", a->batch(t->trainer));
        lu_json_key_int(json, "update", a->updates(t->trainer));
        lu_json_key_int(json, "updates_total", a->updates_total(t->trainer));
        lu_json_object_end(json);
        out_json(json);
        out_flush();
        return;
    }
    out_format("run:    %s\n", lu_run_path(t->run));
    out_format("%s by %s: %zu parameters, %" PRId64 " updates of %s steps, %d thread%s\n",
               t->s.game->id, a->name, lu_net_parameters(a->net(t->trainer)),
               a->updates_total(t->trainer), count_text(a->batch(t->trainer)),
               a->threads(t->trainer), a->threads(t->trainer) > 1 ? "s" : "");
    if (a->updates(t->trainer) > 0) {
        out_format("going on after update %" PRId64 "\n", a->updates(t->trainer));
    }
    out_flush();
}

/* The batch that stopped the training is kept in the run, unless the call says where. */
static void place_failed(const training *t) {
    char key[64];
    lu_text path;
    snprintf(key, sizeof key, "%s.save_failed", t->algorithm->prefix);
    lu_text_init(&path);
    lu_text_addf(&path, "%s/failed.safetensors", lu_run_path(t->run));
    if (lu_settings_has(t->settings, key) && !*lu_settings_text_of(t->settings, key)) {
        lu_settings_set(t->settings, key, path.text, LU_FROM_DEFAULT, "the run", NULL);
    }
    lu_text_free(&path);
}

static void start_side(training *t, bool resumed) {
    lu_text runs;
    lu_text_init(&runs);
    lu_run_place(t->call->settings, &runs);
    side_start(&t->side, t->call, runs.text, lu_run_path(t->run),
               resumed ? t->algorithm->steps(t->trainer) : -1);
    lu_text_free(&runs);
}

static lu_status train_run(training *t, const char *path, lu_json *json, lu_error *error) {
    const lu_algorithm *a = t->algorithm;
    lu_status status = open_run(t, path, error);
    if (status != LU_OK) {
        return status;
    }
    place_failed(t);
    t->trainer = a->make(t->s.game, t->s.rules, t->settings, t->s.options, error);
    status = t->trainer ? LU_OK : error->status;
    if (status == LU_OK && *path) {
        status = load(t, path, error);
    }
    if (status != LU_OK) {
        return status;
    }
    status =
        lu_run_set_status(t->run, "running", a->updates(t->trainer), a->steps(t->trainer), error);
    if (status != LU_OK) {
        return status;
    }
    t->began = lu_clock_seconds();
    t->panel = (panel){.quiet = t->call->json,
                       .algorithm = a,
                       .game = t->s.game,
                       .title = lu_run_id(t->run),
                       .total = a->updates_total(t->trainer),
                       .steps_total = a->updates_total(t->trainer) * a->batch(t->trainer),
                       .first = a->updates(t->trainer),
                       .line_seconds = lu_settings_real(t->call->settings, "run.line_seconds"),
                       .saved = t->panel.saved};
    panel_start(&t->panel);
    print_start(t, json);
    start_side(t, *path != 0);
    return finish(t, train_all(t, error), error);
}

static lu_status find_run(const verb_call *call, lu_text *path, lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "resume");
    const char *out = lu_settings_text_of(call->settings, "out");
    lu_text runs;
    lu_status status = call_not_empty(call, "resume", error);
    if (status == LU_OK && *name) {
        lu_text_init(&runs);
        if (*out) {
            lu_text_add(&runs, out);
        } else {
            lu_run_place(call->settings, &runs);
        }
        status = lu_run_find(runs.text, name, call->game, path, error);
        lu_text_free(&runs);
    }
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    training t = {.call = call};
    lu_text path;
    lu_json json;
    lu_text_init(&path);
    lu_json_init(&json);
    lu_status status = find_run(call, &path, error);
    if (status == LU_OK) {
        status = apply_settings(&t, path.text, error);
    }
    if (status == LU_OK) {
        status = call_open_episode(call, call->game, NULL, &t.s, error);
    }
    if (status != LU_OK) {
        lu_text_free(&path);
        return status;
    }
    t.settings = lu_game_settings(t.s.game);
    lu_settings_add(t.settings, lu_net_table);
    lu_settings_add(t.settings, *t.algorithm->table);
    lu_settings_take_as_is(t.settings, call->settings, "game.");
    process_commit(false, t.commit, sizeof t.commit);
    out_outlive();
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "start");
    const char *metric;
    status = eval_metric(t.s.game, call->settings, &metric, error);
    if (status == LU_OK) {
        status = check_memory(&t, &json, error);
    }
    if (status == LU_OK) {
        status = train_run(&t, path.text, &json, error);
    }
    if (t.trainer) {
        t.algorithm->drop(t.trainer);
    }
    lu_run_close(t.run);
    lu_settings_delete(t.settings);
    lu_episode_close(&t.s);
    lu_json_free(&json);
    lu_text_free(&path);
    return status;
}

const verb verb_train = {
    .name = "train",
    .usage = "train GAME [--algo A] [--preset P] [--steps N] [--seed S] [--resume RUN] [--json]",
    .sentence = "Trains a net for a game, and goes on with a training that was stopped.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("train", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
