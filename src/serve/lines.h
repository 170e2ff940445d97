/* Lines of text over a connection, without its socket: bytes go in, a service hears whole lines and
 * owes one answer, a line too, for each of them, and bytes come out. The same code serves sockets
 * (line_loop.c), tests and the fuzzer.
 * Ownership: a host belongs to its opener until line_host_free, a peer until line_peer_delete;
 * services keep pointers to peers until `gone`. Threads: one. */
#pragma once

#include "ludus/error.h"
#include "ludus/json.h"
#include "ludus/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct line_peer line_peer;
typedef struct line_host line_host;

/* What is wrong with a line: a stable code, the member it is about or "", and a sentence. */
typedef struct line_wrong {
    const char *code;
    char field[64], text[400];
} line_wrong;

/* Fills it, with no member where that is NULL; false. */
bool line_wrong_set(line_wrong *wrong, const char *code, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A text without zeros inside, as C has them; NULL: the value is none. */
const char *json_word(const lu_json_value *value);

typedef struct line_service {
    size_t line_most;  /* bytes of a line; a longer one ends its connection */
    int owed_most;     /* lines of one peer that are heard before an answer */
    size_t peer_bytes; /* what the service keeps for a peer, zero at first: line_own */
    /* Hears one line, without its end and terminated; owes it one line_answer, now or later. */
    void (*hear)(void *user, line_peer *peer, char *line, size_t length);
    /* Owes an answer that says what is wrong, in its turn. */
    void (*refuse)(void *user, line_peer *peer, const line_wrong *wrong);
    /* All that had come was heard. NULL: nothing is to be done then. */
    void (*round)(void *user);
    /* The peer is at its end; what was owed to it is not owed any more. NULL: nothing to do. */
    void (*gone)(void *user, line_peer *peer);
} line_service;

struct line_host {
    const line_service *service;
    void *user;             /* of the service */
    const char *token;      /* that a connection must give first; NULL: none */
    double request_seconds; /* a line that has begun must be there whole by then */
    double idle_seconds;    /* a peer that asks nothing, or takes no answer, ends after this */
    size_t held;            /* bytes of lines that are not whole yet, over all peers */
    line_peer *touched;     /* peers to which something happened: line_next_touched */
};

line_peer *line_peer_new(line_host *host, double now);
void line_peer_delete(line_peer *peer);
/* What the service keeps for it. */
void *line_own(line_peer *peer);
/* For whoever holds the connection: a number (a descriptor) and two neighbours of a list. */
typedef struct line_link {
    int number;
    unsigned flags;
    line_peer *before, *behind;
} line_link;
line_link *line_link_of(line_peer *peer);

/* How many bytes it takes now; 0: it does not listen. */
size_t line_room(const line_peer *peer);
void line_hear(line_peer *peer, const char *bytes, size_t length, double now);
/* The other side will send no more: what stands behind the last line end is a line too. */
void line_ended(line_peer *peer);
/* Lets the service hear the lines that are there, as far as it takes them. */
void line_feed(line_peer *peer, double now);
/* Whether a further line_feed has something to do now. */
bool line_ready(const line_peer *peer);
/* Sends one answer, which the service owed: a JSON text without its line end. */
void line_answer(line_peer *peer, const char *text, size_t length);
/* What is to be sent, and that it was. */
const char *line_bytes(const line_peer *peer, size_t *length);
void line_sent(line_peer *peer, size_t length, double now);
/* The other side has closed its end while it was to wait: with an answer owed it is gone. */
void line_left(line_peer *peer);
/* Whether an answer is owed to it. */
bool line_owed(const line_peer *peer);
/* Everything was heard, answered and sent, or nobody is there to take it: close it. */
bool line_done(const line_peer *peer);
/* Seconds for which it has been there, or has said no more, without having asked anything. */
double line_silent(const line_peer *peer, double now);
/* Looks whether it took too long over a line, an answer or a question; such a peer is told and
 * ends. */
void line_check(line_peer *peer, double now);
/* Takes a peer out of the list of those to which something happened; NULL when it is empty. */
line_peer *line_next_touched(line_host *host);
