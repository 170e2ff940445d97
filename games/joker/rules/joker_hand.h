/* Joker, part: which poker hand some cards are. One pass gathers per rank and per suit the set of
 * cards as bits; all types follow from these sets without a search. Ownership: nothing is owned.
 * Threads: no state.
 */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_card.h"

LU_C_BEGIN

typedef struct joker_found {
    uint8_t hand;      /* strongest type, JOKER_FLUSH_FIVE .. JOKER_HIGH_CARD */
    uint8_t scoring;   /* cards that score, bits over those given; Stone cards always join */
    uint16_t contains; /* all types that hold, bit = hand */
} joker_found;

/* Cards of a straight, 0 when there is none. `of` = cards per rank 2..14, `ranks` = ranks there
 * are. The Ace counts as 1 and as 14; a gap of one is allowed with Shortcut, not at the top. */
LU_INLINE uint32_t joker_straight(const uint8_t *of, uint32_t ranks, int need, bool shortcut) {
    uint32_t cards = 0;
    int length = 0;
    bool found = false, skipped = false;
    for (int j = 1; j <= 14; j++) {
        int rank = j == 1 ? (int)JOKER_ACE : j;
        if (ranks >> rank & 1u) {
            length++;
            skipped = false;
            cards |= of[rank];
            found = found || length >= need;
        } else if (shortcut && !skipped && j != 14) {
            skipped = true;
        } else if (found) {
            break;
        } else {
            length = 0;
            skipped = false;
            cards = 0;
        }
    }
    return found ? cards : 0u;
}

/* Cards in a set of at most five. */
LU_TABLE uint8_t joker_set_size[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                       1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};

/* Cards of the first suit that has `need` of them, 0 when none has. `fits` = per suit a byte with
 * the cards that fit. */
LU_INLINE uint32_t joker_flush(uint32_t fits, int need) {
    for (int suit = 0; suit < JOKER_SUITS; suit++) {
        uint32_t cards = fits >> (8 * suit) & 31u;
        if (joker_set_size[cards] >= need) {
            return cards;
        }
    }
    return 0;
}

/* Whether ranks can hold a straight at all: without Shortcut exactly, with it by their number. */
LU_INLINE bool joker_straight_likely(uint32_t ranks, int need, bool shortcut) {
    uint32_t run = ranks | (ranks >> 13 & 2u); /* the Ace as 1 */
    if (shortcut) {
        return true;
    }
    run &= run >> 1 & run >> 2 & run >> 3;
    return (need > 4 ? run & run >> 1 : run) != 0;
}

/* The highest card by sort value, the first of equals. */
LU_INLINE uint32_t joker_highest(const joker_card *cards, int n) {
    uint32_t high = 1;
    for (int i = 1, best = joker_sort_value(&cards[0]); i < n; i++) {
        int value = joker_sort_value(&cards[i]);
        high = value > best ? 1u << i : high;
        best = value > best ? value : best;
    }
    return high;
}

/* The hand of 1 to 5 cards under `rules` (JOKER_RULE_ bits). Debuffed cards keep rank and suit. */
LU_INLINE joker_found joker_detect(const joker_card *cards, int n, uint32_t rules) {
    uint8_t of[16] = {0};
    uint32_t ranks = 0, fits = 0, stones = 0;
    for (int i = 0; i < n; i++) {
        uint32_t bit = joker_rank_bit(&cards[i]);
        stones |= (bit ? 0u : 1u) << i;
        ranks |= bit;
        of[cards[i].rank] |= (uint8_t)((bit ? 1u : 0u) << i);
        /* four bits to the lowest bits of four bytes */
        fits |= ((joker_own_suits(&cards[i], rules) * 0x204081u) & 0x1010101u) << i;
    }
    /* cards by the size of their group */
    uint32_t sized[6] = {0};
    for (int i = 0; i < n; i++) {
        sized[joker_set_size[of[cards[i].rank]]] |= 1u << i;
    }
    uint32_t pairs = sized[2] & ~stones, three = sized[3] & ~stones, four = sized[4] & ~stones;
    uint32_t five = sized[5] & ~stones, flush = 0, straight = 0;
    int need = rules & JOKER_RULE_FOUR_FINGERS ? 4 : 5;
    if (n >= need) {
        bool shortcut = (rules & JOKER_RULE_SHORTCUT) != 0;
        flush = joker_flush(fits, need);
        if (joker_straight_likely(ranks, need, shortcut)) {
            straight = joker_straight(of, ranks, need, shortcut);
        }
    }
    bool same3 = (three | four | five) != 0, full = three && pairs;
    bool two = full || joker_set_size[pairs] == 4;
#define JOKER_HAS(hand, yes) ((yes) ? 1u << (hand) : 0u)
    uint32_t contains = JOKER_HAS(JOKER_FLUSH_FIVE, five && flush) |
                        JOKER_HAS(JOKER_FLUSH_HOUSE, full && flush) | JOKER_HAS(JOKER_FIVE, five) |
                        JOKER_HAS(JOKER_STRAIGHT_FLUSH, flush && straight) |
                        JOKER_HAS(JOKER_FOUR, four | five) | JOKER_HAS(JOKER_FULL_HOUSE, full) |
                        JOKER_HAS(JOKER_FLUSH, flush) | JOKER_HAS(JOKER_STRAIGHT, straight) |
                        JOKER_HAS(JOKER_THREE, same3) | JOKER_HAS(JOKER_TWO_PAIR, two) |
                        JOKER_HAS(JOKER_PAIR, same3 || pairs) | 1u << JOKER_HIGH_CARD;
#undef JOKER_HAS
    int hand = lu_lowest_bit(contains);
    uint32_t scoring = stones;
    if (rules & JOKER_RULE_SPLASH) {
        scoring = (1u << n) - 1u;
    } else if (hand == JOKER_HIGH_CARD) {
        scoring |= joker_highest(cards, n);
    } else if (hand == JOKER_STRAIGHT_FLUSH || hand == JOKER_FLUSH || hand == JOKER_STRAIGHT) {
        scoring |= (hand == JOKER_STRAIGHT ? 0u : flush) | (hand == JOKER_FLUSH ? 0u : straight);
    } else { /* groups: a weaker one beside a four is no part of it, and cannot be there */
        scoring |= pairs | three | four | five;
    }
    joker_found found;
    found.hand = (uint8_t)hand;
    found.scoring = (uint8_t)scoring;
    found.contains = (uint16_t)contains;
    return found;
}

LU_C_END
