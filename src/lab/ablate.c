/* The folder of a reward ablation and its trainings: see ablate.h. */
#include "inside.h"

#include "ludus/ablate.h"
#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ABLATION_FILE "ablation.json"
static const double STATE_SECONDS = 120; /* what a crash may cost */

struct lu_ablation {
    lu_ablation_plan plan;
    char *folder;
    int lock; /* the folder, held by flock */
};

/* One training while it runs. */
typedef struct course {
    const lu_ablation *ablation;
    const lu_algorithm *algorithm;
    uint64_t seed;
    lu_settings *settings;
    lu_rules *rules;
    void *trainer;
    lu_text policy, state; /* paths */
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
    lu_json json;
    lu_text text;
    lu_json_init(&json);
    lu_text_init(&text);
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

/* Variants take as much as the baseline: only a weight differs. */
static lu_status check_memory(const lu_ablation_plan *plan, size_t memory, lu_error *error) {
    lu_training_need need = {0};
    lu_status status = plan->algorithm->bytes_needed(plan->game, plan->settings, &need, error);
    if (status == LU_OK && memory > 0 && need.total > memory) {
        status = lu_fail(error, LU_LIMIT,
                         "a training needs %zu bytes of memory and %zu are free: lower %s",
                         need.total, memory, need.lower);
    }
    return status;
}

lu_ablation *lu_ablation_open(const char *folder, const lu_ablation_plan *plan, size_t memory,
                              lu_error *error) {
    if (check_memory(plan, memory, error) != LU_OK) {
        return NULL;
    }
    lu_ablation *a = lu_alloc_zero(1, sizeof *a);
    a->plan = *plan;
    a->folder = lu_strdup(folder);
    a->lock = -1;
    lu_status status = lu_folder_make(folder, error);
    if (status == LU_OK) {
        status = folder_lock(folder, "ablation", &a->lock, error);
    }
    if (status == LU_OK) {
        char *text = describe(plan);
        lu_file_clean(folder);
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
    lu_text path;
    lu_text_init(&path);
    lu_ablation_policy(a, term, seed, &path);
    bool has = lu_file_exists(path.text);
    lu_text_free(&path);
    return has;
}

/* ---- states: those of the trainer, and a hash ---- */

static lu_status save_state(const course *c, lu_error *error) {
    size_t length = c->algorithm->snapshot_bytes(c->trainer);
    char *bytes = lu_alloc(length + sizeof(uint64_t));
    c->algorithm->save(c->trainer, bytes);
    uint64_t hash = lu_hash(bytes, length, 0);
    memcpy(bytes + length, &hash, sizeof hash);
    lu_status status = lu_file_write(c->state.text, bytes, length + sizeof hash, error);
    free(bytes);
    return status;
}

static lu_status load_state(const course *c, lu_error *error) {
    char *bytes = NULL;
    size_t length = 0;
    uint64_t hash = 0;
    if (!lu_file_exists(c->state.text)) {
        return LU_OK;
    }
    lu_status status = lu_file_read(c->state.text, RUN_STATE_MOST, &bytes, &length, error);
    bool whole = status == LU_OK && length > sizeof hash;
    if (whole) {
        length -= sizeof hash;
        memcpy(&hash, bytes + length, sizeof hash);
        whole = hash == lu_hash(bytes, length, 0);
    }
    if (status == LU_OK && !whole) {
        status = lu_fail(error, LU_DAMAGED_FILE,
                         "%s is damaged: remove it to begin this training anew", c->state.text);
    }
    if (status == LU_OK) {
        status = c->algorithm->load(c->trainer, bytes, length, error);
    }
    free(bytes);
    return status;
}

/* ---- a training ---- */

static lu_status set_number(const course *c, const char *name, uint64_t value, lu_error *error) {
    char key[100], text[32];
    snprintf(key, sizeof key, "%s.%s", c->algorithm->prefix, name);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return lu_settings_set(c->settings, key, text, LU_FROM_FLAG, "the ablation", error);
}

static lu_status apply(const course *c, int term, int threads, lu_error *error) {
    lu_status status = set_number(c, "seed", c->seed, error);
    if (status == LU_OK) {
        status = set_number(c, "threads", (uint64_t)threads, error);
    }
    if (status == LU_OK && term != LU_BASELINE) {
        lu_text key;
        lu_text_init(&key);
        lu_text_addf(&key, "reward.%s", c->ablation->plan.game->term[term].name);
        status = lu_settings_set(c->settings, key.text, "0", LU_FROM_FLAG, "the ablation", error);
        lu_text_free(&key);
    }
    return status;
}

static lu_status save_policy(const course *c, lu_error *error) {
    const lu_algorithm *a = c->algorithm;
    lu_model_file file = {.game = c->ablation->plan.game,
                          .net = a->net(c->trainer),
                          .settings = c->settings,
                          .return_scale = a->return_scale(c->trainer),
                          .step = a->steps(c->trainer),
                          .seed = c->seed};
    snprintf(file.build, sizeof file.build, "%s", c->ablation->plan.build);
    if (a->normaliser(c->trainer)) {
        file.observation = *a->normaliser(c->trainer);
    }
    if (a->critic_normaliser(c->trainer)) {
        file.critic = *a->critic_normaliser(c->trainer);
    }
    return lu_model_file_save(c->policy.text, &file, error);
}

static lu_status train_on(const course *c, lu_ablation_watch *watch, void *context,
                          lu_error *error) {
    const lu_algorithm *a = c->algorithm;
    double saved = lu_clock_seconds();
    lu_status status = LU_OK;
    bool stop = false;
    while (status == LU_OK && !stop && !a->done(c->trainer)) {
        lu_progress progress;
        status = a->update(c->trainer, &progress, error);
        stop =
            watch(context, (double)a->updates(c->trainer) / (double)a->updates_total(c->trainer));
        if (status == LU_OK && !a->done(c->trainer) &&
            (stop || lu_clock_seconds() - saved > STATE_SECONDS)) {
            status = save_state(c, error);
            saved = lu_clock_seconds();
        }
    }
    if (status == LU_OK && !a->done(c->trainer)) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

static lu_status run_course(course *c, int term, int threads, lu_ablation_watch *watch,
                            void *context, lu_error *error) {
    const lu_ablation_plan *plan = &c->ablation->plan;
    lu_status status = apply(c, term, threads, error);
    if (status == LU_OK && !(c->rules = lu_rules_new(plan->game, c->settings, error))) {
        status = error->status;
    }
    if (status == LU_OK && !(c->trainer = c->algorithm->make(plan->game, c->rules, c->settings,
                                                             plan->options, error))) {
        status = error->status;
    }
    if (status == LU_OK) {
        status = load_state(c, error);
    }
    if (status == LU_OK) {
        status = train_on(c, watch, context, error);
    }
    if (status == LU_OK) {
        status = save_policy(c, error);
    }
    if (status == LU_OK) {
        unlink(c->state.text);
    }
    return status;
}

lu_status lu_ablation_train(lu_ablation *a, int term, uint64_t seed, int threads,
                            lu_ablation_watch *watch, void *context, lu_error *error) {
    LU_ASSERT(term == LU_BASELINE || (term >= 0 && term < a->plan.game->terms));
    if (lu_ablation_has(a, term, seed)) {
        return LU_OK;
    }
    course c = {.ablation = a, .algorithm = a->plan.algorithm, .seed = seed};
    lu_error own;
    error = error ? error : &own;
    c.settings = lu_settings_copy(a->plan.settings);
    lu_text_init(&c.policy);
    lu_text_init(&c.state);
    lu_ablation_policy(a, term, seed, &c.policy);
    add_path(a, term, seed, ".state", &c.state);
    lu_status status = run_course(&c, term, threads, watch, context, error);
    if (c.trainer) {
        c.algorithm->drop(c.trainer);
    }
    lu_rules_delete(c.rules);
    lu_settings_delete(c.settings);
    lu_text_free(&c.policy);
    lu_text_free(&c.state);
    return status;
}
