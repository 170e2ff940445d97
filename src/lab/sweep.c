/* The folder of a sweep: what it searches, the trials that ended, the lock. See sweep.h. */
#include "run_files.h"
#include "sweep_internal.h"

#include "ludus/file.h"
#include "ludus/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWEEP_FILE   "sweep.json"
#define SWEEP_TRIALS "trials.jsonl"
enum { SWEEP_MOST = 1 << 28, /* bytes of a file */ TRIALS_MOST = 1000000 };

static const char *const states[] = {"done", "pruned", "failed"};
static const char *const costs[] = {"seconds", "steps", "none"};

static char *join(const char *folder, const char *name) {
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", folder, name);
    return lu_text_take(&path);
}

/* ---- sweep.json: a member per line, so that a difference has a name ---- */

static void member_end(lu_text *text, const char *key, lu_json *value) {
    lu_text_addf(text, "%s\n\"%s\":%s", text->length > 1 ? "," : "", key, value->text);
    lu_json_clear(value);
}

static void member_text(lu_text *text, const char *key, const char *value, lu_json *json) {
    lu_json_string(json, value);
    member_end(text, key, json);
}

static void member_real(lu_text *text, const char *key, double value, lu_json *json) {
    lu_json_real(json, value);
    member_end(text, key, json);
}

static char *describe(const lu_space *space, const lu_sweep_plan *plan) {
    lu_json json = LU_JSON_INIT;
    lu_text text = LU_TEXT_INIT;
    lu_text_add(&text, "{");
    member_text(&text, "kind", "ludus sweep 1", &json);
    member_text(&text, "game", plan->game->id, &json);
    lu_json_hex(&json, lu_spec_hash(plan->game));
    member_end(&text, "spec", &json);
    member_text(&text, "algorithm", plan->algorithm, &json);
    member_text(&text, "metric", plan->metric, &json);
    member_text(&text, "goal", plan->minimise ? "min" : "max", &json);
    lu_json_uint(&json, plan->seed);
    member_end(&text, "seed", &json);
    member_real(&text, "steps", (double)plan->steps, &json);
    member_text(&text, "search", plan->random ? "random" : "tpe", &json);
    member_real(&text, "start", plan->start, &json);
    member_real(&text, "rungs", plan->rungs, &json);
    member_real(&text, "keep", plan->keep, &json);
    member_text(&text, "cost", costs[plan->cost], &json);
    if (plan->together > 1) {
        member_real(&text, "together", plan->together, &json);
    }
    lu_json_raw(&json, plan->settings, strlen(plan->settings));
    member_end(&text, "settings", &json);
    lu_space_write(space, &json);
    member_end(&text, "space", &json);
    lu_text_add(&text, "\n}\n");
    lu_json_free(&json);
    return lu_text_take(&text);
}

/* ---- trials ---- */

static void write_values(const lu_space *space, const lu_trial *t, lu_json *json) {
    lu_text value = LU_TEXT_INIT;
    lu_json_key_object(json, "values");
    for (int d = 0; d < space->count; d++) {
        lu_text_clear(&value);
        lu_space_value(space, d, t->place[d], &value);
        lu_json_key_string(json, space->dimension[d].key, value.text);
    }
    lu_json_object_end(json);
    lu_text_free(&value);
}

static void write_reals(const char *key, const double *values, int count, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        lu_json_real(json, values[i]);
    }
    lu_json_array_end(json);
}

static void write_trial(const lu_space *space, const lu_trial *t, const char *why, lu_json *json) {
    lu_json_object(json);
    lu_json_key_int(json, "trial", t->number);
    lu_json_key_int(json, "seed", (int64_t)t->seed);
    lu_json_key_string(json, "state", states[t->state]);
    lu_json_key_real(json, "score", t->score);
    lu_json_key_int(json, "steps", t->steps);
    lu_json_key_real(json, "seconds", t->seconds);
    lu_json_key_real(json, "cost", t->cost);
    write_values(space, t, json);
    write_reals("rungs", t->rung, t->rungs, json);
    write_reals("place", t->place, space->count, json);
    if (t->state == LU_TRIAL_FAILED) {
        lu_json_key_string(json, "why", why ? why : "");
    }
    lu_json_object_end(json);
}

static lu_status read_reals(const lu_json_value *line, const char *key, double low, double high,
                            int least, int most, double *values, int *count, lu_error *error) {
    const lu_json_value *list = lu_json_get(line, key);
    *count = (int)lu_json_count(list);
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || *count < least || *count > most) {
        return lu_fail(error, LU_DAMAGED_FILE, "'%s' isn't a list of %d to %d numbers", key, least,
                       most);
    }
    for (int i = 0; i < *count; i++) {
        values[i] = lu_json_real_or(lu_json_at(list, (size_t)i), NAN);
        if (!(values[i] >= low && values[i] <= high)) {
            return lu_fail(error, LU_DAMAGED_FILE, "'%s' has a number out of range", key);
        }
    }
    return LU_OK;
}

static lu_status read_trial(const lu_json_value *line, int dimensions, lu_trial *t,
                            lu_error *error) {
    const char *state = "";
    int64_t number = 0;
    int count;
    lu_status status = lu_json_get_int(line, "trial", 0, TRIALS_MOST, &number, error);
    LU_THEN(status, lu_json_get_uint(line, "seed", &t->seed, error));
    LU_THEN(status, lu_json_get_text(line, "state", &state, error));
    int kind = 0;
    while (status == LU_OK && kind < 3 && strcmp(states[kind], state) != 0) {
        kind++;
    }
    if (status == LU_OK && kind == 3) {
        status =
            lu_fail(error, LU_DAMAGED_FILE, "'state' = '%.40s' isn't a state of a trial", state);
    }
    LU_THEN(status, lu_json_get_real(line, "score", -HUGE_VAL, HUGE_VAL, &t->score, error));
    LU_THEN(status, lu_json_get_int(line, "steps", 0, INT64_MAX / 2, &t->steps, error));
    LU_THEN(status, lu_json_get_real(line, "seconds", 0, HUGE_VAL, &t->seconds, error));
    LU_THEN(status, lu_json_get_real(line, "cost", 0, HUGE_VAL, &t->cost, error));
    LU_THEN(status, read_reals(line, "rungs", -HUGE_VAL, HUGE_VAL, 0, LU_MAX_RUNGS, t->rung,
                               &t->rungs, error));
    LU_THEN(status,
            read_reals(line, "place", 0, 1, dimensions, dimensions, t->place, &count, error));
    t->number = (int)number;
    t->state = (lu_trial_state)kind;
    return status;
}

static void keep_trial(lu_sweep *s, const lu_trial *trial) {
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->trials = lu_realloc(s->trials, (size_t)s->room * sizeof *s->trials);
    }
    s->trials[s->count++] = *trial;
}

static lu_status read_line(lu_sweep *s, const char *text, size_t length, lu_error *error) {
    lu_trial trial = {0};
    char name[64];
    lu_error inner = {0};
    snprintf(name, sizeof name, "trial %d", s->count);
    lu_json_document *document = lu_json_read(name, text, length, &inner);
    lu_status status = document
                           ? read_trial(lu_json_root(document), s->space->count, &trial, &inner)
                           : LU_DAMAGED_FILE;
    if (status == LU_OK && trial.number != s->count) {
        status = lu_fail(&inner, LU_DAMAGED_FILE, "it is trial %d", trial.number);
    }
    lu_json_close(document);
    if (status != LU_OK) {
        return lu_fail(error, LU_DAMAGED_FILE,
                       "%s: line %d is damaged (%.300s); remove it and all lines after it", s->path,
                       s->count + 1, inner.text);
    }
    keep_trial(s, &trial);
    return LU_OK;
}

/* Reads all lines. What stands behind the last newline was torn by a crash, or is being written: it
 * is left out. */
static lu_status read_trials(lu_sweep *s, lu_error *error) {
    char *bytes = NULL;
    size_t length = 0, at = 0;
    if (!lu_file_exists(s->path)) {
        return LU_OK;
    }
    lu_status status = lu_file_read(s->path, SWEEP_MOST, &bytes, &length, error);
    while (status == LU_OK && at < length) {
        const char *end = memchr(bytes + at, '\n', length - at);
        if (!end) {
            break;
        }
        size_t line = (size_t)(end - (bytes + at));
        status = read_line(s, bytes + at, line, error);
        at += line + 1;
    }
    free(bytes);
    return status;
}

/* ---- opening ---- */

lu_sweep *lu_sweep_open(const char *folder, const lu_space *space, const lu_sweep_plan *plan,
                        lu_error *error) {
    LU_ASSERT(plan->rungs >= 0 && plan->rungs <= LU_MAX_RUNGS);
    lu_sweep *s = lu_alloc_zero(1, sizeof *s);
    s->space = space;
    s->plan = *plan;
    s->plan.algorithm = s->texts[0] = lu_strdup(plan->algorithm);
    s->plan.metric = s->texts[1] = lu_strdup(plan->metric);
    s->plan.settings = s->texts[2] = lu_strdup(plan->settings);
    s->lock = s->file = -1;
    if (!folder) {
        return s;
    }
    s->path = join(folder, SWEEP_TRIALS);
    lu_status status = lu_folder_make_safely(folder, error);
    LU_THEN(status, folder_lock(folder, "sweep", &s->lock, error));
    if (status == LU_OK) {
        char *text = describe(space, plan);
        status = folder_settle(folder, SWEEP_FILE, "sweep", text, error);
        free(text);
    }
    LU_THEN(status, read_trials(s, error));
    if (status == LU_OK) {
        s->file = lu_rows_open_file(s->path, error);
        status = s->file >= 0 ? lu_folder_sync(folder, error) : error->status;
    }
    if (status != LU_OK) {
        lu_sweep_close(s);
        return NULL;
    }
    return s;
}

void lu_sweep_close(lu_sweep *s) {
    if (!s) {
        return;
    }
    if (s->file >= 0) {
        close(s->file);
    }
    if (s->lock >= 0) {
        close(s->lock);
    }
    for (int i = 0; i < 3; i++) {
        free(s->texts[i]);
    }
    free(s->path);
    free(s->trials);
    free(s);
}

int lu_sweep_count(const lu_sweep *s) {
    return s->count;
}

const lu_trial *lu_sweep_trials(const lu_sweep *s) {
    return s->trials;
}

lu_status lu_sweep_add(lu_sweep *s, const lu_trial *trial, const char *why, lu_error *error) {
    LU_ASSERT(trial->number == s->count);
    if (s->file < 0) {
        keep_trial(s, trial);
        return LU_OK;
    }
    lu_json json = LU_JSON_INIT;
    lu_error failed = {0};
    write_trial(s->space, trial, why, &json);
    lu_status status = lu_rows_append(s->file, json.text, &failed);
    LU_THEN(status, lu_rows_sync(s->file, &failed));
    if (status == LU_OK) {
        keep_trial(s, trial);
    } else {
        lu_fail(error, status, "%s: %.800s", s->path, failed.text);
    }
    lu_json_free(&json);
    return status;
}

/* ---- reading ---- */

/* The part of a file that a member fills, as text. */
static char *raw_member(const char *text, const char *key) {
    char start[64];
    snprintf(start, sizeof start, "\n\"%s\":", key);
    const char *at = strstr(text, start);
    if (!at) {
        return lu_strdup("{}");
    }
    at += strlen(start);
    size_t length = strcspn(at, "\n");
    length -= length > 0 && at[length - 1] == ',';
    char *copy = lu_alloc_zero(length + 1, 1);
    memcpy(copy, at, length);
    return copy;
}

static lu_status read_about(const char *folder, lu_sweep_result *r, int *dimensions,
                            lu_error *error) {
    char *path = join(folder, SWEEP_FILE), *text = NULL;
    const char *game = "", *algorithm = "", *metric = "", *goal = "";
    size_t length = 0;
    lu_json_document *document = NULL;
    lu_status status = LU_OK;
    if (!lu_file_exists(path)) {
        status =
            lu_fail(error, LU_NOT_FOUND, "there is no sweep in %s: it has no " SWEEP_FILE, folder);
    }
    LU_THEN(status, lu_file_read(path, SWEEP_MOST, &text, &length, error));
    if (status == LU_OK && !(document = lu_json_read(path, text, length, error))) {
        status = LU_DAMAGED_FILE;
    }
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    LU_THEN(status, lu_json_get_text(root, "game", &game, error));
    LU_THEN(status, lu_json_get_text(root, "algorithm", &algorithm, error));
    LU_THEN(status, lu_json_get_text(root, "metric", &metric, error));
    LU_THEN(status, lu_json_get_text(root, "goal", &goal, error));
    r->minimise = strcmp(goal, "min") == 0;
    *dimensions = root ? (int)lu_json_count(lu_json_get(root, "space")) : 0;
    if (status == LU_OK && (*dimensions < 1 || *dimensions > LU_MAX_DIMENSIONS)) {
        status = lu_fail(error, LU_DAMAGED_FILE, "%s: 'space' has %d settings", path, *dimensions);
    }
    r->game = lu_strdup(game);
    r->algorithm = lu_strdup(algorithm);
    r->metric = lu_strdup(metric);
    r->settings = status == LU_OK ? raw_member(text, "settings") : NULL;
    lu_json_close(document);
    free(text);
    free(path);
    return status;
}

/* The values of trial `number`, as JSON. */
static char *values_of(const char *path, int number, lu_error *error) {
    char *bytes = NULL, *values = NULL;
    size_t length;
    if (lu_file_read(path, SWEEP_MOST, &bytes, &length, error) != LU_OK) {
        return NULL;
    }
    const char *line = bytes;
    for (int i = 0; i < number && line; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    size_t size = line ? strcspn(line, "\n") : 0;
    lu_json_document *document = line ? lu_json_read(path, line, size, error) : NULL;
    const lu_json_value *object = document ? lu_json_get(lu_json_root(document), "values") : NULL;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(object, i, &key);
        const char *text = lu_json_text(value, NULL);
        lu_json_key_string(&json, key, text ? text : "");
    }
    lu_json_object_end(&json);
    values = document ? lu_strdup(json.text) : NULL;
    lu_json_free(&json);
    lu_json_close(document);
    free(bytes);
    return values;
}

lu_status lu_sweep_read(const char *folder, lu_sweep_result *r, lu_error *error) {
    *r = (lu_sweep_result){0};
    lu_space *space = lu_alloc_zero(1, sizeof *space);
    lu_sweep s = {.space = space, .path = join(folder, SWEEP_TRIALS), .lock = -1, .file = -1};
    lu_status status = read_about(folder, r, &space->count, error);
    LU_THEN(status, read_trials(&s, error));
    for (int i = 0; i < s.count; i++) {
        r->done += s.trials[i].state == LU_TRIAL_DONE;
        r->pruned += s.trials[i].state == LU_TRIAL_PRUNED;
        r->failed += s.trials[i].state == LU_TRIAL_FAILED;
        r->steps += s.trials[i].steps;
        r->seconds += s.trials[i].seconds;
    }
    r->trials = s.count;
    int best = lu_sweep_best(s.trials, s.count);
    if (status == LU_OK && best < 0) {
        status =
            lu_fail(error, LU_NOT_FOUND, "no trial of %s is done yet: %d tried", folder, s.count);
    }
    if (status == LU_OK) {
        LU_ASSERT(s.trials);
        r->trial = s.trials[best];
        r->values = values_of(s.path, best, error);
        status = r->values ? LU_OK : LU_DAMAGED_FILE;
    }
    if (status != LU_OK) {
        lu_sweep_result_free(r);
    }
    free(s.trials);
    free(s.path);
    free(space);
    return status;
}

void lu_sweep_result_free(lu_sweep_result *r) {
    free(r->game);
    free(r->algorithm);
    free(r->metric);
    free(r->settings);
    free(r->values);
    *r = (lu_sweep_result){0};
}
