/* Joker, part: playing cards. What a card is worth, how hands are sorted, which suits it counts as
 * and whether it is a face card, under the rule jokers (Smeared Joker, Pareidolia) and debuffs.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "joker.h"

LU_C_BEGIN

/* Rules that owned jokers change; bits of joker_row.rules and of joker_rules(). */
enum {
    JOKER_RULE_FOUR_FINGERS = 1,
    JOKER_RULE_SHORTCUT = 2,
    JOKER_RULE_SMEARED = 4,
    JOKER_RULE_PAREIDOLIA = 8,
    JOKER_RULE_SPLASH = 16,
    JOKER_RULE_SHOWMAN = 32,    /* jokers and consumables may appear again */
    JOKER_RULE_ASTRONOMER = 64, /* Planets and Celestial packs are free */
    /* those that change which hand some cards are */
    JOKER_RULES_OF_HANDS =
        JOKER_RULE_FOUR_FINGERS | JOKER_RULE_SHORTCUT | JOKER_RULE_SMEARED | JOKER_RULE_SPLASH
};

enum { JOKER_ALL_SUITS = 15, JOKER_FACE_RANKS = 7 << JOKER_JACK };

/* Printed value: 2..10, J Q K 10, A 11; also of a Stone card, whose rank does not count. */
LU_INLINE int joker_chip_value(int rank) {
    return rank == JOKER_ACE ? 11 : rank > 10 ? 10 : rank;
}

/* Sort value of 6.4 in hundredths: chip value, then face step, then suit step. Stone cards come
 * behind all others: at most 140 against at least 201. */
LU_INLINE int joker_sort_value(const joker_card *card) {
    int face = card->rank > 10 ? card->rank - 10 : 0;
    int suit = card->suit == JOKER_SPADES   ? 4
               : card->suit == JOKER_HEARTS ? 3
               : card->suit == JOKER_CLUBS  ? 2
                                            : 1;
    int value = 100 * joker_chip_value(card->rank) + 10 * face;
    return card->enhancement == JOKER_STONE ? value - 1000 * suit : value + suit;
}

/* Whether a lies left of b in a sorted hand: higher first, the older of equal ones first. */
LU_INLINE bool joker_card_before(const joker_card *a, const joker_card *b) {
    int left = joker_sort_value(a), right = joker_sort_value(b);
    return left > right || (left == right && a->order < b->order);
}

LU_INLINE bool joker_card_debuffed(const joker_card *card) {
    return (card->flags & JOKER_CARD_DEBUFFED) != 0;
}

/* Bit of the rank; 0 for a Stone card. A debuffed card keeps its rank. */
LU_INLINE uint32_t joker_rank_bit(const joker_card *card) {
    return card->enhancement == JOKER_STONE ? 0u : 1u << card->rank;
}

/* Suits a card fits in hand detection and when a boss looks at it (bit = joker_suit): debuffed
 * cards keep their own suit, a debuffed Wild card has no other. */
LU_INLINE uint32_t joker_own_suits(const joker_card *card, uint32_t rules) {
    if (card->enhancement == JOKER_STONE) {
        return 0;
    }
    if (card->enhancement == JOKER_WILD && !joker_card_debuffed(card)) {
        return JOKER_ALL_SUITS;
    }
    /* suits of one colour are two apart: Spades and Clubs, Hearts and Diamonds */
    return rules & JOKER_RULE_SMEARED ? 5u << (card->suit & 1) : 1u << card->suit;
}

/* Suits a card counts as for jokers: none while debuffed. */
LU_INLINE uint32_t joker_suits(const joker_card *card, uint32_t rules) {
    return joker_card_debuffed(card) ? 0u : joker_own_suits(card, rules);
}

/* Face card by rank (or any card with Pareidolia), debuffed or not, as bosses see it. */
LU_INLINE bool joker_own_face(const joker_card *card, uint32_t rules) {
    return (rules & JOKER_RULE_PAREIDOLIA) || (joker_rank_bit(card) & JOKER_FACE_RANKS);
}

/* Face card for jokers: never while debuffed. */
LU_INLINE bool joker_face(const joker_card *card, uint32_t rules) {
    return !joker_card_debuffed(card) && joker_own_face(card, rules);
}

/* The boss whose effect counts now, JOKER_BL_...; JOKER_NONE at other blinds and when disabled. */
LU_INLINE int joker_active_boss(const joker_state *s) {
    return s->phase == JOKER_PLAY && s->blind == 2 && !s->disabled ? s->boss : (int)JOKER_NONE;
}

LU_C_END
