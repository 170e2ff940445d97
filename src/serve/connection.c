/* Connections: see connection.h. One reads one request at a time, has it answered, sends the answer
 * in pieces of bounded size, and goes on with the next. */
#include "connection.h"
#include "websocket.h"

#include "ludus/clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double LINGER_SECONDS = 2.0;
enum { LINGER_BYTES = 1 << 20 };

typedef enum connection_state {
    STATE_HEAD,
    STATE_BODY,
    STATE_WORK,   /* a worker has request and answer, or the stream */
    STATE_LATER,  /* the answer is not there yet */
    STATE_ANSWER, /* `out`, then the rest of the answer */
    STATE_SOCKET, /* a WebSocket */
    STATE_LINGER,
} connection_state;

/* What a worker has of a connection; it outlives one that is closed meanwhile. */
typedef struct connection_job {
    job base;
    connection *connection; /* NULL: gone */
    bool done;
    http_request request;
    http_answer answer;
    stream *stream; /* to be worked on; NULL: the request is to be answered */
} connection_job;

struct connection {
    app *app;
    peer *peer;
    char address[HTTP_ADDRESS_ROOM];
    void (*poke)(void *user);
    void *user;
    connection_state state;
    lu_text in, out;
    size_t sent;   /* of `out` */
    size_t passed; /* of the answer's body */
    size_t held;   /* bytes counted in app->held */
    size_t taken;  /* bytes of a large body, counted in app->taken */
    http_request request;
    http_answer answer;
    bool answered, ended;
    size_t dropped; /* bytes, while lingering */
    double since;   /* the request or the pause began then, or bytes went out last */
    double asked;   /* the request was whole */
    double wake;
    double request_seconds, idle_seconds;
    websocket socket;
    connection_job *job;
    struct connection *next_waiting; /* of those in STATE_LATER */
};

connection *connection_open(app *a, peer *p, const char *address, void (*poke)(void *), void *user,
                            double now) {
    connection *l = lu_alloc_zero(1, sizeof *l);
    l->app = a;
    l->peer = p;
    snprintf(l->address, sizeof l->address, "%s", address);
    l->poke = poke;
    l->user = user;
    l->since = now;
    l->request_seconds = lu_settings_real(a->options.limits, "serve.request_seconds");
    l->idle_seconds = lu_settings_real(a->options.limits, "serve.idle_seconds");
    lu_text_init(&l->in);
    lu_text_init(&l->out);
    websocket_init(&l->socket);
    answer_init(&l->answer);
    return l;
}

/* Puts a connection into the list of those that wait, or takes it out. */
static void set_waiting(connection *l, bool waits) {
    connection **at = &l->app->waiting;
    while (*at && *at != l) {
        at = &(*at)->next_waiting;
    }
    if (waits && !*at) {
        l->next_waiting = NULL;
        *at = l;
    } else if (!waits && *at) {
        *at = l->next_waiting;
    }
}

void connections_poke(app *a) {
    for (connection *l = a->waiting; l; l = l->next_waiting) {
        l->poke(l->user);
    }
}

/* Lets go of what belongs to one request. */
static void forget(connection *l) {
    if (l->answer.stream && l->answered) {
        metrics_stream(l->app->metrics, l->answer.stream->topic, -1);
    }
    l->app->held -= l->held;
    l->app->taken -= l->taken;
    l->held = l->taken = 0;
    request_free(&l->request);
    answer_free(&l->answer);
    answer_init(&l->answer);
    l->answered = false;
    l->passed = l->sent = 0;
    lu_text_clear(&l->out);
}

size_t connection_room(const connection *l) {
    size_t large = l->state == STATE_BODY ? l->request.length : 0;
    size_t most = HTTP_HEAD_MOST + (large > HTTP_BODY_MOST ? large : HTTP_BODY_MOST);
    if (l->state == STATE_SOCKET) {
        most = WEBSOCKET_FRAME_MOST;
        most = l->in.length < most ? most : l->in.length; /* what came with the handshake */
    }
    return l->state == STATE_LINGER ? most : l->ended ? 0 : most - l->in.length;
}

void connection_hear(connection *l, const char *bytes, size_t length) {
    metrics_bytes(l->app->metrics, length, 0);
    if (l->state == STATE_LINGER) {
        l->dropped += length;
    } else {
        lu_text_add_n(&l->in, bytes, length);
    }
    l->socket.fresh = true;
}

void connection_ended(connection *l) {
    l->ended = true;
}

/* Takes the first bytes of the input away. */
static void consume(connection *l, size_t length) {
    text_drop(&l->in, length);
}

/* ---- answers ---- */

/* Puts the next piece of a body into `out`; false when there is none. */
static bool refill(connection *l) {
    http_answer *a = &l->answer;
    const char *bytes = a->shared ? a->shared->bytes : a->body.text;
    size_t length = a->shared ? a->shared->length : a->file >= 0 ? a->length : a->body.length;
    size_t left = length - l->passed, piece = left < HTTP_PIECE ? left : HTTP_PIECE;
    if (l->request.method == HTTP_HEAD || a->status == 304 || a->status == 204 || left == 0) {
        return false;
    }
    if (a->file < 0) {
        lu_text_add_n(&l->out, bytes + l->passed, piece);
    } else {
        lu_text_reserve(&l->out, piece);
        ssize_t got =
            pread(a->file, l->out.text + l->out.length, piece, a->from + (off_t)l->passed);
        if (got <= 0) { /* the file has shrunk: the length that was promised cannot be kept */
            a->close = true;
            return false;
        }
        l->out.length += (size_t)got;
        piece = (size_t)got;
    }
    l->passed += piece;
    return true;
}

static void begin_answer(connection *l, double now) {
    lu_text more = LU_TEXT_INIT;
    double took = lu_clock_seconds() - l->asked;
    metrics_request(l->app->metrics, l->request.route, l->answer.status, took);
    request_log_answer(l->app->log, &l->request, &l->answer, l->address, took, now);
    access_fields(l->app->access_control, &l->request, &more);
    answer_head(&l->answer, &l->request, more.text, &l->out);
    lu_text_free(&more);
    l->answered = true;
    l->held = l->answer.body.length;
    l->app->held += l->held;
    if (l->answer.stream) {
        metrics_stream(l->app->metrics, l->answer.stream->topic, 1);
    } else {
        (void)refill(l); /* a small body goes with its head */
    }
    l->state = STATE_ANSWER;
    l->since = now;
}

/* Answers with a problem and ends the connection: nobody knows where the next request begins. */
static void refuse(connection *l, int status, const char *name, const char *reason, double now) {
    l->asked = lu_clock_seconds();
    l->request.keep = false;
    l->answer.close = true;
    snprintf(l->request.id, sizeof l->request.id, "%08llx", (unsigned long long)++l->app->requests);
    answer_problem(&l->answer, &l->request, status, name, NULL, "%s", reason);
    begin_answer(l, now);
}

/* ---- workers ---- */

static void job_work(job *base, worker *w) {
    connection_job *j = (connection_job *)base;
    if (j->stream) {
        j->stream->work(j->stream, w);
    } else {
        j->request.route->handle(w, &j->request, &j->answer);
    }
}

static void job_free(connection_job *j) {
    request_free(&j->request);
    answer_free(&j->answer);
    if (j->stream) {
        j->stream->free(j->stream);
    }
    free(j);
}

/* A job that is done belongs to its connection, one that is not to the workers: job_done frees it.
 */
static void leave_job(connection *l) {
    connection_job *j = l->job;
    if (j->stream) {
        metrics_stream(l->app->metrics, j->stream->topic, -1);
    }
    j->connection = NULL;
    l->job = NULL;
    if (j->done) {
        job_free(j);
    }
}

static void job_done(job *base) {
    connection_job *j = (connection_job *)base;
    connection *l = j->connection;
    if (!l) {
        job_free(j);
        return;
    }
    j->done = true; /* connection_go takes it up */
    l->poke(l->user);
}

/* Hands the request, or the stream of its answer, to a worker. */
static bool post(connection *l, worker_kind where, stream *own) {
    connection_job *j = lu_alloc_zero(1, sizeof *j);
    j->base.work = job_work;
    j->base.done = job_done;
    j->connection = l;
    j->stream = own;
    answer_init(&j->answer);
    if (!own) {
        j->request = l->request;
        l->request = (http_request){0};
    }
    l->job = j;
    l->state = STATE_WORK;
    if (app_post(l->app, where, &j->base)) {
        return true;
    }
    if (!own) {
        l->request = j->request;
        j->request = (http_request){0};
    }
    j->stream = NULL;
    l->job = NULL;
    job_free(j);
    return false;
}

/* Takes back what a worker had. */
static void take_up(connection *l, double now) {
    connection_job *j = l->job;
    l->job = NULL;
    if (j->stream) {
        l->answer.stream = j->stream;
        j->stream = NULL;
        l->state = STATE_ANSWER;
    } else {
        answer_free(&l->answer);
        l->request = j->request;
        l->answer = j->answer;
        j->request = (http_request){0};
        answer_init(&j->answer);
        if (!l->answer.socket) {
            begin_answer(l, now);
        }
    }
    job_free(j);
}

/* ---- the end ---- */

void connection_close(connection *l) {
    if (l->job) {
        leave_job(l);
    }
    set_waiting(l, false);
    forget(l);
    answer_free(&l->answer);
    if (l->peer) {
        access_leave(l->app->access_control, l->peer);
    }
    lu_text_free(&l->in);
    lu_text_free(&l->out);
    websocket_free(&l->socket);
    free(l);
}

/* ---- requests ---- */

static void dispatch(connection *l, double now) {
    l->asked = lu_clock_seconds();
    snprintf(l->request.address, sizeof l->request.address, "%s", l->address);
    worker_kind where = app_begin(l->app, l->peer, &l->request, &l->answer, now);
    if (where == WORKER_NONE && l->answer.later) {
        l->state = STATE_LATER;
        set_waiting(l, true);
    } else if (where == WORKER_NONE) {
        if (!l->answer.socket) {
            begin_answer(l, now);
        }
    } else if (!post(l, where, NULL)) {
        answer_field(&l->answer, "Retry-After", "1");
        answer_problem(&l->answer, &l->request, 503, "busy", NULL,
                       "too many requests are waiting: try again in a moment");
        begin_answer(l, now);
    }
}

/* A body above the usual is read only where it may be, for whom may ask, and while there is room.
 * False when the answer has begun. */
static bool admit_body(connection *l, double now) {
    http_answer *a = &l->answer;
    if (l->request.length <= HTTP_BODY_MOST) {
        return true;
    }
    snprintf(l->request.address, sizeof l->request.address, "%s", l->address);
    l->asked = lu_clock_seconds();
    if (app_admit(l->app, l->peer, &l->request, a, now)) {
        l->taken = l->request.length;
        l->app->taken += l->taken;
        return true;
    }
    l->request.keep = false; /* the body is not read */
    a->close = true;
    begin_answer(l, now);
    return false;
}

/* False when more bytes are needed. */
static bool read_head(connection *l, double now) {
    size_t used;
    int status;
    const char *reason;
    switch (request_read(&l->request, l->in.text ? l->in.text : "", l->in.length, &used, &status,
                         &reason)) {
    case HTTP_MORE:
        return false;
    case HTTP_BAD:
        refuse(l, status, "bad-request", reason, now);
        return true;
    case HTTP_READY:
        break;
    }
    consume(l, used);
    if (l->request.length == 0) {
        dispatch(l, now);
        return true;
    }
    if (!admit_body(l, now)) {
        return true;
    }
    l->state = STATE_BODY;
    if (l->request.expects && l->in.length == 0) {
        lu_text_add(&l->out, "HTTP/1.1 100 Continue\r\n\r\n");
    }
    return true;
}

static bool read_body(connection *l, double now) {
    size_t length = l->request.length;
    if (l->in.length < length) {
        return false;
    }
    l->request.body = lu_alloc(length + 1);
    memcpy(l->request.body, l->in.text, length);
    l->request.body[length] = 0;
    consume(l, length);
    lu_text_clear(&l->out);
    l->sent = 0;
    dispatch(l, now);
    return true;
}

/* Waits for an answer that comes later; a client that is gone has no use for it. One that sends on
 * and on is not listened to any more, so that nobody would hear it go: it is let go at once. */
static connection_wish go_later(connection *l, double now) {
    later *own = l->answer.later;
    if (l->ended || connection_room(l) == 0) {
        return CONNECTION_CLOSE;
    }
    if (own->ready(own, &l->request, now, &l->answer, &l->wake)) {
        l->answer.later = NULL;
        own->free(own);
        set_waiting(l, false);
        begin_answer(l, now);
    }
    return CONNECTION_READ;
}

/* Waits for the rest of a request, but not for ever. */
static connection_wish await(connection *l, double now) {
    bool idle = l->state == STATE_HEAD && l->in.length == 0;
    l->wake = l->since + (idle ? l->idle_seconds : l->request_seconds);
    if (l->ended || (idle && now >= l->wake)) {
        return CONNECTION_CLOSE;
    }
    if (now >= l->wake) {
        lu_text_clear(&l->out);
        l->sent = 0;
        refuse(l, 408, "timeout", "the request took too long to arrive", now);
        return CONNECTION_SEND;
    }
    return CONNECTION_READ;
}

/* ---- sending ---- */

/* Puts a piece of a stream into `out` as a chunk. */
static connection_wish refill_stream(connection *l, double now) {
    lu_text piece = LU_TEXT_INIT;
    connection_wish wish = CONNECTION_SEND;
    switch (l->answer.stream->next(l->answer.stream, now, &piece, &l->wake)) {
    case STREAM_MORE:
        break;
    case STREAM_WAIT:
    case STREAM_BUSY:
        wish = l->ended ? CONNECTION_CLOSE : CONNECTION_READ;
        break;
    case STREAM_WORK:
        wish = CONNECTION_WAIT;
        break;
    case STREAM_END:
        l->passed = 1; /* the end is told once */
        break;
    }
    if (piece.length > 0) {
        lu_text_addf(&l->out, "%zx\r\n", piece.length);
        lu_text_add_n(&l->out, piece.text, piece.length);
        lu_text_add(&l->out, "\r\n");
    }
    if (l->passed) {
        lu_text_add(&l->out, "0\r\n\r\n");
    }
    lu_text_free(&piece);
    if (wish == CONNECTION_WAIT) {
        stream *own = l->answer.stream;
        l->answer.stream = NULL;
        if (!post(l, WORKER_RUNS, own)) { /* all are busy: look again a little later */
            l->answer.stream = own;
            l->state = STATE_ANSWER;
            l->wake = now + 0.5;
            return CONNECTION_READ;
        }
    }
    return wish;
}

/* The answer is out. */
static void finish(connection *l, double now) {
    bool close = l->answer.close || !l->request.keep;
    forget(l);
    l->state = close ? STATE_LINGER : STATE_HEAD;
    l->since = now;
    l->wake = close ? now + LINGER_SECONDS : l->wake;
}

static connection_wish go_answer(connection *l, double now) {
    if (l->sent < l->out.length) {
        l->wake = l->since + l->idle_seconds;
        return now >= l->wake ? CONNECTION_CLOSE : CONNECTION_SEND;
    }
    lu_text_clear(&l->out);
    l->sent = 0;
    if (l->answer.stream && l->request.method != HTTP_HEAD && !l->passed) {
        connection_wish wish = refill_stream(l, now);
        l->since = wish == CONNECTION_SEND ? now : l->since;
        return wish;
    }
    if (!l->answer.stream && refill(l)) {
        return CONNECTION_SEND;
    }
    finish(l, now);
    return l->state == STATE_LINGER ? CONNECTION_LINGER : CONNECTION_READ;
}

/* ---- WebSockets ---- */

static void begin_socket(connection *l, double now) {
    char accept[29];
    lu_text more = LU_TEXT_INIT;
    l->answer.status = 101;
    metrics_request(l->app->metrics, l->request.route, 101, 0.0);
    request_log_answer(l->app->log, &l->request, &l->answer, l->address, 0.0, now);
    metrics_stream(l->app->metrics, l->answer.stream->topic, 1);
    websocket_accept(l->request.field[FIELD_SOCKET_KEY], accept);
    access_fields(l->app->access_control, &l->request, &more);
    lu_text_addf(&l->out,
                 "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                 "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\nX-Request-Id: %s\r\n%s\r\n",
                 accept, l->request.id, more.text);
    lu_text_free(&more);
    l->answered = true;
    l->state = STATE_SOCKET;
    l->since = l->socket.heard = now;
}

/* A client that errs or goes is told so once; then nothing is sent to it. */
static connection_wish go_socket(connection *l, double now) {
    if (l->sent < l->out.length) {
        l->wake = l->since + l->idle_seconds;
        return now >= l->wake ? CONNECTION_CLOSE : CONNECTION_SEND;
    }
    lu_text_clear(&l->out);
    l->sent = 0;
    if (l->socket.leaving) {
        l->answer.close = true;
        finish(l, now);
        return CONNECTION_LINGER;
    }
    l->since = now;
    if (l->ended || !websocket_go(&l->socket, l->answer.stream, &l->in, &l->out, now, &l->wake)) {
        return CONNECTION_CLOSE;
    }
    return l->out.length > 0 ? CONNECTION_SEND : CONNECTION_READ;
}

connection_wish connection_go(connection *l, double now) {
    for (;;) {
        switch (l->state) {
        case STATE_HEAD:
            if (!read_head(l, now)) {
                return await(l, now);
            }
            break;
        case STATE_BODY:
            if (l->sent < l->out.length) {
                return CONNECTION_SEND; /* 100 Continue */
            }
            if (!read_body(l, now)) {
                connection_wish wish = await(l, now);
                if (wish != CONNECTION_SEND) {
                    return wish;
                }
            }
            break;
        case STATE_WORK:
            if (!l->job->done) {
                l->wake = INFINITY;
                return CONNECTION_WAIT;
            }
            take_up(l, now);
            break;
        case STATE_LATER: {
            connection_wish wish = go_later(l, now);
            if (l->state == STATE_LATER) {
                return wish;
            }
            break;
        }
        case STATE_ANSWER: {
            connection_wish wish = go_answer(l, now);
            if (wish != CONNECTION_READ || l->state == STATE_ANSWER) {
                return wish;
            }
            break;
        }
        case STATE_SOCKET:
            return go_socket(l, now);
        case STATE_LINGER:
            l->wake = l->since + LINGER_SECONDS;
            return l->ended || now >= l->wake || l->dropped > LINGER_BYTES ? CONNECTION_CLOSE
                                                                           : CONNECTION_LINGER;
        }
        if (l->answer.socket && l->state != STATE_SOCKET) {
            begin_socket(l, now);
        }
    }
}

const char *connection_bytes(const connection *l, size_t *length) {
    *length = l->out.length - l->sent;
    return l->out.text + l->sent;
}

void connection_sent(connection *l, size_t length, double now) {
    l->sent += length;
    l->since = now;
    metrics_bytes(l->app->metrics, 0, length);
}

double connection_wake(const connection *l) {
    return l->wake;
}
