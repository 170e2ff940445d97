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

/* Ranks of a straight among `ranks`, 0 when there is none. The Ace counts as 1 and as 14; a gap of
 * one is allowed with Shortcut, not at the top. */
LU_INLINE uint32_t joker_straight(uint32_t ranks, int need, bool shortcut) {
    uint32_t in = 0;
    int length = 0;
    bool found = false, skipped = false;
    for (int j = 1; j <= 14; j++) {
        int rank = j == 1 ? (int)JOKER_ACE : j;
        if (ranks >> rank & 1u) {
            length++;
            skipped = false;
            in |= 1u << rank;
            found = found || length >= need;
        } else if (shortcut && !skipped && j != 14) {
            skipped = true;
        } else if (found) {
            break;
        } else {
            length = 0;
            skipped = false;
            in = 0;
        }
    }
    return found ? in : 0u;
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

/* What counts of a card when its hand is found. */
typedef struct joker_shape {
    uint64_t one;   /* 1 in the four bits of its rank; 0: a Stone card */
    uint32_t rank;  /* its bit; 0: a Stone card */
    uint32_t suits; /* a byte a suit: 1 where it fits */
    int16_t value;  /* for sorting */
    uint16_t shift; /* to the four bits of its rank */
} joker_shape;

LU_INLINE joker_shape joker_shape_of(const joker_card *card, uint32_t rules) {
    joker_shape shape;
    shape.rank = joker_rank_bit(card);
    shape.shift = (uint16_t)(4 * card->rank);
    shape.one = (uint64_t)(shape.rank != 0) << shape.shift;
    /* four bits to the lowest bits of four bytes */
    shape.suits = (joker_own_suits(card, rules) * 0x204081u) & 0x1010101u;
    shape.value = (int16_t)joker_sort_value(card);
    return shape;
}

/* The highest card by sort value, the first of equals. */
LU_INLINE uint32_t joker_highest(const joker_shape *shapes, int n) {
    uint32_t high = 1;
    for (int i = 1, best = shapes[0].value; i < n; i++) {
        high = shapes[i].value > best ? 1u << i : high;
        best = shapes[i].value > best ? shapes[i].value : best;
    }
    return high;
}

/* The hand of 1 to 5 cards under `rules` (JOKER_RULE_ bits). Debuffed cards keep rank and suit. */
LU_INLINE joker_found joker_detect_shapes(const joker_shape *shapes, int n, uint32_t rules) {
    uint64_t counts = 0, sized = 0; /* four bits a rank: its cards; a byte a size: cards in such */
    uint32_t ranks = 0, fits = 0, stones = 0;
    for (int i = 0; i < n; i++) {
        counts += shapes[i].one;
        ranks |= shapes[i].rank;
        fits |= shapes[i].suits << i;
        stones |= (shapes[i].rank ? 0u : 1u) << i;
    }
    for (int i = 0; i < n; i++) {
        sized |= UINT64_C(1) << (8 * (counts >> shapes[i].shift & 7u) + (unsigned)i);
    }
    uint32_t alive = 31u & ~stones, pairs = (uint32_t)(sized >> 16) & alive;
    uint32_t three = (uint32_t)(sized >> 24) & alive, four = (uint32_t)(sized >> 32) & alive;
    uint32_t five = (uint32_t)(sized >> 40) & alive, flush = 0, straight = 0;
    int need = rules & JOKER_RULE_FOUR_FINGERS ? 4 : 5;
    if (n >= need) {
        bool shortcut = (rules & JOKER_RULE_SHORTCUT) != 0;
        flush = joker_flush(fits, need);
        if (joker_straight_likely(ranks, need, shortcut)) {
            uint32_t in = joker_straight(ranks, need, shortcut);
            for (int i = 0; i < n; i++) {
                straight |= shapes[i].rank & in ? 1u << i : 0u;
            }
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
        scoring |= joker_highest(shapes, n);
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

LU_INLINE joker_found joker_detect(const joker_card *cards, int n, uint32_t rules) {
    joker_shape shapes[5] = {joker_shape_of(&cards[0], rules)};
    for (int i = 1; i < n; i++) {
        shapes[i] = joker_shape_of(&cards[i], rules);
    }
    return joker_detect_shapes(shapes, n, rules);
}

LU_C_END
