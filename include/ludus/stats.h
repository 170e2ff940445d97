/* Figures over episodes that say how far they can be trusted: summaries with 95 % intervals, two
 * players on the same seeds, and a test that looks at every result and stops as soon as it knows.
 * What each figure is and how well its interval covers: docs/statistics.md. Equal values give equal
 * figures, bit for bit: what is drawn at random comes from a generator of fixed seed.
 * Ownership: the caller owns the values; nothing is kept. Threads: no shared state. */
#pragma once

#include "ludus/json.h"

#include <stdbool.h>

LU_C_BEGIN

/* ---- one player ---- */

/* What is not known is NaN: everything without values, an interval of fewer than two, that of the
 * median below six, and all when a value is not finite or 1e150 and more. */
typedef struct lu_summary {
    int count;
    double mean, low, high;
    double deviation;
    double median, median_low, median_high;
    double iqm, iqm_low, iqm_high; /* interquartile mean: of the middle half of the values */
    double q05, q25, q75, q95;     /* quantiles, straight between neighbours */
    double least, most;
} lu_summary;

/* Summary of values in any order. `flag`: they are 0 or 1, and the interval of the mean is
 * Wilson's. Costs 2000 resamples of the values, none from 2048 values on. */
lu_summary lu_summarise(const double *values, int count, bool flag);
/* Wilson's interval of a share. */
void lu_wilson(double share, int count, double *low, double *high);
/* Members of an open object. */
void lu_summary_write(const lu_summary *summary, lu_json *json);

/* ---- two players, value by value on the same seeds ---- */

typedef enum lu_verdict { LU_UNDECIDED, LU_BETTER, LU_WORSE } lu_verdict;

/* "better", "worse" or "undecided". */
const char *lu_verdict_name(lu_verdict verdict);

typedef struct lu_pairing {
    lu_summary difference;  /* of a - b */
    int wins, ties, losses; /* of a */
    double improvement;     /* P(a > b) + P(a = b) / 2 */
    double improvement_low, improvement_high;
    double p;      /* of the sign-flip test: how likely as large a mean is when signs are chance */
    double margin; /* what a difference must exceed to count */
    lu_verdict verdict; /* better: the interval lies above the margin and p is at most 0.05 */
} lu_pairing;

/* a[i] and b[i] belong to the same seed; larger is better; margin >= 0. */
lu_pairing lu_compare_pairs(const double *a, const double *b, int count, double margin);
/* Members of an open object: those of the difference's summary, and the rest. */
void lu_pairing_write(const lu_pairing *pairing, lu_json *json);

/* ---- two ways to train, each with several seeds, value by value on the same episodes ---- */

typedef struct lu_effect {
    int trainings, episodes;
    double a, b;            /* means over all */
    double mean, low, high; /* of a - b */
    double freedom; /* of Student's distribution behind the interval; NaN for one training */
} lu_effect;

/* Row t of a and of b, `episodes` values each, is of training seed t; column e of evaluation seed
 * e. Both kinds of seeds are chance: the variance of the mean is that of the rows' means over the
 * trainings and that of the columns' means over the episodes, with freedom by Satterthwaite. Of one
 * training the interval is that of lu_summarise and covers the evaluation seeds alone; what is not
 * known is NaN. */
lu_effect lu_compare_trainings(const double *a, const double *b, int trainings, int episodes);
/* Members of an open object. */
void lu_effect_write(const lu_effect *effect, lu_json *json);

/* ---- sequential probability ratio test ----
 * Two guesses about a stream of results, `null` and `other`. After each result the logarithm of how
 * much better `other` explains them is held against two bounds; the test ends when it leaves them,
 * and is wrong with probability about alpha when `null` holds and beta when `other` does. */

typedef enum lu_sprt_kind {
    LU_SPRT_WINS,   /* results 0 or 1, guesses are their probability: Wald's test */
    LU_SPRT_MEANS,  /* any results, guesses are their mean; spread estimated on the way */
    LU_SPRT_EFFECT, /* any results, guesses are their mean in deviations */
} lu_sprt_kind;

typedef enum lu_sprt_end { LU_SPRT_OPEN, LU_SPRT_NULL, LU_SPRT_OTHER } lu_sprt_end;

/* Plain data; copied at will. */
typedef struct lu_sprt {
    lu_sprt_kind kind;
    double null, other, alpha, beta;
    int count;
    double mean, squares; /* of the results: mean, and sum of squares around it */
} lu_sprt;

/* alpha and beta in (0, 0.5); null and other differ and, of wins, lie in (0, 1). */
lu_sprt lu_sprt_new(lu_sprt_kind kind, double null, double other, double alpha, double beta);
/* Of matches (a win is 1, a draw 0.5, a loss 0), with guesses as differences of Elo. */
lu_sprt lu_sprt_elo(double null, double other, double alpha, double beta);
/* Share of points that a player of `elo` more expects: 1 / (1 + 10^(-elo / 400)). */
double lu_elo_score(double elo);
/* The other way round: infinite for a share of 0 or 1, NaN for none. */
double lu_score_elo(double score);
void lu_sprt_add(lu_sprt *sprt, double result);
/* The logarithm of the ratio; where the spread is estimated, 0 before the 16th result. */
double lu_sprt_ratio(const lu_sprt *sprt);
/* Bounds of the ratio: at or below the first `null` is taken, at or above the second `other`. */
double lu_sprt_lower(const lu_sprt *sprt);
double lu_sprt_upper(const lu_sprt *sprt);
lu_sprt_end lu_sprt_decision(const lu_sprt *sprt);

LU_C_END
