/* A trainer on one of the learning probes, from a line of settings. */
#pragma once

#include "ludus/train.h"

#include "test.h"

typedef struct probe {
    lu_settings *settings;
    lu_rules *rules;
    lu_train *train;
    lu_train_stats stats; /* of the last update */
    lu_error error;
} probe;

/* Settings like "train.epochs=2 net.hidden=16" on top of small ones; false (and a failed test) when
 * it cannot be made. */
bool probe_open(probe *p, const char *game, const char *settings);
void probe_close(probe *p);
/* Updates until the end of train.steps, or `most` of them (0: no limit). */
lu_status probe_run(probe *p, int most);
