/* The condition of the find tool, from text:
 *
 *   want  = term { ";" term }
 *   term  = "joker" [edition] name place "ante" N      name may be "any" behind an edition
 *         | "tarot" | "planet" | "spectral"  name place "ante" N
 *         | "tag" name ["small" | "big"] "ante" N
 *         | "voucher" name "ante" N
 *         | "boss" name "ante" N
 *   place = "shop" [K]      among the first K shop cards of the ante (4)
 *         | "pack" [K]      in one of its first K packs (2)
 *
 * Names are keys, keys without their prefix, or titles; the word "in" is left out. */
#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS = 16 };

typedef struct words {
    char text[256];
    char *word[WORDS];
    int count, at;
} words;

static bool is(const words *w, const char *word) {
    return w->at < w->count && strcasecmp(w->word[w->at], word) == 0;
}

static bool take(words *w, const char *word) {
    bool there = is(w, word);
    w->at += there;
    return there;
}

/* A whole number, or `other` when the next word is none. */
static int take_number(words *w, int other) {
    char *end = NULL;
    long value = w->at < w->count ? strtol(w->word[w->at], &end, 10) : 0;
    if (!end || *end || end == w->word[w->at]) {
        return other;
    }
    w->at++;
    return value < 0 || value > 1000 ? -1 : (int)value;
}

/* The words up to a place or "ante", joined by spaces. */
static void take_name(words *w, char *name, size_t room) {
    size_t used = 0;
    name[0] = 0;
    while (w->at < w->count && !is(w, "shop") && !is(w, "pack") && !is(w, "small") &&
           !is(w, "big") && !is(w, "ante")) {
        used +=
            (size_t)snprintf(name + used, room - used, "%s%s", used ? " " : "", w->word[w->at++]);
        used = used < room ? used : room - 1;
    }
}

/* A row by key, title, or key without its prefix. */
static int find_name(const joker_words *rows, int count, const char *prefix, const char *name) {
    char key[64];
    int row = joker_words_find(rows, count, name);
    snprintf(key, sizeof key, "%s%.50s", prefix, name);
    for (char *at = key; *at; at++) {
        *at = (char)(*at == ' ' ? '_' : *at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    }
    return row >= 0 ? row : joker_words_find(rows, count, key);
}

static const struct {
    const char *word;
    int kind;
    const joker_words *rows;
    int count, first; /* rows of the kind begin there */
    const char *prefix;
} kinds[] = {
    {"joker", JOKER_FIND_JOKER, joker_joker_words, JOKER_JOKERS, 0, "j_"},
    {"tarot", JOKER_FIND_CONSUMABLE, joker_consumable_words, 22, JOKER_TAROT_0, "c_"},
    {"planet", JOKER_FIND_CONSUMABLE, joker_consumable_words, 12, JOKER_PLANET_0, "c_"},
    {"spectral", JOKER_FIND_CONSUMABLE, joker_consumable_words, 18, JOKER_SPECTRAL_0, "c_"},
    {"tag", JOKER_FIND_TAG, joker_tag_words, JOKER_TAGS, 0, "tag_"},
    {"voucher", JOKER_FIND_VOUCHER, joker_voucher_words, JOKER_VOUCHERS, 0, "v_"},
    {"boss", JOKER_FIND_BOSS, joker_blind_words, JOKER_BLINDS, 0, "bl_"},
};

/* What the term is about. */
static lu_status read_thing(words *w, joker_find_term *term, lu_error *error) {
    char name[64];
    size_t k = 0;
    while (k < sizeof kinds / sizeof *kinds && !take(w, kinds[k].word)) {
        k++;
    }
    if (k == sizeof kinds / sizeof *kinds) {
        return lu_fail(error, LU_BAD_VALUE,
                       "want: a term begins with joker, tarot, planet, spectral, tag, voucher or "
                       "boss, not '%.40s'",
                       w->count ? w->word[0] : "");
    }
    term->kind = kinds[k].kind;
    term->edition = -1;
    for (int e = 0; term->kind == JOKER_FIND_JOKER && term->edition < 0 && e < JOKER_EDITIONS;
         e++) {
        if (take(w, joker_edition_words[e].key) || take(w, joker_edition_words[e].title)) {
            term->edition = e;
        }
    }
    take_name(w, name, sizeof name);
    if (term->edition >= 0 && strcasecmp(name, "any") == 0) {
        term->id = -1;
        return LU_OK;
    }
    int row = find_name(kinds[k].rows + kinds[k].first, kinds[k].count, kinds[k].prefix, name);
    term->id = row + kinds[k].first;
    if (row < 0 || (term->kind == JOKER_FIND_BOSS && row < JOKER_BL_HOOK)) {
        return lu_fail(error, LU_BAD_VALUE, "want: there is no %s '%s'", kinds[k].word, name);
    }
    return LU_OK;
}

static lu_status read_place(words *w, joker_find_term *term, lu_error *error) {
    bool card = term->kind == JOKER_FIND_JOKER || term->kind == JOKER_FIND_CONSUMABLE;
    if (card && take(w, "shop")) {
        term->place = JOKER_FIND_SHOP;
        term->count = take_number(w, 4);
    } else if (card && take(w, "pack")) {
        term->place = JOKER_FIND_PACK;
        term->count = take_number(w, 2);
    } else if (card) {
        return lu_fail(error, LU_BAD_VALUE, "want: behind '%s' comes shop or pack",
                       w->word[w->at - 1]);
    } else if (term->kind == JOKER_FIND_TAG) {
        term->place = take(w, "small") ? JOKER_FIND_SMALL
                      : take(w, "big") ? JOKER_FIND_BIG
                                       : JOKER_FIND_ANYWHERE;
    }
    int most = term->place == JOKER_FIND_SHOP ? JOKER_FIND_CARDS : JOKER_FIND_PACKS;
    if (card && (term->count < 1 || term->count > most)) {
        return lu_fail(error, LU_BAD_VALUE, "want: %s takes a number from 1 to %d",
                       term->place == JOKER_FIND_SHOP ? "shop" : "pack", most);
    }
    term->ante = take(w, "ante") ? take_number(w, -1) : -1;
    if (term->ante < 1 || term->ante > JOKER_FIND_ANTES || w->at != w->count) {
        return lu_fail(error, LU_BAD_VALUE, "want: a term ends with 'ante N', N from 1 to %d",
                       JOKER_FIND_ANTES);
    }
    return LU_OK;
}

/* What never comes, so that a search would not end. */
static lu_status check_term(const joker_find_term *term, lu_error *error) {
    bool shop = term->place == JOKER_FIND_SHOP;
    if (term->kind == JOKER_FIND_JOKER && term->id >= 0 &&
        joker_joker_facts[term->id].rarity == JOKER_LEGENDARY) {
        return lu_fail(error, LU_BAD_VALUE,
                       "want: Legendary jokers come from The Soul alone: ask for spectral soul");
    }
    if (term->kind == JOKER_FIND_CONSUMABLE && shop && !joker_consumable_facts[term->id].pool) {
        return lu_fail(error, LU_BAD_VALUE, "want: %s never comes in a shop, ask for pack",
                       joker_consumable_words[term->id].title);
    }
    if (term->kind == JOKER_FIND_TAG && joker_tag_from[term->id] > term->ante) {
        return lu_fail(error, LU_BAD_VALUE, "want: the %s comes from ante %d on",
                       joker_tag_words[term->id].title, joker_tag_from[term->id]);
    }
    const joker_blind_fact *boss = &joker_blind_facts[term->kind == JOKER_FIND_BOSS ? term->id : 0];
    bool showdown = boss->kind == JOKER_BLIND_SHOWDOWN;
    if (term->kind == JOKER_FIND_BOSS &&
        (showdown != (term->ante % 8 == 0) || (!showdown && boss->from > term->ante))) {
        return lu_fail(error, LU_BAD_VALUE, "want: %s is no boss of ante %d",
                       joker_blind_words[term->id].title, term->ante);
    }
    return LU_OK;
}

static lu_status read_term(joker_find *find, const char *text, size_t length, lu_error *error) {
    words w = {.count = 0};
    if (length >= sizeof w.text || find->terms == JOKER_FIND_TERMS) {
        return lu_fail(error, LU_BAD_VALUE, "want: at most %d terms of at most %zu letters",
                       JOKER_FIND_TERMS, sizeof w.text - 1);
    }
    memcpy(w.text, text, length);
    char *rest = w.text;
    for (char *word; (word = strtok_r(rest, " \t\n", &rest)) != NULL;) {
        if (strcasecmp(word, "in") != 0 && w.count < WORDS) {
            w.word[w.count++] = word;
        }
    }
    joker_find_term *term = &find->term[find->terms++];
    memset(term, 0, sizeof *term);
    lu_status status = read_thing(&w, term, error);
    LU_THEN(status, read_place(&w, term, error));
    return status == LU_OK ? check_term(term, error) : status;
}

lu_status joker_find_read(joker_find *find, const char *want, lu_error *error) {
    find->terms = 0;
    if (!want[strspn(want, " \t\n;")]) {
        return lu_fail(error, LU_USAGE,
                       "joker find: say what is wanted, as in "
                       "--want \"joker blueprint shop 4 ante 1; voucher telescope ante 2\"");
    }
    while (*want) {
        size_t length = strcspn(want, ";");
        lu_status status = LU_OK;
        if (strspn(want, " \t\n") < length) {
            status = read_term(find, want, length, error);
        }
        if (status != LU_OK) {
            return status;
        }
        want += length + (want[length] == ';');
    }
    return LU_OK;
}
