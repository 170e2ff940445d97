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

enum { LARGE_PAGE = 1 << 21, LARGE_BLOCK = 2 * LARGE_PAGE };

/* Rows and weights are read from all over a large block; small pages would miss the TLB at each.
 * Nothing is touched here: a page lies near the thread that writes it first. */
static void ask_large_pages(unsigned char *block, size_t bytes) {
#ifdef __linux__
    size_t page = LARGE_PAGE;
    uintptr_t from = ((uintptr_t)block + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)block + bytes) / page * page;
    if (bytes >= LARGE_BLOCK && to > from) {
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
    }
#else
    (void)block;
    (void)bytes;
#endif
}

void lu_arena_init(lu_arena *arena, size_t bytes) {
    *arena = (lu_arena){.block = lu_alloc_zero(1, bytes ? bytes : 1), .bytes = bytes};
    ask_large_pages(arena->block, bytes);
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
