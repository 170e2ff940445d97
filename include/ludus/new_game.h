/* A new game folder as a copy of another one, with its name put in everywhere.
 * Ownership: nothing is kept. Threads: any; one writer at a time in a project folder. */
#pragma once

#include "ludus/error.h"

LU_C_BEGIN

/* Makes games/NAME in the project folder from games/FROM, whole or not at all. The golden
 * playthrough and recorded vectors are not copied. LU_BAD_VALUE for what is no name, LU_USAGE where
 * the folder is there already, LU_BUSY while another process writes the project. */
lu_status lu_new_game(const char *name, const char *from, lu_error *error);

LU_C_END
