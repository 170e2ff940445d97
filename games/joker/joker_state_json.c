/* States of joker as JSON: what a player sees (seat 0), everything (seat -1), and back. Plain
 * numbers go by one table of fields; cards are written as in vectors ("KH:glass,redseal,+5"). A
 * person may give hand, draw_pile and discard_pile as lists of such cards; a whole state has
 * `cards` (places in memory) and lists of places instead. Reading checks every number and index,
 * and that each card lies in exactly one place. */
#include "joker_json_parts.h"
#include "joker_words.h"
#include "variants/joker_layout.h"

#include "ludus/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plain numbers ---- */

enum { SEEN = false, HIDDEN = true }; /* HIDDEN: with seat -1 only */

#define FIELD(member, number, entries, see, least, most_)                                          \
    {                                                                                              \
        LU_FIELD(joker_state, member), .kind = LU_NUMBER_##number, .count = (entries),             \
                                       .hidden = (see), .low = (least), .high = (most_)            \
    }
#define ONE(member, kind, low, high, see) FIELD(member, kind, 0, see, low, high)
#define NONE(member, entries, most_)                                                               \
    {                                                                                              \
        LU_FIELD(joker_state, member), .kind = LU_NUMBER_U8, .count = (entries), .high = (most_),  \
                                       .none = JOKER_NONE                                          \
    }
#define MANY(member, kind, low, high, see)                                                         \
    FIELD(member, kind, LU_FIELD_COUNT(joker_state, member), see, low, high)
#define COUNT 1e6

static const lu_state_field fields[] = {
    ONE(score, REAL, 0, 1e300, SEEN),
    ONE(target, REAL, 0, 1e300, SEEN),
    ONE(hashed, REAL, 0, 1, HIDDEN),
    ONE(last_chips, REAL, -1e300, 1e300, SEEN),
    ONE(last_mult, REAL, -1e300, 1e300, SEEN),
    ONE(last_score, REAL, 0, 1e300, SEEN),
    ONE(chips_jokers, REAL, -1e300, 1e300, HIDDEN),
    ONE(mult_jokers, REAL, -1e300, 1e300, HIDDEN),
    ONE(x_jokers, REAL, -1e300, 1e300, HIDDEN),
    ONE(best, REAL, 0, 1e300, SEEN),
    ONE(last_gain, REAL, 0, 1e300, HIDDEN),
    ONE(money, I32, -COUNT, COUNT, SEEN),
    ONE(owed, I32, -COUNT, COUNT, SEEN),
    ONE(steps, I32, 0, 1e9, SEEN),
    ONE(illegal, I32, 0, 1e9, SEEN),
    ONE(round, I32, 0, COUNT, SEEN),
    ONE(run_hands, I32, 0, COUNT, SEEN),
    ONE(unused_discards, I32, 0, COUNT, SEEN),
    ONE(skips, I32, 0, COUNT, SEEN),
    ONE(tarots, I32, 0, COUNT, SEEN),
    ONE(rerolls, I32, 0, COUNT, SEEN),
    ONE(reroll_paid, I32, 0, COUNT, SEEN),
    ONE(last_action, I32, -1, JOKER_TYPES - 1, HIDDEN),
    ONE(last_cost, I32, -COUNT, COUNT, HIDDEN),
    ONE(last_money, I32, -COUNT, COUNT, HIDDEN),
    ONE(last_cards, I32, 0, JOKER_PLAY_MAX, HIDDEN),
    ONE(last_type, I32, -1, 12, HIDDEN),
    ONE(last_tag, I32, -1, JOKER_TAGS - 1, HIDDEN),
    ONE(last_consumable, I32, -1, JOKER_CONSUMABLES - 1, HIDDEN),
    ONE(last_sold, I32, -1, JOKER_JOKERS - 1, HIDDEN),
    ONE(last_cleared, I32, 0, 1, HIDDEN),
    ONE(ante, I16, -2, 1000, SEEN),
    ONE(top_ante, I16, -2, 1000, SEEN),
    ONE(hands, I16, 0, 1000, SEEN),
    ONE(discards, I16, 0, 1000, SEEN),
    ONE(round_hands, I16, -1000, 1000, SEEN),
    ONE(round_discards, I16, -1000, 1000, SEEN),
    ONE(hand_size, I16, -1000, 1000, SEEN),
    ONE(juggle, I16, -1000, 1000, SEEN),
    ONE(joker_slots, I16, 0, 100, SEEN),
    ONE(bag_slots, I16, 0, 100, SEEN),
    ONE(played_round, I16, 0, 1000, SEEN),
    ONE(discarded_round, I16, 0, 1000, SEEN),
    ONE(free_rerolls, I16, 0, 1000, SEEN),
    ONE(reroll_base, I16, -100, 1000, SEEN),
    ONE(inflation, I16, 0, 1000, SEEN),
    ONE(spending_floor, I16, 0, 1000, SEEN),
    ONE(next_order, U16, 0, 65535, HIDDEN),
    ONE(phase, U8, 0, JOKER_END, SEEN),
    ONE(blind, U8, 0, 2, SEEN),
    ONE(boss, U8, 2, JOKER_BLINDS - 1, SEEN),
    ONE(disabled, U8, 0, 1, SEEN),
    ONE(boss_acted, U8, 0, 1, SEEN),
    ONE(boss_rerolled, U8, 0, 255, SEEN),
    ONE(tag_small, U8, 0, JOKER_TAGS - 1, SEEN),
    ONE(tag_big, U8, 0, JOKER_TAGS - 1, SEEN),
    NONE(orbital, LU_FIELD_COUNT(joker_state, orbital), JOKER_HANDS - 1),
    ONE(ox_hand, U8, 0, JOKER_HANDS - 1, SEEN),
    NONE(first_hand, 0, JOKER_HANDS - 1),
    NONE(last_hand, 0, JOKER_HANDS - 1),
    ONE(won, U8, 0, 1, SEEN),
    ONE(lost, U8, 0, 1, SEEN),
    ONE(saved, U8, 0, 1, SEEN),
    ONE(first_shop, U8, 0, 1, SEEN),
    ONE(gros_michel_gone, U8, 0, 1, SEEN),
    NONE(last_used, 0, JOKER_SPECTRAL_0 - 1),
    NONE(heart, 0, JOKER_ROW_MAX - 1),
    ONE(prepared, U8, 0, 1, SEEN),
    ONE(idol_rank, U8, 2, 14, SEEN),
    ONE(idol_suit, U8, 0, 3, SEEN),
    ONE(mail_rank, U8, 2, 14, SEEN),
    ONE(ancient_suit, U8, 0, 3, SEEN),
    ONE(castle_suit, U8, 0, 3, SEEN),
    ONE(interest_cap, U8, 0, 100, SEEN),
    ONE(edition_rate, U8, 1, 4, SEEN),
    ONE(discount, U8, 0, 50, SEEN),
    ONE(ectoplasms, U8, 0, 255, SEEN),
    ONE(deck, U8, 0, JOKER_DECKS - 1, SEEN),
    ONE(stake, U8, 0, JOKER_STAKES - 1, SEEN),
    MANY(boss_uses, U8, 0, 255, SEEN),
    ONE(vouchers, U32, 0, 4294967295.0, SEEN),
    ONE(planets_used, U32, 0, 4095, SEEN),
    MANY(level, U16, 0, 65535, SEEN),
    MANY(plays, U16, 0, 65535, SEEN),
    MANY(plays_round, U8, 0, 255, SEEN),
    ONE(visible, U16, 0, 4095, SEEN),
    ONE(selected, U16, 0, 65535, SEEN),
    ONE(start_deck, U8, 0, JOKER_DECK_MAX, SEEN),
    ONE(shop_slots, U8, 0, JOKER_SHOP_MAX, SEEN),
    ONE(pack_open, U8, 0, JOKER_PACK_KINDS, SEEN),
    ONE(pack_shown, U8, 0, JOKER_PACK_MAX, SEEN),
    ONE(pack_picks, U8, 0, JOKER_PACK_MAX, SEEN),
    ONE(pack_hand, U8, 0, 1, SEEN),
    ONE(pack_back, U8, 0, JOKER_END, SEEN),
    NONE(ante_voucher, 0, JOKER_VOUCHERS - 1),
    ONE(boss_took, U8, 0, 255, HIDDEN),
    ONE(pressed, U8, 0, 1, HIDDEN),
    MANY(full, U32, 0, 4294967295.0, HIDDEN),
    ONE(rng, HEX, 0, 0, HIDDEN),
    ONE(number, HEX, 0, 0, HIDDEN),
};
enum { FIELDS = LU_COUNT(fields) };

/* A number within limits; whole where the kind is. */
static lu_status check_number(const char *name, const lu_json_value *value, double low, double high,
                              bool whole, double *number, lu_error *error) {
    double x = lu_json_real_or(value, -1e301);
    *number = 0.0;
    if (!(x >= low && x <= high) || (whole && (x < -9e15 || x > 9e15 || x != (double)(int64_t)x))) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a %snumber from %.10g to %.10g", name,
                       whole ? "whole " : "", low, high);
    }
    *number = x;
    return LU_OK;
}

/* ---- cards ---- */

static void put_card(const joker_card *card, bool hidden, lu_json *json) {
    lu_text text = LU_TEXT_INIT;
    if (hidden) {
        lu_text_add(&text, "??");
    } else {
        joker_put_card(card, &text);
    }
    lu_json_string(json, text.text);
    lu_text_free(&text);
}

static void put_zone(const joker_state *s, const char *key, const uint8_t *index, int count,
                     int seat, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        const joker_card *card = &s->card[index[i]];
        put_card(card, seat >= 0 && card->flags & JOKER_CARD_DOWN, json);
    }
    lu_json_array_end(json);
}

/* What may still be drawn, sorted, so that the order tells nothing. */
static void put_unknown(const joker_state *s, lu_json *json) {
    uint8_t index[JOKER_DECK_MAX + JOKER_HAND_MAX];
    int count = 0;
    for (int i = 0; i < s->draws; i++) {
        index[count++] = s->draw[i];
    }
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            index[count++] = s->hand[i];
        }
    }
    joker_sort_cards(s, index, count);
    lu_json_key_array(json, "draw_pile");
    for (int i = 0; i < count; i++) {
        joker_card card = s->card[index[i]];
        card.flags = 0;
        put_card(&card, false, json);
    }
    lu_json_array_end(json);
}

static void put_places(const char *key, const uint8_t *index, int count, lu_json *json) {
    lu_json_key_array(json, key);
    for (int i = 0; i < count; i++) {
        lu_json_int(json, index[i]);
    }
    lu_json_array_end(json);
}

/* The pool as it lies in memory: a card and its sort number, null for a free place. */
static void put_pool(const joker_state *s, lu_json *json) {
    lu_json_key_array(json, "cards");
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (s->card[i].rank == 0) {
            lu_json_null(json);
            continue;
        }
        lu_json_array(json);
        put_card(&s->card[i], false, json);
        lu_json_int(json, s->card[i].order);
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
    put_places("draw_places", s->draw, s->draws, json);
    put_places("hand_places", s->hand, s->held, json);
    put_places("discard_places", s->gone, s->gones, json);
}

static lu_status read_pool(joker_state *s, const lu_json_value *cards, lu_error *error) {
    if (lu_json_kind_of(cards) != LU_JSON_ARRAY || lu_json_count(cards) != JOKER_DECK_MAX) {
        return lu_fail(error, LU_BAD_DATA, "'cards' must be a list of %d places", JOKER_DECK_MAX);
    }
    memset(s->card, 0, sizeof s->card);
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        const lu_json_value *place = lu_json_at(cards, (size_t)i);
        double order;
        if (lu_json_kind_of(place) == LU_JSON_NULL) {
            continue;
        }
        if (lu_json_kind_of(place) != LU_JSON_ARRAY || lu_json_count(place) != 2) {
            return lu_fail(error, LU_BAD_DATA,
                           "place %d of 'cards' must be null or a card and its number", i);
        }
        LU_TRY(joker_card_from("cards", lu_json_at(place, 0), &s->card[i], error));
        LU_TRY(check_number("cards", lu_json_at(place, 1), 0, 65535, true, &order, error));
        s->card[i].order = (uint16_t)order;
    }
    return LU_OK;
}

/* Places of a zone; each must hold a card that no other zone has. */
static lu_status read_places(joker_state *s, const lu_json_value *value, const char *key,
                             uint8_t *index, int most, uint8_t *count, uint8_t *used,
                             lu_error *error) {
    const lu_json_value *list = lu_json_get(value, key);
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || lu_json_count(list) > (size_t)most) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a list of at most %d places", key, most);
    }
    memset(index, 0, (size_t)most);
    *count = (uint8_t)lu_json_count(list);
    for (int i = 0; i < *count; i++) {
        double place;
        lu_status status = check_number(key, lu_json_at(list, (size_t)i), 0, JOKER_DECK_MAX - 1,
                                        true, &place, error);
        if (status != LU_OK) {
            return status;
        }
        if (s->card[(int)place].rank == 0 || used[(int)place]++) {
            return lu_fail(error, LU_BAD_DATA, "'%s': no card is free at place %d", key,
                           (int)place);
        }
        index[i] = (uint8_t)place;
    }
    return LU_OK;
}

/* Cards given one by one go to the next free place of the pool. */
static lu_status read_zone(joker_state *s, const lu_json_value *value, const char *key,
                           uint8_t *index, int most, uint8_t *count, lu_error *error) {
    const lu_json_value *list = lu_json_get(value, key);
    memset(index, 0, (size_t)most);
    *count = 0;
    if (!list) {
        return LU_OK;
    }
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || lu_json_count(list) > (size_t)most) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a list of at most %d cards", key, most);
    }
    for (size_t i = 0; i < lu_json_count(list); i++) {
        if (s->owned >= JOKER_DECK_MAX) {
            return lu_fail(error, LU_BAD_DATA, "a deck holds at most %d cards", JOKER_DECK_MAX);
        }
        joker_card *card = &s->card[s->owned];
        LU_TRY(joker_card_from(key, lu_json_at(list, i), card, error));
        card->order = s->next_order++;
        index[(*count)++] = s->owned++;
    }
    return LU_OK;
}

static lu_status read_cards(joker_state *s, const lu_json_value *value, lu_error *error) {
    const lu_json_value *pool = lu_json_get(value, "cards");
    if (pool) {
        uint8_t used[JOKER_DECK_MAX] = {0};
        LU_TRY(read_pool(s, pool, error));
        LU_TRY(
            read_places(s, value, "draw_places", s->draw, JOKER_DECK_MAX, &s->draws, used, error));
        LU_TRY(
            read_places(s, value, "hand_places", s->hand, JOKER_HAND_MAX, &s->held, used, error));
        LU_TRY(read_places(s, value, "discard_places", s->gone, JOKER_DECK_MAX, &s->gones, used,
                           error));
        s->owned = 0;
        for (int i = 0; i < JOKER_DECK_MAX; i++) {
            s->owned = (uint8_t)(s->owned + (s->card[i].rank > 0));
            if ((s->card[i].rank > 0) != used[i]) {
                return lu_fail(error, LU_BAD_DATA, "the card at place %d lies nowhere", i);
            }
        }
        return LU_OK;
    }
    if (!lu_json_get(value, "hand") && !lu_json_get(value, "draw_pile") &&
        !lu_json_get(value, "discard_pile")) {
        return LU_OK;
    }
    memset(s->card, 0, sizeof s->card);
    s->owned = 0;
    s->next_order = 1;
    LU_TRY(read_zone(s, value, "draw_pile", s->draw, JOKER_DECK_MAX, &s->draws, error));
    LU_TRY(read_zone(s, value, "hand", s->hand, JOKER_HAND_MAX, &s->held, error));
    LU_TRY(read_zone(s, value, "discard_pile", s->gone, JOKER_DECK_MAX, &s->gones, error));
    return LU_OK;
}

/* ---- the whole ---- */

static void put_titles(const joker_state *s, lu_json *json) {
    lu_json_key_string(json, "deck_key", joker_deck_words[s->deck].key);
    lu_json_key_string(json, "stake_key", joker_stake_words[s->stake].key);
    lu_json_key_string(json, "boss_key", joker_blind_words[s->boss].key);
    lu_json_key_string(json, "boss_title", joker_blind_words[s->boss].title);
    lu_json_key_string(json, "boss_effect", joker_blind_words[s->boss].effect);
    lu_json_key_string(json, "tag_small_key", joker_tag_words[s->tag_small].key);
    lu_json_key_string(json, "tag_big_key", joker_tag_words[s->tag_big].key);
}

static void put_streams(const joker_rules *m, const joker_state *s, lu_json *json) {
    lu_json_key_array(json, "streams");
    for (int i = 0; i < JOKER_STREAM_SLOTS && !m->fast; i++) {
        if (s->stream_key[i]) {
            lu_json_array(json);
            lu_json_int(json, i);
            lu_json_int(json, s->stream_key[i]);
            lu_json_real(json, s->stream[i]);
            lu_json_array_end(json);
        }
    }
    lu_json_array_end(json);
}

static lu_status read_streams(joker_state *s, const lu_json_value *list, lu_error *error) {
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || lu_json_count(list) > JOKER_STREAMS_MAX) {
        return lu_fail(error, LU_BAD_DATA, "'streams' must be a list of at most %d entries",
                       JOKER_STREAMS_MAX);
    }
    memset(s->stream_key, 0, sizeof s->stream_key);
    memset(s->stream, 0, sizeof s->stream);
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        double slot, key, value;
        LU_TRY(check_number("streams", lu_json_at(entry, 0), 0, JOKER_STREAM_SLOTS - 1, true, &slot,
                            error));
        LU_TRY(check_number("streams", lu_json_at(entry, 1), 1, 4294967295.0, true, &key, error));
        LU_TRY(check_number("streams", lu_json_at(entry, 2), 0, 1, false, &value, error));
        s->stream_key[(int)slot] = (uint32_t)key;
        s->stream[(int)slot] = value;
    }
    s->streams = 0;
    for (int i = 0; i < JOKER_STREAM_SLOTS; i++) {
        s->streams += s->stream_key[i] != 0;
    }
    return LU_OK;
}

static void put_guide(const joker_guide_memory *g, lu_json *json) {
    const double numbers[] = {g->flush,    g->straight, g->pairs,    g->hands, g->build[0],
                              g->build[1], g->build[2], g->discards, g->hand};
    lu_json_key_array(json, "guide");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        lu_json_real(json, numbers[k]);
    }
    lu_json_array_end(json);
}

static lu_status read_guide(joker_guide_memory *g, const lu_json_value *list, lu_error *error) {
    static const double low[] = {0, 0, 0, 0, 0, 0, 0, 0, -1};
    static const double high[] = {1, 1, 1, 65535, 65535, 65535, 65535, 32767, 12};
    double n[9];
    for (size_t k = 0; k < 9; k++) {
        LU_TRY(check_number("guide", lu_json_at(list, k), low[k], high[k], k > 2, &n[k], error));
    }
    g->flush = n[0];
    g->straight = n[1];
    g->pairs = n[2];
    g->hands = (uint16_t)n[3];
    for (int b = 0; b < 3; b++) {
        g->build[b] = (uint16_t)n[4 + b];
    }
    g->discards = (int16_t)n[7];
    g->hand = (int16_t)n[8];
    return LU_OK;
}

void joker_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const joker_rules *m = (const joker_rules *)(const void *)rules;
    const joker_state *s = bytes;
    lu_json_object(json);
    put_titles(s, json);
    lu_fields_to_json(fields, FIELDS, s, seat, json);
    put_zone(s, "hand", s->hand, s->held, seat, json);
    if (seat >= 0) {
        put_unknown(s, json);
    } else {
        put_zone(s, "draw_pile", s->draw, s->draws, seat, json);
    }
    put_zone(s, "discard_pile", s->gone, s->gones, seat, json);
    joker_put_owned(s, seat, json);
    joker_put_shop(s, json);
    if (seat < 0) {
        char seed[9] = {0};
        memcpy(seed, s->seed, sizeof s->seed);
        lu_json_key_string(json, "seed", seed);
        put_pool(s, json);
        put_guide(&s->guide, json);
        put_streams(m, s, json);
    }
    lu_json_object_end(json);
}

static lu_status read_seed(joker_state *s, const lu_json_value *value, lu_error *error) {
    const char *seed;
    if (lu_json_get(value, "seed")) {
        LU_TRY(lu_json_get_text(value, "seed", &seed, error));
        if (strlen(seed) > sizeof s->seed) {
            return lu_fail(error, LU_BAD_DATA, "'seed' must have at most 8 letters");
        }
        memset(s->seed, 0, sizeof s->seed);
        memcpy(s->seed, seed, strlen(seed));
    }
    return LU_OK;
}

lu_status joker_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    const joker_rules *m = (const joker_rules *)(const void *)rules;
    joker_state *s = calloc(1, sizeof *s);
    const lu_json_value *streams = lu_json_get(value, "streams");
    const lu_json_value *guide = lu_json_get(value, "guide");
    if (!s) {
        return lu_fail(error, LU_LIMIT, "no memory for a state");
    }
    memcpy(s, bytes, joker_state_bytes(m));
    lu_status status = LU_BAD_DATA;
    if (lu_json_kind_of(value) != LU_JSON_OBJECT) {
        lu_fail(error, LU_BAD_DATA, "a state must be an object");
    } else if (lu_fields_from_json(fields, FIELDS, rules, s, value, error) == LU_OK &&
               read_cards(s, value, error) == LU_OK && joker_read_owned(s, value, error) == LU_OK &&
               joker_read_shop(s, value, error) == LU_OK && read_seed(s, value, error) == LU_OK &&
               (!guide || read_guide(&s->guide, guide, error) == LU_OK) &&
               (!streams || read_streams(s, streams, error) == LU_OK)) {
        s->streams = m->fast ? 0 : s->streams; /* streams of another setting are left out */
        memcpy(bytes, s, joker_state_bytes(m));
        status = LU_OK;
    }
    free(s);
    return status;
}
