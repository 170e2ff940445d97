/* The comm of MPI, in a module of its own that `ludus` opens where mpirun has started it
 * (apps/world.c): the program itself needs no MPI. Calls come from one thread. An error of MPI ends
 * the job, as MPI does by default. */
#include "ludus/comm.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* what apps/world.c looks for */
__attribute__((visibility("default"))) lu_comm lu_mpi_open(void);
__attribute__((visibility("default"))) void lu_mpi_close(void);

enum { MOST = 1 << 30 }; /* bytes of one message */

/* Counts of MPI are ints: pieces that lie too far apart for them go one by one. */
static int fits(int ranks, const size_t *at, const size_t *bytes) {
    for (int r = 0; r < ranks; r++) {
        if (at[r] + bytes[r] > INT_MAX) {
            return 0;
        }
    }
    return 1;
}

static void to_ints(int ranks, const size_t *from, int *to) {
    for (int r = 0; r < ranks; r++) {
        to[r] = (int)from[r];
    }
}

static void spread_from(int root, char *block, size_t bytes) {
    for (size_t done = 0; done < bytes; done += MOST) {
        size_t left = bytes - done;
        MPI_Bcast(block + done, (int)(left < MOST ? left : MOST), MPI_BYTE, root, MPI_COMM_WORLD);
    }
}

static void spread(void *context, void *block, size_t bytes) {
    (void)context;
    spread_from(0, block, bytes);
}

static void share(void *context, void *block, const size_t *at, const size_t *bytes) {
    int ranks;
    (void)context;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!fits(ranks, at, bytes)) {
        for (int r = 0; r < ranks; r++) {
            spread_from(r, (char *)block + at[r], bytes[r]);
        }
        return;
    }
    int *ints = malloc(2 * (size_t)ranks * sizeof *ints);
    to_ints(ranks, bytes, ints);
    to_ints(ranks, at, ints + ranks);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, block, ints, ints + ranks, MPI_BYTE,
                   MPI_COMM_WORLD);
    free(ints);
}

/* A round after the other, each with one partner to give to and one to take from. */
static void exchange_rounds(int rank, int ranks, const char *from, const size_t *from_at,
                            const size_t *from_bytes, char *to, const size_t *to_at,
                            const size_t *to_bytes) {
    for (int apart = 0; apart < ranks; apart++) {
        int next = (rank + apart) % ranks, last = (rank - apart + ranks) % ranks;
        size_t gives = from_bytes[next], takes = to_bytes[last];
        for (size_t done = 0; done < gives || done < takes; done += MOST) {
            size_t g = done < gives ? gives - done : 0, t = done < takes ? takes - done : 0;
            MPI_Sendrecv(from + from_at[next] + done, (int)(g < MOST ? g : MOST), MPI_BYTE, next,
                         apart, to + to_at[last] + done, (int)(t < MOST ? t : MOST), MPI_BYTE, last,
                         apart, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

static void exchange(void *context, const void *from, const size_t *from_at,
                     const size_t *from_bytes, void *to, const size_t *to_at,
                     const size_t *to_bytes) {
    int rank, ranks;
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange_rounds(rank, ranks, from, from_at, from_bytes, to, to_at, to_bytes);
}

lu_comm lu_mpi_open(void) {
    lu_comm comm = {.share = share, .exchange = exchange, .spread = spread};
    int level;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &comm.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &comm.ranks);
    return comm;
}

void lu_mpi_close(void) {
    MPI_Finalize();
}
