/* Level of vector instructions and name of the processor: see cpu.h. */
#include "ludus/cpu.h"

#include "ludus/error.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static const char *const isa_names[LU_ISA_COUNT] = {"base", "v3", "v4", "amx"};

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

/* Not by the compiler's check: it does not know the permission, and not every compiler knows tiles.
 * The kernel grows a process's signal frames by the 8 KiB of a tile file, and so wants to be asked.
 */
static lu_tiles ask_for_tiles(void) {
#if defined(__x86_64__) && defined(__linux__)
    enum { BF16 = 1 << 22, TILES = 1 << 24, REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & (BF16 | TILES)) != (BF16 | TILES) ||
        !__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a & bit_AVX512BF16)) {
        return LU_TILES_ABSENT;
    }
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0 ? LU_TILES_READY
                                                                       : LU_TILES_REFUSED;
#else
    return LU_TILES_ABSENT;
#endif
}

lu_tiles lu_cpu_tiles(void) {
    static atomic_int answer = -1; /* threads that ask at once get the same */
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (known < 0) {
        known = (int)ask_for_tiles();
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return (lu_tiles)known;
}

/* The compiler's check covers the system too: it reads XCR0 before it reports AVX or AVX-512. The
 * list is what gcc and clang may emit for the level, of the parts the check can name; F16C, LZCNT
 * and MOVBE came with BMI2 in every processor. AMX stands for all of v4: whether there are tiles is
 * asked where nobody lowers the level. */
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
    return LU_ISA_AMX;
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
    return best < LU_ISA_AMX || lu_cpu_tiles() == LU_TILES_READY ? best : LU_ISA_V4;
}

const char *lu_cpu_tiles_text(void) {
    if (lu_cpu_isa() == LU_ISA_AMX) {
        return "tiles of the processor";
    }
    switch (lu_cpu_tiles()) {
    case LU_TILES_READY:
        return "tiles emulated: LUDUS_ISA lowers the level";
    case LU_TILES_REFUSED:
        return "tiles emulated: the kernel refused those of the processor";
    default:
        return "tiles emulated: the processor has none";
    }
}

#if defined(__linux__)
/* What follows the colon of a line of /proc/cpuinfo that begins with `name`; NULL for other lines.
 */
static const char *cpu_fact(char *line, const char *name) {
    char *colon = strchr(line, ':');
    size_t length = strlen(name);
    if (!colon || strncmp(line, name, length) != 0 || !strchr("\t :", line[length])) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}
#endif

char *lu_cpu_name(char *text, size_t room) {
    LU_ASSERT(room > 0);
    snprintf(text, room, "unknown processor");
#if defined(__linux__)
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) {
        return text;
    }
    char line[512], name[128] = "", model[64] = "";
    long family = -1;
    while (fgets(line, sizeof line, file) && line[0] != '\n') { /* of the first processor */
        const char *fact;
        if ((fact = cpu_fact(line, "model name")) != NULL) {
            snprintf(name, sizeof name, "%s", fact);
        } else if ((fact = cpu_fact(line, "cpu family")) != NULL) {
            family = strtol(fact, NULL, 10);
        } else if ((fact = cpu_fact(line, "model")) != NULL) {
            snprintf(model, sizeof model, "%s", fact);
        }
    }
    fclose(file);
    if (name[0] && family >= 0 && model[0]) {
        snprintf(text, room, "%s, family %ld model %s", name, family, model);
    } else if (name[0]) {
        snprintf(text, room, "%s", name);
    }
#endif
    return text;
}
