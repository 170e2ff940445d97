/* Frames of WebSockets (RFC 6455), without sockets: bytes of a client become messages, messages of
 * ours become frames. Strict: a frame that is not masked, has reserved bits, is not of text, breaks
 * UTF-8 or a rule about fragments, or makes a message of more than HTTP_MESSAGE_MOST bytes ends the
 * conversation with the status that says so.
 * Ownership: a reader owns its message until websocket_free. Threads: each belongs to one. */
#pragma once

#include "http.h"

enum {
    WEBSOCKET_CLOSE_NORMAL = 1000,
    WEBSOCKET_CLOSE_AWAY = 1001,
    WEBSOCKET_CLOSE_PROTOCOL = 1002,
    WEBSOCKET_CLOSE_KIND = 1003,
    WEBSOCKET_CLOSE_TEXT = 1007,
    WEBSOCKET_CLOSE_LARGE = 1009,
    WEBSOCKET_FRAME_MOST = HTTP_MESSAGE_MOST + 14, /* bytes of a frame that is taken */
};

typedef struct websocket {
    lu_text message; /* as far as it came */
    bool begun;      /* more fragments of it follow */
    bool fresh;      /* bytes came that were not looked at */
    bool deaf;       /* a message is not answered yet: one at a time */
    bool leaving;    /* the close frame is out: nothing follows it */
    bool pinged;
    double heard; /* when bytes came last */
} websocket;

typedef enum websocket_event {
    WEBSOCKET_MORE,    /* the frame is not there yet */
    WEBSOCKET_MESSAGE, /* `message` is whole; the next frame begins another */
    WEBSOCKET_CONTROL, /* a ping, which `out` answers, or a pong, or a fragment */
    WEBSOCKET_END,     /* `out` ends with a close frame: nothing more is to be read or sent */
} websocket_event;

void websocket_init(websocket *socket);
void websocket_free(websocket *socket);
/* The value of Sec-WebSocket-Accept for a key. */
void websocket_accept(const char *key, char accept[29]);
/* Reads one frame from the begin of `bytes`, which are unmasked in place; *used bytes belong to it.
 */
websocket_event websocket_read(websocket *socket, char *bytes, size_t length, size_t *used,
                               lu_text *out);
/* Goes on with a conversation: reads what came in, up to a message, which the stream answers before
 * the next is heard, and puts into `out`, which is empty, what there is to send. A silent client is
 * pinged after half a minute and given up a quarter later. False when it is to be closed at once;
 * *wake is when to go on at the latest. */
bool websocket_go(websocket *socket, stream *stream, lu_text *in, lu_text *out, double now,
                  double *wake);
