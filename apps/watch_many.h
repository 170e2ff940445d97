/* Many episodes of bots on all threads, and the report about them (ludus watch --seeds A..B). */
#pragma once

#include "session.h"

typedef struct many {
    const session *session; /* its model and options are shared, its environment is not used */
    const lu_bot *bot, *opponent;
    uint64_t first_seed;
    int episodes;
    int threads;
    /* results, one row per episode */
    double *returns, *decisions, *ticks, *illegal, *terminated;
    double *info; /* episodes x infos */
} many;

/* Plays all episodes; the results do not depend on the number of threads. */
lu_status many_play(many *many, lu_error *error);
void many_free(many *many);
void many_write(const many *many, lu_json *json);
void many_print(const many *many);
