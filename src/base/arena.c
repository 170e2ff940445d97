/* The bump allocator: see arena.h. The block comes zeroed from calloc, and only what was used since
 * is cleared again on release, so that a take costs a few instructions. */
#include "ludus/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "ludus/error.h"

/* Rows and weights are read from all over a block; small pages would miss the TLB at each. A block
 * of a few large pages is laid on whole ones, a longer one loses little at its ends. Nothing is
 * touched here: a page lies near the thread that writes it first. */
enum { LARGE_PAGE = 1 << 21, WHOLE_FROM = LARGE_PAGE / 2, WHOLE_TO = 2 * LARGE_PAGE };

size_t lu_arena_room(size_t bytes) {
#ifdef __linux__
    size_t page = LARGE_PAGE;
    if (bytes >= WHOLE_FROM && bytes < WHOLE_TO) {
        return (bytes + page - 1) / page * page + page;
    }
#endif
    return bytes ? bytes : 1;
}

void lu_arena_init(lu_arena *arena, size_t bytes) {
    size_t room = lu_arena_room(bytes);
    *arena = (lu_arena){.bytes = bytes, .memory = lu_alloc_zero(1, room)};
    arena->block = arena->memory;
#ifdef __linux__
    size_t page = LARGE_PAGE;
    uintptr_t from = ((uintptr_t)arena->block + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)arena->block + room) / page * page;
    if (bytes >= WHOLE_FROM && to > from) {
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
        arena->block = bytes < WHOLE_TO ? (unsigned char *)from : arena->block;
    }
#endif
}

void lu_arena_free(lu_arena *arena) {
    free(arena->memory);
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
