/* The completion script of zsh: a function that finds verb and game among the words, collects their
 * options and hands them to _arguments. */
#include "completion.h"

#include <stdlib.h>
#include <string.h>

/* One option in the form of _arguments: '*--seed[Seed of the episode.]:value:(a b c)'. */
static void add_offer(lu_text *text, const offer *given) {
    lu_text form = LU_TEXT_INIT;
    for (const char *c = given->sentence; *c; c++) {
        if (strchr("[]:\\", *c)) {
            lu_text_add_char(&form, '\\');
        }
        lu_text_add_char(&form, *c);
    }
    char *sentence = lu_text_take(&form);
    lu_text_addf(&form, "*--%s[%s]", given->name, sentence);
    free(sentence);
    if (given->value) {
        lu_text_add(&form, given->completes == COMPLETES_FILES ? ":file:_files" : ":value:");
        lu_text_addf(&form, given->completes == COMPLETES_CHOICES ? "(%s)" : "%s", given->choices);
    }
    lu_text_add(text, "        ");
    completion_quote(text, form.text, "", true);
    lu_text_add_char(text, '\n');
    lu_text_free(&form);
}

static void add_verb(lu_text *text, const verb *asked) {
    const char *argument = asked->argument ? asked->argument : "none";
    lu_text_addf(text, "    %s) argument=%s wants_game=%d plays=%d first=(", asked->name, argument,
                 asked->game != VERB_NO_GAME, asked->game_settings);
    for (int i = 0; asked->words && asked->words[i]; i++) {
        lu_text_addf(text, "%s%s", i ? " " : "", asked->words[i]);
    }
    lu_text_add(text, ") options=(\n");
    offers_of_verb(asked, text, add_offer);
    lu_text_add(text, "    ) ;;\n");
}

static void add_game(lu_text *text, const lu_game *game) {
    lu_text_add(text, "    ");
    completion_names(game, "|", text);
    lu_text_add(text, ") options=(${options:#\\*--(bot|opponent)\\[*}\n");
    offers_of_game(game, text, add_offer);
    offers_of_bots(game, text, add_offer);
    lu_text_add(text, "    ) ;;\n");
}

void completion_zsh(lu_text *text) {
    lu_text_add(text, "#compdef " LUDUS_PROGRAM "\n"
                      "# zsh completion of " LUDUS_PROGRAM ", made by `" LUDUS_PROGRAM
                      " completion zsh`\n"
                      "_" LUDUS_PROGRAM "() {\n"
                      "    local verb= game= word argument=none wants_game=0 plays=0 state line\n"
                      "    local -a verbs games options first\n"
                      "    verbs=(");
    completion_verbs(text);
    lu_text_add(text, " )\n    games=(");
    completion_games(text);
    lu_text_add(text, " )\n"
                      "    for word in ${words[2,CURRENT-1]}; do\n"
                      "        if [[ $word = -* ]]; then continue\n"
                      "        elif [[ -z $verb ]]; then verb=$word\n"
                      "        elif [[ -z $game && -n ${games[(r)$word]} ]]; then game=$word\n"
                      "        fi\n"
                      "    done\n"
                      "    if [[ -z $verb ]]; then\n"
                      "        compadd -- $verbs --help --version --no-color\n"
                      "        return\n"
                      "    fi\n"
                      "    case $verb in\n");
    for (int v = 0; verbs[v]; v++) {
        add_verb(text, verbs[v]);
    }
    lu_text_add(text, "    esac\n    [[ $plays = 1 ]] && case $game in\n");
    for (int g = 0; g < program_games(); g++) {
        add_game(text, lu_game_at(g));
    }
    lu_text_add(text,
                "    esac\n"
                "    _arguments -S $options '*: :->rest' && return\n"
                "    [[ $state = rest ]] || return\n"
                "    (( CURRENT == 3 )) && compadd -- $first\n"
                "    [[ $wants_game = 1 && -z $game ]] && compadd -- $games\n"
                "    case $argument in\n"
                "    FILE) [[ $wants_game = 1 && -z $game ]] || _files ;;\n"
                "    VERB) compadd -- $verbs ;;\n"
                "    SHELL) compadd -- bash zsh fish ;;\n"
                "    esac\n"
                "}\n"
                "if [[ ${funcstack[1]} = _" LUDUS_PROGRAM " ]]; then _" LUDUS_PROGRAM " \"$@\"\n"
                "else compdef _" LUDUS_PROGRAM " " LUDUS_PROGRAM "\n"
                "fi\n");
}
