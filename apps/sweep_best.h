/* What a sweep found, for people and as JSON, and a preset made of it.
 * Ownership: nothing is kept. Threads: the main thread. */
#pragma once

#include "ludus/sweep.h"

/* Shows the best trial of a folder; preset "" writes none. */
lu_status sweep_best(const char *folder, const char *preset, bool json, lu_error *error);
/* Figures of a trial as members of an open object. */
void sweep_write_trial(const lu_trial *trial, const char *state, bool minimise, lu_json *json);
