/* The folder of a reward ablation and its trainings: see ablate.h. */
#include "run_files.h"

#include "ludus/ablate.h"
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/training.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ABLATION_FILE "ablation.json"

struct lu_ablation {
    lu_ablation_plan plan;
    char *folder;
    int lock; /* the folder, held by flock */
};

/* Who looks on while a training runs. */
typedef struct course {
    lu_training *training;
    lu_ablation_watch *watch;
    void *context;
    bool stopped; /* it said so inside of an update */
} course;

/* ---- what is trained ---- */

/* Settings that differ between the trainings of an ablation, or change nothing in them. */
static bool is_own(const lu_algorithm *a, const char *key) {
    static const char *const names[] = {"seed", "threads", "save_failed"};
    size_t length = strlen(a->prefix);
    for (int i = 0; i < 3; i++) {
        if (strncmp(key, a->prefix, length) == 0 && key[length] == '.' &&
            strcmp(key + length + 1, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void member(lu_text *text, const char *key, lu_json *value) {
    lu_text_addf(text, "%s\n\"%s\":%s", text->length > 1 ? "," : "", key, value->text);
    lu_json_clear(value);
}

/* A member per line, so that a difference has a name. */
static char *describe(const lu_ablation_plan *plan) {
    lu_json json = LU_JSON_INIT;
    lu_text text = LU_TEXT_INIT;
    lu_text_add(&text, "{");
    lu_json_string(&json, "ludus ablation 1");
    member(&text, "kind", &json);
    lu_json_string(&json, plan->game->id);
    member(&text, "game", &json);
    lu_json_hex(&json, lu_spec_hash(plan->game));
    member(&text, "spec", &json);
    lu_json_string(&json, plan->algorithm->name);
    member(&text, "algorithm", &json);
    lu_json_raw(&json, plan->options_json, strlen(plan->options_json));
    member(&text, "options", &json);
    for (size_t i = 0; i < lu_settings_rows(plan->settings); i++) {
        const char *key = lu_settings_row(plan->settings, i, NULL)->key;
        if (!is_own(plan->algorithm, key)) {
            lu_settings_write(plan->settings, key, &json);
            member(&text, key, &json);
        }
    }
    lu_text_add(&text, "\n}\n");
    lu_json_free(&json);
    return lu_text_take(&text);
}

uint64_t lu_ablation_hash(const lu_ablation_plan *plan) {
    char *text = describe(plan);
    uint64_t hash = lu_hash_text(text, 0);
    free(text);
    return hash;
}

/* ---- the folder ---- */

lu_ablation *lu_ablation_open(const char *folder, const lu_ablation_plan *plan, size_t memory,
                              lu_error *error) {
    lu_training_need need; /* of variants too: only a weight differs */
    if (lu_training_memory(plan->game, plan->algorithm, plan->settings, memory, &need, error) !=
        LU_OK) {
        return NULL;
    }
    lu_ablation *a = lu_alloc_zero(1, sizeof *a);
    a->plan = *plan;
    a->folder = lu_strdup(folder);
    a->lock = -1;
    lu_status status = lu_folder_make(folder, error);
    LU_THEN(status, folder_lock(folder, "ablation", &a->lock, error));
    if (status == LU_OK) {
        char *text = describe(plan);
        status = folder_settle(folder, ABLATION_FILE, "ablation", text, error);
        free(text);
    }
    if (status != LU_OK) {
        lu_ablation_close(a);
        return NULL;
    }
    return a;
}

void lu_ablation_close(lu_ablation *a) {
    if (!a) {
        return;
    }
    if (a->lock >= 0) {
        close(a->lock);
    }
    free(a->folder);
    free(a);
}

static void add_path(const lu_ablation *a, int term, uint64_t seed, const char *ending,
                     lu_text *path) {
    bool all = term == LU_BASELINE;
    lu_text_addf(path, "%s/%s%s-%" PRIu64 "%s", a->folder, all ? "baseline" : "without-",
                 all ? "" : a->plan.game->term[term].name, seed, ending);
}

void lu_ablation_policy(const lu_ablation *a, int term, uint64_t seed, lu_text *path) {
    add_path(a, term, seed, ".safetensors", path);
}

bool lu_ablation_has(const lu_ablation *a, int term, uint64_t seed) {
    lu_text path = LU_TEXT_INIT;
    lu_ablation_policy(a, term, seed, &path);
    bool has = lu_file_exists(path.text);
    lu_text_free(&path);
    return has;
}

/* ---- a training ---- */

static lu_status apply(const lu_ablation_plan *plan, int term, uint64_t seed, int threads,
                       lu_settings *settings, lu_error *error) {
    static const char where[] = "the ablation";
    lu_status status = lu_training_set(settings, plan->algorithm, "seed", seed, where, error);
    if (status == LU_OK) {
        status =
            lu_training_set(settings, plan->algorithm, "threads", (uint64_t)threads, where, error);
    }
    if (status == LU_OK && term != LU_BASELINE) {
        lu_text key = LU_TEXT_INIT;
        lu_text_addf(&key, "reward.%s", plan->game->term[term].name);
        status = lu_settings_set(settings, key.text, "0", LU_FROM_FLAG, where, error);
        lu_text_free(&key);
    }
    return status;
}

static bool look(void *context, const lu_progress *progress) {
    const course *c = context;
    return progress && (c->stopped || c->watch(c->context, lu_training_share(c->training)));
}

/* An update is whole, also the one that is kept where the training stops. */
static void within(void *context, double share, const char *what) {
    course *c = context;
    (void)share;
    (void)what;
    c->stopped =
        c->stopped || (c->training && c->watch(c->context, lu_training_share(c->training)));
}

/* Trains to the end and writes the policy. */
static lu_status train_on(lu_training *training, const char *policy, lu_error *error) {
    lu_status status = lu_training_go(training, error);
    if (status == LU_OK && !lu_training_done(training)) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    if (status == LU_OK) {
        lu_model_file file = lu_training_model(training);
        status = lu_model_file_save(policy, &file, error);
    }
    return status;
}

lu_status lu_ablation_train(lu_ablation *a, int term, uint64_t seed, int threads,
                            lu_ablation_watch *watch, void *context, lu_error *error) {
    LU_ASSERT(term == LU_BASELINE || (term >= 0 && term < a->plan.game->terms));
    if (lu_ablation_has(a, term, seed)) {
        return LU_OK;
    }
    course c = {.watch = watch, .context = context};
    const lu_watch inside = {.context = &c, .progress = within};
    lu_text policy = LU_TEXT_INIT, state = LU_TEXT_INIT;
    lu_error own;
    error = error ? error : &own;
    lu_ablation_policy(a, term, seed, &policy);
    add_path(a, term, seed, ".state", &state);
    lu_training_plan plan = {.game = a->plan.game,
                             .options = a->plan.options,
                             .algorithm = a->plan.algorithm,
                             .settings = lu_settings_copy(a->plan.settings),
                             .version = a->plan.version,
                             .commit = a->plan.commit,
                             .hooks = {.context = &c, .stop = look, .watch = &inside},
                             .state = state.text};
    lu_status status = apply(&a->plan, term, seed, threads, plan.settings, error);
    if (status == LU_OK) {
        c.training = lu_training_open(&plan, error);
        status = c.training ? train_on(c.training, policy.text, error) : error->status;
    }
    if (status == LU_OK) {
        unlink(state.text);
    }
    lu_training_close(c.training);
    lu_settings_delete(plan.settings);
    lu_text_free(&policy);
    lu_text_free(&state);
    return status;
}
