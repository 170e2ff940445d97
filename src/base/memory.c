/* Memory that is there, or the end of the program: see error.h. A server keeps a block in reserve
 * and gives it up when memory runs out, so that what it is doing can be done and the next request
 * be refused. */
#include "ludus/error.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, SMALL = 1 << 20 };

static _Atomic(void *) reserve;

bool lu_memory_keep(size_t bytes) {
    void *none = NULL;
    if (atomic_load(&reserve)) {
        return true;
    }
    void *block = malloc(bytes);
    if (block && !atomic_compare_exchange_strong(&reserve, &none, block)) {
        free(block); /* another thread was first */
    }
    return block != NULL;
}

bool lu_memory_give_up(void) {
    void *block = atomic_exchange(&reserve, NULL);
    free(block);
    return block != NULL;
}

bool lu_memory_again(int why) {
    if (why == ENOMEM && !lu_memory_give_up()) {
        lu_out_of_memory(0);
    }
    return why == ENOMEM;
}

bool lu_memory_has(size_t bytes) {
    void *block = lu_try_realloc(NULL, bytes);
    free(block);
    return block != NULL;
}

void *lu_alloc(size_t bytes) {
    void *block;
    do {
        block = malloc(bytes ? bytes : 1);
    } while (!block && lu_memory_give_up());
    if (!block) {
        lu_out_of_memory(bytes);
    }
    return block;
}

void *lu_alloc_zero(size_t count, size_t bytes) {
    void *block;
    do {
        block = count && bytes ? calloc(count, bytes) : calloc(1, 1);
    } while (!block && lu_memory_give_up());
    if (!block) {
        size_t total;
        lu_out_of_memory(__builtin_mul_overflow(count, bytes, &total) ? SIZE_MAX : total);
    }
    return block;
}

void *lu_alloc_lines(size_t bytes) {
    void *block;
    size_t whole = bytes < SIZE_MAX - LINE ? (bytes + LINE - 1) / LINE * LINE : bytes;
    do {
        block = aligned_alloc(LINE, whole ? whole : LINE);
    } while (!block && lu_memory_give_up());
    if (!block) {
        lu_out_of_memory(bytes);
    }
    return memset(block, 0, whole ? whole : LINE);
}

void *lu_realloc(void *old, size_t bytes) {
    void *block;
    do {
        block = realloc(old, bytes ? bytes : 1);
    } while (!block && lu_memory_give_up());
    if (!block) {
        lu_out_of_memory(bytes);
    }
    return block;
}

void *lu_try_realloc(void *old, size_t bytes) {
    return bytes <= SMALL ? lu_realloc(old, bytes) : realloc(old, bytes);
}

char *lu_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(lu_alloc(bytes), text, bytes);
}
