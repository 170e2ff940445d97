/* How close the kernels of networks come to what the processor can do: the peak of fused
 * multiply-adds in registers and the speed of the eight products of a 260-256-256-70 network, and
 * of its whole forward and backward walk, in fp32, bf16 and by tiles, all in one process, since
 * only their ratio survives a busy machine. Ownership: the caller owns the results. Threads: one,
 * and those of a pool that is given. */
#pragma once

#include <stdbool.h>

#include "ludus/threads.h"
#include "ludus/watch.h"

LU_C_BEGIN

typedef struct lu_bench_row {
    char name[40];
    double gflops; /* best trial */
    double share;  /* of the peak of the same operands */
} lu_bench_row;

/* Of products: as net.precision. */
typedef enum lu_operands { LU_OPERANDS_FP32, LU_OPERANDS_BF16, LU_OPERANDS_TILE } lu_operands;

/* Nine of each kind of operands. */
enum { LU_BENCH_KERNEL_ROWS = 27 };

/* Measures the kernels that this processor would use, with minibatches of `rows` rows, for about
 * `seconds` in all (0.2 gives a first idea, 2 is quiet), and writes up to LU_BENCH_KERNEL_ROWS
 * results; returns how many. A watch (NULL: nobody) may end it early. */
int lu_bench_best_kernels(int rows, double seconds, const lu_watch *watch, lu_bench_row *results);
/* The peak of fused multiply-adds (bf16: of pairs; tiles: of the tile unit, where there is one) on
 * all threads of a pool at once, GFLOP/s; a few milliseconds, to be asked often. A pool of NULL is
 * the calling thread. */
double lu_bench_peak(lu_operands operands, lu_pool *pool);
/* Whether they have tile registers. */
bool lu_bench_tiles(void);
/* The level of those kernels: "base", "v3", "v4", "v4_bf16", "amx". */
const char *lu_bench_kernel_level(void);

LU_C_END
