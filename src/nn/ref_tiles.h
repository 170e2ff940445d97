/* The tile kernels of the reference (ref_tiles.c), and what they share with the others (ref.c).
 * Ownership and threads: as kernels.h. */
#pragma once

#include "kernels.h"

float lu_ref_activate(float z, lu_activation act);
/* d times the derivative, from the output y. */
float lu_ref_deactivate(float d, lu_activation act, const float *y);

void lu_ref_pack_forward_tile(const float *w, size_t w_stride, int out, int in, uint32_t *tiles);
void lu_ref_pack_back_tile(const float *w, size_t w_stride, int out, int in, uint32_t *tiles);
void lu_ref_forward_tile(const lu_dense_forward *call);
void lu_ref_back_tile(const lu_dense_back *call);
void lu_ref_grad_tile(const lu_dense_grad *call);
void lu_ref_to_tile_rows(const float *from, size_t from_stride, int rows, int n, uint16_t *to,
                         size_t to_stride);
void lu_ref_row_tiles(const uint16_t *from, size_t from_stride, int rows, int n, bool turned,
                      uint32_t *tiles);
