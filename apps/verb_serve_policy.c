/* ludus serve-policy: trained models that answer over lines of JSON. */
#include "call_episode.h"
#include "output.h"
#include "serve_call.h"

#include "ludus/line_serve.h"
#include "ludus/run.h"

#include <signal.h>
#include <stdlib.h>

static const verb_example examples[] = {
    {"ludus serve-policy --model models/prospector-v1.safetensors",
     "answers on 127.0.0.1 port 5555"},
    {"ludus serve-policy --model latest --model best --port 6000",
     "models of two runs, selected by \"model\""},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"model", LU_TEXT, "", 0, 4000, NULL,
     "Model to serve: a file, a run, or a folder of model files.", true},
    {"port", LU_INT, "5555", 0, 65535, NULL, "Port to listen on; 0 takes any free one.", false},
    SERVE_BIND,
    SERVE_TOKEN_FILE,
    SERVE_CONFINE,
    {"seed", LU_TEXT, "0", 0, 32, NULL, "Seed for sampling when a request has none of its own.",
     false},
    {"queue", LU_INT, "1024", 1, 1 << 20, NULL,
     "Maximum number of waiting requests; more are refused as busy.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, &lu_line_table, NULL};

static const char details[] =
    "One JSON object per line in each direction: {\"obs\": [[...]], \"actionMasks\": [[...]]} "
    "is\nanswered by {\"action\": [...], ...} (docs/policy-server.md). Requests that arrive while "
    "others are\nbeing answered are batched into one pass through the net. Prints its address as "
    "the first line and\nserves until Ctrl-C, which still answers pending requests; SIGHUP reloads "
    "the models, and the old\nones answer until the new ones are verified. `ludus serve-api` is "
    "the same.";

static volatile sig_atomic_t hangups;

static void on_hangup(int number) {
    (void)number;
    hangups = 1;
}

static bool reload_wanted(void) {
    bool wanted = hangups != 0;
    hangups = 0;
    return wanted;
}

static lu_status serve(const verb_call *call, const lu_line_options *line,
                       const lu_policy_options *policy, bool own, lu_error *error) {
    struct sigaction action = {.sa_handler = on_hangup};
    lu_json models = LU_JSON_INIT;
    lu_line_server *server = lu_policy_server_open(line, policy, error);
    if (!server) {
        return error->status;
    }
    sigaction(SIGHUP, &action, NULL);
    lu_policy_server_models(server, &models);
    serve_address(call, "", lu_line_server_port(server), own ? line->token : NULL,
                  "clients send {\"token\": \"TOKEN\"} as their first line", &models);
    lu_json_free(&models);
    lu_status status = lu_line_server_run(
        server, &(lu_line_hooks){.watch = out_watch(), .reload = reload_wanted, .told = note_text},
        error);
    lu_line_server_close(server);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    char *token = NULL;
    bool own = false;
    uint64_t seed = 0;
    lu_text runs = LU_TEXT_INIT;
    if (lu_settings_count(call->settings, "model") == 0) {
        return lu_fail(error, LU_USAGE,
                       "no model to serve: name one with --model FILE, a run or `latest`");
    }
    const char **models = serve_list(call, "model");
    lu_run_place(call->settings, &runs);
    lu_status status = call_seed(call, &seed, error);
    LU_THEN(status, serve_token(call, &token, &own, error));
    if (status == LU_OK) {
        status = serve(call,
                       &(lu_line_options){.bind = lu_settings_text_of(call->settings, "bind"),
                                          .port = (int)lu_settings_int(call->settings, "port"),
                                          .token = token,
                                          .limits = call->settings,
                                          .confine = lu_settings_bool(call->settings, "confine")},
                       &(lu_policy_options){.models = models,
                                            .runs = runs.text,
                                            .seed = seed,
                                            .queue = (int)lu_settings_int(call->settings, "queue")},
                       own, error);
    }
    free(token);
    free(models);
    lu_text_free(&runs);
    return status;
}

const verb verb_serve_policy = {
    .name = "serve-policy",
    .also = "serve-api",
    .usage = "serve-policy --model FILE [--model ...] [--port N] [--bind ADDR]",
    .sentence = "Serves the decisions of trained models, as lines of JSON over TCP.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("serve-policy", options),
    .tables = tables,
    .json = true,
    .run = run,
};
