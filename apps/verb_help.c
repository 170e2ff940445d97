/* help: the program's help, or that of one verb. */
#include "cli.h"
#include "output.h"

static const verb_example examples[] = {
    {LUDUS_PROGRAM " help", "all verbs"},
    {LUDUS_PROGRAM " help help", "one verb: examples, usage, options"},
    {LUDUS_PROGRAM " help --json", "everything for programs"},
    {NULL, NULL},
};

static lu_status run(verb_call *call, lu_error *error) {
    const verb *asked = NULL;
    lu_text text = LU_TEXT_INIT;
    if (call->arguments > 0) {
        asked = verb_find(call->argument[0], error);
        if (!asked && this_program.of_game && lu_game_find(call->argument[0], NULL)) {
            return lu_fail(error, LU_USAGE,
                           "'%.100s' is a game, no verb: `ludus %.100s --help` lists its tools",
                           call->argument[0], call->argument[0]);
        }
        if (!asked) {
            return LU_USAGE;
        }
    }
    if (call->json) {
        lu_json json = LU_JSON_INIT;
        help_json(asked, NULL, &json);
        out_json(&json);
        lu_json_free(&json);
        return LU_OK;
    }
    if (asked) {
        help_verb(asked, NULL, &text);
    } else {
        help_program(&text);
    }
    out_text_end(&text);
    return LU_OK;
}

const verb verb_help = {
    .name = "help",
    .usage = "help [VERB] [--json]",
    .sentence = "Explains the program or one verb.",
    .examples = examples,
    .options = {"help", NULL, 0},
    .most = 1,
    .argument = "VERB",
    .json = true,
    .run = run,
};
