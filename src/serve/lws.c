/* Sockets: the one file that knows libwebsockets, which gives the event loop and timers. HTTP is
 * read by request.c and WebSockets by websocket.c, on plain descriptors: the library's own readers
 * take bare line feeds, fold paths and obey frames that are not masked. Everything here runs on the
 * service thread, but for `wake`. */
#include "connection.h"

#include "ludus/clock.h"
#include "ludus/listen.h"

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

/* What the library keeps for a descriptor of ours; zero at first. */
typedef struct wire {
    struct lws *self;
    lu_server *server;
    connection *connection; /* NULL: it is the listener */
    bool deaf;              /* does not read now */
    bool wants;             /* is in the server's list of those that want to write */
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
    wire *wanting;                   /* plain connections that want to write */
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

/* Whether a descriptor still leads to who came from there: nobody has closed it. */
static bool leads_to(int descriptor, const struct sockaddr_storage *from) {
    struct sockaddr_storage there = {0};
    socklen_t length = sizeof there;
    return getpeername(descriptor, (struct sockaddr *)&there, &length) == 0 &&
           memcmp(&there, from, sizeof there) == 0;
}

static void take(lu_server *s, int descriptor, const struct sockaddr_storage *from) {
    int one = 1;
    address_of(from, s->address, sizeof s->address);
    s->arriving = access_enter(s->app->access_control, s->address);
    if (!s->arriving) {
        request_log_turned(s->app->log, s->address, lu_clock_seconds());
        turn_away(descriptor);
        return;
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    lws_sock_file_fd_type adopted = {.filefd = descriptor};
    if (!lws_adopt_descriptor_vhost(s->vhost, LWS_ADOPT_RAW_FILE_DESC, adopted, "ludus", NULL) &&
        s->arriving) { /* out of memory: the library may have left it open */
        access_leave(s->app->access_control, s->arriving);
        if (leads_to(descriptor, from)) {
            turn_away(descriptor);
        }
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

/* ---- the library's door ---- */

static int adopted(wire *w, lu_server *s, struct lws *self) {
    w->self = self;
    w->server = s;
    if (!s->arriving) {
        return 0; /* the listener */
    }
    w->connection = connection_open(s->app, s->arriving, s->address, poke, w, lu_clock_seconds());
    s->arriving = NULL;
    return drive(w); /* its time runs from here, whether it says anything or not */
}

static int called(struct lws *self, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length) {
    lu_server *s = lws_context_user(lws_get_context(self));
    wire *w = user;
    (void)in;
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT_FILE:
        return adopted(w, s, self);
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
        return w->connection ? drive(w) : 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (s && s->app) {
            app_collect(s->app);
        }
        return 0;
    case LWS_CALLBACK_HTTP:
        return -1; /* the library speaks to nobody */
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"ludus", called, sizeof(wire), 0, 0, NULL, 0},
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
    access_limit(s->app->access_control, lu_listen_room(connections));
    lws_set_log_level(0, NULL);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.vhost_name = "ludus";
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.user = s;
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
    if (!s->app || lu_listen_at(options->bind, &s->port, &s->descriptor, error) != LU_OK ||
        start(s, error) != LU_OK) {
        lu_server_close(s);
        return NULL;
    }
    return s;
}

int lu_server_port(const lu_server *s) {
    return s->port;
}

void lu_server_sum(const lu_server *s, lu_json *json) {
    request_log_sum(s->app->log, json);
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
