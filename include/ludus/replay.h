/* Replay files: an episode as settings, seed and actions, with hashes of the state every few steps
 * so that a wrong re-simulation is seen, and an optional block with what the agent thought.
 * Frames are never stored: opening a replay plays it once, checks the hashes and keeps a copy of
 * the state every so often (keyframes), so that any frame then shows at once.
 * Layout (docs/replay-format.md): magic, version, game id, spec and rules hash, settings, options,
 * seed, zstd block of actions, state hashes, optional thoughts, hash of the file. Ownership: writer
 * and replay own their buffers; game must outlive both. Threads: one at a time. */
#pragma once

#include "ludus/episode.h"

LU_C_BEGIN

enum {
    LU_REPLAY_VERSION = 2,     /* the first one is read too */
    LU_REPLAY_HASH_EVERY = 64, /* decisions between two stored hashes */
    LU_THOUGHT_TOP = 8,        /* options of a head that a thought keeps, and ... */
    LU_THOUGHT_MOST = 128,     /* ... of all heads: with more than 16, fewer of each */
    /* Longest episode of a replay. Opening plays the episode, so this bounds the time that a
     * hostile file of a few kilobytes can take: a second or so per microsecond of a game's step. */
    LU_REPLAY_DECISIONS = 1 << 20,
};
#define LU_REPLAY_LIMIT ((size_t)256 << 20) /* largest file and largest unpacked block, bytes */

/* What the agent of one seat thought at one decision: of each head the likeliest options. */
typedef struct lu_thought {
    bool known;    /* false: nobody thought here */
    bool foresees; /* `win` is known: the model has a predictor of wins */
    float value, entropy;
    float win;                              /* how likely the seat wins */
    int32_t top_count;                      /* entries used below, head by head */
    int32_t top_action[LU_THOUGHT_MOST];    /* flat option index: head offset + option */
    float top_probability[LU_THOUGHT_MOST]; /* falling within a head */
} lu_thought;

/* How many options of a head a thought keeps. */
static inline int lu_thought_top(int heads) {
    int room = LU_THOUGHT_MOST / heads;
    return room < LU_THOUGHT_TOP ? room : LU_THOUGHT_TOP;
}

/* ---- recording ---- */

typedef struct lu_recorder lu_recorder;

/* Starts a record of the episode that `env` has just been reset to. `settings_json` and
 * `options_json` are the canonical texts (lu_settings_json) that made the rules and the options. */
lu_recorder *lu_recorder_new(const lu_env *env, const char *settings_json,
                             const char *options_json);
void lu_recorder_delete(lu_recorder *recorder);
/* After each lu_env_step; `thoughts` has one per seat, or is NULL (for all decisions of the episode
 * or for none). */
void lu_recorder_step(lu_recorder *recorder, const lu_env *env, const lu_thought *thoughts);
/* The file's bytes (the caller frees them): the same episode gives the same bytes. LU_LIMIT when it
 * has more than LU_REPLAY_DECISIONS decisions or LU_REPLAY_LIMIT bytes. */
lu_status lu_recorder_finish(lu_recorder *recorder, const lu_env *env, char **bytes, size_t *length,
                             lu_error *error);
/* The same into a file. */
lu_status lu_recorder_write(lu_recorder *recorder, const lu_env *env, const char *path,
                            lu_error *error);

/* ---- opening ---- */

typedef struct lu_replay {
    lu_episode episode; /* its environment is at no particular frame */
    uint64_t seed;
    int64_t decisions;      /* frames are 0 (after reset) .. decisions */
    const int32_t *actions; /* decisions x seats x heads */
    bool thoughts;          /* there are some: lu_replay_thought */
    bool ended;             /* the episode was over at the last frame */
    struct lu_replay_internal *inside;
} lu_replay;

/* Reads and re-simulates. Errors: LU_FOREIGN_FILE (not a replay), LU_OTHER_VERSION,
 * LU_DAMAGED_FILE (names the offset), LU_NOT_FOUND (unknown game), LU_OTHER_SPEC (other rules),
 * LU_LIMIT (too large, or more than LU_REPLAY_DECISIONS), LU_CHECK_FAILED (re-simulation differs,
 * names the decision). */
lu_replay *lu_replay_open(const char *path, lu_error *error);
lu_replay *lu_replay_read(const char *name, const void *bytes, size_t length, lu_error *error);
void lu_replay_close(lu_replay *replay);
/* What a seat thought at a decision (0 leads to frame 1), in *thought; false where nobody did. A
 * file of version 1 holds one thought per decision: that of the first seat to move. */
bool lu_replay_thought(const lu_replay *replay, int64_t decision, int seat, lu_thought *thought);
/* The bytes of a replay of an earlier version or specification as this build writes it (the caller
 * frees them); of a current one, its own. It is played to be sure. Errors: those of lu_replay_read.
 */
lu_status lu_replay_upgrade(const char *name, const void *bytes, size_t length, char **upgraded,
                            size_t *upgraded_length, lu_error *error);
/* Puts `env` (of the game and rules of replay->episode) at a frame: at most one keyframe distance
 * of stepping. */
void lu_replay_seek(lu_replay *replay, lu_env *env, int64_t frame);

LU_C_END
