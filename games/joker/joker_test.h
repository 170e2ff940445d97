/* Set-up states for the tests of joker's rounds: rules without settings, runs of any deck and
 * stake, and states put together by hand. The parts of the rules are included, so that their static
 * functions can be asked directly. */
#pragma once

#pragma GCC diagnostic ignored "-Wunused-function" /* a test asks some of the parts */

#include "rules/joker_run.h"
#include "test.h"

#include <stdlib.h>

static joker_rules rules;
static joker_state state;
static joker_rules *const m = &rules;
static joker_state *const s = &state;

/* A run of a deck and stake (row - 1), with the fast generator. */
static inline void begin_run(int deck, int stake, uint64_t seed) {
    memset(&rules, 0, sizeof rules);
    memset(&state, 0, sizeof state);
    rules.deck = deck;
    rules.stake = stake;
    rules.fast = 1;
    rules.win_ante = 8;
    joker_seed_number(m, s, seed);
    joker_run_start(m, s);
}

static inline void begin(void) {
    begin_run(JOKER_B_RED, 0, 1);
}

/* ---- what the state must always be ---- */

/* The first rule that the state breaks, or NULL. */
static inline const char *broken_zones(void) {
    uint8_t seen[JOKER_DECK_MAX] = {0};
    int owned = 0;
    if (s->held > JOKER_HAND_MAX || s->draws > JOKER_DECK_MAX || s->gones > JOKER_DECK_MAX) {
        return "a zone is too long";
    }
    for (int i = 0; i < s->draws; i++) {
        seen[s->draw[i] & 127]++;
    }
    for (int i = 0; i < s->held; i++) {
        seen[s->hand[i] & 127]++;
    }
    for (int i = 0; i < s->gones; i++) {
        seen[s->gone[i] & 127]++;
    }
    static const joker_card none;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        const joker_card *card = &s->card[i];
        owned += card->rank != 0;
        if (seen[i] != (card->rank != 0)) {
            return "a card lies nowhere or twice";
        }
        if (!card->rank && memcmp(card, &none, sizeof none) != 0) {
            return "a free slot is not zero";
        }
        if (card->rank &&
            (card->rank < 2 || card->rank > JOKER_ACE || card->enhancement >= JOKER_ENHANCEMENTS ||
             card->edition >= JOKER_EDITIONS || card->seal >= JOKER_SEALS)) {
            return "a card is none";
        }
    }
    return owned == s->owned ? NULL : "owned is not the number of cards";
}

/* No two cards have one sort number, and all have one that was given. */
static inline const char *broken_orders(void) {
    static uint8_t seen[65536];
    memset(seen, 0, s->next_order);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        uint16_t order = s->card[i].order;
        if (s->card[i].rank && (order == 0 || order >= s->next_order || seen[order]++)) {
            return "two cards have one sort number";
        }
    }
    return NULL;
}

static inline const char *broken_items(void) {
    if (s->jokers > JOKER_ROW_MAX || s->bag > JOKER_BAG_MAX || s->tags > JOKER_TAGS_MAX) {
        return "too many jokers, consumables or tags";
    }
    for (int i = 0; i < JOKER_ROW_MAX; i++) {
        const joker_joker *joker = &s->joker[i];
        if (i < s->jokers ? joker->id >= JOKER_JOKERS : joker->id != JOKER_NONE) {
            return "a joker is none, or behind the row";
        }
        bool heart = s->heart == i && (s->phase == JOKER_PLAY || s->lost);
        bool perished = joker->flags & JOKER_PERISHED;
        if (i < s->jokers && ((joker->flags & JOKER_DEBUFFED) != 0) != (heart || perished)) {
            return "a joker is debuffed for nothing, or not debuffed";
        }
        for (int k = 0; k < i && i < s->jokers; k++) {
            if (s->joker[k].order == joker->order) {
                return "two jokers have one sort number";
            }
        }
    }
    for (int i = 0; i < JOKER_BAG_MAX; i++) {
        int id = s->consumable[i].id;
        if (i < s->bag ? id >= JOKER_CONSUMABLES : id != JOKER_NONE) {
            return "a consumable is none, or behind the bag";
        }
    }
    for (int i = 0; i < s->tags; i++) {
        if (s->tag[i].id >= JOKER_TAGS) {
            return "a tag is none";
        }
    }
    return NULL;
}

/* Hands, discards, slots and floor are those of deck, stake, vouchers and live jokers. */
static inline const char *broken_passives(void) {
    const joker_deck_fact *deck = &joker_deck_facts[s->deck];
    int hands = deck->hands, floor = 0, discards = deck->discards - (s->stake >= 4);
    hands += joker_has_voucher(s, JOKER_V_GRABBER) + joker_has_voucher(s, JOKER_V_NACHO_TONG) -
             joker_has_voucher(s, JOKER_V_HIEROGLYPH);
    discards += joker_has_voucher(s, JOKER_V_WASTEFUL) +
                joker_has_voucher(s, JOKER_V_RECYCLOMANCY) -
                joker_has_voucher(s, JOKER_V_PETROGLYPH);
    for (int i = 0; i < s->jokers; i++) {
        const joker_row *row = joker_row_of(&s->joker[i]);
        if (joker_live(&s->joker[i])) {
            hands += row->hands;
            discards += row->discards;
            floor += row->floor;
        }
    }
    if (s->round_hands != hands || s->round_discards != discards || s->spending_floor != floor) {
        return "hands, discards or floor are not those of deck, vouchers and jokers";
    }
    int slots = deck->joker_slots + joker_has_voucher(s, JOKER_V_ANTIMATTER);
    if (s->joker_slots != slots || s->shop_slots > JOKER_SHOP_MAX) {
        return "slots are not those of deck and vouchers";
    }
    return NULL;
}

static inline const char *broken_phase(void) {
    bool dealt = s->phase == JOKER_PLAY || s->phase == JOKER_END || (s->pack_open && s->pack_hand);
    if (s->phase > JOKER_END || s->blind > 2 || s->boss < JOKER_BL_HOOK ||
        s->boss >= JOKER_BLINDS) {
        return "phase, blind or boss is none";
    }
    if (!dealt && (s->held || s->gones || s->draws != s->owned)) {
        return "cards are out of the draw pile";
    }
    if (s->phase == JOKER_PLAY && (s->held == 0 || s->hands <= 0 || s->score >= s->target)) {
        return "a round goes on that is over";
    }
    if (s->phase == JOKER_PLAY && s->discards < 0) {
        return "discards below 0";
    }
    if ((s->phase == JOKER_END) != (s->lost || (s->won && !m->endless))) {
        return "the end does not fit won and lost";
    }
    if (s->owed != 0 && s->phase != JOKER_CASH_OUT && s->phase != JOKER_END) {
        return "money is owed outside of cash-out";
    }
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        int flags = s->card[i].flags & ~JOKER_CARD_PLAYED;
        if (flags && (s->phase != JOKER_PLAY || s->blind != 2 || s->disabled) &&
            s->phase != JOKER_END) {
            return "a card is debuffed, down or forced without a boss";
        }
    }
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if (s->level[hand] < 1) {
            return "a level is below 1";
        }
    }
    return NULL;
}

static inline const char *broken_state(void) {
    const char *what = broken_zones();
    what = what ? what : broken_items();
    what = what ? what : broken_passives();
    return what ? what : broken_phase();
}

/* ---- states put together by hand ---- */

/* A round at a blind (row - 1 of blinds.csv), as if it had just been selected. */
static inline void at_blind(int blind) {
    s->phase = JOKER_BLIND_SELECT;
    s->blind = (uint8_t)(blind < 2 ? blind : 2);
    s->boss = (uint8_t)(blind < 2 ? s->boss : blind);
    joker_select_blind(m, s);
}

/* A letter's place in a list, or -1. */
static inline int letter(const char *list, char c) {
    const char *at = c ? strchr(list, c) : NULL;
    return at ? (int)(at - list) : -1;
}

/* Holds exactly these cards, left to right: "AS 9D:g TC:oR" = rank, suit, then an enhancement
 * (b m w g e o d l: Bonus Mult Wild Glass Steel Stone Gold Lucky), a seal (G R B P) and an edition
 * (1 2 3: Foil, Holographic, Polychrome). */
static inline void hold(const char *cards) {
    joker_return_all(s);
    for (const char *at = cards; *at; at++) {
        if (*at == ' ') {
            continue;
        }
        uint8_t index = s->draw[--s->draws];
        joker_card *card = &s->card[index];
        uint16_t order = card->order;
        memset(card, 0, sizeof *card);
        card->order = order;
        card->rank = (uint8_t)(letter("23456789TJQKA", *at) + 2);
        card->suit = (uint8_t)letter("SHCD", *++at) & 3u;
        for (; at[1] && at[1] != ' '; at++) {
            int enhancement = letter("bmwgeodl", at[1]), seal = letter("GRBP", at[1]);
            int edition = letter("123", at[1]);
            card->enhancement = (uint8_t)(enhancement >= 0 ? enhancement + 1 : card->enhancement);
            card->seal = (uint8_t)(seal >= 0 ? seal + 1 : card->seal) & 7u;
            card->edition = (uint8_t)(edition >= 0 ? edition + 1 : card->edition) & 7u;
        }
        s->hand[s->held++] = index;
        joker_card_changed(s, index);
    }
}

static inline joker_card *held(int i) {
    return &s->card[s->hand[i]];
}

/* Owns a joker as it is made, without edition and stickers. */
static inline joker_joker *give(int id) {
    joker_joker joker;
    memset(&joker, 0, sizeof joker);
    joker.id = (uint8_t)id;
    joker_start_store(s, &joker);
    joker.order = joker_new_order(s);
    joker.price = joker_joker_price(s, &joker);
    joker_gain_joker(m, s, &joker);
    return &s->joker[s->jokers - 1];
}

/* Wins the round by playing the first held card. */
static inline void win(void) {
    s->target = 1.0;
    joker_play(m, s, 1u);
}

/* Goes to the shop behind a blind that was won. */
static inline void to_shop(int blind) {
    at_blind(blind);
    win();
    joker_cash_out(m, s);
}

/* Uses a consumable that comes from nowhere on held cards (bits over positions). */
static inline bool use(int id, uint16_t chosen) {
    bool can = joker_can_use(m, s, id, chosen);
    if (can) {
        joker_use(m, s, id, chosen);
    }
    const char *broken = broken_zones();
    if (broken) {
        lu_test_fail(__FILE__, __LINE__, "consumable %d: %s", id, broken);
    }
    return can;
}

/* ---- cases of jokers ---- */

/* Hooks outside scoring: up to the end of a round, and from there on. */
enum {
    EARLY = JOKER_HOOK_PASSIVE | JOKER_HOOK_BLIND_SET | JOKER_HOOK_FIRST_DRAW |
            JOKER_HOOK_PRE_DISCARD | JOKER_HOOK_DISCARD | JOKER_HOOK_CARDS_LOST |
            JOKER_HOOK_CARD_ADDED | JOKER_HOOK_PLANET_USED,
    LATE = JOKER_HOOK_ROUND_END | JOKER_HOOK_PAYOUT | JOKER_HOOK_SELL_SELF | JOKER_HOOK_SELL_ANY |
           JOKER_HOOK_REROLL | JOKER_HOOK_PACK_OPEN | JOKER_HOOK_PACK_SKIP | JOKER_HOOK_SHOP_EXIT |
           JOKER_HOOK_LAST_CHANCE | JOKER_HOOK_COPY
};

/* Runs the case of a joker; fails when there is none though there should be one, or the other way.
 */
static inline void check_case(int id, bool needed, void (*run)(void)) {
    if (needed != (run != NULL)) {
        lu_test_fail(__FILE__, __LINE__, "%s has %s case", joker_joker_words[id].key,
                     needed ? "no" : "a needless");
    }
    if (run) {
        run();
    }
}
