/* How the server is: health, figures for Prometheus, the OpenAPI document, tickets. */
#include "app.h"
#include "tool_jobs.h"

#include "ludus/clock.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

enum { BUCKETS = 10, STATUSES = 600, TOPICS = 4 };

static const double bounds[BUCKETS] = {0.0005, 0.001, 0.0025, 0.005, 0.01,
                                       0.025,  0.1,   0.25,   1.0,   2.5};
static const char *const topics[TOPICS] = {"events", "frames", "play", "jobs"};

typedef struct figures {
    uint64_t status[STATUSES]; /* answers by status */
    uint64_t bucket[BUCKETS];  /* answers within a bound and not within the one before */
    uint64_t count;
    double seconds;
} figures;

struct metrics {
    figures route[ROUTES_MOST]; /* the last one: files, and what is no route */
    uint64_t in, out;
    int streams[TOPICS];
};

metrics *metrics_new(void) {
    LU_ASSERT(route_count() < ROUTES_MOST);
    return lu_alloc_zero(1, sizeof(metrics));
}

void metrics_delete(metrics *m) {
    free(m);
}

void metrics_request(metrics *m, const route *of, int status, double seconds) {
    figures *f = &m->route[of ? route_index(of) : ROUTES_MOST - 1];
    f->status[status < STATUSES ? status : 500]++;
    f->count++;
    f->seconds += seconds;
    for (int b = 0; b < BUCKETS; b++) {
        if (seconds <= bounds[b]) {
            f->bucket[b]++;
            break;
        }
    }
}

void metrics_bytes(metrics *m, size_t in, size_t out) {
    m->in += in;
    m->out += out;
}

void metrics_stream(metrics *m, const char *topic, int change) {
    for (int t = 0; t < TOPICS; t++) {
        m->streams[t] += strcmp(topics[t], topic) == 0 ? change : 0;
    }
}

static const char *name_of(int index) {
    return index < route_count() ? route_at(index)->name : "site";
}

static void write_counts(const metrics *m, lu_text *out) {
    lu_text_add(out, "# HELP ludus_requests_total Answers by route and status.\n"
                     "# TYPE ludus_requests_total counter\n");
    for (int i = 0; i < ROUTES_MOST; i++) {
        for (int s = 0; s < STATUSES; s++) {
            if (m->route[i].status[s]) {
                lu_text_addf(out, "ludus_requests_total{route=\"%s\",status=\"%d\"} %llu\n",
                             name_of(i), s, (unsigned long long)m->route[i].status[s]);
            }
        }
    }
}

static void write_times(const metrics *m, lu_text *out) {
    lu_text_add(out, "# HELP ludus_request_seconds Time from a whole request to its answer.\n"
                     "# TYPE ludus_request_seconds histogram\n");
    for (int i = 0; i < ROUTES_MOST; i++) {
        const figures *f = &m->route[i];
        uint64_t sum = 0;
        for (int b = 0; f->count && b < BUCKETS; b++) {
            sum += f->bucket[b];
            lu_text_addf(out, "ludus_request_seconds_bucket{route=\"%s\",le=\"%g\"} %llu\n",
                         name_of(i), bounds[b], (unsigned long long)sum);
        }
        if (f->count) {
            lu_text_addf(out,
                         "ludus_request_seconds_bucket{route=\"%s\",le=\"+Inf\"} %llu\n"
                         "ludus_request_seconds_sum{route=\"%s\"} %.9g\n"
                         "ludus_request_seconds_count{route=\"%s\"} %llu\n",
                         name_of(i), (unsigned long long)f->count, name_of(i), f->seconds,
                         name_of(i), (unsigned long long)f->count);
        }
    }
}

static void write_gauge(lu_text *out, const char *name, const char *help, double value) {
    lu_text_addf(out, "# HELP %s %s\n# TYPE %s gauge\n%s %.15g\n", name, help, name, name, value);
}

static void write_counter(lu_text *out, const char *name, const char *help, uint64_t value) {
    lu_text_addf(out, "# HELP %s %s\n# TYPE %s counter\n%s %llu\n", name, help, name, name,
                 (unsigned long long)value);
}

void on_metrics_get(worker *w, const http_request *r, http_answer *answer) {
    const app *a = w->app;
    const metrics *m = a->metrics;
    lu_text *out = &answer->body;
    (void)r;
    answer->type = "text/plain; version=0.0.4";
    write_counts(m, out);
    write_times(m, out);
    write_gauge(out, "ludus_connections", "Open connections.", access_links(a->access_control));
    write_gauge(out, "ludus_sessions", "Play sessions.", sessions_count(a->sessions));
    write_gauge(out, "ludus_jobs", "Waiting or running jobs.", tool_jobs_count(a->jobs));
    lu_text_add(out, "# HELP ludus_streams Open streams.\n# TYPE ludus_streams gauge\n");
    for (int t = 0; t < TOPICS; t++) {
        lu_text_addf(out, "ludus_streams{topic=\"%s\"} %d\n", topics[t], m->streams[t]);
    }
    write_gauge(out, "ludus_held_bytes", "Bytes of answers waiting for their readers.",
                (double)a->held);
    write_counter(out, "ludus_received_bytes_total", "Bytes received.", m->in);
    write_counter(out, "ludus_sent_bytes_total", "Bytes sent.", m->out);
    write_gauge(out, "ludus_uptime_seconds", "Time since the start.", a->now - a->began);
}

/* ---- small answers ---- */

void on_health_get(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    (void)r;
    lu_json_object(&json);
    lu_json_key_string(&json, "status", "ok");
    lu_json_key_string(&json, "version", w->app->options.version);
    if (*w->app->options.commit) {
        lu_json_key_string(&json, "commit", w->app->options.commit);
    }
    lu_json_key_real(&json, "uptime_seconds", w->app->now - w->app->began);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
}

void on_openapi_get(worker *w, const http_request *r, http_answer *answer) {
    lu_json json = LU_JSON_INIT;
    (void)r;
    openapi_write(&json, w->app->options.version);
    answer_json(answer, 200, &json);
}

void on_ticket_post(worker *w, const http_request *r, http_answer *answer) {
    char text[33];
    lu_json json = LU_JSON_INIT;
    (void)r;
    access_ticket(w->app->access_control, w->app->now, text);
    lu_json_object(&json);
    lu_json_key_string(&json, "ticket", text);
    lu_json_key_int(&json, "expires_seconds", 30);
    lu_json_object_end(&json);
    answer_json(answer, 201, &json);
}
