/* Least privilege: what the server gives up when it is ready to serve. It can get no new
 * privileges, opens files only below the folders it serves and writes none but its catalogue
 * (Landlock), makes no connection and starts no program or process (Landlock, seccomp). What a
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
