/* The tile registers of this level: their shape, for every product the same, and how long a thread
 * holds them. A kernel begins with lu_tiles_begin and ends with lu_tiles_end, so that no tile
 * outlives a call: switches of threads, signal handlers and forks meet nothing of ours in between
 * but what the kernel saves anyway. Both together take about 70 ns. Without tile registers they set
 * how subnormal numbers are treated instead, where the processor does that by a mode. Ownership:
 * nothing is owned. Threads: a pair of calls belongs to one. */
#pragma once

#include "vec.h"

#if defined(__AMX_BF16__)

typedef struct tile_shapes {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes[16]; /* of a row of each register */
    uint8_t rows[16];
} tile_shapes;

static const tile_shapes lu_tile_shapes = {.palette = 1,
                                           .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
                                           .rows = {16, 16, 16, 16, 16, 16, 16, 16}};

/* gcc does not know that a load of a tile reads memory: nothing may move over this. */
#define LU_TILES_SEE_MEMORY __asm__ volatile("" ::: "memory")

LU_ALWAYS_INLINE unsigned lu_tiles_begin(void) {
    _tile_loadconfig(&lu_tile_shapes);
    return 0;
}
LU_ALWAYS_INLINE void lu_tiles_end(unsigned mode) {
    (void)mode;
    _tile_release();
}

#elif defined(__AVX2__) && defined(__FMA__)

LU_ALWAYS_INLINE unsigned lu_tiles_begin(void) {
    unsigned old = _mm_getcsr();
    _mm_setcsr(old | 0x8040u);
    return old;
}
LU_ALWAYS_INLINE void lu_tiles_end(unsigned mode) {
    _mm_setcsr(mode);
}

#else

LU_ALWAYS_INLINE unsigned lu_tiles_begin(void) {
    return 0;
}
LU_ALWAYS_INLINE void lu_tiles_end(unsigned mode) {
    (void)mode;
}

#endif
