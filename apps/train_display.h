/* What a training tells: its memory and its start, a display that is drawn in place on a terminal
 * or a line now and then elsewhere, and its end; or all of that as rows of JSON. Ownership: the
 * caller owns the display; what it points at must outlive it. Threads: the main thread. */
#pragma once

#include "ludus/training.h"

enum { DISPLAY_CURVE = 60 };

typedef struct display {
    bool json; /* rows of JSON, nothing for people */
    const lu_training_plan *plan;
    const char *preset;      /* the one that holds; NULL: none */
    const char *preset_told; /* and why; "" for a run that is resumed */
    lu_training_need need;
    size_t free;                 /* memory; 0: not known */
    lu_training *training;       /* from display_start on */
    int64_t first;               /* updates done before this sitting */
    double shown;                /* when, in seconds of the sitting */
    int drawn;                   /* lines of the display on the screen */
    double curve[DISPLAY_CURVE]; /* recent returns, one per point */
    int points;
    int64_t stride, seen; /* updates per point */
    char judged[200];     /* the last evaluation, "" for none yet */
    char best[200];       /* the best one, with its replay */
    char said[240];       /* the last warning */
    /* of the update under way, or of an exploiter's: when it began, what it is at and since when,
     * how long the one before learned (0: not known), and whether it is told that it is the last */
    double began, since, learned;
    const char *at;
    bool ends;
    char words[1200]; /* of a second Ctrl-C */
} display;

/* The memory that is needed, before anything is made. */
void display_memory(const display *display);
void display_start(display *display, lu_training *training);
/* After an update: shows the progress when it is time; `last` always. */
void display_update(display *display, const lu_progress *progress, const char *row, bool last);
/* Inside an update, that is at `what` by a share: a line when it takes long, and after Ctrl-C what
 * is waited for. `run` names the run in commands. */
void display_within(display *display, double share, const char *what, const char *run);
/* After a window: its row, and what looks wrong in it as a line of the display on a terminal, else
 * as a message on stderr. */
void display_window(display *display, const lu_window *window, const lu_progress *last,
                    const char *row);
/* After an update of an exploiter: a line now and then, and at the end of its turn. */
void display_exploiter(display *display, const char *name, const lu_progress *progress,
                       int64_t done, int64_t updates);
/* A row of metrics/evals.jsonl has come in. */
void display_evaluation(display *display, const lu_json_value *row);
/* How the sitting ended: `state` is a status of a run. `run` names the run in commands. */
void display_end(const display *display, const char *state, const char *run);
/* 12.3 k, 4.56 M. */
const char *count_text(double count);
/* 0:35, 1:02:03. */
const char *time_text(double seconds);
