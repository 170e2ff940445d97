/* Sockets: the one file that knows libwebsockets. It gives the event loop, timers and WebSockets.
 * HTTP itself is read by request.c on plain descriptors: the library's own reader takes bare line
 * feeds and folds paths, and answers what it refuses in HTML or not at all. A connection that asks
 * for a WebSocket and may have one is handed over to the library with a handshake of our own.
 * Everything here runs on the service thread, but for `wake`. */
#include "connection.h"
#include "listen.h"

#include "ludus/clock.h"

#include <libwebsockets.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_ROOM = 16 << 10, PIECES_AT_ONCE = 4, ACCEPTS_AT_ONCE = 64 };

static const double TICK = 0.004; /* seconds: WebSockets are written to at multiples of it */

/* What the library keeps for a descriptor or WebSocket of ours; zero at first. */
typedef struct wire {
    struct lws *self;
    lu_server *server;
    connection *connection; /* of a plain connection */
    stream *stream;         /* of a WebSocket */
    peer *peer;
    lu_text message; /* that is coming in */
    bool deaf;       /* does not read now */
    bool wants;      /* is in the server's list of those that want to write */
    struct wire *next_wanting;
    bool shut;    /* will write no more */
    double timer; /* when it goes off; 0: it is not set */
} wire;

struct lu_server {
    app *app;
    struct lws_context *context; /* NULL: not yet, or no more */
    pthread_mutex_t lock;        /* of the context, which workers wake */
    struct lws_vhost *vhost;
    struct lws *listener;
    int descriptor, port;
    bool full; /* waits with new connections */
    lws_sorted_usec_list_t tick;
    char address[HTTP_ADDRESS_ROOM]; /* of the connection that is being taken */
    peer *arriving;                  /* its peer */
    stream *handed;                  /* stream of the WebSocket that is being made */
    wire *wanting;                   /* plain connections that want to write */
    lws_retry_bo_t idle;
};

/* ---- timers and reading ---- */

static void set_timer(wire *w, double wake, double now) {
    if (isinf(wake) || (w->timer > 0.0 && w->timer <= wake + 0.0005)) {
        return; /* one that goes off earlier looks again */
    }
    double seconds = wake > now ? wake - now : 0.0;
    w->timer = now + seconds;
    lws_set_timer_usecs(w->self, (lws_usec_t)(seconds * 1e6) + 200);
}

static void set_deaf(wire *w, bool deaf) {
    if (w->deaf != deaf) {
        w->deaf = deaf;
        lws_rx_flow_control(w->self, !deaf);
    }
}

/* ---- plain connections ---- */

/* Asks for a chance to write. Of a plain descriptor the library forgets what is asked for inside
 * its writable callback, hence the list: it is told when it comes back from its round. */
static void want(wire *w) {
    if (!w->wants) {
        w->wants = true;
        w->next_wanting = w->server->wanting;
        w->server->wanting = w;
    }
}

static void unwant(wire *w) {
    wire **at = &w->server->wanting;
    while (w->wants && *at != w) {
        at = &(*at)->next_wanting;
    }
    if (w->wants) {
        *at = w->next_wanting;
        w->wants = false;
    }
}

static void tell_wants(lu_server *s) {
    while (s->wanting) {
        wire *w = s->wanting;
        unwant(w);
        lws_callback_on_writable(w->self);
    }
}

static void poke(void *user) {
    want(user);
}

/* Makes a WebSocket of a connection; the old descriptor is closed by the caller. */
static void hand_over(wire *w) {
    lu_server *s = w->server;
    peer *own;
    lu_text handshake = LU_TEXT_INIT;
    s->handed = connection_socket(w->connection, &own, &handshake);
    s->arriving = own;
    int copy = fcntl(lws_get_socket_fd(w->self), F_DUPFD_CLOEXEC, 3);
    if (copy >= 0) {
        lws_adopt_socket_vhost_readbuf(s->vhost, copy, handshake.text, handshake.length);
    }
    if (s->handed) { /* nobody took it */
        s->handed->free(s->handed);
        s->handed = NULL;
        access_leave(s->app->access_control, own);
    }
    s->arriving = NULL;
    lu_text_free(&handshake);
}

/* Sends what is ready; false when the connection is broken. */
static bool send_some(wire *w, bool *blocked) {
    size_t length;
    const char *bytes = connection_bytes(w->connection, &length);
    ssize_t sent = send(lws_get_socket_fd(w->self), bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    *blocked = sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    if (sent > 0) {
        connection_sent(w->connection, (size_t)sent, lu_clock_seconds());
        *blocked = (size_t)sent < length;
    }
    return sent > 0 || *blocked;
}

/* Goes on with a connection; negative ends it. */
static int drive(wire *w) {
    double now = lu_clock_seconds();
    for (int pieces = 0;; pieces++) {
        bool blocked = pieces == PIECES_AT_ONCE; /* others want their turn */
        switch (connection_go(w->connection, now)) {
        case CONNECTION_CLOSE:
            return -1;
        case CONNECTION_SOCKET:
            hand_over(w);
            return -1;
        case CONNECTION_SEND:
            if (!blocked && !send_some(w, &blocked)) {
                return -1;
            }
            if (blocked) {
                want(w);
                set_deaf(w, connection_room(w->connection) == 0);
                set_timer(w, connection_wake(w->connection), now);
                return 0;
            }
            break;
        case CONNECTION_LINGER:
            if (!w->shut) {
                w->shut = true;
                shutdown(lws_get_socket_fd(w->self), SHUT_WR);
            }
            /* fall through */
        case CONNECTION_READ:
        case CONNECTION_WAIT:
            set_deaf(w, connection_room(w->connection) == 0);
            set_timer(w, connection_wake(w->connection), now);
            return 0;
        }
    }
}

static int hear(wire *w) {
    char bytes[READ_ROOM];
    size_t room = connection_room(w->connection);
    if (room == 0) {
        set_deaf(w, true);
        return 0;
    }
    ssize_t got = recv(lws_get_socket_fd(w->self), bytes, room < sizeof bytes ? room : sizeof bytes,
                       MSG_DONTWAIT);
    if (got < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
    }
    if (got == 0) {
        connection_ended(w->connection);
    } else {
        connection_hear(w->connection, bytes, (size_t)got);
    }
    return drive(w);
}

/* ---- new connections ---- */

/* The address of a client as text: of IPv6 the network, since each client has a whole one. */
static void address_of(const struct sockaddr_storage *from, char *text, size_t room) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)from;
    struct in6_addr six = ((const struct sockaddr_in6 *)from)->sin6_addr;
    if (from->ss_family == AF_INET) {
        inet_ntop(AF_INET, &four->sin_addr, text, (socklen_t)room);
    } else if (IN6_IS_ADDR_V4MAPPED(&six)) {
        inet_ntop(AF_INET, (const char *)&six + 12, text, (socklen_t)room);
    } else {
        memset((char *)&six + 8, 0, 8);
        inet_ntop(AF_INET6, &six, text, (socklen_t)room);
    }
}

static void turn_away(int descriptor) {
    static const char text[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n"
                               "Content-Length: 0\r\nConnection: close\r\n\r\n";
    (void)!send(descriptor, text, sizeof text - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(descriptor);
}

static void take(lu_server *s, int descriptor, const struct sockaddr_storage *from) {
    int one = 1;
    address_of(from, s->address, sizeof s->address);
    s->arriving = access_enter(s->app->access_control, s->address);
    if (!s->arriving) {
        turn_away(descriptor);
        return;
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    lws_sock_file_fd_type adopted = {.filefd = descriptor};
    if (!lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_RAW_FILE_DESC, adopted, "ludus", NULL) &&
        s->arriving) {
        access_leave(s->app->access_control, s->arriving);
    }
    s->arriving = NULL;
}

static void accept_some(lu_server *s) {
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        struct sockaddr_storage from = {0};
        socklen_t length = sizeof from;
        int descriptor =
            accept4(s->descriptor, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            take(s, descriptor, &from);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            s->full = true; /* the tick tries again */
            lws_rx_flow_control(s->listener, 0);
            return;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        }
    }
}

/* ---- WebSockets ---- */

static int socket_write(wire *w) {
    lu_text text = LU_TEXT_INIT;
    double now = lu_clock_seconds(), wake = INFINITY;
    int result = 0;
    lu_text_fill(&text, 0, LWS_PRE);
    switch (w->stream->next(w->stream, now, &text, &wake)) {
    case STREAM_END:
        lws_close_reason(w->self, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        result = -1;
        break;
    case STREAM_WAIT:
        set_deaf(w, false);
        set_timer(w, ceil(wake / TICK) * TICK, now); /* many viewers share a round */
        break;
    case STREAM_BUSY:
        set_timer(w, wake, now);
        break;
    case STREAM_MORE:
    case STREAM_WORK:
        break;
    }
    size_t length = text.length - LWS_PRE;
    if (length > 0) {
        int sent = lws_write(w->self, (unsigned char *)text.text + LWS_PRE, length, LWS_WRITE_TEXT);
        metrics_bytes(w->server->app->metrics, 0, length);
        result = sent < 0 ? -1 : 0;
        lws_callback_on_writable(w->self);
    }
    lu_text_free(&text);
    return result;
}

static int socket_close(wire *w, enum lws_close_status status) {
    lws_close_reason(w->self, status, NULL, 0);
    return -1;
}

static int socket_hear(wire *w, const char *bytes, size_t length) {
    metrics_bytes(w->server->app->metrics, length, 0);
    if (lws_frame_is_binary(w->self)) {
        return socket_close(w, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    }
    if (w->message.length + length > HTTP_MESSAGE_MOST) {
        return socket_close(w, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    }
    lu_text_add_n(&w->message, bytes, length);
    if (!lws_is_final_fragment(w->self) || lws_remaining_packet_payload(w->self) > 0) {
        return 0;
    }
    bool goes_on = w->stream->hear(w->stream, w->message.text, w->message.length);
    lu_text_clear(&w->message);
    if (!goes_on) {
        return socket_close(w, LWS_CLOSE_STATUS_GOINGAWAY);
    }
    set_deaf(w, true); /* until it is answered: one message at a time */
    lws_callback_on_writable(w->self);
    return 0;
}

static int socket_open(wire *w, lu_server *s, struct lws *self) {
    if (!s->handed) {
        return -1;
    }
    *w = (wire){.self = self, .server = s, .stream = s->handed, .peer = s->arriving};
    lu_text_init(&w->message);
    s->handed = NULL;
    metrics_stream(s->app->metrics, w->stream->topic, 1);
    lws_callback_on_writable(self);
    return 0;
}

static void socket_end(wire *w) {
    if (w->stream) {
        metrics_stream(w->server->app->metrics, w->stream->topic, -1);
        w->stream->free(w->stream);
        w->stream = NULL;
        access_leave(w->server->app->access_control, w->peer);
        lu_text_free(&w->message);
    }
}

/* ---- the library's door ---- */

static void adopted(wire *w, lu_server *s, struct lws *self) {
    w->self = self;
    w->server = s;
    if (s->arriving) { /* else it is the listener */
        w->connection =
            connection_open(s->app, s->arriving, s->address, poke, w, lu_clock_seconds());
        s->arriving = NULL;
    }
}

static int called(struct lws *self, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length) {
    lu_server *s = lws_context_user(lws_get_context(self));
    wire *w = user;
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT_FILE:
        adopted(w, s, self);
        return 0;
    case LWS_CALLBACK_RAW_RX_FILE:
        if (!w->connection) {
            accept_some(s);
            return 0;
        }
        return hear(w);
    case LWS_CALLBACK_RAW_WRITEABLE_FILE:
        return w->connection ? drive(w) : 0;
    case LWS_CALLBACK_RAW_CLOSE_FILE:
        if (w && w->connection) {
            unwant(w);
            connection_close(w->connection);
            w->connection = NULL;
        }
        return 0;
    case LWS_CALLBACK_TIMER:
        w->timer = 0.0;
        return w->connection ? drive(w) : w->stream ? (lws_callback_on_writable(self), 0) : 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (s && s->app) {
            app_collect(s->app);
        }
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcmp(in, "websocket") == 0 && s->handed ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return socket_open(w, s, self);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return w->stream ? socket_write(w) : -1;
    case LWS_CALLBACK_RECEIVE:
        return w->stream ? socket_hear(w, in, length) : -1;
    case LWS_CALLBACK_CLOSED:
        socket_end(w);
        return 0;
    case LWS_CALLBACK_HTTP:
        return -1; /* the library serves WebSockets alone */
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"ludus", called, sizeof(wire), HTTP_MESSAGE_MOST, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* ---- opening ---- */

/* By workers, who may still be at something when the loop is gone. */
static void wake(void *waker) {
    lu_server *s = waker;
    pthread_mutex_lock(&s->lock);
    if (s->context) {
        lws_cancel_service(s->context);
    }
    pthread_mutex_unlock(&s->lock);
}

static void end_loop(lu_server *s) {
    struct lws_context *context = s->context;
    pthread_mutex_lock(&s->lock);
    s->context = NULL;
    pthread_mutex_unlock(&s->lock);
    if (context) {
        lws_context_destroy(context); /* closes every line, and the listener */
    }
}

static void every_second(lws_sorted_usec_list_t *tick) {
    lu_server *s = lws_container_of(tick, lu_server, tick);
    app_tick(s->app, lu_clock_seconds());
    if (s->full) {
        s->full = false;
        lws_rx_flow_control(s->listener, 1);
    }
    lws_sul_schedule(s->context, 0, &s->tick, every_second, LWS_US_PER_SEC);
}

static lu_status start(lu_server *s, lu_error *error) {
    struct lws_context_creation_info info = {0};
    int connections = (int)lu_settings_int(s->app->options.limits, "serve.connections");
    access_limit(s->app->access_control, raise_descriptor_limit(connections));
    lws_set_log_level(0, NULL);
    s->idle.secs_since_valid_ping = 30;
    s->idle.secs_since_valid_hangup = 45;
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.vhost_name = "ludus";
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.user = s;
    info.retry_and_idle_policy = &s->idle;
    info.max_http_header_data = 1024;
    s->context = lws_create_context(&info);
    s->vhost = s->context ? lws_create_vhost(s->context, &info) : NULL;
    lws_sock_file_fd_type listener = {.filefd = s->descriptor};
    if (s->vhost) {
        s->listener =
            lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_RAW_FILE_DESC, listener, "ludus", NULL);
    }
    if (!s->listener) {
        return lu_fail(error, LU_FAILED, "cannot start the event loop of the server");
    }
    lws_sul_schedule(s->context, 0, &s->tick, every_second, LWS_US_PER_SEC);
    return app_start(s->app, wake, s, error);
}

lu_server *lu_server_open(const lu_serve_options *options, lu_error *error) {
    lu_server *s = lu_alloc_zero(1, sizeof *s);
    s->descriptor = -1;
    pthread_mutex_init(&s->lock, NULL);
    s->port = options->port;
    s->app = app_new(options, error);
    if (!s->app || listen_at(options->bind, &s->port, &s->descriptor, error) != LU_OK ||
        start(s, error) != LU_OK) {
        lu_server_close(s);
        return NULL;
    }
    return s;
}

int lu_server_port(const lu_server *s) {
    return s->port;
}

lu_status lu_server_run(lu_server *s, bool (*stopped)(void), lu_error *error) {
    while (!stopped()) {
        if (lws_service(s->context, 0) < 0 && !stopped()) {
            return lu_fail(error, LU_FAILED, "the event loop of the server has failed");
        }
        tell_wants(s);
    }
    return LU_OK;
}

void lu_server_close(lu_server *s) {
    if (!s) {
        return;
    }
    end_loop(s);
    if (s->descriptor >= 0 && !s->listener) {
        close(s->descriptor);
    }
    app_delete(s->app);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
