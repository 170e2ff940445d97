/* Frames of an opened replay as lines, of JSON or of text, and which frames have events. Frame 0 is
 * the reset, frame k follows decision k - 1. Everything is played again from the actions, so reward
 * terms, stories and events are exact though the file holds none of them. Ownership: marks belong
 * to the caller until replay_marks_free. Threads: the main thread only. */
#pragma once

#include "ludus/frame.h"

/* A frame with events, as bits over the event table of the game. */
typedef struct replay_mark {
    int64_t frame;
    uint64_t bits;
} replay_mark;

typedef struct replay_marks {
    size_t count;
    replay_mark *list; /* frames rise */
} replay_marks;

/* Finds the frames with events by the rules alone; LU_INTERRUPTED after Ctrl-C. */
lu_status replay_marks_find(const lu_replay *replay, lu_env *env, replay_marks *marks,
                            lu_error *error);
void replay_marks_free(replay_marks *marks);
/* Prints the frames from `from` on: JSON lines (`parts` as for lu_replay_write_frame), or lines of
 * text and a summary where that is NULL. */
lu_status replay_print_lines(lu_replay *replay, lu_env *env, int64_t from, const unsigned *parts,
                             lu_error *error);
