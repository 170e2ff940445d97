/* Fuzzes the JSON reader: no input may crash it, and what it accepts must survive being written and
 * read again: the second writing equals the first, byte for byte. */
#include "ludus/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRITER_DEPTH = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes a value that was read. False when it is deeper than the writer goes. */
static bool rewrite(lu_json *json, const lu_json_value *value, int depth) {
    size_t length = 0;
    const char *text, *key;
    lu_json_kind kind = lu_json_kind_of(value);
    if ((kind == LU_JSON_ARRAY || kind == LU_JSON_OBJECT) && depth == WRITER_DEPTH) {
        return false;
    }
    switch (kind) {
    case LU_JSON_NULL:
        lu_json_null(json);
        return true;
    case LU_JSON_FALSE:
    case LU_JSON_TRUE:
        lu_json_bool(json, kind == LU_JSON_TRUE);
        return true;
    case LU_JSON_NUMBER:
        lu_json_real(json, lu_json_real_or(value, 0));
        return true;
    case LU_JSON_STRING:
        text = lu_json_text(value, &length);
        lu_json_string_n(json, text, length);
        return true;
    case LU_JSON_ARRAY:
        lu_json_array(json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            if (!rewrite(json, lu_json_at(value, i), depth + 1)) {
                return false;
            }
        }
        lu_json_array_end(json);
        return true;
    case LU_JSON_OBJECT:
        lu_json_object(json);
        for (size_t i = 0; i < lu_json_count(value); i++) {
            const lu_json_value *member = lu_json_member(value, i, &key);
            if (lu_json_get(value, key) != member) {
                abort(); /* looking up by key must find the member itself */
            }
            lu_json_key(json, key);
            if (!rewrite(json, member, depth + 1)) {
                return false;
            }
        }
        lu_json_object_end(json);
        return true;
    }
    abort();
}

/* All the checked readers on each key: their errors must be sentences, never crashes. */
static void ask(const lu_json_value *root) {
    lu_error error;
    double real;
    int64_t whole;
    uint64_t size;
    bool flag;
    const char *text, *key;
    for (size_t i = 0; i < lu_json_count(root) && i < 16; i++) {
        if (lu_json_member(root, i, &key)) {
            lu_json_get_real(root, key, -1, 1, &real, &error);
            lu_json_get_int(root, key, -100, 100, &whole, &error);
            lu_json_get_uint(root, key, &size, &error);
            lu_json_get_bool(root, key, &flag, &error);
            lu_json_get_text(root, key, &text, &error);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    lu_json_document *first = lu_json_read("fuzz", (const char *)data, size, &error);
    if (!first) {
        if (error.status != LU_BAD_DATA || strncmp(error.text, "fuzz:", 5) != 0) {
            abort();
        }
        return 0;
    }
    ask(lu_json_root(first));
    lu_json once = LU_JSON_INIT, twice = LU_JSON_INIT;
    if (rewrite(&once, lu_json_root(first), 0)) {
        lu_json_document *second = lu_json_read("again", once.text, once.length, &error);
        if (!second || !rewrite(&twice, lu_json_root(second), 0) ||
            strcmp(once.text, twice.text) != 0) {
            fprintf(stderr, "%s\n%s\n", once.text, second ? twice.text : error.text);
            abort();
        }
        lu_json_close(second);
    }
    lu_json_free(&once);
    lu_json_free(&twice);
    lu_json_close(first);
    return 0;
}
