/* Spaces of a sweep: see sweep.h. A space file is a settings file whose keys are those of the
 * settings with .min, .max, .scale, .form and .options behind them; the reader of settings thus
 * checks names and numbers and knows all formats. */
#include "sweep_internal.h"

#include "ludus/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const parts[] = {"min", "max", "scale", "form", "options"};
enum { PARTS = 5 };

/* ---- the table of a space ---- */

static bool is_number(const lu_setting *row) {
    return row->type == LU_INT || row->type == LU_REAL || row->type == LU_SCHEDULE;
}

static lu_setting part_row(const lu_setting *of, int part, const char *key) {
    lu_setting row = {.key = key, .type = LU_REAL, .initial = "", .sentence = "Of a space."};
    row.low = of->low;
    row.high = of->high;
    if (part >= 2) {
        row.type = part == 2 ? LU_ENUM : LU_TEXT;
        row.choices = part == 2 ? "linear|log|int" : NULL;
        row.initial = part == 2 ? "linear" : "";
        row.low = row.high = 0.0;
        row.repeat = part == 4;
    }
    return row;
}

/* Rows that only serve this one reading. */
static lu_settings *space_settings(const lu_settings *settings) {
    lu_settings *space = lu_settings_new();
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const lu_setting *of = lu_settings_row(settings, i, NULL);
        for (int part = is_number(of) ? 0 : PARTS - 1; part < PARTS; part++) {
            lu_text key = LU_TEXT_INIT;
            lu_text_addf(&key, "%s.%s", of->key, parts[part]);
            lu_setting row = part_row(of, part, key.text);
            lu_settings_add_copy(space, (lu_table){"space", &row, 1});
            lu_text_free(&key);
        }
    }
    return space;
}

/* ---- dimensions ---- */

static const char *part_key(const dimension *d, const char *part, char *key, size_t room) {
    snprintf(key, room, "%s.%s", d->key, part);
    return key;
}

static lu_status read_options(dimension *d, const lu_settings *from, const char *name,
                              lu_error *error) {
    char key[300];
    part_key(d, "options", key, sizeof key);
    size_t count = lu_settings_count(from, key);
    if (count < 2) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s: '%s' has only %zu values: list at least two, or set it for all trials",
                       name, key, count);
    }
    d->options = (int)count;
    d->option = lu_alloc_zero(count, sizeof *d->option);
    for (size_t i = 0; i < count; i++) {
        d->option[i] = lu_strdup(lu_settings_nth(from, key, i));
    }
    return LU_OK;
}

static lu_status read_range(dimension *d, const lu_setting *row, const lu_settings *from,
                            const char *name, lu_error *error) {
    char low[300], high[300], key[300];
    part_key(d, "min", low, sizeof low);
    part_key(d, "max", high, sizeof high);
    if (!lu_settings_is_set(from, low) || !lu_settings_is_set(from, high)) {
        return lu_fail(error, LU_BAD_VALUE, "%s: '%s' needs min and max, or options", name, d->key);
    }
    d->low = lu_settings_real(from, low);
    d->high = lu_settings_real(from, high);
    d->scale = (space_scale)lu_settings_enum(from, part_key(d, "scale", key, sizeof key));
    d->whole = row->type == LU_INT || d->scale == SCALE_INT;
    d->form = lu_strdup(lu_settings_text_of(from, part_key(d, "form", key, sizeof key)));
    if (d->low >= d->high) {
        return lu_fail(error, LU_BAD_VALUE, "%s: '%s' = %.9g is not above '%s' = %.9g", name, high,
                       d->high, low, d->low);
    }
    if (d->scale == SCALE_LOG && d->low <= 0.0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s: '%s' = %.9g, but a log scale needs numbers above 0", name, low, d->low);
    }
    if (d->whole && (d->low != lu_floor(d->low) || d->high != lu_floor(d->high))) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s: '%s' is an integer: min and max must be integers too", name, d->key);
    }
    const char *hole = strstr(d->form, "{}");
    if (*d->form && (!hole || strstr(hole + 2, "{}"))) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s: '%s.form' = '%s' must contain {} once, where the number goes", name,
                       d->key, d->form);
    }
    return LU_OK;
}

/* Every option, and the ends and the middle of a range, as the setting itself takes them. */
static lu_status try_values(const lu_space *space, int index, const lu_settings *settings,
                            const char *name, lu_error *error) {
    const dimension *d = &space->dimension[index];
    int count = d->options ? d->options : 3;
    lu_settings *room = lu_settings_copy(settings);
    lu_text value = LU_TEXT_INIT;
    lu_status status = LU_OK;
    for (int i = 0; status == LU_OK && i < count; i++) {
        double place = d->options ? (i + 0.5) / count : i == 0 ? 0.0 : i == 1 ? 0.5 : 0.999999999;
        lu_text_clear(&value);
        lu_space_value(space, index, place, &value);
        status = lu_settings_set(room, d->key, value.text, LU_FROM_FLAG, name, error);
    }
    lu_text_free(&value);
    lu_settings_delete(room);
    return status;
}

/* True when any part of a setting was given. */
static bool is_given(const lu_settings *from, const char *setting) {
    for (int part = 0; part < PARTS; part++) {
        char key[300];
        snprintf(key, sizeof key, "%s.%s", setting, parts[part]);
        if (lu_settings_has(from, key) &&
            (part == PARTS - 1 ? lu_settings_count(from, key) > 0
                               : lu_settings_origin(from, key) != LU_FROM_DEFAULT)) {
            return true;
        }
    }
    return false;
}

static lu_status read_dimension(lu_space *space, const lu_setting *row, const lu_settings *from,
                                const lu_settings *settings, const char *name, lu_error *error) {
    if (space->count == LU_MAX_DIMENSIONS) {
        return lu_fail(error, LU_LIMIT, "%s: a space has at most %d settings", name,
                       LU_MAX_DIMENSIONS);
    }
    const char *last = strrchr(row->key, '.');
    if (last && (strcmp(last, ".seed") == 0 || strcmp(last, ".threads") == 0)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s: '%s' is set by the sweep for every trial: leave it out", name,
                       row->key);
    }
    dimension *d = &space->dimension[space->count++];
    char key[300];
    d->key = lu_strdup(row->key);
    bool listed = lu_settings_count(from, part_key(d, "options", key, sizeof key)) > 0;
    if (listed && is_number(row) &&
        (lu_settings_is_set(from, part_key(d, "min", key, sizeof key)) ||
         lu_settings_is_set(from, part_key(d, "max", key, sizeof key)))) {
        return lu_fail(error, LU_BAD_VALUE, "%s: '%s' has both a range and options: keep one", name,
                       d->key);
    }
    lu_status status = listed || !is_number(row) ? read_options(d, from, name, error)
                                                 : read_range(d, row, from, name, error);
    return status == LU_OK ? try_values(space, space->count - 1, settings, name, error) : status;
}

/* ---- a space ---- */

static lu_space *make(const lu_settings *from, const lu_settings *settings, const char *name,
                      lu_error *error) {
    lu_space *space = lu_alloc_zero(1, sizeof *space);
    lu_status status = LU_OK;
    for (size_t i = 0; status == LU_OK && i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        if (is_given(from, row->key)) {
            status = read_dimension(space, row, from, settings, name, error);
        }
    }
    if (status == LU_OK && space->count == 0) {
        status = lu_fail(error, LU_BAD_VALUE,
                         "%s: no setting varies; add one with min and max, or options", name);
    }
    if (status != LU_OK) {
        lu_space_delete(space);
        return NULL;
    }
    return space;
}

lu_space *lu_space_read(const char *path, const lu_settings *settings, lu_error *error) {
    lu_settings *from = space_settings(settings);
    lu_space *space = NULL;
    if (lu_settings_file(from, path, LU_FROM_FILE, error) == LU_OK) {
        space = make(from, settings, path, error);
    }
    lu_settings_delete(from);
    return space;
}

lu_space *lu_space_text(const char *kind, const char *name, const char *text, size_t length,
                        const lu_settings *settings, lu_error *error) {
    lu_settings *from = space_settings(settings);
    lu_space *space = NULL;
    if (lu_settings_text(from, kind, name, text, length, LU_FROM_FILE, error) == LU_OK) {
        space = make(from, settings, name, error);
    }
    lu_settings_delete(from);
    return space;
}

void lu_space_delete(lu_space *space) {
    if (!space) {
        return;
    }
    for (int i = 0; i < space->count; i++) {
        dimension *d = &space->dimension[i];
        for (int o = 0; d->option && o < d->options; o++) {
            free(d->option[o]);
        }
        free(d->option);
        free(d->form);
        free(d->key);
    }
    free(space);
}

int lu_space_count(const lu_space *space) {
    return space->count;
}

const char *lu_space_key(const lu_space *space, int index) {
    LU_ASSERT(index >= 0 && index < space->count);
    return space->dimension[index].key;
}

int lu_space_options(const lu_space *space, int index) {
    LU_ASSERT(index >= 0 && index < space->count);
    return space->dimension[index].options;
}

/* ---- values ---- */

static double number_at(const dimension *d, double place) {
    if (d->whole) {
        /* each whole number has an equal share of the scale; on a log scale a share by its size */
        double low = d->low - 0.5, high = d->high + 0.5;
        double x =
            d->scale == SCALE_LOG ? low * lu_pow(high / low, place) : low + (high - low) * place;
        x = lu_floor(x + 0.5);
        return x < d->low ? d->low : x > d->high ? d->high : x;
    }
    double x = d->scale == SCALE_LOG ? d->low * lu_pow(d->high / d->low, place)
                                     : d->low + (d->high - d->low) * place;
    return x < d->low ? d->low : x > d->high ? d->high : x;
}

void lu_space_value(const lu_space *space, int index, double place, lu_text *text) {
    LU_ASSERT(index >= 0 && index < space->count);
    const dimension *d = &space->dimension[index];
    if (d->options) {
        lu_text_add(text, d->option[space_option(d, place)]);
        return;
    }
    /* four digits are enough to search by, and short enough to be read */
    char number[40];
    snprintf(number, sizeof number, d->whole ? "%.0f" : "%.4g", number_at(d, place));
    const char *hole = strstr(d->form, "{}");
    if (!hole) {
        lu_text_add(text, number);
        return;
    }
    lu_text_add_n(text, d->form, (size_t)(hole - d->form));
    lu_text_add(text, number);
    lu_text_add(text, hole + 2);
}

int space_option(const dimension *d, double place) {
    int option = (int)(place * d->options);
    return option < 0 ? 0 : option >= d->options ? d->options - 1 : option;
}

void lu_space_write(const lu_space *space, lu_json *json) {
    static const char *const scales[] = {"linear", "log", "int"};
    lu_json_object(json);
    for (int i = 0; i < space->count; i++) {
        const dimension *d = &space->dimension[i];
        lu_json_key_object(json, d->key);
        if (d->options) {
            lu_json_key_array(json, "options");
            for (int o = 0; o < d->options; o++) {
                lu_json_string(json, d->option[o]);
            }
            lu_json_array_end(json);
        } else {
            lu_json_key_real(json, "min", d->low);
            lu_json_key_real(json, "max", d->high);
            lu_json_key_string(json, "scale", scales[d->scale]);
            if (*d->form) {
                lu_json_key_string(json, "form", d->form);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}
