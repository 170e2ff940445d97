/* The sampling of the tool odds, in a file of its own: a tool may have parts. */
#pragma once

#include "ludus/game_ask.h"

/* How many of `samples` draws of what is hidden from the player show heads; `state` is used up. */
int odds_heads(const lu_game *game, const lu_rules *rules, void *state, int samples, lu_rng *rng);
