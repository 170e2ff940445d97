/* Which sizes can be reached: a table over the wanted amounts holds the fewest
 * items that give exactly those amounts, one byte per cell. Ingredients are
 * taken in an order that keeps the table small for as long as possible: a line
 * of amounts for what has only the second magimin, then a plane for the first
 * two, then the cube for mixed ingredients with the third, and what has the
 * third magimin alone is joined at the end, where only multiples of the recipe
 * matter. Every amount in the box is visited and none leaves and comes back, so
 * the table is exact. Cost: cells of the cube x ingredients mixed with the
 * third magimin, of which a job puts the rarest kind there; 288 MB for the
 * largest cauldron and 3:4:3. */
#include "solver/potion_solve_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PLANES_PER_ASK = 16 };

/* A box of cells; `top` is the highest reached cell of each row, -1 = none. */
typedef struct box {
    int32_t x, y, z; /* cells per axis */
    uint8_t *cell;
    int16_t *top; /* per row x, y */
} box;

static void box_fill(box *b, int32_t x, int32_t y, int32_t z) {
    size_t rows = (size_t)x * (size_t)y;
    *b = (box){x, y, z, lu_alloc(rows * (size_t)z), lu_alloc(rows * sizeof *b->top)};
    memset(b->cell, SOLVE_NEVER, rows * (size_t)z);
    memset(b->top, 0xff, rows * sizeof *b->top);
}

static void box_free(box *b) {
    free(b->cell);
    free(b->top);
}

/* Amounts of one magimin alone. */
static void line_add(uint8_t *line, int32_t cells, const solve_item *item, int32_t step) {
    for (int32_t j = item->must; j < item->copies && !item->free; j++) {
        for (int32_t a = cells - 1; a >= step; a--) {
            int other = line[a - step] + 1;
            line[a] = (uint8_t)(other < line[a] ? other : line[a]);
        }
    }
    for (int32_t a = step; a < cells && item->free; a++) {
        int other = line[a - step] + 1;
        line[a] = (uint8_t)(other < line[a] ? other : line[a]);
    }
}

static void row_add(uint8_t *restrict to, const uint8_t *restrict from, int32_t cells, int items) {
    for (int32_t a = 0; a < cells; a++) {
        uint8_t other = (uint8_t)(from[a] + items);
        to[a] = other < to[a] ? other : to[a];
    }
}

/* One row by `items` pieces that add `step`; the row they come from is another
 * one. */
static void pass_row(box *b, int32_t x, int32_t y, const int32_t *step, int items) {
    size_t to = (size_t)x * (size_t)b->y + (size_t)y;
    size_t from = (size_t)(x - step[0]) * (size_t)b->y + (size_t)(y - step[1]);
    int32_t cells = b->top[from] + 1;
    cells = cells > b->z - step[2] ? b->z - step[2] : cells;
    if (cells <= 0) {
        return;
    }
    row_add(b->cell + to * (size_t)b->z + step[2], b->cell + from * (size_t)b->z, cells, items);
    int32_t top = step[2] + cells - 1;
    b->top[to] = (int16_t)(top > b->top[to] ? top : b->top[to]);
}

/* All rows, upwards (so that a piece may be taken any number of times) or
 * downwards (once). */
static bool pass(const solve_job *job, box *b, const int32_t *step, int items, bool upwards) {
    for (int32_t i = step[0]; i < b->x; i++) {
        int32_t x = upwards ? i : b->x - 1 - (i - step[0]);
        for (int32_t j = step[1]; j < b->y; j++) {
            pass_row(b, x, upwards ? j : b->y - 1 - (j - step[1]), step, items);
        }
        if (i % PLANES_PER_ASK == 0 && solve_stopped(job)) {
            return false;
        }
    }
    return true;
}

/* An ingredient whose first or second step is not 0. Copies go in bundles of 1,
 * 2, 4, .. and the rest, which give every number up to all. */
static bool box_add(const solve_job *job, box *b, const int32_t *step, const solve_item *item) {
    if (item->free) {
        return pass(job, b, step, 1, true);
    }
    int32_t left = item->copies - item->must;
    for (int32_t bundle = 1; left > 0; bundle *= 2) {
        int32_t n = bundle < left ? bundle : left;
        int32_t steps[SOLVE_AXES] = {step[0] * n, step[1] * n, step[2] * n};
        left -= n;
        if (!pass(job, b, steps, n, false)) {
            return false;
        }
    }
    return true;
}

/* The first two magimins: the line of the second, then all that has the first.
 */
static bool fill_plane(const solve_job *job, box *plane) {
    plane->cell[0] = 0;
    plane->top[0] = (int16_t)(plane->z - 1);
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        if (item->amount[0] == 0 && item->amount[2] == 0) {
            line_add(plane->cell, plane->z, item, item->amount[1]);
        }
    }
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        int32_t step[SOLVE_AXES] = {0, item->amount[0], item->amount[1]};
        if (item->amount[0] > 0 && item->amount[2] == 0 && !box_add(job, plane, step, item)) {
            return false;
        }
    }
    return true;
}

/* The plane as the floor of the cube, then what is mixed with the third
 * magimin. */
static bool fill_cube(const solve_job *job, box *cube, const box *plane) {
    int32_t done = 0, all = 0;
    for (size_t row = 0; row < (size_t)cube->x * (size_t)cube->y; row++) {
        cube->cell[row * (size_t)cube->z] = plane->cell[row];
        cube->top[row] = plane->cell[row] < SOLVE_NEVER ? 0 : -1;
    }
    for (int32_t i = 0; i < job->count; i++) {
        all += job->item[i].amount[2] > 0 && job->item[i].amount[2] < job->item[i].total;
    }
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        if (item->amount[2] == 0 || item->amount[2] == item->total) {
            continue;
        }
        if (!box_add(job, cube, item->amount, item)) {
            return false;
        }
        if (job->task->progress) {
            job->task->progress(job->task->user, (double)++done / (double)(all + 1),
                                "amounts that can be reached");
        }
    }
    return true;
}

/* The multiples of the recipe, with what the third magimin alone can add. */
static void join(const solve_job *job, const box *cube, uint8_t *need) {
    uint8_t *alone = lu_alloc((size_t)cube->z);
    memset(alone, SOLVE_NEVER, (size_t)cube->z);
    alone[0] = 0;
    for (int32_t i = 0; i < job->count; i++) {
        if (job->item[i].amount[2] == job->item[i].total) {
            line_add(alone, cube->z, &job->item[i], job->item[i].amount[2]);
        }
    }
    for (int32_t k = 0; k <= job->sizes; k++) {
        int32_t x = k * job->part[0] - job->base[0], y = k * job->part[1] - job->base[1];
        int32_t z = k * job->part[2] - job->base[2], least = SOLVE_NEVER;
        if (x >= 0 && y >= 0 && z >= 0) {
            size_t row = (size_t)x * (size_t)cube->y + (size_t)y;
            const uint8_t *cell = cube->cell + row * (size_t)cube->z;
            for (int32_t a = 0; a <= z; a++) {
                int32_t items = cell[z - a] + alone[a];
                least = items < least ? items : least;
            }
        }
        least += job->base_items;
        need[k] = (uint8_t)(least <= job->slots ? least : SOLVE_NEVER);
    }
    free(alone);
}

lu_status solve_reach(const solve_job *job, uint8_t *need, lu_error *error) {
    int32_t cells[SOLVE_AXES];
    size_t bytes = 1;
    for (int a = 0; a < SOLVE_AXES; a++) {
        cells[a] = job->sizes * job->part[a] + 1;
        bytes *= (size_t)cells[a]; /* at most 2001^3 / 27: no overflow in 64 bits */
    }
    if (bytes > job->task->memory) {
        return lu_fail(error, LU_LIMIT,
                       "the table of amounts needs %zu MB, more than the limit of %zu MB; raise "
                       "the limit or use a smaller cauldron",
                       (bytes >> 20) + 1, job->task->memory >> 20);
    }
    box plane, cube;
    box_fill(&plane, 1, cells[0], cells[1]);
    box_fill(&cube, cells[0], cells[1], cells[2]);
    bool done = fill_plane(job, &plane) && fill_cube(job, &cube, &plane);
    if (done) {
        join(job, &cube, need);
    }
    box_free(&cube);
    box_free(&plane);
    return done ? LU_OK : solve_interrupted(error);
}

/* A mix of one item hides whether two or more can do the same. Those are all
 * smaller than it: the question is asked again without the others, in a box as
 * small as that one item. */
lu_status solve_needs(const solve_job *job, int32_t k, uint8_t *need, lu_error *error) {
    if (need[k] != 1) {
        return LU_OK;
    }
    if (job->base_items > 0) { /* what must be taken is the whole mix */
        need[k] = SOLVE_NEVER;
        return LU_OK;
    }
    uint8_t *smaller = lu_alloc((size_t)k + 1);
    solve_job *part = lu_alloc(sizeof *part);
    *part = *job;
    part->sizes = k;
    part->count = 0;
    for (int32_t i = 0; i < job->count; i++) {
        if (job->item[i].total < k * job->sum) {
            part->item[part->count++] = job->item[i];
        }
    }
    lu_status status = solve_reach(part, smaller, error);
    need[k] = status == LU_OK ? smaller[k] : need[k];
    free(part);
    free(smaller);
    return status;
}
