/* A small gRPC client for measuring: unary calls to a port of this machine, several on their way at
 * a time.
 * Ownership: a client belongs to its opener until client_close; messages that it hands out belong
 * to the caller (protobuf_c_message_free_unpacked). Threads: one. */
#pragma once

#include "ludus/error.h"

#include <protobuf-c/protobuf-c.h>

typedef struct client client;

/* With `lanes` calls on their way at most. */
client *client_open(int port, int lanes);
void client_close(client *c);
/* Sends a question; the lane must be free. */
void client_send(client *c, int lane, const char *path, const ProtobufCMessage *question);
/* Waits for the next answer, of whichever lane: its number, or -1 on an error. */
int client_wait(client *c, const ProtobufCMessageDescriptor *kind, ProtobufCMessage **answer,
                lu_error *error);
