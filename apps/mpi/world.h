/* The processes that mpirun has started together. */
#pragma once

#include "ludus/comm.h"

typedef struct world {
    void *module; /* NULL: this process is alone */
    lu_comm comm;
} world;

/* Joins the others, where a starter of MPI programs has told the environment of them. */
lu_status world_open(world *w, lu_error *error);
/* NULL where the process is alone. */
const lu_comm *world_comm(const world *w);
/* Waits for all ranks to come here. */
void world_close(world *w);
