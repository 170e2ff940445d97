/* The app: what every request passes before a handler sees it, and what handlers share. */
#include "app.h"
#include "tool_jobs.h"
#include "workers.h"

#include "ludus/clock.h"
#include "ludus/confine.h"
#include "ludus/file.h"
#include "ludus/listen.h"
#include "ludus/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELD_MOST ((size_t)256 << 20)
#define RESERVE                                                                                    \
    ((size_t)64 << 20) /* what a request that is begun may still take when all is used up */
#define TAKEN_MOST ((size_t)128 << 20)

static const lu_setting rows[] = {
    {"serve.connections", LU_INT, "1000", 1, 100000, NULL, "Maximum number of connections.", false},
    {"serve.connections_per_address", LU_INT, "500", 1, 100000, NULL,
     "Maximum number of connections from one address.", false},
    {"serve.requests_per_second", LU_REAL, "200", 0, 1e9, NULL,
     "Requests per second from one address, with bursts of twice as many; 0 = no limit.", false},
    {"serve.sessions", LU_INT, "200", 0, 100000, NULL, "Maximum number of play sessions.", false},
    {"serve.sessions_per_address", LU_INT, "20", 0, 100000, NULL,
     "Maximum number of play sessions from one address.", false},
    {"serve.session_models", LU_INT, "256", 1, 1 << 20, NULL,
     "Maximum MiB of all models playing in sessions.", false},
    {"serve.session_seconds", LU_REAL, "1800", 1, 1e6, NULL, "A session unused for this long ends.",
     false},
    {"serve.request_seconds", LU_REAL, "10", 0.1, 600, NULL,
     "Time within which a request must arrive completely.", false},
    {"serve.idle_seconds", LU_REAL, "60", 0.1, 3600, NULL,
     "A connection that sends no request, or reads nothing of its answer, is closed after this "
     "time.",
     false},
    {"serve.confine", LU_BOOL, "true", 0, 0, NULL,
     "Drops privileges that serving does not need: other files, connections, programs "
     "(docs/server.md).",
     false},
    {"serve.log", LU_ENUM, "refused", 0, 0, "refused|all|none",
     "Requests to log, one line of JSON each: those refused or failed, all, or none.", false},
    {"serve.job_workers", LU_INT, "2", 0, 64, NULL,
     "Processes that run tools for clients; 0: no tools.", false},
    {"serve.jobs", LU_INT, "64", 1, 10000, NULL,
     "Maximum number of jobs, whether waiting, running, or finished and kept.", false},
    {"serve.jobs_per_address", LU_INT, "16", 1, 10000, NULL,
     "Maximum number of waiting or running jobs from one address.", false},
    {"serve.job_seconds", LU_REAL, "300", 0.1, 1e6, NULL, "Time limit of a job.", false},
    {"serve.job_memory", LU_INT, "2048", 16, 1 << 20, NULL, "Memory limit of a job, in MiB.",
     false},
    {"serve.job_threads", LU_INT, "2", 1, 1024, NULL, "Maximum threads of a job.", false},
    {"serve.job_bytes", LU_INT, "8Mi", 1024, 64 << 20, NULL,
     "Maximum size of a job's request body, and of its answer, in bytes.", false},
    {"serve.job_kept_seconds", LU_REAL, "600", 1, 1e6, NULL, "How long a finished job is kept.",
     false},
};
const lu_table lu_serve_table = {"serve", rows, (int)(sizeof rows / sizeof *rows)};

/* ---- the app itself ---- */

static const char *const *copy_list(const char *const *list) {
    size_t count = 0;
    while (list && list[count]) {
        count++;
    }
    char **copy = lu_alloc_zero(count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        copy[i] = lu_strdup(list[i]);
    }
    return (const char *const *)copy;
}

static void free_list(const char *const *list) {
    for (size_t i = 0; list && list[i]; i++) {
        free((char *)list[i]);
    }
    free((void *)list);
}

app *app_new(const lu_serve_options *given, lu_error *error) {
    if (lu_listen_check(given->bind, given->token, error) != LU_OK) {
        return NULL;
    }
    app *a = lu_alloc_zero(1, sizeof *a);
    lu_serve_options *o = &a->options;
    *o = *given;
    o->bind = lu_strdup(given->bind);
    o->token = given->token ? lu_strdup(given->token) : NULL;
    o->runs = lu_strdup(given->runs);
    o->models = lu_strdup(given->models);
    o->version = lu_strdup(given->version);
    o->commit = lu_strdup(given->commit);
    o->origins = copy_list(given->origins);
    o->hosts = copy_list(given->hosts);
    o->limits = lu_settings_copy(given->limits);
    o->site = lu_strdup(given->site ? given->site : "");
    o->modules = lu_strdup(given->modules ? given->modules : "");
    a->access_control = access_new(o);
    a->metrics = metrics_new();
    a->log = request_log_new(o->limits);
    a->site = site_new(given->site, given->modules);
    a->sessions = sessions_new(o);
    a->replays = replay_cache_new();
    a->acts = act_cache_new();
    a->here = (worker){.app = a};
    a->workers = workers_new(a);
    a->began = a->now = lu_clock_seconds();
    return a;
}

/* The processes of tools are there, threads are not yet: from here on the server has what it serves
 * and no more. Its catalogue is opened before, so that its files are there to be allowed; a new one
 * cannot be made afterwards, and is kept in memory then. */
static lu_status give_up_privileges(app *a, lu_error *error) {
    static const char *const endings[] = {"", "-wal", "-shm"};
    lu_text files[3];
    const char *write[4] = {NULL};
    worker *first = worker_of(a->workers, WORKER_RUNS);
    first->catalogue = lu_catalogue_open(a->options.runs, LU_CATALOGUE_WRITE, NULL);
    for (int i = 0; i < 3; i++) {
        lu_text_init(&files[i]);
        lu_text_addf(&files[i], "%s/catalogue.sqlite%s", a->options.runs, endings[i]);
        write[i] = files[i].text;
    }
    const char *const read[] = {a->options.runs, a->options.models, a->options.site,
                                a->options.modules, NULL};
    lu_status status = lu_confine(&(lu_confinement){.read = read, .write = write}, error);
    for (int i = 0; i < 3; i++) {
        lu_text_free(&files[i]);
    }
    return status;
}

lu_status app_start(app *a, void (*wake)(void *), void *waker, lu_error *error) {
    lu_error none = {0};
    lu_error *why = error ? error : &none;
    a->wake = wake;
    a->waker = waker;
    why->status = LU_OK;
    a->jobs = tool_jobs_open(a->options.limits, a->options.runs, a->options.models,
                             why); /* before any thread */
    lu_status status = why->status;
    if (status == LU_OK && lu_settings_bool(a->options.limits, "serve.confine")) {
        status = give_up_privileges(a, why);
    }
    if (a->jobs && status == LU_OK) {
        status = tool_jobs_start(a->jobs, wake, waker, why);
    }
    (void)lu_memory_keep(RESERVE); /* behind the fork: its processes have limits of their own */
    a->started = true;
    return status == LU_OK ? workers_start(a->workers, why) : status;
}

/* False when the answer is filled: memory is short, and this request is the one that goes without.
 */
static bool memory_is_there(const app *a, const http_request *r, http_answer *answer) {
    if (!a->started || (r->route && r->route->open) || lu_memory_keep(RESERVE)) {
        return true;
    }
    answer_field(answer, "Retry-After", "5");
    answer_problem(answer, r, 503, "busy", NULL, "the server is short of memory: try again later");
    return false;
}

void app_delete(app *a) {
    if (!a) {
        return;
    }
    workers_delete(a->workers);
    if (a->started) {
        (void)lu_memory_give_up();
    }
    tool_jobs_close(a->jobs);
    sessions_delete(a->sessions);
    replay_cache_delete(a->replays);
    act_cache_delete(a->acts);
    site_delete(a->site);
    metrics_delete(a->metrics);
    request_log_delete(a->log);
    access_delete(a->access_control);
    lu_serve_options *o = &a->options;
    const char *texts[] = {o->bind,    o->token,  o->runs, o->models,
                           o->version, o->commit, o->site, o->modules};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        free((char *)texts[i]);
    }
    free_list(o->origins);
    free_list(o->hosts);
    lu_settings_delete((lu_settings *)o->limits);
    free(a);
}

void app_tick(app *a, double now) {
    sessions_expire(a->sessions, a->access_control, now);
    site_refresh(a->site, now);
}

/* ---- a request ---- */

/* A body must say that it is JSON: a form of a foreign page cannot. */
static bool body_is_right(const http_request *r, http_answer *answer) {
    const char *type = r->field[FIELD_CONTENT_TYPE];
    if (!r->route->body || (r->length == 0 && !type)) {
        return true;
    }
    size_t own = type ? strcspn(type, "; \t") : 0;
    if (own == 16 && strncasecmp(type, "application/json", 16) == 0) {
        return true;
    }
    answer_problem(answer, r, 415, "media-type", "Content-Type",
                   "the body must be "
                   "application/json");
    return false;
}

/* A WebSocket needs the one version there is and a key of 16 bytes in base64. */
static bool socket_is_right(const http_request *r, http_answer *answer) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    const char *key = r->field[FIELD_SOCKET_KEY], *version = r->field[FIELD_SOCKET_VERSION];
    if (!r->route->socket) {
        return true;
    }
    if (!version || strcmp(version, "13") != 0) {
        answer_field(answer, "Sec-WebSocket-Version", "13");
        answer_problem(answer, r, 426, "upgrade", "Sec-WebSocket-Version",
                       "only version 13 of WebSockets is supported");
        return false;
    }
    if (!key || strlen(key) != 24 || strspn(key, letters) != 24 || r->length > 0) {
        answer_problem(answer, r, 400, "bad-request", "Sec-WebSocket-Key", "the key isn't valid");
        return false;
    }
    return true;
}

static void answer_options(http_request *r, http_answer *answer) {
    lu_text list = LU_TEXT_INIT;
    route_methods(r, &list);
    answer_field(answer, "Allow", "%s, OPTIONS", list.text);
    answer->status = 204;
    lu_text_free(&list);
}

bool app_admit(app *a, peer *p, http_request *r, http_answer *answer, double now) {
    http_answer found;
    snprintf(r->id, sizeof r->id, "%08llx", (unsigned long long)++a->requests);
    answer_init(&found);
    bool fits = route_find(r, &found) && r->route;
    answer_free(&found);
    size_t most = fits && r->route->large
                      ? (size_t)lu_settings_int(a->options.limits, "serve.job_bytes")
                      : HTTP_BODY_MOST;
    if (!access_check(a->access_control, p, r, answer, now)) {
        return false;
    }
    r->admitted = true;
    if (r->length > most) {
        answer_problem(answer, r, 413, "too-large", NULL,
                       "the body is larger than allowed here (%zu KiB)", most >> 10);
    } else if (!memory_is_there(a, r, answer)) {
        return false;
    } else if (a->taken + r->length > TAKEN_MOST) {
        answer_field(answer, "Retry-After", "2");
        answer_problem(answer, r, 503, "busy", NULL,
                       "too many large bodies at once: try again in a moment");
    } else {
        return true;
    }
    return false;
}

worker_kind app_begin(app *a, peer *p, http_request *r, http_answer *answer, double now) {
    http_answer found; /* what is wrong with path and parameters is told once access is granted */
    a->now = now;
    a->peer = p;
    if (!r->admitted) {
        snprintf(r->id, sizeof r->id, "%08llx", (unsigned long long)++a->requests);
    }
    answer_init(&found);
    bool fits = r->method == HTTP_OPTIONS || route_find(r, &found);
    bool passed = r->admitted || access_check(a->access_control, p, r, answer, now);
    if (passed && !fits) {
        answer_free(answer);
        *answer = found;
        return WORKER_NONE;
    }
    answer_free(&found);
    if (!passed) {
        return WORKER_NONE;
    }
    if (!memory_is_there(a, r, answer)) {
        return WORKER_NONE;
    }
    if (r->method == HTTP_OPTIONS) {
        answer_options(r, answer);
    } else if (r->method == HTTP_OTHER) {
        answer_problem(answer, r, 501, "method", NULL, "this method is not known here");
    } else if (!r->route) {
        site_answer(a->site, r, answer);
    } else if (a->held > HELD_MOST) {
        answer_field(answer, "Retry-After", "2");
        answer_problem(answer, r, 503, "busy", NULL,
                       "too many answers are waiting for their readers: try again in a moment");
    } else if (body_is_right(r, answer) && socket_is_right(r, answer)) {
        if (r->route->where != WORKER_NONE) {
            return r->route->where;
        }
        r->route->handle(&a->here, r, answer);
    }
    return WORKER_NONE;
}

/* ---- what handlers share ---- */

/* What is not there may be what could not be opened: that is told apart. */
static bool descriptors_are_out(void) {
    int probe = dup(STDERR_FILENO);
    if (probe >= 0) {
        close(probe);
    }
    return probe < 0 && (errno == EMFILE || errno == ENFILE);
}

void answer_failed(http_answer *answer, const http_request *r, lu_status status) {
    bool lacking = status == LU_NOT_FOUND || status == LU_IO || status == LU_FAILED;
    if (lacking && descriptors_are_out()) {
        answer_field(answer, "Retry-After", "1");
        answer_problem(answer, r, 503, "busy", NULL,
                       "the server has no file descriptor left: try again");
        return;
    }
    switch (status) {
    case LU_NOT_FOUND:
        answer_problem(answer, r, 404, "not-found", NULL, "nothing has this name");
        break;
    case LU_BUSY:
        answer_field(answer, "Retry-After", "1");
        answer_problem(answer, r, 503, "busy", NULL, "the server is too busy for this: try again");
        break;
    case LU_LIMIT:
        answer_problem(answer, r, 422, "too-large", NULL, "this is too large to serve");
        break;
    case LU_FOREIGN_FILE:
    case LU_DAMAGED_FILE:
    case LU_OTHER_VERSION:
    case LU_OTHER_SPEC:
    case LU_CHECK_FAILED:
    case LU_BAD_DATA:
        answer_problem(answer, r, 422, "damaged", NULL, "the file cannot be used: %s",
                       lu_status_text(status));
        break;
    default:
        answer_problem(answer, r, 500, "failed", NULL, "the server could not do this: %s",
                       lu_status_text(status));
    }
}

/* Opens the catalogue of a worker and brings it up to date. */
static lu_status catalogue_ready(worker *w) {
    lu_error error = {0};
    double now = lu_clock_seconds();
    lu_status status = LU_OK;
    if (!w->catalogue) {
        w->catalogue = lu_catalogue_open(w->app->options.runs, LU_CATALOGUE_WRITE, &error);
        status = w->catalogue ? LU_OK : error.status;
    }
    if (status == LU_OK && now - w->synced > 1.0) {
        status = lu_catalogue_sync_all(w->catalogue, NULL, NULL, &error);
        if (status != LU_OK) { /* its file is of no use: from here on it is in memory */
            lu_catalogue_close(w->catalogue);
            w->catalogue = lu_catalogue_open(w->app->options.runs, LU_CATALOGUE_MEMORY, &error);
            status = w->catalogue ? lu_catalogue_sync_all(w->catalogue, NULL, NULL, &error)
                                  : error.status;
        }
        w->synced = status == LU_OK ? now : w->synced;
    }
    return status;
}

/* A confined server sees the folder that was there when it started. */
static void runs_failed(const worker *w, const http_request *r, http_answer *answer,
                        lu_status status) {
    int folder = open(w->app->options.runs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == EACCES) {
        answer_problem(answer, r, 500, "failed", NULL,
                       "the runs folder cannot be read: if it was replaced, the "
                       "server must be started again");
    } else {
        answer_failed(answer, r, status);
    }
    if (folder >= 0) {
        close(folder);
    }
}

lu_catalogue *worker_catalogue(worker *w, const http_request *r, http_answer *answer) {
    lu_status status = catalogue_ready(w);
    if (status != LU_OK) {
        runs_failed(w, r, answer, status);
        return NULL;
    }
    return w->catalogue;
}

/* Id of the run called `latest` or `best`; the caller frees it. NULL: there is none. */
static char *named_run(const worker *w, const char *name) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_run_find(
        w->app->options.runs, strcmp(name, "best") == 0 ? "best" : "latest", NULL, &path, NULL);
    const char *slash = status == LU_OK ? strrchr(path.text, '/') : NULL;
    char *id = slash ? lu_strdup(slash + 1) : NULL;
    lu_text_free(&path);
    return id;
}

lu_status worker_find_run(worker *w, const char *name, lu_run_entry *entry) {
    lu_run_list list = {0};
    bool word = strcmp(name, "latest") == 0 || strcmp(name, "best") == 0;
    lu_status status = catalogue_ready(w);
    lu_catalogue *c = w->catalogue;
    char *id = word ? named_run(w, name) : lu_strdup(name);
    if (status == LU_OK) {
        /* a run that is known is brought up to date; a name that is none stays a question */
        status =
            id ? lu_catalogue_runs(c, &(lu_run_filter){.run_id = id, .archived = -1}, &list, NULL)
               : LU_NOT_FOUND;
    }
    if (status == LU_OK && list.count == 1) {
        lu_run_list_free(&list);
        status = lu_catalogue_sync(c, id, NULL);
        status = status == LU_BUSY ? LU_OK : status;
        LU_THEN(status,
                lu_catalogue_runs(c, &(lu_run_filter){.run_id = id, .archived = -1}, &list, NULL));
    }
    free(id);
    if (status == LU_OK && list.count == 1) {
        *entry = list.entry[0];
        free(list.entry);
        return LU_OK;
    }
    lu_run_list_free(&list);
    return status == LU_OK ? LU_NOT_FOUND : status;
}

bool worker_run(worker *w, const http_request *r, http_answer *answer, lu_run_entry *entry) {
    lu_status status = worker_find_run(w, r->given[0], entry);
    if (status != LU_OK) {
        runs_failed(w, r, answer, status);
    }
    return status == LU_OK;
}

lu_status open_status(int file) {
    return file >= 0 ? LU_OK : file == NO_DESCRIPTOR ? LU_BUSY : LU_NOT_FOUND;
}

int open_beneath(const char *folder, const char *const *names, size_t *size, char tag[64]) {
    struct stat about;
    lu_text name = LU_TEXT_INIT;
    bool plain = true;
    for (; *names; names++) {
        plain = plain && **names && **names != '.' && !strchr(*names, '/');
        lu_text_addf(&name, "%s%s", name.length ? "/" : "", *names);
    }
    errno = ENOENT;
    int at = plain ? lu_file_open_beneath(folder, name.text) : -1;
    at = at < 0 && (errno == EMFILE || errno == ENFILE) ? NO_DESCRIPTOR : at;
    lu_text_free(&name);
    if (at >= 0 && (fstat(at, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(at);
        at = -1;
    }
    if (at >= 0) {
        *size = (size_t)about.st_size;
        snprintf(tag, 64, "\"%llx-%llx-%llx\"", (unsigned long long)about.st_size,
                 (unsigned long long)about.st_mtim.tv_sec * 1000000000u +
                     (unsigned long long)about.st_mtim.tv_nsec,
                 (unsigned long long)about.st_ino);
    }
    return at;
}

char *read_whole(int file, size_t size, size_t most) {
    char *bytes = size <= most ? lu_alloc(size + 1) : NULL;
    size_t length = 0;
    while (bytes && length < size) {
        ssize_t got = pread(file, bytes + length, size - length, (off_t)length);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            free(bytes);
            bytes = NULL;
        } else if (got > 0) {
            length += (size_t)got;
        }
    }
    if (bytes) {
        bytes[size] = 0;
    }
    close(file);
    return bytes;
}

/* ---- cursors ---- */

void cursor_write(lu_json *json, const char *const *texts, int count) {
    lu_text hex = LU_TEXT_INIT;
    for (int i = 0; i < count; i++) {
        for (const unsigned char *c = (const unsigned char *)texts[i]; *c; c++) {
            lu_text_addf(&hex, "%02x", *c);
        }
        lu_text_add(&hex, i + 1 < count ? "0a" : "");
    }
    lu_json_key_string(json, "next", hex.text);
    lu_text_free(&hex);
}

bool cursor_read(const char *cursor, char **room, const char **texts, int count) {
    size_t length = strlen(cursor) / 2;
    char *text = lu_alloc(length + 1);
    for (size_t i = 0; i < length; i++) {
        char pair[3] = {cursor[2 * i], cursor[2 * i + 1], 0};
        text[i] = (char)strtoul(pair, NULL, 16);
    }
    text[length] = 0;
    *room = text;
    for (int i = 0; i < count; i++) {
        texts[i] = text;
        char *end = strchr(text, '\n');
        if (!end != (i + 1 == count)) {
            free(*room);
            *room = NULL;
            return false;
        }
        if (end) {
            *end = 0;
            text = end + 1;
        }
    }
    return true;
}

/* ---- bodies ---- */

lu_json_document *body_json(const http_request *r, http_answer *answer) {
    lu_error error = {0};
    const char *text = r->length ? r->body : "{}";
    size_t length = r->length ? r->length : 2;
    if (!json_is_flat(text, length)) {
        answer_problem(answer, r, 400, "bad-json", NULL, "the body is nested deeper than %d",
                       HTTP_JSON_DEPTH);
        return NULL;
    }
    lu_json_document *document = lu_json_read("body", text, length, &error);
    if (!document) {
        answer_problem(answer, r, 400, "bad-json", NULL, "%s", error.text);
    } else if (lu_json_kind_of(lu_json_root(document)) != LU_JSON_OBJECT) {
        answer_problem(answer, r, 422, "bad-value", "", "the body must be a JSON object");
        lu_json_close(document);
        document = NULL;
    }
    return document;
}

bool body_only(const http_request *r, http_answer *answer, const lu_json_value *object,
               const char *const *members) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        bool known = false;
        lu_json_member(object, i, &key);
        for (const char *const *m = members; *m && !known; m++) {
            known = strcmp(*m, key) == 0;
        }
        if (!known) {
            char pointer[100];
            snprintf(pointer, sizeof pointer, "/%.90s", key);
            answer_problem(answer, r, 422, "bad-value", pointer,
                           "there is no member with this name");
            return false;
        }
    }
    return true;
}
