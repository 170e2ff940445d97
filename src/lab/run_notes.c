/* What people say of a run: notes, tags, archived. Both the training and `ludus runs` replace
 * run.json, each under one lock (run_lock.c) and each keeping what belongs to the other. */
#include "run_files.h"

#include "ludus/file.h"

#include <string.h>
#include <unistd.h>

enum { TAGS_MOST = 64, TAG_LONGEST = 40, NOTE_LONGEST = 4000 };

/* ---- notes and tags ---- */

static bool is_tag(const char *tag) {
    size_t length = strlen(tag);
    return length > 0 && length <= TAG_LONGEST &&
           strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") ==
               length;
}

static lu_status check_change(const lu_run_change *change, lu_error *error) {
    for (const char *const *tag = change->add_tags; tag && *tag; tag++) {
        if (!is_tag(*tag)) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%.60s' isn't a tag: up to %d letters, digits, - _ . :", *tag,
                           TAG_LONGEST);
        }
    }
    if (change->note && strlen(change->note) > NOTE_LONGEST) {
        return lu_fail(error, LU_BAD_VALUE, "a note is up to %d bytes long", NOTE_LONGEST);
    }
    return LU_OK;
}

/* Tags that were there, without those to drop, then those to add. */
static lu_status write_tags(const lu_json_value *old, const lu_run_change *change, lu_json *json,
                            lu_error *error) {
    size_t count = 0;
    const char *written[TAGS_MOST + 1] = {NULL};
    for (size_t i = 0; i < lu_json_count(old) && count < TAGS_MOST; i++) {
        const char *tag = lu_json_text(lu_json_at(old, i), NULL);
        if (tag && is_tag(tag) && !run_listed(change->drop_tags, tag) &&
            !run_listed(written, tag)) {
            written[count++] = tag;
        }
    }
    for (const char *const *tag = change->add_tags; tag && *tag; tag++) {
        if (run_listed(written, *tag)) {
            continue;
        }
        if (count == TAGS_MOST) {
            return lu_fail(error, LU_LIMIT, "a run has at most %d tags", TAGS_MOST);
        }
        written[count++] = *tag;
    }
    lu_json_key_array(json, "tags");
    for (size_t i = 0; i < count; i++) {
        lu_json_string(json, written[i]);
    }
    lu_json_array_end(json);
    return LU_OK;
}

lu_status run_write_said(const char *run, const lu_run_change *change, lu_json *json,
                         lu_error *error) {
    static const lu_run_change none = {.archived = -1};
    change = change ? change : &none;
    lu_json_document *document = run_json(run, RUN_FILE, NULL);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    const char *note = lu_json_text(lu_json_get(root, "notes"), NULL);
    bool archived = lu_json_kind_of(lu_json_get(root, "archived")) == LU_JSON_TRUE;
    lu_json_key_string(json, "notes", change->note ? change->note : note ? note : "");
    lu_json_key_bool(json, "archived", change->archived < 0 ? archived : change->archived);
    lu_status status = write_tags(lu_json_get(root, "tags"), change, json, error);
    lu_json_close(document);
    return status;
}

/* ---- changing them ---- */

static bool is_said(const char *key) {
    static const char *const said[] = {"notes", "archived", "tags", NULL};
    return run_listed(said, key);
}

static lu_status rewrite(const char *path, const lu_run_change *change, lu_error *error) {
    lu_json_document *document = run_json(path, RUN_FILE, error);
    if (!document) {
        return error ? error->status : LU_FAILED;
    }
    lu_json json = LU_JSON_INIT;
    lu_text file = LU_TEXT_INIT;
    lu_json_object(&json);
    for (size_t i = 0; i < lu_json_count(lu_json_root(document)); i++) {
        const char *key;
        const lu_json_value *member = lu_json_member(lu_json_root(document), i, &key);
        if (!is_said(key)) {
            lu_json_key_value(&json, key, member);
        }
    }
    lu_status status = run_write_said(path, change, &json, error);
    if (status == LU_OK) {
        lu_json_object_end(&json);
        lu_json_newline(&json);
        status = lu_file_write(run_join(&file, path, RUN_FILE), json.text, json.length, error);
    }
    lu_json_close(document);
    lu_json_free(&json);
    lu_text_free(&file);
    return status;
}

lu_status lu_run_edit(const char *path, const lu_run_change *change, lu_error *error) {
    LU_TRY(check_change(change, error));
    int lock = run_edit_lock(path);
    lu_status status = rewrite(path, change, error);
    if (lock >= 0) {
        close(lock);
    }
    return status;
}
