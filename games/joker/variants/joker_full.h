/* The observation of joker-v1: what the player sees, as groups of slots. Hidden things stay hidden:
 * of a face-down card only that it is there, of the draw pile only how many of each card are left,
 * of a face-down joker only that it is there. Every number is cut to the range its field declares.
 * Part of joker.c. */
#pragma once

#include "rules/joker_act.h"

/* value / scale within [-1, 1] */
LU_INLINE float joker_share(double value, double scale) {
    double share = value / scale;
    return (float)(share > 1.0 ? 1.0 : share < -1.0 ? -1.0 : share);
}

/* log10(1 + value) / 12 within [0, 1]: 0 for nothing, 0.25 for a thousand, 0.5 for a million. */
LU_INLINE float joker_digits(double value) {
    double digits = value > 0.0 ? lu_log(1.0 + value) * (0.43429448190325182 / 12.0) : 0.0;
    return (float)(digits > 1.0 ? 1.0 : digits);
}

/* ---- what of a hand could become something ---- */

typedef struct joker_promise {
    int suit, rank, run; /* most cards of one suit, of one rank, longest run of ranks */
} joker_promise;

LU_INLINE joker_promise joker_promise_of(const joker_state *s) {
    int suits[JOKER_SUITS] = {0, 0, 0, 0}, ranks[16] = {0};
    joker_promise p = {0, 0, 0};
    for (int i = 0; i < s->held; i++) {
        const joker_card *c = &s->card[s->hand[i]];
        if (c->flags & JOKER_CARD_DOWN || c->enhancement == JOKER_STONE) {
            continue;
        }
        int suit = ++suits[c->suit], rank = ++ranks[c->rank];
        p.suit = suit > p.suit ? suit : p.suit;
        p.rank = rank > p.rank ? rank : p.rank;
    }
    ranks[1] = ranks[JOKER_ACE];
    for (int r = 1, run = 0; r <= JOKER_ACE; r++) {
        run = ranks[r] > 0 ? run + 1 : 0;
        p.run = run > p.run ? run : p.run;
    }
    return p;
}

/* ---- groups ---- */

LU_INLINE void joker_see_run(const joker_rules *m, const joker_state *s, float *o) {
    joker_promise promise = joker_promise_of(s);
    memset(o, 0, JOKER_RUN_FIELDS * sizeof *o);
    o[JOKER_RUN_PHASE + s->phase] = 1.0f;
    if (s->pack_open) {
        o[JOKER_RUN_PACK + s->pack_open - 1] = 1.0f;
    }
    o[JOKER_RUN_BLIND + s->blind] = 1.0f;
    o[JOKER_RUN_ANTE] = joker_share(s->ante, 16.0);
    o[JOKER_RUN_ROUND] = joker_share(s->round, 48.0);
    o[JOKER_RUN_TARGET] = joker_digits(s->target);
    o[JOKER_RUN_SCORE] = s->target > 0.0 ? joker_share(s->score, s->target) : 0.0f;
    o[JOKER_RUN_LEFT] = joker_digits(s->target - s->score);
    o[JOKER_RUN_HANDS] = joker_share(s->hands, 8.0);
    o[JOKER_RUN_DISCARDS] = joker_share(s->discards, 8.0);
    o[JOKER_RUN_MONEY] = joker_share(s->money, 100.0);
    o[JOKER_RUN_OWED] = joker_share(s->owed, 50.0);
    o[JOKER_RUN_INTEREST] = joker_share(s->money < 0 ? 0 : s->money / 5, 20.0);
    o[JOKER_RUN_HAND_SIZE] = joker_share(s->hand_size + s->juggle, JOKER_HAND_MAX);
    o[JOKER_RUN_HELD] = joker_share(s->held, JOKER_HAND_MAX);
    o[JOKER_RUN_JOKER_ROOM] = joker_share(joker_room_jokers(s), JOKER_ROW_MAX);
    o[JOKER_RUN_JOKER_SLOTS] = joker_share(s->joker_slots, JOKER_ROW_MAX);
    o[JOKER_RUN_BAG_ROOM] = joker_share(joker_room_bag(s), JOKER_BAG_MAX);
    o[JOKER_RUN_BAG_SLOTS] = joker_share(s->bag_slots, JOKER_BAG_MAX);
    o[JOKER_RUN_DRAW_PILE] = joker_share(s->draws, JOKER_DECK_MAX);
    o[JOKER_RUN_OWNED] = joker_share(s->owned, JOKER_DECK_MAX);
    o[JOKER_RUN_REROLL_PRICE] = joker_share(joker_reroll_price(m, s), 20.0);
    o[JOKER_RUN_FREE_REROLLS] = joker_share(s->free_rerolls, 4.0);
    o[JOKER_RUN_PICKS] = joker_share(s->pack_picks, 2.0);
    o[JOKER_RUN_PLAYED_ROUND] = joker_share(s->played_round, 8.0);
    o[JOKER_RUN_DISCARDED_ROUND] = joker_share(s->discarded_round, 8.0);
    o[JOKER_RUN_HANDS_PLAYED] = joker_share(s->run_hands, 100.0);
    o[JOKER_RUN_TAROTS] = joker_share(s->tarots, 50.0);
    o[JOKER_RUN_SKIPS] = joker_share(s->skips, 16.0);
    o[JOKER_RUN_FLOOR] = joker_share(s->spending_floor, 40.0);
    o[JOKER_RUN_FLUSH] = joker_share(promise.suit, 5.0);
    o[JOKER_RUN_STRAIGHT] = joker_share(promise.run, 5.0);
    o[JOKER_RUN_PAIRS] = joker_share(promise.rank, 4.0);
    o[JOKER_RUN_IDOL_RANK] = joker_share(s->idol_rank, 14.0);
    o[JOKER_RUN_MAIL_RANK] = joker_share(s->mail_rank, 14.0);
    o[JOKER_RUN_IDOL_SUIT + s->idol_suit] = 1.0f;
    o[JOKER_RUN_ANCIENT_SUIT + s->ancient_suit] = 1.0f;
    o[JOKER_RUN_CASTLE_SUIT + s->castle_suit] = 1.0f;
}

LU_INLINE void joker_see_blind(const joker_state *s, float *o) {
    memset(o, 0, JOKER_NOW_FIELDS * sizeof *o);
    o[JOKER_NOW_BOSS + s->boss] = 1.0f;
    if (s->blind < 2) {
        o[JOKER_NOW_TAG + (s->blind == 0 ? s->tag_small : s->tag_big)] = 1.0f;
    }
    o[JOKER_NOW_DISABLED] = s->disabled ? 1.0f : 0.0f;
    o[JOKER_NOW_REROLLED] = s->boss_rerolled ? 1.0f : 0.0f;
}

LU_INLINE void joker_see_owned(const joker_state *s, float *o) {
    memset(o, 0, JOKER_OWNED_FIELDS * sizeof *o);
    for (int i = 0; i < s->tags; i++) {
        float *tag = &o[JOKER_OWNED_TAGS + s->tag[i].id];
        *tag = *tag + 0.25f > 1.0f ? 1.0f : *tag + 0.25f;
    }
    for (int i = 0; i < JOKER_VOUCHERS; i++) {
        o[JOKER_OWNED_VOUCHERS + i] = s->vouchers >> i & 1u ? 1.0f : 0.0f;
    }
    o[JOKER_OWNED_DECK + s->deck] = 1.0f;
    o[JOKER_OWNED_STAKE + s->stake] = 1.0f;
}

LU_INLINE int joker_hand_chips(int hand, int level) {
    int chips = joker_hand_facts[hand].chips + joker_hand_facts[hand].chips_step * (level - 1);
    return chips > 0 ? chips : 0;
}

LU_INLINE int joker_hand_mult(int hand, int level) {
    int mult = joker_hand_facts[hand].mult + joker_hand_facts[hand].mult_step * (level - 1);
    return mult > 1 ? mult : 1;
}

LU_INLINE void joker_see_levels(const joker_state *s, float *o) {
    for (int h = 0; h < JOKER_HANDS; h++, o += JOKER_LEVEL_FIELDS) {
        o[JOKER_LEVEL_LEVEL] = joker_share(s->level[h], 30.0);
        o[JOKER_LEVEL_CHIPS] = joker_share(joker_hand_chips(h, s->level[h]), 1000.0);
        o[JOKER_LEVEL_MULT] = joker_share(joker_hand_mult(h, s->level[h]), 100.0);
        o[JOKER_LEVEL_PLAYS] = joker_share(s->plays[h], 50.0);
        o[JOKER_LEVEL_ROUND] = joker_share(s->plays_round[h], 8.0);
        o[JOKER_LEVEL_VISIBLE] = s->visible >> h & 1u ? 1.0f : 0.0f;
    }
}

LU_INLINE void joker_see_card(const joker_card *c, float *o) {
    o[JOKER_CARD_PRESENT] = 1.0f;
    o[JOKER_CARD_BELL] = c->flags & JOKER_CARD_FORCED ? 1.0f : 0.0f;
    if (c->flags & JOKER_CARD_DOWN) {
        o[JOKER_CARD_HIDDEN] = 1.0f;
        return;
    }
    o[JOKER_CARD_DEBUFF] = c->flags & JOKER_CARD_DEBUFFED ? 1.0f : 0.0f;
    o[JOKER_CARD_RANK + c->rank - 2] = 1.0f;
    o[JOKER_CARD_SUIT + c->suit] = 1.0f;
    if (c->enhancement != JOKER_PLAIN) {
        o[JOKER_CARD_ENHANCEMENT + c->enhancement - 1] = 1.0f;
    }
    if (c->edition != JOKER_BASE) {
        o[JOKER_CARD_EDITION + c->edition - 1] = 1.0f;
    }
    if (c->seal != JOKER_NO_SEAL) {
        o[JOKER_CARD_SEAL + c->seal - 1] = 1.0f;
    }
    o[JOKER_CARD_CHIPS] = joker_share(joker_chip_value(c->rank), 11.0);
    o[JOKER_CARD_BONUS] = joker_share(c->bonus, 100.0);
}

LU_INLINE void joker_see_hand(const joker_state *s, float *o) {
    memset(o, 0, JOKER_HAND_MAX * JOKER_CARD_FIELDS * sizeof *o);
    for (int i = 0; i < s->held; i++) {
        joker_see_card(&s->card[s->hand[i]], o + i * JOKER_CARD_FIELDS);
    }
}

LU_INLINE void joker_see_jokers(const joker_state *s, float *o) {
    memset(o, 0, JOKER_ROW_MAX * JOKER_SEEN_FIELDS * sizeof *o);
    for (int i = 0; i < s->jokers; i++, o += JOKER_SEEN_FIELDS) {
        const joker_joker *j = &s->joker[i];
        o[JOKER_SEEN_PRESENT] = 1.0f;
        if (j->flags & JOKER_DOWN) {
            o[JOKER_SEEN_HIDDEN] = 1.0f;
            continue;
        }
        o[JOKER_SEEN_ID] = (float)(j->id + 1);
        o[JOKER_SEEN_RARITY] = joker_share(joker_joker_facts[j->id].rarity + 1, 4.0);
        o[JOKER_SEEN_SELL] = joker_share(joker_sell_value(j), 30.0);
        if (j->edition != JOKER_BASE) {
            o[JOKER_SEEN_EDITION + j->edition - 1] = 1.0f;
        }
        o[JOKER_SEEN_ETERNAL] = j->flags & JOKER_ETERNAL ? 1.0f : 0.0f;
        o[JOKER_SEEN_PERISHABLE] = j->flags & JOKER_PERISHABLE ? joker_share(j->rounds, 5.0) : 0.0f;
        o[JOKER_SEEN_RENTAL] = j->flags & JOKER_RENTAL ? 1.0f : 0.0f;
        o[JOKER_SEEN_DEBUFF] = j->flags & JOKER_DEBUFFED ? 1.0f : 0.0f;
        o[JOKER_SEEN_A] = joker_share(j->a, 100.0);
        o[JOKER_SEEN_B] = joker_share(j->b, 32.0);
        o[JOKER_SEEN_X] = joker_share(j->x, 10.0);
    }
}

LU_INLINE void joker_see_bag(const joker_rules *m, const joker_state *s, float *o) {
    (void)m;
    memset(o, 0, JOKER_BAG_MAX * JOKER_BAG_FIELDS * sizeof *o);
    for (int i = 0; i < s->bag; i++, o += JOKER_BAG_FIELDS) {
        const joker_bag_item *item = &s->consumable[i];
        o[JOKER_BAG_PRESENT] = 1.0f;
        o[JOKER_BAG_ID] = (float)(item->id + 1);
        o[JOKER_BAG_NEGATIVE] = item->negative ? 1.0f : 0.0f;
        o[JOKER_BAG_SELL] = joker_share(joker_bag_value(item), 10.0);
        o[JOKER_BAG_USABLE] = joker_may_use_owned(s, i) ? 1.0f : 0.0f;
    }
}

LU_INLINE void joker_see_item(const joker_item *item, bool legal, float *o) {
    if (item->kind == JOKER_KIND_NONE) {
        return;
    }
    o[JOKER_ITEM_PRESENT] = 1.0f;
    o[JOKER_ITEM_PRICE] = joker_share(item->price, 20.0);
    o[JOKER_ITEM_LEGAL] = legal ? 1.0f : 0.0f;
    int edition = item->kind == JOKER_KIND_JOKER  ? item->joker.edition
                  : item->kind == JOKER_KIND_CARD ? item->card.edition
                                                  : JOKER_BASE;
    if (edition != JOKER_BASE) {
        o[JOKER_ITEM_EDITION + edition - 1] = 1.0f;
    }
    if (item->kind == JOKER_KIND_JOKER) {
        o[JOKER_ITEM_JOKER] = (float)(item->joker.id + 1);
        o[JOKER_ITEM_RARITY] = joker_share(joker_joker_facts[item->joker.id].rarity + 1, 4.0);
        o[JOKER_ITEM_ETERNAL] = item->joker.flags & JOKER_ETERNAL ? 1.0f : 0.0f;
        o[JOKER_ITEM_PERISHABLE] = item->joker.flags & JOKER_PERISHABLE ? 1.0f : 0.0f;
        o[JOKER_ITEM_RENTAL] = item->joker.flags & JOKER_RENTAL ? 1.0f : 0.0f;
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        o[JOKER_ITEM_CONSUMABLE] = (float)(item->id + 1);
    } else {
        o[JOKER_ITEM_RANK] = joker_share(item->card.rank, 14.0);
        o[JOKER_ITEM_SUIT + item->card.suit] = 1.0f;
        if (item->card.enhancement != JOKER_PLAIN) {
            o[JOKER_ITEM_ENHANCEMENT + item->card.enhancement - 1] = 1.0f;
        }
        if (item->card.seal != JOKER_NO_SEAL) {
            o[JOKER_ITEM_SEAL + item->card.seal - 1] = 1.0f;
        }
    }
}

LU_INLINE void joker_see_shop(const joker_state *s, const joker_legal *legal, float *o) {
    memset(o, 0, JOKER_SHOP_MAX * JOKER_ITEM_FIELDS * sizeof *o);
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        joker_see_item(&s->shop[i], legal->index[JOKER_ACT_BUY] >> i & 1u,
                       o + i * JOKER_ITEM_FIELDS);
    }
}

LU_INLINE void joker_see_shown(const joker_state *s, const joker_legal *legal, float *o) {
    memset(o, 0, JOKER_PACK_MAX * JOKER_ITEM_FIELDS * sizeof *o);
    for (int i = 0; i < JOKER_PACK_MAX; i++) {
        joker_see_item(&s->shown[i], legal->index[JOKER_ACT_PICK_PACK] >> i & 1u,
                       o + i * JOKER_ITEM_FIELDS);
    }
}

LU_INLINE void joker_see_offers(const joker_state *s, const joker_legal *legal, float *packs,
                                float *vouchers) {
    memset(packs, 0, JOKER_SHOP_PACKS * JOKER_PACK_FIELDS * sizeof *packs);
    memset(vouchers, 0, JOKER_SHOP_VOUCHERS * JOKER_VOUCHER_FIELDS * sizeof *vouchers);
    for (int i = 0; i < JOKER_SHOP_PACKS; i++, packs += JOKER_PACK_FIELDS) {
        const joker_offer *offer = &s->pack[i];
        if (s->phase == JOKER_SHOP && offer->id != JOKER_NONE) {
            packs[JOKER_OFFER_PRESENT] = 1.0f;
            packs[JOKER_OFFER_PRICE] = joker_share(offer->price, 20.0);
            packs[JOKER_OFFER_LEGAL] = legal->index[JOKER_ACT_BUY_PACK] >> i & 1u ? 1.0f : 0.0f;
            packs[JOKER_OFFER_KIND + joker_pack_facts[offer->id].kind] = 1.0f;
            packs[JOKER_OFFER_PICKS] = joker_share(joker_pack_facts[offer->id].picks, 2.0);
            packs[JOKER_OFFER_SHOWN] = joker_share(joker_pack_facts[offer->id].shown, 5.0);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++, vouchers += JOKER_VOUCHER_FIELDS) {
        const joker_offer *offer = &s->voucher[i];
        if (s->phase == JOKER_SHOP && offer->id != JOKER_NONE) {
            vouchers[JOKER_VOUCHER_PRESENT] = 1.0f;
            vouchers[JOKER_VOUCHER_ID] = (float)(offer->id + 1);
            vouchers[JOKER_VOUCHER_PRICE] = joker_share(offer->price, 20.0);
            vouchers[JOKER_VOUCHER_LEGAL] =
                legal->index[JOKER_ACT_BUY_VOUCHER] >> i & 1u ? 1.0f : 0.0f;
        }
    }
}

LU_INLINE void joker_count_card(const joker_card *c, uint8_t *copies, uint8_t *enhanced) {
    copies[c->suit * 13 + c->rank - 2]++;
    enhanced[c->enhancement]++;
}

LU_INLINE void joker_see_deck(const joker_state *s, float *o) {
    uint8_t copies[13 * JOKER_SUITS] = {0}, enhanced[JOKER_ENHANCEMENTS] = {0};
    for (int i = 0; i < s->draws; i++) {
        joker_count_card(&s->card[s->draw[i]], copies, enhanced);
    }
    for (int i = 0; i < s->held; i++) {
        const joker_card *c = &s->card[s->hand[i]];
        if (c->flags & JOKER_CARD_DOWN) {
            joker_count_card(c, copies, enhanced);
        }
    }
    for (int i = 0; i < 13 * JOKER_SUITS; i++) {
        float count = (float)copies[i] * 0.25f;
        o[JOKER_DECK_COPIES + i] = count > 1.0f ? 1.0f : count;
    }
    for (int i = 1; i < JOKER_ENHANCEMENTS; i++) {
        o[JOKER_DECK_ENHANCED + i - 1] = joker_share(enhanced[i], 16.0);
    }
}

LU_INLINE void joker_observe(const lu_rules *head, const void *bytes, int seat, uint64_t changed,
                             float *o) {
    const joker_rules *m = joker_rules_of(head);
    const joker_state *s = (const joker_state *)bytes;
    joker_legal legal;
    (void)seat;
    joker_legal_now(m, s, &legal);
    joker_see_run(m, s, o + JOKER_AT_RUN);
    if (changed >> JOKER_GROUP_BLIND & 1u) {
        joker_see_blind(s, o + JOKER_AT_BLIND);
    }
    if (changed >> JOKER_GROUP_OWNED & 1u) {
        joker_see_owned(s, o + JOKER_AT_OWNED);
    }
    if (changed >> JOKER_GROUP_LEVELS & 1u) {
        joker_see_levels(s, o + JOKER_AT_LEVELS);
    }
    if (changed >> JOKER_GROUP_HAND & 1u) {
        joker_see_hand(s, o + JOKER_AT_HAND);
    }
    if (changed >> JOKER_GROUP_JOKERS & 1u) {
        joker_see_jokers(s, o + JOKER_AT_JOKERS);
    }
    joker_see_bag(m, s, o + JOKER_AT_CONSUMABLES);
    if (changed >> JOKER_GROUP_SHOP & 1u) {
        joker_see_shop(s, &legal, o + JOKER_AT_SHOP);
        joker_see_offers(s, &legal, o + JOKER_AT_PACKS, o + JOKER_AT_VOUCHERS);
    }
    if (changed >> JOKER_GROUP_SHOWN & 1u) {
        joker_see_shown(s, &legal, o + JOKER_AT_SHOWN);
    }
    if (changed >> JOKER_GROUP_DECK & 1u) {
        joker_see_deck(s, o + JOKER_AT_DECK);
    }
}
