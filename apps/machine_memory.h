/* Memory of the machine.
 * Ownership: nothing. Threads: any. */
#pragma once

#include <stddef.h>

/* Bytes that this process may still take: what the system has, or less where a cgroup says so; 0
 * when that is not known. */
size_t memory_available(void);
