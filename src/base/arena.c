/* The bump allocator: see arena.h. The block comes zeroed from calloc, and only what was used since
 * is cleared again on release, so that a take costs a few instructions. */
#include "ludus/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ludus/error.h"

void lu_arena_init(lu_arena *arena, size_t bytes) {
    *arena = (lu_arena){.block = lu_alloc_zero(1, bytes ? bytes : 1), .bytes = bytes};
}

void lu_arena_free(lu_arena *arena) {
    free(arena->block);
    *arena = (lu_arena){0};
}

void *lu_arena_take(lu_arena *arena, size_t bytes, size_t align) {
    LU_ASSERT(align && (align & (align - 1)) == 0);
    if (!arena->block) {
        return NULL;
    }
    /* the block itself is aligned for any type only, so the address is rounded, not the offset */
    size_t gap = (size_t)(-(uintptr_t)(arena->block + arena->used) & (align - 1));
    size_t start, end;
    if (!lu_size_add(arena->used, gap, &start) || !lu_size_add(start, bytes, &end) ||
        end > arena->bytes) {
        return NULL;
    }
    arena->used = end;
    arena->peak = end > arena->peak ? end : arena->peak;
    return arena->block + start;
}

void *lu_arena_take_many(lu_arena *arena, size_t count, size_t bytes) {
    size_t total;
    if (!lu_size_mul(count, bytes, &total)) {
        return NULL;
    }
    return lu_arena_take(arena, total, alignof(max_align_t));
}

size_t lu_arena_mark(const lu_arena *arena) {
    return arena->used;
}

void lu_arena_release(lu_arena *arena, size_t mark) {
    LU_ASSERT(mark <= arena->used);
    if (arena->used > mark) {
        memset(arena->block + mark, 0, arena->used - mark);
    }
    arena->used = mark;
}
