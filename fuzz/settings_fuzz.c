/* Fuzzes the readers of settings files: the first byte picks the kind, the rest is the file. No
 * input may crash them; a refused file changes nothing and gives a sentence; the canonical JSON of
 * an accepted one reads back to the same canonical JSON. The same as the space of a sweep: whatever
 * it proposes is a value of its setting. */
#include "ludus/settings.h"
#include "ludus/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const lu_setting rows[] = {
    {"n", LU_INT, "1", -1000, 1e9, NULL, "Whole.", false},
    {"x", LU_REAL, "0.5", 0, 0, NULL, "Real.", false},
    {"b", LU_BOOL, "no", 0, 0, NULL, "Switch.", false},
    {"t", LU_TEXT, "", 0, 300, NULL, "Text.", false},
    {"e", LU_ENUM, "one", 0, 0, "one|two|three", "Choice.", false},
    {"l", LU_LIST, "1,2", -5, 5, NULL, "List.", false},
    {"j", LU_JSON, "{}", 0, 0, NULL, "Data.", false},
    {"s", LU_SCHEDULE, "0.1", 0, 1, NULL, "Schedule.", false},
    {"u", LU_INT, "", 0, 0, NULL, "Whole or unset.", false},
    {"a.t", LU_TEXT, "", 0, 0, NULL, "Texts.", true},
    {"a.l", LU_LIST, "", 0, 0, NULL, "Lists.", true},
    {"a.j", LU_JSON, "", 0, 0, NULL, "Several data.", true},
    {"a.s", LU_SCHEDULE, "", 0, 0, NULL, "Schedule or none.", false},
    {"f", LU_FILE, "", 0, 64, NULL, "File.", true},
    {"c", LU_ALIAS, "a.s", 0, 0, NULL, "Another name of a.s.", false},
};
static const lu_table table = {"fuzz", rows, sizeof rows / sizeof rows[0]};

static lu_settings *make(void) {
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, table);
    return settings;
}

static void read_space(const char *kind, const char *text, size_t length) {
    lu_error error = {0};
    lu_settings *settings = make();
    lu_space *space = lu_space_text(kind, "fuzz", text, length, settings, &error);
    if (!space && !error.text[0]) {
        abort();
    }
    for (int i = 0; space && i < lu_space_count(space); i++) {
        for (int part = 0; part < 5; part++) {
            lu_text value = LU_TEXT_INIT;
            lu_space_value(space, i, 0.249 * part, &value);
            if (lu_settings_set(settings, lu_space_key(space, i), value.text, LU_FROM_FLAG, "fuzz",
                                &error) != LU_OK) {
                fprintf(stderr, "%s: %s\n%s\n", lu_space_key(space, i), value.text, error.text);
                abort();
            }
            lu_text_free(&value);
        }
    }
    lu_space_delete(space);
    lu_settings_delete(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const kinds[] = {"ini", "yml", "json"};
    if (size == 0) {
        return 0;
    }
    lu_settings *settings = make(), *again = make();
    lu_error error = {0};
    lu_status status = lu_settings_text(settings, kinds[data[0] % 3], "fuzz",
                                        (const char *)data + 1, size - 1, LU_FROM_FILE, &error);
    char *once = lu_settings_json(settings);
    if (status != LU_OK) {
        if (strcmp(once, "{}") != 0 || !error.text[0] || error.status != status) {
            abort();
        }
    } else if (!lu_settings_is_set(settings, "f")) { /* of a file only name and hash are kept */
        lu_status second =
            lu_settings_text(again, "json", "again", once, strlen(once), LU_FROM_FLAG, &error);
        char *twice = lu_settings_json(again);
        if (second != LU_OK || strcmp(once, twice) != 0) {
            fprintf(stderr, "%s\n%s\n%s\n", once, twice, error.text);
            abort();
        }
        free(twice);
        lu_schedule_at(lu_settings_schedule(settings, "s"), 0.3, 100);
    }
    free(once);
    lu_settings_delete(settings);
    lu_settings_delete(again);
    read_space(kinds[data[0] % 3], (const char *)data + 1, size - 1);
    return 0;
}
