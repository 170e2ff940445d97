/* The solver's questions: what is asked becomes a job of two or three axes,
 * sizes are tried by what they may bring at best, and every answer is added up
 * again by the rules. See potion_solve.h. */
#include "potion.h"
#include "potion_solve_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool solve_stopped(const solve_job *job) {
    return job->task->cancelled && job->task->cancelled(job->task->user);
}

lu_status solve_interrupted(lu_error *error) {
    return lu_fail(error, LU_INTERRUPTED, "the solver was stopped before it was done");
}

potion_task potion_task_of(int recipe, int cauldron) {
    potion_task task = {.recipe = recipe,
                        .max_items = potion_limits[cauldron][0],
                        .max_magimins = potion_limits[cauldron][1],
                        .memory = (size_t)1 << 30};
    return task;
}

/* ---- from task to job ---- */

static bool is_clean(int recipe, int action) {
    for (int m = 0; m < POTION_MAGIMINS; m++) {
        if (potion_parts[recipe][m] == 0 && potion_adds[action][m] > 0) {
            return false;
        }
    }
    return true;
}

/* Wanted magimins, the one with the fewest mixed ingredients last; returns
 * their number. */
static int order_axes(const potion_task *task, int *axis) {
    int count = 0, mixed[POTION_MAGIMINS] = {0};
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        for (int m = 0; m < POTION_MAGIMINS && task->stock[i] > 0 && is_clean(task->recipe, i);
             m++) {
            mixed[m] += potion_adds[i][m] > 0 && potion_adds[i][m] < potion_takes[i];
        }
    }
    for (int m = 0; m < POTION_MAGIMINS; m++) {
        if (potion_parts[task->recipe][m] > 0) {
            int at = count++;
            for (; at > 0 && mixed[axis[at - 1]] < mixed[m]; at--) {
                axis[at] = axis[at - 1];
            }
            axis[at] = m;
        }
    }
    return count;
}

/* Copies that stock, slots and box allow. */
static void limit_copies(solve_job *job) {
    for (int32_t i = 0; i < job->count; i++) {
        solve_item *item = &job->item[i];
        int32_t fit = job->slots, stock = job->task->stock[item->action];
        for (int a = 0; a < SOLVE_AXES; a++) {
            if (item->amount[a] > 0) {
                int32_t most = job->sizes * job->part[a] / item->amount[a];
                fit = most < fit ? most : fit;
            }
        }
        item->must = job->task->must[item->action];
        item->free = stock >= fit && item->must == 0;
        item->copies = stock < fit ? stock : fit;
    }
}

static int descending(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* No size needs more of a magimin than all slots with the richest pieces hold.
 */
static void limit_sizes(solve_job *job) {
    int32_t amount[POTION_INGREDIENTS * POTION_ITEMS_MAX];
    for (int a = 0; a < SOLVE_AXES; a++) {
        int32_t count = 0, sum = 0;
        for (int32_t i = 0; i < job->count && job->part[a] > 0; i++) {
            for (int32_t c = 0; c < job->item[i].copies; c++) {
                amount[count++] = job->item[i].amount[a];
            }
        }
        qsort(amount, (size_t)count, sizeof *amount, descending);
        for (int32_t c = 0; c < count && c < job->slots; c++) {
            sum += amount[c];
        }
        if (job->part[a] > 0 && sum / job->part[a] < job->sizes) {
            job->sizes = sum / job->part[a];
        }
    }
}

/* False when what must be taken cannot be in an exact mix. */
static bool job_init(solve_job *job, const potion_task *task) {
    int axis[POTION_MAGIMINS], axes = order_axes(task, axis), first = SOLVE_AXES - axes;
    memset(job, 0, sizeof *job);
    job->task = task;
    job->sum = potion_parts[task->recipe][POTION_PARTS_SUM];
    job->slots = task->max_items;
    job->sizes = task->max_magimins / job->sum;
    for (int a = 0; a < axes; a++) {
        job->part[first + a] = potion_parts[task->recipe][axis[a]];
    }
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (task->stock[i] == 0 || !is_clean(task->recipe, i)) {
            continue;
        }
        solve_item *item = &job->item[job->count++];
        item->action = (uint8_t)i;
        item->total = potion_adds[i][POTION_ADDS_TOTAL];
        item->price = potion_adds[i][POTION_ADDS_PRICE];
        for (int a = 0; a < axes; a++) {
            item->amount[first + a] = potion_adds[i][axis[a]];
        }
    }
    limit_copies(job);
    limit_sizes(job);
    limit_copies(job);
    int32_t musts = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        musts += task->must[i];
    }
    for (int32_t i = 0; i < job->count; i++) {
        job->base_items += job->item[i].must;
        for (int a = 0; a < SOLVE_AXES; a++) {
            job->base[a] += job->item[i].must * job->item[i].amount[a];
        }
        if (job->item[i].must > job->item[i].copies) {
            return false;
        }
    }
    return job->base_items == musts;
}

/* ---- answers ---- */

bool potion_brew_add_up(const potion_task *task, potion_brew *brew) {
    int32_t all, wanted, items = 0;
    uint8_t added[POTION_ITEMS_MAX];
    bool within = true;
    memset(&brew->mix, 0, sizeof brew->mix);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        within = within && brew->pieces[i] <= task->stock[i] && brew->pieces[i] >= task->must[i];
        for (int c = 0; c < brew->pieces[i] && brew->mix.items < POTION_ITEMS_MAX; c++) {
            added[brew->mix.items] = (uint8_t)i;
            potion_mix_add(&brew->mix, i, 1);
        }
        items += brew->pieces[i];
    }
    potion_distances(brew->mix.amount, brew->mix.total, task->recipe, &all, &wanted);
    brew->brewed = potion_brewed(brew->mix.items);
    brew->grade = potion_grade_after(potion_raw_grade(brew->mix.total),
                                     potion_stability[POTION_RULES_GAME * 4].shift);
    brew->price = potion_prices[task->recipe][brew->grade];
    brew->profit = brew->brewed * brew->price - brew->mix.cost;
    brew->trait_sum = 0.0;
    for (int k = 0; k < POTION_SENSES; k++) {
        brew->trait_sum += potion_trait_mean(added, brew->mix.items, k, 0);
    }
    brew->expected =
        brew->brewed * potion_unit_value(brew->price, brew->trait_sum, 0.0) - brew->mix.cost;
    return within && all == 0 && items >= 2 && items <= task->max_items &&
           brew->mix.total <= task->max_magimins && brew->grade >= task->least_grade &&
           (task->budget == 0 || brew->mix.cost <= task->budget);
}

static double score_of(const solve_job *job, const potion_brew *brew) {
    return job->traits ? brew->expected : (double)brew->profit;
}

/* The answer of a search, checked. */
static lu_status take(const solve_job *job, const solve_found *found, potion_brew *brew,
                      lu_error *error) {
    brew->found = true;
    memcpy(brew->pieces, found->pieces, sizeof brew->pieces);
    if (!potion_brew_add_up(job->task, brew) || fabs(score_of(job, brew) - found->profit) > 1e-6) {
        return lu_fail(error, LU_FAILED,
                       "the mix that was found does not add up: this is a fault of "
                       "the solver");
    }
    return LU_OK;
}

/* The largest profit over some sizes. A level of profit goes down from the best
 * bound until a mix reaches it; all sizes that may reach a level are searched,
 * so the first mixes found hold the best one. */
static lu_status descend(const solve_job *job, const solve_duals *duals, int32_t count,
                         potion_brew *brew, lu_error *error) {
    int32_t bound = INT32_MIN, lowest = -POTION_ITEMS_MAX * 1000;
    for (int32_t i = 0; i < count; i++) {
        bound = duals[i].bound > bound ? duals[i].bound : bound;
    }
    bool complete = true, last = false;
    int32_t open = bound; /* no profit above it is possible */
    for (int32_t below = 3; !last && !brew->found && complete; below += below / 2 + 1) {
        int32_t level = bound - below;
        last = true;
        for (int32_t i = 0; i < count; i++) {
            solve_found found;
            int32_t least = brew->found ? (int32_t)floor(score_of(job, brew)) : level;
            lu_status status = solve_cost(job, &duals[i], least, &found, error);
            if (status == LU_OK && found.found &&
                (!brew->found || found.profit > score_of(job, brew))) {
                status = take(job, &found, brew, error);
            }
            if (status != LU_OK) {
                return status;
            }
            complete = complete && found.complete;
            last = last && found.last;
        }
        if (complete) {
            open = level;
        }
        last = last || level < lowest;
    }
    if (!complete && !brew->found) {
        brew->optimal = false;
        brew->bound = open;
        return lu_fail(error, LU_LIMIT,
                       "the limit of %zu MB does not suffice for the search; raise it",
                       job->task->memory >> 20);
    }
    brew->optimal = complete;
    brew->bound = complete ? (int32_t)ceil(score_of(job, brew)) : open;
    return LU_OK;
}

bool solve_good_enough(const solve_job *job, int32_t k) {
    int raw = potion_raw_grade(k * job->sum);
    return potion_grade_after(raw, potion_stability[POTION_RULES_GAME * 4].shift) >=
           job->task->least_grade;
}

/* Sizes from `from` down that can be brewed, each with its bounds; all of them,
 * or the first. */
static lu_status list_sizes(const solve_job *job, uint8_t *need, int32_t from, bool all,
                            solve_duals *duals, int32_t *count, lu_error *error) {
    lu_status status = LU_OK;
    *count = 0;
    for (int32_t k = from; k >= 1 && status == LU_OK && (all || *count == 0); k--) {
        status = solve_needs(job, k, need, error);
        if (status == LU_OK && need[k] != SOLVE_NEVER && solve_good_enough(job, k)) {
            solve_duals_find(job, k, &duals[(*count)++]);
        }
    }
    return status;
}

/* Every size at once, or one after the other until one has an answer. */
static lu_status solve_sizes(const solve_job *job, uint8_t *need, bool all, potion_brew *brew,
                             lu_error *error) {
    solve_duals *duals = lu_alloc(((size_t)job->sizes + 1) * sizeof *duals);
    lu_status status = LU_OK;
    int32_t count = 1;
    for (int32_t from = job->sizes; count > 0 && !brew->found && status == LU_OK;) {
        status = list_sizes(job, need, from, all, duals, &count, error);
        if (status == LU_OK && count > 0) {
            from = duals[count - 1].k - 1;
            status = descend(job, duals, count, brew, error);
        }
    }
    free(duals);
    return status;
}

static lu_status solve(const potion_task *task, bool all, bool traits, potion_brew *brew,
                       lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    lu_status status = LU_OK;
    memset(brew, 0, sizeof *brew);
    brew->optimal = true;
    if (job_init(job, task)) {
        uint8_t *need = lu_alloc((size_t)job->sizes + 1);
        job->traits = traits;
        status = solve_reach(job, need, error);
        status = status == LU_OK ? solve_sizes(job, need, all, brew, error) : status;
        free(need);
    }
    free(job);
    return status;
}

lu_status potion_solve_total(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, false, false, brew, error);
}

lu_status potion_solve_profit(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, true, false, brew, error);
}

/* When the memory ends before a mix is found, the best one without traits is at least a potion. */
lu_status potion_solve_traits(const potion_task *task, potion_brew *brew, lu_error *error) {
    lu_status status = solve(task, true, true, brew, error);
    if (status == LU_LIMIT && !brew->optimal) {
        int32_t bound = brew->bound;
        status = potion_solve_profit(task, brew, error);
        brew->optimal = false;
        brew->bound = bound;
    }
    return status;
}

/* One answer after the other, each within a budget below the last one's cost. */
static lu_status walk_front(solve_job *job, potion_task *task, solve_duals *duals, int32_t count,
                            void (*point)(void *, const potion_brew *), void *user,
                            lu_error *error) {
    potion_brew last = {.found = false};
    int32_t first = 0;
    for (;;) {
        potion_brew brew = {.optimal = true};
        for (int32_t i = 0; i < count; i++) {
            solve_duals_bound(job, &duals[i]);
        }
        lu_status status = descend(job, duals, count, &brew, error);
        if (status != LU_OK) {
            return status;
        }
        /* the same profit for less gold: the last one was no point */
        if (last.found && !(brew.found && brew.profit == last.profit)) {
            point(user, &last);
        }
        if (!brew.found || !brew.optimal || brew.mix.cost <= 1) {
            if (brew.found) {
                point(user, &brew);
            }
            return LU_OK;
        }
        last = brew;
        task->budget = brew.mix.cost - 1;
        first = first > 0 ? first : brew.mix.cost;
        if (task->progress) {
            task->progress(task->user, 1.0 - (double)brew.mix.cost / (double)first, "front");
        }
    }
}

lu_status potion_solve_front(const potion_task *task, void (*point)(void *, const potion_brew *),
                             void *user, lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    potion_task own = *task;
    int32_t count = 0;
    lu_status status = LU_OK;
    if (job_init(job, &own)) {
        uint8_t *need = lu_alloc((size_t)job->sizes + 1);
        solve_duals *duals = lu_alloc(((size_t)job->sizes + 1) * sizeof *duals);
        status = solve_reach(job, need, error);
        if (status == LU_OK) {
            status = list_sizes(job, need, job->sizes, true, duals, &count, error);
        }
        if (status == LU_OK && count > 0) {
            status = walk_front(job, &own, duals, count, point, user, error);
        }
        free(duals);
        free(need);
    }
    free(job);
    return status;
}

static lu_status prove(const potion_task *task, const potion_brew *brew, bool all, int64_t limit,
                       potion_proof *proof, lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    lu_status status = LU_OK;
    *proof = (potion_proof){.proven = true};
    if (job_init(job, task)) {
        status = solve_prove(job, brew, all, limit, proof, error);
    }
    free(job);
    return status;
}

lu_status potion_prove_total(const potion_task *task, const potion_brew *brew, int64_t limit,
                             potion_proof *proof, lu_error *error) {
    return prove(task, brew, false, limit, proof, error);
}

lu_status potion_prove_profit(const potion_task *task, const potion_brew *brew, int64_t limit,
                              potion_proof *proof, lu_error *error) {
    return prove(task, brew, true, limit, proof, error);
}

lu_status potion_solve_top(const potion_task *task, int32_t wanted, int64_t limit,
                           potion_brew *brews, int32_t *count, lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    *count = 0;
    lu_status status = potion_solve_profit(task, &brews[0], error);
    if (status == LU_OK && brews[0].found && job_init(job, task)) {
        status = solve_top(job, wanted, limit, brews, count, error);
    }
    free(job);
    return status;
}
