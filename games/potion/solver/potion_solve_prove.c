/* A second proof that an answer is the best one: branch and bound, without the tables and the
 * merged states of the search. It walks through all mixes that could be better, one ingredient
 * after the other, and turns back where the rest cannot be filled any more (too few slots, amounts
 * that no number of the remaining ingredients divides into) or the allowed surplus is used up.
 * Larger totals are ruled out in the same way, with every ingredient at the price of one: the cost
 * is then the number of items. The prices of magimins only guide it; any would do. The same walk
 * lists the best mixes, and answers where tables do not fit into the memory. */
#include "solver/potion_solve_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_PER_ASK = 1 << 18 };
#define PATIENCE             INT64_C(1000000) /* nodes for one size when there are no tables */
#define NODES_WITHOUT_TABLES INT64_C(8000000) /* for the whole answer: a second or two */

typedef enum verdict { RULED_OUT, BETTER, OUT_OF_NODES, STOPPED } verdict;

/* What the ingredients from one on can do at most. */
typedef struct outlook {
    int32_t most[SOLVE_GROUPS];  /* of a group per item */
    int32_t divisor[SOLVE_AXES]; /* common to all of them */
    int32_t high, low;           /* totals */
    int64_t least;               /* surplus */
} outlook;

typedef struct prover {
    const solve_job *job;
    const solve_duals *duals;
    int32_t count, surplus[POTION_INGREDIENTS][POTION_ITEMS_MAX + 1];
    solve_item item[POTION_INGREDIENTS]; /* worst surplus first */
    outlook ahead[POTION_INGREDIENTS + 1];
    int32_t need[SOLVE_GROUPS + 1]; /* at the first total */
    int32_t unwanted;               /* most of it at the last total */
    int32_t most;                   /* gold that may be paid */
    int64_t nodes, limit;
    /* for a list of the best mixes: what is kept, how many of it, and room a further one must leave
     */
    potion_brew *brews;
    int32_t kept, wanted, level;
    int32_t spare; /* gold that a budget forbids to spend although the level would allow it */
    int64_t floor;
    uint8_t taken[POTION_INGREDIENTS];
} prover;

/* A mix on its way. */
typedef struct course {
    int32_t amount[SOLVE_AXES], total, slots, paid;
    int64_t room;
} course;

static int32_t common(int32_t a, int32_t b) {
    while (b > 0) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void prover_order(prover *p) {
    p->count = 0;
    for (int32_t i = 0; i < p->job->count; i++) {
        const solve_item *item = &p->job->item[i];
        int32_t surplus = solve_surplus(item, p->duals, 1), at = p->count;
        if (item->copies == 0) {
            continue;
        }
        for (; at > 0 && p->surplus[at - 1][1] < surplus; at--) {
            memcpy(p->surplus[at], p->surplus[at - 1], sizeof p->surplus[at]);
            p->item[at] = p->item[at - 1];
        }
        for (int32_t c = 0; c <= item->copies; c++) {
            p->surplus[at][c] = solve_surplus(item, p->duals, c);
        }
        p->item[at] = *item;
        p->count++;
    }
}

static void prover_init(prover *p, const solve_job *job, const solve_duals *d) {
    p->job = job;
    p->duals = d;
    prover_order(p);
    solve_needed(job, d, d->from, p->need);
    p->unwanted = d->to - solve_need(job, d->limit, d->to, SOLVE_GROUPS - 1);
    memset(&p->ahead[p->count], 0, sizeof p->ahead[p->count]);
    p->ahead[p->count].low = INT16_MAX;
    for (int32_t i = p->count - 1; i >= 0; i--) {
        const solve_item *item = &p->item[i];
        outlook *now = &p->ahead[i];
        *now = p->ahead[i + 1];
        for (int group = 0; group < SOLVE_GROUPS; group++) {
            int32_t amount = solve_group(item->amount, group);
            now->most[group] = amount > now->most[group] ? amount : now->most[group];
        }
        for (int a = 0; a < SOLVE_AXES; a++) {
            now->divisor[a] = common(now->divisor[a], item->amount[a]);
        }
        now->high = item->total > now->high ? item->total : now->high;
        now->low = item->total < now->low ? item->total : now->low;
        int32_t least = p->surplus[i][item->must];
        for (int32_t c = item->must; c <= item->copies; c++) {
            least = p->surplus[i][c] < least ? p->surplus[i][c] : least;
        }
        now->least += least;
    }
}

/* Whether nothing from ingredient i on can lead to the end with exactly these slots. */
static bool is_hopeless(const prover *p, int32_t i, const course *at) {
    const outlook *ahead = &p->ahead[i];
    if (at->room < ahead->least + p->floor ||
        at->total + at->slots * ahead->high < p->duals->from ||
        at->total + at->slots * ahead->low > p->duals->to) {
        return true;
    }
    if (!p->job->loose) {
        for (int a = 0; a < SOLVE_AXES; a++) {
            int32_t rest = p->need[(1 << a) - 1] - at->amount[a], divisor = ahead->divisor[a];
            if (rest < 0 || rest > at->slots * ahead->most[(1 << a) - 1] ||
                (divisor > 0 && rest % divisor != 0)) {
                return true;
            }
        }
        return false;
    }
    if (at->total - at->amount[0] - at->amount[1] - at->amount[2] > p->unwanted) {
        return true;
    }
    for (int group = 0; group < SOLVE_GROUPS; group++) {
        if (solve_group(at->amount, group) + at->slots * ahead->most[group] < p->need[group]) {
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
    bool full = p->kept == p->wanted;
    /* a mix of a better class belongs to that one's range */
    if (brew.code != p->duals->code || brew.profit < p->level ||
        (full && brew.profit <= p->brews[p->wanted - 1].profit)) {
        return;
    }
    int32_t at = full ? p->wanted - 1 : p->kept++;
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

/* Whether a whole mix is what is looked for. */
static bool is_reached(const prover *p, const course *at) {
    int32_t need[SOLVE_GROUPS + 1];
    bool reached = at->slots == 0 && at->room >= p->floor && at->paid <= p->most &&
                   at->total >= p->duals->from && at->total <= p->duals->to;
    solve_needed(p->job, p->duals, at->total, need);
    for (int group = 0; group < SOLVE_GROUPS && reached; group++) {
        int32_t amount = solve_group(at->amount, group);
        reached = p->job->loose ? amount >= need[group] : amount == need[group];
    }
    return reached;
}

static verdict walk(prover *p, int32_t i, const course *at) {
    if (++p->nodes > p->limit) {
        return OUT_OF_NODES;
    }
    if (p->nodes % NODES_PER_ASK == 0 && solve_stopped(p->job)) {
        return STOPPED;
    }
    if (i == p->count) {
        if (!is_reached(p, at)) {
            return RULED_OUT;
        }
        if (p->brews) {
            keep_mix(p);
            raise_floor(p);
        }
        return p->brews ? RULED_OUT : BETTER;
    }
    const solve_item *item = &p->item[i];
    for (int32_t c = item->must; c <= item->copies && c <= at->slots; c++) {
        course next = *at;
        next.slots -= c;
        next.total += c * item->total;
        next.paid += solve_paid(item, c);
        next.room -= p->surplus[i][c];
        for (int a = 0; a < SOLVE_AXES; a++) {
            next.amount[a] += c * item->amount[a];
        }
        if (next.total > p->duals->to) {
            break;
        }
        if (is_hopeless(p, i + 1, &next)) {
            continue;
        }
        p->taken[i] = (uint8_t)c;
        verdict told = walk(p, i + 1, &next);
        if (told != RULED_OUT) {
            return told;
        }
    }
    return RULED_OUT;
}

/* Whether a mix of n items costs at most `most`. */
static verdict look(prover *p, int32_t n, int32_t most) {
    int64_t constant =
        solve_least_constant(p->job, p->duals, n) + (int64_t)p->duals->worth * potion_brewed(n);
    course none = {.slots = n, .room = (int64_t)SOLVE_SCALE * most - constant};
    p->most = most;
    return is_hopeless(p, 0, &none) ? RULED_OUT : walk(p, 0, &none);
}

/* No potion of a range is worth more than `profit`. */
static verdict rule_out_profit(prover *p, const solve_job *job, const solve_duals *d,
                               int32_t profit) {
    verdict told = RULED_OUT;
    prover_init(p, job, d);
    for (int32_t n = 2; n <= job->slots && told == RULED_OUT; n++) {
        int32_t most = potion_brewed(n) * d->price - profit - 1, budget = job->task->budget;
        p->spare = budget > 0 && budget < most ? most - budget : 0;
        raise_floor(p);
        told = look(p, n, most - p->spare);
    }
    return told;
}

/* No potion of a range exists, at any price or within the budget. `counted` is the job with every
 * piece at the price of one. */
static verdict rule_out_any(prover *p, const solve_job *job, const solve_job *counted,
                            const solve_duals *range) {
    solve_duals d = {.from = range->from, .to = range->to, .limit = range->limit};
    d.code = range->code;
    verdict told = RULED_OUT;
    const solve_job *priced = job->task->budget > 0 ? job : counted;
    solve_duals_fit(priced, &d);
    prover_init(p, priced, &d);
    p->floor = 0;
    for (int32_t n = 2; n <= job->slots && told == RULED_OUT; n++) {
        told = look(p, n, job->task->budget > 0 ? job->task->budget : n);
    }
    return told;
}

/* ---- ranges ---- */

static solve_job *counted_job(const solve_job *job) {
    solve_job *counted = lu_alloc(sizeof *counted);
    *counted = *job;
    for (int32_t i = 0; i < job->count; i++) {
        counted->item[i].price = 1;
        counted->item[i].owned = 0;
    }
    return counted;
}

solve_duals *solve_ranges(const solve_job *job, int32_t *count) {
    size_t most = job->loose ? SOLVE_RANGES : (size_t)job->sizes + 1;
    solve_duals *duals = lu_alloc(most * sizeof *duals);
    *count = job->loose ? solve_list_classes(job, -1e9, duals) : 0;
    for (int32_t k = job->sizes; k >= 1 && !job->loose; k--) {
        if (solve_good_enough(job, k)) {
            solve_duals_find(job, k, &duals[(*count)++]);
        }
    }
    return duals;
}

/* All totals above `total`, as ranges without prices: every size alone, or of a loose job all
 * totals of each class. Returns their number. */
static int32_t ranges_above(const solve_job *job, int32_t total, solve_duals *duals) {
    int32_t count = 0;
    for (int32_t k = job->sizes; k * job->sum > total && !job->loose; k--) {
        if (solve_good_enough(job, k)) {
            duals[count++] = (solve_duals){.from = k * job->sum, .to = k * job->sum};
        }
    }
    for (int code = POTION_PERFECT; code >= job->task->stability && job->loose; code--) {
        int32_t from = solve_smallest(job, code), to = job->task->max_magimins;
        from = from > total ? from : total + 1;
        if (from <= to) {
            duals[count] = (solve_duals){.from = from, .to = to, .code = code};
            duals[count++].limit =
                potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - code].limit;
        }
    }
    return count;
}

/* The ranges of exactly one total. */
static int32_t ranges_of(const solve_job *job, int32_t total, solve_duals *duals) {
    int32_t count = 0;
    if (!job->loose) {
        solve_duals_find(job, total / job->sum, &duals[count++]);
        return count;
    }
    for (int code = POTION_PERFECT; code >= job->task->stability; code--) {
        if (solve_grade(code, total) >= job->task->least_grade) {
            solve_duals_class(job, code, total, total, &duals[count++]);
        }
    }
    return count;
}

lu_status solve_prove(const solve_job *job, const potion_brew *brew, bool all, int64_t limit,
                      potion_proof *proof, lu_error *error) {
    prover *p = lu_alloc_zero(1, sizeof *p);
    solve_job *counted = counted_job(job);
    int32_t total = brew->found ? brew->mix.total : 0, count = 0;
    bool above = !brew->found || !all;
    solve_duals *duals = lu_alloc(((size_t)job->sizes + POTION_CODES) * sizeof *duals);
    verdict told = RULED_OUT;
    p->limit = limit;
    if (above) {
        count = ranges_above(job, total, duals);
    }
    for (int32_t i = 0; i < count && told == RULED_OUT; i++) {
        solve_progress(job, (double)i / (double)count, "second proof");
        told = rule_out_any(p, job, counted, &duals[i]);
    }
    if (brew->found) {
        free(duals);
        duals = all ? solve_ranges(job, &count) : lu_alloc(POTION_CODES * sizeof *duals);
        count = all ? count : ranges_of(job, total, duals);
        for (int32_t i = 0; i < count && told == RULED_OUT; i++) {
            solve_progress(job, (double)i / (double)count, "second proof");
            told = rule_out_profit(p, job, &duals[i], brew->profit);
        }
    }
    proof->nodes = p->nodes;
    proof->proven = told == RULED_OUT;
    free(duals);
    free(counted);
    free(p);
    if (told == BETTER) {
        return lu_fail(error, LU_FAILED,
                       "the second proof found a better mix: this is a bug in the solver");
    }
    return told == STOPPED ? solve_interrupted(error) : LU_OK;
}

/* ---- the best mixes ---- */

/* Mixes of at least the level, over all ranges that may have one. */
static verdict list_best(prover *p, const solve_job *job, const solve_duals *duals, int32_t count) {
    verdict told = RULED_OUT;
    p->kept = 0;
    for (int32_t i = 0; i < count && told == RULED_OUT; i++) {
        if (duals[i].bound >= p->level) {
            solve_progress(job, (double)i / (double)count, "the best mixes");
            told = rule_out_profit(p, job, &duals[i], p->level - 1);
        }
    }
    return told;
}

/* Levels from `best` down until there are enough mixes; *open is the profit above which there is
 * certainly nothing else. */
static verdict list_levels(prover *p, const solve_job *job, const solve_duals *duals, int32_t count,
                           int32_t best, int32_t *open) {
    int32_t lowest = -POTION_ITEMS_MAX * 1000;
    verdict told = RULED_OUT;
    *open = best;
    for (int32_t below = 8; told == RULED_OUT && p->kept < p->wanted; below *= 2) {
        p->level = best - below > lowest ? best - below : lowest;
        told = list_best(p, job, duals, count);
        *open = told == RULED_OUT ? p->level : *open;
        if (p->level == lowest) {
            break;
        }
    }
    return told;
}

lu_status solve_top(const solve_job *job, int32_t wanted, int64_t limit, potion_brew *brews,
                    int32_t *count, lu_error *error) {
    prover *p = lu_alloc_zero(1, sizeof *p);
    int32_t ranges, open, best = brews[0].profit;
    solve_duals *duals = solve_ranges(job, &ranges);
    p->brews = brews;
    p->wanted = wanted;
    p->limit = limit;
    verdict told = list_levels(p, job, duals, ranges, best, &open);
    *count = p->kept;
    free(duals);
    free(p);
    if (told == OUT_OF_NODES) {
        return lu_fail(error, LU_LIMIT, "%lld partial mixes do not suffice for the best %d mixes",
                       (long long)limit, (int)wanted);
    }
    return told == STOPPED ? solve_interrupted(error) : LU_OK;
}

/* ---- without tables ---- */

/* The mix that the walk ended with. */
static void take_walked(const prover *p, const solve_job *job, potion_brew *brew) {
    memset(brew->pieces, 0, sizeof brew->pieces);
    for (int32_t i = 0; i < p->count; i++) {
        brew->pieces[p->item[i].action] = p->taken[i];
    }
    brew->found = true;
    potion_brew_add_up(job->task, brew);
}

/* The job with only the ingredients that fit a range best: few enough to walk through. */
static void keep_few(const solve_job *job, const solve_duals *d, solve_job *few) {
    enum { FEW = 9 };
    int32_t order[POTION_INGREDIENTS];
    for (int32_t i = 0; i < job->count; i++) {
        int32_t at = i, surplus = solve_surplus(&job->item[i], d, 1);
        for (; at > 0 && solve_surplus(&job->item[order[at - 1]], d, 1) > surplus; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    *few = *job;
    few->count = 0;
    for (int32_t i = 0; i < job->count; i++) {
        if (i < FEW || job->item[order[i]].must > 0) {
            few->item[few->count++] = job->item[order[i]];
        }
    }
}

/* Whether a range has a mix: of the ingredients that fit it best, or of any. */
static verdict find_any(prover *p, const solve_job *job, const solve_job *counted,
                        const solve_duals *range) {
    const solve_job *priced = job->task->budget > 0 ? job : counted;
    solve_job *few = lu_alloc(sizeof *few);
    solve_duals d = *range;
    solve_duals_fit(priced, &d);
    keep_few(priced, &d, few);
    p->limit = p->nodes + PATIENCE;
    verdict told = rule_out_any(p, few, few, range);
    if (told == RULED_OUT || told == OUT_OF_NODES) {
        p->limit = p->nodes + PATIENCE;
        told = rule_out_any(p, job, counted, range);
    }
    free(few);
    return told;
}

/* What comes next below `total`, largest first: a size, or a block of totals. */
static bool next_range(const solve_job *job, int32_t total, solve_duals *range) {
    if (job->loose) {
        *range = total > 0 ? solve_block(job, total) : (solve_duals){.code = 0};
        return total > 0;
    }
    int32_t k = total / job->sum;
    *range = (solve_duals){.from = k * job->sum, .to = k * job->sum};
    range->code = solve_good_enough(job, k) ? POTION_PERFECT : 0;
    return k > 0;
}

/* Some potion of a large total, from the largest down; totals that take too many nodes stay open,
 * and each of them makes the next step down larger. */
static verdict any_large(prover *p, const solve_job *job, potion_brew *brew) {
    solve_job *counted = counted_job(job);
    solve_duals range;
    verdict told = RULED_OUT;
    int32_t step = 0, total = job->loose ? job->task->max_magimins : job->sizes * job->sum;
    brew->total_bound = 0;
    for (; told == RULED_OUT && next_range(job, total, &range); total = range.from - 1 - step) {
        told = range.code > 0 ? find_any(p, job, counted, &range) : RULED_OUT;
        if (told == BETTER) {
            take_walked(p, job, brew);
        }
        bool open = told == OUT_OF_NODES || (told == BETTER && brew->mix.total < range.to);
        if (open && brew->total_bound == 0) {
            brew->total_bound = range.to;
        }
        if (told == OUT_OF_NODES && p->nodes < NODES_WITHOUT_TABLES) {
            told = RULED_OUT;
            step += job->sum;
        }
    }
    free(counted);
    return told;
}

/* The largest profit that no range rules out. */
static int32_t highest_bound(const solve_duals *duals, int32_t count) {
    int32_t bound = -SOLVE_NONE;
    for (int32_t i = 0; i < count; i++) {
        bound = duals[i].bound > bound ? duals[i].bound : bound;
    }
    return bound;
}

/* A good mix to begin with: of the best range's best ingredients. */
static void begin_well(prover *p, const solve_job *job, const solve_duals *duals, int32_t count,
                       potion_brew *brew) {
    solve_job *few = lu_alloc(sizeof *few);
    const solve_duals *best = duals;
    int32_t open;
    for (int32_t i = 1; i < count; i++) {
        best = duals[i].bound > best->bound ? &duals[i] : best;
    }
    keep_few(job, best, few);
    potion_brew found = {.found = false};
    p->brews = &found;
    p->wanted = 1;
    p->limit = p->nodes + 4 * PATIENCE;
    list_levels(p, few, best, 1, best->bound, &open);
    if (p->kept > 0 && found.profit > brew->profit) {
        found.total_bound = brew->total_bound;
        *brew = found;
    }
    free(few);
}

/* The most profitable mix of some ranges, as far as the nodes reach. */
static verdict best_walked(prover *p, const solve_job *job, const solve_duals *duals, int32_t count,
                           potion_brew *brew) {
    int32_t bound = highest_bound(duals, count), open;
    potion_brew best = {.found = false};
    if (count > 0) {
        begin_well(p, job, duals, count, brew);
    }
    p->brews = &best;
    p->wanted = 1;
    p->kept = 0;
    p->limit = p->nodes + NODES_WITHOUT_TABLES;
    verdict told = list_levels(p, job, duals, count, bound, &open);
    if (p->kept > 0 && best.profit > brew->profit) {
        best.total_bound = brew->total_bound;
        *brew = best;
    }
    brew->optimal = told == RULED_OUT;
    brew->bound = told == RULED_OUT ? brew->profit : open;
    return told;
}

/* Traits are beyond it: then the most profitable mix without them is an answer, with a bound. */
static verdict improve(prover *p, const solve_job *job, bool all, potion_brew *brew) {
    solve_job *plain = lu_alloc(sizeof *plain);
    solve_duals few[POTION_CODES] = {{0}}, *duals = few;
    int32_t open = brew->total_bound, total = brew->mix.total, count;
    *plain = *job;
    plain->traits = false;
    if (all) {
        duals = solve_ranges(plain, &count);
    } else {
        count = ranges_of(plain, total, few);
    }
    verdict told = best_walked(p, plain, duals, count, brew);
    brew->total_bound = all ? 0 : open > total ? open : total;
    brew->optimal = brew->optimal && (all || open <= total);
    if (all) {
        free(duals);
    }
    if (job->traits) {
        duals = solve_ranges(job, &count);
        brew->bound = highest_bound(duals, count);
        brew->optimal = false;
        free(duals);
    }
    free(plain);
    return told;
}

lu_status solve_without_tables(const solve_job *job, bool all, potion_brew *brew, lu_error *error) {
    prover *p = lu_alloc_zero(1, sizeof *p);
    memset(brew, 0, sizeof *brew);
    verdict told = any_large(p, job, brew);
    if (told == BETTER && job->unsold) {
        brew->optimal = brew->paid == 0;
    } else if (told == BETTER) {
        told = improve(p, job, all, brew);
    } else {
        brew->optimal = told == RULED_OUT && brew->total_bound == 0;
    }
    free(p);
    return told == STOPPED ? solve_interrupted(error) : LU_OK;
}
