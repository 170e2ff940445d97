/* Oracle, a probe of the game contract: a critic-only block. A coin lies under a cup; the player
 * guesses it eight times, and only the critic sees it. */
#pragma once

#include "ludus/game.h"

enum { ORACLE_INFO_RIGHT, ORACLE_INFO_SHARE, ORACLE_INFOS };
enum { ORACLE_HEADS, ORACLE_TAILS, ORACLE_PASS, ORACLE_ACTIONS };
enum { ORACLE_ROUNDS = 8, ORACLE_OBSERVATION = 2, ORACLE_BOTS = 1 };
enum { ORACLE_TERM_GUESS = 0, ORACLE_TERMS = 1 };
#define ORACLE_CRITIC 1 /* a macro, since loop.h asks the preprocessor */

typedef lu_rules oracle_rules; /* no settings */

LU_STATE_BEGIN
typedef struct oracle_state {
    uint64_t rng;
    int32_t coin;   /* hidden: 0 heads, 1 tails */
    int32_t round;  /* 0..8 */
    int32_t right;  /* guesses so far */
    int32_t passed; /* 1: the last round was passed, which is not allowed twice */
} oracle_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(oracle_state) == 24, "the state has no padding");
