/* Marks of functions that run on the host and on a device: a game's rules are plain C that a CUDA
 * compiler takes as they are. Every function a game calls while stepping is declared LU_INLINE (or
 * carries LU_HD). Under an ordinary compiler the marks are empty.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#ifdef __CUDACC__
#define LU_HD __host__ __device__
#else
#define LU_HD
#endif

#define LU_INLINE static inline LU_HD

/* A constant table at file scope that such functions read. */
#ifdef __CUDACC__
#define LU_TABLE static __device__ const
#else
#define LU_TABLE static const
#endif

/* For small functions whose inlining a vectorised loop depends on. */
#ifdef __CUDACC__
#define LU_ALWAYS_INLINE static __forceinline__ LU_HD
#else
#define LU_ALWAYS_INLINE static inline __attribute__((always_inline))
#endif
