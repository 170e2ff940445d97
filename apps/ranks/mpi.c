/* The comm of MPI, in a module of its own that `ludus` opens where mpirun has started it
 * (apps/world.c): the program itself needs no MPI. Calls come from one thread. An error of MPI ends
 * the job, as MPI does by default. */
#include "ludus/comm.h"

#include <mpi.h>

/* what apps/world.c looks for */
__attribute__((visibility("default"))) lu_comm lu_mpi_open(void);
__attribute__((visibility("default"))) void lu_mpi_close(void);

/* A message is small enough to leave at once. A larger one waits until its receiver agrees, and
 * over TCP that answer stands in line behind what the receiver sends itself: two ranks that give to
 * each other would do so one after the other. */
enum { MESSAGE = 60 << 10, TOGETHER = 128, MOST = 1 << 30 };

typedef struct traffic {
    int count;
    MPI_Request request[TOGETHER];
} traffic;

static int at_most(size_t bytes, int most) {
    return bytes < (size_t)most ? (int)bytes : most;
}

static void settle(traffic *t) {
    MPI_Waitall(t->count, t->request, MPI_STATUSES_IGNORE);
    t->count = 0;
}

/* Begins to give to one rank and to take from another. All ranks begin in the same order, so that
 * whoever settles waits for nobody who waits for it. */
static void trade(traffic *t, int next, const char *gives, size_t given, int last, char *takes,
                  size_t taken) {
    for (size_t at = 0; at < given || at < taken; at += MESSAGE) {
        if (t->count > TOGETHER - 2) {
            settle(t);
        }
        if (at < taken) {
            MPI_Irecv(takes + at, at_most(taken - at, MESSAGE), MPI_BYTE, last, 0, MPI_COMM_WORLD,
                      &t->request[t->count++]);
        }
        if (at < given) {
            MPI_Isend(gives + at, at_most(given - at, MESSAGE), MPI_BYTE, next, 0, MPI_COMM_WORLD,
                      &t->request[t->count++]);
        }
    }
}

/* Partners in turn, beginning with the neighbours: nobody is given to by all at once. */
static void exchange(void *context, const void *from, const size_t *from_at,
                     const size_t *from_bytes, void *to, const size_t *to_at,
                     const size_t *to_bytes) {
    int rank, ranks;
    traffic t = {0};
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int apart = 0; apart < ranks; apart++) {
        int next = (rank + apart) % ranks, last = (rank - apart + ranks) % ranks;
        trade(&t, next, (const char *)from + from_at[next], from_bytes[next], last,
              (char *)to + to_at[last], to_bytes[last]);
    }
    settle(&t);
}

static void share(void *context, void *block, const size_t *at, const size_t *bytes) {
    int rank, ranks;
    traffic t = {0};
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int apart = 1; apart < ranks; apart++) {
        int next = (rank + apart) % ranks, last = (rank - apart + ranks) % ranks;
        trade(&t, next, (char *)block + at[rank], bytes[rank], last, (char *)block + at[last],
              bytes[last]);
    }
    settle(&t);
}

static void spread(void *context, void *block, size_t bytes) {
    (void)context;
    for (size_t done = 0; done < bytes; done += MOST) {
        MPI_Bcast((char *)block + done, at_most(bytes - done, MOST), MPI_BYTE, 0, MPI_COMM_WORLD);
    }
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
