/* Cards, jokers, consumables, tags and offers of joker as JSON, and back. Keys are those of the
 * tables ("j_blueprint", "c_fool"); whatever is read is checked against them. */
#include "joker_json_parts.h"
#include "rules/joker_rows.h"

#include "ludus/fields.h"
#include "ludus/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ranks[] = "23456789TJQKA";
static const char suits[] = "SHCD";

/* ---- cards ---- */

static const char *const enhancement_names[JOKER_ENHANCEMENTS] = {
    "", "bonus", "mult", "wild", "glass", "steel", "stone", "gold", "lucky"};
static const char *const edition_names[JOKER_EDITIONS] = {"", "foil", "holo", "polychrome",
                                                          "negative"};
static const char *const seal_names[JOKER_SEALS] = {"", "goldseal", "redseal", "blueseal",
                                                    "purpleseal"};
static const struct {
    const char *name;
    uint8_t flag;
} flag_names[] = {{"debuffed", JOKER_CARD_DEBUFFED},
                  {"down", JOKER_CARD_DOWN},
                  {"played", JOKER_CARD_PLAYED},
                  {"forced", JOKER_CARD_FORCED},
                  {"hit", JOKER_CARD_HIT}};
enum { FLAGS = LU_COUNT(flag_names) };

void joker_put_card(const joker_card *card, lu_text *text) {
    char mark = ':';
    lu_text_add_char(text, ranks[card->rank - 2]);
    lu_text_add_char(text, suits[card->suit]);
    const char *const words[] = {enhancement_names[card->enhancement], edition_names[card->edition],
                                 seal_names[card->seal]};
    for (int k = 0; k < 3; k++) {
        if (*words[k]) {
            lu_text_add_char(text, mark);
            lu_text_add(text, words[k]);
            mark = ',';
        }
    }
    if (card->bonus) {
        lu_text_addf(text, "%c+%u", mark, (unsigned)card->bonus);
        mark = ',';
    }
    for (int k = 0; k < FLAGS; k++) {
        if (card->flags & flag_names[k].flag) {
            lu_text_addf(text, "%c%s", mark, flag_names[k].name);
            mark = ',';
        }
    }
}

static int word_of(const char *const *names, int count, const char *word, size_t length) {
    for (int k = 1; k < count; k++) {
        if (strlen(names[k]) == length && strncasecmp(names[k], word, length) == 0) {
            return k;
        }
    }
    return 0;
}

/* One word behind the colon; false when it means nothing, or when the card has such a thing. */
static bool take_word(joker_card *card, const char *word, size_t length) {
    int k = word_of(enhancement_names, JOKER_ENHANCEMENTS, word, length);
    if (k && !card->enhancement) {
        card->enhancement = (uint8_t)k;
        return true;
    }
    k = word_of(edition_names, JOKER_NEGATIVE, word, length);
    if (k && !card->edition) {
        card->edition = (uint8_t)k & 7u;
        return true;
    }
    k = word_of(seal_names, JOKER_SEALS, word, length);
    if (k && !card->seal) {
        card->seal = (uint8_t)k & 7u;
        return true;
    }
    for (k = 0; k < FLAGS; k++) {
        if (strlen(flag_names[k].name) == length &&
            strncasecmp(flag_names[k].name, word, length) == 0) {
            card->flags = (uint8_t)(card->flags | flag_names[k].flag);
            return true;
        }
    }
    if (length > 1 && length < 7 && word[0] == '+') {
        char *end;
        long bonus = strtol(word + 1, &end, 10);
        if (end == word + length && bonus >= 0 && bonus <= 65535) {
            card->bonus = (uint16_t)bonus;
            return true;
        }
    }
    return false;
}

/* The index of a letter, large or small, or -1. */
static int letter_of(const char *letters, char letter) {
    char large = (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    const char *at = large ? strchr(letters, large) : NULL;
    return at ? (int)(at - letters) : -1;
}

lu_status joker_card_read(const char *what, const char *text, joker_card *card, lu_error *error) {
    bool ten = text[0] == '1' && text[1] == '0';
    int rank = ten ? 8 : letter_of(ranks, text[0]);
    const char *at = text + (ten ? 2 : 1);
    int suit = rank >= 0 ? letter_of(suits, *at) : -1;
    memset(card, 0, sizeof *card);
    if (suit < 0 || (at[1] && at[1] != ':')) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: '%.40s' isn't a card; write a rank of 2..10 J Q K A and a suit of S H "
                       "C D, then what it has: KH:glass,redseal",
                       what, text);
    }
    card->rank = (uint8_t)(rank + 2);
    card->suit = (uint8_t)suit & 3u;
    for (const char *word = at + 1; *word;) {
        size_t length = strcspn(++word, ",");
        if (!take_word(card, word, length)) {
            return lu_fail(error, LU_BAD_DATA,
                           "%s: '%.*s' of card '%.40s' is unknown or one too many: an enhancement "
                           "(bonus mult wild glass steel stone gold lucky), an edition (foil holo "
                           "polychrome), a seal (redseal goldseal blueseal purpleseal), +N or "
                           "debuffed",
                           what, (int)(length < 20 ? length : 20), word, text);
        }
        word += length;
    }
    return LU_OK;
}

lu_status joker_card_from(const char *what, const lu_json_value *value, joker_card *card,
                          lu_error *error) {
    if (lu_json_kind_of(value) != LU_JSON_STRING) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must hold cards as texts: \"KH:glass\"", what);
    }
    return joker_card_read(what, lu_json_text(value, NULL), card, error);
}

/* Whether one card is listed behind another. */
static bool behind(const joker_card *a, const joker_card *b) {
    const int x[] = {a->suit, a->rank, a->enhancement, a->edition, a->seal, a->bonus};
    const int y[] = {b->suit, b->rank, b->enhancement, b->edition, b->seal, b->bonus};
    for (int k = 0; k < 6; k++) {
        if (x[k] != y[k]) {
            return x[k] > y[k];
        }
    }
    return false;
}

void joker_sort_cards(const joker_state *s, uint8_t *index, int count) {
    for (int i = 1; i < count; i++) {
        uint8_t at = index[i];
        int k = i;
        for (; k > 0 && behind(&s->card[index[k - 1]], &s->card[at]); k--) {
            index[k] = index[k - 1];
        }
        index[k] = at;
    }
}

/* ---- helpers of the readers ---- */

lu_status joker_no_such(const char *what, const joker_words *words, int count, const char *name,
                        lu_error *error) {
    const char *near = joker_words_near(words, count, name);
    return near ? lu_fail(error, LU_BAD_DATA, "%s: '%.60s' is unknown; did you mean '%s'?", what,
                          name, near)
                : lu_fail(error, LU_BAD_DATA,
                          "%s: '%.60s' is unknown: give a key like %s or a title like %s", what,
                          name, joker_words_short(words), words->title);
}

/* The row that a text names, or the member `key` of an object. */
static lu_status get_row(const lu_json_value *value, const char *what, const joker_words *words,
                         int count, uint8_t *row, lu_error *error) {
    bool alone = lu_json_kind_of(value) == LU_JSON_STRING;
    const lu_json_value *key = alone ? value : lu_json_get(value, "key");
    const char *name = lu_json_kind_of(key) == LU_JSON_STRING ? lu_json_text(key, NULL) : "";
    int found = joker_words_find(words, count, name);
    *row = (uint8_t)found;
    return found >= 0 ? LU_OK : joker_no_such(what, words, count, name, error);
}

lu_status joker_check_keys(const lu_json_value *object, const char *what, const char *const *keys,
                           int count, lu_error *error) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        int known = 0;
        (void)lu_json_member(object, i, &key);
        while (known < count && strcmp(keys[known], key) != 0) {
            known++;
        }
        if (known == count) {
            const char *near = lu_nearest(key, keys, (size_t)count);
            return lu_fail(error, LU_BAD_DATA, "%s has no '%.40s'%s%s%s", what, key,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
    }
    return LU_OK;
}

/* The members of an object (a name alone has none): `others`, which ends with NULL, and its plain
 * numbers. */
static lu_status check_members(const lu_json_value *value, const char *what,
                               const char *const *others, const lu_state_field *fields, int count,
                               lu_error *error) {
    enum { MOST = 32 };
    const char *known[MOST];
    int all = 0;
    for (; *others && all < MOST; others++) {
        known[all++] = *others;
    }
    for (int k = 0; k < count && all < MOST; k++) {
        known[all++] = fields[k].name;
    }
    bool object = lu_json_kind_of(value) == LU_JSON_OBJECT;
    return object ? joker_check_keys(value, what, known, all, error) : LU_OK;
}

/* A list of at most `most` objects; NULL and *count = 0 when it is absent. */
static lu_status get_list(const lu_json_value *value, const char *key, int most,
                          const lu_json_value **list, lu_error *error) {
    *list = lu_json_get(value, key);
    if (*list && (lu_json_kind_of(*list) != LU_JSON_ARRAY || lu_json_count(*list) > (size_t)most)) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a list of at most %d entries", key, most);
    }
    return LU_OK;
}

/* ---- plain numbers ---- */

/* Price, bonus of the sell value and sort number, which all that is owned has. */
#define OWNED(type, no_bonus)                                                                      \
    {LU_FIELD(type, price), .kind = LU_NUMBER_I16, .high = 1000}, {                                \
        LU_FIELD(type, bonus), .kind = LU_NUMBER_I16, .sparse = (no_bonus), .low = -10000,         \
                               .high = 10000                                                       \
    }
#define ORDER(type)                                                                                \
    { LU_FIELD(type, order), .kind = LU_NUMBER_U16, .high = 65535 }
#define FREE(type)                                                                                 \
    { LU_FIELD(type, free), .kind = LU_NUMBER_BIT, .bit = 1 }
/* Of a joker: told when it is so. */
#define FLAG(name_, flag)                                                                          \
    {                                                                                              \
        .name = (name_), .offset = offsetof(joker_joker, flags), .kind = LU_NUMBER_BIT,            \
        .sparse = true, .bit = (flag)                                                              \
    }

static const lu_state_field joker_fields[] = {
    FLAG("eternal", JOKER_ETERNAL),
    FLAG("perishable", JOKER_PERISHABLE),
    FLAG("rental", JOKER_RENTAL),
    FLAG("debuffed", JOKER_DEBUFFED),
    FLAG("perished", JOKER_PERISHED),
    FLAG("down", JOKER_DOWN),
    {LU_FIELD(joker_joker, rounds), .kind = LU_NUMBER_U8, .sparse = true, .high = 255},
    OWNED(joker_joker, true),
    {LU_FIELD(joker_joker, a), .kind = LU_NUMBER_I32, .low = -1e6, .high = 1e6},
    {LU_FIELD(joker_joker, b), .kind = LU_NUMBER_I16, .low = -32768, .high = 32767},
    {LU_FIELD(joker_joker, x), .kind = LU_NUMBER_REAL, .high = 1e9},
    ORDER(joker_joker),
};
static const lu_state_field bag_fields[] = {
    {LU_FIELD(joker_bag_item, negative), .kind = LU_NUMBER_BIT, .sparse = true, .bit = 1},
    OWNED(joker_bag_item, false),
    ORDER(joker_bag_item),
};
static const lu_state_field item_fields[] = {
    {LU_FIELD(joker_item, price), .kind = LU_NUMBER_I16, .high = 1000},
    FREE(joker_item),
    ORDER(joker_item),
};
static const lu_state_field offer_fields[] = {
    {LU_FIELD(joker_offer, price), .kind = LU_NUMBER_I16, .high = 1000},
    FREE(joker_offer),
};
static const lu_state_field tag_field = {LU_FIELD(joker_tag, hand), .kind = LU_NUMBER_U8,
                                         .high = JOKER_HANDS - 1, .none = JOKER_NONE};

/* ---- jokers ---- */

/* Whether a text names a joker, with or without extras behind a colon. */
static bool names_joker(const lu_json_value *value) {
    const char *text = lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    return *name && joker_find_joker(name) >= 0;
}

static void put_joker(const joker_joker *j, bool hidden, lu_json *json) {
    lu_json_object(json);
    if (hidden) {
        lu_json_key_bool(json, "down", true);
        lu_json_object_end(json);
        return;
    }
    lu_json_key_string(json, "key", joker_joker_words[j->id].key);
    lu_json_key_string(json, "title", joker_joker_words[j->id].title);
    if (j->edition) {
        lu_json_key_string(json, "edition", edition_names[j->edition]);
    }
    lu_fields_to_json(joker_fields, LU_COUNT(joker_fields), j, -1, json);
    lu_json_object_end(json);
}

/* As `edition`, or as `ed`, which cases write; by key or title. */
static lu_status get_edition(const lu_json_value *value, uint8_t *edition, lu_error *error) {
    const lu_json_value *name = lu_json_get(value, "edition"), *ed = lu_json_get(value, "ed");
    if (name && ed) {
        return lu_fail(error, LU_BAD_DATA, "a joker has both 'edition' and 'ed': keep one");
    }
    name = name ? name : ed;
    *edition = JOKER_BASE;
    if (!name) {
        return LU_OK;
    }
    const char *text = lu_json_kind_of(name) == LU_JSON_STRING ? lu_json_text(name, NULL) : "";
    int row = joker_words_find(joker_edition_words, JOKER_EDITIONS, text);
    *edition = (uint8_t)(row > 0 ? row : JOKER_BASE);
    return *edition ? LU_OK
                    : lu_fail(error, LU_BAD_DATA,
                              "edition '%.40s' must be foil, holo, polychrome or negative", text);
}

lu_status joker_joker_from(const lu_json_value *value, joker_state *s, joker_joker *j,
                           lu_error *error) {
    static const char *const others[] = {"key", "title", "edition", "ed", "state", "sell", NULL};
    const char *key = "", *more = NULL;
    char name[40];
    bool object = lu_json_kind_of(value) == LU_JSON_OBJECT;
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        key = lu_json_text(value, NULL);
        more = strchr(key, ':');
        snprintf(name, sizeof name, "%.*s", (int)strcspn(key, ":"), key);
        key = more ? name : key;
    } else if (!object) {
        return lu_fail(error, LU_BAD_DATA, "a joker must be a key or an object with a key");
    } else {
        LU_TRY(lu_json_get_text(value, "key", &key, error));
        LU_TRY(
            check_members(value, "a joker", others, joker_fields, LU_COUNT(joker_fields), error));
    }
    int id = joker_find_joker(key);
    if (id < 0) {
        return joker_no_such("jokers", joker_joker_words, JOKER_JOKERS, key, error);
    }
    memset(j, 0, sizeof *j);
    j->id = (uint8_t)id;
    j->a = id == JOKER_J_TODO_LIST ? (int32_t)JOKER_HIGH_CARD : joker_rows[id].start_a;
    j->b = joker_rows[id].start_b;
    j->x = joker_rows[id].start_x;
    j->price = joker_joker_facts[id].price;
    if (more) {
        LU_TRY(joker_extras_read(more + 1, j, error));
        j->price = (int16_t)(j->price + joker_edition_price[j->edition]);
    }
    if (!object) {
        return LU_OK;
    }
    LU_TRY(get_edition(value, &j->edition, error));
    LU_TRY(joker_store_check(value, j, error));
    j->price = (int16_t)(j->price + joker_edition_price[j->edition]);
    LU_TRY(lu_fields_from_json(joker_fields, LU_COUNT(joker_fields), NULL, j, value, error));
    if (lu_json_get(value, "sell")) {
        int64_t sell;
        LU_TRY(lu_json_get_int(value, "sell", 0, 10000, &sell, error));
        j->price = 2; /* sells for 1 */
        j->bonus = (int16_t)(sell - 1);
    }
    const lu_json_value *state = lu_json_get(value, "state");
    return state ? joker_store_read(state, s, j, error) : LU_OK;
}

/* ---- consumables ---- */

static void put_consumable(const joker_bag_item *item, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "key", joker_consumable_words[item->id].key);
    lu_json_key_string(json, "title", joker_consumable_words[item->id].title);
    lu_fields_to_json(bag_fields, LU_COUNT(bag_fields), item, -1, json);
    lu_json_object_end(json);
}

static lu_status get_consumable(const lu_json_value *value, joker_bag_item *item, lu_error *error) {
    static const char *const others[] = {"key", "title", NULL};
    memset(item, 0, sizeof *item);
    LU_TRY(
        get_row(value, "consumables", joker_consumable_words, JOKER_CONSUMABLES, &item->id, error));
    LU_TRY(check_members(value, "a consumable", others, bag_fields, LU_COUNT(bag_fields), error));
    item->price = joker_consumable_facts[item->id].price;
    return lu_fields_from_json(bag_fields, LU_COUNT(bag_fields), NULL, item, value, error);
}

/* ---- what is owned ---- */

void joker_put_owned(const joker_state *s, int seat, lu_json *json) {
    lu_json_key_array(json, "jokers");
    for (int i = 0; i < s->jokers; i++) {
        put_joker(&s->joker[i], seat >= 0 && s->joker[i].flags & JOKER_DOWN, json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "consumables");
    for (int i = 0; i < s->bag; i++) {
        put_consumable(&s->consumable[i], json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "tags");
    for (int i = 0; i < s->tags; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "key", joker_tag_words[s->tag[i].id].key);
        lu_fields_to_json(&tag_field, 1, &s->tag[i], -1, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static lu_status read_jokers(joker_state *s, const lu_json_value *value, lu_error *error) {
    const lu_json_value *list;
    LU_TRY(get_list(value, "jokers", JOKER_ROW_MAX, &list, error));
    for (int i = 0; i < JOKER_ROW_MAX && list; i++) {
        memset(&s->joker[i], 0, sizeof s->joker[i]);
        s->joker[i].id = JOKER_NONE;
    }
    s->jokers = list ? (uint8_t)lu_json_count(list) : s->jokers;
    for (size_t i = 0; i < lu_json_count(list); i++) {
        LU_TRY(joker_joker_from(lu_json_at(list, i), s, &s->joker[i], error));
    }
    return LU_OK;
}

static lu_status read_bag(joker_state *s, const lu_json_value *value, lu_error *error) {
    const lu_json_value *list;
    LU_TRY(get_list(value, "consumables", JOKER_BAG_MAX, &list, error));
    for (int i = 0; i < JOKER_BAG_MAX && list; i++) {
        memset(&s->consumable[i], 0, sizeof s->consumable[i]);
        s->consumable[i].id = JOKER_NONE;
    }
    s->bag = list ? (uint8_t)lu_json_count(list) : s->bag;
    for (size_t i = 0; i < lu_json_count(list); i++) {
        LU_TRY(get_consumable(lu_json_at(list, i), &s->consumable[i], error));
    }
    return LU_OK;
}

static lu_status read_tags(joker_state *s, const lu_json_value *value, lu_error *error) {
    static const char *const others[] = {"key", NULL};
    const lu_json_value *list;
    LU_TRY(get_list(value, "tags", JOKER_TAGS_MAX, &list, error));
    if (list) {
        memset(s->tag, 0, sizeof s->tag);
        s->tags = (uint8_t)lu_json_count(list);
    }
    for (size_t i = 0; i < lu_json_count(list); i++) {
        const lu_json_value *entry = lu_json_at(list, i);
        LU_TRY(get_row(entry, "tags", joker_tag_words, JOKER_TAGS, &s->tag[i].id, error));
        LU_TRY(check_members(entry, "a tag", others, &tag_field, 1, error));
        LU_TRY(lu_fields_from_json(&tag_field, 1, NULL, &s->tag[i], entry, error));
    }
    return LU_OK;
}

lu_status joker_read_owned(joker_state *s, const lu_json_value *value, lu_error *error) {
    LU_TRY(read_jokers(s, value, error));
    LU_TRY(read_bag(s, value, error));
    LU_TRY(read_tags(s, value, error));
    return LU_OK;
}

/* ---- what is on offer ---- */

static void put_item(const joker_item *item, lu_json *json) {
    if (item->kind == JOKER_KIND_NONE) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    if (item->kind == JOKER_KIND_JOKER) {
        lu_json_key(json, "joker");
        put_joker(&item->joker, false, json);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        lu_json_key_string(json, "key", joker_consumable_words[item->id].key);
        lu_json_key_string(json, "title", joker_consumable_words[item->id].title);
    } else {
        lu_text text = LU_TEXT_INIT;
        joker_put_card(&item->card, &text);
        lu_json_key_string(json, "card", text.text);
        lu_text_free(&text);
    }
    lu_fields_to_json(item_fields, LU_COUNT(item_fields), item, -1, json);
    lu_json_object_end(json);
}

static lu_status get_item(const lu_json_value *value, const char *what, joker_state *s,
                          joker_item *item, lu_error *error) {
    static const char *const others[] = {"joker", "card", "key", "title", NULL};
    const lu_json_value *joker = lu_json_get(value, "joker"), *card = lu_json_get(value, "card");
    joker = names_joker(value) ? value : joker;
    memset(item, 0, sizeof *item);
    if (lu_json_kind_of(value) == LU_JSON_NULL) {
        return LU_OK;
    }
    LU_TRY(check_members(value, "an offer", others, item_fields, LU_COUNT(item_fields), error));
    lu_status status;
    if (joker) {
        item->kind = JOKER_KIND_JOKER;
        status = joker_joker_from(joker, s, &item->joker, error);
    } else if (card) {
        item->kind = JOKER_KIND_CARD;
        status = joker_card_from(what, card, &item->card, error);
    } else {
        bool named = lu_json_kind_of(value) == LU_JSON_STRING;
        const char *name = named ? lu_json_text(value, NULL) : "";
        item->kind = JOKER_KIND_CONSUMABLE;
        status = get_row(value, what, joker_consumable_words, JOKER_CONSUMABLES, &item->id, error);
        if (status != LU_OK && named && joker_card_read(what, name, &item->card, NULL) == LU_OK) {
            item->kind = JOKER_KIND_CARD;
            status = LU_OK;
        } else if (status != LU_OK && joker_words_near(joker_joker_words, JOKER_JOKERS, name)) {
            status = joker_no_such(what, joker_joker_words, JOKER_JOKERS, name, error);
        }
    }
    if (status != LU_OK || lu_fields_from_json(item_fields, LU_COUNT(item_fields), NULL, item,
                                               value, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (item->kind == JOKER_KIND_CARD) {
        item->card.order = item->order;
    }
    return LU_OK;
}

static void put_items(const char *key, const joker_item *items, int count, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        put_item(&items[i], json);
    }
    lu_json_array_end(json);
}

static lu_status read_items(const lu_json_value *value, const char *key, joker_state *s,
                            joker_item *items, int count, lu_error *error) {
    const lu_json_value *list;
    LU_TRY(get_list(value, key, count, &list, error));
    if (list) {
        memset(items, 0, (size_t)count * sizeof *items);
    }
    for (size_t i = 0; i < lu_json_count(list); i++) {
        LU_TRY(get_item(lu_json_at(list, i), key, s, &items[i], error));
    }
    return LU_OK;
}

static void put_offers(const char *key, const joker_offer *offers, int count,
                       const joker_words *words, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        if (offers[i].id == JOKER_NONE) {
            lu_json_null(json);
            continue;
        }
        lu_json_object(json);
        lu_json_key_string(json, "key", words[offers[i].id].key);
        lu_json_key_string(json, "title", words[offers[i].id].title);
        lu_fields_to_json(offer_fields, LU_COUNT(offer_fields), &offers[i], -1, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static lu_status read_offers(const lu_json_value *value, const char *key, joker_offer *offers,
                             int count, const joker_words *words, int rows, lu_error *error) {
    static const char *const others[] = {"key", "title", NULL};
    const lu_json_value *list;
    LU_TRY(get_list(value, key, count, &list, error));
    for (int i = 0; i < count && list; i++) {
        const lu_json_value *entry = lu_json_at(list, (size_t)i);
        offers[i] = (joker_offer){JOKER_NONE, 0, 0};
        if (lu_json_kind_of(entry) != LU_JSON_NULL) {
            LU_TRY(get_row(entry, key, words, rows, &offers[i].id, error));
            LU_TRY(check_members(entry, "an offer", others, offer_fields, LU_COUNT(offer_fields),
                                 error));
            LU_TRY(lu_fields_from_json(offer_fields, LU_COUNT(offer_fields), NULL, &offers[i],
                                       entry, error));
        }
    }
    return LU_OK;
}

void joker_put_shop(const joker_state *s, lu_json *json) {
    put_items("shop", s->shop, JOKER_SHOP_MAX, json);
    put_offers("packs", s->pack, JOKER_SHOP_PACKS, joker_pack_words, json);
    put_offers("shop_vouchers", s->voucher, JOKER_SHOP_VOUCHERS, joker_voucher_words, json);
    put_items("pack", s->shown, JOKER_PACK_MAX, json);
}

lu_status joker_read_shop(joker_state *s, const lu_json_value *value, lu_error *error) {
    LU_TRY(read_items(value, "shop", s, s->shop, JOKER_SHOP_MAX, error));
    LU_TRY(read_offers(value, "packs", s->pack, JOKER_SHOP_PACKS, joker_pack_words, JOKER_PACKS,
                       error));
    LU_TRY(read_offers(value, "shop_vouchers", s->voucher, JOKER_SHOP_VOUCHERS, joker_voucher_words,
                       JOKER_VOUCHERS, error));
    LU_TRY(read_items(value, "pack", s, s->shown, JOKER_PACK_MAX, error));
    return LU_OK;
}
