/* What whoever runs a tool lends it: the trained agent that it may ask (lu_tool.agent) and threads
 * (lu_tool_io.pool). The command line and the server's workers lend the same, so that answers are
 * equal.
 * Ownership: a loan belongs to the caller and holds model and threads until lu_tool_return; it is
 * not moved meanwhile. Threads: one at a time. */
#pragma once

#include "ludus/model.h"
#include "ludus/tool.h"

LU_C_BEGIN

typedef struct lu_tool_loan {
    lu_model_file *file; /* NULL: no agent */
    char *name;
    lu_tool_agent agent;
    lu_pool *pool; /* NULL: none */
} lu_tool_loan;

/* `agent`: a model as lu_run_find_model takes it, "none", or "" for models/VARIANT.safetensors of
 * the project when that is there. `settings` hold the tool's table; `most_threads` bounds its
 * setting `threads`, 0 is no bound. LU_USAGE when the tool asks no agent and one is named; a model
 * that cannot be read, or plays another variant, is an error as everywhere. On an error nothing is
 * lent. */
lu_status lu_tool_lend(lu_tool_loan *loan, const lu_tool *tool, const lu_settings *settings,
                       const char *agent, const char *runs, int most_threads, lu_error *error);
/* Puts what is lent into the io of a run. */
void lu_tool_equip(const lu_tool_loan *loan, lu_tool_io *io);
void lu_tool_return(lu_tool_loan *loan);

LU_C_END
