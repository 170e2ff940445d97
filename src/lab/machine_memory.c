/* Memory that is left: see ludus/machine_memory.h. */
#include "ludus/machine_memory.h"

#include <stdint.h>
#include <stdio.h>

/* The first whole number behind `key` in a small text file; `other` when there is none. */
static uint64_t number_in(const char *path, const char *key, uint64_t other) {
    char line[256], format[64];
    unsigned long long value;
    FILE *file = fopen(path, "re");
    snprintf(format, sizeof format, "%s%%llu", key);
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, format, &value) == 1) {
            other = value;
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return other;
}

size_t lu_memory_available(void) {
    uint64_t system = number_in("/proc/meminfo", "MemAvailable: ", 0) * 1024;
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", "", 0);
    /* what the files of the group take is given back when it is needed */
    uint64_t files = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ", 0);
    used = used > files ? used - files : 0;
    if (most != UINT64_MAX) {
        uint64_t left = most > used ? most - used : 1;
        return (size_t)(left < system || system == 0 ? left : system);
    }
    return (size_t)system;
}
