/* The solver's questions: what is asked becomes a job, its totals are tried by what they may bring
 * at best, and every answer is added up again by the rules. Where tables do not fit into the
 * memory, branch and bound answers without them, up to a limit of nodes. See potion_solve.h. */
#include "potion.h"
#include "solver/potion_solve_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

bool potion_brew_add_up(const potion_task *task, potion_brew *brew) {
    int32_t all, wanted, items = 0;
    uint8_t added[POTION_ITEMS_MAX];
    bool within = true;
    memset(&brew->mix, 0, sizeof brew->mix);
    brew->paid = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        within = within && brew->pieces[i] <= task->stock[i] && brew->pieces[i] >= task->must[i];
        for (int c = 0; c < brew->pieces[i] && brew->mix.items < POTION_ITEMS_MAX; c++) {
            added[brew->mix.items] = (uint8_t)i;
            potion_mix_add(&brew->mix, i, 1);
            brew->paid += c >= task->owned[i] ? potion_adds[i][POTION_ADDS_PRICE] : 0;
        }
        items += brew->pieces[i];
    }
    potion_distances(brew->mix.amount, brew->mix.total, task->recipe, &all, &wanted);
    brew->code = potion_code_of(POTION_RULES_GAME, brew->mix.amount, brew->mix.total,
                                brew->mix.items, task->recipe);
    brew->brewed = brew->code > 0 ? potion_brewed(brew->mix.items) : 0;
    brew->grade = brew->code > 0 ? solve_grade(brew->code, brew->mix.total) : 0;
    brew->price = potion_prices[task->recipe][brew->grade];
    brew->profit = brew->brewed * brew->price - brew->paid;
    brew->trait_sum = 0.0;
    for (int k = 0; k < POTION_SENSES; k++) {
        brew->trait_sum += potion_trait_mean(added, brew->mix.items, k, 0);
    }
    brew->expected =
        brew->brewed * potion_unit_value(brew->price, brew->trait_sum, 0.0) - brew->paid;
    bool stable = task->stability > 0 ? brew->code >= task->stability : all == 0;
    return within && stable && items >= 2 && items <= task->max_items &&
           brew->mix.total <= task->max_magimins && brew->grade >= task->least_grade &&
           (task->budget == 0 || brew->paid <= task->budget);
}

double solve_score(const solve_job *job, const potion_brew *brew) {
    double profit = job->traits ? brew->expected : (double)brew->profit;
    return job->unsold ? (double)-brew->paid : profit;
}

/* A mix may be of a better class than the one it was searched for, and then brings more. */
lu_status solve_take(const solve_job *job, const solve_found *found, potion_brew *brew,
                     lu_error *error) {
    brew->found = true;
    memcpy(brew->pieces, found->pieces, sizeof brew->pieces);
    bool adds_up = potion_brew_add_up(job->task, brew);
    double more = solve_score(job, brew) - found->profit;
    if (!adds_up || more < -1e-6 || (!job->loose && more > 1e-6)) {
        return lu_fail(error, LU_FAILED,
                       "the mix found does not add up: this is a bug in the solver");
    }
    return LU_OK;
}

/* The least profit that a better potion can have: whole gold, or with traits some more. */
static double more_than(const solve_job *job, const potion_brew *brew) {
    return floor(solve_score(job, brew)) + (job->traits ? 0.0 : 1.0);
}

static bool is_tired(const solve_job *job) {
    return job->work && *job->work < 0;
}

/* Everything of at least `level`; what is found raises it. */
static lu_status search_level(const solve_job *job, const solve_duals *duals, int32_t count,
                              double level, potion_brew *brew, bool *complete, bool *last,
                              lu_error *error) {
    *last = true;
    for (int32_t i = 0; i < count && !is_tired(job); i++) {
        solve_found found;
        solve_progress(job, (double)i / (double)count, "the largest profit");
        double least = level;
        if (brew->found && more_than(job, brew) > least) {
            least = more_than(job, brew);
        }
        lu_status status = solve_cost(job, &duals[i], least, 0, &found, error);
        if (status == LU_OK && found.found &&
            (!brew->found || found.profit > solve_score(job, brew))) {
            status = solve_take(job, &found, brew, error);
        }
        if (status != LU_OK) {
            return status;
        }
        *complete = *complete && found.complete;
        *last = *last && found.last;
    }
    *complete = *complete && !is_tired(job);
    return LU_OK;
}

lu_status solve_descend(const solve_job *job, const solve_duals *duals, int32_t count,
                        potion_brew *brew, lu_error *error) {
    int32_t bound = -SOLVE_NONE, lowest = -POTION_ITEMS_MAX * 1000;
    for (int32_t i = 0; i < count; i++) {
        bound = duals[i].bound > bound ? duals[i].bound : bound;
    }
    bool complete = true, last = count == 0, reached = false;
    int32_t open = bound; /* no profit above it is possible */
    /* levels rule mixes out by what they cost: where nothing costs anything one will do */
    bool once = job->gratis && !job->traits;
    for (int32_t below = once ? bound - lowest + 1 : 3; !last && !reached && complete;
         below += below / 2 + 1) {
        int32_t level = bound - below;
        LU_TRY(search_level(job, duals, count, level, brew, &complete, &last, error));
        open = complete ? level : open;
        last = last || level < lowest;
        reached = brew->found && solve_score(job, brew) >= level;
    }
    complete = complete || (brew->found && more_than(job, brew) > bound);
    brew->optimal = complete;
    brew->bound = !complete ? open : brew->found ? (int32_t)ceil(solve_score(job, brew)) : 0;
    return LU_OK;
}

/* ---- exactly the ratio ---- */

lu_status solve_list_sizes(const solve_job *job, uint8_t *need, int32_t from, bool all,
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

/* The highest bound first, of equal ones the largest total. */
static int by_bound(const void *a, const void *b) {
    const solve_duals *x = a, *y = b;
    if (x->bound != y->bound) {
        return x->bound < y->bound ? 1 : -1;
    }
    return (x->from < y->from) - (x->from > y->from);
}

/* Every size at once, or one after the other until one has an answer. */
static lu_status solve_sizes(const solve_job *job, uint8_t *need, bool all, potion_brew *brew,
                             lu_error *error) {
    solve_duals *duals = lu_alloc(((size_t)job->sizes + 1) * sizeof *duals);
    lu_status status = LU_OK;
    int32_t count = 1;
    for (int32_t from = job->sizes;
         count > 0 && !brew->found && brew->optimal && status == LU_OK;) {
        status = solve_list_sizes(job, need, from, all, duals, &count, error);
        if (status == LU_OK && count > 0) {
            from = duals[count - 1].from / job->sum - 1;
            if (job->gratis) { /* the first that reaches its bound ends the search */
                qsort(duals, (size_t)count, sizeof *duals, by_bound);
            }
            status = solve_descend(job, duals, count, brew, error);
            brew->total_bound = all ? 0 : duals[0].from;
        }
    }
    free(duals);
    return status;
}

lu_status solve_exact(const solve_job *job, bool all, potion_brew *brew, lu_error *error) {
    uint8_t *need = lu_alloc((size_t)job->sizes + 1);
    lu_status status = solve_reach(job, need, error);
    LU_THEN(status, solve_sizes(job, need, all, brew, error));
    free(need);
    if (status == LU_LIMIT || (status == LU_OK && !brew->optimal && !brew->found)) {
        status = solve_without_tables(job, all, brew, error);
    }
    return status;
}

/* ---- questions ---- */

typedef struct question {
    bool all; /* all totals, for the largest profit; else the largest one */
    bool traits, unsold;
} question;

static lu_status solve(const potion_task *task, question asked, potion_brew *brew,
                       lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    lu_status status = LU_OK;
    int64_t work = SOLVE_WORK;
    memset(brew, 0, sizeof *brew);
    brew->optimal = true;
    if (solve_job_init(job, task)) {
        job->work = &work;
        job->traits = asked.traits;
        job->unsold = asked.unsold;
        status = job->loose ? solve_class(job, asked.all, brew, error)
                            : solve_exact(job, asked.all, brew, error);
    }
    free(job);
    return status;
}

lu_status potion_solve_total(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, (question){.all = false}, brew, error);
}

lu_status potion_solve_profit(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, (question){.all = true}, brew, error);
}

lu_status potion_solve_traits(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, (question){.all = true, .traits = true}, brew, error);
}

lu_status potion_solve_purchase(const potion_task *task, potion_brew *brew, lu_error *error) {
    return solve(task, (question){.all = true, .unsold = true}, brew, error);
}

static lu_status prove(const potion_task *task, const potion_brew *brew, bool all, int64_t limit,
                       potion_proof *proof, lu_error *error) {
    solve_job *job = lu_alloc(sizeof *job);
    lu_status status = LU_OK;
    *proof = (potion_proof){.proven = true};
    if (solve_job_init(job, task)) {
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
    if (status == LU_OK && brews[0].found && solve_job_init(job, task)) {
        status = solve_top(job, wanted, limit, brews, count, error);
    }
    free(job);
    return status;
}
