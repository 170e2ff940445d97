/* What the files of `ludus runs` share: one function per word that is more than a few lines.
 * Ownership: nothing is kept. Threads: the main thread. */
#pragma once

#include "run_text.h"

lu_status runs_list(verb_call *call, lu_error *error);
lu_status runs_show(verb_call *call, lu_error *error);
lu_status runs_diff(verb_call *call, lu_error *error);
lu_status runs_rm(verb_call *call, lu_error *error);

/* Whether a setting of a run is --steps, --seed or --threads, which another one stands for. */
bool runs_is_short(const lu_run_view *run, const char *key);

/* For lu_catalogue_sync_all and its kin: shows progress, and ends by Ctrl-C. */
bool runs_watch(void *context, double share);
