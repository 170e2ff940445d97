/* Processes that work together: ranks, numbered from 0, each of which calls the same operations in
 * the same order. Trainers, matches and sweeps know these calls alone; who carries the bytes (MPI,
 * Ray, a test's threads) fills the table. Pieces of a block are told by where they begin and how
 * long they are, in bytes, one of each per rank. Ownership: whoever opened a table closes it,
 * behind the trainers that use it. Threads: calls come from the thread that runs the work. */
#pragma once

#include "ludus/error.h"

LU_C_BEGIN

typedef struct lu_comm {
    int rank, ranks;
    void *context;
    /* Of a block in which every rank has filled its own piece, all get all pieces. */
    void (*share)(void *context, void *block, const size_t *at, const size_t *bytes);
    /* Rank r gets the piece r of `from`, into the piece of `to` that has the sender's number. */
    void (*exchange)(void *context, const void *from, const size_t *from_at,
                     const size_t *from_bytes, void *to, const size_t *to_at,
                     const size_t *to_bytes);
    /* All get what rank 0 has. */
    void (*spread)(void *context, void *block, size_t bytes);
} lu_comm;

/* All ranks call it with how something ended for them: the error of the first that failed is that
 * of all. NULL: a process alone. */
lu_status lu_comm_agree(const lu_comm *comm, lu_status status, lu_error *error);

LU_C_END
