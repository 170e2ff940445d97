/* What a training shows while it runs: a panel that is drawn in place on a terminal, a line now and
 * then elsewhere.
 * Ownership: the caller owns the panel; texts must outlive it. Threads: the main thread. */
#pragma once

#include "ludus/algorithm.h"

enum { PANEL_CURVE = 60 };

typedef struct panel {
    bool quiet; /* rows of JSON are wanted, nothing for people */
    const lu_algorithm *algorithm;
    const lu_game *game;
    const char *title;          /* of the run */
    int64_t total, steps_total; /* updates and steps that are planned */
    int64_t first;              /* updates done before this session */
    double began, shown;        /* seconds */
    double line_seconds;        /* between two lines */
    int drawn;                  /* lines of the panel on the screen */
    int64_t saved;              /* update of the last checkpoint */
    double curve[PANEL_CURVE];  /* recent returns, one per point */
    int points;
    int64_t stride, seen; /* updates per point */
    char judged[200];     /* the last evaluation, "" for none yet */
    char best[200];       /* the best one, with its replay */
    char said[240];       /* the last warning */
} panel;

void panel_start(panel *panel);
/* Shows the progress when it is time; `last` always. */
void panel_show(panel *panel, const lu_progress *progress, bool last);
/* A row of metrics/evals.jsonl has come in. */
void panel_evaluation(panel *panel, const lu_json_value *row);
/* A warning: a line of the panel on a terminal, else a message on stderr. */
void panel_say(panel *panel, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Leaves what was last said where it can be read, below the panel. */
void panel_end(panel *panel);
/* 12.3 k, 4.56 M. */
const char *count_text(double count);
/* 0:35, 1:02:03. */
const char *time_text(double seconds);
