/* A part of the tool odds: this file defines no lu_tool, so the registry leaves it out. */
#include "odds.h"

#include "oracle/oracle.h"

#include "ludus/game_ask.h"

int odds_heads(const lu_game *game, const lu_rules *rules, void *state, int samples, lu_rng *rng) {
    int heads = 0;
    for (int i = 0; i < samples; i++) {
        lu_game_core(game)->determinise(rules, state, 0, rng);
        heads += ((const oracle_state *)state)->coin == ORACLE_HEADS;
    }
    return heads;
}
