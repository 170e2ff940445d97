/* The tables of joker: 150 jokers, 52 consumables, 32 vouchers, 24 tags, 30 blinds, 15 decks, 8
 * stakes, 32 packs, 12 poker hands, antes, enhancements, editions, seals and stickers. Numbers that
 * the rules read while stepping are LU_TABLE arrays here (joker_KIND_facts), so that they are
 * device-ready; what people read (keys, titles, effects) is in the records of joker_tables.c
 * (joker_KIND_words). Both come from the rows of joker_data.h, which data/make.py makes from
 * data/CSV. Everything is numbered from 0 in the order of its file. Ownership: constants. Threads:
 * no state. */
#pragma once

#include "ludus/device.h"
#include "ludus/linkage.h"

#include "rules/joker_data.h"

#include <stdint.h>

LU_C_BEGIN

enum { JOKER_STAKES = 8, JOKER_ANTE_ROWS_COUNT = 17 };

typedef enum joker_set { JOKER_TAROT, JOKER_PLANET, JOKER_SPECTRAL, JOKER_SETS } joker_set;

typedef enum joker_blind_kind {
    JOKER_BLIND_SMALL,
    JOKER_BLIND_BIG,
    JOKER_BLIND_BOSS,
    JOKER_BLIND_SHOWDOWN /* a boss of every eighth ante */
} joker_blind_kind;

typedef enum joker_pack_kind {
    JOKER_PACK_ARCANA,
    JOKER_PACK_CELESTIAL,
    JOKER_PACK_STANDARD,
    JOKER_PACK_BUFFOON,
    JOKER_PACK_SPECTRAL,
    JOKER_PACK_KINDS
} joker_pack_kind;

typedef enum joker_pack_size {
    JOKER_PACK_NORMAL,
    JOKER_PACK_JUMBO,
    JOKER_PACK_MEGA
} joker_pack_size;

/* Bits of joker_joker_facts[].flags. */
enum {
    JOKER_IS_OPEN = 1,
    JOKER_IS_COPYABLE = 2,
    JOKER_IS_MAY_ETERNAL = 4,
    JOKER_IS_MAY_PERISH = 8
};

/* ---- words, for whoever speaks about the tables (joker_tables.c) ---- */

typedef struct joker_words {
    const char *key, *title, *effect;
    const char *when;   /* jokers: start state and change; blinds: acts; tags: fires; else "" */
    const char *stream; /* streams it draws from, in words; "" = none */
} joker_words;

extern const joker_words joker_joker_words[JOKER_JOKERS];
extern const joker_words joker_consumable_words[JOKER_CONSUMABLES];
extern const joker_words joker_voucher_words[JOKER_VOUCHERS];
extern const joker_words joker_tag_words[JOKER_TAGS];
extern const joker_words joker_blind_words[JOKER_BLINDS];
extern const joker_words joker_deck_words[JOKER_DECKS];
extern const joker_words joker_stake_words[JOKER_STAKES];
extern const joker_words joker_pack_words[JOKER_PACKS];
extern const joker_words
    joker_hand_words[JOKER_HANDS]; /* key is the title; effect: what it needs */
/* Entry 0 is "none": base cards, no edition, no seal. */
extern const joker_words joker_enhancement_words[9];
extern const joker_words joker_edition_words[5];
extern const joker_words joker_seal_words[5];
extern const joker_words joker_sticker_words[3]; /* eternal, perishable, rental */
/* What a profile must have seen for a tag to come up; ours has seen all. "" = nothing. */
extern const char *const joker_tag_needs[JOKER_TAGS];

extern const char *const joker_rarity_names[JOKER_RARITIES + 1];
extern const char *const joker_set_names[JOKER_SETS + 1];             /* "Tarot" .. */
extern const char *const joker_pack_kind_names[JOKER_PACK_KINDS + 1]; /* "arcana" .. */

/* The number of a row by its key ("j_joker"), or whatever the case by its title or by its key
 * without what stands in front ("joker", "hit the road"); -1 = none. */
int joker_words_find(const joker_words *words, int count, const char *name);
/* The key of a row without what stands in front. */
const char *joker_words_short(const joker_words *words);
/* The short key that is nearest to a name that is none; NULL = none is near. */
const char *joker_words_near(const joker_words *words, int count, const char *name);

#define JOKER_FIND(kind, count) /* joker_find_joker("j_joker") and so on; -1 = none */             \
    static inline int joker_find_##kind(const char *key) {                                         \
        return joker_words_find(joker_##kind##_words, count, key);                                 \
    }
JOKER_FIND(joker, JOKER_JOKERS)
JOKER_FIND(consumable, JOKER_CONSUMABLES)
JOKER_FIND(voucher, JOKER_VOUCHERS)
JOKER_FIND(tag, JOKER_TAGS)
JOKER_FIND(blind, JOKER_BLINDS)
JOKER_FIND(deck, JOKER_DECKS)
JOKER_FIND(stake, JOKER_STAKES)
JOKER_FIND(pack, JOKER_PACKS)
JOKER_FIND(hand, JOKER_HANDS)
JOKER_FIND(enhancement, 9)
JOKER_FIND(edition, 5)
JOKER_FIND(seal, 5)
#undef JOKER_FIND

/* ---- numbers, for the rules ---- */

typedef struct joker_joker_fact {
    uint8_t rarity; /* JOKER_COMMON .. */
    uint8_t price;
    uint8_t flags;  /* JOKER_IS_ */
    uint8_t pool;   /* JOKER_POOL_ */
    uint32_t hooks; /* JOKER_HOOK_ bits */
} joker_joker_fact;

#define X(id, rarity, price, flags, pool, hooks, ...) {rarity, price, flags, pool, hooks},
LU_TABLE joker_joker_fact joker_joker_facts[JOKER_JOKERS] = {JOKER_JOKER_ROWS(X)};
#undef X

/* Jokers by rarity: those of rarity r are joker_by_rarity[joker_rarity_from[r]] up to the next. */
LU_TABLE uint8_t joker_by_rarity[JOKER_JOKERS] = {JOKER_COMMON_LIST, JOKER_UNCOMMON_LIST,
                                                  JOKER_RARE_LIST, JOKER_LEGENDARY_LIST};
LU_TABLE uint8_t joker_rarity_from[JOKER_RARITIES + 1] = {0, 61, 125, 145, 150};

typedef struct joker_consumable_fact {
    uint8_t set; /* joker_set */
    uint8_t price;
    uint8_t choose_min, choose_max; /* held cards to be chosen */
    uint8_t hand;                   /* a Planet raises; else 255 */
    uint8_t pool;                   /* 0: never drawn (The Soul, Black Hole) */
} joker_consumable_fact;

#define X(id, set, price, low, high, hand, pool, ...) {set, price, low, high, hand, pool},
LU_TABLE joker_consumable_fact joker_consumable_facts[JOKER_CONSUMABLES] = {
    JOKER_CONSUMABLE_ROWS(X)};
#undef X

typedef struct joker_voucher_fact {
    uint8_t price, tier;
    uint8_t needs; /* voucher; 255 = none */
    uint8_t open;  /* at the start of a profile */
} joker_voucher_fact;

#define X(id, price, tier, needs, open, ...) {price, tier, needs, open},
LU_TABLE joker_voucher_fact joker_voucher_facts[JOKER_VOUCHERS] = {JOKER_VOUCHER_ROWS(X)};
#undef X

#define X(id, from, ...) from,
/* The first ante in which a tag is offered. */
LU_TABLE uint8_t joker_tag_from[JOKER_TAGS] = {JOKER_TAG_ROWS(X)};
#undef X

typedef struct joker_blind_fact {
    double factor; /* of the base of the ante */
    uint8_t kind;  /* joker_blind_kind */
    uint8_t from;  /* first ante */
    uint8_t reward;
    uint8_t unused[5];
} joker_blind_fact;

#define X(id, kind, from, factor, reward, ...) {factor, kind, from, reward, {0, 0, 0, 0, 0}},
LU_TABLE joker_blind_fact joker_blind_facts[JOKER_BLINDS] = {JOKER_BLIND_ROWS(X)};
#undef X

enum { JOKER_BOSSES = 28 };
/* The bosses in the order of their keys, as the boss draw lists them. */
LU_TABLE uint8_t joker_bosses[JOKER_BOSSES] = {JOKER_BOSS_LIST};

typedef struct joker_deck_fact {
    uint8_t dollars, hands, discards, hand_size, joker_slots, bag_slots;
    uint8_t bag[2];    /* consumables it starts with; 255 = none */
    uint32_t vouchers; /* bits; their slots are already counted */
} joker_deck_fact;

#define X(id, dollars, hands, discards, size, jokers, slots, vouchers, first, second, ...)         \
    {dollars, hands, discards, size, jokers, slots, {first, second}, vouchers},
LU_TABLE joker_deck_fact joker_deck_facts[JOKER_DECKS] = {JOKER_DECK_ROWS(X)};
#undef X

typedef struct joker_stake_fact {
    uint8_t table; /* of the targets, 1..3 */
    uint8_t eternal, perishable, rental;
} joker_stake_fact;

#define X(table, eternal, perishable, rental, ...) {table, eternal, perishable, rental},
LU_TABLE joker_stake_fact joker_stake_facts[JOKER_STAKES] = {JOKER_STAKE_ROWS(X)};
#undef X

typedef struct joker_pack_fact {
    double weight;      /* in the shop; all weights sum to 22.42 */
    uint8_t kind, size; /* joker_pack_kind, joker_pack_size */
    uint8_t price, shown, picks;
    uint8_t unused[3];
} joker_pack_fact;

#define X(id, kind, size, price, shown, picks, weight, ...)                                        \
    {weight, kind, size, price, shown, picks, {0, 0, 0}},
LU_TABLE joker_pack_fact joker_pack_facts[JOKER_PACKS] = {JOKER_PACK_ROWS(X)};
#undef X

typedef struct joker_hand_fact {
    uint8_t chips, mult;           /* at level 1 */
    uint8_t chips_step, mult_step; /* per level */
    uint8_t planet;                /* consumable that raises it */
    uint8_t visible;               /* at the start */
} joker_hand_fact;

#define X(id, chips, mult, more_chips, more_mult, planet, visible, ...)                            \
    {chips, mult, more_chips, more_mult, planet, visible},
LU_TABLE joker_hand_fact joker_hand_facts[JOKER_HANDS] = {JOKER_HAND_ROWS(X)};
#undef X

#define X(ante, one, two, three) {one, two, three},
/* Base of the targets per ante 0..16 and table 1..3; the rules read rows up to 8 and compute the
 * others (joker_target), the rest is there to be compared with. */
LU_TABLE double joker_antes[JOKER_ANTE_ROWS_COUNT][3] = {JOKER_ANTE_ROWS(X)};
#undef X

#define X(price, ...) price,
/* Dollars an edition adds to the price. */
LU_TABLE uint8_t joker_edition_price[5] = {0, JOKER_EDITION_ROWS(X)};
#undef X

LU_C_END
