/* TensorBoard beside a training, where it is installed: a process of its own on a loopback port.
 * Ownership: the struct belongs to the caller and is given to lu_tensorboard_stop. Threads: the
 * main thread; the process ends with it, however that ends. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <sys/types.h>

LU_C_BEGIN

typedef struct lu_tensorboard_viewer {
    pid_t process;    /* 0: none */
    char address[64]; /* such as http://127.0.0.1:6006 */
} lu_tensorboard_viewer;

/* Starts `tensorboard` of the PATH, else that of `python3`, on a free port of 127.0.0.1 with the
 * event files below `logdir`, which is made when it is missing. It answers some seconds later; what
 * it prints goes to LOGDIR/tensorboard.log. LU_NOT_FOUND, with how to install it, when there is
 * none. */
lu_status lu_tensorboard_start(const char *logdir, lu_tensorboard_viewer *board, lu_error *error);
/* Ends it and waits until it has ended; a board that was never started is fine. False when it had
 * ended before, which its log explains. */
bool lu_tensorboard_stop(lu_tensorboard_viewer *board);

LU_C_END
