/* Memory of the machine.
 * Ownership: nothing. Threads: any. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that this process may still take: what the system has, or less where a cgroup says so; 0
 * when that is not known. */
size_t lu_memory_available(void);

#ifdef __cplusplus
}
#endif
