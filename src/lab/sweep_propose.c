/* The search of a sweep: see sweep.h. Pure functions of plan, space and trials.
 *
 * Trials are ranked: done ones by score, then those that were given up, the later the better, then
 * failed ones. The best 15 % are "good". For each setting the good and the other trials each have
 * a density, a mixture of a flat part and of one kernel per trial (on [0, 1], mirrored at the ends;
 * for options a smoothed count). Candidates are drawn from the good density, setting by setting,
 * and judged by the sum of log(good / other), less the log of the expected cost. Road not taken: a
 * Gaussian process models how settings act together, but costs a matrix and choices of its own; the
 * windows need no tuning and forgive failed trials. */
#include "sweep_internal.h"

#include "ludus/math.h"
#include "ludus/rng.h"

#include <stdlib.h>

enum { CANDIDATES = 16, PATIENCE = 4 /* scores at a rung before any trial is given up there */ };

static const double good_share = 0.15;
/* Of every density. The same on both sides: a place that nobody tried is neither good nor bad. With
 * less of it the search settles on the first hill it finds. */
static const double flat_share = 0.5;
static const double cost_width = 0.15; /* of the kernels that smooth costs */

/* ---- ranks ---- */

/* Above 0 when b is the better trial; the earlier of equal ones is better. */
static int worse(const lu_trial *a, const lu_trial *b) {
    if (a->state != b->state) {
        return (int)a->state - (int)b->state;
    }
    if (a->state == LU_TRIAL_PRUNED && a->rungs != b->rungs) {
        return b->rungs - a->rungs;
    }
    if (a->state != LU_TRIAL_FAILED && a->score != b->score) {
        return a->score < b->score ? 1 : -1;
    }
    return a->number - b->number;
}

static int compare(const void *a, const void *b) {
    return worse(*(const lu_trial *const *)a, *(const lu_trial *const *)b);
}

int lu_sweep_best(const lu_trial *trials, int count) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        if (trials[i].state == LU_TRIAL_DONE &&
            (best < 0 || worse(&trials[best], &trials[i]) > 0)) {
            best = i;
        }
    }
    return best;
}

/* ---- densities ---- */

/* Trials of one side, good or other. */
typedef struct side {
    const lu_trial **trial;
    int count;
    double width[LU_MAX_DIMENSIONS]; /* of the kernels; ranges only */
} side;

static void set_widths(side *s, const lu_space *space) {
    for (int d = 0; d < space->count; d++) {
        double sum = 0.0, square = 0.0, n = s->count;
        for (int i = 0; i < s->count; i++) {
            sum += s->trial[i]->place[d];
            square += s->trial[i]->place[d] * s->trial[i]->place[d];
        }
        double variance = n > 0 ? square / n - sum / n * (sum / n) : 0.0;
        /* Scott's rule, in bounds: never a point, never flat */
        double width = lu_sqrt(variance > 0.0 ? variance : 0.0) * lu_pow(n + 1.0, -0.2);
        s->width[d] = width < 0.06 ? 0.06 : width > 0.3 ? 0.3 : width;
    }
}

static double bell(double x, double width) {
    double z = x / width;
    return lu_exp(-0.5 * z * z) / (width * 2.5066282746310002);
}

static double density(const side *s, const dimension *d, int index, double x) {
    double sum = 0.0;
    for (int i = 0; i < s->count; i++) {
        double at = s->trial[i]->place[index], width = s->width[index];
        if (d->options) {
            sum += space_option(d, at) == space_option(d, x) ? (double)d->options : 0.0;
        } else {
            sum += bell(x - at, width) + bell(x + at, width) + bell(2.0 - x - at, width);
        }
    }
    return s->count ? flat_share + (1.0 - flat_share) * sum / s->count : 1.0;
}

static double normal(lu_rng *rng) {
    double u = 1.0 - lu_rng_unit(rng), angle = 6.283185307179586 * lu_rng_unit(rng);
    return lu_sqrt(-2.0 * lu_log(u)) * lu_cos(angle);
}

static double inside(double x) {
    x = x < 0.0 ? -x : x;
    x = x > 1.0 ? 2.0 - x : x;
    return x < 0.0 ? 0.0 : x >= 1.0 ? 0.9999999999 : x;
}

/* A place drawn from the density of a side. */
static double draw(const side *s, const dimension *d, int index, lu_rng *rng) {
    if (lu_rng_unit(rng) < flat_share) {
        return lu_rng_unit(rng);
    }
    double at = s->trial[lu_rng_below(rng, (uint32_t)s->count)]->place[index];
    if (d->options) {
        return (space_option(d, at) + lu_rng_unit(rng)) / d->options;
    }
    return inside(at + s->width[index] * normal(rng));
}

/* ---- cost ---- */

static bool has_cost(const lu_trial *t) {
    return t->cost > 0.0 && t->state != LU_TRIAL_FAILED;
}

/* How far the log of the cost lies above the mean at a place of one setting: trials near by count
 * more, and one that costs the mean is added. */
static double cost_effect(const dimension *d, int index, const lu_trial *trials, int count,
                          double mean, double x) {
    double sum = 0.0, weight = 1.0;
    for (int i = 0; i < count; i++) {
        if (has_cost(&trials[i])) {
            double at = trials[i].place[index], z = (x - at) / cost_width;
            double near = d->options ? (double)(space_option(d, at) == space_option(d, x))
                                     : lu_exp(-0.5 * z * z);
            sum += near * (lu_log(trials[i].cost) - mean);
            weight += near;
        }
    }
    return sum / weight;
}

/* Log of the expected cost. Settings act on it by factors, so that their effects add. */
static double log_cost(const lu_space *space, const lu_trial *trials, int count,
                       const double *place) {
    double sum = 0.0, known = 0.0;
    for (int i = 0; i < count; i++) {
        if (has_cost(&trials[i])) {
            sum += lu_log(trials[i].cost);
            known += 1.0;
        }
    }
    double mean = known > 0.0 ? sum / known : 0.0, total = mean;
    for (int d = 0; d < space->count; d++) {
        total += cost_effect(&space->dimension[d], d, trials, count, mean, place[d]);
    }
    return total;
}

/* ---- proposals ---- */

static void propose_by_windows(const lu_space *space, const lu_sweep_plan *plan,
                               const lu_trial *trials, int count, lu_rng *rng, double *place) {
    const lu_trial **ranked = lu_alloc((size_t)count * sizeof *ranked);
    for (int i = 0; i < count; i++) {
        ranked[i] = &trials[i];
    }
    qsort(ranked, (size_t)count, sizeof *ranked, compare);
    int good = (int)-lu_floor(-good_share * count);
    side best = {.trial = ranked, .count = good};
    side rest = {.trial = ranked + good, .count = count - good};
    set_widths(&best, space);
    set_widths(&rest, space);
    double top = 0.0;
    for (int c = 0; c < CANDIDATES; c++) {
        double tried[LU_MAX_DIMENSIONS], score = 0.0;
        for (int d = 0; d < space->count; d++) {
            const dimension *at = &space->dimension[d];
            tried[d] = draw(&best, at, d, rng);
            score += lu_log(density(&best, at, d, tried[d]) / density(&rest, at, d, tried[d]));
        }
        if (plan->cost != LU_COST_NONE) {
            score -= log_cost(space, trials, count, tried);
        }
        for (int d = 0; d < space->count && (c == 0 || score > top); d++) {
            place[d] = tried[d];
        }
        top = c == 0 || score > top ? score : top;
    }
    free(ranked);
}

int lu_sweep_known(const lu_sweep_plan *plan, int number) {
    return plan->together > 1 ? number - number % plan->together : number;
}

void lu_sweep_propose(const lu_space *space, const lu_sweep_plan *plan, const lu_trial *trials,
                      int number, lu_trial *next) {
    int count = lu_sweep_known(plan, number);
    lu_rng rng = lu_rng_from(lu_mix(plan->seed, 11, (uint64_t)number));
    *next = (lu_trial){.number = number};
    /* seeds are written as JSON numbers: 53 bits */
    next->seed = lu_mix(plan->seed, 12, (uint64_t)number) >> 11;
    if (plan->random || number < plan->start || count == 0) {
        for (int d = 0; d < space->count; d++) {
            next->place[d] = lu_rng_unit(&rng);
        }
        return;
    }
    propose_by_windows(space, plan, trials, count, &rng, next->place);
}

/* ---- rungs ---- */

double lu_sweep_rung_at(const lu_sweep_plan *plan, int rung) {
    double share = 1.0;
    for (int i = rung; i < plan->rungs; i++) {
        share *= 0.5;
    }
    return share;
}

bool lu_sweep_goes_on(const lu_sweep_plan *plan, const lu_trial *trials, int count, int rung,
                      double score) {
    int there = 0, better = 0;
    for (int i = 0; i < count; i++) {
        if (trials[i].rungs > rung) {
            there++;
            better += trials[i].rung[rung] > score;
        }
    }
    return there < PATIENCE || better < (int)-lu_floor(-plan->keep * (there + 1));
}
