/* Tests of the verify tool: what runs it on a text and keeps what it says. */
#pragma once

#include "verify.h"

#include "ludus/file.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_verify;

static char said[16384];

static void note(void *user, const char *json, size_t length) {
    size_t used = strlen(said);
    (void)user;
    if (used + length + 2 < sizeof said) {
        memcpy(said + used, json, length);
        memcpy(said + used + length, "\n", 2);
    }
}

static lu_status verify(const char *text, lu_error *error) {
    lu_tool_input input = {"file.json", text, strlen(text)};
    lu_tool_io io = {.inputs = &input, .input_count = 1, .emit = note};
    said[0] = 0;
    return lu_tool_joker_verify.run(&io, error);
}
