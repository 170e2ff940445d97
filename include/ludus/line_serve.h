/* Servers that speak lines of JSON over TCP: `ludus serve-policy`, which answers what trained
 * models do, and `ludus serve-env`, which lets others play a game (docs/policy-server.md). Both
 * bind, limit and stop in the same way.
 * Ownership: options belong to the caller and are copied; a server belongs to its opener until
 * lu_line_server_close. Threads: one thread runs a server. */
#pragma once

#include "ludus/game_ask.h"
#include "ludus/settings.h"
#include "ludus/watch.h"

LU_C_BEGIN

/* Limits: line.connections, line.request_seconds, line.idle_seconds. */
extern const lu_table lu_line_table;

typedef struct lu_line_options {
    const char *bind;          /* an address; other than loopback it needs a token */
    int port;                  /* 0: any that is free */
    const char *token;         /* NULL: none is asked for */
    const lu_settings *limits; /* holds lu_line_table */
    bool confine;              /* gives up what serving does not need (ludus/confine.h) */
} lu_line_options;

typedef struct lu_line_server lu_line_server;

/* What a server asks while it runs: between rounds, at least twice a second and after every
 * signal. */
typedef struct lu_line_hooks {
    const lu_watch *watch;              /* when it stops: it answers what it has and ends */
    bool (*reload)(void);               /* true: models are read anew; NULL: never */
    void (*told)(const char *sentence); /* what came of that; NULL: nobody is told */
} lu_line_hooks;

int lu_line_server_port(const lu_line_server *server);
lu_status lu_line_server_run(lu_line_server *server, const lu_line_hooks *hooks, lu_error *error);
void lu_line_server_close(lu_line_server *server);

/* ---- models that answer ---- */

typedef struct lu_policy_options {
    /* Model files, names of runs, folders of model files; end with NULL. */
    const char *const *models;
    const char *runs; /* folder of runs */
    uint64_t seed;    /* of what is drawn */
    int queue;        /* questions that wait for an answer, in all; more are refused as busy */
} lu_policy_options;

/* Loads and verifies the models, then listens. NULL on an error: those of loading a model, and
 * those of lu_server_open. */
lu_line_server *lu_policy_server_open(const lu_line_options *line, const lu_policy_options *policy,
                                      lu_error *error);
/* The models by name, as the line {"list": true} is answered. */
void lu_policy_server_models(const lu_line_server *server, lu_json *json);

/* ---- a game for others to play ---- */

typedef struct lu_env_options {
    const lu_game *game;
    const lu_settings *settings; /* holds the game's tables */
    uint64_t seed;               /* of the first match; each later one has its own from it */
} lu_env_options;

lu_line_server *lu_env_server_open(const lu_line_options *line, const lu_env_options *env,
                                   lu_error *error);

LU_C_END
