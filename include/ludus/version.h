/* The version of these headers, and the one of the library that a program runs with. The build, the
 * packages and the Python distribution read it here. docs/library.md says what a change of each
 * number means.
 * Ownership: constants. Threads: constants only. */
#pragma once

#include "ludus/linkage.h"

LU_C_BEGIN

#define LU_VERSION_MAJOR 0
#define LU_VERSION_MINOR 1
#define LU_VERSION_PATCH 0
#define LU_VERSION       "0.1.0"

/* "MAJOR.MINOR.PATCH" of the library; where major is 0 a program was built for the same one when
 * major and minor are equal. */
const char *lu_version(void);

LU_C_END
