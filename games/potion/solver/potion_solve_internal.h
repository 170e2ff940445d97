/* What the parts of the solver share. Two kinds of jobs: exactly the recipe's ratio, where an
 * ingredient with a magimin the recipe does not ask for cannot be in a mix, so that a task shrinks
 * to vectors of two or three wanted amounts and the target is k times the recipe's parts ("size"
 * k); and loose ones, where a class of stability is enough. Of total T and error limit E such a mix
 * has at least (r / s - E) T of every group of wanted magimins, and that is all there is to it:
 * unwanted magimins are what is left of the total. Ownership: a job points into its task. Threads:
 * one per job. */
#pragma once

#include "solver/potion_solve.h"

enum {
    SOLVE_AXES = 3,
    SOLVE_GROUPS = 7,       /* sets of axes: bit a of group + 1 = axis a */
    SOLVE_NEVER = 200,      /* items: not reachable */
    SOLVE_NONE = 1000000000 /* surplus: not possible */
};

/* Partial mixes that the searches of one question look at: some ten seconds, more with traits. */
#define SOLVE_WORK INT64_C(40000000)

typedef struct solve_item {
    int32_t amount[SOLVE_AXES];
    int32_t total, price;
    int32_t copies; /* that stock, slots and box allow */
    int32_t must;   /* of them that have to be taken */
    int32_t owned;  /* of them that cost nothing */
    bool free;      /* the stock sets no limit: slots and box do */
    uint8_t action;
} solve_item;

typedef struct solve_job {
    const potion_task *task;
    int32_t part[SOLVE_AXES]; /* of the recipe; a recipe of two magimins has part[0] = 0 */
    int32_t sum;              /* of the parts */
    int32_t sizes;            /* largest k */
    int32_t slots;            /* most items */
    int32_t base[SOLVE_AXES]; /* amounts of what must be taken */
    int32_t base_items;
    bool traits;   /* profit counts expected traits */
    bool loose;    /* a class of stability, not exactly the ratio */
    bool unsold;   /* profit is only what is not paid */
    bool gratis;   /* exactly the ratio, and every piece is owned: no mix costs anything */
    int64_t *work; /* partial mixes that searches may still look at; NULL = any number */
    int32_t count;
    solve_item item[POTION_INGREDIENTS];
} solve_job;

/* The job of a task: exact, or loose as the task says. False when what must be taken cannot be in
 * any mix. (potion_solve_job.c) */
bool solve_job_init(solve_job *job, const potion_task *task);
/* Whether the caller wants an end. */
bool solve_stopped(const solve_job *job);
lu_status solve_interrupted(lu_error *error);
void solve_progress(const solve_job *job, double share, const char *what);
/* Sum of the amounts of a group. */
static inline int32_t solve_group(const int32_t *amount, int group) {
    int32_t sum = 0;
    for (int a = 0; a < SOLVE_AXES; a++) {
        sum += (group + 1) >> a & 1 ? amount[a] : 0;
    }
    return sum;
}
/* Gold that c pieces cost. */
static inline int32_t solve_paid(const solve_item *item, int32_t c) {
    return c > item->owned ? item->price * (c - item->owned) : 0;
}
/* Whether a group has an axis that the recipe does not use: then it is another one again. */
bool solve_group_unused(const solve_job *job, int group);
/* Fewest magimins of a group in a mix of this total whose class has this limit (in 400ths; 0 =
 * exactly the ratio). */
int32_t solve_need(const solve_job *job, int32_t limit, int32_t total, int group);
/* Final grade of a total at a class of stability. */
int solve_grade(int code, int32_t total);

/* need[k], k = 0..sizes: fewest items of a mix of size k, SOLVE_NEVER = none. Mixes of one item
 * count; solve_needs tells what two or more items can do. (potion_solve_reach.c) */
lu_status solve_reach(const solve_job *job, uint8_t *need, lu_error *error);
/* Fewest items of a mix of size k with at least two items, from what solve_reach found. */
lu_status solve_needs(const solve_job *job, int32_t k, uint8_t *need, lu_error *error);

/* Prices of the wanted magimins, of the total and of a slot, times SOLVE_SCALE, by which every mix
 * of a range of totals is judged; they come from a linear programme and any values give a valid
 * bound. (potion_solve_dual.c) */
enum { SOLVE_SCALE = 256 };
typedef struct solve_duals {
    int32_t from, to; /* totals; exact jobs have one */
    int32_t code;     /* class of stability that the price is for */
    int32_t limit;    /* its error limit in 400ths, 0 = exactly the ratio */
    int32_t price;    /* of one potion */
    int32_t worth;    /* the most it may sell for, with the best traits if they count, scaled */
    int32_t axis[SOLVE_AXES], total, slot;
    int32_t spill[SOLVE_GROUPS]; /* loose jobs: the axes' prices as prices of nested groups */
    int32_t bound;               /* largest profit not ruled out */
} solve_duals;

/* For exactly the ratio and size k. */
void solve_duals_find(const solve_job *job, int32_t k, solve_duals *duals);
/* For a class and totals of one grade. */
void solve_duals_class(const solve_job *job, int code, int32_t from, int32_t to,
                       solve_duals *duals);
/* The same for totals, limit and worth that are given. */
void solve_duals_fit(const solve_job *job, solve_duals *duals);
/* The bound once more, for another budget. */
void solve_duals_bound(const solve_job *job, solve_duals *duals);
/* What n pieces of one ingredient cost beyond their ideal, scaled. */
int32_t solve_surplus(const solve_item *item, const solve_duals *d, int32_t n);
/* Least surplus of any choice: what must be taken, and all pieces that save gold. */
int64_t solve_least_surplus(const solve_job *job, const solve_duals *d);
/* What n items of a total cost less what they sell for, without their surplus, scaled. */
int64_t solve_constant(const solve_job *job, const solve_duals *d, int32_t total, int32_t n);
/* The least of it over the totals. */
int64_t solve_least_constant(const solve_job *job, const solve_duals *d, int32_t n);

/* Tables: the surplus that the ingredients from a stage on need at least for exactly n items and a
 * sum over a group of axes: exactly that sum, or in a loose job at least it. The last group is the
 * total of a loose job, exact again. (potion_solve_bounds.c) */
typedef struct solve_bounds {
    bool loose;
    int32_t stages, slots;
    int32_t cells[SOLVE_GROUPS + 1]; /* sums of a group, 0 = the group is not used */
    int32_t spill[SOLVE_GROUPS + 1]; /* surplus of each magimin beyond the sum */
    size_t at[SOLVE_GROUPS + 1];     /* of the group within a stage */
    size_t stage;                    /* cells of a stage */
    int32_t *cell;
} solve_bounds;

/* For the ingredients job->item[order[0..count-1]], with the job's slots and totals up to d->to.
 * LU_LIMIT: more than `memory` bytes, which become what is left; LU_INTERRUPTED: cancelled. Freed
 * by free(bounds->cell), also then. */
lu_status solve_bounds_init(solve_bounds *b, const solve_job *job, const solve_duals *d,
                            const int32_t *order, int32_t count, size_t *memory, lu_error *error);
/* Whether n more items from `stage` on can bring `have` to what is needed (per group, the total
 * last) with at most this surplus. */
bool solve_bounds_allow(const solve_bounds *b, int32_t stage, int32_t n, const int32_t *need,
                        const int32_t *have, int32_t total, int32_t most);
/* What is needed of each group, and the total. */
void solve_needed(const solve_job *job, const solve_duals *d, int32_t total,
                  int32_t need[SOLVE_GROUPS + 1]);

typedef struct solve_found {
    bool found;
    bool complete; /* false: partial mixes were dropped for want of memory or work */
    bool last;     /* a lower level would allow nothing more */
    double profit;
    uint8_t pieces[POTION_ACTIONS];
} solve_found;

/* The largest sum that traits may have from the pieces of a job. */
int solve_best_traits(const solve_job *job);

/* The largest profit of what the duals are for, if it is at least `least`; of exactly `items` where
 * that is not 0. (potion_solve_cost.c) */
lu_status solve_cost(const solve_job *job, const solve_duals *duals, double least, int32_t items,
                     solve_found *found, lu_error *error);

/* The largest total within the duals' range that has a mix at all, by depth first search; `open` is
 * the largest one that `nodes` (which become what is left) did not suffice for, 0 = none.
 * LU_LIMIT: no room for the tables. (potion_solve_any.c) */
lu_status solve_any(const solve_job *job, const solve_duals *duals, int64_t *nodes, int32_t *open,
                    solve_found *found, lu_error *error);

/* Whether potions of a size have the grade that is asked for. */
bool solve_good_enough(const solve_job *job, int32_t k);

/* The answer of a search, checked by the rules. */
lu_status solve_take(const solve_job *job, const solve_found *found, potion_brew *brew,
                     lu_error *error);
/* The profit that counts: with traits or without. */
double solve_score(const solve_job *job, const potion_brew *brew);
/* The largest profit over some ranges; `brew` may hold a potion to begin with. A level of profit
 * goes down from the best bound until a mix reaches it. */
lu_status solve_descend(const solve_job *job, const solve_duals *duals, int32_t count,
                        potion_brew *brew, lu_error *error);
/* Both questions of an exact job: all totals, or the largest one. What its `work` does not suffice
 * for is not proven: the best potion found then has bounds. */
lu_status solve_exact(const solve_job *job, bool all, potion_brew *brew, lu_error *error);
/* All questions of a loose job: all totals, or the largest one. (potion_solve_class.c) */
lu_status solve_class(solve_job *job, bool all, potion_brew *brew, lu_error *error);
/* Ranges of a loose job that may bring `least` or more. */
int32_t solve_list_classes(const solve_job *job, double least, solve_duals *duals);
enum { SOLVE_RANGES = POTION_CODES * POTION_GRADES };
/* Some totals of a loose job down from `to`, with the lowest class that suffices for all of them;
 * code 0 = none does. */
solve_duals solve_block(const solve_job *job, int32_t to);
/* The smallest total that has the asked-for grade at a class; above the cauldron's: none. */
int32_t solve_smallest(const solve_job *job, int code);
/* Sizes from `from` down that can be brewed, each with its bounds; all of them, or the first. */
lu_status solve_list_sizes(const solve_job *job, uint8_t *need, int32_t from, bool all,
                           solve_duals *duals, int32_t *count, lu_error *error);

/* The second proof, over all totals (for the profit) or the largest ones (for the total).
 * (potion_solve_prove.c) */
lu_status solve_prove(const solve_job *job, const potion_brew *brew, bool all, int64_t limit,
                      potion_proof *proof, lu_error *error);

/* The best mixes, added up; those of at least a level that goes down until there are enough. */
lu_status solve_top(const solve_job *job, int32_t wanted, int64_t limit, potion_brew *brews,
                    int32_t *count, lu_error *error);
/* All ranges that may hold the best potion, for a list that is freed; exact: every size. */
solve_duals *solve_ranges(const solve_job *job, int32_t *count);
/* The answer by branch and bound alone, up to a limit of nodes. */
lu_status solve_without_tables(const solve_job *job, bool all, potion_brew *brew, lu_error *error);
