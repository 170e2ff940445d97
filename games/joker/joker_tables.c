/* The words of the tables, and the searches in them. */
#include "joker_tables.h"

#include "ludus/settings.h"

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

const char *joker_words_short(const joker_words *words) {
    const char *mark = strchr(words->key, '_');
    return mark ? mark + 1 : words->key;
}

/* Whether a text is a short key, whatever the case and with blanks for underscores. */
static bool is_short(const char *key, const char *text) {
    for (; *key && *text; key++, text++) {
        char letter = (char)(*text == ' '                   ? '_'
                             : *text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a'
                                                            : *text);
        if (letter != *key) {
            return false;
        }
    }
    return *key == *text;
}

int joker_words_find(const joker_words *words, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i].key, name) == 0) {
            return i;
        }
    }
    for (int i = 0; i < count; i++) {
        if (strcasecmp(words[i].title, name) == 0) {
            return i;
        }
    }
    for (int i = 0; i < count; i++) {
        if (is_short(joker_words_short(&words[i]), name)) {
            return i;
        }
    }
    return -1;
}

const char *joker_words_near(const joker_words *words, int count, const char *name) {
    enum { MOST = JOKER_JOKERS };
    const char *keys[MOST] = {NULL};
    char text[64];
    size_t length = 0, rows = (size_t)(count < MOST ? count : MOST);
    for (; name[length] && length < sizeof text - 1; length++) {
        char c = name[length];
        text[length] = (char)(c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    text[length] = 0;
    for (size_t i = 0; i < rows; i++) {
        keys[i] = joker_words_short(&words[i]);
    }
    const char *near = lu_nearest(text, keys, rows);
    size_t mark = (size_t)(keys[0] - words[0].key);
    if (!near && mark > 0 && strncmp(text, words[0].key, mark) == 0) { /* "j_jokr" */
        near = lu_nearest(text + mark, keys, rows);
    }
    return near;
}
