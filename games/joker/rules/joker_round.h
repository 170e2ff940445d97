/* Joker, part: a round. Bosses, drawing, playing, discarding, and the end of the round with what
 * its cash-out will pay. Asking whether a play or discard may be made is for the caller. Ownership:
 * nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_tags.h"

#include "rules/joker_score.h"

LU_C_BEGIN

/* ---- bosses ---- */

/* Amber Acorn: jokers are turned down and shuffled three times from the order of creation. */
LU_INLINE void joker_acorn(const joker_rules *m, joker_state *s) {
    uint8_t sorted[JOKER_ROW_MAX] = {0}, list[JOKER_ROW_MAX];
    joker_joker row[JOKER_ROW_MAX];
    for (int i = 0; i < s->jokers; i++) {
        int at = i;
        for (; at > 0 && s->joker[sorted[at - 1]].order > s->joker[i].order; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = (uint8_t)i;
        s->joker[i].flags |= JOKER_DOWN;
        row[i] = s->joker[i];
    }
    memcpy(list, sorted, sizeof list);
    for (int k = 0; k < 3 && s->jokers > 1; k++) {
        memcpy(list, sorted, sizeof list);
        joker_shuffle_list(m, s, joker_key_now(s, JOKER_K_AAJK), list, s->jokers);
    }
    for (int i = 0; i < s->jokers && s->jokers > 1; i++) {
        s->joker[i] = row[list[i]];
    }
}

/* What a boss does when it is set. */
LU_INLINE void joker_set_boss(const joker_rules *m, joker_state *s) {
    switch (joker_active_boss(s)) {
    case JOKER_BL_WATER:
        s->boss_took = (uint8_t)(s->discards < 255 ? s->discards : 255);
        s->discards = 0;
        break;
    case JOKER_BL_NEEDLE:
        s->boss_took = (uint8_t)(s->hands < 256 ? s->hands - 1 : 255);
        s->hands = 1;
        break;
    case JOKER_BL_MANACLE:
        s->juggle--;
        break;
    case JOKER_BL_FINAL_ACORN:
        joker_acorn(m, s);
        break;
    case JOKER_NONE:
        return;
    default:
        break;
    }
    joker_cards_debuff(s);
}

/* After a draw: Cerulean Bell selects a card, Crimson Heart debuffs another joker at the first draw
 * and after every hand. */
LU_INLINE void joker_drawn(const joker_rules *m, joker_state *s) {
    int boss = joker_active_boss(s);
    if (boss == JOKER_BL_FINAL_BELL && s->held > 0) {
        uint8_t flags = 0;
        for (int i = 0; i < s->held; i++) {
            flags |= s->card[s->hand[i]].flags;
        }
        if (!(flags & JOKER_CARD_FORCED)) {
            int at = joker_pick_held(m, s, JOKER_K_CERULEAN_BELL);
            s->card[s->hand[at]].flags |= JOKER_CARD_FORCED;
        }
    }
    if (boss == JOKER_BL_FINAL_HEART && s->jokers > 0 && (s->pressed || !s->prepared)) {
        uint32_t may = 0;
        for (int i = 0; i < s->jokers; i++) {
            may |= joker_live(&s->joker[i]) || s->jokers < 2 ? 1u << i : 0u;
            joker_on_debuffed(s, &s->joker[i], false);
        }
        s->heart = JOKER_NONE;
        if (may) {
            s->heart = (uint8_t)joker_pick_joker(m, s, JOKER_K_CRIMSON_HEART, may);
            joker_on_debuffed(s, &s->joker[s->heart], true);
        }
    }
    s->pressed = 0;
}

/* The boss is over: what it did to cards and jokers ends. */
LU_INLINE void joker_boss_over(joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].flags &= (uint8_t)~JOKER_DOWN;
        joker_on_debuffed(s, &s->joker[i], false);
    }
    s->heart = JOKER_NONE;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        s->card[i].flags = 0; /* none of them outlives an ante */
    }
}

/* ---- the end of a round ---- */

/* What one held card gives at the end of a round: money, a Planet. False when nothing. */
LU_INLINE bool joker_held_end(const joker_rules *m, joker_state *s, const joker_card *card) {
    bool did = false;
    if (card->enhancement == JOKER_GOLD) {
        joker_earn(s, 3);
        did = true;
    }
    if (card->seal == JOKER_BLUE_SEAL && s->last_hand != JOKER_NONE &&
        joker_has_room_consumable(s)) {
        joker_gain_consumable(m, s, joker_hand_facts[s->last_hand].planet);
        did = true;
    }
    return did;
}

/* Held cards left to right; a Red seal and Mime repeat those that gave something. */
LU_INLINE void joker_held_ends(const joker_rules *m, joker_state *s) {
    int again = 0;
    for (int i = 0; i < s->jokers; i++) {
        int at = joker_acting_on(s, i, JOKER_HOOK_AGAIN_HELD);
        again += at >= 0 ? joker_row_of(&s->joker[at])->again : 0;
    }
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        if (joker_card_debuffed(card) || !joker_held_end(m, s, card)) {
            continue;
        }
        int more = again + (card->seal == JOKER_RED_SEAL ? 1 : 0);
        for (int k = 0; k < more; k++) {
            (void)joker_held_end(m, s, card);
        }
    }
}

/* The hand most played in the run, the stronger of equals. */
LU_INLINE uint8_t joker_most_played(const joker_state *s) {
    int best = JOKER_HIGH_CARD, most = 0;
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if (s->plays[hand] > most) {
            most = s->plays[hand];
            best = hand;
        }
    }
    return (uint8_t)best;
}

/* What the cash-out will pay, by the state at the end of the round. */
LU_INLINE int joker_earnings(const joker_rules *m, joker_state *s) {
    bool green = s->deck == JOKER_B_GREEN;
    int dollars = s->saved ? 0 : joker_reward_of(s, joker_blind_row(s, s->blind));
    dollars += s->hands * (green ? 2 : 1) + (green ? s->discards : 0);
    dollars += joker_on_payout(m, s);
    if (s->blind == 2) {
        dollars += 25 * joker_drop_tags(s, JOKER_TAG_INVESTMENT);
    }
    if (!green && s->money >= 5) {
        int fives = s->money / 5;
        dollars += joker_interest_rate(s) * (fives < s->interest_cap ? fives : s->interest_cap);
    }
    return dollars;
}

/* Rerolls cost $5, less by vouchers; a D6 Tag changes it for one shop. */
LU_INLINE int16_t joker_reroll_base_of(const joker_state *s) {
    return (int16_t)(5 - (joker_has_voucher(s, JOKER_V_REROLL_SURPLUS) ? 2 : 0) -
                     (joker_has_voucher(s, JOKER_V_REROLL_GLUT) ? 2 : 0));
}

/* A boss fell: the ante goes up. */
LU_INLINE void joker_ante_over(const joker_rules *m, joker_state *s) {
    joker_boss_over(s);
    s->ox_hand = joker_most_played(s);
    if (s->deck == JOKER_B_ANAGLYPH) {
        joker_gain_tag(m, s, JOKER_TAG_DOUBLE, JOKER_NONE);
    }
    s->won |= s->ante >= m->win_ante;
    s->ante++;
    s->top_ante = s->ante > s->top_ante ? s->ante : s->top_ante;
    s->boss_rerolled = 0;
    joker_draw_voucher(m, s);
}

/* The round is won or saved. */
LU_INLINE void joker_round_end(const joker_rules *m, joker_state *s) {
    bool boss = s->blind == 2, won = s->won;
    s->last_cleared = 1;
    s->round++;
    joker_on_round_end(m, s);
    joker_held_ends(m, s);
    s->unused_discards += s->discards;
    joker_return_all(s);
    s->juggle = 0;
    s->reroll_base = joker_reroll_base_of(s);
    s->phase = JOKER_CASH_OUT;
    if (boss) {
        joker_ante_over(m, s);
    }
    s->owed = joker_earnings(m, s);
    joker_round_targets(m, s);
    if (s->won && !won && !m->endless) {
        s->phase = JOKER_END;
    }
}

/* The round cannot be won any more: lost, unless Mr. Bones saves it. */
LU_INLINE void joker_round_lost(const joker_rules *m, joker_state *s) {
    if (joker_on_last_chance(m, s)) {
        s->saved = 1;
        joker_round_end(m, s);
        return;
    }
    s->lost = 1;
    s->phase = JOKER_END;
}

/* ---- drawing ---- */

/* Fills the hand after a play or discard; with nothing to play the round is over. */
LU_INLINE void joker_refill(const joker_rules *m, joker_state *s) {
    bool serpent = joker_active_boss(s) == JOKER_BL_SERPENT && s->prepared;
    int count = serpent ? 3 : joker_hand_limit(s) - s->held;
    if (count > 0) {
        joker_draw_cards(m, s, count);
    }
    joker_drawn(m, s);
    if (s->held == 0) {
        joker_round_lost(m, s);
    }
}

/* Begins the round of the blind that is up. */
LU_INLINE void joker_select_blind(const joker_rules *m, joker_state *s) {
    s->phase = JOKER_PLAY;
    s->disabled = s->saved = s->prepared = s->pressed = s->boss_acted = s->boss_took = 0;
    s->score = 0.0;
    s->target = joker_target(m, s, s->ante, joker_blind_row(s, s->blind));
    s->hands = (int16_t)(s->round_hands > 1 ? s->round_hands : 1);
    s->discards = (int16_t)(s->round_discards > 0 ? s->round_discards : 0);
    s->played_round = s->discarded_round = 0;
    s->first_hand = JOKER_NONE;
    memset(s->plays_round, 0, sizeof s->plays_round);
    s->free_rerolls = (int16_t)joker_free_rerolls(s);
    s->reroll_paid = 0;
    s->juggle = (int16_t)(3 * joker_drop_tags(s, JOKER_TAG_JUGGLE));
    joker_set_boss(m, s);
    joker_on_blind_set(m, s);
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_NR), s->draw, s->draws);
    joker_draw_cards(m, s, joker_hand_limit(s));
    joker_on_first_draw(m, s);
    joker_refill(m, s);
}

/* ---- discarding ---- */

/* Cards that have left the hand are discarded together: seals, jokers, then the pile. */
LU_INLINE void joker_throw(const joker_rules *m, joker_state *s, const uint8_t *cards, int n) {
    joker_thrown thrown;
    uint8_t destroyed[JOKER_PLAY_MAX];
    uint32_t rules = joker_rule_bits(s);
    int lost = 0;
    thrown.count = n;
    thrown.dead = 0;
    for (int i = 0; i < n; i++) {
        thrown.marks[i] = joker_marks(s, &s->card[cards[i]], rules);
    }
    for (int i = 0; i < n; i++) {
        const joker_card *card = &s->card[cards[i]];
        if (card->seal == JOKER_PURPLE_SEAL && !joker_card_debuffed(card)) {
            joker_create_consumable(m, s, JOKER_TAROT, JOKER_SUFFIX_8BA);
        }
        if (joker_on_discard(m, s, &thrown, i)) {
            destroyed[lost++] = cards[i];
        } else {
            joker_put_gone(s, cards[i]);
        }
    }
    joker_destroy_cards(m, s, destroyed, lost);
    joker_lose_jokers(s, thrown.dead);
}

/* Whether the chosen held cards may be played or discarded: 1 to 5 of them, the forced among them.
 */
LU_INLINE bool joker_can_lay(const joker_state *s, uint16_t chosen) {
    int count = lu_bits_set(chosen);
    if (s->phase != JOKER_PLAY || count < 1 || count > JOKER_PLAY_MAX || chosen >> s->held) {
        return false;
    }
    for (int i = 0; i < s->held; i++) {
        if ((s->card[s->hand[i]].flags & JOKER_CARD_FORCED) && !joker_has(chosen, i)) {
            return false;
        }
    }
    return true;
}

LU_INLINE bool joker_can_discard(const joker_rules *m, const joker_state *s, uint16_t chosen) {
    (void)m;
    return s->discards > 0 && joker_can_lay(s, chosen);
}

LU_INLINE bool joker_can_play(const joker_rules *m, const joker_state *s, uint16_t chosen) {
    (void)m;
    return s->hands > 0 && joker_can_lay(s, chosen);
}

/* The number of a hand in the record of an action: 0 High Card .. 8 Straight Flush, 10 Five of a
 * Kind, 11 Flush House, 12 Flush Five. */
LU_INLINE int joker_hand_number(int hand) {
    return hand <= JOKER_FIVE ? 12 - hand : 11 - hand;
}

/* Discards the chosen held cards. */
LU_INLINE void joker_discard(const joker_rules *m, joker_state *s, uint16_t chosen) {
    uint8_t taken[JOKER_HAND_MAX];
    joker_card cards[JOKER_PLAY_MAX];
    int n = joker_take_held(s, chosen, taken);
    for (int i = 0; i < n; i++) {
        cards[i] = s->card[taken[i]];
    }
    int hand = joker_detect(cards, n, joker_rule_bits(s)).hand;
    joker_on_pre_discard(m, s, hand);
    joker_throw(m, s, taken, n);
    s->discards--;
    s->discarded_round++;
    s->prepared = 1;
    s->last_cards = n;
    s->last_type = joker_hand_number(hand);
    joker_refill(m, s);
}

/* ---- playing ---- */

/* The Hook: 2 held cards at random are discarded. */
LU_INLINE void joker_hook(const joker_rules *m, joker_state *s) {
    uint8_t cards[2] = {0, 0};
    int n = 0, first = 0;
    if (s->held > 0) {
        first = joker_pick_held(m, s, JOKER_K_HOOK);
        n += joker_take_held(s, (uint16_t)(1u << first), cards);
    }
    if (s->held > 0) {
        int second = joker_pick_held(m, s, JOKER_K_HOOK);
        n += joker_take_held(s, (uint16_t)(1u << second), cards + 1);
        if (second < first) { /* left to right as they lay */
            uint8_t other = cards[0];
            cards[0] = cards[1];
            cards[1] = other;
        }
    }
    joker_throw(m, s, cards, n);
}

/* What a boss does when a hand is pressed; the played cards have left the hand. */
LU_INLINE void joker_press_play(const joker_rules *m, joker_state *s, int played) {
    s->boss_acted = 0;
    switch (joker_active_boss(s)) {
    case JOKER_BL_HOOK:
        joker_hook(m, s);
        s->boss_acted = 1;
        break;
    case JOKER_BL_TOOTH:
        joker_earn(s, -played);
        s->boss_acted = 1;
        break;
    case JOKER_BL_FINAL_HEART:
        s->boss_acted = s->jokers > 0;
        break;
    default:
        break;
    }
}

/* After the score: broken cards leave, the rest go to the discard pile; what the hand made comes.
 */
LU_INLINE void joker_settle(const joker_rules *m, joker_state *s, const joker_scoring *call) {
    for (int i = 0; i < call->made_count; i++) {
        joker_create_consumable(m, s, call->made[i].set, call->made[i].suffix);
    }
    for (int i = 0; i < call->copies; i++) { /* DNA */
        joker_card copy = call->held_card[call->held_count + i];
        copy.order = 0;
        int zone = s->held < JOKER_HAND_MAX ? JOKER_ZONE_HAND : JOKER_ZONE_DRAW;
        int index = joker_add_card(m, s, &copy, zone);
        if (index >= 0) {
            joker_card_changed(s, index);
        }
    }
    for (int i = 0; i < call->played_count; i++) {
        if (call->broken >> i & 1u) {
            joker_destroy_card(s, call->played[i]);
        } else {
            joker_put_gone(s, call->played[i]);
        }
    }
    joker_lose_jokers(s, call->ended);
}

/* Plays the chosen held cards. */
LU_INLINE void joker_play(const joker_rules *m, joker_state *s, uint16_t chosen) {
    joker_scoring call;
    uint8_t taken[JOKER_HAND_MAX];
    int n = joker_take_held(s, chosen, taken);
    s->hands--;
    for (int i = 0; i < n; i++) {
        joker_card *card = &s->card[taken[i]];
        card->flags =
            (uint8_t)((card->flags & ~(JOKER_CARD_DOWN | JOKER_CARD_FORCED)) | JOKER_CARD_PLAYED);
    }
    joker_press_play(m, s, n);
    joker_scoring_facts(m, s, &call);
    call.luck.mode = JOKER_LUCK_STREAMS;
    call.trace = NULL;
    call.played_count = n;
    call.held_count = s->held;
    for (int i = 0; i < n; i++) {
        call.played[i] = taken[i];
    }
    memcpy(call.held, s->hand, s->held);
    joker_score(m, s, &call);
    joker_settle(m, s, &call);
    s->score += call.score;
    s->best = call.score > s->best ? call.score : s->best;
    s->played_round++;
    s->run_hands++;
    s->prepared = s->pressed = 1;
    s->last_gain = call.score;
    s->last_cards = n;
    s->last_type = joker_hand_number(call.found.hand);
    if (s->score >= s->target) {
        joker_round_end(m, s);
    } else if (s->hands <= 0) {
        joker_round_lost(m, s);
    } else {
        joker_refill(m, s);
    }
}

LU_C_END
