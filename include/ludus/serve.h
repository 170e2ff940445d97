/* The server behind `ludus serve`: an HTTP API over the runs of a folder, the built site, sessions
 * of play and the games' tools, on one port (docs/server.md). It reads runs and never writes into
 * them, makes no request of its own, and turns no text of a client into a path. Ownership: options
 * belong to the caller and are copied; a server belongs to its opener until lu_server_close.
 * Threads: one thread runs a server; opening it forks the processes in which tools run and starts
 * threads of its own: no other thread may run then. */
#pragma once

#include "ludus/settings.h"

LU_C_BEGIN

/* Limits: serve.connections, serve.requests_per_second, serve.sessions, ... */
extern const lu_table lu_serve_table;

typedef struct lu_serve_options {
    const char *bind;                    /* an address; other than loopback it needs a token */
    int port;                            /* 0: any that is free */
    const char *token;                   /* NULL: none is asked for */
    const char *runs;                    /* folder of runs */
    const char *site, *modules, *models; /* folders, or "" */
    const char *const *origins;          /* further origins that may ask; end with NULL, or NULL */
    const char *const *hosts;            /* further names of this server; end with NULL, or NULL */
    const char *version, *commit;
    const lu_settings *limits; /* holds lu_serve_table */
} lu_serve_options;

typedef struct lu_server lu_server;

/* Binds and listens. NULL on an error: LU_BAD_VALUE (no address, or no token where one is needed),
 * LU_BUSY (the port is taken), LU_IO. */
lu_server *lu_server_open(const lu_serve_options *options, lu_error *error);
/* The port it listens at. */
int lu_server_port(const lu_server *server);
/* Serves until `stopped` says so; it is asked at least once a second and after every signal. */
lu_status lu_server_run(lu_server *server, bool (*stopped)(void), lu_error *error);
/* What it has done so far, as members of an open object: requests, refused, failed, ... */
void lu_server_sum(const lu_server *server, lu_json *json);
void lu_server_close(lu_server *server);

/* True for 127.0.0.0/8, ::1 and "localhost". */
bool lu_serve_is_loopback(const char *address);
/* A random token of 32 letters; the caller frees it. */
char *lu_serve_token(void);
/* The OpenAPI document of this version. */
void lu_serve_openapi(lu_json *json, const char *version);

LU_C_END
