/* What the files of this folder share: each is compiled once per instruction level, with LU_ISA as
 * the suffix of its public names; table.c gathers them in one lu_kernels.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "../kernels.h"
#include "../packed.h"

#ifndef LU_ISA
#define LU_ISA _base
#endif
#define LU_PASTE2_(a, b)  a##b
#define LU_PASTE_(a, b)   LU_PASTE2_(a, b)
#define LU_OF_LEVEL(name) LU_PASTE_(name, LU_ISA)
/* The public name of a kernel of this level. */
#define LU_K(field) LU_OF_LEVEL(lu_k_##field)

/* Every function of the table, declared with the type of its field. */
#define LU_KERNEL_FIELDS(X)                                                                        \
    X(forward)                                                                                     \
    X(back)                                                                                        \
    X(grad)                                                                                        \
    X(forward_bf16)                                                                                \
    X(back_bf16)                                                                                   \
    X(grad_bf16)                                                                                   \
    X(pack_forward_tile)                                                                           \
    X(pack_back_tile)                                                                              \
    X(forward_tile)                                                                                \
    X(back_tile)                                                                                   \
    X(grad_tile)                                                                                   \
    X(to_tile_rows)                                                                                \
    X(row_tiles)                                                                                   \
    X(bias_grad)                                                                                   \
    X(left_sums)                                                                                   \
    X(right_sums)                                                                                  \
    X(quarter_join)                                                                                \
    X(to_bf16)                                                                                     \
    X(to_pairs)                                                                                    \
    X(pair_rows)                                                                                   \
    X(normalise)                                                                                   \
    X(moments)                                                                                     \
    X(exp)                                                                                         \
    X(log)                                                                                         \
    X(tanh)                                                                                        \
    X(masked_softmax)                                                                              \
    X(softmax_back)                                                                                \
    X(sample)                                                                                      \
    X(adam)                                                                                        \
    X(sum_squares)                                                                                 \
    X(blend)                                                                                       \
    X(peak_fp32)                                                                                   \
    X(peak_bf16)                                                                                   \
    X(peak_tile)
#define X(field) __typeof__(*((lu_kernels *)0)->field) LU_K(field);
LU_KERNEL_FIELDS(X)
#undef X

extern const lu_kernels LU_OF_LEVEL(lu_kernels);
