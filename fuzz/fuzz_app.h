/* A server without site or models, and without a limit on requests, for what is fed to it.
 * Ownership: the one app is never freed. Threads: one. */
#pragma once

#include "src/serve/app.h"

/* The folder of its runs: to be set before the first call, if there are any. */
static const char *the_runs = "/nonexistent/runs";

static app *the_app(void) {
    static app *made;
    if (!made) {
        lu_error error = {0};
        lu_settings *limits = lu_settings_new();
        lu_settings_add(limits, lu_serve_table);
        lu_settings_set_pair(limits, "serve.requests_per_second=0", LU_FROM_FLAG, "fuzz", NULL);
        lu_settings_set_pair(limits, "serve.log=none", LU_FROM_FLAG, "fuzz", NULL);
        const lu_serve_options options = {.bind = "127.0.0.1",
                                          .runs = the_runs,
                                          .site = "",
                                          .modules = "",
                                          .models = "",
                                          .version = "1",
                                          .commit = "",
                                          .limits = limits};
        made = app_new(&options, &error);
        lu_settings_delete(limits);
    }
    return made;
}
