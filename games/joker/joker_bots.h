/* Bots of joker that play whole runs (joker_bots_search.c); joker_bots.c lists all of them.
 * Ownership: what a bot is given belongs to the caller. Threads: no state. */
#pragma once

#include "ludus/game.h"

LU_C_BEGIN

/* Rounds by rule, shops by a few simulated rounds. */
void joker_act_steady(const lu_seat_view *view, int32_t *actions);
/* The same with more of them, and rounds by rollouts. */
void joker_act_search(const lu_seat_view *view, int32_t *actions);

LU_C_END
