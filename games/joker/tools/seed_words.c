/* What a seed gives, as lines for people: the JSON of seed_write.c read back and told in titles, an
 * ante at a time. */
#include "seed.h"

#include "joker_words.h"
#include "ludus/settings.h"
#include "ludus/text.h"

#include <stdio.h>
#include <string.h>

/* The sentence for a text that is no row: it lists them. */
static lu_status not_one_of(const char *key, const char *text, const joker_words *words, int count,
                            lu_error *error) {
    const char *near = joker_words_near(words, count, text);
    lu_text list = LU_TEXT_INIT;
    for (int i = 0; i < count; i++) {
        lu_text_addf(&list, "%s%s", i > 0 ? ", " : "", joker_words_short(&words[i]));
    }
    lu_status status =
        lu_fail(error, LU_BAD_VALUE, "'%s' = %.40s is not one of %s%s%s%s", key, text, list.text,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    lu_text_free(&list);
    return status;
}

lu_status joker_seed_read_deck(const char *text, int *deck, lu_error *error) {
    *deck = joker_find_deck(text);
    return *deck >= 0 ? LU_OK : not_one_of("deck", text, joker_deck_words, JOKER_DECKS, error);
}

lu_status joker_seed_read_stake(const char *text, int *stake, lu_error *error) {
    char first[16];
    int64_t number = 0;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, " "), text); /* "Gold Stake" */
    *stake = joker_find_stake(first);
    if (*stake < 0 && lu_parse_i64("stake", text, 1, JOKER_STAKES, &number, NULL) == LU_OK) {
        *stake = (int)number - 1;
    }
    return *stake >= 0 ? LU_OK : not_one_of("stake", text, joker_stake_words, JOKER_STAKES, error);
}

/* The title of a key, whatever it is of. */
static const char *title_of(const char *key) {
    static const struct {
        const joker_words *words;
        int count;
    } tables[] = {
        {joker_joker_words, JOKER_JOKERS},     {joker_consumable_words, JOKER_CONSUMABLES},
        {joker_voucher_words, JOKER_VOUCHERS}, {joker_tag_words, JOKER_TAGS},
        {joker_blind_words, JOKER_BLINDS},     {joker_pack_words, JOKER_PACKS},
        {joker_enhancement_words, 9},          {joker_edition_words, 5},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (int row = 0; row < tables[t].count; row++) {
            if (strcmp(tables[t].words[row].key, key) == 0) {
                return tables[t].words[row].title;
            }
        }
    }
    return key;
}

static const char *text_at(const lu_json_value *object, const char *key) {
    const lu_json_value *value = lu_json_get(object, key);
    return lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
}

/* "Holographic Smeared Joker (eternal, rental)", "Steel TH with a Gold seal". */
static void add_item(lu_text *line, const lu_json_value *item) {
    const char *edition = text_at(item, "ed"), *enhancement = text_at(item, "enh");
    const char *seal = text_at(item, "seal"), *stickers = text_at(item, "stickers");
    if (*edition) {
        lu_text_addf(line, "%s ", title_of(edition));
    }
    if (*enhancement) {
        lu_text_addf(line, "%s ", title_of(enhancement));
    }
    lu_text_add(line,
                *text_at(item, "card") ? text_at(item, "card") : title_of(text_at(item, "key")));
    if (*seal) {
        lu_text_addf(line, " with a %s seal", seal);
    }
    for (const char *at = stickers; *at; at++) {
        const char *sticker = *at == 'E' ? "eternal" : *at == 'P' ? "perishable" : "rental";
        lu_text_addf(line, "%s%s%s", at == stickers ? " (" : ", ", sticker, at[1] ? "" : ")");
    }
}

static void add_items(lu_text *line, const lu_json_value *items) {
    for (size_t i = 0; i < lu_json_count(items); i++) {
        lu_text_add(line, i == 0 ? "" : ", ");
        add_item(line, lu_json_at(items, i));
    }
}

static void put_line(lu_json *json, lu_text *line) {
    lu_json_string(json, line->text ? line->text : "");
    lu_text_clear(line);
}

static void put_start(lu_json *json, lu_text *line, const lu_json_value *root,
                      const joker_seed_ask *ask) {
    const lu_json_value *start = lu_json_get(root, "start");
    lu_text_addf(line, "Seed %s, %s, %s stake: $%g, %g hands, %g discards, hand size %g", ask->seed,
                 joker_deck_words[ask->deck].title, joker_stake_words[ask->stake].key,
                 lu_json_real_or(lu_json_get(start, "dollars"), 0.0),
                 lu_json_real_or(lu_json_get(start, "hands"), 0.0),
                 lu_json_real_or(lu_json_get(start, "discards"), 0.0),
                 lu_json_real_or(lu_json_get(start, "hand_size"), 0.0));
    put_line(json, line);
    lu_text_addf(line, "The first Soul of the run makes %s", title_of(text_at(root, "soul")));
    put_line(json, line);
}

static void put_queue(lu_json *json, lu_text *line, const lu_json_value *queue) {
    const lu_json_value *packs = lu_json_get(queue, "pack_queue");
    if (lu_json_count(lu_json_get(queue, "shop_queue")) > 0) {
        lu_text_add(line, "  Shop     ");
        add_items(line, lu_json_get(queue, "shop_queue"));
        put_line(json, line);
    }
    for (size_t i = 0; i < lu_json_count(packs); i++) {
        const lu_json_value *pack = lu_json_at(packs, i);
        lu_text_addf(line, "  Pack     %s: ", title_of(text_at(pack, "pack")));
        add_items(line, lu_json_get(pack, "contents"));
        put_line(json, line);
    }
}

static void put_ante(lu_json *json, lu_text *line, const lu_json_value *ante,
                     const lu_json_value *queue) {
    lu_text_addf(line, "Ante %g", lu_json_real_or(lu_json_get(ante, "ante"), 0.0));
    put_line(json, line);
    lu_text_addf(line, "  Boss     %s", title_of(text_at(ante, "boss")));
    put_line(json, line);
    lu_text_addf(line, "  Voucher  %s", title_of(text_at(ante, "voucher")));
    put_line(json, line);
    lu_text_addf(line, "  Tags     %s, %s", title_of(text_at(ante, "small_tag")),
                 title_of(text_at(ante, "big_tag")));
    put_line(json, line);
    if (queue) {
        put_queue(json, line, queue);
    }
}

/* The deal and the shop of each round of the run. */
static void put_round(lu_json *json, lu_text *line, const lu_json_value *round) {
    const lu_json_value *shop = lu_json_get(round, "shop"), *hand = lu_json_get(round, "hand");
    const lu_json_value *rerolls = lu_json_get(shop, "rerolls");
    lu_text_addf(line, "%s of ante %g: reach %.15g for $%g; hand",
                 title_of(text_at(round, "blind")),
                 lu_json_real_or(lu_json_get(round, "ante"), 0.0),
                 lu_json_real_or(lu_json_get(round, "target"), 0.0),
                 lu_json_real_or(lu_json_get(round, "reward"), 0.0));
    for (size_t i = 0; i < lu_json_count(hand); i++) {
        lu_text_addf(line, " %s", lu_json_text(lu_json_at(hand, i), NULL));
    }
    put_line(json, line);
    lu_text_add(line, "  Shop     ");
    add_items(line, lu_json_get(shop, "first"));
    put_line(json, line);
    for (size_t i = 0; i < lu_json_count(rerolls); i++) {
        lu_text_add(line, "  Reroll   ");
        add_items(line, lu_json_at(rerolls, i));
        put_line(json, line);
    }
    const lu_json_value *packs = lu_json_get(shop, "packs");
    for (size_t i = 0; i < lu_json_count(packs); i++) {
        const lu_json_value *pack = lu_json_at(packs, i);
        lu_text_addf(line, "  Pack     %s: ", title_of(text_at(pack, "pack")));
        add_items(line, lu_json_get(pack, "contents"));
        put_line(json, line);
    }
}

/* The open object as a document of its own. */
static lu_json_document *read_back(const lu_json *json) {
    lu_text closed = LU_TEXT_INIT;
    lu_text_add_n(&closed, json->text, json->length);
    lu_text_add_char(&closed, '}');
    lu_json_document *document = lu_json_read("seed", closed.text, closed.length, NULL);
    lu_text_free(&closed);
    return document;
}

void joker_seed_words(lu_json *json, const joker_seed_ask *ask) {
    lu_json_document *document = read_back(json);
    const lu_json_value *root = lu_json_root(document);
    const lu_json_value *antes = lu_json_get(root, "antes"), *queues = lu_json_get(root, "queues");
    const lu_json_value *rounds = lu_json_get(root, "rounds");
    lu_text line = LU_TEXT_INIT;
    lu_json_key_array(json, "words");
    put_start(json, &line, root, ask);
    for (size_t i = 0; i < lu_json_count(antes); i++) {
        put_ante(json, &line, lu_json_at(antes, i), lu_json_at(queues, i));
    }
    for (size_t i = 0; i < lu_json_count(rounds); i++) {
        put_round(json, &line, lu_json_at(rounds, i));
    }
    lu_json_array_end(json);
    lu_text_free(&line);
    lu_json_close(document);
}
