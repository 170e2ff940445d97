/* Worker threads: each with a queue of jobs, for what may wait for a disk or play an episode. Jobs
 * that are done come back to the service thread, which is woken. */
#include "workers.h"

#include "connection.h"

#include <stddef.h>
#include <stdlib.h>

enum { WAITING_MOST = 256, STRETCH = 1 << 20, WITHIN_MOST = 8 };

typedef struct queue {
    job *first, *last;
    int count;
} queue;

typedef struct worker_thread {
    struct workers *workers;
    pthread_t thread;
    bool started;
    int within; /* jobs that wait for the end of one that came later */
    queue todo;
    worker worker;
} worker_thread;

struct workers {
    app *app;
    pthread_mutex_t lock;
    pthread_cond_t more;
    bool ending;
    queue done;
    worker_thread at[WORKER_COUNT];
};

static void put(queue *q, job *j) {
    j->next = NULL;
    *(q->last ? &q->last->next : &q->first) = j;
    q->last = j;
    q->count++;
}

static job *take(queue *q) {
    job *j = q->first;
    if (j) {
        q->first = j->next;
        q->last = q->first ? q->last : NULL;
        q->count--;
    }
    return j;
}

/* The next job of a worker; false: none, or no more. Called with the lock, which it lets go of
 * meanwhile. */
static bool do_next(worker_thread *own) {
    struct workers *l = own->workers;
    job *j = l->ending ? NULL : take(&own->todo);
    if (j) {
        pthread_mutex_unlock(&l->lock);
        j->work(j, &own->worker);
        pthread_mutex_lock(&l->lock);
        put(&l->done, j);
        l->app->wake(l->app->waker);
    }
    return j != NULL;
}

static void *run(void *data) {
    worker_thread *own = data;
    struct workers *l = own->workers;
    pthread_mutex_lock(&l->lock);
    while (!l->ending) {
        if (!do_next(own) && !l->ending) {
            pthread_cond_wait(&l->more, &l->lock);
        }
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

void worker_has_read(worker *w, size_t bytes) {
    worker_thread *own = (worker_thread *)((char *)w - offsetof(worker_thread, worker));
    w->read += bytes;
    if (w->read < STRETCH || own->within == WITHIN_MOST) {
        return;
    }
    w->read = 0;
    own->within++;
    pthread_mutex_lock(&own->workers->lock);
    for (int waiting = own->todo.count; waiting > 0 && do_next(own); waiting--) {
    }
    pthread_mutex_unlock(&own->workers->lock);
    own->within--;
}

struct workers *workers_new(app *a) {
    struct workers *l = lu_alloc_zero(1, sizeof *l);
    l->app = a;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    for (int i = 0; i < WORKER_COUNT; i++) {
        l->at[i].workers = l;
        l->at[i].worker = (worker){.app = a, .synced = -1e9};
    }
    return l;
}

worker *worker_of(struct workers *l, worker_kind kind) {
    return &l->at[kind].worker;
}

lu_status workers_start(struct workers *l, lu_error *error) {
    for (int i = WORKER_NONE + 1; i < WORKER_COUNT; i++) {
        if (pthread_create(&l->at[i].thread, NULL, run, &l->at[i]) != 0) {
            return lu_fail(
                error, LU_FAILED,
                "no thread can be started: raise the limits on processes (ulimit -u) and memory "
                "(ulimit -v)");
        }
        l->at[i].started = true;
    }
    return LU_OK;
}

void workers_delete(struct workers *l) {
    if (!l) {
        return;
    }
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_broadcast(&l->more);
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < WORKER_COUNT; i++) {
        if (l->at[i].started) {
            pthread_join(l->at[i].thread, NULL);
        }
        lu_catalogue_close(l->at[i].worker.catalogue);
        for (job *j; (j = take(&l->at[i].todo)) != NULL;) {
            j->done(j);
        }
    }
    for (job *j; (j = take(&l->done)) != NULL;) {
        j->done(j);
    }
    pthread_cond_destroy(&l->more);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

bool app_post(app *a, worker_kind where, job *j) {
    struct workers *l = a->workers;
    worker_thread *own = &l->at[where];
    if (!own->started) { /* without threads (tests, fuzzing) it is done here and now */
        j->work(j, &own->worker);
        j->done(j);
        return true;
    }
    pthread_mutex_lock(&l->lock);
    bool room = own->todo.count < WAITING_MOST;
    if (room) {
        put(&own->todo, j);
        pthread_cond_broadcast(&l->more);
    }
    pthread_mutex_unlock(&l->lock);
    return room;
}

void app_collect(app *a) {
    connections_poke(a);
    pthread_mutex_lock(&a->workers->lock);
    queue done = a->workers->done;
    a->workers->done = (queue){0};
    pthread_mutex_unlock(&a->workers->lock);
    for (job *j; (j = take(&done)) != NULL;) {
        j->done(j);
    }
}
