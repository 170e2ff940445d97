/* The cheapest mix of some totals. The search decides one ingredient after the other, the worst
 * first, and keeps every different partial mix that the tables of bounds allow to end within the
 * surplus that profit and budget leave; all of it is exact for stocks of any size. Cost: the
 * tables, and 24 bytes per partial mix. */
#include "solver/potion_solve_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_PER_ASK = 4096, DIVE_NODES = 20000 };

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
    uint64_t key; /* items << 48 | total << 36 | amounts, 12 bits each; the total of loose jobs */
    uint64_t traits; /* 0 when they do not count */
    int32_t surplus; /* so far */
    uint32_t parent; /* in the pool */
} state;

typedef struct search {
    const solve_job *job;
    const solve_duals *duals;
    int32_t total, need[SOLVE_GROUPS + 1];   /* of the mixes that are searched */
    int32_t wanted;                          /* fewest wanted magimins */
    int64_t constant;                        /* of the total, for no items */
    int32_t count, item[POTION_INGREDIENTS]; /* in order of decision */
    int32_t surplus[POTION_INGREDIENTS][POTION_ITEMS_MAX + 1];
    int32_t room_profit, room_budget;      /* surplus that profit and budget allow */
    unsigned open[POTION_INGREDIENTS + 1]; /* senses with something good from a stage on */
    solve_bounds bounds;
    size_t memory; /* left for states */
    state *pool;
    uint32_t states, room;
    uint32_t *slot; /* hash table of the newest stage: index + 1 */
    uint32_t slots; /* a power of two */
    uint32_t first; /* state of the newest stage */
    bool complete;
} search;

static uint64_t key_of(int32_t n, int32_t total, const int32_t *amount) {
    return (uint64_t)n << 48 | (uint64_t)total << 36 | (uint64_t)amount[0] << 24 |
           (uint64_t)amount[1] << 12 | (uint64_t)amount[2];
}

static int32_t key_items(uint64_t key) {
    return (int32_t)(key >> 48);
}

static int32_t key_total(uint64_t key) {
    return (int32_t)(key >> 36 & 0xfff);
}

static int32_t key_amount(uint64_t key, int axis) {
    return (int32_t)(key >> (12 * (SOLVE_AXES - 1 - axis)) & 0xfff);
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

/* What n items of these traits sell for less than with the best ones, scaled.
 */
static double traits_loss(const search *s, uint64_t traits, unsigned open, int32_t n) {
    double value = potion_unit_value(s->duals->price, traits_most(traits, open), 0.0);
    return potion_brewed(n) * ((double)s->duals->worth - value * SOLVE_SCALE);
}

/* Whether these amounts are already too much. */
static bool is_over(const search *s, const int32_t *amount, int32_t total) {
    if (s->job->loose) {
        int32_t wanted = amount[0] + amount[1] + amount[2];
        return total > s->total || total - wanted > s->total - s->wanted;
    }
    return amount[0] > s->need[0] || amount[1] > s->need[1] || amount[2] > s->need[3];
}

/* All numbers of pieces of one ingredient from one partial mix. */
static void expand(search *s, uint32_t from, int32_t stage, int32_t n) {
    const solve_item *item = &s->job->item[s->item[stage]];
    state base = s->pool[from];
    int32_t amount[SOLVE_AXES], used = key_items(base.key);
    int32_t weight = s->job->loose ? item->total : 0;
    int32_t total = key_total(base.key) + item->must * weight;
    if (s->job->traits && stage > 0 && item->total < s->job->item[s->item[stage - 1]].total) {
        base.traits = traits_settle(base.traits);
    }
    for (int a = 0; a < SOLVE_AXES; a++) {
        amount[a] = key_amount(base.key, a) + item->must * item->amount[a];
    }
    for (int32_t c = item->must; c <= item->copies && used + c <= n; c++) {
        state made = {.parent = from, .traits = base.traits};
        int32_t most = s->room_profit;
        if (is_over(s, amount, total)) {
            break;
        }
        made.key = key_of(used + c, total, amount);
        made.surplus = base.surplus + s->surplus[stage][c];
        if (s->job->traits) {
            made.traits = c > 0 ? traits_add(made.traits, item->action) : made.traits;
            most -= (int32_t)floor(traits_loss(s, made.traits, s->open[stage + 1], n) - 1e-6);
        }
        most = most < s->room_budget ? most : s->room_budget;
        if (solve_bounds_allow(&s->bounds, stage + 1, n - used - c, s->need, amount, total,
                               most - made.surplus)) {
            keep(s, &made);
        }
        total += weight;
        for (int a = 0; a < SOLVE_AXES; a++) {
            amount[a] += item->amount[a];
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

/* Surplus of a whole mix: magimins of a group beyond what is needed have their price, too. */
static int64_t whole_surplus(const search *s, const state *end) {
    int64_t surplus = end->surplus;
    int32_t amount[SOLVE_AXES];
    for (int a = 0; a < SOLVE_AXES; a++) {
        amount[a] = key_amount(end->key, a);
    }
    for (int group = 0; group < SOLVE_GROUPS && s->job->loose; group++) {
        int32_t beyond = solve_group(amount, group) - s->need[group];
        surplus += (int64_t)s->duals->spill[group] * beyond;
    }
    return surplus;
}

/* What n items of the total cost less what they sell for, without their surplus. */
static int64_t constant_of(const search *s, int32_t n) {
    return s->constant + (int64_t)s->duals->slot * n - (int64_t)s->duals->worth * potion_brewed(n);
}

/* The largest profit among the mixes that are left at the end; those of a loose job may still be
 * beyond what is allowed. */
static void take_best(const search *s, uint32_t begin, int32_t n, solve_found *found) {
    int64_t constant = constant_of(s, n);
    for (uint32_t i = begin; i < s->states; i++) {
        int64_t surplus = whole_surplus(s, &s->pool[i]);
        double loss = s->job->traits ? traits_loss(s, s->pool[i].traits, 0, n) : 0.0;
        double profit = -((double)(constant + surplus) + loss) / SOLVE_SCALE;
        if (surplus <= s->room_budget && (double)surplus + loss <= (double)s->room_profit + 1e-6 &&
            (!found->found || profit > found->profit)) {
            found->found = true;
            found->profit = profit;
            trace_back(s, i, found->pieces);
        }
    }
}

/* One mix of n items with at most this surplus, depth first; the pool holds the way to it, a state
 * per stage. False: there is none, or the nodes are used up. */
static bool dive(search *s, int32_t stage, int32_t n, int32_t most, int32_t *nodes) {
    if (stage == s->count) {
        return true;
    }
    const solve_item *item = &s->job->item[s->item[stage]];
    const state base = s->pool[stage];
    int32_t used = key_items(base.key);
    for (int32_t c = item->must; c <= item->copies && used + c <= n; c++) {
        int32_t amount[SOLVE_AXES], surplus = base.surplus + s->surplus[stage][c];
        for (int a = 0; a < SOLVE_AXES; a++) {
            amount[a] = key_amount(base.key, a) + c * item->amount[a];
        }
        if (is_over(s, amount, 0) || --*nodes < 0) {
            return false;
        }
        s->pool[stage + 1] = (state){key_of(used + c, 0, amount), 0, surplus, (uint32_t)stage};
        if (solve_bounds_allow(&s->bounds, stage + 1, n - used - c, s->need, amount, 0,
                               most - surplus) &&
            dive(s, stage + 1, n, most, nodes)) {
            return true;
        }
    }
    return false;
}

/* Where nothing costs anything, one mix of n items is as good as all the others. False: the nodes
 * did not suffice. */
static bool take_any(search *s, int32_t n, int32_t most, solve_found *found) {
    int32_t nodes = DIVE_NODES;
    if (dive(s, 0, n, most, &nodes)) {
        s->states = (uint32_t)s->count + 1;
        take_best(s, (uint32_t)s->count, n, found);
    }
    if (s->job->work) {
        *s->job->work -= DIVE_NODES - nodes;
    }
    return nodes >= 0;
}

/* Mixes of exactly n items within the surplus that is allowed. */
static lu_status search_items(search *s, int32_t n, solve_found *found, lu_error *error) {
    static const int32_t nothing[SOLVE_AXES];
    uint32_t begin = 0;
    int32_t most = s->room_profit < s->room_budget ? s->room_profit : s->room_budget;
    if (!solve_bounds_allow(&s->bounds, 0, n, s->need, nothing, 0, most)) {
        return LU_OK;
    }
    s->pool[0] = (state){0, 0, 0, 0};
    if (s->job->gratis && !s->job->traits && take_any(s, n, most, found)) {
        return LU_OK;
    }
    s->states = 1;
    for (int32_t stage = 0; stage < s->count; stage++) {
        uint32_t end = s->states;
        s->first = end;
        memset(s->slot, 0, s->slots * sizeof *s->slot);
        for (uint32_t i = begin; i < end; i++) {
            if (i % STATES_PER_ASK == 0 && solve_stopped(s->job)) {
                return solve_interrupted(error);
            }
            if (s->job->work && --*s->job->work < 0) {
                s->complete = false;
                return LU_OK;
            }
            expand(s, i, stage, n);
        }
        begin = end;
    }
    take_best(s, begin, n, found); /* the tables let through only what is in ratio */
    return LU_OK;
}

/* ---- set-up ---- */

static int32_t limited(int64_t surplus) {
    int64_t most = SOLVE_NONE / 2;
    return (int32_t)(surplus > most ? most : surplus < -most ? -most : surplus);
}

/* Surplus that n items may have for at least this profit, with the best traits
 * if they count. */
static int32_t surplus_room(const search *s, int32_t n, double least) {
    return limited((int64_t)floor(-SOLVE_SCALE * least) - constant_of(s, n));
}

/* Surplus that n items may have within the budget, or where nothing costs anything. */
static int32_t budget_room(const search *s, int32_t n) {
    int64_t paid =
        solve_constant(s->job, s->duals, s->total, n) + (int64_t)s->duals->worth * potion_brewed(n);
    int64_t budget = (int64_t)SOLVE_SCALE * s->job->task->budget;
    if (s->job->gratis) {
        return limited(-paid);
    }
    return s->job->task->budget > 0 ? limited(budget - paid) : SOLVE_NONE / 2;
}

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
    int64_t least = solve_least_surplus(job, s->duals);
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        int32_t surplus = solve_surplus(item, s->duals, 1);
        if (item->must > 0 || (item->copies > 0 && least + (surplus > 0 ? surplus : 0) <= most)) {
            order[s->count++] = (entry){job->traits ? item->total : 0, surplus, i};
        }
    }
    qsort(order, (size_t)s->count, sizeof *order, by_order);
    s->open[s->count] = 0;
    for (int32_t stage = s->count - 1; stage >= 0; stage--) {
        const solve_item *item = &job->item[order[stage].item];
        s->item[stage] = order[stage].item;
        s->open[stage] = s->open[stage + 1] | good_senses(item->action);
        for (int32_t c = 0; c <= item->copies; c++) {
            s->surplus[stage][c] = solve_surplus(item, s->duals, c);
        }
    }
}

/* Numbers of items and the totals that are searched. */
typedef struct span {
    int32_t first, last;
} span;

/* The most surplus that any of the mixes may have; tells whether a lower level would allow more.
 * The duals become those of the totals that allow enough. */
static int64_t most_room(search *s, solve_duals *own, span items, double least, bool *last) {
    int64_t most = -SOLVE_NONE, enough = solve_least_surplus(s->job, own);
    span totals = {own->to + 1, own->from - 1};
    for (s->total = own->from; s->total <= own->to; s->total++) {
        int32_t largest = -SOLVE_NONE;
        s->constant = solve_constant(s->job, own, s->total, 0);
        for (int32_t n = items.first; n <= items.last; n++) {
            int32_t room = surplus_room(s, n, least), paid = budget_room(s, n);
            *last = *last && room >= paid;
            room = room < paid ? room : paid;
            largest = room > largest ? room : largest;
        }
        if (largest >= enough) {
            totals.first = totals.first < s->total ? totals.first : s->total;
            totals.last = s->total;
            most = largest > most ? largest : most;
        }
    }
    own->from = totals.first;
    own->to = totals.last;
    return most;
}

static lu_status search_totals(search *s, span items, double least, solve_found *found,
                               lu_error *error) {
    lu_status status = LU_OK;
    for (s->total = s->duals->from; s->total <= s->duals->to; s->total++) {
        solve_needed(s->job, s->duals, s->total, s->need);
        s->wanted = s->need[SOLVE_GROUPS - 1];
        s->constant = solve_constant(s->job, s->duals, s->total, 0);
        for (int32_t n = items.last; n >= items.first && status == LU_OK; n--) {
            double more = s->job->traits ? found->profit : found->profit + 1.0; /* whole gold */
            s->room_profit = surplus_room(s, n, found->found ? more : least);
            s->room_budget = budget_room(s, n);
            status = search_items(s, n, found, error);
        }
        if (status != LU_OK) {
            break;
        }
    }
    return status;
}

lu_status solve_cost(const solve_job *job, const solve_duals *d, double least, int32_t items,
                     solve_found *found, lu_error *error) {
    enum { ROOM = 1 << 10 };
    span numbers = {items > 0 ? items : 2, items > 0 ? items : job->slots};
    solve_duals own = *d;
    search *s = lu_alloc_zero(1, sizeof *s);
    *found = (solve_found){.complete = true, .last = !job->traits};
    s->job = job;
    s->duals = &own;
    s->complete = true;
    s->memory = job->task->memory;
    int64_t most = most_room(s, &own, numbers, least, &found->last);
    if (d->bound < least || own.from > own.to) {
        free(s);
        return LU_OK;
    }
    pick_items(s, most);
    lu_status status =
        solve_bounds_init(&s->bounds, job, &own, s->item, s->count, &s->memory, error);
    s->room = ROOM;
    s->slots = ROOM;
    s->pool = lu_alloc(ROOM * sizeof *s->pool);
    s->slot = lu_alloc(ROOM * sizeof *s->slot);
    if (status == LU_OK) {
        status = search_totals(s, numbers, least, found, error);
    } else if (status == LU_LIMIT) { /* no room even for the tables */
        s->complete = false;
        status = LU_OK;
    }
    found->complete = s->complete;
    free(s->slot);
    free(s->pool);
    free(s->bounds.cell);
    free(s);
    return status;
}
