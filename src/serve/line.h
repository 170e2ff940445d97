/* One connection without its socket: bytes go in, bytes come out, and it says what it waits for.
 * The same code serves sockets, tests and the fuzzer.
 * Ownership: a line belongs to its opener until line_close. Threads: the service thread. */
#pragma once

#include "app.h"

typedef struct line line;

typedef enum line_wish {
    LINE_READ,   /* more bytes, or the moment line_wake tells */
    LINE_SEND,   /* line_bytes are to be sent */
    LINE_WAIT,   /* a worker is at it: line_poke tells */
    LINE_SOCKET, /* it becomes a WebSocket: line_socket */
    LINE_LINGER, /* all was sent: no more is written, what comes is dropped until line_wake */
    LINE_CLOSE,
} line_wish;

/* A connection of `peer`, with which the gate was entered; `poke` is called with `user` when the
 * line is to go on after LINE_WAIT. */
line *line_open(app *app, peer *peer, const char *address, void (*poke)(void *user), void *user,
                double now);
void line_close(line *line);

/* How many bytes it takes now. */
size_t line_room(const line *line);
void line_hear(line *line, const char *bytes, size_t length);
/* The other side will send no more. */
void line_ended(line *line);
/* Goes on as far as it can. */
line_wish line_go(line *line, double now);
const char *line_bytes(const line *line, size_t *length);
void line_sent(line *line, size_t length, double now);
/* When to go on at the latest. */
double line_wake(const line *line);
/* After LINE_SOCKET: the stream and the peer, which now belong to the caller, and a plain handshake
 * in place of the one that came. */
stream *line_socket(line *line, peer **peer, lu_text *handshake);
