/* A state of joker as a person gives it: little is needed, everything is checked, and what is left
 * out is named. The members are those of the state's JSON (joker_state_json.c); beside them
 * boss_key, deck_key and stake_key, levels by the titles of the hands, and "??" for a card that
 * lies face down. */
#include "advise.h"
#include "steps.h"
#include "typed.h"

#include "joker_json_parts.h"
#include "rules/joker_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void joker_ask_line(lu_text *lines, const char *format, ...) {
    char line[400];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    lu_text_add(lines, line);
    lu_text_add_char(lines, '\n');
}

void joker_ask_free(joker_ask *ask) {
    lu_text_free(&ask->unknown);
    lu_text_free(&ask->words);
}

/* ---- rewriting what a person gives into a whole state ---- */

static bool is_text(const lu_json_value *value, const char *text) {
    return lu_json_kind_of(value) == LU_JSON_STRING && strcmp(lu_json_text(value, NULL), text) == 0;
}

static int count_hidden(const lu_json_value *hand) {
    int hidden = 0;
    for (size_t i = 0; i < lu_json_count(hand); i++) {
        hidden += is_text(lu_json_at(hand, i), "??");
    }
    return hidden;
}

/* Cards of the pile stand in for those face down; which ones does not matter, all are drawn anew.
 */
static lu_status write_hidden(const lu_json_value *root, int hidden, lu_json *json,
                              lu_error *error) {
    const lu_json_value *hand = lu_json_get(root, "hand"), *pile = lu_json_get(root, "draw_pile");
    size_t left = lu_json_count(pile);
    if (lu_json_kind_of(pile) != LU_JSON_ARRAY || left < (size_t)hidden) {
        return lu_fail(error, LU_BAD_DATA,
                       "'draw_pile' must list all unseen cards, including those face down in the "
                       "hand (\"??\")");
    }
    left -= (size_t)hidden;
    lu_json_key_array(json, "hand");
    for (size_t i = 0, taken = left; i < lu_json_count(hand); i++) {
        const lu_json_value *card = lu_json_at(hand, i);
        if (!is_text(card, "??")) {
            lu_json_value_write(json, card);
            continue;
        }
        const lu_json_value *other = lu_json_at(pile, taken++);
        if (lu_json_kind_of(other) != LU_JSON_STRING) {
            return lu_fail(error, LU_BAD_DATA, "'draw_pile' must hold cards as texts: \"KH\"");
        }
        const char *text = lu_json_text(other, NULL);
        lu_text down = LU_TEXT_INIT;
        lu_text_addf(&down, "%s%cdown", text, strchr(text, ':') ? ',' : ':');
        lu_json_string(json, down.text);
        lu_text_free(&down);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "draw_pile");
    for (size_t i = 0; i < left; i++) {
        lu_json_value_write(json, lu_json_at(pile, i));
    }
    lu_json_array_end(json);
    return LU_OK;
}

/* Jokers that lie face down without a key are not known. */
bool joker_ask_left_out(const lu_json_value *joker) {
    return lu_json_get(joker, "down") && !lu_json_get(joker, "key");
}

static void write_jokers(joker_ask *ask, const lu_json_value *jokers, lu_json *json) {
    lu_json_key_array(json, "jokers");
    for (size_t i = 0; i < lu_json_count(jokers); i++) {
        const lu_json_value *joker = lu_json_at(jokers, i);
        if (joker_ask_left_out(joker)) {
            joker_ask_line(
                &ask->unknown,
                "joker %d is face down and left out; add its key next to \"down\" if you know it",
                (int)i + 1);
        } else {
            lu_json_value_write(json, joker);
        }
    }
    lu_json_array_end(json);
}

/* {"Pair": 3} as the levels of all hands. */
static lu_status write_levels(const lu_json_value *levels, lu_json *json, lu_error *error) {
    int64_t level[JOKER_HANDS];
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        level[hand] = 1;
    }
    if (lu_json_kind_of(levels) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'levels' must be an object: {\"Pair\": 3}");
    }
    for (size_t i = 0; i < lu_json_count(levels); i++) {
        const char *key;
        int hand;
        (void)lu_json_member(levels, i, &key);
        hand = joker_find_hand(key);
        if (hand < 0) {
            return lu_fail(error, LU_BAD_DATA,
                           "'levels': '%.40s' isn't a hand; hands are Pair, Flush, Full House ..",
                           key);
        }
        LU_TRY(lu_json_get_int(levels, key, 0, 65535, &level[hand], error));
    }
    lu_json_key_array(json, "level");
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        lu_json_int(json, level[hand]);
    }
    lu_json_array_end(json);
    return LU_OK;
}

/* ["v_grabber"] as the bits of the vouchers owned. */
static lu_status write_vouchers(const lu_json_value *list, lu_json *json, lu_error *error) {
    uint32_t owned = 0;
    for (size_t i = 0; i < lu_json_count(list); i++) {
        const lu_json_value *value = lu_json_at(list, i);
        const char *key = lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
        int row = joker_words_find(joker_voucher_words, JOKER_VOUCHERS, key);
        if (row < 0) {
            return joker_no_such("vouchers", joker_voucher_words, JOKER_VOUCHERS, key, error);
        }
        owned |= 1u << row;
    }
    lu_json_key_int(json, "vouchers", (int64_t)owned);
    return LU_OK;
}

static bool is_string(const lu_json_value *value) {
    return lu_json_kind_of(value) == LU_JSON_STRING;
}

/* The row that a key of the file names, or a text in place of the number `as`, as that number. */
static lu_status write_row(const lu_json_value *root, const char *key, const char *as,
                           const joker_words *words, int count, lu_json *json, lu_error *error) {
    const lu_json_value *value = lu_json_get(root, key), *number = lu_json_get(root, as);
    value = is_string(number) ? number : value;
    if (!value || (number && number != value)) {
        return LU_OK;
    }
    const char *name = is_string(value) ? lu_json_text(value, NULL) : "";
    int row = joker_words_find(words, count, name);
    if (row < 0) {
        return joker_no_such(value == number ? as : key, words, count, name, error);
    }
    lu_json_key_int(json, as, row);
    return LU_OK;
}

/* "phase": "shop" as its number; the names are those of the answer. */
static lu_status write_phase(const lu_json_value *root, lu_json *json, lu_error *error) {
    static const char *const names[] = {"blind", "round", "cash out", "shop", "end"};
    const lu_json_value *value = lu_json_get(root, "phase");
    for (int k = 0; is_string(value) && k < LU_COUNT(names); k++) {
        if (is_text(value, names[k])) {
            lu_json_key_int(json, "phase", k);
            return LU_OK;
        }
    }
    return is_string(value) ? lu_fail(error, LU_BAD_DATA,
                                      "'phase' must be blind, round, cash out, shop or end, not "
                                      "'%.40s'",
                                      lu_json_text(value, NULL))
                            : LU_OK;
}

static lu_status rewrite(joker_ask *ask, const lu_json_value *root, lu_json *json,
                         lu_error *error) {
    const lu_json_value *jokers = lu_json_get(root, "jokers"),
                        *levels = lu_json_get(root, "levels"),
                        *vouchers = lu_json_get(root, "vouchers");
    bool listed = lu_json_kind_of(vouchers) == LU_JSON_ARRAY;
    int hidden = lu_json_get(root, "cards") ? 0 : count_hidden(lu_json_get(root, "hand"));
    lu_status status = LU_OK;
    lu_json_object(json);
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        bool own = (hidden && (strcmp(key, "hand") == 0 || strcmp(key, "draw_pile") == 0)) ||
                   strcmp(key, "jokers") == 0 || strcmp(key, "levels") == 0 ||
                   (is_string(value) && (strcmp(key, "boss") == 0 || strcmp(key, "deck") == 0 ||
                                         strcmp(key, "phase") == 0 || strcmp(key, "stake") == 0)) ||
                   (listed && strcmp(key, "vouchers") == 0);
        if (!own) {
            lu_json_key_value(json, key, value);
        }
    }
    if (jokers && lu_json_kind_of(jokers) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "'jokers' must be a list: [\"j_joker\"]");
    }
    status = hidden ? write_hidden(root, hidden, json, error) : LU_OK;
    LU_THEN(status, write_phase(root, json, error));
    if (hidden) {
        joker_ask_line(&ask->unknown, "%d held cards are face down", hidden);
    }
    if (jokers && status == LU_OK) {
        write_jokers(ask, jokers, json);
    }
    if (levels && !lu_json_get(root, "level") && status == LU_OK) {
        status = write_levels(levels, json, error);
    }
    if (listed && status == LU_OK) {
        status = write_vouchers(vouchers, json, error);
    }
    LU_THEN(status,
            write_row(root, "boss_key", "boss", joker_blind_words, JOKER_BLINDS, json, error));
    LU_THEN(status,
            write_row(root, "deck_key", "deck", joker_deck_words, JOKER_DECKS, json, error));
    LU_THEN(status,
            write_row(root, "stake_key", "stake", joker_stake_words, JOKER_STAKES, json, error));
    lu_json_object_end(json);
    return status;
}

/* ---- what was left out ---- */

/* The 52 cards less those seen are taken as the pile. */
static void fill_pile(joker_ask *ask) {
    joker_state *s = &ask->state;
    for (int suit = 0; suit < JOKER_SUITS; suit++) {
        for (int rank = 2; rank <= JOKER_ACE; rank++) {
            bool seen = false;
            for (int i = 0; i < JOKER_DECK_MAX && !seen; i++) {
                seen = s->card[i].rank == rank && s->card[i].suit == suit;
            }
            if (!seen && s->owned < JOKER_DECK_MAX) {
                joker_card *card = &s->card[s->owned];
                card->rank = (uint8_t)rank;
                card->suit = (unsigned)suit & 3u;
                card->order = s->next_order++;
                s->draw[s->draws++] = s->owned++;
            }
        }
    }
}

/* Debuffs by the boss, and those that were given. */
static void debuff(joker_state *s) {
    uint8_t given[JOKER_DECK_MAX];
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        given[i] = s->card[i].flags & JOKER_CARD_DEBUFFED;
    }
    joker_cards_debuff(s);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        s->card[i].flags = (uint8_t)(s->card[i].flags | given[i]);
    }
}

/* The kind of pack that shows such a card. */
static int pack_kind_of(const joker_item *item) {
    static const uint8_t kinds[] = {[JOKER_TAROT] = JOKER_PACK_ARCANA,
                                    [JOKER_PLANET] = JOKER_PACK_CELESTIAL,
                                    [JOKER_SPECTRAL] = JOKER_PACK_SPECTRAL};
    return item->kind == JOKER_KIND_JOKER  ? (int)JOKER_PACK_BUFFOON
           : item->kind == JOKER_KIND_CARD ? (int)JOKER_PACK_STANDARD
                                           : kinds[joker_consumable_facts[item->id].set];
}

/* Cards of a pack that are given alone lie in an open one. */
static void open_pack(joker_ask *ask, const lu_json_value *root) {
    joker_state *s = &ask->state;
    int shown = 0, first = 0;
    for (int i = JOKER_PACK_MAX - 1; i >= 0; i--) {
        if (s->shown[i].kind != JOKER_KIND_NONE) {
            first = i;
            shown++;
        }
    }
    if (lu_json_get(root, "pack_open") || shown == 0) {
        return;
    }
    s->phase = lu_json_get(root, "phase") ? s->phase : JOKER_SHOP;
    s->pack_open = (uint8_t)(pack_kind_of(&s->shown[first]) + 1);
    if (!lu_json_get(root, "pack_shown")) {
        s->pack_shown = (uint8_t)shown;
    }
    if (!lu_json_get(root, "pack_hand")) {
        s->pack_hand = s->held > 0;
    }
    if (!lu_json_get(root, "pack_back")) {
        s->pack_back = s->phase;
    }
    if (!lu_json_get(root, "pack_picks")) {
        s->pack_picks = 1;
        joker_ask_line(&ask->unknown, "pack_picks is not given: taken as 1");
    }
}

/* What follows in a round, which needs a hand. */
static lu_status complete_round(joker_ask *ask, const lu_json_value *root, bool cards,
                                lu_error *error) {
    joker_state *s = &ask->state;
    if (s->held == 0) {
        return lu_fail(error, LU_BAD_DATA,
                       "'hand' must list the held cards: [\"KH\", \"7S:glass\"]");
    }
    if (lu_json_get(root, "hands") && s->hands == 0) {
        return lu_fail(error, LU_BAD_DATA,
                       "'hands' must be at least 1 as long as a hand is to be played");
    }
    if (ask->known && !cards) {
        return lu_fail(error, LU_BAD_DATA,
                       "--draw_order given needs 'draw_pile', its last card drawn first");
    }
    if (!lu_json_get(root, "hands")) {
        s->hands = joker_active_boss(s) == JOKER_BL_NEEDLE ? 1 : s->round_hands;
    }
    if (!lu_json_get(root, "discards")) {
        s->discards = joker_active_boss(s) == JOKER_BL_WATER ? 0 : s->round_discards;
    }
    if (!lu_json_get(root, "target")) {
        s->target = joker_target(&ask->rules, s, s->ante, joker_blind_row(s, s->blind));
        lu_text line = LU_TEXT_INIT;
        joker_step_number(&line, s->target);
        joker_ask_line(&ask->unknown, "target is not given: taken as %s, by ante and blind",
                       line.text);
        lu_text_free(&line);
    }
    debuff(s);
    return LU_OK;
}

/* What follows from the rest. */
static lu_status complete(joker_ask *ask, const lu_json_value *root, lu_error *error) {
    joker_state *s = &ask->state;
    bool cards = lu_json_get(root, "cards") || lu_json_get(root, "draw_pile");
    if (!lu_json_get(root, "phase")) {
        bool shop = lu_json_get(root, "shop") || lu_json_get(root, "packs") ||
                    lu_json_get(root, "shop_vouchers");
        s->phase = shop && s->held == 0 ? JOKER_SHOP : JOKER_PLAY;
    }
    open_pack(ask, root);
    if (!lu_json_get(root, "blind") &&
        (lu_json_get(root, "boss_key") || lu_json_get(root, "boss"))) {
        s->blind = s->phase == JOKER_PLAY ? 2 : s->blind;
    }
    if (lu_json_get(root, "hand") && !cards) {
        fill_pile(ask);
        if (joker_ask_deal(ask, root)) {
            ask->known = true;
            cards = true;
        } else {
            joker_ask_line(&ask->unknown,
                           "draw_pile is not given: taken as the 52 plain cards minus those seen");
        }
    }
    if (!lu_json_get(root, "hand_size")) {
        bool manacle = s->phase == JOKER_PLAY && joker_active_boss(s) == JOKER_BL_MANACLE;
        s->hand_size = (int16_t)(s->hand_size - (manacle && !lu_json_get(root, "juggle")));
        s->hand_size = s->held > s->hand_size ? s->held : s->hand_size;
    }
    if (s->phase == JOKER_PLAY) {
        LU_TRY(complete_round(ask, root, cards, error));
    }
    if (!lu_json_get(root, "hand") && !cards) {
        joker_ask_line(&ask->unknown, "draw_pile is not given: taken as the 52 plain "
                                      "cards");
    }
    joker_ask_prices(ask, root);
    joker_ask_notes(ask, root);
    return joker_ask_check(ask, root, error);
}

/* ---- reading ---- */

static lu_status read_root(joker_ask *ask, const lu_tool_input *input, const lu_json_value *root,
                           lu_error *error) {
    joker_state *s = &ask->state;
    lu_error inner = {LU_OK, ""};
    lu_json json = LU_JSON_INIT;
    memset(s, 0, sizeof *s);
    memset(&ask->rules, 0, sizeof ask->rules);
    ask->rules.fast = 1;
    ask->rules.win_ante = 8;
    joker_seed_number(&ask->rules, s, 1);
    joker_run_start(&ask->rules, s);
    joker_clear_shop(s);
    lu_status status = lu_json_kind_of(root) == LU_JSON_OBJECT
                           ? rewrite(ask, root, &json, &inner)
                           : lu_fail(&inner, LU_BAD_DATA, "a state must be an object");
    if (status == LU_OK) {
        lu_json_document *whole = lu_json_read(input->name, json.text, json.length, &inner);
        status =
            whole ? joker_from_json(&ask->rules.head, s, lu_json_root(whole), &inner) : LU_BAD_DATA;
        lu_json_close(whole);
    }
    if (status == LU_OK) {
        ask->rules.deck = s->deck;
        ask->rules.stake = s->stake;
        s->streams = 0;
        status = complete(ask, root, &inner);
    }
    lu_json_free(&json);
    return status == LU_OK ? LU_OK : lu_fail(error, status, "%s: %s", input->name, inner.text);
}

/* The state with lists in place of those that are typed as texts: "hand": "KH, KD". False when it
 * has none of these. */
static bool write_typed(const lu_json_value *root, lu_json *json) {
    static const char *const cards[] = {"hand", "draw_pile", "discard_pile"};
    bool any = false;
    lu_json_object(json);
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        bool jokers = strcmp(key, "jokers") == 0, typed = jokers;
        for (int k = 0; k < LU_COUNT(cards); k++) {
            typed |= strcmp(key, cards[k]) == 0;
        }
        lu_json_key(json, key);
        if (typed && is_string(value)) {
            (jokers ? joker_typed_jokers : joker_typed_cards)(json, lu_json_text(value, NULL));
            any = true;
        } else {
            lu_json_value_write(json, value);
        }
    }
    lu_json_object_end(json);
    return any;
}

lu_status joker_ask_read(joker_ask *ask, const lu_tool_input *input, lu_error *error) {
    size_t at = 0;
    while (at < input->length && strchr(" \t\r\n", input->text[at]) && input->text[at]) {
        at++;
    }
    if (at >= input->length || input->text[at] != '{') {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: this isn't a JSON state; the game's own save files cannot be read (see "
                       "games/joker/README.md, State)",
                       input->name);
    }
    lu_json typed = LU_JSON_INIT;
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (document && write_typed(lu_json_root(document), &typed)) {
        lu_json_close(document);
        document = lu_json_read(input->name, typed.text, typed.length, error);
    }
    lu_status status =
        document ? read_root(ask, input, lu_json_root(document), error) : LU_BAD_DATA;
    lu_json_close(document);
    lu_json_free(&typed);
    return status;
}
