/* Processes in which tools run, so that none of them can take the server's memory, time or life.
 * At its start the server forks one process, the keeper, which forks the forker, and another when
 * that one is killed; the forker forks the workers, each with a socket of its own, and one in place
 * of each that ends. No request starts a process, and the server, which has threads, forks no more.
 * A worker runs one job after the other under limits of the system (memory, processor time, no
 * files written, none read but models, no connection, no process: ludus/confine.h) and leaves when
 * it keeps much memory. Ownership: a forker belongs to its opener until forker_close, a socket to
 * who got it as news. Threads: one at a time. */
#pragma once

#include "ludus/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what a server tells its workers, and they it ---- */

typedef enum tool_frame_kind {
    FRAME_RUN,      /* to a worker: game and tool, each with its NUL, and the body of the request */
    FRAME_CANCEL,   /* to a worker: end early; it may come after the end */
    FRAME_PROGRESS, /* a double and a text */
    FRAME_DOCUMENT, /* one document of the answer */
    FRAME_END,      /* a tool_end */
} tool_frame_kind;

typedef struct tool_frame {
    uint32_t kind, length; /* bytes that follow */
} tool_frame;

/* How a run ended. */
typedef struct tool_end {
    int32_t status;  /* of HTTP; 200: the documents are the answer; 0: cancelled */
    int32_t retires; /* 1: the worker takes no more jobs */
    char name[32];   /* of the problem */
    char pointer[64];
    char detail[1024];
} tool_end;

enum { TOOL_WHAT_ROOM = 200 }; /* of a text of progress with its NUL */

typedef struct tool_limits {
    int workers, threads;
    double seconds;       /* of a job */
    size_t memory, bytes; /* of a job; of its answer */
    const char *models;   /* the folder that a worker may read; NULL: it is not confined */
} tool_limits;

/* Settings of a run beside those of its tool. */
extern const lu_table tool_wish_table;

/* ---- the forker ---- */

typedef struct forker forker;

/* A worker that is ready, the first of its place or the next. */
typedef struct forker_news {
    int place;      /* below limits->workers */
    int generation; /* of the place, from 1 on */
    int ended;      /* how the one before ended, as waitpid says it */
    int socket;
} forker_news;

/* Forks; to be called before there are threads. `runs` as in lu_tool_lend. */
forker *forker_open(const tool_limits *limits, const char *runs, lu_error *error);
/* Ends forker and workers. */
void forker_close(forker *forker);
/* To be waited for; -1 when the forker is gone. */
int forker_socket(const forker *forker);
/* Takes one piece of news without waiting; false: there is none. */
bool forker_hear(forker *forker, forker_news *news);
/* Kills a worker, if it is still the one of this generation. */
void forker_kill(forker *forker, int place, int generation);

/* ---- the worker's side (tool_run.c) ---- */

/* Serves jobs from a socket until its end; never comes back. */
_Noreturn void tool_worker_main(int socket, const tool_limits *limits, const char *runs);
