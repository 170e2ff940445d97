/* What lives beside a training: the evaluator (a process of its own), TensorBoard's files and, when
 * wished, TensorBoard itself, and the catalogue. None of them stops the training: what fails there
 * is told once, and the run folder holds all that is needed to make it good later.
 * Ownership: the caller owns the struct; side_end ends what side_start began. Threads: the main
 * thread. */
#pragma once

#include "tensorboard_start.h"
#include "verb.h"

#include "ludus/catalogue.h"
#include "ludus/rows.h"
#include "ludus/run.h"
#include "ludus/tensorboard.h"

#include <sys/types.h>

typedef struct side {
    const char *run; /* its folder */
    pid_t evaluator; /* 0: none is running */
    lu_tensorboard *board;
    tensorboard viewer; /* --tensorboard */
    lu_catalogue *catalogue;
    bool told_board, told_catalogue; /* once is enough */
} side;

/* Starts the evaluator (eval.on), a TensorBoard file and, when wished, TensorBoard; `kept` as in
 * lu_tensorboard_open. */
void side_start(side *side, const verb_call *call, const char *runs, const char *run, int64_t kept);
/* After a window was closed: its row goes to TensorBoard and the catalogue. */
void side_window(side *side, const char *row);
/* True while the evaluator runs; one that has ended early is told of. */
bool side_evaluates(side *side);
/* Ends the evaluator (at once) and closes everything. */
void side_end(side *side);
