/* What a step looks like to a program: the members that traces, replays, the server and the page
 * tell of an environment, written in one place so that they mean the same everywhere. Right after a
 * reset there is no step: its words, events and terms are empty or 0.
 * Ownership: everything is only read. Threads: as lu_env. */
#pragma once

#include "ludus/replay.h"

LU_C_BEGIN

/* Members of a frame. One that every seat has is its value in a game for one, else an array with a
 * value per seat. */
enum {
    LU_FRAME_STEP = 1 << 0,    /* t (-1: the reset), action (null after a reset; an array where
                                  there are several seats or heads) */
    LU_FRAME_COUNTS = 1 << 1,  /* decisions, ticks, over */
    LU_FRAME_REWARD = 1 << 2,  /* reward, of every seat */
    LU_FRAME_REWARDS = 1 << 3, /* rewards, always an array */
    LU_FRAME_RETURNS = 1 << 4, /* returns, always an array */
    LU_FRAME_TERMS = 1 << 5,   /* terms by name before their weights, of every seat */
    LU_FRAME_ENDS = 1 << 6,    /* terminated, truncated */
    LU_FRAME_WORDS = 1 << 7,   /* story, events (names) */
    LU_FRAME_MASK = 1 << 8,    /* mask, of every seat */
    LU_FRAME_HEADS = 1 << 9,   /* mask as an array per head, 0 when it is over; of every seat */
    LU_FRAME_OBSERVATION = 1 << 10, /* obs, of every seat */
    LU_FRAME_INFO = 1 << 11,        /* info, of every seat */
    LU_FRAME_STATE = 1 << 12,       /* state as the only seat sees it, all of it where there are
                                       several */
    LU_FRAME_HIDDEN = 1 << 13,      /* state, all of it */
    LU_FRAME_SIGHTS = 1 << 14,      /* state as it is seen, of every seat */
    LU_FRAME_HASH = 1 << 15,        /* hash of the state */
    LU_FRAME_LEGAL = 1 << 16,       /* legal: flat indices of what may be chosen next before
                                       dependencies, of every seat */
    LU_FRAME_TO_MOVE = 1 << 17,     /* to_move: a bit per seat, 0 when it is over */
};

/* Writes members (LU_FRAME_*) of an open object, in the order above; then `thought` of every
 * seat unless `thoughts` is NULL. */
void lu_frame_write(const lu_env *env, unsigned parts, const lu_thought *thoughts, lu_json *json);
/* The same without thoughts for who may see through the seats in `shown` (a bit each) alone: what
 * every seat has is null for the others. */
void lu_frame_write_shown(const lu_env *env, unsigned parts, unsigned shown, lu_json *json);

/* What the last step was, in one line: the game's story, or the names of the actions. */
void lu_frame_story(const lu_env *env, lu_text *text);
/* Names of the actions of all seats. */
void lu_frame_actions(const lu_env *env, lu_text *text);
/* Bits over the event table of the game. */
uint64_t lu_frame_events(const lu_env *env);
/* Their names, as an array. */
void lu_frame_write_events(const lu_env *env, lu_json *json);
/* The reward terms of a seat by name before their weights, as an object. */
void lu_frame_write_terms(const lu_env *env, int seat, lu_json *json);

/* The header of a replay as one object; `file` is its name. */
void lu_replay_write_header(const lu_replay *replay, const char *file, lu_json *json);
/* The frame of a replay that `env` is at as one object. `parts` are LU_FRAME_STATE or
 * LU_FRAME_HIDDEN, and perhaps LU_FRAME_LEGAL. */
void lu_replay_write_frame(const lu_replay *replay, const lu_env *env, unsigned parts,
                           lu_json *json);

LU_C_END
