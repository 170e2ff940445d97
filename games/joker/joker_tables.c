/* The words of the tables, and the searches in them. */
#include "joker_tables.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define X(id, rarity, price, flags, pool, hooks, ...) {__VA_ARGS__},
const joker_words joker_joker_words[JOKER_JOKERS] = {JOKER_JOKER_ROWS(X)};
#undef X

#define X(id, set, price, low, high, hand, pool, ...) {__VA_ARGS__},
const joker_words joker_consumable_words[JOKER_CONSUMABLES] = {JOKER_CONSUMABLE_ROWS(X)};
#undef X

#define X(id, price, tier, needs, open, ...) {__VA_ARGS__},
const joker_words joker_voucher_words[JOKER_VOUCHERS] = {JOKER_VOUCHER_ROWS(X)};
#undef X

#define X(id, from, seen, ...) {__VA_ARGS__},
const joker_words joker_tag_words[JOKER_TAGS] = {JOKER_TAG_ROWS(X)};
#undef X

#define X(id, from, seen, ...) seen,
const char *const joker_tag_needs[JOKER_TAGS] = {JOKER_TAG_ROWS(X)};
#undef X

#define X(id, kind, from, factor, reward, ...) {__VA_ARGS__},
const joker_words joker_blind_words[JOKER_BLINDS] = {JOKER_BLIND_ROWS(X)};
#undef X

#define X(id, dollars, hands, discards, size, jokers, slots, vouchers, first, second, ...)         \
    {__VA_ARGS__},
const joker_words joker_deck_words[JOKER_DECKS] = {JOKER_DECK_ROWS(X)};
#undef X

#define X(table, eternal, perishable, rental, ...) {__VA_ARGS__},
const joker_words joker_stake_words[JOKER_STAKES] = {JOKER_STAKE_ROWS(X)};
#undef X

#define X(id, kind, size, price, shown, picks, weight, name, text) {name, text, "", "", ""},
const joker_words joker_pack_words[JOKER_PACKS] = {JOKER_PACK_ROWS(X)};
#undef X

#define X(id, chips, mult, more_chips, more_mult, planet, visible, text, needs)                    \
    {text, text, needs, "", ""},
const joker_words joker_hand_words[JOKER_HANDS] = {JOKER_HAND_ROWS(X)};
#undef X

#define X(price, ...) {__VA_ARGS__},
const joker_words joker_enhancement_words[] = {{"none", "none", "", "", ""},
                                               JOKER_ENHANCEMENT_ROWS(X)};
const joker_words joker_edition_words[] = {{"none", "none", "", "", ""}, JOKER_EDITION_ROWS(X)};
const joker_words joker_seal_words[] = {{"none", "none", "", "", ""}, JOKER_SEAL_ROWS(X)};
const joker_words joker_sticker_words[] = {JOKER_STICKER_ROWS(X)};
#undef X

const char *const joker_rarity_names[] = {"common", "uncommon", "rare", "legendary", NULL};
const char *const joker_set_names[] = {"Tarot", "Planet", "Spectral", NULL};
const char *const joker_pack_kind_names[] = {"arcana",  "celestial", "standard",
                                             "buffoon", "spectral",  NULL};

int joker_words_find(const joker_words *words, int count, const char *key) {
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i].key, key) == 0) {
            return i;
        }
    }
    for (int i = 0; i < count; i++) {
        if (strcasecmp(words[i].title, key) == 0) {
            return i;
        }
    }
    return -1;
}
