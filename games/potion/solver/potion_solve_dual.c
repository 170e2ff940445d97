/* Prices of magimins, of the total and of slots: the duals of the linear programme "the cheapest
 * mix of these totals, less half a potion per item". They turn the price of each ingredient into
 * what it costs beyond the ideal, its surplus; a mix costs a constant plus the sum of surpluses,
 * exactly, in whole numbers. A loose job prices the wanted magimins only, at 0 or more: an error of
 * E then saves at most E times the highest of these prices. */
#include "solver/potion_solve_internal.h"

#include <math.h>
#include <string.h>

enum {
    UNKNOWNS = SOLVE_AXES + 2,
    DUAL_MOST = 400,  /* gold per magimin */
    LOOSE_MOST = 60,  /* the same where the total has a price, too: sums stay below SOLVE_NONE */
    SLOT_MOST = 6000, /* gold per slot */
    CUTS_MOST = 1500,
    LOOSE_CUTS_MOST = 3000
};

/* Surplus of a piece that is paid for, times the scale. */
static int32_t surplus_of(const solve_item *item, const solve_duals *d) {
    int32_t ideal = d->slot + d->total * item->total;
    for (int a = 0; a < SOLVE_AXES; a++) {
        ideal += d->axis[a] * item->amount[a];
    }
    return SOLVE_SCALE * item->price - ideal;
}

int32_t solve_surplus(const solve_item *item, const solve_duals *d, int32_t n) {
    int32_t saved = n * item->price - solve_paid(item, n);
    return n * surplus_of(item, d) - SOLVE_SCALE * saved;
}

int64_t solve_constant(const solve_job *job, const solve_duals *d, int32_t total, int32_t n) {
    int64_t sum = (int64_t)d->slot * n - (int64_t)d->worth * potion_brewed(n);
    if (!job->loose) {
        for (int a = 0; a < SOLVE_AXES; a++) {
            sum += (int64_t)d->axis[a] * job->part[a] * (total / job->sum);
        }
        return sum;
    }
    sum += (int64_t)d->total * total;
    for (int group = 0; group < SOLVE_GROUPS; group++) {
        if (d->spill[group] > 0) {
            sum += (int64_t)d->spill[group] * solve_need(job, d->limit, total, group);
        }
    }
    return sum;
}

/* How many of an ingredient's owned and paid pieces a choice takes that saves all it can. */
static void saving_pieces(const solve_item *item, bool owned, bool paid, int32_t *free_pieces,
                          int32_t *paid_pieces) {
    int32_t first = item->owned < item->copies ? item->owned : item->copies;
    int32_t due = item->must < first ? item->must : first;
    *free_pieces = owned || paid ? first : due;
    *paid_pieces = paid ? item->copies - first : item->must > first ? item->must - first : 0;
    *free_pieces = *paid_pieces > 0 ? first : *free_pieces;
}

int64_t solve_least_surplus(const solve_job *job, const solve_duals *d) {
    int64_t sum = 0;
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        int32_t paid = surplus_of(item, d), owned = paid - SOLVE_SCALE * item->price, n, m;
        saving_pieces(item, owned < 0, paid < 0, &n, &m);
        sum += (int64_t)owned * n + (int64_t)paid * m;
    }
    return sum;
}

/* Whole gold not above value / scale. */
static int32_t floor_gold(int64_t value) {
    int64_t gold = value / SOLVE_SCALE;
    gold -= value % SOLVE_SCALE < 0;
    return (int32_t)(gold < -SOLVE_NONE ? -SOLVE_NONE : gold);
}

/* It changes by steps of whole needs, so that the two ends alone would not do. */
int64_t solve_least_constant(const solve_job *job, const solve_duals *d, int32_t n) {
    int64_t least = INT64_MAX;
    for (int32_t total = d->from; total <= d->to; total++) {
        int64_t sum = solve_constant(job, d, total, n);
        least = sum < least ? sum : least;
    }
    return least;
}

void solve_duals_bound(const solve_job *job, solve_duals *duals) {
    int64_t least = INT64_MAX, surplus = solve_least_surplus(job, duals);
    int64_t first = solve_least_constant(job, duals, 0);
    int64_t budget = (int64_t)SOLVE_SCALE * job->task->budget;
    for (int32_t n = 2; n <= job->slots; n++) {
        int64_t paid = first + (int64_t)duals->slot * n + surplus;
        int64_t sum = paid - (int64_t)duals->worth * potion_brewed(n);
        if ((job->task->budget == 0 || paid <= budget) && sum < least) {
            least = sum;
        }
    }
    int64_t sold =
        (int64_t)duals->worth * potion_brewed(job->slots); /* nothing costs less than 0 */
    least = least < -sold ? -sold : least;
    duals->bound = least == INT64_MAX ? -SOLVE_NONE : floor_gold(-least);
}

/* ---- the programme ---- */

/* Unknowns: a price per axis with a part, then the total's (loose jobs), then the slot's. */
typedef struct programme {
    const solve_job *job;
    const solve_duals *duals;
    int axes, axis[SOLVE_AXES];
    int total, slot; /* unknowns; total -1 = none */
} programme;

/* What the constraints pay, and its slope. */
static double paid_by_totals(const programme *p, const double *y, double *slope) {
    const solve_job *job = p->job;
    if (!job->loose) {
        int32_t k = p->duals->from / job->sum;
        double value = 0.0;
        for (int a = 0; a < p->axes; a++) {
            slope[a] = (double)(job->part[p->axis[a]] * k);
            value += y[a] * slope[a];
        }
        return value;
    }
    double error = p->duals->limit / 400.0, per = y[p->total];
    int highest = 0;
    for (int a = 0; a < p->axes; a++) {
        slope[a] = (double)job->part[p->axis[a]] / (double)job->sum;
        per += y[a] * slope[a];
        highest = y[a] > y[highest] ? a : highest;
    }
    per -= y[highest] * error;
    slope[highest] -= error;
    double total = per >= 0.0 ? p->duals->from : p->duals->to;
    for (int a = 0; a < p->axes; a++) {
        slope[a] *= total;
    }
    slope[p->total] = total;
    return per * total;
}

/* The dual function at y: a lower bound of cost - worth n / 2, and its slope. */
static double dual_at(const programme *p, const double *y, double *slope) {
    const solve_job *job = p->job;
    double value = paid_by_totals(p, y, slope) + y[p->slot] * job->slots;
    slope[p->slot] = job->slots;
    for (int32_t i = 0; i < job->count; i++) {
        const solve_item *item = &job->item[i];
        double surplus = item->price - 0.5 * p->duals->worth / SOLVE_SCALE - y[p->slot];
        for (int a = 0; a < p->axes; a++) {
            surplus -= y[a] * item->amount[p->axis[a]];
        }
        surplus -= p->total >= 0 ? y[p->total] * item->total : 0.0;
        int32_t n, m;
        saving_pieces(item, surplus < item->price, surplus < 0.0, &n, &m);
        if (n + m > 0) {
            value += surplus * (n + m) - (double)item->price * n;
            slope[p->slot] -= n + m;
            for (int a = 0; a < p->axes; a++) {
                slope[a] -= (double)((n + m) * item->amount[p->axis[a]]);
            }
            if (p->total >= 0) {
                slope[p->total] -= (double)((n + m) * item->total);
            }
        }
    }
    return value;
}

/* One cut of the ellipsoid around y by the half space against `slope`; false
 * when it is empty or the value inside differs by less than a twentieth of a
 * coin. */
static bool cut(int d, double *y, double (*shape)[UNKNOWNS], const double *slope, double behind) {
    double move[UNKNOWNS] = {0}, width = 0.0;
    for (int i = 0; i < d; i++) {
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

/* A price that is not allowed: a slot's above 0 (fewer items are allowed), in a loose job a
 * magimin's below 0. The slope leads back, in gold; returns how far. */
static double not_allowed(const programme *p, const double *y, double *slope) {
    int worst = y[p->slot] > 0.0 ? p->slot : -1;
    double scale = -1.0;
    for (int a = 0; a < p->axes && p->job->loose && worst < 0; a++) {
        if (y[a] < 0.0) {
            worst = a;
            scale = p->duals->to;
        }
    }
    if (worst < 0) {
        return -1.0;
    }
    memset(slope, 0, UNKNOWNS * sizeof *slope);
    slope[worst] = scale;
    return worst == p->slot ? 0.0 : -y[worst] * scale;
}

/* What prices are multiplied by to stay within their limits; beyond them there is no mix at all,
 * and a part of such prices shows it as well. */
static double shrinking(const programme *p, const double *y) {
    double shrink = 1.0;
    for (int i = 0; i <= p->slot; i++) {
        double most = i == p->slot ? SLOT_MOST : p->job->loose ? LOOSE_MOST : DUAL_MOST;
        double part = most / (fabs(y[i]) + 1e-9);
        shrink = part < shrink ? part : shrink;
    }
    return shrink;
}

static int32_t scaled(double value) {
    return (int32_t)floor(value * SOLVE_SCALE + 0.5);
}

/* Prices of the axes as prices of groups, each within the one before it: the highest price of an
 * axis counts for it alone beyond the next one. */
static void price_groups(const solve_job *job, solve_duals *duals) {
    int groups = 0;
    memset(duals->spill, 0, sizeof duals->spill);
    for (int a = 0; a < SOLVE_AXES; a++) {
        groups |= job->part[a] > 0 ? 1 << a : 0;
    }
    for (int32_t below = 0; groups && job->loose;) {
        int lowest = -1;
        for (int a = 0; a < SOLVE_AXES; a++) {
            if (groups >> a & 1 && (lowest < 0 || duals->axis[a] < duals->axis[lowest])) {
                lowest = a;
            }
        }
        duals->spill[groups - 1] = duals->axis[lowest] - below;
        below = duals->axis[lowest];
        groups &= ~(1 << lowest);
    }
}

/* The ellipsoid method: three to five unknowns, no degenerate cases, and whatever it ends with is a
 * valid bound. */
void solve_duals_fit(const solve_job *job, solve_duals *duals) {
    programme p = {.job = job, .duals = duals, .total = -1};
    for (int a = 0; a < SOLVE_AXES; a++) {
        if (job->part[a] > 0) {
            p.axis[p.axes++] = a;
        }
    }
    p.slot = p.axes;
    if (job->loose) {
        p.total = p.axes;
        p.slot = p.axes + 1;
    }
    int d = p.slot + 1, cuts = job->loose ? LOOSE_CUTS_MOST : CUTS_MOST;
    double y[UNKNOWNS] = {0}, best[UNKNOWNS] = {0}, shape[UNKNOWNS][UNKNOWNS] = {{0}};
    double slope[UNKNOWNS] = {0}, top = -HUGE_VAL;
    for (int i = 0; i < d; i++) {
        double radius = i == p.slot ? SLOT_MOST : job->loose ? LOOSE_MOST : 200.0;
        shape[i][i] = radius * radius;
    }
    for (int c = 0; c < cuts; c++) {
        double behind = not_allowed(&p, y, slope);
        if (behind < 0.0) {
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
    double shrink = shrinking(&p, best);
    for (int a = 0; a < p.axes; a++) {
        duals->axis[p.axis[a]] = scaled(best[a] * shrink);
    }
    duals->total = job->loose ? scaled(best[p.total] * shrink) : 0;
    duals->slot = scaled(best[p.slot] * shrink) + duals->worth / 2;
    price_groups(job, duals);
    solve_duals_bound(job, duals);
}

static void price_potion(const solve_job *job, solve_duals *duals) {
    int grade = solve_grade(duals->code, duals->from);
    duals->price = job->unsold ? 0 : potion_prices[job->task->recipe][grade];
    double most = potion_unit_value(duals->price, job->traits ? solve_best_traits(job) : 0, 0.0);
    duals->worth = (int32_t)ceil(most * SOLVE_SCALE - 1e-6);
    solve_duals_fit(job, duals);
}

void solve_duals_find(const solve_job *job, int32_t k, solve_duals *duals) {
    *duals = (solve_duals){.from = k * job->sum, .to = k * job->sum, .code = POTION_PERFECT};
    price_potion(job, duals);
}

void solve_duals_class(const solve_job *job, int code, int32_t from, int32_t to,
                       solve_duals *duals) {
    *duals = (solve_duals){.from = from, .to = to, .code = code};
    duals->limit = potion_stability[POTION_RULES_GAME * 4 + POTION_PERFECT - code].limit;
    price_potion(job, duals);
}
