/* The completion script of fish: one `complete` line per verb, option and game, each with the
 * condition under which it is offered. */
#include "completion.h"

#include <string.h>

/* Condition of the lines that follow, as an option of `complete`; set before offers are given. */
static void begin_line(lu_text *text) {
    lu_text_add(text, "complete -c " LUDUS_PROGRAM " -n \"$when\"");
}

static void add_sentence(lu_text *text, const char *sentence) {
    lu_text_add(text, " -d ");
    completion_quote(text, sentence, "\\", false);
    lu_text_add_char(text, '\n');
}

static void add_offer(lu_text *text, const offer *given) {
    begin_line(text);
    lu_text_addf(text, " -l %s", given->name);
    if (given->value) {
        lu_text_add(text, given->completes == COMPLETES_FILES ? " -rF" : " -x");
    }
    if (given->completes == COMPLETES_CHOICES) {
        lu_text_addf(text, " -a '%s'", given->choices);
    }
    add_sentence(text, given->sentence);
}

static void add_verb(lu_text *text, const verb *asked) {
    lu_text_add(text, "set when __fish_use_subcommand\n");
    begin_line(text);
    lu_text_addf(text, " -a %s", asked->name);
    add_sentence(text, asked->sentence);
    lu_text_addf(text, "set when '__fish_seen_subcommand_from %s'\n", asked->name);
    offers_of_verb(asked, text, add_offer);
    if (asked->argument && strcmp(asked->argument, "FILE") == 0) {
        begin_line(text);
        lu_text_add(text, " -F\n");
    } else if (asked->argument && strcmp(asked->argument, "SHELL") == 0) {
        begin_line(text);
        lu_text_add(text, " -a 'bash zsh fish'\n");
    } else if (asked->argument && strcmp(asked->argument, "VERB") == 0) {
        begin_line(text);
        lu_text_add(text, " -a \"$verbs\"\n");
    }
    for (int i = 0; asked->words && asked->words[i]; i++) {
        begin_line(text);
        lu_text_addf(text, " -a %s\n", asked->words[i]);
    }
    if (asked->game != VERB_NO_GAME) {
        lu_text_add(text, "set when \"$when; and not __fish_seen_subcommand_from $games\"\n");
        begin_line(text);
        lu_text_add(text, " -a \"$games\" -d game\n");
    }
}

static void add_game(lu_text *text, const lu_game *game) {
    lu_text_add(text, "set when \"__fish_seen_subcommand_from $players; and "
                      "__fish_seen_subcommand_from ");
    completion_names(game, " ", text);
    lu_text_add(text, "\"\n");
    offers_of_game(game, text, add_offer);
    offers_of_bots(game, text, add_offer);
}

void completion_fish(lu_text *text) {
    lu_text_add(text, "# fish completion of " LUDUS_PROGRAM ", made by `" LUDUS_PROGRAM
                      " completion fish`\n"
                      "set -l when\nset -l games");
    completion_games(text);
    lu_text_add(text, "\nset -l verbs");
    completion_verbs(text);
    lu_text_add(text, "\nset -l players");
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, "%s%s", verbs[v]->game_settings ? " " : "",
                     verbs[v]->game_settings ? verbs[v]->name : "");
    }
    lu_text_add(text, "\ncomplete -c " LUDUS_PROGRAM " -f\n"
                      "complete -c " LUDUS_PROGRAM
                      " -n __fish_use_subcommand -l help -l version -l no-color\n");
    for (int v = 0; verbs[v]; v++) {
        add_verb(text, verbs[v]);
    }
    for (int g = 0; g < program_games(); g++) {
        add_game(text, lu_game_at(g));
    }
}
