/* What a plan comes to: how often each use is expected, how costs spread, and paths as examples.
 * Costs of one base are drawn along the policy, bases that fail and the one that succeeds apart, by
 * the exact chance of success at each node; how many bases fail is geometric. Where a craft starts
 * from an item, that comes first, and bases only where it fails.
 * Ownership: the caller's until freed. Threads: one at a time; no number depends on threads. */
#pragma once

#include "solver/craft_solve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CRAFT_QUANTILES = 6,  /* p10, p25, p50, p75, p90, p99 */
    CRAFT_PLAYS = 100000, /* that quantiles are taken from */
    CRAFT_BINS = 40,
    CRAFT_PATHS = 3, /* cheap, median, unlucky */
    CRAFT_PATH_STEPS = 64
};

extern const double craft_quantile_at[CRAFT_QUANTILES];

typedef struct craft_path {
    double cost;  /* of the last base, which is paid for */
    bool renewed; /* the item it started from was given up: it begins with a new base */
    int steps;    /* up to CRAFT_PATH_STEPS are kept */
    struct {
        uint32_t use, node; /* what was used, what came out */
    } step[CRAFT_PATH_STEPS];
} craft_path;

typedef struct craft_tally {
    double uses[CRAFT_USES_MAX]; /* expected, until it is done */
    double bases;                /* expected, the first one included if it is bought */
    double quantile[CRAFT_QUANTILES];
    double within;           /* chance to be done within the budget; 1: none is set */
    double bin_from, bin_to; /* log-spaced */
    double bin[CRAFT_BINS];  /* share of plays */
    craft_path path[CRAFT_PATHS];
} craft_tally;

/* Bases that a plan buys on average, the first one included if it is bought. */
double craft_plan_bases(const craft_problem *problem, const craft_plan *plan);
/* `values` are used to compute with. */
lu_status craft_tally_plan(craft_tally *tally, const craft_problem *problem, craft_values *values,
                           craft_plan *plan, double budget, uint64_t seed, lu_error *error);

#ifdef __cplusplus
}
#endif
