/* Programs that run the same PPO update beside ours (python/anchors/torch_update.py), one line of
 * question and one of answer at a time, so that rounds alternate.
 * Ownership: the caller owns a peer until peer_close. Threads: one. */
#pragma once

#include "ludus/error.h"
#include "ludus/watch.h"

#include <sys/types.h>

typedef struct peer {
    char name[48];  /* last part of the command */
    char about[96]; /* what it says of itself: version and BLAS */
    const lu_watch *watch;
    pid_t child;
    int to, from;
    size_t length;
    char line[512];
} peer;

/* Starts `command` with the script and a number of threads, and reads what it is. `watch` may end
 * the waiting for its answers. */
lu_status peer_open(peer *peer, const char *command, int threads, const lu_watch *watch,
                    lu_error *error);
/* Seconds of one update, of the fastest of its minibatches, and of all processors. */
typedef struct peer_times {
    double update, minibatch, cpu;
} peer_times;

lu_status peer_round(peer *peer, bool bf16, peer_times *times, lu_error *error);
void peer_close(peer *peer);
