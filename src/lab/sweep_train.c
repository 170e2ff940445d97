/* One trial of a sweep as a training in this process: see sweep.h. */
#include "sweep_internal.h"

#include "ludus/clock.h"
#include "ludus/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    static const char where[] = "the sweep";
    lu_text value = LU_TEXT_INIT;
    lu_status status = lu_training_set(settings, a, "seed", trial->seed, where, error);
    LU_THEN(status, lu_training_set(settings, a, "threads", (uint64_t)threads, where, error));
    if (status == LU_OK && !varies(s->space, a->prefix, "steps")) {
        status = lu_training_set(settings, a, "steps", (uint64_t)s->plan.steps, where, error);
    }
    for (int d = 0; status == LU_OK && d < s->space->count; d++) {
        lu_text_clear(&value);
        lu_space_value(s->space, d, trial->place[d], &value);
        status = lu_settings_set(settings, s->space->dimension[d].key, value.text, LU_FROM_FLAG,
                                 where, error);
    }
    if (status == LU_OK && a->profile) {
        status = a->profile(settings, error);
    }
    lu_text_free(&value);
    return status;
}

/* Mean of the metric over about the last LU_RECENT_EPISODES. */
typedef struct recent_metric {
    int info; /* -1: the return */
    double sum, count;
} recent_metric;

static double metric_now(recent_metric *f, const lu_progress *p) {
    if (f->info < 0) {
        return p->recent > 0 ? p->recent_return : NAN;
    }
    if (p->endings > 0) {
        f->sum += p->info[f->info] * (double)p->endings;
        f->count += (double)p->endings;
    }
    if (f->count > LU_RECENT_EPISODES) { /* older episodes weigh less and less */
        f->sum *= LU_RECENT_EPISODES / f->count;
        f->count = LU_RECENT_EPISODES;
    }
    return f->count > 0.0 ? f->sum / f->count : NAN;
}

/* Notes the score at every rung that was passed; false when the trial falls behind there. */
static bool pass_rungs(const lu_sweep *s, lu_trial *trial, double share, double score) {
    while (trial->rungs < s->plan.rungs && share >= lu_sweep_rung_at(&s->plan, trial->rungs)) {
        int rung = trial->rungs++;
        trial->rung[rung] = score;
        int known = lu_sweep_known(&s->plan, trial->number);
        if (!lu_sweep_goes_on(&s->plan, s->trials, known, rung, score)) {
            return false;
        }
    }
    return true;
}

/* A trial while it trains. */
typedef struct course {
    const lu_sweep *sweep;
    lu_training *training;
    lu_trial *trial;
    lu_sweep_watch *watch;
    void *context;
    recent_metric metric;
    double score;
    bool behind, given_up;
} course;

/* After every update: true when the trial ends here. */
static bool look(void *context, const lu_progress *progress) {
    course *c = context;
    const lu_sweep_plan *plan = &c->sweep->plan;
    if (!progress) {
        return false;
    }
    double share = lu_training_share(c->training);
    c->score = metric_now(&c->metric, progress) * (plan->minimise ? -1.0 : 1.0);
    /* without an episode there is nothing to compare yet */
    c->behind = isfinite(c->score) && !lu_training_done(c->training) &&
                !pass_rungs(c->sweep, c->trial, share, c->score);
    c->given_up = c->watch(c->context, share, c->score);
    return c->behind || c->given_up;
}

/* A trial that is given up is lost: not even its update ends. */
static bool given_up(void *context) {
    course *c = context;
    return c->training && c->watch(c->context, lu_training_share(c->training), c->score);
}

/* What a whole trial of this kind would have cost. */
static double whole_cost(const lu_sweep *s, const lu_trainer *trainer, const lu_trial *trial) {
    double all = (double)lu_trainer_updates_total(trainer) * (double)lu_trainer_batch(trainer);
    double done = (double)(trial->steps > 0 ? trial->steps : 1);
    return s->plan.cost == LU_COST_SECONDS ? trial->seconds * all / done
           : s->plan.cost == LU_COST_STEPS ? all
                                           : 1.0;
}

static lu_status train(course *c, double began, lu_error *why) {
    lu_trial *trial = c->trial;
    lu_status status = lu_training_go(c->training, why);
    trial->steps = lu_trainer_steps(lu_training_trainer(c->training));
    trial->seconds = lu_clock_seconds() - began;
    trial->cost = whole_cost(c->sweep, lu_training_trainer(c->training), trial);
    if (status != LU_OK || c->given_up) {
        return status != LU_OK ? status : LU_INTERRUPTED;
    }
    trial->state = c->behind ? LU_TRIAL_PRUNED : LU_TRIAL_DONE;
    trial->score = c->score;
    return isfinite(c->score) ? LU_OK
                              : lu_fail(why, LU_FAILED, "no episode ended within %lld steps",
                                        (long long)trial->steps);
}

lu_status lu_sweep_train(const lu_sweep *s, const lu_settings *shared, int threads, size_t memory,
                         lu_trial *trial, lu_sweep_watch *watch, void *context, lu_error *why,
                         lu_error *error) {
    const lu_algorithm *a = lu_algorithm_find(s->plan.algorithm, error);
    if (!a) {
        return LU_BAD_VALUE;
    }
    double began = lu_clock_seconds();
    lu_training_need need;
    course c = {.sweep = s,
                .trial = trial,
                .watch = watch,
                .context = context,
                .metric = {.info = lu_game_info_index(s->plan.game, s->plan.metric)},
                .score = NAN};
    const lu_watch inside = {.context = &c, .stop = given_up};
    lu_training_plan plan = {.game = s->plan.game,
                             .algorithm = a,
                             .settings = lu_settings_copy(shared),
                             .hooks = {.context = &c, .stop = look, .watch = &inside}};
    lu_status status = apply(s, a, trial, threads, plan.settings, why);
    LU_THEN(status, lu_training_memory(plan.game, a, plan.settings, memory, &need, why));
    if (status == LU_OK) {
        c.training = lu_training_open(&plan, why);
        status = c.training ? train(&c, began, why) : why->status;
    }
    lu_training_close(c.training);
    lu_settings_delete(plan.settings);
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
