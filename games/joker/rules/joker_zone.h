/* Joker, part: where cards lie. Draw pile, hand and discard pile are lists of indices into
 * joker_state.card; here cards are drawn, sorted, put back and destroyed, bosses debuff them and
 * turn them face down, and random cards or jokers are picked in the order of their creation.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_make.h"

LU_C_BEGIN

/* ---- limits ---- */

/* Cards the hand is filled up to. */
LU_INLINE int joker_hand_limit(const joker_state *s) {
    int limit = s->hand_size + s->juggle;
    return limit < 0 ? 0 : limit > JOKER_HAND_MAX ? (int)JOKER_HAND_MAX : limit;
}

/* ---- debuffs ---- */

/* Whether a boss debuffs a card, whatever is debuffed now. Wild cards count as every suit. */
LU_INLINE bool joker_boss_debuffs(int boss, const joker_card *card, uint32_t rules) {
    int suit;
    switch (boss) {
    case JOKER_BL_CLUB:
        suit = JOKER_CLUBS;
        break;
    case JOKER_BL_GOAD:
        suit = JOKER_SPADES;
        break;
    case JOKER_BL_WINDOW:
        suit = JOKER_DIAMONDS;
        break;
    case JOKER_BL_HEAD:
        suit = JOKER_HEARTS;
        break;
    case JOKER_BL_PLANT:
        return joker_own_face(card, rules);
    case JOKER_BL_PILLAR:
        return (card->flags & JOKER_CARD_PLAYED) != 0;
    case JOKER_BL_FINAL_LEAF:
        return true;
    default:
        return false;
    }
    return card->enhancement == JOKER_WILD || joker_own_suits(card, rules) >> suit & 1u;
}

/* Sets or lifts the debuff of one card, after it changed. */
LU_INLINE void joker_card_changed(joker_state *s, int index) {
    joker_card *card = &s->card[index];
    int boss = joker_active_boss(s);
    bool debuffed = boss != JOKER_NONE && joker_boss_debuffs(boss, card, joker_rule_bits(s));
    card->flags =
        (uint8_t)((card->flags & ~JOKER_CARD_DEBUFFED) | (debuffed ? JOKER_CARD_DEBUFFED : 0));
}

/* Sets and lifts the debuffs of all cards: a blind begins, ends or is disabled. */
LU_INLINE void joker_cards_debuff(joker_state *s) {
    int boss = joker_active_boss(s);
    uint32_t rules = joker_rule_bits(s);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        joker_card *card = &s->card[i];
        bool debuffed = boss != JOKER_NONE && card->rank && joker_boss_debuffs(boss, card, rules);
        card->flags =
            (uint8_t)((card->flags & ~JOKER_CARD_DEBUFFED) | (debuffed ? JOKER_CARD_DEBUFFED : 0));
    }
}

/* ---- hand ---- */

/* Sorts the hand high to low, the older of equal cards first. */
LU_INLINE void joker_sort_hand(joker_state *s) {
    int32_t value[JOKER_HAND_MAX];
    for (int i = 0; i < s->held; i++) {
        uint8_t index = s->hand[i];
        int32_t v = joker_sort_value(&s->card[index]) * 65536 + (65535 - s->card[index].order);
        int at = i;
        for (; at > 0 && value[at - 1] < v; at--) {
            value[at] = value[at - 1];
            s->hand[at] = s->hand[at - 1];
        }
        value[at] = v;
        s->hand[at] = index;
    }
}

/* Whether a card that is drawn now stays face down. */
LU_INLINE bool joker_drawn_down(const joker_rules *m, joker_state *s, const joker_card *card) {
    switch (joker_active_boss(s)) {
    case JOKER_BL_WHEEL:
        return joker_odds(m, s, joker_key_now(s, JOKER_K_WHEEL), 7);
    case JOKER_BL_HOUSE:
        return !s->prepared;
    case JOKER_BL_MARK:
        return joker_own_face(card, joker_rule_bits(s));
    case JOKER_BL_FISH:
        return s->pressed != 0;
    default:
        return false;
    }
}

/* Draws up to `count` cards, as many as there are and as the hand can hold, and sorts the hand. */
LU_INLINE void joker_draw_cards(const joker_rules *m, joker_state *s, int count) {
    int room = JOKER_HAND_MAX - s->held;
    if (count > room) {
        s->full[JOKER_FULL_HAND]++;
        count = room;
    }
    for (int i = 0; i < count && s->draws > 0; i++) {
        uint8_t index = s->draw[--s->draws];
        joker_card *card = &s->card[index];
        s->draw[s->draws] = 0; /* what is unused is zero */
        if (joker_drawn_down(m, s, card)) {
            card->flags |= JOKER_CARD_DOWN;
        }
        s->hand[s->held++] = index;
    }
    joker_sort_hand(s);
}

/* Takes the chosen positions out of the hand; their indices go to `taken`, left to right. */
LU_INLINE int joker_take_held(joker_state *s, uint16_t chosen, uint8_t *taken) {
    int count = 0, left = 0;
    for (int i = 0; i < s->held; i++) {
        if (joker_has(chosen, i)) {
            taken[count++] = s->hand[i];
        } else {
            s->hand[left++] = s->hand[i];
        }
    }
    memset(s->hand + left, 0, (size_t)count);
    s->held = (uint8_t)left;
    return count;
}

/* Puts a card under the draw pile. */
LU_INLINE void joker_put_under(joker_state *s, uint8_t index) {
    memmove(s->draw + 1, s->draw, s->draws);
    s->draw[0] = index;
    s->draws++;
}

/* Puts a card on the discard pile, face up. */
LU_INLINE void joker_put_gone(joker_state *s, uint8_t index) {
    s->card[index].flags &= (uint8_t) ~(JOKER_CARD_DOWN | JOKER_CARD_FORCED);
    s->gone[s->gones++] = index;
}

/* A card that is in no zone any more leaves the deck. */
LU_INLINE void joker_destroy_card(joker_state *s, uint8_t index) {
    memset(&s->card[index], 0, sizeof s->card[index]);
    s->owned--;
}

/* Held cards go under the draw pile (a pack is closed). */
LU_INLINE void joker_return_hand(joker_state *s) {
    while (s->held > 0) {
        uint8_t index = s->hand[--s->held];
        s->hand[s->held] = 0;
        s->card[index].flags &= (uint8_t) ~(JOKER_CARD_DOWN | JOKER_CARD_FORCED);
        joker_put_under(s, index);
    }
}

/* All cards return to the draw pile, face up (the round is over). */
LU_INLINE void joker_return_all(joker_state *s) {
    for (int i = 0; i < s->gones; i++) {
        s->draw[s->draws++] = s->gone[i];
        s->gone[i] = 0;
    }
    s->gones = 0;
    joker_return_hand(s);
}

/* ---- random picks, listed by creation ---- */

/* A held card at random: its position; the hand is not empty. */
LU_INLINE int joker_pick_held(const joker_rules *m, joker_state *s, int base) {
    uint8_t sorted[JOKER_HAND_MAX];
    memcpy(sorted, s->hand, sizeof sorted);
    joker_sort_by_order(s, sorted, s->held);
    uint8_t index = sorted[joker_pick(m, s, joker_key_now(s, base), s->held)];
    int at = 0;
    while (s->hand[at] != index) {
        at++;
    }
    return at;
}

/* A joker of those in `mask` (bit = place) at random: its place; mask is not 0. */
LU_INLINE int joker_pick_joker(const joker_rules *m, joker_state *s, int base, uint32_t mask) {
    uint8_t sorted[JOKER_ROW_MAX];
    int n = 0;
    for (int i = 0; i < s->jokers; i++) {
        if (mask >> i & 1u) {
            int at = n++;
            for (; at > 0 && s->joker[sorted[at - 1]].order > s->joker[i].order; at--) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = (uint8_t)i;
        }
    }
    return sorted[joker_pick(m, s, joker_key_now(s, base), n)];
}

LU_C_END
