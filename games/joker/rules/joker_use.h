/* Joker, part: consumables: when they may be used and what they do. A consumable
 * is used when it has left its place (bag, shop or pack), so its own slot is free. Cards keep their
 * places in the hand and new ones come to its right end: only drawing sorts.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_event.h"

LU_C_BEGIN

/* ---- when a consumable may be used ---- */

/* Jokers without an edition (bit = place). */
LU_INLINE uint32_t joker_plain_jokers(const joker_state *s) {
    uint32_t plain = 0;
    for (int i = 0; i < s->jokers; i++) {
        plain |= s->joker[i].edition == JOKER_BASE ? 1u << i : 0u;
    }
    return plain;
}

/* Whether a consumable could be used now, apart from the cards chosen for it. `owned`: it lies in
 * the bag, so that its own slot gets free. */
LU_INLINE bool joker_use_possible(const joker_state *s, int id, bool owned) {
    switch (id) {
    case JOKER_C_FOOL:
        return s->last_used != JOKER_NONE && s->last_used != JOKER_C_FOOL &&
               (owned || joker_has_room_consumable(s));
    case JOKER_C_HIGH_PRIESTESS:
    case JOKER_C_EMPEROR:
        return owned || joker_has_room_consumable(s);
    case JOKER_C_WHEEL_OF_FORTUNE:
    case JOKER_C_ECTOPLASM:
    case JOKER_C_HEX:
        return joker_plain_jokers(s) != 0;
    case JOKER_C_JUDGEMENT:
    case JOKER_C_WRAITH:
    case JOKER_C_SOUL:
        return joker_has_room_joker(s);
    case JOKER_C_ANKH:
        return s->jokers > 0;
    case JOKER_C_FAMILIAR:
    case JOKER_C_GRIM:
    case JOKER_C_INCANTATION:
    case JOKER_C_SIGIL:
    case JOKER_C_OUIJA:
    case JOKER_C_IMMOLATE:
        return s->held > 1;
    default:
        return s->held >= joker_consumable_facts[id].choose_min;
    }
}

/* joker_use_possible for a consumable of the shop or of a pack. */
LU_INLINE bool joker_use_allowed(const joker_rules *m, const joker_state *s, int id) {
    (void)m;
    return joker_use_possible(s, id, false);
}

/* Whether the chosen held cards fit a consumable. */
LU_INLINE bool joker_choice_fits(const joker_state *s, int id, uint16_t chosen) {
    const joker_consumable_fact *fact = &joker_consumable_facts[id];
    int count = lu_bits_set(chosen);
    if (fact->choose_max == 0) {
        return true; /* chosen cards do not matter */
    }
    if (chosen >> s->held || count < fact->choose_min || count > fact->choose_max) {
        return false;
    }
    for (int i = 0; i < s->held && id == JOKER_C_AURA; i++) {
        if (joker_has(chosen, i) && s->card[s->hand[i]].edition != JOKER_BASE) {
            return false;
        }
    }
    return true;
}

/* Whether a consumable of the shop or of a pack can be used on the chosen held cards. */
LU_INLINE bool joker_can_use(const joker_rules *m, const joker_state *s, int id, uint16_t chosen) {
    return joker_use_allowed(m, s, id) && joker_choice_fits(s, id, chosen);
}

/* ---- effects on cards ---- */

/* The leftmost or rightmost of the chosen held cards. */
LU_INLINE joker_card *joker_chosen(joker_state *s, uint16_t chosen, bool rightmost) {
    int at = 0;
    for (int i = s->held - 1; i >= 0; i--) {
        int place = rightmost ? s->held - 1 - i : i;
        at = joker_has(chosen, place) ? place : at;
    }
    return &s->card[s->hand[at]];
}

/* Suits as created cards list them. */
LU_INLINE uint8_t joker_suit_listed(int at) {
    return (uint8_t)(at == 0   ? JOKER_SPADES
                     : at == 1 ? JOKER_HEARTS
                     : at == 2 ? JOKER_DIAMONDS
                               : JOKER_CLUBS);
}

/* A sure edition by the next draw of a stream. */
LU_INLINE int joker_lucky_edition(const joker_rules *m, joker_state *s, int base) {
    return joker_sure_edition(joker_u(m, s, joker_key_now(s, base)));
}

/* What a consumable does to each of the chosen cards. */
typedef struct joker_change {
    uint8_t what;  /* JOKER_CHANGE_ */
    uint8_t value; /* enhancement, suit, seal */
} joker_change;

enum {
    JOKER_CHANGE_NONE,
    JOKER_CHANGE_ENHANCEMENT,
    JOKER_CHANGE_SUIT,
    JOKER_CHANGE_SEAL,
    JOKER_CHANGE_RANK_UP
};

LU_INLINE joker_change joker_change_of(int id) {
    joker_change change = {JOKER_CHANGE_ENHANCEMENT, 0};
    switch (id) {
    case JOKER_C_MAGICIAN:
        change.value = JOKER_LUCKY;
        break;
    case JOKER_C_EMPRESS:
        change.value = JOKER_MULT;
        break;
    case JOKER_C_HEIROPHANT:
        change.value = JOKER_BONUS;
        break;
    case JOKER_C_LOVERS:
        change.value = JOKER_WILD;
        break;
    case JOKER_C_CHARIOT:
        change.value = JOKER_STEEL;
        break;
    case JOKER_C_JUSTICE:
        change.value = JOKER_GLASS;
        break;
    case JOKER_C_DEVIL:
        change.value = JOKER_GOLD;
        break;
    case JOKER_C_TOWER:
        change.value = JOKER_STONE;
        break;
    case JOKER_C_STRENGTH:
        change.what = JOKER_CHANGE_RANK_UP;
        break;
    case JOKER_C_STAR:
        change.what = JOKER_CHANGE_SUIT, change.value = JOKER_DIAMONDS;
        break;
    case JOKER_C_MOON:
        change.what = JOKER_CHANGE_SUIT, change.value = JOKER_CLUBS;
        break;
    case JOKER_C_SUN:
        change.what = JOKER_CHANGE_SUIT, change.value = JOKER_HEARTS;
        break;
    case JOKER_C_WORLD:
        change.what = JOKER_CHANGE_SUIT, change.value = JOKER_SPADES;
        break;
    case JOKER_C_TALISMAN:
        change.what = JOKER_CHANGE_SEAL, change.value = JOKER_GOLD_SEAL;
        break;
    case JOKER_C_DEJA_VU:
        change.what = JOKER_CHANGE_SEAL, change.value = JOKER_RED_SEAL;
        break;
    case JOKER_C_TRANCE:
        change.what = JOKER_CHANGE_SEAL, change.value = JOKER_BLUE_SEAL;
        break;
    case JOKER_C_MEDIUM:
        change.what = JOKER_CHANGE_SEAL, change.value = JOKER_PURPLE_SEAL;
        break;
    default:
        change.what = JOKER_CHANGE_NONE;
        break;
    }
    return change;
}

LU_INLINE void joker_change_card(joker_state *s, int index, joker_change change) {
    joker_card *card = &s->card[index];
    switch (change.what) {
    case JOKER_CHANGE_ENHANCEMENT:
        card->enhancement = change.value;
        break;
    case JOKER_CHANGE_SUIT:
        card->suit = change.value & 3u;
        break;
    case JOKER_CHANGE_SEAL:
        card->seal = change.value & 7u;
        break;
    default:
        card->rank = (uint8_t)(card->rank == JOKER_ACE ? 2 : card->rank + 1);
        break;
    }
    joker_card_changed(s, index);
}

LU_INLINE void joker_change_held(joker_state *s, uint16_t chosen, joker_change change) {
    for (int i = 0; i < s->held; i++) {
        if (joker_has(chosen, i)) {
            joker_change_card(s, s->hand[i], change);
        }
    }
}

/* Death: the left chosen card becomes the right one, but keeps its sort number. */
LU_INLINE void joker_death(joker_state *s, uint16_t chosen) {
    joker_card *left = joker_chosen(s, chosen, false);
    const joker_card *right = joker_chosen(s, chosen, true);
    const uint8_t place = JOKER_CARD_DOWN | JOKER_CARD_FORCED;
    uint16_t order = left->order;
    uint8_t flags = left->flags;
    *left = *right;
    left->order = order;
    left->flags = (uint8_t)((right->flags & ~place) | (flags & place));
}

/* Destroys the chosen held cards. */
LU_INLINE void joker_destroy_held(const joker_rules *m, joker_state *s, uint16_t chosen) {
    uint8_t taken[JOKER_HAND_MAX] = {0};
    int count = joker_take_held(s, chosen, taken);
    joker_destroy_cards(m, s, taken, count);
}

/* Immolate: 5 held cards at random. */
LU_INLINE void joker_immolate(const joker_rules *m, joker_state *s) {
    uint8_t list[JOKER_HAND_MAX];
    uint16_t chosen = 0;
    memcpy(list, s->hand, sizeof list);
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_IMMOLATE), list, s->held);
    for (int i = 0; i < s->held; i++) {
        for (int k = 0; k < 5 && k < s->held; k++) {
            chosen = (uint16_t)(chosen | (s->hand[i] == list[k] ? 1u << i : 0u));
        }
    }
    joker_destroy_held(m, s, chosen);
    joker_earn(s, 20);
}

/* Familiar, Grim, Incantation: a held card goes, `count` enhanced cards of `ranks` ranks from
 * `lowest` on come. One rank needs no draw. */
LU_INLINE void joker_summon(const joker_rules *m, joker_state *s, int base, int lowest, int ranks,
                            int count) {
    joker_destroy_held(m, s, (uint16_t)(1u << joker_pick_held(m, s, JOKER_K_RANDOM_DESTROY)));
    for (int i = 0; i < count; i++) {
        joker_card card;
        memset(&card, 0, sizeof card);
        int step = ranks > 1 ? joker_pick(m, s, joker_key_now(s, base), ranks) : 0;
        card.rank = (uint8_t)(lowest + step);
        card.suit = joker_suit_listed(joker_pick(m, s, joker_key_now(s, base), 4)) & 3u;
        int kind = JOKER_BONUS + joker_pick(m, s, joker_key_now(s, JOKER_K_SPE_CARD), 7);
        card.enhancement = (uint8_t)(kind >= JOKER_STONE ? kind + 1 : kind); /* all but Stone */
        joker_gain_card(m, s, &card, JOKER_ZONE_HAND);
    }
}

/* Sigil and Ouija: all held cards take one suit or rank. */
LU_INLINE void joker_unite(const joker_rules *m, joker_state *s, int id) {
    bool sigil = id == JOKER_C_SIGIL;
    int at =
        joker_pick(m, s, joker_key_now(s, sigil ? JOKER_K_SIGIL : JOKER_K_OUIJA), sigil ? 4 : 13);
    for (int i = 0; i < s->held; i++) {
        joker_card *card = &s->card[s->hand[i]];
        if (sigil) {
            card->suit = joker_suit_listed(at) & 3u;
        } else {
            card->rank = (uint8_t)(2 + at);
        }
        joker_card_changed(s, s->hand[i]);
    }
    s->hand_size = (int16_t)(s->hand_size - (sigil ? 0 : 1));
}

/* Cryptid: two copies of a held card, as new cards. */
LU_INLINE void joker_cryptid(const joker_rules *m, joker_state *s, uint16_t chosen) {
    joker_card card = *joker_chosen(s, chosen, false);
    card.flags &= (uint8_t) ~(JOKER_CARD_FORCED | JOKER_CARD_DOWN);
    card.order = 0; /* new cards */
    for (int i = 0; i < 2; i++) {
        joker_gain_card(m, s, &card, JOKER_ZONE_HAND);
    }
}

/* ---- effects on jokers ---- */

/* Gives a joker an edition; its price follows. */
LU_INLINE void joker_give_edition(joker_state *s, int place, int edition) {
    joker_joker *joker = &s->joker[place];
    joker->edition = (uint8_t)edition;
    joker->price = joker_joker_price(s, joker);
}

/* Destroys all jokers but one that are not eternal; returns the new place of that one. */
LU_INLINE int joker_keep_one(joker_state *s, int place) {
    uint32_t victims = joker_victims(s, place, s->jokers, 0);
    joker_lose_jokers(s, victims);
    return place - lu_bits_set(victims & ((1u << place) - 1u));
}

LU_INLINE void joker_wheel_of_fortune(const joker_rules *m, joker_state *s) {
    uint32_t plain = joker_plain_jokers(s);
    if (joker_odds(m, s, joker_key_now(s, JOKER_K_WHEEL_OF_FORTUNE), 4) && plain) {
        int place = joker_pick_joker(m, s, JOKER_K_WHEEL_OF_FORTUNE, plain);
        joker_give_edition(s, place, joker_lucky_edition(m, s, JOKER_K_WHEEL_OF_FORTUNE));
    }
}

LU_INLINE void joker_ectoplasm(const joker_rules *m, joker_state *s) {
    int place = joker_pick_joker(m, s, JOKER_K_ECTOPLASM, joker_plain_jokers(s));
    joker_give_edition(s, place, JOKER_NEGATIVE);
    s->ectoplasms = (uint8_t)(s->ectoplasms < 255 ? s->ectoplasms + 1 : 255);
    s->hand_size = (int16_t)(s->hand_size > -16000 ? s->hand_size - s->ectoplasms : s->hand_size);
}

LU_INLINE void joker_hex(const joker_rules *m, joker_state *s) {
    int place = joker_pick_joker(m, s, JOKER_K_HEX, joker_plain_jokers(s));
    joker_give_edition(s, place, JOKER_POLY);
    (void)joker_keep_one(s, place);
}

LU_INLINE void joker_ankh(const joker_rules *m, joker_state *s) {
    uint32_t all = (1u << s->jokers) - 1u;
    int place = joker_pick_joker(m, s, JOKER_K_ANKH_CHOICE, all);
    joker_copy_joker(m, s, joker_keep_one(s, place));
}

/* Sell values of all jokers, at most $50: Temperance. */
LU_INLINE int joker_temperance(const joker_state *s) {
    int dollars = 0;
    for (int i = 0; i < s->jokers; i++) {
        dollars += joker_sell_value(&s->joker[i]);
    }
    return dollars < 50 ? dollars : 50;
}

/* Doubles money, gaining at most `most`. */
LU_INLINE void joker_double_money(joker_state *s, int most) {
    joker_earn(s, s->money < 0 ? 0 : s->money < most ? s->money : most);
}

/* ---- using a consumable ---- */

LU_INLINE void joker_use_tarot(const joker_rules *m, joker_state *s, int id, uint16_t chosen) {
    switch (id) {
    case JOKER_C_FOOL:
        joker_gain_consumable(m, s, s->last_used);
        break;
    case JOKER_C_HIGH_PRIESTESS:
    case JOKER_C_EMPEROR:
        for (int i = 0; i < 2; i++) {
            joker_create_consumable(m, s, id == JOKER_C_EMPEROR ? JOKER_TAROT : JOKER_PLANET,
                                    id == JOKER_C_EMPEROR ? JOKER_SUFFIX_EMP : JOKER_SUFFIX_PRI);
        }
        break;
    case JOKER_C_HERMIT:
        joker_double_money(s, 20);
        break;
    case JOKER_C_WHEEL_OF_FORTUNE:
        joker_wheel_of_fortune(m, s);
        break;
    case JOKER_C_HANGED_MAN:
        joker_destroy_held(m, s, chosen);
        break;
    case JOKER_C_DEATH:
        joker_death(s, chosen);
        break;
    case JOKER_C_TEMPERANCE:
        joker_earn(s, joker_temperance(s));
        break;
    case JOKER_C_JUDGEMENT:
        joker_create_jokers(m, s, -1, JOKER_SUFFIX_JUD, 1);
        break;
    default:
        joker_change_held(s, chosen, joker_change_of(id));
        break;
    }
    s->tarots++;
}

LU_INLINE void joker_use_spectral(const joker_rules *m, joker_state *s, int id, uint16_t chosen) {
    switch (id) {
    case JOKER_C_FAMILIAR:
        joker_summon(m, s, JOKER_K_FAMILIAR_CREATE, JOKER_JACK, 3, 3);
        break;
    case JOKER_C_GRIM:
        joker_summon(m, s, JOKER_K_GRIM_CREATE, JOKER_ACE, 1, 2);
        break;
    case JOKER_C_INCANTATION:
        joker_summon(m, s, JOKER_K_INCANTATION_CREATE, 2, 9, 4);
        break;
    case JOKER_C_AURA:
        joker_chosen(s, chosen, false)->edition =
            (unsigned)joker_lucky_edition(m, s, JOKER_K_AURA) & 7u;
        break;
    case JOKER_C_WRAITH:
        joker_create_jokers(m, s, JOKER_RARE, JOKER_SUFFIX_WRA, 1);
        s->money = 0;
        break;
    case JOKER_C_SIGIL:
    case JOKER_C_OUIJA:
        joker_unite(m, s, id);
        break;
    case JOKER_C_ECTOPLASM:
        joker_ectoplasm(m, s);
        break;
    case JOKER_C_IMMOLATE:
        joker_immolate(m, s);
        break;
    case JOKER_C_ANKH:
        joker_ankh(m, s);
        break;
    case JOKER_C_HEX:
        joker_hex(m, s);
        break;
    case JOKER_C_CRYPTID:
        joker_cryptid(m, s, chosen);
        break;
    case JOKER_C_SOUL:
        joker_create_jokers(m, s, JOKER_LEGENDARY, JOKER_SUFFIX_SOU, 1);
        break;
    case JOKER_C_BLACK_HOLE:
        for (int hand = 0; hand < JOKER_HANDS; hand++) {
            joker_level_up(s, hand, 1);
        }
        break;
    default:
        joker_change_held(s, chosen, joker_change_of(id));
        break;
    }
}

/* Uses a consumable on the chosen held cards (bits over positions); the caller has asked whether it
 * can be used, and has taken it from its place. */
LU_INLINE void joker_use(const joker_rules *m, joker_state *s, int id, uint16_t chosen) {
    const joker_consumable_fact *fact = &joker_consumable_facts[id];
    switch (fact->set) {
    case JOKER_TAROT:
        joker_use_tarot(m, s, id, chosen);
        break;
    case JOKER_PLANET:
        joker_level_up(s, fact->hand, 1);
        s->planets_used |= 1u << (id - JOKER_PLANET_0);
        joker_on_planet_used(m, s);
        break;
    default:
        joker_use_spectral(m, s, id, chosen);
        break;
    }
    if (fact->set != JOKER_SPECTRAL) {
        s->last_used = (uint8_t)id;
    }
    s->last_consumable = id;
}

LU_C_END
