/* completion: the verb, and the script of bash; see completion.h for the others. */
#include "completion.h"
#include "output.h"

#include "ludus/conform.h"
#include "ludus/file.h"

#include <string.h>

static const verb_example examples[] = {
    {"source <(" LUDUS_PROGRAM " completion bash)", "completes in this shell"},
    {"install -D <(" LUDUS_PROGRAM
     " completion bash) ~/.local/share/bash-completion/completions/" LUDUS_PROGRAM,
     "for every bash"},
    {LUDUS_PROGRAM " completion fish > " LUDUS_PROGRAM ".fish", "for ~/.config/fish/completions"},
    {LUDUS_PROGRAM " completion zsh > _" LUDUS_PROGRAM, "for a folder of zsh's fpath"},
    {NULL, NULL},
};

/* A key in the form of the help: options of verbs with dashes. */
static void add_key(lu_text *text, const char *key, bool dashes) {
    for (const char *c = key; *c; c++) {
        lu_text_add_char(text, dashes && *c == '_' ? '-' : *c);
    }
}

/* " --key --key"; a flag that is on is offered as --no-key. */
static void add_options(lu_text *text, const lu_table *t, bool dashes) {
    for (int i = 0; i < t->count; i++) {
        bool on = t->rows[i].type == LU_BOOL && strcmp(t->rows[i].initial, "true") == 0;
        lu_text_add(text, on ? " --no-" : " --");
        add_key(text, t->rows[i].key, dashes);
    }
}

/* " key= key=", for --set. */
static void add_keys(lu_text *text, const lu_table *t) {
    for (int i = 0; i < t->count; i++) {
        lu_text_addf(text, " %s=", t->rows[i].key);
    }
}

static void add_games(lu_text *text) {
    for (int g = 0; g < program_games(); g++) {
        lu_text_addf(text, " %s", lu_game_at(g)->id);
    }
    const char *last = "";
    for (int g = 0; g < program_games(); g++) {
        if (strcmp(last, lu_game_at(g)->name) != 0) {
            last = lu_game_at(g)->name;
            lu_text_addf(text, " %s", last);
        }
    }
}

/* A case of the word before: the choices of an enum, nothing for a free value. Behind --set the key
 * stands alone. */
static void add_values(lu_text *text, const lu_table *t) {
    if (t->count == 0) {
        return;
    }
    lu_text_add(text, "        case \"$previous\" in\n");
    for (int i = 0; i < t->count; i++) {
        const lu_setting *row = &t->rows[i];
        if (row->type == LU_BOOL) {
            continue;
        }
        lu_text_add(text, "        --");
        add_key(text, row->key, true);
        lu_text_addf(text, "|--%s|%s) value=1 words=\"", row->key, row->key);
        for (const char *c = row->type == LU_ENUM ? row->choices : ""; *c; c++) {
            lu_text_add_char(text, *c == '|' ? ' ' : *c);
        }
        lu_text_add(text, "\" ;;\n");
    }
    lu_text_add(text, "        esac\n");
}

/* case lines: verb -> its options, its kind of argument, the values of its options */
static void add_verbs(lu_text *text) {
    lu_text_add(text, "    case \"$verb\" in\n");
    for (int v = 0; verbs[v]; v++) {
        const verb *asked = verbs[v];
        lu_text_addf(text, "    %s) options=\"", asked->name);
        for (const common_option *c = common_options; c->key; c++) {
            if (common_offered(c, asked)) {
                lu_text_addf(text, "--%s ", c->key);
            }
        }
        const lu_table *own;
        for (int t = 0; (own = verb_table(asked, t)) != NULL; t++) {
            add_options(text, own, t == 0);
        }
        lu_text_add(text, "\" keys=\"");
        for (int t = 0; (own = verb_table(asked, t)) != NULL; t++) {
            add_keys(text, own);
        }
        lu_text_addf(text, "\" game=%d settings=%d argument=%s", asked->game != VERB_NO_GAME,
                     asked->game_settings, asked->argument ? asked->argument : "none");
        for (int i = 0; asked->words && asked->words[i]; i++) {
            lu_text_addf(text, "%s%s", i ? " " : " first=\"", asked->words[i]);
        }
        lu_text_add(text, asked->words ? "\"\n" : "\n");
        for (int t = 0; (own = verb_table(asked, t)) != NULL; t++) {
            add_values(text, own);
        }
        lu_text_add(text, "        ;;\n");
    }
    lu_text_add(text, "    esac\n");
}

/* case lines: game -> its settings with their values, and its bots */
static void add_game_cases(lu_text *text) {
    lu_text_add(text, "    case \"$name\" in\n");
    for (int g = 0; g < program_games(); g++) {
        const lu_game *game = lu_game_at(g);
        lu_table own = game_table_make(NULL, game);
        bool first = lu_game_find(game->name, NULL) == game;
        lu_text_addf(text, "    %s%s%s)\n        [ \"$settings\" = 1 ] && options+=\"", game->id,
                     first ? "|" : "", first ? game->name : "");
        add_options(text, &own, false);
        lu_text_add(text, "\" keys+=\"");
        add_keys(text, &own);
        lu_text_add(text, "\"\n        bots=\"");
        for (int b = 0; b < lu_game_bots(game); b++) {
            lu_text_addf(text, "%s%s", b ? " " : "", lu_game_bot_at(game, b)->name);
        }
        lu_text_add(text, "\"\n");
        add_values(text, &own);
        lu_text_add(text, "        ;;\n");
        game_table_free(own);
    }
    lu_text_add(text, "    esac\n");
}

/* case lines: the word before -> what may follow, where a table does not know it */
static void add_value_cases(lu_text *text) {
    lu_text_add(text, "    case \"$previous\" in\n"
                      "    --bot|--opponent) value=1 words=$bots ;;\n"
                      "    --preset) value=1 words=$(_ludus_presets \"${name%-v*}\") ;;\n"
                      "    --set) value=1 words=$keys; compopt -o nospace 2>/dev/null ;;\n"
                      "    --config|--actions|--record|--file|--zip|--token-file|--key-file) "
                      "_ludus_files \"$current\"; "
                      "return ;;\n"
                      "    --only) value=1 words=\"");
    for (int i = 0; i < lu_conform_count(); i++) {
        lu_text_addf(text, "%s ", lu_conform_check(i, NULL));
    }
    lu_text_add(text, "\" ;;\n    esac\n"
                      "    [ \"$previous$verb\" = --fromnew ] && value=1 words=$games\n");
}

/* Helpers, and the words up to the cursor without '=' (a word of its own to bash) and without
 * --no-color before the verb. */
static void add_start(lu_text *text) {
    const char *home = lu_home() && !strchr(lu_home(), '\'') ? lu_home() : ".";
    lu_text_add(text, "# bash completion of " LUDUS_PROGRAM ", made by `" LUDUS_PROGRAM
                      " completion bash`\n"
                      "_ludus_files() {\n"
                      "    mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
                      "    compopt -o filenames 2>/dev/null\n"
                      "}\n"
                      "_ludus_presets() {\n");
    lu_text_addf(text, "    local home=${LUDUS_HOME:-'%s'} file\n", home);
    lu_text_add(text,
                "    for file in \"$home\"/config/* \"$home/games/$1/presets\"/*; do\n"
                "        case \"$file\" in *.ini|*.yml|*.yaml|*.json)\n"
                "            file=${file##*/}; echo \"${file%.*}\" ;;\n"
                "        esac\n"
                "    done\n"
                "}\n"
                "_" LUDUS_PROGRAM "() {\n"
                "    local list=() word verb current previous name= options= keys= bots= words=\n"
                "    local value= game=0 settings=0 argument=none first=\n"
                "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
                "        [ \"$word\" = = ] && continue\n"
                "        [ \"${#list[@]}\" = 0 ] && [ \"$word\" = --no-color ] && continue\n"
                "        list+=(\"$word\")\n"
                "    done\n"
                "    [ \"${COMP_WORDS[COMP_CWORD]}\" = = ] && list+=(\"\")\n"
                "    [ \"${#list[@]}\" = 0 ] && list=(\"\")\n"
                "    verb=${list[0]} current=${list[-1]} previous=\n"
                "    [ \"${#list[@]}\" -gt 1 ] && previous=${list[-2]}\n"
                "    COMPREPLY=()\n");
}

void completion_bash(lu_text *text) {
    add_start(text);
    lu_text_add(text, "    local verbs=\"");
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, "%s%s", v ? " " : "", verbs[v]->name);
    }
    lu_text_add(text, "\" games=\"");
    add_games(text);
    lu_text_add(text, "\"\n    if [ \"${#list[@]}\" = 1 ]; then\n"
                      "        COMPREPLY=($(compgen -W \"$verbs --help --version --no-color\" -- "
                      "\"$current\"))\n        return\n    fi\n");
    add_verbs(text);
    lu_text_add(text, "    for word in \"${list[@]:1:${#list[@]}-2}\"; do\n"
                      "        case \" $games \" in *\" $word \"*) name=$word; break ;; esac\n"
                      "    done\n");
    add_game_cases(text);
    add_value_cases(text);
    lu_text_add(text, "    if [ -z \"$value\" ]; then\n"
                      "        case \"$current\" in\n"
                      "        -*) words=$options ;;\n"
                      "        *)\n"
                      "            if [ -n \"$first\" ] && [ \"${#list[@]}\" = 2 ]; then\n"
                      "                words=$first\n"
                      "                [ \"$game\" = 1 ] && words=\"$first $games\"\n"
                      "            elif [ \"$game\" = 1 ] && [ -z \"$name\" ]; then words=$games\n"
                      "            elif [ \"$argument\" = FILE ]; then\n"
                      "                _ludus_files \"$current\"\n"
                      "                return\n"
                      "            elif [ \"$argument\" = VERB ]; then words=$verbs\n"
                      "            elif [ \"$argument\" = SHELL ]; then words=\"bash zsh fish\"\n"
                      "            else words=$options\n"
                      "            fi ;;\n"
                      "        esac\n"
                      "    fi\n"
                      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                      "}\n"
                      "complete -F _" LUDUS_PROGRAM " " LUDUS_PROGRAM "\n");
}

static lu_status run(verb_call *call, lu_error *error) {
    static const struct {
        const char *shell;
        void (*add)(lu_text *text);
    } scripts[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    size_t k = 0, count = sizeof scripts / sizeof *scripts;
    while (k < count && strcmp(call->argument[0], scripts[k].shell) != 0) {
        k++;
    }
    if (k == count) {
        return lu_fail(error, LU_USAGE,
                       "there are completions for bash, zsh and fish, not for '%.60s'",
                       call->argument[0]);
    }
    lu_text text = LU_TEXT_INIT;
    scripts[k].add(&text);
    out_text_end(&text);
    return LU_OK;
}

const verb verb_completion = {
    .name = "completion",
    .usage = "completion bash|zsh|fish",
    .sentence = "Prints a completion script for the shell.",
    .examples = examples,
    .options = {"completion", NULL, 0},
    .least = 1,
    .most = 1,
    .argument = "SHELL",
    .run = run,
};
