/* Files of games/craft/tools/fixtures, made up in the shapes of others, for tests.
 * Ownership: the caller frees the text. Threads: one. */
#pragma once

#include "tool_said.h"

static inline char *fixture(const char *name) {
    char path[128], *bytes = NULL;
    size_t length;
    lu_error error = {0};
    snprintf(path, sizeof path, "games/craft/tools/fixtures/%s", name);
    if (lu_file_read(lu_test_source(path), (size_t)1 << 20, &bytes, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return lu_alloc_zero(1, 1);
    }
    return bytes;
}
