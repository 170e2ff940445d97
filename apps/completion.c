/* Completion of a line of words: see completion.h. */
#include "completion.h"

#include "ludus/conform.h"
#include "ludus/file.h"
#include "ludus/preset.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TABLES = 24 };

typedef struct line {
    const verb *verb;
    const lu_game *game;
    const lu_tool *tool;
    int arguments;                /* words that are neither options nor their values */
    const char *previous, *start; /* the word before, and what is there of the last one */
    const char *front;            /* stands before each answer: "--key=", else "" */
    lu_table tables[MOST_TABLES]; /* of verb, game and tool; the verb's own one first */
    int count;
    lu_table owned; /* of the game */
    lu_text *text;
} line;

static void offer(const line *l, const char *word, const char *sentence) {
    if (strncmp(word, l->start, strlen(l->start)) == 0) {
        lu_text_addf(l->text, "%s%s%s%s\n", l->front, word, *sentence ? "\t" : "", sentence);
    }
}

/* ---- the lists ---- */

static void offer_verbs(const line *l) {
    for (int v = 0; verbs[v]; v++) {
        offer(l, verbs[v]->name, verbs[v]->sentence);
    }
}

/* Games by their folder's name, and their variants by id; or only those that have tools. */
static void offer_games(const line *l, bool with_tools) {
    for (int g = 0; g < program_games(); g++) {
        const lu_game *game = lu_game_at(g);
        bool main = lu_game_find(game->name, NULL) == game, has = !with_tools;
        for (int t = 0; t < lu_tool_count() && !has; t++) {
            has = strcmp(lu_tool_at(t)->game, game->name) == 0;
        }
        if (main && has) {
            offer(l, game->name, game->title);
        }
        if (!with_tools) {
            offer(l, game->id, game->title);
        }
    }
}

static void offer_tools(const line *l) {
    for (int t = 0; t < lu_tool_count(); t++) {
        const lu_tool *tool = lu_tool_at(t);
        if (l->game && strcmp(tool->game, l->game->name) == 0) {
            offer(l, tool->name, tool->sentence);
        }
    }
}

static void offer_bots(const line *l) {
    for (int b = 0; l->game && b < lu_game_bots(l->game); b++) {
        offer(l, lu_game_bot_at(l->game, b)->name, "");
    }
}

static void offer_presets(const line *l) {
    char *names[512];
    size_t count = lu_preset_names(l->game, names, 512);
    for (size_t i = 0; i < count; i++) {
        offer(l, names[i], "");
        free(names[i]);
    }
}

/* Ids of the folder of runs; the catalogue is left alone. */
static void offer_runs(const line *l) {
    lu_settings *settings = lu_settings_new();
    lu_text place = LU_TEXT_INIT, file = LU_TEXT_INIT;
    lu_names names;
    lu_settings_add(settings, lu_run_place_table);
    (void)lu_settings_variables(settings, environ, false, NULL);
    lu_run_place(settings, &place);
    lu_folder_names(place.text, "", &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        lu_text_clear(&file);
        lu_text_addf(&file, "%s/%s/run.json", place.text, names.name[i]);
        if (lu_file_exists(file.text)) {
            offer(l, names.name[i], "");
        }
    }
    offer(l, "latest", "the newest run");
    offer(l, "best", "the run with the best evaluation");
    lu_names_free(&names);
    lu_text_free(&place);
    lu_text_free(&file);
    lu_settings_delete(settings);
}

static void offer_checks(const line *l) {
    for (int i = 0; i < lu_conform_count(); i++) {
        offer(l, lu_conform_check(i, NULL), "");
    }
}

static void offer_files(const line *l) {
    lu_text_add(l->text, ":files\n");
}

static void offer_choices(const line *l, const char *choices) {
    char *list = lu_strdup(choices), *rest = list;
    for (const char *one; (one = strsep(&rest, "|")) != NULL;) {
        offer(l, one, "");
    }
    free(list);
}

/* ---- options ---- */

/* --key as the help shows it; the options of verbs with dashes. */
static void offer_row(const line *l, const lu_setting *row, bool dashes) {
    bool on = row->type == LU_BOOL && strcmp(row->initial, "true") == 0;
    lu_text word = LU_TEXT_INIT;
    lu_text_addf(&word, "--%s%s", on ? "no-" : "", row->key);
    for (char *c = word.text; dashes && *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    offer(l, word.text, row->sentence);
    lu_text_free(&word);
}

static void offer_options(const line *l) {
    for (const common_option *c = common_options; c->key; c++) {
        if (common_offered(c, l->verb)) {
            lu_text word = LU_TEXT_INIT;
            lu_text_addf(&word, "--%s", c->key);
            offer(l, word.text, c->sentence);
            lu_text_free(&word);
        }
    }
    for (int t = 0; t < l->count; t++) {
        for (int i = 0; i < l->tables[t].count; i++) {
            offer_row(l, &l->tables[t].rows[i], t == 0);
        }
    }
}

static void offer_keys(const line *l) {
    for (int t = 0; t < l->count; t++) {
        for (int i = 0; i < l->tables[t].count; i++) {
            lu_text word = LU_TEXT_INIT;
            lu_text_addf(&word, "%s=", l->tables[t].rows[i].key);
            offer(l, word.text, "");
            lu_text_free(&word);
        }
    }
}

static void offer_all_games(const line *l) {
    if (!l->tool) { /* whose `from` may be anything */
        offer_games(l, false);
    }
}

/* What stands behind an option, by its name, where its table does not tell. */
static const struct value {
    const char *key;
    void (*offer)(const line *l);
} values[] = {
    {"set", offer_keys},         {"preset", offer_presets},   {"bot", offer_bots},
    {"opponent", offer_bots},    {"only", offer_checks},      {"from", offer_all_games},
    {"game", offer_all_games},   {"resume", offer_runs},      {"model", offer_runs},
    {"agent", offer_runs},       {"config", offer_files},     {"actions", offer_files},
    {"record", offer_files},     {"file", offer_files},       {"zip", offer_files},
    {"key_file", offer_files},   {"token_file", offer_files}, {"space", offer_files},
    {"run.folder", offer_files}, {"out", offer_files},        {"html", offer_files},
};

static const lu_setting *find_row(const line *l, const char *key) {
    for (int t = 0; t < l->count; t++) {
        for (int i = 0; i < l->tables[t].count; i++) {
            if (lu_same_key(l->tables[t].rows[i].key, key)) {
                return &l->tables[t].rows[i];
            }
        }
    }
    return NULL;
}

/* True when the last word is the value of what stands before it: it was offered. */
static bool offer_value(const line *l) {
    const char *key = l->previous + (strncmp(l->previous, "--", 2) == 0 ? 2 : 0);
    const lu_setting *row = find_row(l, key);
    bool common = false;
    for (const common_option *c = common_options; c->key; c++) {
        common = common || (c->value && strcmp(c->key, key) == 0);
    }
    if (!(row && row->type != LU_BOOL) && !common) {
        return false;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (lu_same_key(values[i].key, key)) {
            values[i].offer(l);
            return true;
        }
    }
    if (row && row->type == LU_ENUM) {
        offer_choices(l, row->choices);
    } else if (row && row->type == LU_FILE) {
        offer_files(l);
    }
    return true;
}

/* ---- arguments ---- */

static void offer_argument(const line *l) {
    const verb *asked = l->verb;
    const char *kind = asked->argument ? asked->argument : "";
    bool player =
        strcmp(kind, "MODEL") == 0 || strcmp(kind, "PLAYER") == 0 || strcmp(kind, "REPLAY") == 0;
    for (int i = 0; l->arguments == 0 && asked->words && asked->words[i]; i++) {
        offer(l, asked->words[i], "");
    }
    if (asked->game != VERB_NO_GAME && l->arguments == 0) {
        offer_games(l, false);
    } else if ((strcmp(kind, "VERB") == 0 && l->game) || (strcmp(kind, "TOOL") == 0 && !l->tool)) {
        offer_tools(l);
    } else if (strcmp(kind, "VERB") == 0) {
        offer_verbs(l);
        offer_games(l, true);
    } else if (strcmp(kind, "SHELL") == 0) {
        offer_choices(l, "bash|zsh|fish");
    } else if (player || ((strcmp(kind, "RUN") == 0 || strcmp(asked->name, "model") == 0) &&
                          (!asked->words || l->arguments > 0))) {
        offer_runs(l);
    }
    bool path = strcmp(kind, "FILE") == 0 || strcmp(kind, "DIR") == 0;
    if (player || l->tool || (path && (asked->game == VERB_NO_GAME || l->arguments > 0))) {
        offer_files(l);
    }
}

/* ---- the line ---- */

static void add_table(line *l, lu_table t) {
    if (l->count < MOST_TABLES) {
        l->tables[l->count++] = t;
    }
}

/* Game, tool and number of arguments among the words before the last. */
static void read_words(line *l, int count, const char *const *words) {
    for (int i = 0; i < count; i++) {
        const lu_setting *row;
        if (strncmp(words[i], "--", 2) == 0) { /* with its value, where that is a word */
            row = find_row(l, words[i] + 2);
            i += row && row->type != LU_BOOL;
            continue;
        }
        const lu_game *game = l->game ? NULL : lu_game_find(words[i], NULL);
        l->arguments++;
        if (l->game && l->verb->any_tool && !l->tool) {
            l->tool = lu_tool_find(l->game->name, words[i]);
        }
        if (game && program_games() > 0) {
            l->game = game;
        }
    }
    if (l->game && l->verb->game_settings) {
        l->owned = game_table_make(l->verb, l->game);
        add_table(l, l->owned);
    }
    if (l->tool) {
        add_table(l, l->tool->settings);
    }
}

void completion_answer(int count, const char *const *words, lu_text *text) {
    line l = {.start = count ? words[count - 1] : "", .front = "", .text = text};
    int at = 0;
    while (at + 1 < count && strcmp(words[at], "--no-color") == 0) {
        at++;
    }
    if (at + 1 >= count) {
        offer_verbs(&l);
        offer_games(&l, true);
        offer_choices(&l, "--help|--version|--no-color");
        return;
    }
    l.verb = verb_find(words[at], NULL);
    if (!l.verb && this_program.of_game && lu_game_find(words[at], NULL)) {
        l.verb = this_program.of_game; /* the game is its first argument */
        at--;
    }
    if (!l.verb) {
        return;
    }
    for (int t = 0; verb_table(l.verb, t); t++) {
        add_table(&l, *verb_table(l.verb, t));
    }
    read_words(&l, count - at - 2, words + at + 1);
    /* "--key=va" and, behind --set, "key=va": the word before ends at the '=' */
    const char *equals = strchr(l.start, '=');
    char *key = equals ? lu_strdup(l.start) : NULL, *front = key ? lu_strdup(l.start) : NULL;
    l.previous = count - 1 > at + 1 ? words[count - 2] : "";
    if (key) {
        key[equals - l.start] = 0;
        front[equals - l.start + 1] = 0;
        l.previous = key;
        l.front = front;
        l.start = equals + 1;
    }
    bool option = strncmp(l.previous, "--", 2) == 0 || key ||
                  (count - 2 > at + 1 && strcmp(words[count - 3], "--set") == 0);
    if (!(option && offer_value(&l))) {
        if (*l.start == '-') {
            offer_options(&l);
        } else {
            offer_argument(&l);
            if (text->length == 0) { /* nothing else may follow */
                offer_options(&l);
            }
        }
    }
    free(key);
    free(front);
    game_table_free(l.owned);
}
