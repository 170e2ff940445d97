/* Many episodes of a bot or of a trained agent on all threads, and the report about them (ludus
 * watch --seeds A..B, ludus eval).
 * Ownership: the caller owns what it fills in; results are freed by many_free. Threads: the main
 * thread calls. */
#pragma once

#include "session.h"

typedef struct many {
    const session *session; /* its model and options are shared, its environment is not used */
    const char *name;       /* of who plays, for people */
    const lu_bot *bot, *opponent;
    const lu_model_file *file; /* an agent plays in place of `bot`; NULL: none */
    bool greedy;               /* the agent */
    bool alone;                /* other seats are driven by `opponent`, not by the agent */
    const char *record;        /* folder for a replay of every episode, "" or NULL for none */
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
/* Members of an open object. */
void many_write(const many *many, lu_json *json);
void many_print(const many *many);
/* The same episodes played by two: the differences, seed by seed. */
void many_write_against(const many *first, const many *other, lu_json *json);
void many_print_against(const many *first, const many *other);
