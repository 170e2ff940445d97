/* States of potion as JSON, for tools and pages. What derives from the rest (amounts, total, cost,
 * stability, limits) is written for readers and computed when read. */
#include "potion.h"

#include "ludus/fields.h"

#include <stdio.h>
#include <string.h>

/* ---- plain numbers ---- */

static double last_round(const lu_rules *rules) {
    return ((const potion_rules *)(const void *)rules)->goals - 1;
}

#define FIELD(member, number, most_)                                                               \
    { LU_FIELD(potion_state, member), .kind = LU_NUMBER_##number, .high = (most_) }
static const lu_state_field fields[] = {
    {LU_FIELD(potion_state, recipe), .kind = LU_NUMBER_U8, .high = POTION_RECIPES - 1,
     .names = potion_recipe_names},
    {LU_FIELD(potion_state, cauldron), .kind = LU_NUMBER_U8, .high = POTION_CAULDRONS - 1,
     .names = potion_cauldron_names},
    {LU_FIELD(potion_state, round), .kind = LU_NUMBER_I8, .low = -1, .most = last_round},
    {LU_FIELD(potion_state, added), .kind = LU_NUMBER_U8,
     .count = LU_FIELD_COUNT(potion_state, added), .used = offsetof(potion_state, mix.items),
     .used_kind = LU_NUMBER_I32, .low = 1, .high = POTION_INGREDIENTS},
    FIELD(steps, I32, INT32_MAX),
    FIELD(illegal, I32, INT32_MAX),
    FIELD(end, U8, POTION_ENDS - 1),
    FIELD(grade, U8, POTION_GRADES - 1),
    {"traits", offsetof(potion_state, trait), .kind = LU_NUMBER_I8, .count = POTION_SENSES,
     .low = -1, .high = 1},
    {LU_FIELD(potion_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};
enum { BEFORE_STOCK = 3, FIELDS = LU_COUNT(fields) };

/* For readers only. */
static const lu_state_field magimins = {"magimins", offsetof(potion_state, mix.amount),
                                        .kind = LU_NUMBER_I32, .count = POTION_MAGIMINS};

/* ---- writing ---- */

static void put_pieces(lu_json *json, const char *key, const uint8_t *pieces) {
    lu_json_key_object(json, key);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (pieces[i] > 0) {
            char number[16];
            snprintf(number, sizeof number, "%d", i);
            lu_json_key_int(json, number, pieces[i]);
        }
    }
    lu_json_object_end(json);
}

void potion_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const potion_rules *m = (const potion_rules *)(const void *)rules;
    const potion_state *s = bytes;
    potion_outcome o = potion_outcome_of(m, s);
    lu_json_object(json);
    lu_fields_to_json(fields, BEFORE_STOCK, s, seat, json);
    put_pieces(json, "stock", s->stock);
    lu_fields_to_json(fields + BEFORE_STOCK, FIELDS - BEFORE_STOCK, s, seat, json);
    /* for readers only */
    lu_json_key_string(json, "recipe_title", potion_recipes[s->recipe].name);
    lu_json_key_string(json, "cauldron_title", potion_cauldrons[s->cauldron].name);
    lu_json_key_int(json, "max_items", s->max_items);
    lu_json_key_int(json, "max_magimins", s->max_magimins);
    lu_fields_to_json(&magimins, 1, s, seat, json);
    lu_json_key_int(json, "total", s->mix.total);
    lu_json_key_string(json, "stability", potion_code_names[s->code]);
    lu_json_key_real(json, "accuracy", 1.0 - potion_error_of(m, s));
    lu_json_key_int(json, "expected_grade", o.grade);
    lu_json_key_int(json, "price", o.price);
    lu_json_key_int(json, "brewed", o.brewed);
    lu_json_key_int(json, "cost", s->mix.cost);
    lu_json_key_real(json, "profit", o.profit);
    lu_json_key_bool(json, "won", s->won != 0);
    lu_json_object_end(json);
}

/* ---- reading ---- */

/* The mix anew from what was added, and the limits of the cauldron. */
static void settle_mix(const potion_rules *m, potion_state *s) {
    int32_t count = s->mix.items;
    s->max_items = potion_limits[s->cauldron][0];
    s->max_magimins = potion_limits[s->cauldron][1];
    memset(&s->mix, 0, sizeof s->mix);
    memset(s->pieces, 0, sizeof s->pieces);
    for (int k = 0; k < count; k++) {
        s->pieces[s->added[k]]++;
        potion_mix_add(&s->mix, s->added[k], 1);
    }
    s->code =
        (uint8_t)potion_code_of(m->ruleset, s->mix.amount, s->mix.total, s->mix.items, s->recipe);
    s->raw = (uint8_t)potion_raw_grade(s->mix.total);
}

/* The mix fits its cauldron. */
static lu_status check_relations(const potion_state *s, lu_error *error) {
    if (s->mix.items > s->max_items) {
        return lu_fail(error, LU_BAD_DATA, "'added' holds %d ingredients, but the cauldron only %d",
                       s->mix.items, s->max_items);
    }
    if (s->mix.total > s->max_magimins) {
        return lu_fail(error, LU_BAD_DATA, "'added' holds %d magimins, but the cauldron only %d",
                       s->mix.total, s->max_magimins);
    }
    return LU_OK;
}

/* What the end of an episode has drawn; nothing of it before the end. */
static void settle_end(const potion_rules *m, potion_state *s) {
    bool potion = s->end != POTION_RUNNING && s->code != POTION_CANNOT_BREW;
    if (!potion) {
        memset(s->trait, 0, sizeof s->trait);
        s->grade = 0;
    }
    s->price = potion ? potion_prices[s->recipe][s->grade] : 0;
    s->won = 0;
    if (potion && s->round >= 0) {
        potion_outcome o = potion_outcome_of(m, s);
        s->won = potion_round_won(m, s, &o) ? 1 : 0;
    }
}

lu_status potion_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                           lu_error *error) {
    const potion_rules *m = (const potion_rules *)(const void *)rules;
    potion_state next = *(const potion_state *)bytes, *s = &next;
    const lu_json_value *stock = lu_json_get(value, "stock");
    LU_TRY(lu_fields_from_json(fields, FIELDS, rules, s, value, error));
    if (!lu_json_get(value, "round")) {
        s->round = (int8_t)potion_round_of(m, s->recipe);
    }
    if (stock) {
        LU_TRY(potion_stock_from("'stock'", stock, s->stock, error));
    }
    settle_mix(m, s);
    LU_TRY(check_relations(s, error));
    settle_end(m, s);
    memcpy(bytes, &next, sizeof next);
    return LU_OK;
}
