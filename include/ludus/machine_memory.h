/* Memory of the machine.
 * Ownership: nothing. Threads: any. */
#pragma once

#include "ludus/linkage.h"

#include <stddef.h>

LU_C_BEGIN

/* Bytes that this process may still take: what the system has, or less where a cgroup says so; 0
 * when that is not known. */
size_t lu_memory_available(void);

LU_C_END
