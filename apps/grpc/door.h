/* Takes connections for gRPC, whose own listener hears nothing more for ever once descriptors were
 * out, and waits without end for a client that says nothing: a connection is handed on when the
 * preface of HTTP/2 is there, and closed when it is not within seconds.
 * Ownership: the listener belongs to the door, a connection to who takes it. Threads: one of its
 * own, which calls `take`. */
#pragma once

#include <stdbool.h>

typedef struct door door;

/* NULL: no thread can be started, and the listener is still the caller's. */
door *door_open(int listener, void (*take)(void *user, int connection), void *user);
/* Takes no more, and closes those that are not handed on. */
void door_close(door *door);
