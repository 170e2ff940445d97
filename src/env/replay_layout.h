/* The layout of a replay file, shared by its writer and its reader: docs/replay-format.md tells it
 * byte by byte. Every number is little-endian. */
#pragma once

#include "ludus/replay.h"

/* The first byte is no ASCII and the last two change under newline conversion, so that a file that
 * was sent as text is seen at once. */
#define LU_REPLAY_MAGIC "\x8cLUREP\r\n"

enum {
    LU_REPLAY_AT_VERSION = 8,
    LU_REPLAY_AT_FLAGS = 12,
    LU_REPLAY_AT_SPEC = 16,
    LU_REPLAY_AT_MODEL = 24,
    LU_REPLAY_AT_SEED = 32,
    LU_REPLAY_AT_DECISIONS = 40,
    LU_REPLAY_AT_SEATS = 48,
    LU_REPLAY_AT_HEADS = 50,
    LU_REPLAY_AT_EVERY = 52,
    LU_REPLAY_AT_PARTS = 56, /* per part: stored bytes, unpacked bytes, check; 4 bytes each */
    LU_REPLAY_AT_LENGTH = 128,
    LU_REPLAY_AT_CHECK = 132, /* of everything before it */
    LU_REPLAY_HEADER = 136,
    LU_REPLAY_FOOTER = 8, /* hash of everything before it */
    LU_REPLAY_PART_ROW = 12,
};

enum {
    LU_REPLAY_ENDED = 1,    /* the episode was over at the last frame */
    LU_REPLAY_THOUGHTS = 2, /* there is a block of thoughts */
    LU_REPLAY_WIDE = 4,     /* actions are zigzag varints, not bytes */
    LU_REPLAY_WINS = 8,     /* behind the thoughts: how likely each seat wins */
    LU_REPLAY_FLAGS = 15,
};

/* Parts in the order they lie in the file. */
enum {
    LU_REPLAY_GAME,     /* id */
    LU_REPLAY_SETTINGS, /* canonical JSON */
    LU_REPLAY_OPTIONS,  /* canonical JSON, or empty: reset without options */
    LU_REPLAY_ACTIONS,  /* zstd */
    LU_REPLAY_HASHES,   /* 8 bytes each: frames 0, every, 2 every, ... and the last */
    LU_REPLAY_THINKING, /* zstd, or empty */
    LU_REPLAY_PARTS,
};

/* A decision has a byte with a bit per seat that thought (not in version 1, where one did); a
 * thought is value, entropy, count, then 8 bytes per entry. With LU_REPLAY_WINS a float per
 * decision and seat follows behind them all, NaN where there is none. */
enum { LU_REPLAY_THOUGHT_LEAST = 9, LU_REPLAY_TOP_BYTES = 8, LU_REPLAY_WIN_BYTES = 4 };

/* Number of stored hashes. */
static inline uint64_t lu_replay_hashes(uint64_t decisions, uint64_t every) {
    return decisions / every + 1 + (decisions % every != 0);
}

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* A fuzzer cannot guess hashes, and should not spend its time on packed deserts. */
#define LU_REPLAY_CHECKED 0
#define LU_REPLAY_UNPACK  ((size_t)1 << 16)
#else
#define LU_REPLAY_CHECKED 1
#define LU_REPLAY_UNPACK  LU_REPLAY_LIMIT
#endif

typedef struct lu_replay_part {
    const unsigned char *bytes;
    size_t offset, stored, unpacked;
    uint32_t check;
} lu_replay_part;

/* The file while it is being read. */
typedef struct lu_replay_reader {
    const char *name;
    const unsigned char *bytes;
    size_t length;
    uint32_t version, flags, every;
    uint64_t spec, rules, decisions;
    uint16_t seats, heads;
    lu_replay_part parts[LU_REPLAY_PARTS];
    lu_error *error;
} lu_replay_reader;

extern const char *const lu_replay_part_names[LU_REPLAY_PARTS];

/* A little-endian number of 1 to 8 bytes. */
uint64_t lu_replay_number(const unsigned char *at, int bytes);
/* The error of a damaged file: where, in which part, and how. */
lu_status lu_replay_damaged(const lu_replay_reader *r, size_t offset, const char *what,
                            const char *how);
/* Reads header and sizes: afterwards all parts lie within the file. */
lu_status lu_replay_header(lu_replay_reader *r);
/* Compares the hash of the file. */
lu_status lu_replay_check(const lu_replay_reader *r);
/* The blocks as arrays that the caller frees; NULL with an error when they are damaged. */
int32_t *lu_replay_actions(const lu_replay_reader *r);
/* The thoughts as they lie in the file, every one checked, and where those of a decision begin:
 * also the caller's, and NULL together. */
unsigned char *lu_replay_thoughts(const lu_replay_reader *r, const lu_game *game,
                                  uint32_t **begins);
/* Reads one thought and returns what is behind it; NULL when it is cut off or names an option that
 * does not exist. */
const unsigned char *lu_thought_read(const unsigned char *at, const unsigned char *end, int options,
                                     lu_thought *thought);
/* What a thought foresees, from its place behind the thoughts. */
void lu_thought_read_win(const unsigned char *at, lu_thought *thought);

/* Reads a replay for `game`, or for the registered game that the file names when it is NULL. */
lu_replay *lu_replay_read_for(const lu_game *game, const char *name, const void *bytes,
                              size_t length, lu_error *error);
