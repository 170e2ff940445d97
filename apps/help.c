/* Help texts, made from the tables of verbs and settings: examples first. */
#include "cli.h"
#include "output.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, LEAST = 50, TEXT_AT = 26 };

/* Help is narrower than its usual width where the terminal is. */
static int width_here(void) {
    int columns = out_columns();
    return columns == 0 || columns > WIDTH ? WIDTH : columns < LEAST ? LEAST : columns;
}

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
            {"zip", "FILE"},    {"load", "MODEL"},    {"steps", "N"},         {"threads", "N"},
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
    bool alias = row->type == LU_ALIAS;
    bool bare = alias && (strcmp(row->sentence, "The same.") == 0 ||
                          strncmp(row->sentence, "Another name", 12) == 0);
    lu_text_add(text, bare ? "" : row->sentence);
    if (row->type == LU_ENUM) {
        lu_text_addf(text, " One of %s.", row->choices);
    }
    bool ranged = (row->type == LU_INT || row->type == LU_REAL || row->type == LU_LIST ||
                   row->type == LU_SCHEDULE) &&
                  (row->low < 0 || row->low > 0 || row->high < 0 || row->high > 0);
    if (ranged) {
        lu_text_addf(text, " %.10g to %.10g.", row->low, row->high);
    }
    if (alias) {
        lu_text_addf(text, "%sSame as --%s.", bare ? "" : " ", row->initial);
    } else if (row->initial && *row->initial &&
               !(row->type == LU_BOOL && strcmp(row->initial, "false") == 0)) {
        lu_text_addf(text, " [%s]", row->initial);
    }
    if (row->repeat) {
        lu_text_add(text, " May be repeated.");
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
    text_wrap(text, sentence, TEXT_AT, TEXT_AT, width_here());
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

static void add_examples(lu_text *text, const verb_example *examples, const char *about) {
    bool headed = false;
    for (const verb_example *e = examples; e->command; e++) {
        if (!strstr(e->command, about)) {
            continue;
        }
        if (!headed) {
            heading(text, "Examples");
            headed = true;
        }
        lu_text_addf(text, "  %s\n      %s", e->command, paint(DIM));
        text_wrap(text, e->sentence, 6, 6, width_here());
        lu_text_add(text, paint(PLAIN));
    }
}

static void add_common(lu_text *text, const verb *asked) {
    for (const common_option *c = common_options; c->key; c++) {
        if (common_offered(c, asked)) {
            const char *form = c->value ? cell("--%s %s", c->key, c->value) : cell("--%s", c->key);
            add_entry(text, form, c->sentence);
        }
    }
}

static void add_table(lu_text *text, const lu_table *t, bool dashes) {
    for (int i = 0; i < t->count; i++) {
        add_setting(text, &t->rows[i], dashes);
    }
}

/* "ludus joker seed [SEED] [options]". */
static const char *tool_usage(const lu_tool *tool) {
    char argument[40] = "[FILE...] ";
    if (tool->argument) {
        snprintf(argument, sizeof argument, "[%s] ", tool->argument);
        for (char *c = argument; *c; c++) {
            *c = (char)toupper((unsigned char)*c);
        }
    }
    return cell("ludus %s %s %s[options]", tool->game, tool->name, tool->no_files ? "" : argument);
}

static void help_tool(const verb *asked, const lu_tool *tool, lu_text *text) {
    text_wrap(text, tool->sentence, 0, 0, width_here());
    add_examples(text, asked->examples, cell("%s %s ", tool->game, tool->name));
    heading(text, "Usage");
    lu_text_addf(text, "  %s\n", tool_usage(tool));
    bool files = !tool->argument && !tool->no_files;
    lu_text_add(text, files ? "\nFiles may be gzipped; - reads standard input.\n" : "");
    heading(text, "Options");
    add_table(text, &tool->settings, false);
    for (int t = 0; tool->agent && verb_table(asked, t); t++) {
        add_table(text, verb_table(asked, t), t == 0);
    }
    add_common(text, asked);
}

/* The tools of a game, each with its sentence. */
static void help_tools(const lu_game *game, lu_text *text) {
    lu_text_addf(text, "Tools of %s\n\n", game->name);
    size_t start = text->length;
    for (int t = 0; t < lu_tool_count(); t++) {
        const lu_tool *one = lu_tool_at(t);
        if (strcmp(one->game, game->name) == 0) {
            add_entry(text, one->name, one->sentence);
        }
    }
    if (text->length > start) {
        lu_text_addf(text, "\n`ludus help %s TOOL` shows the options of a tool.\n", game->name);
    } else {
        lu_text_add(text, "  none\n\n");
    }
    text_wrap(text,
              cell("`ludus play %s` plays the game, `ludus spec %s` describes it.", game->name,
                   game->name),
              0, 0, width_here());
}

static void help_program(lu_text *text) {
    lu_text_addf(text, LUDUS_PROGRAM ": %s\n", this_program.title);
    heading(text, "Examples");
    for (const verb_example *e = this_program.examples; e->command; e++) {
        lu_text_addf(text, "  %-38s %s", e->command, paint(DIM));
        text_wrap(text, e->sentence, 41, 41, width_here());
        lu_text_add(text, paint(PLAIN));
    }
    heading(text, "Verbs");
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, "  %s%-13s%s", paint(BOLD), verbs[v]->name, paint(PLAIN));
        text_wrap(text, verbs[v]->sentence, 15, 15, width_here());
    }
    heading(text, "Settings");
    text_wrap(text, this_program.settings, 0, 0, width_here());
    heading(text, "Exit codes");
    for (const exit_code *e = exit_codes; e->sentence; e++) {
        lu_text_addf(text, "  %-5d", e->code);
        text_wrap(text, e->sentence, 7, 7, width_here());
    }
}

static void help_verb(const verb *asked, const lu_game *game, lu_text *text) {
    text_wrap(text, asked->sentence, 0, 0, width_here());
    add_examples(text, asked->examples, "");
    heading(text, "Usage");
    lu_text_addf(text, "  " LUDUS_PROGRAM " %s\n", asked->usage);
    if (asked->details) {
        lu_text_add_char(text, '\n');
        text_wrap(text, asked->details, 0, 0, width_here());
    }
    heading(text, "Options");
    add_table(text, &asked->options, true);
    add_common(text, asked);
    for (int t = 1; verb_table(asked, t); t++) {
        heading(text, cell("Settings of %s", verb_table(asked, t)->module));
        add_table(text, verb_table(asked, t), false);
    }
    if (asked->game_settings && game) {
        heading(text, cell("Settings of %s", game->name));
        lu_table own = game_table_make(asked, game);
        add_table(text, &own, false);
        game_table_free(own);
    } else if (asked->game_settings) {
        lu_text_addf(text,
                     "\nA game's settings are options too: " LUDUS_PROGRAM " %s GAME --help\n",
                     asked->name);
    }
    const lu_tool *tool = asked->tool && game ? lu_tool_find(game->name, asked->tool) : NULL;
    if (tool) {
        add_table(text, &tool->settings, false);
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

static void write_common(const verb *asked, lu_json *json) {
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
    write_common(asked, json);
}

/* Members of an open object. */
static void write_tool(const verb *asked, const lu_tool *tool, lu_json *json) {
    lu_json_key_string(json, "tool", tool->name);
    lu_json_key_string(json, "usage", tool_usage(tool));
    lu_json_key_string(json, "sentence", tool->sentence);
    lu_json_key_array(json, "options");
    write_table(cell("%s %s", tool->game, tool->name), tool->settings, json);
    for (int t = 0; tool->agent && verb_table(asked, t); t++) {
        write_table(verb_table(asked, t)->module, *verb_table(asked, t), json);
    }
    lu_json_array_end(json);
}

static void write_tools(const verb *asked, const lu_game *game, lu_json *json) {
    lu_json_key_string(json, "game", game->name);
    lu_json_key_array(json, "tools");
    for (int t = 0; t < lu_tool_count(); t++) {
        if (strcmp(lu_tool_at(t)->game, game->name) == 0) {
            lu_json_object(json);
            write_tool(asked, lu_tool_at(t), json);
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
}

static void write_program(lu_json *json) {
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
}

/* ---- either ---- */

void help_print(const verb_call *call) {
    const verb *asked = call->verb;
    bool tools = asked && asked->any_tool && call->game;
    lu_text text = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    if (!asked) {
        help_program(&text);
        write_program(&json);
    } else if (tools && call->tool) {
        help_tool(asked, call->tool, &text);
        lu_json_key_string(&json, "game", call->game->name);
        write_tool(asked, call->tool, &json);
        write_common(asked, &json);
    } else if (tools) {
        help_tools(call->game, &text);
        write_tools(asked, call->game, &json);
    } else {
        help_verb(asked, call->game, &text);
        write_verb(asked, call->game, &json);
    }
    if (call->json) {
        out_json_end(&json);
        lu_text_free(&text);
    } else {
        out_text_end(&text);
        lu_json_free(&json);
    }
}
