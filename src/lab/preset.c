/* Presets: see ludus/preset.h. Each file is checked as a whole in an object of its own, then what
 * it imports is taken, the last first, and then its own. */
#include "ludus/preset.h"

#include "ludus/game_ask.h"
#include "ludus/text.h"

#include "ludus/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {".ini", ".yml", ".yaml", ".json"};

enum { PLACES = 2, NAMES_MAX = 256, KINDS = sizeof kinds / sizeof *kinds };
/* What one preset may import. */
enum { DEPTH_MOST = 8, FILES_MOST = 64 };

static const char *const sections[] = {"env", "ppo", "self_play", NULL};

static const lu_setting env_rows[] = {
    {"env.name", LU_TEXT, "", 0, 100, NULL,
     "The game, if the command does not name one; for presets.", false},
    {"env.kwargs", LU_JSON, "", 0, 0, NULL,
     "Settings of the game as a JSON object, {\"build\": \"MED\", \"death_match\": false}.", false},
};
const lu_table lu_env_table = {"env", env_rows, 2};

static const lu_setting import_rows[] = {
    {"import", LU_TEXT, "", 0, 4096, NULL, "A preset whose values apply where this one has none.",
     true},
};
static const lu_table import_table = {"preset", import_rows, 1};

/* True for what is taken as a path: it ends like a file of settings. */
static bool is_path(const char *name) {
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    for (size_t k = 0; dot && (!slash || dot > slash + 1) && k < KINDS; k++) {
        if (strcmp(dot, kinds[k]) == 0) {
            return true;
        }
    }
    return false;
}

lu_status lu_preset_check_name(const char *name, lu_error *error) {
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            return lu_fail(error, LU_BAD_VALUE,
                           "'preset' = '%.200s' isn't a name of letters, digits, '_' and '-'",
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
        lu_text_addf(path, "%s/config", lu_share());
    } else if (game) {
        lu_text_addf(path, "%s/games/%s/presets", lu_share(), game->name);
    }
}

/* Adds the names of the presets in a folder; the caller frees them. */
static size_t names_in(const char *path, char **names, size_t count, size_t most) {
    lu_names files;
    lu_folder_names(path, "", &files, NULL);
    for (size_t i = 0; i < files.count && count < most; i++) {
        const char *dot = strrchr(files.name[i], '.');
        for (size_t k = 0; dot && k < KINDS; k++) {
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
    for (int place = 0; place < PLACES && lu_share(); place++) {
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
        lu_fail(error, LU_NOT_FOUND, "there is no preset '%s' in %s/config%s%s%s", name, lu_share(),
                game ? " or games/" : "", game ? game->name : "",
                game ? "/presets" : "; name the game for one of its own");
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

/* ---- where it is ---- */

/* A file named NAME, or NAME with one of the kinds behind it, in a folder. */
static bool find_in(const char *folder, size_t length, const char *name, lu_text *path) {
    bool whole = is_path(name);
    bool found = false;
    for (size_t k = 0; k < (whole ? 1 : KINDS) && !found; k++) {
        lu_text_clear(path);
        lu_text_add_n(path, folder, length);
        lu_text_addf(path, "%s%s%s", length ? "/" : "", name, whole ? "" : kinds[k]);
        found = lu_file_exists(path->text);
    }
    return found;
}

/* `by` imports it; NULL: a person asks for it. */
static lu_status find(const char *name, const char *by, const lu_game *game, lu_text *path,
                      lu_error *error) {
    const char *slash = by ? strrchr(by, '/') : NULL;
    bool whole = is_path(name), found = false;
    if (!whole && strpbrk(name, "./")) {
        return lu_fail(error, LU_BAD_VALUE,
                       "preset '%.200s': a settings file ends with .ini, .yml, .yaml or .json",
                       name);
    }
    if (!whole) {
        LU_TRY(lu_preset_check_name(name, error));
    }
    if (by && name[0] != '/') {
        found = find_in(by, slash ? (size_t)(slash - by) : 0, name, path);
    }
    if (whole && !found) {
        found = find_in("", 0, name, path) || (name[0] != '/' && lu_share() &&
                                               find_in(lu_share(), strlen(lu_share()), name, path));
        return found ? LU_OK : lu_fail(error, LU_NOT_FOUND, "there is no preset '%.300s'", name);
    }
    if (!found && !lu_share()) {
        return lu_fail(error, LU_NOT_FOUND,
                       "preset '%s': no project folder found; set LUDUS_HOME or name a file", name);
    }
    lu_text folder = LU_TEXT_INIT;
    for (int place = 0; place < PLACES && !found; place++) {
        folder_of(game, place, &folder);
        found = folder.length > 0 && find_in(folder.text, folder.length, name, path);
    }
    lu_text_free(&folder);
    return found ? LU_OK : no_such(game, name, error);
}

/* ---- what it holds ---- */

typedef struct reading {
    const lu_game *game;
    const lu_settings *blank; /* every table that a preset may hold */
    lu_settings *into;
    int files, depth;
    lu_error *error;
} reading;

static lu_status take_rows(lu_settings *to, const lu_settings *from, lu_error *error) {
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_settings_rows(to) && status == LU_OK; i++) {
        const lu_setting *row = lu_settings_row(to, i, NULL);
        if (lu_settings_origin(from, row->key) == LU_FROM_PRESET) {
            status = take_row(to, row, from, error);
        }
    }
    return status;
}

static lu_status read_file(reading *r, const char *path) {
    if (++r->files > FILES_MOST || r->depth >= DEPTH_MOST) {
        return lu_fail(
            r->error, LU_LIMIT,
            "%.300s: a preset imports at most %d files, %d deep; does one import itself?", path,
            FILES_MOST, DEPTH_MOST);
    }
    lu_settings *own = lu_settings_blank(r->blank);
    lu_status status = lu_settings_file(own, path, LU_FROM_PRESET, r->error);
    lu_text other = LU_TEXT_INIT;
    r->depth++;
    for (size_t i = status == LU_OK ? lu_settings_count(own, "import") : 0; i > 0; i--) {
        LU_THEN(status,
                find(lu_settings_nth(own, "import", i - 1), path, r->game, &other, r->error));
        LU_THEN(status, read_file(r, other.text));
    }
    r->depth--;
    LU_THEN(status, take_rows(r->into, own, r->error));
    lu_text_free(&other);
    lu_settings_delete(own);
    return status;
}

/* All that a preset says, in an object with the tables of `blank`; NULL on an error. */
static lu_settings *read_whole(const char *name, const lu_game *game, const lu_settings *blank,
                               lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    reading r = {.game = game, .blank = blank, .error = error};
    lu_status status = find(name, NULL, game, &path, error);
    r.into = lu_settings_blank(blank);
    LU_THEN(status, read_file(&r, path.text));
    if (status != LU_OK) {
        lu_settings_delete(r.into);
        r.into = NULL;
    }
    lu_text_free(&path);
    return r.into;
}

/* Adds the rows of a table that are not there yet. */
static void add_missing(lu_settings *settings, const lu_table *table) {
    for (int i = 0; i < table->count; i++) {
        if (!lu_settings_has(settings, table->rows[i].key)) {
            lu_settings_add(settings, (lu_table){table->module, &table->rows[i], 1});
        }
    }
}

/* ---- the doors ---- */

static lu_status check_game(const char *name, const lu_settings *whole, const lu_game *game,
                            lu_error *error) {
    const char *said = lu_settings_text_of(whole, "env.name");
    const lu_game *own = *said ? lu_env_game(said, error) : game;
    if (!own) {
        return *said ? LU_NOT_FOUND : LU_OK;
    }
    return !game || own == game ? LU_OK
                                : lu_fail(error, LU_USAGE, "preset '%.200s' is for %s, not for %s",
                                          name, own->id, game->id);
}

lu_status lu_preset_read(const char *name, const lu_game *game, lu_settings *settings,
                         lu_preset_table *more, lu_error *error) {
    lu_settings *blank = lu_settings_blank(settings);
    const lu_table *table;
    lu_settings_file_names(blank, sections, false);
    lu_settings_add(blank, import_table);
    add_missing(blank, &lu_env_table);
    for (int t = 0; (table = more(t)) != NULL; t++) {
        add_missing(blank, table);
    }
    lu_settings *whole = read_whole(name, game, blank, error);
    lu_status status = whole ? check_game(name, whole, game, error) : error->status;
    LU_THEN(status, take_rows(settings, whole, error));
    lu_settings_delete(whole);
    lu_settings_delete(blank);
    return status;
}

const lu_game *lu_preset_game(const char *name, const lu_game *game) {
    lu_error error = {0};
    lu_settings *blank = lu_settings_new();
    lu_settings_file_names(blank, sections, true);
    lu_settings_add(blank, import_table);
    lu_settings_add(blank, lu_env_table);
    lu_settings *whole = read_whole(name, game, blank, &error);
    const char *said = whole ? lu_settings_text_of(whole, "env.name") : "";
    const lu_game *named = *said ? lu_env_game(said, &error) : NULL;
    lu_settings_delete(whole);
    lu_settings_delete(blank);
    return named;
}
