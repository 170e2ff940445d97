/* The measurements of ludus/kernel_bench.h on any table of kernels. Ownership and threads: as
 * there.
 */
#pragma once

#include "ludus/kernel_bench.h"

#include "kernels.h"

LU_C_BEGIN

/* As lu_bench_best_kernels, with a table of choice. */
int lu_bench_kernels(const lu_kernels *k, int rows, double seconds, const lu_watch *watch,
                     lu_bench_row *results);

LU_C_END
