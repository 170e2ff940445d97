/* A fast 64-bit hash of bytes for states, replays, caches and files: not cryptographic, equal on
 * every machine and build. Four lanes of multiply and rotate take 32 bytes per round; the length
 * enters the result, so that trailing zeros count. Known answers are kept in hash_test.c, and files
 * on disk rely on them: changing this function is a change of every file format.
 * Ownership: reads the caller's bytes only. Threads: no state. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ludus/device.h"
#include "ludus/linkage.h"

LU_C_BEGIN

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "lu_hash reads words in little-endian order"
#endif

/* odd, with about as many ones as zeros, no short runs */
#define LU_HASH_K1 UINT64_C(0x9e6c63d0676a9a99)
#define LU_HASH_K2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define LU_HASH_K3 UINT64_C(0xd6e8feb86659fd93)
#define LU_HASH_K4 UINT64_C(0xa0761d6478bd642f)

LU_ALWAYS_INLINE uint64_t lu_hash_turn_(uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
}

/* Up to 8 bytes as a little-endian word. */
LU_ALWAYS_INLINE uint64_t lu_hash_word_(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    return word;
}

/* Two multiplications per word: the first spreads the word (off the lane's chain), so that a flip
 * of high bits cannot be undone by one flip in the next word of the lane. */
LU_ALWAYS_INLINE uint64_t lu_hash_round_(uint64_t lane, uint64_t word) {
    return lu_hash_turn_(lane + word * LU_HASH_K2, 31) * LU_HASH_K1;
}

/* Hash of `bytes` bytes at data (data may be NULL when bytes is 0). */
LU_INLINE uint64_t lu_hash(const void *data, size_t bytes, uint64_t seed) {
    const unsigned char *at = (const unsigned char *)data;
    size_t left = bytes;
    uint64_t hash = seed + LU_HASH_K4;
    if (left >= 32) {
        uint64_t a = seed + LU_HASH_K1, b = seed ^ LU_HASH_K2, c = seed - LU_HASH_K3, d = ~seed;
        do {
            a = lu_hash_round_(a, lu_hash_word_(at, 8));
            b = lu_hash_round_(b, lu_hash_word_(at + 8, 8));
            c = lu_hash_round_(c, lu_hash_word_(at + 16, 8));
            d = lu_hash_round_(d, lu_hash_word_(at + 24, 8));
            at += 32;
            left -= 32;
        } while (left >= 32);
        hash = lu_hash_round_(hash, a);
        hash = lu_hash_round_(hash, b);
        hash = lu_hash_round_(hash, c);
        hash = lu_hash_round_(hash, d);
    }
    for (; left >= 8; at += 8, left -= 8) {
        hash = lu_hash_round_(hash, lu_hash_word_(at, 8));
    }
    if (left) {
        hash = lu_hash_round_(hash, lu_hash_word_(at, left));
    }
    hash ^= (uint64_t)bytes * LU_HASH_K3;
    hash = (hash ^ (hash >> 32)) * LU_HASH_K2;
    hash = (hash ^ (hash >> 29)) * LU_HASH_K3;
    return hash ^ (hash >> 32);
}

/* Hash of a terminated text, without the terminator. */
LU_INLINE uint64_t lu_hash_text(const char *text, uint64_t seed) {
    return lu_hash(text, strlen(text), seed);
}

LU_C_END
