/* The readable kernels: plain loops that state what every fast table must return, bit for bit. They
 * are slow and meant for tests and for reading.
 * Ownership and threads: as kernels.h. */
#pragma once

#include "kernels.h"

extern const lu_kernels lu_kernels_ref;
