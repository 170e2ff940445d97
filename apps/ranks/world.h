/* The processes that mpirun, or `python -m ludus.ray`, has started together. */
#pragma once

#include "ludus/comm.h"

typedef struct world {
    void *module; /* of MPI; or NULL */
    lu_comm comm; /* of one rank: this process is alone */
} world;

/* Joins the others, where a starter of MPI programs has told the environment of them. */
lu_status world_open(world *w, lu_error *error);
/* NULL where the process is alone. */
const lu_comm *world_comm(const world *w);
/* Whether this is rank 0, or alone: the one that tells, and keeps what is kept. */
bool world_first(const world *w);
/* What ranks behind the first print and note goes nowhere. */
void world_hush(const world *w);
/* Waits for all ranks to come here. Returns `status` where this is rank 0, which tells it; else
 * LU_OK. */
lu_status world_close(world *w, lu_status status);
