/* Frames of an opened replay, as the player, the page and programs read them: its header, one JSON
 * line or one line of text per frame, and which frames have events. Frame 0 is the reset, frame k
 * follows decision k - 1. Everything is played again from the actions, so reward terms, stories and
 * events are exact though the file holds none of them.
 * Ownership: marks belong to the caller until replay_marks_free. Threads: the main thread only. */
#pragma once

#include "ludus/replay.h"

/* A frame with events, as bits over the event table of the game. */
typedef struct replay_mark {
    int64_t frame;
    uint64_t bits;
} replay_mark;

typedef struct replay_marks {
    size_t count;
    replay_mark *list; /* frames rise */
} replay_marks;

/* What a JSON frame holds besides the rest. */
typedef struct replay_wish {
    bool hidden; /* the whole state, also what no seat sees */
    bool legal;  /* legal options of the next decision */
} replay_wish;

/* Finds the frames with events by the rules alone; LU_INTERRUPTED after Ctrl-C. */
lu_status replay_marks_find(const lu_replay *replay, lu_env *env, replay_marks *marks,
                            lu_error *error);
void replay_marks_free(replay_marks *marks);
/* Header as one JSON object. */
void replay_write_header(const lu_replay *replay, const char *path, lu_json *json);
/* The frame that `env` is at as one JSON object. */
void replay_write_frame(const lu_replay *replay, const lu_env *env, replay_wish wish,
                        lu_json *json);
/* Prints the frames from `from` on: JSON lines, or lines of text and a summary. */
lu_status replay_print_lines(lu_replay *replay, lu_env *env, int64_t from, const replay_wish *json,
                             lu_error *error);
