/* What the processor can do: the level of vector instructions by which the fast loops are chosen at
 * run time. All levels give the same bits; only the speed differs. LUDUS_ISA=base|v3|v4|amx lowers
 * the level, for tests and measurements.
 * Ownership: the caller owns the texts it passes. Threads: safe from any thread. */
#pragma once

#include "ludus/linkage.h"

#include <stdbool.h>
#include <stddef.h>

LU_C_BEGIN

typedef enum lu_isa {
    LU_ISA_BASE, /* x86-64 with SSE2, and every other processor */
    LU_ISA_V3,   /* x86-64-v3: AVX2, BMI, FMA */
    LU_ISA_V4,   /* x86-64-v4: AVX-512 F, BW, CD, DQ, VL */
    LU_ISA_AMX,  /* v4 with bf16 and tile registers, where the kernel lets this process use them */
    LU_ISA_COUNT
} lu_isa;

/* Why there are tile registers or none. */
typedef enum lu_tiles {
    LU_TILES_READY,
    LU_TILES_ABSENT, /* the processor has none that multiply bf16 */
    LU_TILES_REFUSED /* the kernel does not know them, or refused this process */
} lu_tiles;

/* The best level that processor and system support, lowered by LUDUS_ISA; read anew at each call.
 */
lu_isa lu_cpu_isa(void);
/* "base", "v3", "v4", "amx". */
const char *lu_isa_name(lu_isa isa);
/* Level of such a name; false when there is none. */
bool lu_isa_parse(const char *name, lu_isa *isa);
/* Asks the kernel for tile registers, at the first call of a process; children inherit them. */
lu_tiles lu_cpu_tiles(void);
/* Whether the level is LU_ISA_AMX and, if not, why, in a few words. */
const char *lu_cpu_tiles_text(void);
/* Writes the processor's name, or "unknown processor", and returns text: "AMD EPYC, family 26 model
 * 2". Hosts of virtual machines often hide which EPYC or Xeon it is, but not its family and model.
 */
char *lu_cpu_name(char *text, size_t room);

LU_C_END
