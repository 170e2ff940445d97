/* The event loop of lines: see line_loop.h. epoll by itself: what libwebsockets gives beyond it
 * (HTTP, WebSockets, timers of each connection) is not asked for here. */
#include "line_loop.h"

#include "ludus/clock.h"
#include "ludus/confine.h"
#include "ludus/listen.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 256, ACCEPTS_AT_ONCE = 64, READ_ROOM = 16 << 10, ROUND_MS = 500 };

static const double CHECK_SECONDS = 0.25; /* between two looks for peers that take too long */
static const double LAST_SECONDS = 2.0;   /* for sending the last answers */

static const lu_setting rows[] = {
    {"line.connections", LU_INT, "1000", 1, 100000, NULL, "Maximum number of connections.", false},
    {"line.request_seconds", LU_REAL, "10", 0.1, 600, NULL,
     "Time within which a line must arrive completely.", false},
    {"line.idle_seconds", LU_REAL, "3600", 0.1, 1e6, NULL,
     "A connection that sends no request, or reads no answer, is closed after this time.", false},
};
const lu_table lu_line_table = {"line", rows, (int)(sizeof rows / sizeof *rows)};

struct lu_line_server {
    const line_server_kind *kind;
    line_host host;
    char *token;
    int listener, port, poll;
    int peers, most;
    bool full; /* waits with new connections until the next look */
    line_peer *first;
    double checked;
};

/* ---- peers ---- */

static void watch(const lu_line_server *s, line_peer *p, unsigned wanted) {
    line_link *link = line_link_of(p);
    if (link->flags != wanted) {
        struct epoll_event event = {.events = wanted, .data.ptr = p};
        epoll_ctl(s->poll, EPOLL_CTL_MOD, link->number, &event);
        link->flags = wanted;
    }
}

static void drop_peer(lu_line_server *s, line_peer *p) {
    line_link *link = line_link_of(p);
    *(link->before ? &line_link_of(link->before)->behind : &s->first) = link->behind;
    if (link->behind) {
        line_link_of(link->behind)->before = link->before;
    }
    s->peers--;
    close(link->number);
    line_peer_delete(p);
}

static void add_peer(lu_line_server *s, int descriptor) {
    int one = 1;
    line_peer *p = line_peer_new(&s->host, lu_clock_seconds());
    line_link *link = line_link_of(p);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = p};
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    *link = (line_link){.number = descriptor, .flags = EPOLLIN, .behind = s->first};
    if (s->first) {
        line_link_of(s->first)->before = p;
    }
    s->first = p;
    s->peers++;
    if (epoll_ctl(s->poll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
        drop_peer(s, p); /* nobody would ever hear it */
    }
}

static void turn_away(int descriptor) {
    static const char text[] = "{\"error\":\"busy\",\"message\":\"there are too many connections: "
                               "try again later\"}\n";
    (void)!send(descriptor, text, sizeof text - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(descriptor);
}

/* Who has said nothing for as long as a line may take, the longest, gives its place to another;
 * false when there is no such peer. */
static bool make_room(lu_line_server *s) {
    double now = lu_clock_seconds(), most = s->host.request_seconds;
    line_peer *silent = NULL;
    for (line_peer *p = s->first; p; p = line_link_of(p)->behind) {
        if (line_silent(p, now) > most) {
            most = line_silent(p, now);
            silent = p;
        }
    }
    if (silent) {
        drop_peer(s, silent);
    }
    return silent != NULL;
}

static void set_accepting(lu_line_server *s, bool on) {
    struct epoll_event event = {.events = on ? EPOLLIN : 0, .data.ptr = NULL};
    s->full = !on;
    epoll_ctl(s->poll, EPOLL_CTL_MOD, s->listener, &event);
}

static void accept_some(lu_line_server *s) {
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        int descriptor = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0 && (s->peers < s->most || make_room(s))) {
            add_peer(s, descriptor);
        } else if (descriptor >= 0) {
            turn_away(descriptor);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            set_accepting(s, false);
            return;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        }
    }
}

/* ---- reading and writing ---- */

/* Hears what has come; false when the connection is broken. */
static bool hear(line_peer *p, double now) {
    char bytes[READ_ROOM];
    size_t room = line_room(p);
    if (room == 0) {
        return true;
    }
    ssize_t got = recv(line_link_of(p)->number, bytes, room < sizeof bytes ? room : sizeof bytes,
                       MSG_DONTWAIT);
    if (got < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }
    if (got == 0) {
        line_ended(p);
    } else {
        line_hear(p, bytes, (size_t)got, now);
    }
    line_feed(p, now);
    return true;
}

/* Sends what is ready; false when the connection is broken. */
static bool send_some(line_peer *p, double now, bool *blocked) {
    size_t length;
    const char *bytes = line_bytes(p, &length);
    *blocked = false;
    if (length == 0) {
        return true;
    }
    ssize_t sent = send(line_link_of(p)->number, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
        line_sent(p, (size_t)sent, now);
    }
    *blocked = sent < (ssize_t)length;
    return sent >= 0 || errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* After a round: sends, ends, or says what is waited for. Returns whether there is more to hear
 * now. */
static bool settle(lu_line_server *s, line_peer *p, double now) {
    bool blocked;
    if (!send_some(p, now, &blocked) || line_done(p)) {
        drop_peer(s, p);
        return false;
    }
    unsigned in = line_room(p) > 0 ? EPOLLIN : line_owed(p) ? EPOLLRDHUP : 0;
    watch(s, p, in | (blocked ? EPOLLOUT : 0));
    return line_ready(p);
}

static void on_event(lu_line_server *s, const struct epoll_event *event, double now) {
    line_peer *p = event->data.ptr;
    if (event->events & EPOLLRDHUP) {
        line_left(p);
    }
    if ((event->events & EPOLLERR) || ((event->events & EPOLLHUP) && line_room(p) == 0) ||
        ((event->events & (EPOLLIN | EPOLLHUP)) && !hear(p, now))) {
        drop_peer(s, p);
        return;
    }
    line_feed(p, now);
}

static void check_peers(lu_line_server *s, double now) {
    if (now - s->checked < CHECK_SECONDS) {
        return;
    }
    s->checked = now;
    for (line_peer *p = s->first; p; p = line_link_of(p)->behind) {
        line_check(p, now);
    }
    if (s->full) {
        set_accepting(s, true);
    }
}

/* Answers what was heard and settles whom it concerns; returns whether there is more to do at once.
 */
static bool finish_round(lu_line_server *s, double now) {
    bool more = false;
    if (s->host.service->round) {
        s->host.service->round(s->host.user);
    }
    for (line_peer *p; (p = line_next_touched(&s->host)) != NULL;) {
        if (settle(s, p, now)) {
            line_feed(p, now); /* which touches it again, until it waits for answers */
            more = true;
        }
    }
    return more;
}

/* ---- running ---- */

static lu_status wait_round(lu_line_server *s, int timeout, lu_error *error) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(s->poll, events, EVENTS, timeout);
    double now = lu_clock_seconds();
    if (count < 0 && errno != EINTR) {
        return lu_fail(error, LU_FAILED, "the event loop of the server has failed: %s",
                       strerror(errno));
    }
    bool knocks = false;
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr) {
            on_event(s, &events[i], now);
        }
        knocks = knocks || !events[i].data.ptr;
    }
    if (knocks) { /* last: another may have to go for a new one */
        accept_some(s);
    }
    check_peers(s, now);
    return LU_OK;
}

static void reload(lu_line_server *s, const lu_line_hooks *hooks) {
    lu_error error = {0};
    if (!s->kind->reload || !hooks->reload || !hooks->reload()) {
        return;
    }
    bool done = s->kind->reload(s->host.user, &error);
    if (hooks->told) {
        hooks->told(done ? "the models were reloaded" : error.text);
    }
}

/* Answers what has come before the end; who does not take it is left. */
static void answer_last(lu_line_server *s) {
    double end = lu_clock_seconds() + LAST_SECONDS;
    bool more = true;
    for (line_peer *p = s->first, *next; p; p = next) {
        next = line_link_of(p)->behind;
        if (!hear(p, lu_clock_seconds())) {
            drop_peer(s, p);
        }
    }
    while (more && lu_clock_seconds() < end) {
        more = finish_round(s, lu_clock_seconds());
    }
    for (line_peer *p = s->first; p; p = line_link_of(p)->behind) {
        bool blocked = true;
        while (blocked && lu_clock_seconds() < end && send_some(p, lu_clock_seconds(), &blocked)) {
            if (blocked) {
                usleep(1000);
            }
        }
    }
}

lu_status lu_line_server_run(lu_line_server *s, const lu_line_hooks *hooks, lu_error *error) {
    bool more = false;
    while (!lu_watch_stops(hooks->watch)) {
        reload(s, hooks);
        LU_TRY(wait_round(s, more ? 0 : ROUND_MS, error));
        more = finish_round(s, lu_clock_seconds());
    }
    close(s->listener);
    s->listener = -1;
    answer_last(s);
    return LU_OK;
}

/* ---- opening ---- */

static lu_status give_up_privileges(const line_server_kind *kind, const void *user,
                                    lu_error *error) {
    char **reads = kind->reads ? kind->reads(user) : NULL;
    lu_status status = lu_confine(&(lu_confinement){.read = (const char *const *)reads}, error);
    for (size_t i = 0; reads && reads[i]; i++) {
        free(reads[i]);
    }
    free(reads);
    return status;
}

lu_line_server *line_server_open(const lu_line_options *options, const line_server_kind *kind,
                                 void *user, lu_error *error) {
    lu_line_server *s = lu_alloc_zero(1, sizeof *s);
    s->kind = kind;
    s->token = options->token ? lu_strdup(options->token) : NULL;
    s->host =
        (line_host){.service = &kind->service,
                    .user = user,
                    .token = s->token,
                    .request_seconds = lu_settings_real(options->limits, "line.request_seconds"),
                    .idle_seconds = lu_settings_real(options->limits, "line.idle_seconds")};
    s->most = (int)lu_settings_int(options->limits, "line.connections");
    s->port = options->port;
    s->listener = s->poll = -1;
    s->most = lu_listen_room(s->most);
    lu_status status = lu_listen_check(options->bind, options->token, error);
    LU_THEN(status, lu_listen_at(options->bind, &s->port, &s->listener, error));
    if (status == LU_OK) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
        s->poll = epoll_create1(EPOLL_CLOEXEC);
        if (s->poll < 0 || epoll_ctl(s->poll, EPOLL_CTL_ADD, s->listener, &event) != 0) {
            status = lu_fail(error, LU_FAILED, "cannot start the event loop of the server: %s",
                             strerror(errno));
        }
    }
    if (status == LU_OK && options->confine) {
        status = give_up_privileges(kind, user, error);
    }
    if (status != LU_OK) {
        lu_line_server_close(s);
        return NULL;
    }
    return s;
}

int lu_line_server_port(const lu_line_server *s) {
    return s->port;
}

void *line_server_user(const lu_line_server *s, const line_server_kind *kind) {
    return s->kind == kind ? s->host.user : NULL;
}

void lu_line_server_close(lu_line_server *s) {
    if (!s) {
        return;
    }
    while (s->first) {
        drop_peer(s, s->first);
    }
    if (s->listener >= 0) {
        close(s->listener);
    }
    if (s->poll >= 0) {
        close(s->poll);
    }
    s->kind->free(s->host.user);
    free(s->token);
    free(s);
}
