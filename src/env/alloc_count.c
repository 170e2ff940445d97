/* Counts allocations of the calling thread, and its bytes that are not freed. A program that links
 * the target ludus_alloc_count has its calls of malloc and its kin led here by the linker (--wrap),
 * which also draws this file out of the archive; in every other program it is absent, and conform.c
 * sees lu_alloc_count as NULL. Works under the sanitizers, since the real functions are then
 * theirs. */
#include "conform_internal.h"

#include <malloc.h>
#include <stdlib.h>

static _Thread_local uint64_t count;
static _Thread_local int64_t live;

uint64_t lu_alloc_count(void) {
    return count;
}

int64_t lu_alloc_live(void) {
    return live;
}

static void *counted(void *block) {
    count++;
    live += (int64_t)malloc_usable_size(block);
    return block;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t number, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void __real_free(void *old);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t number, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
void __wrap_free(void *old);

void *__wrap_malloc(size_t bytes) {
    return counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t number, size_t bytes) {
    return counted(__real_calloc(number, bytes));
}

void *__wrap_realloc(void *old, size_t bytes) {
    live -= (int64_t)malloc_usable_size(old);
    return counted(__real_realloc(old, bytes));
}

void *__wrap_aligned_alloc(size_t align, size_t bytes) {
    return counted(__real_aligned_alloc(align, bytes));
}

void __wrap_free(void *old) {
    count += old != NULL;
    live -= (int64_t)malloc_usable_size(old);
    __real_free(old);
}
