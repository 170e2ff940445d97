/* A DQN trainer on one of the learning probes, from a line of settings. */
#pragma once

#include "ludus/dqn.h"

#include "test.h"

typedef struct dqn_probe {
    lu_settings *settings;
    lu_rules *rules;
    lu_trainer *dqn;
    lu_progress stats; /* of the last update */
    lu_error error;
} dqn_probe;

/* A metric of the last update. */
static inline double figure_of(const dqn_probe *p, const char *name) {
    return lu_progress_figure(&p->stats, name);
}

/* Settings like "dqn.steps_ahead=2 net.hidden=16" on top of small ones; false (and a failed test)
 * when it cannot be made. */
bool dqn_probe_open(dqn_probe *p, const char *game, const char *settings);
void dqn_probe_close(dqn_probe *p);
/* Updates until the end of dqn.steps, or `most` of them (0: no limit). */
lu_status dqn_probe_run(dqn_probe *p, int most);
