/* Memory of the machine, and sizes for people.
 * Ownership: nothing. Threads: any. */
#pragma once

#include <stddef.h>

/* Bytes that this process may still take: what the system has, or less where a cgroup says so; 0
 * when that is not known. */
size_t memory_available(void);
/* "812 KB", "1.4 GB"; valid as long as a cell. */
const char *memory_text(double bytes);
