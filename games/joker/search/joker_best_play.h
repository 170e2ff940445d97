/* What to play: the best of all choices of up to five held cards, by their exact expected score
 * with the jokers as they stand. For bots and advisors; works on any state and leaves it as it is.
 * Ownership: states belong to the caller. Threads: no state. */
#pragma once

#include "rules/joker_act.h"

/* A choice of held cards and what it is expected to score. */
typedef struct joker_choice {
    uint16_t chosen; /* positions; 0 = none is possible */
    uint8_t hand;
    double score;
} joker_choice;

/* The best hand to play now. Of equal ones the one with fewer cards, then the leftmost. */
LU_INLINE joker_choice joker_best_play(const joker_rules *m, joker_state *s) {
    joker_choice best = {0, JOKER_NONE, -1.0};
    joker_cards cards = joker_cards_to_lay(s);
    joker_scoring call;
    memset(&call, 0, sizeof call);
    joker_scoring_facts(m, s, &call);
    call.hands_left = s->hands - 1; /* this hand is taken off */
    call.luck.mode = JOKER_LUCK_MEAN;
    for (int count = 1; count <= JOKER_PLAY_MAX && count <= s->held; count++) {
        /* all sets of so many positions, in order */
        for (uint32_t set = (1u << count) - 1u; set < 1u << s->held;) {
            if ((set & cards.forced) == cards.forced) {
                joker_scoring_choose(s, &call, set);
                joker_score_run(m, s, &call);
                if (call.score > best.score) {
                    best.chosen = (uint16_t)set;
                    best.hand = call.found.hand;
                    best.score = call.score;
                }
            }
            uint32_t low = set & (0u - set), next = set + low;
            set = next | ((set ^ next) / low >> 2);
        }
    }
    return best;
}
