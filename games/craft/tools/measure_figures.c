/* Figures of many episodes: shares by Wilson, the cost of a finished item by the delta method. */
#include "measure.h"
#include "names.h"

#include "ludus/math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define Z 1.959963984540054 /* 95 % */

enum { BINS = 40 };

void craft_tally_add(craft_tally *t, const craft_played *played) {
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->list = lu_realloc(t->list, (size_t)t->room * sizeof *t->list);
    }
    t->list[t->count++] = *played;
}

void craft_tally_free(craft_tally *t) {
    free(t->list);
}

typedef struct interval {
    double mean, low, high;
} interval;

static interval share_of(int hits, int count) {
    double n = count, p = (double)hits / n, zz = Z * Z;
    double middle = (p + zz / (2 * n)) / (1 + zz / n);
    double half = Z / (1 + zz / n) * sqrt(p * (1 - p) / n + zz / (4 * n * n));
    return (interval){p, fmax(0.0, middle - half), fmin(1.0, middle + half)};
}

static int successes_of(const craft_tally *t) {
    int count = 0;
    for (int k = 0; k < t->count; k++) {
        count += t->list[k].success ? 1 : 0;
    }
    return count;
}

/* All that was spent over what was finished, failures included. */
static interval cost_of(const craft_tally *t) {
    double n = t->count, cost = 0.0, done = successes_of(t), square = 0.0;
    for (int k = 0; k < t->count; k++) {
        cost += t->list[k].spent;
    }
    double ratio = cost / done;
    for (int k = 0; k < t->count; k++) {
        double off = t->list[k].spent - ratio * (t->list[k].success ? 1.0 : 0.0);
        square += off * off;
    }
    double half = Z * sqrt(square / n) / sqrt(n) / (done / n);
    return (interval){ratio, fmax(0.0, ratio - half), ratio + half};
}

double craft_tally_cost(const craft_tally *t, double *mean, double *low, double *high) {
    int done = successes_of(t);
    interval cost = {INFINITY, INFINITY, INFINITY};
    if (done > 0) {
        cost = cost_of(t);
    }
    *mean = cost.mean;
    *low = cost.low;
    *high = cost.high;
    return (double)done / t->count;
}

static void write_interval(lu_json *json, const char *key, interval v) {
    lu_json_key_object(json, key);
    lu_json_key_real(json, "mean", v.mean);
    lu_json_key_real(json, "low", v.low);
    lu_json_key_real(json, "high", v.high);
    lu_json_object_end(json);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Costs of the successes, rising; the caller frees them. */
static double *costs_of(const craft_tally *t, int *count) {
    double *costs = lu_alloc((size_t)t->count * sizeof *costs + 1);
    *count = 0;
    for (int k = 0; k < t->count; k++) {
        if (t->list[k].success) {
            costs[(*count)++] = t->list[k].spent;
        }
    }
    qsort(costs, (size_t)*count, sizeof *costs, by_size);
    return costs;
}

static void write_quantiles(lu_json *json, const double *costs, int count) {
    static const int at[] = {10, 25, 50, 75, 90, 99};
    lu_json_key_object(json, "cost_quantiles");
    for (size_t k = 0; k < sizeof at / sizeof *at && count > 0; k++) {
        char key[8];
        snprintf(key, sizeof key, "p%d", at[k]);
        lu_json_key_real(json, key, costs[(int)((int64_t)at[k] * (count - 1) / 100)]);
    }
    lu_json_object_end(json);
}

/* 40 bins between the cheapest and the dearest, each the same factor wide. */
static void write_histogram(lu_json *json, const double *costs, int count) {
    int bins[BINS] = {0};
    double low = count > 0 ? costs[0] : 1.0, high = count > 0 ? costs[count - 1] : 1.0;
    double step = high > low ? lu_log(high / low) / BINS : 1.0;
    for (int k = 0; k < count; k++) {
        int bin = (int)(lu_log(costs[k] / low) / step);
        bins[bin < BINS ? bin : BINS - 1]++;
    }
    lu_json_key_object(json, "histogram");
    lu_json_key_real(json, "from", low);
    lu_json_key_real(json, "factor", lu_exp(step));
    lu_json_key_array(json, "counts");
    for (int k = 0; k < BINS; k++) {
        lu_json_int(json, bins[k]);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_ends(const craft_tally *t, lu_json *json) {
    lu_json_key_object(json, "ends");
    for (int end = CRAFT_END_SUCCESS; end < CRAFT_ENDS; end++) {
        int count = 0;
        for (int k = 0; k < t->count; k++) {
            count += t->list[k].end == end ? 1 : 0;
        }
        lu_json_key_real(json, craft_end_names[end], (double)count / t->count);
    }
    lu_json_object_end(json);
}

void craft_tally_write(const craft_tally *t, lu_json *json) {
    int done = 0;
    double *costs = costs_of(t, &done), spent = 0.0, bases = 0.0, uses = 0.0;
    for (int k = 0; k < t->count; k++) {
        spent += t->list[k].spent / t->count;
        bases += (double)t->list[k].bases / t->count;
        uses += (double)t->list[k].uses / t->count;
    }
    lu_json_key_int(json, "episodes", t->count);
    write_interval(json, "success_probability", share_of(done, t->count));
    lu_json_key_real(json, "cost_per_attempt", spent);
    if (done > 0) {
        write_interval(json, "expected_cost", cost_of(t));
    }
    write_quantiles(json, costs, done);
    write_histogram(json, costs, done);
    lu_json_key_real(json, "bases", bases);
    lu_json_key_real(json, "uses", uses);
    write_ends(t, json);
    free(costs);
}

void craft_tally_words(const craft_tally *t, const char *name, lu_json *json) {
    char line[240];
    int done = successes_of(t);
    interval share = share_of(done, t->count);
    snprintf(line, sizeof line, "%.80s: success %.4g%% [%.4g, %.4g] of %d episodes", name,
             100.0 * share.mean, 100.0 * share.low, 100.0 * share.high, t->count);
    lu_json_string(json, line);
    if (done > 0) {
        interval cost = cost_of(t);
        int count;
        double *costs = costs_of(t, &count);
        snprintf(line, sizeof line, "a finished item costs %s exalted [%s, %s]",
                 craft_say_figure(cost.mean).text, craft_say_figure(cost.low).text,
                 craft_say_figure(cost.high).text);
        lu_json_string(json, line);
        snprintf(line, sizeof line, "half of the finished ones cost at most %s, 9 of 10 at most %s",
                 craft_say_figure(costs[(count - 1) / 2]).text,
                 craft_say_figure(costs[(int)(90 * (int64_t)(count - 1) / 100)]).text);
        lu_json_string(json, line);
        free(costs);
    }
}
