/* Summaries, pairs and the sequential test: see stats.h. The functions are those of math.h of ours,
 * so that all machines give the same bits. */
#include "ludus/stats.h"

#include "ludus/error.h"
#include "ludus/math.h"
#include "ludus/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESAMPLES = 2000,
    FLIPS = 9999,       /* drawn where not all can be tried */
    FLIPS_ALL = 20,     /* up to so many differences all signs are tried */
    BOOTSTRAP_FROM = 8, /* below it resamples say too little */
    LARGE = 2048,       /* from so many values on the normal distribution is as good, and cheap */
    RANKS_EXACT = 1000, /* 2^-n is still a number */
    SPRT_FROM = 16,     /* results before an estimated spread is trusted */
};

static const double Z = 1.959963984540054; /* 97.5 % point of the normal distribution */
static const double TOO_MUCH = 1e150;      /* squares of less can be summed */
static const uint64_t SEED = UINT64_C(0x10d05);

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double clip(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* ---- distributions ---- */

/* Probability below z: 1/2 + density x (z + z^3/3 + z^5/(3 5) + ...). */
static double normal_below(double z) {
    if (lu_fabs(z) > 8.0) {
        return z > 0 ? 1.0 : 0.0;
    }
    double term = z, sum = z;
    for (int k = 3; lu_fabs(term) > 1e-17; k += 2) {
        term *= z * z / k;
        sum += term;
    }
    return 0.5 + sum * lu_exp(-0.5 * z * z) * 0.3989422804014327;
}

/* The z below which `share` lies, by halving. */
static double normal_at(double share) {
    double low = -8, high = 8;
    for (int i = 0; i < 60; i++) {
        double z = 0.5 * (low + high);
        if (normal_below(z) < share) {
            low = z;
        } else {
            high = z;
        }
    }
    return 0.5 * (low + high);
}

/* 97.5 % point of Student's t: a table where it is steep, then the Cornish-Fisher series (error
 * below 0.1 %). */
static double student(int freedom) {
    static const double first[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571};
    if (freedom <= 5) {
        return first[freedom];
    }
    double n = freedom, z3 = Z * Z * Z, z5 = z3 * Z * Z;
    return Z + (z3 + Z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * Z) / (96 * n * n);
}

static double quantile(const double *sorted, int count, double share) {
    double place = share * (count - 1);
    int below = (int)lu_floor(place);
    return below + 1 < count ? sorted[below] + (place - below) * (sorted[below + 1] - sorted[below])
                             : sorted[count - 1];
}

void lu_wilson(double share, int count, double *low, double *high) {
    double z2 = Z * Z, n = count;
    double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    double half = lu_sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    *low = clip(centre - half, 0, share);
    *high = clip(centre + half, share, 1);
}

/* ---- means of the middle, and their intervals ---- */

/* The mean of what is left when `cut` of n values fall away at each end; parts of a value count as
 * such. cut = 0 is the mean, cut = n / 4 the interquartile mean. */
typedef struct middle {
    double value;
    double error; /* standard error */
    double lean;  /* acceleration of the BCa interval: how its error changes with it */
    int freedom;
} middle;

/* By the influence of each value: its distance from the mean after those that are cut have been
 * set to the nearest that is not. */
static middle middle_of(const double *sorted, int n, double share) {
    double cut = share * n, left = n - 2 * cut, base = sorted[n / 2], sum = 0, drawn = 0;
    double low = sorted[(int)lu_floor(cut)], high = sorted[n - 1 - (int)lu_floor(cut)];
    for (int i = 0; i < n; i++) {
        double weight = clip(i + 1, cut, n - cut) - clip(i, cut, n - cut);
        sum += weight * (sorted[i] - base);
        drawn += clip(sorted[i], low, high) - base;
    }
    double mean = base + drawn / n, squares = 0, cubes = 0;
    for (int i = 0; i < n; i++) {
        double far = clip(sorted[i], low, high) - mean;
        squares += far * far;
    }
    double unit = lu_sqrt(squares);
    for (int i = 0; i < n && unit > 0; i++) {
        double far = (clip(sorted[i], low, high) - mean) / unit;
        cubes += far * far * far;
    }
    return (middle){
        .value = base + sum / left,
        .error = n > 1 ? lu_sqrt(squares / (n - 1) / n) / (1 - 2 * share) : 0,
        .lean = cubes / 6,
        .freedom = n - 1 - 2 * (int)lu_floor(cut),
    };
}

/* Means and interquartile means of resamples, in rising order. A resample is how often each value
 * is in it: as the values are sorted, so is the resample. */
static void resample(const double *sorted, int n, double *means, double *iqms) {
    uint16_t *times = lu_alloc((size_t)n * sizeof *times);
    double base = sorted[n / 2], cut = 0.25 * n;
    lu_rng rng = lu_rng_from(SEED);
    for (int r = 0; r < RESAMPLES; r++) {
        double sum = 0, inner = 0, seen = 0, last = 0;
        memset(times, 0, (size_t)n * sizeof *times);
        for (int i = 0; i < n; i++) {
            times[lu_rng_below(&rng, (uint32_t)n)]++;
        }
        for (int i = 0; i < n; i++) {
            seen += times[i];
            double edge = clip(seen, cut, n - cut) - cut;
            sum += times[i] * (sorted[i] - base);
            inner += (edge - last) * (sorted[i] - base);
            last = edge;
        }
        means[r] = base + sum / n;
        iqms[r] = base + inner / (n - 2 * cut);
    }
    qsort(means, RESAMPLES, sizeof *means, by_value);
    qsort(iqms, RESAMPLES, sizeof *iqms, by_value);
    free(times);
}

/* The bias-corrected and accelerated interval (BCa), with its levels moved out from the normal to
 * Student's distribution: resamples of few values spread less than the values' mean does. */
static void bootstrap_interval(const double *resampled, const middle *m, int n, double *low,
                               double *high) {
    double below = 0, near = 1e-9 * m->error;
    for (int r = 0; r < RESAMPLES; r++) {
        below += resampled[r] < m->value - near ? 1.0 : resampled[r] <= m->value + near ? 0.5 : 0.0;
    }
    double bias = normal_at(clip(below, 0.5, RESAMPLES - 0.5) / RESAMPLES);
    double wide = student(n - 1) * lu_sqrt(n / (n - 1.0)), level[2];
    for (int side = 0; side < 2; side++) {
        double z = bias + (side ? wide : -wide), bend = 1 - m->lean * z;
        level[side] = normal_below(bias + z / (bend < 0.1 ? 0.1 : bend));
    }
    *low = quantile(resampled, RESAMPLES, level[0]);
    *high = quantile(resampled, RESAMPLES, level[1]);
}

static void student_interval(const middle *m, double *low, double *high) {
    double half = student(m->freedom < 1 ? 1 : m->freedom) * m->error;
    *low = m->value - half;
    *high = m->value + half;
}

/* The rank r, counted from 1, for which the r-th values from both ends enclose the median with at
 * least 95 %: the chance of fewer than r values below it is at most 2.5 %. 0: there is none. */
static int median_rank(int n) {
    if (n > RANKS_EXACT) {
        return (int)lu_floor(0.5 * n - 0.5 * Z * lu_sqrt(n));
    }
    double chance = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        chance *= 0.5;
    }
    for (int r = 0;; r++) {
        sum += chance;
        if (sum > 0.025) {
            return r;
        }
        chance *= (double)(n - r) / (r + 1);
    }
}

static void intervals(const double *sorted, bool flag, lu_summary *s) {
    int n = s->count;
    middle mean = middle_of(sorted, n, 0), iqm = middle_of(sorted, n, 0.25);
    if (n < BOOTSTRAP_FROM || n >= LARGE) {
        student_interval(&mean, &s->low, &s->high);
        student_interval(&iqm, &s->iqm_low, &s->iqm_high);
    } else {
        double *means = lu_alloc(2 * RESAMPLES * sizeof *means), *iqms = means + RESAMPLES;
        resample(sorted, n, means, iqms);
        bootstrap_interval(means, &mean, n, &s->low, &s->high);
        bootstrap_interval(iqms, &iqm, n, &s->iqm_low, &s->iqm_high);
        free(means);
    }
    if (flag) {
        lu_wilson(s->mean, n, &s->low, &s->high);
    }
    int rank = median_rank(n);
    if (rank > 0) {
        s->median_low = sorted[rank - 1];
        s->median_high = sorted[n - rank];
    }
}

lu_summary lu_summarise(const double *values, int count, bool flag) {
    lu_summary s = {count,  LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN,
                    LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN};
    for (int i = 0; i < count; i++) {
        if (!(lu_fabs(values[i]) < TOO_MUCH)) {
            return s;
        }
    }
    if (count < 1) {
        return s;
    }
    double *sorted = lu_alloc((size_t)count * sizeof *sorted);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    middle mean = middle_of(sorted, count, 0);
    s.mean = mean.value;
    s.deviation = mean.error * lu_sqrt(count);
    s.median = quantile(sorted, count, 0.5);
    s.iqm = middle_of(sorted, count, 0.25).value;
    s.q05 = quantile(sorted, count, 0.05);
    s.q25 = quantile(sorted, count, 0.25);
    s.q75 = quantile(sorted, count, 0.75);
    s.q95 = quantile(sorted, count, 0.95);
    s.least = sorted[0];
    s.most = sorted[count - 1];
    if (count > 1) {
        intervals(sorted, flag, &s);
    }
    free(sorted);
    return s;
}

void lu_summary_write(const lu_summary *s, lu_json *json) {
    lu_json_key_int(json, "count", s->count);
    lu_json_key_real(json, "mean", s->mean);
    lu_json_key_real(json, "low", s->low);
    lu_json_key_real(json, "high", s->high);
    lu_json_key_real(json, "deviation", s->deviation);
    lu_json_key_real(json, "median", s->median);
    lu_json_key_real(json, "median_low", s->median_low);
    lu_json_key_real(json, "median_high", s->median_high);
    lu_json_key_real(json, "iqm", s->iqm);
    lu_json_key_real(json, "iqm_low", s->iqm_low);
    lu_json_key_real(json, "iqm_high", s->iqm_high);
    lu_json_key_real(json, "min", s->least);
    lu_json_key_real(json, "q05", s->q05);
    lu_json_key_real(json, "q25", s->q25);
    lu_json_key_real(json, "q75", s->q75);
    lu_json_key_real(json, "q95", s->q95);
    lu_json_key_real(json, "max", s->most);
}

/* ---- pairs ---- */

const char *lu_verdict_name(lu_verdict verdict) {
    static const char *const names[] = {"undecided", "better", "worse"};
    return names[verdict];
}

/* How many of all ways to sign the values have a sum as far from 0 as `sum`; the first keeps its
 * sign, as the other half mirrors this one. Each step turns one sign (Gray code). */
static double flips_all(const double *values, int count, double sum) {
    double turned = 0, hits = 0, sign[FLIPS_ALL];
    for (int i = 0; i < count; i++) {
        turned += values[i];
        sign[i] = 1;
    }
    uint32_t ways = UINT32_C(1) << (count - 1);
    for (uint32_t way = 1;; way++) {
        hits += lu_fabs(turned) >= sum;
        if (way == ways) {
            return hits / ways;
        }
        int i = 1 + lu_highest_bit(way & (0u - way));
        sign[i] = -sign[i];
        turned += 2 * sign[i] * values[i];
    }
}

static double flips_drawn(const double *values, int count, double sum) {
    lu_rng rng = lu_rng_from(SEED);
    int hits = 1;
    for (int f = 0; f < FLIPS; f++) {
        double turned = 0;
        uint64_t bits = 0;
        for (int i = 0; i < count; i++, bits >>= 1) {
            bits = i % 64 ? bits : lu_rng_u64(&rng);
            turned += bits & 1 ? values[i] : -values[i];
        }
        hits += lu_fabs(turned) >= sum;
    }
    return (double)hits / (FLIPS + 1);
}

/* Two-sided sign-flip test: if a and b were alike, the sign of each difference would be chance. */
static double flip_test(const double *differences, int count) {
    double *values = lu_alloc((size_t)(count + 1) * sizeof *values);
    double sum = 0, sizes = 0, squares = 0, p = 1;
    int left = 0;
    for (int i = 0; i < count; i++) {
        sum += differences[i];
        sizes += lu_fabs(differences[i]);
        squares += differences[i] * differences[i];
        if (differences[i] != 0) {
            values[left++] = differences[i];
        }
    }
    sum = lu_fabs(sum) - 1e-9 * sizes; /* sums that are equal but for rounding are equal */
    if (left >= LARGE) {
        p = 2 * normal_below(-lu_fabs(sum) / lu_sqrt(squares));
    } else if (left > 0) {
        p = left <= FLIPS_ALL ? flips_all(values, left, sum) : flips_drawn(values, left, sum);
    }
    free(values);
    return p;
}

/* Interval of P(a > b) + P(a = b) / 2 as that of a difference of matched shares, wins less losses,
 * after half a win and half a loss and a tie more are put in (Agresti and Min 2005). */
static void improvement_of(lu_pairing *p) {
    double n = p->wins + p->ties + p->losses + 2.0, gain = p->wins - p->losses;
    double centre = gain / n;
    double half = Z * lu_sqrt(p->wins + p->losses + 1.0 - gain * gain / n) / n;
    p->improvement = 0.5 + 0.5 * gain / (n - 2);
    p->improvement_low = clip(0.5 + 0.5 * (centre - half), 0, p->improvement);
    p->improvement_high = clip(0.5 + 0.5 * (centre + half), p->improvement, 1);
}

lu_pairing lu_compare_pairs(const double *a, const double *b, int count, double margin) {
    lu_pairing p = {.improvement = LU_NAN,
                    .improvement_low = LU_NAN,
                    .improvement_high = LU_NAN,
                    .p = LU_NAN,
                    .margin = margin};
    double *differences = lu_alloc((size_t)(count < 1 ? 1 : count) * sizeof *differences);
    assert(margin >= 0);
    for (int i = 0; i < count; i++) {
        differences[i] = a[i] - b[i];
        p.wins += differences[i] > 0;
        p.losses += differences[i] < 0;
        p.ties += differences[i] == 0;
    }
    p.difference = lu_summarise(differences, count, false);
    if (p.difference.mean == p.difference.mean) {
        improvement_of(&p);
        p.p = flip_test(differences, count);
    }
    if (p.p <= 0.05) {
        p.verdict = p.difference.low > margin     ? LU_BETTER
                    : p.difference.high < -margin ? LU_WORSE
                                                  : LU_UNDECIDED;
    }
    free(differences);
    return p;
}

void lu_pairing_write(const lu_pairing *p, lu_json *json) {
    lu_summary_write(&p->difference, json);
    lu_json_key_int(json, "wins", p->wins);
    lu_json_key_int(json, "ties", p->ties);
    lu_json_key_int(json, "losses", p->losses);
    lu_json_key_real(json, "improvement", p->improvement);
    lu_json_key_real(json, "improvement_low", p->improvement_low);
    lu_json_key_real(json, "improvement_high", p->improvement_high);
    lu_json_key_real(json, "p", p->p);
    lu_json_key_real(json, "margin", p->margin);
    lu_json_key_string(json, "verdict", lu_verdict_name(p->verdict));
}

/* ---- several trainings ---- */

/* Square of the standard error of the mean of values; 0 for fewer than two. */
static double error_square(const double *values, int count) {
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        mean += (values[i] - mean) / (i + 1);
    }
    for (int i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return count > 1 ? squares / (count - 1) / count : 0;
}

/* A bootstrap over few trainings is far too narrow (of three it holds the truth in 75 %), so that
 * the interval is Student's. What is left of a value besides its row and its column counts in both
 * sums, which makes the interval wider rather than narrower. */
static void training_interval(const double *rows, const double *columns, lu_effect *e) {
    double by_row = error_square(rows, e->trainings);
    double by_column = error_square(columns, e->episodes);
    double all = by_row + by_column;
    double parts = by_row * by_row / (e->trainings - 1);
    if (e->episodes > 1) {
        parts += by_column * by_column / (e->episodes - 1);
    }
    e->freedom = parts > 0 ? all * all / parts : e->trainings - 1;
    double half = student(e->freedom < LARGE ? (int)lu_floor(e->freedom + 1e-9) : LARGE);
    half *= lu_sqrt(all);
    e->low = e->mean - half;
    e->high = e->mean + half;
}

lu_effect lu_compare_trainings(const double *a, const double *b, int trainings, int episodes) {
    lu_effect e = {trainings, episodes, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN, LU_NAN};
    assert(trainings > 0 && episodes > 0);
    double *rows = lu_alloc_zero((size_t)trainings, sizeof *rows);
    double *columns = lu_alloc_zero((size_t)episodes, sizeof *columns);
    double sums[2] = {0, 0}, count = (double)trainings * episodes;
    bool known = true;
    for (int t = 0; t < trainings; t++) {
        for (int i = 0; i < episodes; i++) {
            size_t at = (size_t)t * (size_t)episodes + (size_t)i;
            known = known && lu_fabs(a[at]) < TOO_MUCH && lu_fabs(b[at]) < TOO_MUCH;
            sums[0] += a[at];
            sums[1] += b[at];
            rows[t] += (a[at] - b[at]) / episodes;
            columns[i] += (a[at] - b[at]) / trainings;
        }
    }
    if (known) {
        e.a = sums[0] / count;
        e.b = sums[1] / count;
        e.mean = e.a - e.b;
    }
    if (known && trainings > 1) {
        training_interval(rows, columns, &e);
    } else if (known) {
        lu_summary alone = lu_summarise(columns, episodes, false);
        e.low = alone.low;
        e.high = alone.high;
    }
    free(rows);
    free(columns);
    return e;
}

void lu_effect_write(const lu_effect *e, lu_json *json) {
    lu_json_key_int(json, "trainings", e->trainings);
    lu_json_key_int(json, "episodes", e->episodes);
    lu_json_key_real(json, "with", e->a);
    lu_json_key_real(json, "without", e->b);
    lu_json_key_real(json, "difference", e->mean);
    lu_json_key_real(json, "low", e->low);
    lu_json_key_real(json, "high", e->high);
    lu_json_key_real(json, "freedom", e->freedom);
}

/* ---- sequential test ---- */

lu_sprt lu_sprt_new(lu_sprt_kind kind, double null, double other, double alpha, double beta) {
    assert(null != other && alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5);
    assert(kind != LU_SPRT_WINS || (null > 0 && null < 1 && other > 0 && other < 1));
    return (lu_sprt){.kind = kind, .null = null, .other = other, .alpha = alpha, .beta = beta};
}

double lu_elo_score(double elo) {
    return 1 / (1 + lu_pow(10, -elo / 400));
}

double lu_score_elo(double score) {
    return score <= 0   ? -LU_INFINITY
           : score >= 1 ? LU_INFINITY
                        : 400 * lu_log(score / (1 - score)) / lu_log(10);
}

lu_sprt lu_sprt_elo(double null, double other, double alpha, double beta) {
    return lu_sprt_new(LU_SPRT_MEANS, lu_elo_score(null), lu_elo_score(other), alpha, beta);
}

void lu_sprt_add(lu_sprt *s, double result) {
    double far = result - s->mean;
    s->count++;
    s->mean += far / s->count;
    s->squares += far * (result - s->mean);
}

/* Wald's: the logarithm of the likelihood of the wins and losses under one guess over the other. */
static double ratio_wins(const lu_sprt *s) {
    double wins = s->count * s->mean;
    return wins * lu_log(s->other / s->null) +
           (s->count - wins) * lu_log((1 - s->other) / (1 - s->null));
}

/* As of a normal distribution with the deviation of the results: n (t1 - t0) (2 m - t0 - t1) / 2,
 * all in deviations. */
static double ratio_normal(const lu_sprt *s) {
    if (s->count < SPRT_FROM) {
        return 0;
    }
    double deviation = lu_sqrt(s->squares / (s->count - 1));
    bool effect = s->kind == LU_SPRT_EFFECT;
    if (deviation == 0 && (!effect || s->mean != 0)) { /* all equal: the nearer guess is right */
        double side = effect ? s->mean * (s->other - s->null)
                             : (s->other - s->null) * (2 * s->mean - s->null - s->other);
        return side > 0 ? LU_INFINITY : side < 0 ? -LU_INFINITY : 0;
    }
    double unit = effect ? 1 : 1 / deviation, mean = s->mean == 0 ? 0 : s->mean / deviation;
    double null = s->null * unit, other = s->other * unit;
    return s->count * (other - null) * (2 * mean - null - other) / 2;
}

double lu_sprt_ratio(const lu_sprt *s) {
    return s->kind == LU_SPRT_WINS ? ratio_wins(s) : ratio_normal(s);
}

double lu_sprt_lower(const lu_sprt *s) {
    return lu_log(s->beta / (1 - s->alpha));
}

double lu_sprt_upper(const lu_sprt *s) {
    return lu_log((1 - s->beta) / s->alpha);
}

lu_sprt_end lu_sprt_decision(const lu_sprt *s) {
    double ratio = lu_sprt_ratio(s);
    return ratio <= lu_sprt_lower(s)   ? LU_SPRT_NULL
           : ratio >= lu_sprt_upper(s) ? LU_SPRT_OTHER
                                       : LU_SPRT_OPEN;
}
