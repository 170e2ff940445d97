/* What a model says of itself: game, specification, settings, origin. One row of texts, with two
 * outer forms: the map of a safetensors file, where each text has its key, and metadata.json, where
 * numbers and objects are themselves. Canonical JSON makes the two comparable. */
#include "model_internal.h"

#include "ludus/printable.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 48 }; /* below the depth of reader and writer */

const lu_note_row lu_note_rows[LU_NOTES] = {
#define X(name, key, form, needed) {key, form, needed},
    LU_NOTE_LIST(X)
#undef X
};

void lu_notes_free(lu_notes *notes) {
    for (int i = 0; i < LU_NOTES; i++) {
        free(notes->text[i]);
    }
    *notes = (lu_notes){0};
}

/* ---- canonical JSON ---- */

char *lu_canonical(const lu_json_value *value) {
    lu_json json = LU_JSON_INIT;
    if (!lu_json_canonical(&json, value, DEEPEST)) {
        lu_json_free(&json);
        return NULL;
    }
    return json.text;
}

/* ---- settings ---- */

static void write_one(lu_json *json, const lu_setting *row, const char *text) {
    if (row->type == LU_JSON || row->type == LU_FILE) {
        lu_json_raw(json, text, strlen(text));
    } else {
        lu_json_string(json, text);
    }
}

static void write_value(lu_json *json, const lu_settings *settings, const lu_setting *row) {
    const char *text = lu_settings_text_of(settings, row->key);
    const double *list;
    if (row->repeat) {
        lu_json_array(json);
        for (size_t i = 0; i < lu_settings_count(settings, row->key); i++) {
            write_one(json, row, lu_settings_nth(settings, row->key, i));
        }
        lu_json_array_end(json);
        return;
    }
    if (!*text && row->type != LU_TEXT && row->type != LU_LIST) {
        lu_json_null(json); /* unset */
        return;
    }
    switch (row->type) {
    case LU_BOOL:
        lu_json_bool(json, lu_settings_bool(settings, row->key));
        break;
    case LU_INT:
        lu_json_int(json, lu_settings_int(settings, row->key));
        break;
    case LU_REAL:
        lu_json_real(json, lu_settings_real(settings, row->key));
        break;
    case LU_LIST: {
        size_t count = lu_settings_list(settings, row->key, &list);
        lu_json_array(json);
        for (size_t i = 0; i < count; i++) {
            lu_json_real(json, list[i]);
        }
        lu_json_array_end(json);
        break;
    }
    default:
        write_one(json, row, text);
        break;
    }
}

static bool has_row(lu_table table, const char *key) {
    for (int i = 0; i < table.count; i++) {
        if (strcmp(table.rows[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Settings that say where and on how many threads a machine trained, not what was trained. */
static bool is_of_the_machine(const char *key) {
    const char *last = strrchr(key, '.');
    return last && (strcmp(last, ".threads") == 0 || strcmp(last, ".save_failed") == 0);
}

char *lu_model_settings(const lu_game *game, const lu_settings *settings) {
    static const char *const sections[] = {"game", "net", "train"};
    lu_settings *own = lu_game_settings(game);
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    for (int s = 0; s < 3; s++) {
        lu_json_key_object(&json, sections[s]);
        for (size_t i = 0; i < lu_settings_rows(settings); i++) {
            const lu_setting *row = lu_settings_row(settings, i, NULL);
            int section = lu_settings_has(own, row->key)    ? 0
                          : has_row(lu_net_table, row->key) ? 1
                                                            : 2;
            bool unset =
                !row->repeat && !*row->initial && !*lu_settings_text_of(settings, row->key);
            if (section == s && !unset && !(s == 2 && is_of_the_machine(row->key))) {
                lu_json_key(&json, row->key);
                write_value(&json, settings, row);
            }
        }
        lu_json_object_end(&json);
    }
    lu_json_object_end(&json);
    lu_settings_delete(own);
    return json.text;
}

/* ---- from and to ---- */

/* A text that must be one JSON value of a form, as canonical text. */
static lu_status take_json(lu_notes *notes, lu_note note, const char *name, const char *text,
                           lu_error *error) {
    lu_error inner = {.text = "of another kind"};
    lu_json_document *document = lu_json_read(lu_note_rows[note].key, text, strlen(text), &inner);
    const lu_json_value *value = document ? lu_json_root(document) : NULL;
    lu_json_kind want = lu_note_rows[note].form == LU_NOTE_NUMBER ? LU_JSON_NUMBER : LU_JSON_OBJECT;
    notes->text[note] = value && lu_json_kind_of(value) == want ? lu_canonical(value) : NULL;
    lu_json_close(document);
    if (!notes->text[note]) {
        return lu_fail(
            error, LU_BAD_DATA, "'%s': '%s' is not %s: %.300s", name, lu_note_rows[note].key,
            want == LU_JSON_NUMBER ? "a number" : "a JSON object of sensible depth", inner.text);
    }
    return LU_OK;
}

static lu_status take_text(lu_notes *notes, lu_note note, const char *name, const char *text,
                           lu_error *error) {
    if (lu_note_rows[note].form != LU_NOTE_TEXT) {
        return take_json(notes, note, name, text, error);
    }
    notes->text[note] = lu_strdup(text);
    return LU_OK;
}

lu_status lu_notes_of_model(lu_notes *notes, const lu_model_file *file, lu_error *error) {
    lu_status status = LU_OK;
    char number[32];
    *notes = (lu_notes){0};
    snprintf(number, sizeof number, "%d", LU_MODEL_VERSION);
    notes->text[LU_NOTE_VERSION] = lu_strdup(number);
    notes->text[LU_NOTE_GAME] = lu_strdup(file->game->id);
    snprintf(number, sizeof number, "%016" PRIx64, lu_spec_hash(file->game));
    notes->text[LU_NOTE_SPEC] = lu_strdup(number);
    notes->text[LU_NOTE_KIND] = lu_strdup(lu_net_kind_of(file->net) == LU_NET_Q ? "q" : "policy");
    snprintf(number, sizeof number, "%" PRId64, file->step);
    notes->text[LU_NOTE_STEP] = lu_strdup(number);
    snprintf(number, sizeof number, "%" PRIu64, file->seed);
    notes->text[LU_NOTE_SEED] = lu_strdup(number);
    notes->text[LU_NOTE_BUILD] = lu_strdup(file->build);
    lu_json scale = LU_JSON_INIT;
    lu_json_real(&scale, file->return_scale);
    notes->text[LU_NOTE_RETURN_SCALE] = scale.text;
    char *settings = file->settings_json ? lu_strdup(file->settings_json)
                                         : lu_model_settings(file->game, file->settings);
    status = take_json(notes, LU_NOTE_SETTINGS, "settings", settings, error);
    free(settings);
    if (status == LU_OK && file->card) {
        status = strlen(file->card) <= LU_MODEL_CARD
                     ? take_json(notes, LU_NOTE_CARD, "card", file->card, error)
                     : lu_fail(error, LU_BAD_DATA, "the card of a model may have at most 1 MiB");
    }
    return status;
}

lu_status lu_notes_of_tensors(lu_notes *notes, const char *name, const lu_tensors *tensors,
                              lu_error *error) {
    const size_t lead = sizeof LU_NOTE_PREFIX - 1;
    *notes = (lu_notes){0};
    for (size_t i = 0; i < tensors->notes; i++) {
        const char *key = tensors->note[i].key;
        if (strncmp(key, LU_NOTE_PREFIX, lead) != 0 || strcmp(key, LU_NOTE_PREFIX "hash") == 0) {
            continue; /* of other programs, or checked already */
        }
        int note = 0;
        while (note < LU_NOTES && strcmp(key + lead, lu_note_rows[note].key) != 0) {
            note++;
        }
        if (note == LU_NOTES) {
            char shown[LU_PRINTABLE];
            return lu_fail(error, LU_OTHER_VERSION,
                           "'%s' says '%s', which this build does not know: use the build that "
                           "wrote it",
                           name, lu_printable(shown, key));
        }
        LU_TRY(take_text(notes, (lu_note)note, name, tensors->note[i].value, error));
    }
    /* ludus always writes both, so that a damaged key cannot switch the check off */
    if (notes->text[LU_NOTE_BUILD] && !tensors->hashed) {
        return lu_fail(error, LU_DAMAGED_FILE,
                       "'%s' is damaged at byte 8: it names the build that wrote it, but has no "
                       "'ludus.hash'; get it again, or drop 'ludus.build' if a program changed it",
                       name);
    }
    return LU_OK;
}

lu_status lu_notes_of_json(lu_notes *notes, const char *name, const char *text, size_t length,
                           lu_error *error) {
    *notes = (lu_notes){0};
    lu_json_document *document = lu_json_read(name, text, length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = LU_OK;
    const lu_json_value *root = lu_json_root(document);
    if (lu_json_kind_of(root) != LU_JSON_OBJECT) {
        status = lu_fail(error, LU_BAD_DATA, "%s: expected a JSON object", name);
    }
    for (size_t i = 0; i < lu_json_count(root) && status == LU_OK; i++) {
        static const lu_json_kind kinds[] = {LU_JSON_STRING, LU_JSON_NUMBER, LU_JSON_OBJECT};
        const char *key;
        const lu_json_value *value = lu_json_member(root, i, &key);
        int note = 0;
        while (note < LU_NOTES && strcmp(key, lu_note_rows[note].key) != 0) {
            note++;
        }
        char shown[LU_PRINTABLE];
        if (note == LU_NOTES) {
            status = lu_fail(error, LU_OTHER_VERSION, "%s: unknown member '%s'", name,
                             lu_printable(shown, key));
        } else if (lu_json_kind_of(value) != kinds[lu_note_rows[note].form]) {
            status =
                lu_fail(error, LU_BAD_DATA, "%s: '%s' is of another kind than expected", name, key);
        } else if (lu_note_rows[note].form == LU_NOTE_TEXT) {
            size_t bytes;
            notes->text[note] = lu_strdup(lu_json_text(value, &bytes));
            if (strlen(notes->text[note]) != bytes) {
                status = lu_fail(error, LU_BAD_DATA, "%s: '%s' has a NUL character", name, key);
            }
        } else if (!(notes->text[note] = lu_canonical(value))) {
            status = lu_fail(error, LU_BAD_DATA, "%s: '%s' is nested too deeply", name, key);
        }
    }
    lu_json_close(document);
    return status;
}

void lu_notes_to_json(const lu_notes *notes, lu_json *json) {
    lu_json_object(json);
    for (int i = 0; i < LU_NOTES; i++) {
        const char *text = notes->text[i];
        if (text) {
            lu_json_key(json, lu_note_rows[i].key);
            if (lu_note_rows[i].form == LU_NOTE_TEXT) {
                lu_json_string(json, text);
            } else {
                lu_json_raw(json, text, strlen(text));
            }
        }
    }
    lu_json_object_end(json);
}

lu_status lu_notes_join(lu_notes *notes, lu_notes *other, const char *name, lu_error *error) {
    for (int i = 0; i < LU_NOTES; i++) {
        if (!notes->text[i]) {
            notes->text[i] = other->text[i];
            other->text[i] = NULL;
        } else if (other->text[i] && strcmp(notes->text[i], other->text[i]) != 0) {
            return lu_fail(error, LU_BAD_DATA,
                           "'%s': metadata.json and policy.safetensors disagree about '%s': change "
                           "both or neither",
                           name, lu_note_rows[i].key);
        }
    }
    lu_notes_free(other);
    return LU_OK;
}
