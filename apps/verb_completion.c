/* completion: the scripts of the shells, and what they ask for at every Tab (completion.h). */
#include "completion.h"
#include "output.h"

#include <string.h>

static const verb_example examples[] = {
    {"source <(" LUDUS_PROGRAM " completion bash)", "completes in this shell"},
    {"install -D <(" LUDUS_PROGRAM
     " completion bash) ~/.local/share/bash-completion/completions/" LUDUS_PROGRAM,
     "in every bash"},
    {LUDUS_PROGRAM " completion fish > " LUDUS_PROGRAM ".fish", "for ~/.config/fish/completions"},
    {LUDUS_PROGRAM " completion zsh > _" LUDUS_PROGRAM, "for a folder of zsh's fpath"},
    {LUDUS_PROGRAM " completion words -- help h", "completions of this line, for other shells"},
    {NULL, NULL},
};

/* ! stands for the name of the program. */
static const struct script {
    const char *shell, *text;
} scripts[] = {
    /* '=' is a word of its own to bash */
    {"bash",
     "# bash completion of !, made by `! completion bash`\n"
     "_!() {\n"
     "    local list=() word line\n"
     "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
     "        [ \"$word\" = = ] || list+=(\"$word\")\n"
     "    done\n"
     "    word=${COMP_WORDS[COMP_CWORD]}\n"
     "    [ \"$word\" = = ] && list+=(\"\") && word=\n"
     "    COMPREPLY=()\n"
     "    while IFS= read -r line; do\n"
     "        case \"$line\" in\n"
     "        :files)\n"
     "            mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
     "            compopt -o filenames 2>/dev/null ;;\n"
     "        *=) COMPREPLY+=(\"$line\"); compopt -o nospace 2>/dev/null ;;\n"
     "        *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
     "        esac\n"
     "    done < <(\"${COMP_WORDS[0]}\" completion words -- \"${list[@]}\" 2>/dev/null)\n"
     "}\n"
     "complete -F _! !\n"},
    {"zsh", "#compdef !\n"
            "# zsh completion of !, made by `! completion zsh`\n"
            "_!() {\n"
            "    local line word files=0\n"
            "    local -a found open\n"
            "    for line in ${(f)\"$(${~words[1]} completion words -- \"${(@)words[2,CURRENT]}\" "
            "2>/dev/null)\"}; do\n"
            "        word=${line%%$'\\t'*}\n"
            "        if [[ $line = :files ]]; then files=1\n"
            "        elif [[ $line = *= ]]; then open+=(${word//:/\\\\:})\n"
            "        elif [[ $word = $line ]]; then found+=(${word//:/\\\\:})\n"
            "        else found+=(\"${word//:/\\\\:}:${line#*$'\\t'}\")\n"
            "        fi\n"
            "    done\n"
            "    (( $#found )) && _describe ! found\n"
            "    (( $#open )) && _describe ! open -S ''\n"
            "    (( files )) && _files\n"
            "}\n"
            "if [[ ${funcstack[1]} = _! ]]; then _! \"$@\"\n"
            "else compdef _! !\n"
            "fi\n"},
    {"fish",
     "# fish completion of !, made by `! completion fish`\n"
     "function __!_words\n"
     "    set -l words (commandline -opc)\n"
     "    set -l last (commandline -ct)\n"
     "    set -l found ($words[1] completion words -- $words[2..-1] \"$last\" 2>/dev/null)\n"
     "    contains -- :files $found; and __fish_complete_path \"$last\"\n"
     "    string match -v -- :files $found\n"
     "end\n"
     "complete -c ! -f -a '(__!_words)'\n"},
};

static void print_script(const char *from) {
    lu_text text = LU_TEXT_INIT;
    for (size_t length; *from; from += length + (from[length] != 0)) {
        length = strcspn(from, "!");
        lu_text_add_n(&text, from, length);
        lu_text_add(&text, from[length] ? LUDUS_PROGRAM : "");
    }
    out_text_end(&text);
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *asked = call->argument[0];
    if (strcmp(asked, "words") == 0) {
        lu_text text = LU_TEXT_INIT;
        completion_answer(call->arguments - 1, call->argument + 1, &text);
        out_text_end(&text);
        return LU_OK;
    }
    if (call->arguments > 1) {
        return lu_fail(error, LU_USAGE, "unexpected argument '%.200s': " LUDUS_PROGRAM " %s",
                       call->argument[1], call->verb->usage);
    }
    for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
        if (strcmp(asked, scripts[k].shell) == 0) {
            print_script(scripts[k].text);
            return LU_OK;
        }
    }
    return lu_fail(error, LU_USAGE, "there are completions for bash, zsh and fish, not for '%.60s'",
                   asked);
}

const verb verb_completion = {
    .name = "completion",
    .usage = "completion bash|zsh|fish | completion words -- WORD...",
    .sentence = "Prints a completion script for the shell.",
    .examples = examples,
    .options = {"completion", NULL, 0},
    .least = 1,
    .most = -1,
    .argument = "SHELL",
    .run = run,
};
