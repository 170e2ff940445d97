/* ludus ablate: what each term of a game's reward is worth, by training without it. Trainings and
 * their folder are in src/lab/ablate.c, the table is in ablate_report.c. */
#include "ablate_report.h"
#include "judge.h"
#include "output.h"
#include "training_settings.h"

#include "ludus/ablate.h"
#include "ludus/clock.h"
#include "ludus/dqn.h"
#include "ludus/file.h"
#include "ludus/machine_memory.h"
#include "ludus/process.h"
#include "ludus/run.h"
#include "ludus/train.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus ablate cartpole --preset cartpole-classic --reward.fall -1 --steps 30k",
     "three trainings as they are, and three without each term"},
    {"ludus ablate prospector --reward.mode reference --terms fuel,wear --train-seeds 5",
     "two terms only, with five training seeds"},
    {"ludus ablate joker --metric rounds_won --steps 5M", "judged by another figure"},
    {NULL, NULL},
};

#define ABLATE_SEEDS LU_SEEDS_TEXT(LU_PUBLIC_FIRST, 30199)
enum { MOST_EPISODES = 1000000 }; /* of the baseline and of each variant, held in memory */

static const lu_setting options[] = {
    {"terms", LU_TEXT, "", 0, 4096, NULL,
     "Reward terms to leave out, one at a time, with commas between; unset takes all whose weight "
     "is not 0.",
     false},
    {"steps", LU_INT, "", 1, 1e12, NULL,
     "Steps of environments of each training; unset takes train.steps or dqn.steps.", false},
    {"train_seeds", LU_INT, "3", 1, 1000, NULL, "Trainings of the baseline and of each variant.",
     false},
    {"seed", LU_INT, "1", 0, 9007199254739992.0, NULL,
     "Seed of the first training; the others follow it.", false},
    {"seeds", LU_TEXT, ABLATE_SEEDS, 0, 80, NULL,
     "Range of seeds A..B on which every trained policy is judged.", false},
    {"metric", LU_TEXT, "", 0, 100, NULL,
     "Figure that decides; unset takes the game's headline. Whether an episode went well is told "
     "beside it, where the game says.",
     false},
    {"lower", LU_BOOL, "false", 0, 0, NULL, "Of this metric less is better.", false},
    {"greedy", LU_BOOL, "false", 0, 0, NULL,
     "Policies take the best action; nets of Q values always do.", false},
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Player in the other seats of a game for several; unset takes the strongest bot.", false},
    {"out", LU_TEXT, "", 0, 4096, NULL,
     "Folder of the ablation; unset takes ablate-GAME-HASH, by the settings, in the folder of "
     "runs.",
     false},
    {"threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
};

static const lu_table *const tables[] = {&lu_algorithm_table, &lu_train_table,     &lu_dqn_table,
                                         &lu_net_table,       &lu_run_place_table, NULL};

static const char details[] =
    "The baseline trains with all terms, each variant with one of them at weight 0, all with\n"
    "the same seeds and settings. Every policy plays the same evaluation seeds, and the metric\n"
    "with the term is compared with that without it. Ctrl-C keeps what is done: the same call\n"
    "goes on, also with other --terms, --train-seeds, --seeds or --metric. docs/sweep.md tells\n"
    "how to read the table.";

/* Values of the figures of one way to train: trainings x episodes. */
typedef struct values {
    double *of[ABLATE_FIGURES];
} values;

typedef struct ablate {
    const verb_call *call;
    const lu_algorithm *algorithm;
    lu_settings *settings; /* of game, net and algorithm, that all trainings share */
    char *settings_json;
    lu_episode s; /* all terms: also variants are judged in it */
    lu_text folder;
    char commit[64];
    lu_ablation *ablation;
    lu_player opponent;
    int threads;
    int index[ABLATE_FIGURES]; /* of the figures among those of lu_match_figures */
    ablate_report report;
    values *values; /* the baseline, then a row of the report each */
    int done;       /* trainings judged */
} ablate;

/* ---- what is asked for ---- */

static lu_status prepare_settings(ablate *a, lu_error *error) {
    const lu_settings *own = a->call->settings;
    a->algorithm = lu_algorithm_find(lu_settings_text_of(own, "algo"), error);
    if (!a->algorithm) {
        return LU_BAD_VALUE;
    }
    a->settings = trainings_settings(a->call, a->algorithm, "an ablation", error);
    if (!a->settings) {
        return error->status;
    }
    const char *key = cell("%s.steps", a->algorithm->prefix);
    lu_status status = LU_OK;
    if (lu_settings_is_set(own, "steps")) {
        status = lu_settings_set(a->settings, key, lu_settings_text_of(own, "steps"), LU_FROM_FLAG,
                                 "--steps", error);
    }
    if (status == LU_OK && a->algorithm->profile) {
        status = a->algorithm->profile(a->settings, error);
    }
    a->report.steps = lu_settings_int(a->settings, key);
    a->settings_json = lu_settings_json(a->settings);
    return status == LU_OK ? call_open_episode(a->call, a->call->game, NULL, &a->s, error) : status;
}

static void add_term(ablate *a, int term) {
    ablate_report *r = &a->report;
    for (int i = 0; i < r->rows; i++) {
        if (r->row[i].term == term) {
            return;
        }
    }
    r->row[r->rows++] = (ablate_row){.term = term, .weight = a->s.rules->weight[term]};
}

static lu_status add_named(ablate *a, const char *name, lu_error *error) {
    const lu_game *game = a->call->game;
    const char *names[LU_MAX_TERMS];
    for (int t = 0; t < game->terms; t++) {
        names[t] = game->term[t].name;
        if (strcmp(names[t], name) != 0) {
            continue;
        }
        if (a->s.rules->weight[t] == 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'terms': the weight of '%s' is 0 already, so that nothing would be "
                           "left out: give it one by --reward.%s",
                           name, name);
        }
        add_term(a, t);
        return LU_OK;
    }
    const char *near = lu_nearest(name, names, (size_t)game->terms);
    return lu_fail(
        error, LU_BAD_VALUE, "'terms': %s has no reward term '%.100s'; %s", game->name, name,
        near ? cell("did you mean '%s'?", near) : cell("`ludus spec %s` lists them", game->name));
}

static lu_status take_terms(ablate *a, lu_error *error) {
    const lu_game *game = a->call->game;
    const char *list = lu_settings_text_of(a->call->settings, "terms");
    lu_status status = call_not_empty(a->call, "terms", error);
    for (int t = 0; !*list && t < game->terms; t++) {
        if (a->s.rules->weight[t] != 0) {
            add_term(a, t);
        }
    }
    for (const char *at = *list ? list : NULL; at && status == LU_OK;) {
        size_t length = strcspn(at, ",");
        char *name = lu_strdup(at);
        name[length] = 0;
        status = add_named(a, name, error);
        free(name);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == LU_OK && a->report.rows == 0) {
        status = lu_fail(error, LU_BAD_VALUE,
                         "no reward term of %s has a weight other than 0 under these settings: "
                         "there is nothing to leave out",
                         game->name);
    }
    return status;
}

/* Not the return: a reward without a term has another one. */
static lu_status take_figures(ablate *a, lu_error *error) {
    const char *name = lu_settings_text_of(a->call->settings, "metric");
    const lu_game *game = a->call->game;
    lu_match_figure list[LU_MATCH_FIGURES];
    lu_match m = {.episode = &a->s};
    int count = lu_match_figures(&m, 0, list), metric = lu_match_headline(game, list, count);
    lu_status status = *name ? lu_match_figure_find(list, count, name, &metric, error) : LU_OK;
    if (status == LU_OK && metric == 0) {
        status = lu_fail(error, LU_BAD_VALUE, "%s: give --metric with a figure of `ludus spec %s`",
                         *name ? "returns cannot be compared, as each training has its own reward"
                               : cell("%s has no headline figure", game->name),
                         game->name);
    }
    int success = lu_match_success(list, count);
    a->report.figures = success >= 0 && success != metric ? 2 : 1;
    a->index[0] = metric;
    a->index[1] = success;
    for (int f = 0; f < a->report.figures; f++) {
        a->report.figure[f] = list[a->index[f]].name;
    }
    return status;
}

static lu_status take_manner(ablate *a, lu_error *error) {
    const lu_settings *own = a->call->settings;
    const char *opponent = lu_settings_text_of(own, "opponent");
    ablate_report *r = &a->report;
    r->game = a->call->game;
    r->algorithm = a->algorithm->name;
    r->settings = a->settings_json;
    r->lower = lu_settings_bool(own, "lower");
    r->greedy = lu_settings_bool(own, "greedy");
    r->trainings = (int)lu_settings_int(own, "train_seeds");
    r->first_training = (uint64_t)lu_settings_int(own, "seed");
    a->threads = (int)lu_settings_int(own, "threads");
    if (*opponent && r->game->seats == 1) {
        return lu_fail(error, LU_USAGE, "%s has one seat: leave out --opponent", r->game->name);
    }
    lu_status status = call_player(a->call, opponent, r->game, &a->opponent, error);
    if (r->game->seats > 1) {
        r->opponent = a->opponent.name;
    }
    if (status == LU_OK) {
        status =
            seeds_parse(lu_settings_text_of(own, "seeds"), &r->first_seed, &r->episodes, error);
    }
    if (status == LU_OK && (int64_t)r->trainings * r->episodes > MOST_EPISODES) {
        status = lu_fail(error, LU_BAD_VALUE,
                         "'train_seeds' = %d times %d 'seeds' are more than %d episodes: lower one",
                         r->trainings, r->episodes, MOST_EPISODES);
    }
    return status;
}

static lu_status open_folder(ablate *a, lu_error *error) {
    const char *out = lu_settings_text_of(a->call->settings, "out");
    lu_process_commit(false, a->commit, sizeof a->commit);
    lu_ablation_plan plan = {.game = a->call->game,
                             .algorithm = a->algorithm,
                             .settings = a->settings,
                             .options = a->s.options,
                             .options_json = a->s.options_json,
                             .version = LUDUS_VERSION,
                             .commit = a->commit};
    lu_status status = call_not_empty(a->call, "out", error);
    if (status != LU_OK) {
        return status;
    }
    if (*out) {
        lu_text_add(&a->folder, out);
    } else {
        lu_run_place(a->call->settings, &a->folder);
        lu_text_addf(&a->folder, "/ablate-%s-%08" PRIx32, a->call->game->name,
                     (uint32_t)lu_ablation_hash(&plan));
    }
    a->report.folder = a->folder.text;
    a->ablation = lu_ablation_open(a->folder.text, &plan, lu_memory_available(), error);
    return a->ablation ? LU_OK : error->status;
}

static lu_status prepare(ablate *a, lu_error *error) {
    lu_status status = prepare_settings(a, error);
    if (status == LU_OK) {
        status = take_terms(a, error);
    }
    if (status == LU_OK) {
        status = take_figures(a, error);
    }
    if (status == LU_OK) {
        status = take_manner(a, error);
    }
    return status == LU_OK ? open_folder(a, error) : status;
}

/* ---- trainings ---- */

typedef struct watching {
    const ablate *a;
    const char *name;
} watching;

static int total(const ablate *a) {
    return (a->report.rows + 1) * a->report.trainings;
}

static bool watch(void *context, double share) {
    const watching *w = context;
    progress((w->a->done + share) / total(w->a),
             cell("training %d of %d, %s", w->a->done + 1, total(w->a), w->name));
    return interrupted();
}

/* Plays the evaluation seeds with a policy and keeps the figures in row `training`. */
static lu_status judge(ablate *a, const char *path, values *v, int training, lu_error *error) {
    const ablate_report *r = &a->report;
    lu_model_file *file = lu_model_file_load(path, error);
    if (!file) {
        return error->status;
    }
    if (file->game != r->game || file->seed != r->first_training + (uint64_t)training) {
        lu_model_file_delete(file);
        return lu_fail(error, LU_OTHER_SPEC,
                       "%s is of another training: remove it to train it anew", path);
    }
    lu_player policy = {.kind = LU_PLAYER_AGENT,
                        .name = "policy",
                        .file = file,
                        .greedy = r->greedy || lu_net_kind_of(file->net) == LU_NET_Q};
    lu_match m = {.episode = &a->s,
                  .player = {&policy, &a->opponent},
                  .first_seed = r->first_seed,
                  .episodes = r->episodes,
                  .threads = a->threads};
    a->report.greedy = policy.greedy;
    judge_ready(&m);
    lu_status status = lu_match_play(&m, error);
    lu_match_figure list[LU_MATCH_FIGURES];
    lu_match_figures(&m, 0, list);
    for (int f = 0; f < r->figures && status == LU_OK; f++) {
        for (int e = 0; e < r->episodes; e++) {
            v->of[f][(size_t)training * (size_t)r->episodes + (size_t)e] =
                lu_match_figure_value(&list[a->index[f]], e);
        }
    }
    lu_match_free(&m);
    lu_model_file_delete(file);
    return status;
}

static double mean_of(const ablate *a, const values *v, int f, int training) {
    double sum = 0;
    for (int e = 0; e < a->report.episodes; e++) {
        sum += v->of[f][(size_t)training * (size_t)a->report.episodes + (size_t)e];
    }
    return sum / a->report.episodes;
}

/* `seconds` below 0: the policy was there. */
static void show_training(const ablate *a, int term, const char *name, int training,
                          const values *v, double seconds) {
    const ablate_report *r = &a->report;
    if (!a->call->json) {
        out_format("%3d of %d  %-40s  %8s  %s %s\n", a->done, total(a), name,
                   seconds < 0 ? "kept" : cell("%.1f s", seconds), r->figure[0],
                   figure_number(mean_of(a, v, 0, training)));
        out_flush();
        return;
    }
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "training");
    lu_json_key(&json, "without");
    if (term == LU_BASELINE) {
        lu_json_null(&json);
    } else {
        lu_json_string(&json, r->game->term[term].name);
    }
    lu_json_key_int(&json, "seed", (int64_t)(r->first_training + (uint64_t)training));
    lu_json_key_bool(&json, "kept", seconds < 0);
    lu_json_key(&json, "figures");
    lu_json_object(&json);
    for (int f = 0; f < r->figures; f++) {
        lu_json_key_real(&json, r->figure[f], mean_of(a, v, f, training));
    }
    lu_json_object_end(&json);
    lu_json_object_end(&json);
    out_json(&json);
    out_flush();
    lu_json_free(&json);
}

static lu_status train_one(ablate *a, int term, int training, values *v, lu_error *error) {
    uint64_t seed = a->report.first_training + (uint64_t)training;
    bool there = lu_ablation_has(a->ablation, term, seed);
    double began = lu_clock_seconds();
    lu_text name, path;
    lu_text_init(&name);
    lu_text_init(&path);
    lu_text_addf(&name, "%s%s, seed %" PRIu64, term == LU_BASELINE ? "baseline" : "without ",
                 term == LU_BASELINE ? "" : a->report.game->term[term].name, seed);
    watching w = {a, name.text};
    progress_start();
    lu_error why = {0};
    lu_status status =
        interrupted() ? LU_INTERRUPTED
                      : lu_ablation_train(a->ablation, term, seed, a->threads, watch, &w, &why);
    if (status != LU_OK) {
        lu_fail(error, status, "training %s: %.800s", name.text, why.text);
    }
    double seconds = there ? -1 : lu_clock_seconds() - began;
    if (status == LU_OK) {
        lu_ablation_policy(a->ablation, term, seed, &path);
        status = judge(a, path.text, v, training, error);
    }
    progress_end();
    if (status == LU_OK) {
        a->done++;
        show_training(a, term, name.text, training, v, seconds);
    }
    lu_text_free(&name);
    lu_text_free(&path);
    return status;
}

/* Seed by seed, so that what an early stop leaves behind is comparable. */
static lu_status train_all(ablate *a, lu_error *error) {
    const ablate_report *r = &a->report;
    lu_status status = LU_OK;
    for (int t = 0; t < r->trainings && status == LU_OK; t++) {
        status = train_one(a, LU_BASELINE, t, &a->values[0], error);
        for (int i = 0; i < r->rows && status == LU_OK; i++) {
            status = train_one(a, r->row[i].term, t, &a->values[i + 1], error);
        }
    }
    if (status == LU_INTERRUPTED) {
        lu_fail(error, LU_INTERRUPTED,
                "interrupted after %d of %d trainings; all that is done is kept in %s: the same "
                "call goes on",
                a->done, total(a), a->folder.text);
    }
    return status;
}

/* ---- the result ---- */

static lu_status finish(ablate *a, lu_error *error) {
    ablate_report *r = &a->report;
    for (int i = 0; i < r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            r->row[i].effect[f] = lu_compare_trainings(a->values[0].of[f], a->values[i + 1].of[f],
                                                       r->trainings, r->episodes);
        }
    }
    ablate_judge(r);
    lu_json json;
    lu_text path;
    lu_json_init(&json);
    lu_text_init(&path);
    lu_text_addf(&path, "%s/result.json", a->folder.text);
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "result");
    ablate_write(r, &json);
    lu_json_object_end(&json);
    lu_status status = lu_file_write(path.text, json.text, json.length, error);
    if (status == LU_OK && a->call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        ablate_print(r);
    }
    lu_json_free(&json);
    lu_text_free(&path);
    return status;
}

static values *values_new(const ablate_report *r) {
    values *v = lu_alloc_zero((size_t)r->rows + 1, sizeof *v);
    for (int i = 0; i <= r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            v[i].of[f] = lu_alloc_zero((size_t)r->trainings * (size_t)r->episodes, sizeof(double));
        }
    }
    return v;
}

static void values_delete(values *v, const ablate_report *r) {
    for (int i = 0; v && i <= r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            free(v[i].of[f]);
        }
    }
    free(v);
}

static lu_status run(verb_call *call, lu_error *error) {
    ablate *a = lu_alloc_zero(1, sizeof *a);
    a->call = call;
    lu_text_init(&a->folder);
    lu_status status = prepare(a, error);
    if (status == LU_OK) {
        if (!call->json) {
            out_format("ablation: %s, %d trainings\n", a->folder.text, total(a));
            out_flush();
        }
        a->values = values_new(&a->report);
        status = train_all(a, error);
    }
    if (status == LU_OK) {
        status = finish(a, error);
    }
    values_delete(a->values, &a->report);
    lu_ablation_close(a->ablation);
    lu_episode_close(&a->s);
    lu_player_close(&a->opponent);
    lu_settings_delete(a->settings);
    free(a->settings_json);
    lu_text_free(&a->folder);
    free(a);
    return status;
}

const verb verb_ablate = {
    .name = "ablate",
    .usage = "ablate GAME [--terms A,B] [--steps N] [--train-seeds K] [--metric M] [--json]",
    .sentence = "Tells what each term of a game's reward is worth, by trainings without it.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("ablate", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
