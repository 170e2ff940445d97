/* Tables of bounds: for every stage, number of items and sum of a group of magimins the least
 * surplus that the ingredients from there on can have. A loose job asks for at least a sum: each
 * magimin beyond it costs its spill, and the sum may be passed from any cell below. Cost: stages x
 * groups x items x sums, times copies where the stock sets the limit. */
#include "solver/potion_solve_internal.h"

#include <string.h>

enum { STAGES_PER_ASK = 8 };

static int32_t *row_of(const solve_bounds *b, int32_t stage, int group, int32_t n) {
    return b->cell + (size_t)stage * b->stage + b->at[group] + (size_t)n * (size_t)b->cells[group];
}

/* to[x] = min(to[x], from[x - step] + surplus) */
static void lower(int32_t *restrict to, const int32_t *restrict from, int32_t cells, int32_t step,
                  int32_t surplus) {
    for (int32_t x = step; x < cells; x++) {
        int32_t other = from[x - step] + surplus;
        to[x] = other < to[x] ? other : to[x];
    }
}

/* The sums below the step: they are passed. */
static void lower_passed(int32_t *to, const int32_t *from, int32_t cells, int32_t step,
                         int32_t surplus, int32_t spill) {
    if (from[0] >= SOLVE_NONE / 2) {
        return;
    }
    for (int32_t x = 0; x < step && x < cells; x++) {
        int32_t other = from[0] + surplus + spill * (step - x);
        to[x] = other < to[x] ? other : to[x];
    }
}

static void fill_stage(solve_bounds *b, int32_t stage, const solve_item *item,
                       const solve_duals *d) {
    int32_t *to_stage = b->cell + (size_t)stage * b->stage;
    if (item->must == 0) {
        memcpy(to_stage, to_stage + b->stage, b->stage * sizeof *b->cell);
    }
    for (size_t x = 0; x < b->stage && item->must > 0; x++) {
        to_stage[x] = SOLVE_NONE;
    }
    for (int group = 0; group <= SOLVE_GROUPS; group++) {
        bool passes = b->loose && group < SOLVE_GROUPS;
        int32_t step = group < SOLVE_GROUPS ? solve_group(item->amount, group) : item->total;
        int32_t first = item->free ? 1 : item->must > 0 ? item->must : 1;
        int32_t last = item->free ? 1 : item->copies;
        for (int32_t n = 1; n <= b->slots && b->cells[group] > 0; n++) {
            int32_t *to = row_of(b, stage, group, n);
            for (int32_t c = first; c <= last && c <= n; c++) {
                /* from the stage itself a piece may be taken any number of times */
                const int32_t *from = row_of(b, item->free ? stage : stage + 1, group, n - c);
                int32_t surplus = solve_surplus(item, d, c);
                lower(to, from, b->cells[group], step * c, surplus);
                if (passes) {
                    lower_passed(to, from, b->cells[group], step * c, surplus, b->spill[group]);
                }
            }
        }
    }
}

void solve_needed(const solve_job *job, const solve_duals *d, int32_t total,
                  int32_t need[SOLVE_GROUPS + 1]) {
    for (int group = 0; group < SOLVE_GROUPS; group++) {
        need[group] = job->loose ? solve_need(job, d->limit, total, group)
                                 : solve_group(job->part, group) * (total / job->sum);
    }
    need[SOLVE_GROUPS] = total;
}

lu_status solve_bounds_init(solve_bounds *b, const solve_job *job, const solve_duals *d,
                            const int32_t *order, int32_t count, size_t *memory, lu_error *error) {
    int32_t need[SOLVE_GROUPS + 1];
    *b = (solve_bounds){.loose = job->loose, .stages = count, .slots = job->slots};
    solve_needed(job, d, d->to, need);
    for (int group = 0; group <= SOLVE_GROUPS; group++) {
        bool used = group < SOLVE_GROUPS ? !solve_group_unused(job, group) : job->loose;
        b->cells[group] = used ? need[group] + 1 : 0;
        b->spill[group] = group < SOLVE_GROUPS ? d->spill[group] : 0;
        b->at[group] = b->stage;
        b->stage += (size_t)b->cells[group] * (size_t)(b->slots + 1);
    }
    size_t cells = b->stage * (size_t)(b->stages + 1), bytes = cells * sizeof *b->cell;
    if (bytes >= *memory) {
        return lu_fail(error, LU_LIMIT,
                       "the bound tables need %zu MB, more than the limit of %zu MB; raise the "
                       "limit or use a smaller cauldron",
                       (bytes >> 20) + 1, *memory >> 20);
    }
    *memory -= bytes;
    b->cell = lu_alloc(bytes);
    for (size_t i = 0; i < b->stage; i++) {
        b->cell[(size_t)b->stages * b->stage + i] = SOLVE_NONE;
    }
    for (int group = 0; group <= SOLVE_GROUPS; group++) {
        if (b->cells[group] > 0) {
            *row_of(b, b->stages, group, 0) = 0;
        }
    }
    for (int32_t stage = count - 1; stage >= 0; stage--) {
        fill_stage(b, stage, &job->item[order[stage]], d);
        if (stage % STAGES_PER_ASK == 0 && solve_stopped(job)) {
            return solve_interrupted(error);
        }
    }
    return LU_OK;
}

bool solve_bounds_allow(const solve_bounds *b, int32_t stage, int32_t n, const int32_t *need,
                        const int32_t *have, int32_t total, int32_t most) {
    if (!b->loose) {
        for (int group = 0; group < SOLVE_GROUPS; group++) {
            if (b->cells[group] > 0 &&
                row_of(b, stage, group, n)[need[group] - solve_group(have, group)] > most) {
                return false;
            }
        }
        return true;
    }
    /* what is passed already stays passed */
    int32_t rest[SOLVE_GROUPS];
    for (int group = 0; group < SOLVE_GROUPS; group++) {
        rest[group] = need[group] - solve_group(have, group);
        if (rest[group] < 0 && b->cells[group] > 0) {
            most += b->spill[group] * rest[group];
            rest[group] = 0;
        }
    }
    for (int group = 0; group < SOLVE_GROUPS; group++) {
        if (b->cells[group] > 0 && row_of(b, stage, group, n)[rest[group]] > most) {
            return false;
        }
    }
    return row_of(b, stage, SOLVE_GROUPS, n)[need[SOLVE_GROUPS] - total] <= most;
}
