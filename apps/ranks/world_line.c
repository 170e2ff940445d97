/* A comm over a line to the parent: see world_line.h. Every operation is one swap: the process
 * gives a piece for each rank, or one for all, and gets a piece from each. Numbers on the line are
 * u64 as this machine has them. To the parent go the number of pieces (1: the same for all), then
 * of each its length and its bytes; from the parent comes of each rank a length and its bytes.
 * A line that ends tells that a rank is lost. */
#include "world_line.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct line {
    int fd, rank, ranks;
    void (*lost)(int rank);
} line;

static line own; /* of the process, as its environment is */

static void put(const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        ssize_t n = write(own.fd, at, length);
        if (n <= 0 && errno != EINTR) {
            own.lost(own.rank);
        }
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
}

static void get(void *bytes, size_t length) {
    for (char *at = bytes; length > 0;) {
        ssize_t n = read(own.fd, at, length);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            own.lost(own.rank);
        }
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
}

static void put_number(uint64_t number) {
    put(&number, sizeof number);
}

/* The piece of a rank, of a length that both know. */
static void get_piece(void *to, size_t bytes) {
    uint64_t length;
    get(&length, sizeof length);
    if (length != bytes) {
        own.lost(own.rank); /* ranks that do different things */
    }
    get(to, bytes);
}

static void share(void *context, void *block, const size_t *at, const size_t *bytes) {
    char *all = block;
    (void)context;
    put_number(1);
    put_number(bytes[own.rank]);
    put(all + at[own.rank], bytes[own.rank]);
    for (int r = 0; r < own.ranks; r++) {
        get_piece(all + at[r], bytes[r]);
    }
}

static void exchange(void *context, const void *from, const size_t *from_at,
                     const size_t *from_bytes, void *to, const size_t *to_at,
                     const size_t *to_bytes) {
    (void)context;
    put_number((uint64_t)own.ranks);
    for (int r = 0; r < own.ranks; r++) {
        put_number(from_bytes[r]);
        put((const char *)from + from_at[r], from_bytes[r]);
    }
    for (int r = 0; r < own.ranks; r++) {
        get_piece((char *)to + to_at[r], to_bytes[r]);
    }
}

static void spread(void *context, void *block, size_t bytes) {
    (void)context;
    put_number(1);
    put_number(own.rank == 0 ? bytes : 0);
    put(block, own.rank == 0 ? bytes : 0);
    get_piece(block, bytes);
    for (int r = 1; r < own.ranks; r++) {
        get_piece(NULL, 0);
    }
}

lu_status world_line_open(lu_comm *comm, void (*lost)(int rank), lu_error *error) {
    const char *told = getenv(WORLD_LINE);
    if (!told || sscanf(told, "%d %d %d", &own.fd, &own.rank, &own.ranks) != 3 || own.fd < 3 ||
        own.rank < 0 || own.rank >= own.ranks) {
        return lu_fail(error, LU_BAD_VALUE,
                       WORLD_LINE " = '%.100s' isn't a descriptor, a rank and the number of ranks: "
                                  "`python -m ludus.ray` sets it, and it must be unset elsewhere",
                       told ? told : "");
    }
    signal(SIGPIPE, SIG_IGN);
    own.lost = lost;
    *comm = (lu_comm){.rank = own.rank,
                      .ranks = own.ranks,
                      .share = share,
                      .exchange = exchange,
                      .spread = spread};
    return LU_OK;
}
