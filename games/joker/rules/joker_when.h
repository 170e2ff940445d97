/* Joker, part: the conditions and counters of joker rows, asked of a hand that is being scored.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_scoring.h"

LU_C_BEGIN

/* Whether a played card is one of the scoring cards. */
LU_INLINE bool joker_scores(const joker_scoring *c, int i) {
    return ((uint32_t)c->found.scoring >> i & 1u) != 0;
}

LU_INLINE bool joker_all_black(const joker_scoring *c) {
    const uint32_t black = 1u << JOKER_SPADES | 1u << JOKER_CLUBS;
    for (int i = 0; i < c->held_count; i++) {
        if (!(joker_own_suits(&c->held_card[i], c->rules) & black)) {
            return false;
        }
    }
    return true;
}

/* Suits that Wild cards fill, in this order, each card one. */
LU_TABLE uint8_t joker_pot_order[JOKER_SUITS] = {JOKER_HEARTS, JOKER_DIAMONDS, JOKER_SPADES,
                                                 JOKER_CLUBS};
LU_TABLE uint8_t joker_double_order[JOKER_SUITS] = {JOKER_CLUBS, JOKER_DIAMONDS, JOKER_SPADES,
                                                    JOKER_HEARTS};

/* `have` and the first suit of the order that is missing and among `suits`. */
LU_INLINE uint32_t joker_fill_suit(uint32_t have, uint32_t suits, const uint8_t *order) {
    for (int k = 0; k < JOKER_SUITS; k++) {
        uint32_t bit = 1u << order[k];
        if (suits & ~have & bit) {
            return have | bit;
        }
    }
    return have;
}

/* Flower Pot: every scoring card gives one suit, Wild cards last. Debuffed cards give theirs, only
 * a debuffed Wild card does not. */
LU_INLINE bool joker_four_suits(const joker_scoring *c) {
    uint32_t have = 0;
    for (int wild = 0; wild <= 1; wild++) {
        for (int i = 0; i < c->played_count; i++) {
            const joker_card *card = &c->card[i];
            bool is_wild = card->enhancement == JOKER_WILD;
            if (joker_scores(c, i) && is_wild == (wild == 1) &&
                !(is_wild && joker_card_debuffed(card))) {
                have = joker_fill_suit(have, joker_own_suits(card, c->rules), joker_pot_order);
            }
        }
    }
    return have == JOKER_ALL_SUITS;
}

/* Seeing Double: a Club and another suit; a Wild card fills Clubs first, then one other. */
LU_INLINE bool joker_club_and_other(const joker_scoring *c) {
    uint32_t have = 0;
    for (int wild = 0; wild <= 1; wild++) {
        for (int i = 0; i < c->played_count; i++) {
            const joker_card *card = &c->card[i];
            uint32_t suits = joker_suits(card, c->rules);
            bool is_wild = card->enhancement == JOKER_WILD;
            if (!joker_scores(c, i) || is_wild != (wild == 1)) {
                continue;
            }
            have = is_wild ? joker_fill_suit(have, suits, joker_double_order) : have | suits;
        }
    }
    return have >> JOKER_CLUBS & 1u && have & ~(1u << JOKER_CLUBS);
}

/* Ranks of the scoring cards as bits, debuffed or not; `faces` = whether one is a face card. */
LU_INLINE uint32_t joker_scoring_ranks(const joker_scoring *c, bool *faces) {
    uint32_t ranks = 0;
    *faces = false;
    for (int i = 0; i < c->played_count; i++) {
        if (joker_scores(c, i)) {
            ranks |= joker_rank_bit(&c->card[i]);
            *faces = *faces || joker_face(&c->card[i], c->rules);
        }
    }
    return ranks;
}

/* Another visible hand was played at least as often (Obelisk). */
LU_INLINE bool joker_not_most_played(const joker_state *s, const joker_scoring *c) {
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if (hand != c->found.hand && s->visible >> hand & 1u && s->plays[hand] >= c->plays) {
            return true;
        }
    }
    return false;
}

/* Whether the condition of a row holds; `at` = place of the joker the row is of. */
LU_INLINE bool joker_holds(const joker_state *s, const joker_scoring *c, const joker_row *row,
                           int at) {
    bool faces;
    switch (row->when) {
    case JOKER_WHEN_ALWAYS:
        return true;
    case JOKER_WHEN_CONTAINS:
        return (c->found.contains >> row->of & 1u) != 0;
    case JOKER_WHEN_PLAYED_AT_MOST:
        return c->played_count <= row->of;
    case JOKER_WHEN_PLAYED_EXACTLY:
        return c->played_count == row->of;
    case JOKER_WHEN_HANDS_LEFT:
        return c->hands_left == row->of;
    case JOKER_WHEN_DISCARDS_LEFT:
        return c->discards_left == row->of;
    case JOKER_WHEN_EVERY:
        return (s->run_hands - c->joker[at].a) % row->of == row->of - 1;
    case JOKER_WHEN_ALL_BLACK:
        return joker_all_black(c);
    case JOKER_WHEN_FOUR_SUITS:
        return joker_four_suits(c);
    case JOKER_WHEN_CLUB_AND_OTHER:
        return joker_club_and_other(c);
    case JOKER_WHEN_LISTED:
        return c->joker[at].a == c->found.hand;
    case JOKER_WHEN_REPEATED:
        return c->plays_round > 1;
    case JOKER_WHEN_STRAIGHT_ACE:
        return c->found.contains >> JOKER_STRAIGHT & 1u &&
               joker_scoring_ranks(c, &faces) >> JOKER_ACE & 1u;
    case JOKER_WHEN_MONEY_AT_MOST:
        return c->money_before <= row->of;
    case JOKER_WHEN_ENHANCED_AT_LEAST:
        return c->enhanced >= row->of;
    case JOKER_WHEN_BOSS_ACTED:
        return c->acted != 0;
    case JOKER_WHEN_NO_FACE:
        (void)joker_scoring_ranks(c, &faces);
        return !faces;
    case JOKER_WHEN_NOT_MOST_PLAYED:
        return joker_not_most_played(s, c);
    default:
        return false; /* conditions of a round's end */
    }
}

/* What a counter says now; `at` = place of the joker that counts. */
LU_INLINE double joker_counted(const joker_scoring *c, const joker_row *row, int at) {
    double dollars = c->money > 0.0 ? c->money : 0.0;
    int missing;
    switch (row->counter) {
    case JOKER_N_MISSING: /* DNA's copies are in the deck already */
        missing = c->count[JOKER_N_MISSING] - c->copies;
        return missing > 0 ? missing : 0;
    case JOKER_N_PLAYS:
        return c->plays;
    case JOKER_N_MONEY:
        return dollars;
    case JOKER_N_MONEY_FIVES:
        return lu_floor(dollars / 5.0);
    case JOKER_N_SELL_OTHERS:
        return c->count[JOKER_N_SELL_OTHERS] - c->sell[at];
    default:
        return c->count[row->counter];
    }
}

LU_C_END
