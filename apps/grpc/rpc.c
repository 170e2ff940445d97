/* A gRPC server over the C core: see rpc.h. One completion queue, a few threads that wait on it,
 * and a call object per call whose address is the tag and whose stage says what has just ended:
 *
 *   ARRIVES -> READS -> (handler) -> ENDS                    unary
 *   ARRIVES -> READS -> (handler) -> TURNS -> ... -> ENDS    a stream: answer out, next question in
 *   ARRIVES -> READS -> (handler) -> WATCHES                 open until its client or the server
 * goes
 *
 * A call has one batch under way at a time, so that no two threads have one call. One call object
 * is always armed for the next arrival, by the generic request alone: methods that nobody
 * registered would else hang until their deadline. */
#include "rpc.h"
#include "door.h"

#include "ludus/clock.h"
#include "ludus/confine.h"
#include "ludus/listen.h"
#include "ludus/threads.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_posix.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>
#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS_MOST = 64,
    CONNECTIONS = 1000, /* for which descriptors are asked */
    KEEPALIVE_SECONDS = 60,
    IDLE_SECONDS = 600, /* of a connection without calls */
    STOP_SECONDS = 2,
};

static const lu_setting rows[] = {
    {"grpc.threads", LU_INT, "0", 0, THREADS_MOST, NULL,
     "Threads that answer calls; 0: one per processor, at most 8.", false},
    {"grpc.calls", LU_INT, "1024", 1, 1e6, NULL,
     "Maximum concurrent calls, streams included; more are refused.", false},
    {"grpc.call_seconds", LU_REAL, "60", 0.001, 1e6, NULL,
     "Deadline of a call in seconds, unless the client sets a shorter one.", false},
    {"grpc.stream_seconds", LU_REAL, "1800", 0.1, 1e6, NULL,
     "Seconds of silence after which a stream is ended.", false},
    {"grpc.message_mib", LU_INT, "4", 1, 1024, NULL, "Largest message from a client, in MiB.",
     false},
};
const lu_table rpc_table = {"grpc", rows, sizeof rows / sizeof *rows};

#define WAITED_LONG (-1.0) /* in place of waits_since: the call is ended for that */

typedef enum stage { ARRIVES, READS, TURNS, WATCHES, ENDS } stage;

typedef struct call {
    rpc_server *server;
    stage stage;
    grpc_call *call;
    grpc_call_details details;
    grpc_metadata_array metadata;
    const rpc_method *method;
    grpc_byte_buffer *question, *answer;
    bool greeted; /* initial metadata are sent */
    int cancelled;
    grpc_slice sentence;
    _Atomic double
        waits_since; /* since when its client is to speak; 0: it is not, or WAITED_LONG */
    struct call *before, *after;
} call;

struct rpc_answer {
    grpc_byte_buffer *bytes;
};

struct rpc_server {
    const rpc_options *options;
    grpc_server *server;
    grpc_completion_queue *queue;
    int listener, port, threads;
    door *door;
    pthread_t thread[THREADS_MOST];
    int64_t calls_most;
    double call_seconds, stream_seconds;
    char *authorization;  /* what the header must hold, or NULL */
    pthread_mutex_t lock; /* of the list of calls */
    call *first;
    int64_t calls;
    _Atomic int at_work; /* calls that end with their answer */
    int stopped;         /* its address is the tag of the end */
    bool ends, ended;    /* it has stopped; the queue is shut too. Under the lock */
};

/* ---- codes ---- */

static grpc_status_code code_of(lu_status status) {
    switch (status) {
    case LU_OK:
        return GRPC_STATUS_OK;
    case LU_USAGE:
    case LU_UNKNOWN_KEY:
    case LU_BAD_VALUE:
    case LU_BAD_DATA:
        return GRPC_STATUS_INVALID_ARGUMENT;
    case LU_NOT_FOUND:
        return GRPC_STATUS_NOT_FOUND;
    case LU_LIMIT:
    case LU_BUSY:
        return GRPC_STATUS_RESOURCE_EXHAUSTED;
    case LU_INTERRUPTED:
        return GRPC_STATUS_DEADLINE_EXCEEDED;
    default:
        return GRPC_STATUS_INTERNAL;
    }
}

lu_status rpc_in_time(const rpc_question *question, lu_error *error) {
    return lu_clock_seconds() <= question->deadline
               ? LU_OK
               : lu_fail(error, LU_INTERRUPTED, "this call ran out of time");
}

/* ---- messages ---- */

void rpc_reply(rpc_answer *answer, const ProtobufCMessage *message) {
    size_t length = protobuf_c_message_get_packed_size(message);
    grpc_slice slice = grpc_slice_malloc(length);
    protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(slice));
    answer->bytes = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
}

ProtobufCMessage *rpc_unpack(const ProtobufCMessageDescriptor *kind, const rpc_question *question,
                             lu_error *error) {
    ProtobufCMessage *message =
        protobuf_c_message_unpack(kind, NULL, question->length, question->bytes);
    if (!message) {
        lu_fail(error, LU_BAD_DATA, "the message isn't a %s", kind->name);
    }
    return message;
}

static bool slice_is(grpc_slice slice, const char *text) {
    size_t length = strlen(text);
    return GRPC_SLICE_LENGTH(slice) == length &&
           memcmp(GRPC_SLICE_START_PTR(slice), text, length) == 0;
}

/* ---- the list of calls ---- */

/* Shuts the queue when the server has stopped and no call is left that might still use it. */
static void end_queue(rpc_server *server, bool ends) {
    pthread_mutex_lock(&server->lock);
    server->ends = server->ends || ends;
    bool now = server->ends && !server->first && !server->ended;
    server->ended = server->ended || now;
    pthread_mutex_unlock(&server->lock);
    if (now) {
        grpc_completion_queue_shutdown(server->queue);
    }
}

static call *call_new(rpc_server *server) {
    call *c = lu_alloc_zero(1, sizeof *c);
    c->server = server;
    c->sentence = grpc_empty_slice();
    grpc_call_details_init(&c->details);
    grpc_metadata_array_init(&c->metadata);
    pthread_mutex_lock(&server->lock);
    c->after = server->first;
    if (server->first) {
        server->first->before = c;
    }
    server->first = c;
    pthread_mutex_unlock(&server->lock);
    return c;
}

static void call_free(call *c) {
    rpc_server *server = c->server;
    pthread_mutex_lock(&server->lock);
    *(c->before ? &c->before->after : &server->first) = c->after;
    if (c->after) {
        c->after->before = c->before;
    }
    server->calls -= c->stage != ARRIVES;
    pthread_mutex_unlock(&server->lock);
    atomic_fetch_sub(&server->at_work, c->method && c->method->kind == RPC_UNARY);
    if (c->call) {
        grpc_call_unref(c->call);
    }
    grpc_byte_buffer_destroy(c->question);
    grpc_byte_buffer_destroy(c->answer);
    grpc_slice_unref(c->sentence);
    grpc_call_details_destroy(&c->details);
    grpc_metadata_array_destroy(&c->metadata);
    free(c);
    end_queue(server, false);
}

/* A call object for the next arrival. */
static void arm(rpc_server *server) {
    call *c = call_new(server);
    if (grpc_server_request_call(server->server, &c->call, &c->details, &c->metadata, server->queue,
                                 server->queue, c) != GRPC_CALL_OK) {
        call_free(c);
    }
}

/* Counts a call that has arrived; false when there are too many. */
static bool admit(call *c) {
    rpc_server *server = c->server;
    pthread_mutex_lock(&server->lock);
    c->stage = READS;
    bool fits = ++server->calls <= server->calls_most;
    pthread_mutex_unlock(&server->lock);
    return fits;
}

/* ---- batches ---- */

static void start(call *c, stage next, const grpc_op *ops, size_t count) {
    c->stage = next;
    grpc_call_error wrong = grpc_call_start_batch(c->call, ops, count, c, NULL);
    LU_ASSERT(wrong == GRPC_CALL_OK);
}

/* Initial metadata go with whatever is sent first. */
static size_t greet(call *c, grpc_op *ops) {
    if (c->greeted) {
        return 0;
    }
    c->greeted = true;
    ops[0] = (grpc_op){.op = GRPC_OP_SEND_INITIAL_METADATA};
    return 1;
}

static grpc_op op_read(call *c) {
    grpc_op op = {.op = GRPC_OP_RECV_MESSAGE};
    grpc_byte_buffer_destroy(c->question);
    c->question = NULL;
    op.data.recv_message.recv_message = &c->question;
    return op;
}

static grpc_op op_send(call *c) {
    grpc_op op = {.op = GRPC_OP_SEND_MESSAGE};
    op.data.send_message.send_message = c->answer;
    return op;
}

static grpc_op op_close(call *c) {
    grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
    op.data.recv_close_on_server.cancelled = &c->cancelled;
    return op;
}

/* The last batch of a call: its answer, where there is one, and its status. */
static void finish(call *c, grpc_status_code code, const char *sentence) {
    grpc_op ops[4];
    size_t count = greet(c, ops);
    c->sentence = grpc_slice_from_copied_string(sentence);
    if (c->answer && code == GRPC_STATUS_OK) {
        ops[count++] = op_send(c);
    }
    grpc_op status = {.op = GRPC_OP_SEND_STATUS_FROM_SERVER};
    status.data.send_status_from_server.status = code;
    status.data.send_status_from_server.status_details = &c->sentence;
    ops[count++] = status;
    ops[count++] = op_close(c);
    start(c, ENDS, ops, count);
}

static void turn(call *c) {
    grpc_op ops[3];
    size_t count = greet(c, ops);
    ops[count++] = op_send(c);
    ops[count++] = op_read(c);
    atomic_store(&c->waits_since, lu_clock_seconds());
    start(c, TURNS, ops, count);
}

static void watch(call *c) {
    grpc_op ops[3];
    size_t count = greet(c, ops);
    ops[count++] = op_send(c);
    ops[count++] = op_close(c);
    start(c, WATCHES, ops, count);
}

/* ---- a call's way ---- */

static const rpc_method *method_of(const rpc_server *server, grpc_slice path) {
    for (const rpc_method *const *table = server->options->methods; *table; table++) {
        for (const rpc_method *method = *table; method->path; method++) {
            if (slice_is(path, method->path)) {
                return method;
            }
        }
    }
    return NULL;
}

static bool may_ask(const call *c) {
    const char *wanted = c->server->authorization;
    for (size_t i = 0; wanted && i < c->metadata.count; i++) {
        grpc_slice value = c->metadata.metadata[i].value;
        if (slice_is(c->metadata.metadata[i].key, "authorization")) {
            char *given = grpc_slice_to_c_string(value);
            bool same = lu_same_secret(given, wanted);
            gpr_free(given);
            return same;
        }
    }
    return !wanted;
}

static void on_arrival(call *c) {
    char sentence[320];
    arm(c->server);
    if (!admit(c)) {
        finish(c, GRPC_STATUS_RESOURCE_EXHAUSTED, "too many concurrent calls: try again later");
    } else if (!may_ask(c)) {
        finish(c, GRPC_STATUS_UNAUTHENTICATED,
               "this server needs a token: send metadata authorization: Bearer TOKEN");
    } else if (!(c->method = method_of(c->server, c->details.method))) {
        size_t length = GRPC_SLICE_LENGTH(c->details.method);
        snprintf(sentence, sizeof sentence, "no such method: %.*s",
                 (int)(length < 200 ? length : 200),
                 (const char *)GRPC_SLICE_START_PTR(c->details.method));
        finish(c, GRPC_STATUS_UNIMPLEMENTED, sentence);
    } else {
        grpc_op op = op_read(c);
        atomic_fetch_add(&c->server->at_work, c->method->kind == RPC_UNARY);
        atomic_store(&c->waits_since, lu_clock_seconds());
        start(c, READS, &op, 1);
    }
}

/* Seconds that a client still gives its call; a large number where it says nothing. */
static double time_left(const call *c) {
    gpr_timespec left = gpr_time_sub(c->details.deadline, gpr_now(c->details.deadline.clock_type));
    return (double)left.tv_sec + 1e-9 * left.tv_nsec;
}

/* Asks the handler; its answer or sentence is then in the call. */
static lu_status ask(call *c, lu_error *error) {
    grpc_byte_buffer_reader reader;
    if (!grpc_byte_buffer_reader_init(&reader, c->question)) {
        return lu_fail(error, LU_BAD_DATA, "the message cannot be read");
    }
    grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
    grpc_byte_buffer_reader_destroy(&reader);
    double left = time_left(c), most = c->server->call_seconds;
    rpc_question question = {GRPC_SLICE_START_PTR(bytes), GRPC_SLICE_LENGTH(bytes),
                             lu_clock_seconds() + (left < most ? left : most)};
    rpc_answer answer = {NULL};
    grpc_byte_buffer_destroy(c->answer);
    c->answer = NULL;
    lu_status status = rpc_in_time(&question, error);
    LU_THEN(status, c->method->handle(c->server->options->context, &question, &answer, error));
    grpc_slice_unref(bytes);
    c->answer = answer.bytes;
    return status;
}

/* A call without a question: a stream's client is done; others have gone away, or have sent nothing
 * or too much. */
static void on_silence(call *c) {
    bool done = c->method->kind == RPC_STREAM;
    grpc_byte_buffer_destroy(c->answer); /* it was sent */
    c->answer = NULL;
    finish(c, done ? GRPC_STATUS_OK : GRPC_STATUS_INVALID_ARGUMENT,
           done ? "" : "the call has no message");
}

static void on_question(call *c) {
    lu_error error = {LU_OK, ""};
    rpc_kind kind = c->method->kind;
    bool late = atomic_exchange(&c->waits_since, 0.0) == WAITED_LONG;
    if (!late && !c->question) {
        on_silence(c);
        return;
    }
    lu_status status = late ? lu_fail(&error, LU_INTERRUPTED, "the client was silent for too long")
                            : ask(c, &error);
    if (status != LU_OK) {
        finish(c, code_of(status), error.text);
    } else if (kind == RPC_STREAM) {
        turn(c);
    } else if (kind == RPC_WATCH) {
        watch(c);
    } else {
        finish(c, GRPC_STATUS_OK, "");
    }
}

static void on_event(call *c, bool success) {
    switch (c->stage) {
    case ARRIVES:
        if (success) {
            on_arrival(c);
        } else {
            call_free(c); /* the server stops */
        }
        break;
    case READS:
    case TURNS:
        if (!success) {
            grpc_byte_buffer_destroy(c->question);
            c->question = NULL;
        }
        on_question(c);
        break;
    case WATCHES:
    case ENDS:
        call_free(c);
        break;
    }
}

static void *serve(void *argument) {
    rpc_server *server = argument;
    for (;;) {
        grpc_event event =
            grpc_completion_queue_next(server->queue, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
        if (event.type == GRPC_QUEUE_SHUTDOWN) {
            return NULL;
        }
        if (event.tag == &server->stopped) {
            end_queue(server, true);
        } else {
            on_event(event.tag, event.success != 0);
        }
    }
}

/* ---- from start to end ---- */

static int threads_of(const lu_settings *limits) {
    int wanted = (int)lu_settings_int(limits, "grpc.threads"), cpus = lu_cpu_count();
    return wanted > 0 ? wanted : cpus < 8 ? cpus : 8;
}

static grpc_server *server_new(const lu_settings *limits) {
    int message = (int)lu_settings_int(limits, "grpc.message_mib") << 20;
    grpc_arg args[] = {
        {GRPC_ARG_INTEGER, (char *)GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, {.integer = message}},
        {GRPC_ARG_INTEGER, (char *)GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, {.integer = -1}},
        {GRPC_ARG_INTEGER, (char *)GRPC_ARG_MAX_CONCURRENT_STREAMS, {.integer = 256}},
        {GRPC_ARG_INTEGER, (char *)GRPC_ARG_MAX_METADATA_SIZE, {.integer = 8192}},
        /* clients that are gone without a word, and their streams */
        {GRPC_ARG_INTEGER,
         (char *)GRPC_ARG_KEEPALIVE_TIME_MS,
         {.integer = KEEPALIVE_SECONDS * 1000}},
        {GRPC_ARG_INTEGER, (char *)GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, {.integer = 1}},
        {GRPC_ARG_INTEGER,
         (char *)GRPC_ARG_MAX_CONNECTION_IDLE_MS,
         {.integer = IDLE_SECONDS * 1000}},
    };
    grpc_channel_args all = {sizeof args / sizeof *args, args};
    return grpc_server_create(&all, NULL);
}

static void take(void *user, int connection) {
    const rpc_server *server = user;
    grpc_server_credentials *plain = grpc_insecure_server_credentials_create();
    grpc_server_add_channel_from_fd(server->server, connection, plain);
    grpc_server_credentials_release(plain);
}

static void server_free(rpc_server *server) {
    grpc_server_destroy(server->server);
    grpc_completion_queue_destroy(server->queue);
    pthread_mutex_destroy(&server->lock);
    free(server->authorization);
    free(server);
    /* no grpc_shutdown: after a large answer it waits up to ten seconds for a poller of its own
     * that has nothing to do, and what it would free ends with the program */
}

/* Stops a server, whose threads take all events that are left. */
static void stop(rpc_server *server) {
    double end = lu_clock_seconds() + STOP_SECONDS;
    door_close(server->door);
    grpc_server_shutdown_and_notify(server->server, server->queue, &server->stopped);
    while (atomic_load(&server->at_work) > 0 && lu_clock_seconds() < end) {
        gpr_timespec moment = gpr_time_from_millis(5, GPR_TIMESPAN);
        gpr_sleep_until(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), moment));
    }
    grpc_server_cancel_all_calls(server->server);
    for (int i = 0; i < server->threads; i++) {
        pthread_join(server->thread[i], NULL);
    }
}

/* The core tells of each malformed frame in a line with the bytes of its client, who could thus
 * drive a terminal, fill a disk or, where nobody reads the lines, hold the server: it tells nothing
 * unless GRPC_VERBOSITY asks for it. */
static void tell_nothing(gpr_log_func_args *line) {
    (void)line;
}

/* Listens, and gives up the rest before there is any thread; NULL on an error. */
static rpc_server *server_listen(const rpc_options *options, lu_error *error) {
    rpc_server *server = lu_alloc_zero(1, sizeof *server);
    server->options = options;
    server->port = options->port;
    server->listener = -1;
    (void)lu_listen_room(CONNECTIONS);
    lu_status status = lu_listen_check(options->bind, options->token, error);
    LU_THEN(status, lu_listen_at(options->bind, &server->port, &server->listener, error));
    if (status == LU_OK && options->confine) {
        status = lu_confine(&(lu_confinement){0}, error);
    }
    if (status == LU_OK) {
        return server;
    }
    if (server->listener >= 0) {
        close(server->listener);
    }
    free(server);
    return NULL;
}

static bool start_threads(rpc_server *server) {
    int wanted = threads_of(server->options->limits);
    while (server->threads < wanted &&
           pthread_create(&server->thread[server->threads], NULL, serve, server) == 0) {
        server->threads++;
    }
    server->door = server->threads > 0 ? door_open(server->listener, take, server) : NULL;
    return server->door != NULL;
}

rpc_server *rpc_open(const rpc_options *options, lu_error *error) {
    sigset_t all, old;
    rpc_server *server = server_listen(options, error);
    if (!server) {
        return NULL;
    }
    server->calls_most = lu_settings_int(options->limits, "grpc.calls");
    server->call_seconds = lu_settings_real(options->limits, "grpc.call_seconds");
    server->stream_seconds = lu_settings_real(options->limits, "grpc.stream_seconds");
    pthread_mutex_init(&server->lock, NULL);
    sigfillset(&all); /* the main thread alone hears them */
    pthread_sigmask(SIG_BLOCK, &all, &old);
    if (!getenv("GRPC_VERBOSITY")) {
        gpr_set_log_function(tell_nothing);
    }
    grpc_init();
    server->server = server_new(options->limits);
    server->queue = grpc_completion_queue_create_for_next(NULL);
    grpc_server_register_completion_queue(server->server, server->queue, NULL);
    if (options->token) {
        size_t room = strlen(options->token) + 8;
        server->authorization = lu_alloc(room);
        snprintf(server->authorization, room, "Bearer %s", options->token);
    }
    grpc_server_start(server->server);
    arm(server);
    bool started = start_threads(server);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (started) {
        return server;
    }
    /* nothing is freed: gRPC waits for ever where its own threads could not be started either, and
     * the program is about to end */
    lu_fail(error, LU_FAILED,
            "no thread can be started: raise the limits on processes (ulimit -u) and memory "
            "(ulimit -v)");
    return NULL;
}

int rpc_port(const rpc_server *server) {
    return server->port;
}

void rpc_tend(rpc_server *server) {
    double now = lu_clock_seconds();
    pthread_mutex_lock(&server->lock);
    for (call *c = server->first; c; c = c->after) {
        double since = atomic_load(&c->waits_since);
        bool streams = since > 0.0 && c->method->kind == RPC_STREAM;
        double most = streams ? server->stream_seconds : server->call_seconds;
        if (since > 0.0 && now - since > most &&
            atomic_compare_exchange_strong(&c->waits_since, &since, WAITED_LONG)) {
            grpc_call_cancel_with_status(c->call, GRPC_STATUS_DEADLINE_EXCEEDED,
                                         "the client was silent for too long", NULL);
        }
    }
    pthread_mutex_unlock(&server->lock);
}

void rpc_close(rpc_server *server) {
    stop(server);
    server_free(server);
}
