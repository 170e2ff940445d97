/* The routes: one table that dispatches, checks parameters and becomes the OpenAPI document. */
#include "app.h"

#include "ludus/tool.h"

#include <stdlib.h>
#include <string.h>

#define JSON   "application/json"
#define NDJSON "application/x-ndjson"
#define BYTES  "application/octet-stream"

/* ---- parameters ---- */

static const struct {
    const char *pattern; /* for people: the check below is by hand */
    const char *letters; /* of which it consists */
    int least, most;     /* letters */
} kinds[] = {
    [PARAM_RUN] = {"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$", "._-", 1, 100},
    [PARAM_REPLAY] = {"^(latest|best|replay-[0-9]{6,15}-[0-9a-f]{8})$", NULL, 0, 0},
    [PARAM_WINDOW] = {"^(latest|best|[0-9]{1,15})$", NULL, 0, 0},
    [PARAM_GAME] = {"^[A-Za-z0-9_-]{1,64}$", "_-", 1, 64},
    [PARAM_SESSION] = {"^[0-9a-f]{32}$", NULL, 0, 0},
    [PARAM_MODEL] = {"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$", "._-", 1, 100},
    [PARAM_TOOL] = {"^[A-Za-z0-9_]{1,64}$", "_", 1, 64},
    [PARAM_JOB] = {"^[0-9a-f]{32}$", NULL, 0, 0},
    [PARAM_TAG] = {"^[A-Za-z0-9._:-]{1,80}$", "._:-", 1, 80},
    [PARAM_KEY] = {"^[A-Za-z0-9._:-]{1,100}$", "._:-", 1, 100},
    [PARAM_CURSOR] = {"^[0-9a-f]{2,800}$", NULL, 0, 0},
    [PARAM_TICKET] = {"^[0-9a-f]{32}$", NULL, 0, 0},
    [PARAM_CHOICE] = {NULL, NULL, 0, 0},
};

const char *param_pattern(param_kind kind) {
    return kinds[kind].pattern;
}

static bool is_plain(const char *text, const char *more) {
    for (; *text; text++) {
        bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                      (*text >= '0' && *text <= '9');
        if (!letter && !strchr(more, *text)) {
            return false;
        }
    }
    return true;
}

static bool is_hex(const char *text, size_t least, size_t most) {
    size_t length = strspn(text, "0123456789abcdef");
    return !text[length] && length >= least && length <= most;
}

static bool is_word(const char *text) {
    return strcmp(text, "latest") == 0 || strcmp(text, "best") == 0;
}

static bool is_replay(const char *text) {
    if (is_word(text)) {
        return true;
    }
    size_t digits = strncmp(text, "replay-", 7) == 0 ? strspn(text + 7, "0123456789") : 0;
    return digits >= 6 && digits <= 15 && text[7 + digits] == '-' &&
           is_hex(text + 8 + digits, 8, 8);
}

static bool is_choice(const char *choices, const char *text) {
    size_t length = strlen(text);
    for (const char *at = choices; *at;) {
        size_t own = strcspn(at, "|");
        if (own == length && strncmp(at, text, length) == 0) {
            return true;
        }
        at += own + (at[own] == '|');
    }
    return false;
}

/* Numbers as JSON writes them: what a schema promises, and no more. */
static bool is_decimal(const char *text, bool whole) {
    text += *text == '-';
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 15) {
        return false;
    }
    text += digits;
    if (!whole && *text == '.') {
        digits = strspn(text + 1, "0123456789");
        text += digits > 0 && digits <= 30 ? digits + 1 : 0;
    }
    if (!whole && (*text == 'e' || *text == 'E')) {
        text += 1 + (text[1] == '-' || text[1] == '+');
        digits = strspn(text, "0123456789");
        text += digits > 0 && digits <= 3 ? digits : 0;
        return digits > 0 && !*text;
    }
    return !*text;
}

bool param_fits(const param *p, const char *text) {
    size_t length = strlen(text);
    double value;
    switch (p->kind) {
    case PARAM_REPLAY:
        return is_replay(text);
    case PARAM_WINDOW:
        return is_word(text) || (length <= 15 && is_decimal(text, true) && *text != '-');
    case PARAM_SESSION:
    case PARAM_JOB:
    case PARAM_TICKET:
        return is_hex(text, 32, 32);
    case PARAM_CURSOR:
        return is_hex(text, 2, 800);
    case PARAM_BOOL:
        return is_choice("true|false", text);
    case PARAM_CHOICE:
        return is_choice(p->choices, text);
    case PARAM_INT:
    case PARAM_REAL:
        return is_decimal(text, p->kind == PARAM_INT) &&
               lu_parse_real(p->name, text, p->low, p->high, &value, NULL) == LU_OK;
    case PARAM_RUN:
    case PARAM_MODEL:
        if (*text == '.') { /* `..` leads upwards, and what begins so is hidden */
            return false;
        }
        /* fall through */
    case PARAM_GAME:
    case PARAM_TOOL:
    case PARAM_TAG:
    case PARAM_KEY:
        return length >= (size_t)kinds[p->kind].least && length <= (size_t)kinds[p->kind].most &&
               is_plain(text, kinds[p->kind].letters);
    }
    return false;
}

static const param path_params[] = {
    {.name = "run",
     .kind = PARAM_RUN,
     .sentence = "Id of a run, `latest` or `best`.",
     .example = "latest"},
    {.name = "replay",
     .kind = PARAM_REPLAY,
     .sentence = "Id of a replay, `latest` or `best`.",
     .example = "best"},
    {.name = "window",
     .kind = PARAM_WINDOW,
     .sentence = "Number of a window, `latest` or `best`.",
     .example = "latest"},
    {.name = "game",
     .kind = PARAM_GAME,
     .sentence = "Name or id of a game.",
     .example = "cartpole"},
    {.name = "session", .kind = PARAM_SESSION, .sentence = "Id of a session of play."},
    {.name = "tool", .kind = PARAM_TOOL, .sentence = "Name of a tool.", .example = "verify"},
    {.name = "job", .kind = PARAM_JOB, .sentence = "Id of a job."},
    {.name = "name",
     .kind = PARAM_MODEL,
     .sentence = "Name of a published model.",
     .example = "prospector-v1"},
    {.name = "league",
     .kind = PARAM_MODEL,
     .sentence = "Name of a league.",
     .example = "duel-bots"},
    {.name = NULL},
};

const param *path_param(const char *name) {
    for (const param *p = path_params; p->name; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

#define A_LIMIT                                                                                    \
    {                                                                                              \
        .name = "limit", .kind = PARAM_INT, .low = 1, .high = 500, .initial = "50",                \
        .sentence = "Maximum entries per page."                                                    \
    }
#define A_CURSOR                                                                                   \
    { .name = "cursor", .kind = PARAM_CURSOR, .sentence = "`next` of the previous page." }
#define A_GAME                                                                                     \
    { .name = "game", .kind = PARAM_GAME, .sentence = "Only of this game." }
#define A_TAG                                                                                      \
    { .name = "tag", .kind = PARAM_TAG, .sentence = "Only with this tag." }
#define A_FROM(what)                                                                               \
    { .name = "from", .kind = PARAM_INT, .low = 0, .high = 1e14, .initial = "0", .sentence = what }

static const param runs_params[] = {
    A_GAME,
    {.name = "status",
     .kind = PARAM_CHOICE,
     .choices = "running|stopped|finished|failed|crashed|damaged",
     .sentence = "Only with this status."},
    A_TAG,
    {.name = "archived", .kind = PARAM_BOOL, .initial = "false", .sentence = "Only archived runs."},
    A_LIMIT,
    A_CURSOR,
    {.name = NULL},
};
static const param windows_params[] = {A_FROM("First window."), A_LIMIT, {.name = NULL}};
static const param evaluations_params[] = {
    A_FROM("First window."),
    A_LIMIT,
    {.name = "full",
     .kind = PARAM_BOOL,
     .initial = "false",
     .sentence = "Includes the whole report."},
    {.name = NULL},
};
static const param series_params[] = {
    {.name = "rows",
     .kind = PARAM_CHOICE,
     .choices = "windows|updates",
     .initial = "windows",
     .sentence = "Which rows."},
    {.name = "key",
     .kind = PARAM_KEY,
     .most = 16,
     .sentence = "Dotted path of a number in a row; without one, lists the existing paths."},
    {.name = "buckets",
     .kind = PARAM_INT,
     .low = 1,
     .high = 2000,
     .initial = "400",
     .sentence = "Maximum buckets per series."},
    {.name = "axis",
     .kind = PARAM_CHOICE,
     .choices = "env_steps|update|wall_seconds",
     .initial = "env_steps",
     .sentence = "The x axis."},
    {.name = "from", .kind = PARAM_REAL, .low = 0, .high = 1e14, .sentence = "Least x."},
    {.name = "to", .kind = PARAM_REAL, .low = 0, .high = 1e14, .sentence = "Largest x."},
    {.name = NULL},
};
static const param replays_params[] = {A_GAME, A_TAG, A_LIMIT, A_CURSOR, {.name = NULL}};
static const param run_replays_params[] = {
    A_TAG,
    {.name = "window",
     .kind = PARAM_WINDOW,
     .sentence = "Only of this window: a number, `latest` or `best`."},
    A_LIMIT,
    A_CURSOR,
    {.name = NULL},
};
static const param frames_params[] = {
    A_FROM("First frame."),
    {.name = "limit",
     .kind = PARAM_INT,
     .low = 1,
     .high = 1 << 20,
     .sentence = "Maximum number of frames."},
    {.name = NULL},
};
static const param frames_socket_params[] = {
    A_FROM("First frame."),
    {.name = "rate",
     .kind = PARAM_REAL,
     .low = 0.25,
     .high = 1000,
     .initial = "8",
     .sentence = "Frames per second."},
    {.name = NULL},
};

#define WAIT(seconds)                                                                              \
    {                                                                                              \
        {.name = "wait",                                                                           \
         .kind = PARAM_REAL,                                                                       \
         .low = 0,                                                                                 \
         .high = 60,                                                                               \
         .initial = seconds,                                                                       \
         .sentence = "Seconds to wait for the job to finish. A client that disconnects meanwhile " \
                     "cancels it."},                                                               \
            {.name = NULL},                                                                        \
    }
static const param tool_params[] = WAIT("2"), short_params[] = WAIT("10");

/* ---- the table ---- */

#define RUN_PATH    "/api/v1/runs/{run}"
#define REPLAY_PATH RUN_PATH "/replays/{replay}"
#define PLAY_PATH   "/api/v1/sessions/{session}"

#define JOB_PATH "/api/v1/jobs/{job}"

/* How a tool is asked, at its path and at its short address. */
#define A_TOOL(address, operation, words, waits)                                                   \
    {                                                                                              \
        HTTP_POST, address, operation, words, on_tool_post, WORKER_NONE, waits,                    \
            .body = "ToolWish", .bodiless = true, .large = true,                                   \
            .replies = {{200, JSON, "Anything",                                                    \
                         "The job has ended: the tool's answer, as the command line prints it."},  \
                        {200, NDJSON, NULL, NULL},                                                 \
                        {202, JSON, "Job", "The job continues: see Location."}},                   \
            .problems = "404 409 422 500"                                                          \
    }

static const route routes[] = {
    {HTTP_GET, "/api/v1/health", "getHealth", "Whether the server is up.", on_health_get,
     WORKER_NONE, .replies = {{200, JSON, "Health", "It is."}}, .open = true},
    {HTTP_GET, "/metrics", "getMetrics", "Metrics of the server for Prometheus.", on_metrics_get,
     WORKER_NONE, .replies = {{200, "text/plain; version=0.0.4", NULL, "Metrics as text."}}},
    {HTTP_GET, "/api/v1/openapi.json", "getOpenapi", "This document.", on_openapi_get, WORKER_NONE,
     .replies = {{200, JSON, "Anything", "OpenAPI 3.1."}}, .open = true},
    {HTTP_POST, "/api/v1/tickets", "createTicket",
     "A ticket that replaces the token once, within half a minute: as `?ticket=` where a page "
     "cannot send headers (EventSource, WebSocket).",
     on_ticket_post, WORKER_NONE, .replies = {{201, JSON, "Ticket", "The ticket."}},
     .bearer = true},
    {HTTP_GET, "/api/v1/games", "listGames", "The games.", on_games_list, WORKER_NONE,
     .replies = {{200, JSON, "Games", "The games."}}},
    {HTTP_GET, "/api/v1/games/{game}", "getGame", "The facts of a game.", on_game_get, WORKER_NONE,
     .replies = {{200, JSON, "Game", "Its specification, with schemas of its settings."}},
     .problems = "404"},
    {HTTP_GET, "/api/v1/runs", "listRuns", "Runs, newest first.", on_runs_list, WORKER_RUNS,
     runs_params, .replies = {{200, JSON, "Runs", "A page."}}, .problems = "422"},
    {HTTP_GET, RUN_PATH, "getRun", "One run with its settings.", on_run_get, WORKER_RUNS,
     .replies = {{200, JSON, "RunDetails", "The run."}}, .problems = "404"},
    {HTTP_GET, RUN_PATH "/windows", "listWindows", "Rows of the windows of a run.", on_windows_list,
     WORKER_RUNS, windows_params, .replies = {{200, JSON, "Windows", "A page."}},
     .problems = "404"},
    {HTTP_GET, RUN_PATH "/evaluations", "listEvaluations", "Rows of the evaluations of a run.",
     on_evaluations_list, WORKER_RUNS, evaluations_params,
     .replies = {{200, JSON, "Evaluations", "A page."}}, .problems = "404"},
    {HTTP_GET, RUN_PATH "/metrics", "getSeries",
     "Metrics of a run as minimum, maximum and mean of buckets along an axis.", on_series_get,
     WORKER_ROWS, series_params,
     .replies = {{200, JSON, "Series", "Series, or the existing keys."}}, .problems = "404"},
    {HTTP_GET, RUN_PATH "/events", "followRun",
     "Server-sent events: `window` and `evaluation` with a row each, and `status`. Ids such as "
     "w7.e3 go back as Last-Event-ID.",
     on_events_get, WORKER_RUNS,
     .replies = {{200, "text/event-stream", NULL, "Events without an end."}}, .problems = "404"},
    {HTTP_GET, "/api/v1/replays", "listReplays", "Replays of all runs, newest first.",
     on_replays_list, WORKER_RUNS, replays_params, .replies = {{200, JSON, "Replays", "A page."}},
     .problems = "422"},
    {HTTP_GET, RUN_PATH "/replays", "listRunReplays", "Replays of a run, newest first.",
     on_run_replays_list, WORKER_RUNS, run_replays_params,
     .replies = {{200, JSON, "Replays", "A page."}}, .problems = "404 422"},
    {HTTP_GET, REPLAY_PATH, "getReplay", "One replay.", on_replay_get, WORKER_RUNS,
     .replies = {{200, JSON, "Replay", "The replay."}}, .problems = "404"},
    {HTTP_GET, REPLAY_PATH "/file", "getReplayFile", "The file of a replay.", on_replay_file,
     WORKER_RUNS,
     .replies = {{200, BYTES, NULL, "The whole file."},
                 {206, BYTES, NULL, "The requested part."},
                 {304, NULL, NULL, "Unchanged."}},
     .problems = "404 416"},
    {HTTP_GET, REPLAY_PATH "/frames", "getFrames",
     "A header and frames as JSON lines. As a WebSocket (with `rate`): messages {\"header\"}, "
     "{\"frame\"}, {\"end\"}; it takes {\"rate\":R}, {\"pause\":true} and {\"seek\":N}.",
     on_frames_get, WORKER_REPLAY, frames_params, .replies = {{200, NDJSON, NULL, "Lines."}},
     .problems = "404 422"},
    {HTTP_GET, REPLAY_PATH "/frames", "followFrames", "Frames over a WebSocket.", on_frames_socket,
     WORKER_REPLAY, frames_socket_params, .socket = true},
    {HTTP_GET, "/api/v1/models", "listModels",
     "Published models, then newest and best of each run.", on_models_list, WORKER_RUNS,
     .replies = {{200, JSON, "Models", "The models."}}},
    {HTTP_GET, "/api/v1/models/{name}", "getModel", "The file of a published model.", on_model_get,
     WORKER_RUNS,
     .replies = {{200, BYTES, NULL, "The whole file."},
                 {206, BYTES, NULL, "The requested part."},
                 {304, NULL, NULL, "Unchanged."}},
     .problems = "404 416"},
    {HTTP_GET, RUN_PATH "/models/{window}", "getRunModel", "The model of a window.",
     on_run_model_get, WORKER_RUNS,
     .replies = {{200, BYTES, NULL, "The whole file."},
                 {206, BYTES, NULL, "The requested part."},
                 {304, NULL, NULL, "Unchanged."}},
     .problems = "404 416"},
    {HTTP_GET, "/api/v1/leagues", "listLeagues",
     "Leagues: ratings that `ludus league rate --keep` and evaluators of runs wrote, and those "
     "that "
     "come with the models.",
     on_leagues_list, WORKER_ROWS, .replies = {{200, JSON, "Leagues", "The leagues, by name."}}},
    {HTTP_GET, "/api/v1/leagues/{league}", "getLeague",
     "Results of a league, the newest hundred, oldest first.", on_league_get, WORKER_ROWS,
     .replies = {{200, JSON, "League", "Ratings and shares of points, by result."}},
     .problems = "404"},
    {HTTP_POST, "/api/v1/act", "act",
     "What a model does with an observation, as `ludus serve-policy` answers it.", on_act_post,
     WORKER_RUNS, .body = "ActWish",
     .replies = {{200, JSON, "Act", "The action, and whatever else was requested."}},
     .problems = "404 422 500"},
    {HTTP_POST, "/api/v1/sessions", "createSession", "Starts an episode to play.", on_session_post,
     WORKER_NONE, .body = "SessionWish", .replies = {{201, JSON, "Session", "The session."}},
     .problems = "404 422 503"},
    {HTTP_GET, PLAY_PATH, "getSession", "The current state of a session.", on_session_get,
     WORKER_NONE, .replies = {{200, JSON, "Session", "The session."}}, .problems = "404"},
    {HTTP_DELETE, PLAY_PATH, "endSession", "Ends a session.", on_session_delete, WORKER_NONE,
     .replies = {{204, NULL, NULL, "The session has ended."}}, .problems = "404"},
    {HTTP_POST, PLAY_PATH "/reset", "resetSession", "Starts a new episode in a session.",
     on_session_reset, WORKER_NONE, .body = "ResetWish", .bodiless = true,
     .replies = {{200, JSON, "Session", "The session."}}, .problems = "404 409 422 503"},
    {HTTP_POST, PLAY_PATH "/step", "stepSession",
     "One decision of the human players, and those of the others until a human is to move.",
     on_session_step, WORKER_NONE, .body = "StepWish",
     .replies = {{200, JSON, "Session", "The session."}}, .problems = "404 409 422 503"},
    {HTTP_GET, PLAY_PATH "/socket", "playSession",
     "A WebSocket: {\"reset\":{}} and {\"step\":{\"actions\":[..]}} in, sessions out.",
     on_session_plain, WORKER_NONE, .replies = {{0}}, .problems = "404 426"},
    {HTTP_GET, "/api/v1/games/{game}/tools", "listTools", "The tools of a game.", on_tools_list,
     WORKER_NONE, .replies = {{200, JSON, "Tools", "The tools, with schemas of their settings."}},
     .problems = "404"},
    A_TOOL("/api/v1/games/{game}/tools/{tool}", "runTool",
           "Starts a job that runs a tool, and waits for it.", tool_params),
    {HTTP_GET, JOB_PATH, "getJob", "The current state of a job.", on_job_get, WORKER_NONE,
     .replies = {{200, JSON, "Job", "The job; with `answer` or `problem` when it has ended."}},
     .problems = "404"},
    {HTTP_GET, JOB_PATH "/events", "followJob",
     "Server-sent events: `progress` with the job, and finally `end` with the job.", on_job_events,
     WORKER_NONE, .replies = {{200, "text/event-stream", NULL, "Events until the job ends."}},
     .problems = "404"},
    {HTTP_DELETE, JOB_PATH, "endJob", "Cancels a job; forgets a finished one.", on_job_delete,
     WORKER_NONE, .replies = {{204, NULL, NULL, "Done."}}, .problems = "404"},
    {HTTP_GET, PLAY_PATH "/socket", "playSocket", "The same.", on_session_socket, WORKER_NONE,
     .socket = true},
};

enum { FIXED = sizeof routes / sizeof *routes, NAME_ROOM = 80 };

/* Made once from the table and the registry of tools, and constant from then on. */
static struct {
    pthread_once_t once;
    int count;
    route all[ROUTES_MOST];
    char names[ROUTES_MOST][NAME_ROOM];
} made = {.once = PTHREAD_ONCE_INIT};

static void make_routes(void) {
    memcpy(made.all, routes, sizeof routes);
    made.count = FIXED;
    for (int i = 0; i < lu_tool_count(); i++) {
        const lu_tool *tool = lu_tool_at(i);
        if (tool->address) {
            LU_ASSERT(made.count < ROUTES_MOST && tool->address[0] == '/');
            char *name = made.names[made.count];
            snprintf(name, NAME_ROOM, "%.39s_%.39s", tool->game, tool->name);
            made.all[made.count] = (route)A_TOOL(tool->address, name, tool->sentence, short_params);
            made.all[made.count++].tool = tool;
        }
    }
}

int route_count(void) {
    pthread_once(&made.once, make_routes);
    return made.count;
}

const route *route_at(int index) {
    LU_ASSERT(index >= 0 && index < route_count());
    return &made.all[index];
}

int route_index(const route *of) {
    return (int)(of - made.all);
}

/* ---- finding ---- */

/* True when the segments of a request fit a path with {names}; these are kept in `given`. */
static bool path_fits(const char *path, http_request *r, bool *named) {
    int index = 0, names = 0;
    *named = true;
    while (*path) {
        size_t length = strcspn(++path, "/");
        if (index == r->segments) {
            return false;
        }
        const char *own = r->segment[index++];
        if (*path == '{') {
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)length - 2, path + 1);
            *named = *named && param_fits(path_param(name), own);
            r->given[names++] = own;
        } else if (strlen(own) != length || strncmp(own, path, length) != 0) {
            return false;
        }
        path += length;
    }
    return index == r->segments;
}

static void add_allowed(lu_text *list, http_method method) {
    static const char *const names[] = {
        [HTTP_GET] = "GET, HEAD", [HTTP_POST] = "POST", [HTTP_DELETE] = "DELETE"};
    if (!list->length || !strstr(list->text, names[method])) {
        lu_text_addf(list, "%s%s", list->length ? ", " : "", names[method]);
    }
}

void route_methods(http_request *r, lu_text *list) {
    bool named;
    for (int i = 0; i < route_count(); i++) {
        if (*r->path && path_fits(route_at(i)->path, r, &named)) {
            add_allowed(list, route_at(i)->method);
        }
    }
    if (list->length == 0) {
        add_allowed(list, HTTP_GET);
    }
}

static bool check_param(const http_request *r, const http_pair *pair, http_answer *answer) {
    int times = 0;
    for (int i = 0; i < r->parameters; i++) {
        times += strcmp(r->parameter[i].key, pair->key) == 0;
    }
    if (strcmp(pair->key, "ticket") == 0) {
        return true;
    }
    for (const param *p = r->route->params; p && p->name; p++) {
        if (strcmp(p->name, pair->key) != 0) {
            continue;
        }
        if (times > (p->most ? p->most : 1)) {
            answer_problem(answer, r, 400, "bad-parameter", p->name,
                           "'%s' may appear at most %d time%s", p->name, p->most ? p->most : 1,
                           p->most > 1 ? "s" : "");
            return false;
        }
        if (!param_fits(p, pair->value)) {
            answer_problem(answer, r, 400, "bad-parameter", p->name,
                           "the value of '%s' is not accepted: see /api/v1/openapi.json", p->name);
            return false;
        }
        return true;
    }
    answer_problem(answer, r, 400, "bad-parameter", pair->key,
                   "this address has no such parameter");
    return false;
}

bool route_find(http_request *r, http_answer *answer) {
    lu_text allowed = LU_TEXT_INIT;
    bool named = true;
    http_method method = r->method == HTTP_HEAD ? HTTP_GET : r->method;
    for (int i = 0; i < route_count() && !r->route; i++) {
        bool ids;
        const route *one = route_at(i);
        if (*r->path && path_fits(one->path, r, &ids)) {
            named = named && ids;
            add_allowed(&allowed, one->method);
            if (one->method == method && one->socket == (r->upgrade && method == HTTP_GET)) {
                r->route = one;
            }
        }
    }
    bool found = true;
    if (!named) {
        r->route = NULL;
        answer_problem(answer, r, 404, "not-found", NULL, "nothing has this name");
        found = false;
    } else if (!r->route && allowed.length > 0) {
        bool plain = r->upgrade && method == HTTP_GET; /* a route without a WebSocket */
        answer_field(answer, "Allow", "%s", allowed.text);
        answer_problem(answer, r, plain ? 400 : 405, plain ? "no-socket" : "method", NULL,
                       plain ? "this address isn't a WebSocket"
                             : "this method is not allowed here");
        found = false;
    }
    lu_text_free(&allowed);
    for (int i = 0; found && r->route && i < r->parameters; i++) {
        found = check_param(r, &r->parameter[i], answer);
    }
    return found;
}

/* ---- values ---- */

int64_t param_int(const http_request *r, const char *key, int64_t other) {
    const char *text = request_parameter(r, key);
    return text ? strtoll(text, NULL, 10) : other;
}

double param_real(const http_request *r, const char *key, double other) {
    double value = other;
    const char *text = request_parameter(r, key);
    return text && lu_parse_real(key, text, -1e300, 1e300, &value, NULL) == LU_OK ? value : other;
}

bool param_bool(const http_request *r, const char *key, bool other) {
    const char *text = request_parameter(r, key);
    return text ? strcmp(text, "true") == 0 : other;
}
