/* Conditions on the figures of an update under which a training stops (run.stop_when):
 * 'episode_return > 100', 'infos.won >= 0.9 and update >= 50 or entropy < 0.1'; `and` binds
 * tighter. Names are those of a row of metrics. Ownership: a condition is a plain value. Threads:
 * no state. */
#pragma once

#include "ludus/algorithm.h"

enum { STOP_WHEN_PARTS = 16, STOP_WHEN_NAME = 64 };

typedef struct stop_when {
    int count; /* 0: never */
    struct {
        char name[STOP_WHEN_NAME];
        char sign;    /* '<', '>', 'l' (<=), 'g' (>=) */
        bool or_else; /* begins a further list of conditions, one list of which must hold */
        double value;
    } part[STOP_WHEN_PARTS];
} stop_when;

/* LU_BAD_VALUE where the text is no such condition. "" never holds. */
lu_status stop_when_read(stop_when *when, const char *text, lu_error *error);
/* Whether it holds after an update. A figure that the update does not have, such as the return
 * where no episode ended, meets no condition; a name that no update has is LU_BAD_VALUE. */
lu_status stop_when_ask(const stop_when *when, const lu_progress *progress, const lu_game *game,
                        bool *holds, lu_error *error);
