/* Mean, median and intervals: see stats.h. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 97.5 % point of Student's t: a table where it is steep, then the Cornish-Fisher series (error
 * below 0.1 %). */
static double student(int freedom) {
    static const double first[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571};
    double z = 1.959964, n = freedom;
    if (freedom <= 5) {
        return first[freedom];
    }
    double z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
}

static void wilson(summary *s) {
    double z2 = 1.959964 * 1.959964, n = s->count, p = s->mean;
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    s->low = centre - half < 0 ? 0 : centre - half;
    s->high = centre + half > 1 ? 1 : centre + half;
}

summary summarise(double *values, int count, bool flag) {
    summary s = {.count = count, .low = NAN, .high = NAN, .median_low = NAN, .median_high = NAN};
    if (count < 1) {
        s.mean = s.median = s.least = s.most = NAN;
        return s;
    }
    qsort(values, (size_t)count, sizeof *values, by_value);
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    s.mean = sum / count;
    for (int i = 0; i < count; i++) {
        squares += (values[i] - s.mean) * (values[i] - s.mean);
    }
    s.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
    s.median = 0.5 * (values[(count - 1) / 2] + values[count / 2]);
    s.least = values[0];
    s.most = values[count - 1];
    if (count < 2) {
        return s;
    }
    if (flag) {
        wilson(&s);
    } else {
        double half = student(count - 1) * s.deviation / sqrt(count);
        s.low = s.mean - half;
        s.high = s.mean + half;
    }
    /* ranks between which the median lies, by the normal form of the binomial */
    double spread = 1.959964 * 0.5 * sqrt(count);
    int below = (int)floor(0.5 * count - spread), above = (int)ceil(0.5 * count + spread);
    s.median_low = values[below < 0 ? 0 : below];
    s.median_high = values[above >= count ? count - 1 : above];
    return s;
}

void summary_write(const summary *s, lu_json *json) {
    lu_json_key_real(json, "mean", s->mean);
    lu_json_key_real(json, "low", s->low);
    lu_json_key_real(json, "high", s->high);
    lu_json_key_real(json, "deviation", s->deviation);
    lu_json_key_real(json, "median", s->median);
    lu_json_key_real(json, "median_low", s->median_low);
    lu_json_key_real(json, "median_high", s->median_high);
    lu_json_key_real(json, "min", s->least);
    lu_json_key_real(json, "max", s->most);
}
