/* ludus serve-env: a game for remote learners over lines of JSON. */
#include "call_episode.h"
#include "output.h"
#include "serve_call.h"

#include "ludus/line_serve.h"

#include <stdlib.h>

static const verb_example examples[] = {
    {"ludus serve-env prospector", "agents log in, reset and step on 127.0.0.1 port 7070"},
    {"ludus serve-env cartpole --port 0 --json", "any free port, printed as JSON"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"port", LU_INT, "7070", 0, 65535, NULL, "Port to listen on; 0 takes any free one.", false},
    SERVE_BIND,
    SERVE_TOKEN_FILE,
    SERVE_CONFINE,
    {"seed", LU_TEXT, "0", 0, 32, NULL, "Seed from which the seeds of all matches are derived.",
     false},
};

static const lu_table *const tables[] = {&lu_line_table, NULL};

static const char details[] =
    "One JSON object per line: {\"action\": \"login\", \"meta\": {\"id\": NAME}}, then reset, step "
    "and\nlogout (docs/policy-server.md). The target of a reset is a bot of the game or another "
    "agent;\na match of two agents continues when both have stepped. Prints its address as the "
    "first line\nand serves until Ctrl-C.";

static lu_status serve(const verb_call *call, const lu_line_options *line,
                       const lu_env_options *env, bool own, lu_error *error) {
    lu_line_server *server = lu_env_server_open(line, env, error);
    if (!server) {
        return error->status;
    }
    serve_address(call, "", lu_line_server_port(server), own ? line->token : NULL,
                  "clients send {\"token\": \"TOKEN\"} as their first line", NULL);
    lu_status status = lu_line_server_run(server, &(lu_line_hooks){.watch = out_watch()}, error);
    lu_line_server_close(server);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    char *token = NULL;
    bool own = false;
    uint64_t seed = 0;
    lu_settings *settings = call_game_settings(call, call->game);
    lu_status status = call_seed(call, &seed, error);
    LU_THEN(status, serve_token(call, &token, &own, error));
    if (status == LU_OK) {
        status = serve(call,
                       &(lu_line_options){.bind = lu_settings_text_of(call->settings, "bind"),
                                          .port = (int)lu_settings_int(call->settings, "port"),
                                          .token = token,
                                          .limits = call->settings,
                                          .confine = lu_settings_bool(call->settings, "confine")},
                       &(lu_env_options){.game = call->game, .settings = settings, .seed = seed},
                       own, error);
    }
    lu_settings_delete(settings);
    free(token);
    return status;
}

const verb verb_serve_env = {
    .name = "serve-env",
    .usage = "serve-env GAME [--port N] [--bind ADDR] [settings]",
    .sentence = "Lets remote learners play a game, as lines of JSON over TCP.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("serve-env", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
