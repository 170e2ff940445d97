/* The text of a file as the value of a setting: see lu_file_text. In WASM no path is read. */
#include "settings_internal.h"
#include "utf8.h"

#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t lu_file_most(const lu_setting *row) {
    return row->high > 0 ? (size_t)row->high : (size_t)1 << 20;
}

/* One block: the struct, then name and text with their terminators. */
static lu_file_text *file_text_new(const char *name, const char *text, size_t length) {
    size_t name_bytes = strlen(name) + 1;
    lu_file_text *file = lu_alloc(sizeof *file + name_bytes + length + 1);
    char *own_name = (char *)(file + 1), *own_text = own_name + name_bytes;
    memcpy(own_name, name, name_bytes);
    memcpy(own_text, text, length);
    own_text[length] = 0;
    *file = (lu_file_text){.name = own_name, .text = own_text, .length = length};
    snprintf(file->hash, sizeof file->hash, "%016llx",
             (unsigned long long)lu_hash(text, length, 0));
    return file;
}

lu_file_text *lu_file_text_copy(const lu_file_text *file) {
    return file_text_new(file->name, file->text, file->length);
}

void lu_file_text_write(lu_json *json, const lu_file_text *file) {
    lu_json_object(json);
    lu_json_key_string(json, "hash", file->hash);
    lu_json_key_string(json, "name", file->name);
    lu_json_object_end(json);
}

/* ---- what was given ---- */

typedef struct given {
    const char *name, *hash, *text; /* NULL: not given */
    size_t length;
    char *bytes; /* of a file that was read */
    lu_json_document *document;
} given;

/* {"name","text"}, {"name","hash"}, or the JSON of the file itself: it has no text and no hash. */
static lu_status read_object(const lu_setting *row, const char *text, given *g, lu_error *error) {
    static const char *const keys[] = {"name", "hash", "text"};
    const char **texts[] = {&g->name, &g->hash, &g->text};
    lu_error inner = {0};
    g->document = lu_json_read(row->key, text, strlen(text), &inner);
    const lu_json_value *root = g->document ? lu_json_root(g->document) : NULL;
    if (root && !lu_json_get(root, "text") && !lu_json_get(root, "hash")) {
        g->name = row->key;
        g->text = text;
        g->length = strlen(text);
        return LU_OK;
    }
    size_t known = 0;
    for (int k = 0; k < 3; k++) {
        size_t length = 0;
        const lu_json_value *member = lu_json_get(root, keys[k]);
        if (member && lu_json_kind_of(member) == LU_JSON_STRING) {
            *texts[k] = lu_json_text(member, &length);
            g->length = length;
            known++;
        }
    }
    if (!g->name || (!g->text && !g->hash) || known != lu_json_count(root)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s' takes a file as {\"name\",\"text\"}, with texts and no other members, "
                       "or as the JSON that it holds",
                       row->key);
    }
    return LU_OK;
}

#ifndef __wasm__
/* A file that a tool will write: it is where the path says, or not there yet. */
static bool may_be_new(const lu_setting *row) {
    return row->choices && strcmp(row->choices, "new") == 0;
}
#endif

/* Reads the file that is named, as the path stands or beneath the project's folder. */
static lu_status read_path(const lu_setting *row, bool reads, given *g, lu_error *error) {
    char shown[LU_SHOW];
#ifndef __wasm__
    if (reads) {
        lu_error inner = {0};
        lu_text path = LU_TEXT_INIT;
        bool there = strcmp(g->name, "-") == 0 || lu_file_exists(g->name);
        bool home = g->name[0] != '/' && !there && !may_be_new(row);
        if (!there && may_be_new(row)) {
            g->text = "";
            return LU_OK;
        }
        lu_text_addf(&path, "%s%s%s", home && lu_share() ? lu_share() : "",
                     home && lu_share() ? "/" : "", g->name);
        lu_status status = lu_file_read(lu_file_exists(path.text) ? path.text : g->name,
                                        lu_file_most(row), &g->bytes, &g->length, &inner);
        lu_text_free(&path);
        g->text = g->bytes;
        return status == LU_OK ? status
                               : lu_fail(error, status, "'%s' needs the file '%s': %s", row->key,
                                         lu_show(shown, g->name), inner.text);
    }
#else
    (void)reads;
#endif
    return lu_fail(error, LU_BAD_VALUE,
                   "'%s' needs the text of the file '%s', since no path is read here: pass it as "
                   "{\"name\",\"text\"}",
                   row->key, lu_show(shown, g->name));
}

static lu_status check_given(const lu_setting *row, const given *g, const lu_file_text *file,
                             lu_error *error) {
    char shown[LU_SHOW];
    lu_show(shown, g->name);
    if (g->length > lu_file_most(row)) {
        return lu_fail(error, LU_BAD_VALUE, "'%s': the file '%s' has %zu bytes, more than %zu",
                       row->key, shown, g->length, lu_file_most(row));
    }
    if (!*g->name || strlen(g->name) > LU_FILE_NAME) {
        return lu_fail(error, LU_BAD_VALUE, "'%s': the name of a file has 1 to %d bytes", row->key,
                       LU_FILE_NAME);
    }
    if (memchr(g->text, 0, g->length) || lu_utf8_prefix(g->text, g->length) < g->length) {
        return lu_fail(error, LU_BAD_VALUE, "'%s': the file '%s' isn't UTF-8 text", row->key,
                       shown);
    }
    if (g->hash && strcmp(g->hash, file->hash) != 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s': the file '%s' has changed: its hash is %s, but %.20s is expected",
                       row->key, shown, file->hash, g->hash);
    }
    return LU_OK;
}

lu_status lu_value_read_file(const lu_setting *row, bool reads, lu_value *value, lu_error *error) {
    given g = {0};
    lu_status status = LU_OK;
    if (value->text[0] == '{') {
        status = read_object(row, value->text, &g, error);
    } else {
        g.name = value->text;
    }
    if (status == LU_OK && !g.text) {
        status = read_path(row, reads, &g, error);
    }
    if (status == LU_OK) {
        lu_json json = LU_JSON_INIT;
        value->file = file_text_new(g.name, g.text, g.length);
        status = check_given(row, &g, value->file, error);
        lu_file_text_write(&json, value->file);
        free(value->text);
        value->text = json.text;
    }
    lu_json_close(g.document);
    free(g.bytes);
    return status;
}
