/* manual: the manual page of the program, made from the tables. */
#include "cli.h"
#include "output.h"

#include <string.h>

static const verb_example examples[] = {
    {LUDUS_PROGRAM " manual | man -l -", "read it"},
    {"install -D -m 644 <(" LUDUS_PROGRAM " manual) ~/.local/share/man/man1/" LUDUS_PROGRAM ".1",
     "install it"},
    {NULL, NULL},
};

/* Text with what roff takes for commands escaped. */
static void add(lu_text *text, const char *words) {
    bool start = true;
    for (const char *c = words; *c; c++) {
        if (*c == '\\') {
            lu_text_add(text, "\\e");
        } else if (*c == '-') {
            lu_text_add(text, "\\-");
        } else if (start && (*c == '.' || *c == '\'')) {
            lu_text_addf(text, "\\&%c", *c);
        } else {
            lu_text_add_char(text, *c);
        }
        start = *c == '\n';
    }
}

static void entry(lu_text *text, const char *form, const char *sentence) {
    lu_text_add(text, ".TP\n.B ");
    add(text, form);
    lu_text_add(text, "\n");
    add(text, sentence);
    lu_text_add(text, "\n");
}

static void setting(lu_text *text, const lu_setting *row, bool dashes) {
    lu_text form = LU_TEXT_INIT, sentence = LU_TEXT_INIT;
    option_form(row, dashes, &form);
    option_sentence(row, &sentence);
    entry(text, form.text, sentence.text);
    lu_text_free(&form);
    lu_text_free(&sentence);
}

static void add_verb(lu_text *text, const verb *asked) {
    lu_text_add(text, ".SS ");
    add(text, cell(LUDUS_PROGRAM " %s", asked->usage));
    lu_text_add(text, "\n");
    add(text, asked->sentence);
    lu_text_add(text, "\n");
    if (asked->details) {
        lu_text_add(text, ".PP\n");
        add(text, asked->details);
        lu_text_add(text, "\n");
    }
    for (int i = 0; i < asked->options.count; i++) {
        setting(text, &asked->options.rows[i], true);
    }
    for (int t = 1; verb_table(asked, t); t++) {
        for (int i = 0; i < verb_table(asked, t)->count; i++) {
            setting(text, &verb_table(asked, t)->rows[i], false);
        }
    }
    lu_text_add(text, ".PP\nExamples:\n");
    for (const verb_example *e = asked->examples; e->command; e++) {
        entry(text, e->command, e->sentence);
    }
}

static void add_page(lu_text *text) {
    lu_text_add(text, ".TH " LUDUS_PROGRAM " 1 \"\" \"" LUDUS_PROGRAM " " LUDUS_VERSION
                      "\" \"User Commands\"\n.SH NAME\n" LUDUS_PROGRAM " \\- ");
    add(text, this_program.title);
    lu_text_addf(text, "\n.SH SYNOPSIS\n.B " LUDUS_PROGRAM "\n.I VERB\n%s[\n.I OPTIONS\n]\n",
                 this_program.of_game ? "[\n.I GAME\n] " : "");
    lu_text_add(text, ".SH DESCRIPTION\n");
    add(text, this_program.details);
    lu_text_add(text, " Data goes to standard output, messages to standard error.\n.SH VERBS\n");
    for (int v = 0; verbs[v]; v++) {
        add_verb(text, verbs[v]);
    }
    lu_text_add(text, ".SH COMMON OPTIONS\n");
    for (const common_option *c = common_options; c->key; c++) {
        entry(text, c->value ? cell("--%s %s", c->key, c->value) : cell("--%s", c->key),
              c->sentence);
    }
    for (int g = 0; g < program_games(); g++) {
        lu_table own = game_table_make(NULL, lu_game_at(g));
        lu_text_add(text, ".SH SETTINGS OF ");
        add(text, lu_game_at(g)->id);
        lu_text_add(text, "\n");
        for (int i = 0; i < own.count; i++) {
            setting(text, &own.rows[i], false);
        }
        game_table_free(own);
    }
    lu_text_add(text, ".SH ENVIRONMENT\n");
    if (this_program.variables) {
        entry(text, "LUDUS_KEY",
              "Sets a setting: LUDUS_REWARD_MODE is reward.mode. A flag overrides a variable, a "
              "variable overrides a file, a file overrides the default.");
    }
    for (const variable *v = variables; v->name; v++) {
        entry(text, v->name, v->sentence);
    }
    lu_text_add(text, ".SH EXIT STATUS\n");
    for (const exit_code *e = exit_codes; e->sentence; e++) {
        entry(text, cell("%d", e->code), e->sentence);
    }
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    (void)call;
    (void)error;
    add_page(&text);
    out_text_end(&text);
    return LU_OK;
}

const verb verb_manual = {
    .name = "manual",
    .usage = "manual",
    .sentence = "Prints the manual page.",
    .examples = examples,
    .options = {"manual", NULL, 0},
    .run = run,
};
