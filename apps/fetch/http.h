/* One call over HTTP at a time, bounded in time, bytes and places: https, or plain http on this
 * machine; redirects stay on https and carry no secret; no cookies, no other files of the user. The
 * only place that opens a connection.
 * Ownership: the caller owns the answer until http_free. Threads: one. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct http_ask {
    const char *url;
    const char *what;   /* is being done, for the progress line */
    const char *bearer; /* token, "" or NULL: none; such a call follows no redirect */
    const char *body;   /* JSON to post; NULL: a plain GET */
    size_t most;        /* bytes of the answer once inflated */
    double seconds;     /* for all of it */
} http_ask;

typedef struct http_answer {
    long code;     /* of HTTP */
    double wait;   /* seconds that the server asks to wait; 0: not told */
    char *bytes;   /* terminated; never NULL after http_call went well */
    size_t length; /* without the terminator */
} http_answer;

/* LU_OK for an answer of any code. LU_USAGE: the address is none that may be asked; LU_IO: no
 * connection or too slow; LU_LIMIT: larger than allowed; LU_BAD_DATA: broken off or ill formed;
 * LU_INTERRUPTED. Sentences begin with the host. */
lu_status http_call(const http_ask *ask, http_answer *answer, lu_error *error);
void http_free(http_answer *answer);

/* Whether an address may be asked: as http_call says. */
lu_status http_check(const char *url, lu_error *error);
/* The text as a part of an address; the caller frees it. */
char *http_escape(const char *text);
