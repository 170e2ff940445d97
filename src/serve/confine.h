/* Least privilege: what the server and the workers of tools give up when they are ready to serve.
 * They can get no new privileges, open files only below some folders and write none but the
 * catalogue (Landlock), make no connection, start no program or process and signal none (Landlock,
 * seccomp). What a
 * kernel lacks is left out; `ludus doctor` tells.
 * Ownership: the caller owns all texts. Threads: the calling one, and those it makes afterwards. */
#pragma once

#include "ludus/serve.h"

typedef struct confinement {
    const char *const *read;  /* folders, or files, to be read; end with NULL; "" is passed over */
    const char *const *write; /* files that are there and may also be written; end with NULL */
} confinement;

/* False when the kernel refused something that it says it has. */
bool confine(const confinement *wish);
