/* The course of a training: see training.h. What an algorithm does is in src/train, what a run
 * folder holds in run.c and checkpoint.c. */
#include "run_files.h"
#include "stop_when.h"
#include "training_internal.h"

#include "ludus/agent.h"
#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/self_play.h"
#include "ludus/trainer_halves.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STATE_SECONDS = 120; /* what a crash may cost, without a run */
static const double HEAR_SECONDS = 0.5;

struct lu_training {
    lu_training_plan plan;
    lu_trainer *trainer;
    opponents *opponents; /* NULL: every seat learns */
    lu_run *run;
    stop_when when;
    lu_window window;     /* the one that is open */
    double began, before; /* seconds: of this sitting, and of all before it */
    double kept;          /* when the state was kept last */
    bool over;            /* this sitting ends */
    int64_t saved, judged;
    int64_t heard; /* bytes of evals.jsonl that were told */
    double looked; /* when it was looked at last */
};

/* ---- before it ---- */

static void key_of(const lu_algorithm *a, const char *name, char key[100]) {
    snprintf(key, 100, "%s.%s", a->prefix, name);
}

lu_status lu_training_set(lu_settings *settings, const lu_algorithm *a, const char *name,
                          uint64_t value, const char *where, lu_error *error) {
    char key[100], text[32];
    key_of(a, name, key);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return lu_settings_set(settings, key, text, LU_FROM_FLAG, where, error);
}

void lu_training_need_text(const lu_training_need *need, lu_text *text) {
    lu_text_add_bytes(text, (double)need->total);
    for (int i = 0; i < need->parts; i++) {
        lu_text_addf(text, "%s%s ", i ? ", " : " (", need->part[i].name);
        lu_text_add_bytes(text, need->part[i].value);
    }
    lu_text_add(text, need->parts > 0 ? ")" : "");
}

lu_status lu_training_memory(const lu_game *game, const lu_algorithm *a,
                             const lu_settings *settings, size_t memory, lu_training_need *need,
                             lu_error *error) {
    *need = (lu_training_need){0};
    lu_status status = a->bytes_needed(game, settings, need, error);
    if (status == LU_OK && memory > 0 && need->total > memory) {
        lu_text text = LU_TEXT_INIT;
        lu_training_need_text(need, &text);
        lu_text_add(&text, " of memory, but ");
        lu_text_add_bytes(&text, (double)memory);
        status = lu_fail(error, LU_LIMIT, "a training needs %s are free: lower %s", text.text,
                         need->lower);
        lu_text_free(&text);
    }
    return status;
}

static uint64_t seed_of(const lu_training *t) {
    char key[100];
    key_of(t->plan.algorithm, "seed", key);
    return (uint64_t)lu_settings_int(t->plan.settings, key);
}

/* ---- where it is ---- */

lu_trainer *lu_training_trainer(lu_training *t) {
    return t->trainer;
}

bool lu_training_done(const lu_training *t) {
    return lu_trainer_done(t->trainer);
}

double lu_training_share(const lu_training *t) {
    return (double)lu_trainer_updates(t->trainer) / (double)lu_trainer_updates_total(t->trainer);
}

double lu_training_seconds(const lu_training *t) {
    return lu_clock_seconds() - t->began;
}

const lu_run *lu_training_run(const lu_training *t) {
    return t->run;
}

const lu_window *lu_training_window(const lu_training *t) {
    return &t->window;
}

int64_t lu_training_saved(const lu_training *t) {
    return t->saved;
}

int64_t lu_training_judged(const lu_training *t) {
    return t->judged;
}

lu_model_file lu_training_model(lu_training *t) {
    lu_model_file model = {.game = t->plan.game,
                           .net = lu_trainer_net(t->trainer),
                           .settings = t->plan.settings,
                           .win_rate = lu_trainer_win_rate(t->trainer),
                           .return_scale = lu_trainer_return_scale(t->trainer),
                           .step = lu_trainer_steps(t->trainer),
                           .seed = seed_of(t)};
    snprintf(model.build, sizeof model.build, "ludus %s %.40s", t->plan.version, t->plan.commit);
    if (lu_trainer_normaliser(t->trainer)) {
        model.observation = *lu_trainer_normaliser(t->trainer);
    }
    if (lu_trainer_critic_normaliser(t->trainer)) {
        model.critic = *lu_trainer_critic_normaliser(t->trainer);
    }
    return model;
}

/* ---- kept as a run ---- */

static int64_t run_int(const lu_training *t, const char *key) {
    return lu_settings_int(t->plan.run, key);
}

/* `closed`: the window is at its end. */
static lu_status checkpoint(lu_training *t, bool closed, lu_error *error) {
    lu_model_file model = lu_training_model(t);
    size_t length = lu_trainer_snapshot_bytes(t->trainer);
    void *state = lu_alloc(length);
    lu_trainer_save(t->trainer, state);
    char *league = opponents_text(t->opponents);
    lu_checkpoint point = {
        .window = &t->window,
        .closed = closed,
        .hash = lu_trainer_hash(t->trainer),
        .probe = lu_agent_probe(&model, lu_trainer_rules(t->trainer), t->plan.options),
        .state = state,
        .length = length,
        .model = &model,
        .league = league};
    lu_status status = lu_run_save(t->run, &point, (int)run_int(t, "run.keep"), error);
    free(state);
    free(league);
    t->saved = status == LU_OK ? t->window.update : t->saved;
    t->kept = lu_clock_seconds();
    return status;
}

/* Rows of later updates, from before a crash, no longer count. */
static lu_status void_rows(lu_training *t, lu_error *error) {
    lu_text row = LU_TEXT_INIT;
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

/* Its last window is closed: nothing is left to train. Whether the run was called finished does not
 * matter, since who resumes cannot know: it may have been killed right before or behind that. */
static bool is_closed(const lu_training *t) {
    lu_text folder = LU_TEXT_INIT;
    lu_manifest manifest;
    lu_run_window_path(t->plan.resume, t->window.id, &folder);
    bool yes = lu_manifest_read(folder.text, &manifest, NULL) == LU_OK && manifest.closed;
    lu_text_free(&folder);
    return yes;
}

static lu_status load_run(lu_training *t, lu_error *error) {
    char *state;
    size_t length;
    lu_status status = lu_run_load(t->plan.resume, &state, &length, &t->window, error);
    if (status == LU_OK) {
        status = lu_trainer_load(t->trainer, state, length, error);
        free(state);
    }
    if (status != LU_OK) {
        return status;
    }
    if (t->window.update != lu_trainer_updates(t->trainer) ||
        t->window.steps != lu_trainer_steps(t->trainer)) {
        return lu_fail(error, LU_DAMAGED_FILE,
                       "the newest checkpoint of run %s mixes two different moments: --resume "
                       "RUN:WINDOW resumes from an older one",
                       lu_run_id(t->run));
    }
    t->saved = t->window.update;
    t->before = t->window.wall;
    if (lu_trainer_done(t->trainer)) {
        return is_closed(t)
                   ? LU_OK
                   : lu_fail(error, LU_USAGE,
                             "run %s has done its %" PRId64 " steps: give a larger --steps",
                             lu_run_id(t->run), lu_trainer_steps(t->trainer));
    }
    if (lu_window_full(&t->window, run_int(t, "run.window_env_steps"))) {
        lu_window_next(&t->window);
    }
    return void_rows(t, error);
}

/* Adds the row of an update to the run. */
static lu_status write_update(lu_training *t, const lu_progress *g, lu_json *row, lu_error *error) {
    lu_json_object(row);
    lu_json_key_int(row, "window_id", t->window.id);
    lu_json_key_real(row, "wall_seconds", t->window.wall);
    lu_progress_write(g, t->plan.game, row);
    lu_json_object_end(row);
    return lu_run_row(t->run, LU_UPDATES, row->text, error);
}

static void write_window(const lu_training *t, const lu_progress *g, bool complete, lu_json *row) {
    char now[LU_CLOCK_TEXT];
    lu_json_object(row);
    lu_json_key_string(row, "run_id", lu_run_id(t->run));
    lu_json_key_bool(row, "complete", complete);
    lu_json_key_string(row, "written", lu_clock_utc(now, sizeof now));
    lu_window_write(&t->window, g, t->plan.game, row);
    lu_json_object_end(row);
}

/* The row comes before the checkpoint: a crash between the two voids the row, and a resumed
 * training writes it again. */
static lu_status close_window(lu_training *t, const lu_progress *g, bool complete,
                              lu_error *error) {
    lu_json row = LU_JSON_INIT;
    write_window(t, g, complete, &row);
    lu_status status = lu_run_row(t->run, LU_WINDOWS, row.text, error);
    LU_THEN(status, checkpoint(t, true, error));
    if (status == LU_OK && t->plan.hooks.window) {
        t->plan.hooks.window(t->plan.hooks.context, &t->window, g, row.text);
    }
    if (status == LU_OK && complete && !lu_training_done(t)) {
        lu_window_next(&t->window);
    }
    lu_json_free(&row);
    return status;
}

static bool window_is_full(const lu_training *t) {
    return lu_window_full(&t->window, run_int(t, "run.window_env_steps"));
}

static lu_status keep_run(lu_training *t, const lu_progress *g, lu_error *error) {
    int64_t every = run_int(t, "run.checkpoint_updates");
    bool full = window_is_full(t);
    if (full || lu_training_done(t)) {
        return close_window(t, g, full, error);
    }
    double minutes = lu_settings_real(t->plan.run, "run.checkpoint_minutes");
    bool due = t->over || (every > 0 && g->updates % every == 0) ||
               (minutes > 0.0 && lu_clock_seconds() - t->kept > 60.0 * minutes) ||
               opponents_turn_due(t->opponents);
    return due ? checkpoint(t, false, error) : LU_OK;
}

/* ---- kept as a state: that of the trainer, and a hash ---- */

static lu_status save_state(lu_training *t, lu_error *error) {
    size_t length = lu_trainer_snapshot_bytes(t->trainer);
    char *bytes = lu_alloc(length + sizeof(uint64_t));
    lu_trainer_save(t->trainer, bytes);
    uint64_t hash = lu_hash(bytes, length, 0);
    memcpy(bytes + length, &hash, sizeof hash);
    lu_status status = lu_file_write(t->plan.state, bytes, length + sizeof hash, error);
    free(bytes);
    t->kept = lu_clock_seconds();
    return status;
}

/* A training that is done needs none. */
static lu_status keep_state(lu_training *t, bool stop, lu_error *error) {
    bool due = stop || lu_clock_seconds() - t->kept > STATE_SECONDS;
    return t->plan.state && due && !lu_training_done(t) ? save_state(t, error) : LU_OK;
}

static lu_status load_state(lu_training *t, lu_error *error) {
    char *bytes = NULL;
    size_t length = 0;
    uint64_t hash = 0;
    lu_status status = lu_file_read(t->plan.state, RUN_STATE_MOST, &bytes, &length, error);
    bool whole = status == LU_OK && length > sizeof hash;
    if (whole) {
        length -= sizeof hash;
        memcpy(&hash, bytes + length, sizeof hash);
        whole = hash == lu_hash(bytes, length, 0);
    }
    if (status == LU_OK && !whole) {
        status = lu_fail(error, LU_DAMAGED_FILE,
                         "%s is damaged: remove it to start this training again", t->plan.state);
    }
    LU_THEN(status, lu_trainer_load(t->trainer, bytes, length, error));
    free(bytes);
    return status;
}

/* ---- opening ---- */

static bool resumes(const lu_training_plan *plan) {
    return plan->run ? plan->resume && *plan->resume : plan->state && lu_file_exists(plan->state);
}

/* The batch that stops a training is kept in its run, unless the settings say where. */
static void place_failed(const lu_training *t) {
    char key[100];
    lu_text path = LU_TEXT_INIT;
    key_of(t->plan.algorithm, "save_failed", key);
    lu_text_addf(&path, "%s/failed.safetensors", lu_run_path(t->run));
    if (lu_settings_has(t->plan.settings, key) && !*lu_settings_text_of(t->plan.settings, key)) {
        lu_settings_set(t->plan.settings, key, path.text, LU_FROM_DEFAULT, "the run", NULL);
    }
    lu_text_free(&path);
}

static lu_status open_run(lu_training *t, lu_error *error) {
    const lu_training_plan *plan = &t->plan;
    lu_settings *settled = lu_settings_copy(plan->run);
    lu_run_facts facts = {.game = plan->game,
                          .algorithm = plan->algorithm->name,
                          .settings = settled,
                          .seed = seed_of(t),
                          .commit = plan->commit,
                          .version = plan->version,
                          .name = plan->name};
    if (lu_net_settle(settled, error) == LU_OK) {
        t->run = resumes(plan) ? lu_run_resume(plan->resume, &facts, error)
                               : lu_run_new(plan->runs, &facts, error);
    }
    lu_settings_delete(settled);
    if (!t->run) {
        return error->status;
    }
    place_failed(t);
    const lu_run_change said = {.note = lu_settings_text_of(plan->run, "run.description"),
                                .archived = -1};
    if (*said.note && !resumes(plan)) {
        LU_TRY(lu_run_edit(lu_run_path(t->run), &said, error));
    }
    opponents_of_run(t->opponents, t->run);
    return LU_OK;
}

lu_status training_restart(lu_training *t, const char *from, lu_error *error) {
    lu_model_file *model;
    LU_TRY(training_model(&t->plan, from, &model, error));
    lu_status status = training_take(t->trainer, from, model, error);
    lu_model_file_delete(model);
    return status;
}

lu_status training_renew(lu_training *t, lu_error *error) {
    return opponents_renew(t->opponents, t->trainer, error);
}

static lu_status open_trainer(lu_training *t, const char *from, const lu_model_file *model,
                              lu_error *error) {
    const lu_training_plan *plan = &t->plan;
    const lu_algorithm *a = plan->algorithm;
    t->trainer = plan->comm
                     ? a->make_shared(plan->game, plan->settings, plan->options, plan->comm, error)
                     : a->make(plan->game, plan->settings, plan->options, error);
    if (!t->trainer) {
        return error->status;
    }
    lu_trainer_set_watch(t->trainer, plan->hooks.watch);
    if (plan->hooks.collect && (!a->make_shared || lu_trainer_has_opponents(t->trainer))) {
        return lu_fail(error, LU_BAD_VALUE, "%s: with workers elsewhere %s: train in one process",
                       a->name, a->make_shared ? "there are no opponents" : "only ppo trains");
    }
    lu_status status = opponents_seat(t->opponents, t->trainer, error);
    if (status != LU_OK || !resumes(plan)) {
        return status == LU_OK && model ? training_take(t->trainer, from, model, error) : status;
    }
    return t->run ? load_run(t, error) : load_state(t, error);
}

/* The run that is exploited is begun with too. */
static const char *from_of(const lu_training_plan *plan) {
    bool named = plan->from && *plan->from;
    return resumes(plan) ? NULL
           : !named && lu_self_play_exploits(plan->settings)
               ? lu_settings_text_of(plan->settings, "self_play.latest_run")
               : plan->from;
}

/* The next evaluation; the caller closes it. NULL: none. */
static lu_json_document *next_evaluation(lu_training *t) {
    char *line = lu_rows_next(lu_run_path(t->run), LU_EVALS, &t->heard);
    lu_json_document *row = line ? lu_json_read("evals.jsonl", line, strlen(line), NULL) : NULL;
    free(line);
    if (row) {
        t->judged = (int64_t)lu_json_real_or(lu_json_get(lu_json_root(row), "window_id"),
                                             (double)t->judged);
    }
    return row;
}

static lu_status begin_run(lu_training *t, lu_error *error) {
    /* rows of earlier sittings are no news */
    for (lu_json_document *row; (row = next_evaluation(t)) != NULL;) {
        lu_json_close(row);
    }
    return lu_run_set_status(t->run, "running", lu_trainer_updates(t->trainer),
                             lu_trainer_steps(t->trainer), error);
}

lu_training *lu_training_open(const lu_training_plan *plan, lu_error *error) {
    lu_error own;
    lu_training *t = lu_alloc_zero(1, sizeof *t);
    error = error ? error : &own;
    t->plan = *plan;
    t->saved = t->judged = -1;
    /* a name that stands for nobody leaves no run behind */
    opponents_plan others = {.algorithm = plan->algorithm,
                             .game = plan->game,
                             .settings = plan->settings,
                             .runs = plan->players ? plan->players : plan->runs,
                             .run = plan->run || plan->measured,
                             .resume = plan->run ? plan->resume : NULL};
    lu_model_file *model = NULL;
    const char *when = plan->run ? lu_settings_text_of(plan->run, "run.stop_when") : "";
    lu_status status = stop_when_read(&t->when, when, error);
    LU_THEN(status, lu_net_settle(plan->settings, error));
    LU_THEN(status, plan->run ? exploiters_check(plan, error) : LU_OK);
    LU_THEN(status, training_model(plan, from_of(plan), &model, error));
    LU_THEN(status, opponents_open(&others, &t->opponents, error));
    if (status == LU_OK && plan->run) {
        status = open_run(t, error);
    }
    LU_THEN(status, open_trainer(t, from_of(plan), model, error));
    lu_model_file_delete(model);
    if (status == LU_OK && t->run) {
        status = begin_run(t, error);
    }
    if (status != LU_OK) {
        char *begun = t->run && !resumes(plan) ? lu_strdup(lu_run_path(t->run)) : NULL;
        lu_training_close(t);
        if (begun) { /* nothing is in it */
            (void)lu_folder_remove(begun, NULL);
        }
        free(begun);
        return NULL;
    }
    t->began = t->kept = lu_clock_seconds();
    return t;
}

void lu_training_close(lu_training *t) {
    if (!t) {
        return;
    }
    if (t->trainer) {
        lu_trainer_delete(t->trainer);
    }
    opponents_close(t->opponents);
    lu_run_close(t->run);
    free(t);
}

/* ---- the course ---- */

void lu_training_hear(lu_training *t, bool now) {
    double time = lu_clock_seconds();
    if (!t->run || (!now && time - t->looked < HEAR_SECONDS)) {
        return;
    }
    t->looked = time;
    for (lu_json_document *row; (row = next_evaluation(t)) != NULL;) {
        if (t->plan.hooks.evaluation) {
            t->plan.hooks.evaluation(t->plan.hooks.context, lu_json_root(row));
        }
        lu_json_close(row);
    }
}

/* True when this sitting is to end before the training does. */
static bool stops(lu_training *t, const lu_progress *g) {
    const lu_training_hooks *hooks = &t->plan.hooks;
    int64_t update = t->run ? run_int(t, "run.stop_update") : 0;
    double minutes = t->run ? lu_settings_real(t->plan.run, "run.stop_minutes") : 0.0;
    return (hooks->stop && hooks->stop(hooks->context, g)) ||
           (update > 0 && lu_trainer_updates(t->trainer) >= update) ||
           (minutes > 0 && lu_training_seconds(t) >= 60.0 * minutes);
}

static lu_status tell_update(lu_training *t, const lu_progress *g, lu_error *error) {
    const lu_training_hooks *hooks = &t->plan.hooks;
    lu_json row = LU_JSON_INIT;
    lu_status status = t->run ? write_update(t, g, &row, error) : LU_OK;
    if (hooks->update) {
        hooks->update(hooks->context, g, t->run ? row.text : NULL, t->over);
    }
    lu_json_free(&row);
    return status;
}

/* What an update means for opponents: before the checkpoint, which holds who sits where. */
static lu_status seat_opponents(lu_training *t, lu_error *error) {
    lu_status status = LU_OK;
    if (t->opponents && t->run && (window_is_full(t) || lu_training_done(t))) {
        lu_model_file model = lu_training_model(t);
        status = opponents_window(t->opponents, &model, t->window.id, error);
    }
    LU_THEN(status, opponents_seat(t->opponents, t->trainer, error));
    return status;
}

static bool sitting_ends(void *context) {
    return stops(context, NULL);
}

static lu_status exploit(lu_training *t, bool *stopped, lu_error *error) {
    exploiters_call call = {.plan = &t->plan,
                            .run = lu_run_path(t->run),
                            .seed = seed_of(t),
                            .opponents = t->opponents,
                            .trainer = t->trainer,
                            .context = t,
                            .stop = sitting_ends};
    return exploiters_turn(&call, stopped, error);
}

/* An update; where others play, the time that the batch took is theirs. */
static lu_status play_and_learn(lu_training *t, lu_progress *g, lu_error *error) {
    const lu_training_hooks *hooks = &t->plan.hooks;
    if (!hooks->collect) {
        return lu_trainer_update(t->trainer, g, error);
    }
    double began = lu_clock_seconds();
    LU_TRY(hooks->collect(hooks->context, t->trainer, error));
    double took = lu_clock_seconds() - began;
    LU_TRY(lu_trainer_learn(t->trainer, g, error));
    g->rollout = took;
    g->seconds += took;
    g->steps_per_second = (double)lu_trainer_batch(t->trainer) / g->seconds;
    return LU_OK;
}

lu_status lu_training_update(lu_training *t, lu_error *error) {
    lu_progress g;
    if (opponents_turn_due(t->opponents)) {
        bool stopped;
        lu_status status = exploit(t, &stopped, error);
        t->over = status == LU_OK && stopped;
        if (status != LU_OK || stopped) {
            return status;
        }
    }
    bool met;
    LU_TRY(play_and_learn(t, &g, error));
    LU_TRY(stop_when_ask(&t->when, &g, t->plan.game, &met, error));
    opponents_learn(t->opponents, t->trainer, &g);
    lu_window_add(&t->window, &g, t->before + lu_training_seconds(t));
    bool stop = met || stops(t, &g);
    t->over = stop || lu_training_done(t);
    lu_status status = seat_opponents(t, error);
    LU_THEN(status, tell_update(t, &g, error));
    LU_THEN(status, t->run ? keep_run(t, &g, error) : keep_state(t, stop, error));
    lu_training_hear(t, false);
    return status;
}

lu_status lu_training_pace(const lu_training_plan *plan, double seconds, double *pace,
                           lu_error *error) {
    lu_training_plan own = *plan;
    lu_progress g;
    own.hooks = (lu_training_hooks){0};
    own.run = NULL;
    own.resume = own.state = NULL;
    own.measured = true;
    lu_training *t = lu_training_open(&own, error);
    lu_status status = t ? lu_trainer_update(t->trainer, &g, error) : error->status;
    double began = lu_clock_seconds(), took = 0.0; /* the first one touches all memory */
    int64_t before = status == LU_OK ? lu_trainer_steps(t->trainer) : 0;
    while (status == LU_OK && took < seconds && !lu_training_done(t)) {
        status = lu_trainer_update(t->trainer, &g, error);
        took = lu_clock_seconds() - began;
    }
    *pace = status == LU_OK && took > 0.0 ? (double)(lu_trainer_steps(t->trainer) - before) / took
                                          : INFINITY;
    lu_training_close(t);
    return status;
}

/* Tells how the sitting ended. */
static lu_status end_run(lu_training *t, lu_status status, lu_error *error) {
    lu_error second;
    lu_status told = lu_run_set_status(t->run,
                                       status != LU_OK && status != LU_INTERRUPTED ? "failed"
                                       : lu_training_done(t)                       ? "finished"
                                                                                   : "stopped",
                                       lu_trainer_updates(t->trainer), lu_trainer_steps(t->trainer),
                                       status == LU_OK ? error : &second);
    return status == LU_OK ? told : status;
}

lu_status lu_training_go(lu_training *t, lu_error *error) {
    lu_status status = LU_OK;
    t->over = stops(t, NULL) || lu_training_done(t);
    if (t->over && t->run && t->saved < lu_trainer_updates(t->trainer)) {
        status = checkpoint(t, false, error); /* before the first update, or behind single ones */
    }
    while (!t->over && status == LU_OK) {
        status = lu_training_update(t, error);
    }
    return t->run ? end_run(t, status, error) : status;
}
