/* Jobs: see tool_jobs.h. One lock guards the table; the thread sleeps in poll without it. */
#include "tool_jobs.h"

#include "app.h"

#include "ludus/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES_MOST ((size_t)256 << 20)   /* of all calls and answers together */
static const double GRACE_SECONDS = 1.5; /* a tool has to end when it is asked to */
enum { PIECE = 64 << 10 };

typedef struct tool_job {
    struct tool_job *next; /* in the order of their coming */
    tool_job_view view;
    char address[HTTP_ADDRESS_ROOM];
    lu_text call;   /* frame for the worker, until it is sent */
    lu_text answer; /* documents, a line each */
    bool cancel;    /* is to end early */
    double ended;
} tool_job;

typedef struct host { /* a worker process */
    int socket;       /* -1: none */
    int generation;
    tool_job *job;    /* that it runs */
    bool left, asked; /* takes no more jobs; was asked to end this one */
    bool late;        /* was killed for its time */
    size_t sent;      /* of the call */
    double deadline;  /* to be killed */
    lu_text in;
} host;

struct tool_jobs {
    tool_limits limits;
    int most, most_own;
    double kept_seconds;
    char *runs, *models;
    forker *forker;
    pthread_t thread;
    bool started, ending;
    int bell; /* eventfd: something is to be done */
    void (*wake)(void *waker);
    void *waker;
    pthread_mutex_t lock;
    tool_job *first, *last;
    int count;
    size_t bytes;
    host *hosts;
};

static bool is_over(const tool_job *j) {
    return j->view.state >= TOOL_JOB_DONE;
}

const char *tool_job_state_name(tool_job_state state) {
    static const char *const names[] = {"queued", "running", "done", "failed", "cancelled"};
    return names[state];
}

/* ---- the table ---- */

static size_t bytes_of(const tool_job *j) {
    return j->call.length + j->answer.length;
}

static void remove_job(tool_jobs *s, tool_job *gone) {
    tool_job *before = NULL;
    for (tool_job *j = s->first; j != gone; j = j->next) {
        before = j;
    }
    *(before ? &before->next : &s->first) = gone->next;
    s->last = s->last == gone ? before : s->last;
    s->count--;
    s->bytes -= bytes_of(gone);
    lu_text_free(&gone->call);
    lu_text_free(&gone->answer);
    free(gone);
}

/* The job that ended first of those that have; NULL: none has. */
static tool_job *oldest(const tool_jobs *s) {
    tool_job *found = NULL;
    for (tool_job *j = s->first; j; j = j->next) {
        found = is_over(j) && (!found || j->ended < found->ended) ? j : found;
    }
    return found;
}

static tool_job *find(const tool_jobs *s, const char *id) {
    for (tool_job *j = s->first; j; j = j->next) {
        if (strcmp(j->view.id, id) == 0) {
            return j;
        }
    }
    return NULL;
}

static void over(tool_jobs *s, tool_job *j, tool_job_state state) {
    j->view.state = state;
    j->view.changes++;
    j->ended = lu_clock_seconds();
    s->bytes -= j->call.length;
    lu_text_free(&j->call);
    lu_text_init(&j->call);
    if (state != TOOL_JOB_DONE) {
        s->bytes -= j->answer.length;
        lu_text_free(&j->answer);
        lu_text_init(&j->answer);
    }
    if (s->wake) {
        s->wake(s->waker);
    }
}

static void fail(tool_jobs *s, tool_job *j, int status, const char *name, const char *detail) {
    j->view.end = (tool_end){.status = status};
    snprintf(j->view.end.name, sizeof j->view.end.name, "%s", name);
    snprintf(j->view.end.detail, sizeof j->view.end.detail, "%s", detail);
    over(s, j, TOOL_JOB_FAILED);
}

static void ring(const tool_jobs *s) {
    uint64_t one = 1;
    (void)!write(s->bell, &one, sizeof one);
}

/* ---- what clients do ---- */

static int own_jobs(const tool_jobs *s, const char *address) {
    int own = 0;
    for (const tool_job *j = s->first; j; j = j->next) {
        own += !is_over(j) && strcmp(j->address, address) == 0;
    }
    return own;
}

static bool has_hosts(const tool_jobs *s) {
    return s->started && forker_socket(s->forker) >= 0;
}

/* Room for one more, if need be in place of those that have ended. */
static bool make_room(tool_jobs *s, size_t length) {
    while (s->count >= s->most || s->bytes + length > BYTES_MOST) {
        tool_job *old = oldest(s);
        if (!old) {
            return false;
        }
        remove_job(s, old);
    }
    return true;
}

static void append_job(tool_jobs *s, const lu_tool *tool, const char *address, const char *body,
                       size_t length, char *id) {
    tool_job *j = lu_alloc_zero(1, sizeof *j);
    size_t names = strlen(tool->game) + strlen(tool->name) + 2;
    tool_frame head = {FRAME_RUN, (uint32_t)(names + length)};
    lu_text_init(&j->call);
    lu_text_init(&j->answer);
    lu_text_add_n(&j->call, (const char *)&head, sizeof head);
    lu_text_add_n(&j->call, tool->game, strlen(tool->game) + 1);
    lu_text_add_n(&j->call, tool->name, strlen(tool->name) + 1);
    lu_text_add_n(&j->call, body ? body : "", length);
    snprintf(j->address, sizeof j->address, "%s", address);
    random_hex(j->view.id, TOOL_JOB_ID);
    memcpy(id, j->view.id, TOOL_JOB_ID + 1);
    *(s->last ? &s->last->next : &s->first) = j;
    s->last = j;
    s->count++;
    s->bytes += bytes_of(j);
}

tool_job_refusal tool_jobs_add(tool_jobs *s, const lu_tool *tool, const char *address,
                               const char *body, size_t length, char id[TOOL_JOB_ID + 1]) {
    tool_job_refusal why = TOOL_JOB_TAKEN;
    if (!s) {
        return TOOL_JOB_NO_WORKERS;
    }
    pthread_mutex_lock(&s->lock);
    if (!has_hosts(s)) {
        why = TOOL_JOB_NO_WORKERS;
    } else if (own_jobs(s, address) >= s->most_own) {
        why = TOOL_JOB_TOO_MANY_OWN;
    } else if (!make_room(s, length)) {
        why = TOOL_JOB_TOO_MANY;
    } else {
        append_job(s, tool, address, body, length, id);
    }
    pthread_mutex_unlock(&s->lock);
    if (why == TOOL_JOB_TAKEN) {
        ring(s);
    }
    return why;
}

bool tool_jobs_look(tool_jobs *s, const char *id, tool_job_view *view, lu_text *answer) {
    if (!s) {
        return false;
    }
    pthread_mutex_lock(&s->lock);
    const tool_job *j = find(s, id);
    if (j) {
        *view = j->view;
        if (answer && j->view.state == TOOL_JOB_DONE) {
            lu_text_add_n(answer, j->answer.text ? j->answer.text : "", j->answer.length);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return j != NULL;
}

bool tool_jobs_end(tool_jobs *s, const char *id) {
    if (!s) {
        return false;
    }
    pthread_mutex_lock(&s->lock);
    tool_job *j = find(s, id);
    bool found = j != NULL;
    if (j && j->view.state == TOOL_JOB_QUEUED) {
        over(s, j, TOOL_JOB_CANCELLED);
    } else if (j && !is_over(j)) {
        j->cancel = true;
    } else if (j) {
        remove_job(s, j);
    }
    pthread_mutex_unlock(&s->lock);
    if (found) {
        ring(s);
    }
    return found;
}

int tool_jobs_count(tool_jobs *s) {
    int count = 0;
    if (s) {
        pthread_mutex_lock(&s->lock);
        for (const tool_job *j = s->first; j; j = j->next) {
            count += !is_over(j);
        }
        pthread_mutex_unlock(&s->lock);
    }
    return count;
}

/* ---- what a worker says ---- */

static void hear_end(tool_jobs *s, host *h, const char *bytes) {
    tool_job *j = h->job;
    h->job = NULL;
    memcpy(&j->view.end, bytes, sizeof j->view.end);
    h->left = j->view.end.retires != 0;
    j->view.end.name[sizeof j->view.end.name - 1] = 0;
    j->view.end.pointer[sizeof j->view.end.pointer - 1] = 0;
    j->view.end.detail[sizeof j->view.end.detail - 1] = 0;
    over(s, j,
         j->view.end.status == 200          ? TOOL_JOB_DONE
         : j->cancel || !j->view.end.status ? TOOL_JOB_CANCELLED
                                            : TOOL_JOB_FAILED);
}

/* One frame; false when it is none that may come now. */
static bool hear_frame(tool_jobs *s, host *h, const tool_frame *head, const char *bytes) {
    tool_job *j = h->job;
    if (!j) {
        return false;
    }
    if (head->kind == FRAME_PROGRESS && head->length >= sizeof(double) &&
        head->length < sizeof(double) + TOOL_WHAT_ROOM) {
        double share;
        memcpy(&share, bytes, sizeof share);
        j->view.share = share > 0.0 && share <= 1.0 ? share : share > 1.0 ? 1.0 : 0.0;
        snprintf(j->view.what, sizeof j->view.what, "%.*s", (int)(head->length - sizeof share),
                 bytes + sizeof share);
        j->view.changes++;
        return true;
    }
    if (head->kind == FRAME_DOCUMENT && j->answer.length + head->length < s->limits.bytes) {
        lu_text_add_n(&j->answer, bytes, head->length);
        lu_text_add_char(&j->answer, '\n');
        s->bytes += (size_t)head->length + 1;
        for (tool_job *old; s->bytes > BYTES_MOST && (old = oldest(s)) != NULL;) {
            remove_job(s, old);
        }
        return true;
    }
    if (head->kind == FRAME_END && head->length == sizeof(tool_end)) {
        hear_end(s, h, bytes);
        return true;
    }
    return false;
}

/* All whole frames of the input; false when the worker talks nonsense. */
static bool hear_frames(tool_jobs *s, host *h) {
    size_t used = 0;
    bool sense = true;
    while (sense && h->in.length - used >= sizeof(tool_frame)) {
        tool_frame head;
        memcpy(&head, h->in.text + used, sizeof head);
        sense = head.length <= s->limits.bytes + sizeof(tool_end);
        if (!sense || h->in.length - used - sizeof head < head.length) {
            break;
        }
        sense = hear_frame(s, h, &head, h->in.text + used + sizeof head);
        used += sizeof head + head.length;
    }
    if (used > 0) {
        memmove(h->in.text, h->in.text + used, h->in.length - used);
        h->in.length -= used;
    }
    return sense;
}

static void let_go(host *h) {
    if (h->socket >= 0) {
        close(h->socket);
    }
    h->socket = -1;
    h->in.length = 0;
}

static void hear(tool_jobs *s, host *h, int place) {
    lu_text_reserve(&h->in, PIECE);
    ssize_t got = recv(h->socket, h->in.text + h->in.length, PIECE, MSG_DONTWAIT);
    if (got > 0) {
        h->in.length += (size_t)got;
        if (!hear_frames(s, h)) {
            forker_kill(s->forker, place, h->generation);
            let_go(h);
        }
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        let_go(h); /* the forker tells why, and sends another */
    }
}

/* ---- what a worker is told ---- */

static void tell(host *h) {
    const lu_text *call = &h->job->call;
    ssize_t sent =
        send(h->socket, call->text + h->sent, call->length - h->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    h->sent += sent > 0 ? (size_t)sent : 0;
}

/* Asks the worker to end its job, and has it killed when it does not listen. */
static void press(tool_jobs *s, host *h, int place, double now) {
    tool_job *j = h->job;
    if (j->cancel && !h->asked && h->sent == j->call.length) {
        tool_frame head = {FRAME_CANCEL, 0};
        h->asked = send(h->socket, &head, sizeof head, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
        h->deadline = fmin(h->deadline, now + GRACE_SECONDS);
    }
    if (now >= h->deadline) {
        h->late = !j->cancel;
        h->deadline = INFINITY;
        forker_kill(s->forker, place, h->generation);
    }
}

static tool_job *next_queued(const tool_jobs *s) {
    tool_job *j = s->first;
    while (j && j->view.state != TOOL_JOB_QUEUED) {
        j = j->next;
    }
    return j;
}

static void begin(tool_jobs *s, host *h, tool_job *j, double now) {
    h->job = j;
    h->sent = 0;
    h->asked = h->late = false;
    h->deadline = now + s->limits.seconds + GRACE_SECONDS;
    j->view.state = TOOL_JOB_RUNNING;
    j->view.changes++;
}

/* ---- the forker's news ---- */

static void fail_by(tool_jobs *s, host *h, int ended) {
    tool_job *j = h->job;
    char detail[200];
    h->job = NULL;
    if (j->cancel) {
        over(s, j, TOOL_JOB_CANCELLED);
    } else if (h->late || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)) {
        snprintf(detail, sizeof detail, "the job took longer than %g seconds (serve.job_seconds)",
                 s->limits.seconds);
        fail(s, j, 422, "too-long", detail);
    } else if (WIFEXITED(ended) && WEXITSTATUS(ended) == lu_status_exit(LU_FAILED)) {
        snprintf(detail, sizeof detail, "the job needs more than %zu MiB (serve.job_memory)",
                 s->limits.memory >> 20);
        fail(s, j, 422, "too-large", detail);
    } else {
        snprintf(detail, sizeof detail, "the tool's process has ended (%s %d)",
                 WIFSIGNALED(ended) ? "signal" : "status",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
        fail(s, j, 500, "failed", detail);
    }
}

static void hear_forker(tool_jobs *s) {
    forker_news news;
    while (forker_hear(s->forker, &news)) {
        host *h = &s->hosts[news.place];
        while (h->socket >= 0 && h->job) { /* its last words may hold the end of the job */
            hear(s, h, news.place);
        }
        let_go(h);
        if (h->job) {
            fail_by(s, h, news.ended);
        }
        lu_text_free(&h->in);
        *h = (host){.socket = news.socket, .generation = news.generation};
        lu_text_init(&h->in);
    }
    for (int i = 0; i < s->limits.workers && forker_socket(s->forker) < 0; i++) {
        let_go(&s->hosts[i]);
        if (s->hosts[i].job) {
            fail(s, s->hosts[i].job, 503, "no-workers", "the tool workers are gone");
            s->hosts[i].job = NULL;
        }
    }
    for (tool_job *j; forker_socket(s->forker) < 0 && (j = next_queued(s)) != NULL;) {
        fail(s, j, 503, "no-workers", "the tool workers are gone");
    }
}

/* ---- the thread ---- */

/* What is due now; returns the milliseconds until something is due again. */
static int work(tool_jobs *s, double now) {
    double next = now + 1.0;
    for (int i = 0; i < s->limits.workers; i++) {
        host *h = &s->hosts[i];
        tool_job *waiting = h->job || h->socket < 0 || h->left ? NULL : next_queued(s);
        if (waiting) {
            begin(s, h, waiting, now);
        }
        if (h->job && h->socket >= 0) {
            if (h->sent < h->job->call.length) {
                tell(h);
            }
            press(s, h, i, now);
            next = fmin(next, h->deadline);
        }
    }
    for (tool_job *j = s->first, *after; j; j = after) {
        after = j->next;
        if (is_over(j) && now - j->ended > s->kept_seconds) {
            remove_job(s, j);
        }
    }
    return next > now ? (int)(1e3 * (next - now)) + 1 : 1;
}

static void sleep_on(tool_jobs *s, struct pollfd *wait, int milliseconds) {
    int count = s->limits.workers + 2;
    wait[0] = (struct pollfd){.fd = s->bell, .events = POLLIN};
    wait[1] = (struct pollfd){.fd = forker_socket(s->forker), .events = POLLIN};
    for (int i = 0; i < s->limits.workers; i++) {
        const host *h = &s->hosts[i];
        bool more = h->job && h->sent < h->job->call.length;
        wait[i + 2] = (struct pollfd){.fd = h->socket, .events = more ? POLLIN | POLLOUT : POLLIN};
    }
    pthread_mutex_unlock(&s->lock);
    if (poll(wait, (nfds_t)count, milliseconds) < 0) {
        for (int i = 0; i < count; i++) {
            wait[i].revents = 0;
        }
    }
    pthread_mutex_lock(&s->lock);
}

static void *run(void *user) {
    tool_jobs *s = user;
    struct pollfd *wait = lu_alloc_zero((size_t)s->limits.workers + 2, sizeof *wait);
    pthread_mutex_lock(&s->lock);
    while (!s->ending) {
        sleep_on(s, wait, work(s, lu_clock_seconds()));
        uint64_t rings;
        if (wait[0].revents) {
            (void)!read(s->bell, &rings, sizeof rings);
        }
        for (int i = 0; i < s->limits.workers; i++) {
            if (wait[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) {
                hear(s, &s->hosts[i], i);
            }
        }
        if (wait[1].revents) {
            hear_forker(s);
        }
    }
    pthread_mutex_unlock(&s->lock);
    free(wait);
    return NULL;
}

/* ---- opening ---- */

tool_jobs *tool_jobs_open(const lu_settings *limits, const char *runs, const char *models,
                          lu_error *error) {
    int workers = (int)lu_settings_int(limits, "serve.job_workers");
    if (workers == 0) {
        return NULL;
    }
    tool_jobs *s = lu_alloc_zero(1, sizeof *s);
    s->limits = (tool_limits){
        .workers = workers,
        .threads = (int)lu_settings_int(limits, "serve.job_threads"),
        .seconds = lu_settings_real(limits, "serve.job_seconds"),
        .memory = (size_t)lu_settings_int(limits, "serve.job_memory") << 20,
        .bytes = (size_t)lu_settings_int(limits, "serve.job_bytes"),
    };
    s->most = (int)lu_settings_int(limits, "serve.jobs");
    s->most_own = (int)lu_settings_int(limits, "serve.jobs_per_address");
    s->kept_seconds = lu_settings_real(limits, "serve.job_kept_seconds");
    s->runs = lu_strdup(runs);
    s->models = lu_strdup(models);
    s->limits.models = lu_settings_bool(limits, "serve.confine") ? s->models : NULL;
    s->hosts = lu_alloc_zero((size_t)workers, sizeof *s->hosts);
    for (int i = 0; i < workers; i++) {
        s->hosts[i].socket = -1;
        lu_text_init(&s->hosts[i].in);
    }
    pthread_mutex_init(&s->lock, NULL);
    s->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->forker = s->bell >= 0 ? forker_open(&s->limits, s->runs, error) : NULL;
    if (!s->forker) {
        if (s->bell < 0) {
            lu_fail(error, LU_FAILED, "the system gave the server no file descriptor");
        }
        tool_jobs_close(s);
        return NULL;
    }
    return s;
}

lu_status tool_jobs_start(tool_jobs *s, void (*wake)(void *), void *waker, lu_error *error) {
    s->wake = wake;
    s->waker = waker;
    if (pthread_create(&s->thread, NULL, run, s) != 0) {
        return lu_fail(
            error, LU_FAILED,
            "no thread can be started: raise the limits on processes (ulimit -u) and memory "
            "(ulimit -v)");
    }
    s->started = true;
    return LU_OK;
}

void tool_jobs_close(tool_jobs *s) {
    if (!s) {
        return;
    }
    if (s->started) {
        pthread_mutex_lock(&s->lock);
        s->ending = true;
        pthread_mutex_unlock(&s->lock);
        ring(s);
        pthread_join(s->thread, NULL);
    }
    while (s->first) {
        remove_job(s, s->first);
    }
    for (int i = 0; i < s->limits.workers; i++) {
        let_go(&s->hosts[i]);
        lu_text_free(&s->hosts[i].in);
    }
    forker_close(s->forker);
    if (s->bell >= 0) {
        close(s->bell);
    }
    pthread_mutex_destroy(&s->lock);
    free(s->hosts);
    free(s->runs);
    free(s->models);
    free(s);
}
