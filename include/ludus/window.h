/* A window of a training: what its updates gave, summed until it is full, and then one row of
 * metrics (docs/run-folder.md). The sums are flat and go into every checkpoint, so that a resumed
 * training writes the rows that an uninterrupted one would have written.
 * Ownership: the caller owns the struct. Threads: no shared state. */
#pragma once

#include "ludus/algorithm.h"

LU_C_BEGIN

LU_STATE_BEGIN
typedef struct lu_window {
    int64_t id;
    int64_t first_step;    /* steps of environments before it */
    int64_t updates;       /* in it */
    int64_t update, steps; /* so far in the training */
    int64_t ticks;         /* so far in the training */
    int64_t episodes, endings, truncated, illegal;
    uint64_t silent; /* bit h: head h was legal at no decision of it */
    double wall;     /* seconds of the training so far, over all its sittings */
    double seconds;  /* of its updates */
    double returns, lengths;
    double reward, reward_square;                  /* sums over updates */
    double term[LU_MAX_TERMS], info[LU_MAX_INFOS]; /* sums */
    double figure[LU_MAX_FIGURES], part[LU_MAX_PARTS];
} lu_window;
LU_STATE_END

/* True when the last update reached a multiple of `size` decisions: the window is at its end. */
bool lu_window_full(const lu_window *window, int64_t size);
/* What looks wrong in a window, as a sentence of what it is and what to do: an entropy that has
 * died, a head without any legal option, rewards that are all the same. NULL: nothing; `at` counts
 * the sentences, from 0. The text is valid until the next call. */
const char *lu_window_warning(const lu_window *window, const lu_progress *last, const lu_game *game,
                              int at);
/* Adds one update. `wall`: as in the struct. */
void lu_window_add(lu_window *window, const lu_progress *progress, double wall);
/* Readies for the next window. */
void lu_window_next(lu_window *window);
/* The row, as members of an open object; `last` gives the names of the figures. */
void lu_window_write(const lu_window *window, const lu_progress *last, const lu_game *game,
                     lu_json *json);

LU_C_END
