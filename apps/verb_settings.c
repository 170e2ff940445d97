/* ludus settings: every setting of every module, made from the tables; docs/settings.md is its
 * --markdown output. */
#include "cli.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus settings", "every option and setting there is"},
    {"ludus settings --markdown > docs/settings.md", "the page of the docs"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"markdown", LU_BOOL, "false", 0, 0, NULL, "Prints docs/settings.md.", false},
};

static void print_text(lu_table t) {
    lu_text text = LU_TEXT_INIT;
    lu_text_addf(&text, "%s%s%s\n", paint(BOLD), t.module, paint(PLAIN));
    for (int i = 0; i < t.count; i++) {
        lu_text form = LU_TEXT_INIT, sentence = LU_TEXT_INIT;
        option_form(&t.rows[i], false, &form);
        option_sentence(&t.rows[i], &sentence);
        lu_text_addf(&text, "  %s\n      ", form.text);
        text_wrap(&text, sentence.text, 6, 6, 80);
        lu_text_free(&form);
        lu_text_free(&sentence);
    }
    lu_text_add_char(&text, '\n');
    out_text_end(&text);
}

static void write_rows(lu_table t, lu_json *json) {
    for (int i = 0; i < t.count; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "module", t.module);
        option_write(&t.rows[i], json);
        lu_json_object_end(json);
    }
}

static void show(const verb_call *call, lu_table t, lu_json *json) {
    if (t.count == 0) {
        return;
    }
    if (call->json) {
        write_rows(t, json);
    } else if (lu_settings_bool(call->settings, "markdown")) {
        char *page = lu_settings_markdown(t);
        out_format("\n%s", page);
        free(page);
    } else {
        print_text(t);
    }
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    (void)error;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_array(&json, "settings");
    if (!call->json && lu_settings_bool(call->settings, "markdown")) {
        out_text(
            "# Settings\n\n"
            "Made by `ludus settings --markdown` from the tables in the source. Every setting is "
            "given as\n`--key value`, `--set key=value`, the variable `LUDUS_KEY`, or in a file by "
            "`--config` or `--preset`;\nsee [the command line](command-line.md).\n");
    }
    for (int g = 0; g < lu_game_count(); g++) {
        lu_table own = game_table_make(NULL, lu_game_at(g));
        own.module = lu_game_at(g)->id;
        show(call, own, &json);
        game_table_free(own);
    }
    for (int t = 0; t < lu_tool_count(); t++) {
        show(call, lu_tool_at(t)->settings, &json);
    }
    for (int v = 0; verbs[v]; v++) {
        lu_table t = verbs[v]->options;
        t.module = cell("ludus %s", verbs[v]->name);
        show(call, t, &json);
    }
    for (int t = 0; verb_shared_table(t); t++) {
        show(call, *verb_shared_table(t), &json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    if (call->json) {
        out_json(&json);
    }
    lu_json_free(&json);
    return LU_OK;
}

const verb verb_settings = {
    .name = "settings",
    .usage = "settings [--markdown] [--json]",
    .sentence = "Lists every setting of every module.",
    .examples = examples,
    .options = VERB_OPTIONS("settings", options),
    .json = true,
    .run = run,
};
