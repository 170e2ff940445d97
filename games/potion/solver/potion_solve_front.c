/* Fronts. Cost and profit: one answer after the other, each within a budget below the last one's
 * cost. Size, cost and profit: per size and number of potions only the cheapest mix can be a point,
 * and it must be cheaper than every mix of as many potions or more that is at least as large;
 * that leaves little to search for each. See potion_solve.h. */
#include "solver/potion_solve_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void on_point(void *user, const potion_brew *brew);

/* ---- cost and profit ---- */

static lu_status walk_front(solve_job *job, potion_task *task, solve_duals *duals, int32_t count,
                            on_point *point, void *user, lu_error *error) {
    potion_brew last = {.found = false};
    int32_t first = 0;
    for (;;) {
        potion_brew brew = {.optimal = true};
        *job->work = SOLVE_WORK;
        for (int32_t i = 0; i < count; i++) {
            solve_duals_bound(job, &duals[i]);
        }
        LU_TRY(solve_descend(job, duals, count, &brew, error));
        /* the same profit for less gold: the last one was no point */
        if (last.found && !(brew.found && brew.profit == last.profit)) {
            last.optimal = brew.found || brew.optimal; /* else less gold may do */
            point(user, &last);
        }
        if (!brew.found || !brew.optimal || brew.paid <= 1) {
            if (brew.found) {
                point(user, &brew);
            }
            return LU_OK;
        }
        last = brew;
        task->budget = brew.paid - 1;
        first = first > 0 ? first : brew.paid;
        solve_progress(job, 1.0 - (double)brew.paid / (double)first, "front");
    }
}

/* The ranges of an exact job that have a mix, or all of a loose one. */
static lu_status list_ranges(const solve_job *job, solve_duals **duals, int32_t *count,
                             lu_error *error) {
    if (job->loose) {
        *duals = solve_ranges(job, count);
        return LU_OK;
    }
    uint8_t *need = lu_alloc((size_t)job->sizes + 1);
    *duals = lu_alloc(((size_t)job->sizes + 1) * sizeof **duals);
    lu_status status = solve_reach(job, need, error);
    LU_THEN(status, solve_list_sizes(job, need, job->sizes, true, *duals, count, error));
    free(need);
    return status;
}

lu_status potion_solve_front(const potion_task *task, on_point *point, void *user,
                             lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    potion_task own = *task;
    int32_t count = 0;
    int64_t work = SOLVE_WORK; /* each point is a question */
    lu_status status = LU_OK;
    if (solve_job_init(job, &own)) {
        job->work = &work;
        solve_duals *duals = NULL;
        status = list_ranges(job, &duals, &count, error);
        if (status == LU_OK && count > 0) {
            status = walk_front(job, &own, duals, count, point, user, error);
        }
        free(duals);
    }
    free(job);
    return status;
}

/* ---- size, cost and profit ---- */

enum { PAIRS = POTION_ITEMS_MAX / 2 };

typedef struct sizes_front {
    const solve_job *job;
    int32_t least[PAIRS + 1]; /* least cost of mixes of so many potions or more that are at least as
                                 large as what comes next */
    potion_brew *points;
    size_t count, room;
    bool complete;
} sizes_front;

static void add_point(sizes_front *f, const potion_brew *brew) {
    if (f->count == f->room) {
        f->room = f->room > 0 ? 2 * f->room : 64;
        f->points = lu_realloc(f->points, f->room * sizeof *f->points);
    }
    f->points[f->count++] = *brew;
}

/* The cheapest mix of a size and of exactly the job's slots, if it costs less than `limit`: a level
 * of gold goes up from the bound. Potions are worth more than any ingredient, so that the programme
 * fills all slots, too. */
static lu_status cheapest(sizes_front *f, const solve_job *job, int32_t k, int32_t limit,
                          potion_brew *brew, lu_error *error) {
    enum { WORTH = 1000 };
    solve_duals duals = {.from = k * job->sum, .to = k * job->sum, .worth = WORTH * SOLVE_SCALE};
    int32_t sold = potion_brewed(job->slots) * WORTH, lowest = sold - limit + 1;
    solve_duals_fit(job, &duals);
    if (duals.bound < lowest) {
        return LU_OK;
    }
    for (int32_t below = 4;; below *= 3) {
        solve_found found;
        int32_t level = duals.bound - below > lowest ? duals.bound - below : lowest;
        lu_status status = solve_cost(job, &duals, level, job->slots, &found, error);
        f->complete = f->complete && found.complete;
        if (status != LU_OK) {
            return status;
        }
        if (found.found) {
            brew->found = true;
            memcpy(brew->pieces, found.pieces, sizeof brew->pieces);
            bool adds_up = potion_brew_add_up(f->job->task, brew);
            return adds_up ? LU_OK
                           : lu_fail(error, LU_FAILED,
                                     "the mix found does not add up: this is a bug in the solver");
        }
        if (level == lowest || !found.complete) {
            return LU_OK;
        }
    }
}

/* The cheapest mix of a size and number of potions, from even and odd numbers of items. */
static lu_status cheapest_of_pairs(sizes_front *f, solve_job *part, int32_t k, int32_t pairs,
                                   potion_brew *brew, lu_error *error) {
    int32_t limit = f->least[pairs];
    lu_status status = LU_OK;
    for (int32_t n = 2 * pairs; n <= 2 * pairs + 1 && n <= f->job->slots && status == LU_OK; n++) {
        potion_brew found = {.optimal = true};
        part->slots = n;
        status = cheapest(f, part, k, limit, &found, error);
        if (status == LU_OK && found.found) {
            found.bound = found.profit;
            *brew = found;
            limit = found.paid;
        }
    }
    return status;
}

/* The points of one size, fewer and fewer potions down to what `need` items make. */
static lu_status add_size(sizes_front *f, solve_job *part, int32_t k, int32_t need,
                          lu_error *error) {
    int32_t least = need > 2 ? potion_brewed(need) : 1;
    lu_status status = LU_OK;
    for (int32_t pairs = potion_brewed(f->job->slots); pairs >= least && status == LU_OK; pairs--) {
        potion_brew brew = {.found = false};
        status = cheapest_of_pairs(f, part, k, pairs, &brew, error);
        if (status == LU_OK && brew.found) {
            add_point(f, &brew);
            for (int32_t fewer = pairs; fewer >= 1; fewer--) {
                f->least[fewer] = brew.paid;
            }
        }
        if (status == LU_OK && solve_stopped(f->job)) {
            status = solve_interrupted(error);
        }
    }
    return status;
}

/* Whether a later point, smaller or of fewer potions, or an earlier one makes this one needless. */
static bool is_dominated(const sizes_front *f, size_t at) {
    const potion_brew *brew = &f->points[at];
    for (size_t i = 0; i < f->count; i++) {
        const potion_brew *other = &f->points[i];
        bool as_good = other->mix.total >= brew->mix.total && other->paid <= brew->paid &&
                       other->profit >= brew->profit;
        bool same = other->mix.total == brew->mix.total && other->paid == brew->paid &&
                    other->profit == brew->profit;
        if (i != at && as_good && (!same || i < at)) {
            return true;
        }
    }
    return false;
}

/* Every size that can be reached at all, which is only known where the memory suffices. */
static lu_status add_sizes(sizes_front *f, solve_job *part, lu_error *error) {
    const solve_job *job = f->job;
    uint8_t *need = lu_alloc_zero((size_t)job->sizes + 1, 1);
    lu_status status = solve_reach(job, need, error);
    if (status == LU_LIMIT) {
        memset(need, 0, (size_t)job->sizes + 1);
        status = LU_OK;
    }
    for (int32_t k = job->sizes; k >= 1 && status == LU_OK; k--) {
        solve_progress(job, 1.0 - (double)k / (double)job->sizes, "front");
        if (need[k] != SOLVE_NEVER && solve_good_enough(job, k)) {
            status = add_size(f, part, k, need[k], error);
        }
    }
    free(need);
    return status;
}

lu_status potion_solve_front_sizes(const potion_task *task, on_point *point, void *user,
                                   bool *complete, lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job), *part = lu_alloc(sizeof *part);
    sizes_front f = {.job = job, .complete = true};
    int64_t work = SOLVE_WORK;
    lu_status status = LU_OK;
    if (solve_job_init(job, task)) {
        job->work = &work;
        *part = *job;
        for (int32_t pairs = 0; pairs <= PAIRS; pairs++) {
            f.least[pairs] = task->budget > 0 ? task->budget + 1 : SOLVE_NONE / SOLVE_SCALE;
        }
        status = add_sizes(&f, part, error);
        for (size_t i = 0; i < f.count && status == LU_OK; i++) {
            if (!is_dominated(&f, i)) {
                point(user, &f.points[i]);
            }
        }
    }
    *complete = f.complete;
    free(f.points);
    free(part);
    free(job);
    return status;
}
