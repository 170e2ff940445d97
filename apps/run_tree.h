/* The folder of a run as a tree of files: how much it holds, and removing it. Symbolic links are
 * never followed: a link counts as itself. Ownership: nothing is kept. Threads: any. */
#pragma once

#include "ludus/error.h"

#include <stdint.h>

typedef struct tree_size {
    int64_t files, bytes;
} tree_size;

/* Adds up all files below a folder; what cannot be read counts as nothing. */
tree_size tree_measure(const char *path);
/* Removes a folder and everything below it. */
lu_status tree_remove(const char *path, lu_error *error);
