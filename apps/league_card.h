/* What `ludus league rate --write` leaves in model files: the rating in their cards, which the
 * policy server and `ludus model show` tell. Ownership: nothing is kept. Threads: the main thread.
 */
#pragma once

#include "verb.h"

#include "ludus/tournament.h"

#define LEAGUE_WRITE                                                                               \
    {                                                                                              \
        "write", LU_BOOL, "false", 0, 0, NULL,                                                     \
            "Writes the rating of each model that is named by its file into that file's card.",    \
            false                                                                                  \
    }

/* LU_USAGE when --write finds no file among the names. */
lu_status league_card_check(const verb_call *call, const lu_player *players, int count,
                            lu_error *error);
/* Each file is replaced as a whole; nothing without --write. */
lu_status league_card_write(const verb_call *call, const lu_tournament *t, lu_error *error);
