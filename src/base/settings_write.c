/* What the tables and values look like from outside: canonical JSON (what replays and models
 * store), the JSON schema of the API, and the Markdown of the docs. */
#include "number.h"
#include "settings_internal.h"

#include "ludus/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- canonical JSON ---- */

/* A constant as a number, anything else as its text without spaces. */
static void write_schedule(lu_json *json, const lu_value *value) {
    double constant;
    if (lu_schedule_is_constant(value->schedule, &constant)) {
        lu_json_real(json, constant);
        return;
    }
    char *text = lu_strdup(value->text), *put = text;
    for (const char *c = value->text; *c; c++) {
        if (!strchr(" \t\r\n", *c)) {
            *put++ = *c;
        }
    }
    lu_json_string_n(json, text, (size_t)(put - text));
    free(text);
}

/* Canonical JSON: equal values of a row give equal bytes. */
static void write_value(lu_json *json, const lu_setting *row, const lu_value *value) {
    if (!*value->text && row->type != LU_TEXT && row->type != LU_LIST) {
        lu_json_null(json); /* unset */
        return;
    }
    lu_json_document *document;
    switch (row->type) {
    case LU_BOOL:
        lu_json_bool(json, value->flag);
        break;
    case LU_INT:
        lu_json_int(json, value->whole);
        break;
    case LU_REAL:
        lu_json_real(json, value->real);
        break;
    case LU_TEXT:
    case LU_ENUM:
        lu_json_string(json, value->text);
        break;
    case LU_LIST:
        lu_json_array(json);
        for (size_t i = 0; i < value->list_count; i++) {
            lu_json_real(json, value->list[i]);
        }
        lu_json_array_end(json);
        break;
    case LU_JSON:
        document = lu_json_read(row->key, value->text, strlen(value->text), NULL);
        LU_ASSERT(document); /* it was checked when it was set */
        (void)lu_json_canonical(json, lu_json_root(document), INT_MAX);
        lu_json_close(document);
        break;
    case LU_SCHEDULE:
        write_schedule(json, value);
        break;
    case LU_FILE:
        lu_file_text_write(json, value->file);
        break;
    case LU_ALIAS: /* never a value */
        break;
    }
}

static void write_entry(lu_json *json, const lu_entry *entry) {
    if (!entry->row->repeat) {
        write_value(json, entry->row, &entry->values[0]);
        return;
    }
    lu_json_array(json);
    for (size_t i = 0; i < entry->count; i++) {
        write_value(json, entry->row, &entry->values[i]);
    }
    lu_json_array_end(json);
}

/* The default of a row, in the form write_entry gives it. */
static void write_default(lu_json *json, const lu_setting *row) {
    lu_value value;
    lu_status status = lu_value_read(row, row->initial, false, "default", &value, NULL);
    LU_ASSERT(status == LU_OK);
    lu_entry entry = {.row = row, .values = &value, .count = row->repeat && !*row->initial ? 0 : 1};
    write_entry(json, &entry);
    lu_value_free(&value);
}

void lu_settings_write(const lu_settings *settings, const char *key, lu_json *json) {
    const lu_entry *entry = lu_settings_find(settings, key, NULL);
    LU_ASSERT(entry);
    write_entry(json, entry);
}

char *lu_settings_json(const lu_settings *settings) {
    lu_json json = LU_JSON_INIT, now = LU_JSON_INIT, initial = LU_JSON_INIT;
    lu_json_object(&json);
    for (size_t i = 0; i < settings->count; i++) {
        const lu_entry *entry = &settings->entries[settings->order[i]];
        lu_json_clear(&now);
        lu_json_clear(&initial);
        write_entry(&now, entry);
        write_default(&initial, entry->row);
        if (strcmp(now.text, initial.text) != 0) {
            lu_json_key(&json, entry->row->key);
            lu_json_raw(&json, now.text, now.length);
        }
    }
    lu_json_object_end(&json);
    lu_json_free(&now);
    lu_json_free(&initial);
    return json.text;
}

/* ---- JSON schema ---- */

static void write_limit(lu_json *json, const lu_setting *row, const char *key, double limit) {
    if (isfinite(limit)) {
        lu_json_key_real(json, key, row->type == LU_INT ? nearbyint(limit) : limit);
    }
}

static void write_range(lu_json *json, const lu_setting *row) {
    if (row->low != 0 || row->high != 0) {
        write_limit(json, row, "minimum", row->low);
        write_limit(json, row, "maximum", row->high);
    }
}

static void write_choices(lu_json *json, const lu_setting *row, bool with_null) {
    lu_json_key_array(json, "enum");
    for (const char *at = row->choices; at;) {
        size_t span = strcspn(at, "|");
        lu_json_string_n(json, at, span);
        at = at[span] ? at + span + 1 : NULL;
    }
    if (with_null) {
        lu_json_null(json);
    }
    lu_json_array_end(json);
}

/* {"name","text"}, as whoever sends settings gives it. */
static void write_file_type(lu_json *json, const lu_setting *row) {
    static const char *const members[] = {"name", "text"};
    lu_json_key_object(json, "properties");
    for (int i = 0; i < 2; i++) {
        lu_json_key_object(json, members[i]);
        lu_json_key_string(json, "type", "string");
        lu_json_key_int(json, "maxLength", i ? (int64_t)lu_file_most(row) : LU_FILE_NAME);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
    lu_json_key_array(json, "required");
    lu_json_string(json, members[0]);
    lu_json_string(json, members[1]);
    lu_json_array_end(json);
    lu_json_key_bool(json, "additionalProperties", false);
}

/* The members that say which values one value of the row may take. */
static void write_type(lu_json *json, const lu_setting *row) {
    static const char *const names[] = {"boolean", "integer", "number", "string", "string",
                                        "array",   NULL,      "number", "object"};
    bool unset = !*row->initial && !row->repeat && row->type != LU_TEXT && row->type != LU_LIST;
    const char *name = names[row->type];
    if (name && (unset || row->type == LU_SCHEDULE)) {
        lu_json_key_array(json, "type");
        lu_json_string(json, name);
        if (row->type == LU_SCHEDULE) {
            lu_json_string(json, "string");
        }
        if (unset) {
            lu_json_string(json, "null");
        }
        lu_json_array_end(json);
    } else if (name) {
        lu_json_key_string(json, "type", name);
    }
    if (row->type == LU_INT || row->type == LU_REAL || row->type == LU_SCHEDULE) {
        write_range(json, row);
    } else if (row->type == LU_TEXT) {
        lu_json_key_int(json, "maxLength", row->high > 0 ? (int64_t)row->high : 4096);
    } else if (row->type == LU_ENUM) {
        write_choices(json, row, unset);
    } else if (row->type == LU_LIST) {
        lu_json_key_object(json, "items");
        lu_json_key_string(json, "type", "number");
        write_range(json, row);
        lu_json_object_end(json);
    } else if (row->type == LU_FILE) {
        write_file_type(json, row);
    }
}

static void write_aliases(lu_json *json, const lu_settings *settings, const char *key) {
    bool any = false;
    for (size_t i = 0; i < settings->alias_count; i++) {
        const lu_setting *row = settings->aliases[i].row;
        if (strcmp(row->initial, key) != 0) {
            continue;
        }
        if (!any) {
            lu_json_key_array(json, "x-aliases");
        }
        any = true;
        lu_json_string(json, row->key);
    }
    if (any) {
        lu_json_array_end(json);
    }
}

static void write_property(lu_json *json, const lu_settings *settings, const lu_entry *entry) {
    const lu_setting *row = entry->row;
    lu_json_key_object(json, row->key);
    if (row->repeat) {
        lu_json_key_string(json, "type", "array");
        lu_json_key_object(json, "items");
        write_type(json, row);
        lu_json_object_end(json);
    } else {
        write_type(json, row);
    }
    lu_json_key(json, "default");
    write_default(json, row);
    lu_json_key_string(json, "description", row->sentence);
    lu_json_key_string(json, "x-module", entry->module);
    lu_json_key_string(json, "x-type", lu_type_name(row->type));
    write_aliases(json, settings, row->key);
    lu_json_object_end(json);
}

char *lu_settings_schema(const lu_settings *settings, const char *title) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lu_json_key_string(&json, "title", title);
    lu_json_key_string(&json, "type", "object");
    lu_json_key_bool(&json, "additionalProperties", false);
    lu_json_key_object(&json, "properties");
    for (size_t i = 0; i < settings->count; i++) {
        write_property(&json, settings, &settings->entries[i]);
    }
    lu_json_object_end(&json);
    lu_json_object_end(&json);
    return json.text;
}

/* ---- Markdown ---- */

/* A table cell: bars are escaped, line ends become spaces. */
static void add_cell(lu_text *out, const char *bytes) {
    for (const char *c = bytes; *c; c++) {
        if (*c == '|') {
            lu_text_add(out, "\\|");
        } else {
            lu_text_add_char(out, *c == '\n' || *c == '\r' ? ' ' : *c);
        }
    }
}

static void add_code(lu_text *out, const char *bytes) {
    if (*bytes) {
        lu_text_add(out, "`");
        add_cell(out, bytes);
        lu_text_add(out, "`");
    }
}

static void add_allowed(lu_text *out, const lu_setting *row) {
    char low[LU_NUMBER], high[LU_NUMBER];
    if (row->type == LU_ENUM) {
        for (const char *at = row->choices; at;) {
            size_t span = strcspn(at, "|");
            lu_text_add(out, at == row->choices ? "`" : ", `");
            lu_text_add_n(out, at, span);
            lu_text_add(out, "`");
            at = at[span] ? at + span + 1 : NULL;
        }
    } else if (row->type == LU_TEXT) {
        lu_text_addf(out, "up to %.0f bytes", row->high > 0 ? row->high : 4096);
    } else if (row->type == LU_FILE) {
        lu_text_addf(out, "up to %zu bytes", lu_file_most(row));
    } else if (row->type != LU_BOOL && row->type != LU_JSON && (row->low != 0 || row->high != 0)) {
        lu_print_short(low, row->low);
        lu_print_short(high, row->high);
        lu_text_addf(out, "%s to %s", low, high);
    }
}

char *lu_settings_markdown(lu_table table) {
    lu_text out = LU_TEXT_INIT;
    lu_text_addf(&out, "## %s", table.module);
    lu_text_add(&out,
                "\n\n| Setting | Type | Default | Allowed | Meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < table.count; i++) {
        const lu_setting *row = &table.rows[i];
        lu_text_add(&out, "| ");
        add_code(&out, row->key);
        lu_text_add(&out, " | ");
        lu_text_add(&out, lu_type_name(row->type));
        lu_text_add(&out, row->repeat ? ", repeatable | " : " | ");
        add_code(&out, row->initial);
        lu_text_add(&out, " | ");
        add_allowed(&out, row);
        lu_text_add(&out, " | ");
        add_cell(&out, row->sentence);
        lu_text_add(&out, " |\n");
    }
    return out.text;
}
