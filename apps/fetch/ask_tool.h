/* Runs a tool of craft within this program: what is fetched is judged by the same code that will
 * read it.
 * Ownership: the answer belongs to the caller. Threads: one. */
#pragma once

#include "ludus/text.h"
#include "ludus/tool.h"

typedef struct tool_pair {
    const char *key, *value; /* value NULL: left out */
} tool_pair;

/* The one document that the tool answers is added to `answer`; `pairs` end with a NULL key. */
lu_status ask_tool(const char *tool, const tool_pair *pairs, const lu_tool_input *inputs, int count,
                   lu_text *answer, lu_error *error);
