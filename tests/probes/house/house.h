/* House, a probe of the game contract: a second seat that the game itself drives under a setting.
 * Both seats roll a die at the same time and add it to their turn, or bank the turn; a one loses
 * the turn. First to thirty (Pig), or to as many as a file says. The house banks from eight on. */
#pragma once

#include "ludus/game.h"

enum { HOUSE_INFO_WON, HOUSE_INFO_STEPS, HOUSE_INFOS };
enum { HOUSE_ROLL, HOUSE_BANK, HOUSE_ACTIONS };
enum {
    HOUSE_SEATS = 2,
    HOUSE_GOAL = 30,
    HOUSE_LIMIT = 80, /* decisions */
    HOUSE_ENOUGH = 8, /* the house banks this much */
    HOUSE_OBSERVATION = 4,
    HOUSE_TERMS = 1,
    HOUSE_BOTS = 1,
};

typedef struct house_rules {
    lu_rules head;
    int32_t driven; /* 1: the game drives seat 1 */
    int32_t more;   /* points above thirty that are needed */
} house_rules;

LU_STATE_BEGIN
typedef struct house_state {
    uint64_t rng;
    int32_t total[HOUSE_SEATS]; /* banked points */
    int32_t turn[HOUSE_SEATS];  /* points at risk */
    int32_t steps;
    int32_t winner; /* 1 + seat, 0 = none yet */
} house_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(house_state) == 32, "the state has no padding");
