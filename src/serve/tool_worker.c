/* The keeper, the forker and its workers: see tool_worker.h. The forker is one thread without
 * files, sits in poll and sees its children end by signalfd; it ends with the socket of the server,
 * and the keeper with it. */
#include "tool_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS_MOST = 64, CONTROL = 3, GENERATIONS = 1 << 20 };

struct forker {
    int socket;
    pid_t keeper;
};

typedef struct told { /* between server and forker */
    int32_t place, generation, ended;
} told;

/* ---- descriptors ---- */

/* Leaves a process with standard error and this one, as descriptor 3. */
static void keep_only(int descriptor) {
    int none = open("/dev/null", O_RDWR);
    if (none >= 0) {
        dup2(none, 0);
        dup2(none, 1);
    }
    if (descriptor != CONTROL) {
        dup2(descriptor, CONTROL);
    }
    fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
    close_range(CONTROL + 1, ~0u, 0);
}

/* Sends a message with a descriptor; false when nobody listens. */
static bool send_socket(int to, const told *message, int descriptor) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)message, .iov_len = sizeof *message};
    struct msghdr all = {.msg_iov = &part,
                         .msg_iovlen = 1,
                         .msg_control = control.room,
                         .msg_controllen = sizeof control.room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&all);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    ssize_t sent;
    do {
        sent = sendmsg(to, &all, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *message;
}

/* ---- the process that forks ---- */

typedef struct place {
    pid_t process; /* 0: none */
    int generation, ended;
    time_t began;
} place;

typedef struct nursery {
    const tool_limits *limits;
    const char *runs;
    place at[WORKERS_MOST];
} nursery;

/* A worker must not outlive its forker, nor take signals that are meant for the server. */
static _Noreturn void become_worker(const nursery *n, int socket, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    keep_only(socket);
    if (getppid() != parent) {
        _exit(0);
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)!nice(5);
    tool_worker_main(CONTROL, n->limits, n->runs);
}

/* Starts the worker of a place and tells the server; false when the server is gone. */
static bool start_worker(nursery *n, int index) {
    place *p = &n->at[index];
    int pair[2];
    pid_t own = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return true; /* tried again */
    }
    pid_t child = fork();
    if (child == 0) {
        become_worker(n, pair[1], own);
    }
    bool heard = true;
    if (child > 0) {
        p->process = child;
        p->generation++;
        p->began = time(NULL);
        heard = send_socket(CONTROL, &(told){index, p->generation, p->ended}, pair[0]);
    }
    close(pair[0]);
    close(pair[1]);
    return heard;
}

static void bury(nursery *n) {
    int status;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
        for (int i = 0; i < n->limits->workers; i++) {
            if (n->at[i].process == child) {
                n->at[i].process = 0;
                n->at[i].ended = status;
            }
        }
    }
}

/* Starts what is missing; one that ended at once is given a moment. *waits: some are to come. */
static bool fill(nursery *n, bool *waits) {
    *waits = false;
    for (int i = 0; i < n->limits->workers; i++) {
        place *p = &n->at[i];
        if (p->process) {
            continue;
        }
        if (p->generation > 1 && time(NULL) - p->began < 1 && !*waits) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        }
        if (!start_worker(n, i)) {
            return false;
        }
        *waits = *waits || !p->process;
    }
    return true;
}

/* Takes a wish of the server; false when it is gone. */
static bool obey(const nursery *n) {
    told wish;
    ssize_t got = recv(CONTROL, &wish, sizeof wish, 0);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got != (ssize_t)sizeof wish || wish.place < 0 || wish.place >= n->limits->workers) {
        return false;
    }
    const place *p = &n->at[wish.place];
    if (p->process && p->generation == wish.generation) {
        kill(p->process, SIGKILL);
    }
    return true;
}

/* `generation` is above all that an earlier forker gave its workers. */
static _Noreturn void forker_main(const tool_limits *limits, const char *runs, int generation) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    int ends = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    nursery n = {.limits = limits, .runs = runs};
    for (int i = 0; i < limits->workers; i++) {
        n.at[i].generation = generation;
        n.at[i].ended = generation > 0 ? SIGKILL : 0; /* with the forker before */
    }
    struct pollfd wait[2] = {{.fd = CONTROL, .events = POLLIN}, {.fd = ends, .events = POLLIN}};
    bool waits = false, goes_on = ends >= 0;
    while (goes_on && fill(&n, &waits)) {
        struct signalfd_siginfo about;
        poll(wait, 2, waits ? 100 : -1);
        goes_on = !(wait[0].revents & (POLLIN | POLLHUP | POLLERR)) || obey(&n);
        while (read(ends, &about, sizeof about) > 0) {
        }
        bury(&n);
    }
    _exit(0); /* the workers end with it */
}

/* Has a forker run until it ends by itself. The socket stays open here, so that the server hears of
 * one that was killed by the workers of the next. */
static _Noreturn void keeper_main(int socket, const tool_limits *limits, const char *runs) {
    static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    int status = SIGKILL;
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++) {
        signal(deaf[i], SIG_IGN);
    }
    signal(SIGCHLD, SIG_DFL);
    keep_only(socket);
    for (int generation = 0; WIFSIGNALED(status); generation += GENERATIONS) {
        pid_t child = fork();
        if (child == 0) {
            forker_main(limits, runs, generation);
        }
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* none may be killed for ever */
    }
    _exit(0);
}

/* ---- the server's side ---- */

forker *forker_open(const tool_limits *limits, const char *runs, lu_error *error) {
    int pair[2];
    LU_ASSERT(limits->workers > 0 && limits->workers <= WORKERS_MOST);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        lu_fail(error, LU_IO, "no socket for the workers of tools: %s", strerror(errno));
        return NULL;
    }
    pid_t child = fork();
    if (child == 0) {
        keeper_main(pair[1], limits, runs);
    }
    close(pair[1]);
    if (child < 0) {
        close(pair[0]);
        lu_fail(error, LU_FAILED, "no process for the workers of tools: %s", strerror(errno));
        return NULL;
    }
    forker *f = lu_alloc_zero(1, sizeof *f);
    *f = (forker){.socket = pair[0], .keeper = child};
    return f;
}

void forker_close(forker *f) {
    if (!f) {
        return;
    }
    if (f->socket >= 0) {
        close(f->socket);
    }
    while (waitpid(f->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
    free(f);
}

int forker_socket(const forker *f) {
    return f->socket;
}

bool forker_hear(forker *f, forker_news *news) {
    told message;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = &message, .iov_len = sizeof message};
    struct msghdr all = {.msg_iov = &part,
                         .msg_iovlen = 1,
                         .msg_control = control.room,
                         .msg_controllen = sizeof control.room};
    ssize_t got = f->socket >= 0 ? recvmsg(f->socket, &all, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) : -1;
    if (got == 0) { /* it is gone, and the workers with it */
        close(f->socket);
        f->socket = -1;
    }
    const struct cmsghdr *head = got == (ssize_t)sizeof message ? CMSG_FIRSTHDR(&all) : NULL;
    if (!head || head->cmsg_type != SCM_RIGHTS) {
        return false;
    }
    *news = (forker_news){message.place, message.generation, message.ended, -1};
    memcpy(&news->socket, CMSG_DATA(head), sizeof news->socket);
    return true;
}

void forker_kill(forker *f, int place_of, int generation) {
    told wish = {place_of, generation, 0};
    if (f->socket >= 0) {
        (void)!send(f->socket, &wish, sizeof wish, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}
