/* The trained agent that a tool may ask (lu_tool.agent), by --agent or from models/.
 * Ownership: a tool_agent belongs to the caller and holds its model until tool_agent_close.
 * Threads: one at a time. */
#pragma once

#include "verb.h"

#include "ludus/model.h"

typedef struct tool_agent {
    lu_model_file *file; /* NULL: there is none */
    lu_tool_agent door;
} tool_agent;

/* Opens what --agent names: a model as everywhere, or none; unset takes models/VARIANT.safetensors
 * of the project when it is there. LU_USAGE when the call's tool asks no agent and one is named; a
 * model that cannot be read, or plays another variant, as in model_open. */
lu_status tool_agent_open(tool_agent *agent, const verb_call *call, lu_error *error);
void tool_agent_close(tool_agent *agent);
