/* The server without its sockets: its parts, and the handlers that answer. The table of routes is
 * in route.h, who may ask for what and how often in access.h, threads in workers.h. The service
 * thread reads requests and writes answers and never waits for a disk; what looks into runs is done
 * by workers, each with a catalogue of its own.
 * Ownership: an app owns everything it points at until app_delete. Threads: everything here belongs
 * to the service thread, except what a worker is handed and the cache of replays, which has a lock.
 */
#pragma once

#include "access.h"
#include "request_log.h"
#include "route.h"
#include "workers.h"

#include "ludus/catalogue.h"
#include "ludus/game_ask.h"
#include "ludus/serve.h"

#include <pthread.h>

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

/* ---- models that are asked ---- */

struct act_cache *act_cache_new(void);
void act_cache_delete(struct act_cache *cache);

/* ---- the app ---- */

struct app {
    lu_serve_options options; /* texts are copies */
    access_control *access_control;
    metrics *metrics;
    request_log *log;
    site *site;
    sessions *sessions;
    replay_cache *replays;
    struct act_cache *acts;
    struct tool_jobs *jobs; /* NULL: no tools are run here */
    worker here;
    bool started; /* has threads, and memory in reserve */
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
/* Opens FOLDER/A/B/... for reading without following links; -1 when there is no such plain file,
 * NO_DESCRIPTOR when none is left: open_status tells the two apart. The names end with NULL. The
 * tag is made from size, time and inode. */
enum { NO_DESCRIPTOR = -2 };
lu_status open_status(int file);
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
handler on_leagues_list, on_league_get;                                      /* leagues.c */
handler on_session_post, on_session_get, on_session_delete, on_session_reset, on_session_step,
    on_session_socket, on_session_plain; /* session_routes.c */
handler on_act_post;                     /* act_route.c */
handler on_tools_list, on_tool_post, on_job_get, on_job_delete, on_job_events; /* tools.c */
