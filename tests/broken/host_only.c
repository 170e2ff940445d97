/* Rules that no device compiler takes: tools/check-cpp must find all three faults. */
#include "ludus/device.h"

#include <stdint.h>

static const int table[2] = {1, 2}; /* not LU_TABLE */

static inline int host_only(int k) { /* not LU_HD */
    return table[k & 1];
}

LU_INLINE int step(int k) {
    return host_only(k) + __builtin_ctz((uint32_t)k | 1u); /* a builtin */
}

extern int (*const rules)(int);
int (*const rules)(int) = step;
