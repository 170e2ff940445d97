/* Files of settings, as far as they need no library: the batch that checks a whole file before it
 * sets anything, the tree that YAML and JSON have in common and its flattening to dotted keys, and
 * JSON itself, which works in WASM too. INI and YAML are in settings_file.c. */
#include "settings_internal.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEY = 256 };

/* ---- batches ---- */

void lu_batch_init(lu_batch *batch, lu_settings *settings, const char *name) {
    *batch = (lu_batch){.settings = settings, .name = name};
    batch->seen = lu_alloc_zero(settings->count, sizeof *batch->seen);
}

void lu_batch_free(lu_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        lu_value_free(&batch->items[i].value);
        free(batch->items[i].where);
    }
    free(batch->items);
    free(batch->seen);
    *batch = (lu_batch){0};
}

lu_status lu_batch_fail(const lu_batch *batch, unsigned line, const char *what, lu_error *error) {
    char shown[LU_SHOW];
    return lu_fail(error, LU_BAD_DATA, "%s:%u: %s", lu_show(shown, batch->name), line, what);
}

/* "run.ini:4", or the name alone when there is no line. */
static char *place_of(const lu_batch *batch, unsigned line) {
    size_t room = strlen(batch->name) + 16;
    char *place = lu_alloc(room);
    snprintf(place, room, line ? "%s:%u" : "%s", batch->name, line);
    return place;
}

static lu_status given_twice(const lu_batch *batch, const lu_entry *entry, unsigned line,
                             lu_error *error) {
    char shown[LU_SHOW];
    unsigned first = batch->seen[entry - batch->settings->entries];
    if (!line) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s sets '%s', which another variable already sets; keep one",
                       lu_show(shown, batch->name), entry->row->key);
    }
    return lu_fail(error, LU_BAD_DATA, "%s:%u: '%s' is given twice, first in line %u; keep one",
                   lu_show(shown, batch->name), line, entry->row->key, first);
}

lu_status lu_batch_add(lu_batch *batch, lu_entry *entry, const char *text, unsigned line,
                       lu_error *error) {
    unsigned *seen = &batch->seen[entry - batch->settings->entries];
    if (*seen && !entry->row->repeat) {
        return given_twice(batch, entry, line, error);
    }
    char *place = place_of(batch, line), room[LU_ALIAS_TEXT];
    lu_value value;
    text = lu_alias_text(batch->settings, batch->alias, text, room);
    lu_status status =
        lu_value_read(entry->row, text, batch->settings->reads, place, &value, error);
    if (status != LU_OK) {
        free(place);
        return status;
    }
    if (batch->count == batch->room) {
        batch->room = batch->room ? batch->room * 2 : 32;
        batch->items = lu_realloc(batch->items, batch->room * sizeof *batch->items);
    }
    batch->items[batch->count++] = (lu_pending){entry, value, batch->alias, place};
    *seen = line ? line : 1;
    return LU_OK;
}

/* deathMatch as death_match; false when that is too long. */
static bool in_snake_case(const char *key, char snake[MAX_KEY]) {
    size_t length = 0;
    for (; *key && length + 2 < MAX_KEY; key++) {
        bool upper = *key >= 'A' && *key <= 'Z';
        if (upper) {
            snake[length++] = '_';
        }
        snake[length++] = (char)(upper ? *key - 'A' + 'a' : *key);
    }
    snake[length] = '\0';
    return !*key;
}

/* The entry that a file names, also freely where lu_settings_file_names allows it; NULL: none. */
static lu_entry *entry_of(lu_batch *batch, const char *key) {
    const lu_settings *settings = batch->settings;
    const char *const *section = settings->sections;
    char snake[MAX_KEY];
    lu_entry *entry = lu_settings_find(settings, key, &batch->alias);
    if (entry || !section || !in_snake_case(key, snake)) {
        return entry;
    }
    const char *known = lu_settings_key(settings, snake);
    for (; *section && !known; section++) {
        size_t length = strlen(*section);
        bool inside = strncmp(snake, *section, length) == 0 && snake[length] == '.';
        known = inside ? lu_settings_key(settings, snake + length + 1) : NULL;
    }
    return known ? lu_settings_find(settings, known, &batch->alias) : NULL;
}

lu_status lu_batch_pair(lu_batch *batch, const char *key, const char *text, unsigned line,
                        lu_error *error) {
    lu_entry *entry = entry_of(batch, key);
    if (!entry && batch->settings->loose) {
        return LU_OK;
    }
    if (!entry) {
        char *place = place_of(batch, line);
        lu_status status = lu_settings_unknown(batch->settings, key, true, place, error);
        free(place);
        return status;
    }
    return lu_batch_add(batch, entry, text, line, error);
}

void lu_batch_apply(lu_batch *batch, lu_origin origin) {
    for (size_t i = 0; i < batch->count; i++) {
        lu_pending *item = &batch->items[i];
        lu_entry_store(item->entry, &item->value, item->alias, origin, item->where);
        free(item->where);
    }
    batch->count = 0;
}

/* ---- trees ---- */

lu_node *lu_node_new(lu_node_kind kind, unsigned line) {
    lu_node *node = lu_alloc_zero(1, sizeof *node);
    node->kind = kind;
    node->line = line;
    return node;
}

void lu_node_delete(lu_node *node) {
    if (!node) {
        return;
    }
    for (lu_node *child = node->first, *next; child; child = next) {
        next = child->next;
        lu_node_delete(child);
    }
    free(node->key);
    free(node->text);
    free(node);
}

void lu_node_add(lu_node *parent, lu_node *child) {
    if (parent->last) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
}

/* The node as JSON text, for rows of that type. */
static void write_node(lu_json *json, const lu_node *node) {
    switch (node->kind) {
    case LU_NODE_NULL:
        lu_json_null(json);
        break;
    case LU_NODE_TEXT:
        if (node->bare) {
            lu_json_raw(json, node->text, strlen(node->text));
        } else {
            lu_json_string(json, node->text);
        }
        break;
    case LU_NODE_LIST:
        lu_json_array(json);
        for (const lu_node *child = node->first; child; child = child->next) {
            write_node(json, child);
        }
        lu_json_array_end(json);
        break;
    case LU_NODE_MAP:
        lu_json_object(json);
        for (const lu_node *child = node->first; child; child = child->next) {
            lu_json_key(json, child->key);
            write_node(json, child);
        }
        lu_json_object_end(json);
        break;
    }
}

static int node_depth(const lu_node *node) {
    int deepest = 0;
    for (const lu_node *child = node->first; child; child = child->next) {
        int depth = node_depth(child);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (node->kind == LU_NODE_LIST || node->kind == LU_NODE_MAP);
}

static lu_status wrong_shape(const lu_batch *batch, const lu_entry *entry, const lu_node *node,
                             const char *expected, lu_error *error) {
    char what[240];
    snprintf(what, sizeof what, "'%.120s' takes %s, not %s", entry->row->key, expected,
             node->kind == LU_NODE_MAP    ? "a map"
             : node->kind == LU_NODE_LIST ? "a list"
             : node->kind == LU_NODE_NULL ? "null"
             : *node->text                ? "a single value"
                                          : "an empty text");
    return lu_batch_fail(batch, node->line, what, error);
}

/* A list of scalars as "a,b,c". */
static lu_status add_joined(lu_batch *batch, lu_entry *entry, const lu_node *node,
                            lu_error *error) {
    size_t room = 1;
    for (const lu_node *child = node->first; child; child = child->next) {
        if (child->kind != LU_NODE_TEXT) {
            return wrong_shape(batch, entry, child, "single values in its list", error);
        }
        room += strlen(child->text) + 1;
    }
    char *text = lu_alloc(room), *put = text;
    for (const lu_node *child = node->first; child; child = child->next) {
        size_t length = strlen(child->text);
        if (put > text) {
            *put++ = ',';
        }
        memcpy(put, child->text, length);
        put += length;
    }
    *put = '\0';
    lu_status status = lu_batch_add(batch, entry, text, node->line, error);
    free(text);
    return status;
}

/* Whether files and bodies may hold a text of this row in another form: "json", "commas". */
static bool has_form(const lu_setting *row, const char *form) {
    return row->type == LU_TEXT && row->choices && strcmp(row->choices, form) == 0;
}

/* Whether a number is given as a schedule is elsewhere: {"type": "constant", "value": 4}. */
static bool is_typed_number(const lu_setting *row, const lu_node *node) {
    const lu_node *member = node->kind == LU_NODE_MAP ? node->first : NULL;
    while (member && !lu_same_key(member->key, "type")) {
        member = member->next;
    }
    return member && (row->type == LU_INT || row->type == LU_REAL);
}

/* One value of an entry: all of the node, or one element of a repeatable row's list. */
static lu_status add_one(lu_batch *batch, lu_entry *entry, const lu_node *node, lu_error *error) {
    bool map = node->kind == LU_NODE_MAP, list = node->kind == LU_NODE_LIST;
    if (entry->row->type == LU_JSON || ((map || list) && has_form(entry->row, "json")) ||
        (map && (entry->row->type == LU_FILE || entry->row->type == LU_SCHEDULE)) ||
        is_typed_number(entry->row, node)) {
        if (node_depth(node) > LU_VALUE_DEPTH) {
            return lu_batch_fail(batch, node->line, "JSON nested deeper than 32 levels", error);
        }
        lu_json json = LU_JSON_INIT;
        write_node(&json, node);
        lu_status status = lu_batch_add(batch, entry, json.text, node->line, error);
        lu_json_free(&json);
        return status;
    }
    if (list && (entry->row->type == LU_LIST || has_form(entry->row, "commas"))) {
        return add_joined(batch, entry, node, error);
    }
    if (list || map) {
        return wrong_shape(batch, entry, node, "one value", error);
    }
    return lu_batch_add(batch, entry, node->kind == LU_NODE_NULL ? "" : node->text, node->line,
                        error);
}

static lu_status add_node(lu_batch *batch, lu_entry *entry, const lu_node *node, lu_error *error) {
    if (batch->seen[entry - batch->settings->entries]) {
        return given_twice(batch, entry, node->line, error);
    }
    if (!entry->row->repeat || node->kind != LU_NODE_LIST) {
        return add_one(batch, entry, node, error);
    }
    lu_status status = LU_OK;
    if (!node->first) {
        status = lu_batch_add(batch, entry, "", node->line, error);
    }
    for (const lu_node *child = node->first; child && status == LU_OK; child = child->next) {
        bool empty = child->kind == LU_NODE_NULL || (child->kind == LU_NODE_TEXT && !*child->text);
        if (empty && entry->row->type != LU_JSON) { /* alone it would empty the list */
            return wrong_shape(batch, entry, child, "values in its list", error);
        }
        status = add_one(batch, entry, child, error);
    }
    return status;
}

/* Some key begins with `prefix` and a dot, or it is a section of files. */
static bool is_section(const lu_settings *settings, const char *prefix) {
    size_t length = strlen(prefix);
    for (size_t i = 0; i < settings->count; i++) {
        const char *key = settings->entries[i].row->key;
        if (strncmp(key, prefix, length) == 0 && key[length] == '.') {
            return true;
        }
    }
    const char *const *section = settings->sections;
    while (section && *section && strcmp(*section, prefix) != 0) {
        section++;
    }
    return section && *section;
}

static lu_status flatten(lu_batch *batch, const char *prefix, const lu_node *map, lu_error *error) {
    lu_status status = LU_OK;
    for (const lu_node *child = map->first; child && status == LU_OK; child = child->next) {
        char key[MAX_KEY];
        int length = snprintf(key, sizeof key, "%s%s%s", prefix, *prefix ? "." : "", child->key);
        if (length >= MAX_KEY) {
            return lu_batch_fail(batch, child->line, "a key longer than 255 bytes", error);
        }
        lu_entry *entry = entry_of(batch, key);
        bool empty = child->kind == LU_NODE_NULL || (child->kind == LU_NODE_MAP && !child->first);
        if (entry) {
            status = add_node(batch, entry, child, error);
        } else if (empty && is_section(batch->settings, key)) {
            continue; /* a section with nothing in it */
        } else if (child->kind == LU_NODE_MAP && !empty) {
            status = flatten(batch, key, child, error);
        } else {
            status = lu_batch_pair(batch, key, "", child->line, error);
        }
    }
    return status;
}

lu_status lu_batch_tree(lu_batch *batch, const lu_node *root, lu_error *error) {
    if (root->kind == LU_NODE_NULL) {
        return LU_OK; /* a file of comments */
    }
    if (root->kind != LU_NODE_MAP) {
        return lu_batch_fail(batch, root->line, "expected keys with values at the top of the file",
                             error);
    }
    return flatten(batch, "", root, error);
}

/* ---- JSON ---- */

/* The tree of a JSON value; NULL and the error for a text with a NUL character in it. */
static lu_node *node_of(const lu_batch *batch, const lu_json_value *value, lu_error *error) {
    static const lu_node_kind kinds[] = {LU_NODE_NULL, LU_NODE_TEXT, LU_NODE_TEXT, LU_NODE_TEXT,
                                         LU_NODE_TEXT, LU_NODE_LIST, LU_NODE_MAP};
    lu_json_kind kind = lu_json_kind_of(value);
    lu_node *node = lu_node_new(kinds[kind], lu_json_line(value));
    size_t length = 0;
    if (kind == LU_JSON_STRING) {
        node->text = lu_strdup(lu_json_text(value, &length));
        if (strlen(node->text) != length) {
            lu_batch_fail(batch, node->line, "\\u0000 in a text", error);
            lu_node_delete(node);
            return NULL;
        }
    } else if (node->kind == LU_NODE_TEXT) {
        node->bare = true;
        node->text = lu_strdup(kind == LU_JSON_TRUE    ? "true"
                               : kind == LU_JSON_FALSE ? "false"
                                                       : lu_json_number_text(value));
    }
    for (size_t i = 0; i < lu_json_count(value); i++) {
        const char *key = NULL;
        const lu_json_value *at =
            node->kind == LU_NODE_MAP ? lu_json_member(value, i, &key) : lu_json_at(value, i);
        lu_node *child = node_of(batch, at, error);
        if (!child) {
            lu_node_delete(node);
            return NULL;
        }
        child->key = key ? lu_strdup(key) : NULL;
        lu_node_add(node, child);
    }
    return node;
}

static lu_status read_value(lu_batch *batch, const lu_json_value *value, lu_error *error) {
    lu_node *root = node_of(batch, value, error);
    if (!root) {
        return LU_BAD_DATA;
    }
    lu_status status = root->kind == LU_NODE_MAP
                           ? lu_batch_tree(batch, root, error)
                           : lu_batch_fail(batch, root->line, "expected a JSON object", error);
    lu_node_delete(root);
    return status;
}

static lu_status read_json(lu_batch *batch, const char *text, size_t length, lu_error *error) {
    lu_json_document *document = lu_json_read(batch->name, text, length, error);
    lu_status status = document ? read_value(batch, lu_json_root(document), error) : LU_BAD_DATA;
    lu_json_close(document);
    return status;
}

/* ---- the door ---- */

lu_status lu_settings_object(lu_settings *settings, const char *name, const lu_json_value *object,
                             lu_origin origin, lu_error *error) {
    lu_batch batch;
    lu_batch_init(&batch, settings, name);
    lu_status status = object ? read_value(&batch, object, error) : LU_OK;
    if (status == LU_OK) {
        lu_batch_apply(&batch, origin);
    }
    lu_batch_free(&batch);
    return status;
}

static unsigned line_at(const char *text, size_t offset) {
    unsigned line = 1;
    for (size_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

/* What no kind of file may hold. */
static lu_status check_text(const lu_batch *batch, const char *text, size_t length,
                            lu_error *error) {
    size_t most = LU_SETTINGS_BYTES;
    for (size_t i = 0; i < batch->settings->count; i++) { /* texts of files, as JSON has them */
        const lu_setting *row = batch->settings->entries[i].row;
        most += row->type == LU_FILE ? 2 * lu_file_most(row) : 0;
    }
    if (length > most) {
        char shown[LU_SHOW];
        return lu_fail(error, LU_LIMIT, "%s: larger than %zu MiB, which no settings file needs",
                       lu_show(shown, batch->name), most >> 20);
    }
    const char *nul = length ? memchr(text, '\0', length) : NULL;
    if (nul) {
        return lu_batch_fail(batch, line_at(text, (size_t)(nul - text)),
                             "a NUL byte; settings files are plain text", error);
    }
    size_t valid = lu_utf8_prefix(text, length);
    if (valid < length) {
        return lu_batch_fail(batch, line_at(text, valid),
                             "a byte that is not UTF-8; save the file as UTF-8", error);
    }
    return LU_OK;
}

lu_status lu_settings_text(lu_settings *settings, const char *kind, const char *name,
                           const char *text, size_t length, lu_origin origin, lu_error *error) {
    lu_batch batch;
    lu_batch_init(&batch, settings, name);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3; /* a byte order mark, which some editors write */
        length -= 3;
    }
    lu_status status = check_text(&batch, text, length, error);
    if (status != LU_OK) {
        goto done;
    }
    if (strcmp(kind, "json") == 0) {
        status = read_json(&batch, text, length, error);
#ifndef __wasm__
    } else if (strcmp(kind, "ini") == 0) {
        status = lu_read_ini(&batch, text, length, error);
    } else if (strcmp(kind, "yml") == 0 || strcmp(kind, "yaml") == 0) {
        status = lu_read_yaml(&batch, text, length, error);
#endif
    } else {
        char shown[LU_SHOW];
        status = lu_fail(error, LU_USAGE, "%s: settings cannot be read from a .%s file",
                         lu_show(shown, name), kind);
    }
    if (status == LU_OK) {
        lu_batch_apply(&batch, origin);
    }
done:
    lu_batch_free(&batch);
    return status;
}
