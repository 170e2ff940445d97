/* The threads of an app: see workers.c. Threads: made, started and deleted by the service thread.
 */
#pragma once

#include "app.h"

struct workers *workers_new(app *app);
lu_status workers_start(struct workers *workers, lu_error *error);
/* Ends the threads after the jobs they are at; `done` is called for all others too. */
void workers_delete(struct workers *workers);
