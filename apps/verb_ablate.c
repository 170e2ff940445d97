/* ludus ablate: what each term of a game's reward is worth, by training without it. What it does is
 * in src/lab/ablate.c and ablate_study.c; here are the call and the table. */
#include "judge.h"
#include "output.h"
#include "run_text.h"
#include "train_display.h"
#include "training_settings.h"

#include "ludus/ablate_study.h"
#include "ludus/dqn.h"
#include "ludus/machine_memory.h"
#include "ludus/ppo.h"
#include "ludus/process.h"
#include "ludus/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus ablate cartpole --preset cartpole-classic --reward.fall -1 --steps 30k",
     "three trainings with all terms, and three without each"},
    {"ludus ablate prospector --reward.mode reference --terms fuel,wear --train-seeds 5",
     "two terms only, with five training seeds"},
    {"ludus ablate joker --metric rounds_won --steps 5M", "compared by another metric"},
    {NULL, NULL},
};

#define ABLATE_SEEDS LU_SEEDS_TEXT(LU_PUBLIC_FIRST, 30199)
enum { MOST_EPISODES = 1000000 }; /* of the baseline and of each variant, held in memory */

static const lu_setting options[] = {
    {"terms", LU_TEXT, "", 0, 4096, "commas",
     "Reward terms to leave out, one at a time, separated by commas; default: all whose weight is "
     "not 0.",
     false},
    {"steps", LU_INT, "", 1, 1e12, NULL,
     "Environment steps of each training; default: train.steps or dqn.steps.", false},
    {"train_seeds", LU_INT, "3", 1, 1000, NULL,
     "Number of trainings of the baseline and of each variant.", false},
    {"seed", LU_INT, "1", 0, 9007199254739992.0, NULL,
     "Seed of the first training; the others count up from it.", false},
    {"seeds", LU_TEXT, ABLATE_SEEDS, 0, 80, NULL,
     "Range of seeds A..B on which every trained policy is evaluated.", false},
    {"metric", LU_TEXT, "", 0, 100, NULL,
     "Metric that decides; default: the game's headline. Success is also reported if the game has "
     "it.",
     false},
    {"lower", LU_BOOL, "false", 0, 0, NULL, "Less is better for this metric.", false},
    JUDGE_GREEDY,
    JUDGE_OPPONENT,
    {"out", LU_TEXT, "", 0, 4096, NULL,
     "Folder of the ablation; default: ablate-GAME-HASH in the runs folder, with a hash of the "
     "settings.",
     false},
    JUDGE_THREADS,
};

static const lu_table *const tables[] = {&lu_algorithm_table, &lu_ppo_table,       &lu_dqn_table,
                                         &lu_net_table,       &lu_run_place_table, NULL};

static const char details[] =
    "The baseline trains with all terms, each variant with one of them at weight 0, all with\nthe "
    "same seeds and settings. Every policy plays the same evaluation seeds, and the metric\nwith "
    "the term is compared with that without it. Ctrl-C keeps what is done; repeat the\ncommand to "
    "resume, even with other --terms, --train-seeds, --seeds or --metric.\ndocs/sweep.md explains "
    "the table.";

typedef struct ablate {
    verb_call *call;
    const lu_algorithm *algorithm;
    lu_settings *settings; /* of game, net and algorithm, that all trainings share */
    char *settings_json;
    lu_episode s;
    lu_text preset, folder;
    char commit[64];
    lu_ablation *ablation;
    lu_player opponent;
    lu_ablate_study study;
} ablate;

/* ---- what is asked for ---- */

static lu_status prepare_settings(ablate *a, lu_error *error) {
    const lu_settings *own = a->call->settings;
    a->algorithm = lu_algorithm_find(lu_settings_text_of(own, "algo"), error);
    if (!a->algorithm) {
        return LU_BAD_VALUE;
    }
    LU_TRY(training_preset(a->call, &a->preset, error));
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
    a->study.report.steps = lu_settings_int(a->settings, key);
    a->settings_json = lu_settings_json(a->settings);
    return status == LU_OK ? call_open_episode(a->call, a->call->game, NULL, &a->s, error) : status;
}

static lu_status take_manner(ablate *a, lu_error *error) {
    const lu_settings *own = a->call->settings;
    const char *opponent = lu_settings_text_of(own, "opponent");
    lu_ablate_report *r = &a->study.report;
    r->game = a->call->game;
    r->algorithm = a->algorithm->name;
    r->settings = a->settings_json;
    r->lower = lu_settings_bool(own, "lower");
    r->greedy = lu_settings_bool(own, "greedy");
    r->trainings = (int)lu_settings_int(own, "train_seeds");
    r->first_training = (uint64_t)lu_settings_int(own, "seed");
    a->study.threads = (int)lu_settings_int(own, "threads");
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
        status =
            lu_fail(error, LU_BAD_VALUE,
                    "'train_seeds' = %d times %d 'seeds' exceeds %d episodes: lower one of them",
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
    LU_TRY(call_not_empty(a->call, "out", error));
    if (*out) {
        lu_text_add(&a->folder, out);
    } else {
        lu_run_place(a->call->settings, &a->folder);
        lu_text_addf(&a->folder, "/ablate-%s-%08" PRIx32, a->call->game->name,
                     (uint32_t)lu_ablation_hash(&plan));
    }
    a->study.report.folder = a->folder.text;
    a->study.ablation = a->ablation =
        lu_ablation_open(a->folder.text, &plan, lu_memory_available(), error);
    return a->ablation ? LU_OK : error->status;
}

static void on_trained(void *context, const lu_ablate_trained *t);

static lu_status prepare(ablate *a, lu_error *error) {
    const lu_settings *own = a->call->settings;
    lu_ablate_study *s = &a->study;
    *s = (lu_ablate_study){.episode = &a->s,
                           .opponent = &a->opponent,
                           .watch = out_watch(),
                           .context = a,
                           .trained = on_trained};
    LU_TRY(prepare_settings(a, error));
    LU_TRY(call_not_empty(a->call, "terms", error));
    LU_TRY(lu_ablate_terms(s, lu_settings_text_of(own, "terms"), error));
    LU_TRY(lu_ablate_figures(s, lu_settings_text_of(own, "metric"), error));
    LU_TRY(take_manner(a, error));
    return open_folder(a, error);
}

/* ---- what is told ---- */

static void write_training(const lu_ablate_report *r, const lu_ablate_trained *t, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "event", "training");
    lu_json_key_string(json, "without",
                       t->term == LU_BASELINE ? NULL : r->game->term[t->term].name);
    lu_json_key_int(json, "seed", (int64_t)t->seed);
    lu_json_key_bool(json, "kept", t->seconds < 0);
    lu_json_key_object(json, "figures");
    for (int f = 0; f < r->figures; f++) {
        lu_json_key_real(json, r->figure[f], t->mean[f]);
    }
    lu_json_object_end(json);
    lu_json_object_end(json);
}

static void on_trained(void *context, const lu_ablate_trained *t) {
    const ablate *a = context;
    progress_end();
    if (a->call->json) {
        lu_json json = LU_JSON_INIT;
        write_training(&a->study.report, t, &json);
        out_json(&json);
        lu_json_free(&json);
    } else {
        out_format("%3d of %d  %-40s  %8s  %s %s\n", a->study.done, lu_ablate_total(&a->study),
                   t->name, t->seconds < 0 ? "kept" : cell("%.1f s", t->seconds),
                   a->study.report.figure[0], real_text(t->mean[0]));
    }
    out_flush();
    progress_start();
}

static void print_figure(const lu_ablate_report *r, int f) {
    out_format("\n%s%s:\n", r->figure[f], f == 0 && r->lower ? ", less is better" : "");
    table t = table_of("lrrrrnl");
    table_row(&t, "term", "weight", "with", "without", "difference", "95% interval", "reading");
    for (int i = 0; i < r->rows; i++) {
        const lu_ablate_row *row = &r->row[i];
        const lu_effect *e = &row->effect[f];
        table_row(&t, r->game->term[row->term].name, cell("%g", row->weight), real_text(e->a),
                  real_text(e->b), real_text(e->mean), interval_text(e->low, e->high),
                  lu_ablate_reading(row->verdict[f]));
    }
    table_print(&t);
    table_free(&t);
}

static void print_notes(const lu_ablate_report *r) {
    if (r->trainings == 1) {
        out_line("\nWith one training seed, the intervals cover only the evaluation seeds and say "
                 "nothing about other trainings. Use --train-seeds 3 or more.\n");
    } else {
        out_line("\nThe intervals cover the %d training seeds and the %d evaluation seeds.\n",
                 r->trainings, r->episodes);
    }
    if (r->rows > 1) {
        out_text("About one in twenty terms that do nothing will show an effect by chance.\n");
    }
    out_text("Returns are not compared, because each training has a different reward.\n");
}

static void print_report(const lu_ablate_report *r) {
    out_line("\n%s by %s: %d trainings of %s steps, each evaluated on seeds %" PRIu64 "..%" PRIu64
             "%s%s\n",
             r->game->id, r->algorithm, (r->rows + 1) * r->trainings, count_text((double)r->steps),
             r->first_seed, r->first_seed + (uint64_t)r->episodes - 1,
             r->opponent ? " against " : "", r->opponent ? r->opponent : "");
    for (int f = 0; f < r->figures; f++) {
        print_figure(r, f);
    }
    print_notes(r);
    out_line("Policies and result.json: %s\n", r->folder);
}

static void show_result(const ablate *a) {
    if (!a->call->json) {
        print_report(&a->study.report);
        return;
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "event", "result");
    lu_ablate_write(&a->study.report, &json);
    out_json_end(&json);
}

static lu_status run(verb_call *call, lu_error *error) {
    ablate *a = lu_alloc_zero(1, sizeof *a);
    a->call = call;
    lu_text_init(&a->preset);
    lu_text_init(&a->folder);
    lu_status status = prepare(a, error);
    if (status == LU_OK) {
        if (!call->json) {
            out_line("preset: %s\n", a->preset.text);
            out_line("ablation: %s, %s\n", a->folder.text,
                     counted(lu_ablate_total(&a->study), "training"));
            out_flush();
        }
        progress_start();
        status = lu_ablate_run(&a->study, error);
        progress_end();
    }
    if (status == LU_OK) {
        show_result(a);
    }
    lu_ablate_free(&a->study);
    lu_ablation_close(a->ablation);
    lu_episode_close(&a->s);
    lu_player_close(&a->opponent);
    lu_settings_delete(a->settings);
    free(a->settings_json);
    lu_text_free(&a->preset);
    lu_text_free(&a->folder);
    free(a);
    return status;
}

const verb verb_ablate = {
    .name = "ablate",
    .usage = "ablate GAME [--terms A,B] [--steps N] [--train-seeds K] [--metric M] [--json]",
    .sentence = "Measures what each reward term is worth, by training without it.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("ablate", options),
    .tables = tables,
    .learns = true,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
