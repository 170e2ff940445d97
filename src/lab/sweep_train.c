/* One trial of a sweep as a training in this process: see sweep.h. */
#include "sweep_inside.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 100 }; /* episodes, about, behind a score */

static lu_status set_number(lu_settings *settings, const char *prefix, const char *name,
                            int64_t value, lu_error *error) {
    char key[100], text[32];
    snprintf(key, sizeof key, "%s.%s", prefix, name);
    snprintf(text, sizeof text, "%lld", (long long)value);
    return lu_settings_set(settings, key, text, LU_FROM_FLAG, "the sweep", error);
}

static bool varies(const lu_space *space, const char *prefix, const char *name) {
    char key[100];
    snprintf(key, sizeof key, "%s.%s", prefix, name);
    for (int d = 0; d < space->count; d++) {
        if (strcmp(space->dimension[d].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* The settings of a trial: the shared ones, its own, then the profile fills the rest. */
static lu_status apply(const lu_sweep *s, const lu_algorithm *a, const lu_trial *trial, int threads,
                       lu_settings *settings, lu_error *error) {
    lu_text value;
    lu_text_init(&value);
    lu_status status = set_number(settings, a->prefix, "seed", (int64_t)trial->seed, error);
    if (status == LU_OK) {
        status = set_number(settings, a->prefix, "threads", threads, error);
    }
    if (status == LU_OK && !varies(s->space, a->prefix, "steps")) {
        status = set_number(settings, a->prefix, "steps", s->plan.steps, error);
    }
    for (int d = 0; status == LU_OK && d < s->space->count; d++) {
        lu_text_clear(&value);
        lu_space_value(s->space, d, trial->place[d], &value);
        status = lu_settings_set(settings, s->space->dimension[d].key, value.text, LU_FROM_FLAG,
                                 "the sweep", error);
    }
    if (status == LU_OK && a->profile) {
        status = a->profile(settings, error);
    }
    lu_text_free(&value);
    return status;
}

static lu_status check_memory(const lu_sweep *s, const lu_algorithm *a, const lu_settings *settings,
                              size_t memory, lu_error *error) {
    lu_training_need need = {0};
    lu_status status = a->bytes_needed(s->plan.game, settings, &need, error);
    if (status == LU_OK && memory > 0 && need.total > memory) {
        status = lu_fail(error, LU_LIMIT, "it needs %zu bytes of memory and %zu are free",
                         need.total, memory);
    }
    return status;
}

/* Mean of the metric over about the last hundred episodes. */
typedef struct figure {
    int info; /* -1: the return */
    double sum, count;
} figure;

static double figure_now(figure *f, const lu_progress *p) {
    if (f->info < 0) {
        return p->recent > 0 ? p->recent_return : NAN;
    }
    if (p->endings > 0) {
        f->sum += p->info[f->info] * (double)p->endings;
        f->count += (double)p->endings;
    }
    if (f->count > WINDOW) { /* older episodes weigh less and less */
        f->sum *= WINDOW / f->count;
        f->count = WINDOW;
    }
    return f->count > 0.0 ? f->sum / f->count : NAN;
}

/* Notes the score at every rung that was passed; false when the trial falls behind there. */
static bool pass_rungs(const lu_sweep *s, lu_trial *trial, double share, double score) {
    while (trial->rungs < s->plan.rungs && share >= lu_sweep_rung_at(&s->plan, trial->rungs)) {
        int rung = trial->rungs++;
        trial->rung[rung] = score;
        if (!lu_sweep_goes_on(&s->plan, s->trials, s->count, rung, score)) {
            return false;
        }
    }
    return true;
}

static lu_status train(const lu_sweep *s, const lu_algorithm *a, void *trainer, lu_trial *trial,
                       lu_sweep_watch *watch, void *context, lu_error *why) {
    figure f = {.info = lu_game_info_index(s->plan.game, s->plan.metric)};
    double score = NAN;
    bool ahead = true;
    while (ahead && !a->done(trainer)) {
        lu_progress p;
        lu_status status = a->update(trainer, &p, why);
        trial->steps = a->steps(trainer);
        if (status != LU_OK) {
            return status;
        }
        double share = (double)a->updates(trainer) / (double)a->updates_total(trainer);
        score = figure_now(&f, &p) * (s->plan.minimise ? -1.0 : 1.0);
        /* without an episode there is nothing to compare yet */
        ahead = !isfinite(score) || a->done(trainer) || pass_rungs(s, trial, share, score);
        if (watch(context, share, score)) {
            return LU_INTERRUPTED;
        }
    }
    trial->state = ahead ? LU_TRIAL_DONE : LU_TRIAL_PRUNED;
    trial->score = score;
    return isfinite(score) ? LU_OK
                           : lu_fail(why, LU_FAILED, "no episode ended within %lld steps",
                                     (long long)trial->steps);
}

/* What a whole trial of this kind would have cost. */
static double whole_cost(const lu_sweep *s, const lu_algorithm *a, const void *trainer,
                         const lu_trial *trial) {
    double all = (double)a->updates_total(trainer) * (double)a->batch(trainer);
    double done = (double)(trial->steps > 0 ? trial->steps : 1);
    return s->plan.cost == LU_COST_SECONDS ? trial->seconds * all / done
           : s->plan.cost == LU_COST_STEPS ? all
                                           : 1.0;
}

lu_status lu_sweep_train(const lu_sweep *s, const lu_settings *shared, int threads, size_t memory,
                         lu_trial *trial, lu_sweep_watch *watch, void *context, lu_error *why,
                         lu_error *error) {
    const lu_algorithm *a = lu_algorithm_find(s->plan.algorithm, error);
    if (!a) {
        return LU_BAD_VALUE;
    }
    double began = lu_clock_seconds();
    lu_settings *settings = lu_settings_copy(shared);
    lu_rules *rules = NULL;
    void *trainer = NULL;
    lu_status status = apply(s, a, trial, threads, settings, why);
    if (status == LU_OK) {
        status = check_memory(s, a, settings, memory, why);
    }
    if (status == LU_OK && !(rules = lu_rules_new(s->plan.game, settings, why))) {
        status = why->status;
    }
    if (status == LU_OK && !(trainer = a->make(s->plan.game, rules, settings, NULL, why))) {
        status = why->status;
    }
    if (status == LU_OK) {
        status = train(s, a, trainer, trial, watch, context, why);
        trial->seconds = lu_clock_seconds() - began;
        trial->cost = whole_cost(s, a, trainer, trial);
        a->drop(trainer);
    }
    lu_rules_delete(rules);
    lu_settings_delete(settings);
    if (status == LU_INTERRUPTED) {
        return lu_fail(error, LU_INTERRUPTED, "trial %d was interrupted", trial->number);
    }
    if (status != LU_OK) {
        trial->state = LU_TRIAL_FAILED;
        trial->score = 0.0;
        trial->rungs = 0;
    }
    return LU_OK;
}
