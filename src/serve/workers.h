/* Who answers and what is done elsewhere: the service thread, and the threads of an app with their
 * queues (workers.c).
 * Ownership: a job belongs to the workers from app_post until `done`. Threads: made, started and
 * deleted by the service thread; a worker belongs to its thread. */
#pragma once

#include "ludus/catalogue.h"

typedef struct app app;

typedef enum worker_kind {
    WORKER_NONE,   /* answered at once by the service thread */
    WORKER_RUNS,   /* looks into the catalogue and files */
    WORKER_ROWS,   /* reads whole files of rows: may take seconds, a stretch at a time */
    WORKER_REPLAY, /* plays an episode: may take a second */
    WORKER_COUNT
} worker_kind;

/* Who answers: the service thread (without a catalogue) or a worker thread. */
typedef struct worker {
    app *app;
    lu_catalogue *catalogue; /* opened at its first use: worker_catalogue */
    double synced;           /* when all runs were brought up to date */
    size_t read;             /* bytes since it looked whether others wait */
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

/* Told by a job that has read so many more bytes: at every megabyte, what waits for this worker is
 * done first, newest ones within older ones. A job that calls it uses no catalogue afterwards. */
void worker_has_read(worker *worker, size_t bytes);

struct workers *workers_new(app *app);
/* The worker of a kind, before its thread is started. */
worker *worker_of(struct workers *workers, worker_kind kind);
lu_status workers_start(struct workers *workers, lu_error *error);
/* Ends the threads after the jobs they are at; `done` is called for all others too. */
void workers_delete(struct workers *workers);
