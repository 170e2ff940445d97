/* What the files of the verify tool share: one recorded episode as it is replayed, and its
 * comparisons over those of ludus/verify.h. verify.c holds header, steps and the tool;
 * verify_world.c the comparisons and the generated world.
 * Ownership: verify.c sets a trace up and frees it. Threads: one at a time. */
#pragma once

#include "ludus/episode.h"
#include "ludus/verify.h"

/* Observations, rewards and totals: relative above 1. Figures: of their own value. */
#define PROSPECTOR_TRACE_TOLERANCE 1e-6

enum { PROSPECTOR_TRACE_METRICS = 32, PROSPECTOR_TRACE_TOTALS = 5 };

/* One file being replayed. */
typedef struct prospector_trace {
    const lu_game *game;
    lu_check *check;
    lu_episode episode;
    lu_env *env;          /* of the episode, once the header is read */
    lu_seated_bot seated; /* of the bot that made the file, if it is one of the reference's */
    int metrics;
    int metric[PROSPECTOR_TRACE_METRICS];  /* info index of each entry of "m" */
    double want[PROSPECTOR_TRACE_TOTALS];  /* totals of the header; NaN where it has none */
    double total[PROSPECTOR_TRACE_TOTALS]; /* ours so far */
    uint8_t seen[128];                     /* per action: sent, replaced, or both */
    char end[40];                          /* how the header says the episode ends; "" = not */
    long long step;                        /* -1 at the header */
    const char *part;                      /* of the header, NULL: itself */
    long long steps;
    double obs_error, reward_error;
} prospector_trace;

/* Equal within the tolerance; returns the error, relative above 1. `index` below 0: no array. */
double prospector_trace_compare(prospector_trace *r, const char *key, long long index, double want,
                                double got, double tolerance);
/* A figure: equal within the tolerance of its own value. */
void prospector_trace_metric(prospector_trace *r, const char *key, double want, double got);
/* Equal texts. */
void prospector_trace_text(prospector_trace *r, const char *key, const char *want, const char *got);

/* LU_BAD_DATA with file and line before the sentence. */
lu_status prospector_trace_bad(prospector_trace *r, const char *what);
/* The same for what a reader has said. */
lu_status prospector_trace_pass_on(prospector_trace *r, const lu_error *inner);
/* An array of exactly `count` entries, all numbers if asked for; NULL after an error. */
const lu_json_value *prospector_trace_array(prospector_trace *r, const lu_json_value *object,
                                            const char *key, size_t count, bool numbers);

/* Compares the generated world of the header with ours after the reset. */
lu_status prospector_trace_world(prospector_trace *r, const lu_json_value *world);
