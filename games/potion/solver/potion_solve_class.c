/* Potions of a lowest class of stability. A mix of class c or better whose total reaches a grade
 * sells at least for the price of both, so the best potion is the best one over all ranges of class
 * and grade; each range is a linear programme with integer pieces and goes to the search, unless
 * its bound is below what is known already: the potion of exactly the ratio, mostly. The largest
 * total is looked for from the top down, in blocks that share their tables. */
#include "solver/potion_solve_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 };
#define SEARCH_NODES INT64_C(20000000) /* for totals that have no mix: about two seconds */

int32_t solve_smallest(const solve_job *job, int code) {
    int32_t total = 1;
    while (total <= job->task->max_magimins && solve_grade(code, total) < job->task->least_grade) {
        total++;
    }
    return total;
}

/* ---- the largest profit ---- */

/* The last total of the same grade. */
static int32_t end_of_grade(const solve_job *job, int code, int32_t from) {
    int32_t to = from;
    while (to < job->task->max_magimins &&
           (job->unsold || solve_grade(code, to + 1) == solve_grade(code, from))) {
        to++;
    }
    return to;
}

int32_t solve_list_classes(const solve_job *job, double least, solve_duals *duals) {
    int32_t count = 0, pairs = potion_brewed(job->slots);
    for (int code = POTION_PERFECT; code >= job->task->stability; code--) {
        for (int32_t from = solve_smallest(job, code), to; from <= job->task->max_magimins;
             from = to + 1) {
            int32_t price = potion_prices[job->task->recipe][solve_grade(code, from)];
            double most = pairs * potion_unit_value(price, job->traits ? 5.0 : 0.0, 0.0);
            to = end_of_grade(job, code, from);
            if (job->unsold || most >= least) {
                solve_duals_class(job, code, from, to, &duals[count]);
                count += duals[count].bound >= floor(least);
            }
        }
    }
    return count;
}

/* The potion of exactly the ratio, which is within every class. */
static lu_status start_exact(const solve_job *job, potion_brew *brew, lu_error *error) {
    potion_task exact = *job->task;
    exact.stability = 0;
    lu_status status = job->unsold   ? potion_solve_purchase(&exact, brew, error)
                       : job->traits ? potion_solve_traits(&exact, brew, error)
                                     : potion_solve_profit(&exact, brew, error);
    return status;
}

static lu_status most_profit(solve_job *job, potion_brew *brew, lu_error *error) {
    solve_duals *duals = lu_alloc(SOLVE_RANGES * sizeof *duals);
    double least = brew->found ? solve_score(job, brew) : -1e9;
    int32_t count = solve_list_classes(job, least, duals);
    lu_status status = solve_descend(job, duals, count, brew, error);
    free(duals);
    return status;
}

/* ---- the largest total ---- */

/* The lowest class that has the asked-for grade at a total; 0 = none has. */
static int lowest_code(const solve_job *job, int32_t total) {
    int code = job->task->stability;
    while (code <= POTION_PERFECT && solve_grade(code, total) < job->task->least_grade) {
        code++;
    }
    return code <= POTION_PERFECT ? code : 0;
}

solve_duals solve_block(const solve_job *job, int32_t to) {
    solve_duals duals = {.to = to, .from = to, .code = lowest_code(job, to)};
    while (duals.from > 1 && to - duals.from < BLOCK - 1 &&
           lowest_code(job, duals.from - 1) == duals.code) {
        duals.from--;
    }
    if (duals.code > 0) {
        duals.limit = potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - duals.code].limit;
    }
    return duals;
}

/* The job by which mixes of any price are looked for: every piece at the price of one, unless gold
 * is short. */
static solve_job *counted_job(const solve_job *job) {
    solve_job *counted = lu_alloc(sizeof *counted);
    *counted = *job;
    for (int32_t i = 0; i < job->count && job->task->budget == 0; i++) {
        counted->item[i].price = 1;
        counted->item[i].owned = 0;
    }
    return counted;
}

/* What looking for any mix of a block of totals tells. */
typedef struct any_mix {
    bool found;
    int32_t open;  /* largest total that was given up, 0 = none */
    int64_t nodes; /* left */
} any_mix;

/* The largest total of a block that has a mix; it becomes the potion if it brings more. */
static lu_status look_for_any(const solve_job *job, const solve_job *counted, solve_duals *block,
                              any_mix *any, potion_brew *brew, lu_error *error) {
    solve_found found = {.found = false};
    int32_t budget = job->task->budget;
    any->found = false;
    any->open = 0;
    solve_duals_fit(counted, block);
    if (-block->bound > (budget > 0 ? budget : job->slots)) {
        return LU_OK;
    }
    lu_status status = solve_any(counted, block, &any->nodes, &any->open, &found, error);
    any->found = found.found;
    if (status == LU_OK && found.found) {
        potion_brew made = {.optimal = true};
        found.profit = -1e9;
        status = solve_take(job, &found, &made, error);
        if (!brew->found || solve_score(job, &made) > solve_score(job, brew)) {
            *brew = made;
        }
    }
    return status;
}

/* Some potion of the largest total. */
static lu_status largest_any(const solve_job *job, potion_brew *brew, lu_error *error) {
    solve_job *counted = counted_job(job);
    any_mix any = {.nodes = SEARCH_NODES};
    int32_t bound = 0;
    lu_status status = LU_OK;
    for (int32_t to = job->task->max_magimins; to >= 1 && !brew->found && status == LU_OK;) {
        solve_duals block = solve_block(job, to);
        any.open = 0;
        solve_progress(job, 1.0 - (double)to / job->task->max_magimins, "the largest total");
        if (block.code > 0) {
            status = look_for_any(job, counted, &block, &any, brew, error);
        }
        bound = any.open > bound ? any.open : bound;
        to = block.from - 1;
    }
    free(counted);
    brew->total_bound = bound;
    brew->optimal = bound == 0;
    return status;
}

/* Among the potions of the total that was found the most profitable one. Classes that have no mix
 * of this total are ruled out first: prices alone would take long to show it. */
static lu_status best_of_total(const solve_job *job, potion_brew *brew, lu_error *error) {
    solve_job *counted = counted_job(job);
    solve_duals duals[POTION_CODES];
    int32_t count = 0, total = brew->mix.total, bound = brew->total_bound;
    any_mix any = {.nodes = SEARCH_NODES};
    bool has_mix = false; /* a class below one that has a mix has it, too */
    lu_status status = LU_OK;
    for (int code = POTION_PERFECT; code >= job->task->stability && status == LU_OK; code--) {
        solve_duals block = {.from = total, .to = total, .code = code};
        block.limit = potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - code].limit;
        if (solve_grade(code, total) < job->task->least_grade) {
            continue;
        }
        has_mix = has_mix || code <= brew->code;
        if (!has_mix) {
            status = look_for_any(job, counted, &block, &any, brew, error);
        }
        has_mix = has_mix || any.found;
        if (has_mix || any.open > 0) {
            solve_duals_class(job, code, total, total, &duals[count++]);
        }
    }
    free(counted);
    LU_THEN(status, solve_descend(job, duals, count, brew, error));
    brew->total_bound = bound > total ? bound : total;
    brew->optimal = brew->optimal && bound <= total;
    return status;
}

static lu_status largest_total(solve_job *job, potion_brew *brew, lu_error *error) {
    lu_status status = largest_any(job, brew, error);
    return status == LU_OK && brew->found ? best_of_total(job, brew, error) : status;
}

/* ---- both ---- */

static lu_status with_tables(solve_job *job, bool all, potion_brew *brew, lu_error *error) {
    if (!all) {
        return largest_total(job, brew, error);
    }
    lu_status status = start_exact(job, brew, error);
    if (status == LU_OK && !brew->found) {
        status = largest_any(job, brew, error);
        if (status != LU_OK || (!brew->found && brew->optimal)) {
            return status;
        }
    }
    if (status == LU_OK) {
        status = most_profit(job, brew, error);
        brew->total_bound = 0;
    }
    return status;
}

lu_status solve_class(solve_job *job, bool all, potion_brew *brew, lu_error *error) {
    lu_status status = with_tables(job, all, brew, error);
    if (status == LU_LIMIT || (status == LU_OK && !brew->found && !brew->optimal)) {
        status = solve_without_tables(job, all, brew, error);
    }
    return status;
}
