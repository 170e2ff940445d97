/* Chain, a probe of the game contract: heads that depend on earlier heads by all, any and none, a
 * submask, a head that points at slots, and a declared head that is never asked. A juggler with
 * four pockets waits, drops, throws or trades what he finds. */
#pragma once

#include "ludus/game.h"

enum { CHAIN_INFO_TRADED, CHAIN_INFO_DROPPED, CHAIN_INFOS };
enum { CHAIN_VERB, CHAIN_ITEM, CHAIN_DIRECTION, CHAIN_FORCE, CHAIN_RESERVED, CHAIN_HEADS };
enum { CHAIN_WAIT, CHAIN_DROP, CHAIN_THROW, CHAIN_TRADE, CHAIN_VERBS };
enum { CHAIN_LEFT, CHAIN_RIGHT, CHAIN_UP, CHAIN_DIRECTIONS };
enum { CHAIN_SOFT, CHAIN_HARD, CHAIN_FORCES };
enum { CHAIN_EMPTY, CHAIN_STONE, CHAIN_FEATHER, CHAIN_COIN, CHAIN_KINDS };
enum {
    CHAIN_POCKETS = 4,
    CHAIN_RESERVED_OPTIONS = 2,
    CHAIN_MASK = 15,  /* all options: 4 + 4 + 3 + 2 + 2 */
    CHAIN_ALWAYS = 5, /* options of direction and force, which the mask never closes */
    CHAIN_LIMIT = 24, /* decisions of an episode */
    CHAIN_OBSERVATION = 1 + CHAIN_POCKETS * 2,
    CHAIN_BOTS = 2,
};
enum { CHAIN_TERM_TRADE, CHAIN_TERM_JUGGLE, CHAIN_TERMS };

typedef lu_rules chain_rules; /* no settings */

LU_STATE_BEGIN
typedef struct chain_state {
    uint64_t rng;
    uint8_t pocket[CHAIN_POCKETS]; /* what is in it: CHAIN_EMPTY .. CHAIN_COIN */
    int32_t steps;
    int32_t traded;
    int32_t dropped;
} chain_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(chain_state) == 24, "the state has no padding");
