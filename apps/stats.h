/* Figures over episodes, with 95 % intervals: the mean by Student's t (a share of yes and no by
 * Wilson), the median by order statistics, which assumes no distribution.
 * Ownership: the caller owns the values. Threads: any. */
#pragma once

#include "ludus/json.h"

#include <stdbool.h>

typedef struct summary {
    int count;
    double mean, low, high; /* low and high are NaN below two values */
    double deviation;
    double median, median_low, median_high;
    double least, most;
} summary;

/* Sorts the values. `flag`: they are 0 or 1. */
summary summarise(double *values, int count, bool flag);
/* The fields of a summary, into an open object. */
void summary_write(const summary *summary, lu_json *json);
