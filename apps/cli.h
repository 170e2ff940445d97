/* From words to a call: one parser for every verb, and the help made from the same tables. Options
 * are settings: --key value, --key=value, --flag, --no-flag, --set key=value, --preset NAME,
 * --config FILE, and LUDUS_KEY variables; '-', '_' and '.' count as equal in keys.
 * Ownership: a call owns its settings until call_free. Threads: one. */
#pragma once

#include "verb.h"

#include "ludus/json.h"
#include "ludus/text.h"

/* Options every verb has, for help, completion and manual. */
typedef struct common_option {
    const char *key, *value, *sentence; /* value NULL: a flag */
} common_option;
extern const common_option common_options[]; /* ends with a NULL key */
/* Whether a verb takes a common option: --json where it prints JSON, --set and its kin where it has
 * settings. */
bool common_offered(const common_option *option, const verb *asked);

/* Reads the arguments behind the verb. On an error the call is empty. */
lu_status call_parse(verb_call *call, const verb *asked, int count, char **words, lu_error *error);
void call_free(verb_call *call);

/* The settings of a game as `asked` offers them (NULL: any verb): reset options as "option.KEY",
 * and a setting that has the name of an option of the verb as "game.KEY". The caller frees it. */
lu_table game_table_make(const verb *asked, const lu_game *game);
void game_table_free(lu_table made);

/* Refuses LUDUS_* variables that no table of the program knows, with the nearest one that exists,
 * and wrong values of the variables that are no settings (variables.c). */
lu_status check_variables(lu_error *error);

/* ---- help (help.c) ---- */

/* Prints the help of a call's verb with what it names of game and tool, as text or JSON; of the
 * whole program where it has no verb. A game alone, where tools are asked for, lists its tools. */
void help_print(const verb_call *call);
/* One setting as "--key TYPE", and its sentence with default and range. Options of verbs are shown
 * with dashes ("--show-origin"), settings of games as their tables spell them. */
void option_form(const lu_setting *row, bool dashes, lu_text *text);
void option_sentence(const lu_setting *row, lu_text *text);
/* One setting as members of an open JSON object. */
void option_write(const lu_setting *row, lu_json *json);

/* Exit codes with their meaning, for help and manual. (program.c) */
typedef struct exit_code {
    int code;
    const char *sentence;
} exit_code;
extern const exit_code exit_codes[]; /* ends with a NULL sentence */

/* Variables that are no settings. (program.c) */
typedef struct variable {
    const char *name, *sentence;
} variable;
extern const variable variables[]; /* ends with a NULL name */
