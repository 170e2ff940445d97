/* What the server tells of its requests: a line of JSON for each that was refused or failed, or for
 * all (serve.log). The request's id is the one its answer bears. A line is bounded, holds no query,
 * header or body, and no id of a session or job, which are keys; at most LOG_LINES a second are
 * written, and how many were left out is told.
 * Ownership: request_log_new to request_log_delete. Threads: the service thread. */
#pragma once

#include "http.h"

#include "ludus/settings.h"

enum { LOG_LINES = 20, LOG_BURST = 100, LOG_PATH_MOST = 120 };

typedef struct request_log request_log;

request_log *request_log_new(const lu_settings *limits);
void request_log_delete(request_log *log);
/* An answer that begins. */
void request_log_answer(request_log *log, const http_request *request, const http_answer *answer,
                        const char *address, double seconds, double now);
/* A connection that was turned away before it could ask. */
void request_log_turned(request_log *log, const char *address, double now);
/* Members of an open object: requests, refused, failed, turned_away, and lines that were left out.
 */
void request_log_sum(const request_log *log, lu_json *json);
