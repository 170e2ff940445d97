/* The gRPC server without its services: listens, reads questions, asks a handler, sends answers,
 * and stops. Services are tables of methods; they see messages as bytes of protobuf and errors as
 * lu_status, and know nothing of gRPC. What no table has is answered UNIMPLEMENTED.
 * Ownership: options belong to the caller and outlive the server; a server belongs to its opener
 * until rpc_close. Threads: handlers run on several at once; open, wait and close on one. */
#pragma once

#include "ludus/settings.h"

#include <protobuf-c/protobuf-c.h>

/* grpc.threads, grpc.calls, grpc.call_seconds, grpc.stream_seconds, grpc.message_mib. */
extern const lu_table rpc_table;

typedef struct rpc_question {
    const uint8_t *bytes;
    size_t length;
    double deadline; /* of lu_clock_seconds: what is not begun by then is not done at all */
} rpc_question;

typedef struct rpc_answer rpc_answer;
/* The answer of a handler, packed at once: the message may end with the handler's locks. */
void rpc_reply(rpc_answer *answer, const ProtobufCMessage *message);

/* LU_OK after one rpc_reply, or an error whose sentence goes to the client. */
typedef lu_status rpc_handler(void *context, const rpc_question *question, rpc_answer *answer,
                              lu_error *error);

typedef enum rpc_kind {
    RPC_UNARY,
    RPC_STREAM, /* questions one after the other, each answered in its turn */
    RPC_WATCH,  /* one question, one answer, and the call stays open */
} rpc_kind;

typedef struct rpc_method {
    const char *path; /* "/ludus.v1.Env/Step" */
    rpc_kind kind;
    rpc_handler *handle;
} rpc_method;

typedef struct rpc_options {
    const char *bind;
    int port;                         /* 0: any that is free */
    const char *token;                /* NULL: none is asked for */
    const lu_settings *limits;        /* holds rpc_table */
    bool confine;                     /* gives up what serving does not need */
    const rpc_method *const *methods; /* tables that end with a NULL path; ends with NULL */
    void *context;                    /* of the handlers */
} rpc_options;

typedef struct rpc_server rpc_server;

/* Listens and serves on threads of its own, in which signals are blocked. NULL on an error: those
 * of lu_listen_at. */
rpc_server *rpc_open(const rpc_options *options, lu_error *error);
int rpc_port(const rpc_server *server);
/* Ends calls that have waited for their client too long: to be called now and then. */
void rpc_tend(rpc_server *server);
/* Takes no more calls, lets those in work end, ends the streams, and frees everything. */
void rpc_close(rpc_server *server);

/* LU_INTERRUPTED when the time of a question is over. */
lu_status rpc_in_time(const rpc_question *question, lu_error *error);
/* Unpacks a question; NULL with LU_BAD_DATA when its bytes are no such message. */
ProtobufCMessage *rpc_unpack(const ProtobufCMessageDescriptor *kind, const rpc_question *question,
                             lu_error *error);
