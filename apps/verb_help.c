/* help: the program's help, or that of one verb, game or tool: that of the call with --help. */
#include "cli.h"
#include "output.h"

enum { MOST = 3 }; /* words: tool GAME TOOL */

static const verb_example examples[] = {
    {LUDUS_PROGRAM " help", "all verbs"},
    {LUDUS_PROGRAM " help help", "one verb: examples, usage, options"},
    {LUDUS_PROGRAM " help --json", "everything for programs"},
    {NULL, NULL},
};

static lu_status run(verb_call *call, lu_error *error) {
    if (call->arguments == 0) {
        help_print(&(verb_call){.json = call->json});
        return LU_OK;
    }
    const verb *asked = verb_find(call->argument[0], error);
    int at = 1;
    if (!asked && this_program.of_game && lu_game_find(call->argument[0], NULL)) {
        asked = this_program.of_game;
        at = 0;
    }
    if (!asked) {
        return LU_USAGE;
    }
    static char help[] = "--help", json[] = "--json";
    char *words[MOST + 2] = {help};
    int count = 1;
    for (; at < call->arguments; at++) {
        words[count++] = (char *)call->argument[at];
    }
    if (call->json) {
        words[count++] = json;
    }
    verb_call other;
    LU_TRY(call_parse(&other, asked, count, words, error));
    help_print(&other);
    call_free(&other);
    return LU_OK;
}

const verb verb_help = {
    .name = "help",
    .usage = "help [VERB] [GAME] [TOOL] [--json]",
    .sentence = "Explains the program, a verb, or a tool of a game.",
    .examples = examples,
    .options = {"help", NULL, 0},
    .most = MOST,
    .argument = "VERB",
    .json = true,
    .run = run,
};
