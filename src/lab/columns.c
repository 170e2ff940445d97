/* Flat tables from rows of JSON: see ludus/columns.h. */
#include "ludus/columns.h"

#include "ludus/settings.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MOST = 4096,
    DEPTH_MOST = 8, /* what is nested deeper stays JSON */
    NAME_MOST = 400,
};

void lu_columns_init(lu_columns *t) {
    *t = (lu_columns){0};
}

void lu_columns_free(lu_columns *t) {
    for (size_t i = 0; i < t->columns; i++) {
        free(t->column[i].name);
    }
    free(t->column);
    free(t->row);
    free(t->cell);
    *t = (lu_columns){0};
}

/* ---- rows ---- */

/* Room for one more in a list that doubles at powers of two. */
static void *grow(void *list, size_t count, size_t bytes) {
    return (count & (count - 1)) == 0 ? lu_realloc(list, (count ? 2 * count : 1) * bytes) : list;
}

void lu_columns_row(lu_columns *t) {
    t->row = grow(t->row, t->rows, sizeof *t->row);
    t->row[t->rows++] = t->cells;
    t->next = 0;
}

/* The column of this name, made when it is new. Rows are alike, so that the one behind the last
 * found is tried first. */
static size_t column_of(lu_columns *t, const char *name) {
    for (size_t i = 0; i < t->columns; i++) {
        size_t at = (t->next + i) % t->columns;
        if (strcmp(t->column[at].name, name) == 0) {
            return at;
        }
    }
    t->column = grow(t->column, t->columns, sizeof *t->column);
    t->column[t->columns] = (lu_column){.name = lu_strdup(name)};
    return t->columns++;
}

static lu_status add_value(lu_columns *t, const char *name, const lu_json_value *value, int depth,
                           lu_error *error) {
    lu_status status = LU_OK;
    lu_text inside = LU_TEXT_INIT;
    const char *key;
    if (lu_json_kind_of(value) == LU_JSON_NULL) {
        return LU_OK;
    }
    if (lu_json_kind_of(value) != LU_JSON_OBJECT || depth == DEPTH_MOST) {
        size_t column = column_of(t, name);
        if (column >= COLUMNS_MOST || strlen(name) > NAME_MOST) {
            return lu_fail(error, LU_LIMIT,
                           "the rows have more than %d columns or names of more than %d bytes",
                           COLUMNS_MOST, NAME_MOST);
        }
        t->cell = grow(t->cell, t->cells, sizeof *t->cell);
        t->cell[t->cells++] = (lu_column_cell){column, value};
        t->next = column + 1;
        return LU_OK;
    }
    for (size_t i = 0; i < lu_json_count(value) && status == LU_OK; i++) {
        const lu_json_value *member = lu_json_member(value, i, &key);
        lu_text_clear(&inside);
        lu_text_addf(&inside, "%s%s%s", name, *name ? "." : "", key);
        status = add_value(t, inside.text, member, depth + 1, error);
    }
    lu_text_free(&inside);
    return status;
}

lu_status lu_columns_add(lu_columns *t, const lu_json_value *object, const char *without,
                         lu_error *error) {
    lu_status status = LU_OK;
    const char *key;
    for (size_t i = 0; i < lu_json_count(object) && status == LU_OK; i++) {
        const lu_json_value *member = lu_json_member(object, i, &key);
        if (member && (!without || strcmp(key, without) != 0)) {
            status = add_value(t, key, member, 0, error);
        }
    }
    return status;
}

lu_status lu_columns_add_one(lu_columns *t, const lu_json_value *object, const char *key,
                             lu_error *error) {
    return add_value(t, key, lu_json_get(object, key), 0, error);
}

/* ---- types ---- */

/* A number of a column of whole ones. One beyond 64 bits stays exact as a text. */
static lu_column_kind kind_of_whole(const lu_json_value *value) {
    const char *text = lu_json_number_text(value);
    int64_t number;
    if (strspn(text, "-0123456789") < strlen(text)) {
        return LU_COLUMN_REAL;
    }
    return lu_parse_i64("", text, INT64_MIN, INT64_MAX, &number, NULL) == LU_OK ? LU_COLUMN_INT
                                                                                : LU_COLUMN_TEXT;
}

/* "2026-01-31T12:34:56Z" */
static bool is_time(const char *text) {
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    for (size_t i = 0; i < sizeof form; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) {
            return false;
        }
    }
    return true;
}

/* Lists of numbers or of texts; an empty one passes as either. */
static lu_column_kind kind_of_list(const lu_json_value *list) {
    lu_column_kind kind = LU_COLUMN_EMPTY;
    for (size_t i = 0; i < lu_json_count(list); i++) {
        lu_json_kind entry = lu_json_kind_of(lu_json_at(list, i));
        lu_column_kind now = entry == LU_JSON_NUMBER   ? LU_COLUMN_REALS
                             : entry == LU_JSON_STRING ? LU_COLUMN_TEXTS
                                                       : LU_COLUMN_TEXT;
        if (now == LU_COLUMN_TEXT || (kind != LU_COLUMN_EMPTY && kind != now)) {
            return LU_COLUMN_TEXT;
        }
        kind = now;
    }
    return kind == LU_COLUMN_EMPTY ? LU_COLUMN_REALS : kind;
}

static lu_column_kind kind_of(const lu_json_value *value, bool whole) {
    switch (lu_json_kind_of(value)) {
    case LU_JSON_FALSE:
    case LU_JSON_TRUE:
        return LU_COLUMN_BOOL;
    case LU_JSON_NUMBER:
        return whole ? kind_of_whole(value) : LU_COLUMN_REAL;
    case LU_JSON_STRING:
        return is_time(lu_json_text(value, NULL)) ? LU_COLUMN_TIME : LU_COLUMN_TEXT;
    case LU_JSON_ARRAY:
        return kind_of_list(value);
    default:
        return LU_COLUMN_TEXT;
    }
}

/* The type that holds values of both. */
static lu_column_kind join(lu_column_kind a, lu_column_kind b, const lu_json_value *value) {
    if (a == LU_COLUMN_EMPTY || a == b) {
        return b;
    }
    if ((a == LU_COLUMN_INT && b == LU_COLUMN_REAL) ||
        (a == LU_COLUMN_REAL && b == LU_COLUMN_INT)) {
        return LU_COLUMN_REAL;
    }
    bool empty = lu_json_kind_of(value) == LU_JSON_ARRAY && lu_json_count(value) == 0;
    return a == LU_COLUMN_TEXTS && empty ? LU_COLUMN_TEXTS : LU_COLUMN_TEXT;
}

void lu_columns_settle(lu_columns *t, bool (*whole)(const char *name)) {
    bool *wholes = lu_alloc_zero(t->columns + 1, sizeof *wholes);
    for (size_t i = 0; i < t->columns; i++) {
        wholes[i] = whole(t->column[i].name);
    }
    for (size_t i = 0; i < t->cells; i++) {
        lu_column *c = &t->column[t->cell[i].column];
        const lu_json_value *value = t->cell[i].value;
        c->kind = join(c->kind, kind_of(value, wholes[t->cell[i].column]), value);
    }
    free(wholes);
}

static const struct {
    const char *arrow, *parquet;
} types[] = {
    [LU_COLUMN_EMPTY] = {"null", "NULL"},
    [LU_COLUMN_BOOL] = {"bool", "BOOLEAN"},
    [LU_COLUMN_INT] = {"int64", "INT64"},
    [LU_COLUMN_REAL] = {"double", "DOUBLE"},
    [LU_COLUMN_TIME] = {"timestamp[s]", "TIMESTAMP(MILLIS)"},
    [LU_COLUMN_TEXT] = {"string", "STRING"},
    [LU_COLUMN_REALS] = {"list<double>", "LIST<DOUBLE>"},
    [LU_COLUMN_TEXTS] = {"list<string>", "LIST<STRING>"},
};

const char *lu_columns_arrow(lu_column_kind kind) {
    return types[kind].arrow;
}

const char *lu_columns_parquet(lu_column_kind kind) {
    return types[kind].parquet;
}

/* ---- writing ---- */

/* The values of a row, one per column; NULL for none. */
static void gather(const lu_columns *t, size_t row, const lu_json_value **values) {
    size_t end = row + 1 < t->rows ? t->row[row + 1] : t->cells;
    memset(values, 0, (t->columns + 1) * sizeof(lu_json_value *));
    for (size_t i = t->row[row]; i < end; i++) {
        values[t->cell[i].column] = t->cell[i].value;
    }
}

/* A value that is neither text nor number nor truth: as JSON. */
static void add_json(const lu_json_value *value, lu_text *text) {
    lu_json json = LU_JSON_INIT;
    lu_json_value_write(&json, value);
    lu_text_add(text, json.text);
    lu_json_free(&json);
}

/* What a cell says, without quotes. */
static void add_plain(const lu_json_value *value, lu_text *text) {
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        lu_text_add(text, lu_json_text(value, NULL));
    } else if (value) {
        add_json(value, text);
    }
}

static void add_cell(const char *plain, lu_text *text) {
    size_t length = strlen(plain);
    bool edge = length > 0 && (plain[0] == ' ' || plain[length - 1] == ' ');
    if (!edge && strcspn(plain, ",\"\r\n") == length) {
        lu_text_add(text, plain);
        return;
    }
    lu_text_add_char(text, '"');
    for (const char *c = plain; *c; c++) {
        lu_text_add(text, *c == '"' ? "\"" : "");
        lu_text_add_char(text, *c);
    }
    lu_text_add_char(text, '"');
}

void lu_columns_csv(const lu_columns *t, lu_text *text) {
    const lu_json_value **values = lu_alloc_zero(t->columns + 1, sizeof *values);
    lu_text plain = LU_TEXT_INIT;
    for (size_t c = 0; c < t->columns; c++) {
        lu_text_add(text, c ? "," : "");
        add_cell(t->column[c].name, text);
    }
    lu_text_add(text, "\r\n");
    for (size_t r = 0; r < t->rows; r++) {
        gather(t, r, values);
        for (size_t c = 0; c < t->columns; c++) {
            lu_text_clear(&plain);
            add_plain(values[c], &plain);
            lu_text_add(text, c ? "," : "");
            add_cell(plain.text, text);
        }
        lu_text_add(text, "\r\n");
    }
    lu_text_free(&plain);
    free(values);
}

static void write_real(const lu_json_value *value, lu_json *json) {
    char room[512];
    const char *text = lu_json_number_text(value);
    size_t length = text ? strlen(text) : 0;
    if (!text) {
        lu_json_null(json);
    } else if (strcspn(text, ".eE") < length || length + 3 > sizeof room) {
        lu_json_raw(json, text, length);
    } else {
        memcpy(room, text, length);
        memcpy(room + length, ".0", 3);
        lu_json_raw(json, room, length + 2);
    }
}

static void write_typed(lu_column_kind kind, const lu_json_value *value, lu_text *plain,
                        lu_json *json) {
    if (!value) {
        lu_json_null(json);
    } else if (kind == LU_COLUMN_REAL) {
        write_real(value, json);
    } else if (kind == LU_COLUMN_REALS) {
        lu_json_array(json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            write_real(lu_json_at(value, i), json);
        }
        lu_json_array_end(json);
    } else if (kind == LU_COLUMN_TEXT) {
        lu_text_clear(plain);
        add_plain(value, plain);
        lu_json_string(json, plain->text);
    } else {
        lu_json_value_write(json, value);
    }
}

void lu_columns_lines(const lu_columns *t, lu_text *text) {
    const lu_json_value **values = lu_alloc_zero(t->columns + 1, sizeof *values);
    lu_text plain = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    for (size_t r = 0; r < t->rows; r++) {
        gather(t, r, values);
        lu_json_object(&json);
        for (size_t c = 0; c < t->columns; c++) {
            lu_json_key(&json, t->column[c].name);
            write_typed(t->column[c].kind, values[c], &plain, &json);
        }
        lu_json_object_end(&json);
        lu_text_add_n(text, json.text, json.length);
        lu_text_add_char(text, '\n');
        lu_json_clear(&json);
    }
    lu_json_free(&json);
    lu_text_free(&plain);
    free(values);
}
