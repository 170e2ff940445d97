/* Access to a JSON document that was read: plain functions that answer NULL for what is not there,
 * and checked ones whose error names the key and the line. */
#include "json_internal.h"
#include "ludus/settings.h" /* lu_parse_* */

#include <stdlib.h>
#include <string.h>

lu_json_kind lu_json_kind_of(const lu_json_value *value) {
    return value ? value->kind : LU_JSON_NULL;
}

unsigned lu_json_line(const lu_json_value *value) {
    return value ? value->line : 0;
}

size_t lu_json_count(const lu_json_value *value) {
    lu_json_kind kind = lu_json_kind_of(value);
    return kind == LU_JSON_ARRAY || kind == LU_JSON_OBJECT ? value->count : 0;
}

const lu_json_value *lu_json_at(const lu_json_value *array, size_t index) {
    bool there = lu_json_kind_of(array) == LU_JSON_ARRAY && index < array->count;
    return there ? &array->items[index] : NULL;
}

const lu_json_value *lu_json_member(const lu_json_value *object, size_t index, const char **key) {
    bool there = lu_json_kind_of(object) == LU_JSON_OBJECT && index < object->count;
    if (key) {
        *key = there ? object->members[index].key : "";
    }
    return there ? &object->members[index].value : NULL;
}

const lu_json_value *lu_json_get(const lu_json_value *object, const char *key) {
    if (lu_json_kind_of(object) != LU_JSON_OBJECT) {
        return NULL;
    }
    if (object->sorted) {
        const member wanted = {.key = key}, *pointer = &wanted;
        const member **found = bsearch(&pointer, object->sorted, object->count,
                                       sizeof *object->sorted, lu_json_compare_members);
        return found ? &(*found)->value : NULL;
    }
    for (size_t i = 0; i < object->count; i++) {
        if (strcmp(object->members[i].key, key) == 0) {
            return &object->members[i].value;
        }
    }
    return NULL;
}

const lu_json_value *lu_json_get_same(const lu_json_value *object, const char *key) {
    const lu_json_value *found = NULL;
    for (size_t i = 0; lu_json_kind_of(object) == LU_JSON_OBJECT && i < object->count; i++) {
        found = lu_same_key(object->members[i].key, key) ? &object->members[i].value : found;
    }
    return found;
}

const char *lu_json_text(const lu_json_value *string, size_t *length) {
    bool there = lu_json_kind_of(string) == LU_JSON_STRING;
    if (length) {
        *length = there ? string->count : 0;
    }
    return there ? string->text : NULL;
}

const char *lu_json_number_text(const lu_json_value *number) {
    return lu_json_kind_of(number) == LU_JSON_NUMBER ? number->text : NULL;
}

double lu_json_real_or(const lu_json_value *value, double other) {
    return lu_json_kind_of(value) == LU_JSON_NUMBER ? value->real : other;
}

/* ---- checked reading of members ---- */

/* The member when it is of a wanted kind (bits of 1 << kind); else NULL and the error. */
static const lu_json_value *wanted(const lu_json_value *object, const char *key, unsigned kinds,
                                   const char *expected, lu_error *error) {
    static const char *const names[] = {"null",     "false",    "true",     "a number",
                                        "a string", "an array", "an object"};
    const lu_json_value *value = lu_json_get(object, key);
    if (lu_json_kind_of(object) != LU_JSON_OBJECT) {
        lu_fail(error, LU_BAD_DATA, "expected an object with the key '%s', got %s", key,
                names[lu_json_kind_of(object)]);
        return NULL;
    }
    if (!value) {
        lu_fail(error, LU_BAD_DATA, "the key '%s' is missing; expected %s", key, expected);
        return NULL;
    }
    if (!(kinds >> value->kind & 1)) {
        lu_fail(error, LU_BAD_DATA, "'%s' in line %u is %s; expected %s", key, value->line,
                names[value->kind], expected);
        return NULL;
    }
    return value;
}

/* Gives the sentence of a number reader the status and line of bad data. */
static lu_status located(lu_status status, const lu_json_value *value, lu_error *error) {
    if (status != LU_OK && error) {
        return lu_fail(error, LU_BAD_DATA, "%s (line %u)", error->text, value->line);
    }
    return status == LU_OK ? LU_OK : LU_BAD_DATA;
}

lu_status lu_json_get_real(const lu_json_value *object, const char *key, double low, double high,
                           double *value, lu_error *error) {
    const lu_json_value *found = wanted(object, key, 1u << LU_JSON_NUMBER, "a number", error);
    if (!found) {
        return LU_BAD_DATA;
    }
    return located(lu_parse_real(key, found->text, low, high, value, error), found, error);
}

lu_status lu_json_get_int(const lu_json_value *object, const char *key, int64_t low, int64_t high,
                          int64_t *value, lu_error *error) {
    const lu_json_value *found = wanted(object, key, 1u << LU_JSON_NUMBER, "a whole number", error);
    if (!found) {
        return LU_BAD_DATA;
    }
    return located(lu_parse_i64(key, found->text, low, high, value, error), found, error);
}

lu_status lu_json_get_uint(const lu_json_value *object, const char *key, uint64_t *value,
                           lu_error *error) {
    /* a string too: numbers above 2^53 do not survive JavaScript */
    const lu_json_value *found = wanted(object, key, 1u << LU_JSON_NUMBER | 1u << LU_JSON_STRING,
                                        "a whole number from 0 on, or a string with one", error);
    if (!found) {
        return LU_BAD_DATA;
    }
    return located(lu_parse_u64(key, found->text, value, error), found, error);
}

lu_status lu_json_get_bool(const lu_json_value *object, const char *key, bool *value,
                           lu_error *error) {
    const lu_json_value *found =
        wanted(object, key, 1u << LU_JSON_FALSE | 1u << LU_JSON_TRUE, "true or false", error);
    if (!found) {
        return LU_BAD_DATA;
    }
    *value = found->kind == LU_JSON_TRUE;
    return LU_OK;
}

lu_status lu_json_get_text(const lu_json_value *object, const char *key, const char **value,
                           lu_error *error) {
    const lu_json_value *found = wanted(object, key, 1u << LU_JSON_STRING, "a string", error);
    if (!found) {
        return LU_BAD_DATA;
    }
    if (strlen(found->text) != found->count) {
        return lu_fail(error, LU_BAD_DATA, "'%s' in line %u holds \\u0000, which no text may", key,
                       found->line);
    }
    *value = found->text;
    return LU_OK;
}

/* The writer goes less deep than the reader: what would not fit is null. */
enum { WRITER_DEPTH = 58 };

static void write_leaf(lu_json *json, const lu_json_value *value) {
    size_t length;
    const char *text;
    switch (lu_json_kind_of(value)) {
    case LU_JSON_STRING:
        text = lu_json_text(value, &length);
        lu_json_string_n(json, text, length);
        break;
    case LU_JSON_NUMBER:
        text = lu_json_number_text(value);
        lu_json_raw(json, text, strlen(text));
        break;
    case LU_JSON_TRUE:
    case LU_JSON_FALSE:
        lu_json_bool(json, lu_json_kind_of(value) == LU_JSON_TRUE);
        break;
    default:
        lu_json_null(json);
    }
}

void lu_json_value_write(lu_json *json, const lu_json_value *value) {
    const char *key;
    switch (json->depth < WRITER_DEPTH ? lu_json_kind_of(value) : LU_JSON_NULL) {
    case LU_JSON_OBJECT:
        lu_json_object(json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            const lu_json_value *inner = lu_json_member(value, i, &key);
            lu_json_key_value(json, key, inner);
        }
        lu_json_object_end(json);
        break;
    case LU_JSON_ARRAY:
        lu_json_array(json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            lu_json_value_write(json, lu_json_at(value, i));
        }
        lu_json_array_end(json);
        break;
    case LU_JSON_NULL:
        lu_json_null(json);
        break;
    default:
        write_leaf(json, value);
    }
}

void lu_json_key_value(lu_json *json, const char *key, const lu_json_value *value) {
    lu_json_key(json, key);
    lu_json_value_write(json, value);
}

/* ---- canonical ---- */

typedef struct pair {
    const char *key;
    const lu_json_value *value;
} pair;

static int compare_pairs(const void *a, const void *b) {
    return strcmp(((const pair *)a)->key, ((const pair *)b)->key);
}

static bool write_sorted(lu_json *json, const lu_json_value *object, int deepest) {
    size_t count = lu_json_count(object);
    pair *pairs = lu_alloc_zero(count, sizeof *pairs);
    bool good = deepest > 0;
    for (size_t i = 0; i < count; i++) {
        pairs[i].value = lu_json_member(object, i, &pairs[i].key);
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    lu_json_object(json);
    for (size_t i = 0; i < count && good; i++) {
        lu_json_key(json, pairs[i].key);
        good = lu_json_canonical(json, pairs[i].value, deepest - 1);
    }
    lu_json_object_end(json);
    free(pairs);
    return good;
}

bool lu_json_canonical(lu_json *json, const lu_json_value *value, int deepest) {
    bool good = deepest > 0;
    switch (lu_json_kind_of(value)) {
    case LU_JSON_OBJECT:
        return write_sorted(json, value, deepest);
    case LU_JSON_ARRAY:
        lu_json_array(json);
        for (size_t i = 0; i < lu_json_count(value) && good; i++) {
            good = lu_json_canonical(json, lu_json_at(value, i), deepest - 1);
        }
        lu_json_array_end(json);
        return good;
    case LU_JSON_NUMBER:
        if (strpbrk(lu_json_number_text(value), ".eE")) {
            lu_json_real(json, lu_json_real_or(value, 0));
            return good;
        }
        break;
    default:
        break;
    }
    write_leaf(json, value);
    return good;
}
