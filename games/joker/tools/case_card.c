/* Cards as cases write them; see case.h. */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const enhancements[] = {"",      "bonus", "mult", "wild", "glass",
                                           "steel", "stone", "gold", "lucky"};
static const char *const editions[] = {"", "foil", "holo", "polychrome", "negative"};
static const char *const seals[] = {"", "goldseal", "redseal", "blueseal", "purpleseal"};

static int find(const char *const *words, int count, const char *word, size_t length) {
    for (int k = 1; k < count; k++) {
        if (strlen(words[k]) == length && strncmp(words[k], word, length) == 0) {
            return k;
        }
    }
    return 0;
}

/* One word behind the colon; false = unknown, or a second of its kind. */
static bool read_mod(const char *word, size_t length, joker_card *card) {
    int enhancement = find(enhancements, LU_COUNT(enhancements), word, length);
    int edition = find(editions, JOKER_NEGATIVE, word, length);
    int seal = find(seals, LU_COUNT(seals), word, length);
    if ((enhancement && card->enhancement) || (edition && card->edition) || (seal && card->seal)) {
        return false;
    }
    if (enhancement) {
        card->enhancement = (uint8_t)enhancement;
    } else if (edition) {
        card->edition = (uint8_t)(edition & 7);
    } else if (seal) {
        card->seal = (uint8_t)(seal & 7);
    } else if (length == 8 && strncmp(word, "debuffed", 8) == 0) {
        card->flags |= JOKER_CARD_DEBUFFED;
    } else if (length > 1 && length < 6 && *word == '+') {
        char *end;
        long bonus = strtol(word + 1, &end, 10);
        if (end != word + length || bonus < 0 || bonus > UINT16_MAX) {
            return false;
        }
        card->bonus = (uint16_t)bonus;
    } else {
        return false;
    }
    return true;
}

lu_status joker_case_card(const char *text, joker_card *card, lu_error *error) {
    const char *rank = *text ? strchr(JOKER_CASE_RANKS, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(JOKER_CASE_SUITS, text[1]) : NULL;
    if (!suit || (text[2] && text[2] != ':')) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%.60s' is no card: a rank of 2..9 T J Q K A, a suit of S H C D, then "
                       "perhaps ':' and words (KH:steel,redseal)",
                       text);
    }
    memset(card, 0, sizeof *card);
    card->rank = (uint8_t)(rank - JOKER_CASE_RANKS + 2);
    card->suit = (uint8_t)((suit - JOKER_CASE_SUITS) & 3);
    for (const char *at = text + 2; *at;) {
        size_t length = strcspn(++at, ",");
        if (!read_mod(at, length, card)) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%.*s' of card '%.60s' is unknown or one too many: an enhancement "
                           "(bonus mult wild "
                           "glass steel stone gold lucky), an edition (foil holo polychrome), a "
                           "seal (redseal goldseal blueseal purpleseal), +N or debuffed",
                           (int)(length < 40 ? length : 40), at, text);
        }
        at += length;
    }
    return LU_OK;
}

void joker_case_card_text(const joker_card *card, char *text) {
    const char *mods[5] = {enhancements[card->enhancement], editions[card->edition],
                           seals[card->seal], "", ""};
    char bonus[12] = "";
    if (card->bonus) {
        snprintf(bonus, sizeof bonus, "+%u", card->bonus);
        mods[3] = bonus;
    }
    mods[4] = joker_card_debuffed(card) ? "debuffed" : "";
    int at =
        snprintf(text, 80, "%c%c", JOKER_CASE_RANKS[card->rank - 2], JOKER_CASE_SUITS[card->suit]);
    const char *comma = ":";
    for (int k = 0; k < 5; k++) {
        if (*mods[k]) {
            at += snprintf(text + at, (size_t)(80 - at), "%s%s", comma, mods[k]);
            comma = ",";
        }
    }
}

int joker_case_edition(const char *text) {
    return find(editions, LU_COUNT(editions), text, strlen(text));
}
