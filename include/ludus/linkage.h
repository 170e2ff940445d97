/* What every header's declarations stand between, so that hosts in C++ link them as C and that
 * libludus exports them (LU_API_BEGIN) while everything else stays hidden.
 * Ownership: none. Threads: constants only. */
#pragma once

/* WASM modules name their exports one by one. */
#ifdef __wasm__
#define LU_API_BEGIN
#define LU_API_END
#else
#define LU_API_BEGIN _Pragma("GCC visibility push(default)")
#define LU_API_END   _Pragma("GCC visibility pop")
#endif

#ifdef __cplusplus
#define LU_C_BEGIN LU_API_BEGIN extern "C" {
#define LU_C_END                                                                                   \
    }                                                                                              \
    LU_API_END
#else
#define LU_C_BEGIN LU_API_BEGIN
#define LU_C_END   LU_API_END
#endif
