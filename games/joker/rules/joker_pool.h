/* Joker, part: prices, free slots, adding what was made, and the pools that jokers and consumables
 * are drawn from, with their blanks and blocked entries. Ownership: nothing is owned. Threads: no
 * state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_rows.h"

LU_C_BEGIN

/* Where a card that joins the deck goes; under the draw pile, to the right of the hand. */
typedef enum joker_zone { JOKER_ZONE_DRAW, JOKER_ZONE_HAND } joker_zone;

LU_INLINE bool joker_has_voucher(const joker_state *s, int voucher) {
    return (s->vouchers >> voucher & 1u) != 0;
}

/* The sort number of a new card, joker or consumable. */
LU_INLINE uint16_t joker_new_order(joker_state *s) {
    return s->next_order++;
}

/* ---- prices ---- */

/* Dollars for something of this base price: floor((base + 0.5) * (100 - discount) / 100), at
 * least 1. */
LU_INLINE int16_t joker_price(const joker_state *s, int base, int edition) {
    int twice = 2 * (base + joker_edition_price[edition] + s->inflation) + 1;
    int price = twice * (100 - s->discount) / 200;
    return (int16_t)(price < 1 ? 1 : price);
}

LU_INLINE int16_t joker_joker_price(const joker_state *s, const joker_joker *joker) {
    if (joker->flags & JOKER_RENTAL) {
        return 1;
    }
    return joker_price(s, joker_joker_facts[joker->id].price, joker->edition);
}

LU_INLINE int16_t joker_consumable_price(const joker_state *s, int id, int edition) {
    bool planet = joker_consumable_facts[id].set == JOKER_PLANET;
    if (planet && (joker_rule_bits(s) & JOKER_RULE_ASTRONOMER)) {
        return 0;
    }
    return joker_price(s, joker_consumable_facts[id].price, edition);
}

LU_INLINE int16_t joker_card_price(const joker_state *s, const joker_card *card) {
    return joker_price(s, 1, card->edition);
}

LU_INLINE int16_t joker_voucher_price(const joker_state *s, int voucher) {
    return joker_price(s, joker_voucher_facts[voucher].price, JOKER_BASE);
}

LU_INLINE int16_t joker_pack_price(const joker_state *s, int pack) {
    bool celestial = joker_pack_facts[pack].kind == JOKER_PACK_CELESTIAL;
    if (celestial && (joker_rule_bits(s) & JOKER_RULE_ASTRONOMER)) {
        return 0;
    }
    return joker_price(s, joker_pack_facts[pack].price, JOKER_BASE);
}

/* What the next reroll costs. */
LU_INLINE int joker_reroll_price(const joker_rules *m, const joker_state *s) {
    (void)m;
    int base = s->reroll_base < 0 ? 0 : s->reroll_base;
    return s->free_rerolls > 0 ? 0 : base + s->reroll_paid;
}

/* Prices an item as it is now; one that a tag made free costs nothing. */
LU_INLINE void joker_price_item(const joker_state *s, joker_item *item) {
    int16_t price = 0;
    switch (item->kind) {
    case JOKER_KIND_JOKER:
        price = item->joker.price = joker_joker_price(s, &item->joker);
        break;
    case JOKER_KIND_CONSUMABLE:
        price = joker_consumable_price(s, item->id, JOKER_BASE);
        break;
    case JOKER_KIND_CARD:
        price = joker_card_price(s, &item->card);
        break;
    default:
        break;
    }
    item->price = item->free ? 0 : price;
}

LU_INLINE void joker_price_offer(joker_offer *offer, int16_t price) {
    offer->price = offer->free ? 0 : price;
}

/* Prices everything anew, on display and owned: a discount or Astronomer came or went. */
LU_INLINE void joker_reprice(joker_state *s) {
    for (int i = 0; i < s->jokers; i++) {
        s->joker[i].price = joker_joker_price(s, &s->joker[i]);
    }
    for (int i = 0; i < s->bag; i++) {
        joker_bag_item *item = &s->consumable[i];
        item->price =
            joker_consumable_price(s, item->id, item->negative ? JOKER_NEGATIVE : JOKER_BASE);
    }
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        joker_price_item(s, &s->shop[i]);
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        if (s->pack[i].id != JOKER_NONE) {
            joker_price_offer(&s->pack[i], joker_pack_price(s, s->pack[i].id));
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        if (s->voucher[i].id != JOKER_NONE) {
            joker_price_offer(&s->voucher[i], joker_voucher_price(s, s->voucher[i].id));
        }
    }
}

/* ---- room, and adding what was made ---- */

/* Free joker slots; negative while there are too many. */
LU_INLINE int joker_room_jokers(const joker_state *s) {
    int room = s->joker_slots;
    for (int i = 0; i < s->jokers; i++) {
        room -= s->joker[i].edition == JOKER_NEGATIVE ? 0 : 1;
    }
    return room;
}

/* Free consumable slots. */
LU_INLINE int joker_room_bag(const joker_state *s) {
    int room = s->bag_slots;
    for (int i = 0; i < s->bag; i++) {
        room -= s->consumable[i].negative ? 0 : 1;
    }
    return room;
}

LU_INLINE bool joker_has_room_joker(const joker_state *s) {
    return joker_room_jokers(s) > 0 && s->jokers < JOKER_ROW_MAX;
}

LU_INLINE bool joker_has_room_consumable(const joker_state *s) {
    return joker_room_bag(s) > 0 && s->bag < JOKER_BAG_MAX;
}

/* Appends a joker to the row, whatever the slots; false when the row can hold no more. */
LU_INLINE bool joker_add_joker(const joker_rules *m, joker_state *s, const joker_joker *joker) {
    (void)m;
    if (s->jokers >= JOKER_ROW_MAX) {
        s->full[JOKER_FULL_ROW]++;
        return false;
    }
    s->joker[s->jokers++] = *joker;
    return true;
}

/* Appends a made consumable; false when there is no place for more. */
LU_INLINE bool joker_add_consumable(const joker_rules *m, joker_state *s, const joker_item *item) {
    (void)m;
    if (s->bag >= JOKER_BAG_MAX) {
        s->full[JOKER_FULL_BAG]++;
        return false;
    }
    joker_bag_item *added = &s->consumable[s->bag++];
    memset(added, 0, sizeof *added);
    added->id = item->id;
    added->order = item->order;
    added->price = joker_consumable_price(s, item->id, JOKER_BASE);
    return true;
}

/* Adds a card to the deck, with a new sort number unless it carries one from the shop or a pack
 * (made cards do: order is not 0). Its index, or -1 when the deck can hold no more. */
LU_INLINE int joker_add_card(const joker_rules *m, joker_state *s, const joker_card *card,
                             int zone) {
    int index = 0;
    (void)m;
    while (index < JOKER_DECK_MAX && s->card[index].rank) {
        index++;
    }
    if (index == JOKER_DECK_MAX || (zone == JOKER_ZONE_HAND && s->held >= JOKER_HAND_MAX)) {
        s->full[index == JOKER_DECK_MAX ? JOKER_FULL_DECK : JOKER_FULL_HAND]++;
        return -1;
    }
    s->card[index] = *card;
    s->card[index].order = card->order ? card->order : joker_new_order(s);
    s->owned++;
    if (zone == JOKER_ZONE_HAND) {
        s->hand[s->held++] = (uint8_t)index;
    } else {
        memmove(s->draw + 1, s->draw, s->draws);
        s->draw[0] = (uint8_t)index;
        s->draws++;
    }
    return index;
}

/* ---- pools ---- */

/* What may not be drawn because a copy exists: owned, in the shop, in an open pack. */
typedef struct joker_taken {
    uint64_t jokers[3];
    uint64_t consumables;
} joker_taken;

LU_INLINE void joker_take_item(joker_taken *taken, const joker_item *item) {
    if (item->kind == JOKER_KIND_JOKER) {
        taken->jokers[item->joker.id >> 6] |= (uint64_t)1 << (item->joker.id & 63);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        taken->consumables |= (uint64_t)1 << item->id;
    }
}

/* Nothing is taken with Showman. */
LU_INLINE joker_taken joker_taken_now(const joker_state *s) {
    joker_taken taken;
    memset(&taken, 0, sizeof taken);
    if (joker_rule_bits(s) & JOKER_RULE_SHOWMAN) {
        return taken;
    }
    for (int i = 0; i < s->jokers; i++) {
        taken.jokers[s->joker[i].id >> 6] |= (uint64_t)1 << (s->joker[i].id & 63);
    }
    for (int i = 0; i < s->bag; i++) {
        taken.consumables |= (uint64_t)1 << s->consumable[i].id;
    }
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        joker_take_item(&taken, &s->shop[i]);
    }
    for (int i = 0; i < JOKER_PACK_MAX; i++) {
        joker_take_item(&taken, &s->shown[i]);
    }
    return taken;
}

LU_INLINE bool joker_deck_holds(const joker_state *s, int enhancement) {
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (s->card[i].rank && s->card[i].enhancement == enhancement) {
            return true;
        }
    }
    return false;
}

/* Whether the pool condition of a joker is met. */
LU_INLINE bool joker_in_pool(const joker_state *s, int id) {
    switch (joker_joker_facts[id].pool) {
    case JOKER_POOL_STEEL:
        return joker_deck_holds(s, JOKER_STEEL);
    case JOKER_POOL_STONE:
        return joker_deck_holds(s, JOKER_STONE);
    case JOKER_POOL_GOLD:
        return joker_deck_holds(s, JOKER_GOLD);
    case JOKER_POOL_LUCKY:
        return joker_deck_holds(s, JOKER_LUCKY);
    case JOKER_POOL_GLASS:
        return joker_deck_holds(s, JOKER_GLASS);
    case JOKER_POOL_GROS_MICHEL:
        return !s->gros_michel_gone;
    case JOKER_POOL_CAVENDISH:
        return s->gros_michel_gone != 0;
    default:
        return true;
    }
}

/* Pools of up to 64 entries: a bit per entry that may be drawn. */
LU_INLINE uint64_t joker_pool_jokers(const joker_state *s, int rarity, const joker_taken *taken) {
    uint64_t open = 0;
    int from = joker_rarity_from[rarity], count = joker_rarity_from[rarity + 1] - from;
    for (int i = 0; i < count; i++) {
        int id = joker_by_rarity[from + i];
        bool blocked = taken->jokers[id >> 6] >> (id & 63) & 1u;
        open |= (uint64_t)(!blocked && joker_in_pool(s, id)) << i;
    }
    return open;
}

/* Planets of hands that are still hidden may not be drawn. */
LU_INLINE bool joker_planet_open(const joker_state *s, int id) {
    int hand = joker_consumable_facts[id].hand;
    return joker_hand_facts[hand].visible || s->plays[hand] > 0;
}

/* Where the consumables of a set begin; those of the next begin where they end. */
LU_TABLE uint8_t joker_set_from[JOKER_SETS + 1] = {JOKER_TAROT_0, JOKER_PLANET_0, JOKER_SPECTRAL_0,
                                                   JOKER_CONSUMABLES};

LU_INLINE uint64_t joker_pool_consumables(const joker_state *s, int set, const joker_taken *taken) {
    const int from = joker_set_from[set], end = joker_set_from[set + 1];
    uint64_t open = 0;
    for (int id = from; id < end; id++) {
        bool fits = joker_consumable_facts[id].pool && !(taken->consumables >> id & 1u);
        fits = fits && (set != JOKER_PLANET || joker_planet_open(s, id));
        open |= (uint64_t)fits << (id - from);
    }
    return open;
}

/* Draws an entry of a pool: blanks are drawn again, each time from a stream of its own. -1 when
 * there is none; a draw is made all the same. */
LU_INLINE int joker_draw_pool(const joker_rules *m, joker_state *s, int base, int suffix,
                              uint64_t open, int n) {
    int at = joker_pick(m, s, joker_key(base, suffix, s->ante, 0), open ? n : 1);
    if (open == 0) {
        return -1;
    }
    for (int again = 2; !(open >> at & 1u); again++) {
        if (again > JOKER_RESAMPLE_MAX) {
            return (int)lu_lowest_bit(open & UINT32_MAX ? (uint32_t)open : (uint32_t)(open >> 32)) +
                   (open & UINT32_MAX ? 0 : 32);
        }
        at = joker_pick(m, s, joker_key(base, suffix, s->ante, again), n);
    }
    return at;
}

LU_C_END
