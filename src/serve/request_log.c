/* The log of requests: see request_log.h. */
#include "request_log.h"
#include "route.h"

#include "ludus/clock.h"
#include "ludus/log.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum log_wish { LOG_NONE, LOG_REFUSED, LOG_ALL } log_wish;

struct request_log {
    log_wish wish;
    double allowance, at;
    int64_t left_out, untold; /* lines: in all, and since the last one that was written */
    int64_t requests, refused, failed, turned;
};

request_log *request_log_new(const lu_settings *limits) {
    request_log *log = lu_alloc_zero(1, sizeof *log);
    const char *wish = lu_settings_text_of(limits, "serve.log");
    log->wish = strcmp(wish, "all") == 0    ? LOG_ALL
                : strcmp(wish, "none") == 0 ? LOG_NONE
                                            : LOG_REFUSED;
    log->allowance = LOG_BURST;
    return log;
}

void request_log_delete(request_log *log) {
    free(log);
}

/* A pipe that nobody reads is full one day, and the server must not wait for its reader. A line is
 * shorter than PIPE_BUF: where there is room at all there is room for it. */
static bool has_room(void) {
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT);
}

/* Whether one more line may be written now. */
static bool may_write(request_log *log, double now) {
    log->allowance = fmin(LOG_BURST, log->allowance + (now - log->at) * LOG_LINES);
    log->at = now;
    if (log->allowance < 1.0 || !has_room()) {
        log->left_out++;
        log->untold++;
        return false;
    }
    log->allowance -= 1.0;
    return true;
}

/* Printable ASCII of a client's text. */
static void add_plain(lu_text *out, const char *text) {
    for (; *text && out->length < LOG_PATH_MOST; text++) {
        lu_text_add_char(out, *text >= ' ' && *text <= '~' ? *text : '?');
    }
    lu_text_add(out, *text ? "..." : "");
}

/* The path, with the names of a route's parameters in place of keys. */
static void add_path(lu_text *out, const http_request *r) {
    const char *pattern = r->route ? r->route->path : NULL;
    if (pattern && (strstr(pattern, "{session}") || strstr(pattern, "{job}"))) {
        lu_text_add(out, pattern);
    } else {
        add_plain(out, r->path ? r->path : "");
    }
}

static void write_line(request_log *log, lu_json *json, lu_log_level level) {
    if (log->untold > 0) {
        lu_json_key_int(json, "left_out", log->untold);
        log->untold = 0;
    }
    lu_json_object_end(json);
    lu_log_write(level, "%s", json->text);
    lu_json_free(json);
}

static void begin_line(lu_json *json, const char *event, int status, const char *address) {
    char now[LU_CLOCK_TEXT];
    lu_json_object(json);
    lu_json_key_string(json, "time", lu_clock_utc(now, sizeof now));
    lu_json_key_string(json, "event", event);
    lu_json_key_int(json, "status", status);
    lu_json_key_string(json, "address", address);
}

void request_log_answer(request_log *log, const http_request *r, const http_answer *answer,
                        const char *address, double seconds, double now) {
    static const char *const methods[] = {"GET",     "HEAD", "POST",  "DELETE",
                                          "OPTIONS", "PUT",  "PATCH", "other"};
    bool failed = answer->status == 500, refused = answer->status >= 400 && !failed;
    log->requests++;
    log->refused += refused;
    log->failed += failed;
    lu_log_level level = failed ? LU_LOG_ERROR : refused ? LU_LOG_WARNING : LU_LOG_INFO;
    bool wanted = log->wish == LOG_ALL || (log->wish == LOG_REFUSED && (refused || failed));
    if (!wanted || !lu_log_wants(level) || !may_write(log, now)) {
        return;
    }
    lu_json json = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    add_path(&path, r);
    begin_line(&json, "request", answer->status, address);
    lu_json_key_string(&json, "request_id", r->id);
    /* what could not be read has no method */
    lu_json_key_string(&json, "method", r->head ? methods[r->method] : "");
    lu_json_key_string(&json, "path", path.text);
    if (*answer->problem) {
        lu_json_key_string(&json, "problem", answer->problem);
    }
    lu_json_key_real(&json, "ms", round(seconds * 1e4) / 10.0);
    write_line(log, &json, level);
    lu_text_free(&path);
}

void request_log_turned(request_log *log, const char *address, double now) {
    log->turned++;
    if (log->wish == LOG_NONE || !lu_log_wants(LU_LOG_WARNING) || !may_write(log, now)) {
        return;
    }
    lu_json json = LU_JSON_INIT;
    begin_line(&json, "turned away", 503, address);
    write_line(log, &json, LU_LOG_WARNING);
}

void request_log_sum(const request_log *log, lu_json *json) {
    lu_json_key_int(json, "requests", log->requests);
    lu_json_key_int(json, "refused", log->refused);
    lu_json_key_int(json, "failed", log->failed);
    lu_json_key_int(json, "turned_away", log->turned);
    lu_json_key_int(json, "lines_left_out", log->left_out);
}
