/* Who may ask for what, and how often: Host, Origin, token, rate, and how many connections.
 * Ownership: access_new to access_delete; peers belong to it. Threads: the service thread. */
#pragma once

#include "http.h"

#include "ludus/serve.h"

typedef struct peer {
    char address[HTTP_ADDRESS_ROOM];
    int links, sessions;
    double allowance, at; /* requests it may still make, as of then */
    bool used;
} peer;

typedef struct access_control access_control;

access_control *access_new(const lu_serve_options *options);
void access_delete(access_control *access_control);
/* Takes so many connections at most, whatever the settings say. */
void access_limit(access_control *access_control, int connections);
/* A new connection; NULL when there are too many, in all or from there. */
peer *access_enter(access_control *access_control, const char *address);
void access_leave(access_control *access_control, peer *peer);
int access_links(const access_control *access_control);
/* Host, Origin, token and rate; false when the answer is filled. The route may be NULL. */
bool access_check(access_control *access_control, peer *peer, const http_request *request,
                  http_answer *answer, double now);
/* Header lines that every answer to this request has: CORS and the security headers. */
void access_fields(const access_control *access_control, const http_request *request, lu_text *out);
/* A ticket that stands for the token once, within half a minute; room for 33 bytes. There are 64:
 * a further one takes the place of the oldest. */
void access_ticket(access_control *access_control, double now, char *ticket);
/* 32 random hex digits. */
void random_hex(char *text, int digits);
