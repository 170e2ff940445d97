/* The cheapest mix of one size. Prices of magimins and slots (the duals of the
 * linear programme) turn the price of each ingredient into what it costs beyond
 * the ideal; a mix of n items costs a constant plus the sum of these surpluses,
 * exactly, in whole numbers. The search decides one ingredient after the other,
 * the worst first, and keeps every different partial mix that can still end
 * within the allowed surplus. What it can still end with is bounded by tables
 * over the sums of each group of magimins, made for the ingredients that are
 * still to come; all of it is exact for stocks of any size. Cost: tables of
 * ingredients x groups x items x amounts, and 16 bytes per partial mix. */
#include "potion_solve_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUPS = 7,        /* sets of axes: bit a = axis a */
    NONE = 1000000000, /* surplus: not possible */
    DUAL_MOST = 400,   /* gold per magimin */
    SLOT_MOST = 6000,  /* gold per slot */
    STATES_PER_ASK = 4096
};

/* ---- duals ---- */

/* Surplus of an ingredient, times the scale. */
static int32_t surplus_of(const solve_item *item, const solve_duals *d) {
    int32_t ideal = d->slot;
    for (int a = 0; a < SOLVE_AXES; a++) {
        ideal += d->axis[a] * item->amount[a];
    }
    return SOLVE_SCALE * item->price - ideal;
}

/* Constant part of what n items of this size cost less what they sell for. */
static int64_t constant_of(const solve_job *job, const solve_duals *d, int32_t n) {
    int64_t sum = (int64_t)d->slot * n - (int64_t)d->worth * potion_brewed(n);
    for (int a = 0; a < SOLVE_AXES; a++) {
        sum += (int64_t)d->axis[a] * job->part[a] * d->k;
    }
    return sum;
}

/* Least surplus of any choice: what must be taken, and all pieces that save
 * gold. */
static int64_t least_surplus(const solve_job *job, const solve_duals *d) {
    int64_t sum = 0;
    for (int32_t i = 0; i < job->count; i++) {
        int32_t surplus = surplus_of(&job->item[i], d);
        sum += (int64_t)surplus * (surplus < 0 ? job->item[i].copies : job->item[i].must);
    }
    return sum;
}

/* Whole gold not above value / scale. */
static int32_t floor_gold(int64_t value) {
    int64_t gold = value / SOLVE_SCALE;
    gold -= value % SOLVE_SCALE < 0;
    return (int32_t)(gold < -NONE ? -NONE : gold);
}

static int32_t limited(int64_t surplus) {
    return (int32_t)(surplus > NONE / 2 ? NONE / 2 : surplus < -NONE / 2 ? -NONE / 2 : surplus);
}

/* Surplus that n items may have for at least this profit, with the best traits
 * if they count. */
static int32_t surplus_room(const solve_job *job, const solve_duals *d, int32_t n, double least) {
    return limited((int64_t)floor(-SOLVE_SCALE * least) - constant_of(job, d, n));
}

/* Surplus that n items may have within the budget. */
static int32_t budget_room(const solve_job *job, const solve_duals *d, int32_t n) {
    int64_t paid = constant_of(job, d, n) + (int64_t)d->worth * potion_brewed(n);
    int64_t budget = (int64_t)SOLVE_SCALE * job->task->budget;
    return job->task->budget > 0 ? limited(budget - paid) : NONE / 2;
}

void solve_duals_bound(const solve_job *job, solve_duals *duals) {
    int64_t least = INT64_MAX, surplus = least_surplus(job, duals);
    for (int32_t n = 2; n <= job->slots; n++) {
        int64_t sum = constant_of(job, duals, n) + surplus;
        if (budget_room(job, duals, n) >= limited(surplus) && sum < least) {
            least = sum;
        }
    }
    duals->bound = least == INT64_MAX ? -NONE : floor_gold(-least);
}

/* The dual function at y (axes with a part, then the slot): a lower bound of
 * cost - worth n / 2, and its slope. */
typedef struct programme {
    const solve_job *job;
    const solve_duals *duals;
    int axes, axis[SOLVE_AXES];
} programme;

static double dual_at(const programme *p, const double *y, double *slope) {
    const solve_job *job = p->job;
    double value = y[p->axes] * job->slots;
    slope[p->axes] = job->slots;
    for (int a = 0; a < p->axes; a++) {
        slope[a] = (double)(job->part[p->axis[a]] * p->duals->k);
        value += y[a] * slope[a];
    }
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        double surplus = item->price - 0.5 * p->duals->worth / SOLVE_SCALE - y[p->axes];
        for (int a = 0; a < p->axes; a++) {
            surplus -= y[a] * item->amount[p->axis[a]];
        }
        int32_t taken = surplus < 0.0 ? item->copies : item->must;
        if (taken > 0) {
            value += surplus * taken;
            slope[p->axes] -= taken;
            for (int a = 0; a < p->axes; a++) {
                slope[a] -= (double)(taken * item->amount[p->axis[a]]);
            }
        }
    }
    return value;
}

/* One cut of the ellipsoid around y by the half space against `slope`; false
 * when it is empty or the value inside differs by less than a twentieth of a
 * coin. */
static bool cut(int d, double *y, double (*shape)[4], const double *slope, double behind) {
    double move[4], width = 0.0;
    for (int i = 0; i < d; i++) {
        move[i] = 0.0;
        for (int j = 0; j < d; j++) {
            move[i] += shape[i][j] * slope[j];
        }
        width += slope[i] * move[i];
    }
    width = sqrt(width > 0.0 ? width : 0.0);
    if (width < 0.05 || behind >= width) {
        return false;
    }
    double depth = behind / width;
    double shift = (1.0 + d * depth) / (d + 1.0);
    double grow = d * d * (1.0 - depth * depth) / (d * d - 1.0);
    double flat = 2.0 * (1.0 + d * depth) / ((d + 1.0) * (1.0 + depth));
    for (int i = 0; i < d; i++) {
        y[i] += shift * move[i] / width;
    }
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            shape[i][j] = grow * (shape[i][j] - flat * move[i] * move[j] / (width * width));
        }
    }
    return true;
}

static int32_t scaled(double value, int most) {
    value = value > most ? most : value < -most ? -most : value;
    return (int32_t)floor(value * SOLVE_SCALE + 0.5);
}

void solve_duals_find(const solve_job *job, int32_t k, solve_duals *duals) {
    int grade = potion_grade_after(potion_raw_grade(k * job->sum),
                                   potion_stability[POTION_RULES_GAME * 4].shift);
    *duals = (solve_duals){.k = k, .price = potion_prices[job->task->recipe][grade]};
    double most = potion_unit_value(duals->price, job->traits ? solve_best_traits(job) : 0, 0.0);
    duals->worth = (int32_t)ceil(most * SOLVE_SCALE - 1e-6);
    solve_duals_fit(job, duals);
}

/* The ellipsoid method: three or four unknowns, no degenerate cases, and whatever it ends with is a
 * valid bound. */
void solve_duals_fit(const solve_job *job, solve_duals *duals) {
    enum { CUTS_MOST = 1500 };
    programme p = {.job = job, .duals = duals};
    for (int a = 0; a < SOLVE_AXES; a++) {
        if (job->part[a] > 0) {
            p.axis[p.axes++] = a;
        }
    }
    int d = p.axes + 1;
    double y[4] = {0}, best[4] = {0}, shape[4][4] = {{0}}, slope[4], top = -HUGE_VAL;
    for (int i = 0; i < d; i++) {
        double radius = i < p.axes ? 200.0 : SLOT_MOST;
        shape[i][i] = radius * radius;
    }
    for (int c = 0; c < CUTS_MOST; c++) {
        double behind = 0.0;
        if (y[p.axes] > 0.0) { /* a slot has no price above 0: fewer items are allowed */
            memset(slope, 0, sizeof slope);
            slope[p.axes] = -1.0;
        } else {
            double value = dual_at(&p, y, slope);
            if (value > top) {
                top = value;
                memcpy(best, y, sizeof best);
            }
            behind = top - value;
        }
        if (!cut(d, y, shape, slope, behind)) {
            break;
        }
    }
    for (int a = 0; a < p.axes; a++) {
        duals->axis[p.axis[a]] = scaled(best[a], DUAL_MOST);
    }
    duals->slot = scaled(best[p.axes], SLOT_MOST) + duals->worth / 2;
    solve_duals_bound(job, duals);
}

/* ---- tables ---- */

/* Surplus that the ingredients from `stage` on need at least for exactly n
 * items and an exact sum over a group of axes. */
typedef struct bounds {
    int32_t stages, slots;
    int32_t cells[GROUPS]; /* sums of a group, 0 = the group is not used */
    size_t at[GROUPS];     /* of the group within a stage */
    size_t stage;          /* cells of a stage */
    int32_t *cell;
} bounds;

static int32_t group_sum(const int32_t *amount, int group) {
    int32_t sum = 0;
    for (int a = 0; a < SOLVE_AXES; a++) {
        sum += (group + 1) >> a & 1 ? amount[a] : 0;
    }
    return sum;
}

static int32_t *bounds_row(const bounds *b, int32_t stage, int group, int32_t n) {
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

static void bounds_stage(bounds *b, int32_t stage, const solve_item *item, int32_t surplus) {
    int32_t *to_stage = b->cell + (size_t)stage * b->stage;
    if (item->must == 0) {
        memcpy(to_stage, to_stage + b->stage, b->stage * sizeof *b->cell);
    }
    for (size_t x = 0; x < b->stage && item->must > 0; x++) {
        to_stage[x] = NONE;
    }
    for (int group = 0; group < GROUPS; group++) {
        int32_t step = group_sum(item->amount, group);
        for (int32_t n = 1; n <= b->slots && b->cells[group] > 0; n++) {
            int32_t *to = bounds_row(b, stage, group, n);
            if (item->free) {
                lower(to, bounds_row(b, stage, group, n - 1), b->cells[group], step, surplus);
            }
            int32_t first = item->must > 0 ? item->must : 1;
            for (int32_t c = first; c <= item->copies && c <= n && !item->free; c++) {
                lower(to, bounds_row(b, stage + 1, group, n - c), b->cells[group], step * c,
                      surplus * c);
            }
        }
    }
}

/* ---- traits ---- */

/* Ingredients are decided by falling total when traits count, so the first that
 * has a sense decides it, together with others of the same total. Per sense 9
 * bits: good and bad among those that decide, and whether a smaller total has
 * been reached, so that nothing changes it any more. */
enum { SENSE_BITS = 9, SENSE_MASK = 15, SENSE_OVER = 1 << 8 };

static int sense_of(uint64_t traits, int sense) {
    return (int)(traits >> (SENSE_BITS * sense) & ((1 << SENSE_BITS) - 1));
}

static int divisor(int a, int b) {
    while (b > 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The total falls: what is decided stays. Only the ratio of good and bad
 * matters from here on. */
static uint64_t traits_settle(uint64_t traits) {
    uint64_t settled = 0;
    for (int k = 0; k < POTION_SENSES; k++) {
        int sense = sense_of(traits, k);
        int good = sense & SENSE_MASK, bad = sense >> 4 & SENSE_MASK;
        if (good + bad > 0) {
            int by = divisor(good, bad);
            sense = SENSE_OVER | good / by | bad / by << 4;
        }
        settled |= (uint64_t)sense << (SENSE_BITS * k);
    }
    return settled;
}

static uint64_t traits_add(uint64_t traits, int action) {
    for (int k = 0; k < POTION_SENSES; k++) {
        int sign = potion_traits[action][k];
        if (sign != 0 && !(sense_of(traits, k) & SENSE_OVER)) {
            traits += (uint64_t)(sign > 0 ? 1 : 16) << (SENSE_BITS * k);
        }
    }
    return traits;
}

/* The largest sum these traits can end with; `open` are the senses that pieces
 * still to come have something good for. With none it is the sum itself. */
static double traits_most(uint64_t traits, unsigned open) {
    double sum = 0.0;
    for (int k = 0; k < POTION_SENSES; k++) {
        int sense = sense_of(traits, k);
        int good = sense & SENSE_MASK, bad = sense >> 4 & SENSE_MASK;
        if (open >> k & 1 && !(sense & SENSE_OVER)) {
            sum += 1.0;
        } else if (good + bad > 0) {
            sum += (double)(good - bad) / (double)(good + bad);
        }
    }
    return sum;
}

static unsigned good_senses(int action) {
    unsigned senses = 0;
    for (int k = 0; k < POTION_SENSES; k++) {
        senses |= (potion_traits[action][k] > 0 ? 1u : 0u) << k;
    }
    return senses;
}

int solve_best_traits(const solve_job *job) {
    unsigned senses = 0;
    for (int32_t i = 0; i < job->count; i++) {
        senses |= good_senses(job->item[i].action);
    }
    return (int)traits_most(0, senses);
}

/* ---- the search ---- */

typedef struct state {
    uint64_t key;    /* items << 36 | amounts, 12 bits each */
    uint64_t traits; /* 0 when they do not count */
    int32_t surplus; /* so far */
    uint32_t parent; /* in the pool */
} state;

typedef struct search {
    const solve_job *job;
    const solve_duals *duals;
    int32_t target[SOLVE_AXES];
    int32_t count, item[POTION_INGREDIENTS], surplus[POTION_INGREDIENTS]; /* in order of decision */
    int32_t room_profit, room_budget;      /* surplus that profit and budget allow */
    unsigned open[POTION_INGREDIENTS + 1]; /* senses with something good from a stage on */
    bounds bounds;
    size_t memory; /* left for states */
    state *pool;
    uint32_t states, room;
    uint32_t *slot; /* hash table of the newest stage: index + 1 */
    uint32_t slots; /* a power of two */
    uint32_t first; /* state of the newest stage */
    bool complete;
} search;

static uint64_t key_of(int32_t n, const int32_t *amount) {
    return (uint64_t)n << 36 | (uint64_t)amount[0] << 24 | (uint64_t)amount[1] << 12 |
           (uint64_t)amount[2];
}

static int32_t key_items(uint64_t key) {
    return (int32_t)(key >> 36);
}

static uint32_t *slot_of(const search *s, uint64_t key, uint64_t traits) {
    uint64_t mixed = (key ^ traits * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(mixed >> 32) & (s->slots - 1);
    while (s->slot[at] &&
           (s->pool[s->slot[at] - 1].key != key || s->pool[s->slot[at] - 1].traits != traits)) {
        at = (at + 1) & (s->slots - 1);
    }
    return &s->slot[at];
}

static void grow_slots(search *s) {
    s->slots *= 2;
    free(s->slot);
    s->slot = lu_alloc_zero(s->slots, sizeof *s->slot);
    for (uint32_t i = s->first; i < s->states; i++) {
        *slot_of(s, s->pool[i].key, s->pool[i].traits) = i + 1;
    }
}

/* False when the memory ends. While growing, the old and the new pool are both
 * there. */
static bool grow_pool(search *s) {
    uint64_t room = (uint64_t)s->room * 2;
    uint64_t bytes = room * (sizeof(state) * 3 / 2 + 2 * sizeof(uint32_t));
    if (bytes > s->memory || room > UINT32_MAX / 4) {
        return false;
    }
    state *more = lu_alloc((size_t)room * sizeof *more);
    memcpy(more, s->pool, s->states * sizeof *more);
    free(s->pool);
    s->pool = more;
    s->room = (uint32_t)room;
    return true;
}

/* Keeps a partial mix, or the cheaper one of two that are alike. */
static void keep(search *s, const state *made) {
    uint32_t *slot = slot_of(s, made->key, made->traits);
    if (*slot) {
        state *old = &s->pool[*slot - 1];
        if (made->surplus < old->surplus) {
            *old = *made;
        }
        return;
    }
    if (s->states == s->room && !grow_pool(s)) {
        s->complete = false;
        return;
    }
    s->pool[s->states] = *made;
    *slot = ++s->states;
    if ((s->states - s->first) * 2 > s->slots) {
        grow_slots(s);
    }
}

/* Whether n more items from `stage` on can give `rest` with at most this
 * surplus. */
static bool can_end(const search *s, int32_t stage, int32_t n, const int32_t *rest, int32_t most) {
    for (int group = 0; group < GROUPS; group++) {
        if (s->bounds.cells[group] > 0 &&
            bounds_row(&s->bounds, stage, group, n)[group_sum(rest, group)] > most) {
            return false;
        }
    }
    return true;
}

/* What n items of these traits sell for less than with the best ones, scaled.
 */
static double traits_loss(const search *s, uint64_t traits, unsigned open, int32_t n) {
    double value = potion_unit_value(s->duals->price, traits_most(traits, open), 0.0);
    return potion_brewed(n) * ((double)s->duals->worth - value * SOLVE_SCALE);
}

/* All numbers of pieces of one ingredient from one partial mix. */
static void expand(search *s, uint32_t from, int32_t stage, int32_t n) {
    const solve_item *item = &s->job->item[s->item[stage]];
    state base = s->pool[from];
    int32_t amount[SOLVE_AXES], rest[SOLVE_AXES], used = key_items(base.key);
    if (s->job->traits && stage > 0 && item->total < s->job->item[s->item[stage - 1]].total) {
        base.traits = traits_settle(base.traits);
    }
    for (int a = 0; a < SOLVE_AXES; a++) {
        amount[a] = (int32_t)(base.key >> (12 * (SOLVE_AXES - 1 - a)) & 0xfff);
        amount[a] += item->must * item->amount[a];
        rest[a] = s->target[a] - amount[a];
    }
    for (int32_t c = item->must; c <= item->copies && used + c <= n; c++) {
        state made = {.parent = from, .traits = base.traits};
        int32_t most = s->room_profit;
        if (rest[0] < 0 || rest[1] < 0 || rest[2] < 0) {
            break;
        }
        made.key = key_of(used + c, amount);
        made.surplus = base.surplus + c * s->surplus[stage];
        if (s->job->traits) {
            made.traits = c > 0 ? traits_add(made.traits, item->action) : made.traits;
            most -= (int32_t)floor(traits_loss(s, made.traits, s->open[stage + 1], n) - 1e-6);
        }
        most = most < s->room_budget ? most : s->room_budget;
        if (can_end(s, stage + 1, n - used - c, rest, most - made.surplus)) {
            keep(s, &made);
        }
        for (int a = 0; a < SOLVE_AXES; a++) {
            amount[a] += item->amount[a];
            rest[a] -= item->amount[a];
        }
    }
}

/* What led to a state of the last stage. */
static void trace_back(const search *s, uint32_t at, uint8_t *pieces) {
    memset(pieces, 0, POTION_ACTIONS);
    for (int32_t stage = s->count - 1; stage >= 0; stage--) {
        uint32_t parent = s->pool[at].parent;
        int32_t taken = key_items(s->pool[at].key) - key_items(s->pool[parent].key);
        pieces[s->job->item[s->item[stage]].action] = (uint8_t)taken;
        at = parent;
    }
}

/* The largest profit among the mixes that are left at the end. */
static void take_best(const search *s, uint32_t begin, int32_t n, solve_found *found) {
    for (uint32_t i = begin; i < s->states; i++) {
        double loss = s->job->traits ? traits_loss(s, s->pool[i].traits, 0, n) : 0.0;
        double cost = (double)(constant_of(s->job, s->duals, n) + s->pool[i].surplus);
        double profit = -(cost + loss) / SOLVE_SCALE;
        if (!found->found || profit > found->profit) {
            found->found = true;
            found->profit = profit;
            trace_back(s, i, found->pieces);
        }
    }
}

/* Mixes of exactly n items within the surplus that is allowed. */
static lu_status search_items(search *s, int32_t n, solve_found *found, lu_error *error) {
    uint32_t begin = 0;
    int32_t most = s->room_profit < s->room_budget ? s->room_profit : s->room_budget;
    if (!can_end(s, 0, n, s->target, most)) {
        return LU_OK;
    }
    s->pool[0] = (state){0, 0, 0, 0};
    s->states = 1;
    for (int32_t stage = 0; stage < s->count; stage++) {
        uint32_t end = s->states;
        s->first = end;
        memset(s->slot, 0, s->slots * sizeof *s->slot);
        for (uint32_t i = begin; i < end; i++) {
            if (i % STATES_PER_ASK == 0 && solve_stopped(s->job)) {
                return solve_interrupted(error);
            }
            expand(s, i, stage, n);
        }
        begin = end;
    }
    take_best(s, begin, n, found); /* the tables let through only the target itself */
    return LU_OK;
}

/* ---- set-up ---- */

typedef struct entry {
    int32_t total, surplus, item;
} entry;

/* By falling total where traits count (it is 0 elsewhere), then the worst
 * first. */
static int by_order(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->total != y->total) {
        return x->total < y->total ? 1 : -1;
    }
    if (x->surplus != y->surplus) {
        return x->surplus < y->surplus ? 1 : -1;
    }
    return (x->item > y->item) - (x->item < y->item);
}

/* Ingredients that may be in a mix of at most this surplus, in the order of
 * decision. */
static void pick_items(search *s, int64_t most) {
    const solve_job *job = s->job;
    entry order[POTION_INGREDIENTS];
    int64_t least = least_surplus(job, s->duals);
    for (int32_t i = 0; i < job->count; i++) {
        int32_t surplus = surplus_of(&job->item[i], s->duals);
        if (job->item[i].must > 0 || least + (surplus > 0 ? surplus : 0) <= most) {
            order[s->count++] = (entry){job->traits ? job->item[i].total : 0, surplus, i};
        }
    }
    qsort(order, (size_t)s->count, sizeof *order, by_order);
    s->open[s->count] = 0;
    for (int32_t stage = s->count - 1; stage >= 0; stage--) {
        s->surplus[stage] = order[stage].surplus;
        s->item[stage] = order[stage].item;
        s->open[stage] = s->open[stage + 1] | good_senses(job->item[s->item[stage]].action);
    }
}

static lu_status bounds_init(search *s, lu_error *error) {
    const solve_job *job = s->job;
    bounds *b = &s->bounds;
    b->stages = s->count;
    b->slots = job->slots;
    for (int group = 0; group < GROUPS; group++) {
        bool used = true; /* groups with an axis that has no part are others again */
        for (int a = 0; a < SOLVE_AXES; a++) {
            used = used && !((group + 1) >> a & 1 && job->part[a] == 0);
        }
        b->cells[group] = used ? group_sum(s->target, group) + 1 : 0;
        b->at[group] = b->stage;
        b->stage += (size_t)b->cells[group] * (size_t)(b->slots + 1);
    }
    size_t cells = b->stage * (size_t)(b->stages + 1), bytes = cells * sizeof *b->cell;
    if (bytes >= job->task->memory) {
        return lu_fail(error, LU_LIMIT,
                       "the tables of bounds need %zu MB, more than the limit of "
                       "%zu MB; raise the "
                       "limit or take a smaller cauldron",
                       (bytes >> 20) + 1, job->task->memory >> 20);
    }
    s->memory = job->task->memory - bytes;
    b->cell = lu_alloc(bytes);
    for (size_t i = 0; i < b->stage; i++) {
        b->cell[(size_t)b->stages * b->stage + i] = NONE;
    }
    for (int group = 0; group < GROUPS; group++) {
        if (b->cells[group] > 0) {
            *bounds_row(b, b->stages, group, 0) = 0;
        }
    }
    for (int32_t stage = s->count - 1; stage >= 0; stage--) {
        bounds_stage(b, stage, &job->item[s->item[stage]], s->surplus[stage]);
    }
    return LU_OK;
}

lu_status solve_cost(const solve_job *job, const solve_duals *d, int32_t least, solve_found *found,
                     lu_error *error) {
    enum { ROOM = 1 << 12 };
    int32_t most = -NONE;
    *found = (solve_found){.complete = true, .last = !job->traits};
    for (int32_t n = 2; n <= job->slots; n++) {
        int32_t room = surplus_room(job, d, n, least), paid = budget_room(job, d, n);
        found->last = found->last && room >= paid;
        room = room < paid ? room : paid;
        most = room > most ? room : most;
    }
    if (d->bound < least) {
        return LU_OK;
    }
    search *s = lu_alloc_zero(1, sizeof *s);
    s->job = job;
    s->duals = d;
    s->complete = true;
    for (int a = 0; a < SOLVE_AXES; a++) {
        s->target[a] = d->k * job->part[a];
    }
    pick_items(s, most);
    lu_status status = bounds_init(s, error);
    s->room = ROOM;
    s->slots = ROOM;
    s->pool = lu_alloc(ROOM * sizeof *s->pool);
    s->slot = lu_alloc(ROOM * sizeof *s->slot);
    for (int32_t n = job->slots; n >= 2 && status == LU_OK; n--) {
        s->room_profit = surplus_room(job, d, n, found->found ? found->profit : least);
        s->room_budget = budget_room(job, d, n);
        status = search_items(s, n, found, error);
    }
    found->complete = s->complete;
    free(s->slot);
    free(s->pool);
    free(s->bounds.cell);
    free(s);
    return status;
}
