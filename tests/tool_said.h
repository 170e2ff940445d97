/* Runs a tool for a test and keeps what it says, a line per document.
 * Ownership: `said` is the test file's. Threads: one. */
#pragma once

#include "ludus/file.h"
#include "ludus/tool.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static char said[1 << 18];

static void said_add(void *user, const char *json, size_t length) {
    size_t used = strlen(said);
    (void)user;
    if (used + length + 2 > sizeof said) {
        lu_test_fail(__FILE__, __LINE__, "the tool says more than there is room for");
        return;
    }
    memcpy(said + used, json, length);
    memcpy(said + used + length, "\n", 2);
}

/* With "key=value" settings (NULL at the end; or NULL), one input where there is a text, and what
 * else `io` has. */
static inline lu_status tool_ask(const lu_tool *tool, lu_tool_io io, const char *const *pairs,
                                 const char *name, const char *text, lu_error *error) {
    lu_settings *settings = lu_settings_new();
    lu_tool_input input = {name, text, text ? strlen(text) : 0};
    lu_status status = LU_OK;
    lu_settings_add(settings, tool->settings);
    for (; pairs && *pairs && status == LU_OK; pairs++) {
        status = lu_settings_set_pair(settings, *pairs, LU_FROM_FLAG, "test", error);
    }
    io.settings = settings;
    io.inputs = &input;
    io.input_count = text ? 1 : 0;
    io.emit = said_add;
    said[0] = '\0';
    LU_THEN(status, tool->run(&io, error));
    lu_settings_delete(settings);
    return status;
}

/* The tool `verify` of a game on a file of the tree; `want` is the last thing it says. */
static inline void tool_verify(const char *game, const char *path, const char *want) {
    lu_error error = {0};
    char *bytes;
    size_t length;
    NEED(lu_file_read(lu_test_source(path), (size_t)64 << 20, &bytes, &length, &error) == LU_OK);
    lu_status status =
        tool_ask(lu_tool_find(game, "verify"), (lu_tool_io){0}, NULL, path, bytes, &error);
    size_t said_length = strlen(said), line = strlen(want) + 1;
    CHECK_TEXT(status == LU_OK ? "" : error.text, "");
    NEED(said_length >= line);
    said[said_length - 1] = '\0';
    CHECK_TEXT(said + said_length - line, want);
    free(bytes);
}
