/* Ratings: see rating.h. Newton's method on the logarithm of the likelihood, which is concave: a
 * few rounds with one factorisation each. Functions are those of math.h of ours, so that all
 * machines give the same bits. */
#include "ludus/rating.h"

#include "ludus/math.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100 };

static const double UNIT =
    173.71779276130073;                    /* points of Elo in one unit of the logit: 400/ln 10 */
static const double Z = 1.959963984540054; /* 97.5 % point of the normal distribution */
static const double STILL = 1e-10;         /* a step of no account, in logits */
static const double LONGEST = 2.0;         /* step, in logits: the start may be far away */

/* ---- Elo ---- */

void lu_elo_move(double *ratings, const bool *frozen, int players, const lu_outcome *outcomes,
                 int count) {
    double *gain = lu_alloc_zero((size_t)players, sizeof *gain);
    for (int i = 0; i < count; i++) {
        const lu_outcome *o = &outcomes[i];
        double expected = lu_elo_score(ratings[o->a] - ratings[o->b]);
        gain[o->a] += LU_ELO_STEP * (o->points - expected);
        gain[o->b] -= LU_ELO_STEP * (o->points - expected);
    }
    for (int p = 0; p < players; p++) {
        ratings[p] += frozen && frozen[p] ? 0.0 : gain[p];
    }
    free(gain);
}

/* ---- the fit ---- */

/* One unknown per player that is no anchor; without anchors the sum of all is held by `held`. */
typedef struct fit {
    lu_rating *ratings;
    const lu_meeting *meetings;
    int players, count;
    int unknowns, *place; /* of a player among the unknowns, -1 of an anchor */
    double held;          /* added to all of the matrix where only differences are known */
    double *logit;        /* by player */
    double *slope;        /* by unknown */
    double *curve;        /* unknowns x unknowns: of the logarithm, with its sign turned */
    double *noise;        /* the same: sum over results of the products of their slopes */
} fit;

static double sigmoid(double x) {
    return 1.0 / (1.0 + lu_exp(-x));
}

static int seeds_of(const lu_meeting *m) {
    return m->pairs[0] + m->pairs[1] + m->pairs[2] + m->pairs[3] + m->pairs[4];
}

/* Adds x to a symmetric matrix as the difference of two players meets it. */
static void add_difference(const fit *f, double *matrix, const lu_meeting *m, double x) {
    int a = f->place[m->a], b = f->place[m->b], n = f->unknowns;
    if (a >= 0) {
        matrix[a * n + a] += x;
    }
    if (b >= 0) {
        matrix[b * n + b] += x;
    }
    if (a >= 0 && b >= 0) {
        matrix[a * n + b] -= x;
        matrix[b * n + a] -= x;
    }
}

/* Slope, curve and noise of one meeting. */
static void add_meeting(const fit *f, const lu_meeting *m) {
    double share = sigmoid(f->logit[m->a] - f->logit[m->b]);
    double drawn = 0.5 - share, slope = drawn, squares = drawn * drawn;
    for (int i = 0; i < 5; i++) {
        double over = 0.5 * i - 2.0 * share;
        slope += m->pairs[i] * over;
        squares += m->pairs[i] * over * over;
    }
    if (f->place[m->a] >= 0) {
        f->slope[f->place[m->a]] += slope;
    }
    if (f->place[m->b] >= 0) {
        f->slope[f->place[m->b]] -= slope;
    }
    add_difference(f, f->curve, m, (2.0 * seeds_of(m) + 1.0) * share * (1.0 - share));
    add_difference(f, f->noise, m, squares);
}

static void measure(const fit *f) {
    size_t n = (size_t)f->unknowns;
    memset(f->slope, 0, n * sizeof *f->slope);
    memset(f->noise, 0, n * n * sizeof *f->noise);
    for (size_t i = 0; i < n * n; i++) {
        f->curve[i] = f->held;
    }
    for (int i = 0; i < f->count; i++) {
        add_meeting(f, &f->meetings[i]);
    }
}

/* Factorises in place by Cholesky; the curve is positive, since all players are connected. */
static void factorise(double *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = i == j ? lu_sqrt(sum > 1e-300 ? sum : 1e-300) : sum / a[j * n + j];
        }
    }
}

static void solve(const double *a, int n, double *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= a[i * n + k] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= a[k * n + i] * x[k];
        }
        x[i] /= a[i * n + i];
    }
}

/* Steps to the top; the curve that is left is factorised. */
static void climb(const fit *f) {
    int n = f->unknowns;
    double most = 1.0;
    for (int round = 0; round < ROUNDS && most > STILL; round++) {
        measure(f);
        factorise(f->curve, n);
        solve(f->curve, n, f->slope);
        most = 0.0;
        for (int i = 0; i < n; i++) {
            most = lu_fmax(most, lu_fabs(f->slope[i]));
        }
        double length = most > LONGEST ? LONGEST / most : 1.0;
        for (int p = 0; p < f->players; p++) {
            f->logit[p] += f->place[p] < 0 ? 0.0 : length * f->slope[f->place[p]];
        }
    }
}

/* Variance of an unknown: x noise x, where x is its column of the inverse of the curve. */
static double variance(const fit *f, int unknown) {
    int n = f->unknowns;
    double *x = f->slope, sum = 0.0;
    memset(x, 0, (size_t)n * sizeof *x);
    x[unknown] = 1.0;
    solve(f->curve, n, x);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += x[i] * f->noise[i * n + j] * x[j];
        }
    }
    return sum;
}

static void tell(const fit *f) {
    for (int p = 0; p < f->players; p++) {
        lu_rating *r = &f->ratings[p];
        if (f->place[p] >= 0) {
            double half = Z * UNIT * lu_sqrt(lu_fmax(variance(f, f->place[p]), 0.0));
            r->elo = LU_ELO_START + UNIT * f->logit[p];
            r->low = r->elo - half;
            r->high = r->elo + half;
        } else {
            r->low = r->high = r->elo;
        }
    }
    for (int i = 0; i < f->count; i++) {
        const lu_meeting *m = &f->meetings[i];
        double games = 2.0 * seeds_of(m);
        double points = 0.5 * (m->pairs[1] + 2 * m->pairs[2] + 3 * m->pairs[3] + 4 * m->pairs[4]);
        f->ratings[m->a].games += games;
        f->ratings[m->b].games += games;
        f->ratings[m->a].points += points;
        f->ratings[m->b].points += games - points;
    }
}

/* Whether everybody is connected to the first anchor, or without one to the first player. Marks
 * spread along meetings until nothing changes. */
static bool connected(const lu_rating *ratings, int players, const lu_meeting *meetings,
                      int count) {
    bool *reached = lu_alloc_zero((size_t)players, sizeof *reached), anchors = false, more = true;
    for (int p = 0; p < players; p++) {
        reached[p] = ratings[p].anchor;
        anchors = anchors || reached[p];
    }
    reached[0] = reached[0] || !anchors;
    while (more) {
        more = false;
        for (int i = 0; i < count; i++) {
            bool *a = &reached[meetings[i].a], *b = &reached[meetings[i].b];
            more = more || *a != *b;
            *a = *b = *a || *b;
        }
    }
    bool all = true;
    for (int p = 0; p < players; p++) {
        all = all && reached[p];
    }
    free(reached);
    return all;
}

lu_status lu_rate(lu_rating *ratings, int players, const lu_meeting *meetings, int count,
                  lu_error *error) {
    if (players < 1 || !connected(ratings, players, meetings, count)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "not all players have met, directly or through others, so they cannot be "
                       "rated together");
    }
    size_t n = (size_t)players;
    fit f = {.ratings = ratings, .meetings = meetings, .players = players, .count = count};
    f.place = lu_alloc_zero(n, sizeof *f.place);
    f.logit = lu_alloc_zero(2 * n, sizeof *f.logit);
    f.slope = f.logit + n;
    f.curve = lu_alloc_zero(2 * n * n, sizeof *f.curve);
    f.noise = f.curve + n * n;
    for (int p = 0; p < players; p++) {
        lu_rating *r = &ratings[p];
        f.place[p] = r->anchor ? -1 : f.unknowns++;
        f.logit[p] = r->anchor ? (r->elo - LU_ELO_START) / UNIT : 0.0;
        *r = (lu_rating){.anchor = r->anchor, .elo = r->elo};
    }
    f.held = f.unknowns == players ? 1.0 : 0.0;
    if (f.unknowns > 0) {
        climb(&f);
    }
    tell(&f);
    free(f.place);
    free(f.logit);
    free(f.curve);
    return LU_OK;
}
