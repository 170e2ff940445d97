/* How fast a policy server answers: a server with one model in a thread of its own, and clients
 * that each ask their next question when the last one was answered, with observations and masks of
 * random play.
 * Ownership: the caller owns what it gives and what is filled. Threads: starts one, and ends it. */
#pragma once

#include "ludus/json.h"
#include "ludus/watch.h"

LU_C_BEGIN

enum { LU_POLICY_LOADS = 8 };

/* What so many clients at once got. Rounds of all numbers of clients alternate. */
typedef struct lu_policy_load {
    int clients;
    int64_t answers;     /* in all rounds */
    double seconds;      /* of them */
    double processor;    /* seconds that the server's thread had a processor meanwhile */
    double rate;         /* answers per second in the best round, ... */
    double middle, high; /* ... and its seconds of a question: median and 99th percentile */
    double longest;      /* seconds of a question in any round */
} lu_policy_load;

typedef struct lu_policy_bench {
    char model[128], game[64];
    int64_t parameters;
    size_t line_bytes; /* of a question, on average */
    int loads, rounds;
    lu_policy_load load[LU_POLICY_LOADS];
} lu_policy_bench;

/* Measures `seconds` in all, for several numbers of clients in turn. `path`: of a model file. */
lu_status lu_policy_bench_run(const char *path, const int *clients, int loads, double seconds,
                              const lu_watch *watch, lu_policy_bench *result, lu_error *error);
/* Members of an open object. */
void lu_policy_bench_write(const lu_policy_bench *result, lu_json *json);

LU_C_END
