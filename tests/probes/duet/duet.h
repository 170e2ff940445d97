/* Duet, a probe of the game contract: two seats that choose at the same time, reset options, and a
 * choice that may not be repeated a third time. Each round both seats play rock, paper or scissors
 * for a prize that everybody sees. */
#pragma once

#include "ludus/game.h"

enum { DUET_ROCK, DUET_PAPER, DUET_SCISSORS, DUET_ACTIONS, DUET_NONE = DUET_ACTIONS };
enum { DUET_SEATS = 2, DUET_ROUNDS_MAX = 40, DUET_PRIZE_MAX = 9 };
enum { DUET_TERM_WON, DUET_TERM_LOST, DUET_TERMS };
enum { DUET_INFO_LEAD, DUET_INFO_ROUND, DUET_INFO_LAST, DUET_INFOS };
enum { DUET_EVENT_WON, DUET_EVENT_TIE, DUET_EVENTS };
enum { DUET_OBSERVATION = 6 };

typedef struct duet_rules {
    lu_rules head;
    int32_t rounds; /* unless the reset asks for others */
    int32_t unused;
} duet_rules;

/* What a reset may ask for. */
typedef struct duet_options {
    int32_t rounds; /* 0: those of the settings */
    int32_t lead;   /* points seat 0 starts with */
    uint64_t words; /* hash of the text seed, which then replaces the seed; 0: none was given */
} duet_options;

LU_STATE_BEGIN
typedef struct duet_state {
    uint64_t rng;     /* prizes to come */
    int32_t round;    /* rounds played */
    int32_t rounds;   /* rounds of the episode, 1..40 */
    int32_t prize;    /* of the coming round, 1..9 */
    int32_t score[2]; /* points of each seat */
    uint8_t last[2];  /* last choice of each seat, DUET_NONE before the first */
    uint8_t count[2]; /* how often in a row, 0..2 */
} duet_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(duet_state) == 32, "the state has no padding");
