/* Whether a total has a mix at all: depth first over the ingredients, with the tables of bounds and
 * a memory of partial mixes that led nowhere. The price of a piece is 1, so that the bounds count
 * items; with a budget it is gold. A memory that is full forgets, which costs time and nothing
 * else. */
#include "solver/potion_solve_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_PER_ASK = 1 << 16 };

/* A partial mix from which there is no way to the end. */
typedef struct dead_end {
    uint64_t key;  /* total, items and amounts left */
    uint64_t rest; /* stage, gold, and the question it belongs to */
} dead_end;

typedef struct walker {
    const solve_job *job;
    const solve_duals *duals;
    int32_t count, item[POTION_INGREDIENTS];
    int32_t surplus[POTION_INGREDIENTS][POTION_ITEMS_MAX + 1];
    solve_bounds bounds;
    int32_t need[SOLVE_GROUPS + 1];
    int32_t wanted, total, most; /* of the question */
    uint32_t question;
    dead_end *dead; /* a power of two */
    uint64_t mask;
    int64_t nodes;
    bool stopped;
    uint8_t *pieces;
} walker;

typedef enum verdict { NO_WAY, REACHED, GIVEN_UP } verdict;

typedef struct partial {
    int32_t amount[SOLVE_AXES], total, surplus, paid, left;
} partial;

static dead_end key_of(const walker *w, int32_t stage, const partial *at) {
    dead_end key = {(uint64_t)at->total << 52 | (uint64_t)at->left << 48 |
                        (uint64_t)at->amount[0] << 32 | (uint64_t)at->amount[1] << 16 |
                        (uint64_t)at->amount[2],
                    (uint64_t)w->question << 32 | (uint64_t)at->paid << 8 | (uint64_t)stage};
    return key;
}

static dead_end *place_of(const walker *w, const dead_end *key) {
    uint64_t mixed = (key->key ^ key->rest * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
    return &w->dead[mixed >> 32 & w->mask];
}

static bool is_over(const walker *w, const partial *at) {
    int32_t wanted = at->amount[0] + at->amount[1] + at->amount[2];
    return at->total > w->total || at->total - wanted > w->total - w->wanted;
}

static verdict walk(walker *w, int32_t stage, const partial *at) {
    if (stage == w->count) {
        return REACHED; /* the tables let through only what is in ratio */
    }
    if (--w->nodes < 0) {
        return GIVEN_UP;
    }
    if (w->nodes % NODES_PER_ASK == 0 && solve_stopped(w->job)) {
        w->stopped = true;
        return GIVEN_UP;
    }
    dead_end key = key_of(w, stage, at), *place = place_of(w, &key);
    if (place->key == key.key && place->rest == key.rest) {
        return NO_WAY;
    }
    const solve_item *item = &w->job->item[w->item[stage]];
    for (int32_t c = item->must; c <= item->copies && c <= at->left; c++) {
        partial next = *at;
        next.left -= c;
        next.total += c * item->total;
        next.surplus += w->surplus[stage][c];
        next.paid += w->job->task->budget > 0 ? solve_paid(item, c) : 0;
        for (int a = 0; a < SOLVE_AXES; a++) {
            next.amount[a] += c * item->amount[a];
        }
        if (is_over(w, &next)) {
            break;
        }
        if (!solve_bounds_allow(&w->bounds, stage + 1, next.left, w->need, next.amount, next.total,
                                w->most - next.surplus)) {
            continue;
        }
        w->pieces[item->action] = (uint8_t)c;
        verdict told = walk(w, stage + 1, &next);
        if (told != NO_WAY) {
            return told;
        }
        w->pieces[item->action] = 0;
    }
    *place = key;
    return NO_WAY;
}

/* One total: every number of items. */
static verdict ask(walker *w, int32_t total) {
    const solve_job *job = w->job;
    int32_t budget = job->task->budget;
    w->total = total;
    solve_needed(job, w->duals, total, w->need);
    w->wanted = w->need[SOLVE_GROUPS - 1];
    for (int32_t n = job->slots; n >= 2; n--) {
        int64_t most = (int64_t)SOLVE_SCALE * (budget > 0 ? budget : n) -
                       solve_constant(job, w->duals, total, n);
        partial none = {.left = n};
        w->question++;
        w->most = (int32_t)(most > SOLVE_NONE / 2    ? SOLVE_NONE / 2
                            : most < -SOLVE_NONE / 2 ? -SOLVE_NONE / 2
                                                     : most);
        if (!solve_bounds_allow(&w->bounds, 0, n, w->need, none.amount, 0, w->most)) {
            continue;
        }
        memset(w->pieces, 0, POTION_ACTIONS);
        verdict told = walk(w, 0, &none);
        if (told != NO_WAY) {
            return told;
        }
    }
    return NO_WAY;
}

static void order_items(walker *w) {
    for (int32_t i = 0; i < w->job->count; i++) {
        const solve_item *item = &w->job->item[i];
        int32_t surplus = solve_surplus(item, w->duals, 1), at = w->count;
        if (item->copies == 0) {
            continue;
        }
        for (; at > 0 && solve_surplus(&w->job->item[w->item[at - 1]], w->duals, 1) < surplus;
             at--) {
            w->item[at] = w->item[at - 1];
        }
        w->item[at] = i;
        w->count++;
    }
    for (int32_t stage = 0; stage < w->count; stage++) {
        const solve_item *item = &w->job->item[w->item[stage]];
        for (int32_t c = 0; c <= item->copies; c++) {
            w->surplus[stage][c] = solve_surplus(item, w->duals, c);
        }
    }
}

/* A power of two of dead ends within a quarter of the memory; few for few ingredients. */
static uint64_t dead_ends(size_t memory, int32_t count) {
    uint64_t room = 1 << 8, most = count < 16 ? 1 << 12 : 1 << 20;
    while (room < most && room * 2 * sizeof(dead_end) <= memory / 4) {
        room *= 2;
    }
    return room;
}

lu_status solve_any(const solve_job *job, const solve_duals *duals, int64_t *nodes, int32_t *open,
                    solve_found *found, lu_error *error) {
    walker *w = lu_alloc_zero(1, sizeof *w);
    uint64_t room = dead_ends(job->task->memory, job->count);
    size_t memory = job->task->memory;
    *found = (solve_found){.complete = true};
    *open = 0;
    w->job = job;
    w->duals = duals;
    w->pieces = found->pieces;
    w->nodes = *nodes;
    order_items(w);
    lu_status status = solve_bounds_init(&w->bounds, job, duals, w->item, w->count, &memory, error);
    if (status == LU_OK) {
        w->dead = lu_alloc_zero((size_t)room, sizeof *w->dead);
        w->mask = room - 1;
        for (int32_t total = duals->to; total >= duals->from && !w->stopped && !found->found;
             total--) {
            verdict told = ask(w, total);
            found->found = told == REACHED;
            if (told == GIVEN_UP) {
                found->complete = false;
                *open = *open > total ? *open : total;
                w->nodes = *nodes / 16; /* the others get a little, too */
            }
        }
    }
    *nodes = w->nodes > 0 ? w->nodes : 0;
    status = w->stopped ? solve_interrupted(error) : status;
    free(w->dead);
    free(w->bounds.cell);
    free(w);
    return status;
}
