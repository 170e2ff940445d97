/* A second proof that an answer is the best one: branch and bound, without the tables and the
 * merged states of the search. It walks through all mixes that could be better, one ingredient
 * after the other, and turns back where the rest cannot be filled any more (too few slots, amounts
 * that no number of the remaining ingredients divides into) or the allowed surplus is used up.
 * Larger sizes are ruled out in the same way, with every ingredient at the price of one: the cost
 * is then the number of items. The prices of magimins only guide it; any would do. */
#include "potion_solve_inside.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_PER_ASK = 1 << 18 };

typedef enum verdict { RULED_OUT, BETTER, OUT_OF_NODES, STOPPED } verdict;

typedef struct prover {
    const solve_job *job;
    int32_t count, surplus[POTION_INGREDIENTS];
    solve_item item[POTION_INGREDIENTS]; /* worst surplus first */
    /* of the ingredients from here on: most per item, common divisor, totals, least surplus */
    int32_t most[POTION_INGREDIENTS + 1][SOLVE_AXES], divisor[POTION_INGREDIENTS + 1][SOLVE_AXES];
    int32_t high[POTION_INGREDIENTS + 1], low[POTION_INGREDIENTS + 1];
    int64_t least[POTION_INGREDIENTS + 1];
    int64_t nodes, limit;
    /* for a list of the best mixes: what is kept, how many of it, and room a further one must leave
     */
    potion_brew *brews;
    int32_t kept, wanted, level;
    int32_t spare; /* gold that a budget forbids to spend although the level would allow it */
    int64_t floor;
    uint8_t taken[POTION_INGREDIENTS];
} prover;

static int32_t common(int32_t a, int32_t b) {
    while (b > 0) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void prover_order(prover *p, const solve_job *job, const solve_duals *d) {
    p->job = job;
    p->count = 0;
    for (int32_t i = 0; i < job->count; i++) {
        int32_t surplus = SOLVE_SCALE * job->item[i].price - d->slot, at = p->count++;
        for (int a = 0; a < SOLVE_AXES; a++) {
            surplus -= d->axis[a] * job->item[i].amount[a];
        }
        for (; at > 0 && p->surplus[at - 1] < surplus; at--) {
            p->surplus[at] = p->surplus[at - 1];
            p->item[at] = p->item[at - 1];
        }
        p->surplus[at] = surplus;
        p->item[at] = job->item[i];
    }
}

static void prover_init(prover *p, const solve_job *job, const solve_duals *d) {
    prover_order(p, job, d);
    int32_t end = p->count;
    memset(p->most[end], 0, sizeof p->most[end]);
    memset(p->divisor[end], 0, sizeof p->divisor[end]);
    p->high[end] = 0;
    p->low[end] = INT16_MAX;
    p->least[end] = 0;
    for (int32_t i = end - 1; i >= 0; i--) {
        const solve_item *item = &p->item[i];
        for (int a = 0; a < SOLVE_AXES; a++) {
            int32_t most = p->most[i + 1][a];
            p->most[i][a] = item->amount[a] > most ? item->amount[a] : most;
            p->divisor[i][a] = common(p->divisor[i + 1][a], item->amount[a]);
        }
        p->high[i] = item->total > p->high[i + 1] ? item->total : p->high[i + 1];
        p->low[i] = item->total < p->low[i + 1] ? item->total : p->low[i + 1];
        int32_t taken = p->surplus[i] < 0 ? item->copies : item->must;
        p->least[i] = p->least[i + 1] + (int64_t)p->surplus[i] * taken;
    }
}

/* Whether nothing from ingredient i on can fill the rest with exactly these slots. */
static bool is_hopeless(const prover *p, int32_t i, const int32_t *rest, int32_t slots,
                        int64_t room) {
    int32_t total = rest[0] + rest[1] + rest[2];
    if (room < p->least[i] + p->floor || total > slots * p->high[i] || total < slots * p->low[i]) {
        return true;
    }
    for (int a = 0; a < SOLVE_AXES; a++) {
        int32_t divisor = p->divisor[i][a];
        if (rest[a] > slots * p->most[i][a] || (divisor > 0 && rest[a] % divisor != 0)) {
            return true;
        }
    }
    return false;
}

/* Puts the mix into the list of the best ones; a full list asks more of those that follow. */
static void keep_mix(prover *p) {
    potion_brew brew = {.found = true, .optimal = true};
    for (int32_t i = 0; i < p->count; i++) {
        brew.pieces[p->item[i].action] = p->taken[i];
    }
    potion_brew_add_up(p->job->task, &brew);
    brew.bound = brew.profit;
    int32_t at = p->kept < p->wanted ? p->kept++ : p->wanted - 1;
    for (; at > 0 && p->brews[at - 1].profit < brew.profit; at--) {
        p->brews[at] = p->brews[at - 1];
    }
    p->brews[at] = brew;
}

/* Room that a mix must leave to be better than the last one of a full list. */
static void raise_floor(prover *p) {
    p->floor = 0;
    if (p->brews && p->kept == p->wanted) {
        int32_t more = p->brews[p->wanted - 1].profit + 1 - p->level - p->spare;
        p->floor = more > 0 ? (int64_t)SOLVE_SCALE * more : 0;
    }
}

static verdict walk(prover *p, int32_t i, const int32_t *rest, int32_t slots, int64_t room) {
    if (++p->nodes > p->limit) {
        return OUT_OF_NODES;
    }
    if (p->nodes % NODES_PER_ASK == 0 && solve_stopped(p->job)) {
        return STOPPED;
    }
    if (i == p->count) {
        if (slots > 0 || rest[0] + rest[1] + rest[2] > 0 || room < p->floor) {
            return RULED_OUT;
        }
        if (p->brews) {
            keep_mix(p);
            raise_floor(p);
        }
        return p->brews ? RULED_OUT : BETTER;
    }
    const solve_item *item = &p->item[i];
    for (int32_t c = item->must; c <= item->copies && c <= slots; c++) {
        int32_t left[SOLVE_AXES];
        bool over = false;
        for (int a = 0; a < SOLVE_AXES; a++) {
            left[a] = rest[a] - c * item->amount[a];
            over = over || left[a] < 0;
        }
        if (over) {
            break;
        }
        int64_t allowed = room - (int64_t)c * p->surplus[i];
        if (is_hopeless(p, i + 1, left, slots - c, allowed)) {
            continue;
        }
        p->taken[i] = (uint8_t)c;
        verdict told = walk(p, i + 1, left, slots - c, allowed);
        if (told != RULED_OUT) {
            return told;
        }
    }
    return RULED_OUT;
}

/* Whether a mix of size k and n items costs at most `most`. */
static verdict look(prover *p, const solve_duals *d, int32_t n, int32_t most) {
    int32_t target[SOLVE_AXES];
    int64_t room = (int64_t)SOLVE_SCALE * most - (int64_t)d->slot * n;
    for (int a = 0; a < SOLVE_AXES; a++) {
        target[a] = d->k * p->job->part[a];
        room -= (int64_t)d->axis[a] * target[a];
    }
    return is_hopeless(p, 0, target, n, room) ? RULED_OUT : walk(p, 0, target, n, room);
}

/* No potion of a size is worth more than `profit`. */
static verdict rule_out_profit(prover *p, const solve_job *job, const solve_duals *d,
                               int32_t profit) {
    verdict told = RULED_OUT;
    prover_init(p, job, d);
    for (int32_t n = 2; n <= job->slots && told == RULED_OUT; n++) {
        int32_t most = potion_brewed(n) * d->price - profit - 1, budget = job->task->budget;
        p->spare = budget > 0 && budget < most ? most - budget : 0;
        raise_floor(p);
        told = look(p, d, n, most - p->spare);
    }
    return told;
}

/* No potion of size k exists, at any price or within the budget. */
static verdict rule_out_size(prover *p, const solve_job *job, solve_job *counted, int32_t k) {
    if (job->task->budget > 0) {
        solve_duals priced;
        solve_duals_find(job, k, &priced);
        return rule_out_profit(p, job, &priced, -job->task->budget - 1);
    }
    solve_duals d = {.k = k};
    verdict told = RULED_OUT;
    solve_duals_fit(counted, &d);
    prover_init(p, counted, &d);
    for (int32_t n = 2; n <= job->slots && told == RULED_OUT; n++) {
        told = look(p, &d, n, n);
    }
    return told;
}

lu_status solve_prove(const solve_job *job, const potion_brew *brew, bool all, int64_t limit,
                      potion_proof *proof, lu_error *error) {
    prover *p = lu_alloc_zero(1, sizeof *p);
    solve_job *counted = lu_alloc(sizeof *counted);
    int32_t size = brew->found ? brew->mix.total / job->sum : 0;
    verdict told = RULED_OUT;
    *counted = *job;
    for (int32_t i = 0; i < job->count; i++) {
        counted->item[i].price = 1;
    }
    p->limit = limit;
    for (int32_t k = job->sizes; k >= 1 && told == RULED_OUT; k--) {
        if (!solve_good_enough(job, k)) {
            continue;
        }
        if (job->task->progress) {
            job->task->progress(job->task->user, 1.0 - (double)k / (double)job->sizes,
                                "second proof");
        }
        if (!brew->found || (!all && k > size)) {
            told = rule_out_size(p, job, counted, k);
        } else if (all || k == size) {
            solve_duals d;
            solve_duals_find(job, k, &d);
            told = rule_out_profit(p, job, &d, brew->profit);
        }
    }
    proof->nodes = p->nodes;
    proof->proven = told == RULED_OUT;
    free(counted);
    free(p);
    if (told == BETTER) {
        return lu_fail(error, LU_FAILED,
                       "the second proof found a better mix: this is a fault of the solver");
    }
    return told == STOPPED ? solve_interrupted(error) : LU_OK;
}

/* Mixes of at least the level, over all sizes that may have one. */
static verdict list_best(prover *p, const solve_job *job, const solve_duals *duals) {
    verdict told = RULED_OUT;
    p->kept = 0;
    for (int32_t k = job->sizes; k >= 1 && told == RULED_OUT; k--) {
        if (solve_good_enough(job, k) && duals[k].bound >= p->level) {
            told = rule_out_profit(p, job, &duals[k], p->level - 1);
        }
    }
    return told;
}

lu_status solve_top(const solve_job *job, int32_t wanted, int64_t limit, potion_brew *brews,
                    int32_t *count, lu_error *error) {
    int32_t best = brews[0].profit, lowest = -POTION_ITEMS_MAX * 1000;
    prover *p = lu_alloc_zero(1, sizeof *p);
    verdict told = RULED_OUT;
    solve_duals *duals = lu_alloc(((size_t)job->sizes + 1) * sizeof *duals);
    for (int32_t k = 1; k <= job->sizes; k++) {
        solve_duals_find(job, k, &duals[k]);
    }
    p->brews = brews;
    p->wanted = wanted;
    p->limit = limit;
    for (int32_t below = 8; told == RULED_OUT && p->kept < wanted; below *= 2) {
        p->level = best - below > lowest ? best - below : lowest;
        told = list_best(p, job, duals);
        if (p->level == lowest) {
            break;
        }
    }
    *count = p->kept;
    free(duals);
    free(p);
    if (told == OUT_OF_NODES) {
        return lu_fail(error, LU_LIMIT, "%lld partial mixes do not suffice for the best %d mixes",
                       (long long)limit, (int)wanted);
    }
    return told == STOPPED ? solve_interrupted(error) : LU_OK;
}
