/* Sessions of ludus-grpc: vectors of environments that clients open by their wishes and know by
 * numbers that cannot be guessed. A session that nobody asks for a while is dropped; how many there
 * are, and how much memory they take in all, is limited.
 * Ownership: the table owns its sessions; a caller holds those that it took until
 * sessions_release. Threads: any number; a session that is held is held by one of them. */
#pragma once

#include "ludus/episode.h"
#include "ludus/vec.h"

/* grpc.sessions, grpc.environments, grpc.memory_mib, grpc.idle_seconds. */
extern const lu_table sessions_table;

/* What a session sends beyond what it always does; bits in the numbers of ludus.v1.Part. */
enum {
    WITH_INFO = 1 << 1,
    WITH_TERMS = 1 << 2,
    WITH_CRITIC = 1 << 3,
    WITH_TICKS = 1 << 4,
    WITH_ILLEGAL = 1 << 5
};

/* How a session is opened. */
typedef struct session_wish {
    const lu_game *game;
    lu_settings *settings; /* taken, also when opening fails */
    lu_settings *options;  /* taken; NULL: none */
    int64_t environments;
    uint64_t seed;
    lu_autoreset autoreset;
    unsigned parts;
} session_wish;

typedef struct session {
    uint64_t id;
    lu_episode place; /* game, rules and options; its own environment plays nothing */
    lu_vec *vec;
    lu_buffers now;    /* what the last reset or step wrote */
    void *memory;      /* of the buffers */
    int32_t *which;    /* 0, 1, 2, ... */
    int32_t *ended;    /* room for a list of environments */
    uint8_t *was_over; /* environments: its end was told by an earlier step */
    int environments, rows;
    unsigned parts;
    bool waits; /* an environment that ended stays so beyond its step */
    /* the table's */
    size_t bytes;
    int users;
    bool closed, held;
    double used_at;
} session;

typedef struct sessions sessions;

sessions *sessions_new(const lu_settings *limits);
void sessions_delete(sessions *all);

/* Opens a session, which the caller then holds; its environments wait for their first reset. NULL
 * on an error: LU_LIMIT (too many or too large), LU_BAD_VALUE. */
session *sessions_open(sessions *all, const session_wish *wish, lu_error *error);
/* Takes sessions by their numbers, each of which stands there once; all of them, or none on an
 * error: LU_NOT_FOUND, LU_BAD_VALUE (a number stands there twice). Waits for those that others
 * hold. */
lu_status sessions_take(sessions *all, const uint64_t *ids, size_t count, session **taken,
                        lu_error *error);
void sessions_release(sessions *all, session *const *held, size_t count);
/* Closes a session that the caller holds and releases. */
void sessions_close(sessions *all, session *held);
/* Drops what was not asked for too long; returns how many. */
int sessions_expire(sessions *all);
int sessions_count(sessions *all);
