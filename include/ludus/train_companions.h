/* What lives beside a training: the evaluator (a process of its own), TensorBoard's files, the
 * catalogue, the links of the experiment and, when wished, TensorBoard itself and the server of the
 * site. None of them stops the training: what fails there
 * is told once, and the run folder holds all that is needed to make it good later.
 * Ownership: the caller owns the struct; lu_companions_end ends what lu_companions_start began.
 * Threads: one. */
#pragma once

#include "ludus/catalogue.h"
#include "ludus/rows.h"
#include "ludus/run.h"
#include "ludus/tensorboard.h"
#include "ludus/tensorboard_start.h"

#include <sys/types.h>

LU_C_BEGIN

typedef struct lu_companions {
    const char *run;                    /* its folder */
    void (*note)(const char *sentence); /* what failed, for the person at the training */
    pid_t evaluator, server;            /* 0: none is running */
    char address[200];                  /* of the server */
    bool named;                         /* it has an experiment, which gets its models */
    lu_tensorboard *board;
    lu_tensorboard_viewer viewer; /* --tensorboard */
    lu_catalogue *catalogue;
    bool told_board; /* once is enough */
} lu_companions;

typedef struct lu_companion_plan {
    const lu_game *game;
    const lu_settings *settings; /* of the training: eval.on, tensorboard, serve, run.experiment */
    const char *runs, *run;
    int64_t kept;                /* as in lu_tensorboard_open */
    const char *const *left_out; /* settings of this sitting alone; ends with NULL */
} lu_companion_plan;

/* Starts the evaluator (eval.on: this program as `eval --follow RUN`), a TensorBoard file and, when
 * wished, TensorBoard (tensorboard), this program as `serve` (serve) and the folders of an
 * experiment (run.experiment). The caller sets `note`; run and game must outlive it. */
void lu_companions_start(lu_companions *companions, const lu_companion_plan *plan);
/* The model as it is, for the experiment. */
void lu_companions_model(lu_companions *companions, const lu_model_file *model);
/* After a window was closed: its row goes to TensorBoard and the catalogue. */
void lu_companions_window(lu_companions *companions, const char *row);
/* True while the evaluator runs; one that has ended early is told of. */
bool lu_companions_evaluates(lu_companions *companions);
/* Ends the evaluator and the servers (at once) and closes everything. */
void lu_companions_end(lu_companions *companions);

LU_C_END
