/* Help texts, made from the tables of verbs and settings: examples first. */
#include "cli.h"
#include "output.h"

#include <string.h>

enum { WIDTH = 80, TEXT_AT = 26 };

void option_form(const lu_setting *row, bool dashes, lu_text *text) {
    bool on = row->type == LU_BOOL && strcmp(row->initial, "true") == 0;
    lu_text_add(text, on ? "--[no-]" : "--");
    for (const char *c = row->key; *c; c++) {
        lu_text_add_char(text, dashes && *c == '_' ? '-' : *c);
    }
    if (row->type == LU_ENUM) {
        lu_text_addf(text, " %s", strlen(row->choices) <= 24 ? row->choices : "NAME");
    } else if (row->type == LU_TEXT) {
        /* what a text stands for, where its key says so */
        static const char *const kinds[][2] = {
            {"seed", "N"},      {"seeds", "A..B"},    {"actions", "FILE"},    {"record", "FILE"},
            {"file", "FILE"},   {"bot", "NAME"},      {"opponent", "NAME"},   {"only", "CHECK"},
            {"from", "GAME"},   {"zip", "FILE"},      {"steps", "N"},         {"threads", "N"},
            {"resume", "RUN"},  {"out", "PATH"},      {"model", "MODEL"},     {"against", "NAME"},
            {"metric", "NAME"}, {"game", "GAME"},     {"with", "KEY=VALUE"},  {"run.folder", "DIR"},
            {"html", "FILE"},   {"agent", "MODEL"},   {"league", "NAME"},     {"url", "ADDRESS"},
            {"cache", "DIR"},   {"key_file", "FILE"}, {"token_file", "FILE"}, {"max_age", "TIME"},
        };
        const char *word = "TEXT";
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            word = strcmp(row->key, kinds[i][0]) == 0 ? kinds[i][1] : word;
        }
        lu_text_addf(text, " %s", word);
    } else if (row->type != LU_BOOL) {
        static const char *const words[] = {
            [LU_INT] = "N",
            [LU_REAL] = "X",
            [LU_LIST] = "X,X,...",
            [LU_JSON] = "JSON",
            [LU_SCHEDULE] = "SCHEDULE",
            [LU_FILE] = "FILE",
            [LU_ALIAS] = "...",
        };
        lu_text_addf(text, " %s", words[row->type]);
    }
}

void option_sentence(const lu_setting *row, lu_text *text) {
    lu_text_add(text, row->sentence);
    if (row->type == LU_ENUM) {
        lu_text_addf(text, " One of %s.", row->choices);
    }
    bool ranged = (row->type == LU_INT || row->type == LU_REAL || row->type == LU_LIST ||
                   row->type == LU_SCHEDULE) &&
                  (row->low < 0 || row->low > 0 || row->high < 0 || row->high > 0);
    if (ranged) {
        lu_text_addf(text, " %.10g to %.10g.", row->low, row->high);
    }
    if (row->type == LU_ALIAS) {
        lu_text_addf(text, " Same as --%s.", row->initial);
    } else if (row->initial && *row->initial &&
               !(row->type == LU_BOOL && strcmp(row->initial, "false") == 0)) {
        lu_text_addf(text, " [%s]", row->initial);
    }
    if (row->repeat) {
        lu_text_add(text, " May be given several times.");
    }
}

void option_write(const lu_setting *row, lu_json *json) {
    lu_json_key_string(json, "key", row->key);
    lu_json_key_string(json, "type", lu_type_name(row->type));
    lu_json_key_string(json, "default", row->initial);
    lu_json_key_real(json, "low", row->low);
    lu_json_key_real(json, "high", row->high);
    lu_json_key_string(json, "choices", row->choices ? row->choices : "");
    lu_json_key_string(json, "sentence", row->sentence);
    lu_json_key_bool(json, "repeat", row->repeat);
}

static void add_entry(lu_text *text, const char *form, const char *sentence) {
    int at = 2 + (int)strlen(form);
    lu_text_addf(text, "  %s%s%s", paint(BOLD), form, paint(PLAIN));
    if (at + 2 > TEXT_AT) {
        lu_text_add_char(text, '\n');
        at = 0;
    }
    lu_text_fill(text, ' ', TEXT_AT - at);
    text_wrap(text, sentence, TEXT_AT, TEXT_AT, WIDTH);
}

static void add_setting(lu_text *text, const lu_setting *row, bool dashes) {
    lu_text form = LU_TEXT_INIT, sentence = LU_TEXT_INIT;
    option_form(row, dashes, &form);
    option_sentence(row, &sentence);
    add_entry(text, form.text, sentence.text);
    lu_text_free(&form);
    lu_text_free(&sentence);
}

static void heading(lu_text *text, const char *words) {
    lu_text_addf(text, "\n%s%s%s\n", paint(BOLD), words, paint(PLAIN));
}

void help_program(lu_text *text) {
    lu_text_addf(text, LUDUS_PROGRAM ": %s\n", this_program.title);
    heading(text, "Examples");
    for (const verb_example *e = this_program.examples; e->command; e++) {
        lu_text_addf(text, "  %-38s %s%s%s\n", e->command, paint(DIM), e->sentence, paint(PLAIN));
    }
    heading(text, "Verbs");
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, "  %s%-12s%s", paint(BOLD), verbs[v]->name, paint(PLAIN));
        text_wrap(text, verbs[v]->sentence, 14, 14, WIDTH);
    }
    heading(text, "Settings");
    text_wrap(text, this_program.settings, 0, 0, WIDTH);
    heading(text, "Exit codes");
    for (const exit_code *e = exit_codes; e->sentence; e++) {
        lu_text_addf(text, "  %-5d", e->code);
        text_wrap(text, e->sentence, 7, 7, WIDTH);
    }
}

void help_verb(const verb *asked, const lu_game *game, lu_text *text) {
    text_wrap(text, asked->sentence, 0, 0, WIDTH);
    heading(text, "Examples");
    for (const verb_example *e = asked->examples; e->command; e++) {
        lu_text_addf(text, "  %s\n      %s%s%s\n", e->command, paint(DIM), e->sentence,
                     paint(PLAIN));
    }
    heading(text, "Usage");
    lu_text_addf(text, "  " LUDUS_PROGRAM " %s\n", asked->usage);
    if (asked->details) {
        lu_text_add_char(text, '\n');
        text_wrap(text, asked->details, 0, 0, WIDTH);
    }
    heading(text, "Options");
    for (int i = 0; i < asked->options.count; i++) {
        add_setting(text, &asked->options.rows[i], true);
    }
    for (const common_option *c = common_options; c->key; c++) {
        if (common_offered(c, asked)) {
            const char *form = c->value ? cell("--%s %s", c->key, c->value) : cell("--%s", c->key);
            add_entry(text, form, c->sentence);
        }
    }
    for (int t = 1; verb_table(asked, t); t++) {
        const lu_table *own = verb_table(asked, t);
        heading(text, cell("Settings of %s", own->module));
        for (int i = 0; i < own->count; i++) {
            add_setting(text, &own->rows[i], false);
        }
    }
    if (asked->game_settings && game) {
        heading(text, cell("Settings of %s", game->name));
        lu_table own = game_table_make(asked, game);
        for (int i = 0; i < own.count; i++) {
            add_setting(text, &own.rows[i], false);
        }
        game_table_free(own);
    } else if (asked->game_settings) {
        lu_text_addf(
            text, "\nThe settings of the game are options too: " LUDUS_PROGRAM " %s GAME --help\n",
            asked->name);
    }
    for (int t = 0; asked->any_tool && game && t < lu_tool_count(); t++) {
        const lu_tool *one = lu_tool_at(t);
        if (strcmp(one->game, game->name) == 0) {
            heading(text, cell("Tool %s", one->name));
            lu_text_add(text, "  ");
            text_wrap(text, one->sentence, 2, 2, WIDTH);
            for (int i = 0; i < one->settings.count; i++) {
                add_setting(text, &one->settings.rows[i], false);
            }
        }
    }
    const lu_tool *tool = asked->tool && game ? lu_tool_find(game->name, asked->tool) : NULL;
    for (int i = 0; tool && i < tool->settings.count; i++) {
        add_setting(text, &tool->settings.rows[i], false);
    }
}

/* ---- as JSON ---- */

static void write_examples(const verb_example *examples, lu_json *json) {
    lu_json_key_array(json, "examples");
    for (const verb_example *e = examples; e->command; e++) {
        lu_json_object(json);
        lu_json_key_string(json, "command", e->command);
        lu_json_key_string(json, "sentence", e->sentence);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_table(const char *module, lu_table t, lu_json *json) {
    for (int i = 0; i < t.count; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "module", module);
        option_write(&t.rows[i], json);
        lu_json_object_end(json);
    }
}

/* Members of an open object. */
static void write_verb(const verb *asked, const lu_game *game, lu_json *json) {
    lu_json_key_string(json, "verb", asked->name);
    lu_json_key_string(json, "usage", cell(LUDUS_PROGRAM " %s", asked->usage));
    lu_json_key_string(json, "sentence", asked->sentence);
    lu_json_key_string(json, "details", asked->details ? asked->details : "");
    write_examples(asked->examples, json);
    lu_json_key_array(json, "options");
    write_table(cell(LUDUS_PROGRAM " %s", asked->name), asked->options, json);
    for (int t = 1; verb_table(asked, t); t++) {
        write_table(verb_table(asked, t)->module, *verb_table(asked, t), json);
    }
    if (asked->game_settings && game) {
        lu_table own = game_table_make(asked, game);
        write_table(game->id, own, json);
        game_table_free(own);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "common");
    for (const common_option *c = common_options; c->key; c++) {
        if (common_offered(c, asked)) {
            lu_json_object(json);
            lu_json_key_string(json, "key", c->key);
            lu_json_key_string(json, "value", c->value ? c->value : "");
            lu_json_key_string(json, "sentence", c->sentence);
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
}

void help_json(const verb *asked, const lu_game *game, lu_json *json) {
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    if (asked) {
        write_verb(asked, game, json);
        lu_json_object_end(json);
        return;
    }
    lu_json_key_string(json, "version", LUDUS_VERSION);
    write_examples(this_program.examples, json);
    lu_json_key_array(json, "verbs");
    for (int v = 0; verbs[v]; v++) {
        lu_json_object(json);
        write_verb(verbs[v], NULL, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "exit_codes");
    for (const exit_code *e = exit_codes; e->sentence; e++) {
        lu_json_object(json);
        lu_json_key_int(json, "code", e->code);
        lu_json_key_string(json, "sentence", e->sentence);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}
