/* Actions of joker-v1 and joker-brief-v1: which are legal, and doing them. A decision of joker-v1
 * is a type, a number (which joker, consumable, offer), a second number (where to) and for each
 * hand position whether its card is meant. Part of joker.c. */
#pragma once

#include "rules/joker_run.h"
#include "variants/joker_layout.h"

/* What may be done now: types, and for each type the numbers it may go with. */
typedef struct joker_legal {
    uint32_t types;
    uint16_t index[JOKER_TYPES];
} joker_legal;

/* How many cards an action takes, and which may be among them. */
typedef struct joker_cards {
    int least, most;  /* 0, 0: it takes none */
    uint16_t allowed; /* positions */
    uint16_t forced;  /* positions that must be among them */
} joker_cards;

LU_INLINE const joker_rules *joker_rules_of(const lu_rules *rules) {
    return (const joker_rules *)(const void *)rules;
}

LU_INLINE int joker_bits(uint32_t bits) {
    int count = 0;
    for (; bits; bits &= bits - 1u) {
        count++;
    }
    return count;
}

LU_INLINE uint16_t joker_first_bits(int count) {
    return (uint16_t)((1u << count) - 1u);
}

/* ---- cards of an action ---- */

/* Held cards that a consumable may be used on. */
LU_INLINE uint16_t joker_targets(const joker_state *s, int id) {
    uint16_t allowed = joker_first_bits(s->held);
    for (int i = 0; i < s->held && id == JOKER_C_AURA; i++) {
        if (s->card[s->hand[i]].edition != JOKER_BASE) {
            allowed = (uint16_t)(allowed & ~(1u << i));
        }
    }
    return allowed;
}

LU_INLINE joker_cards joker_cards_none(void) {
    joker_cards none = {0, 0, 0, 0};
    return none;
}

LU_INLINE joker_cards joker_cards_for(const joker_state *s, int id) {
    joker_cards cards = {joker_consumable_facts[id].choose_min,
                         joker_consumable_facts[id].choose_max, joker_targets(s, id), 0};
    return cards.most > 0 ? cards : joker_cards_none();
}

/* Cards that play and discard take. */
LU_INLINE joker_cards joker_cards_to_lay(const joker_state *s) {
    joker_cards cards = {1, JOKER_PLAY_MAX, joker_first_bits(s->held), 0};
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_FORCED) {
            cards.forced = (uint16_t)(cards.forced | 1u << i);
        }
    }
    return cards;
}

LU_INLINE joker_cards joker_cards_of(const joker_state *s, int type, int index) {
    switch (type) {
    case JOKER_ACT_PLAY:
    case JOKER_ACT_DISCARD:
        return joker_cards_to_lay(s);
    case JOKER_ACT_USE:
        return joker_cards_for(s, s->consumable[index].id);
    case JOKER_ACT_BUY_AND_USE:
        return joker_cards_for(s, s->shop[index].id);
    case JOKER_ACT_PICK_PACK:
        return s->shown[index].kind == JOKER_KIND_CONSUMABLE
                   ? joker_cards_for(s, s->shown[index].id)
                   : joker_cards_none();
    default:
        return joker_cards_none();
    }
}

/* Whether a consumable could be used on some choice of cards. */
LU_INLINE bool joker_may_use(const joker_rules *m, const joker_state *s, int id) {
    joker_cards cards = joker_cards_for(s, id);
    return joker_use_allowed(m, s, id) && joker_bits(cards.allowed) >= cards.least;
}

/* The same for an owned one, whose own slot gets free. */
LU_INLINE bool joker_may_use_owned(const joker_state *s, int i) {
    const joker_bag_item *item = &s->consumable[i];
    joker_cards cards = joker_cards_for(s, item->id);
    return joker_use_possible(s, item->id, !item->negative) &&
           joker_bits(cards.allowed) >= cards.least;
}

/* The two choices at a hand position after earlier ones: bit 0 leave it, bit 1 choose it. */
LU_INLINE int joker_card_options(const joker_state *s, const joker_cards *cards, int at,
                                 uint16_t chosen) {
    if (cards->most == 0 || at >= s->held) {
        return 0;
    }
    uint32_t bit = 1u << at, later = ~(2u * bit - 1u);
    int count = joker_bits(chosen);
    bool forced = cards->forced & bit;
    int owed = joker_bits(cards->forced & later); /* places kept for forced cards to come */
    bool choose = cards->allowed & bit && (forced || count + owed < cards->most);
    bool leave = !forced && count + joker_bits(cards->allowed & later) >= cards->least;
    return (leave ? 1 : 0) | (choose ? 2 : 0);
}

/* ---- what is legal ---- */

LU_INLINE void joker_allow(joker_legal *legal, int type, uint16_t index) {
    legal->index[type] = index;
    legal->types |= (index ? 1u : 0u) << type;
}

LU_INLINE void joker_legal_shop(const joker_rules *m, const joker_state *s, joker_legal *legal) {
    uint16_t buy = 0, use = 0, voucher = 0, pack = 0;
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        const joker_item *item = &s->shop[i];
        buy = (uint16_t)(buy | (joker_can_buy(m, s, i) ? 1u << i : 0u));
        if (item->kind == JOKER_KIND_CONSUMABLE && joker_can_pay(s, item->price) &&
            joker_may_use(m, s, item->id)) {
            use = (uint16_t)(use | 1u << i);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        voucher = (uint16_t)(voucher | (joker_can_buy_voucher(m, s, i) ? 1u << i : 0u));
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        pack = (uint16_t)(pack | (joker_can_buy_pack(m, s, i) ? 1u << i : 0u));
    }
    joker_allow(legal, JOKER_ACT_BUY, buy);
    joker_allow(legal, JOKER_ACT_BUY_AND_USE, use);
    joker_allow(legal, JOKER_ACT_BUY_VOUCHER, voucher);
    joker_allow(legal, JOKER_ACT_BUY_PACK, pack);
    joker_allow(legal, JOKER_ACT_REROLL, joker_can_reroll(m, s) ? 1u : 0u);
    joker_allow(legal, JOKER_ACT_NEXT_ROUND, 1u);
}

LU_INLINE void joker_legal_pack(const joker_rules *m, const joker_state *s, joker_legal *legal) {
    uint16_t pick = 0;
    for (int i = 0; i < JOKER_PACK_MAX; i++) {
        const joker_item *item = &s->shown[i];
        bool can = item->kind == JOKER_KIND_CONSUMABLE ? joker_may_use(m, s, item->id)
                                                       : joker_can_pick(m, s, i);
        pick = (uint16_t)(pick | (can ? 1u << i : 0u));
    }
    joker_allow(legal, JOKER_ACT_PICK_PACK, pick);
    joker_allow(legal, JOKER_ACT_SKIP_PACK, 1u);
}

/* What can be done in every phase with what is owned. */
LU_INLINE void joker_legal_owned(const joker_state *s, joker_legal *legal) {
    uint16_t sell = 0, use = 0;
    for (int i = 0; i < s->jokers; i++) {
        sell = (uint16_t)(sell | (s->joker[i].flags & JOKER_ETERNAL ? 0u : 1u << i));
    }
    for (int i = 0; i < s->bag; i++) {
        use = (uint16_t)(use | (joker_may_use_owned(s, i) ? 1u << i : 0u));
    }
    joker_allow(legal, JOKER_ACT_SELL_JOKER, sell);
    joker_allow(legal, JOKER_ACT_SELL_CONSUMABLE, joker_first_bits(s->bag));
    joker_allow(legal, JOKER_ACT_USE, use);
    joker_allow(legal, JOKER_ACT_MOVE_JOKER, s->jokers > 1 ? joker_first_bits(s->jokers) : 0u);
    joker_allow(legal, JOKER_ACT_MOVE_CARD, s->held > 1 ? joker_first_bits(s->held) : 0u);
}

LU_INLINE void joker_legal_now(const joker_rules *m, const joker_state *s, joker_legal *legal) {
    memset(legal, 0, sizeof *legal);
    if (s->phase == JOKER_END) {
        return;
    }
    joker_legal_owned(s, legal);
    if (s->pack_open) {
        joker_legal_pack(m, s, legal);
        return;
    }
    switch (s->phase) {
    case JOKER_BLIND_SELECT:
        joker_allow(legal, JOKER_ACT_SELECT_BLIND, 1u);
        joker_allow(legal, JOKER_ACT_SKIP_BLIND, s->blind < 2 ? 1u : 0u);
        joker_allow(legal, JOKER_ACT_REROLL_BOSS, joker_can_reroll_boss(m, s) ? 1u : 0u);
        break;
    case JOKER_PLAY:
        joker_allow(legal, JOKER_ACT_PLAY, s->hands > 0 && s->held > 0 ? 1u : 0u);
        joker_allow(legal, JOKER_ACT_DISCARD, s->discards > 0 && s->held > 0 ? 1u : 0u);
        break;
    case JOKER_CASH_OUT:
        joker_allow(legal, JOKER_ACT_CASH_OUT, 1u);
        break;
    default:
        joker_legal_shop(m, s, legal);
        break;
    }
}

/* Types that go with a number; the others take 0 for granted. */
LU_INLINE bool joker_takes_index(int type) {
    const uint32_t types = 1u << JOKER_ACT_BUY | 1u << JOKER_ACT_SELL_JOKER | 1u << JOKER_ACT_USE |
                           1u << JOKER_ACT_BUY_VOUCHER | 1u << JOKER_ACT_BUY_PACK |
                           1u << JOKER_ACT_PICK_PACK | 1u << JOKER_ACT_SELL_CONSUMABLE |
                           1u << JOKER_ACT_MOVE_JOKER | 1u << JOKER_ACT_MOVE_CARD |
                           1u << JOKER_ACT_BUY_AND_USE;
    return types >> type & 1u;
}

LU_INLINE bool joker_takes_to(int type) {
    return type == JOKER_ACT_MOVE_JOKER || type == JOKER_ACT_MOVE_CARD;
}

/* ---- doing ---- */

typedef struct joker_action {
    int type, index, to;
    uint16_t chosen;
} joker_action;

LU_INLINE void joker_perform(const joker_rules *m, joker_state *s, const joker_action *action) {
    switch (action->type) {
    case JOKER_ACT_PLAY:
        joker_play(m, s, action->chosen);
        break;
    case JOKER_ACT_DISCARD:
        joker_discard(m, s, action->chosen);
        break;
    case JOKER_ACT_SELECT_BLIND:
        joker_select_blind(m, s);
        break;
    case JOKER_ACT_CASH_OUT:
        joker_cash_out(m, s);
        break;
    case JOKER_ACT_BUY:
        joker_buy_card(m, s, action->index);
        break;
    case JOKER_ACT_NEXT_ROUND:
        joker_leave_shop(m, s);
        break;
    case JOKER_ACT_REROLL:
        joker_reroll(m, s);
        break;
    case JOKER_ACT_SELL_JOKER:
        joker_sell_joker(m, s, action->index);
        break;
    case JOKER_ACT_SKIP_BLIND:
        joker_skip_blind(m, s);
        break;
    case JOKER_ACT_USE:
        joker_use_consumable(m, s, action->index, action->chosen);
        break;
    case JOKER_ACT_BUY_VOUCHER:
        joker_buy_voucher(m, s, action->index);
        break;
    case JOKER_ACT_BUY_PACK:
        joker_buy_pack(m, s, action->index);
        break;
    case JOKER_ACT_PICK_PACK:
        joker_pick_pack(m, s, action->index, action->chosen);
        break;
    case JOKER_ACT_SKIP_PACK:
        joker_skip_pack(m, s);
        break;
    case JOKER_ACT_SELL_CONSUMABLE:
        joker_sell_consumable(m, s, action->index);
        break;
    case JOKER_ACT_MOVE_JOKER:
        joker_move_joker(m, s, action->index, action->to);
        break;
    case JOKER_ACT_MOVE_CARD:
        joker_move_card(m, s, action->index, action->to);
        break;
    case JOKER_ACT_REROLL_BOSS:
        joker_reroll_boss(m, s);
        break;
    case JOKER_ACT_BUY_AND_USE:
        joker_buy_and_use(m, s, action->index, action->chosen);
        break;
    default:
        break;
    }
}

/* The places a joker or card may be moved to. */
LU_INLINE uint16_t joker_places(const joker_state *s, int type, int index) {
    int count = type == JOKER_ACT_MOVE_JOKER ? s->jokers : s->held;
    return (uint16_t)(joker_first_bits(count) & ~(1u << index));
}

/* Reads the heads of joker-v1; false when the action is not legal. */
LU_INLINE bool joker_read_action(const joker_rules *m, const joker_state *s, const int32_t *actions,
                                 joker_action *action) {
    joker_legal legal;
    joker_legal_now(m, s, &legal);
    action->type = actions[JOKER_HEAD_TYPE];
    action->index = 0;
    action->to = 0;
    action->chosen = 0;
    if ((uint32_t)action->type >= JOKER_TYPES || !(legal.types >> action->type & 1u)) {
        return false;
    }
    if (joker_takes_index(action->type)) {
        action->index = actions[JOKER_HEAD_INDEX];
        if ((uint32_t)action->index >= JOKER_INDEX_OPTIONS ||
            !joker_has(legal.index[action->type], action->index)) {
            return false;
        }
    }
    if (joker_takes_to(action->type)) {
        action->to = actions[JOKER_HEAD_TO];
        if ((uint32_t)action->to >= JOKER_INDEX_OPTIONS ||
            !joker_has(joker_places(s, action->type, action->index), action->to)) {
            return false;
        }
    }
    joker_cards cards = joker_cards_of(s, action->type, action->index);
    for (int i = 0; i < s->held && cards.most > 0; i++) {
        int32_t choice = actions[JOKER_HEAD_CARD + i];
        int options = joker_card_options(s, &cards, i, action->chosen);
        if ((uint32_t)choice > 1u || !(options >> choice & 1)) {
            return false;
        }
        action->chosen = (uint16_t)(action->chosen | (uint32_t)choice << i);
    }
    return true;
}

/* ---- masks of joker-v1 ---- */

LU_INLINE void joker_mask(const lu_rules *head, const void *bytes, int seat, uint8_t *mask) {
    const joker_rules *m = joker_rules_of(head);
    const joker_state *s = (const joker_state *)bytes;
    joker_legal legal;
    uint16_t index = 0;
    bool cards = false;
    (void)seat;
    joker_legal_now(m, s, &legal);
    for (int t = 0; t < JOKER_TYPES; t++) {
        mask[t] = legal.types >> t & 1u;
        index = (uint16_t)(index | (joker_takes_index(t) ? legal.index[t] : 0u));
    }
    uint32_t moves = 1u << JOKER_ACT_MOVE_JOKER | 1u << JOKER_ACT_MOVE_CARD;
    int places = legal.types & moves ? (s->held > s->jokers ? s->held : s->jokers) : 0;
    uint8_t *at = mask + JOKER_TYPES;
    for (int i = 0; i < JOKER_INDEX_OPTIONS; i++) {
        at[i] = joker_has(index, i);
        at[JOKER_INDEX_OPTIONS + i] = i < places;
    }
    at += 2 * JOKER_INDEX_OPTIONS;
    uint32_t taking = 1u << JOKER_ACT_PLAY | 1u << JOKER_ACT_DISCARD | 1u << JOKER_ACT_USE |
                      1u << JOKER_ACT_PICK_PACK | 1u << JOKER_ACT_BUY_AND_USE;
    cards = legal.types & taking;
    for (int i = 0; i < JOKER_HAND_MAX; i++, at += 2) {
        at[0] = at[1] = cards && i < s->held;
    }
}

/* The numbers, places and cards that go with the type (and number) already chosen. */
LU_INLINE void joker_submask(const lu_rules *head, const void *bytes, int seat, int which,
                             const int32_t *chosen, uint8_t *mask) {
    const joker_rules *m = joker_rules_of(head);
    const joker_state *s = (const joker_state *)bytes;
    int type = chosen[JOKER_HEAD_TYPE], index = chosen[JOKER_HEAD_INDEX];
    joker_legal legal;
    (void)seat;
    if (which == JOKER_HEAD_TYPE) {
        return;
    }
    if (which == JOKER_HEAD_INDEX || which == JOKER_HEAD_TO) {
        uint16_t allowed = 0;
        if (which == JOKER_HEAD_INDEX && joker_takes_index(type)) {
            joker_legal_now(m, s, &legal);
            allowed = legal.index[type];
        } else if (which == JOKER_HEAD_TO && joker_takes_to(type)) {
            allowed = joker_places(s, type, index);
        }
        for (int i = 0; i < JOKER_INDEX_OPTIONS; i++) {
            mask[i] = joker_has(allowed, i);
        }
        return;
    }
    int at = which - JOKER_HEAD_CARD;
    uint16_t set = 0;
    for (int i = 0; i < at; i++) {
        set = (uint16_t)(set | (chosen[JOKER_HEAD_CARD + i] == 1 ? 1u << i : 0u));
    }
    joker_cards cards = joker_cards_of(s, type, joker_takes_index(type) ? index : 0);
    int options = joker_card_options(s, &cards, at, set);
    mask[0] = options & 1;
    mask[1] = options >> 1 & 1;
}
