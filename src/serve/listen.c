/* Listening: see ludus/listen.h. */
#include "ludus/listen.h"
#include "ludus/serve.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 256 };

lu_status lu_listen_check(const char *bind_to, const char *token, lu_error *error) {
    return lu_serve_is_loopback(bind_to) || token
               ? LU_OK
               : lu_fail(
                     error, LU_BAD_VALUE,
                     "'bind' = '%.100s' lets other machines in: that needs a token (--token-file)",
                     bind_to);
}

static int port_of(int descriptor) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } own;
    socklen_t length = sizeof own;
    memset(&own, 0, sizeof own);
    if (getsockname(descriptor, &own.any, &length) != 0) {
        return 0;
    }
    return ntohs(own.any.sa_family == AF_INET6 ? own.six.sin6_port : own.four.sin_port);
}

lu_status lu_listen_at(const char *bind_to, int *port, int *descriptor, lu_error *error) {
    struct addrinfo *found = NULL,
                    wanted = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    char service[16];
    int one = 1;
    *descriptor = -1;
    snprintf(service, sizeof service, "%d", *port);
    const char *address = strcasecmp(bind_to, "localhost") == 0 ? "127.0.0.1" : bind_to;
    int why = getaddrinfo(address, service, &wanted, &found);
    if (why == EAI_MEMORY || why == EAI_SYSTEM) {
        return lu_fail(error, LU_IO, "cannot listen at %s port %d: %s", bind_to, *port,
                       gai_strerror(why));
    }
    if (why != 0 || !found) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'bind' = '%.100s' isn't an address: use one such as 127.0.0.1, 0.0.0.0 or ::1",
            bind_to);
    }
    int own = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    lu_status status = LU_OK;
    if (own < 0 || setsockopt(own, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(own, found->ai_addr, found->ai_addrlen) != 0 || listen(own, BACKLOG) != 0) {
        bool taken = errno == EADDRINUSE;
        status = lu_fail(error, taken ? LU_BUSY : LU_IO, "cannot listen at %s port %d: %s%s",
                         bind_to, *port, strerror(errno),
                         taken ? "; use another --port, or 0 for any free one" : "");
    }
    freeaddrinfo(found);
    if (status == LU_OK) {
        *port = port_of(own);
        *descriptor = own;
    } else if (own >= 0) {
        close(own);
    }
    return status;
}

int lu_listen_room(int connections) {
    struct rlimit limit;
    rlim_t wanted = (rlim_t)connections * 2 + 256;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return connections;
    }
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= wanted) {
        return connections;
    }
    /* two for a connection, half of the rest (but no more than 256) for all else */
    rlim_t own = limit.rlim_cur / 2 < 256 ? limit.rlim_cur / 2 : 256;
    rlim_t fit = (limit.rlim_cur - own) / 2;
    return fit < 1 ? 1 : fit < (rlim_t)connections ? (int)fit : connections;
}

bool lu_same_secret(const char *a, const char *b) {
    size_t length = strlen(a), other = strlen(b);
    unsigned char differ = length != other;
    for (size_t i = 0; i < length && i < other; i++) {
        differ |= (unsigned char)(a[i] ^ b[i]);
    }
    return !differ;
}
