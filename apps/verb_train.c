/* ludus train: trains a net for a game and leaves a run folder behind, which a later call can go on
 * with bit for bit. The course of a training is in src/lab/training.c, what it tells in
 * train_display.c, what lives beside it in src/lab/train_companions.c. */
#include "call_episode.h"
#include "cli.h"
#include "output.h"
#include "ranks/world.h"
#include "train_display.h"
#include "training_settings.h"

#include "ludus/clock.h"
#include "ludus/dqn.h"
#include "ludus/evaluator.h"
#include "ludus/file.h"
#include "ludus/machine_memory.h"
#include "ludus/ppo.h"
#include "ludus/preset.h"
#include "ludus/process.h"
#include "ludus/self_play.h"
#include "ludus/train_companions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const verb_example examples[] = {
    {"ludus train prospector --run.stop_minutes 5", "as many steps as fit into five minutes"},
    {"ludus train cartpole --preset cartpole-dqn", "another preset than the game's own"},
    {"ludus train cartpole --algo dqn --steps 100k --seed 3", "another algorithm and seed"},
    {"ludus train prospector --steps 20M --set net.hidden=128", "with your own settings"},
    {"ludus train cartpole --resume latest", "resumes the newest run, bit for bit"},
    {"ludus train cartpole --steps 20k --json", "one line of JSON per update"},
    {"ludus train cartpole --steps 20k --save cartpole.zip", "also saves the model as one archive"},
    {"ludus train cartpole --load latest --seed 4", "starts from a model's weights"},
    {"ludus train --preset config/nh/core.yml --experiment MyExperiment --serve --tensorboard",
     "a preset by its path, which names the game; with the site and TensorBoard"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"steps", LU_TEXT, "", 0, 40, NULL, "Environment steps; short for train.steps or dqn.steps.",
     false},
    {"seed", LU_TEXT, "", 0, 40, NULL, "Random seed; short for train.seed or dqn.seed.", false},
    {"threads", LU_TEXT, "", 0, 40, NULL,
     "Threads, 0 for one per processor; short for train.threads or dqn.threads.", false},
    {"load", LU_TEXT, "", 0, 4096, NULL,
     "Starts a new training from this model's weights: a file, RUN:7, `latest` or `best`.", false},
    {"load_file", LU_ALIAS, "load", 0, 0, NULL, "A model to start from.", false},
    {"bootstrap_from_experiment", LU_ALIAS, "load", 0, 0, NULL,
     "A model to start from: an experiment's name.", false},
    {"resume", LU_TEXT, "", 0, 4096, NULL,
     "Resumes a run: its id, its folder, or `latest` or `best`, of the game if one is named; RUN:7 "
     "resumes from the checkpoint of window 7 and sets later ones aside.",
     false},
    {"continue_training", LU_BOOL, "false", 0, 0, NULL,
     "Resumes the newest run of run.experiment, or starts one if there is none.", false},
    {"fall_back", LU_BOOL, "false", 0, 0, NULL,
     "With --resume: if the newest checkpoint is damaged, sets it aside and resumes from the "
     "previous one.",
     false},
    {"out", LU_ALIAS, "run.folder", 0, 0, NULL, "Another name of run.folder.", false},
    {"save", LU_TEXT, "", 0, 4096, NULL,
     "File for the final model: an archive if its name ends with .zip, else safetensors.", false},
    {"tensorboard", LU_BOOL, "false", 0, 0, NULL,
     "Starts TensorBoard next to the training, if it is installed.", false},
    {"serve", LU_BOOL, "false", 0, 0, NULL,
     "Serves the site next to the training, like `ludus serve`, on port 8321 or any free one.",
     false},
};

static const char details[] =
    "The first lines show preset and memory needed. A run writes to runs/ID: after every window\n"
    "of run.window_env_steps decisions a row of metrics, a checkpoint and, from a separate\n"
    "process, an evaluation with replays (docs/run-folder.md). Ctrl-C finishes the current\n"
    "update, writes a checkpoint and stops (exit code 130); a second one stops at once. A\n"
    "resumed run takes its settings from run.json; only steps, threads, eval.on,\n"
    "eval.threads, eval.timeout, run.keep, run.checkpoint_*, run.experiment and run.stop_*\n"
    "may change.\n"
    "`mpirun -n N ludus train ...` trains with N processes (docs/scale.md).";

enum { FIT_SECONDS = 3 };
static const double FIT_SHARE = 0.9; /* of the time: the evaluator takes its part too */

typedef struct training {
    verb_call *call;
    lu_training_plan plan;
    lu_training *course;
    lu_episode s;
    display display;
    lu_companions side;
    lu_watch watch;
    lu_text runs, path; /* the folder of runs, and the run to go on with, "" for a new one */
    lu_text preset;     /* which one holds, and why; "" for a run that is resumed */
    char commit[64];
    world world;
} training;

/* The run of RUN or RUN:WINDOW, whose newest checkpoint then is the one to go on from. */
static lu_status find_resumed(training *t, const char *name, lu_error *error) {
    lu_error whole = {0};
    lu_text front = LU_TEXT_INIT, said = LU_TEXT_INIT;
    int64_t window = -1;
    const char *colon = strrchr(name, ':');
    bool back = lu_settings_bool(t->call->settings, "fall_back");
    lu_status status = lu_run_find(t->runs.text, name, t->call->game, &t->path, &whole);
    if (status == LU_NOT_FOUND && colon) {
        lu_text_add_n(&front, name, (size_t)(colon - name));
        status = lu_run_find(t->runs.text, front.text, t->call->game, &t->path, &whole);
        LU_THEN(status, lu_parse_i64("window", colon + 1, 0, INT64_MAX - 1, &window, &whole));
    }
    /* it moves checkpoints: rank 0 does so, before the others look at the run */
    const lu_comm *comm = world_comm(&t->world);
    if (status == LU_OK && (back || window >= 0) && (!comm || comm->rank == 0)) {
        status = lu_run_fall_back(t->path.text, window, &said, &whole);
    }
    if (back || colon) { /* what the command says, and so the same for all */
        status = lu_comm_agree(comm, status, &whole);
    }
    if (said.length > 0) {
        note("%s", said.text);
    }
    lu_text_free(&front);
    lu_text_free(&said);
    return status == LU_OK ? LU_OK : lu_fail(error, status, "%s", whole.text);
}

/* The name of the run that --resume or --continue-training means; "": a new one. */
static lu_status name_run(training *t, lu_text *name, lu_error *error) {
    const lu_settings *settings = t->call->settings;
    const char *experiment = lu_settings_text_of(settings, "run.experiment");
    lu_text_add(name, lu_settings_text_of(settings, "resume"));
    LU_TRY(call_not_empty(t->call, "resume", error));
    if (name->length > 0 || !lu_settings_bool(settings, "continue_training")) {
        return LU_OK;
    }
    if (!*experiment) {
        return lu_fail(error, LU_USAGE,
                       "--continue-training resumes the newest run of an experiment: name it with "
                       "--experiment");
    }
    lu_run_place(settings, name);
    lu_text_addf(name, "/../experiments/%s", experiment);
    if (!lu_file_exists(name->text)) {
        note("there is no run of %s yet (no %s): a new one begins", experiment, name->text);
        lu_text_clear(name);
    }
    return LU_OK;
}

static lu_status find_run(training *t, lu_error *error) {
    const lu_settings *settings = t->call->settings;
    lu_text named = LU_TEXT_INIT;
    lu_status status = name_run(t, &named, error);
    const char *name = named.text;
    if (status == LU_OK && *name) {
        lu_run_place(settings, &t->runs);
    }
    if (status == LU_OK && !*name && lu_settings_bool(settings, "fall_back")) {
        status = lu_fail(error, LU_USAGE, "--fall-back needs --resume RUN");
    }
    LU_THEN(status, *name ? find_resumed(t, name, error) : LU_OK);
    lu_text_free(&named);
    return status;
}

/* ---- the course ---- */

static void on_update(void *context, const lu_progress *progress, const char *row, bool last) {
    training *t = context;
    display_update(&t->display, progress, row, last);
    lu_companions_evaluates(&t->side);
}

static void give_model(training *t) {
    lu_model_file model = lu_training_model(t->course);
    lu_companions_model(&t->side, &model);
}

static void on_window(void *context, const lu_window *window, const lu_progress *last,
                      const char *row) {
    training *t = context;
    display_window(&t->display, window, last, row);
    lu_companions_window(&t->side, row);
    give_model(t);
}

static void on_evaluation(void *context, const lu_json_value *row) {
    training *t = context;
    display_evaluation(&t->display, row);
}

static bool on_stop(void *context, const lu_progress *progress) {
    (void)context;
    (void)progress;
    return interrupted();
}

/* What commands name the run by: its id is enough where runs are by default. */
static const char *run_name(const training *t) {
    const lu_run *run = lu_training_run(t->course);
    return *lu_settings_text_of(t->call->settings, "run.folder") ? lu_run_path(run)
                                                                 : lu_run_id(run);
}

static void within(void *context, double share, const char *what) {
    training *t = context;
    display_within(&t->display, share, what, run_name(t));
}

static void on_exploiter(void *context, const char *name, const lu_progress *progress, int64_t done,
                         int64_t updates) {
    training *t = context;
    display_exploiter(&t->display, name, progress, done, updates);
    lu_companions_evaluates(&t->side);
}

static bool is_judging(training *t) {
    return lu_companions_evaluates(&t->side) &&
           lu_training_judged(t->course) < lu_training_window(t->course)->id;
}

/* A training that is finished waits for the evaluator to judge what is left. */
static void wait_for_evaluator(training *t) {
    double until = lu_clock_seconds() + lu_settings_real(t->call->settings, "eval.timeout");
    bool told = false;
    progress_start();
    while (is_judging(t) && !interrupted() && lu_clock_seconds() < until) {
        lu_training_hear(t->course, true);
        progress(-1, "the evaluator is finishing the last windows");
        usleep(20000);
        told = true;
    }
    progress_end();
    lu_training_hear(t->course, true);
    if (told && is_judging(t)) {
        note("not all windows have been evaluated; `ludus eval --follow %s` evaluates the rest",
             run_name(t));
    }
}

/* ---- after the end ---- */

static bool is_zip(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".zip") == 0;
}

/* Before hours of training: bots and settings of the comparison that do not exist. */
static lu_status check_compare(const training *t, lu_error *error) {
    const lu_settings *settings = t->call->settings;
    const lu_game *game = t->call->game;
    lu_settings *own = lu_game_settings(game);
    lu_settings_read_files(own);
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_settings_count(settings, "eval.with") && status == LU_OK; i++) {
        status = lu_settings_set_pair(own, lu_settings_nth(settings, "eval.with", i), LU_FROM_FLAG,
                                      "eval.with", error);
    }
    for (size_t i = 0; i < lu_settings_count(settings, "eval.against") && status == LU_OK; i++) {
        const char *name = lu_settings_nth(settings, "eval.against", i);
        lu_player bot = {0};
        if (strcmp(name, "all") != 0) {
            status = lu_player_bot(&bot, name, game, error);
            lu_player_close(&bot);
        }
    }
    lu_settings_delete(own);
    return status;
}

/* The same: a file that cannot be written. */
static lu_status check_save(const training *t, lu_error *error) {
    const char *path = lu_settings_text_of(t->call->settings, "save");
    const char *slash = strrchr(path, '/');
    lu_text folder = LU_TEXT_INIT;
    lu_text_add_n(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    bool fine = !*path || access(folder.text, W_OK) == 0;
    lu_status status =
        fine
            ? LU_OK
            : lu_fail(error, LU_IO, "--save %s: the folder does not exist or isn't writable", path);
    lu_text_free(&folder);
    return status;
}

static lu_status save(training *t, lu_error *error) {
    const char *path = lu_settings_text_of(t->call->settings, "save");
    if (!*path) {
        return LU_OK;
    }
    lu_model_file file = lu_training_model(t->course);
    lu_status status = is_zip(path) ? lu_model_file_export_zip(path, &file, error)
                                    : lu_model_file_save(path, &file, error);
    if (status == LU_OK) {
        note("wrote %s", path);
    }
    return status;
}

extern const verb verb_eval; /* judges what was trained */

enum { MOST_WORDS = 64 };

/* Adds an option for each value of a repeatable setting. */
static int add_words(const lu_settings *settings, const char *key, const char *option, char **words,
                     int count) {
    for (size_t i = 0; i < lu_settings_count(settings, key) && count + 2 < MOST_WORDS; i++) {
        words[count++] = lu_strdup(option);
        words[count++] = lu_strdup(lu_settings_nth(settings, key, i));
    }
    return count;
}

/* Bots on the seeds of the evaluator: `ludus eval RUN --against BOT`. */
static lu_status compare(training *t, lu_error *error) {
    const lu_settings *settings = t->call->settings;
    char *words[MOST_WORDS];
    int count = 0;
    verb_call call;
    if (lu_settings_count(settings, "eval.against") == 0 ||
        !lu_settings_bool(settings, "eval.on")) {
        return LU_OK;
    }
    words[count++] = lu_strdup(lu_run_path(lu_training_run(t->course)));
    count = add_words(settings, "eval.against", "--against", words, count);
    count = add_words(settings, "eval.with", "--with", words, count);
    if (t->call->json) {
        words[count++] = lu_strdup("--json");
    }
    lu_status status = call_parse(&call, &verb_eval, count, words, error);
    if (status == LU_OK) {
        status = verb_eval.run(&call, error);
        call_free(&call);
    }
    while (count > 0) {
        free(words[--count]);
    }
    return status;
}

static lu_status train(training *t, lu_error *error) {
    t->course = lu_training_open(&t->plan, error);
    if (!t->course) {
        return error->status;
    }
    lu_trainer *trainer = lu_training_trainer(t->course);
    display_start(&t->display, t->course);
    t->side.note = note_text;
    lu_companion_plan beside = {.game = t->plan.game,
                                .settings = t->call->settings,
                                .runs = t->runs.text,
                                .run = lu_run_path(lu_training_run(t->course)),
                                .kept = *t->path.text ? lu_trainer_steps(trainer) : -1,
                                .left_out = lu_training_own_keys};
    lu_companions_start(&t->side, &beside);
    progress_start();
    lu_status status = lu_training_go(t->course, error);
    bool done = lu_training_done(t->course);
    if (status == LU_OK && !done) {
        give_model(t); /* stopped inside of a window */
    }
    if (status == LU_OK && done) {
        wait_for_evaluator(t);
    }
    lu_companions_end(&t->side);
    display_end(&t->display,
                status != LU_OK ? "failed"
                : done          ? "finished"
                                : "stopped",
                run_name(t));
    if (status == LU_OK && interrupted()) {
        status = lu_fail(error, LU_INTERRUPTED,
                         "interrupted after update %" PRId64
                         ", which is saved: `ludus train %s --resume %s` resumes it",
                         lu_trainer_updates(trainer), t->plan.game->name, run_name(t));
    }
    LU_THEN(status, done ? save(t, error) : LU_OK);
    LU_THEN(status, done ? compare(t, error) : LU_OK);
    return status;
}

/* ---- the verb ---- */

/* The net of --load is that of the model, where settings do not say otherwise. */
static lu_status take_net(const training *t, lu_error *error) {
    lu_settings *all = t->call->settings;
    const char *name = lu_settings_text_of(all, "load");
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    if (!*name || *t->path.text) {
        return LU_OK;
    }
    lu_run_place(all, &runs);
    lu_status status = lu_run_find_model(runs.text, name, t->call->game, &path, error);
    lu_model_file *model = status == LU_OK ? lu_model_file_load(path.text, error) : NULL;
    status = status == LU_OK && !model ? error->status : status;
    for (int i = 0; model && i < lu_net_table.count && status == LU_OK; i++) {
        const char *key = lu_net_table.rows[i].key;
        if (lu_settings_origin(all, key) == LU_FROM_DEFAULT) {
            const char *value = lu_settings_text_of(model->settings, key);
            status = lu_settings_set(all, key, value, LU_FROM_FILE, "the model", error);
        }
    }
    lu_model_file_delete(model);
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}

/* A game that has no preset trains with the defaults, which may teach it little: names the variant
 * of the same game that has one. */
static void tell_variant(const lu_game *game) {
    for (int g = 0; g < lu_game_count(); g++) {
        const lu_game *other = lu_game_at(g);
        if (other->preset && strcmp(other->name, game->name) == 0) {
            note("%s has no preset, and the default settings may teach it little. %s, a variant of "
                 "the same game, has one that is known to learn: `ludus train %s`",
                 game->id, other->id, other->id);
            return;
        }
    }
}

/* A run that is resumed has its settings. */
static lu_status take_preset(training *t, lu_error *error) {
    verb_call *call = t->call;
    if (*t->path.text) {
        return LU_OK;
    }
    if (!call->game->preset && !call->files) {
        tell_variant(call->game);
    }
    return training_preset(call, &t->preset, error);
}

/* With a limit of time and no number of steps: as many as fit, so that schedules end with it. They
 * are measured once and belong to the run, which is then as repeatable as any other. */
static lu_status fit_steps(training *t, lu_error *error) {
    double minutes = lu_settings_real(t->call->settings, "run.stop_minutes");
    const lu_algorithm *a = t->plan.algorithm;
    char key[100];
    snprintf(key, sizeof key, "%s.steps", a->prefix);
    if (minutes <= 0 || *t->path.text || t->plan.comm ||
        lu_settings_origin(t->call->settings, key) > LU_FROM_PRESET) {
        return LU_OK;
    }
    double pace = 0.0;
    progress_start();
    progress(-1, "measuring training speed on this machine");
    lu_status status = lu_training_pace(&t->plan, FIT_SECONDS, &pace, error);
    progress_end();
    double fit = FIT_SHARE * 60.0 * minutes * pace;
    if (status != LU_OK || fit >= (double)lu_settings_int(t->call->settings, key)) {
        return status;
    }
    uint64_t steps = (uint64_t)fit + 1;
    status = lu_training_set(t->call->settings, a, "steps", steps, "run.stop_minutes", error);
    LU_THEN(status,
            lu_training_set(t->plan.settings, a, "steps", steps, "run.stop_minutes", error));
    if (status == LU_OK) {
        note("%s steps fit into %.3g minute%s here, and schedules run over them; --steps N "
             "overrides that",
             count_text(fit), minutes, minutes == 1 ? "" : "s");
    }
    return status;
}

/* The plan of a training by the settings of the call; told is the memory that it needs. */
static lu_status prepare(training *t, lu_error *error) {
    lu_settings *all = t->call->settings;
    const lu_algorithm *a = t->plan.algorithm;
    lu_text_clear(&t->runs);
    lu_run_place(all, &t->runs);
    lu_process_commit(false, t->commit, sizeof t->commit);
    out_outlive();
    t->watch = (lu_watch){.context = t, .progress = within};
    t->plan = (lu_training_plan){.game = t->call->game,
                                 .options = t->s.options,
                                 .algorithm = a,
                                 .comm = world_comm(&t->world),
                                 .settings = trainings_settings(t->call, a, NULL, error),
                                 .version = LUDUS_VERSION,
                                 .commit = t->commit,
                                 .hooks = {.context = t,
                                           .update = on_update,
                                           .window = on_window,
                                           .evaluation = on_evaluation,
                                           .stop = on_stop,
                                           .exploiter = on_exploiter,
                                           .watch = &t->watch},
                                 .from = lu_settings_text_of(all, "load"),
                                 .run = all,
                                 .runs = t->runs.text,
                                 .resume = t->path.text};
    t->display = (display){.json = t->call->json,
                           .plan = &t->plan,
                           .preset = t->call->preset,
                           .preset_told = t->preset.text,
                           .free = lu_memory_available()};
    lu_status status = lu_eval_ready(&t->s, all, t->runs.text, error);
    /* what of it lies on this machine is not known where there are several */
    size_t most = t->plan.comm ? 0 : t->display.free;
    LU_THEN(status,
            lu_training_memory(t->plan.game, a, t->plan.settings, most, &t->display.need, error));
    if (t->display.need.total > 0) {
        display_memory(&t->display);
    }
    LU_THEN(status, fit_steps(t, error));
    return status;
}

/* ---- ranks ---- */

/* Where nobody says into how many parts, there is one for each rank. */
static lu_status cut_parts(training *t, lu_error *error) {
    const lu_comm *comm = world_comm(&t->world);
    lu_settings *all = t->call->settings;
    const lu_algorithm *a = t->plan.algorithm;
    if (!comm || !a) {
        return LU_OK;
    }
    if (!a->make_shared) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s trains in one process: start a single rank, or use --algo ppo", a->name);
    }
    char parts[16];
    snprintf(parts, sizeof parts, "%d", comm->ranks);
    return *t->path.text || lu_settings_origin(all, "train.parts") != LU_FROM_DEFAULT
               ? LU_OK
               : lu_settings_set(all, "train.parts", parts, LU_FROM_FLAG, "mpirun", error);
}

/* The settings of the training, read by every rank for itself. */
static lu_status read_all(training *t, lu_error *error) {
    verb_call *call = t->call;
    lu_status status = find_run(t, error);
    LU_THEN(status, check_save(t, error));
    LU_THEN(status, take_net(t, error));
    LU_THEN(status, take_preset(t, error));
    if (status == LU_OK) {
        t->plan.algorithm = training_settings(call, t->path.text, error);
        status = t->plan.algorithm ? LU_OK : error->status;
    }
    LU_THEN(status, check_compare(t, error));
    LU_THEN(status, cut_parts(t, error));
    LU_THEN(status, call_open_episode(call, call->game, NULL, &t->s, error));
    return lu_comm_agree(world_comm(&t->world), status, error);
}

/* A rank that is not the first plays and learns its parts, and tells nothing: rank 0 does. */
static void follow(training *t) {
    lu_error told;
    const lu_algorithm *a = t->plan.algorithm;
    t->plan.settings = trainings_settings(t->call, a, NULL, &told);
    lu_trainer *trainer =
        a->make_shared(t->call->game, t->plan.settings, t->s.options, world_comm(&t->world), &told);
    if (trainer) {
        lu_trainer_follow(trainer);
    }
    lu_trainer_delete(trainer);
}

static lu_status lead(training *t, lu_error *error) {
    lu_status status = prepare(t, error);
    LU_THEN(status, train(t, error));
    lu_training_close(t->course);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    training t = {.call = call};
    lu_text_init(&t.runs);
    lu_text_init(&t.path);
    lu_text_init(&t.preset);
    LU_TRY(world_open(&t.world, error));
    bool first = world_first(&t.world);
    lu_status status = read_all(&t, error);
    LU_THEN(status, first ? lead(&t, error) : LU_OK);
    if (!first && status == LU_OK) {
        follow(&t);
    }
    status = world_close(&t.world, status); /* rank 0 tells what all agree on */
    lu_settings_delete(t.plan.settings);
    lu_episode_close(&t.s);
    lu_text_free(&t.runs);
    lu_text_free(&t.path);
    lu_text_free(&t.preset);
    return status;
}

const verb verb_train = {
    .name = "train",
    .usage = "train GAME [--algo A] [--preset P] [--steps N] [--seed S] [--resume RUN] [--json]",
    .sentence = "Trains an agent, or resumes a stopped run.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("train", options),
    .tables = training_tables,
    .game = VERB_GAME,
    .learns = true,
    .game_settings = true,
    .json = true,
    .run = run,
};
