/* How rows of numbers lie in the blocks that networks read: how many rows one call takes, and how
 * far apart they stand. Ownership and threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include <stddef.h>

LU_C_BEGIN

/* Rows that a call handles while they stay in the caches: cut minibatches into such blocks. */
enum { LU_BLOCK_ROWS = 96 };

/* Distance of rows of n elements of 4 bytes: whole cache lines, and an odd number of them, since
 * columns at a power of two apart fall into the same few cache sets. */
size_t lu_row_floats(int n);

LU_C_END
