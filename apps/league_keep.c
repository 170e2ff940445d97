/* Ratings that are kept: see league_keep.h. */
#include "league_keep.h"
#include "output.h"

#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/rows.h"
#include "ludus/run.h"

#include <string.h>
#include <unistd.h>

lu_status league_keep_check(const verb_call *call, lu_error *error) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const char *name = lu_settings_text_of(call->settings, "keep");
    if (name[strspn(name, letters)] || name[0] == '.') {
        return lu_fail(error, LU_BAD_VALUE,
                       "'keep' = '%.100s' isn't a league name: use letters, digits, '-', '_' and "
                       "'.', and no '.' in front",
                       name);
    }
    return LU_OK;
}

/* The tournament's object with the date in front. */
static lu_status write_row(const lu_tournament *t, lu_json *row, lu_error *error) {
    char date[LU_CLOCK_TEXT];
    lu_json whole = LU_JSON_INIT;
    lu_tournament_write(t, &whole);
    lu_json_document *document = lu_json_read("result", whole.text, whole.length, error);
    lu_json_free(&whole);
    if (!document) {
        return error->status;
    }
    const lu_json_value *root = lu_json_root(document);
    lu_json_object(row);
    lu_json_key_string(row, "date", lu_clock_utc(date, sizeof date));
    for (size_t i = 0; i < lu_json_count(root); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        lu_json_key_value(row, key, value);
    }
    lu_json_object_end(row);
    lu_json_close(document);
    return LU_OK;
}

lu_status league_keep(const verb_call *call, const lu_tournament *t, lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "keep");
    lu_text path = LU_TEXT_INIT, folder = LU_TEXT_INIT;
    lu_json row = LU_JSON_INIT;
    int file = -1;
    if (!*name) {
        return LU_OK;
    }
    lu_run_place(call->settings, &path);
    lu_text_add(&path, "/leagues");
    lu_status status = write_row(t, &row, error);
    LU_THEN(status, lu_folder_make_safely(path.text, error));
    if (status == LU_OK) {
        lu_text_add(&folder, path.text);
        lu_text_addf(&path, "/%s.jsonl", name);
        file = lu_rows_open_file(path.text, error);
        status = file < 0 ? error->status : lu_rows_append(file, row.text, error);
    }
    LU_THEN(status, lu_rows_sync(file, error));
    LU_THEN(status, lu_folder_sync(folder.text, error));
    if (file >= 0) {
        close(file);
    }
    if (status == LU_OK) {
        note("kept in %s", path.text);
    }
    lu_json_free(&row);
    lu_text_free(&folder);
    lu_text_free(&path);
    return status;
}
