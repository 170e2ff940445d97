/* What `ludus league rate --keep NAME` leaves behind: a line per rating in leagues/NAME.jsonl in
 * the folder of runs, from which the server and the site tell ratings and their history. Ownership:
 * nothing is kept. Threads: the main thread. */
#pragma once

#include "verb.h"

#include "ludus/tournament.h"

#define LEAGUE_KEEP                                                                                \
    {                                                                                              \
        "keep", LU_TEXT, "", 0, 100, NULL,                                                         \
            "Adds the result to the league with this name, which the site shows at /league.",      \
            false                                                                                  \
    }

/* LU_BAD_VALUE when the name of --keep is none that a file may have. */
lu_status league_keep_check(const verb_call *call, lu_error *error);
/* Adds what was played as one line; nothing without --keep. */
lu_status league_keep(const verb_call *call, const lu_tournament *tournament, lu_error *error);
