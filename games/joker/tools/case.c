/* Cases of scored hands, read and run; see case.h. */
#include "case.h"

#include "rules/joker_outlook.h"

#include "ludus/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- jokers ---- */

static lu_status read_jokers(const lu_json_value *list, joker_state *s, lu_error *error) {
    if (list && lu_json_kind_of(list) != LU_JSON_ARRAY) {
        return lu_fail(error, LU_BAD_DATA, "'jokers' must be a list");
    }
    if (lu_json_count(list) > JOKER_ROW_MAX) {
        return lu_fail(error, LU_BAD_DATA, "'jokers' has more than %d entries", JOKER_ROW_MAX);
    }
    for (size_t k = 0; k < lu_json_count(list); k++) {
        LU_TRY(joker_joker_from(lu_json_at(list, k), s, &s->joker[s->jokers], error));
        s->jokers++;
    }
    return LU_OK;
}

/* ---- the rest of a case ---- */

/* A list of cards: they go into the state's cards, their indices into `index`. */
static lu_status read_cards(const lu_json_value *entry, const char *key, int least, int most,
                            joker_state *s, uint8_t *index, int32_t *count, lu_error *error) {
    const lu_json_value *list = lu_json_get(entry, key);
    size_t n = lu_json_count(list);
    *count = 0;
    if ((list && lu_json_kind_of(list) != LU_JSON_ARRAY) || n < (size_t)least || n > (size_t)most) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a list of %d to %d cards", key, least,
                       most);
    }
    for (size_t k = 0; k < n; k++) {
        const lu_json_value *value = lu_json_at(list, k);
        if (lu_json_kind_of(value) != LU_JSON_STRING) {
            return lu_fail(error, LU_BAD_DATA, "entry %zu of '%s' must be a text like \"KH\"",
                           k + 1, key);
        }
        int at = s->next_order;
        LU_TRY(joker_card_read(key, lu_json_text(value, NULL), &s->card[at], error));
        s->card[at].order = s->next_order++;
        index[(*count)++] = (uint8_t)at;
    }
    return LU_OK;
}

/* Levels {"Pair": 3} and plays {"Pair": [in the run, this round]}. */
static lu_status read_hands(const lu_json_value *entry, joker_state *s, lu_error *error) {
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        s->level[hand] = 1;
        s->visible |= (uint16_t)(joker_hand_facts[hand].visible ? 1u << hand : 0u);
    }
    for (int which = 0; which < 2; which++) {
        const char *member = which ? "plays" : "levels";
        const lu_json_value *object = lu_json_get(entry, member);
        if (object && lu_json_kind_of(object) != LU_JSON_OBJECT) {
            return lu_fail(error, LU_BAD_DATA, "'%s' must be an object by hands", member);
        }
        for (size_t k = 0; k < lu_json_count(object); k++) {
            const char *key;
            const lu_json_value *value = lu_json_member(object, k, &key);
            int hand = joker_find_hand(key);
            double run = lu_json_real_or(which ? lu_json_at(value, 0) : value, -1.0);
            double round = which ? lu_json_real_or(lu_json_at(value, 1), -1.0) : 0.0;
            if (hand < 0) {
                return lu_fail(error, LU_BAD_DATA, "'%s': there is no hand '%.40s'", member, key);
            }
            if (!(run >= 0.0 && run <= 60000.0 && round >= 0.0 && round <= 250.0) ||
                (which && lu_json_count(value) != 2)) {
                return lu_fail(error, LU_BAD_DATA,
                               which ? "'%s' of '%s' must be [plays of the run, of this round]"
                                     : "'%s' of '%s' must be a number from 0 to 60000",
                               member, key);
            }
            if (which) {
                s->plays[hand] = (uint16_t)run;
                s->plays_round[hand] = (uint8_t)round;
                s->visible |= (uint16_t)(run > 0.0 ? 1u << hand : 0u);
            } else {
                s->level[hand] = (uint16_t)run;
            }
        }
    }
    return LU_OK;
}

/* A whole number of ctx, or `other` when it is not there. */
static lu_status whole(const lu_json_value *ctx, const char *key, int64_t low, int64_t high,
                       int64_t other, int64_t *value, lu_error *error) {
    *value = other;
    return lu_json_get(ctx, key) ? lu_json_get_int(ctx, key, low, high, value, error) : LU_OK;
}

/* A row of a table by key in ctx, or `other`. */
static lu_status named(const lu_json_value *ctx, const char *key, const joker_words *words,
                       int count, int other, int *value, lu_error *error) {
    const char *text;
    *value = other;
    if (!lu_json_get(ctx, key)) {
        return LU_OK;
    }
    LU_TRY(lu_json_get_text(ctx, key, &text, error));
    *value = joker_words_find(words, count, text);
    return *value >= 0 ? LU_OK : joker_no_such(key, words, count, text, error);
}

/* What else counts, into the state. */
static lu_status read_ctx(const lu_json_value *ctx, joker_state *s, lu_error *error) {
    int negatives = 0, blind, deck, hand;
    int64_t hands, discards, money, left, size, start, slots, tarots, skips, played, bag;
    for (int i = 0; i < s->jokers; i++) {
        negatives += s->joker[i].edition == JOKER_NEGATIVE ? 1 : 0;
    }
    int64_t cards = s->next_order;
    lu_status status = LU_OK;
#define READ(call) status = status == LU_OK ? (call) : status
    READ(whole(ctx, "hands_left", 0, 1000, 3, &hands, error));
    READ(whole(ctx, "discards_left", 0, 1000, 3, &discards, error));
    READ(whole(ctx, "money", -1000000, 1000000000, 4, &money, error));
    READ(whole(ctx, "deck_size", 0, 255, 52, &size, error));
    READ(whole(ctx, "deck_left", 0, 255, size > cards ? size - cards : 0, &left, error));
    READ(whole(ctx, "start_deck", 0, 255, 52, &start, error));
    READ(whole(ctx, "joker_slots", 0, 100, 5 + negatives, &slots, error));
    READ(whole(ctx, "tarots_used", 0, 1000000, 0, &tarots, error));
    READ(whole(ctx, "skips", 0, 1000000, 0, &skips, error));
    READ(whole(ctx, "hands_played_round", 0, 1000, 0, &played, error));
    READ(whole(ctx, "free_slots", 0, JOKER_SCORING_MADE, 2, &bag, error));
    READ(named(ctx, "blind", joker_blind_words, JOKER_BLINDS, JOKER_BL_SMALL, &blind, error));
    READ(named(ctx, "deck", joker_deck_words, JOKER_DECKS, JOKER_B_RED, &deck, error));
    READ(named(ctx, "ox_hand", joker_hand_words, JOKER_HANDS, JOKER_HIGH_CARD, &hand, error));
    if (status != LU_OK) {
        return status;
    }
    s->ox_hand = (uint8_t)hand;
    status = named(ctx, "first_hand", joker_hand_words, JOKER_HANDS, JOKER_NONE, &hand, error);
#undef READ
    s->first_hand = (uint8_t)hand;
    s->phase = JOKER_PLAY;
    s->boss = (uint8_t)blind;
    s->blind = blind > JOKER_BL_BIG ? 2 : (uint8_t)blind;
    s->deck = (uint8_t)deck;
    s->hands = (int16_t)hands;
    s->discards = (int16_t)discards;
    s->money = (int32_t)money;
    s->draws = (uint8_t)left;
    s->owned = (uint8_t)size;
    s->start_deck = (uint8_t)start;
    s->joker_slots = (int16_t)(slots - negatives);
    s->tarots = (int32_t)tarots;
    s->skips = (int32_t)skips;
    s->played_round = (int16_t)played;
    s->bag_slots = (int16_t)bag;
    return status;
}

/* Facts that the cards of a case alone do not tell. */
static lu_status read_facts(const lu_json_value *ctx, joker_scoring *call, lu_error *error) {
    int64_t odds, stone, steel, enhanced;
    lu_status status = whole(ctx, "odds", 1, 65536, call->odds, &odds, error);
    LU_THEN(status,
            whole(ctx, "stone_in_deck", 0, 1000, call->count[JOKER_N_STONE], &stone, error));
    LU_THEN(status,
            whole(ctx, "steel_in_deck", 0, 1000, call->count[JOKER_N_STEEL], &steel, error));
    LU_THEN(status, whole(ctx, "enhanced_in_deck", 0, 1000, call->enhanced, &enhanced, error));
    if (status != LU_OK) {
        return status;
    }
    call->odds = (int32_t)odds;
    call->count[JOKER_N_STONE] = (int32_t)stone;
    call->count[JOKER_N_STEEL] = (int32_t)steel;
    call->enhanced = (int32_t)enhanced;
    const lu_json_value *planets = lu_json_get(ctx, "observatory");
    if (planets && lu_json_kind_of(planets) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'observatory' must be an object: Planets by hands");
    }
    for (size_t k = 0; k < lu_json_count(planets); k++) {
        const char *key;
        double held = lu_json_real_or(lu_json_member(planets, k, &key), -1.0);
        int hand = joker_find_hand(key);
        if (hand < 0 || !(held >= 0.0 && held <= 100.0)) {
            return lu_fail(error, LU_BAD_DATA,
                           "'observatory': '%.40s' must be a hand with 0 to 100 Planets", key);
        }
        call->planets[hand] = (uint8_t)held;
    }
    return LU_OK;
}

lu_status joker_case_read(const lu_json_value *entry, joker_case *out, lu_error *error) {
    joker_state *s = &out->state;
    joker_scoring *call = &out->call;
    const lu_json_value *ctx = lu_json_get(entry, "ctx");
    memset(out, 0, sizeof *out);
    if (ctx && lu_json_kind_of(ctx) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'ctx' must be an object");
    }
    s->ante = 1;
    s->run_hands = 6;
    lu_status status =
        read_cards(entry, "played", 1, JOKER_PLAY_MAX, s, call->played, &call->played_count, error);
    if (status == LU_OK) {
        status =
            read_cards(entry, "held", 0, JOKER_HAND_MAX, s, call->held, &call->held_count, error);
    }
    LU_THEN(status, read_jokers(lu_json_get(entry, "jokers"), s, error));
    LU_THEN(status, read_hands(entry, s, error));
    LU_THEN(status, read_ctx(ctx, s, error));
    if (status != LU_OK) {
        return status;
    }
    joker_scoring_facts(&out->rules, s, call);
    call->luck.mode = JOKER_LUCK_WORST;
    return read_facts(ctx, call, error);
}

lu_status joker_case_check(const lu_json_value *entry, lu_error *error) {
    static const char *const keys[] = {"hands_left",    "discards_left",      "money",
                                       "deck_left",     "deck_size",          "start_deck",
                                       "joker_slots",   "tarots_used",        "stone_in_deck",
                                       "steel_in_deck", "enhanced_in_deck",   "skips",
                                       "blind",         "hands_played_round", "deck",
                                       "odds",          "observatory",        "free_slots",
                                       "ox_hand",       "first_hand"};
    /* those behind the context say of a recorded case what it is and who agrees on it */
    static const char *const members[] = {"played",
                                          "held",
                                          "jokers",
                                          "levels",
                                          "plays",
                                          "ctx",
                                          "id",
                                          "group",
                                          "note",
                                          "agree",
                                          "peers",
                                          "expect",
                                          "state_after_scoring"};
    const lu_json_value *ctx = lu_json_get(entry, "ctx");
    LU_TRY(joker_check_keys(entry, "a case", members, LU_COUNT(members), error));
    return lu_json_kind_of(ctx) == LU_JSON_OBJECT
               ? joker_check_keys(ctx, "'ctx'", keys, LU_COUNT(keys), error)
               : LU_OK;
}

/* ---- running ---- */

void joker_case_score(joker_case *c, bool after) {
    joker_score_run(&c->rules, &c->state, &c->call);
    if (after) {
        joker_score_after(&c->call);
    }
}

joker_case_range joker_case_outlook(joker_case *c, int32_t limit) {
    joker_outlook outlook;
    joker_case_range range;
    joker_look(&c->rules, &c->state, &c->call, limit, 0.0, &outlook);
    range.worst = outlook.worst;
    range.mean = outlook.mean;
    range.best = outlook.best;
    range.dollars = outlook.dollars;
    range.outcomes = outlook.outcomes;
    range.exact = outlook.exact;
    return range;
}
