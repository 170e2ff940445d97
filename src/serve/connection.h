/* One connection without its socket: bytes go in, bytes come out, and it says what it waits for.
 * The same code serves sockets, tests and the fuzzer.
 * Ownership: a connection belongs to its opener until connection_close. Threads: the service
 * thread. */
#pragma once

#include "app.h"

typedef struct connection connection;

typedef enum connection_wish {
    CONNECTION_READ,   /* more bytes, or the moment connection_wake tells */
    CONNECTION_SEND,   /* connection_bytes are to be sent */
    CONNECTION_WAIT,   /* a worker is at it: `poke` tells */
    CONNECTION_LINGER, /* all was sent: no more is written, what comes is dropped until
                          connection_wake */
    CONNECTION_CLOSE,
} connection_wish;

/* A connection of `peer`, admitted by access_enter; `poke` is called with `user` when it
 * is to go on after CONNECTION_WAIT. */
connection *connection_open(app *app, peer *peer, const char *address, void (*poke)(void *user),
                            void *user, double now);
void connection_close(connection *connection);

/* How many bytes it takes now. */
size_t connection_room(const connection *connection);
void connection_hear(connection *connection, const char *bytes, size_t length);
/* The other side will send no more. */
void connection_ended(connection *connection);
/* Pokes all connections of an app whose answers come later: something has happened. */
void connections_poke(app *app);
/* Goes on as far as it can. */
connection_wish connection_go(connection *connection, double now);
const char *connection_bytes(const connection *connection, size_t *length);
void connection_sent(connection *connection, size_t length, double now);
/* When to go on at the latest. */
double connection_wake(const connection *connection);
