/* Joker, part: making jokers, consumables and playing cards, each with its draws in the order of
 * the game: what it is, stickers, edition, seal. Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_pool.h"

LU_C_BEGIN

/* Where a joker is made: in shops and packs it may get stickers. */
typedef enum joker_place { JOKER_PLACE_NONE, JOKER_PLACE_SHOP, JOKER_PLACE_PACK } joker_place;

/* ---- jokers ---- */

/* A visible hand other than `except`, listed from the weakest; the streams orbital and to_do. */
LU_INLINE int joker_draw_hand(const joker_rules *m, joker_state *s, int base, int except) {
    uint8_t list[JOKER_HANDS];
    int n = 0;
    for (int hand = JOKER_HANDS - 1; hand >= 0; hand--) {
        if (((uint32_t)s->visible >> hand & 1u) && hand != except) {
            list[n++] = (uint8_t)hand;
        }
    }
    return list[joker_pick(m, s, joker_key(base, 0, 0, 0), n)];
}

/* To Do List: lists a hand that is not the one in joker->a. */
LU_INLINE void joker_draw_todo(const joker_rules *m, joker_state *s, joker_joker *joker) {
    joker->a = joker_draw_hand(m, s, JOKER_K_TO_DO, joker->a);
}

/* Edition by a draw; scale 1 for jokers, 2 for standard packs, which know no Negative. */
LU_INLINE int joker_edition_of(const joker_state *s, double u, int scale) {
    double rate = (double)s->edition_rate;
    if (scale == 1 && u > 0.997) {
        return JOKER_NEGATIVE;
    }
    if (u > 1.0 - 0.006 * rate * (double)scale) {
        return JOKER_POLY;
    }
    if (u > 1.0 - 0.02 * rate * (double)scale) {
        return JOKER_HOLO;
    }
    return u > 1.0 - 0.04 * rate * (double)scale ? JOKER_FOIL : JOKER_BASE;
}

/* A sure edition by a draw: Wheel of Fortune, Aura, Illusion. */
LU_INLINE int joker_sure_edition(double u) {
    return u > 0.85 ? JOKER_POLY : u > 0.5 ? JOKER_HOLO : JOKER_FOIL;
}

/* Stickers of a joker in a shop or pack; the first poll is made at every stake. */
LU_INLINE void joker_roll_stickers(const joker_rules *m, joker_state *s, joker_joker *joker,
                                   bool pack) {
    const joker_stake_fact *stake = &joker_stake_facts[s->stake];
    uint8_t may = joker_joker_facts[joker->id].flags;
    double u = joker_u(m, s, joker_key_now(s, pack ? JOKER_K_PACKETPER : JOKER_K_ETPERPOLL));
    if (stake->eternal && u > 0.7 && (may & JOKER_IS_MAY_ETERNAL)) {
        joker->flags |= JOKER_ETERNAL;
    } else if (stake->perishable && u > 0.4 && u <= 0.7 && (may & JOKER_IS_MAY_PERISH)) {
        joker->flags |= JOKER_PERISHABLE;
        joker->rounds = 5;
    }
    if (stake->rental &&
        joker_u(m, s, joker_key_now(s, pack ? JOKER_K_PACKSSJR : JOKER_K_SSJR)) > 0.7) {
        joker->flags |= JOKER_RENTAL;
    }
}

/* Makes a given joker: store, stickers, edition, price. */
LU_INLINE void joker_make_this_joker(const joker_rules *m, joker_state *s, int id, int suffix,
                                     int place, joker_item *out) {
    memset(out, 0, sizeof *out);
    out->kind = JOKER_KIND_JOKER;
    out->order = out->joker.order = joker_new_order(s);
    out->joker.id = (uint8_t)id;
    joker_start_store(s, &out->joker);
    if (id == JOKER_J_TODO_LIST) {
        out->joker.a = -1;
        joker_draw_todo(m, s, &out->joker);
    }
    if (place != JOKER_PLACE_NONE) {
        joker_roll_stickers(m, s, &out->joker, place == JOKER_PLACE_PACK);
    }
    double u = joker_u(m, s, joker_key(JOKER_K_EDITION, suffix, s->ante, 0));
    out->joker.edition = (uint8_t)joker_edition_of(s, u, 1);
    joker_price_item(s, out);
}

/* Makes a joker of a rarity; -1 = the rarity is drawn too. */
LU_INLINE void joker_make_joker(const joker_rules *m, joker_state *s, int rarity, int suffix,
                                int place, joker_item *out) {
    if (rarity < 0) {
        double u = joker_u(m, s, joker_key(JOKER_K_RARITY, suffix, s->ante, 0));
        rarity = u > 0.95 ? JOKER_RARE : u > 0.7 ? JOKER_UNCOMMON : JOKER_COMMON;
    }
    joker_taken taken = joker_taken_now(s);
    int from = joker_rarity_from[rarity], count = joker_rarity_from[rarity + 1] - from;
    int at = joker_draw_pool(m, s, JOKER_K_JOKER1 + rarity, suffix,
                             joker_pool_jokers(s, rarity, &taken), count);
    int id = at < 0 ? (int)JOKER_J_JOKER : joker_by_rarity[from + at];
    joker_make_this_joker(m, s, id, suffix, place, out);
}

/* ---- consumables ---- */

/* Makes a given consumable. */
LU_INLINE void joker_make_this_consumable(joker_state *s, int id, joker_item *out) {
    memset(out, 0, sizeof *out);
    out->kind = JOKER_KIND_CONSUMABLE;
    out->id = (uint8_t)id;
    out->order = joker_new_order(s);
    joker_price_item(s, out);
}

/* The Soul and Black Hole come in place of a card of their packs; -1 = neither does. Both are
 * rolled for a Spectral, the later one wins. */
LU_INLINE int joker_roll_soul(const joker_rules *m, joker_state *s, int set,
                              const joker_taken *taken) {
    uint32_t key = joker_key_now(s, JOKER_K_SOUL_TAROT + set);
    int id = -1;
    if (set != JOKER_PLANET && !(taken->consumables >> JOKER_C_SOUL & 1u) &&
        joker_u(m, s, key) > 0.997) {
        id = JOKER_C_SOUL;
    }
    if (set != JOKER_TAROT && !(taken->consumables >> JOKER_C_BLACK_HOLE & 1u) &&
        joker_u(m, s, key) > 0.997) {
        id = JOKER_C_BLACK_HOLE;
    }
    return id;
}

/* Makes a consumable of a set; soul: The Soul or Black Hole may come instead. */
LU_INLINE void joker_make_consumable(const joker_rules *m, joker_state *s, int set, int suffix,
                                     bool soul, joker_item *out) {
    joker_taken taken = joker_taken_now(s);
    int id = soul ? joker_roll_soul(m, s, set, &taken) : -1;
    if (id < 0) {
        const int from = joker_set_from[set], count = joker_set_from[set + 1] - from;
        int at = joker_draw_pool(m, s, JOKER_K_TAROT + set, suffix,
                                 joker_pool_consumables(s, set, &taken), count);
        id = at >= 0               ? from + at
             : set == JOKER_TAROT  ? (int)JOKER_C_STRENGTH
             : set == JOKER_PLANET ? (int)JOKER_C_PLUTO
                                   : (int)JOKER_C_INCANTATION;
    }
    joker_make_this_consumable(s, id, out);
}

/* ---- playing cards ---- */

/* Suits and ranks in the order of the keys: C D H S, 2..9 A J K Q T. */
LU_TABLE uint8_t joker_front_suits[4] = {JOKER_CLUBS, JOKER_DIAMONDS, JOKER_HEARTS, JOKER_SPADES};
LU_TABLE uint8_t joker_front_ranks[13] = {2, 3,         4,          5,          6,           7, 8,
                                          9, JOKER_ACE, JOKER_JACK, JOKER_KING, JOKER_QUEEN, 10};

/* The plain card of key 0..51. */
LU_INLINE joker_card joker_front(int key) {
    joker_card card;
    memset(&card, 0, sizeof card);
    card.suit = joker_front_suits[key / 13] & 3u;
    card.rank = joker_front_ranks[key % 13];
    return card;
}

/* Makes a playing card, enhanced or plain. */
LU_INLINE void joker_make_playing_card(const joker_rules *m, joker_state *s, int suffix,
                                       bool enhanced, joker_item *out) {
    memset(out, 0, sizeof *out);
    out->kind = JOKER_KIND_CARD;
    int enhancement = JOKER_PLAIN;
    if (enhanced) {
        enhancement = joker_int(m, s, joker_key(JOKER_K_ENHANCED, suffix, s->ante, 0), 1, 8);
    }
    out->card = joker_front(joker_pick(m, s, joker_key(JOKER_K_FRONT, suffix, s->ante, 0), 52));
    out->card.enhancement = (uint8_t)enhancement;
    out->order = out->card.order = joker_new_order(s);
    joker_price_item(s, out);
}

/* A card of a standard pack. */
LU_INLINE void joker_make_standard(const joker_rules *m, joker_state *s, joker_item *out) {
    bool enhanced = joker_u(m, s, joker_key_now(s, JOKER_K_STDSET)) > 0.6;
    joker_make_playing_card(m, s, JOKER_SUFFIX_STA, enhanced, out);
    double u = joker_u(m, s, joker_key_now(s, JOKER_K_STANDARD_EDITION));
    out->card.edition = (unsigned)joker_edition_of(s, u, 2) & 7u;
    if (joker_u(m, s, joker_key_now(s, JOKER_K_STDSEAL)) > 0.8) {
        double kind = joker_u(m, s, joker_key_now(s, JOKER_K_STDSEALTYPE));
        out->card.seal = (kind > 0.75   ? JOKER_RED_SEAL
                          : kind > 0.5  ? JOKER_BLUE_SEAL
                          : kind > 0.25 ? JOKER_GOLD_SEAL
                                        : JOKER_PURPLE_SEAL) &
                         7;
    }
    joker_price_item(s, out);
}

LU_C_END
