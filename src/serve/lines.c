/* Lines: see lines.h. */
#include "lines.h"

#include "ludus/listen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE     ((size_t)64 << 10)  /* bytes that are taken at once */
#define UNREAD    ((size_t)1 << 20)   /* bytes of answers nobody reads, before no more is heard */
#define HELD_MOST ((size_t)256 << 20) /* bytes of begun lines, over all peers */

struct line_peer {
    line_host *host;
    line_link link;
    lu_text in, out;
    size_t begun;  /* first byte of `in` that was not heard yet */
    size_t looked; /* there is no line end before this byte */
    size_t sent;   /* bytes of `out` */
    int owed;      /* answers */
    double since;  /* when the line that is not whole began, or the last byte was taken */
    bool half;     /* there is such a line */
    bool known;    /* it gave the token, where one is asked for */
    bool asked;    /* a line of it was heard */
    bool ended;    /* the other side sends no more */
    bool closing;  /* nothing more is heard; it ends with what is owed */
    bool stuck;    /* nobody takes its answers: it ends as it is */
    bool listed;   /* is in the host's list of touched peers */
    line_peer *next_touched;
    max_align_t own[];
};

bool line_wrong_set(line_wrong *wrong, const char *code, const char *field, const char *format,
                    ...) {
    va_list list;
    va_start(list, format);
    wrong->code = code;
    snprintf(wrong->field, sizeof wrong->field, "%.60s", field ? field : "");
    vsnprintf(wrong->text, sizeof wrong->text, format, list);
    va_end(list);
    return false;
}

const char *json_word(const lu_json_value *value) {
    size_t length = 0;
    const char *text =
        lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, &length) : NULL;
    return text && strlen(text) == length ? text : NULL;
}

/* ---- peers ---- */

static void touch(line_peer *p) {
    if (!p->listed) {
        p->listed = true;
        p->next_touched = p->host->touched;
        p->host->touched = p;
    }
}

line_peer *line_next_touched(line_host *host) {
    line_peer *p = host->touched;
    if (p) {
        host->touched = p->next_touched;
        p->listed = false;
    }
    return p;
}

line_peer *line_peer_new(line_host *host, double now) {
    line_peer *p = lu_alloc_zero(1, sizeof *p + host->service->peer_bytes);
    p->host = host;
    p->since = now;
    p->known = host->token == NULL;
    lu_text_init(&p->in);
    lu_text_init(&p->out);
    return p;
}

void line_peer_delete(line_peer *p) {
    if (p->host->service->gone) {
        p->host->service->gone(p->host->user, p);
    }
    for (line_peer **at = &p->host->touched; p->listed; at = &(*at)->next_touched) {
        if (*at == p) {
            *at = p->next_touched;
            p->listed = false;
            break;
        }
    }
    p->host->held -= p->in.length;
    lu_text_free(&p->in);
    lu_text_free(&p->out);
    free(p);
}

void *line_own(line_peer *p) {
    return p->own;
}

line_link *line_link_of(line_peer *p) {
    return &p->link;
}

/* ---- what comes in ---- */

/* Whether it hears no line now: too much is owed to it or lies there unread. */
static bool waits(const line_peer *p) {
    return p->owed >= p->host->service->owed_most || p->out.length - p->sent > UNREAD;
}

size_t line_room(const line_peer *p) {
    return p->closing || p->ended || waits(p) ? 0 : PIECE;
}

void line_hear(line_peer *p, const char *bytes, size_t length, double now) {
    touch(p);
    if (!p->half) {
        p->half = true;
        p->since = now;
    }
    lu_text_add_n(&p->in, bytes, length);
    p->host->held += length;
}

void line_ended(line_peer *p) {
    touch(p);
    p->ended = true;
}

/* Drops what was heard; a buffer that a long line has blown up goes back. */
static void forget_heard(line_peer *p) {
    size_t left = p->in.length - p->begun;
    p->host->held -= p->begun;
    p->looked -= p->begun;
    if (left == 0 && p->in.room > 2 * PIECE) {
        lu_text_free(&p->in);
    } else if (p->begun > 0) {
        memmove(p->in.text, p->in.text + p->begun, left);
        p->in.length = left;
        p->in.text[left] = 0;
    }
    p->begun = 0;
}

static void refuse(line_peer *p, const line_wrong *wrong) {
    p->owed++;
    p->host->service->refuse(p->host->user, p, wrong);
}

/* Ends the peer with an answer that says why. */
static void refuse_and_close(line_peer *p, const char *code, const char *text) {
    line_wrong wrong;
    line_wrong_set(&wrong, code, NULL, "%s", text);
    p->closing = true;
    p->begun = p->looked = p->in.length;
    refuse(p, &wrong);
}

/* The first line of a peer of a server with a token: {"token": TOKEN}. */
static void hear_token(line_peer *p, const char *line, size_t length) {
    static const char good[] = "{\"token\":true}";
    line_wrong wrong;
    lu_json_document *document = lu_json_read("line", line, length, NULL);
    const lu_json_value *given = document ? lu_json_get(lu_json_root(document), "token") : NULL;
    p->known = lu_json_kind_of(given) == LU_JSON_STRING &&
               lu_same_secret(p->host->token, lu_json_text(given, NULL));
    lu_json_close(document);
    if (p->known) {
        p->owed++;
        line_answer(p, good, sizeof good - 1);
    } else {
        line_wrong_set(
            &wrong, "token", "token",
            "this server needs its token: the first line must be {\"token\": \"TOKEN\"}");
        refuse(p, &wrong);
    }
}

/* A page elsewhere can send lines of its own only behind the request line of HTTP. */
static bool is_http(const char *line, size_t length) {
    static const char version[] = " HTTP/1.";
    return length > 0 && *line >= 'A' && *line <= 'Z' &&
           memmem(line, length, version, sizeof version - 1);
}

static void hear_line(line_peer *p, size_t length) {
    char *line = p->in.text + p->begun;
    char behind = line[length];
    line[length] = 0;
    p->asked = true;
    if (!p->known) {
        hear_token(p, line, length);
    } else {
        p->owed++;
        p->host->service->hear(p->host->user, p, line, length);
    }
    line[length] = behind;
}

/* Length of the next line, and of its end; false when it is not whole. */
static bool next_line(line_peer *p, size_t *length, size_t *end) {
    const char *at = p->in.text + p->looked;
    const char *found = memchr(at, '\n', p->in.length - p->looked);
    size_t stop = found ? (size_t)(found - p->in.text) : p->in.length;
    p->looked = stop;
    *length = stop - p->begun;
    *end = found != NULL;
    return found || (p->ended && *length > 0);
}

void line_feed(line_peer *p, double now) {
    size_t length, end, most = p->host->service->line_most;
    size_t before = p->begun;
    touch(p);
    while (!p->closing && !waits(p)) {
        bool whole = next_line(p, &length, &end);
        if (length > most) {
            char text[120];
            snprintf(text, sizeof text, "a line may have at most %zu bytes: closing the connection",
                     most);
            refuse_and_close(p, "too-long", text);
        } else if (!whole) {
            break;
        } else if (is_http(p->in.text + p->begun, length)) {
            refuse_and_close(p, "bad-json",
                             "this server speaks lines of JSON, not HTTP: closing the connection");
        } else {
            hear_line(p, length);
            p->begun += length + end;
            p->looked = p->begun;
        }
    }
    if (p->begun != before) {
        p->since = now;
    }
    forget_heard(p);
    p->half = p->in.length > 0;
    if (p->half && !p->closing && p->in.length > PIECE && p->host->held > HELD_MOST) {
        refuse_and_close(p, "busy", "too many long lines at once: try again in a moment");
        forget_heard(p);
    }
}

bool line_ready(const line_peer *p) {
    return !p->closing && !waits(p) && p->in.length > 0 &&
           (p->ended || memchr(p->in.text + p->looked, '\n', p->in.length - p->looked));
}

/* ---- what goes out ---- */

void line_answer(line_peer *p, const char *text, size_t length) {
    LU_ASSERT(p->owed > 0);
    touch(p);
    p->owed--;
    lu_text_add_n(&p->out, text, length);
    lu_text_add_char(&p->out, '\n');
}

const char *line_bytes(const line_peer *p, size_t *length) {
    *length = p->out.length - p->sent;
    return p->out.text + p->sent;
}

void line_sent(line_peer *p, size_t length, double now) {
    p->sent += length;
    p->since = p->half ? p->since : now;
    if (p->sent == p->out.length) {
        p->sent = 0;
        if (p->out.room > 2 * PIECE) {
            lu_text_free(&p->out);
        } else {
            lu_text_clear(&p->out);
        }
    }
}

bool line_owed(const line_peer *p) {
    return p->owed > 0;
}

void line_left(line_peer *p) {
    p->stuck = p->stuck || p->owed > 0;
}

bool line_done(const line_peer *p) {
    bool heard = p->closing || (p->ended && p->in.length == 0);
    return p->stuck || (heard && p->owed == 0 && p->sent == p->out.length);
}

double line_silent(const line_peer *p, double now) {
    return p->asked ? 0.0 : now - p->since;
}

void line_check(line_peer *p, double now) {
    double waited = now - p->since;
    bool unread = p->sent < p->out.length;
    if (p->closing || p->owed > 0) { /* an answer may wait for another agent, but not for ever */
        p->stuck = waited > (unread ? p->host->request_seconds : p->host->idle_seconds);
    } else if (unread) {
        p->stuck = waited > p->host->idle_seconds;
    } else if (p->half && !waits(p) && waited > p->host->request_seconds) {
        refuse_and_close(p, "timeout", "the line took too long to arrive: closing the connection");
        forget_heard(p);
        p->half = false;
    } else if (!p->half && waited > p->host->idle_seconds) {
        refuse_and_close(p, "idle", "no request for too long: closing the connection");
    }
    if (p->stuck) {
        touch(p);
    }
}
