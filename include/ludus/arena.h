/* A bump allocator over one block: what is known at start is taken from it and given back at once.
 * Taken memory is zeroed and aligned; a mark remembers the fill and a release goes back to it. An
 * arena never grows, so that pointers into it stay valid; a take that does not fit returns NULL.
 * Ownership: the arena owns its block until lu_arena_free. Threads: one thread per arena. */
#pragma once

#include "ludus/linkage.h"

#include <stdbool.h>
#include <stddef.h>

LU_C_BEGIN

typedef struct lu_arena {
    unsigned char *block;
    void *memory;             /* that the block lies in */
    size_t bytes, used, peak; /* peak: highest fill so far, for sizing */
} lu_arena;

/* Takes a zeroed block of `bytes` (page-aligned pieces are untouched until used). */
void lu_arena_init(lu_arena *arena, size_t bytes);
void lu_arena_free(lu_arena *arena);
/* What an arena of `bytes` takes. */
size_t lu_arena_room(size_t bytes);

/* Zeroed memory aligned to `align` (a power of two), or NULL when the arena is full. */
void *lu_arena_take(lu_arena *arena, size_t bytes, size_t align);
/* The same for count * bytes, checked for overflow; aligned for any type. */
void *lu_arena_take_many(lu_arena *arena, size_t count, size_t bytes);

/* The fill now, and back to it: everything taken since is given back. */
size_t lu_arena_mark(const lu_arena *arena);
void lu_arena_release(lu_arena *arena, size_t mark);

/* a * b and a + b; false when the result does not fit (then *out is 0). */
static inline bool lu_size_mul(size_t a, size_t b, size_t *out) {
    bool fits = !__builtin_mul_overflow(a, b, out);
    *out = fits ? *out : 0;
    return fits;
}

static inline bool lu_size_add(size_t a, size_t b, size_t *out) {
    bool fits = !__builtin_add_overflow(a, b, out);
    *out = fits ? *out : 0;
    return fits;
}

LU_C_END
