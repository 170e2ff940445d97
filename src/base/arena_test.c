#include "ludus/arena.h"

#include "test.h"

static bool is_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}

TEST(takes_are_zeroed_aligned_and_apart) {
    lu_arena arena;
    lu_arena_init(&arena, 4096);
    unsigned char *last = NULL;
    for (size_t align = 1; align <= 256; align *= 2) {
        unsigned char *taken = lu_arena_take(&arena, 17, align);
        NEED(taken != NULL);
        CHECK(((uintptr_t)taken & (align - 1)) == 0);
        CHECK(is_zero(taken, 17));
        CHECK(!last || taken >= last + 17);
        memset(taken, 0xff, 17);
        last = taken;
    }
    lu_arena_free(&arena);
    CHECK(lu_arena_take(&arena, 1, 1) == NULL);
}

TEST(release_gives_back_and_clears) {
    lu_arena arena;
    lu_arena_init(&arena, 1000);
    unsigned char *kept = lu_arena_take(&arena, 100, 1);
    NEED(kept != NULL);
    memset(kept, 7, 100);
    size_t mark = lu_arena_mark(&arena);
    unsigned char *first = lu_arena_take(&arena, 900, 1);
    NEED(first != NULL);
    memset(first, 9, 900);
    CHECK(lu_arena_take(&arena, 1, 1) == NULL);
    lu_arena_release(&arena, mark);
    unsigned char *second = lu_arena_take(&arena, 900, 1);
    CHECK(second == first);
    NEED(second != NULL);
    CHECK(is_zero(second, 900));
    CHECK_INT(kept[99], 7);
    CHECK_INT(arena.peak, 1000);
    lu_arena_free(&arena);
}

TEST(sizes_that_do_not_fit_are_refused) {
    lu_arena arena;
    lu_arena_init(&arena, 64);
    CHECK(lu_arena_take(&arena, SIZE_MAX, 8) == NULL);
    CHECK(lu_arena_take(&arena, SIZE_MAX - 8, 64) == NULL);
    CHECK(lu_arena_take_many(&arena, SIZE_MAX / 2, 3) == NULL);
    CHECK(lu_arena_take_many(&arena, 4, 16) != NULL);
    CHECK(lu_arena_take(&arena, 0, 1) != NULL);
    lu_arena_free(&arena);
    size_t out = 1;
    CHECK(!lu_size_mul(SIZE_MAX, 2, &out) && out == 0);
    CHECK(!lu_size_add(SIZE_MAX, 1, &out) && out == 0);
    CHECK(lu_size_mul(3, 4, &out) && out == 12);
    CHECK(lu_size_add(3, 4, &out) && out == 7);
}
