/* The table of routes: what may be asked, with which parameters and bodies, and who answers. It
 * feeds checking, OpenAPI and metrics. Ownership: constant. Threads: no shared state. */
#pragma once

#include "http.h"
#include "workers.h"

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
    bool bearer;                /* needs the token itself: no ticket will do */
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
