/* The threads of an app: see lane.c. Threads: made, started and deleted by the service thread. */
#pragma once

#include "app.h"

struct lanes *lanes_new(app *app);
lu_status lanes_start(struct lanes *lanes, lu_error *error);
/* Ends the threads after the jobs they are at; `done` is called for all others too. */
void lanes_delete(struct lanes *lanes);
