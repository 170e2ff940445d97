/* A session of play inside the server: what it holds and what happens to it (sessions.c), for those
 * who ask over HTTP and WebSockets (session_routes.c).
 * Ownership: the server's list owns its sessions; one that is busy belongs to a worker. Threads:
 * the server's, but for the session and the turn that a worker has. */
#pragma once

#include "session_seats.h"

/* What is wrong with a wish: a status with a sentence and a place. */
typedef struct wrong {
    int status; /* 0: nothing */
    const char *name, *pointer;
    char text[300];
} wrong;

typedef struct session {
    struct session *next;
    char id[33];
    peer *peer;
    lu_episode episode;
    session_seats seats;
    int played;  /* decisions of the last request */
    bool busy;   /* a worker has it */
    bool gone;   /* it ends when the worker is done */
    wrong why;   /* what went wrong there */
    double used; /* last */
} session;

struct sessions {
    session *first;
    int count, most, most_own;
    size_t bytes, most_bytes; /* of models */
    double seconds;
};

/* What is to happen to a session. */
typedef struct turn {
    job base;
    app *app;
    session *session;
    bool opens, resets; /* its players are found; an episode begins: else it is stepped */
    uint64_t seed;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
} turn;

void session_free(session *s);
/* Takes the session at this place of the list out and frees it, now or when its worker is done. */
void session_end(sessions *all, session **at);
void session_write(const sessions *all, const session *s, lu_json *json);
void session_answer(const app *a, const session *s, int status, http_answer *answer);
/* Fills `why`; false. */
bool session_wrong(wrong *why, int status, const char *name, const char *pointer, const char *text);
/* What a body asks for, checked; false with what is wrong. */
bool session_step(session *s, const lu_json_value *root, turn *t, wrong *why);
bool session_reset(session *s, const lu_json_value *root, turn *t, wrong *why);
session *session_make(const lu_json_value *root, turn *t, wrong *why);
/* Does it here and now among persons, else by a worker. */
bool session_turn(app *a, session *s, const turn *wish, wrong *why);
