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

/* ---- tiles ---- */

/* What one instruction of the tile unit multiplies: 16 rows of 16 pairs of bf16 with 16 pairs of 16
 * columns. An operand is [column tile][step][16][16] words of a pair: plain tiles have pairs in
 * rows and columns in columns, turned tiles are transposed. Missing columns and steps are 0. */
enum { LU_TILE_SIDE = 16, LU_TILE_STEP = 32, LU_TILE_WORDS = LU_TILE_SIDE * LU_TILE_SIDE };

/* Tiles of n columns; instructions of k steps of the chain. */
static inline int lu_tile_columns(int n) {
    return (n + LU_TILE_SIDE - 1) / LU_TILE_SIDE;
}
static inline int lu_tile_steps(int k) {
    return (k + LU_TILE_STEP - 1) / LU_TILE_STEP;
}
