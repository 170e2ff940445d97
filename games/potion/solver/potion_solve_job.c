/* From task to job: which ingredients may be in a mix at all, how many of each, and what the class
 * of stability asks of the wanted magimins. See potion_solve_internal.h. */
#include "solver/potion_solve_internal.h"

#include <stdlib.h>
#include <string.h>

bool solve_stopped(const solve_job *job) {
    return job->task->cancelled && job->task->cancelled(job->task->user);
}

lu_status solve_interrupted(lu_error *error) {
    return lu_fail(error, LU_INTERRUPTED, "the solver was stopped before it was done");
}

void solve_progress(const solve_job *job, double share, const char *what) {
    if (job->task->progress) {
        job->task->progress(job->task->user, share, what);
    }
}

potion_task potion_task_of(int recipe, int cauldron) {
    potion_task task = {.recipe = recipe,
                        .max_items = potion_limits[cauldron][0],
                        .max_magimins = potion_limits[cauldron][1],
                        .memory = (size_t)1 << 30};
    return task;
}

/* ---- what a class asks for ---- */

bool solve_group_unused(const solve_job *job, int group) {
    bool unused = false;
    for (int a = 0; a < SOLVE_AXES; a++) {
        unused = unused || ((group + 1) >> a & 1 && job->part[a] == 0);
    }
    return unused;
}

/* D is twice what is missing of the magimins that are below their share, and that is largest for
 * one group of wanted ones; 200 D <= limit s T. */
int32_t solve_need(const solve_job *job, int32_t limit, int32_t total, int group) {
    int32_t share = 400 * solve_group(job->part, group) - limit * job->sum;
    return share > 0 ? (share * total + 400 * job->sum - 1) / (400 * job->sum) : 0;
}

int solve_grade(int code, int32_t total) {
    int shift = potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - code].shift;
    return potion_grade_after(potion_raw_grade(total), shift);
}

bool solve_good_enough(const solve_job *job, int32_t k) {
    return solve_grade(POTION_PERFECT, k * job->sum) >= job->task->least_grade;
}

/* ---- ingredients ---- */

static int32_t unwanted(int recipe, int action) {
    int32_t sum = 0;
    for (int m = 0; m < POTION_MAGIMINS; m++) {
        sum += potion_parts[recipe][m] == 0 ? potion_adds[action][m] : 0;
    }
    return sum;
}

/* Magimins in the wrong place that the lowest class allows at most. */
static int32_t most_unwanted(const potion_task *task) {
    int32_t limit =
        task->stability > 0
            ? potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - task->stability].limit
            : 0;
    return limit * task->max_magimins / 400;
}

/* Wanted magimins, the one with the fewest mixed ingredients last; returns
 * their number. */
static int order_axes(const potion_task *task, int *axis) {
    int count = 0, mixed[POTION_MAGIMINS] = {0};
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        for (int m = 0; m < POTION_MAGIMINS && task->stock[i] > 0 && unwanted(task->recipe, i) == 0;
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
        int32_t spoils = unwanted(job->task->recipe, item->action);
        for (int a = 0; a < SOLVE_AXES && !job->loose; a++) {
            if (item->amount[a] > 0) {
                int32_t most = job->sizes * job->part[a] / item->amount[a];
                fit = most < fit ? most : fit;
            }
        }
        if (job->loose && job->task->max_magimins / item->total < fit) {
            fit = job->task->max_magimins / item->total;
        }
        if (spoils > 0 && most_unwanted(job->task) / spoils < fit) {
            fit = most_unwanted(job->task) / spoils;
        }
        item->must = job->task->must[item->action];
        item->owned = job->task->owned[item->action];
        item->free = stock >= fit && item->must == 0 && item->owned == 0;
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

static bool is_gratis(const solve_job *job) {
    bool gratis = !job->loose;
    for (int32_t i = 0; i < job->count; i++) {
        gratis = gratis && job->item[i].owned >= job->item[i].copies;
    }
    return gratis;
}

/* False when what must be taken cannot be in a mix. */
static bool add_musts(solve_job *job) {
    int32_t musts = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        musts += job->task->must[i];
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
    return job->base_items == musts && musts <= job->slots;
}

bool solve_job_init(solve_job *job, const potion_task *task) {
    int axis[POTION_MAGIMINS], axes = order_axes(task, axis), first = SOLVE_AXES - axes;
    memset(job, 0, sizeof *job);
    job->task = task;
    job->loose = task->stability > 0;
    job->sum = potion_parts[task->recipe][POTION_PARTS_SUM];
    job->slots = task->max_items;
    job->sizes = task->max_magimins / job->sum;
    for (int a = 0; a < axes; a++) {
        job->part[first + a] = potion_parts[task->recipe][axis[a]];
    }
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (task->stock[i] == 0 || unwanted(task->recipe, i) > most_unwanted(task)) {
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
    if (!job->loose) {
        limit_sizes(job);
        limit_copies(job);
    }
    job->gratis = is_gratis(job);
    return add_musts(job);
}
