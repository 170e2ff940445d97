/* Presets: settings files with a name, in config/ for everything and in games/GAME/presets for one
 * game, whose own win. A name is never a path. */
#include "cli.h"

#include "ludus/file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {".ini", ".yml", ".yaml", ".json"};

enum { PLACES = 2, NAMES_MAX = 256 };

static lu_status check_name(const char *name, lu_error *error) {
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
static void folder_of(const verb_call *call, int place, lu_text *path) {
    lu_text_clear(path);
    if (place == 1) {
        lu_text_addf(path, "%s/config", lu_home());
    } else if (call->game) {
        lu_text_addf(path, "%s/games/%s/presets", lu_home(), call->game->name);
    }
}

/* Adds the names of the presets in a folder; the caller frees them. */
static size_t names_in(const char *path, char **names, size_t count) {
    DIR *folder = *path ? opendir(path) : NULL;
    for (struct dirent *entry; folder && count < NAMES_MAX && (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        for (size_t k = 0; dot && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(dot, kinds[k]) == 0) {
                names[count] = lu_strdup(entry->d_name);
                names[count++][dot - entry->d_name] = 0;
                break;
            }
        }
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

static lu_status no_such(const verb_call *call, const char *name, lu_error *error) {
    char *names[NAMES_MAX];
    size_t count = 0;
    lu_text path;
    lu_text_init(&path);
    for (int place = 0; place < PLACES; place++) {
        folder_of(call, place, &path);
        count = names_in(path.text, names, count);
    }
    const char *near = lu_nearest(name, (const char *const *)names, count);
    if (near) {
        lu_fail(error, LU_NOT_FOUND, "there is no preset '%s'; did you mean '%s'?", name, near);
    } else {
        lu_fail(error, LU_NOT_FOUND, "there is no preset '%s' in %s/config%s%s%s", name, lu_home(),
                call->game ? " or games/" : "", call->game ? call->game->name : "",
                call->game ? "/presets" : "");
    }
    while (count > 0) {
        free(names[--count]);
    }
    lu_text_free(&path);
    return LU_NOT_FOUND;
}

lu_status preset_read(verb_call *call, const char *name, lu_error *error) {
    lu_status status = check_name(name, error);
    if (status != LU_OK) {
        return status;
    }
    if (!lu_home()) {
        return lu_fail(error, LU_NOT_FOUND,
                       "preset '%s': no project folder found; set LUDUS_HOME or use --config",
                       name);
    }
    lu_text path;
    lu_text_init(&path);
    bool found = false;
    for (size_t i = 0; i < PLACES * sizeof kinds / sizeof *kinds && !found; i++) {
        folder_of(call, (int)(i / (sizeof kinds / sizeof *kinds)), &path);
        if (path.length > 0) {
            lu_text_addf(&path, "/%s%s", name, kinds[i % (sizeof kinds / sizeof *kinds)]);
            found = lu_file_exists(path.text);
        }
    }
    status = found ? lu_settings_file(call->settings, path.text, LU_FROM_PRESET, error)
                   : no_such(call, name, error);
    lu_text_free(&path);
    return status;
}
