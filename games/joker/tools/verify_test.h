/* Tests of the verify tool: what runs it on a text and keeps what it says. */
#pragma once

#include "verify.h"

#include "ludus/file.h"

#include "tool_said.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_verify;

static lu_status verify(const char *text, lu_error *error) {
    return tool_ask(&lu_tool_joker_verify, (lu_tool_io){0}, NULL, "file.json", text, error);
}
