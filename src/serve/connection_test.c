/* Connections without sockets: requests in, answers out, and time that the test tells. */
#include "connection.h"

#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static int pokes;

static void poke(void *user) {
    (void)user;
    pokes++;
}

/* An app over an empty folder. */
static app *open_app(const char *const *settings, const char *token) {
    lu_error error = {0};
    lu_settings *limits = lu_settings_new();
    lu_settings_add(limits, lu_serve_table);
    lu_settings_set_pair(limits, "serve.log=none", LU_FROM_FLAG, "test", NULL);
    lu_settings_set_pair(limits, "serve.confine=false", LU_FROM_FLAG, "test", NULL);
    for (; settings && *settings; settings++) {
        lu_settings_set_pair(limits, *settings, LU_FROM_FLAG, "test", NULL);
    }
    const lu_serve_options options = {
        .bind = "127.0.0.1",
        .token = token,
        .runs = lu_test_folder(),
        .site = "",
        .modules = "",
        .models = "",
        .version = "1",
        .commit = "",
        .limits = limits,
    };
    app *a = app_new(&options, &error);
    lu_settings_delete(limits);
    return a;
}

static connection *open_connection(app *a, double now) {
    return connection_open(a, access_enter(a->access_control, "10.0.0.1"), "10.0.0.1", poke, NULL,
                           now);
}

/* Gives bytes and takes all that comes out; the last wish is kept in *wish. */
static void talk(connection *l, const char *text, double now, lu_text *out, connection_wish *wish) {
    connection_hear(l, text, strlen(text));
    while ((*wish = connection_go(l, now)) == CONNECTION_SEND) {
        size_t length;
        const char *bytes = connection_bytes(l, &length);
        lu_text_add_n(out, bytes, length);
        connection_sent(l, length, now);
    }
}

static int count_of(const lu_text *text, const char *part) {
    int count = 0;
    for (const char *at = text->text; at && (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

#define HEALTH "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"

TEST(requests_follow_each_other) {
    app *a = open_app(NULL, NULL);
    connection *l = open_connection(a, 0.0);
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    talk(l, HEALTH HEALTH "GET /api/v1/games", 1.0, &out, &wish);
    CHECK(wish == CONNECTION_READ && count_of(&out, "200 OK") == 2);
    talk(l, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" HEALTH, 1.0, &out, &wish);
    CHECK(wish == CONNECTION_LINGER && count_of(&out, "200 OK") == 3);
    CHECK(connection_go(l, 2.9) == CONNECTION_LINGER && connection_go(l, 3.1) == CONNECTION_CLOSE);
    connection_close(l);
    CHECK(access_links(a->access_control) == 0);
    lu_text_free(&out);
    app_delete(a);
}

TEST(time_runs_out) {
    const char *const settings[] = {"serve.request_seconds=2", "serve.idle_seconds=9", NULL};
    app *a = open_app(settings, NULL);
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    connection *idle = open_connection(a, 0.0), *slow = open_connection(a, 0.0),
               *body = open_connection(a, 0.0);
    CHECK(connection_go(idle, 8.0) == CONNECTION_READ &&
          connection_go(idle, 9.5) == CONNECTION_CLOSE);
    talk(slow, "GET / HT", 1.0, &out, &wish);
    CHECK(wish == CONNECTION_READ && connection_wake(slow) == 2.0);
    talk(slow, "TP", 2.5, &out, &wish);
    CHECK(wish == CONNECTION_LINGER && count_of(&out, "408 Request Timeout") == 1);
    talk(body, "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
         1.0, &out, &wish);
    CHECK(wish == CONNECTION_READ);
    talk(body, "", 2.5, &out, &wish);
    CHECK(wish == CONNECTION_LINGER && count_of(&out, "408 Request Timeout") == 2);
    CHECK(connection_wake(body) == 4.5); /* whoever does not close then is closed */
    connection_close(idle);
    connection_close(slow);
    connection_close(body);
    lu_text_free(&out);
    app_delete(a);
}

TEST(a_reader_that_takes_nothing_is_dropped) {
    const char *const settings[] = {"serve.idle_seconds=5", NULL};
    app *a = open_app(settings, NULL);
    connection *l = open_connection(a, 0.0);
    connection_hear(l, HEALTH, strlen(HEALTH));
    CHECK(connection_go(l, 1.0) == CONNECTION_SEND && a->held > 0);
    CHECK(connection_go(l, 5.0) == CONNECTION_SEND && connection_go(l, 6.5) == CONNECTION_CLOSE);
    connection_close(l);
    CHECK(a->held == 0);
    app_delete(a);
}

TEST(input_is_bounded_while_an_answer_waits) {
    app *a = open_app(NULL, NULL);
    connection *l = open_connection(a, 0.0);
    size_t given = 0;
    while (connection_room(l) > 0 && given < ((size_t)1 << 24)) {
        size_t length = connection_room(l) < strlen(HEALTH) ? connection_room(l) : strlen(HEALTH);
        connection_hear(l, HEALTH, length);
        CHECK(connection_go(l, 1.0) == CONNECTION_SEND);
        given += length;
    }
    CHECK(given <= HTTP_HEAD_MOST + HTTP_BODY_MOST + strlen(HEALTH));
    connection_close(l);
    app_delete(a);
}

TEST(rates_and_connections_are_counted_by_address) {
    const char *const settings[] = {"serve.requests_per_second=1", "serve.connections=3",
                                    "serve.connections_per_address=2", NULL};
    app *a = open_app(settings, NULL);
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    connection *l = open_connection(a, 0.0);
    for (int i = 0; i < 5; i++) {
        talk(l, HEALTH, 1.0, &out, &wish);
    }
    CHECK(count_of(&out, "200 OK") == 3 && count_of(&out, "429 Too Many") == 2);
    CHECK(count_of(&out, "Retry-After: 1\r\n") == 2);
    talk(l, HEALTH, 2.1, &out, &wish);
    CHECK(count_of(&out, "200 OK") == 4);
    peer *second = access_enter(a->access_control, "10.0.0.1"),
         *other = access_enter(a->access_control, "10.0.0.2");
    CHECK(second && other && !access_enter(a->access_control, "10.0.0.1") &&
          !access_enter(a->access_control, "10.0.0.3"));
    access_leave(a->access_control, other);
    CHECK(!access_enter(a->access_control, "10.0.0.1") &&
          access_enter(a->access_control, "10.0.0.3"));
    connection_close(l);
    lu_text_free(&out);
    app_delete(a);
}

TEST(tickets_are_good_once_and_for_a_while) {
    app *a = open_app(NULL, "secret-secret-secret");
    char ticket[33], ask[200];
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    connection *l = open_connection(a, 0.0);
    for (int late = 0; late < 2; late++) {
        access_ticket(a->access_control, 10.0, ticket);
        snprintf(ask, sizeof ask, "GET /api/v1/games?ticket=%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 ticket);
        talk(l, ask, late ? 40.5 : 39.5, &out, &wish);
        talk(l, ask, late ? 40.5 : 39.5, &out, &wish);
    }
    CHECK(count_of(&out, "200 OK") == 1 && count_of(&out, "401 Unauthorized") == 3);
    /* a further one takes the place of the oldest, and none makes another */
    char newest[33];
    access_ticket(a->access_control, 50.0, ticket);
    for (int i = 0; i < 64; i++) {
        access_ticket(a->access_control, 51.0, newest);
    }
    lu_text_clear(&out);
    snprintf(ask, sizeof ask, "POST /api/v1/tickets?ticket=%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
             newest);
    talk(l, ask, 52.0, &out, &wish);
    const char *const tickets[] = {ticket, newest};
    for (int i = 0; i < 2; i++) {
        snprintf(ask, sizeof ask, "GET /api/v1/games?ticket=%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 tickets[i]);
        talk(l, ask, 52.0, &out, &wish);
    }
    CHECK(count_of(&out, "200 OK") == 1 && count_of(&out, "401 Unauthorized") == 2);
    connection_close(l);
    lu_text_free(&out);
    app_delete(a);
}

TEST(another_address_without_a_token_is_refused) {
    lu_error error = {0};
    CHECK(!app_new(&(lu_serve_options){.bind = "0.0.0.0"}, &error));
    CHECK(error.status == LU_BAD_VALUE && strstr(error.text, "token"));
    CHECK(lu_serve_is_loopback("127.0.0.1") && lu_serve_is_loopback("127.9.9.9"));
    CHECK(lu_serve_is_loopback("::1") && lu_serve_is_loopback("localhost"));
    CHECK(!lu_serve_is_loopback("0.0.0.0") && !lu_serve_is_loopback("::") &&
          !lu_serve_is_loopback("128.0.0.1") && !lu_serve_is_loopback("127.0.0.1.x"));
}

/* ---- workers ---- */

static void woken(void *waker) {
    atomic_fetch_add((atomic_int *)waker, 1);
}

TEST(threads_answer_and_outlive_their_connections) {
    enum { CONNECTIONS = 30 };
    static const char ask[] = "GET /api/v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\n"
                              "GET /api/v1/runs/x/replays/best/frames HTTP/1.1\r\n"
                              "Host: localhost\r\n\r\n";
    lu_error error = {0};
    atomic_int wakes = 0;
    connection *connections[CONNECTIONS];
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    app *a = open_app(NULL, NULL);
    NEED(app_start(a, woken, &wakes, &error) == LU_OK);
    for (int i = 0; i < CONNECTIONS; i++) {
        connections[i] = open_connection(a, 1.0);
        talk(connections[i], ask, 1.0, &out, &wish);
        CHECK(wish == CONNECTION_WAIT);
    }
    for (int i = 0; i < CONNECTIONS; i += 3) {
        connection_close(connections[i]); /* while a worker has its request */
        connections[i] = NULL;
    }
    for (int tries = 0; tries < 20000 && count_of(&out, "HTTP/1.1 404") < 20; tries++) {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        app_collect(a);
        for (int i = 0; i < CONNECTIONS; i++) {
            if (connections[i]) {
                talk(connections[i], "", 1.0, &out, &wish);
            }
        }
    }
    CHECK(count_of(&out, "HTTP/1.1 200") == 20 && count_of(&out, "HTTP/1.1 404") == 20);
    CHECK(atomic_load(&wakes) >= 40);
    for (int i = 0; i < CONNECTIONS; i++) {
        if (connections[i]) {
            talk(connections[i], ask, 1.0, &out, &wish); /* jobs that are never collected */
            connection_close(connections[i]);
        }
    }
    lu_text_free(&out);
    app_delete(a);
}

/* Its worker is done and the service thread knows; the other side resets before the answer is taken
 * up. What the answer holds goes with the connection: the leak checker sees the rest. */
TEST(an_answer_of_threads_that_nobody_takes_up_is_let_go) {
    enum { CONNECTIONS = 20 };
    static const char *const asks[] = {
        "GET /api/v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/runs/x/replays/best/frames HTTP/1.1\r\nHost: localhost\r\n\r\n"};
    lu_error error = {0};
    atomic_int wakes = 0;
    connection *connections[CONNECTIONS];
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    app *a = open_app(NULL, NULL);
    NEED(app_start(a, woken, &wakes, &error) == LU_OK);
    pokes = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        connections[i] = open_connection(a, 1.0);
        talk(connections[i], asks[i % 2], 1.0, &out, &wish);
        CHECK(wish == CONNECTION_WAIT);
    }
    for (int tries = 0; tries < 20000 && pokes < CONNECTIONS; tries++) {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        app_collect(a);
    }
    CHECK_INT(pokes, CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++) {
        connection_close(connections[i]);
    }
    CHECK(access_links(a->access_control) == 0);
    lu_text_free(&out);
    app_delete(a);
}

/* ---- large bodies ---- */

/* What comes for the head of a POST with a body of this length. */
static connection_wish announce(app *a, const char *path, size_t length, lu_text *out) {
    char head[300];
    connection_wish wish;
    connection *l = open_connection(a, 0.0);
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n",
             path, length);
    lu_text_clear(out);
    talk(l, head, 1.0, out, &wish);
    if (wish == CONNECTION_READ) {
        CHECK(connection_room(l) >= length && a->taken == length);
    }
    connection_close(l);
    CHECK(a->taken == 0);
    return wish;
}

TEST(large_bodies_are_for_tools_alone) {
    static const char *const limits[] = {"serve.job_bytes=1Mi", NULL};
    static const char tool[] = "/api/v1/games/cartpole/tools/verify";
    app *a = open_app(limits, NULL), *locked = open_app(limits, "a token of some length");
    lu_text out = LU_TEXT_INIT;
    CHECK(announce(a, tool, 1 << 20, &out) == CONNECTION_READ && out.length == 0);
    CHECK(announce(a, tool, (1 << 20) + 1, &out) == CONNECTION_LINGER);
    CHECK_HAS(out.text, "413 Content Too Large");
    CHECK(announce(a, "/api/v1/sessions", HTTP_BODY_MOST + 1, &out) == CONNECTION_LINGER);
    CHECK_HAS(out.text, "413 Content Too Large");
    CHECK(announce(locked, tool, 1 << 20, &out) == CONNECTION_LINGER);
    CHECK_HAS(out.text, "401 Unauthorized");
    a->taken = (size_t)128 << 20; /* others send as much */
    connection *l = open_connection(a, 0.0);
    connection_wish wish;
    lu_text_clear(&out);
    talk(l,
         "POST /api/v1/games/cartpole/tools/verify HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Length: 70000\r\n\r\n",
         1.0, &out, &wish);
    CHECK_HAS(out.text, "503 Service Unavailable");
    connection_close(l);
    lu_text_free(&out);
    app_delete(locked);
    app_delete(a);
}

TEST(tools_need_workers) {
    app *a = open_app(NULL, NULL);
    connection *l = open_connection(a, 0.0);
    lu_text out = LU_TEXT_INIT;
    connection_wish wish;
    talk(l,
         "POST /api/v1/games/cartpole/tools/verify HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Length: 0\r\n\r\n",
         1.0, &out, &wish);
    CHECK_HAS(out.text, "urn:ludus:problem:no-workers");
    connection_close(l);
    lu_text_free(&out);
    app_delete(a);
}

/* ---- routes ---- */

TEST(every_route_can_be_told) {
    for (int i = 0; i < route_count(); i++) {
        const route *r = route_at(i);
        CHECK(r->handle && *r->name && *r->sentence && r->path[0] == '/');
        int names = 0;
        for (const char *at = r->path; (at = strchr(at, '{')) != NULL; at++, names++) {
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
            CHECK(path_param(name) != NULL);
        }
        CHECK(names <= 4);
        for (const param *p = r->params; p && p->name; p++) {
            CHECK(*p->sentence && (!p->initial || param_fits(p, p->initial)));
        }
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(route_at(k)->name, r->name) != 0);
        }
    }
    lu_json json = LU_JSON_INIT;
    lu_error error = {0};
    openapi_write(&json, "1");
    lu_json_document *document = lu_json_read("openapi", json.text, json.length, &error);
    CHECK(document != NULL);
    lu_json_close(document);
    lu_json_free(&json);
}

TEST(parameters_fit_their_kinds) {
    static const struct {
        param_kind kind;
        const char *text;
        bool fits;
    } cases[] = {
        {PARAM_RUN, "20260101T000000Z-abc-cartpole", true},
        {PARAM_RUN, "", false},
        {PARAM_RUN, "exp.1", true},
        {PARAM_RUN, ".", false},
        {PARAM_RUN, "..", false},
        {PARAM_MODEL, ".hidden", false},
        {PARAM_RUN, "a/b", false},
        {PARAM_RUN, "a b", false},
        {PARAM_RUN, "a\n", false},
        {PARAM_REPLAY, "replay-000007-1a2b3c4d", true},
        {PARAM_REPLAY, "replay-000007-1A2b3c4d", false},
        {PARAM_REPLAY, "replay-00007-1a2b3c4d", false},
        {PARAM_REPLAY, "replay-000007-1a2b3c4de", false},
        {PARAM_REPLAY, "best", true},
        {PARAM_REPLAY, "replay-", false},
        {PARAM_WINDOW, "12", true},
        {PARAM_WINDOW, "-1", false},
        {PARAM_WINDOW, "1.0", false},
        {PARAM_WINDOW, "9999999999999999", false},
        {PARAM_SESSION, "0123456789abcdef0123456789abcdef", true},
        {PARAM_SESSION, "0123456789abcdef0123456789abcdeg", false},
        {PARAM_TAG, "milestone:steps:100", true},
        {PARAM_BOOL, "true", true},
        {PARAM_BOOL, "1", false},
        {PARAM_INT, "10", true},
        {PARAM_INT, "11", false},
        {PARAM_INT, "1e1", false},
        {PARAM_INT, "", false},
        {PARAM_INT, "-", false},
        {PARAM_REAL, "2.5", true},
        {PARAM_REAL, "2.", false},
        {PARAM_REAL, "nan", false},
        {PARAM_REAL, "0x2", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const param p = {.name = "x", .kind = cases[i].kind, .low = 0, .high = 10};
        if (param_fits(&p, cases[i].text) != cases[i].fits) {
            lu_test_fail(__FILE__, __LINE__, "%d '%s'", (int)cases[i].kind, cases[i].text);
        }
    }
}

TEST(cursors_come_back) {
    lu_json json = LU_JSON_INIT;
    char *room;
    const char *texts[3];
    lu_json_object(&json);
    cursor_write(&json, (const char *[]){"a", "", "\xc3\xa4 b"}, 3);
    lu_json_object_end(&json);
    CHECK(strcmp(json.text, "{\"next\":\"610a0ac3a42062\"}") == 0);
    NEED(cursor_read("610a0ac3a42062", &room, texts, 3));
    CHECK(strcmp(texts[0], "a") == 0 && !*texts[1] && strcmp(texts[2], "\xc3\xa4 b") == 0);
    free(room);
    CHECK(!cursor_read("61", &room, texts, 3) && !cursor_read("610a0a0a", &room, texts, 3));
    lu_json_free(&json);
}
