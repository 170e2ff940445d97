/* ludus-grpc serve: the services at one port, until a signal comes. */
#include "output.h"
#include "serve_call.h"
#include "services.h"

#include <stdlib.h>
#include <time.h>

static const verb_example examples[] = {
    {"ludus-grpc serve", "every game on 127.0.0.1 port 50051"},
    {"ludus-grpc serve --port 0 --json", "any free port, printed as JSON"},
    {"ludus-grpc serve --grpc.sessions 16 --grpc.idle_seconds 60", "for a few clients"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"port", LU_INT, "50051", 0, 65535, NULL, "Port to listen on; 0 takes any free one.", false},
    SERVE_BIND,
    SERVE_TOKEN_FILE,
    SERVE_CONFINE,
};

static const lu_table *const tables[] = {&rpc_table, &sessions_table, NULL};

static const char details[] =
    "Services: ludus.v1.Env (every game), joker_guide.v1.JokerEnv (joker-brief-v1) "
    "and\ngrpc.health.v1.Health; proto/ defines their messages, docs/grpc.md shows how to use "
    "them.\nPrints its address as the first line and serves until Ctrl-C or SIGTERM.";

/* Tends sessions and calls a few times a second until a signal comes. */
static void tend(rpc_server *server, const services *all) {
    const struct timespec moment = {.tv_nsec = 200 * 1000 * 1000};
    while (!interrupted()) {
        (void)nanosleep(&moment, NULL); /* a signal ends it early */
        sessions_expire(all->sessions);
        rpc_tend(server);
    }
}

static lu_status run(verb_call *call, lu_error *error) {
    char *token = NULL;
    bool own = false;
    LU_TRY(serve_token(call, &token, &own, error));
    services all = {.sessions = sessions_new(call->settings)};
    rpc_options rpc = {.bind = lu_settings_text_of(call->settings, "bind"),
                       .port = (int)lu_settings_int(call->settings, "port"),
                       .token = token,
                       .limits = call->settings,
                       .confine = lu_settings_bool(call->settings, "confine"),
                       .methods = all_methods,
                       .context = &all};
    rpc_server *server = rpc_open(&rpc, error);
    if (server) {
        serve_address(call, "", rpc_port(server), own ? token : NULL,
                      "clients send metadata authorization: Bearer TOKEN", NULL);
        tend(server, &all);
        rpc_close(server);
    }
    sessions_delete(all.sessions);
    free(token);
    return server ? LU_OK : error->status;
}

const verb verb_serve = {
    .name = "serve",
    .usage = "serve [--port N] [--bind ADDR] [limits]",
    .sentence = "Serves every game over gRPC.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("serve", options),
    .tables = tables,
    .json = true,
    .run = run,
};
