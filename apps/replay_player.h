/* The player of replays in a terminal. Ownership: all arguments stay the caller's. Threads: the
 * main thread only. */
#pragma once

#include "ludus/replay_marks.h"

/* Plays from frame `from` at `fps` frames per second until the person leaves; LU_INTERRUPTED when
 * it was by Ctrl-C. The terminal must be open (terminal_open), and stays so. */
lu_status replay_play(lu_replay *replay, lu_env *env, const lu_replay_marks *marks, int64_t from,
                      double fps, lu_error *error);
