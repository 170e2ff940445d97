/* What every server here shares: a listening socket, and secrets.
 * Ownership: the descriptor belongs to the caller. Threads: no state. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>

LU_C_BEGIN

/* Listens at an address and a port (0: any that is free), which *port then tells; *descriptor is
 * non-blocking, and -1 on an error: LU_BAD_VALUE (no address), LU_BUSY (the port is taken), LU_IO.
 */
lu_status lu_listen_at(const char *bind_to, int *port, int *descriptor, lu_error *error);
/* Descriptors for so many connections and the files they ask for, as far as the system lets us:
 * returns how many connections that is for. */
int lu_listen_room(int connections);
/* LU_BAD_VALUE for an address that lets other machines in, where there is no token. */
lu_status lu_listen_check(const char *bind_to, const char *token, lu_error *error);
/* Whether two texts are equal; takes the same time wherever texts of one length differ. */
bool lu_same_secret(const char *a, const char *b);

LU_C_END
