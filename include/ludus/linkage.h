/* What every header's declarations stand between, so that hosts in C++ link them as C.
 * Ownership: none. Threads: constants only. */
#pragma once

#ifdef __cplusplus
#define LU_C_BEGIN extern "C" {
#define LU_C_END   }
#else
#define LU_C_BEGIN
#define LU_C_END
#endif
