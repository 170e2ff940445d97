/* Presets: settings files with a name, in config/ for everything and in games/GAME/presets for one
 * game, whose own win. A name is never a path. */
#include "ludus/preset.h"

#include "ludus/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {".ini", ".yml", ".yaml", ".json"};

enum { PLACES = 2, NAMES_MAX = 256 };

lu_status lu_preset_check_name(const char *name, lu_error *error) {
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            return lu_fail(
                error, LU_BAD_VALUE,
                "'preset' = '%.200s' is no name of letters, digits, '_' and '-'; a file is "
                "read by --config",
                name);
        }
    }
    if (!*name || strlen(name) > 100) {
        return lu_fail(error, LU_BAD_VALUE, "'preset' needs a name of 1 to 100 letters");
    }
    return LU_OK;
}

/* The folder of a place; "" when there is none. */
static void folder_of(const lu_game *game, int place, lu_text *path) {
    lu_text_clear(path);
    if (place == 1) {
        lu_text_addf(path, "%s/config", lu_home());
    } else if (game) {
        lu_text_addf(path, "%s/games/%s/presets", lu_home(), game->name);
    }
}

/* Adds the names of the presets in a folder; the caller frees them. */
static size_t names_in(const char *path, char **names, size_t count, size_t most) {
    lu_names files;
    lu_folder_names(path, "", &files, NULL);
    for (size_t i = 0; i < files.count && count < most; i++) {
        const char *dot = strrchr(files.name[i], '.');
        for (size_t k = 0; dot && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(dot, kinds[k]) == 0) {
                names[count] = lu_strdup(files.name[i]);
                names[count++][dot - files.name[i]] = 0;
                break;
            }
        }
    }
    lu_names_free(&files);
    return count;
}

size_t lu_preset_names(const lu_game *game, char **names, size_t most) {
    size_t count = 0;
    lu_text path = LU_TEXT_INIT;
    for (int place = 0; place < PLACES && lu_home(); place++) {
        folder_of(game, place, &path);
        count = names_in(path.text, names, count, most);
    }
    lu_text_free(&path);
    return count;
}

static lu_status no_such(const lu_game *game, const char *name, lu_error *error) {
    char *names[NAMES_MAX];
    size_t count = lu_preset_names(game, names, NAMES_MAX);
    const char *near = lu_nearest(name, (const char *const *)names, count);
    if (near) {
        lu_fail(error, LU_NOT_FOUND, "there is no preset '%s'; did you mean '%s'?", name, near);
    } else {
        lu_fail(error, LU_NOT_FOUND, "there is no preset '%s' in %s/config%s%s%s", name, lu_home(),
                game ? " or games/" : "", game ? game->name : "", game ? "/presets" : "");
    }
    while (count > 0) {
        free(names[--count]);
    }
    return LU_NOT_FOUND;
}

static lu_status take_row(lu_settings *to, const lu_setting *row, const lu_settings *from,
                          lu_error *error) {
    const char *where = lu_settings_where(from, row->key);
    if (!row->repeat) {
        return lu_settings_set(to, row->key, lu_settings_text_of(from, row->key), LU_FROM_PRESET,
                               where, error);
    }
    lu_status status = lu_settings_set(to, row->key, "", LU_FROM_PRESET, where, error);
    for (size_t n = 0; n < lu_settings_count(from, row->key) && status == LU_OK; n++) {
        status = lu_settings_set(to, row->key, lu_settings_nth(from, row->key, n), LU_FROM_PRESET,
                                 where, error);
    }
    return status;
}

/* A preset is checked as a whole; settings take those that they know. */
static lu_status read_file(lu_settings *settings, lu_preset_table *more, const char *path,
                           lu_error *error) {
    lu_settings *whole = lu_settings_copy(settings);
    const lu_table *table;
    for (int t = 0; (table = more(t)) != NULL; t++) {
        if (!lu_settings_has(whole, table->rows[0].key)) {
            lu_settings_add(whole, *table);
        }
    }
    lu_status status = lu_settings_file(whole, path, LU_FROM_PRESET, error);
    for (size_t i = 0; i < lu_settings_rows(settings) && status == LU_OK; i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        if (lu_settings_origin(whole, row->key) == LU_FROM_PRESET) {
            status = take_row(settings, row, whole, error);
        }
    }
    lu_settings_delete(whole);
    return status;
}

lu_status lu_preset_read(const char *name, const lu_game *game, lu_settings *settings,
                         lu_preset_table *more, lu_error *error) {
    LU_TRY(lu_preset_check_name(name, error));
    if (!lu_home()) {
        return lu_fail(error, LU_NOT_FOUND,
                       "preset '%s': no project folder found; set LUDUS_HOME or use --config",
                       name);
    }
    lu_text path = LU_TEXT_INIT;
    bool found = false;
    for (size_t i = 0; i < PLACES * sizeof kinds / sizeof *kinds && !found; i++) {
        folder_of(game, (int)(i / (sizeof kinds / sizeof *kinds)), &path);
        if (path.length > 0) {
            lu_text_addf(&path, "/%s%s", name, kinds[i % (sizeof kinds / sizeof *kinds)]);
            found = lu_file_exists(path.text);
        }
    }
    lu_status status =
        found ? read_file(settings, more, path.text, error) : no_such(game, name, error);
    lu_text_free(&path);
    return status;
}
