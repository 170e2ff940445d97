/* ludus serve: the runs, the site and sessions of play over HTTP. */
#include "output.h"
#include "serve_call.h"

#include "ludus/file.h"
#include "ludus/log.h"
#include "ludus/process.h"
#include "ludus/run.h"
#include "ludus/serve.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus serve", "the site and the API at http://127.0.0.1:8321"},
    {"ludus serve --bind 0.0.0.0 --token-file token.txt",
     "also for other machines, which need the token"},
    {"ludus serve --allow-origin https://ludus.example", "for a site hosted elsewhere"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"port", LU_INT, "8321", 0, 65535, NULL, "Port to listen on; 0 takes any free one.", false},
    SERVE_BIND,
    SERVE_TOKEN_FILE,
    {"allow_origin", LU_TEXT, "", 0, 300, NULL,
     "Origin of other pages that are allowed access, such as https://ludus.example.", true},
    {"host", LU_TEXT, "", 0, 253, NULL, "Additional host name of this server.", true},
    {"site", LU_TEXT, "", 0, 4000, NULL,
     "Folder of the built site; default: web/dist in the project folder.", false},
    {"modules", LU_TEXT, "", 0, 4000, NULL,
     "Folder of the games' WASM modules; default: build/wasm in the project folder.", false},
    {"openapi", LU_BOOL, "false", 0, 0, NULL, "Prints the OpenAPI document and exits.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, &lu_serve_table, NULL};

static const char details[] =
    "Prints its address as the first line and serves until Ctrl-C: the site, the HTTP API "
    "under\n/api/v1 (docs/server.md; described by /api/v1/openapi.json) and metrics "
    "for\nPrometheus at /metrics. It reads runs and never changes them. On loopback everyone on "
    "this\nmachine has access; with --bind only clients that send the token: `Authorization: "
    "Bearer TOKEN`.";

/* ---- what the server is told ---- */

/* An origin is a scheme, a host and perhaps a port, and nothing behind them. */
static lu_status check_origins(const char *const *origins, lu_error *error) {
    for (; *origins; origins++) {
        const char *host = strstr(*origins, "://");
        if ((strncmp(*origins, "https://", 8) != 0 && strncmp(*origins, "http://", 7) != 0) ||
            !host[3] || strpbrk(host + 3, "/*?# ")) {
            return lu_fail(
                error, LU_BAD_VALUE,
                "'allow_origin' = '%.200s' isn't an origin: write https://HOST, without a "
                "path",
                *origins);
        }
    }
    return LU_OK;
}

/* A folder that was named, or one of the project's, or of what is installed. */
static void folder_of(const verb_call *call, const char *key, const char *own,
                      const char *installed, lu_text *folder) {
    const char *named = key ? lu_settings_text_of(call->settings, key) : "";
    if (*named) {
        lu_text_add(folder, named);
    } else if (lu_home()) {
        lu_text_addf(folder, "%s/%s", lu_home(), own);
    } else if (lu_share()) {
        lu_text_addf(folder, "%s/%s", lu_share(), installed);
    }
}

/* ---- what it says ---- */

static lu_status print_openapi(void) {
    lu_json json = LU_JSON_INIT;
    lu_serve_openapi(&json, LUDUS_VERSION);
    out_json(&json);
    lu_json_free(&json);
    return LU_OK;
}

/* A line of the log is JSON, and alone on its line. */
static void print_line(void *user, lu_log_level level, const char *text) {
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}

/* ---- the verb ---- */

static lu_status serve(const verb_call *call, const lu_serve_options *wanted, bool own,
                       lu_error *error) {
    lu_log_set(print_line, NULL);
    lu_server *server = lu_server_open(wanted, error);
    if (!server) {
        return error->status;
    }
    serve_address(call, "http://", lu_server_port(server), own ? wanted->token : NULL,
                  "clients send it as `Authorization: Bearer TOKEN`", NULL);
    if (!lu_file_exists(wanted->site)) {
        note("the site is not built: only the API is served (./run builds it)");
    }
    lu_status status = lu_server_run(server, interrupted, error);
    lu_json sum = LU_JSON_INIT;
    lu_json_object(&sum);
    lu_json_key_string(&sum, "event", "end");
    lu_server_sum(server, &sum);
    lu_json_object_end(&sum);
    if (call->json) {
        out_json(&sum);
    } else {
        note("served: %s", sum.text);
    }
    lu_json_free(&sum);
    lu_server_close(server);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    char commit[64];
    lu_text text[4]; /* runs, site, modules, models */
    char *token = NULL;
    bool own = false;
    if (lu_settings_bool(call->settings, "openapi")) {
        return print_openapi();
    }
    for (int i = 0; i < 4; i++) {
        lu_text_init(&text[i]);
    }
    lu_run_place(call->settings, &text[0]);
    lu_process_commit(false, commit, sizeof commit);
    folder_of(call, "site", "web/dist", "site", &text[1]);
    folder_of(call, "modules", "build/wasm", "wasm", &text[2]);
    folder_of(call, NULL, "models", "models", &text[3]);
    const char **origins = serve_list(call, "allow_origin"), **hosts = serve_list(call, "host");
    lu_status status = check_origins(origins, error);
    LU_THEN(status, serve_token(call, &token, &own, error));
    if (status == LU_OK) {
        lu_serve_options all = {
            .bind = lu_settings_text_of(call->settings, "bind"),
            .port = (int)lu_settings_int(call->settings, "port"),
            .token = token,
            .runs = text[0].text,
            .site = text[1].text,
            .modules = text[2].text,
            .models = text[3].text,
            .origins = origins,
            .hosts = hosts,
            .version = LUDUS_VERSION,
            .commit = commit,
            .limits = call->settings,
        };
        status = serve(call, &all, own, error);
    }
    free(token);
    free(origins);
    free(hosts);
    for (int i = 0; i < 4; i++) {
        lu_text_free(&text[i]);
    }
    return status;
}

const verb verb_serve = {
    .name = "serve",
    .usage = "serve [--port N] [--bind ADDR] [--token-file F] [--allow-origin URL]",
    .sentence = "Serves runs, replays, the site and sessions of play over HTTP.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("serve", options),
    .tables = tables,
    .json = true,
    .run = run,
};
