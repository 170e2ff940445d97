/* The door: see door.h. */
#include "door.h"

#include "ludus/clock.h"
#include "ludus/error.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAITING_MOST = 256, LOOK_MS = 250 };
static const double PREFACE_SECONDS = 10;
static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
enum { PREFACE = sizeof preface - 1 };

struct door {
    void (*take)(void *user, int connection);
    void *user;
    pthread_t thread;
    struct pollfd wait[1 + WAITING_MOST]; /* the listener, and who has not said enough */
    double since[1 + WAITING_MOST];
    nfds_t count;
};

static void leave(door *d, nfds_t i, bool ends) {
    if (ends) {
        close(d->wait[i].fd);
    }
    d->count--;
    memmove(d->wait + i, d->wait + i + 1, (d->count - i) * sizeof *d->wait);
    memmove(d->since + i, d->since + i + 1, (d->count - i) * sizeof *d->since);
}

/* Lets one in; when all places are taken, who waits longest has to go. False: the door is shut. */
static bool let_in(door *d, double now) {
    int most = PREFACE, one = 1;
    int own = accept4(d->wait[0].fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (own < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
        (void)poll(NULL, 0, LOOK_MS / 2); /* until another connection ends */
    }
    if (own < 0) {
        return errno != EINVAL;
    }
    if (d->count > WAITING_MOST) {
        leave(d, 1, true);
    }
    setsockopt(own, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(own, SOL_SOCKET, SO_RCVLOWAT, &most, sizeof most); /* poll waits for all of it */
    d->wait[d->count] = (struct pollfd){.fd = own, .events = POLLIN};
    d->since[d->count++] = now;
    return true;
}

static void hand_on(door *d, nfds_t i) {
    char said[PREFACE];
    int one = 1, own = d->wait[i].fd;
    bool right = recv(own, said, sizeof said, MSG_PEEK | MSG_DONTWAIT) == PREFACE &&
                 memcmp(said, preface, PREFACE) == 0;
    leave(d, i, !right);
    if (right) {
        setsockopt(own, SOL_SOCKET, SO_RCVLOWAT, &one, sizeof one);
        d->take(d->user, own);
    }
}

static void *keep(void *argument) {
    door *d = argument;
    bool open = true;
    while (open) {
        int ready = poll(d->wait, d->count, d->count > 1 ? LOOK_MS : -1);
        double now = lu_clock_seconds();
        for (nfds_t i = d->count - 1; i > 0; i--) {
            if (ready > 0 && d->wait[i].revents) {
                hand_on(d, i);
            } else if (now - d->since[i] > PREFACE_SECONDS) {
                leave(d, i, true);
            }
        }
        open = ready <= 0 || !d->wait[0].revents || let_in(d, now);
    }
    return NULL;
}

door *door_open(int listener, void (*take)(void *user, int connection), void *user) {
    door *d = lu_alloc_zero(1, sizeof *d);
    d->take = take;
    d->user = user;
    d->wait[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    d->count = 1;
    if (pthread_create(&d->thread, NULL, keep, d) != 0) {
        free(d);
        return NULL;
    }
    return d;
}

void door_close(door *d) {
    shutdown(d->wait[0].fd, SHUT_RDWR);
    pthread_join(d->thread, NULL);
    while (d->count > 0) {
        leave(d, d->count - 1, true);
    }
    free(d);
}
