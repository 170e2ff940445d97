/* A trainer on one of the learning probes, from a line of settings. */
#pragma once

#include "ludus/train.h"

#include "test.h"

typedef struct probe {
    lu_settings *settings;
    lu_rules *rules;
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
bool probe_open(probe *p, const char *game, const char *settings);
void probe_close(probe *p);
/* Updates until the end of train.steps, or `most` of them (0: no limit). */
lu_status probe_run(probe *p, int most);
