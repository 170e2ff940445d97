/* Removing runs from a folder of runs. A run is first renamed to a name that nothing lists, so that
 * an interrupted removal leaves no half run; the next one clears it away.
 * Ownership: the caller owns the list and frees each entry, chosen or refused. Threads: one. */
#pragma once

#include "ludus/catalogue.h"
#include "ludus/file.h"
#include "ludus/text.h"

#include <sys/stat.h>

LU_C_BEGIN

/* A run that is to go, with its locks held. */
typedef struct lu_removal {
    lu_text path;
    const char *id; /* end of the path */
    int training, evaluator;
    struct stat about;
    lu_folder_size size;
} lu_removal;

/* Fills in list[at] with the run of this name and locks it. LU_USAGE for what is no folder of its
 * own in `runs` or stands in the list before, LU_BUSY while a training or an evaluator writes it.
 */
lu_status lu_removal_choose(lu_removal *list, int at, const char *runs, const char *name,
                            lu_error *error);
/* Clears away what interrupted removals left. */
void lu_removal_clean(const char *runs);
/* Removes a chosen run and tells the catalogue (NULL: none), a cache that may fail. */
lu_status lu_removal_do(const lu_removal *removal, const char *runs, lu_catalogue *catalogue,
                        lu_error *error);
/* Lets the locks go. */
void lu_removal_free(lu_removal *removal);

LU_C_END
