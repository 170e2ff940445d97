/* Checks of scored hands and of hand detection: chips and score exactly, mult within 1e-9 of its
 * value, dollars where the case knows them, what jokers store afterwards. */
#include "verify.h"

#include "case.h"
#include "rules/joker_hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MULT_TOLERANCE 1e-9

/* A list that stands for bits, in any order, against ours: `ours` is the list as we would write it.
 */
static lu_status check_bits(lu_check *c, const char *key, const lu_json_value *want, uint32_t bits,
                            uint32_t got, const lu_json *ours) {
    lu_json_document *document = lu_json_read(key, ours->text, ours->length, c->error);
    if (document) {
        lu_check_value(c, key, want, bits == got ? want : lu_json_root(document));
    }
    lu_status status = document ? LU_OK : LU_BAD_DATA;
    lu_json_close(document);
    return status;
}

/* The list of scoring cards against our bits. */
static lu_status check_scoring_cards(lu_check *c, const lu_json_value *want, uint32_t got) {
    uint32_t bits = 0;
    lu_json ours = LU_JSON_INIT;
    lu_json_array(&ours);
    for (int k = 0; k < JOKER_PLAY_MAX; k++) {
        if (got >> k & 1u) {
            lu_json_int(&ours, k);
        }
    }
    lu_json_array_end(&ours);
    for (size_t k = 0; k < lu_json_count(want); k++) {
        double index = lu_json_real_or(lu_json_at(want, k), -1.0);
        bits |= index >= 0.0 && index < 5.0 ? 1u << (int)index : 1u << 31;
    }
    lu_status status = check_bits(c, "scoring", want, bits, got, &ours);
    lu_json_free(&ours);
    return status;
}

/* The list of hands that the cards contain, likewise. */
static lu_status check_contains(lu_check *c, const lu_json_value *want, uint32_t got) {
    uint32_t bits = 0;
    lu_json ours = LU_JSON_INIT;
    lu_json_array(&ours);
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if (got >> hand & 1u) {
            lu_json_string(&ours, joker_hand_words[hand].title);
        }
    }
    lu_json_array_end(&ours);
    for (size_t k = 0; k < lu_json_count(want); k++) {
        const lu_json_value *name = lu_json_at(want, k);
        bool text = lu_json_kind_of(name) == LU_JSON_STRING;
        int hand = text ? joker_find_hand(lu_json_text(name, NULL)) : -1;
        bits |= hand >= 0 ? 1u << hand : 1u << 31;
    }
    lu_status status = check_bits(c, "contains", want, bits, got, &ours);
    lu_json_free(&ours);
    return status;
}

static void check_hand(lu_check *c, const lu_json_value *expect, int hand) {
    const char *text = "";
    if (lu_json_get_text(expect, "hand", &text, NULL) == LU_OK) {
        lu_check_text(c, "hand", text, joker_hand_words[hand].title);
    }
}

static void check_real(lu_check *c, const lu_json_value *expect, const char *key, double got,
                       double relative) {
    const lu_json_value *want = lu_json_get(expect, key);
    if (lu_json_kind_of(want) == LU_JSON_NUMBER) {
        double number = lu_json_real_or(want, 0.0);
        lu_check_number(c, key, number, got, relative * fmax(fabs(number), fabs(got)));
    }
}

/* What a joker stores: the members the case lists, numbers within the tolerance. */
static lu_status check_store(lu_check *c, const joker_case *hand, int place,
                             const lu_json_value *want) {
    lu_json json = LU_JSON_INIT;
    joker_store_write(&hand->state, &hand->call.joker[place], &json);
    lu_json_document *document = lu_json_read("store", json.text, json.length, c->error);
    for (size_t k = 0; document && k < lu_json_count(want); k++) {
        const char *key;
        char at[80];
        const lu_json_value *value = lu_json_member(want, k, &key);
        const lu_json_value *ours = lu_json_get(lu_json_root(document), key);
        snprintf(at, sizeof at, "state_after_scoring/%d/%.40s", place, key);
        if (lu_json_kind_of(value) == LU_JSON_NUMBER && lu_json_kind_of(ours) == LU_JSON_NUMBER) {
            double number = lu_json_real_or(value, 0.0);
            lu_check_number(c, at, number, lu_json_real_or(ours, 0.0),
                            MULT_TOLERANCE * fabs(number));
        } else {
            lu_check_value(c, at, value, ours);
        }
    }
    lu_json_close(document);
    lu_json_free(&json);
    return document ? LU_OK : LU_BAD_DATA;
}

lu_status joker_check_scoring(lu_check *c, const lu_json_value *entry) {
    const lu_json_value *expect = lu_json_get(entry, "expect");
    const lu_json_value *after = lu_json_get(entry, "state_after_scoring");
    lu_error inner;
    if (lu_json_kind_of(expect) != LU_JSON_OBJECT) {
        return lu_check_bad(c, "'expect' must be an object");
    }
    joker_case *hand = lu_alloc(sizeof *hand);
    lu_status status = joker_case_read(entry, hand, &inner);
    if (status != LU_OK) {
        status = lu_check_bad(c, inner.text);
    } else if (after && lu_json_count(after) != (size_t)hand->call.jokers) {
        status = lu_check_bad(c, "'state_after_scoring' must have an entry for every joker");
    } else {
        joker_case_score(hand, false);
        const joker_scoring *call = &hand->call;
        check_hand(c, expect, call->found.hand);
        status = check_scoring_cards(c, lu_json_get(expect, "scoring"), call->found.scoring);
        check_real(c, expect, "chips", call->chips, 0.0);
        check_real(c, expect, "mult", call->mult, MULT_TOLERANCE);
        check_real(c, expect, "score", call->score, 0.0);
        check_real(c, expect, "dollars", call->dollars, 0.0);
        for (size_t k = 0; k < lu_json_count(after) && status == LU_OK; k++) {
            status = check_store(c, hand, (int)k, lu_json_at(after, k));
        }
    }
    free(hand);
    return status;
}

/* Rule jokers by key; false when one is none. */
static bool read_rules(const lu_json_value *list, uint32_t *rules) {
    *rules = 0;
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *key = lu_json_at(list, k);
        int id =
            lu_json_kind_of(key) == LU_JSON_STRING ? joker_find_joker(lu_json_text(key, NULL)) : -1;
        if (id < 0 || !joker_rows[id].rules) {
            return false;
        }
        *rules |= joker_rows[id].rules;
    }
    return true;
}

lu_status joker_check_detection(lu_check *c, const lu_json_value *entry) {
    const lu_json_value *played = lu_json_get(entry, "played");
    const lu_json_value *expect = lu_json_get(entry, "expect");
    const lu_json_value *contains = lu_json_get(expect, "contains");
    joker_card cards[JOKER_PLAY_MAX];
    uint32_t rules;
    lu_error inner;
    size_t n = lu_json_count(played);
    if (lu_json_kind_of(played) != LU_JSON_ARRAY || n < 1 || n > JOKER_PLAY_MAX) {
        return lu_check_bad(c, "'played' must be a list of 1 to 5 cards");
    }
    if (!read_rules(lu_json_get(entry, "rules"), &rules)) {
        return lu_check_bad(c, "'rules' must be a list of rule jokers");
    }
    for (size_t k = 0; k < n; k++) {
        const lu_json_value *card = lu_json_at(played, k);
        const char *text = lu_json_kind_of(card) == LU_JSON_STRING ? lu_json_text(card, NULL) : "";
        if (joker_card_read("played", text, &cards[k], &inner) != LU_OK) {
            return lu_check_bad(c, inner.text);
        }
        cards[k].order = (uint16_t)k;
    }
    joker_found found = joker_detect(cards, (int)n, rules);
    check_hand(c, expect, found.hand);
    lu_status status = check_scoring_cards(c, lu_json_get(expect, "scoring"), found.scoring);
    return contains && status == LU_OK ? check_contains(c, contains, found.contains) : status;
}
