/* The layout of packed weights: columns in panels of 32, then of 16 and 8 for the rest, each panel
 * holding its columns for all steps of the chain ([step][width]); with bf16 a step is a pair
 * ([step][width][2]). The panel that starts at column j starts at word j * steps. One layout for
 * all levels: narrow vectors walk a panel in strips. Ownership: nothing is owned. Threads: no
 * state. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Width of the panel when `rest` columns are left: at most 7 columns are padding. */
static inline int lu_packed_width(int rest) {
    return rest > 24 ? 32 : rest > 8 ? 16 : 8;
}

/* The pack_* kernels of every table. */
void lu_pack_forward(const float *w, size_t w_stride, int out, int in, float *packed);
void lu_pack_back(const float *w, size_t w_stride, int out, int in, float *packed);
void lu_pack_forward_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *packed);
void lu_pack_back_bf16(const float *w, size_t w_stride, int out, int in, uint16_t *packed);
