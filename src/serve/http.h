/* HTTP as the server sees it, without sockets: a request that was read from bytes, an answer that
 * becomes bytes, and streams that give their bytes piece by piece. The reader is strict (RFC 9112
 * without its leniencies: no bare line feeds, no folded lines, no second Host, no chunked bodies)
 * and total: whatever comes is a request, a wish for more bytes, or a status to answer with.
 * Ownership: a request owns its texts until request_free, an answer its bytes until answer_free.
 * Threads: each object belongs to one thread at a time and may be handed on. */
#pragma once

#include "ludus/json.h"
#include "ludus/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    HTTP_HEAD_MOST = 8192,     /* bytes of request line and headers */
    HTTP_TARGET_MOST = 2048,   /* bytes of the target */
    HTTP_HEADERS_MOST = 64,    /* lines */
    HTTP_BODY_MOST = 64 << 10, /* bytes, but for routes that take large ones */
    HTTP_BODY_EVER = 64 << 20, /* bytes of any body */
    HTTP_SEGMENTS_MOST = 12,   /* of a path */
    HTTP_PARAMETERS_MOST = 32, /* of a query */
    HTTP_JSON_DEPTH = 16,      /* of a body */
    HTTP_MESSAGE_MOST = 4096,  /* bytes of a WebSocket message that comes in */
    HTTP_PIECE = 48 << 10,     /* about this much of a stream or file is made at once */
    HTTP_ADDRESS_ROOM = 48,    /* of a client's address as text */
    HTTP_ID_ROOM = 20,         /* of a request id */
};

typedef enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_POST,
    HTTP_DELETE,
    HTTP_OPTIONS,
    HTTP_PUT,
    HTTP_PATCH,
    HTTP_OTHER, /* a method nobody here knows */
} http_method;

/* Headers that are looked at; all others are read over. */
typedef enum http_field {
    FIELD_HOST,
    FIELD_ORIGIN,
    FIELD_AUTHORIZATION,
    FIELD_CONTENT_TYPE,
    FIELD_CONTENT_LENGTH,
    FIELD_TRANSFER_ENCODING,
    FIELD_CONNECTION,
    FIELD_UPGRADE,
    FIELD_EXPECT,
    FIELD_IF_NONE_MATCH,
    FIELD_IF_RANGE,
    FIELD_RANGE,
    FIELD_ACCEPT_ENCODING,
    FIELD_LAST_EVENT_ID,
    FIELD_FETCH_SITE,
    FIELD_SOCKET_KEY,
    FIELD_SOCKET_VERSION,
    FIELD_PREFLIGHT_METHOD,
    FIELD_COUNT
} http_field;

typedef struct http_pair {
    const char *key, *value;
} http_pair;

struct route;

typedef struct http_request {
    http_method method;
    char *head; /* the bytes all texts below point into; decoded in place */
    char *path; /* decoded once; "" when a segment holds a slash */
    int segments;
    const char *segment[HTTP_SEGMENTS_MOST]; /* decoded, between slashes */
    int parameters;
    http_pair parameter[HTTP_PARAMETERS_MOST]; /* decoded */
    const char *field[FIELD_COUNT];            /* NULL: not sent */
    bool keep;                                 /* the connection stays open after the answer */
    bool upgrade;                              /* asks for a WebSocket */
    bool expects;                              /* waits for 100 Continue */
    bool admitted;                             /* access was granted before the body came */
    size_t length;                             /* of the body that is announced */
    char *body;                                /* terminated; NULL before it is there */
    char address[HTTP_ADDRESS_ROOM];
    char id[HTTP_ID_ROOM];
    const struct route *route; /* NULL: none was found */
    const char *given[4];      /* segments that stand for {names} of the route, in order */
} http_request;

typedef enum http_reading {
    HTTP_MORE,  /* the head is not there yet */
    HTTP_READY, /* it is read; *used bytes belong to it */
    HTTP_BAD,   /* refuse with *status and *reason, then close */
} http_reading;

/* Reads the head of a request from the first bytes of a connection's input. */
http_reading request_read(http_request *request, const char *bytes, size_t length, size_t *used,
                          int *status, const char **reason);
void request_free(http_request *request);
/* A parameter of the query; NULL when it is not there. */
const char *request_parameter(const http_request *request, const char *key);
/* True when the body is not nested deeper than HTTP_JSON_DEPTH. */
bool json_is_flat(const char *text, size_t length);

/* Takes the first bytes of a text away. */
void text_drop(lu_text *text, size_t length);

/* ---- streams ---- */

typedef enum stream_step {
    STREAM_MORE, /* a piece was added, and there is more now */
    STREAM_WAIT, /* nothing more before *wake */
    STREAM_BUSY, /* the same, and it hears no message until then */
    STREAM_WORK, /* `work` is to be called by a worker, then next again */
    STREAM_END,
} stream_step;

struct worker;

/* An answer without an end that is known before. A WebSocket sends each piece as a message. */
typedef struct stream {
    stream_step (*next)(struct stream *stream, double now, lu_text *out, double *wake);
    void (*work)(struct stream *stream, struct worker *worker); /* NULL: never asks for it */
    /* A message of the other side; false ends the stream. NULL: nothing is taken. */
    bool (*hear)(struct stream *stream, const char *text, size_t length);
    void (*free)(struct stream *stream);
    const char *topic; /* for the metrics: "events", "frames", "play" */
} stream;

/* ---- answers ---- */

struct http_answer;

/* An answer that is not there yet. */
typedef struct later {
    /* Fills the answer, or says when to ask again at the latest. Asked after every poke too. */
    bool (*ready)(struct later *later, const http_request *request, double now,
                  struct http_answer *answer, double *wake);
    void (*free)(struct later *later); /* also when the client is gone before it was ready */
} later;

/* Bytes that several answers share: files of the site. */
typedef struct blob {
    char *bytes;
    size_t length;
    int users;
} blob;

void blob_drop(blob *blob);

typedef struct http_answer {
    int status;
    char problem[20]; /* name of the problem that it tells; "": none */
    const char *type; /* content type; NULL: no body */
    lu_text fields;   /* further header lines, each with its CRLF */
    lu_text body;
    blob *shared; /* in place of the body */
    int file;     /* in place of the body, from `from` on; -1: none */
    off_t from;
    size_t length;  /* of the file's part */
    stream *stream; /* in place of the body */
    later *later;   /* in place of the answer */
    bool socket;    /* the stream goes over a WebSocket */
    bool close;     /* the connection ends with it */
    bool cached;    /* `fields` tell how it may be cached; else it may not */
} http_answer;

void answer_init(http_answer *answer);
void answer_free(http_answer *answer);
void answer_field(http_answer *answer, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The body is this JSON; the writer is emptied. */
void answer_json(http_answer *answer, int status, lu_json *json);
/* A problem (RFC 9457): `name` is stable, `detail` one sentence. Returns status. */
int answer_problem(http_answer *answer, const http_request *request, int status, const char *name,
                   const char *pointer, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Name of a status for the status line. */
const char *http_reason(int status);
/* Writes status line and headers. `chunked`: the length is not known. */
void answer_head(const http_answer *answer, const http_request *request, const char *more,
                 lu_text *out);

/* ---- parts of a file ---- */

/* A file with a strong tag: 304, 206, 416 or 200 by If-None-Match, Range and If-Range. `file` is
 * owned by the answer afterwards. */
void answer_file(http_answer *answer, const http_request *request, int file, size_t size,
                 const char *tag, const char *type);
/* True when If-None-Match names the tag (with its quotes). */
bool tag_matches(const char *field, const char *tag);
