/* Recorded runs of real seeds, played with the rules themselves: targets, hands, the order of all
 * later draws, shops, rerolls, vouchers and packs of vectors/seeds.json must come up as written. */
#include "joker_test.h"

#include "ludus/file.h"
#include "ludus/json.h"

static const char *text_of(const lu_json_value *value) {
    return value ? lu_json_text(value, NULL) : "";
}

static int number_of(const lu_json_value *object, const char *key) {
    return (int)lu_json_real_or(lu_json_get(object, key), -1.0);
}

/* "AS" for a card. */
static const char *card_text(const joker_card *card) {
    static char text[3];
    text[0] = "23456789TJQKA"[card->rank - 2];
    text[1] = "SHCD"[card->suit];
    return text;
}

static void check_card(const joker_card *card, const lu_json_value *want) {
    CHECK_TEXT(card_text(card), text_of(want));
}

/* The key of a word list entry, "" for none where the record leaves it out. */
static void check_word(const joker_words *words, int id, const lu_json_value *want) {
    CHECK_TEXT(id ? words[id].key : "", text_of(want));
}

static void check_item(const joker_item *item, const lu_json_value *want) {
    static const struct {
        int flag;
        char letter;
    } stickers[3] = {{JOKER_ETERNAL, 'E'}, {JOKER_PERISHABLE, 'P'}, {JOKER_RENTAL, 'R'}};
    const char *marks = text_of(lu_json_get(want, "stickers"));
    if (lu_json_get(want, "cost")) {
        CHECK_INT(item->price, number_of(want, "cost"));
    }
    if (item->kind == JOKER_KIND_CARD) {
        check_card(&item->card, lu_json_get(want, "card"));
        check_word(joker_enhancement_words, item->card.enhancement, lu_json_get(want, "enh"));
        check_word(joker_edition_words, item->card.edition, lu_json_get(want, "ed"));
        check_word(joker_seal_words, item->card.seal, lu_json_get(want, "seal"));
        return;
    }
    bool joker = item->kind == JOKER_KIND_JOKER;
    CHECK_TEXT(joker ? joker_joker_words[item->joker.id].key : joker_consumable_words[item->id].key,
               text_of(lu_json_get(want, "key")));
    check_word(joker_edition_words, joker ? item->joker.edition : 0, lu_json_get(want, "ed"));
    for (int i = 0; i < 3; i++) {
        CHECK_INT((item->joker.flags & stickers[i].flag) != 0,
                  strchr(marks, stickers[i].letter) != NULL);
    }
}

static void check_items(const joker_item *items, int most, const lu_json_value *want) {
    int count = 0;
    for (int i = 0; i < most; i++) {
        if (items[i].kind != JOKER_KIND_NONE) {
            check_item(&items[i], lu_json_at(want, (size_t)count++));
        }
    }
    CHECK_INT(count, lu_json_count(want));
}

static void check_shop(const lu_json_value *want) {
    const lu_json_value *rerolls = lu_json_get(want, "rerolls"),
                        *packs = lu_json_get(want, "packs");
    CHECK_INT(s->ante, number_of(want, "ante_key"));
    check_items(s->shop, JOKER_SHOP_MAX, lu_json_get(want, "first"));
    for (size_t i = 0; i < lu_json_count(rerolls); i++) {
        s->money = 1000;
        joker_reroll(m, s);
        check_items(s->shop, JOKER_SHOP_MAX, lu_json_at(rerolls, i));
    }
    CHECK_TEXT(joker_voucher_words[s->voucher[0].id].key, text_of(lu_json_get(want, "voucher")));
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        const lu_json_value *pack = lu_json_at(packs, (size_t)i);
        CHECK_TEXT(joker_pack_words[s->pack[i].id].key, text_of(lu_json_get(pack, "pack")));
        CHECK_INT(s->pack[i].price, number_of(pack, "cost"));
        joker_buy_pack(m, s, i);
        CHECK_INT(s->pack_picks, number_of(pack, "choose"));
        check_items(s->shown, JOKER_PACK_MAX, lu_json_get(pack, "contents"));
        joker_skip_pack(m, s);
    }
}

/* A blind is won with the first hand, the shop rerolled twice, both packs opened and skipped. */
static void check_round(const lu_json_value *want) {
    const lu_json_value *hand = lu_json_get(want, "hand"), *later = lu_json_get(want, "then_draws");
    int blind = joker_blind_row(s, s->blind);
    CHECK_TEXT(joker_blind_words[blind].key, text_of(lu_json_get(want, "blind")));
    CHECK_INT(s->ante, number_of(want, "ante"));
    CHECK_INT(joker_reward_of(s, blind), number_of(want, "reward"));
    joker_select_blind(m, s);
    CHECK_NEAR(s->target, number_of(want, "target"), 0.0);
    CHECK_INT(s->held, lu_json_count(hand));
    CHECK_INT(s->draws, lu_json_count(later));
    for (int i = 0; i < s->held; i++) {
        check_card(held(i), lu_json_at(hand, (size_t)i));
    }
    for (int i = 0; i < s->draws; i++) {
        check_card(&s->card[s->draw[s->draws - 1 - i]], lu_json_at(later, (size_t)i));
    }
    s->target = 0.0;
    joker_play(m, s, 1u);
    joker_cash_out(m, s);
    check_shop(lu_json_get(want, "shop"));
    joker_leave_shop(m, s);
}

static void check_run(const lu_json_value *want) {
    const lu_json_value *rounds = lu_json_get(want, "rounds");
    memset(&rules, 0, sizeof rules);
    memset(&state, 0, sizeof state);
    rules.deck = joker_find_deck(text_of(lu_json_get(want, "deck")));
    rules.stake = number_of(want, "stake") - 1;
    rules.win_ante = 8;
    joker_seed_text(m, s, text_of(lu_json_get(want, "seed")));
    joker_run_start(m, s);
    CHECK(lu_json_count(rounds) > 0);
    for (size_t i = 0; i < lu_json_count(rounds); i++) {
        check_round(lu_json_at(rounds, i));
    }
}

TEST(recorded_seeds_play_as_recorded) {
    char *text = NULL;
    size_t length;
    lu_error error;
    lu_json_document *document = NULL;
    const char *path = lu_test_source("games/joker/vectors/seeds.json");
    if (lu_file_read(path, 1 << 24, &text, &length, &error) == LU_OK) {
        document = lu_json_read(path, text, length, &error);
    }
    if (!document) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    } else {
        const lu_json_value *cases = lu_json_get(lu_json_root(document), "cases");
        CHECK_INT(lu_json_count(cases), 10);
        for (size_t i = 0; i < lu_json_count(cases); i++) {
            check_run(lu_json_at(cases, i));
        }
    }
    lu_json_close(document);
    free(text);
}
