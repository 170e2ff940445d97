#include "ludus/hash.h"

#include <stdlib.h>

#include "ludus/rng.h"
#include "test.h"

/* Files on disk rely on these. */
TEST(hash_known_answers) {
    unsigned char bytes[256];
    for (int i = 0; i < 256; i++) {
        bytes[i] = (unsigned char)(i * 7 + 1);
    }
    CHECK_HEX(lu_hash(NULL, 0, 0), UINT64_C(0xf19a31f2cabaaa09));
    CHECK_HEX(lu_hash(bytes, 1, 0), UINT64_C(0x672002c3b4304e58));
    CHECK_HEX(lu_hash(bytes, 8, 0), UINT64_C(0xfa5c1006821c6911));
    CHECK_HEX(lu_hash(bytes, 31, 1), UINT64_C(0x4d8650cdbe5503b0));
    CHECK_HEX(lu_hash(bytes, 32, 2), UINT64_C(0x61626f2375b481ab));
    CHECK_HEX(lu_hash(bytes, 255, 3), UINT64_C(0xe3f50da68451e479));
    CHECK_HEX(lu_hash_text("ludus", 0), UINT64_C(0x6018ca9b3c1c24d1));
}

/* Every flipped input bit flips every output bit with a chance near one half. */
TEST(hash_avalanche) {
    static const size_t sizes[] = {1, 4, 8, 13, 32, 40, 71};
    enum { TRIES = 400 };
    lu_rng rng = lu_rng_from(3);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t size = sizes[s];
        for (size_t bit = 0; bit < size * 8; bit += 1 + size / 8) {
            int flips[64] = {0}, sum = 0;
            for (int i = 0; i < TRIES; i++) {
                unsigned char bytes[80];
                for (size_t k = 0; k < size; k++) {
                    bytes[k] = (unsigned char)lu_rng_u64(&rng);
                }
                uint64_t seed = lu_rng_u64(&rng);
                uint64_t before = lu_hash(bytes, size, seed);
                bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
                uint64_t change = before ^ lu_hash(bytes, size, seed);
                sum += __builtin_popcountll(change);
                for (int k = 0; k < 64; k++) {
                    flips[k] += (int)((change >> k) & 1);
                }
            }
            CHECK_NEAR((double)sum / TRIES, 32, 1.0);
            for (int k = 0; k < 64; k++) {
                CHECK_NEAR((double)flips[k] / TRIES, 0.5, 0.14); /* 5.6 sigma */
            }
        }
    }
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_all_different(uint64_t *all, int n) {
    qsort(all, (size_t)n, sizeof *all, compare);
    for (int i = 1; i < n; i++) {
        CHECK(all[i] != all[i - 1]);
    }
}

/* Zeros of every length, and all texts with one or two bits set, in one set: no collision. */
TEST(hash_sparse_inputs_do_not_collide) {
    enum { SIZE = 40, BITS = SIZE * 8, MOST = BITS * (BITS + 1) / 2 + 200 };
    static uint64_t all[MOST];
    unsigned char bytes[200] = {0};
    int n = 0;
    for (size_t i = 0; i < 200; i++) {
        all[n++] = lu_hash(bytes, i, 0);
    }
    for (int a = 0; a < BITS; a++) {
        for (int b = a; b < BITS; b++) {
            bytes[a / 8] |= (unsigned char)(1 << (a % 8));
            bytes[b / 8] |= (unsigned char)(1 << (b % 8));
            all[n++] = lu_hash(bytes, SIZE, 0);
            bytes[a / 8] = bytes[b / 8] = 0;
        }
    }
    check_all_different(all, n);
}

TEST(hash_of_counters_and_seeds_do_not_collide) {
    enum { MOST = 60000 };
    static uint64_t all[MOST];
    int n = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t pair[6] = {i, 0, 0, 0, i << 40, 0};
        all[n++] = lu_hash(&i, sizeof i, 0);
        all[n++] = lu_hash("x", 1, i);
        all[n++] = lu_hash(pair, sizeof pair, 0);
    }
    check_all_different(all, n);
}

/* Bytes beyond the length and the place in memory do not matter. */
TEST(hash_reads_its_bytes_only) {
    unsigned char bytes[160];
    for (size_t size = 0; size <= 100; size++) {
        uint64_t first = 0;
        for (size_t at = 0; at < 16; at++) {
            memset(bytes, (int)at * 17 + 1, sizeof bytes);
            for (size_t i = 0; i < size; i++) {
                bytes[at + i] = (unsigned char)(i * 31);
            }
            uint64_t hash = lu_hash(bytes + at, size, 5);
            first = at ? first : hash;
            CHECK_HEX(hash, first);
        }
    }
}
