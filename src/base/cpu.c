/* Level of vector instructions and name of the processor: see cpu.h. */
#include "ludus/cpu.h"

#include "ludus/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const isa_names[LU_ISA_COUNT] = {"base", "v3", "v4"};

const char *lu_isa_name(lu_isa isa) {
    return isa >= LU_ISA_BASE && isa < LU_ISA_COUNT ? isa_names[isa] : "?";
}

bool lu_isa_parse(const char *name, lu_isa *isa) {
    for (int i = 0; i < LU_ISA_COUNT; i++) {
        if (strcmp(name, isa_names[i]) == 0) {
            *isa = (lu_isa)i;
            return true;
        }
    }
    return false;
}

/* The compiler's check covers the system too: it reads XCR0 before it reports AVX or AVX-512. The
 * list is what gcc and clang may emit for the level, of the parts the check can name; F16C, LZCNT
 * and MOVBE came with BMI2 in every processor. */
static lu_isa supported(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
          __builtin_cpu_supports("popcnt"))) {
        return LU_ISA_BASE;
    }
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl"))) {
        return LU_ISA_V3;
    }
    return LU_ISA_V4;
#else
    return LU_ISA_BASE;
#endif
}

lu_isa lu_cpu_isa(void) {
    lu_isa best = supported(), asked = best;
    if (best == LU_ISA_BASE) {
        return best; /* nothing to lower; a WASM module has no environment to ask */
    }
    const char *name = getenv("LUDUS_ISA");
    if (name && lu_isa_parse(name, &asked) && asked < best) {
        return asked;
    }
    return best;
}

char *lu_cpu_name(char *text, size_t room) {
    LU_ASSERT(room > 0);
    snprintf(text, room, "unknown processor");
#if defined(__linux__)
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) {
        return text;
    }
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, room, "%s", colon + 1 + strspn(colon + 1, " \t"));
            break;
        }
    }
    fclose(file);
#endif
    return text;
}
