/* One writer at a time in the project folder: `ludus new`, `golden --write` and `bench --write`
 * hold this lock while they write. It is an flock on the folder `games`, so nothing is left behind
 * and the end of a process, however it comes, frees it. Ownership: the caller closes what it has
 * opened. Threads: any. */
#pragma once

#include "ludus/error.h"

LU_C_BEGIN

/* LU_BUSY at once when another process holds it. *lock is to be given to lu_project_unlock. */
lu_status lu_project_lock(int *lock, lu_error *error);
/* Takes -1 for none. */
void lu_project_unlock(int lock);

LU_C_END
