/* The parser of the command line: see cli.h. It reads the words twice: first to find the game (an
 * option's value is no argument, and whether an option takes a value is in the tables), then to set
 * the values in the tables of verb, game and tool. */
#include "cli.h"

#include "output.h"

#include "ludus/preset.h"
#include "ludus/run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENV_NAME "env.name" /* of lu_env_table */

const common_option common_options[] = {
    {"json", NULL, "Prints JSON on stdout: one document, or one per line."},
    {"set", "KEY=VALUE", "Sets one setting; may be repeated."},
    {"config", "FILE", "Reads settings from a .ini, .yml or .json file."},
    {"preset", "NAME",
     "Reads settings from config/NAME.* or games/GAME/presets/NAME.*, or from a file."},
    {"no-color", NULL, "Prints without colour, like NO_COLOR=1 and TERM=dumb."},
    {"help", NULL, "Shows this help (also -h)."},
    {"version", NULL, "Prints the version."},
    {NULL, NULL, NULL},
};

static bool has_settings(const verb *asked) {
    for (int t = 0; asked->tool && t < lu_tool_count(); t++) {
        const lu_tool *tool = lu_tool_at(t);
        if (strcmp(tool->name, asked->tool) == 0 && tool->settings.count > 0) {
            return true;
        }
    }
    return asked->options.count > 0 || asked->tables || asked->game_settings || asked->any_tool;
}

bool common_offered(const common_option *option, const verb *asked) {
    if (strcmp(option->key, "json") == 0) {
        return asked->json;
    }
    return !option->value || has_settings(asked); /* those with a value are about settings */
}

/* ---- words ---- */

typedef struct word {
    const char *key;   /* option without dashes, '-' made '_' except in common options; or NULL */
    const char *value; /* behind '=' or the next word; the argument itself when key is NULL */
    const char *text;  /* as given, for messages */
} word;

typedef struct words {
    word *list;
    int count;
    char **owned; /* keys, one per word */
} words;

typedef enum takes { TAKES_NOTHING, TAKES_VALUE, TAKES_UNKNOWN } takes;

static takes takes_verb(const verb *asked, const char *key);

/* An alias may be of a setting in another table of the verb (NULL: of no verb). */
static takes takes_in(const verb *asked, const lu_table *from, const char *key) {
    for (int i = 0; i < from->count; i++) {
        const lu_setting *row = &from->rows[i];
        bool itself = row->type == LU_ALIAS && lu_same_key(row->key, row->initial);
        if (lu_same_key(row->key, key) && !itself) {
            bool yes_no = row->type == LU_BOOL || (row->type == LU_ALIAS && row->choices);
            takes here = yes_no                  ? TAKES_NOTHING
                         : row->type == LU_ALIAS ? takes_in(NULL, from, row->initial)
                                                 : TAKES_VALUE;
            return here == TAKES_UNKNOWN && asked ? takes_verb(asked, row->initial) : here;
        }
    }
    return TAKES_UNKNOWN;
}

static takes takes_verb(const verb *asked, const char *key) {
    takes found = TAKES_UNKNOWN;
    const lu_table *from;
    for (int t = 0; found == TAKES_UNKNOWN && (from = verb_table(asked, t)) != NULL; t++) {
        found = takes_in(asked, from, key);
    }
    return found;
}

static takes takes_common(const char *key) {
    for (const common_option *c = common_options; c->key; c++) {
        if (strcmp(c->key, key) == 0) {
            return c->value ? TAKES_VALUE : TAKES_NOTHING;
        }
    }
    return TAKES_UNKNOWN;
}

/* The row that a word names in settings, of an alias with yes and no of its own that alias; NULL:
 * none. */
static const lu_setting *row_of(const lu_settings *settings, const char *text) {
    const char *key = lu_settings_key(settings, text);
    for (size_t i = 0; key && i < lu_settings_aliases(settings); i++) {
        const lu_setting *alias = lu_settings_alias(settings, i);
        bool named = strcmp(alias->key, key) == 0;
        if (named && alias->choices) {
            return alias;
        }
        key = named ? alias->initial : key;
    }
    for (size_t i = 0; key && i < lu_settings_rows(settings); i++) {
        const lu_setting *row = lu_settings_row(settings, i, NULL);
        if (strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

static bool is_yes_no(const lu_setting *row) {
    return row->type == LU_BOOL || row->type == LU_ALIAS;
}

static takes takes_game(const lu_game *game, const char *key) {
    lu_settings *settings = lu_game_settings(game);
    const lu_setting *row = row_of(settings, key);
    takes found = !row             ? takes_in(NULL, &game->options.table, key)
                  : is_yes_no(row) ? TAKES_NOTHING
                                   : TAKES_VALUE;
    lu_settings_delete(settings);
    return found;
}

/* Whether an option takes a value, by the tables of the verb, of the tools and of every game: the
 * game is not known yet. */
static takes takes_any(const verb *asked, const char *key) {
    takes found = takes_common(key);
    size_t prefix = strspn(key, "abcdefghijklmnopqrstuvwxyz");
    bool game = prefix == 4 && strncmp(key, "game", 4) == 0;
    if (key[prefix] && (game || (prefix == 6 && strncmp(key, "option", 6) == 0))) {
        key += prefix + 1;
    }
    if (found == TAKES_UNKNOWN) {
        found = takes_verb(asked, key);
    }
    for (int g = 0; g < lu_game_count() && found == TAKES_UNKNOWN; g++) {
        found = takes_game(lu_game_at(g), key);
    }
    for (int t = 0; t < lu_tool_count() && found == TAKES_UNKNOWN; t++) {
        found = takes_in(NULL, &lu_tool_at(t)->settings, key);
    }
    for (int v = 0; verbs[v] && found == TAKES_UNKNOWN; v++) {
        found = takes_verb(verbs[v], key);
    }
    if (found == TAKES_UNKNOWN && strncmp(key, "no_", 3) == 0 &&
        takes_any(asked, key + 3) == TAKES_NOTHING) {
        return TAKES_NOTHING;
    }
    return found;
}

static void words_free(words *w) {
    for (int i = 0; i < w->count; i++) {
        free(w->owned[i]);
    }
    free(w->owned);
    free(w->list);
}

/* "time-max" is "time_max", but the common options keep their dash. */
static char *key_of(const char *text, size_t length) {
    char *key = lu_alloc(length + 1);
    memcpy(key, text, length);
    key[length] = 0;
    if (takes_common(key) == TAKES_UNKNOWN) {
        for (char *c = key; *c; c++) {
            *c = *c == '-' ? '_' : *c;
        }
        if (strcmp(key, "no_color") == 0 || strcmp(key, "no_colour") == 0) {
            memcpy(key, "no-color", sizeof "no-color");
        }
    }
    return key;
}

/* What may stand behind a yes or no, as other programs write it: --death-match false. */
static bool is_truth(const char *text) {
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static lu_status split_words(words *w, const verb *asked, int count, char **given,
                             lu_error *error) {
    bool only_arguments = false;
    w->list = lu_alloc_zero((size_t)count + 1, sizeof *w->list);
    w->owned = lu_alloc_zero((size_t)count + 1, sizeof *w->owned);
    for (int i = 0; i < count; i++) {
        const char *text = given[i];
        word *at = &w->list[w->count];
        at->text = text;
        if (only_arguments || text[0] != '-' || text[1] == 0) {
            at->value = text;
            w->count++;
            continue;
        }
        if (strcmp(text, "--") == 0) {
            only_arguments = true;
            continue;
        }
        if (strcmp(text, "-h") == 0) {
            text = "--help";
        }
        if (text[1] != '-' && asked->dashes) {
            at->value = text;
            w->count++;
            continue;
        }
        if (text[1] != '-') {
            return lu_fail(error, LU_USAGE,
                           "unknown option '%s': options are written --key; `" LUDUS_PROGRAM
                           " help %s` lists them",
                           text, asked->name);
        }
        size_t length = strcspn(text + 2, "=");
        const char *equals = text[2 + length] ? text + 2 + length + 1 : NULL;
        at->key = w->owned[w->count++] = key_of(text + 2, length);
        at->value = equals;
        takes kind = takes_any(asked, at->key);
        if (!equals && kind == TAKES_VALUE) {
            if (i + 1 >= count || strncmp(given[i + 1], "--", 2) == 0) {
                return lu_fail(error, LU_USAGE, "option '%s' needs a value: %s VALUE", text, text);
            }
            at->value = given[++i];
        } else if (!equals && kind == TAKES_NOTHING && takes_common(at->key) == TAKES_UNKNOWN &&
                   i + 1 < count && is_truth(given[i + 1])) {
            at->value = given[++i];
        }
    }
    return LU_OK;
}

/* ---- setting values ---- */

static lu_status unknown_option(const verb_call *call, const char *text, const char *key,
                                lu_error *error) {
    const char *known[512];
    char *copy[512];
    size_t count = 0, copies = 0;
    for (const common_option *c = common_options; c->key; c++) {
        known[count++] = c->key;
    }
    for (size_t i = 0; i < lu_settings_rows(call->settings) && count < 512; i++) {
        known[count++] = lu_settings_row(call->settings, i, NULL)->key;
        const lu_setting *row = lu_settings_row(call->settings, i, NULL);
        if (row->type == LU_BOOL && count < 512) {
            size_t room = strlen(row->key) + 4;
            copy[copies] = lu_alloc(room);
            snprintf(copy[copies], room, "no_%s", row->key);
            known[count++] = copy[copies++];
        }
    }
    for (size_t i = 0; i < lu_settings_aliases(call->settings) && count < 512; i++) {
        known[count++] = lu_settings_alias(call->settings, i)->key;
    }
    const char *near = lu_nearest(key, known, count);
    if (!near && strchr(key, '.')) {
        near = lu_settings_nearest(call->settings, key);
    }
    int shown = (int)strcspn(text, "=");
    lu_status status;
    if (near) {
        status = lu_fail(error, LU_USAGE, "unknown option '%.*s'; did you mean '--%s'?",
                         shown > 200 ? 200 : shown, text, near);
    } else if (!call->game && call->verb->game != VERB_NO_GAME) {
        status = lu_fail(error, LU_USAGE,
                         "unknown option '%.*s'; `" LUDUS_PROGRAM
                         " help %s` lists the options, and a game's own "
                         "settings need the game's name",
                         shown > 200 ? 200 : shown, text, call->verb->name);
    } else {
        const lu_tool *tool = call->tool;
        status = lu_fail(error, LU_USAGE,
                         "unknown option '%.*s'; `" LUDUS_PROGRAM " help %s%s%s` lists the options",
                         shown > 200 ? 200 : shown, text, tool ? tool->game : call->verb->name,
                         tool ? " " : "", tool ? tool->name : "");
    }
    while (copies > 0) {
        free(copy[--copies]);
    }
    return status;
}

/* An option that every verb knows. --help, --version and --no-color were seen to before. */
static lu_status apply_common(verb_call *call, const common_option *common, const word *w,
                              lu_error *error) {
    const char *key = common->key;
    if (!common->value && w->value) {
        return lu_fail(error, LU_USAGE, "option '--%s' takes no value", key);
    }
    if (strcmp(key, "json") == 0) {
        call->json = true;
    }
    /* the help of every verb exists as JSON */
    if (!common_offered(common, call->verb) && !(call->json && call->help)) {
        return lu_fail(error, LU_USAGE, "`" LUDUS_PROGRAM " %s` has no --%s%s", call->verb->name,
                       key, common->value ? ": it has no settings" : "");
    }
    if (strcmp(key, "set") == 0) {
        return lu_settings_set_pair(call->settings, w->value, LU_FROM_FLAG, "--set", error);
    }
    call->files = call->files || strcmp(key, "config") == 0 || strcmp(key, "preset") == 0;
    if (strcmp(key, "config") == 0) {
        return lu_settings_file(call->settings, w->value, LU_FROM_FILE, error);
    }
    if (strcmp(key, "preset") == 0 && w->value && strcmp(w->value, "none") != 0) {
        free(call->preset);
        call->preset = lu_strdup(w->value);
        return lu_preset_read(w->value, call->game, call->settings, verb_shared_table, error);
    }
    return LU_OK;
}

static lu_status apply_option(verb_call *call, const word *w, lu_error *error) {
    const char *key = w->key;
    for (const common_option *c = common_options; c->key; c++) {
        if (strcmp(c->key, key) == 0) {
            return apply_common(call, c, w, error);
        }
    }
    char where[128];
    snprintf(where, sizeof where, "--%s", key);
    const lu_setting *row = row_of(call->settings, key);
    if (row) {
        if (!w->value && !is_yes_no(row)) {
            return lu_fail(error, LU_USAGE, "option '--%s' needs a value: --%s VALUE", key, key);
        }
        return lu_settings_set(call->settings, lu_settings_key(call->settings, key),
                               w->value ? w->value : "true", LU_FROM_FLAG, where, error);
    }
    row = strncmp(key, "no_", 3) == 0 ? row_of(call->settings, key + 3) : NULL;
    if (row && is_yes_no(row)) {
        if (w->value) {
            return lu_fail(error, LU_USAGE, "option '--%s' takes no value", key);
        }
        return lu_settings_set(call->settings, lu_settings_key(call->settings, key + 3), "false",
                               LU_FROM_FLAG, where, error);
    }
    return unknown_option(call, w->text, key, error);
}

/* ---- the call ---- */

/* Whether a verb has a setting of this name. Its aliases give way to settings of games, and so does
 * what it has without dots to what a game has with them. */
static bool is_taken(const verb *asked, const char *key) {
    bool gives_way = false, taken = takes_verb(asked, key) != TAKES_UNKNOWN;
    const lu_table *from;
    for (int t = 0; (from = verb_table(asked, t)) != NULL; t++) {
        for (int i = 0; i < from->count; i++) {
            const lu_setting *row = &from->rows[i];
            bool below = row->type == LU_ALIAS || (strchr(key, '.') && !strchr(row->key, '.'));
            gives_way = gives_way || (below && lu_same_key(row->key, key));
        }
    }
    return taken && !gives_way;
}

/* The key of a game's row as a verb offers it; the caller frees it. */
static char *key_in(const verb *asked, bool option, const char *key) {
    bool taken = asked && is_taken(asked, key);
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "%s%s", option ? "option." : taken ? "game." : "", key);
    return text.text;
}

lu_table game_table_make(const verb *asked, const lu_game *game) {
    lu_settings *own = lu_game_settings(game);
    int settings = (int)lu_settings_rows(own), aliases = (int)lu_settings_aliases(own);
    int count = settings + aliases + game->options.table.count;
    lu_setting *rows = lu_alloc_zero((size_t)count + 1, sizeof *rows);
    for (int i = 0; i < count; i++) {
        bool option = i >= settings + aliases;
        rows[i] = option         ? game->options.table.rows[i - settings - aliases]
                  : i < settings ? *lu_settings_row(own, (size_t)i, NULL)
                                 : *lu_settings_alias(own, (size_t)(i - settings));
        bool alias = rows[i].type == LU_ALIAS;
        /* the reward rows belong to `own` */
        rows[i].initial =
            alias ? key_in(asked, option, rows[i].initial) : lu_strdup(rows[i].initial);
        rows[i].key = key_in(asked, option, rows[i].key);
        rows[i].choices = rows[i].choices ? lu_strdup(rows[i].choices) : NULL;
        rows[i].sentence = lu_strdup(rows[i].sentence);
    }
    lu_settings_delete(own);
    return (lu_table){game->name, rows, count};
}

void game_table_free(lu_table made) {
    lu_setting *rows = (lu_setting *)made.rows;
    for (int i = 0; i < made.count; i++) {
        free((char *)rows[i].key);
        free((char *)rows[i].initial);
        free((char *)rows[i].choices);
        free((char *)rows[i].sentence);
    }
    free(rows);
}

/* The tool that the first argument names. */
static lu_status take_tool(verb_call *call, lu_error *error) {
    const char *names[64];
    size_t count = 0;
    for (int t = 0; t < lu_tool_count() && count < 64; t++) {
        if (strcmp(lu_tool_at(t)->game, call->game->name) == 0) {
            names[count++] = lu_tool_at(t)->name;
        }
    }
    call->tool = lu_tool_find(call->game->name, call->argument[0]);
    if (call->tool) {
        return LU_OK;
    }
    const char *near = lu_nearest(call->argument[0], names, count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "%s has no tool '%.200s'; did you mean '%s'?",
                       call->game->name, call->argument[0], near);
    }
    return lu_fail(error, LU_NOT_FOUND, "%s has no tool '%.200s'; `ludus %s` lists its tools",
                   call->game->name, call->argument[0], call->game->name);
}

/* Tables of verb, game and tool, joined. */
static lu_status join_tables(verb_call *call, lu_error *error) {
    const verb *asked = call->verb;
    call->settings = lu_settings_new();
    lu_settings_read_files(call->settings);
    const lu_table *own;
    for (int t = 0; (own = verb_table(asked, t)) != NULL; t++) {
        if (own->count > 0) {
            lu_settings_add(call->settings, *own);
        }
    }
    if (call->game && asked->game_settings) {
        call->game_table = game_table_make(asked, call->game);
        lu_settings_add(call->settings, call->game_table);
    }
    if (call->game && asked->tool) {
        call->tool = lu_tool_find(call->game->name, asked->tool);
    }
    if (call->game && asked->any_tool && call->arguments > 0 && take_tool(call, error) != LU_OK) {
        return LU_NOT_FOUND;
    }
    for (int i = 0; call->tool && i < call->tool->settings.count; i++) {
        if (lu_settings_has(call->settings, call->tool->settings.rows[i].key)) {
            return lu_fail(error, LU_FAILED,
                           "'%s' is a setting of the tool %s and of `" LUDUS_PROGRAM " %s`",
                           call->tool->settings.rows[i].key, call->tool->name, asked->name);
        }
    }
    if (call->tool && call->tool->settings.count > 0) {
        lu_settings_add(call->settings, call->tool->settings);
    }
    return LU_OK;
}

/* The verb's own word, when the text is one; an error where only such a word may stand. */
static lu_status take_word(verb_call *call, const char *text, lu_error *error) {
    const verb *asked = call->verb;
    size_t count = 0;
    for (; asked->words[count]; count++) {
        if (strcmp(asked->words[count], text) == 0) {
            call->word = asked->words[count];
        }
    }
    if (call->word || asked->game != VERB_NO_GAME) {
        return LU_OK;
    }
    const char *near = lu_nearest(text, asked->words, count);
    if (near) {
        return lu_fail(error, LU_USAGE,
                       "`" LUDUS_PROGRAM " %s` does not know '%.200s'; did you mean '%s'?",
                       asked->name, text, near);
    }
    return lu_fail(error, LU_USAGE,
                   "`" LUDUS_PROGRAM " %s` does not know '%.200s': " LUDUS_PROGRAM " %s",
                   asked->name, text, asked->usage);
}

static lu_status take_arguments(verb_call *call, const words *w, lu_error *error) {
    const verb *asked = call->verb;
    call->argument = lu_alloc_zero((size_t)w->count + 1, sizeof *call->argument);
    bool game_due = asked->game != VERB_NO_GAME, word_due = asked->words != NULL;
    for (int i = 0; i < w->count; i++) {
        if (w->list[i].key) {
            continue;
        }
        if (word_due) {
            word_due = false;
            if (take_word(call, w->list[i].value, error) != LU_OK) {
                return LU_USAGE;
            }
            if (call->word) {
                game_due = false;
                continue;
            }
        }
        if (game_due) {
            game_due = false;
            call->game = lu_env_game(w->list[i].value, error);
            if (!call->game) {
                return LU_NOT_FOUND;
            }
            continue;
        }
        call->argument[call->arguments++] = w->list[i].value;
    }
    if (word_due && asked->first_word) {
        call->word = asked->words[0];
    }
    return LU_OK;
}

/* The first variant of a game that names a preset, NULL: none. */
static const lu_game *variant_that_learns(const lu_game *game) {
    for (int g = 0; g < lu_game_count(); g++) {
        const lu_game *other = lu_game_at(g);
        if (other->preset && strcmp(other->name, game->name) == 0) {
            return other;
        }
    }
    return NULL;
}

/* A game by its plain name, craft and not craft-v1, is the variant that a preset names. What trains
 * (or shows what would) and names none takes the variant that has one, unless the call has settings
 * of its own kind. */
static void take_variant(verb_call *call, const words *w) {
    static const char *const own[] = {"preset", "config", "resume", "load", "algo", "help"};
    bool plain = false, learns = call->verb->learns, open = true;
    const lu_game *named = NULL;
    for (int i = 0; i < w->count && call->game; i++) {
        const char *key = w->list[i].key, *value = w->list[i].value;
        plain = plain || (!key && strcmp(value, call->game->name) == 0);
        if (key && value && strcmp(key, "preset") == 0) {
            named = lu_preset_game(value, call->game);
        }
        learns = learns || (key && strcmp(key, "training") == 0); /* config --training */
        for (int k = 0; key && k < LU_COUNT(own); k++) {
            open = open && strcmp(key, own[k]) != 0;
        }
    }
    if (plain && learns && open && !call->game->preset) {
        named = variant_that_learns(call->game);
        if (named) {
            note("%s has no preset: this takes %s, a variant that has one; `ludus %s %s` takes the "
                 "game itself",
                 call->game->id, named->id, call->verb->name, call->game->id);
        }
    }
    if (plain && named && strcmp(named->name, call->game->name) == 0) {
        call->game = named;
    }
}

/* A run that is resumed names its game; where it lies is not in call->settings yet. */
static lu_status take_game_of_run(verb_call *call, const words *w, const char *run,
                                  lu_error *error) {
    lu_settings *place = lu_settings_new();
    lu_text runs = LU_TEXT_INIT;
    lu_status status = LU_OK;
    lu_settings_add(place, lu_run_place_table);
    for (int i = 0; i < w->count && status == LU_OK; i++) {
        const char *key = w->list[i].key, *value = w->list[i].value;
        key = key && strcmp(key, "out") == 0 ? "run.folder" : key;
        if (key && value && lu_settings_has(place, key)) {
            status = lu_settings_set(place, key, value, LU_FROM_FLAG, key, error);
        }
    }
    LU_THEN(status, lu_settings_variables(place, environ, false, error));
    lu_run_place(place, &runs);
    LU_THEN(status, lu_run_game(runs.text, run, &call->game, error));
    lu_text_free(&runs);
    lu_settings_delete(place);
    return status;
}

/* Where no argument names the game an option may, a preset, or the run that is resumed. */
static lu_status take_named_game(verb_call *call, const words *w, lu_error *error) {
    bool due = call->verb->game != VERB_NO_GAME && !call->word;
    take_variant(call, w);
    for (int i = 0; i < w->count && due && !call->game; i++) {
        const char *key = w->list[i].key;
        if (key && w->list[i].value && strcmp(key, "preset") == 0) {
            call->game = lu_preset_game(w->list[i].value, NULL);
        } else if (key && w->list[i].value && takes_verb(call->verb, ENV_NAME) != TAKES_UNKNOWN &&
                   lu_same_key(key, ENV_NAME)) {
            call->game = lu_env_game(w->list[i].value, error);
            if (!call->game) {
                return LU_NOT_FOUND;
            }
        } else if (key && w->list[i].value && *w->list[i].value && call->verb->learns &&
                   strcmp(key, "resume") == 0) {
            LU_TRY(take_game_of_run(call, w, w->list[i].value, error));
        }
    }
    return LU_OK;
}

/* The game that an option names must be the one of the argument. */
static lu_status check_named_game(const verb_call *call, lu_error *error) {
    const char *name = call->game && lu_settings_has(call->settings, ENV_NAME)
                           ? lu_settings_text_of(call->settings, ENV_NAME)
                           : "";
    const lu_game *named = *name ? lu_env_game(name, error) : call->game;
    if (!named) {
        return *name ? LU_NOT_FOUND : LU_OK;
    }
    return named == call->game
               ? LU_OK
               : lu_fail(error, LU_USAGE, "'" ENV_NAME "' = %s is not the game named here: %s",
                         name, call->game->id);
}

static lu_status check_arguments(const verb_call *call, lu_error *error) {
    const verb *asked = call->verb;
    if (asked->game == VERB_GAME && !call->game) {
        return lu_fail(error, LU_USAGE,
                       "`" LUDUS_PROGRAM " %s` needs a game: " LUDUS_PROGRAM
                       " %s; `ludus games` lists them",
                       asked->name, asked->usage);
    }
    if (asked->words && asked->game == VERB_NO_GAME && !call->word) {
        return lu_fail(error, LU_USAGE,
                       "`" LUDUS_PROGRAM " %s` needs to know what to do: " LUDUS_PROGRAM " %s",
                       asked->name, asked->usage);
    }
    if (call->arguments > 0 && call->arguments < asked->least) {
        return lu_fail(error, LU_USAGE,
                       "`" LUDUS_PROGRAM
                       " %s` needs two %sS, and only '%.200s' is given: " LUDUS_PROGRAM " %s",
                       asked->name, asked->argument, call->argument[0], asked->usage);
    }
    if (call->arguments < asked->least) {
        bool more = asked->most < 0 || asked->most > asked->least;
        return lu_fail(error, LU_USAGE,
                       "`" LUDUS_PROGRAM " %s` needs %s %s%s: " LUDUS_PROGRAM " %s", asked->name,
                       asked->least > 1 ? "two"
                       : more           ? "at least one"
                                        : "a",
                       asked->argument, asked->least > 1 ? "S" : "", asked->usage);
    }
    if (asked->most >= 0 && call->arguments > asked->most) {
        return lu_fail(error, LU_USAGE, "unexpected argument '%.200s': " LUDUS_PROGRAM " %s",
                       call->argument[asked->most], asked->usage);
    }
    return LU_OK;
}

lu_status call_parse(verb_call *call, const verb *asked, int count, char **given, lu_error *error) {
    words w = {0};
    *call = (verb_call){.verb = asked};
    lu_status status = split_words(&w, asked, count, given, error);
    if (status != LU_OK) {
        goto done;
    }
    for (int i = 0; i < w.count; i++) {
        if (w.list[i].key && strcmp(w.list[i].key, "no-color") == 0) {
            out_plain();
        }
        call->help = call->help || (w.list[i].key && strcmp(w.list[i].key, "help") == 0);
        call->version = call->version || (w.list[i].key && strcmp(w.list[i].key, "version") == 0);
    }
    status = take_arguments(call, &w, error);
    LU_THEN(status, take_named_game(call, &w, error));
    LU_THEN(status, join_tables(call, error));
    for (int i = 0; i < w.count && status == LU_OK; i++) {
        if (w.list[i].key) {
            status = apply_option(call, &w.list[i], error);
        }
    }
    if (status == LU_OK && !call->help && !call->version) {
        status = check_arguments(call, error);
        LU_THEN(status, check_named_game(call, error));
    }
    if (status == LU_OK && this_program.variables) {
        status = lu_settings_variables(call->settings, environ, false, error);
    }
done:
    words_free(&w);
    if (status != LU_OK) {
        call_free(call);
    }
    return status;
}

void call_free(verb_call *call) {
    lu_settings_delete(call->settings);
    game_table_free(call->game_table);
    free(call->argument);
    free(call->preset);
    *call = (verb_call){0};
}
