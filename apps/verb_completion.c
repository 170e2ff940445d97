/* ludus completion: a bash script made from the tables of verbs, games and settings. It asks the
 * program nothing while it completes, so that it is as fast as the shell. */
#include "cli.h"
#include "output.h"

#include <string.h>

static const verb_example examples[] = {
    {"source <(ludus completion bash)", "completes in this shell"},
    {"ludus completion bash > ~/.local/share/bash-completion/completions/ludus", "for every shell"},
    {NULL, NULL},
};

/* " --key --key"; options of verbs with dashes, as the help shows them. */
static void add_options(lu_text *text, const lu_table *t, bool dashes) {
    for (int i = 0; i < t->count; i++) {
        lu_text_add(text, " --");
        for (const char *c = t->rows[i].key; *c; c++) {
            lu_text_add_char(text, dashes && *c == '_' ? '-' : *c);
        }
    }
}

static void add_games(lu_text *text) {
    for (int g = 0; g < lu_game_count(); g++) {
        lu_text_addf(text, " %s", lu_game_at(g)->id);
    }
    const char *last = "";
    for (int g = 0; g < lu_game_count(); g++) {
        if (strcmp(last, lu_game_at(g)->name) != 0) {
            last = lu_game_at(g)->name;
            lu_text_addf(text, " %s", last);
        }
    }
}

/* case lines: verb -> its options, its kind of argument */
static void add_verbs(lu_text *text) {
    lu_text_add(text, "    case \"$verb\" in\n");
    for (int v = 0; verbs[v]; v++) {
        const verb *asked = verbs[v];
        lu_text_addf(text, "    %s) options=\"", asked->name);
        for (const common_option *c = common_options; c->key; c++) {
            if (strcmp(c->key, "json") != 0 || asked->json) {
                lu_text_addf(text, "--%s ", c->key);
            }
        }
        add_options(text, &asked->options, true);
        lu_text_addf(text, "\" game=%d settings=%d argument=%s ;;\n", asked->game != VERB_NO_GAME,
                     asked->game_settings, asked->argument ? asked->argument : "none");
    }
    lu_text_add(text, "    esac\n");
}

/* case lines: game -> its settings and bots */
static void add_game_cases(lu_text *text) {
    lu_text_add(text, "    case \"$name\" in\n");
    for (int g = 0; g < lu_game_count(); g++) {
        const lu_game *game = lu_game_at(g);
        lu_table own = game_table_make(NULL, game);
        bool first = lu_game_find(game->name, NULL) == game;
        lu_text_addf(text, "    %s%s%s) [ \"$settings\" = 1 ] && options+=\"", game->id,
                     first ? "|" : "", first ? game->name : "");
        add_options(text, &own, false);
        lu_text_add(text, "\"; bots=\"");
        for (int b = 0; b < game->bots; b++) {
            lu_text_addf(text, " %s", game->bot[b].name);
        }
        lu_text_add(text, " random\" ;;\n");
        game_table_free(own);
    }
    lu_text_add(text, "    esac\n");
}

/* case lines: option -> choices of an enum, over every table; the first table that has it wins */
static void add_choice(lu_text *text, const lu_setting *row) {
    if (row->type != LU_ENUM) {
        return;
    }
    lu_text_addf(text, "    --%s) words=\"", row->key);
    for (const char *c = row->choices; *c; c++) {
        lu_text_add_char(text, *c == '|' ? ' ' : *c);
    }
    lu_text_add(text, "\" ;;\n");
}

static void add_choices(lu_text *text) {
    for (int v = 0; verbs[v]; v++) {
        for (int i = 0; i < verbs[v]->options.count; i++) {
            add_choice(text, &verbs[v]->options.rows[i]);
        }
    }
    for (int g = 0; g < lu_game_count(); g++) {
        lu_settings *settings = lu_game_settings(lu_game_at(g));
        for (size_t i = 0; i < lu_settings_rows(settings); i++) {
            add_choice(text, lu_settings_row(settings, i, NULL));
        }
        lu_settings_delete(settings);
    }
}

static void add_script(lu_text *text) {
    lu_text_add(text,
                "# bash completion of ludus, made by `ludus completion bash`\n"
                "_ludus() {\n"
                "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    local verb=${COMP_WORDS[1]} name= options= bots= words= game=0 settings=0 "
                "argument=none word i\n"
                "    COMPREPLY=()\n");
    lu_text_add(text, "    local verbs=\"");
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, "%s%s", v ? " " : "", verbs[v]->name);
    }
    lu_text_add(text, "\" games=\"");
    add_games(text);
    lu_text_add(text, "\"\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                      "        COMPREPLY=($(compgen -W \"$verbs --help --version --no-color\" -- "
                      "\"$current\"))\n        return\n    fi\n");
    add_verbs(text);
    lu_text_add(text, "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
                      "        word=${COMP_WORDS[i]}\n"
                      "        case \" $games \" in *\" $word \"*) name=$word; break ;; esac\n"
                      "    done\n");
    add_game_cases(text);
    lu_text_add(text, "    case \"$previous\" in\n"
                      "    --bot|--opponent) words=$bots ;;\n"
                      "    --from) [ \"$verb\" = new ] && words=$games ;;\n"
                      "    --config|--actions|--record|--file)\n"
                      "        COMPREPLY=($(compgen -f -- \"$current\"))\n        return ;;\n");
    add_choices(text);
    lu_text_add(text, "    esac\n"
                      "    if [ -z \"$words\" ]; then\n"
                      "        case \"$current\" in\n"
                      "        -*) words=$options ;;\n"
                      "        *)\n"
                      "            if [ \"$game\" = 1 ] && [ -z \"$name\" ]; then words=$games\n"
                      "            elif [ \"$argument\" = FILE ]; then\n"
                      "                COMPREPLY=($(compgen -f -- \"$current\"))\n"
                      "                return\n"
                      "            elif [ \"$argument\" = VERB ]; then words=$verbs\n"
                      "            elif [ \"$argument\" = SHELL ]; then words=bash\n"
                      "            else words=$options\n"
                      "            fi ;;\n"
                      "        esac\n"
                      "    fi\n"
                      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                      "}\n"
                      "complete -F _ludus ludus\n");
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_text text;
    if (strcmp(call->argument[0], "bash") != 0) {
        return lu_fail(error, LU_USAGE, "there is a completion for bash, not for '%.60s'",
                       call->argument[0]);
    }
    lu_text_init(&text);
    add_script(&text);
    out_write(text.text, text.length);
    lu_text_free(&text);
    return LU_OK;
}

const verb verb_completion = {
    .name = "completion",
    .usage = "completion bash",
    .sentence = "Prints a completion script for the shell.",
    .examples = examples,
    .options = {"completion", NULL, 0},
    .least = 1,
    .most = 1,
    .argument = "SHELL",
    .run = run,
};
