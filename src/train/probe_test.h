/* A trainer on one of the learning probes, from a line of settings, and what every algorithm
 * promises whatever it learns. */
#pragma once

#include "ludus/dqn.h"
#include "ludus/ppo.h"

#include "test.h"

typedef struct probe {
    lu_settings *settings;
    lu_trainer *train;
    lu_progress stats; /* of the last update */
    lu_error error;
} probe;

/* A metric of the last update. */
static inline double figure_of(const probe *p, const char *name) {
    return lu_progress_figure(&p->stats, name);
}

/* Settings like "train.epochs=2 net.hidden=16" on top of small ones; false (and a failed test) when
 * it cannot be made. */
bool probe_open(probe *p, const char *game, const char *settings);     /* PPO */
bool dqn_probe_open(probe *p, const char *game, const char *settings); /* DQN */
void probe_close(probe *p);
/* Updates until the end of PREFIX.steps, or `most` of them (0: no limit). */
lu_status probe_run(probe *p, int most);
/* Trains to the end, with no illegal option taken; open when true. */
bool probe_solve(probe *p, bool (*open)(probe *, const char *, const char *), const char *game,
                 const char *settings);

/* ---- promises ---- */

/* One line per kind of net, order, optimiser and game. */
typedef struct probe_kind {
    const char *game, *settings;
} probe_kind;

/* An algorithm under test: the prefix of its settings. */
typedef struct probe_algorithm {
    bool (*open)(probe *p, const char *game, const char *settings);
    const char *prefix;
    const lu_algorithm *algorithm;
} probe_algorithm;
extern const probe_algorithm probe_ppo, probe_dqn;

uint64_t probe_hash_after(const probe_algorithm *a, const probe_kind *kind, int threads,
                          int updates);
/* The same bits on 1, 2, 3 and 8 threads. */
void probe_check_threads(const probe_algorithm *a, const probe_kind *kind, int updates);
/* The same on 16 and 32. */
void probe_check_many_threads(const probe_algorithm *a, const probe_kind *kind, int updates);
/* `first` updates, a snapshot, and `second` on other threads after `stray` ones, are the same as
 * all at once; the metrics too (ends with NULL). */
void probe_check_resume(const probe_algorithm *a, const probe_kind *kind, int first, int second,
                        int stray, const char *const *metrics);
/* A snapshot of other settings, or a damaged one, is refused and changes nothing. */
void probe_check_refused(const probe_algorithm *a, const char *mine, const char *other);
/* Updates allocate nothing; there are some. */
void probe_check_no_allocation(const probe_algorithm *a, const probe_kind *kind, int updates);
/* The need that is told is what a trainer takes, but for less than `bound` bytes, which do not
 * grow: the copy of the settings, names of tensors, the threads. */
void probe_check_memory(const probe_algorithm *a, const probe_kind *kinds, int count,
                        int64_t bound);
/* Whoever watches hears of every part of an update in `stages` stages, by shares that rise, which
 * changes no bit; and ends it. */
void probe_check_watched(const probe_algorithm *a, const probe_kind *kind, int stages);
/* The batch that was saved where numbers were none: its observations of one number in `rows` rows,
 * its gradient and `other`. */
void probe_check_batch(const char *path, int rows, const char *other);
