/* A run as server-sent events: rows of windows and evaluations as they are written, and the status
 * when it changes. A worker looks every second; ids such as w7.e3 say which rows were sent last, so
 * that a client that comes back misses none. A run that was resumed gives its windows again. */
#include "app.h"

#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE = 100, PIECE_MOST = 256 << 10 };
static const double LOOK_SECONDS = 1.0, ALIVE_SECONDS = 15.0;

typedef struct events {
    stream base;
    char *run_id;
    int64_t window, judged; /* sent last; -1: none */
    uint64_t last;          /* hash of the row of `window`; 0: not known */
    char status[32];        /* sent last */
    int64_t resumes;
    bool begun, more, gone;
    double look, spoke; /* when to look again; when something was sent */
    lu_text ready;      /* made by the worker, to be sent */
    lu_json json;
} events;

static void events_free(stream *base) {
    events *e = (events *)base;
    lu_text_free(&e->ready);
    lu_json_free(&e->json);
    free(e->run_id);
    free(e);
}

/* ---- what the worker does ---- */

static void add_event(events *e, const char *name, const char *data) {
    lu_text_addf(&e->ready, "event: %s\nid: w%lld.e%lld\ndata: ", name, (long long)e->window,
                 (long long)e->judged);
    lu_text_add(&e->ready, data); /* rows are single lines */
    lu_text_add(&e->ready, "\n\n");
}

/* After a resume the newest window may be older than what was sent, or the last one sent another.
 */
static void see_resume(events *e, lu_catalogue *c, const lu_run_entry *run) {
    lu_window_list list = {0};
    if (e->window >= 0 && e->last &&
        lu_catalogue_windows(c, e->run_id, e->window, 1, &list, NULL) == LU_OK) {
        bool same = list.count == 1 && lu_hash_text(list.entry[0].row, 1) == e->last;
        if (!same) {
            e->window = e->judged = -1; /* all of them again: rows replace those of their number */
            e->last = 0;
        }
    } else if (e->resumes != run->resumes && e->resumes >= 0) {
        e->window = e->judged = -1;
    }
    e->resumes = run->resumes;
    lu_window_list_free(&list);
}

static void add_windows(events *e, lu_catalogue *c) {
    lu_window_list list = {0};
    (void)lu_catalogue_windows(c, e->run_id, e->window + 1, ROWS_AT_ONCE, &list, NULL);
    for (size_t i = 0; i < list.count && e->ready.length < PIECE_MOST; i++) {
        e->window = list.entry[i].window_id;
        e->last = lu_hash_text(list.entry[i].row, 1);
        add_event(e, "window", list.entry[i].row);
        e->more = i + 1 == ROWS_AT_ONCE || e->ready.length >= PIECE_MOST;
    }
    lu_window_list_free(&list);
}

/* A row of an evaluation without its report. */
static void write_row(events *e, const char *row) {
    lu_json_document *document = lu_json_read("row", row, strlen(row), NULL);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    lu_json_clear(&e->json);
    lu_json_object(&e->json);
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        if (strcmp(key, "report") != 0) {
            lu_json_key_value(&e->json, key, value);
        }
    }
    lu_json_object_end(&e->json);
    lu_json_close(document);
}

static void add_evaluations(events *e, lu_catalogue *c) {
    lu_evaluation_list list = {0};
    (void)lu_catalogue_evaluations(c, e->run_id, e->judged + 1, ROWS_AT_ONCE, &list, NULL);
    for (size_t i = 0; i < list.count && e->ready.length < 2 * PIECE_MOST; i++) {
        e->judged = list.entry[i].window_id;
        write_row(e, list.entry[i].row);
        add_event(e, "evaluation", e->json.text);
        e->more = e->more || i + 1 == ROWS_AT_ONCE || e->ready.length >= 2 * PIECE_MOST;
    }
    lu_evaluation_list_free(&list);
}

static void add_status(events *e, const lu_run_entry *run) {
    if (strncmp(e->status, run->status, sizeof e->status - 1) == 0) {
        return;
    }
    snprintf(e->status, sizeof e->status, "%s", run->status);
    lu_json_clear(&e->json);
    lu_json_object(&e->json);
    lu_run_entry_write(run, &e->json);
    lu_json_object_end(&e->json);
    add_event(e, "status", e->json.text);
}

static void events_work(stream *base, worker *w) {
    events *e = (events *)base;
    lu_run_list list = {0};
    lu_catalogue *c = w->catalogue;
    e->more = false;
    lu_status status = lu_catalogue_sync(c, e->run_id, NULL);
    LU_THEN(status, lu_catalogue_runs(c, &(lu_run_filter){.run_id = e->run_id, .archived = -1},
                                      &list, NULL));
    if (status == LU_OK && list.count == 0) {
        e->gone = true;
    } else if (status == LU_OK) {
        see_resume(e, c, &list.entry[0]);
        add_windows(e, c);
        add_evaluations(e, c);
        add_status(e, &list.entry[0]);
    }
    lu_run_list_free(&list);
}

/* ---- what the service thread does ---- */

static stream_step events_next(stream *base, double now, lu_text *out, double *wake) {
    events *e = (events *)base;
    if (!e->begun) {
        e->begun = true;
        e->spoke = now;
        lu_text_add(out, "retry: 2000\n\n");
        return STREAM_MORE;
    }
    if (e->ready.length > 0) {
        lu_text_add_n(out, e->ready.text, e->ready.length);
        lu_text_clear(&e->ready);
        e->spoke = now;
        e->look = e->more ? now : now + LOOK_SECONDS;
        return STREAM_MORE;
    }
    if (e->gone) {
        return STREAM_END;
    }
    if (now - e->spoke >= ALIVE_SECONDS) {
        lu_text_add(out, ": alive\n\n");
        e->spoke = now;
        return STREAM_MORE;
    }
    if (now >= e->look) {
        e->look = now + LOOK_SECONDS;
        return STREAM_WORK;
    }
    *wake = e->look;
    return STREAM_WAIT;
}

/* w7.e3, with -1 where nothing was sent; anything else begins anew. */
static void read_id(events *e, const char *text) {
    long long window, judged;
    char end;
    if (text && strlen(text) < 40 && sscanf(text, "w%lld.e%lld%c", &window, &judged, &end) == 2 &&
        window >= -1 && judged >= -1 && window < (1LL << 50) && judged < (1LL << 50)) {
        e->window = window;
        e->judged = judged;
    }
}

void on_events_get(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    if (!worker_run(w, r, answer, &run)) {
        return;
    }
    events *e = lu_alloc_zero(1, sizeof *e);
    lu_text_init(&e->ready);
    lu_json_init(&e->json);
    e->run_id = lu_strdup(run.run_id);
    e->window = e->judged = e->resumes = -1;
    read_id(e, r->field[FIELD_LAST_EVENT_ID]);
    e->base = (stream){events_next, events_work, NULL, events_free, "events"};
    answer->type = "text/event-stream";
    answer->stream = &e->base;
    lu_run_entry_free(&run);
}
