/* What lives beside a training: the evaluator (a process of its own), TensorBoard's files and, when
 * wished, TensorBoard itself, and the catalogue. None of them stops the training: what fails there
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
    pid_t evaluator;                    /* 0: none is running */
    lu_tensorboard *board;
    lu_tensorboard_viewer viewer; /* --tensorboard */
    lu_catalogue *catalogue;
    bool told_board, told_catalogue; /* once is enough */
} lu_companions;

/* Starts the evaluator (eval.on: this program as `eval --follow RUN`), a TensorBoard file and, when
 * wished (tensorboard), TensorBoard; `kept` as in lu_tensorboard_open. The caller sets `note`. */
void lu_companions_start(lu_companions *companions, const lu_settings *settings, const char *runs,
                         const char *run, int64_t kept);
/* After a window was closed: its row goes to TensorBoard and the catalogue. */
void lu_companions_window(lu_companions *companions, const char *row);
/* True while the evaluator runs; one that has ended early is told of. */
bool lu_companions_evaluates(lu_companions *companions);
/* Ends the evaluator (at once) and closes everything. */
void lu_companions_end(lu_companions *companions);

LU_C_END
