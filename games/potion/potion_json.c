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
    {LU_FIELD(potion_state, round), .kind = LU_NUMBER_I8, .low = -1, .most = last_round},
    FIELD(steps, I32, INT32_MAX),
    FIELD(illegal, I32, INT32_MAX),
    FIELD(end, U8, POTION_ENDS - 1),
    FIELD(grade, U8, POTION_GRADES - 1),
    {"traits", offsetof(potion_state, trait), .kind = LU_NUMBER_I8, .count = POTION_SENSES,
     .low = -1, .high = 1},
    {LU_FIELD(potion_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};
enum { FIELDS = sizeof fields / sizeof *fields };

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

static void put_numbers(lu_json *json, const char *key, const int32_t *numbers, int count) {
    lu_json_key_array(json, key);
    for (int k = 0; k < count; k++) {
        lu_json_int(json, numbers[k]);
    }
    lu_json_array_end(json);
}

void potion_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const potion_rules *m = (const potion_rules *)(const void *)rules;
    const potion_state *s = bytes;
    potion_outcome o = potion_outcome_of(m, s);
    int32_t added[POTION_ITEMS_MAX] = {0};
    for (int k = 0; k < s->mix.items; k++) {
        added[k] = s->added[k];
    }
    lu_json_object(json);
    lu_json_key_int(json, "recipe", s->recipe);
    lu_json_key_int(json, "cauldron", s->cauldron);
    lu_fields_to_json(fields, 1, s, seat, json);
    put_pieces(json, "stock", s->stock);
    put_numbers(json, "added", added, s->mix.items);
    lu_fields_to_json(fields + 1, FIELDS - 1, s, seat, json);
    /* for readers only */
    lu_json_key_string(json, "recipe_title", potion_recipes[s->recipe].name);
    lu_json_key_string(json, "cauldron_title", potion_cauldrons[s->cauldron].name);
    lu_json_key_int(json, "max_items", s->max_items);
    lu_json_key_int(json, "max_magimins", s->max_magimins);
    put_numbers(json, "magimins", s->mix.amount, POTION_MAGIMINS);
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

/* A number, or a name of the list; absent: as it was. */
static lu_status read_named(const lu_json_value *value, const char *key, const char *const *names,
                            int count, uint8_t *into, lu_error *error) {
    const lu_json_value *member = lu_json_get(value, key);
    int64_t number;
    if (!member) {
        return LU_OK;
    }
    if (lu_json_kind_of(member) == LU_JSON_STRING) {
        for (int k = 0; k < count; k++) {
            if (strcmp(names[k], lu_json_text(member, NULL)) == 0) {
                *into = (uint8_t)k;
                return LU_OK;
            }
        }
        return lu_fail(error, LU_BAD_DATA, "'%s': there is no %s '%s'", key, key,
                       lu_json_text(member, NULL));
    }
    LU_TRY(lu_json_get_int(value, key, 0, count - 1, &number, error));
    *into = (uint8_t)number;
    return LU_OK;
}

/* Entry of an array of whole numbers. */
static lu_status read_entry(const lu_json_value *array, size_t index, const char *key, int low,
                            int high, int *into, lu_error *error) {
    double number = lu_json_real_or(lu_json_at(array, index), 1e9);
    if (!(number >= low && number <= high) || number != (double)(int)number) {
        return lu_fail(error, LU_BAD_DATA, "'%s': entry %zu must be a whole number from %d to %d",
                       key, index, low, high);
    }
    *into = (int)number;
    return LU_OK;
}

/* The mix anew from what was added, within the limits of the cauldron. */
static lu_status read_added(const potion_rules *m, potion_state *s, const lu_json_value *value,
                            lu_error *error) {
    const lu_json_value *array = lu_json_get(value, "added");
    uint8_t added[POTION_ITEMS_MAX];
    size_t count = array ? lu_json_count(array) : (size_t)s->mix.items;
    s->max_items = potion_limits[s->cauldron][0];
    s->max_magimins = potion_limits[s->cauldron][1];
    if ((array && lu_json_kind_of(array) != LU_JSON_ARRAY) || count > (size_t)s->max_items) {
        return lu_fail(error, LU_BAD_DATA, "'added' must be a list of at most %d ingredients",
                       s->max_items);
    }
    for (size_t k = 0; k < count; k++) {
        int action = s->added[k];
        if (array &&
            read_entry(array, k, "added", 1, POTION_INGREDIENTS, &action, error) != LU_OK) {
            return LU_BAD_DATA;
        }
        added[k] = (uint8_t)action;
    }
    memset(&s->mix, 0, sizeof s->mix);
    memset(s->added, 0, sizeof s->added);
    memset(s->pieces, 0, sizeof s->pieces);
    for (size_t k = 0; k < count; k++) {
        s->added[k] = added[k];
        s->pieces[added[k]]++;
        potion_mix_add(&s->mix, added[k], 1);
    }
    if (s->mix.total > s->max_magimins) {
        return lu_fail(error, LU_BAD_DATA, "'added' holds %d magimins, but the cauldron %d",
                       s->mix.total, s->max_magimins);
    }
    s->code =
        (uint8_t)potion_code_of(m->ruleset, s->mix.amount, s->mix.total, s->mix.items, s->recipe);
    s->raw = (uint8_t)potion_raw_grade(s->mix.total);
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
    LU_TRY(read_named(value, "recipe", potion_recipe_names, POTION_RECIPES, &s->recipe, error));
    LU_TRY(read_named(value, "cauldron", potion_cauldron_names, POTION_CAULDRONS, &s->cauldron,
                      error));
    s->round = (int8_t)potion_round_of(m, s->recipe);
    if (lu_fields_from_json(fields, FIELDS, rules, s, value, error) != LU_OK ||
        (stock && potion_stock_from("'stock'", stock, s->stock, error) != LU_OK) ||
        read_added(m, s, value, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    settle_end(m, s);
    memcpy(bytes, &next, sizeof next);
    return LU_OK;
}
