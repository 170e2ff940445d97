/* The condition of the find tool, from text:
 *
 *   want   = clause { (";" | ",") clause }                     all of them
 *   clause = term { "or" term }                                one of them is enough
 *   term   = [kind] [edition] name [place] ["ante" N ["-" N]]
 *   kind   = "joker" | "tarot" | "planet" | "spectral" | "tag" | "voucher" | "boss"
 *   place  = "shop" [K]      among the first K shop cards of the ante (4)
 *          | "pack" [K]      in one of its first K packs (2)
 *          | "shop" [K] "or" "pack" [K]
 *          | "any"           in either, which no place means too
 *          | "small" | "big" the blind of a tag
 *
 * Names are keys, keys without their prefix, or titles; behind an edition "any" stands for every
 * joker. A term without a kind is the first thing of that name. One without a place may be in any
 * shop without a reroll or in any pack; one without an ante takes place and ante of the term behind
 * it, the last of a clause ante 1. A legendary joker is what The Soul of a pack makes. The words
 * "in" and "the" are left out where they name nothing. */
#include "rules/joker_make.h"

#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LETTERS = 256, WORDS = LETTERS / 2 /* with a blank each */, NAMES = 800, NEAR = 64 };

typedef struct words {
    char text[LETTERS];
    char *word[WORDS];
    int count, at;
} words;

static bool is(const words *w, const char *word) {
    const char *now = w->at < w->count ? w->word[w->at] : NULL;
    return now && strcasecmp(now, word) == 0;
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

static bool is_place(const char *word) {
    return strcasecmp(word, "shop") == 0 || strcasecmp(word, "pack") == 0;
}

static bool at_end_of_name(const words *w) {
    return (w->at < w->count && is_place(w->word[w->at])) || is(w, "small") || is(w, "big") ||
           is(w, "ante");
}

/* The words up to a place or "ante", joined by spaces. */
static void take_name(words *w, char *name, size_t room) {
    size_t used = 0;
    name[0] = 0;
    while (w->at < w->count && !at_end_of_name(w)) {
        used +=
            (size_t)snprintf(name + used, room - used, "%s%s", used ? " " : "", w->word[w->at++]);
        used = used < room ? used : room - 1;
    }
}

static const struct {
    const char *word;
    int kind;
    const joker_words *rows;
    int count, first; /* rows of the kind begin there */
} kinds[] = {
    {"joker", JOKER_FIND_JOKER, joker_joker_words, JOKER_JOKERS, 0},
    {"tarot", JOKER_FIND_CONSUMABLE, joker_consumable_words, 22, JOKER_TAROT_0},
    {"planet", JOKER_FIND_CONSUMABLE, joker_consumable_words, 12, JOKER_PLANET_0},
    {"spectral", JOKER_FIND_CONSUMABLE, joker_consumable_words, 18, JOKER_SPECTRAL_0},
    {"tag", JOKER_FIND_TAG, joker_tag_words, JOKER_TAGS, 0},
    {"voucher", JOKER_FIND_VOUCHER, joker_voucher_words, JOKER_VOUCHERS, 0},
    {"boss", JOKER_FIND_BOSS, joker_blind_words, JOKER_BLINDS, 0},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The row of a kind by a name, with or without "the" before it; -1: none. */
static int row_of(size_t k, const char *name) {
    const joker_words *rows = kinds[k].rows + kinds[k].first;
    int row = joker_words_find(rows, kinds[k].count, name);
    if (row < 0 && strncasecmp(name, "the", 3) == 0 && (name[3] == ' ' || name[3] == '_')) {
        row = joker_words_find(rows, kinds[k].count, name + 4);
    }
    bool blind = kinds[k].kind == JOKER_FIND_BOSS && row >= 0 && row < JOKER_BL_HOOK;
    return blind ? -1 : row;
}

/* No such thing among the kinds from `first` to `last`: the nearest title is offered. */
static lu_status no_such(size_t first, size_t last, const char *name, lu_error *error) {
    const char *names[NAMES] = {NULL},
               *titles[NAMES] = {NULL}; /* a thing by its title, and by its short key */
    size_t count = 0;
    if (!*name) {
        return lu_fail(error, LU_BAD_VALUE,
                       "want: a term begins with what to look for, such as "
                       "blueprint, then its place and ante; without a place any counts");
    }
    for (size_t k = first; k <= last; k++) {
        for (int i = 0; i < kinds[k].count && count + 2 <= NAMES; i++) {
            const joker_words *row = &kinds[k].rows[kinds[k].first + i];
            titles[count] = titles[count + 1] = row->title;
            names[count++] = row->title;
            names[count++] = joker_words_short(row);
        }
    }
    const char *near = lu_nearest(name, names, count);
    for (size_t i = 0; near && i < count; i++) {
        if (names[i] == near) {
            near = titles[i];
            break;
        }
    }
    const char *apart = strchr(name, ' ') ? "; put ';' between things that must all be there, 'or' "
                                            "between alternatives"
                                          : "";
    return lu_fail(error, LU_BAD_VALUE, "want: there is no %s '%s'%s%s%s",
                   first == last ? kinds[first].word : "joker, card, tag, voucher or boss", name,
                   near ? "; did you mean " : "", near ? near : apart, near ? "?" : "");
}

static int take_edition(words *w) {
    for (int e = 0; e < JOKER_EDITIONS; e++) {
        if (take(w, joker_edition_words[e].key) || take(w, joker_edition_words[e].title)) {
            return e;
        }
    }
    return -1;
}

/* Takes "any" or "the" from the end of a name: "blueprint any", "blueprint in the shop". */
static bool cut_filler(char *name) {
    char *last = strrchr(name, ' ');
    bool filler = last && (strcasecmp(last + 1, "any") == 0 || strcasecmp(last + 1, "the") == 0);
    if (filler) {
        *last = 0;
    }
    return filler;
}

static bool find_thing(size_t first, size_t last, const char *name, joker_find_term *term) {
    for (size_t k = first; k <= last && *name; k++) {
        int row = row_of(k, name);
        if (row >= 0) {
            term->kind = kinds[k].kind;
            term->id = row + kinds[k].first;
            return true;
        }
    }
    return false;
}

/* What the term is about. */
static lu_status read_thing(words *w, joker_find_term *term, lu_error *error) {
    char name[NEAR];
    size_t first = 0, last = KINDS - 1, k = 0;
    int start = w->at;
    take_name(w, name, sizeof name);
    /* "Planet X" and "joker": there the word of a kind is part of the name */
    bool whole = strchr(name, ' ') || strcasecmp(name, "joker") == 0;
    if (whole && find_thing(first, last, name, term)) {
        return LU_OK;
    }
    w->at = start;
    while (k < KINDS && !(w->count > w->at + 1 && take(w, kinds[k].word))) {
        k++;
    }
    if (k < KINDS) {
        first = last = k;
    }
    bool joker = kinds[first].kind == JOKER_FIND_JOKER;
    int begin = w->at;
    take_name(w, name, sizeof name);
    if (find_thing(first, last, name, term)) {
        return LU_OK;
    }
    int behind = w->at; /* an edition may stand before the name */
    w->at = begin;
    term->edition = joker ? take_edition(w) : -1;
    if (term->edition >= 0) {
        take_name(w, name, sizeof name);
        term->kind = JOKER_FIND_JOKER;
        term->id = -1;
        if (strcasecmp(name, "any") == 0 || find_thing(first, first, name, term)) {
            return LU_OK;
        }
        last = first;
    }
    w->at = behind;
    while (cut_filler(name)) {
        if (find_thing(first, last, name, term)) {
            return LU_OK;
        }
    }
    return no_such(first, last, name, error);
}

static bool is_card(const joker_find_term *term) {
    return term->kind == JOKER_FIND_JOKER || term->kind == JOKER_FIND_CONSUMABLE;
}

/* Where and when: what is not said stays 0. */
typedef struct where {
    int shops, packs, blind, from, to;
} where;

/* One place of a card with its number. */
static lu_status read_place(words *w, where *at, lu_error *error) {
    bool shop = is(w, "shop");
    int most = shop ? JOKER_FIND_CARDS : JOKER_FIND_PACKS, *count = shop ? &at->shops : &at->packs;
    w->at++;
    *count = take_number(w, shop ? 4 : 2);
    return *count >= 1 && *count <= most
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE, "want: %s takes a number from 1 to %d",
                         shop ? "shop" : "pack", most);
}

static lu_status read_where(words *w, const joker_find_term *term, where *at, lu_error *error) {
    bool card = is_card(term), tag = term->kind == JOKER_FIND_TAG;
    while (card && w->at < w->count && is_place(w->word[w->at])) {
        LU_TRY(read_place(w, at, error));
        take(w, "or");
    }
    if (tag) {
        at->blind = take(w, "small") ? JOKER_FIND_SMALL : take(w, "big") ? JOKER_FIND_BIG : 0;
    }
    bool told = take(w, "ante");
    if (told) {
        char *dash = w->at < w->count ? strchr(w->word[w->at] + 1, '-') : NULL;
        char *end = NULL;
        at->to = dash ? (int)strtol(dash + 1, &end, 10) : 0;
        if (dash) {
            *dash = 0;
        }
        at->from = take_number(w, -1);
        at->to = dash && end && !*end ? at->to : dash ? -1 : at->from;
    }
    bool fine = !told || (at->from >= 1 && at->to >= at->from && at->to <= JOKER_FIND_ANTES);
    return fine && w->at == w->count
               ? LU_OK
               : lu_fail(error, LU_BAD_VALUE,
                         "want: a term ends with 'ante N' or 'ante N-M', up to %d%s%.40s%s",
                         JOKER_FIND_ANTES, w->at < w->count ? ", not with '" : "",
                         w->at < w->count ? w->word[w->at] : "", w->at < w->count ? "'" : "");
}

/* The Soul, Black Hole, and what The Soul makes. */
static bool never_in_shop(const joker_find_term *term) {
    return term->kind == JOKER_FIND_CONSUMABLE
               ? !joker_consumable_facts[term->id].pool
               : term->kind == JOKER_FIND_JOKER && term->id >= 0 &&
                     joker_joker_facts[term->id].rarity == JOKER_LEGENDARY;
}

/* What never comes, so that a search would not end. */
static lu_status check_term(const joker_find_term *term, lu_error *error) {
    bool shop = term->place == JOKER_FIND_SHOP;
    if (shop && never_in_shop(term)) {
        return lu_fail(error, LU_BAD_VALUE, "want: %s never appears in a shop; ask for pack",
                       term->kind == JOKER_FIND_JOKER ? joker_joker_words[term->id].title
                                                      : joker_consumable_words[term->id].title);
    }
    if (term->kind == JOKER_FIND_TAG && joker_tag_from[term->id] > term->ante) {
        return lu_fail(error, LU_BAD_VALUE, "want: the %s appears from ante %d on",
                       joker_tag_words[term->id].title, joker_tag_from[term->id]);
    }
    if (term->place == JOKER_FIND_PACK && term->count == 1 && term->ante == 1 &&
        (term->kind == JOKER_FIND_CONSUMABLE || never_in_shop(term))) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "want: the first pack of ante 1 is always a Buffoon Pack, never with %s; ask "
            "for pack 2",
            term->kind == JOKER_FIND_CONSUMABLE ? joker_consumable_words[term->id].title
                                                : "The Soul");
    }
    const joker_blind_fact *boss = &joker_blind_facts[term->kind == JOKER_FIND_BOSS ? term->id : 0];
    bool showdown = boss->kind == JOKER_BLIND_SHOWDOWN;
    if (term->kind == JOKER_FIND_BOSS &&
        (showdown != (term->ante % 8 == 0) || (!showdown && boss->from > term->ante))) {
        return lu_fail(error, LU_BAD_VALUE, "want: %s isn't a boss of ante %d",
                       joker_blind_words[term->id].title, term->ante);
    }
    return LU_OK;
}

/* ---- clauses ---- */

static lu_status add_term(joker_find *find, joker_find_term term, lu_error *error) {
    if (find->terms == JOKER_FIND_TERMS) {
        return lu_fail(error, LU_BAD_VALUE, "want: at most %d terms, counting each ante separately",
                       JOKER_FIND_TERMS);
    }
    term.clause = find->clauses;
    find->term[find->terms++] = term;
    return LU_OK;
}

static lu_status add_place(joker_find *find, joker_find_term term, int place, int count,
                           lu_error *error) {
    term.place = place;
    term.count = count;
    LU_TRY(check_term(&term, error));
    return add_term(find, term, error);
}

/* A thing at one ante: where it may be, or in shops and packs. */
static lu_status add_at(joker_find *find, joker_find_term term, const where *at, int ante,
                        lu_error *error) {
    bool anywhere = at->shops == 0 && at->packs == 0;
    int all = joker_find_shops(ante), shops = anywhere ? all : at->shops;
    int packs = anywhere ? all : at->packs;
    term.ante = ante;
    if (!is_card(&term)) {
        return add_place(find, term, at->blind, 0, error);
    }
    if (shops > 0 && !(anywhere && never_in_shop(&term))) {
        LU_TRY(add_place(find, term, JOKER_FIND_SHOP, shops, error));
    }
    return packs > 0 ? add_place(find, term, JOKER_FIND_PACK, packs, error) : LU_OK;
}

static lu_status split(const char *text, size_t length, words *w, lu_error *error) {
    *w = (words){.count = 0};
    if (length >= sizeof w->text) {
        return lu_fail(error, LU_BAD_VALUE, "want: a term has at most %zu letters",
                       sizeof w->text - 1);
    }
    memcpy(w->text, text, length);
    char *rest = w->text;
    for (char *word; (word = strtok_r(rest, " \t\n", &rest)) != NULL;) {
        if (strcasecmp(word, "in") != 0) {
            w->word[w->count++] = word;
        }
    }
    return LU_OK;
}

/* One term: `at` is where the term behind it is, and becomes its own. */
static lu_status read_term(joker_find *find, words *w, where *at, lu_error *error) {
    joker_find_term term = {.edition = -1};
    where own = {0};
    lu_status status = read_thing(w, &term, error);
    LU_THEN(status, read_where(w, &term, &own, error));
    if (status == LU_OK && own.from == 0) {
        bool placed = own.shops > 0 || own.packs > 0;
        own.shops = placed ? own.shops : at->shops;
        own.packs = placed ? own.packs : at->packs;
        own.blind = own.blind ? own.blind : at->blind;
        own.from = at->from;
        own.to = at->to;
    }
    *at = own;
    for (int ante = own.from; ante <= own.to && status == LU_OK; ante++) {
        status = add_at(find, term, &own, ante, error);
    }
    return status;
}

/* Terms are read from the last to the first, since they take from those behind them. An "or"
 * before a place stands within a term. */
static lu_status read_clause(joker_find *find, const char *text, size_t length, lu_error *error) {
    words all, one;
    where at = {.from = 1, .to = 1};
    LU_TRY(split(text, length, &all, error));
    if (find->clauses == JOKER_FIND_CLAUSES) {
        return lu_fail(error, LU_BAD_VALUE, "want: at most %d things at once", JOKER_FIND_CLAUSES);
    }
    lu_status status = LU_OK;
    for (int end = all.count, i = all.count - 1; i >= -1 && status == LU_OK; i--) {
        bool within = i > 0 && i + 1 < end && is_place(all.word[i + 1]);
        if (i >= 0 && (within || strcasecmp(all.word[i], "or") != 0)) {
            continue;
        }
        one = (words){.count = end - i - 1};
        memcpy(one.word, all.word + (i + 1), (size_t)one.count * sizeof *one.word);
        status = read_term(find, &one, &at, error);
        end = i;
    }
    find->clauses++;
    return status;
}

lu_status joker_find_read(joker_find *find, const char *want, lu_error *error) {
    find->clauses = find->terms = 0;
    if (!want[strspn(want, " \t\n;,")]) {
        return lu_fail(error, LU_USAGE,
                       "joker find: say what you want, as in --want \"blueprint or brainstorm ante "
                       "1-2; perkeo; voucher telescope\"");
    }
    while (*want) {
        size_t length = strcspn(want, ";,");
        lu_status status = LU_OK;
        if (strspn(want, " \t\n") < length) {
            status = read_clause(find, want, length, error);
        }
        if (status != LU_OK) {
            return status;
        }
        want += length + (want[length] != 0);
    }
    return LU_OK;
}

/* ---- what a search can meet ---- */

/* What has to happen first in a run; NULL: nothing. */
static const char *needs_of(const joker_state *start, const joker_find_term *term) {
    static const char *const pools[] = {
        [JOKER_POOL_STEEL] = "the deck holds a Steel card",
        [JOKER_POOL_STONE] = "the deck holds a Stone card",
        [JOKER_POOL_GOLD] = "the deck holds a Gold card",
        [JOKER_POOL_LUCKY] = "the deck holds a Lucky card",
        [JOKER_POOL_GLASS] = "the deck holds a Glass card",
        [JOKER_POOL_CAVENDISH] = "Gros Michel has gone extinct",
    };
    if (term->kind == JOKER_FIND_JOKER && term->id >= 0 && !joker_in_pool(start, term->id)) {
        return pools[joker_joker_facts[term->id].pool];
    }
    bool planet = term->kind == JOKER_FIND_CONSUMABLE &&
                  joker_consumable_facts[term->id].set == JOKER_PLANET &&
                  joker_consumable_facts[term->id].pool;
    return planet && !joker_planet_open(start, term->id) ? "its hand was played" : NULL;
}

lu_status joker_find_check(const joker_find *find, lu_error *error) {
    joker_state start;
    memset(&start, 0, sizeof start);
    joker_start_values(&find->rules, &start);
    for (int i = 0; i < find->terms; i++) {
        const joker_find_term *term = &find->term[i];
        bool voucher = term->kind == JOKER_FIND_VOUCHER;
        int before = voucher ? joker_voucher_facts[term->id].needs : JOKER_NONE;
        const char *needs = needs_of(&start, term);
        if (needs) {
            return lu_fail(error, LU_BAD_VALUE,
                           "want: %s appears only once %s; a search buys and plays nothing",
                           term->kind == JOKER_FIND_JOKER ? joker_joker_words[term->id].title
                                                          : joker_consumable_words[term->id].title,
                           needs);
        }
        if (before != JOKER_NONE && !(start.vouchers >> before & 1u)) {
            return lu_fail(error, LU_BAD_VALUE,
                           "want: %s appears only once %s was bought, and a search buys nothing; "
                           "ask for voucher %s",
                           joker_voucher_words[term->id].title, joker_voucher_words[before].title,
                           joker_voucher_words[before].title);
        }
        if (voucher && start.vouchers >> term->id & 1u) {
            return lu_fail(error, LU_BAD_VALUE, "want: this deck starts with %s",
                           joker_voucher_words[term->id].title);
        }
    }
    return LU_OK;
}
