/* Time: a monotonic clock for durations and the date for people and files. Games never read either;
 * they are for programs, benchmarks and logs. A duration is a difference of two lu_clock_seconds.
 * Ownership: the caller owns the text. Threads: safe from any thread. */
#pragma once

#include "ludus/linkage.h"

#include <stddef.h>

LU_C_BEGIN

enum { LU_CLOCK_TEXT = 32 }; /* room for lu_clock_utc */

/* Seconds of a clock that never goes back; its zero means nothing. About 20 ns per call. In WASM a
 * page may have none: always 0. */
double lu_clock_seconds(void);
/* Writes the date now as ISO 8601 UTC, e.g. "2025-01-31T12:34:56Z", and returns text. */
char *lu_clock_utc(char *text, size_t room);

LU_C_END
