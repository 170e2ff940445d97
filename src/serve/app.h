/* The server without its sockets: the table of routes, who may ask for what and how often, and the
 * handlers that answer. The service thread reads requests and writes answers and never waits for a
 * disk; what looks into runs is done by workers, each with a catalogue of its own.
 * Ownership: an app owns everything it points at until app_delete. Threads: everything here belongs
 * to the service thread, except what a worker is handed and the cache of replays, which has a lock.
 */
#pragma once

#include "http.h"

#include "ludus/catalogue.h"
#include "ludus/game_ask.h"
#include "ludus/serve.h"

#include <pthread.h>

typedef struct app app;

/* ---- workers ---- */

typedef enum worker_kind {
    WORKER_NONE,   /* answered at once by the service thread */
    WORKER_RUNS,   /* looks into the catalogue and files */
    WORKER_REPLAY, /* plays an episode: may take a second */
    WORKER_COUNT
} worker_kind;

/* Who answers: the service thread (without a catalogue) or a worker thread. */
typedef struct worker {
    app *app;
    lu_catalogue *catalogue; /* opened at its first use: worker_catalogue */
    double synced;           /* when all runs were brought up to date */
} worker;

/* Something to be done elsewhere; `done` is called by the service thread afterwards. */
typedef struct job {
    struct job *next;
    void (*work)(struct job *job, worker *worker);
    void (*done)(struct job *job);
} job;

/* Hands a job to a worker; false when too many wait there. */
bool app_post(app *app, worker_kind where, job *job);
/* Calls `done` of every job that is. */
void app_collect(app *app);

/* ---- routes ---- */

typedef enum param_kind {
    PARAM_RUN,
    PARAM_REPLAY,
    PARAM_WINDOW,
    PARAM_GAME,
    PARAM_SESSION,
    PARAM_MODEL,
    PARAM_TOOL,
    PARAM_JOB,
    PARAM_TAG,
    PARAM_KEY,
    PARAM_CURSOR,
    PARAM_TICKET,
    PARAM_INT,
    PARAM_REAL,
    PARAM_BOOL,
    PARAM_CHOICE,
} param_kind;

typedef struct param {
    const char *name;
    param_kind kind;
    double low, high;    /* of numbers */
    const char *choices; /* "windows|updates" */
    const char *initial; /* default, or NULL */
    int most;            /* how often it may be there; 0: once */
    const char *sentence;
    const char *example; /* for the document, or NULL */
} param;

typedef struct reply {
    int status;
    const char *type;   /* content type; NULL: no body */
    const char *schema; /* a name of schemas.json, or NULL */
    const char *sentence;
} reply;

typedef void handler(worker *worker, const http_request *request, http_answer *answer);

typedef struct route {
    http_method method;
    const char *path; /* "/api/v1/runs/{run}" */
    const char *name; /* operation id, and label of the metrics */
    const char *sentence;
    handler *handle;
    worker_kind where;
    const param *params; /* of the query; ends with a NULL name; or NULL */
    const char *body;    /* schema of the body, or NULL */
    bool bodiless;       /* the body may be left out */
    /* besides problems; ends with status 0; a second one of a status has another type */
    reply replies[4];
    bool socket;                /* for WebSockets only */
    bool open;                  /* needs no token */
    bool large;                 /* its body may have serve.job_bytes */
    const struct lu_tool *tool; /* whose short address it is, or NULL */
    const char *problems;       /* statuses that may come beside those of all: "404 409 422" */
} route;

enum { ROUTES_MOST = 64 };
/* All routes: those of the table, then the short addresses of tools. */
int route_count(void);
const route *route_at(int index);
int route_index(const route *route);
/* Parameters of paths by name: "run", "replay", ...; NULL: none. */
const param *path_param(const char *name);
/* Regular expression of a kind; NULL for numbers, choices and flags. */
const char *param_pattern(param_kind kind);
/* True when the text is of the kind and in its range. */
bool param_fits(const param *param, const char *text);

/* Finds the route of a request and checks its parameters; false when the answer is filled. */
bool route_find(http_request *request, http_answer *answer);
/* Adds the methods that its path takes: "GET, HEAD, DELETE"; those of files where it is no route.
 */
void route_methods(http_request *request, lu_text *list);

/* Values of parameters that were checked. */
int64_t param_int(const http_request *request, const char *key, int64_t other);
double param_real(const http_request *request, const char *key, double other);
bool param_bool(const http_request *request, const char *key, bool other);

/* ---- access ---- */

typedef struct peer {
    char address[HTTP_ADDRESS_ROOM];
    int links, sessions;
    double allowance, at; /* requests it may still make, as of then */
    bool used;
} peer;

typedef struct access_control access_control;

access_control *access_new(const lu_serve_options *options);
void access_delete(access_control *access_control);
/* A new connection; NULL when there are too many, in all or from there. */
peer *access_enter(access_control *access_control, const char *address);
void access_leave(access_control *access_control, peer *peer);
int access_links(const access_control *access_control);
/* Host, Origin, token and rate; false when the answer is filled. The route may be NULL. */
bool access_check(access_control *access_control, peer *peer, const http_request *request,
                  http_answer *answer, double now);
/* Header lines that every answer to this request has: CORS and the security headers. */
void access_fields(const access_control *access_control, const http_request *request, lu_text *out);
/* A ticket that stands for the token once, within half a minute; room for 33 bytes. */
bool access_ticket(access_control *access_control, double now, char *ticket);
/* 32 random hex digits. */
void random_hex(char *text, int digits);

/* ---- metrics ---- */

typedef struct metrics metrics;

metrics *metrics_new(void);
void metrics_delete(metrics *metrics);
void metrics_request(metrics *metrics, const route *route, int status, double seconds);
void metrics_bytes(metrics *metrics, size_t in, size_t out);
void metrics_stream(metrics *metrics, const char *topic, int change);

/* ---- the site ---- */

typedef struct site site;

/* Files of a folder and modules of another, by their exact paths; either may be "". */
site *site_new(const char *folder, const char *modules);
void site_delete(site *site);
/* Looks for new files, at most once a second. */
void site_refresh(site *site, double now);
/* Answers a GET of any path that is no route. */
void site_answer(const site *site, const http_request *request, http_answer *answer);
bool site_has(const site *site, const char *path);

/* ---- sessions of play ---- */

typedef struct sessions sessions;

sessions *sessions_new(const lu_serve_options *options);
void sessions_delete(sessions *sessions);
int sessions_count(const sessions *sessions);
/* Ends those that nobody used for long. */
void sessions_expire(sessions *sessions, access_control *access_control, double now);

/* ---- replays that are open ---- */

typedef struct replay_cache replay_cache;

replay_cache *replay_cache_new(void);
void replay_cache_delete(replay_cache *cache);

/* ---- the app ---- */

struct app {
    lu_serve_options options; /* texts are copies */
    access_control *access_control;
    metrics *metrics;
    site *site;
    sessions *sessions;
    replay_cache *replays;
    struct tool_jobs *jobs; /* NULL: no tools are run here */
    worker here;
    double began;
    size_t held;                /* bytes of answers that wait for slow readers */
    size_t taken;               /* bytes of large bodies that come in */
    struct connection *waiting; /* connections whose answers come later */
    uint64_t requests;
    struct workers *workers;
    void *waker; /* told when a job is done; see app_wake */
    void (*wake)(void *waker);
    double now; /* of the request that is being answered by the service thread */
    peer *peer; /* of that request */
};

app *app_new(const lu_serve_options *options, lu_error *error);
/* Starts the workers; `wake` is called by them when something is done. */
lu_status app_start(app *app, void (*wake)(void *waker), void *waker, lu_error *error);
void app_delete(app *app);
/* What is done every second. */
void app_tick(app *app, double now);
/* Whether a request may send its body, which is larger than the usual; false when the answer is
 * filled. */
bool app_admit(app *app, peer *peer, http_request *request, http_answer *answer, double now);
/* The service thread's part of a request: gives it an id, checks it and finds its route. Returns
 * the worker that is to answer; WORKER_NONE when the answer is filled. */
worker_kind app_begin(app *app, peer *peer, http_request *request, http_answer *answer, double now);

/* ---- handlers share ---- */

/* The catalogue of a worker, brought up to date: all runs, at most once a second, or one run. NULL
 * when the answer is filled. */
lu_catalogue *worker_catalogue(worker *worker, const http_request *request, http_answer *answer);
/* The run that the path names, which may be `latest` or `best`; false when the answer is filled.
 * The caller frees the entry. */
bool worker_run(worker *worker, const http_request *request, http_answer *answer,
                lu_run_entry *entry);
/* The same by a name from elsewhere; LU_NOT_FOUND when there is none. */
lu_status worker_find_run(worker *worker, const char *name, lu_run_entry *entry);
/* Opens a model by the name that the list of models gives it: NAME, or RUN:WINDOW. -1 when there is
 * none. */
int worker_model(worker *worker, const char *name, size_t *size, char tag[64]);
/* The replay that the path names in such a run. */
bool worker_replay(worker *worker, const http_request *request, http_answer *answer,
                   const lu_run_entry *run, lu_replay_entry *entry);
/* The file of a replay; -1 when it is gone. */
int replay_open_file(const app *app, const lu_replay_entry *entry, size_t *size, char tag[64]);
/* Opens FOLDER/A/B/... for reading without following links; -1 when there is no such plain file.
 * The names end with NULL. The tag is made from size, time and inode. */
int open_beneath(const char *folder, const char *const *names, size_t *size, char tag[64]);
/* The whole file behind a descriptor, which is closed; NULL when it is larger than `most`. */
char *read_whole(int file, size_t size, size_t most);

/* Fills the answer for a status of the library; what it says stays inside, for it may hold paths.
 */
void answer_failed(http_answer *answer, const http_request *request, lu_status status);
/* Cursors: texts joined and written as hex; and back, into `count` texts that the caller frees with
 * *room. False: it is none of ours. */
void cursor_write(lu_json *json, const char *const *texts, int count);
bool cursor_read(const char *cursor, char **room, const char **texts, int count);

/* The body as JSON; NULL when the answer is filled. */
lu_json_document *body_json(const http_request *request, http_answer *answer);
/* Fails with 422 when the object has members beside these (which end with NULL). */
bool body_only(const http_request *request, http_answer *answer, const lu_json_value *object,
               const char *const *members);

/* The OpenAPI document, made from the routes. */
void openapi_write(lu_json *json, const char *version);
extern const char serve_schemas[]; /* schemas.json */

/* Handlers, by file. */
handler on_health_get, on_metrics_get, on_openapi_get, on_ticket_post;       /* health.c */
handler on_games_list, on_game_get;                                          /* games.c */
handler on_runs_list, on_run_get, on_windows_list, on_evaluations_list;      /* runs.c */
handler on_series_get;                                                       /* series.c */
handler on_replays_list, on_run_replays_list, on_replay_get, on_replay_file; /* replays.c */
handler on_frames_get, on_frames_socket;                                     /* frames.c */
handler on_events_get;                                                       /* events.c */
handler on_models_list, on_model_get, on_run_model_get;                      /* models.c */
handler on_session_post, on_session_get, on_session_delete, on_session_reset, on_session_step,
    on_session_socket, on_session_plain; /* session_routes.c */
handler on_tools_list, on_tool_post, on_job_get, on_job_delete, on_job_events; /* tools.c */
