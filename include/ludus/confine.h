/* Least privilege: what a process that takes bytes from others gives up before it does. It can get
 * no new privileges, opens files only below some folders (Landlock), makes no connection, starts no
 * program or process and signals none (seccomp). What a kernel lacks is left out; `ludus doctor`
 * tells.
 * Ownership: the caller owns all texts. Threads: the calling one, and those it makes afterwards. */
#pragma once

#include "ludus/error.h"

LU_C_BEGIN

/* Lists of paths that end with NULL; NULL: none. */
typedef struct lu_confinement {
    const char *const *read;  /* folders to be read; "" is passed over */
    const char *const *write; /* files that are there and may also be written */
    const char *const *make;  /* folders below which everything may be made, changed and removed */
} lu_confinement;

/* LU_FAILED when the kernel refused something that it says it has. */
lu_status lu_confine(const lu_confinement *wish, lu_error *error);

/* What this kernel has: the version of Landlock, 0 for none; filters of calls. */
int lu_confine_landlock(void);
bool lu_confine_seccomp(void);

LU_C_END
