/* State fields as JSON: see fields.h. Every kind but hex passes through a double, which holds each
 * of them exactly. */
#include "ludus/fields.h"

#include <stdio.h>
#include <string.h>

static const size_t sizes[] = {
    [LU_NUMBER_U8] = 1,    [LU_NUMBER_I8] = 1,   [LU_NUMBER_U16] = 2,  [LU_NUMBER_I16] = 2,
    [LU_NUMBER_U32] = 4,   [LU_NUMBER_I32] = 4,  [LU_NUMBER_FLAG] = 4, [LU_NUMBER_HEX] = 8,
    [LU_NUMBER_FLOAT] = 4, [LU_NUMBER_WIDE] = 8, [LU_NUMBER_REAL] = 8, [LU_NUMBER_BIT] = 1,
};

/* Numbers of a state, whatever they are aligned to. */
typedef union cell {
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    float real32;
    double real64;
} cell;

static double number_of(const cell *c, lu_number kind) {
    switch (kind) {
    case LU_NUMBER_U8:
    case LU_NUMBER_BIT:
        return c->u8;
    case LU_NUMBER_I8:
        return c->i8;
    case LU_NUMBER_U16:
        return c->u16;
    case LU_NUMBER_I16:
        return c->i16;
    case LU_NUMBER_U32:
        return c->u32;
    case LU_NUMBER_I32:
    case LU_NUMBER_FLAG:
        return c->i32;
    case LU_NUMBER_FLOAT:
        return (double)c->real32;
    default:
        return c->real64;
    }
}

static cell cell_of(double x, lu_number kind) {
    cell c = {0};
    switch (kind) {
    case LU_NUMBER_U8:
    case LU_NUMBER_BIT:
        c.u8 = (uint8_t)x;
        break;
    case LU_NUMBER_I8:
        c.i8 = (int8_t)x;
        break;
    case LU_NUMBER_U16:
        c.u16 = (uint16_t)x;
        break;
    case LU_NUMBER_I16:
        c.i16 = (int16_t)x;
        break;
    case LU_NUMBER_U32:
        c.u32 = (uint32_t)x;
        break;
    case LU_NUMBER_I32:
    case LU_NUMBER_FLAG:
        c.i32 = (int32_t)x;
        break;
    case LU_NUMBER_FLOAT:
        c.real32 = (float)x;
        break;
    case LU_NUMBER_WIDE:
        c.real64 = (double)(float)x;
        break;
    default:
        c.real64 = x;
    }
    return c;
}

/* Where the field of a record begins, and how far its entries are apart. */
static size_t place_of(const lu_state_field *f, int index) {
    return f->offset + (size_t)index * (f->each ? f->each : sizes[f->kind]);
}

static size_t apart_of(const lu_state_field *f) {
    return f->apart ? f->apart : sizes[f->kind];
}

/* ---- writing ---- */

static void put_number(const unsigned char *at, const lu_state_field *f, lu_json *json) {
    cell c = {0};
    char hex[24];
    memcpy(&c, at, sizes[f->kind]);
    switch (f->kind) {
    case LU_NUMBER_FLAG:
        lu_json_bool(json, c.i32 != 0);
        break;
    case LU_NUMBER_BIT:
        lu_json_bool(json, (c.u8 & f->bit) != 0);
        break;
    case LU_NUMBER_HEX:
        snprintf(hex, sizeof hex, "0x%016llx", (unsigned long long)c.u64);
        lu_json_string(json, hex);
        break;
    case LU_NUMBER_FLOAT:
    case LU_NUMBER_WIDE:
        lu_json_float(json, (float)number_of(&c, f->kind));
        break;
    case LU_NUMBER_REAL:
        lu_json_real(json, c.real64);
        break;
    default:
        lu_json_int(json, (int64_t)number_of(&c, f->kind));
    }
}

static bool is_zero(const unsigned char *at, const lu_state_field *f) {
    static const unsigned char zero[sizeof(cell)];
    return f->kind == LU_NUMBER_BIT ? (*at & f->bit) == 0 : memcmp(at, zero, sizes[f->kind]) == 0;
}

/* How many entries of a list are used. */
static int used_of(const lu_state_field *f, const void *state) {
    cell c = {0};
    if (f->used > 0) {
        memcpy(&c, (const unsigned char *)state + f->used, sizes[f->used_kind]);
    }
    return f->used > 0 ? (int)number_of(&c, f->used_kind) : f->count;
}

void lu_record_to_json(const lu_state_field *fields, int count, const void *state, int index,
                       int seat, lu_json *json) {
    for (const lu_state_field *f = fields; f < fields + count; f++) {
        const unsigned char *at = (const unsigned char *)state + place_of(f, index);
        if ((f->hidden && seat >= 0) || (f->sparse && is_zero(at, f))) {
            continue;
        }
        lu_json_key(json, f->name);
        if (f->count == 0) {
            put_number(at, f, json);
            continue;
        }
        lu_json_array(json);
        for (int i = 0; i < used_of(f, state); i++) {
            put_number(at + (size_t)i * apart_of(f), f, json);
        }
        lu_json_array_end(json);
    }
}

void lu_fields_to_json(const lu_state_field *fields, int count, const void *state, int seat,
                       lu_json *json) {
    lu_record_to_json(fields, count, state, 0, seat, json);
}

void lu_entries_to_json(const lu_state_field *fields, int count, const void *state, lu_json *json) {
    for (const lu_state_field *f = fields; f < fields + count; f++) {
        put_number((const unsigned char *)state + f->offset, f, json);
    }
}

/* ---- reading ---- */

static bool is_whole(lu_number kind) {
    return kind < LU_NUMBER_FLAG;
}

static bool is_none(const lu_state_field *f, const lu_json_value *number) {
    return f->none != 0.0 && lu_json_real_or(number, 0.0) == f->none;
}

/* Says of a field with a value for nothing that this is taken too. */
static lu_status tell_none(const lu_state_field *f, lu_status status, lu_error *error) {
    return status != LU_OK && error && f->none != 0.0
               ? lu_fail(error, status, "%s; %.10g is for none", error->text, f->none)
               : status;
}

/* The number that a name stands for. */
static lu_status get_named(const lu_state_field *f, double high, const char *name, double *number,
                           lu_error *error) {
    for (int k = 0; k <= (int)high; k++) {
        if (strcmp(f->names[k], name) == 0) {
            *number = k;
            return LU_OK;
        }
    }
    return lu_fail(error, LU_BAD_DATA, "'%s': there is no %s '%.60s'", f->name, f->name, name);
}

/* The one number of a field. */
static lu_status get_one(const lu_state_field *f, double high, const lu_json_value *value, cell *c,
                         lu_error *error) {
    const lu_json_value *member = lu_json_get(value, f->name);
    double real = 0.0;
    int64_t whole = 0;
    bool flag = false;
    lu_status status;
    if (f->kind == LU_NUMBER_HEX) {
        return lu_json_get_uint(value, f->name, &c->u64, error);
    }
    if (f->kind == LU_NUMBER_FLAG || f->kind == LU_NUMBER_BIT) {
        status = lu_json_get_bool(value, f->name, &flag, error);
        real = flag ? 1.0 : 0.0;
    } else if (f->names && lu_json_kind_of(member) == LU_JSON_STRING) {
        status = get_named(f, high, lu_json_text(member, NULL), &real, error);
    } else if (is_none(f, member)) {
        status = LU_OK;
        real = f->none;
    } else if (is_whole(f->kind)) {
        status = lu_json_get_int(value, f->name, (int64_t)f->low, (int64_t)high, &whole, error);
        real = (double)whole;
    } else {
        status = lu_json_get_real(value, f->name, f->low, high, &real, error);
        real = f->low >= 0.0 && real == 0.0 ? 0.0 : real;
    }
    *c = cell_of(real, f->kind);
    return tell_none(f, status, error);
}

/* One entry of a list. */
static lu_status get_entry(const lu_state_field *f, double high, const lu_json_value *list, int i,
                           cell *c, lu_error *error) {
    const lu_json_value *entry = lu_json_at(list, (size_t)i);
    double unit = f->unit ? f->unit[i] : 1.0;
    if (lu_json_kind_of(entry) != LU_JSON_NUMBER) {
        return lu_fail(error, LU_BAD_DATA, "'%s'[%d] must be a number", f->name, i);
    }
    double real = lu_json_real_or(entry, 0.0);
    if (!is_none(f, entry) && (!(real >= f->low * unit && real <= high * unit) ||
                               (is_whole(f->kind) && real != (double)(int64_t)real))) {
        lu_status status =
            lu_fail(error, LU_BAD_DATA, "'%s'[%d] is %s, but must %slie in %.10g..%.10g", f->name,
                    i, lu_json_number_text(entry), is_whole(f->kind) ? "be whole and " : "",
                    f->low * unit, high * unit);
        return tell_none(f, status, error);
    }
    *c = cell_of(f->low >= 0.0 && real == 0.0 ? 0.0 : real, f->kind);
    return LU_OK;
}

static void store(const lu_state_field *f, unsigned char *at, cell c) {
    if (f->kind == LU_NUMBER_BIT) {
        c.u8 = (uint8_t)((*at & ~f->bit) | (c.u8 ? f->bit : 0));
    }
    memcpy(at, &c, sizes[f->kind]);
}

/* A list; entries that are not used are 0. */
static lu_status get_list(const lu_state_field *f, double high, unsigned char *state,
                          unsigned char *at, const lu_json_value *list, lu_error *error) {
    size_t given = lu_json_count(list), count = (size_t)f->count;
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || given > count || (given < count && !f->used)) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be an array of %s%d numbers", f->name,
                       f->used ? "at most " : "", f->count);
    }
    for (size_t i = 0; i < count; i++) {
        cell c = {0};
        if (i < given) {
            LU_TRY(get_entry(f, high, list, (int)i, &c, error));
        }
        store(f, at + i * apart_of(f), c);
    }
    if (f->used) {
        cell c = cell_of((double)given, f->used_kind);
        memcpy(state + f->used, &c, sizes[f->used_kind]);
    }
    return LU_OK;
}

static lu_status get_field(const lu_state_field *f, const lu_rules *rules, unsigned char *state,
                           int index, const lu_json_value *value, lu_error *error) {
    unsigned char *at = state + place_of(f, index);
    double high = f->most ? f->most(rules) : f->high;
    cell c = {0};
    if (f->count > 0) {
        return get_list(f, high, state, at, lu_json_get(value, f->name), error);
    }
    LU_TRY(get_one(f, high, value, &c, error));
    store(f, at, c);
    return LU_OK;
}

lu_status lu_record_from_json(const lu_state_field *fields, int count, const lu_rules *rules,
                              void *state, int index, const lu_json_value *value, lu_error *error) {
    lu_status status = LU_OK;
    for (const lu_state_field *f = fields; f < fields + count && status == LU_OK; f++) {
        if (lu_json_get(value, f->name)) {
            status = get_field(f, rules, state, index, value, error);
        }
    }
    return status;
}

lu_status lu_fields_from_json(const lu_state_field *fields, int count, const lu_rules *rules,
                              void *state, const lu_json_value *value, lu_error *error) {
    return lu_record_from_json(fields, count, rules, state, 0, value, error);
}

lu_status lu_entries_from_json(const lu_state_field *fields, int count, const char *what,
                               void *state, const lu_json_value *list, int first, lu_error *error) {
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || lu_json_count(list) != (size_t)(first + count)) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be an array of %d entries", what,
                       first + count);
    }
    for (int i = 0; i < count; i++) {
        lu_state_field f = fields[i];
        cell c;
        f.name = what;
        LU_TRY(get_entry(&f, f.high, list, first + i, &c, error));
        store(&f, (unsigned char *)state + f.offset, c);
    }
    return LU_OK;
}
