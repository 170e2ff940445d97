/* Ranks whose bytes are carried by the parent of each process, over a line that it hands down: for
 * engines that start programs but are no MPI, as Ray (python/ludus/ray_ranks.py is the other end).
 */
#pragma once

#include "ludus/comm.h"

/* The variable of the environment that tells of it: "DESCRIPTOR RANK RANKS". */
#define WORLD_LINE "LUDUS_RANKS"

/* Fills the table; `lost` is called where the line ends, and doesn't return. */
lu_status world_line_open(lu_comm *comm, void (*lost)(int rank), lu_error *error);
