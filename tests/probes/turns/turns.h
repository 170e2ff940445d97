/* Turns, a probe of the game contract: two seats that move in turn. Three heaps of stones; a move
 * takes one to three stones from one heap, and whoever takes the last stone wins (Nim). */
#pragma once

#include "ludus/game.h"

enum { TURNS_INFO_MOVES, TURNS_INFO_WON, TURNS_INFOS };
enum {
    TURNS_HEAPS = 3,
    TURNS_TAKE = 3,
    TURNS_STONES = 7,
    TURNS_ACTIONS = TURNS_HEAPS * TURNS_TAKE
};
enum { TURNS_SEATS = 2, TURNS_TERM_WIN = 0, TURNS_TERMS = 1, TURNS_BOTS = 1 };
enum { TURNS_OBSERVATION = TURNS_HEAPS + 1 };

typedef lu_rules turns_rules; /* no settings */

LU_STATE_BEGIN
typedef struct turns_state {
    uint8_t heap[TURNS_HEAPS]; /* stones, 0..7 */
    uint8_t seat;              /* whose turn it is */
    int32_t moves;
} turns_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(turns_state) == 8, "the state has no padding");

/* Action a takes 1 + a % 3 stones from heap a / 3. */
LU_INLINE bool turns_legal(const turns_state *s, int32_t action) {
    return action >= 0 && action < TURNS_ACTIONS &&
           s->heap[action / TURNS_TAKE] > action % TURNS_TAKE;
}
