/* States of potion as JSON, for tools and pages. What derives from the rest (amounts, total, cost,
 * stability, limits) is written for readers and computed when read. */
#include "potion.h"

#include <stdio.h>
#include <string.h>

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
    int32_t added[POTION_ITEMS_MAX], traits[POTION_SENSES];
    for (int k = 0; k < s->mix.items; k++) {
        added[k] = s->added[k];
    }
    for (int k = 0; k < POTION_SENSES; k++) {
        traits[k] = s->trait[k];
    }
    lu_json_object(json);
    lu_json_key_int(json, "recipe", s->recipe);
    lu_json_key_int(json, "cauldron", s->cauldron);
    lu_json_key_int(json, "round", s->round);
    put_pieces(json, "stock", s->stock);
    put_numbers(json, "added", added, s->mix.items);
    lu_json_key_int(json, "steps", s->steps);
    lu_json_key_int(json, "illegal", s->illegal);
    lu_json_key_int(json, "end", s->end);
    lu_json_key_int(json, "grade", s->grade);
    put_numbers(json, "traits", traits, POTION_SENSES);
    if (seat < 0) {
        char hex[24];
        snprintf(hex, sizeof hex, "0x%016llx", (unsigned long long)s->rng);
        lu_json_key_string(json, "rng", hex);
    }
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
    if (lu_json_get_int(value, key, 0, count - 1, &number, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    *into = (uint8_t)number;
    return LU_OK;
}

static lu_status read_int(const lu_json_value *value, const char *key, int64_t low, int64_t high,
                          int32_t *into, lu_error *error) {
    int64_t number;
    if (!lu_json_get(value, key)) {
        return LU_OK;
    }
    if (lu_json_get_int(value, key, low, high, &number, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    *into = (int32_t)number;
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
static lu_status read_end(const potion_rules *m, potion_state *s, const lu_json_value *value,
                          lu_error *error) {
    const lu_json_value *traits = lu_json_get(value, "traits");
    int32_t end = s->end, grade = s->grade;
    if (read_int(value, "end", 0, POTION_ENDS - 1, &end, error) != LU_OK ||
        read_int(value, "grade", 0, POTION_GRADES - 1, &grade, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (traits &&
        (lu_json_kind_of(traits) != LU_JSON_ARRAY || lu_json_count(traits) != POTION_SENSES)) {
        return lu_fail(error, LU_BAD_DATA, "'traits' must be a list of %d signs", POTION_SENSES);
    }
    bool potion = end != POTION_RUNNING && s->code != POTION_CANNOT_BREW;
    for (size_t k = 0; k < POTION_SENSES; k++) {
        int sign = s->trait[k];
        if (traits && read_entry(traits, k, "traits", -1, 1, &sign, error) != LU_OK) {
            return LU_BAD_DATA;
        }
        s->trait[k] = potion ? (int8_t)sign : 0;
    }
    s->end = (uint8_t)end;
    s->grade = potion ? (uint8_t)grade : 0;
    s->price = potion ? potion_prices[s->recipe][s->grade] : 0;
    s->won = 0;
    if (potion && s->round >= 0) {
        potion_outcome o = potion_outcome_of(m, s);
        s->won = potion_round_won(m, s, &o) ? 1 : 0;
    }
    return LU_OK;
}

lu_status potion_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                           lu_error *error) {
    const potion_rules *m = (const potion_rules *)(const void *)rules;
    potion_state next = *(const potion_state *)bytes, *s = &next;
    const lu_json_value *stock = lu_json_get(value, "stock");
    if (read_named(value, "recipe", potion_recipe_names, POTION_RECIPES, &s->recipe, error) !=
            LU_OK ||
        read_named(value, "cauldron", potion_cauldron_names, POTION_CAULDRONS, &s->cauldron,
                   error) != LU_OK) {
        return LU_BAD_DATA;
    }
    int32_t round = potion_round_of(m, s->recipe);
    if (read_int(value, "round", -1, m->goals - 1, &round, error) != LU_OK ||
        read_int(value, "steps", 0, INT32_MAX, &s->steps, error) != LU_OK ||
        read_int(value, "illegal", 0, INT32_MAX, &s->illegal, error) != LU_OK ||
        (lu_json_get(value, "rng") && lu_json_get_uint(value, "rng", &s->rng, error) != LU_OK) ||
        (stock && potion_stock_from("'stock'", stock, s->stock, error) != LU_OK)) {
        return LU_BAD_DATA;
    }
    s->round = (int8_t)round;
    if (read_added(m, s, value, error) != LU_OK || read_end(m, s, value, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    memcpy(bytes, &next, sizeof next);
    return LU_OK;
}
