/* States of joker as JSON: what a player sees (seat 0), everything (seat -1), and back. Plain
 * numbers go by one table of fields; cards are written as in vectors ("KH:glass,redseal,+5"). A
 * person may give hand, draw_pile and discard_pile as lists of such cards; a whole state has
 * `cards` (places in memory) and lists of places instead. Reading checks every number and index
 * by the tables, then in check_relations that each card lies in exactly one place. */
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

/* Where the cards of a zone lie in the pool. */
#define ZONE(name_, member, counter)                                                               \
    {                                                                                              \
        .name = (name_), .offset = offsetof(joker_state, member), .kind = LU_NUMBER_U8,            \
        .count = LU_FIELD_COUNT(joker_state, member), .used = offsetof(joker_state, counter),      \
        .high = JOKER_DECK_MAX - 1                                                                 \
    }
static const lu_state_field zone_fields[] = {
    ZONE("draw_places", draw, draws),
    ZONE("hand_places", hand, held),
    ZONE("discard_places", gone, gones),
};

/* Lists of numbers without names: of a card of the pool, of the guide, of a stream. */
static const lu_state_field card_order = {LU_FIELD(joker_card, order), .kind = LU_NUMBER_U16,
                                          .high = 65535};

#define GUIDE(member, number, least, most_)                                                        \
    {                                                                                              \
        LU_FIELD(joker_guide_memory, member), .kind = LU_NUMBER_##number, .low = (least),          \
                                              .high = (most_)                                      \
    }
static const lu_state_field guide_fields[] = {
    GUIDE(flush, REAL, 0, 1),       GUIDE(straight, REAL, 0, 1),    GUIDE(pairs, REAL, 0, 1),
    GUIDE(hands, U16, 0, 65535),    GUIDE(build[0], U16, 0, 65535), GUIDE(build[1], U16, 0, 65535),
    GUIDE(build[2], U16, 0, 65535), GUIDE(discards, I16, 0, 32767), GUIDE(hand, I16, -1, 12),
};

typedef struct stream {
    int32_t slot;
    uint32_t key;
    double value;
} stream;
static const lu_state_field stream_fields[] = {
    {LU_FIELD(stream, slot), .kind = LU_NUMBER_I32, .high = JOKER_STREAM_SLOTS - 1},
    {LU_FIELD(stream, key), .kind = LU_NUMBER_U32, .low = 1, .high = 4294967295.0},
    {LU_FIELD(stream, value), .kind = LU_NUMBER_REAL, .high = 1},
};

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
        lu_entries_to_json(&card_order, 1, &s->card[i], json);
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
    lu_fields_to_json(zone_fields, LU_COUNT(zone_fields), s, -1, json);
}

static lu_status read_pool(joker_state *s, const lu_json_value *cards, lu_error *error) {
    if (lu_json_kind_of(cards) != LU_JSON_ARRAY || lu_json_count(cards) != JOKER_DECK_MAX) {
        return lu_fail(error, LU_BAD_DATA, "'cards' must be a list of %d places", JOKER_DECK_MAX);
    }
    memset(s->card, 0, sizeof s->card);
    s->owned = 0;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        const lu_json_value *place = lu_json_at(cards, (size_t)i);
        if (lu_json_kind_of(place) == LU_JSON_NULL) {
            continue;
        }
        if (lu_json_kind_of(place) != LU_JSON_ARRAY || lu_json_count(place) != 2) {
            return lu_fail(error, LU_BAD_DATA,
                           "place %d of 'cards' must be null or a card and its number", i);
        }
        LU_TRY(joker_card_from("cards", lu_json_at(place, 0), &s->card[i], error));
        LU_TRY(lu_entries_from_json(&card_order, 1, "cards", &s->card[i], place, 1, error));
        s->owned++;
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
        LU_TRY(read_pool(s, pool, error));
        return lu_fields_from_json(zone_fields, LU_COUNT(zone_fields), NULL, s, value, error);
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
            stream one = {i, s->stream_key[i], s->stream[i]};
            lu_json_array(json);
            lu_entries_to_json(stream_fields, LU_COUNT(stream_fields), &one, json);
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
        stream one;
        LU_TRY(lu_entries_from_json(stream_fields, LU_COUNT(stream_fields), "streams", &one,
                                    lu_json_at(list, k), 0, error));
        s->stream_key[one.slot] = one.key;
        s->stream[one.slot] = one.value;
    }
    s->streams = 0;
    for (int i = 0; i < JOKER_STREAM_SLOTS; i++) {
        s->streams += s->stream_key[i] != 0;
    }
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
        lu_json_key_array(json, "guide");
        lu_entries_to_json(guide_fields, LU_COUNT(guide_fields), &s->guide, json);
        lu_json_array_end(json);
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

/* Each card of the pool lies in exactly one place. */
static lu_status check_relations(const joker_state *s, lu_error *error) {
    const struct {
        const uint8_t *place;
        int count;
    } zones[] = {{s->draw, s->draws}, {s->hand, s->held}, {s->gone, s->gones}};
    int lies[JOKER_DECK_MAX] = {0};
    for (int z = 0; z < LU_COUNT(zones); z++) {
        for (int i = 0; i < zones[z].count; i++) {
            lies[zones[z].place[i]]++;
        }
    }
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (lies[i] != (s->card[i].rank > 0)) {
            return lu_fail(error, LU_BAD_DATA,
                           "the card at place %d lies in %d places of draw pile, hand and "
                           "discard pile, but must lie in %d",
                           i, lies[i], s->card[i].rank > 0);
        }
    }
    return LU_OK;
}

static lu_status read_state(const lu_rules *rules, joker_state *s, const lu_json_value *value,
                            lu_error *error) {
    const lu_json_value *streams = lu_json_get(value, "streams");
    const lu_json_value *guide = lu_json_get(value, "guide");
    if (lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "a state must be an object");
    }
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, s, value, error));
    LU_TRY(read_cards(s, value, error));
    LU_TRY(joker_read_owned(s, value, error));
    LU_TRY(joker_read_shop(s, value, error));
    LU_TRY(read_seed(s, value, error));
    if (guide) {
        LU_TRY(lu_entries_from_json(guide_fields, LU_COUNT(guide_fields), "guide", &s->guide, guide,
                                    0, error));
    }
    if (streams) {
        LU_TRY(read_streams(s, streams, error));
    }
    return check_relations(s, error);
}

lu_status joker_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    const joker_rules *m = (const joker_rules *)(const void *)rules;
    joker_state *s = lu_alloc_zero(1, sizeof *s);
    memcpy(s, bytes, joker_state_bytes(m));
    lu_status status = read_state(rules, s, value, error);
    if (status == LU_OK) {
        s->streams = m->fast ? 0 : s->streams; /* streams of another setting are left out */
        memcpy(bytes, s, joker_state_bytes(m));
    }
    free(s);
    return status;
}
