/* What a state leaves out: prices that follow from the rules, values that are taken as at the start
 * of a run, stores of jokers: each gets a line. A member that no state has is refused. */
#include "advise.h"

#include "rules/joker_run.h"

#include "ludus/settings.h"

#include <string.h>

/* ---- prices ---- */

static bool without_price(const lu_json_value *root, const char *list, int at) {
    return !lu_json_get(lu_json_at(lu_json_get(root, list), (size_t)at), "price");
}

static void note_price(joker_ask *ask, const char *title, int price) {
    joker_ask_line(&ask->unknown, "price of %s is not given: taken as $%d, by the rules", title,
                   price);
}

static const char *title_of(const joker_item *item) {
    return item->kind == JOKER_KIND_JOKER        ? joker_joker_words[item->joker.id].title
           : item->kind == JOKER_KIND_CONSUMABLE ? joker_consumable_words[item->id].title
                                                 : "the card on offer";
}

void joker_ask_prices(joker_ask *ask, const lu_json_value *root) {
    joker_state *s = &ask->state;
    for (int i = 0; i < JOKER_SHOP_MAX; i++) {
        joker_item *item = &s->shop[i];
        if (item->kind != JOKER_KIND_NONE && without_price(root, "shop", i)) {
            joker_price_item(s, item);
            note_price(ask, title_of(item), item->price);
        }
    }
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        joker_offer *pack = &s->pack[i];
        if (pack->id != JOKER_NONE && without_price(root, "packs", i)) {
            joker_price_offer(pack, joker_pack_price(s, pack->id));
            note_price(ask, joker_pack_words[pack->id].title, pack->price);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        joker_offer *voucher = &s->voucher[i];
        if (voucher->id != JOKER_NONE && without_price(root, "shop_vouchers", i)) {
            joker_price_offer(voucher, joker_voucher_price(s, voucher->id));
            note_price(ask, joker_voucher_words[voucher->id].title, voucher->price);
        }
    }
}

/* ---- values of the start of a run ---- */

static void note_start(joker_ask *ask, const lu_json_value *root) {
    const joker_state *s = &ask->state;
    bool round = s->phase == JOKER_PLAY;
    const struct {
        const char *key, *other;
        int value;
        bool counts;
    } rows[] = {
        {"hands", NULL, s->hands, round},        {"discards", NULL, s->discards, round},
        {"money", NULL, s->money, true},         {"ante", NULL, s->ante, true},
        {"hand_size", NULL, s->hand_size, true}, {"level", "levels", 1, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bool given =
            lu_json_get(root, rows[k].key) || (rows[k].other && lu_json_get(root, rows[k].other));
        if (rows[k].counts && !given) {
            joker_ask_line(&ask->unknown, "%s is not given: taken as %d", rows[k].key,
                           rows[k].value);
        }
    }
    if (!lu_json_get(root, "jokers")) {
        joker_ask_line(&ask->unknown, "jokers is not given: taken as none");
    }
    if (lu_json_get(root, "seed") && !ask->known && round) {
        joker_ask_line(&ask->unknown,
                       "what the seed would draw: it only determines the first blind and its "
                       "cards; add draw_pile in order and --draw_order given");
    }
}

/* ---- what jokers and bosses look at ---- */

static void note_jokers_view(joker_ask *ask, const lu_json_value *root) {
    static const struct {
        uint8_t joker;
        const char *member, *taken;
    } rows[] = {
        {JOKER_J_ANCIENT, "ancient_suit", "a suit of the start of a run"},
        {JOKER_J_IDOL, "idol_rank", "a rank of the start of a run"},
        {JOKER_J_IDOL, "idol_suit", "a suit of the start of a run"},
        {JOKER_J_MAIL, "mail_rank", "a rank of the start of a run"},
        {JOKER_J_CASTLE, "castle_suit", "a suit of the start of a run"},
        {JOKER_J_THROWBACK, "skips", "0"},
        {JOKER_J_FORTUNE_TELLER, "tarots", "0"},
        {JOKER_J_SATELLITE, "planets_used", "none"},
        {JOKER_J_SUPERNOVA, "plays", "none"},
        {JOKER_J_OBELISK, "plays", "none"},
        {JOKER_J_LOYALTY_CARD, "run_hands", "0"},
        {JOKER_J_CARD_SHARP, "plays_round", "none"},
        {JOKER_J_DNA, "played_round", "0"},
        {JOKER_J_SIXTH_SENSE, "played_round", "0"},
        {JOKER_J_TRADING, "discarded_round", "0"},
        {JOKER_J_BURNT, "discarded_round", "0"},
        {JOKER_J_DELAYED_GRAT, "discarded_round", "0"},
    };
    const joker_state *s = &ask->state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bool owned = false;
        for (int i = 0; i < s->jokers; i++) {
            owned |= s->joker[i].id == rows[k].joker;
        }
        if (owned && !lu_json_get(root, rows[k].member)) {
            joker_ask_line(&ask->unknown, "%s of %s is not given: taken as %s", rows[k].member,
                           joker_joker_words[rows[k].joker].title, rows[k].taken);
        }
    }
}

static bool any_played(const joker_state *s) {
    bool played = false;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        played |= s->card[i].rank && s->card[i].flags & JOKER_CARD_PLAYED;
    }
    return played;
}

static void note_boss(joker_ask *ask, const lu_json_value *root) {
    static const struct {
        uint8_t boss;
        const char *member, *taken;
    } rows[] = {
        {JOKER_BL_EYE, "plays_round", "none"},
        {JOKER_BL_MOUTH, "first_hand", "none yet"},
        {JOKER_BL_OX, "ox_hand", "High Card"},
    };
    const joker_state *s = &ask->state;
    int boss = s->phase == JOKER_PLAY ? joker_active_boss(s) : (int)JOKER_NONE;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (boss == rows[k].boss && !lu_json_get(root, rows[k].member)) {
            joker_ask_line(&ask->unknown, "%s of %s is not given: taken as %s", rows[k].member,
                           joker_blind_words[boss].title, rows[k].taken);
        }
    }
    if (boss == JOKER_BL_PILLAR && !lu_json_get(root, "played_round") && !any_played(s)) {
        joker_ask_line(&ask->unknown,
                       "cards played in this ante, for The Pillar: taken as none; mark them "
                       "\"KH:played\"");
    }
}

/* ---- stores ---- */

/* The member of a joker that holds what it has stored; NULL: it stores nothing. */
static const char *store_of(const joker_row *row) {
    bool a = row->effect == JOKER_E_STORED_CHIPS || row->effect == JOKER_E_STORED_MULT ||
             row->when == JOKER_WHEN_LISTED || row->flags & JOKER_ROW_SINCE || row->start_a;
    return row->effect == JOKER_E_STORED_X ? "x" : a ? "a" : NULL;
}

static void note_store(joker_ask *ask, const joker_joker *joker, const lu_json_value *given) {
    const char *member = store_of(&joker_rows[joker->id]);
    const char *typed = lu_json_kind_of(given) == LU_JSON_STRING ? lu_json_text(given, NULL) : "";
    typed += strcspn(typed, ":");
    if (!member || lu_json_get(given, member) || lu_json_get(given, "state") ||
        strpbrk(typed, "0123456789")) {
        return;
    }
    joker_ask_line(&ask->unknown, "what %s has stored is not given: taken as %g",
                   joker_joker_words[joker->id].title,
                   strcmp(member, "x") == 0 ? joker->x : (double)joker->a);
}

/* ---- members ---- */

static void note_jokers(joker_ask *ask, const lu_json_value *root) {
    const lu_json_value *list = lu_json_get(root, "jokers");
    const joker_state *s = &ask->state;
    for (int i = 0, at = 0; i < (int)lu_json_count(list) && at < s->jokers; i++) {
        const lu_json_value *given = lu_json_at(list, (size_t)i);
        if (!joker_ask_left_out(given)) {
            note_store(ask, &s->joker[at++], given);
        }
    }
}

/* Members are known when the whole state has them as it is written. A misspelt one would change the
 * advice without a word. */
lu_status joker_ask_check(const joker_ask *ask, const lu_json_value *root, lu_error *error) {
    enum { MOST = 256 };
    const char *known[MOST] = {"levels"};
    int count = 1;
    lu_status status = LU_OK;
    lu_json json = LU_JSON_INIT;
    joker_to_json(&ask->rules.head, &ask->state, -1, &json);
    lu_json_document *whole = lu_json_read("state", json.text, json.length, NULL);
    for (size_t i = 0; i < lu_json_count(lu_json_root(whole)) && count < MOST; i++) {
        (void)lu_json_member(lu_json_root(whole), i, &known[count++]);
    }
    for (size_t i = 0; i < lu_json_count(root) && status == LU_OK; i++) {
        const char *key;
        (void)lu_json_member(root, i, &key);
        if (!lu_json_get(lu_json_root(whole), key) && strcmp(key, "levels") != 0) {
            const char *near = lu_nearest(key, known, (size_t)count);
            status = lu_fail(error, LU_BAD_DATA, "a state has no '%.40s'%s%s%s", key,
                             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
    }
    lu_json_close(whole);
    lu_json_free(&json);
    return status;
}

void joker_ask_notes(joker_ask *ask, const lu_json_value *root) {
    note_start(ask, root);
    note_jokers_view(ask, root);
    note_jokers(ask, root);
    note_boss(ask, root);
}
