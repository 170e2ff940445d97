/* Access: who may ask, from where, with what, and how often. A page elsewhere cannot drive the
 * server: its requests carry its Origin, and a name that was pointed at this machine shows in Host.
 */
#include "access.h"
#include "route.h"

#include "ludus/hash.h"
#include "ludus/listen.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

enum { PEERS = 4096, TICKETS = 64, TICKET_SECONDS = 30 };

typedef struct ticket {
    char text[33];
    double until;
} ticket;

struct access_control {
    bool loopback; /* listens there alone */
    char own[256]; /* name of the machine */
    char *token;
    const char *const *origins, *const *hosts;
    int most_links, most_own, links;
    double rate;
    ticket tickets[TICKETS];
    peer peers[PEERS];
};

void random_hex(char *text, int digits) {
    unsigned char bytes[32];
    LU_ASSERT(digits <= 64);
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        lu_assert_failed("getrandom gives random bytes", __FILE__, __LINE__);
    }
    for (int i = 0; i < digits; i++) {
        text[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 * 4)) & 15];
    }
    text[digits] = 0;
}

char *lu_serve_token(void) {
    char *token = lu_alloc(33);
    random_hex(token, 32);
    return token;
}

access_control *access_new(const lu_serve_options *options) {
    access_control *g = lu_alloc_zero(1, sizeof *g);
    g->loopback = lu_serve_is_loopback(options->bind);
    if (gethostname(g->own, sizeof g->own - 1) != 0) {
        g->own[0] = 0;
    }
    g->token = options->token ? lu_strdup(options->token) : NULL;
    g->origins = options->origins;
    g->hosts = options->hosts;
    g->most_links = (int)lu_settings_int(options->limits, "serve.connections");
    g->most_own = (int)lu_settings_int(options->limits, "serve.connections_per_address");
    g->rate = lu_settings_real(options->limits, "serve.requests_per_second");
    return g;
}

void access_delete(access_control *g) {
    if (g) {
        free(g->token);
        free(g);
    }
}

/* ---- addresses ---- */

bool lu_serve_is_loopback(const char *address) {
    struct in_addr four;
    return strcasecmp(address, "localhost") == 0 || strcmp(address, "::1") == 0 ||
           (inet_pton(AF_INET, address, &four) == 1 && ntohl(four.s_addr) >> 24 == 127);
}

static bool is_address(const char *text) {
    struct in6_addr room;
    return inet_pton(AF_INET, text, &room) == 1 || inet_pton(AF_INET6, text, &room) == 1;
}

/* The host of "host:port" or "[address]:port"; false when it is neither. */
static bool host_of(const char *text, char *host, size_t room) {
    const char *end;
    if (*text == '[') {
        end = strchr(++text, ']');
        if (!end || (end[1] && end[1] != ':')) {
            return false;
        }
    } else {
        end = text + strcspn(text, ":");
    }
    const char *port = *end == ']' ? end + 1 : end;
    if (*port == ':' && (strspn(port + 1, "0123456789") != strlen(port + 1) || strlen(port) > 6)) {
        return false;
    }
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= room) {
        return false;
    }
    memcpy(host, text, length);
    host[length] = 0;
    return true;
}

static bool in_list(const char *const *list, const char *text) {
    for (; list && *list; list++) {
        if (strcasecmp(*list, text) == 0) {
            return true;
        }
    }
    return false;
}

/* A name may be pointed at this machine by anyone, an address may not. */
static bool host_is_ours(const access_control *g, const char *field) {
    char host[256];
    if (!host_of(field, host, sizeof host)) {
        return false;
    }
    return lu_serve_is_loopback(host) || in_list(g->hosts, host) ||
           (!g->loopback && (is_address(host) || (*g->own && strcasecmp(host, g->own) == 0)));
}

static bool origin_is_same(const http_request *r) {
    const char *origin = r->field[FIELD_ORIGIN], *host = r->field[FIELD_HOST];
    size_t scheme = strncasecmp(origin, "http://", 7) == 0    ? 7
                    : strncasecmp(origin, "https://", 8) == 0 ? 8
                                                              : 0;
    return scheme > 0 && strcasecmp(origin + scheme, host) == 0;
}

static bool origin_is_allowed(const access_control *g, const http_request *r) {
    return in_list(g->origins, r->field[FIELD_ORIGIN]);
}

/* ---- connections and rates ---- */

static peer *peer_of(access_control *g, const char *address) {
    uint64_t hash = lu_hash_text(address, 0);
    peer *free_one = NULL;
    for (uint64_t i = 0; i < 32; i++) { /* an address is in one of these places */
        peer *p = &g->peers[(hash + i) % PEERS];
        if (p->used && strcmp(p->address, address) == 0) {
            return p;
        }
        bool idle = !p->used || (p->links == 0 && p->sessions == 0);
        if (idle && (!free_one || (free_one->used && (!p->used || p->at < free_one->at)))) {
            free_one = p;
        }
    }
    if (free_one) {
        *free_one = (peer){.used = true, .allowance = -1.0};
        snprintf(free_one->address, sizeof free_one->address, "%s", address);
    }
    return free_one;
}

void access_limit(access_control *g, int connections) {
    g->most_links = connections < g->most_links ? connections : g->most_links;
}

peer *access_enter(access_control *g, const char *address) {
    peer *p = g->links < g->most_links ? peer_of(g, address) : NULL;
    if (!p || p->links >= g->most_own) {
        return NULL;
    }
    p->links++;
    g->links++;
    return p;
}

void access_leave(access_control *g, peer *p) {
    p->links--;
    g->links--;
}

int access_links(const access_control *g) {
    return g->links;
}

/* Two seconds' worth may come at once. */
static bool rate_allows(const access_control *g, peer *p, double now) {
    if (g->rate <= 0.0) {
        return true;
    }
    double full = 2.0 * g->rate + 1.0;
    p->allowance = p->allowance < 0.0 ? full : fmin(full, p->allowance + (now - p->at) * g->rate);
    p->at = now;
    if (p->allowance < 1.0) {
        return false;
    }
    p->allowance -= 1.0;
    return true;
}

/* ---- tokens ---- */

void access_ticket(access_control *g, double now, char *text) {
    ticket *t = &g->tickets[0]; /* of those that are used or too old, or the oldest */
    for (int i = 1; i < TICKETS; i++) {
        t = g->tickets[i].until < t->until ? &g->tickets[i] : t;
    }
    t->until = now + TICKET_SECONDS;
    random_hex(t->text, 32);
    memcpy(text, t->text, 33);
}

static bool use_ticket(access_control *g, const char *text, double now) {
    for (int i = 0; text && i < TICKETS; i++) {
        ticket *t = &g->tickets[i];
        if (t->until >= now && lu_same_secret(t->text, text)) {
            t->until = 0.0;
            return true;
        }
    }
    return false;
}

static bool token_is_right(access_control *g, const http_request *r, double now) {
    const char *field = r->field[FIELD_AUTHORIZATION];
    if (!g->token || (r->route && r->route->open) || r->method == HTTP_OPTIONS) {
        return true;
    }
    if (field && strncasecmp(field, "Bearer ", 7) == 0 && lu_same_secret(g->token, field + 7)) {
        return true;
    }
    return !(r->route && r->route->bearer) && use_ticket(g, request_parameter(r, "ticket"), now);
}

/* ---- the check ---- */

/* Everything but files of the site asks for the token. */
static bool is_api(const http_request *r) {
    return r->route || (r->segments > 0 && strcmp(r->segment[0], "api") == 0);
}

bool access_check(access_control *g, peer *p, const http_request *r, http_answer *answer,
                  double now) {
    const char *origin = r->field[FIELD_ORIGIN], *fetch = r->field[FIELD_FETCH_SITE];
    bool change = r->method != HTTP_GET && r->method != HTTP_HEAD && r->method != HTTP_OPTIONS;
    if (!rate_allows(g, p, now)) {
        answer_field(answer, "Retry-After", "1");
        answer_problem(answer, r, 429, "rate", NULL, "too many requests: wait a second");
    } else if (!host_is_ours(g, r->field[FIELD_HOST])) {
        answer_problem(answer, r, 403, "host", "Host",
                       "this server does not go by this name: `ludus serve --host` adds one");
    } else if (origin && !origin_is_same(r) && !origin_is_allowed(g, r)) {
        answer_problem(
            answer, r, 403, "origin", "Origin",
            "pages from this origin have no access: `ludus serve --allow-origin` adds one");
    } else if (change && !origin && fetch && strcmp(fetch, "same-origin") != 0 &&
               strcmp(fetch, "none") != 0) {
        answer_problem(answer, r, 403, "origin", "Sec-Fetch-Site",
                       "pages from another site may not change anything");
    } else if (is_api(r) && !token_is_right(g, r, now)) {
        answer_field(answer, "WWW-Authenticate", "Bearer");
        answer_problem(answer, r, 401, "token", "Authorization",
                       "this server needs its token: send `Authorization: Bearer TOKEN`");
    } else {
        return true;
    }
    return false;
}

void access_fields(const access_control *g, const http_request *r, lu_text *out) {
    bool other = r->field[FIELD_ORIGIN] && r->field[FIELD_HOST] && !origin_is_same(r) &&
                 origin_is_allowed(g, r);
    lu_text_add(out,
                "Content-Security-Policy: default-src 'none'; script-src 'self' "
                "'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
                "media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
                "manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'\r\n"
                "X-Content-Type-Options: nosniff\r\n"
                "X-Frame-Options: DENY\r\n"
                "Referrer-Policy: no-referrer\r\n"
                "Cross-Origin-Opener-Policy: same-origin\r\n");
    lu_text_addf(out, "Cross-Origin-Resource-Policy: %s\r\n",
                 other ? "cross-origin" : "same-origin");
    if (g->origins && g->origins[0]) {
        lu_text_add(out, "Vary: Origin\r\n");
    }
    if (other) {
        lu_text_addf(out,
                     "Access-Control-Allow-Origin: %s\r\n"
                     "Access-Control-Expose-Headers: ETag, Location, Retry-After, Content-Range, "
                     "X-Request-Id\r\n",
                     r->field[FIELD_ORIGIN]);
    }
    if (other && r->method == HTTP_OPTIONS) {
        lu_text_add(out, "Access-Control-Allow-Methods: GET, HEAD, POST, DELETE\r\n"
                         "Access-Control-Allow-Headers: Authorization, Content-Type, "
                         "If-None-Match, If-Range, Last-Event-ID, Range\r\n"
                         "Access-Control-Max-Age: 600\r\n");
    }
}
