/* Sessions of play over HTTP and WebSockets: made, shown, stepped, reset and ended; who asks while
 * a worker plays waits. */
#include "session.h"

#include "ludus/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- handlers ---- */

static session **find(app *a, const char *id) {
    session **at = &a->sessions->first;
    while (*at && ((*at)->gone || strcmp((*at)->id, id) != 0)) {
        at = &(*at)->next;
    }
    if (*at) {
        (*at)->used = a->now;
    }
    return at;
}

static void answer_missing(const http_request *r, http_answer *answer) {
    answer_problem(answer, r, 404, "not-found", NULL,
                   "there is no such session: it may have expired");
}

/* The session that the path names; NULL when the answer is filled. */
static session *named(worker *w, const http_request *r, http_answer *answer) {
    session *s = *find(w->app, r->given[0]);
    if (!s) {
        answer_missing(r, answer);
    }
    return s;
}

static void answer_wrong(const http_request *r, const wrong *why, http_answer *answer) {
    if (why->status == 503) {
        answer_field(answer, "Retry-After", "1");
    }
    answer_problem(answer, r, why->status, why->name, why->pointer, "%s", why->text);
}

/* Somebody who waits for the end of a turn. */
typedef struct waiting {
    later base;
    app *app;
    char id[33];
    int status; /* of a good answer; 201: the session is new, and nobody else knows it */
    bool acted; /* the turn is its own, and what went wrong in it */
    bool told;
} waiting;

static bool waiting_ready(later *base, const http_request *r, double now, http_answer *answer,
                          double *wake) {
    waiting *own = (waiting *)base;
    own->app->now = now;
    session *s = *find(own->app, own->id);
    *wake = INFINITY;
    if (s && s->busy) {
        return false;
    }
    if (!s) {
        answer_missing(r, answer);
    } else if (own->acted && s->why.status) {
        answer_wrong(r, &s->why, answer);
    } else {
        own->told = true;
        if (own->status == 201) {
            answer_field(answer, "Location", "/api/v1/sessions/%s", s->id);
        }
        session_answer(own->app, s, own->status, answer);
    }
    return true;
}

/* A new session that nobody was told of ends. */
static void waiting_free(later *base) {
    waiting *own = (waiting *)base;
    session **at = find(own->app, own->id);
    if (*at && own->status == 201 && !own->told) {
        session_end(own->app->sessions, at);
    }
    free(own);
}

/* Answers with the session when its turn is over, which may be now. */
static void answer_turn(app *a, const http_request *r, const session *s, int status, bool acted,
                        http_answer *answer) {
    double wake;
    waiting *own = lu_alloc_zero(1, sizeof *own);
    own->base = (later){.ready = waiting_ready, .free = waiting_free};
    own->app = a;
    own->status = status;
    own->acted = acted;
    snprintf(own->id, sizeof own->id, "%s", s->id);
    if (waiting_ready(&own->base, r, a->now, answer, &wake)) {
        waiting_free(&own->base);
    } else {
        answer->later = &own->base;
    }
}

/* Lists a new session and begins it. */
static bool add(app *a, session *s, const turn *t, wrong *why) {
    sessions *all = a->sessions;
    s->peer = a->peer;
    s->peer->sessions++;
    s->used = a->now;
    s->next = all->first;
    all->first = s;
    all->count++;
    if (!session_turn(a, s, t, why)) {
        session_end(all, &all->first);
        return false;
    }
    return true;
}

void on_session_post(worker *w, const http_request *r, http_answer *answer) {
    static const char *const members[] = {"game", "seed", "settings", "options", "seats", NULL};
    wrong why = {0};
    turn t = {0};
    sessions *all = w->app->sessions;
    lu_json_document *document = body_json(r, answer);
    if (!document) {
        return;
    }
    if (body_only(r, answer, lu_json_root(document), members)) {
        if (all->count >= all->most || w->app->peer->sessions >= all->most_own) {
            bool own = all->count < all->most;
            answer_field(answer, "Retry-After", "60");
            answer_problem(answer, r, own ? 429 : 503, "sessions", NULL,
                           own ? "you have too many sessions: end one, or wait until one expires"
                               : "there are too many sessions: try again later");
        } else {
            session *s = session_make(lu_json_root(document), &t, &why);
            if (s && add(w->app, s, &t, &why)) {
                answer_turn(w->app, r, s, 201, true, answer);
            } else {
                answer_wrong(r, &why, answer);
            }
        }
    }
    lu_json_close(document);
}

void on_session_get(worker *w, const http_request *r, http_answer *answer) {
    session *s = named(w, r, answer);
    if (s) {
        answer_turn(w->app, r, s, 200, false, answer);
    }
}

void on_session_delete(worker *w, const http_request *r, http_answer *answer) {
    if (named(w, r, answer)) {
        session_end(w->app->sessions, find(w->app, r->given[0]));
        answer->status = 204;
    }
}

typedef bool wish_reader(session *, const lu_json_value *, turn *, wrong *);

static bool change(app *a, session *s, const lu_json_value *root, wish_reader *read, wrong *why) {
    turn t = {0};
    if (s->busy) {
        return session_wrong(why, 409, "busy", NULL,
                             "the session is still playing: wait for its answer");
    }
    return read(s, root, &t, why) && session_turn(a, s, &t, why);
}

/* Reads a body and does with the session what it says. */
static void on_change(worker *w, const http_request *r, http_answer *answer,
                      const char *const *members, wish_reader *read) {
    wrong why = {0};
    session *s = named(w, r, answer);
    lu_json_document *document = s ? body_json(r, answer) : NULL;
    if (document && body_only(r, answer, lu_json_root(document), members)) {
        if (change(w->app, s, lu_json_root(document), read, &why)) {
            answer_turn(w->app, r, s, 200, true, answer);
        } else {
            answer_wrong(r, &why, answer);
        }
    }
    lu_json_close(document);
}

static const char *const reset_members[] = {"seed", NULL};
static const char *const step_members[] = {"actions", "action", "force", NULL};

void on_session_reset(worker *w, const http_request *r, http_answer *answer) {
    on_change(w, r, answer, reset_members, session_reset);
}

void on_session_step(worker *w, const http_request *r, http_answer *answer) {
    on_change(w, r, answer, step_members, session_step);
}

void on_session_plain(worker *w, const http_request *r, http_answer *answer) {
    if (named(w, r, answer)) {
        answer_field(answer, "Upgrade", "websocket");
        answer_problem(answer, r, 426, "upgrade", NULL, "this address is a WebSocket");
    }
}

/* ---- over a WebSocket ---- */

#define BUSY_SECONDS 0.005 /* looks again whether a worker is done */

typedef struct play {
    stream base;
    app *app;
    char id[33];
    int waiting; /* sessions to be told */
    bool acted;  /* after a turn that was asked for here */
    wrong why;
    lu_json json;
} play;

static void play_free(stream *base) {
    play *p = (play *)base;
    lu_json_free(&p->json);
    free(p);
}

static void write_problem(play *p) {
    lu_json_object(&p->json);
    lu_json_key_object(&p->json, "problem");
    lu_json_key_int(&p->json, "status", p->why.status);
    lu_json_key_string(&p->json, "detail", p->why.text);
    if (p->why.pointer) {
        lu_json_key_string(&p->json, "pointer", p->why.pointer);
    }
    lu_json_object_end(&p->json);
    lu_json_object_end(&p->json);
    p->why.status = 0;
}

static stream_step play_next(stream *base, double now, lu_text *out, double *wake) {
    play *p = (play *)base;
    p->app->now = now;
    session *s = !p->why.status && p->waiting > 0 ? *find(p->app, p->id) : NULL;
    if (s && s->busy) {
        *wake = now + BUSY_SECONDS;
        return STREAM_BUSY;
    }
    if (s && p->acted && s->why.status) {
        p->why = s->why;
        p->waiting = 0;
    }
    p->acted = false;
    if (p->why.status) {
        write_problem(p);
    } else if (p->waiting > 0) {
        p->waiting = 0;
        if (!s) {
            return STREAM_END;
        }
        session_write(p->app->sessions, s, &p->json);
    } else {
        *wake = INFINITY;
        return STREAM_WAIT;
    }
    lu_text_add_n(out, p->json.text, p->json.length);
    lu_json_clear(&p->json);
    return STREAM_MORE;
}

/* {"reset":{...}} or {"step":{...}}. */
static bool act(play *p, session *s, const lu_json_value *root) {
    const char *key;
    const lu_json_value *wish = lu_json_member(root, 0, &key);
    if (lu_json_count(root) != 1 || lu_json_kind_of(wish) != LU_JSON_OBJECT ||
        (strcmp(key, "reset") != 0 && strcmp(key, "step") != 0)) {
        return session_wrong(&p->why, 422, "bad-value", "",
                             "a message is {\"reset\":{}} or {\"step\":{}}");
    }
    p->acted = change(p->app, s, wish, *key == 'r' ? session_reset : session_step, &p->why);
    return p->acted;
}

static bool play_hear(stream *base, const char *text, size_t length) {
    play *p = (play *)base;
    lu_error error = {0};
    p->app->now = lu_clock_seconds();
    session *s = *find(p->app, p->id);
    if (!s) {
        return false;
    }
    lu_json_document *document =
        json_is_flat(text, length) ? lu_json_read("message", text, length, &error) : NULL;
    if (!document) {
        session_wrong(&p->why, 400, "bad-json", NULL,
                      error.status != LU_OK ? error.text : "the message is nested too deeply");
    } else if (act(p, s, lu_json_root(document))) {
        p->waiting++;
    }
    lu_json_close(document);
    return true;
}

void on_session_socket(worker *w, const http_request *r, http_answer *answer) {
    session *s = named(w, r, answer);
    if (!s) {
        return;
    }
    play *p = lu_alloc_zero(1, sizeof *p);
    p->app = w->app;
    p->waiting = 1;
    snprintf(p->id, sizeof p->id, "%s", s->id);
    lu_json_init(&p->json);
    p->base = (stream){play_next, NULL, play_hear, play_free, "play"};
    answer->stream = &p->base;
    answer->socket = true;
}
