/* The choice of a table and what needs no instruction level: see kernels.h. */
#include "kernels.h"

#include <assert.h>

#include "ludus/math.h"
#include "ref.h"

/* X(level, suffix): tables beyond base exist where LUDUS_LEVELS is defined. */
#if defined(LUDUS_LEVELS)
#define LEVELS(X)                                                                                  \
    X(LU_KERNELS_BASE, base)                                                                       \
    X(LU_KERNELS_V3, v3)                                                                           \
    X(LU_KERNELS_V4, v4)                                                                           \
    X(LU_KERNELS_V4_BF16, v4_bf16)                                                                 \
    X(LU_KERNELS_AMX, amx)
#else
#define LEVELS(X) X(LU_KERNELS_BASE, base)
#endif

#define X(level, suffix) extern const lu_kernels lu_kernels_##suffix;
LEVELS(X)
#undef X

static const lu_kernels *const tables[LU_KERNELS_COUNT] = {[LU_KERNELS_REF] = &lu_kernels_ref,
#define X(level, suffix) [level] = &lu_kernels_##suffix,
                                                           LEVELS(X)
#undef X
};

static bool runs(lu_kernel_level level) {
#if defined(LUDUS_LEVELS)
    lu_isa isa = lu_cpu_isa();
    __builtin_cpu_init();
    switch (level) {
    case LU_KERNELS_V3:
        return isa >= LU_ISA_V3;
    case LU_KERNELS_V4:
        return isa >= LU_ISA_V4;
    case LU_KERNELS_V4_BF16:
        return isa >= LU_ISA_V4 && __builtin_cpu_supports("avx512bf16");
    case LU_KERNELS_AMX:
        return isa >= LU_ISA_AMX;
    default:
        return true;
    }
#else
    return level <= LU_KERNELS_BASE;
#endif
}

const lu_kernels *lu_kernels_of(lu_kernel_level level) {
    assert(level >= 0 && level < LU_KERNELS_COUNT);
    return runs(level) ? tables[level] : NULL;
}

const lu_kernels *lu_kernels_best(void) {
    for (int level = LU_KERNELS_COUNT - 1; level > LU_KERNELS_BASE; level--) {
        const lu_kernels *table = lu_kernels_of((lu_kernel_level)level);
        if (table) {
            return table;
        }
    }
    return &lu_kernels_base;
}

lu_adam lu_adam_at(long t, double rate, double beta1, double beta2, double eps, double decay,
                   double scale) {
    assert(t >= 1);
    double bias1 = 1.0 - lu_pow(beta1, (double)t), bias2 = 1.0 - lu_pow(beta2, (double)t);
    return (lu_adam){.beta1 = (float)beta1,
                     .rest1 = (float)(1.0 - beta1),
                     .beta2 = (float)beta2,
                     .rest2 = (float)(1.0 - beta2),
                     .step = (float)(rate / bias1),
                     .root_bias = (float)(1.0 / lu_sqrt(bias2)),
                     .eps = (float)eps,
                     .keep = (float)(1.0 - rate * decay),
                     .scale = (float)scale};
}
