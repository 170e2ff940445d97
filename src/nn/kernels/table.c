/* The table of one instruction level. */
#include "level.h"

#define LU_TEXT2_(name) #name
#define LU_TEXT_(name)  LU_TEXT2_(name)

const lu_kernels LU_OF_LEVEL(lu_kernels) = {
    .name = &LU_TEXT_(LU_ISA)[1], /* without the underscore */
#if defined(__AVX512BF16__)
    .bf16_native = true,
#endif
#if defined(__AMX_BF16__)
    .tile_native = true,
#endif
    .pack_forward = lu_pack_forward,
    .pack_back = lu_pack_back,
    .pack_forward_bf16 = lu_pack_forward_bf16,
    .pack_back_bf16 = lu_pack_back_bf16,
#define X(field) .field = LU_K(field),
    LU_KERNEL_FIELDS(X)
#undef X
};
