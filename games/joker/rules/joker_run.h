/* Joker, part: the course of a run. The start, blinds chosen and skipped, cash-out and shop, packs,
 * selling and moving; a round itself is in joker_round.h. Each action has a joker_can_... that
 * tells whether it may be done; doing it is for the caller to ask first. Actions fill the last_...
 * record of the state, which the caller clears before. Ownership: nothing is owned. Threads: no
 * state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_round.h"

LU_C_BEGIN

/* ---- sort numbers ---- */

/* A sort number after those before it are closed up: how many lower ones there are, plus 1. */
LU_INLINE uint16_t joker_order_of(const uint16_t *orders, int n, uint16_t order) {
    int below = 0;
    for (int i = 0; i < n; i++) {
        below += orders[i] < order;
    }
    return (uint16_t)(below + 1);
}

/* Numbers all cards, jokers and consumables anew from 1 in the same order, when the numbers come
 * near their end (after tens of thousands of shop cards). Nothing is on display then. */
LU_INLINE void joker_close_orders(joker_state *s) {
    uint16_t orders[JOKER_DECK_MAX + JOKER_ROW_MAX + JOKER_BAG_MAX];
    int n = 0;
    if (s->next_order < 60000) {
        return;
    }
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (s->card[i].rank) {
            orders[n++] = s->card[i].order;
        }
    }
    for (int i = 0; i < s->jokers; i++) {
        orders[n++] = s->joker[i].order;
    }
    for (int i = 0; i < s->bag; i++) {
        orders[n++] = s->consumable[i].order;
    }
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (s->card[i].rank) {
            s->card[i].order = joker_order_of(orders, n, s->card[i].order);
        }
    }
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].order = joker_order_of(orders, n, s->joker[i].order);
    }
    for (int i = 0; i < s->bag; i++) {
        s->consumable[i].order = joker_order_of(orders, n, s->consumable[i].order);
    }
    s->next_order = (uint16_t)(n + 1);
}

/* ---- packs ---- */

/* Opens a pack, bought or by a tag: Arcana and Spectral packs deal a hand. */
LU_INLINE void joker_start_pack(const joker_rules *m, joker_state *s, int pack) {
    joker_open_pack(m, s, pack);
    s->pack_back = s->phase;
    joker_on_pack_open(m, s);
    int kind = joker_pack_facts[pack].kind;
    s->pack_hand = kind == JOKER_PACK_ARCANA || kind == JOKER_PACK_SPECTRAL;
    if (s->pack_hand) {
        joker_draw_cards(m, s, joker_hand_limit(s));
    }
}

/* Tags that act at a blind choice fire in the order of gain; a pack comes alone, the next tag when
 * it is closed. */
LU_INLINE void joker_fire_choice_tags(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < s->tags;) {
        int id = s->tag[i].id, pack = joker_tag_pack(id);
        if (id == JOKER_TAG_BOSS) {
            joker_remove_tag(s, i);
            joker_draw_boss(m, s);
        } else if (pack != JOKER_NONE) {
            joker_remove_tag(s, i);
            joker_start_pack(m, s, pack);
            return;
        } else {
            i++;
        }
    }
}

/* Closes the pack and goes back to where it was opened. */
LU_INLINE void joker_close_pack(const joker_rules *m, joker_state *s) {
    joker_clear_pack(s);
    if (s->pack_hand) {
        joker_return_hand(s);
    }
    s->pack_hand = 0;
    if (s->phase == JOKER_BLIND_SELECT) {
        joker_fire_choice_tags(m, s);
    }
}

/* Whether there is a place for a card of the shop or of a pack. */
LU_INLINE bool joker_item_fits(const joker_state *s, const joker_item *item) {
    switch (item->kind) {
    case JOKER_KIND_JOKER:
        return item->joker.edition == JOKER_NEGATIVE ? s->jokers < JOKER_ROW_MAX
                                                     : joker_has_room_joker(s);
    case JOKER_KIND_CONSUMABLE:
        return joker_has_room_consumable(s);
    case JOKER_KIND_CARD:
        return s->owned < JOKER_DECK_MAX;
    default:
        return false;
    }
}

/* Whether a joker or playing card of the pack can be taken; a consumable is used at once, so for it
 * see joker_can_use. */
LU_INLINE bool joker_can_pick(const joker_rules *m, const joker_state *s, int i) {
    (void)m;
    return s->pack_open && s->shown[i].kind != JOKER_KIND_CONSUMABLE &&
           joker_item_fits(s, &s->shown[i]);
}

/* Takes a card of the pack: jokers and playing cards are kept, consumables used on the chosen held
 * cards. The last pick closes the pack. */
LU_INLINE void joker_pick_pack(const joker_rules *m, joker_state *s, int i, uint16_t chosen) {
    joker_item item = s->shown[i];
    memset(&s->shown[i], 0, sizeof s->shown[i]);
    switch (item.kind) {
    case JOKER_KIND_JOKER:
        joker_gain_joker(m, s, &item.joker);
        break;
    case JOKER_KIND_CARD:
        joker_gain_card(m, s, &item.card, JOKER_ZONE_DRAW);
        break;
    default:
        joker_use(m, s, item.id, chosen);
        break;
    }
    if (--s->pack_picks == 0) {
        joker_close_pack(m, s);
    }
}

/* Leaves the rest of the pack. */
LU_INLINE void joker_skip_pack(const joker_rules *m, joker_state *s) {
    joker_on_pack_skip(m, s);
    joker_close_pack(m, s);
}

/* ---- the start, and choosing a blind ---- */

/* Starts a run, in a state of zeros whose seed is set. */
LU_INLINE void joker_run_start(const joker_rules *m, joker_state *s) {
    joker_new_run(m, s);
    s->phase = JOKER_BLIND_SELECT;
    s->last_action = s->last_type = s->last_tag = s->last_consumable = s->last_sold = -1;
}

/* Comes to the choice of the next blind. */
LU_INLINE void joker_choose_blind(const joker_rules *m, joker_state *s) {
    s->phase = JOKER_BLIND_SELECT;
    if (s->orbital[0] == JOKER_NONE) {
        joker_draw_orbital(m, s);
    }
    joker_fire_choice_tags(m, s);
}

LU_INLINE bool joker_can_select_blind(const joker_rules *m, const joker_state *s) {
    (void)m;
    return s->phase == JOKER_BLIND_SELECT && !s->pack_open;
}

LU_INLINE bool joker_can_skip_blind(const joker_rules *m, const joker_state *s) {
    return joker_can_select_blind(m, s) && s->blind < 2;
}

/* Skips the Small or Big Blind for its tag. */
LU_INLINE void joker_skip_blind(const joker_rules *m, joker_state *s) {
    int tag = s->blind == 0 ? s->tag_small : s->tag_big, hand = s->orbital[s->blind];
    s->skips++;
    s->last_tag = tag;
    joker_gain_tag(m, s, tag, tag == JOKER_TAG_ORBITAL ? hand : (int)JOKER_NONE);
    s->blind++;
    joker_choose_blind(m, s);
}

enum { JOKER_BOSS_REROLL_PRICE = 10 };

/* Director's Cut: once per ante; Retcon: without limit. */
LU_INLINE bool joker_can_reroll_boss(const joker_rules *m, const joker_state *s) {
    bool may = joker_has_voucher(s, JOKER_V_RETCON) ||
               (joker_has_voucher(s, JOKER_V_DIRECTORS_CUT) && !s->boss_rerolled);
    return may && joker_can_select_blind(m, s) && joker_can_pay(s, JOKER_BOSS_REROLL_PRICE);
}

LU_INLINE void joker_reroll_boss(const joker_rules *m, joker_state *s) {
    joker_earn(s, -JOKER_BOSS_REROLL_PRICE);
    s->last_cost = JOKER_BOSS_REROLL_PRICE;
    s->boss_rerolled = 1;
    joker_draw_boss(m, s);
}

/* ---- cash-out and shop ---- */

LU_INLINE bool joker_can_cash_out(const joker_rules *m, const joker_state *s) {
    (void)m;
    return s->phase == JOKER_CASH_OUT;
}

/* Takes the earnings; the shop opens, and after a boss the next ante is drawn. */
LU_INLINE void joker_cash_out(const joker_rules *m, joker_state *s) {
    joker_earn(s, s->owed);
    s->owed = 0;
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_CASHOUT), s->draw, s->draws);
    if (s->blind == 2) {
        joker_draw_tags(m, s);
        joker_draw_boss(m, s);
        memset(s->orbital, JOKER_NONE, sizeof s->orbital);
    }
    s->blind = (uint8_t)(s->blind == 2 ? 0 : s->blind + 1);
    s->phase = JOKER_SHOP;
    s->rerolls = 0;
    joker_fill_shop(m, s);
}

LU_INLINE bool joker_in_shop(const joker_state *s) {
    return s->phase == JOKER_SHOP && !s->pack_open;
}

LU_INLINE bool joker_can_buy(const joker_rules *m, const joker_state *s, int i) {
    const joker_item *item = &s->shop[i];
    (void)m;
    return item->kind != JOKER_KIND_NONE && joker_in_shop(s) && joker_can_pay(s, item->price) &&
           joker_item_fits(s, item);
}

LU_INLINE void joker_pay(joker_state *s, int price) {
    joker_earn(s, -price);
    s->last_cost = price;
}

/* Buys a card of the shop to keep it. */
LU_INLINE void joker_buy_card(const joker_rules *m, joker_state *s, int i) {
    joker_item item = s->shop[i];
    memset(&s->shop[i], 0, sizeof s->shop[i]);
    joker_pay(s, item.price);
    switch (item.kind) {
    case JOKER_KIND_JOKER:
        joker_gain_joker(m, s, &item.joker);
        break;
    case JOKER_KIND_CONSUMABLE:
        joker_add_consumable(m, s, &item);
        break;
    default:
        joker_gain_card(m, s, &item.card, JOKER_ZONE_DRAW);
        break;
    }
}

LU_INLINE bool joker_can_buy_and_use(const joker_rules *m, const joker_state *s, int i,
                                     uint16_t chosen) {
    const joker_item *item = &s->shop[i];
    return item->kind == JOKER_KIND_CONSUMABLE && joker_in_shop(s) &&
           joker_can_pay(s, item->price) && joker_can_use(m, s, item->id, chosen);
}

/* Buys a consumable of the shop and uses it at once. */
LU_INLINE void joker_buy_and_use(const joker_rules *m, joker_state *s, int i, uint16_t chosen) {
    joker_item item = s->shop[i];
    memset(&s->shop[i], 0, sizeof s->shop[i]);
    joker_pay(s, item.price);
    joker_use(m, s, item.id, chosen);
}

/* Takes a voucher or pack out of the shop. */
LU_INLINE joker_offer joker_take_offer(joker_offer *place) {
    joker_offer offer = *place;
    memset(place, 0, sizeof *place);
    place->id = JOKER_NONE;
    return offer;
}

LU_INLINE bool joker_can_buy_voucher(const joker_rules *m, const joker_state *s, int i) {
    (void)m;
    return s->voucher[i].id != JOKER_NONE && joker_in_shop(s) &&
           joker_can_pay(s, s->voucher[i].price);
}

/* Buys a voucher; the place of the ante's own stays empty for the rest of the ante. */
LU_INLINE void joker_buy_voucher(const joker_rules *m, joker_state *s, int i) {
    joker_offer offer = joker_take_offer(&s->voucher[i]);
    joker_pay(s, offer.price);
    if (s->ante_voucher == offer.id) {
        s->ante_voucher = JOKER_NONE;
    }
    joker_apply_voucher(m, s, offer.id);
}

LU_INLINE bool joker_can_buy_pack(const joker_rules *m, const joker_state *s, int i) {
    (void)m;
    return s->pack[i].id != JOKER_NONE && joker_in_shop(s) && joker_can_pay(s, s->pack[i].price);
}

/* Buys a pack and opens it. */
LU_INLINE void joker_buy_pack(const joker_rules *m, joker_state *s, int i) {
    joker_offer offer = joker_take_offer(&s->pack[i]);
    joker_pay(s, offer.price);
    joker_start_pack(m, s, offer.id);
}

LU_INLINE bool joker_can_reroll(const joker_rules *m, const joker_state *s) {
    return joker_in_shop(s) && joker_can_pay(s, joker_reroll_price(m, s));
}

/* New cards for the shop; a free reroll does not raise the price. */
LU_INLINE void joker_reroll(const joker_rules *m, joker_state *s) {
    joker_pay(s, joker_reroll_price(m, s));
    if (s->free_rerolls > 0) {
        s->free_rerolls--;
    } else {
        s->reroll_paid++;
    }
    s->rerolls++;
    joker_reroll_shop(m, s);
    joker_on_reroll(m, s);
}

LU_INLINE bool joker_can_leave_shop(const joker_rules *m, const joker_state *s) {
    (void)m;
    return joker_in_shop(s);
}

/* Leaves the shop for the next blind. */
LU_INLINE void joker_leave_shop(const joker_rules *m, joker_state *s) {
    joker_on_shop_exit(m, s);
    joker_clear_shop(s);
    joker_close_orders(s);
    joker_choose_blind(m, s);
}

/* ---- what can be done in every phase ---- */

LU_INLINE bool joker_can_sell_joker(const joker_rules *m, const joker_state *s, int i) {
    (void)m;
    return s->phase != JOKER_END && i < s->jokers && !(s->joker[i].flags & JOKER_ETERNAL);
}

/* A hand that got empty during a round is filled again; if that fails the round is over. */
LU_INLINE void joker_check_hand(const joker_rules *m, joker_state *s) {
    if (s->phase == JOKER_PLAY && s->held == 0) {
        joker_refill(m, s);
    }
}

/* Sells a joker. */
LU_INLINE void joker_sell_joker(const joker_rules *m, joker_state *s, int i) {
    joker_joker sold = s->joker[i];
    bool duplicates = joker_on_sell_self(m, s, i);
    joker_earn(s, joker_sell_value(&sold));
    s->last_sold = sold.id;
    joker_lose_joker(s, i);
    joker_on_sell_any(m, s);
    if (duplicates) {
        uint32_t all = (1u << s->jokers) - 1u;
        joker_copy_joker(m, s, joker_pick_joker(m, s, JOKER_K_INVISIBLE, all));
    }
    if (joker_active_boss(s) == JOKER_BL_FINAL_LEAF) {
        joker_disable_boss(m, s);
    }
    joker_check_hand(m, s);
}

/* Takes a consumable out of the bag. */
LU_INLINE joker_bag_item joker_take_consumable(joker_state *s, int i) {
    joker_bag_item item = s->consumable[i];
    s->bag--;
    memmove(&s->consumable[i], &s->consumable[i + 1],
            (size_t)(s->bag - i) * sizeof s->consumable[0]);
    memset(&s->consumable[s->bag], 0, sizeof s->consumable[0]);
    s->consumable[s->bag].id = JOKER_NONE;
    return item;
}

LU_INLINE bool joker_can_sell_consumable(const joker_rules *m, const joker_state *s, int i) {
    (void)m;
    return s->phase != JOKER_END && i < s->bag;
}

LU_INLINE void joker_sell_consumable(const joker_rules *m, joker_state *s, int i) {
    joker_bag_item item = joker_take_consumable(s, i);
    joker_earn(s, joker_bag_value(&item));
    joker_on_sell_any(m, s);
}

LU_INLINE bool joker_can_use_consumable(const joker_rules *m, const joker_state *s, int i,
                                        uint16_t chosen) {
    (void)m;
    return s->phase != JOKER_END && i < s->bag &&
           joker_use_possible(s, s->consumable[i].id, !s->consumable[i].negative) &&
           joker_choice_fits(s, s->consumable[i].id, chosen);
}

/* Uses a consumable of the bag on the chosen held cards. */
LU_INLINE void joker_use_consumable(const joker_rules *m, joker_state *s, int i, uint16_t chosen) {
    joker_bag_item item = joker_take_consumable(s, i);
    joker_use(m, s, item.id, chosen);
    joker_check_hand(m, s);
}

/* Moves a joker to another place; those between shift by one. */
LU_INLINE void joker_move_joker(const joker_rules *m, joker_state *s, int from, int to) {
    joker_joker moved = s->joker[from];
    (void)m;
    for (; from < to; from++) {
        s->joker[from] = s->joker[from + 1];
    }
    for (; from > to; from--) {
        s->joker[from] = s->joker[from - 1];
    }
    s->joker[to] = moved;
    if (s->heart != JOKER_NONE) {
        joker_heart_find(s);
    }
}

/* Moves a held card to another place; those between shift by one. */
LU_INLINE void joker_move_card(const joker_rules *m, joker_state *s, int from, int to) {
    uint8_t moved = s->hand[from];
    (void)m;
    for (; from < to; from++) {
        s->hand[from] = s->hand[from + 1];
    }
    for (; from > to; from--) {
        s->hand[from] = s->hand[from - 1];
    }
    s->hand[to] = moved;
}

LU_C_END
