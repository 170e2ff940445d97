/* Comparisons: two players, each by itself on the same seeds, and which of them is better by one
 * figure. A sequential test may end it as soon as it knows. For two players against each other see
 * contest.h.
 * Ownership: the caller owns what it fills in; results are freed by lu_comparison_free. Threads: as
 * a match. */
#pragma once

#include "ludus/report.h"

LU_C_BEGIN

typedef struct lu_comparison {
    lu_match a, b;   /* of the same game, seeds and episodes */
    int metric;      /* the figure that decides */
    double margin;   /* what a difference must exceed to count */
    bool lower;      /* less is better */
    bool sequential; /* plays only until a test decides */
    double effect;   /* with that: the difference to be found, in deviations */
    /* results */
    lu_match_figure of_a[LU_MATCH_FIGURES], of_b[LU_MATCH_FIGURES];
    int most;              /* episodes at most; those of a and b are what was played */
    lu_sprt better, worse; /* two sequential tests: is A better by the effect, or B? */
    bool decided;
    int seen; /* results that they were shown */
} lu_comparison;

/* The figure that decides, by its name; "" is the game's headline, else the return. */
lu_status lu_comparison_metric(lu_comparison *comparison, const char *name, lu_error *error);
lu_status lu_comparison_play(lu_comparison *comparison, lu_error *error);
void lu_comparison_free(lu_comparison *comparison);
/* Differences A - B of a figure; of the metric with the margin, the better end and the verdict of
 * the test. */
lu_pairing lu_comparison_pairing(const lu_comparison *comparison, int figure);
/* One JSON object; the return is told beside the metric. */
void lu_comparison_write(const lu_comparison *comparison, lu_json *json);

LU_C_END
