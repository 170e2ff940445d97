/* Clock, a probe of the game contract: actions that take one to eight ticks, and discounts that
 * count ticks. Apples fall while the player naps; gathering them takes three ticks. */
#pragma once

#include "ludus/game.h"

enum { CLOCK_INFO_GATHERED, CLOCK_INFO_TICKS, CLOCK_INFOS };
enum { CLOCK_NAP_1, CLOCK_NAP_2, CLOCK_NAP_4, CLOCK_NAP_8, CLOCK_GATHER, CLOCK_ACTIONS };
enum {
    CLOCK_DAY = 64, /* ticks */
    CLOCK_APPLES_MAX = 9,
    CLOCK_OBSERVATION = 3,
    CLOCK_TERMS = 1,
    CLOCK_BOTS = 1,
};

typedef lu_rules clock_rules; /* no settings */

LU_STATE_BEGIN
typedef struct clock_state {
    uint64_t rng;
    int32_t ticks;    /* 0..64 */
    int32_t apples;   /* on the ground, 0..9 */
    int32_t gathered; /* in the basket */
    int32_t unused;   /* zero */
} clock_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(clock_state) == 24, "the state has no padding");

/* Ticks of a legal action, 0 for one that is not. */
LU_INLINE int32_t clock_ticks(const clock_state *s, int32_t action) {
    int32_t ticks = action >= CLOCK_NAP_1 && action <= CLOCK_NAP_8 ? 1 << action
                    : action == CLOCK_GATHER && s->apples > 0      ? 3
                                                                   : 0;
    return ticks <= CLOCK_DAY - s->ticks ? ticks : 0;
}
