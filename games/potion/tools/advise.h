/* What the parts of `ludus potion advise` share: what was asked, what was found, and how both are
 * told (advise_words.c). Ownership: structs without pointers to free. Threads: nothing is shared.
 */
#pragma once

#include "potion.h"
#include "solver/potion_solve.h"

enum { ADVISE_PROFIT, ADVISE_SIZE, ADVISE_CONTEST }; /* goals */

/* What may stand in the way of a better potion; each is tried without it. */
enum { ADVISE_SLOTS, ADVISE_MAGIMINS, ADVISE_PIECES, ADVISE_LIMITS };

/* The best potion of one recipe. */
typedef struct advise_find {
    int recipe;
    potion_brew brew; /* not found: none is exactly in ratio */
} advise_find;

/* One round of a contest. */
typedef struct advise_round {
    const potion_round *round;
    int grade;        /* lowest that wins; -1: no price of the recipe reaches the target */
    bool bought;      /* the potion needs pieces of the shop */
    potion_brew brew; /* the cheapest that wins, without a price that wins by its grade alone; not
                         optimal: a cheaper one, or if none was found any, is not ruled out */
} advise_round;

typedef struct advice {
    int goal, cauldron, chapter;
    int shop;   /* one day of the shop of chapters 1..shop may be bought; 0 = nothing */
    int budget; /* most gold for the ingredients, 0 = any */
    uint8_t owned[POTION_ACTIONS];
    uint8_t market[POTION_ACTIONS]; /* owned and what the shop sells */
    advise_find found[POTION_RECIPES];
    int count;                          /* recipes that were compared, the best first */
    potion_brew without[ADVISE_LIMITS]; /* the best recipe without each limit */
    advise_find better;                 /* with the shop; not found: it brings no more */
    bool better_proven;                 /* that nothing does better than it, or than the best */
    advise_round rounds[POTION_ROUNDS];
    int round_count;
} advice;

/* The answer of the tool: members for programs, and `words` for people. */
void advise_write(const advice *a, lu_json *json);
