/* ludus settings: every setting of every module, made from the tables; docs/settings.md is its
 * --markdown output. */
#include "cli.h"
#include "output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus settings", "every option and setting there is"},
    {"ludus settings rate", "those with this word in name or sentence"},
    {"ludus settings --markdown > docs/settings.md", "the page of the docs"},
    {"ludus settings --aliases", "names that other programs have for settings"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"markdown", LU_BOOL, "false", 0, 0, NULL,
     "Prints docs/settings.md, with --aliases docs/TRAIN_OPTIONS.md.", false},
    {"aliases", LU_BOOL, "false", 0, 0, NULL, "Only other names of settings.", false},
};

static const char settings_head[] =
    "# Settings\n\n"
    "Made by `ludus settings --markdown` from the tables in the source. Every setting is given "
    "as\n`--key value`, `--set key=value`, the variable `LUDUS_KEY`, or in a file by `--config` or "
    "`--preset`;\nsee [the command line](command-line.md).\n";

static const char names_head[] =
    "# Other names of options\n\n"
    "Made by `ludus settings --aliases --markdown` from the tables in the source: names that other "
    "programs have\nfor settings, above all those of the reference of [duel](../games/duel/"
    "README.md). An option and a setting\nare the same; [settings.md](settings.md) says what it "
    "takes. In presets they may stand in sections `env`,\n`ppo` and `self_play`. What is a setting "
    "as it stands (`--seed`, `--death-match`, `--league-size`) is not\nin the list.\n\n"
    "Of the reference's options these have no other name here, since something else does it:\n\n"
    "| Option | Here |\n|---|---|\n"
    "| `--...-override-env-kwargs` | opponents play by the settings of the run, comparisons by "
    "`eval.with` |\n"
    "| `--actor`, `--critic`, `--action-heads`, `--feature-extractor`, `--policy-kwargs` | "
    "`net.hidden`, `net.layers`, `net.activation`, `net.head_hidden`, `net.heads` |\n"
    "| `--continue-training` | `--resume RUN` |\n"
    "| `--add-past-self-play-league-targets` | the members of `league.run` stay as they are |\n"
    "| `--main-exploiter-preset`, `--league-exploiter-preset` | exploiters train by the settings "
    "of the run |\n"
    "| `--action-mask-override` | masks are the game's; its settings open and close options, as "
    "`allow_smite` |\n"
    "| `--eval-deterministic-percent` | `eval.greedy`: all episodes or none |\n"
    "| `--reward-heals`, `--custom-reward-function` | `reward.heals` is the weight itself, usually "
    "-reward.damage_received_scale; every term has a weight |\n"
    "| `--save-latest-buffer`, `--save-latest-meta`, `--experiment-description` | checkpoints and "
    "`run.json` of the run |\n"
    "| `--remote-env-host`, `--remote-env-port` | games run in the process; others reach them by "
    "`ludus serve-env` |\n\n"
    "| Option | Setting | Of | Meaning |\n|---|---|---|---|\n";

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

/* '-', '_' and '.' count as equal, as in flags. */
static int letter(char c) {
    return c == '-' || c == '.' ? '_' : tolower((unsigned char)c);
}

/* `inside`: anywhere; else where a word of the text begins ("rate" is not in "desecrated"). */
static bool holds(const char *text, const char *word, bool inside) {
    for (const char *at = text; *at; at++) {
        size_t i = 0;
        while (word[i] && at[i] && letter(word[i]) == letter(at[i])) {
            i++;
        }
        if (!word[i] && (inside || at == text || !isalnum((unsigned char)at[-1]))) {
            return true;
        }
    }
    return false;
}

/* True when the setting holds every word in its key, its sentence or the name of its module. */
static bool is_asked(const verb_call *call, const char *module, const lu_setting *row) {
    if (lu_settings_bool(call->settings, "aliases") && row->type != LU_ALIAS) {
        return false;
    }
    for (int i = 0; i < call->arguments; i++) {
        const char *word = call->argument[i];
        if (!holds(row->key, word, true) && !holds(row->sentence, word, false) &&
            !holds(module, word, true)) {
            return false;
        }
    }
    return true;
}

/* What a name stands for, in the words of its setting where that is of the same table. */
static const char *meaning_of(lu_table all, const lu_setting *alias) {
    const char *meaning = alias->sentence;
    for (int i = 0; i < all.count; i++) {
        bool same = strcmp(all.rows[i].key, alias->initial) == 0;
        meaning = same ? all.rows[i].sentence : meaning;
    }
    return meaning;
}

static bool same_row(const lu_setting *a, const lu_setting *b) {
    return strcmp(a->key, b->key) == 0 && a->type == b->type &&
           strcmp(a->initial, b->initial) == 0 && strcmp(a->sentence, b->sentence) == 0 &&
           strcmp(a->choices ? a->choices : "", b->choices ? b->choices : "") == 0 &&
           !(a->low < b->low || a->low > b->low || a->high < b->high || a->high > b->high);
}

static bool has_row(const lu_game *game, const lu_setting *row) {
    lu_table t = game_table_make(NULL, game);
    bool yes = false;
    for (int i = 0; i < t.count && !yes; i++) {
        yes = same_row(&t.rows[i], row);
    }
    game_table_free(t);
    return yes;
}

/* Adds the variants of the game `module` that have the row; false where one before it has it too.
 */
static bool add_owners(const char *module, const lu_setting *row, lu_text *owners) {
    const lu_game *own = lu_game_find(module, NULL);
    bool first = true;
    lu_text_add(owners, own ? "" : module);
    for (int g = 0; own && g < lu_game_count(); g++) {
        const lu_game *game = lu_game_at(g);
        bool has = strcmp(game->name, own->name) == 0 && has_row(game, row);
        first = first && !(has && owners->length == 0 && game != own);
        lu_text_addf(owners, "%s%s", has && owners->length ? ", " : "", has ? game->id : "");
    }
    return first;
}

/* Names as rows of docs/TRAIN_OPTIONS.md; what variants of a game share stands once. */
static void print_aliases(lu_table names, lu_table all) {
    for (int i = 0; i < names.count; i++) {
        lu_text owners = LU_TEXT_INIT;
        bool first = add_owners(names.module, &names.rows[i], &owners);
        char *option = lu_strdup(names.rows[i].key);
        for (char *c = option; *c; c++) {
            *c = *c == '_' || *c == '.' ? '-' : *c;
        }
        if (first) {
            out_format("| `--%s` | `%s` | %s | %s |\n", option, names.rows[i].initial, owners.text,
                       meaning_of(all, &names.rows[i]));
        }
        lu_text_free(&owners);
        free(option);
    }
}

/* Shows the rows that are asked for; returns how many. */
static int show(const verb_call *call, lu_table all, lu_json *json) {
    lu_setting *rows = lu_alloc_zero((size_t)all.count + 1, sizeof *rows);
    lu_table t = {all.module, rows, 0};
    for (int i = 0; i < all.count; i++) {
        if (is_asked(call, all.module, &all.rows[i])) {
            rows[t.count++] = all.rows[i];
        }
    }
    if (t.count == 0) {
        free(rows);
        return 0;
    }
    if (call->json) {
        write_rows(t, json);
    } else if (lu_settings_bool(call->settings, "markdown") &&
               lu_settings_bool(call->settings, "aliases")) {
        print_aliases(t, all);
    } else if (lu_settings_bool(call->settings, "markdown")) {
        char *page = lu_settings_markdown(t);
        out_format("\n%s", page);
        free(page);
    } else {
        print_text(t);
    }
    free(rows);
    return t.count;
}

/* ---- by game: a line for each at the top of the page, and variants by what they have else ---- */

/* Adds a link to a section of the page. */
static void add_link(lu_text *text, const char *section, const char *words) {
    lu_text_addf(text, "%s[%s](#", text->length ? ", " : "", words);
    for (const char *c = section; *c; c++) {
        lu_text_add_char(text, *c == ' ' ? '-' : *c);
    }
    lu_text_add(text, ")");
}

static bool is_first(int g) {
    return g == 0 || strcmp(lu_game_at(g - 1)->name, lu_game_at(g)->name) != 0;
}

static void print_games(void) {
    out_text("\n| game | its settings | of its tools |\n|---|---|---|\n");
    for (int g = 0; g < lu_game_count(); g++) {
        const char *name = lu_game_at(g)->name;
        lu_text own = LU_TEXT_INIT, tools = LU_TEXT_INIT;
        for (int k = g; is_first(g) && k < lu_game_count(); k++) {
            if (strcmp(lu_game_at(k)->name, name) == 0) {
                add_link(&own, lu_game_at(k)->id, lu_game_at(k)->id);
            }
        }
        for (int t = 0; is_first(g) && t < lu_tool_count(); t++) {
            const char *module = lu_tool_at(t)->settings.module;
            size_t length = strlen(name);
            if (lu_tool_at(t)->settings.count && strncmp(module, name, length) == 0 &&
                module[length] == ' ') {
                add_link(&tools, module, module + length + 1);
            }
        }
        if (own.length) {
            out_format("| [%s](../games/%s/README.md) | %s | %s |\n", name, name, own.text,
                       tools.text);
        }
        lu_text_free(&own);
        lu_text_free(&tools);
    }
    out_text(
        "\nSettings of commands are under their names ([ludus train](#ludus-train)), those that "
        "commands share behind them.\n");
}

static bool has_key(lu_table t, const char *key) {
    for (int i = 0; i < t.count; i++) {
        if (strcmp(t.rows[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* A variant on the page: rows that the first of its game has too are left out. */
static void print_variant(lu_table own, const lu_game *variant, const lu_game *first) {
    lu_table base = game_table_make(NULL, first);
    lu_setting *rows = lu_alloc_zero((size_t)own.count + 1, sizeof *rows);
    lu_table else_ = {own.module, rows, 0};
    for (int i = 0; i < own.count; i++) {
        bool known = false;
        for (int k = 0; k < base.count && !known; k++) {
            known = same_row(&own.rows[i], &base.rows[k]);
        }
        if (!known) {
            rows[else_.count++] = own.rows[i];
        }
    }
    lu_text lacks = LU_TEXT_INIT;
    for (int k = 0; k < base.count; k++) {
        if (!has_key(own, base.rows[k].key)) {
            lu_text_addf(&lacks, "%s`%s`", lacks.length ? ", " : ", without ", base.rows[k].key);
        }
    }
    out_format("\n## %s\n\nAs [%s](#%s)%s%s\n", variant->id, first->id, first->id, lacks.text,
               else_.count ? ", and with:" : ".");
    lu_text_free(&lacks);
    if (else_.count) {
        char *page = lu_settings_markdown(else_);
        out_text(strstr(page, "\n\n") + 1); /* without its heading */
        free(page);
    }
    free(rows);
    game_table_free(base);
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    int shown = 0;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_array(&json, "settings");
    bool markdown = !call->json && lu_settings_bool(call->settings, "markdown");
    bool page = markdown && !lu_settings_bool(call->settings, "aliases") && call->arguments == 0;
    if (markdown) {
        out_text(lu_settings_bool(call->settings, "aliases") ? names_head : settings_head);
    }
    if (page) {
        print_games();
    }
    for (int g = 0, first = 0; g < lu_game_count(); g++) {
        lu_table own = game_table_make(NULL, lu_game_at(g));
        first = is_first(g) ? g : first;
        own.module = lu_game_at(g)->id;
        if (page && first != g) {
            print_variant(own, lu_game_at(g), lu_game_at(first));
        } else {
            shown += show(call, own, &json);
        }
        game_table_free(own);
    }
    for (int t = 0; t < lu_tool_count(); t++) {
        shown += show(call, lu_tool_at(t)->settings, &json);
    }
    for (int v = 0; verbs[v]; v++) {
        lu_table t = verbs[v]->options;
        t.module = cell("ludus %s", verbs[v]->name);
        shown += show(call, t, &json);
    }
    for (int t = 0; verb_shared_table(t); t++) {
        shown += show(call, *verb_shared_table(t), &json);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    if (call->json && shown > 0) {
        out_json(&json);
    }
    lu_json_free(&json);
    return shown > 0
               ? LU_OK
               : lu_fail(error, LU_NOT_FOUND,
                         "no setting has '%.100s'%s in its name or sentence; `ludus settings` "
                         "lists all",
                         call->argument[0], call->arguments > 1 ? " and the other words" : "");
}

const verb verb_settings = {
    .name = "settings",
    .usage = "settings [WORD...] [--aliases] [--markdown] [--json]",
    .sentence = "Lists every setting of every module, or those that a word is about.",
    .examples = examples,
    .options = VERB_OPTIONS("settings", options),
    .most = -1,
    .argument = "WORD",
    .json = true,
    .run = run,
};
