/* Which frames of an opened replay have events. Frame 0 is the reset, frame k follows decision k -
 * 1; everything is played again from the actions, so events are exact though the file holds none.
 * Ownership: marks belong to the caller until lu_replay_marks_free. Threads: any. */
#pragma once

#include "ludus/frame.h"
#include "ludus/watch.h"

LU_C_BEGIN

/* A frame with events, as bits over the event table of the game. */
typedef struct lu_replay_mark {
    int64_t frame;
    uint64_t bits;
} lu_replay_mark;

typedef struct lu_replay_marks {
    size_t count;
    lu_replay_mark *list; /* frames rise */
} lu_replay_marks;

/* Finds the frames with events by the rules alone; LU_INTERRUPTED when `watch`
 * (NULL: nobody) said so. */
lu_status lu_replay_marks_find(const lu_replay *replay, lu_env *env, const lu_watch *watch,
                               lu_replay_marks *marks, lu_error *error);
void lu_replay_marks_free(lu_replay_marks *marks);

LU_C_END
