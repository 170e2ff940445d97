/* joker-brief-v1: the interface of the brief over the full rules. Cards are selected first, then
 * played, discarded or used on; an opened pack is resolved at once: the first cards that fit are
 * taken, consumables go to free slots. Only the first 8 cards, 5 jokers, 2 consumables and 2 shop
 * cards are within reach. Part of joker.c. */
#pragma once

#include "variants/joker_brief_layout.h"
#include "variants/joker_info.h"

/* ---- what is legal ---- */

/* Positions that must stay selected (Cerulean Bell); one beyond reach is laid by itself. */
LU_INLINE uint16_t joker_brief_forced(const joker_state *s) {
    return joker_cards_to_lay(s).forced;
}

LU_INLINE uint16_t joker_brief_selected(const joker_state *s) {
    return s->phase == JOKER_PLAY ? (uint16_t)(s->selected | joker_brief_forced(s)) : 0;
}

LU_INLINE void joker_brief_legal(const joker_rules *m, const joker_state *s, joker_legal *legal) {
    joker_legal full;
    uint16_t use = 0, selected = joker_brief_selected(s);
    const uint16_t first = (1u << JOKER_BRIEF_JOKERS) - 1u;
    memset(legal, 0, sizeof *legal);
    joker_legal_now(m, s, &full);
    for (int i = 0; i < s->bag && i < JOKER_BRIEF_BAG; i++) {
        bool can = (s->phase == JOKER_PLAY || s->phase == JOKER_SHOP) &&
                   joker_can_use_consumable(m, s, i, selected);
        use = (uint16_t)(use | (can ? 1u << i : 0u));
    }
    joker_allow(legal, JOKER_ACT_SELECT, s->phase == JOKER_PLAY ? 1u : 0u);
    joker_allow(legal, JOKER_ACT_PLAY, selected ? full.index[JOKER_ACT_PLAY] : 0u);
    joker_allow(legal, JOKER_ACT_DISCARD, selected ? full.index[JOKER_ACT_DISCARD] : 0u);
    joker_allow(legal, JOKER_ACT_SELECT_BLIND,
                (uint16_t)(full.index[JOKER_ACT_SELECT_BLIND] ? 1u << s->blind : 0u));
    joker_allow(legal, JOKER_ACT_CASH_OUT, full.index[JOKER_ACT_CASH_OUT]);
    joker_allow(legal, JOKER_ACT_BUY, full.index[JOKER_ACT_BUY] & 3u);
    joker_allow(legal, JOKER_ACT_NEXT_ROUND, full.index[JOKER_ACT_NEXT_ROUND]);
    joker_allow(legal, JOKER_ACT_REROLL, full.index[JOKER_ACT_REROLL]);
    joker_allow(legal, JOKER_ACT_SELL_JOKER,
                (uint16_t)(s->phase == JOKER_SHOP ? full.index[JOKER_ACT_SELL_JOKER] & first : 0));
    joker_allow(legal, JOKER_ACT_SKIP_BLIND, full.index[JOKER_ACT_SKIP_BLIND]);
    joker_allow(legal, JOKER_ACT_USE, use);
    joker_allow(legal, JOKER_ACT_BUY_VOUCHER, full.index[JOKER_ACT_BUY_VOUCHER] & 1u);
    joker_allow(legal, JOKER_ACT_BUY_PACK, full.index[JOKER_ACT_BUY_PACK]);
}

/* The head that says which one, for types that need it; -1 = none. */
LU_INLINE int joker_brief_head_of(int type) {
    switch (type) {
    case JOKER_ACT_SELECT_BLIND:
        return JOKER_BRIEF_HEAD_BLIND;
    case JOKER_ACT_BUY:
        return JOKER_BRIEF_HEAD_BUY;
    case JOKER_ACT_SELL_JOKER:
        return JOKER_BRIEF_HEAD_SELL;
    case JOKER_ACT_REROLL:
        return JOKER_BRIEF_HEAD_REROLL;
    case JOKER_ACT_SKIP_BLIND:
        return JOKER_BRIEF_HEAD_SKIP;
    case JOKER_ACT_USE:
        return JOKER_BRIEF_HEAD_USE;
    case JOKER_ACT_BUY_VOUCHER:
        return JOKER_BRIEF_HEAD_VOUCHER;
    case JOKER_ACT_BUY_PACK:
        return JOKER_BRIEF_HEAD_PACK;
    default:
        return -1;
    }
}

/* Choices at a hand position: at most five, the forced one among them. */
LU_INLINE int joker_brief_card_options(const joker_state *s, int at, uint16_t chosen) {
    joker_cards cards = {0, JOKER_PLAY_MAX, joker_first_bits(s->held), joker_brief_forced(s)};
    return s->phase == JOKER_PLAY ? joker_card_options(s, &cards, at, chosen) : 0;
}

/* ---- masks ---- */

LU_INLINE void joker_brief_put(uint8_t *mask, int at, int count, uint16_t bits) {
    for (int i = 0; i < count; i++) {
        mask[at + i] = joker_has(bits, i);
    }
}

LU_INLINE void joker_brief_mask(const lu_rules *head, const void *bytes, int seat, uint8_t *mask) {
    const joker_state *s = (const joker_state *)bytes;
    joker_legal legal;
    (void)seat;
    joker_brief_legal(joker_rules_of(head), s, &legal);
    for (int t = 0; t < JOKER_BRIEF_TYPES; t++) {
        mask[t] = legal.types >> t & 1u;
    }
    for (int i = 0; i < JOKER_BRIEF_HAND; i++) {
        uint8_t there = s->phase == JOKER_PLAY && i < s->held;
        bool forced = joker_has(joker_brief_forced(s), i);
        mask[JOKER_BRIEF_MASK_CARD + 2 * i] = there && !forced;
        mask[JOKER_BRIEF_MASK_CARD + 2 * i + 1] = there;
    }
    joker_brief_put(mask, JOKER_BRIEF_MASK_BLIND, 3, legal.index[JOKER_ACT_SELECT_BLIND]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_BUY, 2, legal.index[JOKER_ACT_BUY]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_SELL, 5, legal.index[JOKER_ACT_SELL_JOKER]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_REROLL, 1, legal.index[JOKER_ACT_REROLL]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_SKIP, 1, legal.index[JOKER_ACT_SKIP_BLIND]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_USE, 2, legal.index[JOKER_ACT_USE]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_VOUCHER, 1, legal.index[JOKER_ACT_BUY_VOUCHER]);
    joker_brief_put(mask, JOKER_BRIEF_MASK_PACK, 2, legal.index[JOKER_ACT_BUY_PACK]);
}

LU_INLINE void joker_brief_submask(const lu_rules *head, const void *bytes, int seat, int which,
                                   const int32_t *chosen, uint8_t *mask) {
    const joker_state *s = (const joker_state *)bytes;
    (void)head;
    (void)seat;
    if (which < JOKER_BRIEF_HEAD_CARD || which >= JOKER_BRIEF_HEAD_BLIND ||
        chosen[JOKER_BRIEF_HEAD_TYPE] != JOKER_ACT_SELECT) {
        return; /* the table of needs says the rest */
    }
    uint16_t set = 0;
    for (int i = JOKER_BRIEF_HEAD_CARD; i < which; i++) {
        set = (uint16_t)(set | (chosen[i] == 1 ? 1u << (i - JOKER_BRIEF_HEAD_CARD) : 0u));
    }
    int options = joker_brief_card_options(s, which - JOKER_BRIEF_HEAD_CARD, set);
    mask[0] = options & 1;
    mask[1] = options >> 1 & 1;
}

/* ---- actions ---- */

LU_INLINE bool joker_brief_read(const joker_rules *m, const joker_state *s, const int32_t *actions,
                                joker_action *action) {
    joker_legal legal;
    joker_brief_legal(m, s, &legal);
    action->type = actions[JOKER_BRIEF_HEAD_TYPE];
    action->index = 0;
    action->to = 0;
    action->chosen = joker_brief_selected(s);
    if ((uint32_t)action->type >= JOKER_BRIEF_TYPES || !(legal.types >> action->type & 1u)) {
        return false;
    }
    int head = joker_brief_head_of(action->type);
    if (head >= 0) {
        action->index = actions[head];
        return (uint32_t)action->index < 16u && joker_has(legal.index[action->type], action->index);
    }
    if (action->type == JOKER_ACT_SELECT) {
        action->chosen = 0;
        for (int i = 0; i < s->held && i < JOKER_BRIEF_HAND; i++) {
            int32_t choice = actions[JOKER_BRIEF_HEAD_CARD + i];
            int options = joker_brief_card_options(s, i, action->chosen);
            if ((uint32_t)choice > 1u || !(options >> choice & 1)) {
                return false;
            }
            action->chosen = (uint16_t)(action->chosen | (uint32_t)choice << i);
        }
    }
    return true;
}

/* A consumable of a pack goes to a free slot instead of being used. */
LU_INLINE void joker_keep_pack(const joker_rules *m, joker_state *s, int i) {
    joker_item item = s->shown[i];
    memset(&s->shown[i], 0, sizeof s->shown[i]);
    joker_add_consumable(m, s, &item);
    if (--s->pack_picks == 0) {
        joker_close_pack(m, s);
    }
}

/* Takes the first cards of an open pack that fit, then leaves it. */
LU_INLINE void joker_brief_open(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < JOKER_PACK_MAX && s->pack_open && s->pack_picks > 0; i++) {
        const joker_item *item = &s->shown[i];
        if (item->kind == JOKER_KIND_CONSUMABLE) {
            if (joker_room_bag(s) > 0) {
                joker_keep_pack(m, s, i);
            }
        } else if (joker_can_pick(m, s, i)) {
            joker_pick_pack(m, s, i, 0);
        }
    }
    if (s->pack_open) {
        joker_close_pack(m, s);
    }
}

LU_INLINE void joker_brief_do(const joker_rules *m, joker_state *s, joker_action *action) {
    if (action->type == JOKER_ACT_SELECT) {
        s->selected = action->chosen;
        return;
    }
    joker_perform(m, s, action);
    while (s->pack_open) { /* a tag may open one after the other */
        joker_brief_open(m, s);
    }
    s->selected = 0;
}

/* ---- observation ---- */

/* Our suits in the brief's order: Spades, Diamonds, Hearts, Clubs. */
LU_INLINE int joker_brief_suit(int suit) {
    return suit == JOKER_SPADES ? 0 : suit == JOKER_DIAMONDS ? 1 : suit == JOKER_HEARTS ? 2 : 3;
}

/* Ranks with the Ace first. */
LU_INLINE int joker_brief_rank(int rank) {
    return rank == JOKER_ACE ? 0 : rank - 1;
}

LU_INLINE void joker_brief_scalars(const joker_rules *m, const joker_state *s, float *o) {
    double done = s->target > 0.0 ? s->score / s->target : 0.0;
    int vouchers = joker_bits(s->vouchers), slots = s->jokers + joker_room_jokers(s);
    int room = s->bag + joker_room_bag(s), extra = s->ante - m->win_ante;
    bool boss = s->blind == 2 && s->phase != JOKER_END;
    o[0] = (float)(done > 1e9 ? 1e9 : done);
    o[1] = (float)s->ante / 8.0f;
    o[2] = s->phase == JOKER_END ? -0.5f : (float)s->blind / 2.0f;
    o[3] = (float)s->phase / 4.0f;
    o[4] = (float)s->hands / 4.0f;
    o[5] = (float)s->discards / 3.0f;
    o[6] = (float)s->money / 100.0f;
    o[7] = (float)s->owed / 20.0f;
    o[8] = (float)s->draws / 52.0f;
    o[9] = slots > 0 ? (float)s->jokers / (float)slots : 0.0f;
    o[10] = (float)s->round / 24.0f;
    o[11] = m->step_limit > 0 ? (float)s->steps / (float)m->step_limit : 0.0f;
    o[12] = boss ? (float)(s->boss - 2) / 27.0f : -0.1f;
    o[13] = room > 0 ? (float)s->bag / (float)room : 0.0f;
    o[14] = (float)vouchers / 36.0f;
    for (int h = 0; h < JOKER_BRIEF_HANDS; h++) {
        o[15 + h] = 0.0f;
    }
    for (int h = 0; h < JOKER_HANDS; h++) {
        o[15 + joker_brief_hand[h]] = (float)s->level[h] / 10.0f;
    }
    o[28] = (float)s->tags / 10.0f;
    o[29] = m->endless ? 1.0f : 0.0f;
    o[30] = extra > 0 ? (float)extra / 10.0f : 0.0f;
    o[31] = (float)joker_reroll_price(m, s) / 20.0f;
}

LU_INLINE void joker_brief_hand_groups(const joker_state *s, float *o) {
    joker_card chosen[JOKER_PLAY_MAX];
    uint16_t selected = joker_brief_selected(s);
    int count = 0;
    for (int i = 0; i < s->held && i < JOKER_BRIEF_HAND; i++) {
        const joker_card *c = &s->card[s->hand[i]];
        float *f = o + JOKER_BRIEF_AT_HAND + i * JOKER_BRIEF_CARD;
        o[JOKER_BRIEF_AT_SELECTION + i] = joker_has(selected, i) ? 1.0f : 0.0f;
        if (c->flags & JOKER_CARD_DOWN) {
            f[20] = 1.0f;
            continue;
        }
        f[joker_brief_rank(c->rank)] = 1.0f;
        f[13 + joker_brief_suit(c->suit)] = 1.0f;
        f[17] = (float)c->enhancement / 8.0f;
        f[18] = (float)c->seal / 4.0f;
        f[19] = (float)c->edition / 4.0f;
        if (joker_has(selected, i) && count < JOKER_PLAY_MAX) {
            chosen[count++] = *c;
        }
    }
    if (count > 0) {
        joker_found found = joker_detect(chosen, count, joker_rule_bits(s));
        o[JOKER_BRIEF_AT_HAND_TYPE + joker_brief_hand[found.hand]] = 1.0f;
    }
}

LU_INLINE void joker_brief_deck_group(const joker_state *s, float *o) {
    for (int i = 0; i < s->draws; i++) {
        const joker_card *c = &s->card[s->draw[i]];
        o[joker_brief_suit(c->suit) * 13 + joker_brief_rank(c->rank)] += 0.25f;
    }
    for (int i = 0; i < s->held; i++) {
        const joker_card *c = &s->card[s->hand[i]];
        if (c->flags & JOKER_CARD_DOWN) {
            o[joker_brief_suit(c->suit) * 13 + joker_brief_rank(c->rank)] += 0.25f;
        }
    }
}

LU_INLINE void joker_brief_owned_groups(const joker_state *s, float *o) {
    for (int i = 0; i < s->jokers && i < JOKER_BRIEF_JOKERS; i++) {
        float *f = o + JOKER_BRIEF_AT_JOKERS + i * JOKER_BRIEF_JOKER;
        const joker_joker *j = &s->joker[i];
        if (!(j->flags & JOKER_DOWN)) {
            f[j->id] = 1.0f;
            f[150] = j->flags & JOKER_DEBUFFED ? 0.0f : 1.0f;
            f[151] = j->flags & JOKER_ETERNAL ? 1.0f : 0.0f;
            f[152] = j->edition == JOKER_NEGATIVE ? 1.0f : 0.0f;
        }
    }
    for (int i = 0; i < JOKER_BRIEF_SHOP && s->phase == JOKER_SHOP; i++) {
        float *f = o + JOKER_BRIEF_AT_SHOP + i * JOKER_BRIEF_OFFER;
        if (s->shop[i].kind == JOKER_KIND_JOKER) {
            f[s->shop[i].joker.id] = 1.0f;
        }
        if (s->shop[i].kind != JOKER_KIND_NONE) {
            f[150] = (float)s->shop[i].price / 20.0f;
        }
    }
    for (int i = 0; i < s->bag && i < JOKER_BRIEF_BAG; i++) {
        o[JOKER_BRIEF_AT_CONSUMABLES + i * JOKER_CONSUMABLES + s->consumable[i].id] = 1.0f;
    }
    for (int i = 0; i < JOKER_VOUCHERS; i++) {
        o[JOKER_BRIEF_AT_VOUCHERS + i] = s->vouchers >> i & 1u ? 1.0f : 0.0f;
    }
    for (int i = 0; i < s->tags; i++) {
        float *f = o + JOKER_BRIEF_AT_TAGS + s->tag[i].id;
        *f = *f + 0.2f > 1.0f ? 1.0f : *f + 0.2f;
    }
}

LU_INLINE void joker_brief_observe(const lu_rules *head, const void *bytes, int seat,
                                   uint64_t changed, float *o) {
    const joker_rules *m = joker_rules_of(head);
    const joker_state *s = (const joker_state *)bytes;
    (void)seat;
    (void)changed;
    memset(o, 0, JOKER_BRIEF_OBSERVATION * sizeof *o);
    joker_brief_scalars(m, s, o + JOKER_BRIEF_AT_SCALARS);
    joker_brief_hand_groups(s, o);
    joker_brief_deck_group(s, o + JOKER_BRIEF_AT_DECK);
    joker_brief_owned_groups(s, o);
    if (s->blind == 2 && s->phase != JOKER_END && s->boss - 2 < JOKER_BRIEF_BOSSES) {
        o[JOKER_BRIEF_AT_BOSS + s->boss - 2] = 1.0f;
    }
    o[JOKER_BRIEF_AT_DECK_TYPE + s->deck] = 1.0f;
    o[JOKER_BRIEF_AT_STAKE + s->stake] = 1.0f;
}
